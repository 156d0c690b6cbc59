//! Which of a student's candidates counts for each problem, and what becomes of the other files.

use std::collections::BTreeSet;
use std::path::Path;

use grader_language::SourceText;
use grader_model::{Bytes, FaultCause, SourceFile, Text, extension_of};

use super::{Candidate, Rank, Sorter};
use crate::folder::may_be_program;
use crate::name::stem_of;
use crate::notebook::{self, MAX_NOTEBOOK};
use crate::pattern::Fit;
use crate::program::{Kind, is_notebook};
use crate::project::{Chosen, project};
use crate::read::read_beginning;
use crate::reason;
use crate::start::{Start, is_aside, start};
use crate::submission::{FileOnDisk, Files, Submission};
use crate::tree::File;
use crate::unreadable::Unreadable;

/// Most attempts that are compared.
const MAX_ATTEMPTS: usize = 16;

impl<'t> Sorter<'_, 't> {
    /// Takes the best candidate for a problem.
    pub(super) fn take_best(&mut self, problem: usize) {
        let id = self.patterns.problem(problem).id.clone();
        let notebook = self.notebook.filter(|_| self.takes_python(problem));
        let notebook = notebook.map(|file| {
            let why = reason::notebook_name(&self.patterns.problem(problem).file_name("py"));
            Unreadable::at(&file.path, FaultCause::Unreadable, why)
        });
        let missing = self.missing.clone().or(notebook).map(Err);
        match self.choose(problem).or(missing) {
            Some(Ok(submission)) => drop(self.work.submissions.insert(id, submission)),
            Some(Err(unreadable)) => drop(self.work.faults.insert(id, unreadable)),
            None => {}
        }
    }

    /// Notes where there is something for each problem, by its name.
    pub(super) fn note_places(&mut self) {
        let places = |all: &Vec<Candidate<'_>>| {
            let by_name = all.iter().filter(|it| !it.rank.by_content);
            by_name.map(|it| it.path.clone()).collect()
        };
        self.places = self.candidates.iter().map(places).collect();
    }

    /// Takes files whose names fit no problem: of a whole project the one in which its program starts; else of a folder whose name
    /// has a problem's in it; else a file `main`, for the only problem that is left and accepts its language, if no other file fits
    /// no problem. A problem for which there may be something yet stays open.
    pub(super) fn take_unmatched(&mut self) {
        let patterns = self.patterns;
        let is_project = |index: usize| {
            let project = patterns.problem(index).submission.project;
            project.unwrap_or(patterns.len() == 1)
        };
        if let Some(problem) = self.left().into_iter().find(|&it| is_project(it)) {
            return self.take_start(problem, &self.unmatched_for(problem));
        }
        for problem in self.left() {
            let is_in_its_folder = |at: &usize| {
                let mut folders = Path::new(self.pool.files[*at].folder).ancestors();
                let named = folders.find_map(|it| patterns.named_in(it.file_name()?.to_str()?));
                named == Some(problem)
            };
            let sources = self.unmatched_for(problem).into_iter();
            let sources: Vec<usize> = sources.filter(is_in_its_folder).collect();
            self.take_start(problem, &sources);
        }
        self.take_main();
        for problem in self.left() {
            self.leave_open(problem);
        }
    }

    /// Problems for which there is nothing yet.
    fn left(&self) -> Vec<usize> {
        let is_left = |index: &usize| {
            let id = &self.patterns.problem(*index).id;
            !self.work.submissions.contains_key(id) && !self.work.faults.contains_key(id)
        };
        (0..self.patterns.len()).filter(is_left).collect()
    }

    /// Sources that a problem accepts and whose names fit none.
    fn unmatched_for(&self, problem: usize) -> Vec<usize> {
        let accepted = &self.patterns.problem(problem).submission.languages;
        let sources = self.unmatched.iter();
        let sources = sources.filter(|(_, language)| accepted.contains(language));
        let places = sources.filter_map(|(file, _)| self.pool.find(file));
        places.filter(|at| !self.taken.contains(at)).collect()
    }

    fn take_main(&mut self) {
        let patterns = self.patterns;
        let takes = |index: usize, language| {
            let languages = &patterns.problem(index).submission.languages;
            languages.contains(&language)
        };
        let is_free = |file| {
            let at = self.pool.find(file);
            at.is_none_or(|at| !self.taken.contains(&at))
        };
        let mut free = self.unmatched.iter().filter(|(file, _)| is_free(file));
        if let (Some(&(file, language)), None) = (free.next(), free.next())
            && stem_of(&file.name).eq_ignore_ascii_case("main")
            && let mut left = self.left().into_iter().filter(|&it| takes(it, language))
            && let (Some(problem), None) = (left.next(), left.next())
        {
            self.take_file(file, problem);
            let id = &patterns.problem(problem).id;
            if self.work.submissions.contains_key(id) {
                self.work.notes.push(reason::only_left(&file.path, id));
            }
        }
    }

    /// Takes a file for a problem that its name does not fit.
    fn take_file(&mut self, file: &'t File, problem: usize) {
        let rank = Rank::new(&file.name, None, Fit::default(), 0);
        self.add(file, problem, rank, None);
        self.take_best(problem);
    }

    /// Takes the one of these sources in which a program starts.
    fn take_start(&mut self, problem: usize, sources: &[usize]) {
        let pool = self.pool;
        let path = |at: usize| &*pool.files[at].file.path;
        let (at, why) = match start(sources, problem, pool, self.patterns) {
            Start::In(at) => return self.take_file(pool.files[at].file, problem),
            Start::Several(all) => {
                let others: Vec<&str> = all[1..].iter().map(|&at| path(at)).collect();
                (all[0], reason::starts(&others))
            }
            Start::Nowhere if sources.is_empty() => return,
            Start::Nowhere => (sources[0], reason::no_start()),
        };
        let fault = Unreadable::at(path(at), FaultCause::Unreadable, why);
        let id = self.patterns.problem(problem).id.clone();
        self.work.faults.insert(id, fault);
    }

    /// Notes that a program whose name fits no problem may be meant for this one.
    fn leave_open(&mut self, problem: usize) {
        let (pool, rule) = (self.pool, self.patterns.problem(problem));
        let may_be_it = |at: &usize| {
            let file = &pool.files[*at];
            if self
                .patterns
                .meant(&file.name)
                .is_some_and(|it| it != problem)
            {
                return false;
            }
            let Kind::Source(id) = file.kind else {
                return false;
            };
            let outline = self
                .patterns
                .languages
                .get(id)
                .map(|it| pool.outline(*at, it));
            let Some(own) = outline.filter(|it| !it.is_test && !is_aside(&file.file.path)) else {
                return false;
            };
            let authors = self.patterns.authors(problem, id).filter(|it| it.has_main);
            authors.map_or(own.has_main, |authors| {
                let mut defines = own.defines.iter().filter_map(|it| it.rsplit('.').next());
                !authors.uses.is_disjoint(&own.offers)
                    || defines.any(|it| authors.mentions.contains(it))
                    || own.defines.is_empty()
            })
        };
        let found = self.unmatched_for(problem).into_iter().find(may_be_it);
        if let Some(at) = found {
            let file = pool.files[at].file;
            let why = reason::unmatched(&rule.file_name(&extension_of(&file.name)));
            let fault = Unreadable::at(&file.path, FaultCause::Unreadable, why);
            self.work.unclaimed.insert(rule.id.clone(), fault);
        }
    }

    /// Lists all files that belong to no submission.
    pub(super) fn list_rest(&mut self) {
        let patterns = self.patterns;
        for (file, language) in std::mem::take(&mut self.unmatched) {
            let name = &file.name;
            let reason = match (patterns.nearest(name), patterns.named_as(name)) {
                (Some(expected), _) => reason::did_you_mean(name, &expected),
                (None, Some(problem)) if !problem.submission.languages.contains(&language) => {
                    reason::language(language, problem)
                }
                (None, _) => reason::no_problem(name, &patterns.examples(name)),
            };
            self.rest.push((file, reason, true));
        }
        for (file, reason, notable) in std::mem::take(&mut self.rest) {
            let at = self.pool.find(file);
            if at.is_some_and(|at| self.taken.contains(&at)) {
                continue;
            }
            match at.and_then(|at| self.left_out.remove(&at)) {
                // With several problems it may be somebody's attempt at another one.
                Some(reason) => self.pass(&file.path, reason, notable && patterns.len() > 1),
                None => self.pass(&file.path, reason, notable),
            }
        }
        let listed: BTreeSet<String> = self.work.unused.iter().map(|it| it.path.clone()).collect();
        let folders: Vec<&String> = listed.iter().filter(|it| it.ends_with('/')).collect();
        for (at, reason) in std::mem::take(&mut self.left_out) {
            let path = &self.pool.files[at].file.path;
            let is_listed = listed.contains(path) || folders.iter().any(|it| path.starts_with(*it));
            if !is_listed && !self.taken.contains(&at) {
                self.pass(path, reason, false);
            }
        }
    }

    /// Takes the best candidate for a problem that is not too large. If that cannot be read, so it is: the next best is
    /// not what the student wants judged. Nor is one of two attempts taken that lie in different folders and fit as well.
    fn choose(&mut self, problem: usize) -> Option<Result<Submission, Unreadable>> {
        let mut candidates = std::mem::take(&mut self.candidates[problem]);
        // If an archive has two entries of one name, it is unknown which counts: the skipped one goes first.
        let key = |it: &Candidate<'_>| {
            let is_other = self.assigned(&it.path).is_none();
            (is_other, it.is_test, it.rank, it.unreadable.is_none())
        };
        candidates.sort_by(|a, b| key(a).cmp(&key(b)).then_with(|| a.path.cmp(&b.path)));
        let most = self.patterns.problem(problem).submission.size;
        let mut candidates = candidates.into_iter();
        let (best, mut chosen) = candidates.by_ref().find_map(|candidate| {
            let chosen = self.read(&candidate, problem, most, true)?;
            Some((candidate, chosen))
        })?;
        let reason = match chosen {
            Ok(_) => reason::not_used(&best.path),
            Err(_) => reason::not_used_for(&best.path),
        };
        // What cannot be read is reported already.
        let others = candidates.filter(|it| it.unreadable.is_none());
        for (number, other) in others.enumerate() {
            let may_be_it =
                |file: &&File| may_be_program(file, &best.sources, problem, self.patterns);
            let is_notebook = other.sources.iter().any(may_be_it);
            if let Ok(submission) = &chosen
                && number < MAX_ATTEMPTS
                && (is_notebook || best.is_as_good_as(&other))
                && self.assigned(&best.path).is_none()
            {
                let is_another = is_notebook || {
                    let Some(attempt) = self.read(&other, problem, most, false) else {
                        continue;
                    };
                    attempt.is_ok_and(|attempt| !attempt.is_copy_of(submission))
                };
                if is_another {
                    for (it, another) in [(&best, &other), (&other, &best)] {
                        self.pass(&it.path, reason::attempt(&another.path), true);
                    }
                    let (cause, why) = (FaultCause::Unreadable, reason::attempts(&other.path));
                    chosen = Err(Unreadable::at(&best.path, cause, why));
                    continue;
                }
            }
            let places = other.sources.iter().filter_map(|it| self.pool.find(it));
            if !places.into_iter().any(|at| self.taken.contains(&at)) {
                self.pass(&other.path, reason.clone(), true);
            }
        }
        Some(chosen)
    }

    /// Reads a candidate, with the files that go along; `None` if it is too large, which is noted. If it is the best, so is what
    /// is taken and what is not.
    fn read(
        &mut self,
        candidate: &Candidate<'t>,
        problem: usize,
        most: Bytes,
        is_best: bool,
    ) -> Option<Result<Submission, Unreadable>> {
        if let Some(unreadable) = &candidate.unreadable {
            return Some(Err(unreadable.clone()));
        }
        let others = self.places.iter().enumerate();
        let others = others.filter(|(index, _)| *index != problem);
        let others: Vec<String> = others.flat_map(|(_, all)| all.clone()).collect();
        let chosen = Chosen {
            problem,
            path: &candidate.path,
            entry: candidate.entry,
            files: &candidate.sources,
            others: &others,
        };
        let project = project(&chosen, self.pool, self.patterns);
        let pool = self.pool;
        let of_project = project.files.iter().map(|(at, _)| pool.files[*at].file);
        // What counts of a notebook is its program.
        let sizes = of_project.clone().filter(|it| !is_notebook(&it.name, b""));
        let size: u64 = sizes.map(|file| file.size).sum();
        if size > most.0 {
            let own: u64 = candidate.sources.iter().map(|file| file.size).sum();
            if own <= most.0 {
                let why = reason::project_too_large(Bytes(size), most);
                let cause = FaultCause::Unreadable;
                return Some(Err(Unreadable::at(&candidate.path, cause, why)));
            }
            self.pass(&candidate.path, reason::too_large(Bytes(size), most), true);
            return None;
        }
        if is_best {
            self.taken.extend(project.files.iter().map(|(at, _)| *at));
            for (at, reason) in project.left_out {
                self.left_out.entry(at).or_insert(reason);
            }
        }
        if let Some(fault) = project.fault {
            return Some(Err(fault));
        }
        let (mut files, mut sources) = (Vec::new(), Vec::new());
        for (file, (_, path)) in of_project.clone().zip(&project.files) {
            // If it has grown since it was looked at, the judge will see that it has changed.
            let most_read = file.size.min(most.0.max(MAX_NOTEBOOK));
            let read = file.with(|at| Ok((at.to_owned(), read_beginning(at, most_read)?)));
            match read {
                Ok((location, bytes)) if is_notebook(&file.name, &bytes) => {
                    let source = match self.notebook(file, problem, &bytes) {
                        Ok(source) => source,
                        Err(why) => {
                            let cause = FaultCause::Unreadable;
                            let unreadable = Unreadable::at(&file.path, cause, why);
                            self.pass(&file.path, unreadable.why.clone(), true);
                            return Some(Err(unreadable));
                        }
                    };
                    files.push(FileOnDisk::notebook(&source.path, location, &bytes));
                    sources.push(source);
                    if is_best {
                        self.work.notes.push(reason::notebook_judged(&file.path));
                    }
                }
                Ok((location, bytes)) => {
                    files.push(FileOnDisk::new(path, location, &bytes));
                    sources.push(SourceFile::new(path.as_str(), bytes));
                }
                Err(unreadable) => {
                    self.pass(&file.path, unreadable.why.clone(), true);
                    return Some(Err(unreadable));
                }
            }
        }
        let shown = of_project.map(|file| file.path.clone());
        let language = self
            .patterns
            .languages
            .recognise(&SourceText::all(&sources));
        Some(Ok(Submission {
            files: Files::OnDisk(files),
            language: language.map(|language| language.id),
            shown: shown.collect(),
            submitted: None,
            lacking: project.lacking,
        }))
    }

    /// The program of a notebook, or why it is not certain that it is the student's for this problem.
    fn notebook(&self, file: &File, problem: usize, bytes: &[u8]) -> Result<SourceFile, Text> {
        let is_assigned = self.assigned(&file.path).is_some();
        let is_named = is_assigned || self.patterns.is_notebook_for(problem, &file.name);
        let is_whole = self.missing.is_none() && self.pool.missing.is_none();
        let is_alone =
            self.pool.files.len() == 1 && is_whole && !self.work.unused.iter().any(|it| it.notable);
        let rule = self.patterns.problem(problem);
        notebook::source((&file.name, file.size), bytes, rule, [is_named, is_alone])
    }
}

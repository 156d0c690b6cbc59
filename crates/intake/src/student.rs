//! What a student submitted, sorted by problem.

mod choose;

use std::collections::{BTreeMap, BTreeSet};

use grader_lms::Part;
use grader_model::{FaultCause, LanguageId, ProblemId, Text, UnusedFile, extension_of, folder_of};
use grader_problem::SubmissionKind;

use crate::archive::Unpacker;
use crate::folder::{Found, Program, read_program};
use crate::junk::is_archive;
use crate::listing::Entry;
use crate::pattern::{Fit, Patterns};
use crate::pool::Pool;
use crate::program::{Kind, is_notebook, language_by_content};
use crate::submission::Submission;
use crate::tree::{File, Folder, PROBLEM, read_tree};
use crate::unreadable::Unreadable;
use crate::{junk, reason};

/// What a student submitted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Work {
    pub(crate) submissions: BTreeMap<ProblemId, Submission>,
    /// Problems with a submission that is, or may be, in what cannot be read.
    pub(crate) faults: BTreeMap<ProblemId, Unreadable>,
    /// Problems without a submission that something may be meant for whose name fits none.
    pub(crate) unclaimed: BTreeMap<ProblemId, Unreadable>,
    pub(crate) unused: Vec<UnusedFile>,
    /// The first folder for a problem in which several programs could be meant.
    pub(crate) undecided: Option<Text>,
    /// What the student and staff are to know.
    pub(crate) notes: Vec<Text>,
}

/// Whether a folder is that of a problem.
fn has_problem(folder: &Folder) -> bool {
    folder.files.iter().any(|file| file.name == PROBLEM)
}

/// A file or a folder that a person assigned to a problem, by its path for people.
pub(crate) type Assigned<'a> = (usize, &'a str);

/// Reads what a student submitted: these parts of the entries. Archives are opened if there is an unpacker. What is
/// assigned goes before all rules.
pub(crate) fn read_work(
    entries: &[Entry],
    parts: &[Part],
    patterns: &Patterns,
    unpacker: Option<&Unpacker<'_>>,
    assigned: &[Assigned<'_>],
) -> Work {
    let mut work = Work::default();
    let root = &read_tree(entries, parts, unpacker, &mut work.unused);
    let mut sorter = Sorter {
        pool: &Pool::new(root, patterns),
        patterns,
        places: Vec::new(),
        rest: Vec::new(),
        taken: BTreeSet::new(),
        left_out: BTreeMap::new(),
        candidates: (0..patterns.len()).map(|_| Vec::new()).collect(),
        missing: root.unreadable.clone(),
        notebook: None,
        several: None,
        assigned,
        unmatched: Vec::new(),
        work,
    };
    sorter.sort_folder(root, 0);
    sorter.note_places();
    for index in 0..patterns.len() {
        match patterns.problem(index).submission.kind {
            SubmissionKind::Program => sorter.take_best(index),
            SubmissionKind::Outputs | SubmissionKind::Tests(_) => sorter.take_files(index),
        }
    }
    sorter.take_unmatched();
    sorter.list_rest();
    sorter.work
}

/// Something that could be the submission for a problem.
struct Candidate<'t> {
    rank: Rank,
    /// Its path for people.
    path: String,
    /// Its files.
    sources: Vec<&'t File>,
    /// The file in which it starts, if that is known.
    entry: Option<&'t File>,
    /// Whether it is a file of tests, which is only judged if there is nothing else.
    is_test: bool,
    /// Why it, or a part of it, is known to be unreadable.
    unreadable: Option<Unreadable>,
}

impl Candidate<'_> {
    /// Whether only their places or their languages distinguish two candidates: nothing tells which of them counts.
    fn is_as_good_as(&self, other: &Self) -> bool {
        let is_other_language = extension_of(&self.path) != extension_of(&other.path);
        let key = |rank: Rank| {
            let fit = rank.fit;
            let fit = if is_other_language {
                fit.of_any_pattern()
            } else {
                fit
            };
            (rank.by_content, rank.depth, fit)
        };
        // Two folders are two places.
        let folder = |path: &str| match path.strip_suffix('/') {
            Some(folder) => folder.to_owned(),
            None => folder_of(path).to_owned(),
        };
        self.is_test == other.is_test
            && key(self.rank) == key(other.rank)
            && (is_other_language || folder(&self.path) != folder(&other.path))
    }
}

/// How good a candidate is: less is better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    /// Whether only what it holds, or what the author has, makes it a program: a guess, which prose can mislead.
    by_content: bool,
    depth: usize,
    fit: Fit,
    is_folder: bool,
    /// Characters in its name.
    length: usize,
}

impl Rank {
    /// The rank of a folder, or of a file of this kind.
    fn new(name: &str, kind: Option<Kind>, fit: Fit, depth: usize) -> Self {
        Self {
            by_content: matches!(kind, Some(Kind::Other | Kind::Header)),
            depth,
            fit,
            is_folder: kind.is_none(),
            length: name.chars().count(),
        }
    }
}

pub(crate) struct Sorter<'p, 't> {
    pub(crate) patterns: &'p Patterns,
    pub(crate) pool: &'p Pool<'t>,
    /// For each problem.
    candidates: Vec<Vec<Candidate<'t>>>,
    /// The paths of all of them, for each problem.
    places: Vec<Vec<String>>,
    /// Why work for any problem may be missing.
    pub(crate) missing: Option<Unreadable>,
    /// A notebook whose name fits no problem: it may be work for any that takes Python.
    notebook: Option<&'t File>,
    /// Why no file of this folder is for a problem unless it has the problem's name.
    several: Option<Text>,
    pub(crate) assigned: &'p [Assigned<'p>],
    /// Sources whose names fit no problem.
    unmatched: Vec<(&'t File, LanguageId)>,
    /// Other files that go along with a program, or with none, for this reason; and whether that is notable.
    pub(crate) rest: Vec<(&'t File, Text, bool)>,
    /// The files of submissions, as places in the pool.
    pub(crate) taken: BTreeSet<usize>,
    /// Why files beside those of a submission are not in it.
    left_out: BTreeMap<usize, Text>,
    pub(crate) work: Work,
}

impl<'t> Sorter<'_, 't> {
    fn sort_folder(&mut self, folder: &'t Folder, depth: usize) {
        for file in &folder.files {
            self.sort_file(file, depth);
        }
        for below in &folder.folders {
            self.sort_below(below, depth);
        }
    }

    /// A folder in one that is looked through.
    fn sort_below(&mut self, below: &'t Folder, depth: usize) {
        if below.is_archive {
            self.miss(below.unreadable.as_ref());
        }
        let path = format!("{}/", below.path);
        let mut assigned = self.assigned.iter();
        let is_opened = assigned.any(|(_, inner)| *inner != path && inner.starts_with(&path));
        let best = self.patterns.best_for_folder(&below.name);
        let best = self.assigned(&path).or(best.filter(|_| !is_opened));
        let rank = |fit| Rank::new(&below.name, None, fit, depth);
        let mut is_known = false;
        let outer = self.several.clone();
        if below.is_authors() {
            return self.sort_authors(below, best, depth);
        }
        if let Some((problem, fit)) = best {
            match read_program(below, problem, self.patterns, self.pool) {
                Found::Program(program) => {
                    return self.sort_program(below, program, problem, rank(fit));
                }
                Found::Several(mains) => {
                    let names: Vec<&str> = mains.iter().map(|file| file.path_in(below)).collect();
                    let rule = self.patterns.problem(problem);
                    let expected = rule.file_name(&extension_of(names[0]));
                    let reason = reason::several_mains(&rule.id, &names, &expected);
                    self.work.undecided.get_or_insert_with(|| reason.clone());
                    self.several = Some(reason);
                    // Which of them is meant is for a person to say: until then nothing was judged, not nothing submitted.
                    let why = reason::several_programs(&names);
                    self.candidates[problem].push(Candidate {
                        rank: rank(fit),
                        unreadable: Some(Unreadable::at(&path, FaultCause::Unreadable, why)),
                        path: path.clone(),
                        sources: Vec::new(),
                        entry: None,
                        is_test: false,
                    });
                }
                Found::Others => {}
            }
            if below.unreadable.is_some() && below.all_files().is_empty() {
                is_known = self.patterns.is_own_name(problem, &below.name);
                self.candidates[problem].push(Candidate {
                    rank: rank(fit),
                    path,
                    sources: Vec::new(),
                    entry: None,
                    is_test: false,
                    unreadable: below.unreadable.clone(),
                });
            }
        }
        if !is_known {
            self.miss(below.unreadable.as_ref());
        }
        self.sort_folder(below, depth + 1);
        self.several = outer;
    }

    /// The folder of an assignment or a problem, as a kit for students has it: its own files are nobody's work, but a
    /// student may have put a program beside them.
    fn sort_authors(&mut self, below: &'t Folder, best: Option<(usize, Fit)>, depth: usize) {
        let patterns = self.patterns;
        let is_own = |file: &File, problem: usize| {
            let mut include = patterns.problem(problem).submission.include.iter();
            include.any(|it| it.path == file.name)
        };
        if let Some((problem, fit)) = best
            && let Found::Program(mut program) = read_program(below, problem, patterns, self.pool)
        {
            // A notebook may be the program: then it stays open.
            let is_code = |file: &File| {
                matches!(patterns.kind(&file.name), Kind::Source(_) | Kind::Header)
                    || is_notebook(&file.name, b"")
            };
            let is_beside = |file: &File| !file.path_in(below).contains('/');
            let is_students =
                |file: &&File| is_code(file) && is_beside(file) && !is_own(file, problem);
            program.sources.retain(is_students);
            program.rest.clear();
            if program
                .sources
                .iter()
                .any(|file| patterns.kind(&file.name).is_source())
            {
                let rank = Rank::new(&below.name, None, fit, depth);
                return self.sort_program(below, program, problem, rank);
            }
        }
        for file in &below.files {
            match patterns.best(&file.name) {
                Some((problem, _)) if !is_own(file, problem) => self.sort_file(file, depth + 1),
                _ => self.pass(&file.path, reason::authors(), false),
            }
        }
        for folder in below.folders.iter().filter(|_| !has_problem(below)) {
            self.sort_below(folder, depth + 1);
        }
    }

    /// A folder that is one program.
    fn sort_program(
        &mut self,
        folder: &'t Folder,
        program: Program<'t>,
        problem: usize,
        rank: Rank,
    ) {
        self.candidates[problem].push(Candidate {
            rank,
            path: format!("{}/", folder.path),
            sources: program.sources,
            entry: program.entry,
            is_test: false,
            unreadable: program.missing.cloned(),
        });
        for file in program.rest {
            self.sort_file(file, rank.depth + 1);
        }
        for archive in folder.archives() {
            self.sort_below(archive, rank.depth + 1);
        }
    }

    fn sort_file(&mut self, file: &'t File, depth: usize) {
        let name = &file.name;
        let kind = self.patterns.kind(name);
        let best = self.assigned(&file.path);
        let best = best.or_else(|| self.patterns.best(name));
        if best.is_some_and(|(problem, _)| self.patterns.takes_files(problem)) {
            // Taken by its name, or not at all.
            return;
        }
        let best = best.map(|(problem, fit)| (problem, Rank::new(name, Some(kind), fit, depth)));
        if let Err(unreadable) = &file.location {
            match best {
                Some((problem, rank)) if kind != Kind::Header => {
                    self.add(file, problem, rank, Some(unreadable.clone()));
                }
                // The names of other files show that they are no program.
                _ if kind.is_source() || is_archive(name) => self.miss(Some(unreadable)),
                _ => {}
            }
            return;
        }
        match (kind, best) {
            (Kind::Source(language), Some((problem, rank))) => {
                self.sort_source(file, Ok(Some(language)), problem, rank);
            }
            (Kind::Source(language), None) => match self.several.clone() {
                Some(reason) => self.rest.push((file, reason, true)),
                None => self.unmatched.push((file, language)),
            },
            // A task of templates: the author's program includes the header.
            (Kind::Header, Some((problem, rank))) if self.includes(problem, name) => {
                self.add(file, problem, rank, None);
            }
            (Kind::Header, _) => {
                let reason = self.several.clone().unwrap_or_else(reason::header);
                self.rest.push((file, reason, true));
            }
            (Kind::Other, _) if is_archive(name) => self.pass(&file.path, reason::archive(), true),
            (Kind::Other, Some((problem, rank)))
                if self.takes_python(problem) && self.holds_notebook(file, problem) =>
            {
                self.add(file, problem, rank, None);
            }
            (Kind::Other, None) if is_notebook(name, b"") => {
                let why = reason::notebook_name(".py");
                let unreadable = Unreadable::at(&file.path, FaultCause::Unreadable, why);
                self.pass(&file.path, unreadable.why, true);
                self.notebook.get_or_insert(file);
            }
            // What it holds decides.
            (Kind::Other, Some((problem, rank))) => {
                let most = self.patterns.problem(problem).submission.size;
                let language = language_by_content(file, most.0, &self.patterns.languages);
                self.sort_source(file, language, problem, rank);
            }
            (Kind::Other, None) => self.rest.push((file, reason::not_source(), false)),
        }
    }

    /// A file with a name that fits a problem, and the language of the program in it, if there is one.
    fn sort_source(
        &mut self,
        file: &'t File,
        language: Result<Option<LanguageId>, Unreadable>,
        problem: usize,
        rank: Rank,
    ) {
        let rule = self.patterns.problem(problem);
        let languages = &rule.submission.languages;
        let reason = match language {
            Ok(Some(language)) if languages.contains(&language) => {
                return self.add(file, problem, rank, None);
            }
            Ok(Some(language)) => reason::language(language, rule),
            Ok(None) => reason::not_source(),
            Err(unreadable) => {
                let why = unreadable.why.clone();
                self.add(file, problem, rank, Some(unreadable));
                why
            }
        };
        self.pass(&file.path, reason, true);
    }

    fn holds_notebook(&self, file: &File, problem: usize) -> bool {
        let most = self.patterns.problem(problem).submission.size;
        let holds = || file.read(most.0).ok().flatten();
        is_notebook(&file.name, b"") || holds().is_some_and(|bytes| is_notebook("", &bytes))
    }

    fn takes_python(&self, problem: usize) -> bool {
        let languages = &self.patterns.problem(problem).submission.languages;
        languages.contains(&LanguageId::Python)
    }

    /// Whether the author's files for C or C++ start the program, and use this header of the student's.
    fn includes(&self, problem: usize, header: &str) -> bool {
        let languages = [LanguageId::C, LanguageId::Cpp].into_iter();
        let mut authors = languages.filter_map(|it| self.patterns.authors(problem, it));
        let mut own = self.patterns.problem(problem).submission.include.iter();
        let is_own = own.any(|it| it.path == header);
        !is_own && authors.any(|it| it.has_main && it.mentions.contains(header))
    }

    /// A file that is a candidate.
    fn add(&mut self, file: &'t File, problem: usize, rank: Rank, unreadable: Option<Unreadable>) {
        let language = match self.patterns.kind(&file.name) {
            Kind::Source(id) => self.patterns.languages.get(id),
            _ => None,
        };
        let at = self.pool.find(file).zip(language);
        self.candidates[problem].push(Candidate {
            is_test: at.is_some_and(|(at, language)| self.pool.outline(at, language).is_test),
            rank,
            path: file.path.clone(),
            sources: vec![file],
            entry: Some(file),
            unreadable,
        });
    }

    /// The problem to which a person assigned what has this path.
    fn assigned(&self, path: &str) -> Option<(usize, Fit)> {
        let mut assigned = self.assigned.iter();
        let (problem, _) = assigned.find(|(_, assigned)| *assigned == path)?;
        Some((*problem, Fit::default()))
    }

    /// Work for any problem may be missing.
    fn miss(&mut self, unreadable: Option<&Unreadable>) {
        self.missing = self.missing.take().or_else(|| unreadable.cloned());
    }

    pub(crate) fn pass(&mut self, path: &str, reason: Text, notable: bool) {
        self.work.unused.push(junk::unused(path, reason, notable));
    }
}

//! Output files that are submitted instead of a program: for each case the one that has its name.

use std::collections::BTreeMap;
use std::path::Path;

use grader_model::{Bytes, FaultCause, LanguageId};

use crate::junk::is_archive;
use crate::name::{bare_name, stem_of};
use crate::pattern::words;
use crate::pool::Pooled;
use crate::program::Kind;
use crate::read::read_beginning;
use crate::reason;
use crate::student::Sorter;
use crate::submission::{FileOnDisk, Files, Submission};
use crate::unreadable::Unreadable;

/// The one of these names that a file has, whatever its case, without the marks of a copy.
pub(crate) fn name_of<'a>(names: &'a [String], file: &str) -> Option<&'a String> {
    let file = bare_name(file).to_lowercase();
    names.iter().find(|it| it.to_lowercase() == file)
}

impl Sorter<'_, '_> {
    /// Takes the output files for a problem with these names.
    pub(crate) fn take_outputs(&mut self, problem: usize, names: &[String]) {
        let id = self.patterns.problem(problem).id.clone();
        let own = self.files_for(problem);
        let submission = match self.outputs(problem, names, &own) {
            Ok(Some(submission)) => submission,
            Ok(None) => return,
            Err(fault) => return drop(self.work.faults.insert(id, fault)),
        };
        self.work.submissions.insert(id, submission);
        for at in own {
            let name = &self.pool.files[at].file.name;
            if let Some(name) = name_of(names, name)
                && !self.taken.contains(&at)
            {
                let why = reason::another_taken(name);
                self.rest.push((self.pool.files[at].file, why, true));
            }
        }
    }

    /// The file, or the folder with a `/` at its end, that a person assigned to a problem.
    fn assigned_to(&self, problem: usize) -> Option<&str> {
        let mut assigned = self.assigned.iter();
        assigned.find(|(it, _)| *it == problem).map(|(_, it)| *it)
    }

    /// The files that may be for a problem: not those in the folder of another one, and of what was assigned only that.
    fn files_for(&self, problem: usize) -> Vec<usize> {
        let patterns = self.patterns;
        let assigned = self.assigned_to(problem);
        let folder = assigned.filter(|it| it.ends_with('/'));
        let is_for = |&at: &usize| {
            let file = &self.pool.files[at];
            let mut folders = Path::new(file.folder).ancestors();
            let home = folders.find_map(|it| {
                let name = it.file_name()?.to_str()?;
                let own = (0..patterns.len()).find(|&it| patterns.is_own_name(it, name));
                own.or_else(|| patterns.named_in(name))
            });
            let is_near = !file.is_authors && home.is_none_or(|it| it == problem);
            match folder {
                Some(folder) => file.file.path.starts_with(folder),
                None => is_near || assigned == Some(&file.file.path),
            }
        };
        (0..self.pool.files.len()).filter(is_for).collect()
    }

    /// The submission of the files that have these names; `None` if there is nothing.
    ///
    /// # Errors
    /// If it is not certain which file is meant, or whether one is missing.
    fn outputs(
        &mut self,
        problem: usize,
        names: &[String],
        own: &[usize],
    ) -> Result<Option<Submission>, Unreadable> {
        let most = self.patterns.problem(problem).submission.size;
        let at = |at: usize| &self.pool.files[at];
        let path = |it: usize| at(it).file.path.as_str();
        let open = |it: usize, why| Unreadable::at(path(it), FaultCause::Unreadable, why);
        let assigned = self.assigned_to(problem);
        let is_copy = |it: usize| at(it).name != at(it).file.name;
        let rank = |it: usize| (Some(path(it)) != assigned, is_copy(it));
        let mut ranked = own.to_vec();
        ranked.sort_by_key(|&it| (rank(it), at(it).folder.len(), it));
        let mut found: BTreeMap<&String, usize> = BTreeMap::new();
        for it in ranked {
            let Some(name) = name_of(names, &at(it).file.name) else {
                continue;
            };
            let first = *found.entry(name).or_insert(it);
            let is_another = first != it && rank(first) == rank(it);
            if is_another && at(first).file.read(most.0)? != at(it).file.read(most.0)? {
                let fault = open(first, reason::attempts(path(it)));
                for (one, other) in [(first, it), (it, first)] {
                    let (path, other) = (path(one).to_owned(), path(other).to_owned());
                    self.pass(&path, reason::attempt(&other), true);
                }
                return Err(fault);
            }
        }
        for name in names {
            if found.contains_key(name) {
                continue;
            }
            let lacking = words(stem_of(name));
            let may_be_it = |it: &usize| {
                let Pooled { file, kind, .. } = at(*it);
                let is_text = *kind == Kind::Other && !is_archive(&file.name);
                let is_other = is_text && name_of(names, &file.name).is_none();
                is_other && words(stem_of(&file.name)).contains(&lacking)
            };
            match own.iter().copied().find(may_be_it) {
                Some(it) if assigned == Some(path(it)) => drop(found.insert(name, it)),
                Some(it) => return Err(open(it, reason::output_name(name))),
                None => {}
            }
        }
        if let Some(unreadable) = self.missing.clone().filter(|_| found.len() < names.len()) {
            return Err(unreadable);
        }
        for (name, &it) in &found {
            let mut others = (0..self.patterns.len()).filter(|&other| other != problem);
            let takes = |&other: &usize| {
                let names = self.patterns.outputs(other).unwrap_or_default();
                names.contains(name) && self.files_for(other).contains(&it)
            };
            if let Some(other) = others.find(takes) {
                let other = &self.patterns.problem(other).id;
                return Err(open(it, reason::output_of_two(other)));
            }
        }
        let Some(&first) = found.values().next() else {
            return Ok(None);
        };
        let size = Bytes(found.values().map(|&it| at(it).file.size).sum());
        if size > most {
            return Err(open(first, reason::outputs_too_large(size, most)));
        }
        let files = found.iter().map(|(name, &it)| {
            let file = at(it).file;
            file.with(|place| {
                let bytes = read_beginning(place, file.size)?;
                Ok(FileOnDisk::new(name, place.to_owned(), &bytes))
            })
        });
        let files = files.collect::<Result<_, _>>()?;
        let shown = found.values().map(|&it| at(it).file.path.clone());
        let submission = Submission {
            files: Files::OnDisk(files),
            language: Some(LanguageId::Outputs),
            shown: shown.collect(),
            submitted: None,
            lacking: BTreeMap::new(),
        };
        self.taken.extend(found.into_values());
        Ok(Some(submission))
    }
}

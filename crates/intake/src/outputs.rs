//! Output files that are submitted instead of a program: for each case the one that has its name.

use std::collections::BTreeMap;
use std::path::Path;

use grader_model::{Bytes, FaultCause, extension_of, file_name};
use unicode_normalization::UnicodeNormalization as _;

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

/// The one of these names that a file has: exactly, or in another case or form of Unicode, or with the marks of a copy.
pub(crate) fn expected_name<'a>(names: &'a [String], file: &str) -> Option<&'a String> {
    let alike = |file: &str| {
        let file = plain(file);
        names.iter().find(|it| plain(it) == file)
    };
    let exact = names.iter().find(|it| *it == file);
    exact
        .or_else(|| alike(file))
        .or_else(|| alike(&bare_name(file)))
}

/// A name in one case and one form: macOS writes `é` as two characters.
fn plain(name: &str) -> String {
    name.nfc().collect::<String>().to_lowercase()
}

/// The words of a name without its extension, and without zeros before numbers: ` 1 ` for `01.out`.
fn plain_words(name: &str) -> String {
    let name: String = stem_of(name).nfkc().collect();
    let words = words(&name);
    let words = words.split(' ').map(|it| match it.trim_start_matches('0') {
        "" if !it.is_empty() => "0",
        it => it,
    });
    words.collect::<Vec<_>>().join(" ")
}

impl Sorter<'_, '_> {
    /// Takes the files for a problem of outputs or tests.
    pub(crate) fn take_files(&mut self, problem: usize) {
        let patterns = self.patterns;
        let id = patterns.problem(problem).id.clone();
        let found = if let Some(names) = patterns.outputs(problem) {
            self.find_outputs(problem, names)
        } else {
            let found = self.find_tests(problem);
            match found {
                Ok(_) => self.list_tests(reason::no_test, true),
                Err(_) => self.list_tests(reason::open_test, false),
            }
            found
        };
        match found {
            Ok(Some(submission)) => drop(self.work.submissions.insert(id, submission)),
            Ok(None) => {}
            Err(fault) => drop(self.work.faults.insert(id, fault)),
        }
    }

    /// The problem in whose folder a file lies, by the folder's name.
    pub(crate) fn home_of(&self, file: &Pooled<'_>) -> Option<usize> {
        let patterns = self.patterns;
        Path::new(file.folder).ancestors().find_map(|it| {
            let name = it.file_name()?.to_str()?;
            let own = (0..patterns.len()).find(|&it| patterns.is_own_name(it, name));
            own.or_else(|| patterns.named_in(name))
        })
    }

    /// The files that may be for a problem: not those in the folder of another one that takes files, and of a folder that a person
    /// assigned only what it holds.
    pub(crate) fn files_for(&self, problem: usize, assigned: Option<&str>) -> Vec<usize> {
        let folder = assigned.filter(|it| it.ends_with('/'));
        let is_for = |&at: &usize| {
            let file = &self.pool.files[at];
            let other = self.home_of(file).filter(|it| *it != problem);
            let is_others = other.is_some_and(|it| self.patterns.takes_files(it));
            match folder {
                Some(folder) => file.file.path.starts_with(folder),
                None => !is_others,
            }
        };
        (0..self.pool.files.len()).filter(is_for).collect()
    }

    /// The submission of the files that have these names; `None` if there is nothing.
    ///
    /// # Errors
    /// If it is not certain which file is meant, or whether one is missing.
    fn find_outputs(
        &mut self,
        problem: usize,
        names: &[String],
    ) -> Result<Option<Submission>, Unreadable> {
        let most = self.patterns.problem(problem).submission.size;
        let mut assigned = self.assigned.iter();
        let assigned = assigned.find(|(it, _)| *it == problem).map(|(_, it)| *it);
        let at = |at: usize| &self.pool.files[at];
        let path = |it: usize| at(it).file.path.as_str();
        let open = |it: usize, why| Unreadable::at(path(it), FaultCause::Unreadable, why);
        let mut own = self.files_for(problem, assigned);
        own.sort_by_key(|&it| (Some(path(it)) != assigned, at(it).folder.len(), it));
        let mut found: BTreeMap<&String, usize> = BTreeMap::new();
        let (mut others, mut rest) = (Vec::new(), Vec::new());
        for it in own {
            let Some(name) = expected_name(names, &at(it).file.name) else {
                rest.push(it);
                continue;
            };
            let first = *found.entry(name).or_insert(it);
            if first == it {
                continue;
            }
            others.push((it, path(first).to_owned()));
            let is_chosen = Some(path(first)) == assigned;
            if !is_chosen && at(first).file.read(most.0)? != at(it).file.read(most.0)? {
                let fault = open(first, reason::attempts(path(it)));
                for (one, other) in [(first, it), (it, first)] {
                    let (path, other) = (path(one).to_owned(), path(other).to_owned());
                    self.pass(&path, reason::attempt(&other), true);
                }
                return Err(fault);
            }
        }
        let missing = |found: &BTreeMap<&String, usize>| {
            let missing = names.iter().filter(|it| !found.contains_key(it));
            missing.collect::<Vec<&String>>()
        };
        let chosen = rest.iter().copied().find(|&it| Some(path(it)) == assigned);
        if let Some(chosen) = chosen {
            found.extend(self.meant(chosen, &missing(&found), &rest));
            rest.retain(|it| !found.values().any(|used| used == it));
        }
        let missing = missing(&found);
        if !missing.is_empty() && (assigned.is_none() || chosen.is_some()) {
            let doubt = self.doubt(problem, &missing, &rest, found.is_empty());
            if let Some(unreadable) = doubt.or_else(|| self.missing.clone()) {
                return Err(unreadable);
            }
        }
        for (name, &it) in found.iter().filter(|(_, it)| Some(path(**it)) != assigned) {
            let mut others = (0..self.patterns.len()).filter(|&other| other != problem);
            let takes = |&other: &usize| {
                let names = self.patterns.outputs(other).unwrap_or_default();
                names.contains(name) && self.files_for(other, None).contains(&it)
            };
            if let Some(other) = others.find(takes) {
                let other = &self.patterns.problem(other).id;
                return Err(open(it, reason::output_of_two(other)));
            }
        }
        let found: Vec<_> = found
            .into_iter()
            .map(|(name, it)| (name.clone(), it))
            .collect();
        let submission = self.of_files(problem, &found)?;
        let others = others.into_iter();
        let others = others.map(|(it, used)| (at(it).file, reason::not_used(&used), true));
        self.rest.extend(others);
        Ok(submission)
    }

    /// The submission of these files, under these names; `None` without files.
    ///
    /// # Errors
    /// If they are too large, or one cannot be read.
    pub(crate) fn of_files(
        &mut self,
        problem: usize,
        found: &[(String, usize)],
    ) -> Result<Option<Submission>, Unreadable> {
        let rule = &self.patterns.problem(problem).submission;
        let pool = self.pool;
        let file = |it: usize| pool.files[it].file;
        let Some((_, first)) = found.first() else {
            return Ok(None);
        };
        let size = Bytes(found.iter().map(|(_, it)| file(*it).size).sum());
        if size > rule.size {
            let why = reason::files_too_large(size, rule.size);
            let path = &file(*first).path;
            return Err(Unreadable::at(path, FaultCause::Unreadable, why));
        }
        let files = found.iter().map(|(name, it)| {
            file(*it).with(|place| {
                let bytes = read_beginning(place, file(*it).size)?;
                Ok(FileOnDisk::new(name, place.to_owned(), &bytes))
            })
        });
        let files = files.collect::<Result<_, _>>()?;
        let submission = Submission {
            files: Files::OnDisk(files),
            language: rule.kind.language(),
            shown: found.iter().map(|(_, it)| file(*it).path.clone()).collect(),
            submitted: None,
            lacking: BTreeMap::new(),
        };
        self.taken.extend(found.iter().map(|(_, it)| *it));
        Ok(Some(submission))
    }

    /// The missing names that files have which a person means who chose one of them: who chooses `1.txt` means `2.txt`, too.
    fn meant<'n>(
        &self,
        chosen: usize,
        missing: &[&'n String],
        rest: &[usize],
    ) -> BTreeMap<&'n String, usize> {
        let at = |at: usize| &self.pool.files[at];
        let mut alike = missing
            .iter()
            .filter(|it| may_be(&at(chosen).file.name, it));
        let own = alike.next().or(missing.first()).copied();
        let mut meant: BTreeMap<_, _> = own.map(|it| (it, chosen)).into_iter().collect();
        for &name in missing.iter().filter(|it| Some(**it) != own) {
            let is_same = |it: &&usize| {
                let Pooled { file, kind, .. } = at(**it);
                let is_text = *kind == Kind::Other && **it != chosen;
                is_text && plain_words(&file.name) == plain_words(name)
            };
            let mut same = rest.iter().filter(is_same);
            if let (Some(&it), None) = (same.next(), same.next()) {
                meant.insert(name, it);
            }
        }
        meant
    }

    /// A file that may be meant as a missing one: by its name, also among those that are never looked at, or because there is nothing
    /// else.
    fn doubt(
        &self,
        problem: usize,
        missing: &[&String],
        rest: &[usize],
        has_nothing: bool,
    ) -> Option<Unreadable> {
        let is_others = |name: &str| {
            let mut outputs = (0..self.patterns.len()).filter_map(|it| self.patterns.outputs(it));
            outputs.any(|it| expected_name(it, name).is_some())
        };
        let texts = rest.iter().map(|&it| &self.pool.files[it]);
        let texts = texts.filter(|it| it.kind == Kind::Other && !is_archive(&it.file.name));
        let texts = texts.filter(|it| !is_others(&it.file.name));
        let texts: Vec<_> = texts.collect();
        let passed = self.work.unused.iter().map(|it| it.path.as_str());
        let passed = passed.filter(|it| !it.ends_with('/') && !is_archive(it));
        let paths = texts.iter().map(|it| it.file.path.as_str()).chain(passed);
        for path in paths {
            if let Some(name) = missing.iter().find(|it| may_be(path, it)) {
                let why = reason::output_name(name);
                return Some(Unreadable::at(path, FaultCause::Unreadable, why));
            }
        }
        let is_own =
            |it: &&&Pooled<'_>| self.patterns.len() == 1 || self.home_of(it) == Some(problem);
        let only = texts.iter().find(is_own).filter(|_| has_nothing)?;
        let why = reason::output_name(missing[0]);
        Some(Unreadable::at(&only.file.path, FaultCause::Unreadable, why))
    }
}

/// Whether a file at this path may be meant as the one of this name. Inputs of the kit have similar names.
fn may_be(path: &str, expected: &str) -> bool {
    let name = file_name(path);
    let [words, expected] = [name, expected].map(plain_words);
    let is_blank = words.trim().is_empty() || extension_of(name) == "in";
    !is_blank && (words.contains(&expected) || expected.contains(&words))
}

//! Tests that are submitted instead of a program: inputs, each with the right answer or without it.

use std::collections::BTreeMap;

use grader_model::{FaultCause, Text, common_folder, extension_of, folder_of, natural_order};
use grader_problem::SubmissionKind;

use crate::name::stem_of;
use crate::pattern::words;
use crate::pool::Pooled;
use crate::program::{Kind, is_text};
use crate::reason;
use crate::student::Sorter;
use crate::submission::Submission;
use crate::unreadable::Unreadable;

/// The name of the test to which a file belongs, and whether it is the input; `None` if it is neither that nor an answer. An editor
/// may have added `.txt`.
pub fn test_name(path: &str) -> Option<(&str, bool)> {
    let path = match extension_of(path).as_str() {
        "txt" => stem_of(path),
        _ => path,
    };
    let is_input = match extension_of(path).as_str() {
        "in" => true,
        "ans" | "out" => false,
        _ => return None,
    };
    Some((stem_of(path), is_input))
}

/// Inputs by folder and name: each with its place in the pool and that of its answer.
type Inputs<'a> = BTreeMap<(&'a str, &'a str), (usize, Option<usize>)>;

impl Sorter<'_, '_> {
    /// The submission of all inputs, with their answers; `None` if there is nothing.
    ///
    /// # Errors
    /// If it is not certain which files are meant, or whether one is missing.
    pub(crate) fn find_tests(&mut self, problem: usize) -> Result<Option<Submission>, Unreadable> {
        let SubmissionKind::Tests(most) = self.patterns.problem(problem).submission.kind else {
            return Ok(None);
        };
        let pool = self.pool;
        let at = |it: usize| &pool.files[it];
        let mut assigned = self.assigned.iter();
        let assigned = assigned.find(|(it, _)| *it == problem).map(|(_, it)| *it);
        // A file that a person chose stands for the tests of its folder.
        let chosen = assigned.filter(|it| !it.ends_with('/')).map(folder_of);
        let is_own = |it: &usize| match chosen {
            Some(folder) => at(*it).folder == folder,
            None => assigned.is_some() || self.home_of(at(*it)).is_none_or(|it| it == problem),
        };
        let all = self.files_for(problem, assigned).into_iter();
        let (mut inputs, mut rest) = (Inputs::new(), Vec::new());
        let mut answers = Vec::new();
        for it in all.filter(is_own) {
            match test_name(&at(it).file.name) {
                Some((name, true)) => {
                    if let Some((other, _)) = inputs.insert((at(it).folder, name), (it, None)) {
                        return Err(self.open(it, reason::same_test(&at(other).file.path)));
                    }
                }
                // Compilers call a program `a.out`.
                Some((name, false)) if is_text(at(it).file)? => answers.push((it, name)),
                _ => rest.push(it),
            }
        }
        let is_chosen = |it: usize| Some(&*at(it).file.path) == assigned;
        if rest.iter().any(|it| is_chosen(*it)) {
            // Who chooses `input1.txt` means `input2.txt`, too.
            for &it in &rest {
                if is_chosen(it) || is_named(&at(it).file.name) {
                    inputs.insert((at(it).folder, &at(it).file.name), (it, None));
                }
            }
        }
        let size = self.patterns.problem(problem).submission.size.0;
        for (it, name) in answers {
            let Some((_, answer)) = inputs.get_mut(&(at(it).folder, name)) else {
                if assigned.is_none() {
                    return Err(self.open(it, reason::answer_without_input()));
                }
                continue;
            };
            let first = *answer.get_or_insert(it);
            if at(first).file.read(size)? != at(it).file.read(size)? {
                return Err(self.open(first, reason::same_test(&at(it).file.path)));
            }
        }
        match assigned {
            None => self.doubt_tests(problem, &inputs, &rest)?,
            Some(path) if inputs.is_empty() => {
                let why = reason::test_name();
                return Err(Unreadable::at(path, FaultCause::Unreadable, why));
            }
            Some(_) => {}
        }
        if let Some((first, _)) = inputs.values().next()
            && inputs.len() > most as usize
        {
            return Err(self.open(*first, reason::too_many_tests(inputs.len(), most)));
        }
        let found = inputs.into_values();
        let found = found.flat_map(|(input, answer)| [Some(input), answer]);
        let mut found: Vec<_> = found.flatten().collect();
        let path = |it: usize| at(it).file.path.as_str();
        found.sort_by(|a, b| natural_order(path(*a), path(*b)));
        let folders = found.iter().map(|it| at(*it).folder);
        let folder = folders.reduce(common_folder).unwrap_or_default();
        let named = found.into_iter().map(|it| {
            let name = path(it).strip_prefix(folder).unwrap_or(path(it));
            let ending = if test_name(name).is_some() { "" } else { ".in" };
            (name.trim_start_matches('/').to_owned() + ending, it)
        });
        let named: Vec<_> = named.collect();
        self.of_files(problem, &named)
    }

    /// Fails if it is not certain that these inputs are all tests for a problem, and only for this one. `rest` has the other files.
    fn doubt_tests(
        &self,
        problem: usize,
        inputs: &Inputs<'_>,
        rest: &[usize],
    ) -> Result<(), Unreadable> {
        let at = |it: usize| &self.pool.files[it];
        let is_home = |it: usize| self.patterns.len() == 1 || self.home_of(at(it)) == Some(problem);
        let doubt = rest.iter().find(|it| {
            let Pooled { file, kind, .. } = at(**it);
            let is_meant = is_named(&file.name) || inputs.is_empty() && is_home(**it);
            *kind == Kind::Other && is_meant && is_text(file).unwrap_or(true)
        });
        if let Some(it) = doubt {
            return Err(self.open(*it, reason::test_name()));
        }
        // Inputs in the folder of a problem that takes programs, but not those of a kit.
        let elsewhere = self.files_for(problem, None).into_iter().find(|it| {
            let is_input = matches!(test_name(&at(*it).file.name), Some((_, true)));
            inputs.is_empty() && is_input && !at(*it).is_authors
        });
        if let Some(it) = elsewhere {
            let id = &self.patterns.problem(problem).id;
            return Err(self.open(it, reason::output_of_two(id)));
        }
        let takes_tests = |it: &usize| {
            let kind = self.patterns.problem(*it).submission.kind;
            *it != problem && matches!(kind, SubmissionKind::Tests(_))
        };
        let other = (0..self.patterns.len()).find(takes_tests);
        let mut inputs = inputs.values().map(|(it, _)| *it);
        let homeless = inputs.find(|it| self.home_of(at(*it)).is_none());
        if let (Some(it), Some(other)) = (homeless, other) {
            let other = &self.patterns.problem(other).id;
            return Err(self.open(it, reason::output_of_two(other)));
        }
        self.missing.clone().map_or(Ok(()), Err)
    }

    /// That a file cannot be taken as it is.
    fn open(&self, it: usize, why: Text) -> Unreadable {
        Unreadable::at(&self.pool.files[it].file.path, FaultCause::Unreadable, why)
    }

    /// Lists the tests that are not used, for this reason.
    pub(crate) fn list_tests(&mut self, why: fn() -> Text, is_notable: bool) {
        let tests = self.pool.files.iter();
        let tests = tests.filter(|it| test_name(&it.file.name).is_some());
        self.rest.extend(tests.map(|it| {
            let why = if it.is_authors {
                reason::authors()
            } else {
                why()
            };
            (it.file, why, is_notable && !it.is_authors)
        }));
    }
}

/// Whether a file may be meant as an input by its name.
fn is_named(name: &str) -> bool {
    let words = words(name);
    words.contains(" in ") || words.contains(" input ")
}

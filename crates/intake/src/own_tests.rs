//! Tests that are submitted instead of a program: inputs, each with the right answer or without it.

use std::collections::BTreeMap;

use grader_model::{FaultCause, common_folder, extension_of, natural_order};
use grader_problem::SubmissionKind;

use crate::name::stem_of;
use crate::pattern::words;
use crate::pool::Pooled;
use crate::program::{Kind, is_text};
use crate::reason;
use crate::student::Sorter;
use crate::submission::Submission;
use crate::unreadable::Unreadable;

/// Whether a file is an input by its name, or an answer; `None` if it is neither.
pub(crate) fn is_input(name: &str) -> Option<bool> {
    match extension_of(name).as_str() {
        "in" => Some(true),
        "ans" | "out" => Some(false),
        _ => None,
    }
}

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
        let open = |it: usize, why| Unreadable::at(&at(it).file.path, FaultCause::Unreadable, why);
        let mut assigned = self.assigned.iter();
        let assigned = assigned.find(|(it, _)| *it == problem).map(|(_, it)| *it);
        let is_own = |it: &usize| self.home_of(at(*it)).is_none_or(|it| it == problem);
        let all = self.files_for(problem, assigned).into_iter();
        let own: Vec<usize> = all.filter(|it| assigned.is_some() || is_own(it)).collect();
        let mut inputs = BTreeMap::new();
        let (mut answers, mut rest) = (Vec::new(), Vec::new());
        for it in own {
            let name = &at(it).file.name;
            match is_input(name) {
                Some(true) => drop(inputs.insert((at(it).folder, stem_of(name)), (it, None))),
                // Compilers call a program `a.out`.
                Some(false) if is_text(at(it).file)? => answers.push(it),
                _ => rest.push(it),
            }
        }
        for it in answers {
            let key = (at(it).folder, stem_of(&at(it).file.name));
            let Some((_, answer)) = inputs.get_mut(&key) else {
                if assigned.is_none() {
                    return Err(open(it, reason::answer_without_input()));
                }
                continue;
            };
            let size = self.patterns.problem(problem).submission.size.0;
            let first = *answer.get_or_insert(it);
            if at(first).file.read(size)? != at(it).file.read(size)? {
                let other = &at(it).file.path;
                return Err(open(first, reason::two_answers(other)));
            }
        }
        if assigned.is_none() {
            let doubt = rest.iter().find(|it| {
                let Pooled { file, kind, .. } = at(**it);
                let words = words(&file.name);
                let is_named = words.contains(" in ") || words.contains(" input ");
                let is_home = self.patterns.len() == 1 || self.home_of(at(**it)) == Some(problem);
                let is_all = inputs.is_empty() && is_home;
                *kind == Kind::Other && (is_named || is_all) && is_text(file).unwrap_or(true)
            });
            // Inputs in the folder of another problem, but not those of a kit.
            let elsewhere = (0..pool.files.len()).find(|it| {
                let is_input = is_input(&at(*it).file.name) == Some(true);
                inputs.is_empty() && is_input && !at(*it).is_authors
            });
            if let Some(it) = doubt.copied().or(elsewhere) {
                return Err(open(it, reason::test_name()));
            }
            if let Some(missing) = self.missing.clone() {
                return Err(missing);
            }
        }
        if let Some((first, _)) = inputs.values().next()
            && inputs.len() > most as usize
        {
            return Err(open(*first, reason::too_many_tests(inputs.len(), most)));
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
            (name.trim_start_matches('/').to_owned(), it)
        });
        let named: Vec<_> = named.collect();
        let submission = self.of_files(problem, &named)?;
        let others = pool
            .files
            .iter()
            .filter(|it| is_input(&it.file.name).is_some());
        let others = others.map(|it| {
            let why = if it.is_authors {
                reason::authors()
            } else {
                reason::no_test()
            };
            (it.file, why, !it.is_authors)
        });
        self.rest.extend(others);
        Ok(submission)
    }
}

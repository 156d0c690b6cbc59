//! Which problem a name fits.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use grader_language::{Languages, Outline, SourceText};
use grader_lms::Entry;
use grader_model::{LanguageId, ProblemId, Text, extension_of};
use grader_problem::{Assignment, Problem, SubmissionKind};
use strsim::damerau_levenshtein;

use crate::name::{stem_of, without_copy_marks};
use crate::notebook::program_name;
use crate::program::Kind;

/// How well a name fits a problem: less is better.
#[expect(
    clippy::struct_excessive_bools,
    reason = "they are compared in this order"
)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Fit {
    /// Whether it fits only without the marks of a copy.
    is_copy: bool,
    /// Number of the pattern.
    pattern: usize,
    /// Whether the pattern starts with `*`.
    loose: bool,
    /// Whether the name is not the problem's own.
    not_exact: bool,
    /// Whether the name does not even start with the problem's.
    not_prefixed: bool,
}

impl Fit {
    /// The same, whatever the number of the pattern: `sum.c` fits as well as `sum.py`.
    pub(crate) fn of_any_pattern(self) -> Self {
        Self { pattern: 0, ..self }
    }
}

/// The patterns of all problems.
pub(crate) struct Patterns {
    problems: Vec<Arc<Problem>>,
    /// What the files of each problem's author use of the student's, and whether one of them starts.
    authors: Vec<BTreeMap<LanguageId, Outline>>,
    /// The languages of the assignment.
    pub(crate) languages: Languages,
}

impl Patterns {
    pub(crate) fn new(assignment: &Assignment) -> Self {
        let problems = assignment.problems.iter();
        Self {
            authors: problems
                .clone()
                .map(|entry| authors(&entry.problem))
                .collect(),
            problems: problems.map(|entry| entry.problem.clone()).collect(),
            languages: assignment.languages.clone(),
        }
    }

    /// The problem at this place in the assignment.
    pub(crate) fn problem(&self, index: usize) -> &Problem {
        &self.problems[index]
    }

    /// What the files of a problem's author, for programs in this language, use of the student's.
    pub(crate) fn authors(&self, index: usize, language: LanguageId) -> Option<&Outline> {
        self.authors[index].get(&language)
    }

    /// Whether a problem says how programs in this language are built.
    pub(crate) fn has_build_command(&self, index: usize, language: LanguageId) -> bool {
        let language = self.problem(index).languages.get(language);
        language.is_some_and(|it| it.definition.build.is_some())
    }

    /// The place of a problem.
    pub(crate) fn find(&self, id: &ProblemId) -> Option<usize> {
        self.problems.iter().position(|problem| problem.id == *id)
    }

    /// The number of problems.
    pub(crate) fn len(&self) -> usize {
        self.problems.len()
    }

    /// What the file of this name is.
    pub(crate) fn kind(&self, name: &str) -> Kind {
        Kind::of(name, &self.languages)
    }

    /// The names of the output files that a problem takes instead of a program.
    pub(crate) fn outputs(&self, index: usize) -> Option<&[String]> {
        let rule = &self.problem(index).submission;
        (rule.kind == SubmissionKind::Outputs).then_some(&rule.files)
    }

    /// Whether a problem takes files by their names, instead of a program.
    pub(crate) fn takes_files(&self, index: usize) -> bool {
        self.problem(index).submission.kind != SubmissionKind::Program
    }

    /// How well a file's name fits a problem, if it does, perhaps without the marks of a copy.
    pub(crate) fn fit(&self, index: usize, name: &str) -> Option<Fit> {
        let of_copy = || self.fit_as_it_is(index, &without_copy_marks(name)?);
        let as_copy = |fit| Fit {
            is_copy: true,
            ..fit
        };
        let fit = self.fit_as_it_is(index, name);
        fit.or_else(|| of_copy().map(as_copy))
    }

    fn fit_as_it_is(&self, index: usize, name: &str) -> Option<Fit> {
        let problem = self.problem(index);
        let is_entry = |entry: &String| entry.eq_ignore_ascii_case(name);
        if problem.submission.entry.as_ref().is_some_and(is_entry) {
            return Some(Fit::default());
        }
        let pattern = problem.submission.pattern_of(name)?;
        let stem = stem_of(name).to_lowercase();
        let own = stem_of(&problem.file_name(&extension_of(name))).to_lowercase();
        Some(Fit {
            is_copy: false,
            pattern,
            loose: problem.submission.files[pattern].starts_with('*'),
            not_exact: stem != own,
            not_prefixed: !stem.starts_with(&own),
        })
    }

    /// Whether a folder has the name of the problem itself, perhaps with the marks of a copy.
    pub(crate) fn is_own_name(&self, index: usize, name: &str) -> bool {
        let id = self.problem(index).id.as_str().to_lowercase();
        name.to_lowercase() == id || without_copy_marks(name).is_some_and(|name| name == id)
    }

    /// How well a file's name fits a problem. One that is not a source's (`count`, `count.txt`) fits as well as the same
    /// with the extension of a language.
    fn fit_file(&self, index: usize, name: &str) -> Option<Fit> {
        let fit = self.fit(index, name);
        if fit.is_some() || self.kind(name) != Kind::Other {
            return fit;
        }
        extensions(self.problem(index))
            .filter_map(|extension| self.fit(index, &format!("{}.{extension}", stem_of(name))))
            .min()
    }

    /// The problem that a file fits best: one that takes its language, if there is one.
    pub(crate) fn best(&self, name: &str) -> Option<(usize, Fit)> {
        let kind = self.kind(name);
        (0..self.len())
            .filter_map(|index| Some((index, self.fit_file(index, name)?)))
            .min_by_key(|&(index, fit)| {
                let languages = &self.problem(index).submission.languages;
                (!kind.is_accepted(languages), fit, index)
            })
    }

    /// Whether a program that is exported from a notebook of this name is for a problem.
    pub(crate) fn is_notebook_for(&self, index: usize, name: &str) -> bool {
        let best = self.best(&program_name(name));
        best.is_some_and(|(problem, _)| problem == index)
    }

    /// The problem that a folder fits best: the problem's own name does without a pattern too.
    pub(crate) fn best_for_folder(&self, name: &str) -> Option<(usize, Fit)> {
        let is_copy = without_copy_marks(name).is_some();
        let own_name = Fit {
            is_copy,
            ..Fit::default()
        };
        let own = |index| self.is_own_name(index, name).then_some(own_name);
        let fit = |index| Some((index, own(index).or_else(|| self.fit(index, name))?));
        let fits = (0..self.len()).filter_map(fit);
        fits.min_by_key(|&(index, fit)| (fit, index))
    }

    /// The only problem whose id or title is in the name of a folder: `sum` in `Problem 2 - Sum`.
    pub(crate) fn named_in(&self, folder: &str) -> Option<usize> {
        let folder = words(folder);
        let found = self
            .problems
            .iter()
            .enumerate()
            .filter_map(|(index, problem)| {
                let Text { en, zh } = &problem.title;
                let names = [problem.id.as_str(), en, zh].map(words).into_iter();
                // A letter or a digit is a name only at the end: `Problem A`. Chinese has no spaces.
                let is_in = |it: &String| match it.trim() {
                    "" => false,
                    name if !name.is_ascii() => folder.contains(name),
                    name => {
                        folder.ends_with(it.as_str()) || name.len() > 1 && folder.contains(&**it)
                    }
                };
                Some((index, names.filter(is_in).max_by_key(String::len)?))
            });
        let found: Vec<_> = found.collect();
        // `two sum` is no `sum`.
        let is_part = |it: &String| {
            found
                .iter()
                .any(|(_, other)| other != it && other.contains(it.as_str()))
        };
        let mut whole = found.iter().filter(|(_, it)| !is_part(it));
        match (whole.next(), whole.next()) {
            (Some((index, _)), None) => Some(*index),
            _ => None,
        }
    }

    /// The problem that an entry of a class is a source for, by its name.
    pub(crate) fn of_source(&self, entry: &Entry) -> Option<usize> {
        let is_source = entry.is_file() && self.kind(&entry.name).is_source();
        let (problem, _) = self.best(&entry.name).filter(|_| is_source)?;
        Some(problem)
    }

    /// The name that a file of another name was perhaps meant to have.
    pub(crate) fn nearest(&self, name: &str) -> Option<String> {
        let stem = stem_of(name).to_lowercase();
        let extension = extension_of(name);
        let names = self.problems.iter().map(|it| it.file_name(&extension));
        // Not one that would not be taken either.
        let names = names.filter(|name| {
            let (kind, best) = (self.kind(name), self.best(name));
            best.is_some_and(|(index, _)| {
                kind.is_accepted(&self.problem(index).submission.languages)
            })
        });
        let distance = |other: &str| damerau_levenshtein(&stem, &stem_of(other).to_lowercase());
        let far = names.map(|name| (distance(&name), name));
        let (distance, name) = far.min_by_key(|(distance, _)| *distance)?;
        // One slip in a word of five letters is a slip; with two, `main` would become `gray`.
        let near = distance <= (stem_of(&name).chars().count() / 3).clamp(1, 3);
        near.then_some(name)
    }

    /// The problem that a file whose name fits none was perhaps meant for, if its name tells.
    pub(crate) fn meant(&self, name: &str) -> Option<usize> {
        let near = self.nearest(name).and_then(|it| Some(self.best(&it)?.0));
        near.or_else(|| self.find(&self.named_as(name)?.id))
    }

    /// The problem whose submission has this name, but for the extension.
    pub(crate) fn named_as(&self, name: &str) -> Option<&Problem> {
        let (stem, extension) = (stem_of(name).to_lowercase(), extension_of(name));
        let mut problems = self.problems.iter().map(|problem| &**problem);
        problems.find(|problem| stem_of(&problem.file_name(&extension)).to_lowercase() == stem)
    }

    /// Names that fit, with the extension of this one if they may have it: `count.c`, `board.c`.
    pub(crate) fn examples(&self, name: &str) -> String {
        let extension = extension_of(name);
        quoted(self.problems.iter().map(|problem| {
            match problem.submission.kind {
                SubmissionKind::Program => {}
                SubmissionKind::Outputs => return problem.submission.files[0].clone(),
                SubmissionKind::Tests(_) => return "1.in".to_owned(),
            }
            let fits = |name: &String| {
                let is_accepted = self.kind(name).is_accepted(&problem.submission.languages);
                is_accepted && problem.submission.pattern_of(name).is_some()
            };
            let own = Some(problem.file_name(&extension)).filter(fits);
            let mut others = extensions(problem).map(|it| problem.file_name(it));
            let other = || others.find(fits);
            own.or_else(other)
                .unwrap_or_else(|| problem.file_name(&extension))
        }))
    }
}

/// The words of a name, each between spaces and in lower case: ` two sum ` for `TwoSum`.
pub(crate) fn words(name: &str) -> String {
    let (mut words, mut last) = (String::from(" "), ' ');
    for c in name.chars() {
        let begins = c.is_uppercase() && last.is_lowercase() || c.is_numeric() != last.is_numeric();
        if (begins || !c.is_alphanumeric()) && !words.ends_with(' ') {
            words.push(' ');
        }
        words.extend(c.to_lowercase().filter(|it| it.is_alphanumeric()));
        last = c;
    }
    words.trim_end().to_owned() + " "
}

/// The outlines of an author's files, by the language of the programs that they are built with.
fn authors(problem: &Problem) -> BTreeMap<LanguageId, Outline> {
    let mut all: BTreeMap<LanguageId, Outline> = BTreeMap::new();
    let texts = SourceText::all(&problem.submission.include);
    for &id in &problem.submission.languages {
        let Some(language) = problem.languages.get(id) else {
            continue;
        };
        for text in texts.iter().filter(|it| language.is_source(it.file)) {
            let outline = language.outline(text);
            let of_language = all.entry(id).or_default();
            // Tests are started by what runs them.
            of_language.has_main |=
                outline.has_main || outline.is_test || problem.run.report.is_some();
            of_language.mentions.extend(outline.mentions);
            of_language.uses.extend(outline.uses);
        }
    }
    all
}

/// The extensions of all languages that a problem accepts: `.c`, `.cpp`.
pub(crate) fn described_extensions(problem: &Problem) -> String {
    quoted(extensions(problem).map(|extension| format!(".{extension}")))
}

fn extensions(problem: &Problem) -> impl Iterator<Item = &str> {
    let accepted = problem.submission.languages.iter();
    let accepted = accepted.filter_map(|&id| problem.languages.get(id));
    let extensions = accepted.flat_map(|language| &language.definition.extensions);
    extensions.map(String::as_str)
}

pub(crate) fn quoted(items: impl IntoIterator<Item = impl fmt::Display>) -> String {
    let items = items.into_iter().map(|item| format!("`{item}`"));
    items.collect::<Vec<_>>().join(", ")
}

//! `[student]`: values that each student has of their own.

use std::str;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::author_program::{AuthorCall, InputValidator};
use crate::contains::{Contains, Wanted};
use crate::problem::{Case, Checker, Entry, Problem};
use crate::value::{At, Digits, Entries, Prose, VariableName};
use crate::variables::Values;

/// Stands around the name of a value that depends on the student. It is no character of any text.
pub(crate) const MARK: &str = "\u{10fffe}";

/// Values that each student has of their own. They follow from the id of the problem, the student's id and `key`, so they are the same on
/// every machine. `{student}` in a template is 16 hexadecimal digits of the student, for a generator.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct StudentFile {
    /// Variables: each student has one of the values. `{student.NAME}` in templates, `{{student.NAME}}` in statements.
    #[serde(default)]
    pub(crate) variables: Entries<VariableName, At<Values>>,
    /// A text that students do not know. Without one, they can find out the values of others, and `{student}`. Kits do not have it.
    pub(crate) key: Option<At<Prose>>,
    /// The digits of the student whom a kit is for: everybody has this student's values. `grader bundle --student` writes it.
    pub(crate) seed: Option<At<Digits>>,
}

/// The values of a student.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnValues {
    variables: Vec<(String, Values)>,
    /// What the digits follow from, apart from the student.
    key: [u8; blake3::OUT_LEN],
    digits: u64,
    /// Whether these are the values of a student. If not, they are an example.
    pub is_of_student: bool,
}

impl OwnValues {
    pub(crate) fn new(file: &StudentFile, problem: &str) -> Self {
        let variables = file.variables.iter();
        let key = file.key.as_ref().map_or("", |it| &it.0);
        let key = blake3::derive_key("bitcraft values of students", key.as_bytes());
        let seed = file.seed.as_ref();
        let seed = seed.and_then(|it| u64::from_str_radix(&it.0, 16).ok());
        let mut values = Self {
            variables: variables
                .map(|(name, values)| (name.0.clone(), values.value.clone()))
                .collect(),
            key: *blake3::keyed_hash(&key, problem.as_bytes()).as_bytes(),
            digits: 0,
            is_of_student: seed.is_some(),
        };
        values.digits = seed.unwrap_or_else(|| values.digits_of(""));
        values
    }

    fn digits_of(&self, student: &str) -> u64 {
        first(&blake3::keyed_hash(&self.key, student.as_bytes()))
    }

    /// The names of the values, and the values: `student`, `student.n`.
    pub fn all(&self) -> impl Iterator<Item = (String, String)> + '_ {
        let digits = [("student".to_owned(), self.digits())];
        let values = self.variables.iter().filter_map(|(name, values)| {
            let mut hash = blake3::Hasher::new();
            hash.update(&self.digits.to_le_bytes());
            hash.update(name.as_bytes());
            let place = u128::from(first(&hash.finalize()));
            let place = (place * values.count().min(1 << 64)) >> 64;
            Some((format!("student.{name}"), values.at(place)?))
        });
        digits.into_iter().chain(values)
    }

    /// The value of `{student}`: 16 hexadecimal digits.
    pub fn digits(&self) -> String {
        format!("{:016x}", self.digits)
    }

    /// The text with the values between these marks filled in.
    pub fn filled(&self, text: &str, [before, after]: [&str; 2]) -> String {
        self.all().fold(text.to_owned(), |text, (name, value)| {
            text.replace(&[before, &name, after].concat(), &value)
        })
    }
}

/// The first 64 bits.
fn first(hash: &blake3::Hash) -> u64 {
    let (first, _) = hash
        .as_bytes()
        .split_first_chunk()
        .unwrap_or((&[0; 8], &[]));
    u64::from_le_bytes(*first)
}

impl Case {
    /// The case with the values filled in, which a loaded problem has as an example.
    pub(crate) fn with(self, values: &OwnValues) -> Self {
        let mut filled = self.clone();
        for text in texts(&mut filled)
            .into_iter()
            .filter(|it| it.contains(MARK))
        {
            *text = values.filled(text, [MARK, MARK]);
        }
        let input = str::from_utf8(&filled.input);
        if let Some(input) = input.ok().filter(|it| it.contains(MARK)) {
            filled.input = values.filled(input, [MARK, MARK]).into_bytes().into();
        }
        filled.unfilled = (filled != self).then(|| Arc::new(self));
        filled
    }
}

/// The texts of a case that are made from templates, apart from its input.
fn texts(case: &mut Case) -> Vec<&mut String> {
    let mut all: Vec<&mut String> = case.arguments.iter_mut().collect();
    let mut calls: Vec<&mut AuthorCall> = case.generator.iter_mut().collect();
    let mut rules: Vec<&mut Contains> = case.stderr.iter_mut().collect();
    match &mut case.checker {
        Checker::Program(call) => calls.push(call),
        Checker::Contains(rule) => rules.push(rule),
        _ => {}
    }
    if let Some(second) = &mut case.second_run {
        all.extend(&mut second.arguments);
        calls.extend(&mut second.change);
    }
    calls.extend(case.validators.iter_mut().filter_map(|it| match it {
        InputValidator::Program(call) => Some(call),
        InputValidator::Checktestdata(_) => None,
    }));
    all.extend(calls.into_iter().flat_map(|it| &mut it.arguments));
    for rule in rules {
        all.extend(&mut rule.never);
        for sought in rule.lists.iter_mut().flatten() {
            all.extend(&mut sought.after);
            if let Wanted::Text(text) = &mut sought.what {
                all.push(text);
            }
        }
    }
    all
}

impl Problem {
    /// Whether each student has values of their own, and these are an example.
    pub fn needs_student(&self) -> bool {
        self.own.as_ref().is_some_and(|it| !it.is_of_student)
    }

    /// Identifies what is asked of this student: the version, with the student's digits.
    pub fn own_version(&self) -> String {
        let own = self.own.as_ref().map(OwnValues::digits);
        self.version.clone() + &own.unwrap_or_default()
    }

    /// The problem with the values of a student, if they are an example so far. Upper and lower case of the id do not differ.
    #[must_use]
    pub fn for_student(&self, student: &str) -> Self {
        let mut problem = self.clone();
        if let Some(own) = problem.own.as_mut().filter(|it| !it.is_of_student) {
            own.digits = own.digits_of(&student.trim().to_lowercase());
            own.is_of_student = true;
            let subtasks = problem.subtasks.iter_mut().chain(&mut problem.unjudged);
            for case in subtasks.flat_map(|it| &mut it.cases) {
                if let Some(unfilled) = &case.unfilled {
                    let time = case.time.clone();
                    *case = Case {
                        time,
                        ..Case::clone(unfilled)
                    }
                    .with(own);
                }
            }
        }
        problem
    }
}

impl Entry {
    /// The entry with the values of a student, if each has values of their own.
    #[must_use]
    pub fn for_student(&self, student: &str) -> Self {
        let mut own = self.clone();
        if own.problem.needs_student() {
            own.problem = Arc::new(own.problem.for_student(student));
        }
        own
    }
}

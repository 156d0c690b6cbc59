//! Problems with the values of a student.

use std::str;
use std::sync::Arc;

use crate::author_program::{AuthorCall, InputValidator};
use crate::contains::{Contains, Wanted};
use crate::own_values::{MARK, OwnValues};
use crate::problem::{Case, Checker, Entry, Problem};

impl Case {
    /// The case with these values. A loaded problem has those of an example.
    pub(crate) fn with(self, values: Option<&OwnValues>) -> Self {
        let Some(values) = values else {
            return self;
        };
        let mut filled = self.clone();
        for text in texts(&mut filled)
            .into_iter()
            .filter(|it| it.contains(MARK))
        {
            *text = values.filled(text);
        }
        let input = str::from_utf8(&filled.input);
        if let Some(input) = input.ok().filter(|it| it.contains(MARK)) {
            filled.input = values.filled(input).into_bytes().into();
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
        let own = self.own.as_ref().map_or("", |it| &it.digits);
        self.version.clone() + own
    }

    /// The problem with the values of a student, if it has those of an example so far.
    #[must_use]
    pub fn for_student(&self, student: &str) -> Self {
        let mut problem = self.clone();
        if let Some(own) = problem.own.as_mut().filter(|it| !it.is_of_student) {
            own.digits = own.digits_of(student);
            own.is_of_student = true;
            let subtasks = problem.subtasks.iter_mut().chain(&mut problem.unjudged);
            for case in subtasks.flat_map(|it| &mut it.cases) {
                if let Some(unfilled) = &case.unfilled {
                    let time = case.time.clone();
                    *case = Case {
                        time,
                        ..Case::clone(unfilled)
                    }
                    .with(Some(own));
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

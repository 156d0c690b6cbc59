//! The cases of a subtask, from variables and written out.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use grader_model::CaseName;

use crate::checker::CaseVariables;
use crate::context::Context;
use crate::file::{CaseFile, CheckerFile, ProblemFile, RunFile, SubtaskFile};
use crate::problem::{Answer, Case, Checker};
use crate::suggest::quoted;
use crate::value::{At, VariableName};
use crate::variables::Values;

/// Most cases of a subtask.
const MAX_CASES: u128 = 10_000;

type Variables = BTreeMap<String, String>;

/// What the cases of a subtask share.
pub(crate) struct CaseBuilder<'a> {
    run: &'a RunFile,
    /// The subtask's checker, or the problem's; `None` if there is none, which is a mistake.
    checker: Option<&'a At<CheckerFile>>,
    has_reference: bool,
    subtask: &'a str,
}

impl<'a> CaseBuilder<'a> {
    pub(crate) fn new(problem: &'a ProblemFile, subtask: &'a SubtaskFile) -> Self {
        Self {
            run: &problem.run,
            checker: subtask.checker.as_ref().or(problem.checker.as_ref()),
            has_reference: problem.reference.is_some(),
            subtask: &subtask.name.0,
        }
    }

    pub(crate) fn cases(&self, subtask: &At<SubtaskFile>, context: &mut Context<'_>) -> Vec<Case> {
        if !count_fits(subtask, context) {
            return Vec::new();
        }
        let mut names = BTreeSet::new();
        let mut cases = Vec::new();
        for (name, variables, span) in subtask.cases.iter().flat_map(|cases| product(cases)) {
            unique(&mut names, &name, &span, context);
            cases.push(self.case(name, variables, &span, None, context));
        }
        for file in &subtask.case {
            let name = file.name.0.clone();
            unique(&mut names, &name, &file.name.span, context);
            let variables = file.variables.iter();
            let variables = variables.map(|(name, value)| (name.0.clone(), value.0.clone()));
            cases.push(self.case(name, variables.collect(), &file.span, Some(file), context));
        }
        cases
    }

    fn case(
        &self,
        name: String,
        variables: Variables,
        span: &Range<usize>,
        file: Option<&CaseFile>,
        context: &mut Context<'_>,
    ) -> Case {
        let place = format!("case `{name}` of subtask `{}`", self.subtask);
        let arguments = file.and_then(|file| file.arguments.as_ref());
        let arguments = context.fill_all(arguments.unwrap_or(&self.run.arguments), &variables);
        let input = self.input(file, &variables, context);
        let case = CaseVariables {
            place: &place,
            variables: &variables,
        };
        // A missing checker is already reported.
        let checker = self
            .checker
            .map_or(Checker::Exact, |file| case.checker(file, context));
        Case {
            name: CaseName::new(name),
            arguments,
            input,
            answer: self.answer(&checker, &place, span, file, context),
            checker,
            variables,
        }
    }

    fn input(
        &self,
        file: Option<&CaseFile>,
        variables: &Variables,
        context: &mut Context<'_>,
    ) -> Arc<[u8]> {
        let own = file.and_then(|file| file.stdin.as_ref());
        if let Some(path) = file.and_then(|file| file.stdin_file.as_ref()) {
            if own.is_some() {
                let message = "`stdin` and `stdin-file` exclude each other";
                context.report(&path.span, message);
            }
            return context.read(path);
        }
        let template = own.or(self.run.stdin.as_ref());
        let text = template.and_then(|at| context.fill(at, &at.span, variables));
        text.unwrap_or_default().into_bytes().into()
    }

    fn answer(
        &self,
        checker: &Checker,
        place: &str,
        span: &Range<usize>,
        file: Option<&CaseFile>,
        context: &mut Context<'_>,
    ) -> Answer {
        let text = file.and_then(|file| file.answer.as_ref());
        if let Some(path) = file.and_then(|file| file.answer_file.as_ref()) {
            if text.is_some() {
                let message = "`answer` and `answer-file` exclude each other";
                context.report(&path.span, message);
            }
            return Answer::Given(context.read(path));
        }
        if let Some(text) = text {
            return Answer::Given(text.as_bytes().into());
        }
        let may_ask = checker.needs_answer() || matches!(checker, Checker::Program { .. });
        if self.has_reference && may_ask {
            return Answer::Reference;
        }
        if checker.needs_answer() && self.checker.is_some() {
            let message = format!(
                "the checker `{}` needs an answer, but {place} has none and there is no `[reference]`\nadd a `[reference]`, or `answer` or `answer-file` to the case",
                checker.name()
            );
            context.report_missing_answer(span, &message);
        }
        Answer::None
    }
}

fn unique(
    names: &mut BTreeSet<String>,
    name: &str,
    span: &Range<usize>,
    context: &mut Context<'_>,
) {
    if !names.insert(name.to_owned()) {
        context.report(span, &format!("case {} is listed twice", quoted(name)));
    }
}

/// Whether there are cases, and not too many; reports if not.
fn count_fits(subtask: &At<SubtaskFile>, context: &mut Context<'_>) -> bool {
    let mut count = subtask.case.len() as u128;
    let mut span = &subtask.span;
    if let Some(variables) = &subtask.cases {
        span = &variables.span;
        if variables.is_empty() {
            let message =
                "`cases` has no variables\nwrite `{ n = \"4..=8\" }` for one case for each n";
            context.report(span, message);
            return false;
        }
        let counts = variables.values().map(|values| values.count());
        count += counts.fold(1, u128::saturating_mul);
    }
    if count == 0 {
        let message = format!(
            "subtask {} has no cases\nadd `cases = {{ n = \"4..=8\" }}` or a `[[subtask.case]]`",
            quoted(&subtask.name.0)
        );
        context.report(span, &message);
    } else if count > MAX_CASES {
        let message = format!("a subtask may have at most {MAX_CASES} cases, found {count}");
        context.report(span, &message);
    }
    (1..=MAX_CASES).contains(&count)
}

/// The product of all variables, the last one changing fastest, with the place of the last one's values.
fn product(
    variables: &BTreeMap<At<VariableName>, At<Values>>,
) -> Vec<(String, Variables, Range<usize>)> {
    let mut cases = vec![(String::new(), Variables::new(), 0..0)];
    for (variable, values) in variables {
        let longer = cases.iter().flat_map(|(name, assigned, _)| {
            let comma = if name.is_empty() { "" } else { "," };
            values.iter().map(move |value| {
                let mut assigned = assigned.clone();
                assigned.insert(variable.0.clone(), value.to_string());
                let name = format!("{name}{comma}{}={value}", variable.0);
                (name, assigned, values.span.clone())
            })
        });
        cases = longer.collect();
    }
    cases
}

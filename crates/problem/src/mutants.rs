//! Problems in which students submit tests, which have to find wrong programs.

use grader_model::{SourceFile, file_name};

use crate::author_program::{Mutant, Role};
use crate::context::{Context, Variables};
use crate::file::{CaseFile, ProblemFile, TimeLimitFile};
use crate::flags::SourceRule;
use crate::outputs::no_programs;
use crate::suggest::quoted;
use crate::value::{At, Scalar};

/// The names of tests: inputs, and answers.
pub(crate) const PATTERNS: [&str; 3] = ["*.in", "*.ans", "*.out"];

/// Reports what a problem file says of programs if tests are submitted, and what these need.
pub(crate) fn check(file: &ProblemFile, source: &SourceRule, context: &mut Context<'_>) {
    let Some(tests) = &file.submission.tests else {
        return;
    };
    no_programs("tests", &tests.span, file, source, context);
    let time = file.limits.time.as_deref();
    let validators = file.subtask.iter().map(|it| it.validator.is_some());
    let is_validated = file.validator.is_some() || validators.clone().all(|it| it);
    for (is_missing, message) in [
        (
            file.reference.is_none(),
            "`tests` needs a `[reference]`, which gives the right answers",
        ),
        (
            !is_validated,
            "`tests` needs a `[validator]`, which says what an input may be",
        ),
        (
            matches!(time, Some(TimeLimitFile::Reference(_))),
            "`tests` and a multiple of the reference's time cannot be used together",
        ),
    ] {
        if is_missing {
            context.report(&tests.span, message);
        }
    }
}

/// The wrong program that a case stands for. Reports a mistake if it should have one, or should not.
pub(crate) fn mutant(
    problem: &ProblemFile,
    file: &CaseFile,
    variables: &Variables,
    context: &mut Context<'_>,
) -> Option<Mutant> {
    let takes_tests = problem.submission.tests.is_some();
    let Some(at) = &file.mutant else {
        if takes_tests {
            let name = quoted(&file.name.0);
            let message =
                format!("case {name} has no `mutant`\nwrite `mutant = \"mutants/sign.py\"`");
            context.report(&file.name.span, &message);
        }
        return None;
    };
    if takes_tests {
        let call = context.command(at, Role::Mutant, variables)?;
        if !call.arguments.is_empty() {
            let message = "a mutant has the arguments of the case: write them as `arguments`";
            context.report(&at.span, message);
        }
        return Some(Mutant::Program(call));
    }
    if problem.run.report.is_none() {
        let message = "a mutant needs submitted tests\nwrite `tests = 50` in `[submission]`, or `report = \"junit\"` in `[run]`";
        context.report(&at.span, message);
        return None;
    }
    files(problem, at, variables, context).map(Mutant::Files)
}

/// The files that take the place of included ones.
fn files(
    problem: &ProblemFile,
    at: &At<Scalar>,
    variables: &Variables,
    context: &mut Context<'_>,
) -> Option<Vec<SourceFile>> {
    let path = At {
        value: context.fill(at, variables)?,
        span: at.span.clone(),
    };
    let files = context.sources(&path);
    for file in &files {
        let mut included = problem.submission.include.iter();
        if !included.any(|it| file_name(it) == file.path) {
            let message = format!(
                "{} takes the place of no file of `include`\ngive it the name of one; several wrong programs go into folders of their own",
                quoted(&file.path)
            );
            context.report(&at.span, &message);
        }
    }
    Some(files)
}

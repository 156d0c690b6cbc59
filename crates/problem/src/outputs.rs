//! Problems in which output files are submitted instead of a program.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::build_command::build_command;
use crate::context::Context;
use crate::file::{ProblemFile, SubtaskFile};
use crate::flags::SourceRule;
use crate::problem::Subtask;
use crate::project::no_junk;
use crate::submission::SubmissionRule;
use crate::suggest::quoted;
use crate::value::{At, FileName, Scalar};

/// The name of a case's output file; reports it if it is none.
pub(crate) fn name(
    template: &At<Scalar>,
    subtask: &SubtaskFile,
    case: &str,
    variables: &BTreeMap<String, String>,
    context: &mut Context<'_>,
) -> Option<String> {
    let own = [("subtask", subtask.name.0.as_str()), ("case", case)];
    let own = own.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let values = own.into_iter().chain(variables.clone()).collect();
    let name = context.fill(template, &values)?;
    let name = context.known(&template.span, name)?;
    if name.contains(['*', '?']) || FileName::try_from(name.as_str()).is_err() {
        let message = format!("case `{case}`: {} is not the name of a file", quoted(&name));
        context.report(&template.span, &message);
        return None;
    }
    no_junk(&name, &template.span, &mut context.log);
    Some(name)
}

/// Reports what a problem file says of programs that are submitted, if something else is.
pub(crate) fn no_programs(
    instead: &str,
    span: &Range<usize>,
    file: &ProblemFile,
    source: &SourceRule,
    context: &mut Context<'_>,
) {
    let of_programs = [
        ("include", !file.submission.include.is_empty()),
        ("required", !file.submission.required.is_empty()),
        ("extra", !file.submission.extra.is_empty()),
        ("project", file.submission.project.is_some()),
        ("[source]", *source != SourceRule::default()),
        ("[checks]", !file.checks.is_empty()),
        ("[build]", build_command(file, context).is_some()),
        ("[time-flags]", file.time_flags.faster_than.is_some()),
    ];
    for (key, _) in of_programs.iter().filter(|(_, is_there)| *is_there) {
        let message = format!("`{instead}` and `{key}` cannot be used together");
        context.report(span, &message);
    }
}

/// Completes the rule of a problem with outputs, and reports what its file says of programs, and what two cases would share.
pub(crate) fn check(
    file: &ProblemFile,
    source: &SourceRule,
    subtasks: &[Subtask],
    rule: &mut SubmissionRule,
    context: &mut Context<'_>,
) {
    let Some(outputs) = &file.submission.outputs else {
        return;
    };
    no_programs("outputs", &outputs.span, file, source, context);
    if !file.run.files.is_empty() {
        let message = "`outputs` and `files` cannot be used together";
        context.report(&outputs.span, message);
    }
    let mut names = BTreeSet::new();
    for case in subtasks.iter().flat_map(|it| &it.cases) {
        let Some(name) = &case.output else { continue };
        if !names.insert(name.to_lowercase()) {
            let message = format!(
                "two cases take the file {}\nbegin the name with `{{subtask}}`, or give the cases different names",
                quoted(name)
            );
            return context.report(&outputs.span, &message);
        }
        rule.files.push(name.clone());
        if !case.files.is_empty() {
            let message = "`outputs` and `files` of a case cannot be used together";
            return context.report(&outputs.span, message);
        }
    }
    let has_cases = subtasks.iter().any(|it| !it.cases.is_empty());
    if !has_cases {
        let message = "there are no cases whose outputs are submitted";
        context.report(&outputs.span, message);
    }
}

//! The cases of a subtask, both generated from variables and explicit.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use grader_model::{CaseName, file_name, natural_order};

use crate::author_program::Role;
use crate::checker::{author_program, checker, dialogue, on_stderr};
use crate::constants::{DEFAULT_OUTPUT, MAX_CASES};
use crate::context::Context;
use crate::file::{CaseFile, ProblemFile, SubtaskFile};
use crate::harness::test;
use crate::mutants::mutant;
use crate::outputs;
use crate::problem::{Answer, Case, Checker, ReportFormat};
use crate::second_run::second_run;
use crate::suggest::quoted;
use crate::value::{At, Entries, Name, Scalar, VariableName};
use crate::variables::Values;

pub(crate) fn cases(
    problem: &ProblemFile,
    subtask: &At<SubtaskFile>,
    context: &mut Context<'_>,
) -> Vec<Case> {
    let from_folder = subtask.folder.as_ref();
    let mut from_folder = from_folder.map_or_else(Vec::new, |at| in_folder(at, context));
    if subtask.lexicographic {
        from_folder.sort_by(|a, b| a.name.0.cmp(&b.name.0));
    }
    if !count_fits(subtask, from_folder.len(), context) {
        return Vec::new();
    }
    let generated = subtask.cases.iter().flat_map(|it| product(it));
    let tests = subtask.tests.iter().map(|name| CaseFile {
        name: name.clone(),
        test: Some(At {
            value: name.0.clone(),
            span: name.span.clone(),
        }),
        ..CaseFile::default()
    });
    let generated: Vec<CaseFile> = generated.chain(from_folder).chain(tests).collect();
    let mut names = BTreeSet::new();
    let mut cases = Vec::new();
    for file in generated.iter().chain(&subtask.case) {
        let name = &file.name.0;
        if !names.insert(name) {
            let message = format!("case {} is listed twice", quoted(name));
            context.report(&file.name.span, &message);
        }
        cases.push(case(problem, subtask, file, context));
    }
    cases
}

/// A case of a subtask.
pub(crate) fn case(
    problem: &ProblemFile,
    subtask: &SubtaskFile,
    file: &CaseFile,
    context: &mut Context<'_>,
) -> Case {
    let variables = variables(file, context);
    let has_own = file.stdin.is_some() || file.stdin_file.is_some() || file.dialogue.is_some();
    let run = &problem.run;
    let generate = file
        .generate
        .as_ref()
        .or(run.generate.as_ref().filter(|_| !has_own));
    let generator = generate.and_then(|it| context.command(it, Role::Generator, &variables));
    let stdin = file.stdin.as_ref().or(run.stdin.as_ref());
    let steps = file.dialogue.as_ref();
    let steps = steps.map(|steps| dialogue(steps, &variables, context));
    let (lines, expected) = steps.unzip();
    let input = match (&file.stdin_file, stdin) {
        _ if let Some(lines) = lines => lines.into_bytes().into(),
        _ if generate.is_some() => Arc::default(),
        (Some(path), _) => context.read(path),
        (None, Some(template)) => {
            let text = context.fill(template, &variables).unwrap_or_default();
            text.into_bytes().into()
        }
        (None, None) => Arc::default(),
    };
    let rule = subtask.checker.as_ref().or(problem.checker.as_ref());
    let checker = match (&problem.interactor, rule) {
        _ if let Some(expected) = expected => Checker::Contains(expected),
        (Some(interactor), _) => author_program(interactor, Role::Interactor, &variables, context),
        (None, Some(rule)) => checker(rule, &variables, context),
        // Otherwise, already reported.
        (None, None) => Checker::Report,
    };
    // With an interactor, the reference prints no answer.
    let may_ask = checker.needs_answer()
        || (matches!(checker, Checker::Program(_)) && !checker.is_interactive());
    let answer = match (&file.answer_file, &file.answer) {
        (Some(path), _) => Answer::Given(context.read(path)),
        (None, Some(text)) => Answer::Given(text.as_bytes().into()),
        (None, None) if may_ask && problem.reference.is_some() => Answer::Reference,
        (None, None) if checker.needs_answer() && problem.second_run.is_some() => Answer::Input,
        (None, None) => {
            if let Some(rule) = rule.filter(|_| checker.needs_answer()) {
                let message = format!(
                    "the checker `{}` needs an answer, but case {} of subtask {} has none and there is no `[reference]`\nadd a `[reference]`, or `answer` or `answer-file` to the case",
                    checker.name(),
                    quoted(&file.name.0),
                    quoted(&subtask.name.0),
                );
                context.report(&rule.span, &message);
            }
            Answer::None
        }
    };
    let is_blank = matches!(&answer, Answer::Given(it) if it.trim_ascii().is_empty());
    if let (Checker::Contains(_), true, Some(rule)) =
        (&checker, checker.needs_answer() && is_blank, rule)
    {
        let message = format!(
            "the checker `contains` needs an answer with a visible character, but that of case {} has none",
            quoted(&file.name.0)
        );
        context.report(&rule.span, &message);
    }
    let files = context.files(&file.files);
    run_folder(problem, &file.files, context);
    let validators = subtask.validator.as_ref().or(problem.validator.as_ref());
    let validators = validators.iter().flat_map(|all| &all.0);
    let validators = validators.filter_map(|file| context.validator(file, &variables));
    let validators = validators.collect();
    let hint = file.hint.as_ref().or(subtask.hint.as_ref());
    let arguments = file.arguments.as_ref().unwrap_or(&problem.run.arguments);
    let arguments = context.fill_all(arguments, &variables);
    let second = problem.second_run.as_ref();
    let most = problem.limits.output.map_or(DEFAULT_OUTPUT, |it| it.0);
    let second = second.map(|it| second_run(it, &arguments, most, &variables, context));
    let output = problem.submission.outputs.as_ref();
    let output =
        output.and_then(|it| outputs::name(it, subtask, &file.name.0, &variables, context));
    let exit_status = file.exit_status.as_ref().or(run.exit_status.as_ref());
    let stderr = file.stderr.as_ref().or(run.stderr.as_ref());
    Case {
        name: CaseName::new(file.name.0.as_str()),
        arguments,
        input,
        second_run: second,
        files,
        output,
        generator,
        answer,
        checker,
        is_dialogue: file.dialogue.is_some(),
        exit_status: exit_status.map(|at| at.value).unwrap_or_default(),
        stderr: stderr.map(|at| on_stderr(at, &variables, context)),
        validators,
        // It may name a later case.
        time: None,
        test: test(problem, file, context),
        mutant: mutant(problem, file, &variables, context),
        hint: hint.map(|words| words.0.clone()),
        unfilled: None,
        variables,
    }
    .with(context.own.as_ref())
}

/// The variables of a case.
fn variables(file: &CaseFile, context: &mut Context<'_>) -> BTreeMap<String, String> {
    let variables = file.variables.iter();
    let variables = variables.map(|(name, value)| (name.0.clone(), value.0.clone()));
    let variables: BTreeMap<String, String> = variables.collect();
    if context.own.is_some() && variables.contains_key("student") {
        let message = "a variable `student` and `[student]` cannot be used together";
        context.report(&file.name.span, message);
    }
    variables
}

/// Reports two files of a case's run folder with one name.
pub(crate) fn run_folder(problem: &ProblemFile, own: &[At<String>], context: &mut Context<'_>) {
    let run = &problem.run;
    let files = [&run.input_file, &run.output_file].into_iter().flatten();
    let mut names: BTreeSet<&str> = files.map(|at| at.0.as_str()).collect();
    names.extend(run.report.as_ref().map(|_| ReportFormat::FILE));
    for path in run.files.iter().chain(own) {
        let name = file_name(path);
        if !names.insert(name) {
            let message = format!("two files of the run folder are named {}", quoted(name));
            context.report(&path.span, &message);
        }
    }
}

/// Checks that there are cases, but not too many; reports a mistake otherwise.
fn count_fits(subtask: &At<SubtaskFile>, in_folder: usize, context: &mut Context<'_>) -> bool {
    let variables = subtask.cases.as_ref().filter(|all| !all.is_empty());
    let generated = variables.map_or(0, |variables| {
        let counts = variables.values().map(|values| values.count());
        counts.fold(1, u128::saturating_mul)
    });
    // Three ranges of 64-bit numbers have more cases than a number of 128 bits can count.
    let listed = in_folder + subtask.tests.len() + subtask.case.len();
    let count = generated.saturating_add(listed as u128);
    let span = match (&subtask.cases, &subtask.folder) {
        (Some(cases), _) => &cases.span,
        (None, Some(folder)) => &folder.span,
        (None, None) => &subtask.span,
    };
    if count == 0 && subtask.folder.is_some() {
        // Already reported.
    } else if count == 0 {
        let message = format!(
            "subtask {} has no cases\nadd `cases = {{ n = \"4..=8\" }}` or a `[[subtask.case]]`",
            quoted(&subtask.name.0)
        );
        context.report(span, &message);
    } else if count > MAX_CASES as u128 {
        let found = match count {
            u128::MAX => "far more".to_owned(),
            count => count.to_string(),
        };
        let message = format!("a subtask may have at most {MAX_CASES} cases, found {found}");
        context.report(span, &message);
    }
    (1..=MAX_CASES as u128).contains(&count)
}

/// The cases in a folder.
fn in_folder(at: &At<String>, context: &mut Context<'_>) -> Vec<CaseFile> {
    let mistakes = context.log.mistakes.len();
    let entries = context.load(at, |library, path| library.list(path));
    let mut names: Vec<String> = entries.into_iter().map(|entry| entry.name).collect();
    names.sort_by(|a, b| natural_order(a, b));
    let path = |name: String| At {
        value: format!("{}/{name}", at.value),
        span: at.span.clone(),
    };
    let mut cases = Vec::new();
    for name in &names {
        let (stem, extension) = name.rsplit_once('.').unwrap_or_default();
        let with = |extension: &str| {
            let name = format!("{stem}.{extension}");
            names.contains(&name).then_some(name)
        };
        match (extension, with("in")) {
            ("in", _) => match Name::try_from(stem) {
                Ok(value) => cases.push(CaseFile {
                    name: At {
                        value,
                        span: at.span.clone(),
                    },
                    stdin_file: Some(path(name.clone())),
                    answer_file: with("ans").or_else(|| with("out")).map(path),
                    ..CaseFile::default()
                }),
                Err(message) => context.report(&at.span, &message),
            },
            ("ans" | "out", None) => {
                let message = format!(
                    "{} has no matching {}",
                    quoted(name),
                    quoted(&format!("{stem}.in"))
                );
                context.report(&at.span, &message);
            }
            _ => {}
        }
    }
    if cases.is_empty() && context.log.mistakes.len() == mistakes {
        context.report(&at.span, "the folder has no `*.in` files");
    }
    cases
}

/// The product of all variables, the last one changing fastest.
fn product(variables: &Entries<VariableName, At<Values>>) -> Vec<CaseFile> {
    let mut cases = Vec::new();
    for (variable, values) in variables {
        if cases.is_empty() {
            cases.push(CaseFile::default());
        }
        let longer = cases.iter().flat_map(|case| {
            values.iter().map(move |value| {
                let mut variables = case.variables.clone();
                let comma = if case.name.0.is_empty() { "" } else { "," };
                let name = format!("{}{comma}{}={value}", case.name.0, variable.0);
                variables.insert(variable.value.clone(), Scalar(value));
                let span = values.span.clone();
                let name = At {
                    value: Name(name),
                    span,
                };
                CaseFile {
                    name,
                    variables,
                    ..CaseFile::default()
                }
            })
        });
        cases = longer.collect();
    }
    cases
}

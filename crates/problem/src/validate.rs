//! From `problem.toml` to a [`Problem`]: one pass over the parsed file that reports every mistake.

use std::ops::Range;

use globset::GlobBuilder;
use grader_model::{LanguageId, ProblemId};

use crate::context::Context;
use crate::diagnostic::Loaded;
use crate::file::{
    DEFAULT_SUBMISSION_SIZE, ProblemFile, ReferenceFile, SourceRulesFile, SubmissionFile,
    TimeLimitFile, TokenRuleFile,
};
use crate::library::{Library, file_in};
use crate::limits::{limits, time_flags};
use crate::parse::{open, parse};
use crate::problem::{
    AnswerRule, Problem, Reference, ReferenceProgram, RunRule, SourceRule, SubmissionRule,
    TokenRule,
};
use crate::subtasks::subtasks;
use crate::suggest::{did_you_mean, quoted};
use crate::value::{At, Count};

/// Reads the problem in `folder`, the one with `problem.toml`. `builtins` are the names of the references that
/// the grader carries.
///
/// Reading stops at the first mistake of form (a wrong type, an unknown key); of all others none is left out.
pub fn load_problem(library: &dyn Library, folder: &str, builtins: &[&str]) -> Loaded<Problem> {
    let path = file_in(folder, "problem.toml");
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let (mut log, bytes) = match open(library, &path) {
        Ok(opened) => opened,
        Err(diagnostic) => return Loaded::new(None, vec![diagnostic]),
    };
    let Some(file) = parse::<ProblemFile>(&mut log) else {
        return Loaded::new(None, log.diagnostics);
    };
    let mut context = Context::new(library, folder, log);
    context.remember(&path, &bytes);
    let problem = problem(file, builtins, &mut context);
    Loaded::new(Some(problem), context.log.diagnostics)
}

fn problem(file: ProblemFile, builtins: &[&str], context: &mut Context<'_>) -> Problem {
    let submission = submission(&file.submission, context);
    let reference = file
        .reference
        .as_ref()
        .and_then(|reference| self::reference(reference, builtins, context));
    needs_reference(&file, context);
    let subtasks = subtasks(&file, context);
    let limits = limits(&file.limits, &subtasks, context);
    let time_flags = time_flags(&file.time_flags, &subtasks, context);
    Problem {
        id: ProblemId::new(file.id.0),
        title: file.title.0,
        submission,
        source: source_rule(file.source, context),
        time_flags,
        run: RunRule {
            input_file: file.run.input_file.map(|name| name.0),
            output_file: file.run.output_file.map(|name| name.0),
            exit_status: file.run.exit_status,
        },
        limits,
        reference,
        subtasks,
        folder: context.folder.to_owned(),
        version: context.version(),
    }
}

fn submission(file: &SubmissionFile, context: &mut Context<'_>) -> SubmissionRule {
    if file.files.is_empty() {
        let message =
            "`files` has no patterns\nwithout one no file is recognised; write `[\"*\"]` for any";
        context.report(&file.files.span, message);
    }
    for pattern in &file.files.value {
        let glob = GlobBuilder::new(pattern).case_insensitive(true).build();
        if pattern.is_empty() {
            context.report(&pattern.span, "a file pattern must not be empty");
        } else if let Err(error) = glob {
            let (pattern_text, error) = (quoted(pattern), error.kind());
            let message = format!("{pattern_text} is not a file pattern: {error}");
            context.report(&pattern.span, &message);
        }
    }
    let mut languages: Vec<LanguageId> = Vec::new();
    for language in file.languages.iter().flat_map(|all| &all.value) {
        if languages.contains(&language.0) {
            let message = format!("language `{}` is listed twice", language.0);
            context.report(&language.span, &message);
        }
        languages.push(language.0);
    }
    match &file.languages {
        Some(at) if at.is_empty() => {
            let message = "`languages` has no languages\nleave it out to accept all";
            context.report(&at.span, message);
        }
        Some(_) => {}
        None => {
            languages = grader_language::languages()
                .map(grader_language::Language::id)
                .collect();
        }
    }
    let files = file.files.iter();
    SubmissionRule {
        files: files.map(|pattern| pattern.value.clone()).collect(),
        languages,
        size: file.size.map_or(DEFAULT_SUBMISSION_SIZE, |size| size.0),
    }
}

fn source_rule(file: SourceRulesFile, context: &mut Context<'_>) -> SourceRule {
    let mut rules = |rules: Vec<At<TokenRuleFile>>| {
        let rules = rules.into_iter();
        rules.map(|rule| token_rule(rule, context)).collect()
    };
    SourceRule {
        forbid: rules(file.forbid),
        require: rules(file.require),
        answers: file.answers.map(|answers| AnswerRule {
            at_least: answers.0.at_least.get(),
            also: answers.0.also.into_iter().map(Count::wide).collect(),
        }),
    }
}

fn token_rule(at: At<TokenRuleFile>, context: &mut Context<'_>) -> TokenRule {
    let TokenRuleFile(file) = at.value;
    if file.any.is_empty() && file.languages.values().all(Vec::is_empty) {
        let message = "a rule has no tokens\nwrite them as `any = [\"^\"]`, or for one language as `languages.pascal = [\"xor\"]`";
        context.report(&at.span, message);
    }
    let languages = file.languages.into_iter();
    TokenRule {
        any: file.any.into_iter().map(|phrase| phrase.0).collect(),
        languages: languages
            .map(|(language, more)| (language.0, more.into_iter().map(|it| it.0).collect()))
            .collect(),
        because: file.because.map(|because| because.0),
    }
}

/// Reports what depends on the reference's time if there is no reference.
fn needs_reference(file: &ProblemFile, context: &mut Context<'_>) {
    if file.reference.is_some() {
        return;
    }
    let mut report = |span: &Range<usize>, rule: &str, help: &str| {
        let message = format!(
            "{rule} the reference's time, but there is no `[reference]`\nadd a `[reference]`{help}"
        );
        context.report_missing_reference(span, &message);
    };
    let time = &file.limits.time;
    if matches!(time.value, TimeLimitFile::Reference(_)) {
        let help = ", or write a time such as `time = \"2 s\"`";
        report(&time.span, "`time` is a multiple of", help);
    }
    if let Some(part) = &file.time_flags.faster_than {
        report(&part.span, "`faster-than` is a part of", "");
    }
    for subtask in &file.subtask.value {
        if let Some(by_time) = &subtask.by_time {
            report(&by_time.span, "`by-time` is a ratio to", "");
        }
    }
}

/// The reference; `None` if the file names none or an unknown one, which is reported.
fn reference(
    at: &At<ReferenceFile>,
    builtins: &[&str],
    context: &mut Context<'_>,
) -> Option<Reference> {
    let program = match (&at.builtin, &at.path) {
        (None, None) => {
            context.report(&at.span, "`reference` needs `builtin` or `path`");
            return None;
        }
        (Some(_), Some(path)) => {
            let message = "`builtin` and `path` of `reference` exclude each other";
            context.report(&path.span, message);
            return None;
        }
        (Some(name), None) if builtins.contains(&name.as_str()) => {
            ReferenceProgram::Builtin(name.value.clone())
        }
        (Some(name), None) => {
            let help = did_you_mean(name, builtins, "builtin");
            let message = format!("unknown builtin reference {}\n{help}", quoted(name));
            context.report(&name.span, &message);
            return None;
        }
        (None, Some(path)) => ReferenceProgram::Sources(context.sources(path)),
    };
    Some(Reference {
        program,
        calibrate: at.calibrate.clone(),
    })
}

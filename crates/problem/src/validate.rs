//! From `problem.toml` to a [`Problem`]: one pass over the parsed file that reports every mistake.

use std::collections::{BTreeMap, BTreeSet};

use grader_language::{Language, Languages};
use grader_model::{LanguageId, ProblemId, SourceFile, file_name, file_stem};

use crate::build_command::build_command;
use crate::cases::run_folder;
use crate::constants::{DEFAULT_SUBMISSION_SIZE, MAX_OWN_VALUES};
use crate::context::Context;
use crate::diagnostic::{Loaded, loaded};
use crate::exclusive::check_problem;
use crate::file::{BuildFile, ProblemFile, ReferenceFile, SubmissionFile, TimeLimitFile};
use crate::flags::TimeFlags;
use crate::harness::check_report;
use crate::library::{Library, below};
use crate::limits::{check_flat, limits};
use crate::mutants;
use crate::outputs;
use crate::own_values::OwnValues;
use crate::parse::parse;
use crate::problem::{Problem, Reference, ReferenceProgram, RunRule};
use crate::project;
use crate::sample::Sample;
use crate::samples::load_samples;
use crate::search;
use crate::submission::{SubmissionKind, SubmissionRule};
use crate::subtasks::subtasks;
use crate::suggest::{quoted, unknown};
use crate::tool_check::checks;
use crate::value::{At, FileName, FileNames};

/// Loads the problem in `folder`, which contains `problem.toml`. `builtins` has the names of bundled references,
/// `languages` the languages of its assignment.
///
/// # Errors
/// The mistakes. A wrong type or an unknown key ends loading; all other mistakes are collected.
pub fn load_problem(
    library: &dyn Library,
    folder: &str,
    builtins: &[&str],
    languages: &Languages,
) -> Loaded<Problem> {
    let (log, file) = parse::<ProblemFile>(library, &below(folder, "problem.toml"))?;
    let id = ProblemId::new(file.id.0.as_str());
    let mut context = Context::new(library, folder, languages, log);
    check_problem(&file, &mut context.log);
    let own = file.student.as_ref();
    context.own = own.map(|it| OwnValues::new(it, id.as_str()));
    let mut names = own.iter().flat_map(|it| it.variables.keys());
    if let Some(name) = names.nth(MAX_OWN_VALUES) {
        let message = format!("each student may have at most {MAX_OWN_VALUES} values");
        context.report(&name.span, &message);
        context.own = None;
    }
    let mut submission = submission(&file.submission, &mut context);
    let source = file.source.validated(&mut context);
    let reference = file.reference.as_ref();
    let reference = reference.and_then(|at| self::reference(at, builtins, &mut context));
    needs_reference(&file, &mut context);
    needs_own_times(&file, &mut context);
    check_report(&file, &mut context.log);
    let files = context.files(&file.run.files);
    run_folder(&file, &[], &mut context);
    let checks = checks(&file, &submission.languages, &mut context);
    let mut subtasks = subtasks(&file, &checks, &submission.languages, &mut context);
    search::check(&file, &mut context);
    outputs::check(&file, &source, &subtasks, &mut submission, &mut context);
    mutants::check(&file, &source, &mut context);
    let mut limits = limits(&file, &mut subtasks, &mut context);
    if let Some(flat) = &file.time_flags.flat {
        check_flat(flat, &subtasks, &mut context);
    }
    let mut languages = with_own_settings(&file.build, &mut context);
    if let Some(id) = submission.kind.language() {
        languages = languages.with_files(id);
    }
    if submission.kind == SubmissionKind::Outputs {
        limits.output = limits.output.max(submission.size);
    }
    let build = build_command(&file, &mut context);
    let mut problem = Problem {
        id,
        title: file.title.0,
        languages: match build {
            Some(build) => languages.with_build(&submission.languages, &build),
            None => languages,
        },
        submission,
        source,
        time_flags: TimeFlags {
            faster_than: file.time_flags.faster_than.map(|part| part.0),
            flat: file.time_flags.flat.map(|flat| flat.value),
            because: file.time_flags.because.map(|because| because.0),
        },
        checks,
        run: RunRule {
            input_file: file.run.input_file.map(|name| name.value.0),
            output_file: file.run.output_file.map(|name| name.value.0),
            files,
            report: file.run.report.map(|at| at.value),
            passes: match file.second_run {
                Some(_) => 2,
                None => file.run.passes.map_or(1, |at| at.get()),
            },
        },
        limits,
        reference,
        subtasks,
        unjudged: Vec::new(),
        own: context.own.clone(),
        known_right: Vec::new(),
        shown: library.describe(folder),
        folder: folder.to_owned(),
        version: context.version(),
    };
    let mistakes = context.log.mistakes;
    let is_own = |it: &Language| it.is_of_programs() && it.has_own_commands();
    let has_own_commands = problem.languages.iter().any(|it| is_own(it));
    if has_own_commands || !problem.submission.include.is_empty() {
        // Mistakes are reported to those who verify samples.
        let samples = load_samples(library, &problem).unwrap_or_default();
        let right = samples.into_iter().filter(Sample::must_earn_all);
        problem.known_right = right.collect();
    }
    loaded(Some(problem), mistakes)
}

fn submission(file: &At<SubmissionFile>, context: &mut Context<'_>) -> SubmissionRule {
    let names = file.file.as_ref();
    let names = names.map_or_else(BTreeMap::new, |at| self::names(at, context));
    let log = &mut context.log;
    let kind = match (&file.outputs, &file.tests) {
        (Some(_), _) => SubmissionKind::Outputs,
        (None, Some(most)) => SubmissionKind::Tests(most.get()),
        (None, None) => SubmissionKind::Program,
    };
    let mut files: Vec<String> = match &file.files {
        Some(patterns) => patterns.iter().map(|it| it.value.clone()).collect(),
        None if file.tests.is_some() => mutants::PATTERNS.map(str::to_owned).into(),
        None => names
            .values()
            .map(|name| format!("{}.*", file_stem(name)))
            .collect(),
    };
    let mut known = BTreeSet::new();
    files.retain(|pattern| known.insert(pattern.to_lowercase()));
    let patterns = file.files.as_ref();
    if let Some(at) = patterns.filter(|at| at.is_empty()) {
        let message =
            "`files` has no patterns\nwithout one no file is recognised; write `[\"*\"]` for any";
        log.report(&at.span, message);
    }
    if patterns.is_none() && file.file.is_none() && kind == SubmissionKind::Program {
        log.report(
            &file.span,
            "`submission` needs `file`, `files`, `outputs` or `tests`",
        );
    }
    for pattern in patterns.into_iter().flat_map(|at| &at.value) {
        project::no_reserved(pattern, log);
    }
    let languages: Vec<LanguageId> = match &file.languages {
        Some(words) => words
            .iter()
            .filter_map(|word| context.language(word))
            .collect(),
        None if let Some(id) = kind.language() => vec![id],
        None if file.file.is_some() => names.keys().copied().collect(),
        None => context.languages.iter().map(|it| it.id).collect(),
    };
    if let Some(at) = file.languages.as_ref().filter(|at| at.is_empty()) {
        let message = "`languages` has no languages\nleave it out to accept all";
        context.report(&at.span, message);
    }
    project::check(file, &languages, context);
    let include = included(&file.include, context);
    let required = file.required.iter().map(|name| name.value.0.clone());
    let required: Vec<String> = required.collect();
    let entry = file.entry.as_ref().map(|name| name.value.0.clone());
    for path in &file.include {
        let mut students = names.values().chain(&entry).chain(&required);
        if students.any(|name| name == file_name(path)) {
            let message = format!("{} is the student's file", quoted(path));
            context.report(&path.span, &message);
        }
    }
    SubmissionRule {
        files,
        names,
        kind,
        languages,
        include,
        project: file.project,
        entry,
        required,
        extra: file.extra.iter().map(|it| it.value.clone()).collect(),
        size: file.size.map_or(DEFAULT_SUBMISSION_SIZE, |size| size.0),
    }
}

/// The languages of `file`, with their names.
fn names(at: &At<FileNames>, context: &mut Context<'_>) -> BTreeMap<LanguageId, String> {
    let mut names = BTreeMap::new();
    for FileName(name) in &at.0 {
        let language = context.languages.of_file_name(name).map(|it| it.id);
        let message = match language {
            _ if name.contains(['*', '?']) => {
                format!(
                    "{} is a pattern\nwrite `files = [{name:?}]`, or the name of one file",
                    quoted(name)
                )
            }
            None => format!("{} has no extension of a language", quoted(name)),
            Some(id) if names.contains_key(&id) => {
                format!(
                    "{} is the second file for {}",
                    quoted(name),
                    context.languages.name(id)
                )
            }
            Some(id) => {
                names.insert(id, name.clone());
                continue;
            }
        };
        context.log.report_part(&at.span, name, &message);
    }
    if at.0.is_empty() {
        context.report(&at.span, "`file` has no names");
    }
    names
}

/// The languages of the assignment, with this problem's flags and tools.
fn with_own_settings(file: &BuildFile, context: &mut Context<'_>) -> Languages {
    let mut flags = BTreeMap::new();
    for (word, more) in &file.flags {
        let Some(id) = context.language(word) else {
            continue;
        };
        if !context.languages.get(id).is_some_and(|it| it.takes_flags()) {
            let message = format!(
                "{} takes no flags\nneither `compile` nor `run` of `[languages.{id}]` contains `{{flags}}`",
                context.languages.name(id)
            );
            context.report(&word.span, &message);
        }
        flags.insert(id, more.clone());
    }
    let mut tools = BTreeMap::new();
    for (word, names) in &file.tools {
        if let Some(id) = context.language(word) {
            tools.insert(id, names.clone());
        }
    }
    context.languages.with_flags(&flags).with_tools(&tools)
}

/// The files that are built with every submission.
fn included(paths: &[At<String>], context: &mut Context<'_>) -> Vec<SourceFile> {
    let files = context.files(paths);
    let mut names = BTreeSet::new();
    for (path, file) in paths.iter().zip(&files) {
        if !names.insert(&file.path) {
            let message = format!("two included files are named {}", quoted(&file.path));
            context.report(&path.span, &message);
        }
    }
    files
}

/// Reports settings that need the reference's time if there is no reference.
fn needs_reference(file: &ProblemFile, context: &mut Context<'_>) {
    if file.reference.is_some() {
        return;
    }
    let time = file.limits.time.as_ref();
    let time = time.filter(|time| matches!(time.value, TimeLimitFile::Reference(_)));
    let time = time.map(At::place);
    let faster_than = file.time_flags.faster_than.as_ref().map(At::place);
    let by_time = file.subtask.iter().filter_map(|it| it.by_time.as_ref());
    let cases = file.subtask.iter().flat_map(|subtask| &subtask.case);
    let cases = cases.filter_map(|case| case.time.as_ref());
    for span in time
        .into_iter()
        .chain(faster_than)
        .chain(cases.map(At::place))
        .chain(by_time.map(At::place))
    {
        let message = "this needs the reference's time, but there is no `[reference]`";
        context.report(span, message);
    }
}

/// Reports settings that need the reference's time in each case if only its slowest counts.
fn needs_own_times(file: &ProblemFile, context: &mut Context<'_>) {
    let time = file.limits.time.as_deref();
    if !matches!(time, Some(TimeLimitFile::Reference(time)) if time.slowest) {
        return;
    }
    let faster_than = file.time_flags.faster_than.as_ref().map(At::place);
    let faster_than = faster_than.map(|span| ("faster-than", span));
    let by_time = file.subtask.iter().filter_map(|it| it.by_time.as_ref());
    for (key, span) in faster_than
        .into_iter()
        .chain(by_time.map(|at| ("by-time", at.place())))
    {
        context.report(
            span,
            &format!("`{key}` and `slowest` cannot be used together"),
        );
    }
}

/// The reference. If the file names none, reports that and returns `None`.
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
        (None, Some(path)) => ReferenceProgram::Sources(context.sources(path)),
        (Some(name), _) => {
            if !builtins.contains(&name.as_str()) {
                let message = unknown("builtin reference", name, builtins.iter().copied());
                context.report(&name.span, &message);
            }
            ReferenceProgram::Builtin(name.value.clone())
        }
    };
    Some(Reference {
        program,
        calibrate: at.calibrate.clone(),
        timed: at.timed.iter().map(|path| context.sources(path)).collect(),
    })
}

//! `problem.toml`.

use std::ops::Range;

use grader_model::{ProblemId, Text};

use super::case::Shared;
use super::file::{Files, open, parse};
use super::{checker, limits, reference, source, submission, subtask, time_flags};
use crate::diagnostic::{Code, Diagnostic, Loaded, Log};
use crate::library::{Library, join};
use crate::problem::{Problem, RunRule, TimeFlags};
use crate::raw::{Format, RawProblem, RawRun, RawTime, RawTitle};
use crate::reader::Slot;

/// Reads the problem in `folder`, the one with `problem.toml`. `builtins` are the names of the references that
/// the grader carries.
///
/// All mistakes are reported together.
pub fn load_problem(library: &dyn Library, folder: &str, builtins: &[&str]) -> Loaded<Problem> {
    let path = match join(folder, "problem.toml") {
        Ok(path) => path,
        // The library refuses the path too, and with the right words.
        Err(_) => format!("{folder}/problem.toml"),
    };
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    match open(library, &path) {
        Err(diagnostic) => Loaded::new(None, vec![diagnostic]),
        Ok((mut log, bytes)) => {
            let mut files = Files::new(library, folder);
            files.remember(&path, &bytes);
            let problem = build(builtins, &mut files, &mut log);
            Loaded::new(problem, finish(log))
        }
    }
}

pub(crate) fn finish(log: Log) -> Vec<Diagnostic> {
    log.diagnostics
}

pub(crate) fn title(raw: &Slot<RawTitle>) -> Option<Text> {
    let raw = raw.get()?;
    Some(Text::new(
        raw.en.get()?.0.as_str(),
        raw.zh.get()?.0.as_str(),
    ))
}

fn build(builtins: &[&str], files: &mut Files<'_>, log: &mut Log) -> Option<Problem> {
    let raw: RawProblem = parse(log)?.value;
    let default_run = RawRun::default();
    let run = raw.run.get().unwrap_or(&default_run);
    let submission = raw
        .submission
        .get()
        .and_then(|raw| submission::build(raw, log));
    let source = raw
        .source
        .get()
        .map(|raw| source::build(raw, log))
        .unwrap_or_default();
    let reference = raw
        .reference
        .at()
        .and_then(|raw| reference::build(raw, builtins, files, log));
    calibration(&raw, log);
    let chosen = raw
        .checker
        .at()
        .and_then(|raw| checker::choose(raw, files, log));
    let shared = Shared {
        run,
        checker: chosen.as_ref(),
        checker_is_broken: chosen.is_none() && !raw.checker.is_absent(),
        has_reference: !raw.reference.is_absent(),
    };
    let subtasks = raw.subtask.at().and_then(|subtasks| {
        if subtasks.value.is_empty() {
            log.report(
                &subtasks.span,
                Code::Empty,
                "a problem needs at least one subtask",
            );
        }
        let has_checker = !raw.checker.is_absent();
        subtask::build(&subtasks.value, &shared, has_checker, files, log)
    });
    let limits = raw
        .limits
        .get()
        .and_then(|raw| limits::build(raw, subtasks.as_deref(), log));
    let time_flags = raw
        .time_flags
        .get()
        .map(|raw| time_flags::build(raw, subtasks.as_deref(), log));
    let Format = raw.format.get()?;
    Some(Problem {
        id: ProblemId::new(raw.id.get()?.0.as_str()),
        title: title(&raw.title)?,
        submission: submission?,
        source,
        time_flags: match time_flags {
            Some(flags) => flags?,
            None => TimeFlags::default(),
        },
        run: RunRule {
            input_file: run.input_file.get().map(|name| name.0.clone()),
            output_file: run.output_file.get().map(|name| name.0.clone()),
            exit_status: run.exit_status.get().copied().unwrap_or_default(),
        },
        limits: limits?,
        reference,
        subtasks: subtasks?,
        folder: files.folder.to_owned(),
        version: files.version(),
    })
}

/// What is a multiple of the reference's time needs a reference.
fn calibration(raw: &RawProblem, log: &mut Log) {
    if !raw.reference.is_absent() {
        return;
    }
    let mut missing = |span: &Range<usize>, key: &str, ratio: &str, help: &str| {
        log.report_with(
            span,
            Code::MissingReference,
            format!("`{key}` is {ratio} the reference's time, but there is no `[reference]`"),
            help.to_owned(),
        );
    };
    let time = raw.limits.get().and_then(|limits| limits.time.at());
    if let Some(time) = time
        && matches!(time.value, RawTime::Reference(_))
    {
        let help = "add a `[reference]`, or write a time such as `time = \"2 s\"`";
        missing(&time.span, "limits.time", "a multiple of", help);
    }
    let add = "add a `[reference]`";
    let flags = raw.time_flags.get();
    if let Some(faster_than) = flags.and_then(|flags| flags.faster_than.at()) {
        let key = "time-flags.faster-than";
        missing(&faster_than.span, key, "a part of", add);
    }
    for subtask in raw.subtask.get().into_iter().flatten() {
        if let Some(by_time) = subtask.value.by_time.at() {
            missing(&by_time.span, "subtask.by-time", "a ratio to", add);
        }
    }
}

//! `[[subtask]]`.

use std::ops::Range;

use grader_model::SubtaskName;

use super::case::{self, Shared};
use super::checker::choose;
use super::file::Files;
use super::{attempts, by_time, growth};
use crate::diagnostic::{Code, Log};
use crate::problem::Subtask;
use crate::raw::{Name, RawSubtask};
use crate::reader::{At, missing_key};
use crate::suggest::{did_you_mean, quoted};

pub(crate) fn build(
    raw: &[At<RawSubtask>],
    shared: &Shared<'_>,
    problem_has_checker: bool,
    files: &mut Files<'_>,
    log: &mut Log,
) -> Option<Vec<Subtask>> {
    if !problem_has_checker && raw.iter().any(|at| at.value.checker.is_absent()) {
        missing_key("checker", "", &(0..0), log);
    }
    let mut subtasks = Vec::new();
    for (index, at) in raw.iter().enumerate() {
        let subtask = &at.value;
        if let Some(name) = subtask.name.at()
            && raw[..index]
                .iter()
                .any(|earlier| named(earlier, &name.value))
        {
            let message = format!("subtask {} stands twice", quoted(&name.value.0));
            log.report(&name.span, Code::Duplicate, message);
        }
        let checker = subtask.checker.at().and_then(|raw| choose(raw, files, log));
        // A broken checker of its own is not replaced by the problem's, whose mistakes would be misleading.
        let alone = Shared {
            checker: None,
            ..*shared
        };
        let shared = if subtask.checker.is_absent() || checker.is_some() {
            shared
        } else {
            &alone
        };
        let require = require(raw, index, log);
        let cases = case::build(at, checker.as_ref(), shared, files, log);
        exclusive(subtask, log);
        let growth = subtask
            .growth
            .at()
            .and_then(|raw| growth::build(raw, cases.as_deref(), log));
        let attempts = subtask
            .attempts
            .at()
            .and_then(|raw| attempts::build(raw, log));
        let by_time = subtask.by_time.at().map(|raw| by_time::build(raw, log));
        subtasks.push(
            name_and_points(subtask)
                .zip(cases)
                .map(|((name, points), cases)| Subtask {
                    name,
                    points,
                    score: subtask.score.get().copied().unwrap_or_default(),
                    require,
                    hidden: subtask.hidden.get().copied().unwrap_or(false),
                    growth,
                    attempts,
                    by_time: by_time.unwrap_or_default(),
                    cases,
                }),
        );
    }
    subtasks.into_iter().collect()
}

/// `growth`, `attempts` and `by-time` each say what a case's time or verdict means: one of them at most.
fn exclusive(raw: &RawSubtask, log: &mut Log) {
    let mut given: Vec<(&str, &Range<usize>)> = [
        ("growth", raw.growth.at().map(|at| &at.span)),
        ("attempts", raw.attempts.at().map(|at| &at.span)),
        ("by-time", raw.by_time.at().map(|at| &at.span)),
    ]
    .into_iter()
    .filter_map(|(key, span)| Some((key, span?)))
    .collect();
    given.sort_by_key(|(_, span)| span.start);
    if let [(first, _), others @ ..] = given.as_slice() {
        for (other, span) in others {
            log.report(
                span,
                Code::Conflict,
                format!("`{first}` and `{other}` of a subtask exclude each other"),
            );
        }
    }
}

fn name_and_points(raw: &RawSubtask) -> Option<(SubtaskName, grader_model::Points)> {
    let name = raw.name.get()?;
    Some((SubtaskName::new(name.0.as_str()), raw.points.get()?.0))
}

fn named(subtask: &At<RawSubtask>, name: &Name) -> bool {
    subtask.value.name.get() == Some(name)
}

/// The subtasks that one requires: only earlier ones, so that there are no circles.
fn require(raw: &[At<RawSubtask>], index: usize, log: &mut Log) -> Vec<SubtaskName> {
    let mut required: Vec<SubtaskName> = Vec::new();
    let all_named = raw.iter().all(|subtask| subtask.value.name.at().is_some());
    for wanted in raw[index].value.require.get().into_iter().flatten() {
        let name = wanted.value.0.as_str();
        if required.iter().any(|other| other.as_str() == name) {
            let message = format!("subtask {} stands twice in `require`", quoted(name));
            log.report(&wanted.span, Code::Duplicate, message);
        } else if raw[..index].iter().any(|other| named(other, &wanted.value)) {
            required.push(SubtaskName::new(name));
        } else if named(&raw[index], &wanted.value) {
            let message = format!("subtask {} requires itself", quoted(name));
            log.report(&wanted.span, Code::BadRequire, message);
        } else if raw.iter().any(|other| named(other, &wanted.value)) {
            log.report_with(
                &wanted.span,
                Code::BadRequire,
                format!(
                    "`require` must name earlier subtasks, but {} comes later",
                    quoted(name)
                ),
                "change the order of the subtasks".to_owned(),
            );
        } else if all_named {
            let names: Vec<&str> = raw[..index]
                .iter()
                .filter_map(|other| other.value.name.get().map(|name| name.0.as_str()))
                .collect();
            log.report_with(
                &wanted.span,
                Code::UnknownSubtask,
                format!("unknown subtask {}", quoted(name)),
                did_you_mean(name, &names, "subtask"),
            );
        }
    }
    required
}

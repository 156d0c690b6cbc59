//! `corrections.toml`: what people correct in the results of a class.

use std::collections::BTreeMap;

use grader_model::{AssignmentInfo, Points, ProblemId};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::deadline::Moment;
use crate::diagnostic::{Loaded, Log, loaded};
use crate::library::Library;
use crate::parse::parse;
use crate::suggest::{did_you_mean, quoted};
use crate::value::{At, Count, Prose, value};

/// Corrections by hand, applied after judging. The file lies beside the class; `grader correct` writes it too.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(title = "corrections.toml")]
pub(crate) struct CorrectionsFile {
    /// Version of this format: 1.
    #[serde(rename = "format")]
    _format: Count<1, 1>,
    /// The corrections.
    #[serde(default)]
    correction: Vec<At<CorrectionFile>>,
}

/// One correction. It needs at least one key besides `student`, `problem` and `submission`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct CorrectionFile {
    /// The student, by the id in results.
    student: Prose,
    /// The problem. Default: all of the assignment, which `points`, `add` and `attempt` do not allow.
    problem: Option<At<String>>,
    /// The points, whatever was judged and however late it is.
    points: Option<At<Number>>,
    /// What is added to the points after lateness; negative to take points away.
    add: Option<At<Number>>,
    /// The reason. The student reads it.
    comment: Option<Prose>,
    /// Leaves the problem out: it counts with the same share as the student's other problems.
    #[serde(default)]
    excused: bool,
    /// Replaces `due` of the assignment's deadline.
    deadline: Option<At<Moment>>,
    /// The attempt that counts, from 1: different submissions in the order in which they were graded.
    attempt: Option<At<Count<1, 1000>>>,
    /// The submission for which `points` and `add` were given, as `grader correct` writes it. They do not apply to any
    /// other, and the report says so.
    submission: Option<String>,
}

/// Thousandths of a point, of either sign.
struct Number(i64);

impl TryFrom<f64> for Number {
    type Error = String;

    fn try_from(value: f64) -> Result<Self, String> {
        let points = Points::try_from(value.abs());
        let points = points.map_err(|error| format!("{error}, found `{value}`"))?;
        let thousandths = i64::try_from(points.thousandths()).map_err(|error| error.to_string())?;
        Ok(Self(if value < 0.0 {
            -thousandths
        } else {
            thousandths
        }))
    }
}

value! { Number, "a number", { "type": "number", "minimum": -1_000_000, "maximum": 1_000_000 }, float: f64 }

/// One correction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Correction {
    /// The line of the file in which it begins, from 1.
    pub line: usize,
    /// The student, as the file writes the id.
    pub student: String,
    /// The problem; `None` for all.
    pub problem: Option<ProblemId>,
    /// The points instead of those that were judged.
    pub points: Option<Points>,
    /// What is added, in thousandths of a point.
    pub add: Option<i64>,
    /// The reason, for the student.
    pub comment: Option<String>,
    /// Whether the problem is left out.
    pub excused: bool,
    /// Until when work of the student counts in full.
    pub deadline: Option<Timestamp>,
    /// The attempt that counts, from 1.
    pub attempt: Option<u32>,
    /// The submission to which points apply; `None` for any.
    pub submission: Option<String>,
}

/// Reads the corrections of an assignment's results.
///
/// # Errors
/// Its mistakes; also if there is no such file.
pub fn load_corrections(
    library: &dyn Library,
    path: &str,
    info: &AssignmentInfo,
) -> Loaded<Vec<Correction>> {
    let (mut log, file) = parse::<CorrectionsFile>(library, path)?;
    let mut corrections = Vec::new();
    let mut first_lines = BTreeMap::new();
    for at in &file.correction {
        let correction = correction(at, info, &mut log);
        let keys = [
            ("points` or `add", at.points.is_some() || at.add.is_some()),
            ("excused", at.excused),
            ("deadline", at.deadline.is_some()),
            ("attempt", at.attempt.is_some()),
        ];
        for (key, _) in keys.into_iter().filter(|(_, is_given)| *is_given) {
            let whom = (key, correction.student.clone(), correction.problem.clone());
            if let Some(line) = first_lines.insert(whom, correction.line) {
                let message =
                    format!("`{key}` is given twice for this student: on line {line} too");
                log.report(&at.span, &message);
            }
        }
        corrections.push(correction);
    }
    loaded(Some(corrections), log.mistakes)
}

fn correction(at: &At<CorrectionFile>, info: &AssignmentInfo, log: &mut Log) -> Correction {
    let file = &at.value;
    log.exclusive(("points", &file.points), ("add", &file.add));
    if let Some(points) = file.points.as_ref().filter(|points| points.0 < 0) {
        log.report(
            &points.span,
            "points must not be negative\nto take points away, use `add`",
        );
    }
    let for_one = [
        ("points", file.points.as_ref().map(At::place)),
        ("add", file.add.as_ref().map(At::place)),
        ("attempt", file.attempt.as_ref().map(At::place)),
    ];
    for (key, place) in for_one {
        if let (Some(place), None) = (place, &file.problem) {
            log.report(place, &format!("`{key}` needs a `problem`"));
        }
    }
    let is_empty = for_one.iter().all(|(_, place)| place.is_none());
    if is_empty && !file.excused && file.deadline.is_none() && file.comment.is_none() {
        let message =
            "expected `points`, `add`, `comment`, `excused`, `deadline` or `attempt`, found none";
        log.report(&at.span, message);
    }
    let problem = file.problem.as_ref().and_then(|id| {
        let found = info
            .problems
            .iter()
            .find(|problem| problem.id.as_str() == id.value);
        match found {
            None => {
                let known = info.problems.iter().map(|problem| problem.id.as_str());
                let help = did_you_mean(id, known, "problem");
                log.report(
                    &id.span,
                    &format!("there is no problem {}\n{help}", quoted(id)),
                );
            }
            Some(problem) if file.excused && problem.bonus => {
                let message = "a bonus problem cannot be excused: without it no points are lost";
                log.report(&id.span, message);
            }
            Some(_) => {}
        }
        found.map(|problem| problem.id.clone())
    });
    let deadline = file.deadline.as_ref().and_then(|moment| {
        let Some(deadline) = &info.deadline else {
            let message =
                "the assignment has no deadline\nadd `[deadline]` to its `assignment.toml`";
            log.report(&moment.span, message);
            return None;
        };
        // The zone was found when the assignment was read; another machine may not know it.
        let zone = TimeZone::get(&deadline.zone).unwrap_or(TimeZone::UTC);
        Some(moment.timestamp(&zone, log))
    });
    let before = log.file.text.get(..at.span.start).unwrap_or_default();
    Correction {
        line: before.matches('\n').count() + 1,
        student: file.student.0.clone(),
        problem,
        points: file
            .points
            .as_ref()
            .map(|it| Points::from_thousandths(it.0.unsigned_abs())),
        add: file.add.as_ref().map(|it| it.0),
        comment: file.comment.as_ref().map(|Prose(text)| text.clone()),
        excused: file.excused,
        deadline,
        attempt: file.attempt.as_ref().map(|it| it.get()),
        submission: file.submission.clone(),
    }
}

//! How a time limit came about, and what a program near it needed when it was run again alone.

use grader_model::{Breach, CaseResult, CpuTime, Verdict};

use crate::layout::whole;
use crate::style::Style;
use crate::words::Phrase;

/// `limit: 4.7 × 2.11 s of the reference + 50 ms = 9.97 s`, for a case on whose verdict its limit has a say.
///
/// If the limit is not that of the problem, as in a subtask that asks for growth, only the reference's time is told.
pub(super) fn origin(case: &CaseResult, style: &Style) -> Option<String> {
    let wall = || {
        let outcome = case.outcome.as_ref();
        outcome.and_then(|outcome| outcome.breach) == Some(Breach::Wall)
    };
    let over = case.verdict == Verdict::TimeLimit && !wall();
    if !over && !case.near_limit {
        return None;
    }
    let words = style.words();
    match &case.limit_origin {
        Some(origin) => words.limit_origin(origin),
        None => Some(words.reference(&case.reference_time?.to_string())),
    }
}

/// `run again alone 3 times: 6.1 s of 6.33 s, …; the smallest counts`.
pub(super) fn alone(case: &CaseResult, style: &Style) -> Option<String> {
    let confirmation = case.confirmation.as_ref()?;
    let words = style.words();
    let runs = runs_alone(case, style)?;
    Some(words.run_alone(&runs, confirmation.runs.len(), confirmation.resolved))
}

/// The CPU times of the runs alone, each with the limit of its moment.
pub(super) fn runs_alone(case: &CaseResult, style: &Style) -> Option<String> {
    let confirmation = case.confirmation.as_ref()?;
    if confirmation.runs.is_empty() {
        return None;
    }
    let words = style.words();
    let runs = confirmation.runs.iter().map(CpuTime::to_string);
    let comma = words.say(Phrase::ListComma);
    Some(match &confirmation.limits[..] {
        // One limit for all is said once.
        [limit, rest @ ..] if rest.iter().all(|other| other == limit) => {
            let runs: Vec<String> = runs.collect();
            words.run_of(&runs.join(comma), &limit.to_string())
        }
        // Results of an earlier version.
        [] => runs.collect::<Vec<_>>().join(comma),
        limits => {
            let pairs = runs.zip(limits);
            let told: Vec<String> = pairs
                .map(|(run, limit)| whole(&words.run_of(&run, &limit.to_string())))
                .collect();
            told.join(comma)
        }
    })
}

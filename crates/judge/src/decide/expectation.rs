//! When it is certain whether a sample submission is as expected.

use std::collections::BTreeMap;

use grader_model::{
    CaseResult, Flag, Mismatch, Points, ProblemId, ProblemResult, SampleResult, Status, Text,
    Verdict,
};
use grader_problem::{Expectation, Sample};

/// Samples that stop early, by path and problem.
pub(crate) type Samples<'a> = BTreeMap<(&'a str, &'a ProblemId), &'a Sample>;

/// A sample and its result.
pub(crate) struct Compared<'a> {
    pub(crate) sample: &'a Sample,
    pub(crate) result: SampleResult,
    /// The verdicts of the cases that ran before it was stopped.
    pub(crate) ran: Vec<Verdict>,
}

/// Whether a case was run and failed.
fn fails(case: &CaseResult) -> bool {
    !case.skipped && case.verdict.fails()
}

/// Whether a sample may get this result in a case: its own verdict, or accepted.
fn allows(expectation: &Expectation, case: &CaseResult) -> bool {
    let expected = &expectation.verdicts;
    if *expected == [Verdict::PartiallyCorrect] || expectation.first_failure && !fails(case) {
        return true;
    }
    let is_skipped = case.verdict == Verdict::Skipped && *expected != [Verdict::Accepted];
    expected.contains(&case.verdict)
        || case.verdict == Verdict::Accepted
        || case.skipped
        || is_skipped
}

/// Whether this case makes certain that a sample is, or is not, as expected, so that no other case needs to run.
pub(crate) fn decides(expectation: &Expectation, case: &CaseResult) -> bool {
    // A fault of ours decides nothing, and without a program there is nothing to stop.
    let has_run = !matches!(case.verdict, Verdict::JudgeError | Verdict::CompileError);
    let needs_all = expectation.points.is_some()
        || !expectation.subtasks.is_empty()
        || !expectation.flags.is_empty();
    // Whether it is partially correct depends on the points of all cases.
    let is_partial = expectation.verdicts == [Verdict::PartiallyCorrect];
    let is_certain = if expectation.first_failure && !is_partial {
        !needs_all && fails(case)
    } else {
        !allows(expectation, case)
    };
    has_run && is_certain
}

/// Compares a sample's result with its expectation. If it `stops` once that is certain, its other cases, points and flags
/// are unknown.
pub(crate) fn compare(sample: &Sample, mut found: ProblemResult, stops: bool) -> Compared<'_> {
    let expectation = &sample.expectation;
    let cases = || found.subtasks.iter().flat_map(|it| &*it.cases);
    let last = cases().position(|it| stops && decides(expectation, it));
    let count = last.map_or(usize::MAX, |last| last + 1);
    let ran: Vec<_> = cases().map(|it| it.verdict).take(count).collect();
    let is_whole = ran.len() == cases().count();
    // A person's points are none of its business.
    if found.subtasks.iter().any(|it| it.manual.is_some()) {
        found.subtasks.retain(|it| it.manual.is_none());
        found.points = found.subtasks.iter().map(|it| it.points).sum();
        found.max_points = found.subtasks.iter().map(|it| it.max_points).sum();
    }
    let mut mismatches = Vec::new();
    if found.status == Status::NotJudged {
        // Its language is not installed.
    } else if found.verdict == Verdict::JudgeError || failed_check(&found).is_some() {
        mismatches.push(fault("judge error", first_fault(&found)));
    } else {
        mismatches.extend(verdict_mismatches(expectation, &found, ran.len()));
        if is_whole {
            mismatches.extend(flag_mismatches(&expectation.flags, &found.flags));
        }
    }
    if is_whole {
        mismatches.extend(points_mismatch(expectation, &found));
    }
    if is_whole && found.status != Status::NotJudged {
        mismatches.extend(subtask_mismatches(expectation, &found));
    }
    let result = SampleResult {
        path: sample.path.clone(),
        expected: sample.verdict,
        found,
        mismatches,
        warning: None,
        because: expectation.because.clone(),
    };
    Compared {
        sample,
        result,
        ran,
    }
}

fn points_mismatch(expectation: &Expectation, found: &ProblemResult) -> Option<Mismatch> {
    let (expected, got) = (expectation.points.as_ref()?, found.points?);
    let (fewest, most) = (expected.start(), expected.end());
    let wanted = if fewest == most {
        fewest.to_string()
    } else {
        format!("{fewest} to {most}")
    };
    let message = format!("expected {wanted}, found {got}");
    (!expected.contains(&got)).then(|| mismatch("points", message))
}

fn subtask_mismatches(
    expectation: &Expectation,
    found: &ProblemResult,
) -> impl Iterator<Item = Mismatch> {
    found.subtasks.iter().filter_map(|subtask| {
        let expected = expectation.subtasks.get(&subtask.name)?;
        let place = format!("subtask {}", subtask.name);
        let message = || differs(expected, subtask.verdict);
        (!expected.contains(&subtask.verdict)).then(|| mismatch(&place, message()))
    })
}

/// Each case must get an expected verdict or be accepted, and at least one must get a required one; or the first case
/// that fails must get an expected verdict. Accepted samples must earn all points, partially correct ones some of them,
/// and only samples in `compile-error` may fail to compile. Only the first `ran` cases count.
fn verdict_mismatches(
    expectation: &Expectation,
    found: &ProblemResult,
    ran: usize,
) -> Vec<Mismatch> {
    let expected = expectation.verdicts.as_slice();
    let whole = || mismatch("verdict", differs(expected, found.verdict));
    if expected == [Verdict::CompileError] || found.verdict == Verdict::CompileError {
        let is_expected = expected.contains(&found.verdict);
        return (!is_expected).then(whole).into_iter().collect();
    }
    let (points, max) = (found.points, found.max_points);
    let got = points.map_or_else(String::new, |it| it.to_string());
    if expected == [Verdict::PartiallyCorrect] {
        let is_part = points.is_some_and(|points| points > Points::ZERO && points < max);
        let message = format!("expected some of the {max} points and not all, found {got}");
        let mismatch = (!is_part).then(|| mismatch("points", message));
        return mismatch.into_iter().collect();
    }
    let (mut mismatches, is_met) = case_mismatches(expectation, found, ran);
    let is_full = points == Some(max) || expectation.points.is_some();
    if !mismatches.is_empty() {
        // These say enough.
    } else if !is_met {
        mismatches.push(whole());
    } else if expected == [Verdict::Accepted] && !is_full {
        let message = format!("expected all {max} points, found {got}");
        mismatches.push(mismatch("points", message));
    }
    mismatches
}

/// The cases with other verdicts than they may get, and whether one has a required verdict.
fn case_mismatches(
    expectation: &Expectation,
    found: &ProblemResult,
    mut ran: usize,
) -> (Vec<Mismatch>, bool) {
    let expected = expectation.verdicts.as_slice();
    let mut mismatches = Vec::new();
    let mut is_met = expectation.first_failure && expected.contains(&found.verdict);
    for subtask in &found.subtasks {
        // Growth may fail a subtask but none of its cases.
        is_met |= subtask.message.is_some() && expectation.required().contains(&subtask.verdict);
        for case in subtask.cases.iter().take(ran) {
            is_met |= expectation.required().contains(&case.verdict);
            if !allows(expectation, case) {
                let mut message = differs(expected, case.verdict);
                if let Some(why) = &case.message {
                    message = format!("{message}: {}", why.en);
                }
                let place = format!("case {}/{}", subtask.name, case.name);
                mismatches.push(mismatch(&place, message));
            }
            if expectation.first_failure && fails(case) {
                return (mismatches, true);
            }
        }
        ran = ran.saturating_sub(subtask.cases.len());
    }
    (mismatches, is_met)
}

/// A sample must raise exactly the expected flags.
fn flag_mismatches(expected: &[String], raised: &[Flag]) -> Vec<Mismatch> {
    let mut mismatches = Vec::new();
    for flag in raised.iter().filter(|flag| !expected.contains(&flag.code)) {
        let mut message = format!(
            "raised the flag `{}`, which is not expected: {}",
            flag.code, flag.message.en
        );
        if let Some(evidence) = flag.evidence.first() {
            let place = evidence.place.as_ref();
            let place = place.map_or_else(String::new, |place| format!("{place}: "));
            message = format!("{message}; {place}{}", evidence.message.en);
        }
        mismatches.push(mismatch("flags", message));
    }
    for code in expected {
        if raised.iter().all(|flag| flag.code != *code) {
            let message = format!("did not raise the flag `{code}`, which is expected");
            mismatches.push(mismatch("flags", message));
        }
    }
    mismatches
}

fn differs(expected: &[Verdict], found: Verdict) -> String {
    let expected: Vec<&str> = expected.iter().map(|verdict| verdict.code()).collect();
    format!("expected {}, found {found}", expected.join(" or "))
}

/// What is wrong with a sample or its problem.
pub(crate) fn mismatch(place: &str, message: impl Into<String>) -> Mismatch {
    Mismatch {
        place: place.to_owned(),
        message: message.into(),
        fault: false,
    }
}

/// The same if the problem may be fine.
pub(super) fn fault(place: &str, message: impl Into<String>) -> Mismatch {
    Mismatch {
        fault: true,
        ..mismatch(place, message)
    }
}

/// Why the remarks of a tool are not known that decide on points; `None` if they are.
fn failed_check(result: &ProblemResult) -> Option<&Text> {
    let mut subtasks = result.subtasks.iter().filter(|it| it.check.is_some());
    let failed = subtasks.find(|it| it.verdict == Verdict::JudgeError)?;
    failed.message.as_ref()
}

fn first_fault(result: &ProblemResult) -> String {
    let mut cases = result.subtasks.iter().flat_map(|subtask| &*subtask.cases);
    let case = || {
        cases
            .find(|case| case.verdict == Verdict::JudgeError)?
            .message
            .as_deref()
    };
    let message = result.message.as_ref().or_else(case);
    let message = message.or_else(|| failed_check(result));
    message.map_or_else(String::new, |message| message.en.clone())
}

#[cfg(test)]
mod tests {
    use grader_model::{CaseName, SubtaskName};
    use grader_problem::Subtask;

    use super::*;
    use crate::decide::score::{problem_points, subtask_result};
    use crate::decide::verification::verified;

    /// The result of a problem with two cases, each worth a point.
    fn found(verdicts: [Verdict; 2]) -> ProblemResult {
        let subtask = Subtask {
            name: SubtaskName::new("all"),
            points: Points::from_thousandths(2000),
            ..Subtask::default()
        };
        let cases = ["1", "2"].into_iter().zip(verdicts);
        let cases = cases.map(|(name, verdict)| CaseResult {
            message: None,
            ..CaseResult::unrun(CaseName::new(name), verdict, Text::default())
        });
        let subtasks = vec![subtask_result(&subtask, cases.collect(), &[])];
        let (points, verdict) = problem_points(&subtasks);
        ProblemResult {
            points,
            max_points: subtask.points,
            status: Status::Judged,
            verdict,
            subtasks,
            ..ProblemResult::default()
        }
    }

    fn sample(expectation: Expectation) -> Sample {
        Sample {
            expectation,
            ..Sample::right()
        }
    }

    fn shown(mismatches: &[Mismatch]) -> Vec<String> {
        let shown = |it: &Mismatch| format!("{}: {}", it.place, it.message);
        mismatches.iter().map(shown).collect()
    }

    #[test]
    #[rustfmt::skip]
    fn a_sample_is_compared_as_far_as_it_ran() {
        use Verdict::{Accepted as Ac, JudgeError as Je, PartiallyCorrect as Pc, TimeLimit as Tle, WrongAnswer as Wa};
        let only = |verdict| Expectation::from(vec![verdict]);
        let first = || Expectation { first_failure: true, ..only(Wa) };
        let both = || Expectation { required: vec![Tle], ..vec![Wa, Tle].into() };
        let point = Points::from_thousandths(1000);
        let worth = || Expectation { points: Some(point..=point), ..only(Wa) };
        let flagged = || Expectation { flags: vec!["flat".to_owned()], ..only(Ac) };
        let subtask = || Expectation { subtasks: [(SubtaskName::new("all"), vec![Wa])].into(), ..only(Wa) };
        for (expectation, verdicts, stops, ran, expected) in [
            (only(Ac), [Ac, Ac], true, 2, &[][..]),
            (only(Ac), [Ac, Wa], false, 2, &["case all/2: expected AC, found WA"]),
            (only(Ac), [Wa, Wa], true, 1, &["case all/1: expected AC, found WA"]),
            (only(Wa), [Ac, Wa], true, 2, &[]),
            (only(Wa), [Ac, Ac], true, 2, &["verdict: expected WA, found AC"]),
            (only(Wa), [Tle, Wa], true, 1, &["case all/1: expected WA, found TLE"]),
            (only(Wa), [Tle, Tle], false, 2, &["case all/1: expected WA, found TLE", "case all/2: expected WA, found TLE"]),
            (first(), [Wa, Tle], true, 1, &[]),
            (first(), [Wa, Tle], false, 2, &[]),
            (first(), [Tle, Wa], false, 2, &["case all/1: expected WA, found TLE"]),
            (both(), [Wa, Tle], true, 2, &[]),
            (both(), [Wa, Wa], true, 2, &["verdict: expected WA or TLE, found WA"]),
            (only(Pc), [Ac, Wa], true, 2, &[]),
            (only(Pc), [Ac, Ac], true, 2, &["points: expected some of the 2 points and not all, found 2"]),
            (worth(), [Ac, Wa], true, 2, &[]),
            (worth(), [Wa, Wa], true, 2, &["points: expected 1, found 0"]),
            (flagged(), [Ac, Ac], true, 2, &["flags: did not raise the flag `flat`, which is expected"]),
            (subtask(), [Wa, Ac], true, 2, &["subtask all: expected WA, found PC"]),
            (only(Ac), [Ac, Je], true, 2, &["judge error: "]),
        ] {
            let sample = sample(expectation);
            let compared = compare(&sample, found(verdicts), stops);
            assert_eq!((compared.ran.len(), shown(&compared.result.mismatches)), (ran, expected.iter().map(ToString::to_string).collect()));
        }
    }

    #[test]
    #[rustfmt::skip]
    fn samples_show_cases_that_nobody_fails_and_answers_that_all_right_programs_contradict() {
        use Verdict::{Accepted as Ac, TimeLimit as Tle, WrongAnswer as Wa};
        let culprit = "none of the 2 samples that must be accepted agrees with it: the reference or the answer is the likely culprit";
        for (right, wrong, idle, stopped, expected) in [
            (&[[Ac, Ac], [Ac, Ac]][..], &[[Ac, Wa]][..], &["all/1"][..], false, vec![]),
            (&[[Ac, Ac]], &[], &["all/1", "all/2"], false, vec![]),
            // Whether it would have failed the second is unknown.
            (&[[Ac, Ac]], &[[Tle, Wa]], &[], true, vec![]),
            (&[[Ac, Wa], [Ac, Wa]], &[[Wa, Wa]], &[], false, vec![format!("reference, case all/2: {culprit}")]),
            (&[[Ac, Wa], [Ac, Tle]], &[[Wa, Wa]], &[], false, vec![]),
        ] {
            let sample = |it: Verdict| sample(vec![it].into());
            let (accepted, failing) = (sample(Ac), sample(Wa));
            let right = right.iter().map(|it| compare(&accepted, found(*it), false));
            let wrong = wrong.iter().map(|it| compare(&failing, found(*it), true));
            let found = verified(ProblemId::new("p"), right.chain(wrong).collect(), Vec::new());
            assert_eq!((found.idle_cases, found.stopped_early), (idle.iter().map(ToString::to_string).collect(), stopped));
            assert_eq!(shown(&found.mismatches), expected);
        }
    }
}

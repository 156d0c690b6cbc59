//! What the results of all samples say about their problem.

use grader_model::{Mismatch, ProblemId, ProblemVerification, Verdict};

use super::expectation::{Compared, fault, mismatch};

/// The verification of a problem, of which these mismatches are known.
pub(crate) fn verified(
    id: ProblemId,
    compared: Vec<Compared<'_>>,
    mut mismatches: Vec<Mismatch>,
) -> ProblemVerification {
    let has_run = |it: &&Compared<'_>| it.result.has_run();
    if !compared.is_empty() && !compared.iter().any(|it| has_run(&it)) {
        let message = "no sample can be run on this machine";
        mismatches.push(fault("submissions", message));
    }
    let expects = |it: &Compared<'_>, verdict| it.sample.expectation.verdicts.contains(&verdict);
    let have_run = compared.iter().filter(has_run);
    let (right, others): (Vec<_>, Vec<_>) =
        have_run.partition(|it| it.sample.expectation.verdicts == [Verdict::Accepted]);
    let wrong = others.into_iter();
    let wrong: Vec<_> = wrong.filter(|it| !expects(it, Verdict::Accepted)).collect();
    let names = compared.first().into_iter();
    let names: Vec<String> = names
        .flat_map(|it| it.result.cases().map(|(name, _)| name))
        .collect();
    let stopped_early = wrong.iter().any(|it| it.ran.len() < names.len());
    let mut idle_cases = Vec::new();
    for (index, name) in names.into_iter().enumerate() {
        // Verdicts in this case of the samples that ran it and have certain expectations.
        let verdicts = |samples: &[&Compared<'_>]| -> Vec<_> {
            let verdicts = samples.iter().filter_map(|it| it.ran.get(index));
            verdicts.copied().collect()
        };
        let (right, failing) = (verdicts(&right), verdicts(&wrong));
        mismatches.extend(disagreement(&name, &right));
        // Unknown if all wrong samples were stopped before.
        let is_known = wrong.is_empty() || !failing.is_empty();
        if is_known && !failing.into_iter().any(fails_it) {
            idle_cases.push(name);
        }
    }
    ProblemVerification {
        id,
        folder: None,
        mismatches,
        samples: compared.into_iter().map(|it| it.result).collect(),
        idle_cases,
        stopped_early,
        unchanged: false,
    }
}

/// If several right programs give the same wrong answer, the reference is more likely to be wrong.
fn disagreement(case: &str, right: &[Verdict]) -> Option<Mismatch> {
    let disagrees = |it: &Verdict| matches!(it, Verdict::WrongAnswer | Verdict::PresentationError);
    let count = right.len();
    let message = format!(
        "none of the {count} samples that must be accepted agrees with it: the reference or the answer is the likely culprit"
    );
    let place = format!("reference, case {case}");
    (count > 1 && right.iter().all(disagrees)).then(|| mismatch(&place, message))
}

/// Whether a verdict says that a program fails the case. One that does not compile fails none.
const fn fails_it(verdict: Verdict) -> bool {
    !matches!(
        verdict,
        Verdict::Accepted | Verdict::Skipped | Verdict::JudgeError | Verdict::CompileError
    )
}

/// Merges a reference's identical failures in several cases into one mismatch.
pub(crate) fn without_repetitions(mismatches: impl Iterator<Item = Mismatch>) -> Vec<Mismatch> {
    let mut kept: Vec<(Mismatch, usize)> = Vec::new();
    for mismatch in mismatches {
        let lines = |it: &Mismatch| it.message.split_once('\n').map(|(_, rest)| rest.to_owned());
        let is_same = |(it, _): &&mut (Mismatch, usize)| lines(it) == lines(&mismatch);
        match kept.iter_mut().find(is_same) {
            Some((_, more)) if lines(&mismatch).is_some() => *more += 1,
            _ => kept.push((mismatch, 0)),
        }
    }
    let kept = kept.into_iter().map(|(mismatch, more)| {
        let place = match more {
            0 => mismatch.place,
            1 => format!("{} and 1 more case", mismatch.place),
            more => format!("{} and {more} more cases", mismatch.place),
        };
        Mismatch { place, ..mismatch }
    });
    kept.collect()
}

//! From cases to points.

use grader_model::{
    CaseResult, Given, Growth, GrowthVerdict, Points, Share, SubtaskResult, Text, Verdict, text,
};
use grader_problem::{CheckRule, ScoreRule, Subtask};

use super::growth;
use super::tool_output::Checked;

/// Folds the results of a subtask's cases into the result of the subtask; `earlier` has the subtasks of the same
/// submission that were judged before.
///
/// A judge error among the cases leaves the points open. Skipped cases do not count. If the time grows too fast, the
/// subtask earns nothing, whatever its cases have earned.
pub(crate) fn subtask_result(
    subtask: &Subtask,
    cases: Vec<CaseResult>,
    earlier: &[SubtaskResult],
) -> SubtaskResult {
    let counted = || cases.iter().filter(|case| !case.skipped);
    let shares: Vec<Share> = counted().map(share).collect();
    let whole = Share::WHOLE.millionths() as usize;
    let of = |millionths: usize, cases: usize| subtask.points.share(millionths, cases * whole);
    let earned = match subtask.score {
        ScoreRule::Sum => {
            let all = shares.iter().map(|share| share.millionths() as usize);
            of(all.sum(), shares.len())
        }
        ScoreRule::All if shares.iter().all(|share| *share == Share::WHOLE) => subtask.points,
        ScoreRule::All => Points::ZERO,
        ScoreRule::Worst => {
            let worst = shares.iter().min().copied().unwrap_or(Share::NOTHING);
            of(worst.millionths() as usize, 1)
        }
    };
    let earlier = earlier.iter().map(|subtask| &*subtask.cases);
    let growth = growth::measured(subtask, &cases, earlier);
    let too_fast = growth
        .as_ref()
        .filter(|growth| growth.verdict == GrowthVerdict::TooFast);
    let earned = too_fast.map_or(earned, |_| Points::ZERO);
    let mut verdict = Verdict::fold(counted().map(|case| case.verdict), earned > Points::ZERO);
    if verdict == Verdict::Accepted && too_fast.is_some() {
        verdict = Verdict::WrongAnswer;
    } else if verdict == Verdict::Accepted && earned < subtask.points {
        // All cases are accepted, but some earn only a part.
        verdict = Verdict::PartiallyCorrect;
    }
    SubtaskResult {
        name: subtask.name.clone(),
        points: (verdict != Verdict::JudgeError).then_some(earned),
        max_points: subtask.points,
        verdict,
        hidden: subtask.hidden,
        hidden_until: subtask.hidden_until,
        message: too_fast.map(Growth::sentence),
        growth,
        cases: cases.into(),
        manual: None,
        check: None,
    }
}

/// The open result of a subtask that is graded by hand.
pub(crate) fn by_hand(subtask: &Subtask) -> SubtaskResult {
    SubtaskResult {
        name: subtask.name.clone(),
        max_points: subtask.points,
        verdict: Verdict::Accepted,
        manual: Some(Given::default()),
        ..SubtaskResult::default()
    }
}

/// The result of a subtask that has its points less what remarks take. What it lacks goes first.
pub(crate) fn by_tool(
    subtask: &Subtask,
    rule: &CheckRule,
    lacking: Option<(Verdict, Text)>,
    checked: &Checked,
) -> SubtaskResult {
    let CheckRule { check, each } = rule;
    let (points, verdict, message) = match (lacking, checked) {
        (Some((verdict, why)), _) => {
            let is_open = verdict == Verdict::JudgeError;
            ((!is_open).then_some(Points::ZERO), verdict, why)
        }
        (None, Ok(remarks)) => {
            let taken = each.thousandths().saturating_mul(remarks.count as u64);
            let left = subtask
                .points
                .saturating_sub(Points::from_thousandths(taken));
            let sentence = remarks.sentence(check, Some(*each));
            (Some(left), Verdict::Accepted, sentence)
        }
        (None, Err(why)) => {
            let why = text!(
                "not scored yet, as the check `{check}` failed: {why}; repair that, and grade again",
                "尚未评分，因为检查 `{check}` 失败：{why}；请解决后重新评测",
                why
            );
            (None, Verdict::JudgeError, why)
        }
    };
    SubtaskResult {
        name: subtask.name.clone(),
        points,
        max_points: subtask.points,
        verdict,
        message: Some(message),
        check: Some(check.clone()),
        ..SubtaskResult::default()
    }
}

/// The part of its points that a case earns.
fn share(case: &CaseResult) -> Share {
    let is_accepted = case.verdict == Verdict::Accepted;
    let whole = if is_accepted {
        Share::WHOLE
    } else {
        Share::NOTHING
    };
    case.share.unwrap_or(whole)
}

/// Adds up the subtasks: their points (`None` while one of them is open) and the folded verdict.
pub(crate) fn problem_points(subtasks: &[SubtaskResult]) -> (Option<Points>, Verdict) {
    let points: Option<Points> = subtasks.iter().map(|subtask| subtask.points).sum();
    let has_runs = |it: &&SubtaskResult| it.manual.is_none() && it.check.is_none();
    let judged = || subtasks.iter().filter(has_runs);
    let earned = judged().filter_map(|subtask| subtask.points);
    let has_earned = earned.sum::<Points>() > Points::ZERO;
    let verdict = match judged().count() {
        0 => Verdict::Accepted,
        _ => Verdict::fold(judged().map(|subtask| subtask.verdict), has_earned),
    };
    (points, verdict)
}

#[cfg(test)]
mod tests {
    use grader_model::{CaseName, SubtaskName};
    use proptest::prelude::*;

    use super::*;

    fn subtask(points: u64, score: ScoreRule) -> Subtask {
        Subtask {
            name: SubtaskName::new("small"),
            points: Points::from_thousandths(points),
            score,
            require: Vec::new(),
            hidden: false,
            hidden_until: None,
            manual: None,
            check: None,
            ascending: false,
            growth: None,
            attempts: None,
            by_time: Vec::new(),
            cases: Vec::new(),
        }
    }

    fn cases(verdicts: &[Verdict]) -> Vec<CaseResult> {
        verdicts
            .iter()
            .map(|&verdict| CaseResult::unrun(CaseName::new("n=1"), verdict, Text::default()))
            .collect()
    }

    /// The results of cases under each rule. Each case has a verdict, and the thousandths that it earns if only a part.
    fn judged(results: &[(Verdict, Option<f64>)]) -> [String; 3] {
        [ScoreRule::Sum, ScoreRule::All, ScoreRule::Worst].map(|rule| {
            let cases = results.iter().map(|(verdict, share)| CaseResult {
                share: share.map(|it| Share::of(it, 1000.0)),
                ..CaseResult::unrun(CaseName::new("n=1"), *verdict, Text::default())
            });
            let result = subtask_result(&subtask(10_000, rule), cases.collect(), &[]);
            let points = result.points.map_or("open".to_owned(), |it| it.to_string());
            format!("{} {points}", result.verdict)
        })
    }

    #[test]
    #[rustfmt::skip]
    fn cases_make_points_by_the_rule_of_the_subtask() {
        let (ac, wa, tle) = ((Verdict::Accepted, None), (Verdict::WrongAnswer, None), (Verdict::TimeLimit, None));
        let part = |thousandths| (Verdict::Accepted, Some(f64::from(thousandths)));
        for (cases, [sum, all, worst]) in [
            (vec![ac, ac], ["AC 10", "AC 10", "AC 10"]),
            (vec![ac, wa, tle], ["PC 3.33", "WA 0", "WA 0"]),
            (vec![tle, wa], ["TLE 0", "TLE 0", "TLE 0"]),
            (vec![ac, (Verdict::JudgeError, None)], ["JE open", "JE open", "JE open"]),
            (vec![ac, part(600)], ["PC 8", "PC 0", "PC 6"]),
            (vec![part(600), part(600), part(333)], ["PC 5.11", "PC 0", "PC 3.33"]),
            (vec![part(999)], ["PC 9.99", "PC 0", "PC 9.99"]),
            (vec![(Verdict::Accepted, Some(953.5))], ["PC 9.54", "PC 0", "PC 9.54"]),
            (vec![part(1), part(0)], ["PC 0.01", "PC 0", "PC 0"]),
            (vec![part(0), part(0)], ["PC 0", "PC 0", "PC 0"]),
            (vec![ac, wa], ["PC 5", "WA 0", "WA 0"]),
            (vec![part(600), wa], ["PC 3", "WA 0", "WA 0"]),
            // Partial points of a case that is not accepted count, too.
            (vec![(Verdict::PartiallyCorrect, Some(250.0)), ac], ["PC 6.25", "PC 0", "PC 2.5"]),
        ] {
            assert_eq!(judged(&cases), [sum, all, worst], "{cases:?}");
        }
    }

    #[test]
    fn one_open_subtask_leaves_the_points_of_the_problem_open() {
        let of = |verdict| subtask_result(&subtask(1000, ScoreRule::Sum), cases(&[verdict]), &[]);
        let both = [of(Verdict::Accepted), of(Verdict::JudgeError)];
        assert_eq!(problem_points(&both), (None, Verdict::JudgeError));
    }

    fn any_verdict() -> impl Strategy<Value = Verdict> {
        prop::sample::select(vec![
            Verdict::Accepted,
            Verdict::WrongAnswer,
            Verdict::TimeLimit,
            Verdict::RuntimeError,
            Verdict::Skipped,
        ])
    }

    proptest! {
        #[test]
        fn points_are_bounded_and_do_not_depend_on_the_order_of_cases(
            verdicts in prop::collection::vec(any_verdict(), 1..30), points in 1u64..100_000,
        ) {
            let forward = subtask_result(&subtask(points, ScoreRule::Sum), cases(&verdicts), &[]);
            let mut reversed = verdicts.clone();
            reversed.reverse();
            let backward = subtask_result(&subtask(points, ScoreRule::Sum), cases(&reversed), &[]);
            prop_assert_eq!(forward.points, backward.points);
            prop_assert!(forward.points <= Some(Points::from_thousandths(points)));
        }

        #[test]
        fn one_more_accepted_case_never_costs_points(
            verdicts in prop::collection::vec(any_verdict(), 1..30), at in 0usize..30, points in 1u64..100_000,
        ) {
            let at = at % verdicts.len();
            let mut better = verdicts.clone();
            better[at] = Verdict::Accepted;
            for rule in [ScoreRule::Sum, ScoreRule::All, ScoreRule::Worst] {
                let before = subtask_result(&subtask(points, rule), cases(&verdicts), &[]).points;
                let after = subtask_result(&subtask(points, rule), cases(&better), &[]).points;
                prop_assert!(after >= before);
            }
        }
    }
}

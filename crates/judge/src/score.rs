//! From cases to points.

use grader_model::{CaseResult, Growth, GrowthVerdict, Points, Share, SubtaskResult, Verdict};
use grader_problem::{ScoreRule, Subtask};

use crate::growth;

/// Folds the results of a subtask's cases into the result of the subtask; `earlier` are the subtasks of the same
/// submission that were judged before it.
///
/// A judge error among the cases leaves the points open. Cases that were not needed count neither way. A time that grows
/// too fast earns nothing, whatever the cases have earned.
pub fn subtask_result(
    subtask: &Subtask,
    cases: Vec<CaseResult>,
    earlier: &[SubtaskResult],
) -> SubtaskResult {
    let counted = || cases.iter().filter(|case| !case.skipped);
    let shares: Vec<Share> = counted().map(share).collect();
    let of = |thousandths: usize, cases: usize| subtask.points.share(thousandths, cases * 1000);
    let earned = match subtask.score {
        ScoreRule::Sum => {
            let all = shares.iter().map(|share| share.thousandths() as usize);
            of(all.sum(), shares.len())
        }
        ScoreRule::All if shares.iter().all(|share| *share == Share::WHOLE) => subtask.points,
        ScoreRule::All => Points::ZERO,
        ScoreRule::Worst => {
            let worst = shares.iter().min().copied().unwrap_or(Share::NOTHING);
            of(worst.thousandths() as usize, 1)
        }
    };
    let earlier = earlier.iter().map(|subtask| subtask.cases.as_slice());
    let growth = growth::measured(subtask, &cases, earlier);
    let too_fast = growth
        .as_ref()
        .filter(|growth| growth.verdict == GrowthVerdict::TooFast);
    let earned = if too_fast.is_some() {
        Points::ZERO
    } else {
        earned
    };
    let mut verdict = Verdict::fold(counted().map(|case| case.verdict), earned > Points::ZERO);
    if too_fast.is_some() && verdict == Verdict::Accepted {
        verdict = Verdict::WrongAnswer;
    }
    SubtaskResult {
        name: subtask.name.clone(),
        points: (verdict != Verdict::JudgeError).then_some(earned),
        max_points: subtask.points,
        verdict: of_points(verdict, earned, subtask.points),
        hidden: subtask.hidden,
        message: too_fast.map(Growth::sentence),
        growth,
        cases,
    }
}

/// The part of its points that a case earns.
fn share(case: &CaseResult) -> Share {
    case.share.unwrap_or(if case.verdict == Verdict::Accepted {
        Share::WHOLE
    } else {
        Share::NOTHING
    })
}

/// The verdict of a subtask whose cases fold to `verdict`: if all are accepted and some earn a part only, it was not
/// passed whole.
fn of_points(verdict: Verdict, earned: Points, all: Points) -> Verdict {
    if verdict == Verdict::Accepted && earned < all {
        Verdict::PartiallyCorrect
    } else {
        verdict
    }
}

/// Adds up the subtasks: the points (nothing while one of them is open) and the folded verdict.
pub fn problem_points(subtasks: &[SubtaskResult]) -> (Option<Points>, Verdict) {
    let points: Option<Points> = subtasks.iter().map(|subtask| subtask.points).sum();
    let earned = points.is_some_and(|points| points > Points::ZERO);
    let verdict = Verdict::fold(subtasks.iter().map(|subtask| subtask.verdict), earned);
    (points, verdict)
}

#[cfg(test)]
mod tests {
    use grader_model::{CaseName, SubtaskName, Text};
    use proptest::prelude::*;

    use super::*;

    fn subtask(points: u64, score: ScoreRule) -> Subtask {
        Subtask {
            name: SubtaskName::new("small"),
            points: Points::from_thousandths(points),
            score,
            require: Vec::new(),
            hidden: false,
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

    fn judged(score: ScoreRule, verdicts: &[Verdict]) -> (Option<String>, Verdict) {
        let result = subtask_result(&subtask(10_000, score), cases(verdicts), &[]);
        (
            result.points.map(|points| points.to_string()),
            result.verdict,
        )
    }

    #[test]
    fn a_sum_subtask_gives_each_case_its_share() {
        use Verdict::{Accepted, TimeLimit, WrongAnswer};
        let sum = |verdicts: &[Verdict]| judged(ScoreRule::Sum, verdicts);
        assert_eq!(sum(&[Accepted; 3]), (Some("10".into()), Accepted));
        assert_eq!(
            sum(&[Accepted, WrongAnswer, TimeLimit]),
            (Some("3.33".into()), Verdict::PartiallyCorrect)
        );
        assert_eq!(
            sum(&[TimeLimit, WrongAnswer]),
            (Some("0".into()), TimeLimit)
        );
    }

    #[test]
    fn an_all_subtask_gives_everything_or_nothing() {
        use Verdict::{Accepted, WrongAnswer};
        let all = |verdicts: &[Verdict]| judged(ScoreRule::All, verdicts);
        assert_eq!(all(&[Accepted; 2]), (Some("10".into()), Accepted));
        assert_eq!(
            all(&[Accepted, WrongAnswer]),
            (Some("0".into()), WrongAnswer)
        );
    }

    #[test]
    fn a_judge_error_leaves_the_points_open() {
        use Verdict::{Accepted, JudgeError};
        assert_eq!(
            judged(ScoreRule::Sum, &[Accepted, JudgeError]),
            (None, JudgeError)
        );
        let open = subtask_result(&subtask(1000, ScoreRule::Sum), cases(&[JudgeError]), &[]);
        let earned = subtask_result(&subtask(1000, ScoreRule::Sum), cases(&[Accepted]), &[]);
        assert_eq!(problem_points(&[earned, open]), (None, JudgeError));
    }

    /// What cases of these shares come to under each rule; `None` is a wrong answer.
    fn of_shares(shares: &[Option<u32>]) -> [String; 3] {
        [ScoreRule::Sum, ScoreRule::All, ScoreRule::Worst].map(|rule| {
            let cases = shares
                .iter()
                .map(|share| {
                    let name = CaseName::new("n=1");
                    let Some(thousandths) = *share else {
                        return CaseResult::unrun(name, Verdict::WrongAnswer, Text::default());
                    };
                    let mut case = CaseResult::unrun(name, Verdict::Accepted, Text::default());
                    case.share = (thousandths < 1000).then(|| Share::from_thousandths(thousandths));
                    case
                })
                .collect();
            let result = subtask_result(&subtask(10_000, rule), cases, &[]);
            format!("{} {}", result.verdict, result.points.unwrap())
        })
    }

    #[test]
    fn shares_of_cases_make_points_by_the_rule_of_the_subtask() {
        let table = [
            &[Some(1000), Some(1000)][..],
            &[Some(1000), Some(600)],
            &[Some(600), Some(600), Some(333)],
            &[Some(999)],
            &[Some(1), Some(0)],
            &[Some(0), Some(0)],
            &[Some(1000), None],
            &[Some(600), None],
            &[None, None],
        ]
        .map(of_shares);
        // Sum, all, worst.
        assert_eq!(
            table,
            [
                ["AC 10", "AC 10", "AC 10"],
                ["PC 8", "PC 0", "PC 6"],
                ["PC 5.11", "PC 0", "PC 3.33"],
                ["PC 9.99", "PC 0", "PC 9.99"],
                ["PC 0.01", "PC 0", "PC 0"],
                ["PC 0", "PC 0", "PC 0"],
                ["PC 5", "WA 0", "WA 0"],
                ["PC 3", "WA 0", "WA 0"],
                ["WA 0", "WA 0", "WA 0"],
            ]
        );
    }

    #[test]
    fn a_share_of_a_case_that_is_not_accepted_counts_too() {
        let mut case = cases(&[Verdict::PartiallyCorrect]).remove(0);
        case.share = Some(Share::from_thousandths(250));
        let rate = |rule| {
            let all = vec![case.clone(), cases(&[Verdict::Accepted]).remove(0)];
            let result = subtask_result(&subtask(10_000, rule), all, &[]);
            (result.verdict, result.points.unwrap().to_string())
        };
        let part = |points: &str| (Verdict::PartiallyCorrect, points.to_owned());
        assert_eq!(rate(ScoreRule::Sum), part("6.25"));
        assert_eq!(rate(ScoreRule::All), part("0"));
        assert_eq!(rate(ScoreRule::Worst), part("2.5"));
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

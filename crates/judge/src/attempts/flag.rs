//! A program that should draw random numbers and prints the same every time.

use grader_model::{Attempts, CaseName, Flag, FlagEvidence, SubtaskResult, Text};
use grader_problem::Problem;

use super::draws::judged;

/// So many accepted attempts of a case are enough to compare.
const COMPARED: u32 = 3;
/// In so many cases they must have begun in different seconds.
const CASES: usize = 2;

/// The flag for a submission whose attempts all printed the same, case by case.
///
/// Only cases count in which many answers are right: where there is one, everybody prints it.
pub(crate) fn same_answer(problem: &Problem, results: &[SubtaskResult]) -> Option<Flag> {
    let cases: Vec<(&CaseName, &Attempts)> = judged(problem, results)
        .filter(|(case, _)| !case.checker.needs_answer())
        .filter_map(|(case, result)| Some((&case.name, result.attempts.as_ref()?)))
        .collect();
    flag(&cases)
}

fn flag(cases: &[(&CaseName, &Attempts)]) -> Option<Flag> {
    let compared: Vec<_> = cases
        .iter()
        .filter(|(_, attempts)| attempts.accepted >= COMPARED)
        .collect();
    let apart = compared.iter().filter(|(_, it)| it.seconds >= 2).count();
    if apart < CASES || compared.iter().any(|(_, it)| it.outputs != 1) {
        return None;
    }
    let evidence = compared
        .iter()
        .map(|(name, attempts)| evidence(name, attempts))
        .collect();
    Some(Flag {
        code: "same-answer".to_owned(),
        message: Text::new(
            "the same output in every attempt: likely a closed form or a fixed seed",
            "每次运行的输出完全相同：很可能是构造公式，或固定了随机种子",
        ),
        evidence,
    })
}

fn evidence(name: &CaseName, attempts: &Attempts) -> FlagEvidence {
    let Attempts { made, seconds, .. } = attempts;
    let (en, zh) = if *seconds > 1 {
        (
            format!("in {seconds} different seconds"),
            format!("分布在 {seconds} 个不同的秒内"),
        )
    } else {
        (
            "all in the same second".to_owned(),
            "都在同一秒内".to_owned(),
        )
    };
    FlagEvidence {
        message: Text::new(
            format!("{name}: {made} attempts, {en}, 1 output"),
            format!("{name}：运行 {made} 次，{zh}，只有 1 种输出"),
        ),
        place: None,
        excerpt: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(accepted: u32, made: u32, outputs: u32, seconds: u32) -> Attempts {
        Attempts {
            runs: 12,
            at_least: Some(3),
            made,
            accepted,
            outputs,
            seconds,
        }
    }

    fn raised(cases: &[Attempts]) -> Option<Flag> {
        let names: Vec<CaseName> = (1..=cases.len())
            .map(|n| CaseName::new(format!("n={n}")))
            .collect();
        flag(&names.iter().zip(cases).collect::<Vec<_>>())
    }

    #[test]
    fn the_same_output_in_every_attempt_is_flagged_with_each_case() {
        let flag = raised(&[case(3, 3, 1, 3), case(3, 3, 1, 2), case(3, 3, 1, 1)]).unwrap();
        assert_eq!(flag.code, "same-answer");
        let evidence: Vec<(&str, &str)> = flag
            .evidence
            .iter()
            .map(|one| (one.message.en.as_str(), one.message.zh.as_str()))
            .collect();
        assert_eq!(
            evidence,
            [
                (
                    "n=1: 3 attempts, in 3 different seconds, 1 output",
                    "n=1：运行 3 次，分布在 3 个不同的秒内，只有 1 种输出"
                ),
                (
                    "n=2: 3 attempts, in 2 different seconds, 1 output",
                    "n=2：运行 3 次，分布在 2 个不同的秒内，只有 1 种输出"
                ),
                (
                    "n=3: 3 attempts, all in the same second, 1 output",
                    "n=3：运行 3 次，都在同一秒内，只有 1 种输出"
                ),
            ]
        );
    }

    #[test]
    fn one_case_that_varies_is_enough_to_be_honest() {
        let same = case(3, 3, 1, 3);
        assert_eq!(raised(&[same, same, case(3, 3, 2, 1)]), None);
        assert!(raised(&[same, same]).is_some());
    }

    #[test]
    fn what_was_accepted_too_rarely_or_within_one_second_says_nothing() {
        let same = case(3, 3, 1, 3);
        // A small board has few solutions: one case alone may be chance.
        assert_eq!(raised(&[same]), None);
        assert_eq!(raised(&[same, case(2, 12, 1, 8)]), None);
        assert_eq!(raised(&[same, case(3, 3, 1, 1)]), None);
        assert_eq!(raised(&[]), None);
        // Failures of a case that was not passed say nothing of its answers.
        assert!(raised(&[same, same, case(0, 10, 2, 1)]).is_some());
    }
}

//! Programs that are compared with the reference on inputs that no case has.

use std::slice;
use std::time::{Duration, Instant};

use grader_model::{CaseName, Verdict};
use grader_problem::{Case, ReferenceLimit, TimeRule};

use super::*;
use crate::Tried;

#[test]
fn the_reference_runs_once_for_each_input() {
    needs_compiler!();
    let absolute = |_: &mut Problem| ();
    let multiple = |problem: &mut Problem| {
        problem.limits.time = TimeRule::Reference(ReferenceLimit {
            factor: 100.0,
            case: None,
            at_least: None,
            at_most: None,
            slowest: false,
            round_up: None,
        });
    };
    for assignment in [doubling(absolute), doubling(multiple)] {
        let machine = Arc::<Machine>::default();
        let judge = Setup::new(&machine, None).judge();
        let entry = &assignment.problems[0];
        let known = &entry.problem.subtasks[0].cases[0];
        let case = |n: u32| Case {
            name: CaseName::new(format!("n = {n}")),
            arguments: vec![n.to_string()],
            ..known.clone()
        };
        let cases: Vec<_> = (7..=9).map(case).collect();
        let end = Instant::now() + Duration::from_secs(600);
        for (index, text, verdict) in [
            (0, "twice", Verdict::Accepted),
            (1, "thrice", Verdict::WrongAnswer),
        ] {
            let submission = submission(index, text);
            let compared = judge.compare(entry, &submission).unwrap();
            let compared = compared.ok().unwrap();
            for case in &cases {
                // One at a time: several might share a sandbox, which this test does not provide.
                let judged = compared.judge(slice::from_ref(case), end).unwrap();
                let [Tried::Judged(judged)] = &judged[..] else {
                    panic!("{judged:?}");
                };
                assert_eq!(judged.verdict, verdict);
            }
        }
        let mut log = machine.log();
        log.sort();
        assert_eq!(
            log,
            [
                "build s0",
                "build s1",
                "reference n=7",
                "reference n=8",
                "reference n=9",
                "s0 n=7",
                "s0 n=8",
                "s0 n=9",
                "s1 n=7",
                "s1 n=8",
                "s1 n=9",
            ]
        );
    }
}

//! Jobs that wait for the clock.

use grader_problem::AttemptRule;

use super::*;

#[test]
fn while_a_job_waits_for_another_second_other_cases_and_jobs_go_on() {
    needs_compiler!();
    let assignment = doubling(|problem| {
        problem.subtasks.truncate(1);
        problem.subtasks[0].attempts = Some(AttemptRule {
            runs: 12,
            at_least: Some(3),
        });
    });
    // The programs print the same output in each attempt, so three attempts take more than one second.
    let machine = Arc::<Machine>::default();
    let (heard, _) = Setup::new(&machine, None).grade(&assignment, &class(&["twice", "twice"]));
    assert_eq!(heard.verdicts(), ["AC 4", "AC 4"]);
    let cases = |student| [1, 2].map(|n| format!("case {student} n={n}"));
    for student in ["s0", "s1"] {
        let of_student = heard
            .events
            .iter()
            .filter(|it| it.starts_with("case") && it.contains(student));
        assert!(of_student.eq(&cases(student)), "{:?}", heard.events);
    }
    let log = machine.programs();
    let first = |line| log.iter().position(|it| it == line);
    let last = |line| log.iter().rposition(|it| it == line);
    assert!(first("s0 n=2") < last("s0 n=1"), "{log:?}");
    assert!(first("build s1") < last("s0 n=1"), "{log:?}");
}

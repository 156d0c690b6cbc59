use grader_model::{
    Change, CpuTime, Lang, Origin, Points, ProblemId, Results, RunInfo, StudentId, SubtaskResult,
};

use super::*;
use crate::json::write_value;
use crate::sample;
use crate::snapshots::{assert_kept, written};
use crate::style::Style;

fn run(id: u64, began: &str, mut results: Results) -> Results {
    results.run = Some(RunInfo {
        id,
        began: began.to_owned(),
    });
    results
}

fn before() -> Results {
    run(1, "2026-11-22T05:28:22Z", sample::results())
}

/// The class after a correction of one problem: points up and down, a fault repaired and a new one, one student new
/// and one gone, a problem more.
fn after() -> Results {
    let mut results = run(2, "2026-11-23T18:00:00Z", sample::results());
    let problems = &mut results.assignment.problems;
    problems[0].version = "a1".repeat(32);
    problems[0].points = Points::whole(36);
    let mut new = problems[4].clone();
    new.id = ProblemId::new("hanoi");
    problems.push(new);

    let mixed = &mut results.students[1];
    mixed.problems[0].points = Some(Points::from_thousandths(19_750));
    mixed.problems[0].origin = Some(Origin::Ran {
        because: vec![Change::Sources, Change::Judging],
    });
    let subtask = &mut mixed.problems[0].subtasks[1];
    subtask.points = Some(Points::from_thousandths(11_750));
    for case in subtask.cases_mut() {
        case.verdict = match case.verdict {
            Verdict::Accepted => Verdict::TimeLimit,
            _ => Verdict::Accepted,
        };
    }
    mixed.problems[4].points = Some(Points::whole(5));
    mixed.problems[4].verdict = Verdict::PartiallyCorrect;
    mixed.problems[4].origin = Some(Origin::Ran {
        because: vec![Change::Judging],
    });

    let broken = &mut results.students[2].problems[2];
    broken.points = None;
    broken.verdict = Verdict::JudgeError;

    let repaired = &mut results.students[3].problems[0];
    repaired.points = Some(Points::whole(35));
    repaired.verdict = Verdict::Accepted;
    repaired.origin = Some(Origin::Ran {
        because: vec![Change::Fault],
    });

    results.interrupted = true;
    let mut new = results.students[0].clone();
    new.id = StudentId::new("韩梅梅");
    results.students.push(new);
    results.students.remove(4);
    results
}

fn style(lang: Lang) -> Style {
    Style::of(lang)
}

#[test]
fn a_difference_is_shown_from_the_student_down_to_the_case() {
    let comparison = Comparison::of(&before(), &after(), Compared::Judged);
    let text = [Lang::En, Lang::Zh].map(|lang| diff(&comparison, &style(lang)));
    assert_kept("diff.txt", text.join("\n").as_bytes());
    assert_kept("diff.json", &written(|out| write_value(&comparison, out)));
}

#[test]
fn results_that_differ_only_in_times_do_not_differ() {
    let mut again = run(2, "2026-11-23T18:00:00Z", sample::results());
    for student in &mut again.students {
        for problem in &mut student.problems {
            problem.origin = Some(Origin::Reused { run: 1 });
            for case in problem
                .subtasks
                .iter_mut()
                .flat_map(SubtaskResult::cases_mut)
            {
                if let Some(outcome) = &mut case.outcome {
                    outcome.cpu = CpuTime::from_millis(1);
                }
            }
        }
    }
    let same = Comparison::of(&before(), &again, Compared::Judged);
    assert_eq!(
        diff(&same, &Style::default()),
        "n-queens
run 1 (2026-11-22 05:28:22 UTC) → run 2 (2026-11-23 18:00:00 UTC)
as judged, without late penalties and corrections

No result changed: 6 students.
"
    );
}

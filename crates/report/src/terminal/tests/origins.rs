use grader_model::{Change, Origin, Results, RunInfo};

use super::zh;
use crate::sample;
use crate::style::Style;
use crate::terminal::{class, student};

/// The class as run 7 of a ledger found it: the origins of all submissions in turn.
fn with_origins(origins: &[Origin]) -> Results {
    let mut results = sample::results();
    results.run = Some(RunInfo {
        id: 7,
        began: "2026-11-22T05:23:47Z".to_owned(),
    });
    let problems = results.students.iter_mut().flat_map(|it| &mut it.problems);
    let handed_in = problems.filter(|problem| !problem.files.is_empty());
    for (problem, origin) in handed_in.zip(origins.iter().cycle()) {
        problem.origin = Some(origin.clone());
    }
    results
}

fn ran(because: &[Change]) -> Origin {
    Origin::Ran {
        because: because.to_vec(),
    }
}

/// The line on origins, with the lines that belong to it.
fn line_after_statistics(page: &str) -> String {
    let (_, after) = page.split_once("full marks 1\n").unwrap();
    let (line, _) = after.split_once("\n\n").unwrap();
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn what_was_taken_is_told_with_the_runs_and_the_rest_with_the_reasons_the_most_frequent_first() {
    let results = with_origins(&[
        ran(&[Change::Fault]),
        Origin::Reused { run: 3 },
        Origin::Reused { run: 5 },
        ran(&[Change::Sources, Change::Toolchain]),
        Origin::Reused { run: 2 },
        ran(&[]),
        ran(&[Change::Sources, Change::Toolchain]),
    ]);
    let page = class(&results, &Style::default());
    assert!(
        page.contains("\nrun 7, begun 2026-11-22 05:23:47 UTC\n"),
        "{page}"
    );
    let all = results.students.iter().flat_map(|it| &it.problems);
    let all = all.filter(|problem| problem.origin.is_some()).count();
    assert_eq!(
        (all, line_after_statistics(&page).as_str()),
        (
            14,
            "6 of 14 submissions taken from runs 2, 3, 5; 8 judged: \
             4 another source and another compiler, 2 a fault before, 2 new"
        )
    );
}

#[test]
fn where_no_earlier_run_knew_any_submission_there_is_nothing_to_tell() {
    let page = class(&with_origins(&[ran(&[])]), &Style::default());
    assert!(page.contains("full marks 1\n\ncalibration"), "{page}");
}

#[test]
fn where_nothing_could_be_taken_the_reason_is_told() {
    let page = class(&with_origins(&[ran(&[Change::Grader])]), &Style::default());
    assert_eq!(
        line_after_statistics(&page),
        "none of 14 submissions taken from earlier runs; 14 judged: 14 another grader"
    );
}

#[test]
fn each_submission_of_a_student_says_where_its_result_comes_from() {
    let results = with_origins(&[
        Origin::Reused { run: 3 },
        Origin::Reused { run: 5 },
        ran(&[Change::Sources]),
        ran(&[]),
    ]);
    let lines = |style: &Style| {
        let page = student(&results.students[0], &results.assignment, style);
        let words = ["run 3", "run 5", "this run", "第 3", "第 5", "本次"];
        let lines = page
            .lines()
            .filter(|line| words.iter().any(|it| line.contains(it)));
        lines.take(3).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(
        lines(&Style::default()),
        [
            "  taken from run 3: nothing has changed since",
            "  taken from run 5: nothing has changed since",
            "  judged in this run: another source",
        ]
    );
    assert_eq!(
        lines(&zh()),
        [
            "  取自第 3 次评测：之后没有变化",
            "  取自第 5 次评测：之后没有变化",
            "  本次重新评测：源程序已改",
        ]
    );
}

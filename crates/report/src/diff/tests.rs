use grader_model::{
    Change, CpuTime, Lang, Limits, Origin, Points, ProblemId, Results, RunInfo, StudentId, Verdict,
};

use super::*;
use crate::hostile::{poisoned, uncoloured};
use crate::layout::width;
use crate::sample;
use crate::style::safe;

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
    for case in &mut subtask.cases {
        case.verdict = match case.verdict {
            Verdict::Accepted => Verdict::TimeLimit,
            _ => Verdict::Accepted,
        };
        case.limits = case.limits.map(|limits| Limits {
            cpu: CpuTime::from_millis(1200),
            ..limits
        });
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

    let mut new = results.students[0].clone();
    new.id = StudentId::new("韩梅梅");
    results.students.push(new);
    results.students.remove(4);
    results
}

fn zh() -> Style {
    Style {
        lang: Lang::Zh,
        ..Style::default()
    }
}

#[test]
fn what_changed_is_told_from_the_student_down_to_the_case() {
    assert_eq!(
        diff(&before(), &after()).text(&Style::default()),
        "n-queens
run 1 (2026-11-22 05:28:22 UTC) → run 2 (2026-11-23 18:00:00 UTC)

3 changed · 2 unchanged · 1 new · 1 gone · 1 result became a fault ·
1 result is no fault any more

Problems (2)
  count  judged by another version of the problem, worth 35 → 36
  hanoi  new

Changed (3)
  s02  16 → 19.75 (+3.75), bonus 0 → 5 (+5)
    count  16 PC → 19.75 PC (+3.75): source changed, problem changed
      medium  6 PC → 11.75 PC (+5.75)
        n=9   WA → AC, CPU limit 1 s → 1.2 s
        n=10  TLE → AC, CPU limit 1 s → 1.2 s
        n=11  AC → TLE, CPU limit 1 s → 1.2 s
    first-three  0 PE → 5 PC (+5): problem changed
  s03  0 → open
    polynomial  0 RE → open JE: a fault of the grader, not the student's
  s10  open → 35
    count  open JE → 35 AC: no longer a fault, another version of the problem

New (1)
  韩梅梅  100

Gone (1)
  s11  51
"
    );
}

#[test]
fn what_changed_is_told_in_chinese() {
    assert_eq!(
        diff(&before(), &after()).text(&zh()),
        "n-queens
第 1 次评测（2026-11-22 05:28:22 UTC） → 第 2 次评测（2026-11-23 18:00:00 UTC）

3 人有变化 · 2 人无变化 · 1 人新增 · 1 人消失 · 1 项变为评测故障 · 1 项不再是评
测故障

题目 (2)
  count  题目版本不同，满分 35 → 36
  hanoi  新增

有变化 (3)
  s02  16 → 19.75 (+3.75)，附加 0 → 5 (+5)
    count  16 PC → 19.75 PC (+3.75)：源程序已改，题目已改
      medium  6 PC → 11.75 PC (+5.75)
        n=9   WA → AC，CPU 限制 1 s → 1.2 s
        n=10  TLE → AC，CPU 限制 1 s → 1.2 s
        n=11  AC → TLE，CPU 限制 1 s → 1.2 s
    first-three  0 PE → 5 PC (+5)：题目已改
  s03  0 → 待定
    polynomial  0 RE → 待定 JE：评测故障，不是学生的错
  s10  待定 → 35
    count  待定 JE → 35 AC：不再是评测故障，题目版本不同

新增 (1)
  韩梅梅  100

消失 (1)
  s11  51
"
    );
}

#[test]
fn that_nothing_changed_is_said_plainly() {
    let mut again = run(2, "2026-11-23T18:00:00Z", sample::results());
    // Times are others in every run.
    for student in &mut again.students {
        for problem in &mut student.problems {
            problem.origin = Some(Origin::Reused { run: 1 });
            for case in problem.subtasks.iter_mut().flat_map(|it| &mut it.cases) {
                if let Some(outcome) = &mut case.outcome {
                    outcome.cpu = CpuTime::from_millis(1);
                }
            }
        }
    }
    let same = diff(&before(), &again);
    assert!(same.is_empty());
    assert_eq!(same.unchanged, 6);
    assert_eq!(
        same.text(&Style::default()),
        "n-queens
run 1 (2026-11-22 05:28:22 UTC) → run 2 (2026-11-23 18:00:00 UTC)

Nothing changed: 6 students, the same points and verdicts.
"
    );
    assert_eq!(
        same.text(&zh()),
        "n-queens
第 1 次评测（2026-11-22 05:28:22 UTC） → 第 2 次评测（2026-11-23 18:00:00 UTC）

没有变化：6 名学生，分数和判定都相同。
"
    );
}

#[test]
fn a_run_that_was_not_finished_and_one_of_no_ledger_say_so() {
    let (mut earlier, mut later) = (sample::results(), sample::results());
    earlier.run = None;
    later.run = None;
    later.interrupted = true;
    later.assignment.id = grader_model::AssignmentId::new("n-queens-2");
    assert_eq!(
        diff(&earlier, &later).text(&Style::default()),
        "n-queens → n-queens-2
the earlier run → the later run
the later run was not finished: some points are open

Nothing changed: 6 students, the same points and verdicts.
"
    );
}

#[test]
fn points_change_by_exact_signed_numbers() {
    let shown = |change: i64| PointsChange(change).to_string();
    assert_eq!(
        [3750, -2000, 0, 5, -5].map(shown),
        ["+3.75", "−2", "±0", "+0.005", "−0.005"]
    );
    let json = |change| serde_json::to_string(&PointsChange(change)).unwrap();
    assert_eq!(
        [3750, -2000, 0, -5].map(json),
        ["3.75", "-2", "0", "-0.005"]
    );
}

#[test]
fn a_difference_and_its_opposite_add_up_to_nothing() {
    let there = diff(&before(), &after());
    let back = diff(&after(), &before());
    let changes = |diff: &Diff| {
        let mut changes: Vec<(String, i64)> = diff
            .students
            .iter()
            .filter_map(|student| Some((student.id.clone(), student.points.change?.0)))
            .collect();
        changes.sort();
        changes
    };
    let opposite: Vec<(String, i64)> = changes(&back)
        .into_iter()
        .map(|(student, change)| (student, -change))
        .collect();
    assert_eq!(changes(&there), opposite);
    assert_eq!(there.unchanged, back.unchanged);
    assert!(diff(&after(), &after()).is_empty());
}

#[test]
fn the_json_has_every_key_and_keeps_to_its_schema() {
    let mut json = Vec::new();
    diff(&before(), &after()).write_json(&mut json).unwrap();
    let value: Value = serde_json::from_slice(&json).unwrap();
    let schema = jsonschema::validator_for(&Diff::schema()).unwrap();
    let errors: Vec<String> = schema
        .iter_errors(&value)
        .map(|error| error.to_string())
        .collect();
    assert!(errors.is_empty(), "{errors:?}");
    let student = &value["students"][0];
    assert_eq!(
        serde_json::to_string_pretty(&serde_json::json!({
            "format": value["format"],
            "before": value["before"],
            "after": value["after"],
            "unchanged": value["unchanged"],
            "problems": value["problems"],
            "first": {
                "id": student["id"],
                "presence": student["presence"],
                "points": student["points"],
                "bonus": student["bonus"],
                "last-problem": student["problems"][1],
            },
        }))
        .unwrap(),
        r#"{
  "after": {
    "assignment": "n-queens",
    "began": "2026-11-23T18:00:00Z",
    "interrupted": false,
    "run": 2
  },
  "before": {
    "assignment": "n-queens",
    "began": "2026-11-22T05:28:22Z",
    "interrupted": false,
    "run": 1
  },
  "first": {
    "bonus": {
      "after": 5,
      "before": 0,
      "change": 5
    },
    "id": "s02",
    "last-problem": {
      "became-fault": false,
      "because": [
        "judging"
      ],
      "id": "first-three",
      "other-version": false,
      "points": {
        "after": 5,
        "before": 0,
        "change": 5
      },
      "subtasks": [],
      "verdict": {
        "after": "PC",
        "before": "PE"
      },
      "was-fault": false
    },
    "points": {
      "after": 19.75,
      "before": 16,
      "change": 3.75
    },
    "presence": "both"
  },
  "format": "bitcraft-diff/1",
  "problems": [
    {
      "id": "count",
      "points-after": 36,
      "points-before": 35,
      "presence": "both"
    },
    {
      "id": "hanoi",
      "points-after": 10,
      "points-before": null,
      "presence": "new"
    }
  ],
  "unchanged": 2
}"#
    );
}

/// The same with nothing said of where results come from, whose words are ours.
fn unsaid(mut results: Results) -> Results {
    let students = results.students.iter_mut();
    for problem in students.flat_map(|student| &mut student.problems) {
        problem.origin = None;
    }
    results
}

#[test]
fn hostile_names_are_spelled_out_and_lines_keep_to_the_width() {
    for lang in [Lang::En, Lang::Zh] {
        for (color, width_of, unicode) in [(false, 80, true), (true, 40, true)] {
            let style = Style {
                color,
                lang,
                width: width_of,
                unicode,
            };
            for (before, after) in [
                (before(), after()),
                (poisoned(&unsaid(before())), poisoned(&unsaid(after()))),
            ] {
                let text = diff(&before, &after).text(&style);
                for line in uncoloured(&text).lines() {
                    assert_eq!(safe(line), line);
                    assert!(width(line) <= width_of, "{line}");
                }
            }
        }
    }
}

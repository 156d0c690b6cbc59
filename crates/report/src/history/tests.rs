use std::path::PathBuf;

use grader_model::{AssignmentId, Lang};

use super::*;

fn summary(id: u64, class: &str, state: RunState) -> RunSummary {
    RunSummary {
        id,
        began: format!("2026-11-22T05:2{id}:00Z"),
        ended: match state {
            RunState::Finished | RunState::Interrupted => Some("2026-11-22T06:00:07Z".to_owned()),
            RunState::Running | RunState::Killed => None,
        },
        state,
        class: PathBuf::from(class),
        assignment: AssignmentId::new("n-queens"),
        grader: "0.1.0".to_owned(),
        students: 500,
        judged: 0,
        reused: 0,
        faults: 0,
    }
}

fn runs() -> Vec<RunSummary> {
    let first = RunSummary {
        judged: 2400,
        faults: 2,
        ended: Some("2026-11-23T00:00:01Z".to_owned()),
        ..summary(1, "/home/teacher/class-a", RunState::Finished)
    };
    let second = RunSummary {
        judged: 2,
        reused: 2000,
        ..summary(3, "/home/teacher/class-a", RunState::Interrupted)
    };
    vec![
        first,
        summary(2, "/home/teacher/\u{1b}[2J李雷", RunState::Killed),
        second,
        summary(4, "/home/teacher/class-a", RunState::Running),
    ]
}

#[test]
fn runs_are_listed_by_class() {
    assert_eq!(
        history(&runs(), &Style::default()),
        "n-queens · /home/teacher/class-a
run  began (UTC)          state        students  judged  reused  faults
  1  2026-11-22 05:21:00  finished          500    2400       0       2
  3  2026-11-22 05:23:00  interrupted       500       2    2000       0
  4  2026-11-22 05:24:00  running           500       0       0       0

n-queens · /home/teacher/\\x1b[2J李雷
run  began (UTC)          ended  state   students  judged  reused  faults
  2  2026-11-22 05:22:00  —      killed       500       0       0       0
"
    );
}

#[test]
fn runs_are_listed_in_chinese() {
    let style = Style {
        lang: Lang::Zh,
        width: 100,
        ..Style::default()
    };
    assert_eq!(
        history(&runs(), &style),
        "n-queens · /home/teacher/class-a
次  开始（UTC）          结束                 状态    学生  评测  沿用  故障  版本
 1  2026-11-22 05:21:00  2026-11-23 00:00:01  完成     500  2400     0     2  0.1.0
 3  2026-11-22 05:23:00  06:00:07             已中断   500     2  2000     0  0.1.0
 4  2026-11-22 05:24:00  —                    进行中   500     0     0     0  0.1.0

n-queens · /home/teacher/\\x1b[2J李雷
次  开始（UTC）          结束  状态      学生  评测  沿用  故障  版本
 2  2026-11-22 05:22:00  —     异常终止   500     0     0     0  0.1.0
"
    );
}

#[test]
fn on_a_narrow_terminal_what_matters_least_is_left_out() {
    let style = Style {
        width: 50,
        ..Style::default()
    };
    assert_eq!(
        history(&runs(), &style),
        "n-queens · /home/teacher/class-a
run  began (UTC)          state        faults
  1  2026-11-22 05:21:00  finished          2
  3  2026-11-22 05:23:00  interrupted       0
  4  2026-11-22 05:24:00  running           0

n-queens · /home/teacher/\\x1b[2J李雷
run  began (UTC)          state   students  faults
  2  2026-11-22 05:22:00  killed       500       0
"
    );
    for width in 40..120 {
        let style = Style { width, ..style };
        for line in history(&runs(), &style).lines() {
            assert!(crate::layout::width(line) <= width, "{line}");
        }
    }
}

#[test]
fn a_ledger_without_runs_says_so() {
    assert_eq!(history(&[], &Style::default()), "No runs yet.\n");
}

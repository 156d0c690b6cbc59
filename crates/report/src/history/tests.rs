use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;

use grader_model::{AssignmentId, Lang};

use super::*;
use crate::json::write_value;
use crate::snapshots::{assert_kept, written};

const HOSTILE: &[u8] = b"/home/\x1b[2J\x1b]0;x\x07\r\n\t\0\"\\\xff\xc3/\xe2\x80\xae\xc2\x9b31m\xe2\x80\x8b=1+1 \xe6\x9d\x8e\xe9\x9b\xb7<b>";

fn summary(id: u64, state: RunState) -> RunSummary {
    RunSummary {
        shard: None,
        id,
        began: format!("2026-11-22T05:2{id}:00Z"),
        ended: None,
        state,
        class: PathBuf::from("/home/teacher/class-a"),
        assignment: AssignmentId::new("n-queens"),
        grader: "0.1.0".to_owned(),
        students: 500,
        judged: 2400,
        reused: 70,
        faults: 10,
    }
}

/// The runs of a ledger into which anybody may have written anything.
fn runs() -> [RunSummary; 4] {
    let hostile = String::from_utf8_lossy(HOSTILE).into_owned();
    [
        RunSummary {
            ended: Some("2026-11-22T06:00:07Z".to_owned()),
            ..summary(1, RunState::Finished)
        },
        RunSummary {
            began: hostile.clone(),
            ended: Some(hostile.clone()),
            class: PathBuf::from(OsStr::from_bytes(HOSTILE)),
            assignment: AssignmentId::new(hostile.clone()),
            grader: hostile,
            ..summary(2, RunState::Interrupted)
        },
        RunSummary {
            students: 0,
            judged: 0,
            reused: 0,
            faults: 0,
            ..summary(3, RunState::Killed)
        },
        summary(4, RunState::Running),
    ]
}

#[test]
fn runs_are_listed_by_class_and_every_line_can_be_printed() {
    let style = |lang| Style::of(lang);
    let hostile = String::from_utf8_lossy(HOSTILE).into_owned();
    let upgrades = [
        LedgerUpgrade {
            from: 5,
            to: 6,
            at: "2026-11-29T01:02:03Z".to_owned(),
            grader: "0.1.0".to_owned(),
            copy: "ledger.db.before-format-6".to_owned(),
        },
        LedgerUpgrade {
            from: 6,
            to: 7,
            at: hostile.clone(),
            grader: hostile.clone(),
            copy: hostile,
        },
    ];
    let json = written(|out| write_value(&History::of(&runs(), &upgrades), out));
    assert_kept("history.json", &json);
    let text = [Lang::En, Lang::Zh].map(|lang| history(&runs(), &upgrades, &style(lang)));
    assert_kept("history.txt", text.join("\n").as_bytes());
    for line in String::from_utf8(json)
        .unwrap()
        .lines()
        .chain(text[0].lines())
    {
        assert_eq!(safe(line), line);
    }
    assert_eq!(history(&[], &[], &Style::default()), "No runs yet.\n");
}

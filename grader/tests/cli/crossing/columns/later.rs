//! What is done with several runs.

use std::fs;

use serde_json::Value;

use super::reports::{between, json, last_cells};
use super::{Seen, Shown, grade, graded, held, in_document, number, plain, run, seen};
use crate::crossing::rows::Row;
use crate::harness::copy;

/// Who forgets a roster is told so, and with it everybody has the points of before.
pub(super) fn without_the_roster(row: &Row) -> Seen {
    if row.arguments.contains(&"--roster") {
        let ran = run(row, "grade class -a ./asg --quiet");
        if !ran.stderr.contains("grade again with `--roster FILE`") {
            return held(ran, false);
        }
    }
    grade(row)
}

/// Nobody's result has changed.
pub(super) fn replay(row: &Row) -> Seen {
    let ran = run(row, "replay class -a ./asg");
    let holds = ran.status == 0 && ran.stdout.contains("No result changed");
    held(ran, holds)
}

/// A sheet for points by hand that comes back as it was written changes nothing.
pub(super) fn sheet_and_back(row: &Row) -> Seen {
    let sheet = run(row, "correct class --sheet -");
    if sheet.status == 0 {
        fs::write(row.room.path("sheet.csv"), &sheet.stdout).unwrap();
        let back = run(row, "correct class --from sheet.csv");
        if !back.stderr.starts_with("0 new corrections") {
            return held(back, false);
        }
    } else if !sheet.stderr.contains("no points by hand to fill in") {
        return held(sheet, false);
    }
    json(row)
}

pub(super) fn merge(row: &Row) -> Seen {
    for number in ["1", "2"] {
        let (shard, ledger) = (format!("{number}/2"), format!("{number}.db"));
        let ran = graded(row, &["--shard", &shard, "--ledger", &ledger]);
        if ![0, 3].contains(&ran.status) {
            return seen(ran, Shown::new());
        }
    }
    let merged = run(row, "merge 1.db 2.db -o whole.db");
    if merged.status != 0 {
        return seen(merged, Shown::new());
    }
    let ran = run(row, "report --ledger whole.db --json -");
    in_document(ran)
}

/// The percentages of a course of one class, as points.
pub(super) fn term(row: &Row) -> Seen {
    let course = "format = 1\n[[part]]\nname = \"All\"\nweight = 100\nclasses = [\"class\"]\n";
    fs::write(row.room.path("course.toml"), course).unwrap();
    let ran = run(row, "report course.toml");
    let points = |percent: String| match percent.parse::<f64>() {
        Ok(percent) => format!("{}", (percent * f64::from(row.max)).round() / 100.0),
        Err(_) => percent,
    };
    let all = last_cells(&ran.stdout, "  ").into_iter();
    let all = all.map(|(id, percent)| (id, points(percent))).collect();
    seen(ran, all)
}

/// The package of the problem is a problem that gives everybody the same points.
pub(super) fn import_back(row: &Row) -> Seen {
    for line in [
        "bundle -a ./asg/twice --icpc -o packages/twice",
        "import packages/twice -o back/twice",
    ] {
        let ran = run(row, line);
        if ran.status != 0 {
            return seen(ran, Shown::new());
        }
    }
    let assignment = row.room.path("asg/assignment.toml");
    fs::copy(assignment, row.room.path("back/assignment.toml")).unwrap();
    let begin = "grade class -a ./back --quiet --ledger back.db --json -";
    let line: Vec<&str> = begin.split(' ').collect();
    let ran = row.room.run(&[&line[..], row.arguments].concat());
    in_document(ran)
}

/// Bob hands in what Ada has: only his points as judged change.
pub(super) fn diff(row: &Row) -> Seen {
    for folder in ["bob", "asg-cs-bob"].map(|it| row.room.path(&format!("class/{it}"))) {
        if folder.is_dir() {
            copy(&row.room.path("work/ada"), &folder);
            graded(row, &[]);
        }
    }
    let ran = run(row, "diff class --json diff.json");
    let text = fs::read_to_string(row.room.path("diff.json")).unwrap_or_default();
    let compared: Value = serde_json::from_str(&text).unwrap_or_default();
    let changed = compared["students"].as_array().cloned().unwrap_or_default();
    let points = changed.iter().filter_map(|it| {
        let points = number(&it["points"]["after"], &it["bonus"]["after"]);
        Some((it["id"].as_str()?.to_owned(), points))
    });
    let points = points.collect();
    // The text says the same.
    let unchanged = format!("Unchanged ({})", compared["unchanged"]);
    let says_so = if changed.is_empty() {
        ran.stdout.contains("No result changed")
    } else {
        ran.stdout.contains(&unchanged)
    };
    Seen {
        tells_open: false,
        ..seen(ran, if says_so { points } else { Shown::new() })
    }
}

/// The same, with late penalties and corrections.
pub(super) fn against(row: &Row) -> Seen {
    let text = fs::read_to_string(row.room.path("diff.json")).unwrap_or_default();
    let compared: Value = serde_json::from_str(&text).unwrap_or_default();
    let before = &compared["before"]["run"];
    let ran = run(
        row,
        &format!("report class --against {before} --html changed"),
    );
    let page = fs::read_to_string(row.room.path("changed/index.html")).unwrap_or_default();
    let pair = |text: &str| {
        let id = between(text, "<a href=\"staff/", ".html")?;
        let total = between(text, "<td class=\"total\">", "<")?;
        let is_changed = text.contains("<td class=\"changed\"");
        is_changed.then(|| (id.to_owned(), plain(total)))
    };
    let rows = page.split("<tr data-row=").skip(1);
    let points = rows.filter_map(pair).collect();
    seen(ran, points)
}

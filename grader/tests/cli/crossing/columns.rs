//! What is done with a class.

mod later;
mod programs;
mod reports;

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;

use super::rows::Row;
use crate::harness::Ran;

/// The points of students by their ids, as text.
type Shown = BTreeMap<String, String>;

/// What a column shows of a row.
pub(crate) struct Seen {
    pub(crate) status: i32,
    /// Whether all is well, if the column shows nobody's points.
    pub(crate) holds: Option<bool>,
    /// Whether its exit status tells that points are open.
    pub(crate) tells_open: bool,
    pub(crate) points: Shown,
    pub(crate) said: String,
}

/// A column, and what shows it.
type Column = (&'static str, fn(&Row) -> Seen);

/// The columns in their order: the first fills the ledger.
pub(crate) const COLUMNS: &[Column] = &[
    ("grade", grade),
    ("grade again", grade),
    ("grade after a change", grade_after_a_change),
    ("grade without the roster", later::without_the_roster),
    ("check", programs::check),
    ("verify", programs::verify),
    ("stress", programs::stress),
    ("stress --json", programs::stress_json),
    ("audit", programs::audit),
    ("audit --json", programs::audit_json),
    ("bundle, then test", programs::bundle_then_test),
    ("test --json", programs::test_json),
    ("table", reports::table),
    ("json", reports::json),
    ("csv", reports::csv),
    ("markdown", reports::markdown),
    ("junit", reports::junit),
    ("page of the class", reports::class_page),
    ("pages of students", reports::student_pages),
    ("github", reports::github),
    ("gradescope", reports::gradescope),
    ("classroom50", reports::classroom50),
    ("feedback", reports::feedback),
    ("gradebook", reports::gradebook),
    ("sheet and back", later::sheet_and_back),
    ("replay", later::replay),
    ("merge of two shards", later::merge),
    ("term", later::term),
    ("bundle --icpc, then import", later::import_back),
    // Bob hands in what Ada has. After this, the points of the row are no longer those of the class.
    ("diff", later::diff),
    ("report --against", later::against),
];

fn run(row: &Row, line: &str) -> Ran {
    row.room.run(&line.split(' ').collect::<Vec<_>>())
}

fn seen(ran: Ran, points: Shown) -> Seen {
    Seen {
        status: ran.status,
        holds: None,
        tells_open: true,
        points,
        said: ran.stdout + &ran.stderr,
    }
}

/// A command that shows nobody's points.
fn held(ran: Ran, holds: bool) -> Seen {
    Seen {
        holds: Some(holds),
        ..seen(ran, Shown::new())
    }
}

/// Points as the row has them: formats differ in how they say that there are none, and escape signs.
fn plain(text: &str) -> String {
    let text = text.replace("&#46;", ".").replace("&#63;", "?");
    let text = text.replace("&#43;", "+").replace(' ', "");
    match text.as_str() {
        _ if text.ends_with('?') || text.starts_with("notscoredyet") => "?".to_owned(),
        _ if text.starts_with("excused") => "EX".to_owned(),
        _ => text,
    }
}

fn graded(row: &Row, more: &[&str]) -> Ran {
    let begin = ["grade", "class", "-a", "./asg", "--quiet"];
    row.room.run(&[&begin[..], row.arguments, more].concat())
}

/// The points in a JSON report.
fn in_json(results: &str) -> Shown {
    let results: Value = serde_json::from_str(results).unwrap_or_default();
    let students = results["students"].as_array().cloned().unwrap_or_default();
    let pair = |student: &Value| {
        let problem = &student["problems"][0];
        let adjustments = problem["adjustments"].as_array();
        let is_excused =
            adjustments.is_some_and(|all| all.iter().any(|it| it["kind"] == "excused"));
        let points = if is_excused && student["points"].is_null() {
            "EX".to_owned()
        } else {
            number(&student["points"], &student["bonus"])
        };
        Some((student["id"].as_str()?.to_owned(), points))
    };
    students.iter().filter_map(pair).collect()
}

/// Points and those of a bonus, as rows have them.
fn number(points: &Value, bonus: &Value) -> String {
    match points {
        Value::Null => "?".to_owned(),
        _ if bonus == 0 => points.to_string(),
        _ => format!("{points}+{bonus}"),
    }
}

/// What a command writes as JSON: its points, and not its text.
fn in_document(ran: Ran) -> Seen {
    let points = in_json(&ran.stdout);
    seen(
        Ran {
            stdout: String::new(),
            ..ran
        },
        points,
    )
}

fn grade(row: &Row) -> Seen {
    let ran = graded(row, &["--json", "-"]);
    in_document(ran)
}

/// One submission changes in nothing that matters, so that only it is judged again.
fn grade_after_a_change(row: &Row) -> Seen {
    for path in ["cy", "asg-cs-cy"].map(|it| row.room.path(&format!("class/{it}/{}", row.file))) {
        if let Ok(text) = fs::read_to_string(&path) {
            fs::write(&path, text + "\n").unwrap();
        }
    }
    grade(row)
}

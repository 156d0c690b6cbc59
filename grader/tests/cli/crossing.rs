//! Two features at once: a row is something that a problem or a class can have, a column is something that is done with it. The points
//! of a row are the same in every column, or the cell says what holds instead, and why.

mod columns;
mod rows;

use columns::{COLUMNS, Seen};
use rows::{Row, THEMES};

use crate::harness::have;

/// What a cell of the table holds.
enum Cell {
    /// The column shows the points of the row, and all is well.
    Same,
    /// Exit status, and a sentence that is printed. No points are compared.
    Says(i32, &'static str),
    /// The points that this column shows, in the order of the row's students.
    Shows(i32, &'static [&'static str]),
}

use Cell::{Same, Says, Shows};

const INTERACTIVE: &str = "`twice` is interactive: there are no inputs to search";
const NO_PROGRAM: &str = "`twice` takes output files: there are no programs to search";
const NO_OUTPUTS: &str = "cannot export `twice`: problems that take output files are not supported";
const ONLY_TESTS: &str = "`twice` takes tests: there are no programs to search";
const NO_TESTS: &str = "cannot export `twice`: problems that take tests are not supported";
const NO_REFERENCE: &str = "`twice` has no reference here to compare with";
const NO_PUBLIC: &str = "no case is public: there is nothing that students could test";
const NO_TEXTS: &str = "cannot export `twice`: the checker `contains` is not supported";
const NO_ENDS: &str =
    "cannot export `twice`: problems with `exit-status` or `stderr` are not supported";
const NOT_EXPORTED: &str = "cannot export `twice`: problems with `include` are not supported";
const BACK: &str = "bundle --icpc, then import";
const GONE: &str = "`class` does not exist";
const SEVERAL: &str = "`class` was graded by several assignments: name a run of the one you mean: `--run 1` (`other`), ";
const MISSING: &str = "remarks of a linter that is missing";
const OPEN: &str = "3 submissions are not scored yet: ada twice, bob twice, cy twice";
const ALL_OPEN: &[&str] = &["?", "?", "?", "0"];
const WITHHELD: &str = "no points are written: 1 submission is not scored yet: bob twice";

/// The cells in which not the same holds: row, column, cell.
const UNLIKE: &[(&str, &str, Cell)] = &[
    ("interactor", "stress", Says(2, INTERACTIVE)),
    ("interactor", "stress --json", Says(1, "no document")),
    ("interactor", "audit", Says(0, INTERACTIVE)),
    ("interactor", "audit --json", Says(0, INTERACTIVE)),
    ("unit tests in process", "stress", Says(2, NO_REFERENCE)),
    (
        "unit tests in process",
        "stress --json",
        Says(1, "no document"),
    ),
    ("unit tests in process", "audit", Says(0, NO_REFERENCE)),
    (
        "unit tests in process",
        "audit --json",
        Says(0, NO_REFERENCE),
    ),
    ("output files", "stress", Says(2, NO_PROGRAM)),
    ("output files", "stress --json", Says(1, "no document")),
    ("output files", "audit", Says(0, NO_PROGRAM)),
    ("output files", "audit --json", Says(0, NO_PROGRAM)),
    ("students' tests", "stress", Says(2, ONLY_TESTS)),
    ("students' tests", "stress --json", Says(1, "no document")),
    ("students' tests", "audit", Says(0, ONLY_TESTS)),
    ("students' tests", "audit --json", Says(0, ONLY_TESTS)),
    ("students' unit tests", "stress", Says(2, NO_REFERENCE)),
    (
        "students' unit tests",
        "stress --json",
        Says(1, "no document"),
    ),
    ("students' unit tests", "audit", Says(0, NO_REFERENCE)),
    (
        "students' unit tests",
        "audit --json",
        Says(0, NO_REFERENCE),
    ),
    // Nobody gets the wrong programs.
    ("students' tests", "bundle, then test", Says(2, NO_PUBLIC)),
    ("students' tests", "test --json", Says(1, "no document")),
    (
        "students' unit tests",
        "bundle, then test",
        Says(2, NO_PUBLIC),
    ),
    (
        "students' unit tests",
        "test --json",
        Says(1, "no document"),
    ),
    ("unit tests apart", "stress", Says(2, INTERACTIVE)),
    ("unit tests apart", "stress --json", Says(1, "no document")),
    ("unit tests apart", "audit", Says(0, INTERACTIVE)),
    ("unit tests apart", "audit --json", Says(0, INTERACTIVE)),
    ("package of Hydro", "stress", Says(2, NO_REFERENCE)),
    ("package of Hydro", "stress --json", Says(1, "no document")),
    ("package of Hydro", "audit", Says(0, NO_REFERENCE)),
    ("package of Hydro", "audit --json", Says(0, NO_REFERENCE)),
    ("folder of pairs", "stress", Says(2, NO_REFERENCE)),
    ("folder of pairs", "stress --json", Says(1, "no document")),
    ("folder of pairs", "audit", Says(0, NO_REFERENCE)),
    ("folder of pairs", "audit --json", Says(0, NO_REFERENCE)),
    ("package of Hydro", "bundle, then test", Says(2, NO_PUBLIC)),
    ("package of Hydro", "test --json", Says(1, "no document")),
    // The total is without the bonus, which has a column of its own, the last one of a table, or a sentence of its own.
    ("bonus only", "table", Shows(0, BONUS)),
    ("bonus only", "markdown", Shows(0, BONUS)),
    ("bonus only", "junit", Shows(0, BONUS)),
    ("bonus only", "page of the class", Shows(0, NOTHING)),
    ("bonus only", "pages of students", Shows(0, NOTHING)),
    ("bonus only", "gradescope", Shows(0, NOTHING)),
    ("bonus only", "classroom50", Shows(0, NOTHING)),
    ("bonus only", "feedback", Shows(0, NOTHING)),
    (
        "bonus only",
        "diff",
        Shows(0, &["nothing", "0+10", "nothing", "nothing"]),
    ),
    (
        "bonus only",
        "report --against",
        Shows(0, &["nothing", "0", "nothing", "nothing"]),
    ),
    // A column of a gradebook has both.
    ("bonus only", "gradebook", Shows(0, BONUS)),
    ("bonus only", "term", Shows(0, &["EX", "EX", "EX", "EX"])),
    (
        "points by hand, missing",
        "classroom50",
        Says(3, "no points are written"),
    ),
    (
        "remarks of a linter that is missing",
        "classroom50",
        Says(3, "no points are written"),
    ),
    // Points by hand are no part of what is judged.
    ("points by hand, missing", "diff", Shows(0, BOB_OPEN)),
    (
        "points by hand, missing",
        "report --against",
        Shows(0, BOB_OPEN),
    ),
    ("points by hand", "diff", Shows(0, BOB_OPEN)),
    (
        "points by hand",
        "report --against",
        Shows(0, &["nothing", "12", "nothing", "nothing"]),
    ),
    // An excuse has no points.
    ("excuse", "classroom50", Shows(0, &["10", "?", "10", "0"])),
    // What was judged has changed, and nothing else.
    (
        "excuse",
        "report --against",
        Shows(0, &["nothing", "EX", "nothing", "nothing"]),
    ),
    // Points that were given when nothing was judged are for whatever is handed in, and the report says that they take some away.
    (
        "not judged, then 0 by hand",
        "report --against",
        Shows(0, &["nothing", "0", "nothing", "nothing"]),
    ),
    // What he handed in first counts, as before.
    ("best attempt", "report --against", Shows(0, NOBODY)),
    // The program of Cy fails a case, if only for nothing, so it is none of those that are looked into.
    (
        "subtask worth 0 that fails",
        "audit",
        Says(0, "0 of 1 accepted program found wrong"),
    ),
    (
        "subtask worth 0 that fails",
        "audit --json",
        Says(0, "\"outcome\":\"right\""),
    ),
    // He is late.
    (
        "deadline",
        "report --against",
        Shows(0, &["nothing", "9", "nothing", "nothing"]),
    ),
    ("two files for one problem", "csv", Says(3, WITHHELD)),
    ("two files for one problem", "gradebook", Says(3, WITHHELD)),
    (
        "two mains, and nothing says which",
        "csv",
        Says(3, WITHHELD),
    ),
    (
        "two mains, and nothing says which",
        "gradebook",
        Says(3, WITHHELD),
    ),
    ("program in two languages", "csv", Says(3, WITHHELD)),
    ("program in two languages", "gradebook", Says(3, WITHHELD)),
    // One program more says nothing about the others.
    ("program in two languages", "diff", Shows(0, NOBODY)),
    (
        "program in two languages",
        "report --against",
        Shows(3, NOBODY),
    ),
    // The format has no points that these need, or nothing for them at all.
    ("output files", BACK, Says(2, NO_OUTPUTS)),
    ("students' tests", BACK, Says(2, NO_TESTS)),
    ("students' unit tests", BACK, Says(2, NOT_EXPORTED)),
    ("texts and patterns", BACK, Says(2, NO_TEXTS)),
    ("dialogue", BACK, Says(2, NO_TEXTS)),
    (
        "second run",
        BACK,
        Says(2, "problems with `[second-run]` are not supported"),
    ),
    (
        "values of their own",
        BACK,
        Says(2, "problems with `[student]` are not supported"),
    ),
    ("exit status and standard error", BACK, Says(2, NO_ENDS)),
    ("unit tests in process", BACK, Says(2, NOT_EXPORTED)),
    ("unit tests apart", BACK, Says(2, NOT_EXPORTED)),
    ("included main", BACK, Says(2, NOT_EXPORTED)),
    ("built by a command", BACK, Says(2, NOT_EXPORTED)),
    ("included header copied", BACK, Says(2, NOT_EXPORTED)),
    (
        "passes",
        BACK,
        Says(2, "problems with several passes need `--icpc=2025-09`"),
    ),
    ("attempts", BACK, Says(2, "its subtasks make 1")),
    (
        "points by hand, missing",
        BACK,
        Says(2, "its subtasks make 1"),
    ),
    ("points by hand", BACK, Says(2, "its subtasks make 1")),
    ("remarks of a linter", BACK, Says(2, "its subtasks make 1")),
    // Nobody loses points, and nothing else is unlike.
    (MISSING, "verify", Says(3, "not installed: no-linter")),
    (MISSING, "audit", Says(0, "0 of 0 accepted programs")),
    (MISSING, "audit --json", Says(0, "\"programs\":[]")),
    (
        MISSING,
        "bundle, then test",
        Says(0, "not installed: no-linter"),
    ),
    (MISSING, "csv", Says(3, OPEN)),
    (MISSING, "gradebook", Says(3, OPEN)),
    (MISSING, "gradescope", Shows(3, ALL_OPEN)),
    (MISSING, "replay", Says(3, "asg")),
    (MISSING, BACK, Says(2, "its subtasks make 1")),
    (MISSING, "diff", Shows(0, BOB_OPEN)),
    (MISSING, "report --against", Shows(3, BOB_OPEN)),
    ("class that is gone", "grade", Says(2, GONE)),
    ("class that is gone", BACK, Says(2, GONE)),
    ("class that is gone", "grade again", Says(2, GONE)),
    ("class that is gone", "grade after a change", Says(2, GONE)),
    (
        "class that is gone",
        "grade without the roster",
        Says(2, GONE),
    ),
    ("class that is gone", "merge of two shards", Says(2, GONE)),
    // Nobody can hand in anything.
    ("class that is gone", "diff", Shows(0, NOBODY)),
    ("class that is gone", "report --against", Shows(0, NOBODY)),
    // New ledgers do not know the earlier name of the class, which the correction has.
    (
        "class that was renamed",
        BACK,
        Shows(3, &["10", "?", "10", "0"]),
    ),
    (
        "class that was renamed",
        "merge of two shards",
        Shows(3, &["10", "?", "10", "0"]),
    ),
    ("two assignments of one class", "csv", Says(2, SEVERAL)),
    (
        "two assignments of one class",
        "gradescope",
        Says(2, SEVERAL),
    ),
    (
        "two assignments of one class",
        "classroom50",
        Says(2, SEVERAL),
    ),
    ("two assignments of one class", "feedback", Says(2, SEVERAL)),
    (
        "two assignments of one class",
        "gradebook",
        Says(2, SEVERAL),
    ),
    (
        "two assignments of one class",
        "sheet and back",
        Says(2, SEVERAL),
    ),
    (
        "two assignments of one class",
        "term",
        Says(2, "a course does not say which it means: `other`, `asg`"),
    ),
    // They have no earlier attempt.
    ("best attempt", BACK, Shows(0, &["10", "5", "10", "0"])),
    (
        "best attempt",
        "merge of two shards",
        Shows(0, &["10", "5", "10", "0"]),
    ),
];

/// The bonus points of each student.
const BONUS: &[&str] = &["10", "5", "10", "0"];
const NOTHING: &[&str] = &["0", "0", "0", "0"];

/// In columns that show who has changed, it is Bob.
const BOB: Cell = Shows(0, &["nothing", "10", "nothing", "nothing"]);
const BOB_OPEN: &[&str] = &["nothing", "?", "nothing", "nothing"];
const NOBODY: &[&str] = &["nothing", "nothing", "nothing", "nothing"];
const CHANGES: &[&str] = &["diff", "report --against"];

fn cell(row: &str, column: &str) -> &'static Cell {
    let found = UNLIKE.iter().find(|it| (it.0, it.1) == (row, column));
    let usual = if CHANGES.contains(&column) {
        &BOB
    } else {
        &Same
    };
    found.map_or(usual, |(_, _, cell)| cell)
}

/// How what was seen differs from the cell; `None` if it does not.
fn difference(row: &Row, cell: &Cell, seen: &Seen) -> Option<String> {
    let of_row: Vec<&str> = row.points.iter().map(|(_, points)| *points).collect();
    let usual = if seen.tells_open { row.status } else { 0 };
    let (status, points) = match cell {
        Says(status, sentence) => {
            // Messages are wrapped at the width of the terminal.
            let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            let holds = words(&seen.said).contains(&words(sentence)) && seen.status == *status;
            return (!holds).then(|| format!("exit {}: {}", seen.status, seen.said));
        }
        Same => (usual, of_row),
        Shows(status, points) => (*status, points.to_vec()),
    };
    if let Some(holds) = seen.holds {
        return (!holds).then(|| format!("exit {}: {}", seen.status, seen.said));
    }
    let mut wrong = Vec::new();
    for ((student, _), points) in row.points.iter().zip(points) {
        let found = seen.points.get(*student).map_or("nothing", String::as_str);
        // Tables of numbers have an empty cell.
        if found != points && !(found.is_empty() && ["?", "EX"].contains(&points)) {
            wrong.push(format!("{student} has {found} instead of {points}"));
        }
    }
    if seen.status != status {
        wrong.push(format!("exit {} instead of {status}", seen.status));
    }
    (!wrong.is_empty()).then(|| format!("{}\n{}", wrong.join(", "), seen.said))
}

/// Does everything with the rows of a theme, or with those that a variable names.
fn hold(rows: fn() -> Vec<Row>) {
    if !have(&["python3"]) {
        return;
    }
    let only = std::env::var("BITCRAFT_CROSSING").unwrap_or_default();
    let mut wrong = 0;
    for row in rows().iter().filter(|it| it.name.contains(&only)) {
        (row.before)(&row.room);
        for (column, show) in COLUMNS {
            if let Some(difference) = difference(row, cell(row.name, column), &show(row)) {
                eprintln!("== {} × {column}: {difference}", row.name);
                wrong += 1;
            }
        }
    }
    assert_eq!(wrong, 0, "cells are wrong");
}

#[test]
fn what_a_problem_has_holds_whatever_is_done_with_it() {
    hold(THEMES[0]);
}

#[test]
fn what_people_decide_holds_whatever_is_done_with_it() {
    hold(THEMES[1]);
}

#[test]
fn what_a_class_is_holds_whatever_is_done_with_it() {
    hold(THEMES[2]);
}

#[test]
fn what_students_hand_in_holds_whatever_is_done_with_it() {
    hold(THEMES[3]);
}

#[test]
fn what_a_package_has_holds_whatever_is_done_with_it() {
    hold(THEMES[4]);
}

#[test]
fn every_cell_that_is_unlike_belongs_to_a_row_and_a_column() {
    let rows: Vec<Row> = THEMES.iter().flat_map(|rows| rows()).collect();
    for (row, column, _) in UNLIKE {
        assert!(rows.iter().any(|it| it.name == *row), "{row}");
        assert!(COLUMNS.iter().any(|it| it.0 == *column), "{column}");
    }
}

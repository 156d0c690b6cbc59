//! Two features at once: a row is something that a problem or a class can have, a column is something that is done with it. The points
//! of a row are the same in every column, or the cell says what holds instead, and why.

mod columns;
mod rows;

use std::fmt::Write as _;

use columns::{COLUMNS, Seen};
use rows::{Row, rows};

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
const NO_REFERENCE: &str = "`twice` has no reference here to compare with";
const WITHHELD: &str = "no points are written: 1 submission is not scored yet: bob twice";

/// The cells in which not the same holds: row, column, cell.
const UNLIKE: &[(&str, &str, Cell)] = &[
    ("interactor", "stress", Says(2, INTERACTIVE)),
    ("interactor", "audit", Says(0, INTERACTIVE)),
    ("unit tests in process", "stress", Says(2, NO_REFERENCE)),
    ("unit tests in process", "audit", Says(0, NO_REFERENCE)),
    ("unit tests apart", "stress", Says(2, INTERACTIVE)),
    ("unit tests apart", "audit", Says(0, INTERACTIVE)),
    // The total is without the bonus, which has a column of its own, the last one of a table, or a sentence of its own.
    ("bonus only", "table", Shows(0, BONUS)),
    ("bonus only", "markdown", Shows(0, BONUS)),
    ("bonus only", "junit", Shows(0, BONUS)),
    ("bonus only", "page of the class", Shows(0, NOTHING)),
    ("bonus only", "pages of students", Shows(0, NOTHING)),
    ("bonus only", "gradescope", Shows(0, NOTHING)),
    ("bonus only", "feedback", Shows(0, NOTHING)),
    // A column of a gradebook has both.
    ("bonus only", "gradebook", Shows(0, BONUS)),
    ("bonus only", "term", Shows(0, &["EX", "EX", "EX", "EX"])),
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
    // The shards' ledgers are new, and have no earlier attempt.
    (
        "best attempt",
        "merge of two shards",
        Shows(0, &["10", "5", "10", "0"]),
    ),
];

/// The bonus points of each student.
const BONUS: &[&str] = &["10", "5", "10", "0"];
const NOTHING: &[&str] = &["0", "0", "0", "0"];

fn cell(row: &str, column: &str) -> &'static Cell {
    let found = UNLIKE.iter().find(|it| (it.0, it.1) == (row, column));
    found.map_or(&Same, |(_, _, cell)| cell)
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

#[test]
fn every_feature_holds_whatever_is_done_with_it() {
    if !have(&["python3"]) {
        return;
    }
    let only = std::env::var("BITCRAFT_CROSSING").unwrap_or_default();
    let mut wrong = String::new();
    for row in rows().iter().filter(|it| it.name.contains(&only)) {
        (row.before)(&row.room);
        for (column, show) in COLUMNS {
            if let Some(difference) = difference(row, cell(row.name, column), &show(row)) {
                let _ = writeln!(wrong, "== {} × {column}: {difference}", row.name);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn every_cell_that_is_unlike_belongs_to_a_row_and_a_column() {
    let rows = rows();
    for (row, column, _) in UNLIKE {
        assert!(rows.iter().any(|it| it.name == *row), "{row}");
        assert!(COLUMNS.iter().any(|it| it.0 == *column), "{column}");
    }
}

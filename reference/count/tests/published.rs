//! The table against the published rows, which are in `tests/published.txt` and not in the program.

mod common;

use std::fs;
use std::io::Write;
use std::process::Command;

use common::count;
use reference_count::fundamental::from_all;
use reference_count::table::published;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/published.txt");

#[test]
fn the_table_has_both_numbers_and_the_growth_of_each_row() {
    let table = " n  fundamental        all  growth\n \
         1            1          1       -\n \
         2            0          0    0.00\n \
         3            0          0       -\n \
         4            1          2       -\n \
         5            2         10    5.00\n \
         6            1          4    0.40\n \
         7            6         40   10.00\n \
         8           12         92    2.30\n \
         9           46        352    3.83\n\
         10           92        724    2.06\n\
         11          341       2680    3.70\n\
         12         1787      14200    5.30\n";
    assert_eq!(count(&["table", "1..12"]).unwrap(), table);
    assert_eq!(
        count(&["table", "1..=12", "--threads", "2"]).unwrap(),
        table
    );
    assert_eq!(
        count(&["table", "1..12", "--method", "bitmask", "--verify", FILE]).unwrap(),
        table
    );
}

#[test]
fn a_table_may_begin_at_any_row() {
    assert_eq!(
        count(&["table", "8..9"]).unwrap(),
        " n  fundamental      all  growth\n \
         8           12       92       -\n \
         9           46      352    3.83\n"
    );
}

#[test]
fn rows_that_are_the_published_ones_are_said_to_be() {
    let output = Command::new(env!("CARGO_BIN_EXE_count"))
        .args(["table", "4..5", "--verify", FILE])
        .output()
        .unwrap();
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        format!("count: 2 rows compared, all are those in `{FILE}`\n")
    );
    assert!(output.status.success());
}

#[test]
fn a_row_that_differs_ends_the_table_with_status_one() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(b"4 1 2\n5 2 11\n6 1 4\n").unwrap();
    let path = file.path().to_str().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_count"))
        .args(["table", "4..6", "--verify", path])
        .output()
        .unwrap();
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        " n  fundamental    all  growth\n \
         4            1      2       -\n \
         5            2     10    5.00\n"
    );
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        format!(
            "count: computed is n = 5: 2 fundamental, 10 in all; \
             `{path}` says n = 5: 2 fundamental, 11 in all\n"
        )
    );
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_file_without_the_rows_is_refused_before_anything_is_counted() {
    for (arguments, message) in [
        (
            ["table", "26..28", "--verify", FILE],
            format!("cannot use the published rows in `{FILE}`: there is no row for n = 28"),
        ),
        (
            ["table", "26..27", "--verify", "/nonexistent/rows"],
            "cannot use the published rows in `/nonexistent/rows`: \
             No such file or directory (os error 2)"
                .to_owned(),
        ),
    ] {
        let error = count(&arguments).unwrap_err();
        assert_eq!(error.to_string(), message);
        assert_eq!(error.exit_status(), 2);
    }
}

#[test]
fn published_totals_and_our_searches_give_the_published_fundamental_numbers() {
    let text = fs::read_to_string(FILE).unwrap();
    for row in published(&text, 1..=20).unwrap() {
        assert_eq!(from_all(row.n, row.all), row.fundamental, "n = {}", row.n);
    }
    // The rows beyond are there, to be compared by those who have the time.
    assert_eq!(published(&text, 1..=27).unwrap().len(), 27);
}

//! Packages of other judges, written by hand after the formats' specifications, as whole problems.

use std::fs;
use std::path::{Path, PathBuf};

use grader_check::check;
use grader_model::Mark;
use grader_package::ImportOptions;
use grader_problem::DiskLibrary;

use crate::common::{Imported, files, read};
use crate::snapshots::{assert_kept, drawn};

fn packages() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/packages")
}

fn imported(name: &str) -> Imported {
    let folder = packages().join(name);
    // As in a repository of which the package is the top.
    let library = DiskLibrary::new(&folder).with_links_into(&folder);
    read(&library, name, &ImportOptions::default()).unwrap()
}

/// Notes, problem file, expectations, tests, programs and statements: `grader/tests/cli/packages.rs` judges the samples.
#[test]
fn packages_become_problems() {
    let mut names: Vec<String> = fs::read_dir(packages())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names.len(), 25);
    for name in names {
        let imported = imported(&name);
        imported.problem();
        let originals = files(&packages().join(&name));
        assert_kept(&name, &drawn(&imported.notes, &imported.files, &originals));
    }
}

/// The outputs are those of the packages' `right.py` and `wrong.py`.
#[test]
fn options_of_the_default_validator_are_those_of_a_checker() {
    for (name, right, wrong) in [
        ("icpc-absolute", "100.009 Yes\n", "100 yes\n"),
        ("icpc-default", "two\nWORDS", "two word\n"),
        ("icpc-tolerance", "5.0000001e-1\n", "0.51\n"),
        ("legacy-exact", "A  b\n", "A b\n"),
        ("legacy-relative", "1000.9 X\n", "1002 x\n"),
    ] {
        let problem = imported(name);
        let answer = &problem.files["data/secret/1.ans"];
        let checker = &problem.problem().subtasks[0].cases[0].checker;
        let marks = [right, wrong].map(|output| {
            let judgement = check(checker, output.as_bytes(), Some(answer));
            judgement.unwrap().mark
        });
        let is_wrong = matches!(marks[1], Mark::Wrong | Mark::Layout);
        assert!(marks[0] == Mark::Right && is_wrong, "{name}: {marks:?}");
    }
}

#[test]
fn line_ends_of_polygon_s_tests_are_those_of_this_system() {
    let name = "polygon-classic";
    let original = fs::read(packages().join(name).join("tests/01")).unwrap();
    assert_eq!(original, b"2\r\n");
    assert_eq!(imported(name).text("data/sample/01.in"), "2\n");
}

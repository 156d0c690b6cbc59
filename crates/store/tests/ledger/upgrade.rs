//! Ledgers that graders of earlier formats wrote (`grader/tests/fixtures/ledgers`).

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use grader_model::{
    Bytes, CaseResult, CpuTime, End, LedgerUpgrade, Points, ResultsFormat, RunState, StudentId,
    Verdict,
};
use grader_store::{Counterexamples, FilledGrades, Ledger, LedgerFault, Reader, merge};
use rusqlite::Connection;
use serde_json::Value;
use tempfile::TempDir;

use crate::file::meddle;
use crate::*;

/// The ledgers, each with the class where it was graded last. Their names begin with their format.
const WRITTEN: [(&str, &str); 4] = [
    ("5-first", "/tmp/course-of-an-earlier-grader/class"),
    ("5-second", "/tmp/course-of-an-earlier-grader/submissions"),
    ("5-last", "/tmp/course-of-an-earlier-grader/submissions"),
    ("6", "/tmp/course-of-an-earlier-grader/submissions"),
];

fn format_of(name: &str) -> i64 {
    name[..1].parse().unwrap()
}

fn fixture(name: &str) -> PathBuf {
    let ledgers = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../grader/tests/fixtures/ledgers");
    ledgers.join(name).with_extension("db")
}

/// A copy of a fixture that only its owner may write, whatever a checkout made of it.
fn copied(name: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let ledger = folder.path().join("class.db");
    fs::write(&ledger, fs::read(fixture(name)).unwrap()).unwrap();
    fs::set_permissions(&ledger, Permissions::from_mode(0o600)).unwrap();
    (folder, ledger)
}

fn open(ledger: &Path) -> Ledger {
    Ledger::open(ledger, Path::new("/classes/a")).unwrap()
}

fn beside(ledger: &Path, more: &str) -> PathBuf {
    ledger.with_file_name(format!("class.db{more}"))
}

fn files(ledger: &Path) -> Vec<String> {
    let entries = fs::read_dir(ledger.parent().unwrap()).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// The columns and keys of all tables and indexes.
fn schema(ledger: &Path) -> Vec<String> {
    let connection = Connection::open(ledger).unwrap();
    let sql = "SELECT format('%s %s %d %d: %s %s %d %s %d', list.type, list.name, list.wr, list.strict, \
               info.name, info.type, info.\"notnull\", info.dflt_value, info.pk) AS entry \
               FROM pragma_table_list AS list JOIN pragma_table_xinfo(list.name) AS info WHERE list.schema = 'main' \
               UNION ALL SELECT format('index %s of %s', name, tbl_name) FROM sqlite_schema WHERE type = 'index' \
               ORDER BY entry";
    let mut statement = connection.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| row.get(0)).unwrap();
    rows.collect::<Result<_, _>>().unwrap()
}

/// What a reader finds in a ledger.
fn content(ledger: &Path, class: &str) -> String {
    let reader = Reader::open(ledger).unwrap();
    let assignment = grader_model::AssignmentId::new("squares");
    let student = StudentId::new("bob");
    let problem = ProblemId::new("square");
    let classes = reader.classes().unwrap();
    assert_eq!(classes[0].path, Path::new(class));
    format!(
        "{:#?}",
        (
            reader.history().unwrap(),
            [1, 2].map(|run| reader.results(run).unwrap()),
            [1, 2].map(|run| reader.keys(run).unwrap()),
            reader.attempts(2).unwrap(),
            reader.outdated(2).unwrap(),
            reader.sources(1, &student, &problem).unwrap(),
            reader.included(2, &problem).unwrap(),
            reader.members(&classes[0]).unwrap(),
            reader.filled(&assignment, "canvas").unwrap(),
            classes,
        )
    )
}

#[test]
fn an_earlier_ledger_is_read_as_it_is_and_upgraded_when_it_is_opened_for_writing() {
    let (_folder, new) = folder();
    drop(begin(&new));
    for (name, class) in WRITTEN {
        let (_folder, ledger) = copied(name);
        let before = fs::read(&ledger).unwrap();
        let read = content(&ledger, class);
        assert_eq!(Reader::open(&ledger).unwrap().upgrades().unwrap(), []);
        assert_eq!(fs::read(&ledger).unwrap(), before, "{name}");
        assert_eq!(files(&ledger), ["class.db"]);

        let opened = open(&ledger);
        let upgrade = opened.upgrade().unwrap().clone();
        drop(opened);
        let expected = LedgerUpgrade {
            from: format_of(name),
            to: 7,
            at: upgrade.at.clone(),
            grader: env!("CARGO_PKG_VERSION").to_owned(),
            copy: "class.db.before-format-7".to_owned(),
        };
        assert_eq!(upgrade, expected);
        assert_eq!(
            Reader::open(&ledger).unwrap().upgrades().unwrap(),
            [upgrade]
        );
        assert_eq!(content(&ledger, class), read, "{name}");
        assert_eq!(schema(&ledger), schema(&new), "{name}");
        let copy = beside(&ledger, ".before-format-7");
        assert_eq!(content(&copy, class), read);
        assert_eq!(
            files(&ledger),
            ["class.db", "class.db.before-format-7", "class.db.lock"]
        );
        // The second time there is nothing to do.
        assert_eq!(open(&ledger).upgrade(), None);
    }
}

/// Graders of format 5 kept the same things in different tables, or not at all.
#[test]
fn what_only_some_graders_of_a_format_kept_is_there() {
    let grades = |grades: [(&str, u64); 3]| {
        let points = |(student, points)| {
            (
                StudentId::new(student),
                [Points::from_thousandths(points)].into(),
            )
        };
        grades.map(points).into()
    };
    let canvas: FilledGrades = grades([("ann", 12_000), ("bob", 8_000), ("dan", 2_670)]);
    for (name, filled, failing, former) in [
        ("5-first", FilledGrades::new(), None, 0),
        ("5-second", canvas.clone(), Some("n = 3"), 0),
        ("5-last", canvas.clone(), Some("n = 4"), 1),
        ("6", canvas, Some("n = 4"), 1),
    ] {
        let (_folder, ledger) = copied(name);
        for _ in 0..2 {
            let reader = Reader::open(&ledger).unwrap();
            let assignment = grader_model::AssignmentId::new("squares");
            assert_eq!(
                reader.filled(&assignment, "canvas").unwrap(),
                filled,
                "{name}"
            );
            let results = reader.results(2).unwrap();
            let problems = results.students.iter().flat_map(|it| &it.problems);
            let found = problems.filter_map(|it| it.counterexample.as_deref());
            let found: Vec<String> = found.map(|it| it.name.to_string()).collect();
            assert_eq!(found, Vec::from_iter(failing), "{name}");
            assert_eq!(reader.classes().unwrap()[0].former.len(), former, "{name}");
            drop(open(&ledger));
        }
        // What is added lies beside it.
        let problem = Reader::open(&ledger)
            .unwrap()
            .results(2)
            .unwrap()
            .assignment
            .problems
            .remove(0);
        open(&ledger)
            .add_counterexamples(&problem, &Counterexamples::new())
            .unwrap();
    }
}

/// Within a format, a key that is new has a default, and one that went is dropped.
#[test]
fn a_key_that_this_grader_does_not_know_is_read_and_dropped() {
    fn add_keys(value: &mut Value) {
        match value {
            Value::Object(members) => {
                // What is in these objects is named by a word of an enum.
                let names = ["end", "ids", "penalty", "toolchains"];
                for (name, member) in members.iter_mut() {
                    if names.contains(&name.as_str()) {
                        member
                            .as_object_mut()
                            .unwrap()
                            .values_mut()
                            .for_each(add_keys);
                    } else {
                        add_keys(member);
                    }
                }
                members.insert("of-another-grader".to_owned(), 1.into());
            }
            Value::Array(items) => items.iter_mut().for_each(add_keys),
            _ => {}
        }
    }
    for (name, _) in WRITTEN {
        let results = Reader::open(&copied(name).1).unwrap().results(2).unwrap();
        assert_eq!(results.format, ResultsFormat::V3);
        let mut json = serde_json::to_value(&results).unwrap();
        add_keys(&mut json);
        let read: grader_model::Results = serde_json::from_value(json).unwrap();
        assert_eq!(read, results, "{name}");
    }
}

/// Until format 6, a result had the keys of a run's outcome and limits beside those of the case.
#[test]
fn a_case_has_the_outcome_and_the_limits_that_an_earlier_grader_stored() {
    for (name, _) in WRITTEN {
        let results = Reader::open(&copied(name).1).unwrap().results(2).unwrap();
        let case = |student: usize, case: usize| -> &CaseResult {
            let problem = &results.students[student].problems[0];
            let mut cases = problem.subtasks.iter().flat_map(|it| &*it.cases);
            cases.nth(case).unwrap()
        };
        // Ann's is right, Dan's calls `abort`, and Cat's does not compile.
        let shown = [case(0, 0), case(3, 2), case(2, 0)].map(|case| {
            let outcome = case.outcome.as_ref();
            let outcome = outcome.map(|it| (it.end, it.breach, it.stdout, it.memory.is_some()));
            let limits = case.limits.map(|it| (it.cpu, it.memory, it.processes));
            (case.verdict, outcome, limits)
        });
        let limits = Some((CpuTime::from_millis(2000), Bytes(256 << 20), 1));
        let right = Some((End::Exited(0), None, Bytes(2), true));
        let aborted = Some((End::Signalled(6), None, Bytes(0), true));
        let expected = [
            (Verdict::Accepted, right, limits),
            (Verdict::RuntimeError, aborted, limits),
            (Verdict::CompileError, None, None),
        ];
        assert_eq!(shown, expected, "{name}");
    }
}

#[test]
fn the_copy_is_as_private_as_the_ledger_and_replaces_nothing() {
    let (_folder, ledger) = copied("5-last");
    fs::set_permissions(&ledger, Permissions::from_mode(0o640)).unwrap();
    fs::write(beside(&ledger, ".before-format-7"), "mine").unwrap();
    // What a grader left that was killed while it copied.
    let left = beside(&ledger, ".before-format-7.2.part");
    fs::create_dir(&left).unwrap();
    fs::write(left.join("ledger.db"), "half").unwrap();
    fs::write(left.join("ledger.db-journal"), "half").unwrap();
    let upgrade = open(&ledger).upgrade().unwrap().clone();
    assert_eq!(upgrade.copy, "class.db.before-format-7.2");
    assert_eq!(
        fs::read(beside(&ledger, ".before-format-7")).unwrap(),
        b"mine"
    );
    let copy = beside(&ledger, ".before-format-7.2");
    assert_eq!(
        fs::metadata(&copy).unwrap().permissions().mode() & 0o777,
        0o640
    );
    assert_eq!(Reader::open(&copy).unwrap().history().unwrap().len(), 2);
    assert!(!left.exists());
}

#[test]
fn a_copy_has_what_the_log_of_a_killed_writer_holds() {
    let (folder, ledger) = copied("5-last");
    let writer = Connection::open(&ledger).unwrap();
    writer.pragma_update(None, "journal_mode", "WAL").unwrap();
    writer
        .execute_batch("UPDATE run SET state = 'interrupted' WHERE id = 2")
        .unwrap();
    let killed = folder.path().join("killed");
    fs::create_dir(&killed).unwrap();
    for more in ["", "-wal"] {
        fs::copy(
            beside(&ledger, more),
            killed.join(format!("class.db{more}")),
        )
        .unwrap();
    }
    let ledger = killed.join("class.db");
    open(&ledger);
    for path in [&ledger, &beside(&ledger, ".before-format-7")] {
        let history = Reader::open(path).unwrap().history().unwrap();
        assert_eq!(history[1].state, RunState::Interrupted);
        // It can be read where nothing can be written.
        assert_eq!(fs::read(path).unwrap()[18..20], [1, 1]);
    }
}

#[test]
fn an_upgrade_that_fails_changes_nothing() {
    for (name, change, why) in [
        // The first step finds its table there.
        (
            "5-second",
            "CREATE TABLE format (number)",
            "table format already exists",
        ),
        // Results are rewritten, and then it fails.
        (
            "6",
            "UPDATE format SET number = 7",
            "UNIQUE constraint failed: format.number",
        ),
    ] {
        let (_folder, ledger) = copied(name);
        meddle(&ledger, change);
        let before = fs::read(&ledger).unwrap();
        for error in [open_error(&ledger), read_error(&ledger)] {
            let expected = format!(
                "cannot use the ledger `{}`: it has format {}, and cannot be upgraded to format 7 ({why}); it was not changed",
                ledger.display(),
                format_of(name)
            );
            assert_eq!(error.to_string(), expected);
            assert!(!error.is_mistake());
        }
        assert_eq!(fs::read(&ledger).unwrap(), before);
        assert_eq!(files(&ledger), ["class.db", "class.db.lock"]);
    }
}

/// A change that does not fit into the cache is partly in the file before it is complete.
#[test]
fn an_upgrade_that_was_killed_half_way_is_taken_back() {
    for (name, class) in WRITTEN {
        let (folder, ledger) = copied(name);
        let read = content(&ledger, class);
        let writer = Connection::open(&ledger).unwrap();
        let changes = match format_of(name) {
            5 => include_str!("../../src/upgrade/6.sql"),
            _ => "UPDATE result SET hash = NULL; UPDATE counterexample SET result = '';",
        };
        let last = "INSERT INTO format VALUES (7, '', 5, '', zeroblob(1000000) || ''); PRAGMA user_version = 7;";
        let steps = format!("PRAGMA cache_size = 1; BEGIN; {changes} {last}");
        writer.execute_batch(&steps).unwrap();
        let killed = folder.path().join("killed");
        fs::create_dir(&killed).unwrap();
        for more in ["", "-journal"] {
            fs::copy(
                beside(&ledger, more),
                killed.join(format!("class.db{more}")),
            )
            .unwrap();
        }
        let ledger = killed.join("class.db");
        assert_ne!(fs::read(&ledger).unwrap(), fs::read(fixture(name)).unwrap());
        assert_eq!(content(&ledger, class), read);
        assert_eq!(fs::read(&ledger).unwrap(), fs::read(fixture(name)).unwrap());
        assert_eq!(open(&ledger).upgrade().unwrap().from, format_of(name));
        assert_eq!(content(&ledger, class), read);
    }
}

#[test]
fn an_earlier_ledger_that_is_forged_is_refused_before_anything_is_done_with_it() {
    for forged in [
        "ALTER TABLE student RENAME TO other; CREATE VIEW student AS SELECT * FROM other",
        "CREATE VIEW filled_grades AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n",
        "CREATE TRIGGER stop AFTER DELETE ON run BEGIN SELECT raise(ABORT, 'no'); END",
        "ALTER TABLE run ADD COLUMN more INTEGER AS (length(hex(zeroblob(1000))))",
    ] {
        let (_folder, ledger) = copied("5-first");
        meddle(&ledger, forged);
        let before = fs::read(&ledger).unwrap();
        for error in [open_error(&ledger), read_error(&ledger)] {
            assert!(
                matches!(error.why, LedgerFault::NotALedger),
                "{forged}: {error}"
            );
        }
        assert_eq!(fs::read(&ledger).unwrap(), before);
        assert!(!beside(&ledger, ".before-format-7").exists());
    }
}

#[test]
fn a_changed_row_of_an_earlier_ledger_is_found_before_and_after_its_upgrade() {
    let content = "UPDATE content SET zlib = zeroblob(9) WHERE hash IN (SELECT content FROM result WHERE student = 'dan')";
    for (name, change) in [
        (
            "5-first",
            "UPDATE result SET points = 10000 WHERE student = 'dan'",
        ),
        (
            "6",
            "UPDATE result SET points = 10000 WHERE student = 'dan'",
        ),
        ("5-first", content),
        ("6", content),
    ] {
        let (_folder, ledger) = copied(name);
        meddle(&ledger, change);
        for _ in 0..2 {
            let error = Reader::open(&ledger).unwrap().results(2).unwrap_err();
            assert!(
                matches!(error.why, LedgerFault::Damaged(_)),
                "{name}: {error}"
            );
            drop(open(&ledger));
        }
    }
}

#[test]
fn shards_of_an_earlier_format_are_merged() {
    for (name, _) in WRITTEN {
        let (_one, one) = copied(&format!("{name}-1"));
        let (_two, two) = copied(&format!("{name}-2"));
        let before = [&one, &two].map(|path| fs::read(path).unwrap());
        let (folder, _) = copied(name);
        let output = folder.path().join("merged.db");
        let merged = merge(&[one.clone(), two.clone()], &output, None).unwrap();
        assert_eq!((merged.shards, merged.students, merged.results), (2, 5, 10));
        let results = Reader::open(&output).unwrap().results(1).unwrap();
        let whole = Reader::open(&copied(name).1).unwrap().results(1).unwrap();
        let points = |results: &grader_model::Results| {
            let all = results.students.iter();
            let all = all.flat_map(|it| {
                it.problems
                    .iter()
                    .map(move |problem| (it.id.clone(), problem.points))
            });
            all.collect::<Vec<_>>()
        };
        assert_eq!(points(&results), points(&whole), "{name}");
        assert_eq!([&one, &two].map(|path| fs::read(path).unwrap()), before);
    }
}

//! The file: who may open it, and what is refused.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt as _, chown, symlink};
use std::path::Path;

use grader_judge::ResultCache as _;
use grader_model::{EventKind, ProblemId, RunState, StudentId};
use grader_store::{Ledger, LedgerFault, Reader};
use rusqlite::Connection;

use crate::*;

/// Does something to a ledger that no grader does.
pub(crate) fn meddle(ledger: &Path, sql: &str) {
    let connection = Connection::open(ledger).unwrap();
    connection.execute_batch(sql).unwrap();
}

#[test]
fn creates_a_ledger_for_the_user_alone() {
    let (_folder, ledger) = folder();
    let run = begin(&ledger);
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(ledger.parent().unwrap()), 0o700);
    for name in ["ledger.db", "ledger.db.lock", "ledger.db-wal"] {
        assert_eq!(mode(&ledger.with_file_name(name)), 0o600, "{name}");
    }
    drop(run);
    let entries = fs::read_dir(ledger.parent().unwrap()).unwrap();
    let mut left: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["ledger.db", "ledger.db.lock"]);
}

/// A reader that looked at a ledger while it was being created once took it for somebody else's database.
#[test]
fn a_ledger_that_is_being_created_is_missing_or_empty() {
    let folder = tempfile::tempdir().unwrap();
    let ledgers: Vec<_> = (0..100)
        .map(|number| folder.path().join(format!("{number}.db")))
        .collect();
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            for ledger in &ledgers {
                Ledger::open(ledger, Path::new("/classes/a")).unwrap();
            }
        });
        for ledger in &ledgers {
            while let Err(error) = Reader::open(ledger) {
                // It fails on a full disk.
                assert!(!writer.is_finished() || Reader::open(ledger).is_ok());
                let why = &error.why;
                assert!(
                    matches!(why, LedgerFault::Missing | LedgerFault::Empty),
                    "{why}"
                );
            }
        }
    });
}

#[test]
fn a_second_writer_sees_the_first_and_readers_are_not_locked_out() {
    let (folder, ledger) = folder();
    let link = folder.path().join("link.db");
    let run = begin(&ledger);
    symlink(&ledger, &link).unwrap();
    let state = || Reader::open(&link).unwrap().history().unwrap()[0].state;
    for path in [&ledger, &link] {
        let error = open_error(path);
        assert!(error.is_mistake());
        let LedgerFault::Held(Some(holder)) = &error.why else {
            panic!("{error}");
        };
        assert_eq!((holder.pid, holder.run), (std::process::id(), Some(1)));
        let expected = format!(
            "cannot use the ledger `{}`: process {} has been grading `/classes/a` with it since {}; wait until it ends, \
             or use another ledger (`--ledger FILE`)",
            path.display(),
            holder.pid,
            holder.since
        );
        assert_eq!(error.to_string(), expected);
    }
    assert_eq!(state(), RunState::Running);
    drop(run);
    assert_eq!(state(), RunState::Killed);
    // The lock file of a dead process locks nobody out.
    let dead = r#"{"pid":1,"since":"then","class":"c","run":7}"#;
    fs::write(ledger.with_file_name("ledger.db.lock"), dead).unwrap();
    assert!(begin(&link).is_resumed());
}

#[test]
fn refuses_a_ledger_that_others_may_write() {
    let (_folder, ledger) = folder();
    finish(begin(&ledger));
    let own_folder = ledger.parent().unwrap();
    let set = |path: &Path, mode| fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    for (path, open, closed) in [(&*ledger, 0o620, 0o640), (own_folder, 0o777, 0o755)] {
        set(path, open);
        for error in [open_error(&ledger), read_error(&ledger)] {
            assert!(error.is_mistake());
            assert!(
                matches!(&error.why, LedgerFault::NotPrivate(it) if it == path),
                "{error}"
            );
        }
        set(path, closed);
        Ledger::open(&ledger, Path::new("/classes/a")).unwrap();
        assert_eq!(Reader::open(&ledger).unwrap().history().unwrap().len(), 1);
    }
    if chown(&ledger, Some(12_345), None).is_err() {
        eprintln!("skipped: only the superuser can give a file away");
        return;
    }
    for error in [open_error(&ledger), read_error(&ledger)] {
        assert!(
            matches!(&error.why, LedgerFault::NotPrivate(it) if *it == ledger),
            "{error}"
        );
    }
}

#[test]
fn refuses_what_is_not_a_ledger_and_does_not_change_it() {
    let (folder, _) = folder();
    let other = folder.path().join("other.db");
    meddle(&other, "CREATE TABLE photo (id INTEGER PRIMARY KEY)");
    let short = folder.path().join("short.txt");
    fs::write(&short, "buy milk\n").unwrap();
    let long = folder.path().join("long.txt");
    fs::write(&long, "x".repeat(10_000)).unwrap();
    let device = Path::new("/dev/null").to_owned();
    for path in [&other, &short, &long, &device, &folder.path().to_owned()] {
        let before = fs::read(path).unwrap_or_default();
        for error in [open_error(path), read_error(path)] {
            assert!(matches!(error.why, LedgerFault::NotALedger), "{error}");
            assert!(error.is_mistake());
        }
        assert_eq!(fs::read(path).unwrap_or_default(), before);
    }
    let missing = folder.path().join("missing.db");
    assert!(matches!(read_error(&missing).why, LedgerFault::Missing));
    assert!(!missing.exists());
    fs::write(&missing, "").unwrap();
    assert_eq!(begin(&missing).info().id, 1);
}

/// A view may have no end, and a trigger may do anything.
#[test]
fn refuses_a_ledger_with_anything_but_tables() {
    for forged in [
        "ALTER TABLE student RENAME TO other; CREATE VIEW student AS SELECT * FROM other",
        "CREATE TRIGGER stop BEFORE INSERT ON result BEGIN SELECT raise(ABORT, 'no'); END",
        "ALTER TABLE run ADD COLUMN more INTEGER AS (length(hex(zeroblob(1000))))",
    ] {
        let (_folder, ledger) = folder();
        finish(begin(&ledger));
        meddle(&ledger, forged);
        for error in [open_error(&ledger), read_error(&ledger)] {
            assert!(
                matches!(error.why, LedgerFault::NotALedger),
                "{forged}: {error}"
            );
        }
    }
}

/// Formats that no release had, and those of later graders. The table `format` says which grader wrote them, if it is one.
#[test]
fn refuses_ledgers_of_other_formats_says_what_to_do_and_does_not_change_them() {
    let too_old = "no release of the grader wrote";
    let newer = "install the newer grader that wrote it, or use another ledger (`--ledger FILE`)";
    let named = "grader 0.3.0\\x1b wrote it: install that version or a newer one, or use another ledger (`--ledger FILE`)";
    for (change, expected) in [
        ("PRAGMA user_version = 4", too_old),
        ("PRAGMA user_version = -1", too_old),
        ("PRAGMA user_version = 77", newer),
        ("DROP TABLE format; PRAGMA user_version = 8", newer),
        (
            "INSERT INTO format VALUES (8, '0.3.0' || char(27), 7, '', NULL); PRAGMA user_version = 8",
            named,
        ),
        (
            "INSERT INTO format VALUES (8, hex(zeroblob(100)), 7, '', NULL); PRAGMA user_version = 8",
            newer,
        ),
        (
            "DROP TABLE format; CREATE VIEW format AS SELECT 8 AS number, '1' AS grader; PRAGMA user_version = 8",
            newer,
        ),
    ] {
        let (_folder, ledger) = folder();
        finish(begin(&ledger));
        meddle(&ledger, change);
        let before = fs::read(&ledger).unwrap();
        for error in [open_error(&ledger), read_error(&ledger)] {
            assert!(error.to_string().contains(expected), "{change}: {error}");
            assert!(error.is_mistake());
        }
        assert_eq!(fs::read(&ledger).unwrap(), before);
    }
}

#[test]
fn does_not_write_a_damaged_ledger() {
    let (_folder, ledger) = folder();
    let run = begin(&ledger);
    for at in 0..50 {
        store(
            &run,
            &format!("s{at:02}"),
            "aaaaaaaa",
            &format!("hint {at}"),
        );
    }
    finish(run);
    let whole = fs::read(&ledger).unwrap();
    let cut = whole[..whole.len() / 2].to_vec();
    let mut holes = whole;
    let pages = holes.chunks_mut(4096).skip(1);
    pages.for_each(|page| page[..8].fill(0xff));
    for damaged in [cut, holes] {
        fs::write(&ledger, &damaged).unwrap();
        let error = open_error(&ledger);
        assert!(matches!(error.why, LedgerFault::Damaged(_)), "{error}");
        assert!(!error.is_mistake());
        assert_eq!(fs::read(&ledger).unwrap(), damaged);
    }
}

#[test]
fn does_not_return_content_that_was_changed() {
    let (_folder, ledger) = folder();
    let run = begin(&ledger);
    for student in ["s01", "s02"] {
        store(&run, student, "aaaaaaaa", student);
    }
    finish(run);
    meddle(
        &ledger,
        "UPDATE content SET zlib = (SELECT zlib FROM content JOIN result ON result.key = content.hash) \
         WHERE hash IN (SELECT content FROM result)",
    );
    let (run, reports) = begin_watched(&ledger, &sample::wanted());
    let problem = ProblemId::new("count");
    for student in ["s01", "s02"] {
        let student = StudentId::new(student);
        let found = run.find(job(&student, &problem), &sample::key("aaaaaaaa"));
        assert!(found.is_err());
    }
    let expected = "Unread: it is damaged (stored content does not match its hash), and was not changed; move it away, \
                    or use another ledger (`--ledger FILE`)";
    assert_eq!(*reports.lock().unwrap(), [expected]);
}

#[test]
fn a_run_that_cannot_write_reports_it_once_stores_the_rest_and_is_resumed() {
    let (_folder, ledger) = folder();
    let (run, reports) = begin_watched(&ledger, &sample::wanted());
    let results = sample::results(&run);
    meddle(
        &ledger,
        "CREATE TRIGGER full BEFORE INSERT ON result WHEN new.problem = 'board' \
         BEGIN SELECT raise(ABORT, 'no room'); END",
    );
    send(&run, sample::started(&results));
    for student in &results.students {
        send(&run, sample::student_finished(student));
    }
    store(&run, "s01", "aaaaaaaa", "later");
    send(&run, EventKind::RunFinished { interrupted: false });
    assert_eq!(*reports.lock().unwrap(), ["Unwritten: no room"]);
    assert!(run.has_failed(Trouble::Unwritten) && !run.has_failed(Trouble::Unread));
    drop(run);
    meddle(&ledger, "DROP TRIGGER full");
    let run = begin(&ledger);
    assert!(run.is_resumed());
    assert_eq!(
        find(&run, "s01", "aaaaaaaa"),
        Some((1, true, "later".to_owned()))
    );
}

#[test]
fn reads_a_ledger_whose_writer_was_killed_while_it_changed_the_file() {
    let (folder, ledger) = folder();
    finish(begin(&ledger));
    // A change that does not fit into the cache is partly in the file before it is complete.
    let writer = Connection::open(&ledger).unwrap();
    let change = "PRAGMA cache_size = 1; BEGIN; CREATE TABLE big (text); \
         INSERT INTO big VALUES (zeroblob(1000000)); UPDATE run SET state = 'interrupted';";
    writer.execute_batch(change).unwrap();
    let copy = folder.path().join("copy.db");
    fs::copy(&ledger, &copy).unwrap();
    fs::copy(
        ledger.with_file_name("ledger.db-journal"),
        folder.path().join("copy.db-journal"),
    )
    .unwrap();
    let history = Reader::open(&copy).unwrap().history().unwrap();
    assert_eq!(history[0].state, RunState::Finished);
}

#[test]
fn reads_a_ledger_where_nothing_can_be_written() {
    let (folder, _) = folder();
    let ledger = folder.path().join("a b%20?c#d/ledger.db");
    finish(begin(&ledger));
    let home = ledger.parent().unwrap();
    let allow = |mode| fs::set_permissions(home, Permissions::from_mode(mode)).unwrap();
    allow(0o500);
    let anybody = fs::write(home.join("probe"), "").is_ok();
    let history = Reader::open(&ledger).and_then(|reader| reader.history());
    allow(0o700);
    if anybody {
        eprintln!("skipped: this user may write everywhere");
        return;
    }
    assert_eq!(history.unwrap()[0].state, RunState::Finished);
}

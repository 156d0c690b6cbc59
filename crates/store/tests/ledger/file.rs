//! The file: who may open it, and what is refused.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt as _, chown, symlink};
use std::path::Path;

use grader_judge::{JobName, ResultCache as _};
use grader_model::{ProblemId, RunState, Text};
use grader_store::{Ledger, LedgerFault, Reader};
use rusqlite::Connection;

use crate::{end, keep, recalled, refused, sample, student, unreadable};

#[test]
fn a_ledger_is_made_with_its_folder_for_the_user_alone() {
    let (_folder, ledger) = sample::folder();
    let run = sample::begin(&ledger);
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(ledger.parent().unwrap()), 0o700);
    for name in ["ledger.db", "ledger.db.lock", "ledger.db-wal"] {
        assert_eq!(mode(&ledger.with_file_name(name)), 0o600, "{name}");
    }
    assert_eq!(run.info().id, 1);
    drop(run);
    let mut left: Vec<_> = fs::read_dir(ledger.parent().unwrap())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    left.sort();
    assert_eq!(left, ["ledger.db", "ledger.db.lock"]);
}

#[test]
fn the_second_writer_is_told_who_the_first_is_and_a_reader_is_not_kept_out() {
    let (_folder, ledger) = sample::folder();
    let run = sample::begin(&ledger);
    let error = refused(&ledger);
    assert!(error.is_mistake());
    let LedgerFault::Held(Some(holder)) = &error.why else {
        panic!("{error}");
    };
    assert_eq!(holder.pid, std::process::id());
    assert_eq!((holder.class.as_str(), holder.run), ("/classes/a", Some(1)));
    let (pid, host) = (holder.pid, &holder.host);
    let since = holder.since.replace('T', " ").replace('Z', " UTC");
    let path = ledger.display();
    assert_eq!(
        error.text(),
        Text::new(
            format!(
                "cannot use the ledger `{path}`: process {pid} on `{host}` has been using it since {since}, to grade \
                 `/classes/a`; wait until that has ended, or use another ledger (`--ledger FILE`)"
            ),
            format!(
                "无法使用评测账本 `{path}`：主机 `{host}` 上的进程 {pid} 自 {since} 起正在使用它评测 `/classes/a`；\
                 请等它结束，或另选账本（`--ledger FILE`）"
            ),
        )
    );
    let history = Reader::open(&ledger).unwrap().history().unwrap();
    assert_eq!(history[0].state, RunState::Running);
    drop(run);
    let history = Reader::open(&ledger).unwrap().history().unwrap();
    assert_eq!(history[0].state, RunState::Killed);
    // What a dead process left in the lock file keeps nobody out.
    let dead = r#"{"pid":1,"host":"x","since":"then","class":"c","run":7}"#;
    fs::write(ledger.with_file_name("ledger.db.lock"), dead).unwrap();
    assert!(sample::begin(&ledger).goes_on());
}

#[test]
fn a_ledger_that_is_reached_by_a_link_has_one_lock() {
    let (folder, ledger) = sample::folder();
    let run = sample::begin(&ledger);
    let link = folder.path().join("link.db");
    symlink(&ledger, &link).unwrap();
    let error = refused(&link);
    assert!(matches!(error.why, LedgerFault::Held(Some(_))), "{error}");
    let history = Reader::open(&link).unwrap().history().unwrap();
    assert_eq!(history[0].state, RunState::Running);
    drop(run);
    assert!(sample::begin(&link).goes_on());
}

#[test]
fn a_ledger_that_others_may_write_is_not_trusted() {
    let (_folder, ledger) = sample::folder();
    end(sample::begin(&ledger));
    let grader = ledger.parent().unwrap();
    let set = |path: &Path, mode| fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    for (path, open, closed) in [(&*ledger, 0o620, 0o640), (grader, 0o777, 0o755)] {
        set(path, open);
        let error = refused(&ledger);
        assert!(error.is_mistake());
        let (all, path) = (ledger.display(), path.display());
        assert_eq!(
            error.text().en,
            format!(
                "cannot use the ledger `{all}`: others may write `{path}`, and so any points; take that from them \
                 (`chmod go-w`), or use another ledger (`--ledger FILE`)"
            )
        );
        assert_eq!(Reader::open(&ledger).unwrap().history().unwrap().len(), 1);
        set(Path::new(&path.to_string()), closed);
        Ledger::open(&ledger, Path::new("/classes/a")).unwrap();
    }
}

#[test]
fn a_ledger_of_another_user_is_not_trusted() {
    let (_folder, ledger) = sample::folder();
    end(sample::begin(&ledger));
    if chown(&ledger, Some(12_345), None).is_err() {
        eprintln!("skipped: only the superuser can give a file away");
        return;
    }
    let error = refused(&ledger);
    assert!(
        matches!(&error.why, LedgerFault::NotOurs { path, by_owner: true } if *path == ledger),
        "{error}"
    );
}

#[test]
fn what_is_left_beside_a_ledger_that_was_removed_is_not_taken_for_the_new_ones() {
    let (_folder, ledger) = sample::folder();
    let run = sample::begin(&ledger);
    keep(&run, "s01", "aaaaaaaa", "old");
    // As it lies there when the process is killed.
    let log = ledger.with_file_name("ledger.db-wal");
    let left = fs::read(&log).unwrap();
    assert!(!left.is_empty());
    drop(run);
    fs::remove_file(&ledger).unwrap();
    fs::write(&log, left).unwrap();
    let run = sample::begin(&ledger);
    assert_eq!((run.info().id, run.goes_on()), (1, false));
    assert_eq!(recalled(&run, "s01", "aaaaaaaa"), None);
}

#[test]
fn what_is_no_ledger_is_refused_and_left_as_it_is() {
    let (folder, _) = sample::folder();
    let other = folder.path().join("other.db");
    Connection::open(&other)
        .unwrap()
        .execute_batch("CREATE TABLE photo (id INTEGER PRIMARY KEY)")
        .unwrap();
    let text = folder.path().join("notes.txt");
    fs::write(&text, "buy milk\n").unwrap();
    let long = folder.path().join("long.txt");
    fs::write(&long, "x".repeat(10_000)).unwrap();
    for path in [&other, &text, &long] {
        let before = fs::read(path).unwrap();
        for error in [refused(path), unreadable(path)] {
            assert!(matches!(error.why, LedgerFault::NotALedger), "{error}");
            assert!(error.is_mistake());
        }
        assert_eq!(fs::read(path).unwrap(), before);
    }
    let error = refused(&text).text().en;
    let path = text.display();
    assert_eq!(
        error,
        format!(
            "cannot use the ledger `{path}`: it is not a ledger; nothing in it was changed. Expected a file that \
             `grader grade` made, or a name that is not taken yet"
        )
    );
    assert!(matches!(refused(folder.path()).why, LedgerFault::Folder));
    assert!(matches!(unreadable(folder.path()).why, LedgerFault::Folder));
    let missing = folder.path().join("missing.db");
    assert!(matches!(unreadable(&missing).why, LedgerFault::Missing));
    assert!(!missing.exists());
}

#[test]
fn a_ledger_of_a_later_version_is_refused_and_an_empty_file_becomes_one() {
    let (folder, ledger) = sample::folder();
    end(sample::begin(&ledger));
    let connection = Connection::open(&ledger).unwrap();
    connection.pragma_update(None, "user_version", 7).unwrap();
    drop(connection);
    for error in [refused(&ledger), unreadable(&ledger)] {
        let path = ledger.display();
        assert_eq!(
            error.text().en,
            format!(
                "cannot use the ledger `{path}`: its version is 7, and this version of the grader knows up to 2; a \
                 later version of the grader made it. Use that one, or another ledger (`--ledger FILE`)"
            )
        );
    }
    let empty = folder.path().join("empty.db");
    fs::write(&empty, "").unwrap();
    // Half a ledger of one that died while it made it is in nobody's way.
    fs::write(folder.path().join("empty.db.new"), "half").unwrap();
    assert_eq!(sample::begin(&empty).info().id, 1);
}

#[test]
fn a_damaged_ledger_is_told_and_not_written() {
    let (_folder, ledger) = sample::folder();
    let run = sample::begin(&ledger);
    for at in 0..50 {
        keep(
            &run,
            &format!("s{at:02}"),
            "aaaaaaaa",
            &format!("hint {at}"),
        );
    }
    end(run);
    let whole = fs::read(&ledger).unwrap();
    let cut = whole[..whole.len() / 2].to_vec();
    let mut holes = whole.clone();
    let pages = holes.chunks_mut(4096).skip(1);
    pages.for_each(|page| page[..8].fill(0xff));
    for damaged in [cut, holes] {
        fs::write(&ledger, &damaged).unwrap();
        // What is there after a power failure or a kill; all of a ledger that was closed in order is not read.
        fs::write(ledger.with_file_name("ledger.db-wal"), "").unwrap();
        let error = refused(&ledger);
        assert!(matches!(error.why, LedgerFault::Damaged(_)), "{error}");
        assert!(!error.is_mistake());
        assert_eq!(fs::read(&ledger).unwrap(), damaged);
    }
}

#[test]
fn content_that_is_not_what_was_kept_is_never_taken_for_it() {
    let (_folder, ledger) = sample::folder();
    let run = sample::begin(&ledger);
    keep(&run, "s01", "aaaaaaaa", "right");
    end(run);
    // A valid database, in which somebody changed a result.
    Connection::open(&ledger)
        .unwrap()
        .execute_batch(
            "UPDATE content SET packed = 0, bytes = x'7b7d' WHERE id = (SELECT result FROM job)",
        )
        .unwrap();
    let run = sample::begin(&ledger);
    let (student, problem) = (student("s01"), ProblemId::new("count"));
    let job = JobName {
        student: &student,
        problem: &problem,
    };
    let error = run.find(job, &sample::key("aaaaaaaa")).unwrap_err();
    assert!(
        error.to_string().ends_with("is not what was kept"),
        "{error}"
    );
}

#[test]
fn a_ledger_is_read_where_nothing_can_be_written() {
    let (folder, _) = sample::folder();
    // A name with all that has a meaning in the address of a file.
    let ledger = folder.path().join("a b%20?c#d/ledger.db");
    let run = sample::begin(&ledger);
    keep(&run, "s01", "aaaaaaaa", "kept");
    end(run);
    let home = ledger.parent().unwrap();
    let allow = |mode| fs::set_permissions(home, fs::Permissions::from_mode(mode)).unwrap();
    allow(0o500);
    let anybody = fs::write(home.join("probe"), "").is_ok();
    let read = Reader::open(&ledger).and_then(|reader| reader.history());
    allow(0o700);
    if anybody {
        eprintln!("skipped: this user may write everywhere, so no folder can be made read-only");
        return;
    }
    let history = read.unwrap();
    assert_eq!(history.len(), 1);
    assert_eq!(history[0].state, RunState::Finished);
}

//! Opening a ledger, and what a run remembers of it.
#![expect(clippy::unwrap_used, reason = "a panic in a test is its report")]

mod sample;

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt as _, chown, symlink};
use std::path::Path;

use grader_judge::{JobName, Memory as _};
use grader_model::{
    Change, EventKind, Origin, ProblemId, ProblemResult, RunState, Sink as _, StudentId, Text,
    Verdict,
};
use grader_store::{Ledger, LedgerError, LedgerFault, Reader, Run};
use rusqlite::Connection;

/// The error of what must fail.
fn refused(path: &Path) -> LedgerError {
    match Ledger::open(path, Path::new("/classes/a")) {
        Ok(_) => panic!("it was opened"),
        Err(error) => error,
    }
}

fn unreadable(path: &Path) -> LedgerError {
    match Ledger::read(path) {
        Ok(_) => panic!("it was opened"),
        Err(error) => error,
    }
}

fn end(run: Run) {
    run.sink().event(&sample::finished(false)).unwrap();
    drop(run);
}

fn student(name: &str) -> StudentId {
    StudentId::new(name)
}

fn count() -> ProblemResult {
    sample::problem("count", Verdict::Accepted)
}

/// What a run remembers of `count`: the run it was built in, whether it is this one, and its first hint.
fn recalled(run: &Run, who: &str, source: &str) -> Option<(u64, bool, String)> {
    let (student, problem) = (student(who), ProblemId::new("count"));
    let job = JobName {
        student: &student,
        problem: &problem,
    };
    let found = run.recall(job, &sample::key(source)).unwrap()?;
    let hint = found.result.hints[0].en.clone();
    Some((found.run, found.is_this_run, hint))
}

fn keep(run: &Run, who: &str, source: &str, hint: &str) {
    let mut result = count();
    result.hints = vec![Text::plain(hint)];
    let done = sample::done(source, &result, &[b"92\n"]);
    sample::keep(run, &student(who), &done);
}

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
    let history = Ledger::read(&ledger).unwrap().history().unwrap();
    assert_eq!(history[0].state, RunState::Running);
    drop(run);
    let history = Ledger::read(&ledger).unwrap().history().unwrap();
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
    let history = Ledger::read(&link).unwrap().history().unwrap();
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
        assert_eq!(Ledger::read(&ledger).unwrap().history().unwrap().len(), 1);
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
                "cannot use the ledger `{path}`: its version is 7, and this version of the grader knows up to 1; a \
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
    let error = run.recall(job, &sample::key("aaaaaaaa")).unwrap_err();
    assert!(
        error.to_string().ends_with("is not what was kept"),
        "{error}"
    );
}

#[test]
fn a_run_goes_on_until_it_is_finished_and_a_fresh_one_takes_nothing() {
    let (_folder, ledger) = sample::folder();
    let first = sample::begin(&ledger);
    keep(&first, "s01", "aaaaaaaa", "first");
    let began = first.info().clone();
    drop(first);

    let again = sample::begin(&ledger);
    assert_eq!((again.info(), again.goes_on()), (&began, true));
    assert_eq!(
        recalled(&again, "s01", "aaaaaaaa"),
        Some((1, true, "first".to_owned()))
    );
    again.sink().event(&sample::finished(true)).unwrap();
    drop(again);

    let mut other = sample::wanted();
    other.class = "/classes/b".into();
    let other = sample::begin_as(&ledger, &other);
    assert_eq!((other.info().id, other.goes_on()), (2, false));
    assert_eq!(recalled(&other, "s01", "aaaaaaaa"), None);
    end(other);

    let mut fresh = sample::wanted();
    fresh.fresh = true;
    let run = sample::begin_as(&ledger, &fresh);
    assert_eq!((run.info().id, run.goes_on()), (3, false));
    assert_eq!(recalled(&run, "s01", "aaaaaaaa"), None);
    keep(&run, "s02", "aaaaaaaa", "third");
    drop(run);

    // It stays fresh when it goes on.
    let run = sample::begin(&ledger);
    assert_eq!((run.info().id, run.goes_on()), (3, true));
    assert_eq!(recalled(&run, "s01", "aaaaaaaa"), None);
    assert_eq!(
        recalled(&run, "s02", "aaaaaaaa"),
        Some((3, true, "third".to_owned()))
    );
    end(run);

    let run = sample::begin(&ledger);
    assert_eq!((run.info().id, run.goes_on()), (4, false));
    let history = run.reader().history().unwrap();
    let states: Vec<RunState> = history.iter().map(|run| run.state).collect();
    assert_eq!(
        states,
        [
            RunState::Interrupted,
            RunState::Finished,
            RunState::Finished,
            RunState::Running
        ]
    );
}

#[test]
fn of_several_results_the_one_whose_key_fits_is_remembered_and_else_the_last() {
    let (_folder, ledger) = sample::folder();
    for (source, hint) in [("aaaaaaaa", "one"), ("bbbbbbbb", "two")] {
        let run = sample::begin(&ledger);
        keep(&run, "s01", source, hint);
        end(run);
    }
    let run = sample::begin(&ledger);
    let told = |source| recalled(&run, "s01", source).unwrap();
    assert_eq!(told("aaaaaaaa"), (1, false, "one".to_owned()));
    assert_eq!(told("bbbbbbbb"), (2, false, "two".to_owned()));
    assert_eq!(told("cccccccc"), (2, false, "two".to_owned()));
    assert_eq!(recalled(&run, "s02", "aaaaaaaa"), None);
    keep(&run, "s01", "cccccccc", "three");
    assert_eq!(told("cccccccc"), (3, true, "three".to_owned()));
    assert_eq!(told("dddddddd"), (3, true, "three".to_owned()));
    // In the same run a job is kept once, in its last form.
    keep(&run, "s01", "cccccccc", "four");
    assert_eq!(told("cccccccc"), (3, true, "four".to_owned()));
    assert_eq!(told("aaaaaaaa"), (1, false, "one".to_owned()));
}

#[test]
fn outputs_are_found_through_the_run_that_made_them() {
    let (_folder, ledger) = sample::folder();
    let (who, problem) = (student("s01"), ProblemId::new("count"));
    let job = JobName {
        student: &who,
        problem: &problem,
    };
    let first = sample::begin(&ledger);
    let outputs: [&[u8]; 4] = [b"92\n", b"none", b"", b"\xff\0binary"];
    let done = sample::done("aaaaaaaa", &count(), &outputs);
    first.keep(job, &done).unwrap();
    assert_eq!(first.runs(job, 1).unwrap(), done.runs);
    end(first);

    // The second run takes the result, the third checks it and had to run one case more.
    let second = sample::begin(&ledger);
    let mut taken = sample::done("aaaaaaaa", &count(), &[]);
    taken.result.origin = Some(Origin::Reused { run: 1 });
    second.keep(job, &taken).unwrap();
    assert_eq!(
        second
            .recall(job, &sample::key("aaaaaaaa"))
            .unwrap()
            .unwrap(),
        grader_judge::Remembered {
            run: 1,
            is_this_run: true,
            key: taken.key.clone(),
            result: taken.result.clone(),
        }
    );
    assert_eq!(second.runs(job, 1).unwrap(), done.runs);
    end(second);

    let third = sample::begin(&ledger);
    let mut checked = sample::done("bbbbbbbb", &count(), &[]);
    checked.result.origin = Some(Origin::Checked {
        run: 1,
        because: Vec::new(),
    });
    checked.runs = vec![sample::kept("n=9", b"352\n")];
    third.keep(job, &checked).unwrap();
    let both: Vec<_> = checked.runs.iter().chain(&done.runs).cloned().collect();
    assert_eq!(third.runs(job, 1).unwrap(), both);
    assert_eq!(third.runs(job, 3).unwrap(), []);
    end(third);
    let numbers: Vec<[usize; 3]> = Reader::open(&ledger)
        .unwrap()
        .history()
        .unwrap()
        .iter()
        .map(|run| [run.judged, run.reused, run.checked])
        .collect();
    // Nobody said that the student was in these runs.
    assert_eq!(numbers, [[0, 0, 0]; 3]);
}

#[test]
fn the_same_output_is_kept_once() {
    let (_folder, ledger) = sample::folder();
    let run = sample::begin(&ledger);
    let output: Vec<u8> = (0..1 << 20).map(|at: u32| (at % 251) as u8).collect();
    for at in 0..20 {
        let done = sample::done("aaaaaaaa", &count(), &[&output]);
        sample::keep(&run, &student(&format!("s{at}")), &done);
    }
    end(run);
    let connection = Connection::open(&ledger).unwrap();
    let count = |size: usize| -> i64 {
        connection
            .query_row(
                "SELECT count(*) FROM content WHERE size = ?1",
                [size as i64],
                |row| row.get(0),
            )
            .unwrap()
    };
    assert_eq!(count(output.len()), 1);
}

#[test]
fn hostile_names_are_names_like_any_other() {
    let (_folder, ledger) = sample::folder();
    let run = sample::begin(&ledger);
    let names = sample::hostile_names();
    for name in &names {
        keep(
            &run,
            name,
            "aaaaaaaa",
            &name.chars().take(9).collect::<String>(),
        );
    }
    for name in &names {
        let hint = name.chars().take(9).collect::<String>();
        assert_eq!(recalled(&run, name, "aaaaaaaa"), Some((1, true, hint)));
    }
    assert_eq!(recalled(&run, "nul ", "aaaaaaaa"), None);
}

#[test]
fn many_threads_recall_while_one_keeps() {
    let (_folder, ledger) = sample::folder();
    let run = sample::begin(&ledger);
    for at in 0..40 {
        keep(&run, &format!("s{at}"), "aaaaaaaa", &format!("{at}"));
    }
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for at in 0..40 {
                    let found = recalled(&run, &format!("s{at}"), "aaaaaaaa");
                    assert_eq!(found, Some((1, true, format!("{at}"))));
                }
            });
        }
        scope.spawn(|| {
            for at in 40..80 {
                keep(&run, &format!("s{at}"), "aaaaaaaa", &format!("{at}"));
            }
        });
    });
    let found = recalled(&run, "s79", "aaaaaaaa");
    assert_eq!(found, Some((1, true, "79".to_owned())));
}

#[test]
fn a_run_that_is_not_there_or_has_not_started_is_told() {
    let (_folder, ledger) = sample::folder();
    let run = sample::begin(&ledger);
    let told = |id| run.reader().results(id).unwrap_err().text().en;
    let path = ledger.display();
    assert_eq!(
        [told(1), told(9)],
        [
            format!("cannot use the ledger `{path}`: run 1 ended before it had any result"),
            format!("cannot use the ledger `{path}`: it has no run 9; the last one is 1"),
        ]
    );
}

#[test]
fn the_numbers_of_a_run_are_told_without_its_results() {
    let (_folder, ledger) = sample::folder();
    let run = sample::begin(&ledger);
    let mut results = sample::results();
    results.students.truncate(2);
    results.students[0].problems[1].origin = Some(Origin::Checked {
        run: 1,
        because: Vec::new(),
    });
    results.students[1].problems[0].origin = Some(Origin::Reused { run: 1 });
    results.students[1].problems[2].origin = Some(Origin::Ran {
        because: vec![Change::Fault],
    });
    let mut sink = run.sink();
    sink.event(&sample::started(Some(run.info()), &results))
        .unwrap();
    for (student, result) in sample::jobs(&results) {
        sample::keep(&run, &student, &sample::done("aaaaaaaa", &result, &[]));
    }
    // A fault for which there was no job: an archive that could not be read.
    let unread = &mut results.students[1].problems[1];
    unread.verdict = Verdict::JudgeError;
    unread.points = None;
    for student in &results.students {
        let result = Box::new(student.clone());
        sink.event(&sample::event(EventKind::StudentFinished { result }))
            .unwrap();
    }
    sink.event(&sample::finished(false)).unwrap();
    let summary = run.reader().history().unwrap().remove(0);
    assert_eq!(summary.began, run.info().began);
    assert!(summary.ended.is_some_and(|ended| ended >= run.info().began));
    assert_eq!(
        (summary.state, summary.class, summary.grader.as_str()),
        (RunState::Finished, "/classes/a".into(), "0.1.0")
    );
    assert_eq!(
        [
            summary.students,
            summary.judged,
            summary.reused,
            summary.checked,
            summary.faults
        ],
        [2, 3, 1, 1, 3]
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
    let read = Ledger::read(&ledger).and_then(|reader| reader.history());
    allow(0o700);
    if anybody {
        eprintln!("skipped: this user may write everywhere, so no folder can be made read-only");
        return;
    }
    let history = read.unwrap();
    assert_eq!(history.len(), 1);
    assert_eq!(history[0].state, RunState::Finished);
}

#[test]
fn several_jobs_are_kept_at_once_or_not_at_all() {
    let (_folder, ledger) = sample::folder();
    let run = sample::begin(&ledger);
    assert!(!run.is_fresh());
    let (one, two) = (student("s01"), student("s02"));
    let problem = ProblemId::new("count");
    let name = |student| JobName {
        student,
        problem: &problem,
    };
    let first = sample::done("aaaaaaaa", &count(), &[b"1\n"]);
    let second = sample::done("bbbbbbbb", &count(), &[b"2\n"]);
    run.keep_all(&[(name(&one), &first), (name(&two), &second)])
        .unwrap();
    assert_eq!(run.runs(name(&one), 1).unwrap(), first.runs);
    assert_eq!(run.runs(name(&two), 1).unwrap(), second.runs);
    // Of the next two the second cannot be written.
    let mut impossible = sample::done("dddddddd", &count(), &[]);
    impossible.result.origin = Some(Origin::Reused { run: 1 });
    Connection::open(&ledger)
        .unwrap()
        .execute_batch(
            "CREATE TRIGGER refuse BEFORE INSERT ON job WHEN new.taken = 'reused' \
             BEGIN SELECT raise(ABORT, 'refused'); END",
        )
        .unwrap();
    let third = sample::done("cccccccc", &count(), &[b"3\n"]);
    let jobs = [(name(&one), &third), (name(&two), &impossible)];
    assert!(run.keep_all(&jobs).is_err());
    assert_eq!(run.runs(name(&one), 1).unwrap(), first.runs);
    run.keep(name(&one), &third).unwrap();
    assert_eq!(run.runs(name(&one), 1).unwrap(), third.runs);
}

//! Runs: what one finds of those before it.

use grader_judge::ResultCache as _;
use grader_model::RunState::{self, Finished, Interrupted, Running};
use grader_model::{EventKind, Origin, ProblemId, StudentId, Verdict};
use grader_store::Reader;
use rusqlite::Connection;

use crate::sample::{PROBLEMS, done, job, problem};
use crate::*;

#[test]
fn a_run_is_resumed_until_it_is_finished_and_a_fresh_one_reuses_nothing() {
    let (_folder, ledger) = folder();
    let first = begin(&ledger);
    store(&first, "s01", "aaaaaaaa", "first");
    let began = first.info().clone();
    drop(first);

    let again = begin(&ledger);
    assert_eq!((again.info(), again.is_resumed()), (&began, true));
    let first = Some((1, true, "first".to_owned()));
    assert_eq!(find(&again, "s01", "aaaaaaaa"), first);
    send(&again, EventKind::RunFinished { interrupted: true });
    drop(again);

    let mut other = sample::wanted();
    other.class = "/classes/b".into();
    let other = begin_as(&ledger, &other);
    assert_eq!((other.info().id, other.is_resumed()), (2, false));
    assert_eq!(find(&other, "s01", "aaaaaaaa"), None);
    finish(other);

    let mut fresh = sample::wanted();
    fresh.fresh = true;
    let run = begin_as(&ledger, &fresh);
    assert_eq!((run.info().id, run.is_resumed()), (3, false));
    assert!(run.is_fresh());
    assert_eq!(find(&run, "s01", "aaaaaaaa"), None);
    store(&run, "s02", "aaaaaaaa", "third");
    drop(run);

    // It stays fresh when it is resumed.
    let run = begin(&ledger);
    assert_eq!((run.info().id, run.is_resumed()), (3, true));
    assert_eq!(find(&run, "s01", "aaaaaaaa"), None);
    let third = Some((3, true, "third".to_owned()));
    assert_eq!(find(&run, "s02", "aaaaaaaa"), third);
    finish(run);

    let run = begin(&ledger);
    assert_eq!((run.info().id, run.is_resumed()), (4, false));
    let history = Reader::open(&ledger).unwrap().history().unwrap();
    let states: Vec<RunState> = history.iter().map(|run| run.state).collect();
    assert_eq!(states, [Interrupted, Finished, Finished, Running]);
}

#[test]
fn an_unfinished_run_of_another_version_of_the_assignment_is_not_resumed_but_reused() {
    let (_folder, ledger) = folder();
    let run = begin(&ledger);
    store(&run, "s01", "aaaaaaaa", "first");
    drop(run);
    let mut wanted = sample::wanted();
    wanted.assignment.problems[1].version = "77".repeat(32);
    let run = begin_as(&ledger, &wanted);
    assert_eq!((run.info().id, run.is_resumed()), (2, false));
    let first = Some((1, false, "first".to_owned()));
    assert_eq!(find(&run, "s01", "aaaaaaaa"), first);
}

#[test]
fn finds_the_result_of_the_same_key_or_else_the_latest() {
    let (_folder, ledger) = folder();
    for (source, hint) in [("aaaaaaaa", "one"), ("bbbbbbbb", "two")] {
        let run = begin(&ledger);
        store(&run, "s01", source, hint);
        finish(run);
    }
    let run = begin(&ledger);
    let found = |source| find(&run, "s01", source).unwrap();
    assert_eq!(found("aaaaaaaa"), (1, false, "one".to_owned()));
    assert_eq!(found("bbbbbbbb"), (2, false, "two".to_owned()));
    assert_eq!(found("cccccccc"), (2, false, "two".to_owned()));
    assert_eq!(find(&run, "s02", "aaaaaaaa"), None);
    store(&run, "s01", "cccccccc", "three");
    assert_eq!(found("cccccccc"), (3, true, "three".to_owned()));
    assert_eq!(found("dddddddd"), (3, true, "three".to_owned()));
    store(&run, "s01", "cccccccc", "four");
    assert_eq!(found("cccccccc"), (3, true, "four".to_owned()));
    assert_eq!(found("aaaaaaaa"), (1, false, "one".to_owned()));
}

#[test]
fn history_counts_results_and_a_reused_one_names_the_run_that_judged_it() {
    let (_folder, ledger) = folder();
    finish(begin(&ledger));
    let run = begin(&ledger);
    let mut results = sample::results(&run);
    results.students.truncate(2);
    results.students[1].problems[0].origin = Some(Origin::Reused { run: 1 });
    send(&run, sample::started(&results));
    sample::store_jobs(&run, &results);
    let found = |at: usize| {
        let student = results.students[at].id.as_str();
        find(&run, student, "aaaaaaaa").unwrap().0
    };
    assert_eq!([found(0), found(1)], [2, 1]);
    for student in &results.students {
        send(&run, sample::student_finished(student));
    }
    let began = run.info().began.clone();
    finish(run);
    let summary = Reader::open(&ledger).unwrap().history().unwrap().remove(1);
    assert_eq!(summary.began, began);
    assert!(summary.ended.is_some_and(|ended| ended >= began));
    assert_eq!(
        (summary.state, summary.class, summary.grader.as_str()),
        (Finished, "/classes/a".into(), "0.1.0")
    );
    let counts = [
        summary.students,
        summary.judged,
        summary.reused,
        summary.faults,
    ];
    assert_eq!(counts, [2, 4, 1, 2]);
}

#[test]
fn several_jobs_are_stored_together_or_not_at_all() {
    let (_folder, ledger) = folder();
    let (run, reports) = begin_watched(&ledger, &sample::wanted());
    let result = problem("count", Verdict::Accepted);
    let students = ["s01", "s02"].map(StudentId::new);
    let [one, two] = students.each_ref().map(|it| job(it, &result.id));
    let first = done("aaaaaaaa", &result);
    run.store_all(&[(one, &first), (two, &first)]).unwrap();
    Connection::open(&ledger)
        .unwrap()
        .execute_batch(
            "CREATE TRIGGER refuse BEFORE INSERT ON result WHEN new.student = 's02' \
             BEGIN SELECT raise(ABORT, 'refused'); END",
        )
        .unwrap();
    let mut other = result.clone();
    other.hints.clear();
    let second = done("cccccccc", &other);
    assert!(run.store_all(&[(one, &second), (two, &second)]).is_err());
    let stored = run.find(one, &second.key).unwrap().unwrap();
    assert_eq!(stored.key, first.key);
    // The judge stores each by itself then.
    assert!(reports.lock().unwrap().is_empty());
    run.store(one, &second).unwrap();
    assert!(run.store(two, &second).is_err());
    assert_eq!(*reports.lock().unwrap(), ["Unwritten: refused"]);
}

#[test]
fn sources_are_stored_once_and_go_with_their_result() {
    let (_folder, ledger) = folder();
    for _ in 0..2 {
        let run = begin(&ledger);
        let results = sample::results(&run);
        send(&run, sample::started(&results));
        sample::store_jobs(&run, &results);
        for student in &results.students {
            send(&run, sample::student_finished(student));
        }
        finish(run);
    }
    let count = |table: &str| -> i64 {
        let sql = format!("SELECT count(*) FROM {table}");
        let connection = Connection::open(&ledger).unwrap();
        connection.query_row(&sql, [], |row| row.get(0)).unwrap()
    };
    assert_eq!(count("source"), 2 * 15);
    assert_eq!(count("(SELECT DISTINCT content FROM source)"), 1);
    let sources = |run, problem| {
        let (student, problem) = (StudentId::new("s01"), ProblemId::new(problem));
        let reader = Reader::open(&ledger).unwrap();
        reader.sources(run, &student, &problem).unwrap()
    };
    let result = problem(PROBLEMS[1], Verdict::Accepted);
    assert_eq!(sources(2, PROBLEMS[1]), done("aaaaaaaa", &result).sources);
    assert_eq!(sources(3, PROBLEMS[1]), []);
}

#[test]
fn reports_a_run_that_is_not_there_or_has_not_started() {
    let (_folder, ledger) = folder();
    drop(begin(&ledger));
    let error = |run| {
        let results = Reader::open(&ledger).unwrap().results(run);
        results.unwrap_err().why.to_string()
    };
    assert_eq!(
        [error(1), error(9)],
        ["run 1 ended before it had any result", "it has no run 9"]
    );
}

//! Runs: what one remembers of those before it.

use grader_judge::{JobName, ResultCache as _, StoredResult};
use grader_model::{Change, EventKind, Origin, ProblemId, RunState, Sink as _, Verdict};
use rusqlite::Connection;

use crate::{count, end, keep, recalled, sample, student};

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
fn a_reused_result_names_the_run_that_found_it() {
    let (_folder, ledger) = sample::folder();
    let (who, problem) = (student("s01"), ProblemId::new("count"));
    let job = JobName {
        student: &who,
        problem: &problem,
    };
    let first = sample::begin(&ledger);
    first
        .store(job, &sample::done("aaaaaaaa", &count()))
        .unwrap();
    end(first);

    let second = sample::begin(&ledger);
    let mut reused = sample::done("aaaaaaaa", &count());
    reused.result.origin = Some(Origin::Reused { run: 1 });
    second.store(job, &reused).unwrap();
    assert_eq!(
        second.find(job, &sample::key("aaaaaaaa")).unwrap(),
        Some(StoredResult {
            run: 1,
            is_this_run: true,
            key: reused.key.clone(),
            result: reused.result.clone(),
        })
    );
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
    results.students[1].problems[0].origin = Some(Origin::Reused { run: 1 });
    results.students[1].problems[2].origin = Some(Origin::Ran {
        because: vec![Change::Fault],
    });
    let mut sink = run.sink();
    sink.event(&sample::started(Some(run.info()), &results))
        .unwrap();
    for (student, result) in sample::jobs(&results) {
        sample::keep(&run, &student, &sample::done("aaaaaaaa", &result));
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
            summary.faults
        ],
        [2, 4, 1, 3]
    );
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
    let first = sample::done("aaaaaaaa", &count());
    let second = sample::done("bbbbbbbb", &count());
    run.store_all(&[(name(&one), &first), (name(&two), &second)])
        .unwrap();
    assert!(recalled(&run, "s01", "aaaaaaaa").is_some());
    assert!(recalled(&run, "s02", "bbbbbbbb").is_some());
    // Of the next two the second cannot be written.
    let mut impossible = sample::done("dddddddd", &count());
    impossible.result.origin = Some(Origin::Reused { run: 1 });
    Connection::open(&ledger)
        .unwrap()
        .execute_batch(
            "CREATE TRIGGER refuse BEFORE INSERT ON job WHEN new.taken = 'reused' \
             BEGIN SELECT raise(ABORT, 'refused'); END",
        )
        .unwrap();
    let third = sample::done("cccccccc", &count());
    let jobs = [(name(&one), &third), (name(&two), &impossible)];
    assert!(run.store_all(&jobs).is_err());
    let key = |who| {
        run.find(name(who), &sample::key("cccccccc"))
            .unwrap()
            .unwrap()
            .key
    };
    assert_eq!(key(&one), first.key);
    run.store(name(&one), &third).unwrap();
    assert_eq!(key(&one), third.key);
}

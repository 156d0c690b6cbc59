//! What the ledger gives back is what the events of a run fold to, whenever it stops.

use grader_model::{EventKind, Origin, Results, Status, Verdict, not_judged};
use grader_report::Fold;
use grader_store::Reader;

use crate::sample::{store_jobs, student_finished, without_job};
use crate::*;

/// Sends the events to a run and to a fold.
fn play(run: &Run, events: impl IntoIterator<Item = EventKind>) -> Results {
    let mut fold = Fold::new();
    for kind in events {
        let event = Event { at_ms: 0, kind };
        fold.event(&event).unwrap();
        send(run, event.kind);
    }
    fold.results().unwrap()
}

fn events(results: &Results) -> Vec<EventKind> {
    let students = results.students.iter().map(student_finished);
    let times = results.reference_times.iter().cloned();
    let times = times.map(|reference_time| EventKind::ReferenceMeasured { reference_time });
    students.chain(times).collect()
}

#[test]
fn neither_order_nor_end_makes_a_difference() {
    // Whether jobs are stored, before the students' events or after; the order of these; how many come; how it ends.
    let cases = [
        (Some(true), false, 9, false),
        (Some(false), false, 9, false),
        (Some(true), true, 9, true),
        (Some(true), false, 4, true),
        // No job could be stored.
        (None, true, 8, false),
    ];
    for (jobs_first, reversed, count, interrupted) in cases {
        let (_folder, ledger) = folder();
        let run = begin(&ledger);
        let results = sample::results(&run);
        let mut all = events(&results);
        if reversed {
            all.reverse();
        }
        all.truncate(count);
        all.insert(0, sample::started(&results));
        all.push(EventKind::RunFinished { interrupted });
        if jobs_first == Some(true) {
            store_jobs(&run, &results);
        }
        let mut expected = play(&run, all);
        if jobs_first == Some(false) {
            store_jobs(&run, &results);
        }
        if count == 9 {
            let whole = Results {
                interrupted,
                ..results
            };
            assert_eq!(expected, whole);
        }
        let mut stored = run.results().unwrap();
        drop(run);
        let reader = Reader::open(&ledger).unwrap();
        assert_eq!(reader.results(1).unwrap(), stored);
        let known = reader.known_students(1).unwrap();
        let timed = stored.students.iter().flat_map(|student| {
            let problems = student.problems.iter();
            let timed = problems.filter(|it| it.submitted.is_some());
            timed.map(|it| (student.id.clone(), it.id.clone()))
        });
        assert_eq!(known.timed, timed.collect());
        let mut students = stored.students.clone();
        for student in &mut students {
            student.problems.clear();
        }
        assert_eq!(known.students, students);
        // The ledger also knows jobs of students who are not finished.
        let finished = |id| expected.students.iter().any(|it| it.id == id);
        stored.students.retain(|it| finished(it.id.clone()));
        stored.order_reference_times();
        expected.order_reference_times();
        assert_eq!(stored, expected);
    }
}

#[test]
fn a_killed_run_has_its_finished_jobs_and_the_rest_is_open() {
    let (_folder, ledger) = folder();
    let run = begin(&ledger);
    let results = sample::results(&run);
    send(&run, sample::started(&results));
    let mut judged = results.clone();
    judged.students.truncate(1);
    store_jobs(&run, &judged);
    let stored = run.results().unwrap();
    assert!(stored.interrupted);
    assert_eq!(stored.students.len(), results.students.len());
    assert_eq!(stored.students[0].problems, results.students[0].problems);
    for (open, info) in stored.students[1]
        .problems
        .iter()
        .zip(&results.assignment.problems)
    {
        assert_eq!((&open.id, open.points), (&info.id, None));
        assert_eq!(
            (open.verdict, open.status, &open.message),
            (Verdict::Skipped, Status::NotJudged, &Some(not_judged()))
        );
    }
}

#[test]
fn a_resumed_run_has_the_students_and_files_of_now() {
    let (_folder, ledger) = folder();
    let run = begin(&ledger);
    let mut results = sample::results(&run);
    send(&run, sample::started(&results));
    store_jobs(&run, &results);
    drop(run);

    // Meanwhile one student left, one withdrew a file, and one renamed the folder of another.
    let run = begin(&ledger);
    assert!(run.is_resumed());
    results.students.pop();
    results.students[0].problems[0] = without_job("count", Status::NotSubmitted);
    results.students[1].problems[0].files = vec!["moved/count.c".to_owned()];
    // And the judge was stopped before it came to this one.
    let judged = results.students[2].clone();
    results.students[2].problems[0] = without_job("count", Status::NotJudged);
    let mut all = events(&results);
    all.insert(0, sample::started(&results));
    all.push(EventKind::RunFinished { interrupted: true });
    let mut expected = play(&run, all);
    expected.students[2] = judged;
    assert_eq!(run.results().unwrap(), expected);
    let reader = Reader::open(&ledger).unwrap();
    let summary = reader.history().unwrap().remove(0);
    let problems = expected.students.iter().flat_map(|it| &it.problems);
    let judged = problems.filter(|it| it.origin.is_some()).count();
    assert_eq!((summary.students, summary.judged), (5, judged));
    let sources = |at: usize| {
        let student = &results.students[at].id;
        let sources = reader.sources(1, student, &ProblemId::new("count"));
        sources.unwrap().len()
    };
    assert_eq!([sources(0), sources(1), sources(2)], [0, 1, 1]);
    let included = |problem| reader.included(1, &ProblemId::new(problem)).unwrap();
    assert_eq!(included("count")[0].path, "main.c");
    assert_eq!(included("board"), []);
    let statements = |problem| reader.statements(1, &ProblemId::new(problem)).unwrap();
    assert_eq!(&*statements("count")[0].bytes, b"<p>Count.</p>");
    assert_eq!(statements("board"), []);
}

#[test]
fn a_reused_result_is_the_same_but_for_its_origin() {
    let (_folder, ledger) = folder();
    let run = begin(&ledger);
    let mut results = sample::results(&run);
    store_jobs(&run, &results);
    finish(run);
    let run = begin(&ledger);
    results.run = Some(run.info().clone());
    results.students[0].problems[0].origin = Some(Origin::Reused { run: 1 });
    store_jobs(&run, &results);
    let mut all = events(&results);
    all.insert(0, sample::started(&results));
    all.push(EventKind::RunFinished { interrupted: false });
    play(&run, all);
    assert_eq!(run.results().unwrap(), results);
}

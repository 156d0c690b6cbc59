//! What the ledger gives back is what the events of a run fold to, whenever it stops.
#![expect(clippy::unwrap_used, reason = "a panic in a test is its report")]

mod sample;

use grader_model::{Event, EventKind, Origin, Points, Results, Sink as _, Verdict};
use grader_report::Fold;
use grader_store::Run;
use proptest::prelude::*;

/// One thing that happens in a run.
enum Step {
    Job(usize),
    Event(Box<Event>),
}

impl From<Event> for Step {
    fn from(event: Event) -> Self {
        Self::Event(Box::new(event))
    }
}

fn play(run: &Run, results: &Results, steps: &[Step]) -> Results {
    let jobs = sample::jobs(results);
    let mut sink = run.sink();
    let mut fold = Fold::new();
    for step in steps {
        match step {
            Step::Job(at) => {
                let (student, result) = &jobs[*at];
                let done = sample::done("aaaaaaaa", result);
                sample::keep(run, student, &done);
            }
            Step::Event(event) => {
                sink.event(event).unwrap();
                fold.event(event).unwrap();
            }
        }
    }
    fold.results().unwrap()
}

/// Everything that happens in a run that is not disturbed: jobs, students, references.
fn steps(run: &Run, results: &Results) -> (Step, Vec<Step>) {
    let jobs = (0..sample::jobs(results).len()).map(Step::Job);
    let students = results.students.iter().map(sample::student_finished);
    let measured = results.reference_times.iter().cloned();
    let measured = measured
        .map(|reference_time| sample::event(EventKind::ReferenceMeasured { reference_time }));
    let begin = Step::from(sample::started(Some(run.info()), results));
    (
        begin,
        jobs.chain(students.chain(measured).map(Step::from))
            .collect(),
    )
}

#[test]
fn a_run_that_is_not_disturbed_gives_back_what_its_events_fold_to() {
    let (_folder, ledger) = sample::folder();
    let run = sample::begin(&ledger);
    let results = sample::results();
    let (begin, mut all) = steps(&run, &results);
    all.insert(0, begin);
    all.push(Step::from(sample::finished(false)));
    let folded = play(&run, &results, &all);
    let mut expected = results;
    expected.run = Some(run.info().clone());
    assert_eq!(folded, expected);
    assert_eq!(run.results().unwrap(), expected);
    let id = run.info().id;
    drop(run);
    let reader = grader_store::Reader::open(&ledger).unwrap();
    assert_eq!(reader.results(id).unwrap(), expected);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn neither_order_nor_end_makes_a_difference(
        order in prop::collection::vec(any::<u32>(), 40),
        left_out in 0usize..40,
        interrupted: bool,
    ) {
        let (_folder, ledger) = sample::folder();
        let run = sample::begin(&ledger);
        let results = sample::results();
        let (begin, all) = steps(&run, &results);
        // Students may even be told before their jobs are kept, or without: the result is theirs then.
        let mut shuffled: Vec<(u32, Step)> = order.into_iter().zip(all).collect();
        shuffled.sort_by_key(|(place, _)| *place);
        let mut steps = vec![begin];
        steps.extend(shuffled.into_iter().map(|(_, step)| step).skip(left_out));
        steps.push(Step::from(sample::finished(interrupted)));
        let folded = play(&run, &results, &steps);
        let mut kept = run.results().unwrap();
        // Of students who were not finished the ledger knows the jobs; a fold knows nothing of them.
        kept.students.retain(|student| folded.students.iter().any(|it| it.id == student.id));
        kept.order_reference_times();
        prop_assert_eq!(kept, folded);
    }
}

#[test]
fn of_a_run_that_was_killed_finished_jobs_are_there_and_the_rest_is_open() {
    let (_folder, ledger) = sample::folder();
    let run = sample::begin(&ledger);
    let results = sample::results();
    run.sink()
        .event(&sample::started(Some(run.info()), &results))
        .unwrap();
    let (student, result) = sample::jobs(&results).remove(0);
    sample::keep(&run, &student, &sample::done("aaaaaaaa", &result));
    let kept = run.results().unwrap();
    assert!(kept.interrupted);
    assert_eq!(kept.students.len(), results.students.len());
    let first = &kept.students[0];
    assert_eq!(first.id, student);
    assert_eq!(first.problems[0], result);
    assert_eq!(first.points(), None);
    let told: Vec<(String, Option<Points>, Verdict, String)> = kept.students[1]
        .problems
        .iter()
        .map(|problem| {
            let why = problem.message.clone().unwrap_or_default().en;
            (problem.id.to_string(), problem.points, problem.verdict, why)
        })
        .collect();
    let open = |id: &str| {
        let why = "not judged: the run was stopped".to_owned();
        (id.to_owned(), None, Verdict::Skipped, why)
    };
    assert_eq!(told, sample::PROBLEMS.map(open));
    // What any student's result shows of a problem's cases is told of those who have none.
    let cases = &kept.students[1].problems[0].subtasks[0].cases;
    assert_eq!(cases.len(), 3);
    assert!(cases.iter().all(|case| case.verdict == Verdict::Skipped));
}

#[test]
fn what_no_longer_fits_a_run_that_goes_on_is_not_in_its_results() {
    let (_folder, ledger) = sample::folder();
    let mut results = sample::results();
    let run = sample::begin(&ledger);
    let mut sink = run.sink();
    sink.event(&sample::started(Some(run.info()), &results))
        .unwrap();
    for (student, result) in sample::jobs(&results) {
        sample::keep(&run, &student, &sample::done("aaaaaaaa", &result));
    }
    let measured = results.reference_times.iter().cloned();
    for reference_time in measured {
        sink.event(&sample::event(EventKind::ReferenceMeasured {
            reference_time,
        }))
        .unwrap();
    }
    drop((sink, run));

    // Meanwhile a student left, one took a file back, and the problem `board` is another.
    let run = sample::begin(&ledger);
    assert!(run.goes_on());
    let mut sink = run.sink();
    results.students.pop();
    results.students[0].problems[0] = sample::nothing("count");
    results.assignment.problems[1].version = "77".repeat(32);
    results
        .reference_times
        .retain(|it| it.problem.as_str() != "board");
    sink.event(&sample::started(Some(run.info()), &results))
        .unwrap();
    for student in &results.students {
        sink.event(&sample::student_finished(student)).unwrap();
    }
    sink.event(&sample::finished(false)).unwrap();
    results.run = Some(run.info().clone());
    assert_eq!(run.results().unwrap(), results);
    let history = run.reader().history().unwrap();
    let judged = sample::jobs(&results).len();
    assert_eq!((history.len(), history[0].judged), (1, judged));
    assert_eq!(history[0].students, results.students.len());
    let faults = results.students.len();
    assert_eq!(history[0].faults, faults);
}

#[test]
fn a_job_whose_files_lie_elsewhere_when_the_run_goes_on_is_shown_with_their_new_names() {
    let (_folder, ledger) = sample::folder();
    let run = sample::begin(&ledger);
    let mut results = sample::results();
    results.reference_times.clear();
    let (student, result) = sample::jobs(&results).remove(0);
    let done = sample::done("aaaaaaaa", &result);
    sample::keep(&run, &student, &done);
    drop(run);

    // The judge has nothing new to keep: it only shows where they lie.
    let run = sample::begin(&ledger);
    results.students[0].problems[0].files = vec!["moved/count.c".to_owned()];
    let mut sink = run.sink();
    sink.event(&sample::started(Some(run.info()), &results))
        .unwrap();
    for student in &results.students {
        sink.event(&sample::student_finished(student)).unwrap();
    }
    sink.event(&sample::finished(false)).unwrap();
    results.run = Some(run.info().clone());
    assert_eq!(run.results().unwrap(), results);
}

#[test]
fn a_job_that_was_finished_before_a_run_went_on_is_not_lost_when_that_is_stopped_at_once() {
    let (_folder, ledger) = sample::folder();
    let run = sample::begin(&ledger);
    let mut results = sample::results();
    run.sink()
        .event(&sample::started(Some(run.info()), &results))
        .unwrap();
    let (student, result) = sample::jobs(&results).remove(0);
    sample::keep(&run, &student, &sample::done("aaaaaaaa", &result));
    drop(run);
    let run = sample::begin(&ledger);
    let mut sink = run.sink();
    sink.event(&sample::started(Some(run.info()), &results))
        .unwrap();
    // As the judge tells of a student whom it has not come to.
    let first = &mut results.students[0];
    first.problems[0] = sample::nothing("count");
    first.problems[0].points = None;
    first.problems[0].status = grader_model::Status::NotJudged;
    sink.event(&sample::student_finished(first)).unwrap();
    sink.event(&sample::finished(true)).unwrap();
    assert_eq!(run.results().unwrap().students[0].problems[0], result);
}

#[test]
fn of_a_run_that_goes_on_by_other_rules_only_what_was_judged_by_these_is_shown() {
    let (_folder, ledger) = sample::folder();
    let mut results = sample::results();
    let keep = |run: &Run, results: &Results| {
        for (student, result) in sample::jobs(results) {
            sample::keep(run, &student, &sample::done("aaaaaaaa", &result));
        }
    };
    let run = sample::begin(&ledger);
    run.sink()
        .event(&sample::started(Some(run.info()), &results))
        .unwrap();
    keep(&run, &results);
    drop(run);
    let shown = |run: &Run| {
        let results = run.results().unwrap();
        let problems = results.students.into_iter().flat_map(|it| it.problems);
        let known = problems.filter(|it| it.message != Some(grader_model::not_judged()));
        known.map(|it| it.id.to_string()).collect::<Vec<_>>()
    };

    // The problem `count` is worth more now, and this process, too, is killed.
    let run = sample::begin(&ledger);
    let all = shown(&run);
    assert!(all.iter().any(|it| it == "count"));
    results.assignment.problems[0].points = Points::whole(77);
    run.sink()
        .event(&sample::started(Some(run.info()), &results))
        .unwrap();
    let mut rest = all.clone();
    rest.retain(|it| it != "count");
    assert_eq!(shown(&run), rest);
    drop(run);

    // Nothing is lost: what is judged, or told to be as it was, is there again.
    let run = sample::begin(&ledger);
    let mut sink = run.sink();
    sink.event(&sample::started(Some(run.info()), &results))
        .unwrap();
    assert_eq!(shown(&run), rest);
    sink.event(&sample::student_finished(&results.students[0]))
        .unwrap();
    let told = results.students[0].problems.iter();
    let told = told.filter(|it| it.id.as_str() == "count").count();
    assert_eq!(shown(&run).len(), rest.len() + told);
    keep(&run, &results);
    assert_eq!(shown(&run), all);
}

#[test]
fn a_result_that_was_taken_is_the_same_but_for_where_it_comes_from() {
    let (_folder, ledger) = sample::folder();
    let results = sample::results();
    let first = sample::begin(&ledger);
    let (student, result) = sample::jobs(&results).remove(0);
    sample::keep(&first, &student, &sample::done("aaaaaaaa", &result));
    first.sink().event(&sample::finished(false)).unwrap();
    let built = first.info().id;
    drop(first);

    let second = sample::begin(&ledger);
    let mut results = results;
    results.reference_times.clear();
    let taken = &mut results.students[0].problems[0];
    taken.origin = Some(Origin::Reused { run: built });
    let done = sample::done("aaaaaaaa", taken);
    sample::keep(&second, &student, &done);
    let mut sink = second.sink();
    sink.event(&sample::started(Some(second.info()), &results))
        .unwrap();
    for student in &results.students {
        sink.event(&sample::student_finished(student)).unwrap();
    }
    sink.event(&sample::finished(false)).unwrap();
    results.run = Some(second.info().clone());
    assert_eq!(second.results().unwrap(), results);
    let history = second.reader().history().unwrap();
    assert_eq!((history[1].judged, history[1].reused), (0, 1));
}

//! Runs that are stopped and resumed.

use std::sync::atomic::Ordering;

use grader_model::{CpuTime, SubtaskName};
use grader_problem::TimeRule;

use super::*;

const SOURCES: [&str; 4] = ["twice", "thrice", "broken", "exits"];

/// All runs are near the time limit, so that each is repeated alone.
fn assignment() -> Assignment {
    doubling(|problem| {
        problem.limits.time = TimeRule::Absolute(CpuTime::from_millis(45));
        problem.subtasks[1].require = vec![SubtaskName::new("small")];
        problem.subtasks[1].cases.truncate(1);
    })
}

#[test]
fn a_run_that_is_stopped_anywhere_and_goes_on_ends_as_an_undisturbed_one_and_runs_no_finished_job_twice()
 {
    needs_compiler!();
    let (assignment, class) = (assignment(), class(&SOURCES));
    let whole = afresh(&assignment, &class);
    let all = {
        let machine = Arc::<Machine>::default();
        Setup::new(&machine, None).grade(&assignment, &class);
        machine.log().len()
    };
    for (workers, overlaps) in [(1, false), (1, true), (2, false), (2, true)] {
        for at in 1..=all {
            let stop = Stop::new();
            let machine = Arc::new(Machine {
                stops_at: Some((at, stop.clone())),
                ..Machine::default()
            });
            let ram = Arc::<Ram>::default();
            ram.begin();
            let setup = Setup {
                workers,
                overlaps,
                stop,
                ..Setup::new(&machine, Some(&ram))
            };
            let (first, summary) = setup.grade(&assignment, &class);
            assert_eq!(first.interrupted, Some(summary.interrupted));
            let finished: Vec<&String> = first
                .events
                .iter()
                .filter(|event| event.starts_with("finished"))
                .collect();
            // Exactly the announced jobs are stored.
            assert_eq!((first.early, ram.stored()), (0, finished.len()), "{at}");
            assert_eq!(summary.interrupted, finished.len() < SOURCES.len(), "{at}");
            let ids: Vec<&str> = first.students.iter().map(|it| it.id.as_str()).collect();
            assert_eq!(ids.len(), SOURCES.len());

            let machine = Arc::<Machine>::default();
            let setup = Setup {
                workers,
                overlaps,
                ..Setup::new(&machine, Some(&ram))
            };
            let (second, summary) = setup.grade(&assignment, &class);
            assert!(!summary.interrupted);
            assert_eq!(second.early, 0);
            assert_eq!(second.found(), whole.found(), "stopped at {at}");
            for event in finished {
                let student = event.trim_start_matches("finished ");
                let log = machine.log.lock().unwrap();
                let twice = log.iter().any(|line| {
                    line == &format!("build {student}") || line.starts_with(&format!("{student} "))
                });
                assert!(!twice, "{student}: {log:?}");
            }
        }
    }
}

#[test]
fn a_program_that_is_ended_by_the_signal_that_stops_us_is_not_judged_by_it() {
    needs_compiler!();
    let verdict = |sources: &str, at: usize, is_late: bool| {
        let stop = Stop::new();
        let machine = Arc::new(Machine {
            stops_at: Some((at, stop.clone())),
            stops_late: is_late.then(|| stop.clone()),
            ..Machine::default()
        });
        let ram = Arc::<Ram>::default();
        ram.begin();
        let setup = Setup {
            stop,
            ..Setup::new(&machine, Some(&ram))
        };
        let assignment = doubling(|problem| {
            problem.subtasks.truncate(1);
            problem.subtasks[0].cases.truncate(1);
            problem.subtasks[0].cases[0].answer =
                grader_problem::Answer::Given(Arc::from(&b"2"[..]));
        });
        let (heard, _) = setup.grade(&assignment, &class(&[sources]));
        (heard.verdicts().remove(0), ram.stored())
    };
    // Stopped while it runs: after it was built.
    assert_eq!(verdict("killed", 2, false), ("SK open".to_owned(), 0));
    assert_eq!(verdict("exits", 2, false), ("RE 0".to_owned(), 1));
    assert_eq!(verdict("killed", 99, false), ("RE 0".to_owned(), 1));
    // The signal reaches the program first.
    assert_eq!(verdict("killed", 99, true), ("SK open".to_owned(), 0));
}

#[test]
fn a_stop_that_comes_before_everything_leaves_every_student_with_open_points() {
    needs_compiler!();
    let (machine, ram) = (Arc::<Machine>::default(), Arc::<Ram>::default());
    ram.begin();
    let setup = Setup::new(&machine, Some(&ram));
    setup.stop.request();
    let (heard, summary) = setup.grade(&assignment(), &class(&SOURCES));
    assert!(summary.interrupted);
    assert_eq!(heard.verdicts(), ["SK open"; 4]);
    assert_eq!((machine.log(), ram.stored()), (Vec::new(), 0));
}

#[test]
fn with_many_workers_nothing_runs_beside_a_run_alone_and_all_come_to_an_end() {
    needs_compiler!();
    let machine = Arc::<Machine>::default();
    let setup = Setup {
        workers: 8,
        overlaps: true,
        ..Setup::new(&machine, None)
    };
    let (heard, _) = setup.grade(&assignment(), &class(&["twice"; 24]));
    assert_eq!(heard.verdicts(), ["AC 10"; 24]);
    let runs = machine.programs().into_iter();
    let first = runs.filter(|line| line == "s0 n=1").count();
    assert_eq!(
        (first, machine.beside_repeated.load(Ordering::SeqCst)),
        (4, 0)
    );
}

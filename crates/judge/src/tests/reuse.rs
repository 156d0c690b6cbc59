//! Reuse of earlier results, and the reasons against it.

use std::sync::atomic::Ordering;

use grader_model::{Change, Origin, Verdict};
use grader_problem::AttemptRule;

use super::machine::Trouble;
use super::*;

const SOURCES: [&str; 4] = ["twice", "thrice", "loud", "goto exits"];
const VERDICTS: [&str; 4] = ["AC 10", "WA 0", "PE 0", "RE 0"];

/// A cache with one run of the class.
fn stored_run(sources: &[&str]) -> (Arc<Machine>, Arc<Ram>) {
    let (machine, ram) = (Arc::<Machine>::default(), Arc::<Ram>::default());
    ram.begin();
    let setup = Setup::new(&machine, Some(&ram));
    let (heard, _) = setup.grade(&doubling(|_| ()), &class(sources));
    assert_eq!(ram.stored(), sources.len());
    assert_eq!(heard.origins(), vec![ran(&[]); sources.len()]);
    assert_eq!(heard.early, 0, "a job was announced before it was stored");
    machine.log();
    (machine, ram)
}

fn ran(because: &[Change]) -> Origin {
    Origin::Ran {
        because: because.to_vec(),
    }
}

#[test]
fn without_a_cache_results_have_no_origin() {
    needs_compiler!();
    let heard = afresh(&doubling(|_| ()), &class(&SOURCES));
    assert_eq!(heard.verdicts(), VERDICTS);
    assert!(heard.results().iter().all(|it| it.origin.is_none()));
}

#[test]
fn a_second_run_of_an_unchanged_class_takes_all_results_and_runs_nothing() {
    needs_compiler!();
    let (machine, ram) = stored_run(&SOURCES);
    for workers in [1, 3] {
        ram.begin();
        let setup = Setup {
            workers,
            ..Setup::new(&machine, Some(&ram))
        };
        let (heard, summary) = setup.grade(&doubling(|_| ()), &class(&SOURCES));
        assert_eq!(machine.log(), [""; 0]);
        assert_eq!(heard.origins(), vec![Origin::Reused { run: 1 }; 4]);
        let fresh = afresh(&doubling(|_| ()), &class(&SOURCES));
        assert_eq!(heard.found(), fresh.found());
        let mut events = heard.events;
        events.sort();
        assert_eq!(
            events,
            ["finished s0", "finished s1", "finished s2", "finished s3"]
        );
        assert_eq!((heard.early, ram.stored()), (0, 4));
        assert!(!summary.interrupted);
    }
}

#[test]
fn what_has_changed_is_run_again_and_says_why() {
    needs_compiler!();
    let (machine, ram) = stored_run(&["twice", "twice"]);
    let same = class(&["twice", "twice"]);
    let reused = Origin::Reused { run: 1 };
    let again = |setup: Setup, assignment: &Assignment, class: &Class| {
        ram.begin();
        setup.grade(assignment, class).0.origins()
    };
    let setup = || Setup::new(&machine, Some(&ram));
    let plain = doubling(|_| ());

    let other = class(&["twice", "thrice"]);
    assert_eq!(
        again(setup(), &plain, &other),
        [reused.clone(), ran(&[Change::Sources])]
    );
    assert_eq!(machine.programs()[0], "build s1");

    // Of several runs, the one with the same key is used.
    assert_eq!(again(setup(), &plain, &same), vec![reused; 2]);

    let grader = Setup {
        grader: "0.2.0",
        ..setup()
    };
    assert_eq!(
        again(grader, &plain, &same),
        vec![ran(&[Change::Grader]); 2]
    );
    let memory = doubling(|problem| problem.limits.memory.0 += 1);
    assert_eq!(
        again(setup(), &memory, &same),
        vec![ran(&[Change::Judging, Change::Grader]); 2]
    );
    let walled = Arc::new(Machine {
        layers: vec!["landlock".to_owned()],
        ..Machine::default()
    });
    assert_eq!(
        again(Setup::new(&walled, Some(&ram)), &memory, &other),
        [
            ran(&[Change::Isolation]),
            ran(&[Change::Sources, Change::Isolation])
        ]
    );
    let mut bonus = memory;
    bonus.problems[0].bonus = true;
    assert_eq!(
        again(Setup::new(&walled, Some(&ram)), &bonus, &other),
        vec![ran(&[Change::Judging]); 2]
    );
}

#[test]
fn a_fault_is_judged_again_and_says_so() {
    needs_compiler!();
    let ram = Arc::<Ram>::default();
    ram.begin();
    let machine = Arc::new(Machine::with(&[("s0 n=3", Trouble::Dies)]));
    let (assignment, class) = (doubling(|_| ()), class(&["twice", "twice"]));
    let (heard, _) = Setup::new(&machine, Some(&ram)).grade(&assignment, &class);
    assert_eq!(heard.verdicts(), ["JE open", "AC 10"]);
    assert_eq!(ram.stored(), 2, "a fault is stored, for the report");
    // In this run, which is resumed, and in a later one.
    let (heard, _) = Setup::new(&machine, Some(&ram)).grade(&assignment, &class);
    assert_eq!(heard.verdicts(), ["AC 10", "AC 10"]);
    assert_eq!(heard.origins(), [ran(&[Change::Fault]), ran(&[])]);
    ram.begin();
    let (heard, _) = Setup::new(&machine, Some(&ram)).grade(&assignment, &class);
    assert_eq!(heard.origins(), vec![Origin::Reused { run: 1 }; 2]);
}

#[test]
fn what_was_drawn_by_lot_is_drawn_again_in_another_run_but_not_in_one_that_goes_on() {
    needs_compiler!();
    let (machine, ram) = (Arc::<Machine>::default(), Arc::<Ram>::default());
    let assignment = doubling(|problem| {
        problem.subtasks[1].attempts = Some(AttemptRule {
            runs: 2,
            at_least: Some(1),
        });
    });
    let class = class(&["twice", "broken"]);
    ram.begin();
    Setup::new(&machine, Some(&ram)).grade(&assignment, &class);
    machine.log();
    let (heard, _) = Setup::new(&machine, Some(&ram)).grade(&assignment, &class);
    assert_eq!(machine.log(), [""; 0]);
    assert_eq!(heard.origins(), vec![ran(&[]); 2]);
    ram.begin();
    let (heard, _) = Setup::new(&machine, Some(&ram)).grade(&assignment, &class);
    assert_eq!(
        heard.origins(),
        [ran(&[Change::Random]), ran(&[Change::CompileError])]
    );
}

#[test]
fn what_did_not_compile_is_built_again_in_another_run_but_not_in_one_that_goes_on() {
    needs_compiler!();
    let (machine, ram) = stored_run(&["broken"]);
    let assignment = doubling(|_| ());
    let again =
        |assignment| Setup::new(&machine, Some(&ram)).grade(assignment, &class(&["broken"]));
    again(&assignment);
    assert_eq!(machine.log(), [""; 0]);
    ram.begin();
    let (heard, _) = again(&assignment);
    assert_eq!(machine.log(), ["build s0"]);
    assert_eq!(heard.origins(), [ran(&[Change::CompileError])]);
    ram.begin();
    let worth = doubling(|problem| problem.subtasks[0].hidden = true);
    let (heard, _) = again(&worth);
    assert_eq!(machine.log(), ["build s0"]);
    assert_eq!(
        heard.origins(),
        [ran(&[Change::Judging, Change::CompileError])]
    );
}

#[test]
fn a_fresh_run_takes_nothing_but_what_is_its_own() {
    needs_compiler!();
    let (machine, ram) = stored_run(&SOURCES);
    ram.begin();
    ram.is_fresh.store(true, Ordering::SeqCst);
    let assignment = doubling(|_| ());
    let run = || Setup::new(&machine, Some(&ram)).grade(&assignment, &class(&SOURCES));
    assert_eq!(run().0.origins(), vec![ran(&[Change::Fresh]); 4]);
    machine.log();
    assert_eq!(run().0.origins(), vec![ran(&[Change::Fresh]); 4]);
    assert_eq!(machine.log(), [""; 0]);
}

#[test]
fn files_that_lie_elsewhere_now_are_named_as_they_are_called_now() {
    needs_compiler!();
    let (machine, ram) = stored_run(&["goto twice"]);
    ram.begin();
    let mut moved = class(&["goto twice"]);
    let id = ProblemId::new("double");
    let submissions = &mut moved.students[0].submissions;
    let text = "int main() {} // s0 goto twice";
    let code = "void f() { goto x; x:; } ";
    let here = |shown: &str| {
        Submission::in_memory(
            vec![SourceFile::new(
                "double.c",
                format!("{code}{text}").into_bytes(),
            )],
            vec![shown.to_owned()],
            Some(LanguageId::C),
        )
    };
    submissions.insert(id.clone(), here("double.c"));
    let assignment = doubling(|_| ());
    Setup::new(&machine, Some(&ram)).grade(&assignment, &moved);
    machine.log();
    ram.begin();
    let submissions = &mut moved.students[0].submissions;
    submissions.insert(id, here("attempt 2/double.c"));
    let (heard, _) = Setup::new(&machine, Some(&ram)).grade(&assignment, &moved);
    assert_eq!(machine.log(), [""; 0]);
    assert_eq!(heard.found(), afresh(&assignment, &moved).found());
    let result = &heard.results()[0];
    assert_eq!(result.files, ["attempt 2/double.c"]);
    let place = result.flags[0].evidence[0].place.as_ref().unwrap();
    assert_eq!(place.to_string(), "attempt 2/double.c:1:12");
}

#[test]
fn a_cache_that_cannot_be_read_costs_only_time() {
    needs_compiler!();
    let (machine, ram) = stored_run(&SOURCES);
    ram.begin();
    ram.is_unreadable.store(true, Ordering::SeqCst);
    let setup = Setup::new(&machine, Some(&ram));
    let (heard, _) = setup.grade(&doubling(|_| ()), &class(&SOURCES));
    assert_eq!(heard.verdicts(), VERDICTS);
    assert_eq!(heard.origins(), vec![ran(&[Change::Unread]); 4]);
    assert_eq!(ram.stored(), 4);
}

#[test]
fn a_cache_that_cannot_be_written_does_not_stop_the_run() {
    needs_compiler!();
    let (machine, ram) = (Arc::<Machine>::default(), Arc::<Ram>::default());
    ram.begin();
    ram.is_unwritable.store(true, Ordering::SeqCst);
    let setup = Setup::new(&machine, Some(&ram));
    let (heard, _) = setup.grade(&doubling(|_| ()), &class(&SOURCES));
    assert_eq!(heard.verdicts(), VERDICTS);
    assert_eq!(ram.stored(), 0);
    assert_eq!(heard.results()[0].verdict, Verdict::Accepted);
}

//! Programs that run one at a time on a stage.

use std::fs;
use std::sync::{Condvar, Mutex};
use std::time::Duration;

use grader_model::End;
use grader_sandbox::{Core, SandboxError, Stage};

use crate::harness::{Bench, runner};

/// A stage that writes down what happens on it.
#[derive(Default)]
struct Diary {
    /// Whether it is taken, and what happened.
    state: Mutex<(bool, Vec<&'static str>)>,
    left: Condvar,
    /// Lets nobody enter.
    is_shut: bool,
}

impl Stage for Diary {
    fn enter(&self) -> bool {
        if self.is_shut {
            return false;
        }
        let state = self.state.lock().unwrap();
        let mut state = self.left.wait_while(state, |(taken, _)| *taken).unwrap();
        state.0 = true;
        state.1.push("enter");
        true
    }

    fn leave(&self, _: Option<Duration>) {
        let mut state = self.state.lock().unwrap();
        state.0 = false;
        state.1.push("leave");
        drop(state);
        self.left.notify_one();
    }
}

impl Diary {
    fn text(self) -> String {
        self.state.into_inner().unwrap().1.join(" ")
    }
}

/// The two times that a program has told, in seconds of the machine's clock.
fn times(bench: &Bench) -> (f64, f64) {
    let text = fs::read_to_string(&bench.request.stdout).unwrap();
    let mut times = text.lines().map(|line| line.parse().unwrap());
    (times.next().unwrap(), times.next().unwrap())
}

#[test]
fn programs_on_one_stage_never_run_at_the_same_time() {
    let script = "date +%s.%N; i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; date +%s.%N";
    let benches: Vec<Bench> = (0..5).map(|_| Bench::shell(script)).collect();
    let stage = Diary::default();
    std::thread::scope(|scope| {
        for bench in &benches {
            let stage = &stage;
            scope.spawn(move || {
                let outcome = runner().run_on(stage, &bench.request).unwrap();
                assert_eq!(outcome.end, End::Exited(0));
            });
        }
    });
    let mut all: Vec<_> = benches.iter().map(times).collect();
    all.sort_by(|one, other| one.0.total_cmp(&other.0));
    assert!(all.is_sorted_by(|one, next| one.1 <= next.0), "{all:?}");
    assert_eq!(stage.text(), ["enter leave"; 5].join(" "));
}

#[test]
fn a_program_that_is_not_wanted_is_not_started_and_the_next_one_is() {
    let bench = Bench::shell("echo it runs");
    let stage = Diary {
        is_shut: true,
        ..Diary::default()
    };
    let refused = runner().run_on(&stage, &bench.request).unwrap_err();
    assert!(matches!(refused, SandboxError::Cancelled), "{refused}");
    assert_eq!(stage.text(), "");
    let said = |bench: &Bench| fs::read_to_string(&bench.request.stdout).unwrap_or_default();
    assert_eq!(said(&bench), "");

    let stage = Diary::default();
    let outcome = runner().run_on(&stage, &bench.request).unwrap();
    assert_eq!(
        (outcome.end, said(&bench)),
        (End::Exited(0), "it runs\n".to_owned())
    );
    assert_eq!(stage.text(), "enter leave");
}

#[test]
fn the_stage_is_left_by_a_program_that_is_stopped_and_by_one_that_is_none() {
    let stage = Diary::default();
    let spinner = Bench::shell("while :; do :; done").limits(|limits| {
        limits.cpu = grader_model::CpuTime(std::time::Duration::from_millis(50));
    });
    assert!(
        runner()
            .run_on(&stage, &spinner.request)
            .unwrap()
            .breach
            .is_some()
    );
    let nothing = Bench::new("/no/such/program");
    let refused = runner().run_on(&stage, &nothing.request).unwrap_err();
    assert!(matches!(refused, SandboxError::Execute { .. }), "{refused}");
    assert_eq!(stage.text(), "enter leave enter leave");
}

#[test]
fn the_stage_is_free_after_a_run_that_could_not_be_prepared() {
    let stage = Diary::default();
    let mut bench = Bench::shell("echo it runs");
    bench.request.core = Some(Core(4095));
    let refused = runner().run_on(&stage, &bench.request).unwrap_err();
    assert!(matches!(refused, SandboxError::Setup { .. }), "{refused}");
    bench.request.core = None;
    runner().run_on(&stage, &bench.request).unwrap();
    assert!(stage.text().ends_with("enter leave"));
}

//! Programs behind a start gate.

use std::fs;
use std::sync::{Condvar, Mutex};
use std::time::Duration;

use grader_model::End;
use grader_sandbox::{Core, SandboxError, StartGate};

use crate::harness::{Bench, runner};

/// A gate that lets one program at a time through, and logs events.
#[derive(Default)]
struct LoggingGate {
    /// Whether a program is inside, and the log.
    state: Mutex<(bool, Vec<&'static str>)>,
    left: Condvar,
    /// Lets no program in.
    is_shut: bool,
}

impl StartGate for LoggingGate {
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

impl LoggingGate {
    fn text(self) -> String {
        self.state.into_inner().unwrap().1.join(" ")
    }
}

/// The two times that a program printed, in seconds of the machine's clock.
fn times(bench: &Bench) -> (f64, f64) {
    let text = fs::read_to_string(&bench.request.stdout).unwrap();
    let mut times = text.lines().map(|line| line.parse().unwrap());
    (times.next().unwrap(), times.next().unwrap())
}

#[test]
fn programs_behind_one_gate_never_run_at_the_same_time() {
    let script = "date +%s.%N; i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; date +%s.%N";
    let benches: Vec<Bench> = (0..5).map(|_| Bench::shell(script)).collect();
    let gate = LoggingGate::default();
    std::thread::scope(|scope| {
        for bench in &benches {
            let gate = &gate;
            scope.spawn(move || {
                let outcome = runner().run(gate, &bench.request).unwrap();
                assert_eq!(outcome.end, End::Exited(0));
            });
        }
    });
    let mut all: Vec<_> = benches.iter().map(times).collect();
    all.sort_by(|one, other| one.0.total_cmp(&other.0));
    assert!(all.is_sorted_by(|one, next| one.1 <= next.0), "{all:?}");
    assert_eq!(gate.text(), ["enter leave"; 5].join(" "));
}

#[test]
fn a_cancelled_program_does_not_start_and_the_next_one_does() {
    let bench = Bench::shell("echo it runs");
    let gate = LoggingGate {
        is_shut: true,
        ..LoggingGate::default()
    };
    let refused = runner().run(&gate, &bench.request).unwrap_err();
    assert!(matches!(refused, SandboxError::Cancelled), "{refused}");
    assert_eq!(gate.text(), "");
    let said = |bench: &Bench| fs::read_to_string(&bench.request.stdout).unwrap_or_default();
    assert_eq!(said(&bench), "");

    let gate = LoggingGate::default();
    let outcome = runner().run(&gate, &bench.request).unwrap();
    assert_eq!(
        (outcome.end, said(&bench)),
        (End::Exited(0), "it runs\n".to_owned())
    );
    assert_eq!(gate.text(), "enter leave");
}

#[test]
fn a_killed_program_and_one_that_does_not_exist_leave_the_gate() {
    let gate = LoggingGate::default();
    let spinner = Bench::shell("while :; do :; done").limits(|limits| {
        limits.cpu = grader_model::CpuTime(std::time::Duration::from_millis(50));
    });
    assert!(
        runner()
            .run(&gate, &spinner.request)
            .unwrap()
            .breach
            .is_some()
    );
    let nothing = Bench::new("/no/such/program");
    let refused = runner().run(&gate, &nothing.request).unwrap_err();
    assert!(matches!(refused, SandboxError::Execute { .. }), "{refused}");
    assert_eq!(gate.text(), "enter leave enter leave");
}

#[test]
fn a_run_that_cannot_be_prepared_leaves_the_gate_free() {
    let gate = LoggingGate::default();
    let mut bench = Bench::shell("echo it runs");
    bench.request.core = Some(Core(4095));
    let refused = runner().run(&gate, &bench.request).unwrap_err();
    assert!(matches!(refused, SandboxError::Setup { .. }), "{refused}");
    bench.request.core = None;
    runner().run(&gate, &bench.request).unwrap();
    assert!(gate.text().ends_with("enter leave"));
}

//! The machine that only pretends: nothing is run on it, and each program takes the times of a script.

use std::collections::{BTreeMap, VecDeque};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use grader_model::{Breach, Bytes, CpuTime, End, Isolation, IsolationLevel, Outcome, WallTime};
use grader_sandbox::{MountPoint, Request, Returns, Runner, SandboxError, StartGate};

use crate::Stop;

/// What a program does in one run.
#[derive(Clone, Copy, Debug)]
pub(super) enum Does {
    /// Prints twice n after so many milliseconds.
    Right(u64),
    /// Prints something else.
    Wrong(u64),
    /// Prints twice n after so many milliseconds, and so many times as much wall time: it is kept from the processor.
    Waits(u64, u32),
    /// The same, but it sleeps.
    Sleeps(u64, u32),
    /// The same, but it sleeps in a quarter of the time and waits in the rest.
    Dozes(u64, u32),
}
use Does::{Dozes, Right, Sleeps, Waits, Wrong};

#[derive(Default)]
pub(super) struct Pretender {
    /// What a program does with n, run by run; the last again and again.
    script: Mutex<BTreeMap<(String, String), VecDeque<Does>>>,
    /// Every run: `reference 2: 1000`.
    log: Mutex<Vec<String>>,
    /// Asked to stop in the run of this number.
    pub(super) stops_at: Option<(usize, Stop)>,
    /// How often the program of a path was run: from the second time on it is alone.
    runs: Mutex<BTreeMap<PathBuf, usize>>,
    running: AtomicUsize,
    pub(super) disturbed: AtomicUsize,
}

impl Pretender {
    pub(super) fn new(script: &[(&str, &str, &[Does])]) -> Self {
        let script = script.iter().map(|&(program, n, runs)| {
            let key = (program.to_owned(), n.to_owned());
            (key, runs.iter().copied().collect())
        });
        Self {
            script: Mutex::new(script.collect()),
            ..Self::default()
        }
    }

    fn does(&self, program: &str, n: &str) -> Does {
        let mut script = self.script.lock().unwrap();
        let runs = &mut *script
            .get_mut(&(program.to_owned(), n.to_owned()))
            .unwrap_or_else(|| panic!("no script for {program} {n}"));
        if runs.len() > 1 {
            runs.pop_front().unwrap()
        } else {
            runs[0]
        }
    }

    pub(super) fn log(&self) -> Vec<String> {
        std::mem::take(&mut self.log.lock().unwrap())
    }
}

impl Pretender {
    /// Runs a program; what became of it, and how long it was kept from the processor.
    fn pretend(&self, request: &Request) -> (Outcome, Duration) {
        let mut waited = Duration::ZERO;
        let finished = |breach: Option<Breach>, cpu: CpuTime, wall: WallTime, answer: &str| {
            fs::write(&request.stdout, answer).unwrap();
            fs::write(&request.stderr, "").unwrap();
            Outcome {
                end: breach.map_or(End::Exited(0), |_| End::Signalled(9)),
                breach,
                cpu,
                wall,
                memory: None,
                stdout: Bytes(answer.len() as u64),
                stderr: Bytes(0),
            }
        };
        let others = self.running.fetch_add(1, Ordering::SeqCst);
        if request.returns == Returns::Everything {
            self.running.fetch_sub(1, Ordering::SeqCst);
            let program = request.directory.host.join("program");
            fs::write(&program, "").unwrap();
            fs::set_permissions(&program, Permissions::from_mode(0o755)).unwrap();
            let outcome = finished(None, CpuTime::default(), WallTime::default(), "");
            return (outcome, waited);
        }
        let mut program = "reference";
        if request.program != Path::new("/grader") {
            program = "you";
            let mut runs = self.runs.lock().unwrap();
            let runs = runs.entry(request.program.clone()).or_default();
            *runs += 1;
            if *runs > 1 {
                self.disturbed.fetch_add(others, Ordering::SeqCst);
            }
        }
        let n = request.arguments.last().unwrap().to_str().unwrap();
        let does = self.does(program, n);
        let (limit, most) = (request.limits.cpu, request.limits.wall);
        let (millis, times, more) = match does {
            Right(millis) | Wrong(millis) => (millis, 1, String::new()),
            Waits(millis, times) | Sleeps(millis, times) | Dozes(millis, times) => {
                (millis, times, format!(" in {most}"))
            }
        };
        let mut log = self.log.lock().unwrap();
        log.push(format!("{program} {n}: {millis}{more}"));
        if let Some((at, stop)) = &self.stops_at
            && log.len() == *at
        {
            stop.request();
        }
        drop(log);
        std::thread::yield_now();
        self.running.fetch_sub(1, Ordering::SeqCst);
        let needed = CpuTime::from_millis(millis);
        let cpu = needed.min(limit);
        let took = WallTime(cpu.0 * times).min(most);
        waited = match does {
            Waits(..) => took.0.saturating_sub(took.0 / times),
            Dozes(..) => took.0 * 3 / 4,
            Right(_) | Wrong(_) | Sleeps(..) => waited,
        };
        let right = 2 * n.parse::<u32>().unwrap();
        let answer = if let Wrong(_) = does { 0 } else { right };
        let outcome = if took == most {
            finished(Some(Breach::Wall), CpuTime(took.0 / times), took, "")
        } else if cpu < needed {
            finished(Some(Breach::Cpu), cpu, took, "")
        } else {
            finished(None, cpu, took, &format!("{answer}\n"))
        };
        (outcome, waited)
    }
}

impl Runner for Pretender {
    fn run(&self, request: &Request) -> Result<Outcome, SandboxError> {
        Ok(self.pretend(request).0)
    }

    fn run_gated(&self, gate: &dyn StartGate, request: &Request) -> Result<Outcome, SandboxError> {
        if !gate.enter() {
            return Err(SandboxError::Cancelled);
        }
        let (outcome, waited) = self.pretend(request);
        gate.leave(Some(waited));
        Ok(outcome)
    }

    fn inside(&self, _: MountPoint, host: &Path) -> PathBuf {
        host.to_owned()
    }

    fn isolation(&self) -> Isolation {
        Isolation {
            level: IsolationLevel::Basic,
            layers: Vec::new(),
            missing: Vec::new(),
        }
    }
}

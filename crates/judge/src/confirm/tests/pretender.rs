//! The machine that only pretends: nothing is run on it, and each program takes the times of a script.

use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use grader_model::{Breach, Bytes, CpuTime, End, Isolation, IsolationLevel, Outcome, WallTime};
use grader_sandbox::{MountPoint, Request, Returns, Runner, SandboxError};

use crate::Stop;

/// What a program does in one run.
#[derive(Clone, Copy, Debug)]
pub(in crate::confirm) enum Does {
    /// Prints twice n after so many milliseconds.
    Right(u64),
    /// Prints something else.
    Wrong(u64),
    /// Prints twice n after so many milliseconds, and so many times as much wall time: it is kept from the processor.
    Waits(u64, u32),
    /// The same, but it sleeps.
    Sleeps(u64, u32),
}
use Does::{Right, Sleeps, Waits, Wrong};

/// A script: what a program does with n, run by run; the last again and again.
pub(in crate::confirm) type Script<'a> = &'a [(&'a str, &'a str, &'a [Does])];

#[derive(Default)]
pub(in crate::confirm) struct Pretender {
    script: Mutex<BTreeMap<(String, String), VecDeque<Does>>>,
    /// Every run: `reference 2: 1000`.
    log: Mutex<Vec<String>>,
    /// Asked to stop in the run of this number.
    pub(in crate::confirm) stops_at: Option<(usize, Stop)>,
    /// How often the program of a path was run: from the second time on it is alone.
    runs: Mutex<BTreeMap<PathBuf, usize>>,
    running: AtomicUsize,
    pub(in crate::confirm) disturbed: AtomicUsize,
    /// How long programs have been kept from the processor.
    cpu_pressure: Mutex<Duration>,
}

impl Pretender {
    pub(in crate::confirm) fn new(script: Script<'_>) -> Self {
        let script = script.iter().map(|(program, n, runs)| {
            let key = ((*program).to_owned(), (*n).to_owned());
            (key, runs.iter().copied().collect())
        });
        Self {
            script: Mutex::new(script.collect()),
            ..Self::default()
        }
    }

    fn does(&self, program: &str, n: &str) -> Does {
        let mut script = self.script.lock().unwrap();
        let runs = script
            .get_mut(&(program.to_owned(), n.to_owned()))
            .unwrap_or_else(|| panic!("no script for {program} {n}"));
        if runs.len() > 1 {
            runs.pop_front().unwrap()
        } else {
            runs[0]
        }
    }

    pub(in crate::confirm) fn log(&self) -> Vec<String> {
        std::mem::take(&mut self.log.lock().unwrap())
    }
}

fn outcome(end: End, breach: Option<Breach>, cpu: CpuTime, stdout: u64) -> Outcome {
    Outcome {
        end,
        breach,
        cpu,
        wall: WallTime(cpu.0),
        memory: None,
        stdout: Bytes(stdout),
        stderr: Bytes(0),
    }
}

impl Runner for Pretender {
    fn run(&self, request: &Request) -> Result<Outcome, SandboxError> {
        fs::write(&request.stderr, "").unwrap();
        let well = End::Exited(0);
        let others = self.running.fetch_add(1, Ordering::SeqCst);
        if request.returns == Returns::Everything {
            fs::write(&request.stdout, "").unwrap();
            self.running.fetch_sub(1, Ordering::SeqCst);
            return Ok(outcome(well, None, CpuTime::default(), 0));
        }
        let program = if request.program == Path::new("/grader") {
            "reference"
        } else {
            let mut runs = self.runs.lock().unwrap();
            let runs = runs.entry(request.program.clone()).or_default();
            *runs += 1;
            if *runs > 1 {
                self.disturbed.fetch_add(others, Ordering::SeqCst);
            }
            "you"
        };
        let n = request.arguments.last().unwrap().to_str().unwrap();
        let does = self.does(program, n);
        let (millis, right, times) = match does {
            Right(millis) => (millis, true, 1),
            Wrong(millis) => (millis, false, 1),
            Waits(millis, times) | Sleeps(millis, times) => (millis, true, times),
        };
        let line = format!("{program} {n}: {millis}");
        let mut log = self.log.lock().unwrap();
        log.push(match does {
            Right(_) | Wrong(_) => line,
            Waits(..) | Sleeps(..) => format!("{line} in {}", request.limits.wall),
        });
        if let Some((at, stop)) = &self.stops_at
            && log.len() == *at
        {
            stop.request();
        }
        drop(log);
        std::thread::yield_now();
        self.running.fetch_sub(1, Ordering::SeqCst);
        let (limit, most) = (request.limits.cpu, request.limits.wall);
        let cpu = CpuTime::from_millis(millis).min(limit);
        let took = WallTime(cpu.0 * times).min(most);
        if let Waits(..) = does {
            *self.cpu_pressure.lock().unwrap() += took.0.saturating_sub(cpu.0);
        }
        let breach = if took == most {
            Some(Breach::Wall)
        } else {
            (cpu < CpuTime::from_millis(millis)).then_some(Breach::Cpu)
        };
        if breach.is_some() {
            fs::write(&request.stdout, "").unwrap();
            let cpu = cpu.min(CpuTime(took.0 / times));
            let stopped = outcome(End::Signalled(9), breach, cpu, 0);
            return Ok(Outcome {
                wall: took,
                ..stopped
            });
        }
        let n: u32 = n.parse().unwrap();
        fs::write(
            &request.stdout,
            format!("{}\n", if right { 2 * n } else { 0 }),
        )
        .unwrap();
        Ok(Outcome {
            wall: took,
            ..outcome(well, None, cpu, 2)
        })
    }

    fn cpu_pressure(&self) -> Option<Duration> {
        Some(*self.cpu_pressure.lock().unwrap())
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

//! Watches the program and everything it starts, and ends it.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use grader_model::{Breach, Bytes, CpuTime, End, Limits, Outcome, WallTime};

use crate::system::{self, Children, Pid};

use super::tree::Tree;
use super::{Failed, Files, RunCgroup, Step, Stop};

/// How long processes may take to die of SIGKILL before we give up: only a hung device takes this long.
const DEATH: Duration = Duration::from_secs(20);
/// The time from one round of killing to the next, while some are left.
const KILL_INTERVAL: Duration = Duration::from_millis(1);

/// One run under watch.
pub(super) struct Watch<'a> {
    limits: Limits,
    files: &'a Files,
    /// Readable when a child has ended.
    children: OwnedFd,
    tree: Tree,
    cgroup: Option<&'a RunCgroup>,
}

/// Why the watch ends.
enum Reason {
    /// The program ended by itself.
    Ended,
    /// It went over a limit.
    Over(Breach),
    /// The grader is gone.
    Abandoned,
}

impl<'a> Watch<'a> {
    pub(super) fn new(
        limits: Limits,
        files: &'a Files,
        cgroup: Option<&'a RunCgroup>,
    ) -> Result<Self, Failed> {
        Ok(Self {
            limits,
            files,
            children: system::child_events().step("listen for the end of the program")?,
            tree: Tree::new(),
            cgroup,
        })
    }

    /// Starts the program and watches it until it and everything it started are gone.
    pub(super) fn run(
        mut self,
        start: impl FnOnce() -> Result<Pid, Stop>,
    ) -> Result<Outcome, Stop> {
        // What the child shows as peak memory is at least ours, which it inherits.
        let floor = system::own_peak().step("measure the launcher")?;
        let started = Instant::now();
        let program = start()?;
        let reason = self.watch(program, started);
        let wall = started.elapsed();
        // Even when the watch failed: nothing may live on.
        let status = self.end(program);
        let reason = reason.step("watch the program")?;
        let status = status.step("end what the program left running")?;
        if matches!(reason, Reason::Abandoned) {
            return Err(Stop::Abandoned);
        }
        Ok(self.outcome(&reason, status, wall, floor)?)
    }

    fn watch(&mut self, program: Pid, started: Instant) -> io::Result<Reason> {
        let grader = io::stdin();
        let mut next_look = Duration::from_millis(1);
        loop {
            let due = next_look.min(self.limits.wall.0);
            let mut more = false;
            while let Children::Ended(pid) = system::ended_child()? {
                if pid == program {
                    return Ok(Reason::Ended);
                }
                system::reap(pid)?;
                // Orphans may end faster than they are reaped: no limit waits for the last of them.
                if started.elapsed() >= due {
                    more = true;
                    break;
                }
            }
            let now = started.elapsed();
            if now >= self.limits.wall.0 {
                return Ok(Reason::Over(Breach::Wall));
            }
            if now >= next_look {
                if let Some(breach) = self.look()? {
                    return Ok(Reason::Over(breach));
                }
                let after = started.elapsed();
                // A look at thousands of threads takes long: it must not compete with the program.
                next_look = after + interval(now).max(after.saturating_sub(now) * 10);
            }
            let pause = if more {
                // Their signals may be taken already: nothing would end a wait.
                Duration::ZERO
            } else {
                next_look
                    .min(self.limits.wall.0)
                    .saturating_sub(started.elapsed())
            };
            // Nothing follows the request: a readable standard input is at its end.
            let [_, gone] = system::wait_readable([self.children.as_fd(), grader.as_fd()], pause)?;
            if gone {
                return Ok(Reason::Abandoned);
            }
            self.drain_events()?;
        }
    }

    /// The limit that is passed at this moment, if any.
    fn look(&mut self) -> io::Result<Option<Breach>> {
        self.tree.look()?;
        let limits = &self.limits;
        Ok(
            if self.tree.cpu().max(self.cgroup_cpu_time()?) > limits.cpu.0 {
                Some(Breach::Cpu)
            } else if self.tree.memory() > limits.memory.0 || self.ran_out_of_memory()? {
                Some(Breach::Memory)
            } else if self.largest_output()? > limits.output.0 {
                Some(Breach::Output)
            } else {
                None
            },
        )
    }

    /// CPU time of all processes by their control group, which misses none.
    #[cfg(target_os = "linux")]
    fn cgroup_cpu_time(&self) -> io::Result<Duration> {
        let Some(group) = self.cgroup else {
            return Ok(Duration::ZERO);
        };
        let cpu = group.cpu().map_err(|failure| failure.source)?;
        Ok(cpu.unwrap_or_default())
    }

    #[cfg(not(target_os = "linux"))]
    #[expect(clippy::unused_self, clippy::unnecessary_wraps, reason = "as on Linux")]
    fn cgroup_cpu_time(&self) -> io::Result<Duration> {
        Ok(Duration::ZERO)
    }

    /// Whether the kernel killed a process for want of memory.
    #[cfg(target_os = "linux")]
    fn ran_out_of_memory(&self) -> io::Result<bool> {
        let Some(group) = self.cgroup else {
            return Ok(false);
        };
        let kills = group.oom_kills().map_err(|failure| failure.source)?;
        Ok(kills.is_some_and(|kills| kills > 0))
    }

    #[cfg(not(target_os = "linux"))]
    #[expect(clippy::unused_self, clippy::unnecessary_wraps, reason = "as on Linux")]
    fn ran_out_of_memory(&self) -> io::Result<bool> {
        Ok(false)
    }

    fn largest_output(&self) -> io::Result<u64> {
        let stdout = self.files.stdout.metadata()?.len();
        Ok(stdout.max(self.files.stderr.metadata()?.len()))
    }

    /// Takes the signals out of their descriptor, so that it tells of new ones.
    fn drain_events(&self) -> io::Result<()> {
        use std::io::Read;

        let mut buffer = [0; 1024];
        let mut events = std::fs::File::from(self.children.try_clone()?);
        match events.read(&mut buffer) {
            Ok(_) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Kills the program and all its descendants, and reaps them; the program's wait status.
    fn end(&mut self, program: Pid) -> io::Result<ExitStatus> {
        let started = Instant::now();
        let mut status = None;
        let mut next_kill = Duration::ZERO;
        // The program is not reaped yet, so that the number still is its own.
        system::kill_group(program)?;
        loop {
            let running = match system::ended_child()? {
                Children::Ended(pid) => {
                    let raw = system::reap(pid)?;
                    // Once the program is reaped, its number may come back as another's.
                    if pid == program {
                        status.get_or_insert(ExitStatus::from_raw(raw));
                    }
                    false
                }
                Children::None => break,
                Children::Running => true,
            };
            let now = started.elapsed();
            if now > DEATH {
                return Err(io::ErrorKind::TimedOut.into());
            }
            // Processes that fork and end never leave a moment in which all that remain are running.
            if running || now >= next_kill {
                self.tree.kill()?;
                // With thousands that have ended, looking for others takes long; reaping must not starve for it.
                let took = started.elapsed().saturating_sub(now);
                next_kill = started.elapsed() + KILL_INTERVAL.max(took * 4);
            }
            if running {
                system::wait_readable([self.children.as_fd()], KILL_INTERVAL)?;
                self.drain_events()?;
            }
        }
        status.ok_or_else(|| io::Error::other("somebody else reaped the program"))
    }

    fn outcome(
        &mut self,
        reason: &Reason,
        status: ExitStatus,
        wall: Duration,
        floor: u64,
    ) -> Result<Outcome, Failed> {
        self.tree.settle().step("measure the program")?;
        let cpu = self
            .tree
            .cpu()
            .max(self.cgroup_cpu_time().step("measure the program")?);
        let starved = self.ran_out_of_memory().step("measure the program")?;
        let seen = self.tree.memory();
        let charged = system::usage_of_children()
            .step("measure the program")?
            .memory;
        let peak = if charged > floor {
            seen.max(charged)
        } else {
            seen
        };
        let end = match (status.code(), status.signal()) {
            (Some(code), _) => End::Exited(code),
            (None, signal) => End::Signalled(signal.unwrap_or(0)),
        };
        let limits = &self.limits;
        let largest = self.largest_output().step("measure the output")?;
        let breach = match *reason {
            Reason::Over(breach) => Some(breach),
            _ if starved => Some(Breach::Memory),
            Reason::Ended | Reason::Abandoned if cpu > limits.cpu.0 => Some(Breach::Cpu),
            _ if wall > limits.wall.0 => Some(Breach::Wall),
            _ if peak > limits.memory.0 => Some(Breach::Memory),
            // The signal tells of files other than the two that we can measure.
            _ if largest > limits.output.0 || end == End::Signalled(libc::SIGXFSZ) => {
                Some(Breach::Output)
            }
            _ => None,
        };
        Ok(Outcome {
            end,
            breach,
            cpu: CpuTime(cpu),
            wall: WallTime(wall),
            // Below the floor nothing is known but that it is small.
            memory: Some(Bytes(if peak == 0 { charged } else { peak })),
            stdout: self.kept(&self.files.stdout)?,
            stderr: self.kept(&self.files.stderr)?,
        })
    }

    /// Cuts an output to the limit; its size.
    fn kept(&self, file: &std::fs::File) -> Result<Bytes, Failed> {
        let most = self.limits.output.0;
        let size = file.metadata().step("measure an output")?.len();
        if size > most {
            file.set_len(most).step("cut an output")?;
        }
        Ok(Bytes(size.min(most)))
    }
}

/// The time from one look to the next, so long after the start.
fn interval(elapsed: Duration) -> Duration {
    Duration::from_millis(match elapsed.as_millis() {
        0..2 => 1,
        2..4 => 2,
        4..1000 => 5,
        _ => 10,
    })
}

//! One run, from the launcher's side: set up, watch, measure, clean up.

use std::fs::File;
use std::io::{self, BufRead, Read, Write};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use grader_model::{Breach, Bytes, CpuTime, End, Outcome, WallTime};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::Mode;
use rustix::process::{Gid, Signal, Uid};

use super::gate::{Arrival, Gate};
use super::job::{Failure, Job, Report, Step};
use super::launcher::{next_line, say};
use super::room::Room;
use super::session::{Clock, Session};
use super::tree::{STDIN, is_seen};
use super::wire;
use crate::cgroup::{self, Group};
use crate::launcher::{Failed, Files, Stop};
use crate::protocol::{Answer, Order, Said, Word};
use crate::task_clock::TaskClock;
use crate::{Layer, System};

/// Open files of a program.
const MOST_FILES: u64 = 256;
/// So much output is moved at a time.
pub(super) const CHUNK: usize = 64 * 1024;
/// Signals that wait for a program, and timers.
const MOST_SIGNALS: u64 = 256;
/// Seconds of CPU time beyond the limit after which the kernel itself ends a process.
const CPU_BACKSTOP: u64 = 2;
/// Bounds of the stack, which otherwise follows the memory limit: deep recursion is no crime, and no
/// program starts in less than the smaller one.
const STACK: (u64, u64) = (8 << 20, 1 << 30);
/// How long processes may take to die of SIGKILL before we give up: only a hung device takes this long.
const DEATH: Duration = Duration::from_secs(20);
/// The shortest and the longest time from one look at the clock and at memory to the next.
const LOOK: Duration = Duration::from_millis(1);
const LONGEST_LOOK: Duration = Duration::from_millis(100);

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failed(Failed {
            source: failure.source(),
            step: failure.step,
        })
    }
}

/// Why a watch ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reason {
    /// The run ended by itself.
    Ended,
    /// It went over a limit.
    Over(Breach),
    /// The grader is gone.
    Abandoned,
    /// It is not wanted any more, and was not begun.
    Unwanted,
}

impl Session {
    /// Runs one order to its end, and says to the grader how far it has come; its output passes through `chunk`.
    pub(super) fn run(
        &mut self,
        order: &Order,
        grader: &mut impl BufRead,
        chunk: &mut [u8],
    ) -> Result<Answer, Stop> {
        let files = Files::open(order).map_err(Stop::Failed)?;
        let room = Room::new(order.room, self.owner)
            .step(Layer::MountNamespace, "make a file system in memory")?;
        let directory = Path::new(&order.directory);
        room.fill(directory)
            .step(Layer::MountNamespace, "fill the run's folder")?;
        if let Some(group) = &mut self.group {
            group
                .begin(order.limits.memory.0, order.limits.processes)
                .map_err(|failure| in_group(&failure))?;
        }
        let (mut streams, report, gate, running) = self.begin(order, &files, &room)?;
        let turn = running.turn(gate, order, grader);
        let began = Instant::now();
        let reason = match turn {
            Ok(None) => self.watch(&running, &mut streams, order, began, chunk),
            Ok(Some(reason)) => Ok(reason),
            Err(error) => Err(error),
        };
        let wall = began.elapsed();
        // Even when the watch failed: nothing may live on.
        let ended = match reason {
            Ok(Reason::Ended) => Ok(()),
            _ => running.end(),
        };
        if let Some(group) = &self.group
            && !group.is_empty().map_err(|failure| in_group(&failure))?
        {
            group.kill().map_err(|failure| in_group(&failure))?;
        }
        let reason = reason.step(Layer::CpuClock, "watch the program")?;
        ended.step(Layer::PidNamespace, "end what the program left running")?;
        match reason {
            Reason::Abandoned => return Err(Stop::Abandoned),
            Reason::Unwanted => return Ok(Answer::Unwanted),
            // A grader that does not hear it is gone, which the answer will show.
            _ if order.waits => drop(say(&Said::Over)),
            Reason::Ended | Reason::Over(_) => {}
        }
        for stream in &mut streams {
            stream
                .drain(chunk)
                .step(Layer::ResourceLimits, "keep the program's output")?;
        }
        let answer = self.answer(order, reason, report, &running, &streams, wall)?;
        if matches!(answer, Answer::Done(_)) {
            room.empty(&order.returns, directory, order.files.saturating_add(1))
                .step(Layer::MountNamespace, "bring back what the program wrote")?;
        }
        self.used = Some(room);
        Ok(answer)
    }

    /// Hands a run to the keeper.
    fn begin(
        &mut self,
        order: &Order,
        files: &Files,
        room: &Room,
    ) -> Result<([Stream; 2], io::PipeReader, Gate, Running), Failure> {
        const LAYER: Layer = Layer::MountNamespace;
        let (stdout, stdout_end) = self.stream(&files.stdout, order)?;
        let (stderr, stderr_end) = self.stream(&files.stderr, order)?;
        let (report, report_end) = io::pipe().step(LAYER, "make a pipe")?;
        let (gate, theirs) = Gate::new().step(LAYER, "make a gate before the program")?;
        self.tree
            .clear()
            .step(LAYER, "remove what was made for the last run")?;
        let program = match order.system {
            System::Whole => None,
            System::Runtime => match host_path(order) {
                Some(program) if self.tree.complete_for(&program)? => Some(program),
                _ => None,
            },
        };
        let mut mounts = Vec::new();
        if let Some(program) = program {
            // Not the folder in which it lies: the names that were asked for there are remembered.
            mounts.push(self.tree.mount_at(&program, Path::new(&order.program))?);
        } else {
            mounts.extend(self.tree.system()?);
            for (host, inside) in &order.readable {
                let (host, inside) = (Path::new(host), Path::new(inside));
                if host != inside || !is_seen(host) {
                    mounts.push(self.tree.mount_at(host, inside)?);
                }
            }
        }
        let mut input = None;
        if let Some(stdin) = &order.stdin {
            let mount = self.tree.mount_at(Path::new(stdin), Path::new(STDIN))?;
            input = through(&mount.0);
            mounts.push(mount);
        }
        let cgroup_procs: Vec<_> = self.group.iter().flat_map(Group::cgroup_procs).collect();
        let mut descriptors = vec![
            input.as_ref().unwrap_or(&files.stdin).as_fd(),
            stdout_end.as_fd(),
            stderr_end.as_fd(),
            report_end.as_fd(),
            theirs.as_fd(),
            room.whole(),
        ];
        descriptors.extend(mounts.iter().map(|(mount, _)| mount.as_fd()));
        descriptors.extend(&cgroup_procs);
        let targets = mounts.iter().map(|(_, target)| {
            use std::os::unix::ffi::OsStringExt;
            std::ffi::OsString::from_vec(target.as_bytes().to_vec())
        });
        let job = Job {
            program: order.program.clone(),
            arguments: order.arguments.clone(),
            environment: order.environment.clone(),
            directory: order.inside.clone(),
            mounts: targets.collect(),
            cgroup_procs: cgroup_procs.len(),
            clock: self.clock == Clock::Task,
            limits: self.resource_limits(order),
            core: order.core,
            without: self.without.clone(),
            trial: false,
        };
        wire::send(self.control.as_fd(), &job, &descriptors)
            .step(LAYER, "hand the run to the keeper of the namespaces")?;
        let (init, clock) = self.started()?;
        Ok(([stdout, stderr], report, gate, Running { init, clock }))
    }

    /// A pipe for an output of the program, which may open it again by its name.
    fn stream(&self, file: &File, order: &Order) -> Result<(Stream, OwnedFd), Failure> {
        const LAYER: Layer = Layer::ResourceLimits;
        let (reader, writer) = io::pipe().step(LAYER, "make a pipe")?;
        rustix::io::ioctl_fionbio(&reader, true).step(LAYER, "make a pipe that does not block")?;
        // A compiler that is told to include its own output would wait for itself.
        rustix::fs::fchmod(&writer, Mode::WUSR).step(LAYER, "make a pipe for writing only")?;
        if let Some(owner) = self.owner {
            let (user, group) = (Uid::from_raw(owner), Gid::from_raw(owner));
            rustix::fs::fchown(&writer, Some(user), Some(group))
                .step(LAYER, "give a pipe to the program")?;
        }
        let stream = Stream {
            reader,
            file: file.try_clone().step(LAYER, "keep an output")?,
            kept: 0,
            most: order.limits.output.0,
            state: State::Open,
        };
        Ok((stream, writer.into()))
    }

    fn resource_limits(&self, order: &Order) -> Vec<(u32, u64)> {
        let limits = &order.limits;
        let counts_memory = self.group.as_ref().is_some_and(Group::holds_memory);
        let bounds_space = !counts_memory && !order.reserves_memory;
        // Each thread reserves as much address space as the stack may grow to.
        let stack = if bounds_space {
            (limits.memory.0 / 8).clamp(STACK.0, STACK.1)
        } else {
            limits.memory.0.clamp(STACK.0, STACK.1)
        };
        let whole_seconds = limits.cpu.0.as_millis().div_ceil(1000) as u64;
        let mut list = vec![
            (libc::RLIMIT_CORE, 0),
            // One byte more than allowed, so that a file of exactly the allowed size is told from a larger one.
            (libc::RLIMIT_FSIZE, order.files.saturating_add(1)),
            (libc::RLIMIT_CPU, whole_seconds.saturating_add(CPU_BACKSTOP)),
            (libc::RLIMIT_NOFILE, MOST_FILES),
            (libc::RLIMIT_STACK, stack),
            (libc::RLIMIT_MEMLOCK, 0),
            (libc::RLIMIT_MSGQUEUE, 0),
            // Signals that wait, and timers: what one user has is counted for all of that user's processes.
            (libc::RLIMIT_SIGPENDING, MOST_SIGNALS),
            // Some hosts let users run ahead of others.
            (libc::RLIMIT_NICE, 0),
            (libc::RLIMIT_RTPRIO, 0),
            (
                libc::RLIMIT_NPROC,
                u64::from(limits.processes) + self.others,
            ),
        ];
        if bounds_space {
            list.push((libc::RLIMIT_AS, limits.memory.0));
        }
        list
    }

    /// Waits until a run ends or must be ended.
    fn watch(
        &self,
        running: &Running,
        streams: &mut [Stream; 2],
        order: &Order,
        began: Instant,
        chunk: &mut [u8],
    ) -> io::Result<Reason> {
        let grader = io::stdin();
        let limits = &order.limits;
        // So many can use CPU time at once.
        let cores = if order.core.is_some() { 1 } else { self.cores };
        let at_once = limits.processes.clamp(1, cores);
        let mut next_look = LOOK;
        loop {
            let now = began.elapsed();
            if now >= limits.wall.0 {
                return Ok(Reason::Over(Breach::Wall));
            }
            if now >= next_look {
                let used = self.cpu(running)?;
                if used > limits.cpu.0 {
                    return Ok(Reason::Over(Breach::Cpu));
                }
                // Where the kernel has killed a part of the run for want of memory, the rest may wait for it for ever.
                if self.is_out_of_memory()? {
                    return Ok(Reason::Over(Breach::Memory));
                }
                // The limit cannot be reached before that.
                let left = limits.cpu.0.saturating_sub(used) / at_once;
                next_look = now + left.clamp(LOOK, LONGEST_LOOK);
            }
            let pause = next_look.min(limits.wall.0).saturating_sub(now);
            let pause = Timespec {
                tv_sec: pause.as_secs() as i64,
                tv_nsec: i64::from(pause.subsec_nanos()),
            };
            let [stdout, stderr] = &*streams;
            let mut polled = vec![
                // Nothing follows the order: a readable standard input is at its end.
                PollFd::new(&grader, PollFlags::IN),
                PollFd::new(&running.init, PollFlags::IN),
            ];
            for stream in [stdout, stderr] {
                if stream.state == State::Open {
                    polled.push(PollFd::new(&stream.reader, PollFlags::IN));
                }
            }
            match poll(&mut polled, Some(&pause)) {
                Ok(_) => {}
                Err(rustix::io::Errno::INTR) => continue,
                Err(error) => return Err(error.into()),
            }
            if !polled[0].revents().is_empty() {
                return Ok(Reason::Abandoned);
            }
            if !polled[1].revents().is_empty() {
                return Ok(Reason::Ended);
            }
            drop(polled);
            for stream in &mut *streams {
                if stream.pump(chunk)? == State::Over {
                    return Ok(Reason::Over(Breach::Output));
                }
            }
        }
    }

    /// CPU time that a run has used so far, as far as that can be seen while it lives.
    fn cpu(&self, running: &Running) -> io::Result<Duration> {
        match (self.clock, &self.group, &running.clock) {
            (Clock::Group, Some(group), _) => {
                let used = group.cpu().map_err(|failure| failure.source)?;
                Ok(used.unwrap_or_default())
            }
            (Clock::Task, _, Some(clock)) => clock.read(),
            _ => Ok(Duration::ZERO),
        }
    }

    /// Whether the kernel has killed a process of the run for want of memory.
    fn is_out_of_memory(&self) -> io::Result<bool> {
        match &self.group {
            Some(group) if group.holds_memory() => {
                let kills = group.oom_kills().map_err(|failure| failure.source)?;
                Ok(kills > Some(0))
            }
            _ => Ok(false),
        }
    }

    /// Measures a run that has ended.
    fn answer(
        &self,
        order: &Order,
        reason: Reason,
        mut report: io::PipeReader,
        running: &Running,
        streams: &[Stream; 2],
        seen: Duration,
    ) -> Result<Answer, Failure> {
        const LAYER: Layer = Layer::PidNamespace;
        let mut text = Vec::new();
        report
            .read_to_end(&mut text)
            .step(LAYER, "hear from the run's init")?;
        let report = serde_json::from_slice(&text).ok();
        let (status, reaped, highest, wall) = match report {
            Some(Report::Ended {
                status,
                peak,
                cpu,
                wall,
            }) => (
                status,
                Duration::from_micros(cpu),
                peak,
                Duration::from_nanos(wall),
            ),
            Some(Report::NotExecuted(errno)) => return Ok(Answer::Execute { errno }),
            Some(Report::Failed(failure)) => return Err(failure),
            None if reason == Reason::Ended => {
                return Err(Failure {
                    layer: LAYER,
                    step: "hear from the run's init, which is gone".to_owned(),
                    errno: libc::EPIPE,
                });
            }
            // We killed it.
            None => (libc::SIGKILL, Duration::ZERO, 0, seen),
        };
        let cpu = match self.clock {
            Clock::Reaped => reaped,
            Clock::Group | Clock::Task => self
                .cpu(running)
                .step(Layer::CpuClock, "measure CPU time")?,
        };
        let limits = &order.limits;
        let (peak, out_of_memory) = match &self.group {
            Some(group) if group.holds_memory() => (
                // Before Linux 5.19 the kernel does not tell.
                group
                    .peak()
                    .map_err(|failure| in_group(&failure))?
                    .unwrap_or(highest),
                group.oom_kills().map_err(|failure| in_group(&failure))? > Some(0),
            ),
            _ => (highest, highest > order.limits.memory.0),
        };
        if out_of_memory && peak + limits.memory.0 / 8 < limits.memory.0 {
            return Err(Failure {
                layer: Layer::MemoryCgroup,
                step: format!(
                    "run the program: the machine, or the grader's own control group, ran out of memory when the \
                     program had {} of the {} that it may have",
                    Bytes(peak),
                    limits.memory
                ),
                errno: libc::ENOMEM,
            });
        }
        let end = if libc::WIFEXITED(status) {
            End::Exited(libc::WEXITSTATUS(status))
        } else {
            End::Signalled(libc::WTERMSIG(status))
        };
        let too_long = streams.iter().any(|stream| stream.state == State::Over);
        let breach = match reason {
            Reason::Over(breach) => Some(breach),
            _ if cpu > limits.cpu.0 => Some(Breach::Cpu),
            _ if wall > limits.wall.0 => Some(Breach::Wall),
            _ if out_of_memory => Some(Breach::Memory),
            // The signal tells of files.
            _ if too_long || end == End::Signalled(libc::SIGXFSZ) => Some(Breach::Output),
            _ => None,
        };
        Ok(Answer::Done(Outcome {
            end,
            breach,
            cpu: CpuTime(cpu),
            wall: WallTime(wall),
            memory: (peak > 0).then_some(Bytes(peak)),
            stdout: Bytes(streams[0].kept),
            stderr: Bytes(streams[1].kept),
        }))
    }
}

/// The path on the host of the program of an order, unless it is one of the system's.
fn host_path(order: &Order) -> Option<PathBuf> {
    let program = Path::new(&order.program);
    order.readable.iter().find_map(|(host, inside)| {
        let rest = program.strip_prefix(inside).ok()?;
        // Joined with nothing, a path would end with a slash.
        Some(
            Path::new(host)
                .components()
                .chain(rest.components())
                .collect(),
        )
    })
}

/// Opens the file that was mounted by way of its mount, which is read-only: by the descriptor of another mount its
/// owner could change its permissions and times. Nothing where there is no `/proc` to do it by.
fn through(mount: &OwnedFd) -> Option<File> {
    File::open(format!("/proc/self/fd/{}", mount.as_raw_fd())).ok()
}

/// A step on a control group that failed.
pub(super) fn in_group(failure: &cgroup::Failure) -> Failure {
    let step = format!("{} `{}`", failure.step, failure.path.display());
    Failure::new(Layer::MemoryCgroup, step, &failure.source)
}

/// A run that goes on, or has just ended.
pub(super) struct Running {
    /// Its init: with it, everything ends.
    pub(super) init: OwnedFd,
    pub(super) clock: Option<TaskClock>,
}

impl Running {
    /// Lets the program begin when it is ready, and it is its turn. Where the run has come to its end before that, why;
    /// one that failed has ended.
    fn turn(
        &self,
        gate: Gate,
        order: &Order,
        grader: &mut impl BufRead,
    ) -> io::Result<Option<Reason>> {
        match gate.arrival(self.init.as_fd())? {
            Arrival::Ready => {}
            Arrival::Ended => return Ok(None),
            Arrival::Abandoned => return Ok(Some(Reason::Abandoned)),
        }
        if order.waits {
            say(&Said::Ready)?;
            let Some(line) = next_line(grader)? else {
                return Ok(Some(Reason::Abandoned));
            };
            match serde_json::from_slice(&line)? {
                Word::Go => {}
                Word::Skip => return Ok(Some(Reason::Unwanted)),
                Word::Run(_) | Word::Guard(_) | Word::End => {
                    return Err(io::Error::other(
                        "the grader says neither to go nor to stop",
                    ));
                }
            }
        }
        gate.open()?;
        Ok(None)
    }

    /// Ends every process of the run.
    pub(super) fn end(&self) -> io::Result<()> {
        match rustix::process::pidfd_send_signal(&self.init, Signal::KILL) {
            Ok(()) | Err(rustix::io::Errno::SRCH) => {}
            Err(error) => return Err(error.into()),
        }
        // Init is gone only after every process of its namespace.
        let mut polled = [PollFd::new(&self.init, PollFlags::IN)];
        let patience = Timespec {
            tv_sec: DEATH.as_secs() as i64,
            tv_nsec: 0,
        };
        match poll(&mut polled, Some(&patience))? {
            0 => Err(io::ErrorKind::TimedOut.into()),
            _ => Ok(()),
        }
    }
}

/// How far an output has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// There may be more.
    Open,
    /// That was all.
    Ended,
    /// It is more than may be.
    Over,
}

/// An output of a program on its way from a pipe to a file.
///
/// A file would be charged to the program's memory, and could not be capped at the byte.
struct Stream {
    reader: io::PipeReader,
    file: File,
    kept: u64,
    most: u64,
    state: State,
}

/// So much is read at one go, so that the clock is looked at between.
const GO: u64 = 1 << 20;

impl Stream {
    /// Moves what is there, or a part of it if it is much.
    fn pump(&mut self, chunk: &mut [u8]) -> io::Result<State> {
        let mut moved = 0;
        while self.state == State::Open && moved < GO {
            let count = match self.reader.read(chunk) {
                Ok(0) => {
                    self.state = State::Ended;
                    break;
                }
                Ok(count) => count as u64,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            moved += count;
            let fits = count.min(self.most - self.kept);
            self.file.write_all(&chunk[..fits as usize])?;
            self.kept += fits;
            if count > fits {
                self.state = State::Over;
            }
        }
        Ok(self.state)
    }

    /// Moves all that is there; nobody writes any more.
    fn drain(&mut self, chunk: &mut [u8]) -> io::Result<()> {
        loop {
            let before = self.kept;
            if self.pump(chunk)? != State::Open || self.kept == before {
                return Ok(());
            }
        }
    }
}

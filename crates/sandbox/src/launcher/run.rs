//! One run: prepare, start, watch, measure, clean up.

use std::io::ErrorKind::{BrokenPipe, ConnectionReset};
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::fchown;
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use grader_model::{Breach, Bytes, CpuTime, End, Outcome, WallTime};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use super::direct::{Child, children};
use super::messages::{next_line, send};
use super::session::{Backend, Clock, Session};
use super::streams::{Stream, StreamState, open_input};
use crate::cgroup::Group;
use crate::error::{Failure, Step};
use crate::exec::{Descriptors, RunReport, RunSpec};
use crate::protocol::{Answer, Command, Order, Progress};
use crate::strict::scratch::Scratch;
use crate::task_clock::TaskClock;
use crate::user::OtherUser;
use crate::{Layer, Request, kernel, pressure, system};

/// Open files of a program.
const MAX_OPEN_FILES: u64 = 256;
/// Signals that wait for a program, and timers.
const MAX_SIGNALS: u64 = 256;
/// Processes and threads of a user who has others than the run's: a fuse against fork bombs.
const MAX_TASKS_OF_USER: u64 = 8192;
/// Seconds of CPU time beyond the limit after which the kernel itself ends a process.
const CPU_BACKSTOP: u64 = 2;
/// The shortest and the longest time from one look at the clock and at memory to the next.
const MIN_INTERVAL: Duration = Duration::from_millis(1);
const MAX_INTERVAL: Duration = Duration::from_millis(100);

/// Room for most reports, so that one call reads all.
const USUAL_REPORT: usize = 1024;

/// Why a watch ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reason {
    /// The program ended by itself.
    Ended,
    /// It went over a limit.
    Over(Breach),
    /// The grader is gone.
    Abandoned,
    /// It was cancelled before it began.
    Cancelled,
    /// The grader had it killed.
    Killed,
}

/// A run that goes on, or has just ended.
struct Running {
    /// Its init; without namespaces, the program.
    process: OwnedFd,
    /// Our side of the start barrier.
    barrier: UnixStream,
    clock: Option<TaskClock>,
    report: io::PipeReader,
    /// Those of standard output and error.
    streams: [Option<Stream>; 2],
    files: RunFiles,
}

/// Where a run's files are.
enum RunFiles {
    Scratch(Scratch),
    /// Without namespaces, the host's folders; the program is our child.
    Host(Child),
}

impl Session {
    /// Runs one order to its end; `None` if the grader is gone. Output passes through `chunk`.
    pub(super) fn run(
        &mut self,
        order: &Order,
        chunk: &mut [u8],
    ) -> Result<Option<Answer>, Failure> {
        if let Some(group) = &mut self.group {
            let limits = &order.request.limits;
            group.begin(limits.memory.0, limits.processes)?;
        }
        let mut running = self.begin(order)?;
        let turn = take_turn(&mut running, order);
        let began = Instant::now();
        let reason = match turn {
            Ok(None) => self.watch(&mut running, order, began, chunk),
            Ok(Some(reason)) => Ok(reason),
            Err(error) => Err(error),
        };
        let wall = began.elapsed();
        let waited = match reason {
            Ok(Reason::Over(Breach::Wall)) => self.waited(&running),
            _ => self.group.as_ref().map_or(Ok(None), Group::waited),
        };
        // Even if the watch failed: nothing may live on.
        let ended = self.end(&mut running, &reason);
        let reason = reason?;
        ended?;
        match reason {
            Reason::Abandoned => return Ok(None),
            Reason::Cancelled => return Ok(Some(Answer::Cancelled)),
            // A grader that does not hear it is gone, which the answer will show.
            _ if order.waits => drop(send(&Progress::Over { waited: waited? })),
            Reason::Ended | Reason::Over(_) | Reason::Killed => {}
        }
        for stream in running.streams.iter_mut().flatten() {
            stream
                .drain(chunk)
                .step(Layer::ResourceLimits, "keep the program's output")?;
        }
        let answer = self.answer(order, reason, &mut running, wall)?;
        if let RunFiles::Scratch(scratch) = running.files {
            if matches!(answer, Answer::Done(_)) {
                let request = &order.request;
                let max = request.files.0.saturating_add(1);
                scratch
                    .bring_back(&request.returns, &request.directory.host, max)
                    .step(Layer::MountNamespace, "bring back what the program wrote")?;
            }
            self.used = Some(scratch);
        }
        Ok(Some(answer))
    }

    /// Starts a run up to the start barrier.
    fn begin(&mut self, order: &Order) -> Result<Running, Failure> {
        const LAYER: Layer = Layer::PidNamespace;
        let request = &order.request;
        let stdin = open_input(request)?;
        let (out, stdout) = Stream::new(&request.stdout, "standard output", request)?;
        let (err, stderr) = Stream::new(&request.stderr, "standard error", request)?;
        let (report, writer) = io::pipe().step(LAYER, "make a pipe")?;
        let (barrier, theirs) = UnixStream::pair().step(LAYER, "make a start barrier")?;
        let has_clock = self.clock == Clock::Task;
        let cgroup_procs = self.group.iter().flat_map(Group::cgroup_procs).collect();
        let give = |owner: Option<(u32, u32)>| {
            [&stdout, &stderr]
                .into_iter()
                .try_for_each(|end| match owner {
                    Some((user, group)) => fchown(end, Some(user), Some(group)),
                    None => Ok(()),
                })
                .step(LAYER, "give a pipe to the program")
        };
        let descriptors = Descriptors {
            files: [stdin.as_fd(), stdout.as_fd(), stderr.as_fd()],
            report: writer.as_fd(),
            barrier: theirs.as_fd(),
            cgroup_procs,
        };
        let group = self.group.as_ref();
        let (process, clock, files) = match &mut self.backend {
            Backend::Strict(namespaces) => {
                const STEP: &str = "fill the run's file system in memory";
                let scratch = Scratch::new(request.scratch.0, namespaces.owner)
                    .and_then(|scratch| scratch.fill(&request.directory.host).map(|()| scratch))
                    .step(Layer::MountNamespace, STEP)?;
                give(namespaces.owner.map(|owner| (owner, owner)))?;
                let processes = u64::from(request.limits.processes) + namespaces.others;
                let limits = resource_limits(request, processes, group);
                let spec = RunSpec {
                    has_clock,
                    ..RunSpec::new(request, &request.directory.inside, limits)
                };
                let (init, clock) = namespaces.begin(request, spec, descriptors, &scratch)?;
                (init, clock, RunFiles::Scratch(scratch))
            }
            Backend::LimitsOnly(direct) => {
                let context = direct.prepare(order, &stdin)?;
                let owner = context.user.as_ref().map(OtherUser::ids);
                give(owner)?;
                let processes = match owner {
                    Some(_) => u64::from(request.limits.processes),
                    None => MAX_TASKS_OF_USER,
                };
                let limits = resource_limits(request, processes, group);
                let spec = RunSpec::new(request, &request.directory.host, limits);
                let clock = has_clock.then(TaskClock::open).transpose();
                let clock = clock.step(Layer::CpuClock, "open a task clock")?;
                let (child, process) = direct.begin(spec, context, descriptors)?;
                (process, clock, RunFiles::Host(child))
            }
        };
        Ok(Running {
            process,
            barrier,
            clock,
            report,
            streams: [out, err],
            files,
        })
    }

    /// Waits until a run ends or must be ended.
    fn watch(
        &self,
        running: &mut Running,
        order: &Order,
        began: Instant,
        chunk: &mut [u8],
    ) -> Result<Reason, Failure> {
        const LAYER: Layer = Layer::CpuClock;
        let grader = io::stdin();
        let limits = &order.request.limits;
        // The number of processes that can use CPU time at once.
        let cores = if order.request.core.is_some() {
            1
        } else {
            self.cores
        };
        let at_once = limits.processes.clamp(1, cores);
        // The limit cannot be reached before that.
        let interval = |used| {
            let left = limits.cpu.0.saturating_sub(used) / at_once;
            left.clamp(MIN_INTERVAL, MAX_INTERVAL)
        };
        let mut next_look = interval(Duration::ZERO);
        loop {
            let now = began.elapsed();
            if now >= limits.wall.0 {
                return Ok(Reason::Over(Breach::Wall));
            }
            if now >= next_look {
                let used = self.cpu(running.clock.as_ref())?;
                if used > limits.cpu.0 {
                    return Ok(Reason::Over(Breach::Cpu));
                }
                // If the kernel killed one process for lack of memory, the others may wait for it forever.
                if self.is_out_of_memory()? {
                    return Ok(Reason::Over(Breach::Memory));
                }
                if let RunFiles::Host(child) = &mut running.files {
                    child
                        .reap_orphans()
                        .step(LAYER, "reap orphans of the program")?;
                }
                next_look = now + interval(used);
            }
            let pause = next_look.min(limits.wall.0).saturating_sub(now);
            // Both limits of the pause are far below what it can hold.
            let pause = Timespec::try_from(pause).ok();
            let mut polled = vec![
                // Nothing follows the order but its end or a command to kill it.
                PollFd::new(&grader, PollFlags::IN),
                PollFd::new(&running.process, PollFlags::IN),
            ];
            for stream in running.streams.iter().flatten() {
                if stream.state == StreamState::Open {
                    polled.push(PollFd::new(&stream.reader, PollFlags::IN));
                }
            }
            match poll(&mut polled, pause.as_ref()) {
                Ok(_) => {}
                Err(Errno::INTR) => continue,
                Err(error) => return Err(error).step(LAYER, "watch the program"),
            }
            if !polled[0].revents().is_empty() {
                let is_gone = next_line().step(LAYER, "hear from the grader")?.is_none();
                return Ok(if is_gone {
                    Reason::Abandoned
                } else {
                    Reason::Killed
                });
            }
            if !polled[1].revents().is_empty() {
                return Ok(Reason::Ended);
            }
            drop(polled);
            for stream in running.streams.iter_mut().flatten() {
                let state = stream
                    .pump(chunk)
                    .step(LAYER, "keep the program's output")?;
                if state == StreamState::Over {
                    return Ok(Reason::Over(Breach::Output));
                }
            }
        }
    }

    /// How long a run, of which nothing has been killed yet, has waited for a processor; `None` if nobody counts it.
    fn waited(&self, running: &Running) -> Result<Option<Duration>, Failure> {
        if let Some(group) = &self.group
            && let Some(waited) = group.waited()?
        {
            return Ok(Some(waited));
        }
        let processes = match &running.files {
            RunFiles::Host(_) => children(),
            RunFiles::Scratch(_) => system::pid_of(&running.process).into_iter().collect(),
        };
        Ok(pressure::of_tree(processes))
    }

    /// Ends every process of a run.
    fn end(&self, running: &mut Running, reason: &Result<Reason, Failure>) -> Result<(), Failure> {
        const STEP: &str = "end what the program left running";
        let ended = match &mut running.files {
            RunFiles::Host(child) => child.end(self.group.as_ref()),
            // With the init, the kernel ends every process of its namespace.
            RunFiles::Scratch(_) if matches!(reason, Ok(Reason::Ended)) => Ok(()),
            RunFiles::Scratch(_) => kernel::kill_and_wait(running.process.as_fd()),
        };
        if let Some(group) = &self.group
            && !group.is_empty()?
        {
            group.kill()?;
        }
        ended.step(Layer::PidNamespace, STEP)
    }

    /// Whether the kernel killed a process of the run for lack of memory.
    fn is_out_of_memory(&self) -> Result<bool, Failure> {
        match &self.group {
            Some(group) => Ok(group.oom_kills()? > Some(0)),
            None => Ok(false),
        }
    }

    /// Measures a run that has ended. `wall` is its time as seen from here.
    fn answer(
        &self,
        order: &Order,
        reason: Reason,
        running: &mut Running,
        wall: Duration,
    ) -> Result<Answer, Failure> {
        const LAYER: Layer = Layer::PidNamespace;
        let mut text = Vec::with_capacity(USUAL_REPORT);
        running
            .report
            .read_to_end(&mut text)
            .step(LAYER, "hear from the run's init")?;
        let report = match (serde_json::from_slice(&text), &running.files) {
            (Ok(report), _) => report,
            (Err(_), RunFiles::Host(child)) => {
                child.report(wall).step(LAYER, "measure the program")?
            }
            (Err(_), RunFiles::Scratch(_)) if reason == Reason::Ended => {
                let step = "read the report of the run's init: it exited";
                return Err(Failure::with_errno(LAYER, step, libc::EPIPE));
            }
            // We killed it.
            (Err(_), RunFiles::Scratch(_)) => RunReport::Ended {
                status: libc::SIGKILL,
                peak: 0,
                cpu: Duration::ZERO,
                wall,
            },
        };
        let (status, highest, reaped, wall) = match report {
            RunReport::Ended {
                status,
                peak,
                cpu,
                wall,
            } => (status, peak, cpu, wall),
            RunReport::NotExecuted(errno) => return Ok(Answer::NotExecuted(errno)),
            RunReport::Failed(failure) => return Err(failure),
        };
        let limits = &order.request.limits;
        let cpu = match self.clock {
            Clock::Reaped => reaped,
            Clock::Group | Clock::Task => self.cpu(running.clock.as_ref())?,
        };
        let (peak, out_of_memory) = match &self.group {
            // Before Linux 5.19 the kernel does not report a peak.
            Some(group) if group.controllers().memory => {
                (group.peak()?.unwrap_or(highest), self.is_out_of_memory()?)
            }
            _ => (highest, highest > limits.memory.0),
        };
        if out_of_memory && peak + limits.memory.0 / 8 < limits.memory.0 {
            let step = format!(
                "run the program: the machine, or the grader's own control group, ran out of memory when the \
                 program had {} of its {}",
                Bytes(peak),
                limits.memory
            );
            return Err(Failure::with_errno(Layer::MemoryCgroup, step, libc::ENOMEM));
        }
        let end = if libc::WIFEXITED(status) {
            End::Exited(libc::WEXITSTATUS(status))
        } else {
            End::Signalled(libc::WTERMSIG(status))
        };
        let is_over = |stream: &Stream| stream.state == StreamState::Over;
        let breach = match reason {
            Reason::Over(breach) => Some(breach),
            _ if cpu > limits.cpu.0 => Some(Breach::Cpu),
            _ if wall > limits.wall.0 => Some(Breach::Wall),
            _ if out_of_memory => Some(Breach::Memory),
            // The signal is about files.
            _ if running.streams.iter().flatten().any(is_over)
                || end == End::Signalled(libc::SIGXFSZ) =>
            {
                Some(Breach::Output)
            }
            _ => None,
        };
        let written = |stream: &Option<Stream>| Bytes(stream.as_ref().map_or(0, |it| it.written));
        let [stdout, stderr] = running.streams.each_ref().map(written);
        Ok(Answer::Done(Outcome {
            end,
            breach,
            cpu: CpuTime(cpu),
            wall: WallTime(wall),
            memory: (peak > 0).then_some(Bytes(peak)),
            stdout,
            stderr,
        }))
    }
}

/// The resource limits of a program, for as many processes of its user.
fn resource_limits(request: &Request, processes: u64, group: Option<&Group>) -> Vec<(u32, u64)> {
    let limits = &request.limits;
    let whole_seconds = limits.cpu.0.as_millis().div_ceil(1000) as u64;
    let mut list = vec![
        (libc::RLIMIT_CORE, 0),
        // One byte more than allowed, so that a file of exactly the allowed size is told from a larger one.
        (libc::RLIMIT_FSIZE, request.files.0.saturating_add(1)),
        (libc::RLIMIT_CPU, whole_seconds.saturating_add(CPU_BACKSTOP)),
        (libc::RLIMIT_NOFILE, MAX_OPEN_FILES),
        // As in isolate and DOMjudge. The first thread's stack may take all memory: deep recursion is no crime. A
        // finite limit would also be the size that the C library reserves for each other thread.
        (libc::RLIMIT_STACK, libc::RLIM_INFINITY),
        (libc::RLIMIT_MEMLOCK, 0),
        (libc::RLIMIT_MSGQUEUE, 0),
        // Counted for all processes of a user together.
        (libc::RLIMIT_SIGPENDING, MAX_SIGNALS),
        // Some hosts let users run ahead of others.
        (libc::RLIMIT_NICE, 0),
        (libc::RLIMIT_RTPRIO, 0),
        (libc::RLIMIT_NPROC, processes),
    ];
    if !group.is_some_and(|it| it.controllers().memory) && !request.reserves_memory {
        list.push((libc::RLIMIT_AS, limits.memory.0));
    }
    #[allow(
        clippy::unnecessary_cast,
        reason = "with musl the number of a limit is an `i32`"
    )]
    let number = |(resource, most)| (resource as u32, most);
    list.into_iter().map(number).collect()
}

/// Lets the program begin when it is ready and it is its turn. If the run comes to its end before that, why.
///
/// A program that need not wait finds the barrier open, which saves it a sleep.
fn take_turn(running: &mut Running, order: &Order) -> Result<Option<Reason>, Failure> {
    const LAYER: Layer = Layer::PidNamespace;
    const STEP: &str = "let the program begin";
    if !order.waits {
        open(&mut running.barrier).step(LAYER, STEP)?;
    }
    let grader = io::stdin();
    let [is_abandoned, is_ready, _] = loop {
        let mut polled = [
            // Nothing follows the order before we have said that the program is ready.
            PollFd::new(&grader, PollFlags::IN),
            PollFd::new(&running.barrier, PollFlags::IN),
            PollFd::new(&running.process, PollFlags::IN),
        ];
        match poll(&mut polled, None) {
            Ok(_) => break polled.map(|one| !one.revents().is_empty()),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error).step(LAYER, STEP),
        }
    };
    if is_abandoned {
        return Ok(Some(Reason::Abandoned));
    }
    // Else a step before the program failed, as the report will say. Its end of the barrier has other owners, so that
    // it is not shut before the run is over.
    if !is_ready || running.barrier.read(&mut [0]).step(LAYER, STEP)? == 0 {
        return Ok(Some(Reason::Ended));
    }
    if order.waits {
        send(&Progress::Ready).step(LAYER, STEP)?;
        let Some(line) = next_line().step(LAYER, STEP)? else {
            return Ok(Some(Reason::Abandoned));
        };
        match serde_json::from_slice(&line) {
            Ok(Command::Go) => open(&mut running.barrier).step(LAYER, STEP)?,
            Ok(Command::Cancel) => return Ok(Some(Reason::Cancelled)),
            Ok(_) | Err(_) => return Err(Failure::with_errno(LAYER, STEP, libc::EPROTO)),
        }
    }
    Ok(None)
}

/// Opens the start barrier.
fn open(barrier: &mut UnixStream) -> io::Result<()> {
    match barrier.write_all(b"g") {
        // The program was killed meanwhile, as the watch will see.
        Err(error) if matches!(error.kind(), BrokenPipe | ConnectionReset) => Ok(()),
        written => written,
    }
}

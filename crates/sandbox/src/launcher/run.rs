//! One run: prepare, start, watch, measure, clean up.

use std::io::ErrorKind::{BrokenPipe, ConnectionReset};
use std::io::{self, PipeReader, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::fchown;
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use grader_model::{Breach, Bytes, CpuTime, End, Limits, Outcome, WallTime};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use super::direct::{Child, Direct, children};
use super::limits::resource_limits;
use super::messages::{grader, receive, send};
use super::session::{Backend, ClockSource, Session};
use super::streams::{OutputStream, StreamState, open_input};
use crate::cgroup::Cgroup;
use crate::constants::{MAX_TASKS_OF_USER, MAX_WATCH_INTERVAL, MIN_WATCH_INTERVAL};
use crate::error::{StepError, StepExt};
use crate::exec::{Descriptors, RunReport, RunSpec};
use crate::protocol::{GraderMessage, LauncherMessage, Order, RunAnswer};
use crate::strict::namespaces::Namespaces;
use crate::strict::scratch::RunTmpfs;
use crate::task_clock::TaskClock;
use crate::user::OtherUser;
use crate::{Layer, kernel, pressure, system};

/// Why a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EndReason {
    /// The program exited or was killed by a signal.
    Ended,
    /// It exceeded a limit.
    Over(Breach),
    /// The grader has ended.
    Abandoned,
    /// It was cancelled before it started.
    Cancelled,
    /// The grader asked to kill it.
    Killed,
}

/// A run that is in progress or has just ended.
struct Running {
    program: StartedProgram,
    /// Our side of the start barrier.
    barrier: UnixStream,
    report: PipeReader,
    /// Streams of standard output and error.
    streams: [Option<OutputStream>; 2],
}

/// A program that one of the levels has started, up to the start barrier.
struct StartedProgram {
    /// Pidfd of init or, without namespaces, of the program.
    process: OwnedFd,
    clock: Option<TaskClock>,
    files: RunFiles,
    /// Its resource limits.
    limits: Vec<(u32, u64)>,
}

/// The destination of a run's files.
enum RunFiles {
    Tmpfs(RunTmpfs),
    /// To the host's folders, without namespaces; the program is our child.
    Host(Child),
}

impl Session {
    /// Runs one order to its end; `None` if the grader has ended. `chunk` is the buffer for output.
    pub(super) fn run(
        &mut self,
        order: &Order,
        chunk: &mut [u8],
    ) -> Result<Option<RunAnswer>, StepError> {
        self.machine.begin();
        let answer = self.run_order(order, chunk);
        // A step of ours may fail for the same reason as a program's.
        match answer {
            Err(failure) if self.machine.explains(&failure) => {
                Err(self.machine.too_many_processes(&failure.step))
            }
            answer => answer,
        }
    }

    fn run_order(
        &mut self,
        order: &Order,
        chunk: &mut [u8],
    ) -> Result<Option<RunAnswer>, StepError> {
        if let Some(group) = &mut self.group {
            let limits = &order.request.limits;
            group.begin(limits.memory.0, limits.processes)?;
        }
        let mut running = self.begin(order)?;
        let started = wait_for_start(&mut running);
        let began = Instant::now();
        let reason = match started {
            Ok(None) => self.watch(&mut running, order, began, chunk),
            Ok(Some(reason)) => Ok(reason),
            Err(error) => Err(error),
        };
        let wall = began.elapsed();
        let waited = match reason {
            Ok(EndReason::Over(Breach::Wall)) => self.waited(&running),
            _ => self.group.as_ref().map_or(Ok(None), Cgroup::waited),
        };
        // Even if watching failed: no process may survive.
        let ended = self.end(&mut running, &reason);
        let reason = reason?;
        ended?;
        match reason {
            EndReason::Abandoned => return Ok(None),
            EndReason::Cancelled => return Ok(Some(RunAnswer::Cancelled)),
            EndReason::Ended | EndReason::Over(_) | EndReason::Killed => {
                // If the grader has ended, sending the answer will fail, too.
                drop(send(&LauncherMessage::Over { waited: waited? }));
            }
        }
        if let Backend::Strict(namespaces) = &self.backend {
            namespaces.end_sockets()?;
        }
        for stream in running.streams.iter_mut().flatten() {
            stream
                .drain(chunk)
                .step(Layer::ResourceLimits, "keep the program's output")?;
        }
        let answer = self.answer(order, reason, &mut running, wall)?;
        if let RunFiles::Tmpfs(scratch) = running.program.files {
            if matches!(answer, RunAnswer::Done(_)) {
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

    /// Starts a run, up to the start barrier.
    fn begin(&mut self, order: &Order) -> Result<Running, StepError> {
        const LAYER: Layer = Layer::PidNamespace;
        let request = &order.request;
        let stdin = open_input(request)?;
        let (out, stdout) = OutputStream::new(&request.stdout, "standard output", request)?;
        let (err, stderr) = OutputStream::new(&request.stderr, "standard error", request)?;
        let (report, writer) = io::pipe().step(LAYER, "make a pipe")?;
        let (barrier, theirs) = UnixStream::pair().step(LAYER, "make a start barrier")?;
        let group = self.group.as_ref();
        let prepared = PreparedRun {
            order,
            descriptors: Descriptors {
                files: [stdin.as_fd(), stdout.as_fd(), stderr.as_fd()],
                report: writer.as_fd(),
                barrier: theirs.as_fd(),
                cgroup_procs: group.into_iter().flat_map(Cgroup::cgroup_procs).collect(),
            },
            group,
            has_clock: self.clock == ClockSource::Task,
        };
        let program = match &mut self.backend {
            Backend::Strict(namespaces) => prepared.start_in(namespaces)?,
            Backend::LimitsOnly(direct) => prepared.start_child(direct)?,
        };
        Ok(Running {
            program,
            barrier,
            report,
            streams: [out, err],
        })
    }

    /// Waits until a run ends or must be stopped.
    fn watch(
        &self,
        running: &mut Running,
        order: &Order,
        began: Instant,
        chunk: &mut [u8],
    ) -> Result<EndReason, StepError> {
        let limits = &order.request.limits;
        // Number of processes that can use CPU time at the same time.
        let cores = if order.request.core.is_some() {
            1
        } else {
            self.cores
        };
        let at_once = limits.processes.clamp(1, cores);
        // The limit cannot be reached earlier.
        let interval = |used| {
            let left = limits.cpu.0.saturating_sub(used) / at_once;
            left.clamp(MIN_WATCH_INTERVAL, MAX_WATCH_INTERVAL)
        };
        let mut next_look = interval(Duration::ZERO);
        loop {
            let now = began.elapsed();
            if now >= limits.wall.0 {
                return Ok(EndReason::Over(Breach::Wall));
            }
            if now >= next_look {
                let used = self.cpu(running.program.clock.as_ref())?;
                if used > limits.cpu.0 {
                    return Ok(EndReason::Over(Breach::Cpu));
                }
                // If the kernel has killed one process for lack of memory, the others may wait for it forever.
                if self.is_out_of_memory()? {
                    return Ok(EndReason::Over(Breach::Memory));
                }
                if let RunFiles::Host(child) = &mut running.program.files {
                    child
                        .reap_orphans()
                        .step(Layer::CpuClock, "reap orphans of the program")?;
                }
                next_look = now + interval(used);
            }
            let pause = next_look.min(limits.wall.0).saturating_sub(now);
            if let Some(reason) = running.wait(pause)? {
                return Ok(reason);
            }
            if running.pump(chunk)? == StreamState::Over {
                return Ok(EndReason::Over(Breach::Output));
            }
        }
    }

    /// How long a run has waited for a processor, measured before any process is killed; `None` if that is not counted.
    fn waited(&self, running: &Running) -> Result<Option<Duration>, StepError> {
        if let Some(group) = &self.group
            && let Some(waited) = group.waited()?
        {
            return Ok(Some(waited));
        }
        let processes = match &running.program.files {
            RunFiles::Host(_) => children(),
            RunFiles::Tmpfs(_) => system::pid_of(&running.program.process)
                .into_iter()
                .collect(),
        };
        Ok(pressure::of_tree(processes))
    }

    /// Ends every process of a run.
    fn end(
        &self,
        running: &mut Running,
        reason: &Result<EndReason, StepError>,
    ) -> Result<(), StepError> {
        const STEP: &str = "end what the program left running";
        let ended = match &mut running.program.files {
            RunFiles::Host(child) => child.end(self.group.as_ref()),
            // When init ends, the kernel ends every process of its namespace.
            RunFiles::Tmpfs(_) if matches!(reason, Ok(EndReason::Ended)) => Ok(()),
            RunFiles::Tmpfs(_) => kernel::kill_and_wait(running.program.process.as_fd()),
        };
        if let Some(group) = &self.group
            && !group.is_empty()?
        {
            group.kill()?;
        }
        ended.step(Layer::PidNamespace, STEP)
    }

    /// Whether the kernel killed a process of the run for lack of memory.
    fn is_out_of_memory(&self) -> Result<bool, StepError> {
        match &self.group {
            Some(group) => Ok(group.oom_kills()? > Some(0)),
            None => Ok(false),
        }
    }

    /// Measures a run that has ended. `wall` is the wall time that the launcher measured.
    fn answer(
        &self,
        order: &Order,
        reason: EndReason,
        running: &mut Running,
        wall: Duration,
    ) -> Result<RunAnswer, StepError> {
        let (status, highest, reaped, wall) = match running.report(reason, wall)? {
            RunReport::Ended {
                status,
                peak,
                cpu,
                wall,
            } => (status, peak, cpu, wall),
            // The limit on the processes of its user, which `execve` checks after a change of user.
            RunReport::NotExecuted(libc::EAGAIN) => {
                return Err(self.machine.too_many_processes("execute the program"));
            }
            RunReport::NotExecuted(errno) => return Ok(RunAnswer::NotExecuted(errno)),
            RunReport::Failed(failure) => return Err(failure),
        };
        let limits = &order.request.limits;
        let cpu = match self.clock {
            ClockSource::Reaped => reaped,
            ClockSource::Cgroup | ClockSource::Task => self.cpu(running.program.clock.as_ref())?,
        };
        let memory = self.memory(limits, highest)?;
        let end = if libc::WIFEXITED(status) {
            End::Exited(libc::WEXITSTATUS(status))
        } else {
            End::Signalled(libc::WTERMSIG(status))
        };
        let written = |at: usize| Bytes(running.streams[at].as_ref().map_or(0, |it| it.written));
        let mut outcome = Outcome {
            end,
            breach: None,
            cpu: CpuTime(cpu),
            wall: WallTime(wall),
            memory: (memory.peak > 0).then_some(Bytes(memory.peak)),
            stdout: written(0),
            stderr: written(1),
        };
        outcome.breach = match reason {
            EndReason::Over(breach) => Some(breach),
            _ if cpu > limits.cpu.0 => Some(Breach::Cpu),
            _ if wall > limits.wall.0 => Some(Breach::Wall),
            _ if memory.is_out => Some(Breach::Memory),
            // `SIGXFSZ`: another file exceeded its limit.
            _ if running.is_over() || end == End::Signalled(libc::SIGXFSZ) => Some(Breach::Output),
            _ => None,
        };
        let has_failed = !end.is_success() && matches!(outcome.breach, None | Some(Breach::Wall));
        let limits = &running.program.limits;
        self.machine
            .check(order, limits, self.group.as_ref(), has_failed)?;
        Ok(RunAnswer::Done(outcome))
    }

    /// The memory of a run that has ended; `highest` is that of the largest process that was reaped.
    fn memory(&self, limits: &Limits, highest: u64) -> Result<MemoryUse, StepError> {
        let (peak, is_out) = match &self.group {
            // Before Linux 5.19 the kernel does not report a peak.
            Some(group) if group.controllers().memory => {
                (group.peak()?.unwrap_or(highest), self.is_out_of_memory()?)
            }
            _ => (highest, highest > limits.memory.0),
        };
        if is_out && peak + limits.memory.0 / 8 < limits.memory.0 {
            let step = format!(
                "run the program: the machine, or the grader's own control group, ran out of memory when the \
                 program had {} of its {}",
                Bytes(peak),
                limits.memory
            );
            let layer = Layer::MemoryCgroup;
            return Err(StepError::with_errno(layer, step, libc::ENOMEM));
        }
        Ok(MemoryUse { peak, is_out })
    }
}

/// The memory of a run.
struct MemoryUse {
    /// In bytes.
    peak: u64,
    /// Whether it ran out of memory.
    is_out: bool,
}

/// What a level needs to start a program.
struct PreparedRun<'a> {
    order: &'a Order,
    descriptors: Descriptors<'a>,
    group: Option<&'a Cgroup>,
    /// Whether the kernel's task clock measures CPU time.
    has_clock: bool,
}

impl PreparedRun<'_> {
    /// Starts the program in namespaces.
    fn start_in(self, namespaces: &mut Namespaces) -> Result<StartedProgram, StepError> {
        const STEP: &str = "fill the run's file system in memory";
        let request = &self.order.request;
        let mut scratch =
            RunTmpfs::new(request.scratch.0, namespaces.owner).step(Layer::MountNamespace, STEP)?;
        scratch
            .fill(&request.directory.host, &request.returns)
            .step(Layer::MountNamespace, STEP)?;
        self.give_pipes(namespaces.owner)?;
        let processes = u64::from(request.limits.processes) + namespaces.others;
        let limits = resource_limits(request, processes, self.group);
        let spec = RunSpec {
            has_clock: self.has_clock,
            ..RunSpec::new(request, &request.directory.inside, limits.clone())
        };
        let (process, clock) = namespaces.begin(request, spec, self.descriptors, &scratch)?;
        Ok(StartedProgram {
            process,
            clock,
            files: RunFiles::Tmpfs(scratch),
            limits,
        })
    }

    /// Starts the program as our child.
    fn start_child(self, direct: &Direct) -> Result<StartedProgram, StepError> {
        let request = &self.order.request;
        let run = direct.prepare(self.order, self.descriptors.files[0])?;
        let owner = run.user.as_ref().map(OtherUser::id);
        self.give_pipes(owner)?;
        let processes = match owner {
            Some(_) => u64::from(request.limits.processes),
            None => MAX_TASKS_OF_USER,
        };
        let limits = resource_limits(request, processes, self.group);
        let spec = RunSpec::new(request, &request.directory.host, limits.clone());
        let clock = self
            .has_clock
            .then(TaskClock::open)
            .transpose()
            .step(Layer::CpuClock, "open a task clock")?;
        let (child, process) = direct.begin(spec, run, self.descriptors)?;
        Ok(StartedProgram {
            process,
            clock,
            files: RunFiles::Host(child),
            limits,
        })
    }

    /// Makes the program's user, and the group of the same number, the owner of its output pipes.
    fn give_pipes(&self, owner: Option<u32>) -> Result<(), StepError> {
        const STEP: &str = "make the program's user the owner of its pipes";
        let [_, outputs @ ..] = self.descriptors.files;
        match owner {
            Some(_) => outputs
                .iter()
                .try_for_each(|end| fchown(end, owner, owner))
                .step(Layer::PidNamespace, STEP),
            None => Ok(()),
        }
    }
}

impl Running {
    /// Waits until something happens, but not longer than this; the reason if the run ends.
    fn wait(&self, pause: Duration) -> Result<Option<EndReason>, StepError> {
        const LAYER: Layer = Layer::CpuClock;
        let grader = grader();
        let mut polled = vec![
            // After the order, the grader only closes the socket or sends a command to kill the program.
            PollFd::new(&grader, PollFlags::IN),
            PollFd::new(&self.program.process, PollFlags::IN),
        ];
        for stream in self.streams.iter().flatten() {
            if stream.state == StreamState::Open {
                polled.push(PollFd::new(&stream.reader, PollFlags::IN));
            }
        }
        // The pause is far below this type's maximum.
        let pause = Timespec::try_from(pause).ok();
        match poll(&mut polled, pause.as_ref()) {
            Ok(_) => {}
            Err(Errno::INTR) => return Ok(None),
            Err(error) => return Err(error).step(LAYER, "watch the program"),
        }
        if !polled[0].revents().is_empty() {
            let command: Option<GraderMessage> = receive().step(LAYER, "read from the grader")?;
            return Ok(Some(match command {
                None => EndReason::Abandoned,
                Some(_) => EndReason::Killed,
            }));
        }
        Ok((!polled[1].revents().is_empty()).then_some(EndReason::Ended))
    }

    /// Moves available output to its files; whether one of them exceeds the limit.
    fn pump(&mut self, chunk: &mut [u8]) -> Result<StreamState, StepError> {
        for stream in self.streams.iter_mut().flatten() {
            let state = stream
                .pump(chunk)
                .step(Layer::CpuClock, "keep the program's output")?;
            if state == StreamState::Over {
                return Ok(state);
            }
        }
        Ok(StreamState::Open)
    }

    /// Whether an output exceeds the limit.
    fn is_over(&self) -> bool {
        let mut streams = self.streams.iter().flatten();
        streams.any(|stream| stream.state == StreamState::Over)
    }

    /// How the program ended. `wall` is the wall time that the launcher measured.
    fn report(&mut self, reason: EndReason, wall: Duration) -> Result<RunReport, StepError> {
        const LAYER: Layer = Layer::PidNamespace;
        let report = RunReport::read(&mut self.report)?;
        match (report, &self.program.files) {
            (Some(report), _) => Ok(report),
            (None, RunFiles::Host(child)) => child.report(wall).step(LAYER, "measure the program"),
            (None, RunFiles::Tmpfs(_)) if reason == EndReason::Ended => {
                let step = "read the report of the run's init: it exited";
                Err(StepError::with_errno(LAYER, step, libc::EPIPE))
            }
            // We killed it.
            (None, RunFiles::Tmpfs(_)) => Ok(RunReport::Ended {
                status: libc::SIGKILL,
                peak: 0,
                cpu: Duration::ZERO,
                wall,
            }),
        }
    }
}

/// Waits until the program is ready, and starts it when the grader says so. Returns the reason if the run ends before
/// that.
fn wait_for_start(running: &mut Running) -> Result<Option<EndReason>, StepError> {
    const LAYER: Layer = Layer::PidNamespace;
    const STEP: &str = "let the program start";
    let grader = grader();
    let [is_abandoned, is_ready, _] = loop {
        let mut polled = [
            // The grader sends nothing until we report that the program is ready.
            PollFd::new(&grader, PollFlags::IN),
            PollFd::new(&running.barrier, PollFlags::IN),
            PollFd::new(&running.program.process, PollFlags::IN),
        ];
        match poll(&mut polled, None) {
            Ok(_) => break polled.map(|one| !one.revents().is_empty()),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error).step(LAYER, STEP),
        }
    };
    if is_abandoned {
        return Ok(Some(EndReason::Abandoned));
    }
    // Otherwise, a step before `execve` failed, and the report says which. The program's end of the barrier may still
    // be open, because other processes have it, too.
    if !is_ready || running.barrier.read(&mut [0]).step(LAYER, STEP)? == 0 {
        return Ok(Some(EndReason::Ended));
    }
    send(&LauncherMessage::Ready).step(LAYER, STEP)?;
    match receive().step(LAYER, STEP)? {
        Some(GraderMessage::Go) => {}
        Some(GraderMessage::Cancel) => return Ok(Some(EndReason::Cancelled)),
        None => return Ok(Some(EndReason::Abandoned)),
        Some(_) => return Err(StepError::with_errno(LAYER, STEP, libc::EPROTO)),
    }
    match running.barrier.write_all(b"g") {
        // The program was killed meanwhile, which the watch will notice.
        Err(error) if matches!(error.kind(), BrokenPipe | ConnectionReset) => Ok(None),
        written => written.step(LAYER, STEP).map(|()| None),
    }
}

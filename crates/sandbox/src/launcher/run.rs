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
use super::limits::resource_limits;
use super::messages::{next_line, send};
use super::session::{Backend, ClockSource, Session};
use super::streams::{OutputStream, StreamState, open_input};
use crate::cgroup::Cgroup;
use crate::constants::{MAX_TASKS_OF_USER, MAX_WATCH_INTERVAL, MIN_WATCH_INTERVAL};
use crate::error::{StepError, StepExt};
use crate::exec::{Descriptors, RunReport, RunSpec};
use crate::protocol::{GraderMessage, LauncherMessage, Order, RunAnswer};
use crate::strict::scratch::RunTmpfs;
use crate::task_clock::TaskClock;
use crate::user::OtherUser;
use crate::{Layer, kernel, pressure, system};

/// Capacity for most reports, so that one call reads all.
const USUAL_REPORT: usize = 1024;

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
    /// Pidfd of init or, without namespaces, of the program.
    process: OwnedFd,
    /// Our side of the start barrier.
    barrier: UnixStream,
    clock: Option<TaskClock>,
    report: io::PipeReader,
    /// Streams of standard output and error.
    streams: [Option<OutputStream>; 2],
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
        if let RunFiles::Tmpfs(scratch) = running.files {
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
        let has_clock = self.clock == ClockSource::Task;
        let cgroup_procs = self.group.iter().flat_map(Cgroup::cgroup_procs).collect();
        let give_pipes = |owner: Option<(u32, u32)>| {
            [&stdout, &stderr]
                .into_iter()
                .try_for_each(|end| match owner {
                    Some((user, group)) => fchown(end, Some(user), Some(group)),
                    None => Ok(()),
                })
                .step(LAYER, "make the program's user the owner of its pipes")
        };
        let descriptors = Descriptors {
            files: [stdin.as_fd(), stdout.as_fd(), stderr.as_fd()],
            report: writer.as_fd(),
            barrier: theirs.as_fd(),
            cgroup_procs,
        };
        let group = self.group.as_ref();
        let (process, clock, files, limits) = match &mut self.backend {
            Backend::Strict(namespaces) => {
                const STEP: &str = "fill the run's file system in memory";
                let mut scratch = RunTmpfs::new(request.scratch.0, namespaces.owner)
                    .step(Layer::MountNamespace, STEP)?;
                scratch
                    .fill(&request.directory.host, &request.returns)
                    .step(Layer::MountNamespace, STEP)?;
                give_pipes(namespaces.owner.map(|owner| (owner, owner)))?;
                let processes = u64::from(request.limits.processes) + namespaces.others;
                let limits = resource_limits(request, processes, group);
                let spec = RunSpec {
                    has_clock,
                    ..RunSpec::new(request, &request.directory.inside, limits.clone())
                };
                let (init, clock) = namespaces.begin(request, spec, descriptors, &scratch)?;
                (init, clock, RunFiles::Tmpfs(scratch), limits)
            }
            Backend::LimitsOnly(direct) => {
                let run = direct.prepare(order, &stdin)?;
                let owner = run.user.as_ref().map(OtherUser::ids);
                give_pipes(owner)?;
                let processes = match owner {
                    Some(_) => u64::from(request.limits.processes),
                    None => MAX_TASKS_OF_USER,
                };
                let limits = resource_limits(request, processes, group);
                let spec = RunSpec::new(request, &request.directory.host, limits.clone());
                let clock = has_clock
                    .then(TaskClock::open)
                    .transpose()
                    .step(Layer::CpuClock, "open a task clock")?;
                let (child, process) = direct.begin(spec, run, descriptors)?;
                (process, clock, RunFiles::Host(child), limits)
            }
        };
        Ok(Running {
            process,
            barrier,
            clock,
            report,
            streams: [out, err],
            files,
            limits,
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
        const LAYER: Layer = Layer::CpuClock;
        let grader = io::stdin();
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
                let used = self.cpu(running.clock.as_ref())?;
                if used > limits.cpu.0 {
                    return Ok(EndReason::Over(Breach::Cpu));
                }
                // If the kernel has killed one process for lack of memory, the others may wait for it forever.
                if self.is_out_of_memory()? {
                    return Ok(EndReason::Over(Breach::Memory));
                }
                if let RunFiles::Host(child) = &mut running.files {
                    child
                        .reap_orphans()
                        .step(LAYER, "reap orphans of the program")?;
                }
                next_look = now + interval(used);
            }
            let pause = next_look.min(limits.wall.0).saturating_sub(now);
            // The pause is far below this type's maximum.
            let pause = Timespec::try_from(pause).ok();
            let mut polled = vec![
                // After the order, the grader only closes the socket or sends a command to kill the program.
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
                let is_gone = next_line().step(LAYER, "read from the grader")?.is_none();
                return Ok(if is_gone {
                    EndReason::Abandoned
                } else {
                    EndReason::Killed
                });
            }
            if !polled[1].revents().is_empty() {
                return Ok(EndReason::Ended);
            }
            drop(polled);
            for stream in running.streams.iter_mut().flatten() {
                let state = stream
                    .pump(chunk)
                    .step(LAYER, "keep the program's output")?;
                if state == StreamState::Over {
                    return Ok(EndReason::Over(Breach::Output));
                }
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
        let processes = match &running.files {
            RunFiles::Host(_) => children(),
            RunFiles::Tmpfs(_) => system::pid_of(&running.process).into_iter().collect(),
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
        let ended = match &mut running.files {
            RunFiles::Host(child) => child.end(self.group.as_ref()),
            // When init ends, the kernel ends every process of its namespace.
            RunFiles::Tmpfs(_) if matches!(reason, Ok(EndReason::Ended)) => Ok(()),
            RunFiles::Tmpfs(_) => kernel::kill_and_wait(running.process.as_fd()),
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
        const LAYER: Layer = Layer::PidNamespace;
        let mut text = Vec::with_capacity(USUAL_REPORT);
        running
            .report
            .read_to_end(&mut text)
            .step(LAYER, "read the report of the run's init")?;
        let report = match (serde_json::from_slice(&text), &running.files) {
            (Ok(report), _) => report,
            (Err(_), RunFiles::Host(child)) => {
                child.report(wall).step(LAYER, "measure the program")?
            }
            (Err(_), RunFiles::Tmpfs(_)) if reason == EndReason::Ended => {
                let step = "read the report of the run's init: it exited";
                return Err(StepError::with_errno(LAYER, step, libc::EPIPE));
            }
            // We killed it.
            (Err(_), RunFiles::Tmpfs(_)) => RunReport::Ended {
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
            ClockSource::Cgroup | ClockSource::Task => self.cpu(running.clock.as_ref())?,
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
            return Err(StepError::with_errno(
                Layer::MemoryCgroup,
                step,
                libc::ENOMEM,
            ));
        }
        let end = if libc::WIFEXITED(status) {
            End::Exited(libc::WEXITSTATUS(status))
        } else {
            End::Signalled(libc::WTERMSIG(status))
        };
        let is_over = |stream: &OutputStream| stream.state == StreamState::Over;
        let breach = match reason {
            EndReason::Over(breach) => Some(breach),
            _ if cpu > limits.cpu.0 => Some(Breach::Cpu),
            _ if wall > limits.wall.0 => Some(Breach::Wall),
            _ if out_of_memory => Some(Breach::Memory),
            // `SIGXFSZ`: another file exceeded its limit.
            _ if running.streams.iter().flatten().any(is_over)
                || end == End::Signalled(libc::SIGXFSZ) =>
            {
                Some(Breach::Output)
            }
            _ => None,
        };
        let has_failed = !end.is_success() && matches!(breach, None | Some(Breach::Wall));
        self.machine
            .check(order, &running.limits, self.group.as_ref(), has_failed)?;
        let written = |at: usize| Bytes(running.streams[at].as_ref().map_or(0, |it| it.written));
        Ok(RunAnswer::Done(Outcome {
            end,
            breach,
            cpu: CpuTime(cpu),
            wall: WallTime(wall),
            memory: (peak > 0).then_some(Bytes(peak)),
            stdout: written(0),
            stderr: written(1),
        }))
    }
}

/// Waits until the program is ready, and starts it when the grader says so. Returns the reason if the run ends before
/// that.
fn wait_for_start(running: &mut Running) -> Result<Option<EndReason>, StepError> {
    const LAYER: Layer = Layer::PidNamespace;
    const STEP: &str = "let the program start";
    let grader = io::stdin();
    let [is_abandoned, is_ready, _] = loop {
        let mut polled = [
            // The grader sends nothing until we report that the program is ready.
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
        return Ok(Some(EndReason::Abandoned));
    }
    // Otherwise, a step before `execve` failed, and the report says which. The program's end of the barrier may still
    // be open, because other processes have it, too.
    if !is_ready || running.barrier.read(&mut [0]).step(LAYER, STEP)? == 0 {
        return Ok(Some(EndReason::Ended));
    }
    send(&LauncherMessage::Ready).step(LAYER, STEP)?;
    let Some(line) = next_line().step(LAYER, STEP)? else {
        return Ok(Some(EndReason::Abandoned));
    };
    match serde_json::from_slice(&line) {
        Ok(GraderMessage::Go) => {}
        Ok(GraderMessage::Cancel) => return Ok(Some(EndReason::Cancelled)),
        Ok(_) | Err(_) => return Err(StepError::with_errno(LAYER, STEP, libc::EPROTO)),
    }
    match running.barrier.write_all(b"g") {
        // The program was killed meanwhile, which the watch will notice.
        Err(error) if matches!(error.kind(), BrokenPipe | ConnectionReset) => Ok(None),
        written => written.step(LAYER, STEP).map(|()| None),
    }
}

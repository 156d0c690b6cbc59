//! The launchers of a grader, one per concurrent run.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use grader_model::{Isolation, IsolationLevel, Outcome};

use crate::connection::Connection;
use crate::constants::{CANCEL_INTERVAL, MAX_LAUNCHER_DELAY, MAX_LAUNCHER_START};
use crate::protocol::{GraderMessage, Greeting, Hello, LauncherMessage, Order, RunAnswer};
use crate::runner::EnteredGate;
use crate::{
    LauncherCommand, Layer, LayerFinding, LayerState, Request, SandboxError, StartGate, cgroup,
    findings,
};

/// Folders in which a grader may be installed.
const INSTALLED: [&str; 3] = ["/usr/local/bin", "/usr/bin", "/bin"];

/// The launchers of a runner.
#[derive(Debug)]
pub(crate) struct Pool {
    command: LauncherCommand,
    level: IsolationLevel,
    /// Number of the next launcher.
    next: AtomicU32,
    state: Mutex<PoolState>,
    /// The first launcher's findings on every layer.
    pub(crate) findings: Vec<LayerFinding>,
}

#[derive(Debug, Default)]
struct PoolState {
    idle: Vec<Connection>,
    /// The folder that launchers remove if the grader is killed.
    guarded: Option<PathBuf>,
}

impl Pool {
    /// Starts the first launcher, which tries every layer.
    ///
    /// # Errors
    /// [`SandboxError::Missing`] if no program can run without the missing layers.
    pub(crate) fn start(
        command: &LauncherCommand,
        level: IsolationLevel,
    ) -> Result<Self, SandboxError> {
        // Launchers create their control groups next to our own, which may need preparation.
        let unprepared = cgroup::prepare().err();
        let mut pool = Self {
            command: command.clone(),
            level,
            next: AtomicU32::new(0),
            state: Mutex::default(),
            findings: Vec::new(),
        };
        let (launcher, mut hello) = pool.launch()?;
        for finding in &mut hello.findings {
            if finding.layer == Layer::MemoryCgroup
                && finding.state == LayerState::Missing
                && unprepared.is_some()
            {
                finding.detail.clone_from(&unprepared);
            }
        }
        pool.findings.clone_from(&hello.findings);
        let launcher = if_ready((launcher, hello))?;
        pool.state().idle.push(launcher);
        Ok(pool)
    }

    fn state(&self) -> MutexGuard<'_, PoolState> {
        // A panic in another thread leaves no inconsistent state: every change is a single call.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The level and its layers.
    pub(crate) fn isolation(&self) -> Isolation {
        findings::isolation(self.level, &self.findings)
    }

    /// Sets the folder that launchers remove if the grader is killed.
    pub(crate) fn guard(&self, folder: &Path) {
        self.state().guarded = Some(folder.to_owned());
    }

    /// Runs a command in an idle launcher, or in a new one.
    pub(crate) fn run(
        &self,
        gate: &dyn StartGate,
        request: &Request,
        user: Option<u32>,
    ) -> Result<Outcome, SandboxError> {
        let idle = self.state().idle.pop();
        // Not under the lock: starting a launcher takes some milliseconds.
        let mut launcher = match idle {
            Some(launcher) => launcher,
            None => self.launch().and_then(if_ready)?,
        };
        let order = Order {
            request: request.clone(),
            user,
            launchers: self.next.load(Ordering::Relaxed),
            guarded: self.state().guarded.clone(),
        };
        // The gate is left when the launcher reports the end of the run, or has itself ended.
        let mut entered = None;
        let answer = match ask(&mut launcher, gate, &mut entered, order) {
            Ok(answer) => answer,
            Err(problem) => return Err(launcher.failed(&problem)),
        };
        // A launcher that failed once may fail again: the next run gets a new one.
        if matches!(answer, RunAnswer::Failed(_)) {
            dismiss(launcher);
        } else {
            self.state().idle.push(launcher);
        }
        match answer {
            RunAnswer::Done(outcome) => Ok(outcome),
            RunAnswer::Failed(failure) => Err(SandboxError::Setup {
                source: failure.source(),
                step: failure.step,
            }),
            RunAnswer::NotExecuted(errno) => Err(SandboxError::Execute {
                program: request.program.clone(),
                source: std::io::Error::from_raw_os_error(errno),
            }),
            RunAnswer::Cancelled => Err(SandboxError::Cancelled),
        }
    }

    fn launch(&self) -> Result<(Connection, Hello), SandboxError> {
        let mut launcher = Connection::start(&self.command)?;
        let greeting = Greeting {
            level: self.level,
            number: self.next.fetch_add(1, Ordering::Relaxed),
            hidden: own_programs(&self.command),
        };
        let sent = launcher.send(&greeting);
        match sent.and_then(|()| launcher.receive(MAX_LAUNCHER_START)) {
            Ok(hello) => Ok((launcher, hello)),
            Err(problem) => Err(launcher.failed(&problem)),
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.state().idle.drain(..).for_each(dismiss);
    }
}

fn ask<'a>(
    launcher: &mut Connection,
    gate: &'a dyn StartGate,
    entered: &mut Option<EnteredGate<'a>>,
    order: Order,
) -> Result<RunAnswer, String> {
    let patience = order
        .request
        .limits
        .wall
        .0
        .saturating_add(MAX_LAUNCHER_DELAY);
    launcher.send(&GraderMessage::Run(Box::new(order)))?;
    let mut is_told = false;
    loop {
        // Once: a launcher that is stopped would not read, and sending would wait for it in the end.
        let cancel = || {
            let is_now = !is_told && entered.as_ref()?.is_cancelled();
            is_told |= is_now;
            is_now.then_some(GraderMessage::Cancel)
        };
        match launcher.receive_or(patience, CANCEL_INTERVAL, cancel)? {
            LauncherMessage::Ready => {
                *entered = EnteredGate::new(gate);
                let command = match entered {
                    Some(_) => GraderMessage::Go,
                    None => GraderMessage::Cancel,
                };
                launcher.send(&command)?;
            }
            LauncherMessage::Over { waited } => {
                if let Some(mut entered) = entered.take() {
                    entered.waited = waited;
                }
            }
            LauncherMessage::RunAnswer(answer) => return Ok(answer),
        }
    }
}

/// A launcher, if it can run programs.
fn if_ready((launcher, hello): (Connection, Hello)) -> Result<Connection, SandboxError> {
    if hello.is_ready {
        return Ok(launcher);
    }
    dismiss(launcher);
    Err(SandboxError::Missing(hello.findings))
}

fn dismiss(launcher: Connection) {
    // If this cannot be sent, the launcher has already ended.
    let _ = launcher.send(&GraderMessage::End);
    drop(launcher.end());
}

/// Our own binary, which contains the answers, and installed binaries of the same name.
fn own_programs(launcher: &LauncherCommand) -> Vec<PathBuf> {
    let own = fs::canonicalize(&launcher.program).unwrap_or_else(|_| launcher.program.clone());
    let name = own.file_name().map(OsStr::to_owned).unwrap_or_default();
    INSTALLED
        .iter()
        .filter_map(|folder| fs::canonicalize(Path::new(folder).join(&name)).ok())
        .chain([own])
        .collect()
}

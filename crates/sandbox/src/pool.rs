//! The launchers of one grader: one for each run that goes on at the same time.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use grader_model::Outcome;

use crate::connection::Connection;
use crate::protocol::{Answer, Command, Greeting, Hello, Mode, Order, Progress};
use crate::runner::OnStage;
use crate::{Finding, LauncherCommand, Request, SandboxError, Stage, cgroup};
use crate::{Hold, Layer};

/// How long a launcher may take to make its namespaces.
const START: Duration = Duration::from_secs(60);
/// How much longer than the run's wall limit a launcher may take to answer: to copy files, on a busy machine.
const GRACE: Duration = Duration::from_secs(120);
/// Where programs of the system are installed.
const INSTALLED: [&str; 3] = ["/usr/local/bin", "/usr/bin", "/bin"];

#[derive(Debug)]
pub(crate) struct Pool {
    command: LauncherCommand,
    mode: Mode,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    idle: Vec<Launcher>,
    /// The numbers of all that live.
    numbers: BTreeSet<u32>,
    /// What they remove if the grader is killed.
    guarded: Option<PathBuf>,
}

#[derive(Debug)]
struct Launcher {
    connection: Connection,
    number: u32,
    /// What it was told to remove if the grader is killed.
    guards: Option<PathBuf>,
}

impl Pool {
    pub(crate) fn new(command: LauncherCommand, mode: Mode) -> Self {
        Self {
            command,
            mode,
            state: Mutex::default(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing is half-changed by a panic of another thread: every change is one call.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts the first launcher, and keeps it if it can run programs; what it found of every layer.
    pub(crate) fn start(&self) -> Result<Hello, SandboxError> {
        // Launchers make their control groups beside our own, which may have to be prepared for that.
        let unprepared = cgroup::prepare().err();
        let number = self.take_number();
        let (launcher, mut hello) = self.launch(number)?;
        for finding in &mut hello.findings {
            if finding.layer == Layer::MemoryCgroup
                && finding.hold == Hold::Missing
                && let Some(reason) = &unprepared
            {
                finding.detail = Some(reason.clone());
            }
        }
        if hello.is_ready {
            self.state().idle.push(launcher);
        } else {
            self.dismiss(launcher);
        }
        Ok(hello)
    }

    /// Sets the folder that launchers remove if the grader is killed.
    pub(crate) fn guard(&self, folder: &Path) {
        self.state().guarded = Some(folder.to_owned());
    }

    /// Runs a command in an idle launcher, or in a new one.
    pub(crate) fn run(
        &self,
        stage: Option<&dyn Stage>,
        request: &Request,
        user: Option<u32>,
    ) -> Result<Outcome, SandboxError> {
        let mut launcher = self.launcher()?;
        // Left when the launcher says so, and otherwise when the launcher is gone.
        let mut on_stage = None;
        let order = Order {
            request: request.clone(),
            waits: stage.is_some(),
            user,
        };
        match self.ask(&mut launcher, stage, &mut on_stage, order) {
            Ok(answer) => {
                // What failed once in a launcher may fail again: the next run gets a new one.
                if matches!(answer, Answer::Failed(_)) {
                    self.dismiss(launcher);
                } else {
                    self.state().idle.push(launcher);
                }
                outcome(answer, request)
            }
            Err(problem) => {
                self.state().numbers.remove(&launcher.number);
                Err(launcher.connection.failed(&problem))
            }
        }
    }

    fn ask<'a>(
        &self,
        launcher: &mut Launcher,
        stage: Option<&'a dyn Stage>,
        on_stage: &mut Option<OnStage<'a>>,
        order: Order,
    ) -> Result<Answer, String> {
        let guarded = self.state().guarded.clone();
        if let Some(folder) = guarded
            && launcher.guards.as_ref() != Some(&folder)
        {
            let command = Command::Guard(folder.clone().into());
            launcher.connection.send(&command)?;
            launcher.guards = Some(folder);
        }
        let patience = order.request.limits.wall.0.saturating_add(GRACE);
        launcher.connection.send(&Command::Run(Box::new(order)))?;
        loop {
            match launcher.connection.receive(patience)? {
                Progress::Ready => {
                    *on_stage = stage.and_then(|stage| OnStage::enter(stage).ok());
                    let command = match on_stage {
                        Some(_) => Command::Go,
                        None => Command::Cancel,
                    };
                    launcher.connection.send(&command)?;
                }
                Progress::Over => drop(on_stage.take()),
                Progress::Answer(answer) => return Ok(answer),
            }
        }
    }

    fn launcher(&self) -> Result<Launcher, SandboxError> {
        if let Some(launcher) = self.state().idle.pop() {
            return Ok(launcher);
        }
        // Not under the lock: it takes some milliseconds.
        let (launcher, hello) = self.launch(self.take_number())?;
        if hello.is_ready {
            return Ok(launcher);
        }
        self.dismiss(launcher);
        Err(SandboxError::Missing(hello.findings))
    }

    fn launch(&self, number: u32) -> Result<(Launcher, Hello), SandboxError> {
        let started = Connection::start(&self.command).and_then(|mut connection| {
            let greeting = Greeting {
                mode: self.mode,
                number,
                hidden: own_programs(&self.command),
            };
            match connection
                .send(&greeting)
                .and_then(|()| connection.receive(START))
            {
                Ok(hello) => Ok((connection, hello)),
                Err(problem) => Err(connection.failed(&problem)),
            }
        });
        let (connection, hello) = started.inspect_err(|_| {
            self.state().numbers.remove(&number);
        })?;
        let launcher = Launcher {
            connection,
            number,
            guards: None,
        };
        Ok((launcher, hello))
    }

    /// The lowest free number, which is taken from now on.
    fn take_number(&self) -> u32 {
        let mut state = self.state();
        let free = (0..=u32::MAX).find(|number| !state.numbers.contains(number));
        let number = free.unwrap_or_default();
        state.numbers.insert(number);
        number
    }

    fn dismiss(&self, launcher: Launcher) {
        let number = launcher.number;
        launcher.end();
        self.state().numbers.remove(&number);
    }
}

impl Launcher {
    fn end(mut self) {
        // One that does not hear this is gone already.
        let _ = self.connection.send(&Command::End);
        drop(self.connection.end());
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        for launcher in std::mem::take(&mut self.state().idle) {
            launcher.end();
        }
    }
}

/// Whether strict isolation is refused: a required layer is missing that is not waived.
pub(crate) fn is_refused(findings: &[Finding], waived: &[Layer]) -> bool {
    findings.iter().any(|finding| {
        finding.layer.is_required()
            && finding.hold == Hold::Missing
            && !waived.contains(&finding.layer)
    })
}

fn outcome(answer: Answer, request: &Request) -> Result<Outcome, SandboxError> {
    match answer {
        Answer::Done(outcome) => Ok(outcome),
        Answer::Failed(failure) => Err(SandboxError::Setup {
            source: failure.source(),
            step: failure.step,
        }),
        Answer::NotExecuted(errno) => Err(SandboxError::Execute {
            program: request.program.clone(),
            source: std::io::Error::from_raw_os_error(errno),
        }),
        Answer::Cancelled => Err(SandboxError::Unwanted),
    }
}

/// Our own program, which knows the answers, and others of its name among the system's.
fn own_programs(launcher: &LauncherCommand) -> Vec<OsString> {
    let own = fs::canonicalize(&launcher.program).unwrap_or_else(|_| launcher.program.clone());
    let name = own.file_name().map(OsStr::to_owned).unwrap_or_default();
    let installed = INSTALLED.iter().map(|folder| Path::new(folder).join(&name));
    let mut all: Vec<OsString> = installed
        .filter_map(|path| fs::canonicalize(path).ok())
        .chain([own])
        .map(PathBuf::into_os_string)
        .collect();
    all.sort();
    all.dedup();
    all
}

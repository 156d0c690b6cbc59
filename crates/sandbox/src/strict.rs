//! Level `strict`: a sandbox that hostile code does not leave. The grader's side.

#[cfg(target_os = "linux")]
mod elf;
#[cfg(target_os = "linux")]
mod gate;
#[cfg(target_os = "linux")]
mod init;
#[cfg(target_os = "linux")]
mod job;
#[cfg(target_os = "linux")]
mod keeper;
#[cfg(target_os = "linux")]
mod kernel;
#[cfg(target_os = "linux")]
mod launcher;
#[cfg(target_os = "linux")]
mod program;
#[cfg(target_os = "linux")]
mod room;
#[cfg(target_os = "linux")]
mod run;
#[cfg(target_os = "linux")]
mod runtime;
#[cfg(target_os = "linux")]
mod session;
#[cfg(target_os = "linux")]
mod tree;
#[cfg(target_os = "linux")]
mod wire;

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use grader_model::{Isolation, IsolationLevel, Outcome};

use crate::basic::outcome;
use crate::link::Link;
use crate::protocol::{Answer, Greeting, Hello, Order, Said, Word};
use crate::runner::OnStage;
use crate::{
    Finding, Hold, LauncherCommand, Layer, Place, Request, Runner, SandboxError, Stage, pressure,
};

#[cfg(target_os = "linux")]
pub(crate) use launcher::serve;

/// The argument that makes a launcher a strict one.
pub(crate) const STRICT: &str = "strict";
/// How long a launcher may take to make its namespaces.
const START: Duration = Duration::from_secs(60);
/// How much longer than the run's wall limit a launcher may take to answer: to copy files, on a busy machine.
const GRACE: Duration = Duration::from_secs(120);

/// Runs commands at level `strict`, by a pool of launchers, one for each run that goes on at the same time.
#[derive(Debug)]
pub struct StrictRunner {
    launcher: LauncherCommand,
    findings: Vec<Finding>,
    pool: Mutex<Pool>,
}

/// The launchers.
#[derive(Debug, Default)]
struct Pool {
    /// Those that have nothing to do.
    idle: Vec<Worker>,
    /// The numbers of all that live.
    numbers: BTreeSet<u32>,
    /// What they remove when the grader is killed.
    guarded: Option<PathBuf>,
}

/// One launcher.
#[derive(Debug)]
struct Worker {
    link: Link,
    number: u32,
    /// What it was told to remove when the grader is killed.
    guards: Option<PathBuf>,
}

/// Why strict isolation cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum StrictError {
    /// Layers are missing on this host, and not waived. All findings, held layers among them.
    #[error("this host does not hold {}", names(.0))]
    Missing(Vec<Finding>),
    /// It could not be tried.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
}

fn names(findings: &[Finding]) -> String {
    let missing = findings
        .iter()
        .filter(|finding| finding.layer.is_required() && finding.hold == Hold::Missing);
    let names: Vec<&str> = missing.map(|finding| finding.layer.name()).collect();
    names.join(", ")
}

impl StrictRunner {
    /// Tries every layer on this host, and refuses when a required one that is not waived is missing, or when
    /// without those that are missing nothing can be run at all.
    ///
    /// # Errors
    /// [`StrictError::Missing`] when it refuses.
    pub fn start(launcher: &LauncherCommand, waived: &[Layer]) -> Result<Self, StrictError> {
        let mut pool = Pool::default();
        let (worker, hello) = first(launcher, pool.number())?;
        let refused = hello.findings.iter().any(|finding| {
            finding.layer.is_required()
                && finding.hold == Hold::Missing
                && !waived.contains(&finding.layer)
        });
        if refused || !hello.ready {
            worker.end();
            return Err(StrictError::Missing(hello.findings));
        }
        pool.idle.push(worker);
        Ok(Self {
            launcher: launcher.clone(),
            findings: hello.findings,
            pool: Mutex::new(pool),
        })
    }

    /// What was found of every layer.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    fn pool(&self) -> MutexGuard<'_, Pool> {
        // Nothing is half-changed by a panic of another thread: every change is one call.
        self.pool.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A launcher for one run, an idle one or a new one.
    fn worker(&self) -> Result<Worker, SandboxError> {
        let number = {
            let mut pool = self.pool();
            if let Some(worker) = pool.idle.pop() {
                return Ok(worker);
            }
            pool.number()
        };
        // Not under the lock: it takes some milliseconds.
        match Worker::start(&self.launcher, number) {
            Ok((worker, hello)) if hello.ready => Ok(worker),
            Ok((worker, hello)) => {
                self.dismiss(worker);
                Err(SandboxError::Protocol(format!(
                    "this host does not hold {} any more",
                    names(&hello.findings)
                )))
            }
            Err(error) => {
                self.pool().numbers.remove(&number);
                Err(error)
            }
        }
    }

    fn dismiss(&self, worker: Worker) {
        let number = worker.number;
        worker.end();
        self.pool().numbers.remove(&number);
    }

    /// Has a run made by a launcher of the pool.
    fn go(&self, stage: Option<&dyn Stage>, request: &Request) -> Result<Outcome, SandboxError> {
        let mut worker = self.worker()?;
        // Left when the launcher says so, and else only when the launcher is gone.
        let mut on_stage = None;
        match self.ask(&mut worker, stage, &mut on_stage, request) {
            // What failed once in a launcher may fail again: the next run has a new one.
            Ok(answer @ Answer::Setup { .. }) => {
                self.dismiss(worker);
                outcome(answer, request)
            }
            Ok(answer) => {
                self.pool().idle.push(worker);
                outcome(answer, request)
            }
            Err(problem) => {
                let number = worker.number;
                let error = worker.link.failed(&problem, "");
                self.pool().numbers.remove(&number);
                Err(error)
            }
        }
    }

    fn ask<'a>(
        &self,
        worker: &mut Worker,
        stage: Option<&'a dyn Stage>,
        on_stage: &mut Option<OnStage<'a>>,
        request: &Request,
    ) -> Result<Answer, String> {
        let guarded = self.pool().guarded.clone();
        if let Some(folder) = guarded
            && worker.guards.as_ref() != Some(&folder)
        {
            worker.link.tell(&Word::Guard(folder.clone().into()))?;
            worker.guards = Some(folder);
        }
        let patience = request.limits.wall.0.saturating_add(GRACE);
        let order = Order {
            waits: stage.is_some(),
            ..Order::from(request)
        };
        worker.link.tell(&Word::Run(Box::new(order)))?;
        loop {
            match worker.link.hear(patience)? {
                Said::Ready => {
                    *on_stage = stage.and_then(|stage| OnStage::enter(stage).ok());
                    let word = match on_stage {
                        Some(_) => Word::Go,
                        None => Word::Skip,
                    };
                    worker.link.tell(&word)?;
                }
                Said::Over => drop(on_stage.take()),
                Said::Answer(answer) => return Ok(answer),
            }
        }
    }
}

/// Folders that are fresh for each run: what the host has there is not seen.
const OWN_FOLDERS: [&str; 3] = ["/box", "/build", "/tmp"];
/// Where programs of the system are installed.
const INSTALLED: [&str; 3] = ["/usr/local/bin", "/usr/bin", "/bin"];

/// Our own program, which knows the answers, and others of its name among the system's.
pub(crate) fn ourselves(launcher: &LauncherCommand) -> Vec<OsString> {
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

/// Starts the first launcher of this process.
fn first(launcher: &LauncherCommand, number: u32) -> Result<(Worker, Hello), SandboxError> {
    // Launchers make their control groups beside our own, which may have to be made ready for that.
    #[cfg(target_os = "linux")]
    let unsettled = crate::cgroup::settle().err().map(|error| error.to_string());
    #[cfg(not(target_os = "linux"))]
    let unsettled: Option<String> = None;
    let (worker, mut hello) = Worker::start(launcher, number)?;
    for finding in &mut hello.findings {
        if finding.layer == Layer::MemoryCgroup
            && finding.hold == Hold::Missing
            && let Some(reason) = &unsettled
        {
            finding.detail = Some(reason.clone());
        }
    }
    Ok((worker, hello))
}

impl Pool {
    /// The lowest free number, which is taken from now on.
    fn number(&mut self) -> u32 {
        let free = (0..=u32::MAX).find(|number| !self.numbers.contains(number));
        let number = free.unwrap_or_default();
        self.numbers.insert(number);
        number
    }
}

impl Worker {
    fn start(launcher: &LauncherCommand, number: u32) -> Result<(Self, Hello), SandboxError> {
        let mut link = Link::start(launcher, Some(OsStr::new(STRICT)))?;
        let greeting = Greeting {
            number,
            hidden: ourselves(launcher),
        };
        match link.tell(&greeting).and_then(|()| link.hear(START)) {
            Ok(hello) => Ok((
                Self {
                    link,
                    number,
                    guards: None,
                },
                hello,
            )),
            Err(problem) => Err(link.failed(&problem, "")),
        }
    }

    /// Lets it end in peace.
    fn end(mut self) {
        // One that does not hear this is gone already.
        let _ = self.link.tell(&Word::End);
        drop(self.link.end());
    }
}

impl Drop for StrictRunner {
    fn drop(&mut self) {
        for worker in std::mem::take(&mut self.pool().idle) {
            worker.end();
        }
    }
}

impl Runner for StrictRunner {
    fn run(&self, request: &Request) -> Result<Outcome, SandboxError> {
        self.go(None, request)
    }

    fn run_on(&self, stage: &dyn Stage, request: &Request) -> Result<Outcome, SandboxError> {
        self.go(Some(stage), request)
    }

    fn crowded(&self) -> Option<Duration> {
        pressure::crowded()
    }

    fn inside(&self, place: Place, _host: &Path) -> PathBuf {
        match place {
            Place::Work => "/box",
            Place::Build => "/build",
            Place::Program => "/program",
        }
        .into()
    }

    fn hides(&self, path: &Path) -> bool {
        OWN_FOLDERS.iter().any(|own| path.starts_with(own))
    }

    fn guard(&self, folder: &Path) {
        self.pool().guarded = Some(folder.to_owned());
    }

    fn isolation(&self) -> Isolation {
        let (layers, missing): (Vec<_>, Vec<_>) = self
            .findings
            .iter()
            .partition(|finding| finding.hold != Hold::Missing);
        let names = |part: Vec<&Finding>| part.iter().map(|f| f.layer.name().to_owned()).collect();
        Isolation {
            level: IsolationLevel::Strict,
            layers: names(layers),
            missing: names(missing),
        }
    }
}

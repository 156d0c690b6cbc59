//! Level `strict`: a sandbox that hostile code does not leave.

pub(crate) mod holder;
mod init;
pub(crate) mod namespaces;
mod runtime;
pub(crate) mod scratch;
mod tmpfs;
pub(crate) mod tree;
pub(crate) mod wire;

use std::path::{Path, PathBuf};

use grader_model::{Isolation, IsolationLevel, Outcome};

use crate::pool::{Pool, is_refused};
use crate::protocol::Mode;
use crate::system_paths::OWN_FOLDERS;
use crate::{
    Finding, LauncherCommand, Layer, LayerState, MountPoint, Request, Runner, SandboxError,
    StartGate,
};

/// Runs commands at level `strict`.
#[derive(Debug)]
pub struct StrictRunner {
    pool: Pool,
    findings: Vec<Finding>,
}

impl StrictRunner {
    /// Tries every layer on this machine.
    ///
    /// # Errors
    /// [`SandboxError::Missing`] if a required layer is missing that is not waived, or if nothing can run without
    /// those that are missing.
    pub fn start(launcher: &LauncherCommand, waived: &[Layer]) -> Result<Self, SandboxError> {
        let pool = Pool::new(launcher.clone(), Mode::Strict);
        let hello = pool.start()?;
        if !hello.is_ready || is_refused(&hello.findings, waived) {
            return Err(SandboxError::Missing(hello.findings));
        }
        Ok(Self {
            pool,
            findings: hello.findings,
        })
    }

    /// What was found of every layer.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }
}

impl Runner for StrictRunner {
    fn run(&self, request: &Request) -> Result<Outcome, SandboxError> {
        self.pool.run(None, request, None)
    }

    fn run_gated(&self, gate: &dyn StartGate, request: &Request) -> Result<Outcome, SandboxError> {
        self.pool.run(Some(gate), request, None)
    }

    fn inside(&self, at: MountPoint, _host: &Path) -> PathBuf {
        match at {
            MountPoint::Work => "/box",
            MountPoint::Build => "/build",
            MountPoint::Program => "/program",
        }
        .into()
    }

    fn hides(&self, path: &Path) -> bool {
        OWN_FOLDERS.iter().any(|own| path.starts_with(own))
    }

    fn guard(&self, folder: &Path) {
        self.pool.guard(folder);
    }

    fn isolation(&self) -> Isolation {
        let (layers, missing): (Vec<_>, Vec<_>) = self
            .findings
            .iter()
            .partition(|finding| finding.state != LayerState::Missing);
        let names = |part: Vec<&Finding>| part.iter().map(|f| f.layer.name().to_owned()).collect();
        Isolation {
            level: IsolationLevel::Strict,
            layers: names(layers),
            missing: names(missing),
        }
    }
}

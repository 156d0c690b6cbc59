//! Level `strict`: a sandbox for hostile code.

pub(crate) mod holder;
mod init;
pub(crate) mod namespaces;
mod runtime;
pub(crate) mod scratch;
mod tmpfs;
pub(crate) mod tree;

use std::path::{Path, PathBuf};

use grader_model::{Isolation, IsolationLevel, Outcome};

use crate::pool::Pool;
use crate::system_paths::OWN_FOLDERS;
use crate::{
    LauncherCommand, Layer, LayerFinding, LayerState, MountPoint, Request, Runner, SandboxError,
    StartGate,
};

/// Runs commands at level `strict`.
#[derive(Debug)]
pub struct StrictRunner(Pool);

impl StrictRunner {
    /// Tries every layer on this machine.
    ///
    /// # Errors
    /// [`SandboxError::Missing`] if a required layer is missing and not waived, or if nothing can run without the
    /// missing layers.
    pub fn start(launcher: &LauncherCommand, waived: &[Layer]) -> Result<Self, SandboxError> {
        let pool = Pool::start(launcher, IsolationLevel::Strict)?;
        let is_refused = pool.findings.iter().any(|finding| {
            finding.layer.is_required()
                && finding.state == LayerState::Missing
                && !waived.contains(&finding.layer)
        });
        if is_refused {
            return Err(SandboxError::Missing(pool.findings.clone()));
        }
        Ok(Self(pool))
    }

    /// Findings on all layers.
    pub fn findings(&self) -> &[LayerFinding] {
        &self.0.findings
    }
}

impl Runner for StrictRunner {
    fn run(&self, gate: &dyn StartGate, request: &Request) -> Result<Outcome, SandboxError> {
        self.0.run(gate, request, None)
    }

    fn inside(&self, at: MountPoint, _host: &Path) -> PathBuf {
        match at {
            MountPoint::Work => "/box",
            MountPoint::Build => "/build",
            MountPoint::Program => "/program",
            MountPoint::Compilers => "/compilers",
        }
        .into()
    }

    fn hides(&self, path: &Path) -> bool {
        OWN_FOLDERS.iter().any(|own| path.starts_with(own))
    }

    fn guard(&self, folder: &Path) {
        self.0.guard(folder);
    }

    fn isolation(&self) -> Isolation {
        self.0.isolation()
    }
}

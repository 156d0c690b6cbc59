//! Level `strict`: a sandbox that hostile code does not leave.

use std::path::{Path, PathBuf};

use grader_model::{Isolation, IsolationLevel, Outcome};

use crate::{Finding, Hold, LauncherCommand, Layer, Place, Request, Runner, SandboxError};

/// Runs commands at level `strict`, by a pool of launchers, one for each run that goes on at the same time.
#[derive(Debug)]
pub struct StrictRunner {
    findings: Vec<Finding>,
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
    /// Tries every layer on this host, and refuses when a required one that is not waived is missing.
    ///
    /// # Errors
    /// [`StrictError::Missing`] when it refuses.
    pub fn start(launcher: LauncherCommand, waived: &[Layer]) -> Result<Self, StrictError> {
        let findings = examine(&launcher)?;
        let refused = findings.iter().any(|finding| {
            finding.layer.is_required()
                && finding.hold == Hold::Missing
                && !waived.contains(&finding.layer)
        });
        if refused {
            return Err(StrictError::Missing(findings));
        }
        Ok(Self { findings })
    }

    /// What was found of every layer.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }
}

/// Tries every layer on this host, and runs nothing.
///
/// # Errors
/// When not even that can be tried, because the launcher does not start.
pub fn examine(_launcher: &LauncherCommand) -> Result<Vec<Finding>, SandboxError> {
    let findings = Layer::ALL.map(|layer| Finding {
        layer,
        hold: Hold::Missing,
        detail: Some("not built yet".to_owned()),
    });
    Ok(findings.to_vec())
}

/// One attempt of [`attempts`] to get out.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Attempt {
    /// What was tried, in a few technical English words: `mount a tmpfs`.
    pub what: String,
    /// Whether it was denied, as it must be.
    pub denied: bool,
    /// What came of it: the error, or what was reached.
    pub found: String,
}

/// Runs a program of ours in the sandbox that tries to get out in every way it knows.
///
/// # Errors
/// When it could not be run.
pub fn attempts(_runner: &StrictRunner) -> Result<Vec<Attempt>, SandboxError> {
    Ok(Vec::new())
}

impl Runner for StrictRunner {
    fn run(&self, _request: &Request) -> Result<Outcome, SandboxError> {
        Err(SandboxError::Protocol("not built yet".to_owned()))
    }

    fn inside(&self, place: Place, _host: &Path) -> PathBuf {
        match place {
            Place::Work => "/box",
            Place::Build => "/build",
            Place::Program => "/program",
        }
        .into()
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

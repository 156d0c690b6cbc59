//! A test hook that pretends to be a faster or slower machine.

use std::env;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use grader_model::{CpuTime, Isolation, Outcome, WallTime};
use grader_sandbox::{MountPoint, Request, Runner, SandboxError, StartGate};

/// `BITCRAFT_CLOCK_SCALE=3` makes every program appear to take three times as long: measured times are multiplied,
/// limits are divided. The samples keep their verdicts, which is how `verify` shows that no absolute second decides one.
const VARIABLE: &str = "BITCRAFT_CLOCK_SCALE";

/// The factor by which times are to be multiplied, if the hook is in use.
///
/// # Errors
/// If the variable is not a number from 0.01 to 100.
pub(crate) fn scale() -> anyhow::Result<Option<f64>> {
    let Some(text) = env::var_os(VARIABLE) else {
        return Ok(None);
    };
    let text = text.to_string_lossy();
    match text.parse() {
        Ok(scale) if (0.01..=100.0).contains(&scale) => Ok(Some(scale)),
        _ => anyhow::bail!("`{VARIABLE}` must be a number from 0.01 to 100, found `{text}`"),
    }
}

/// A runner with a scaled clock.
pub(crate) struct ScaledClock {
    pub(crate) runner: Arc<dyn Runner>,
    pub(crate) scale: f64,
}

impl ScaledClock {
    /// A request whose limits are divided.
    fn divided(&self, request: &Request) -> Request {
        let mut request = request.clone();
        let limits = &mut request.limits;
        limits.cpu = CpuTime(limits.cpu.0.div_f64(self.scale));
        limits.wall = WallTime(limits.wall.0.div_f64(self.scale));
        request
    }

    fn multiplied(&self, mut outcome: Outcome) -> Outcome {
        outcome.cpu = CpuTime(outcome.cpu.0.mul_f64(self.scale));
        outcome.wall = WallTime(outcome.wall.0.mul_f64(self.scale));
        outcome
    }
}

/// A gate that is told scaled times.
struct ScaledGate<'a> {
    gate: &'a dyn StartGate,
    scale: f64,
}

impl StartGate for ScaledGate<'_> {
    fn enter(&self) -> bool {
        self.gate.enter()
    }

    fn is_cancelled(&self) -> bool {
        self.gate.is_cancelled()
    }

    fn leave(&self, waited: Option<Duration>) {
        self.gate.leave(waited.map(|it| it.mul_f64(self.scale)));
    }
}

impl Runner for ScaledClock {
    fn run(&self, gate: &dyn StartGate, request: &Request) -> Result<Outcome, SandboxError> {
        let scale = self.scale;
        let gate = ScaledGate { gate, scale };
        let outcome = self.runner.run(&gate, &self.divided(request))?;
        Ok(self.multiplied(outcome))
    }

    fn inside(&self, place: MountPoint, host: &Path) -> PathBuf {
        self.runner.inside(place, host)
    }

    fn hides(&self, path: &Path) -> bool {
        self.runner.hides(path)
    }

    fn guard(&self, folder: &Path) {
        self.runner.guard(folder);
    }

    fn isolation(&self) -> Isolation {
        self.runner.isolation()
    }
}

//! What travels between the launcher, the keeper and the init of a run.

use std::ffi::OsString;
use std::io;

use serde::{Deserialize, Serialize};

use crate::{Core, Layer};

/// One run, for the keeper. With it travel descriptors: standard input, standard output, standard error, the
/// pipe for the [`Report`], the gate before which the program waits, the room that it may write to, one for each mount, one for each `cgroup.procs`.
#[derive(Serialize, Deserialize)]
pub(super) struct Job {
    /// Absolute path inside.
    pub(super) program: OsString,
    pub(super) arguments: Vec<OsString>,
    pub(super) environment: Vec<(OsString, OsString)>,
    /// Where it starts, inside.
    pub(super) directory: OsString,
    /// Where the detached mounts go, in the order of their descriptors.
    pub(super) mounts: Vec<OsString>,
    /// Number of `cgroup.procs` files by which the program enters its control groups.
    pub(super) cgroup_procs: usize,
    /// Whether to count CPU time by the kernel's task clock.
    pub(super) clock: bool,
    /// Resource limits: kind and value.
    pub(super) limits: Vec<(u32, u64)>,
    /// The core it runs on.
    pub(super) core: Option<Core>,
    /// Layers to do without.
    pub(super) without: Vec<Layer>,
    /// Do everything but execute the program: to try the layers.
    pub(super) trial: bool,
}

/// What the keeper answers.
#[derive(Serialize, Deserialize)]
pub(super) enum Reply {
    /// The namespaces are ready; once, before the first job.
    Ready,
    /// A run has begun; from its init. With it travels the descriptor of its clock if there is one.
    Started,
    /// It could not begin.
    Failed(Failure),
}

/// What the init of a run tells when the program has ended.
#[derive(Serialize, Deserialize)]
pub(super) enum Report {
    /// The program ran.
    Ended {
        /// Its wait status.
        status: i32,
        /// Peak resident memory of the largest process that was reaped, in bytes.
        peak: u64,
        /// CPU time of all that was reaped, in microseconds.
        cpu: u64,
        /// From the beginning to the end of the program, in nanoseconds.
        wall: u64,
    },
    /// The program could not be executed, with this `errno`.
    NotExecuted(i32),
    /// A step before that failed.
    Failed(Failure),
}

/// A step that failed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Failure {
    /// The layer that it belongs to.
    pub(super) layer: Layer,
    /// The step, to be read after "cannot".
    pub(super) step: String,
    /// Why.
    pub(super) errno: i32,
}

impl Failure {
    pub(super) fn new(layer: Layer, step: impl Into<String>, source: &io::Error) -> Self {
        let mut step = step.into();
        let errno = source.raw_os_error().unwrap_or_else(|| {
            // Its own words are all there is.
            step = format!("{step} ({source})");
            libc::EIO
        });
        Self { layer, step, errno }
    }

    pub(super) fn source(&self) -> io::Error {
        io::Error::from_raw_os_error(self.errno)
    }
}

/// Names the layer and the step at which a result failed.
pub(super) trait Step<T> {
    fn step(self, layer: Layer, step: impl Into<String>) -> Result<T, Failure>;
}

impl<T, E: Into<io::Error>> Step<T> for Result<T, E> {
    fn step(self, layer: Layer, step: impl Into<String>) -> Result<T, Failure> {
        self.map_err(|source| Failure::new(layer, step, &source.into()))
    }
}

//! Messages between the launcher and the namespace holder.

use std::ffi::OsString;

use serde::{Deserialize, Serialize};

use crate::Layer;
use crate::error::Failure;
use crate::exec::Program;

/// One run. With it travel descriptors: standard input, output and error, the pipe for the [`crate::exec::Report`],
/// the start barrier, the scratch tmpfs, one for each mount, one for each `cgroup.procs`.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Job {
    pub(crate) program: Program,
    /// Where the detached mounts go, in the order of their descriptors.
    pub(crate) mounts: Vec<OsString>,
    /// Number of `cgroup.procs` files.
    pub(crate) cgroup_procs: usize,
    /// Whether to count CPU time by the kernel's task clock.
    pub(crate) has_clock: bool,
    /// Layers to do without.
    pub(crate) without: Vec<Layer>,
    /// Do everything but execute the program, to try the layers.
    pub(crate) is_trial: bool,
}

/// The holder's answer.
#[derive(Serialize, Deserialize)]
pub(crate) enum Reply {
    /// The namespaces are ready; once, before the first job.
    Ready,
    /// A run has begun; from its init, with the descriptor of its clock if it has one.
    Started,
    /// It could not begin.
    Failed(Failure),
}

//! The layers of strict isolation.

use serde::{Deserialize, Serialize};
use strum::{Display, EnumMessage, EnumString, IntoStaticStr, VariantArray};

/// One of the mechanisms that confine a program, from the outside in. The documentation of each is its purpose.
///
/// The name (`memory-cgroup`) is the same in reports, in JSON and in `--allow-missing`.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    Display,
    EnumMessage,
    EnumString,
    IntoStaticStr,
    VariantArray,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Layer {
    /// root inside the sandbox has no rights outside it
    UserNamespace,
    /// programs run as an unused user, never as root
    OuterUid,
    /// programs see only the files that they are given
    MountNamespace,
    /// programs see and signal only their own processes
    PidNamespace,
    /// no network, not even loopback
    NetworkNamespace,
    /// no shared memory or queues between programs
    IpcNamespace,
    /// programs get a /proc of their own
    Proc,
    /// no root privileges, and no way to gain them
    NoCapabilities,
    /// system calls that programs do not need are refused
    Seccomp,
    /// a second barrier for files, TCP and signals
    Landlock,
    /// limits on open files, file sizes and locked memory
    ResourceLimits,
    /// a limit on processes and threads: no fork bombs
    ProcessCount,
    /// one memory limit for all processes of a program
    MemoryCgroup,
    /// CPU time is counted for all processes of a program
    CpuClock,
}

impl Layer {
    /// All layers, in order.
    pub const ALL: &[Self] = Self::VARIANTS;

    /// Its name.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Its purpose, in half a sentence.
    pub fn purpose(self) -> &'static str {
        self.get_documentation().unwrap_or_default()
    }

    /// Whether strict isolation requires it.
    pub const fn is_required(self) -> bool {
        !matches!(self, Self::Proc)
    }
}

/// Whether a layer is active on this host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Display)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum LayerState {
    /// Whole.
    Active,
    /// Partial, or by weaker means: good enough, but reported.
    Weaker,
    /// Not at all.
    Missing,
}

/// Result of trying a layer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct LayerFinding {
    /// The layer.
    #[serde(rename = "name")]
    pub layer: Layer,
    /// State of the layer.
    pub state: LayerState,
    /// How it is implemented, or what was tried and why it failed, in technical English. `None` if a missing layer was
    /// not tried, because it depends on another one or the level does not use it.
    pub detail: Option<String>,
}

impl LayerFinding {
    /// Whether the layer was tried and is missing.
    pub const fn probe_failed(&self) -> bool {
        matches!(self.state, LayerState::Missing) && self.detail.is_some()
    }
}

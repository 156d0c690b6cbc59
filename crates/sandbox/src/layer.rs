//! The layers of strict isolation.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Defines [`Layer`] from a table of variants, names and purposes.
macro_rules! layers {
    ($($variant:ident = $name:literal: $purpose:literal;)*) => {
        /// One of the mechanisms that confine a program.
        ///
        /// The name (`memory-cgroup`) is the same in reports, in JSON and in `--allow-missing`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum Layer {
            $(#[doc = $purpose] $variant,)*
        }

        impl Layer {
            /// All layers, from the outside in.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$variant),*];

            /// Its name.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// Its purpose, in half a sentence.
            pub const fn purpose(self) -> &'static str {
                match self {
                    $(Self::$variant => $purpose,)*
                }
            }
        }
    };
}

layers! {
    UserNamespace = "user-namespace":
        "root inside the sandbox has no rights outside it";
    OuterUid = "outer-uid":
        "programs run as an unused user, never as root";
    MountNamespace = "mount-namespace":
        "programs see only the files that they are given";
    PidNamespace = "pid-namespace":
        "programs see and signal only their own processes";
    NetworkNamespace = "network-namespace":
        "no network, not even loopback";
    IpcNamespace = "ipc-namespace":
        "no shared memory or queues between programs";
    Proc = "proc":
        "programs get a /proc of their own";
    NoCapabilities = "no-capabilities":
        "no root privileges, and no way to gain them";
    Seccomp = "seccomp":
        "system calls that programs do not need are refused";
    Landlock = "landlock":
        "a second barrier for files, TCP and signals";
    ResourceLimits = "resource-limits":
        "limits on open files, file sizes and locked memory";
    ProcessCount = "process-count":
        "a limit on processes and threads: no fork bombs";
    MemoryCgroup = "memory-cgroup":
        "one memory limit for all processes of a program";
    CpuClock = "cpu-clock":
        "CPU time is counted for all processes of a program";
}

impl Layer {
    /// Whether strict isolation requires it.
    pub const fn is_required(self) -> bool {
        !matches!(self, Self::Proc)
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// There is no layer with this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no layer is called `{0}`")]
pub struct UnknownLayer(pub String);

impl FromStr for Layer {
    type Err = UnknownLayer;

    fn from_str(name: &str) -> Result<Self, UnknownLayer> {
        Self::ALL
            .into_iter()
            .find(|layer| layer.name() == name)
            .ok_or_else(|| UnknownLayer(name.to_owned()))
    }
}

/// Whether a layer is active on this host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LayerState {
    /// Whole.
    Active,
    /// Partial, or by weaker means: good enough, but reported.
    Weaker,
    /// Not at all.
    Missing,
}

impl LayerState {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Weaker => "weaker",
            Self::Missing => "missing",
        }
    }
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

//! The machine, and the isolation of programs.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::LanguageId;

/// The machine and what is installed on it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Host {
    /// Model name of the processor.
    pub cpu: String,
    /// Number of processors that may be used.
    pub cores: usize,
    /// Operating system and its release: `Linux 6.1.0`.
    pub kernel: String,
    /// Compilers that were used or searched for.
    pub toolchains: BTreeMap<LanguageId, ToolchainInfo>,
}

/// One compiler or interpreter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct ToolchainInfo {
    /// Name and version: `gcc 12.2.0`; `None` if it is not installed.
    pub version: Option<String>,
    /// The flags it is called with.
    pub flags: Vec<String>,
}

/// Isolation of student programs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Isolation {
    /// The level.
    pub level: IsolationLevel,
    /// Layers in force, named as in `docs/design.md`, section 7.
    pub layers: Vec<String>,
    /// Layers that are not in force.
    pub missing: Vec<String>,
}

/// A level of isolation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum IsolationLevel {
    /// Limits, but not a sandbox.
    Basic,
    /// Namespaces, system-call filter, no network, no files of the host.
    Strict,
}

//! What this machine can do for grading, and what would mend it: for people and for programs.
//!
//! Nothing is looked at here. Who looked ([`Diagnosis`]) brings the purposes, causes and commands as texts; this
//! module lays them out, and says what follows from them.

mod json;
mod text;
mod words;

use grader_model::Text;
use schemars::JsonSchema;
use serde::Serialize;

pub use json::{
    DoctorDocument, DoctorTag, EscapeDocument, EscapesDocument, LayerDocument, MendDocument,
    TimingDocument, ToolchainDocument, doctor_document, doctor_json, doctor_schema,
};
pub use text::{doctor, refusal};

/// What was found out about a machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnosis {
    /// The layers of strict isolation, from the outside in.
    pub layers: Vec<LayerFinding>,
    /// What came of trying to get out.
    pub escapes: Escapes,
    /// The compilers and interpreters, in the order in which languages are listed.
    pub toolchains: Vec<ToolchainFinding>,
    /// What makes equal runs take unequal times.
    pub timing: Vec<TimingFinding>,
}

impl Diagnosis {
    /// Whether strict isolation can be had: no required layer is missing, and nothing got out.
    pub fn holds(&self) -> bool {
        let lacks = |layer: &LayerFinding| layer.required && layer.hold.is_none();
        !self.layers.iter().any(lacks) && self.escapes.all_denied()
    }
}

/// What was found when a layer was tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerFinding {
    /// Its name: `memory-cgroup`.
    pub name: String,
    /// Whether isolation may not be called strict without it.
    pub required: bool,
    /// How far it holds.
    pub hold: LayerHold,
    /// What it is for, one sentence.
    pub purpose: Text,
    /// By what means it is held, or what was tried and why it failed; technical English.
    pub detail: Option<String>,
    /// Ways to have it on this machine. Each is enough by itself.
    pub mends: Vec<Mend>,
}

/// How far a layer holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LayerHold {
    /// Whole.
    Held,
    /// In part, or by a lesser means.
    Weaker,
    /// Not at all.
    Missing,
    /// Not at all: it could not even be tried, because another layer is missing without which nothing runs.
    Untried,
}

impl LayerHold {
    /// Whether nothing of the layer is there.
    pub const fn is_none(self) -> bool {
        matches!(self, Self::Missing | Self::Untried)
    }
}

/// One way to have a layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mend {
    /// What stands in the way and what removes it, without a full stop.
    pub why: Text,
    /// What to type, in this order; a command may have several lines. None where nothing can be typed.
    pub commands: Vec<String>,
}

/// What came of trying to get out of the sandbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Escapes {
    /// It was not tried: there is no sandbox to get out of.
    NotTried,
    /// It could not be tried, and why.
    Failed(String),
    /// These were tried.
    Tried(Vec<Escape>),
}

impl Escapes {
    fn all_denied(&self) -> bool {
        match self {
            Self::NotTried | Self::Failed(_) => false,
            // Nothing tried is nothing shown.
            Self::Tried(escapes) => {
                !escapes.is_empty() && escapes.iter().all(|escape| escape.denied)
            }
        }
    }
}

/// One attempt to get out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Escape {
    /// What was tried, in a few technical English words.
    pub what: String,
    /// Whether it was denied, as it must be.
    pub denied: bool,
    /// What came of it.
    pub found: String,
}

/// Whether a language can be judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolchainFinding {
    /// The language's word: `cpp`.
    pub language: String,
    /// The name people call it by: `C++`.
    pub name: String,
    /// Its compiler or interpreter, or what is wrong.
    pub found: Result<String, Lacking>,
}

/// A compiler or interpreter that is not here or does not work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lacking {
    /// What is wrong.
    pub problem: Text,
    /// The command that installs it.
    pub install: String,
}

/// Something that may make equal runs take unequal times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimingFinding {
    /// A stable word for programs: `cpu-governor`.
    pub name: String,
    /// The same for people.
    pub label: Text,
    /// How it stands; nothing where this machine does not show it.
    pub value: Option<String>,
    /// Whether it disturbs as it stands.
    pub disturbs: bool,
    /// What it does to times, one sentence without a full stop.
    pub effect: Text,
    /// What changes it, in this order.
    pub commands: Vec<String>,
}

#[cfg(test)]
mod tests;

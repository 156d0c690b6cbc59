//! The diagnosis as JSON, `bitcraft-doctor/1`. Texts are English.

use std::io::{self, Write};

use grader_model::{Lang, Text};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::{
    Diagnosis, Escape, Escapes, LayerFinding, LayerHold, Mend, TimingFinding, ToolchainFinding,
};
use crate::json::{schema_of, write_value};

/// What was found out about a machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(title = "Diagnosis of Bitcraft, version 1")]
pub struct DoctorDocument {
    /// Name and version of this format. New keys may be added within a version; none changes its meaning.
    pub format: DoctorTag,
    /// Whether strict isolation can be had: no required layer is missing, and nothing got out.
    pub holds: bool,
    /// The layers of strict isolation, from the outside in.
    pub layers: Vec<LayerDocument>,
    /// What came of trying to get out.
    pub escapes: EscapesDocument,
    /// The compilers and interpreters.
    pub toolchains: Vec<ToolchainDocument>,
    /// What makes equal runs take unequal times.
    pub timing: Vec<TimingDocument>,
}

/// Name and version of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub enum DoctorTag {
    /// The first version.
    #[serde(rename = "bitcraft-doctor/1")]
    DoctorV1,
}

/// One layer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct LayerDocument {
    /// Its name, as `--allow-missing` knows it.
    pub name: String,
    /// Whether isolation may not be called strict without it.
    pub required: bool,
    /// How far it holds.
    pub hold: LayerHold,
    /// What it is for.
    pub purpose: String,
    /// By what means it is held, or what was tried and why it failed; `null` where it could not be tried.
    pub detail: Option<String>,
    /// Ways to have it on this machine. Each is enough by itself.
    pub mends: Vec<MendDocument>,
}

/// One way to have a layer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct MendDocument {
    /// What stands in the way and what removes it.
    pub why: String,
    /// What to type, in this order.
    pub commands: Vec<String>,
}

/// What came of trying to get out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct EscapesDocument {
    /// Number of attempts; 0 where there was no sandbox to get out of.
    pub tried: usize,
    /// Number of those that were denied.
    pub denied: usize,
    /// Why nothing could be tried, where that is so.
    pub error: Option<String>,
    /// The attempts.
    pub attempts: Vec<EscapeDocument>,
}

/// One attempt to get out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct EscapeDocument {
    /// What was tried.
    pub what: String,
    /// Whether it was denied, as it must be.
    pub denied: bool,
    /// What came of it.
    pub found: String,
}

/// Whether a language can be judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct ToolchainDocument {
    /// The language.
    pub language: String,
    /// Name and version of its compiler or interpreter; `null` where there is none that works.
    pub version: Option<String>,
    /// What is wrong.
    pub problem: Option<String>,
    /// The command that installs it, where it is wrong.
    pub install: Option<String>,
}

/// Something that may make equal runs take unequal times.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct TimingDocument {
    /// What it is.
    pub name: String,
    /// How it stands; `null` where this machine does not show it.
    pub value: Option<String>,
    /// Whether it disturbs as it stands.
    pub disturbs: bool,
    /// What it does to times.
    pub effect: String,
    /// What changes it, in this order.
    pub commands: Vec<String>,
}

/// The document of a diagnosis.
pub fn doctor_document(diagnosis: &Diagnosis) -> DoctorDocument {
    DoctorDocument {
        format: DoctorTag::DoctorV1,
        holds: diagnosis.holds(),
        layers: diagnosis.layers.iter().map(layer).collect(),
        escapes: escapes(&diagnosis.escapes),
        toolchains: diagnosis.toolchains.iter().map(toolchain).collect(),
        timing: diagnosis.timing.iter().map(timing).collect(),
    }
}

/// Writes a diagnosis as one JSON document, indented, with a line feed at the end.
///
/// # Errors
/// When `out` cannot be written.
pub fn doctor_json(diagnosis: &Diagnosis, out: &mut dyn Write) -> io::Result<()> {
    write_value(&doctor_document(diagnosis), out)
}

/// The JSON Schema (2020-12) of [`DoctorDocument`], generated from the types that write it.
///
/// It is committed as `schema/doctor.schema.json`.
pub fn doctor_schema() -> Value {
    schema_of::<DoctorDocument>()
}

fn english(text: &Text) -> String {
    text.get(Lang::En).to_owned()
}

fn layer(layer: &LayerFinding) -> LayerDocument {
    LayerDocument {
        name: layer.name.clone(),
        required: layer.required,
        hold: layer.hold,
        purpose: english(&layer.purpose),
        detail: layer.detail.clone(),
        mends: layer.mends.iter().map(mend).collect(),
    }
}

fn mend(mend: &Mend) -> MendDocument {
    MendDocument {
        why: english(&mend.why),
        commands: mend.commands.clone(),
    }
}

fn escapes(escapes: &Escapes) -> EscapesDocument {
    let (error, attempts) = match escapes {
        Escapes::NotTried => (None, [].as_slice()),
        Escapes::Failed(why) => (Some(why.clone()), [].as_slice()),
        Escapes::Tried(attempts) => (None, attempts.as_slice()),
    };
    let escape = |escape: &Escape| EscapeDocument {
        what: escape.what.clone(),
        denied: escape.denied,
        found: escape.found.clone(),
    };
    EscapesDocument {
        tried: attempts.len(),
        denied: attempts.iter().filter(|escape| escape.denied).count(),
        error,
        attempts: attempts.iter().map(escape).collect(),
    }
}

fn toolchain(toolchain: &ToolchainFinding) -> ToolchainDocument {
    let lacking = toolchain.found.as_ref().err();
    ToolchainDocument {
        language: toolchain.language.clone(),
        version: toolchain.found.as_ref().ok().cloned(),
        problem: lacking.map(|lacking| english(&lacking.problem)),
        install: lacking.map(|lacking| lacking.install.clone()),
    }
}

fn timing(timing: &TimingFinding) -> TimingDocument {
    TimingDocument {
        name: timing.name.clone(),
        value: timing.value.clone(),
        disturbs: timing.disturbs,
        effect: english(&timing.effect),
        commands: timing.commands.clone(),
    }
}

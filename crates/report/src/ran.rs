//! What one command did under limits, as JSON: `bitcraft-run/1`.

use std::io::{self, Write};

use grader_model::{Breach, Bytes, CpuTime, End, Isolation, Limits, Outcome, WallTime};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::json::{schema_of, write_value};

/// What one command did.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(title = "Run of Bitcraft, version 1")]
pub struct RunDocument {
    /// Name and version of this format. New keys may be added within a version; none changes its meaning.
    pub format: RunTag,
    /// What the limits and the end make of it.
    pub verdict: RunVerdict,
    /// Exit status, where it exited.
    pub exit: Option<i32>,
    /// Number of the signal that killed it, where one did.
    pub signal: Option<i32>,
    /// Usual name of that signal, where it has one.
    pub signal_name: Option<String>,
    /// CPU time of the process tree.
    pub cpu_ms: CpuTime,
    /// Wall time from start to end.
    pub wall_ms: WallTime,
    /// Peak memory; `null` where it could not be measured.
    pub memory_kib: Option<u64>,
    /// Bytes of standard output, at most the limit.
    pub stdout_bytes: u64,
    /// Bytes of standard error, at most the limit.
    pub stderr_bytes: u64,
    /// What it was allowed.
    pub limits: LimitsDocument,
    /// Number of the core that it was kept on; `null` where it could run on any.
    pub core: Option<u32>,
    /// How it was isolated.
    pub isolation: Isolation,
}

/// Name and version of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub enum RunTag {
    /// The first version.
    #[serde(rename = "bitcraft-run/1")]
    RunV1,
}

/// A verdict without a checker: whether the command kept to its limits and ended well.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub enum RunVerdict {
    /// It kept to its limits and exited with status 0.
    #[serde(rename = "OK")]
    Ok,
    /// Over the limit of CPU or wall time.
    #[serde(rename = "TLE")]
    TimeLimit,
    /// Over the limit of memory.
    #[serde(rename = "MLE")]
    MemoryLimit,
    /// Over the limit of output.
    #[serde(rename = "OLE")]
    OutputLimit,
    /// Within its limits, but killed by a signal or with another exit status than 0.
    #[serde(rename = "RE")]
    RuntimeError,
}

impl RunVerdict {
    /// The verdict on what a run did.
    pub const fn of(outcome: &Outcome) -> Self {
        match (outcome.breach, outcome.end) {
            (Some(Breach::Cpu | Breach::Wall), _) => Self::TimeLimit,
            (Some(Breach::Memory), _) => Self::MemoryLimit,
            (Some(Breach::Output), _) => Self::OutputLimit,
            (None, End::Exited(0)) => Self::Ok,
            (None, End::Exited(_) | End::Signalled(_)) => Self::RuntimeError,
        }
    }
}

/// Limits.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct LimitsDocument {
    /// CPU time of the process tree.
    pub cpu_ms: CpuTime,
    /// Wall time.
    pub wall_ms: WallTime,
    /// Memory of the process tree.
    pub memory_kib: u64,
    /// Size of each output and of each file.
    pub output_bytes: u64,
    /// Number of processes and threads at one time.
    pub processes: u32,
}

/// The document of a run on this core, or on any.
pub fn run_document(
    outcome: &Outcome,
    limits: &Limits,
    core: Option<u32>,
    isolated: &Isolation,
) -> RunDocument {
    let (exit, signal) = match outcome.end {
        End::Exited(status) => (Some(status), None),
        End::Signalled(signal) => (None, Some(signal)),
    };
    RunDocument {
        format: RunTag::RunV1,
        verdict: RunVerdict::of(outcome),
        exit,
        signal,
        signal_name: signal.and_then(End::signal_name).map(str::to_owned),
        cpu_ms: outcome.cpu,
        wall_ms: outcome.wall,
        memory_kib: outcome.memory.map(Bytes::kib),
        stdout_bytes: outcome.stdout.0,
        stderr_bytes: outcome.stderr.0,
        limits: LimitsDocument {
            cpu_ms: limits.cpu,
            wall_ms: limits.wall,
            memory_kib: limits.memory.kib(),
            output_bytes: limits.output.0,
            processes: limits.processes,
        },
        core,
        isolation: isolated.clone(),
    }
}

/// Writes the document with a line feed at the end: indented, or on one line.
///
/// # Errors
/// When `out` cannot be written.
pub fn run_json(document: &RunDocument, one_line: bool, out: &mut dyn Write) -> io::Result<()> {
    if one_line {
        serde_json::to_writer(&mut *out, document)?;
        return out.write_all(b"\n");
    }
    write_value(document, out)
}

/// The JSON Schema (2020-12) of [`RunDocument`], generated from the types that write it.
///
/// It is committed as `schema/run.schema.json`.
pub fn run_schema() -> Value {
    schema_of::<RunDocument>()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use grader_model::{CpuTime, IsolationLevel, WallTime};
    use serde_json::json;

    use super::*;

    fn outcome(end: End, breach: Option<Breach>) -> Outcome {
        Outcome {
            end,
            breach,
            cpu: CpuTime::from_millis(1),
            wall: WallTime::from_millis(2),
            memory: Some(Bytes(1025)),
            stdout: Bytes(3),
            stderr: Bytes(0),
        }
    }

    fn document(end: End, breach: Option<Breach>) -> RunDocument {
        let limits = Limits {
            cpu: CpuTime::from_millis(1000),
            wall: WallTime::from_millis(3000),
            memory: Bytes(64 << 20),
            output: Bytes(1 << 20),
            processes: 1,
        };
        let isolated = Isolation {
            level: IsolationLevel::Strict,
            layers: vec!["seccomp".to_owned()],
            missing: vec!["proc".to_owned()],
        };
        run_document(&outcome(end, breach), &limits, Some(3), &isolated)
    }

    /// Set `BITCRAFT_BLESS` to write the schema anew after a change of the types.
    #[test]
    fn the_committed_schema_is_the_one_that_the_types_give() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema/run.schema.json");
        let mut generated = Vec::new();
        write_value(&run_schema(), &mut generated).unwrap();
        let generated = String::from_utf8(generated).unwrap();
        if std::env::var_os("BITCRAFT_BLESS").is_some() {
            fs::write(&path, &generated).unwrap();
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), generated);
    }

    #[test]
    fn a_run_is_written_with_every_key_and_keeps_to_the_schema() {
        let value = serde_json::to_value(document(End::Signalled(11), None)).unwrap();
        assert_eq!(
            value,
            json!({
                "format": "bitcraft-run/1",
                "verdict": "RE",
                "exit": null,
                "signal": 11,
                "signal-name": "SIGSEGV",
                "cpu-ms": 1,
                "wall-ms": 2,
                "memory-kib": 2,
                "stdout-bytes": 3,
                "stderr-bytes": 0,
                "limits": {
                    "cpu-ms": 1000,
                    "wall-ms": 3000,
                    "memory-kib": 65536,
                    "output-bytes": 1_048_576,
                    "processes": 1
                },
                "core": 3,
                "isolation": { "level": "strict", "layers": ["seccomp"], "missing": ["proc"] }
            })
        );
        let validator = jsonschema::draft202012::new(&run_schema()).unwrap();
        assert!(validator.is_valid(&value));
        let mut wrong = value;
        wrong["verdict"] = json!("AC");
        assert!(!validator.is_valid(&wrong));
    }

    #[test]
    fn a_limit_comes_before_the_end_and_only_status_0_is_ok() {
        let verdicts = [
            (End::Exited(0), None),
            (End::Exited(1), None),
            (End::Signalled(6), None),
            (End::Exited(0), Some(Breach::Cpu)),
            (End::Signalled(9), Some(Breach::Wall)),
            (End::Exited(0), Some(Breach::Memory)),
            (End::Exited(1), Some(Breach::Output)),
        ]
        .map(|(end, breach)| RunVerdict::of(&outcome(end, breach)));
        assert_eq!(
            verdicts,
            [
                RunVerdict::Ok,
                RunVerdict::RuntimeError,
                RunVerdict::RuntimeError,
                RunVerdict::TimeLimit,
                RunVerdict::TimeLimit,
                RunVerdict::MemoryLimit,
                RunVerdict::OutputLimit,
            ]
        );
    }

    #[test]
    fn one_line_is_one_line() {
        let mut out = Vec::new();
        run_json(&document(End::Exited(0), None), true, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!((text.lines().count(), text.ends_with("}\n")), (1, true));
    }
}

//! `grader doctor`: tries each layer of strict isolation and each toolchain, and prints how to fix what is missing.

use std::io::Write as _;

use clap::{Args, ValueEnum};
use grader_language::language;
use grader_model::{Lang, LanguageId};
use grader_sandbox::{SandboxError, StrictRunner};
use serde_json::{Value, json};

use crate::exit::Exit;
use crate::host::Machine;
use crate::isolation;
use crate::terminal::Terminal;

#[derive(Debug, Args)]
#[command(after_help = "\
Exit status: 0 if strict isolation is available, 3 if not.

Example:
  grader doctor")]
pub(crate) struct DoctorArgs {
    /// What the report looks like.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: DoctorFormat,
}

/// Formats of the report of `doctor`.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum DoctorFormat {
    /// A page for people.
    #[default]
    Text,
    /// One document for programs.
    Json,
}

pub(crate) fn run(args: &DoctorArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let machine = Machine::read();
    let (is_strict, findings) = match StrictRunner::start(&isolation::launcher()?, &[]) {
        Ok(runner) => (true, runner.findings().to_vec()),
        Err(SandboxError::Missing(findings)) => (false, findings),
        Err(error) => return Err(error.into()),
    };
    let mut page = vec!["Layers of strict isolation".to_owned()];
    let mut layers = Vec::new();
    for finding in findings {
        let (layer, hold) = (finding.layer, finding.hold.name());
        let mut fixes = Vec::new();
        if finding.was_tried_in_vain() {
            fixes = machine.fixes(layer);
        }
        let (name, purpose) = (layer.name(), layer.purpose());
        page.push(format!("  {name:<18} {hold:<8} {purpose}"));
        let below = finding.detail.iter().cloned();
        let below = below.chain(isolation::fix_lines(&fixes));
        page.extend(below.map(|line| format!("{:30}{line}", "")));
        let fixes = fixes
            .iter()
            .map(|fix| json!({ "cause": fix.cause, "command": fix.command }));
        layers.push(json!({
            "name": name,
            "purpose": purpose,
            "required": layer.is_required(),
            "hold": hold,
            "detail": finding.detail,
            "fixes": fixes.collect::<Vec<_>>(),
        }));
    }
    page.extend([String::new(), "Compilers and interpreters".to_owned()]);
    let mut toolchains = Vec::new();
    for id in LanguageId::ALL {
        let (line, document) = toolchain(id);
        page.push(line);
        toolchains.push(document);
    }
    let available = if is_strict {
        "available"
    } else {
        "not available"
    };
    page.push(format!("\nStrict isolation is {available} here.\n"));
    match args.format {
        DoctorFormat::Text => write!(terminal.stdout(), "{}", page.join("\n"))?,
        DoctorFormat::Json => {
            // Scripts and CI read these keys.
            let document = json!({
                "format": "bitcraft-doctor/2",
                "holds": is_strict,
                "layers": layers,
                "toolchains": toolchains,
            });
            let document = serde_json::to_string_pretty(&document)?;
            writeln!(terminal.pipe(), "{document}")?;
        }
    }
    Ok(if is_strict { Exit::Done } else { Exit::Fault })
}

/// The line and the JSON of a toolchain: its version, or what is wrong and the command that installs it.
fn toolchain(id: LanguageId) -> (String, Value) {
    let language = language(id);
    let name = &language.name;
    let (line, version, problem, install) = match language.find() {
        Ok(found) => (found.version.clone(), Some(found.version), None, None),
        Err(error) => {
            let problem = error.text().get(Lang::En).to_owned();
            let line = format!("{problem}\n{:30}fix: {}", "", error.install);
            (line, None, Some(problem), Some(error.install))
        }
    };
    let document = json!({
        "language": id.to_string(),
        "version": version,
        "problem": problem,
        "install": install,
    });
    (format!("  {name:<18} {line}"), document)
}

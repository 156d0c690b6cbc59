//! `grader doctor`: tries each layer of strict isolation and each toolchain, and prints how to fix what is missing.

use std::fmt::Write as _;
use std::io::Write as _;

use clap::Args;
use grader_language::Languages;
use grader_sandbox::{SandboxError, StrictRunner};
use serde_json::json;

use super::OutputFormat;
use crate::exit::Exit;
use crate::host::{self, Machine};
use crate::isolation;
use crate::terminal::Terminal;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Exit status: 0 if strict isolation is available, 3 if not.

Example:
  grader doctor")]
pub(crate) struct DoctorArgs {
    /// Output format.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: OutputFormat,
}

pub(crate) fn run(args: &DoctorArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let machine = Machine::read();
    let (is_strict, findings) = match StrictRunner::start(&isolation::launcher()?, &[]) {
        Ok(runner) => (true, runner.findings().to_vec()),
        Err(SandboxError::Missing(findings)) => (false, findings),
        Err(error) => return Err(error.into()),
    };
    let mut page = "Layers of strict isolation\n".to_owned();
    let (mut layers, mut toolchains) = (Vec::new(), Vec::new());
    for finding in findings {
        let fixes = machine.fixes(&finding);
        for line in host::lines(&finding, &fixes) {
            writeln!(page, "{line}")?;
        }
        let fixes = fixes.iter();
        let fixes = fixes.map(|(cause, command)| json!({ "cause": cause, "command": command }));
        layers.push(json!({
            "name": finding.layer,
            "purpose": finding.layer.purpose(),
            "required": finding.layer.is_required(),
            "state": finding.state,
            "detail": finding.detail,
            "fixes": fixes.collect::<Vec<_>>(),
        }));
    }
    page.push_str("\nCompilers and interpreters\n");
    for language in Languages::built_in().iter() {
        let found = language.find();
        let (line, install) = match &found {
            Ok(found) => (found.version.clone(), None),
            Err(error) => (error.problem().en, Some(&error.install)),
        };
        writeln!(page, "  {:<18} {line}", language.definition.name)?;
        if let Some(install) = install.filter(|it| !it.is_empty()) {
            writeln!(page, "{:30}fix: {install}", "")?;
        }
        toolchains.push(json!({
            "language": language.id,
            "version": found.is_ok().then_some(&line),
            "problem": found.is_err().then_some(&line),
            "install": install,
        }));
    }
    let warning = host::few_processes();
    if let Some(warning) = &warning {
        writeln!(page, "\nwarning: {warning}")?;
    }
    let not = if is_strict { "" } else { "not " };
    writeln!(page, "\nStrict isolation is {not}available here.")?;
    match args.format {
        OutputFormat::Text => terminal.stdout().write_all(page.as_bytes())?,
        OutputFormat::Json => {
            // Scripts and CI read these keys.
            let document = json!({
                "format": "bitcraft-doctor/3",
                "strict": is_strict,
                "layers": layers,
                "toolchains": toolchains,
                "warning": warning,
            });
            writeln!(Terminal::pipe(), "{document:#}")?;
        }
    }
    Ok(if is_strict { Exit::Done } else { Exit::Fault })
}

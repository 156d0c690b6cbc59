//! `grader doctor`: tries each layer of strict isolation and each toolchain, and prints how to fix what is missing.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use grader_language::{Language, Languages, NotInstalled, Toolchain, find_tool};
use grader_model::LanguageId;
use grader_sandbox::{SandboxError, StrictRunner};
use serde_json::{Value, json};

use super::OutputFormat;
use crate::exit::Exit;
use crate::host::{self, Machine};
use crate::isolation;
use crate::terminal::{Terminal, shown};

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
        let mut tool = add_tool(&mut page, &language.definition.name, &language.find())?;
        tool["language"] = json!(language.id);
        toolchains.push(tool);
    }
    page.push_str("\nBuild tools, for problems with a `command` in `[build]`\n");
    let mut tools = Vec::new();
    for name in ["make", "cmake"] {
        let mut tool = add_tool(&mut page, name, &find_tool(name))?;
        tool["name"] = json!(name);
        tools.push(tool);
    }
    page.push_str("\nUnit test frameworks\n");
    let mut frameworks = Vec::new();
    for framework in frameworks_here() {
        page.push_str(&framework.line());
        frameworks.push(framework.json());
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
                "tools": tools,
                "frameworks": frameworks,
                "warning": warning,
            });
            writeln!(Terminal::pipe(), "{document:#}")?;
        }
    }
    Ok(if is_strict { Exit::Done } else { Exit::Fault })
}

/// Adds a tool to the page, with how to install it if it is missing, and returns the same as JSON.
fn add_tool(
    page: &mut String,
    name: &str,
    found: &Result<Toolchain, NotInstalled>,
) -> anyhow::Result<Value> {
    let (line, install) = match found {
        Ok(found) => (found.version.clone(), None),
        Err(error) => (error.problem().en, Some(&error.install)),
    };
    writeln!(page, "  {name:<18} {line}")?;
    if let Some(install) = install.filter(|it| !it.is_empty()) {
        writeln!(page, "{:30}fix: {install}", "")?;
    }
    Ok(json!({
        "version": found.is_ok().then_some(&line),
        "problem": found.is_err().then_some(&line),
        "install": install,
    }))
}

/// A library that a template of `grader init` needs.
struct Framework {
    name: &'static str,
    is_here: bool,
    install: String,
}

impl Framework {
    /// Whether it is here, and how to install it if not.
    fn line(&self) -> String {
        let Self { name, install, .. } = self;
        if self.is_here {
            format!("  {name:<18} installed\n")
        } else {
            format!("  {name:<18} not installed\n{:30}fix: {install}\n", "")
        }
    }

    fn json(&self) -> Value {
        json!({ "name": self.name, "installed": self.is_here, "install": self.install })
    }
}

/// Where Debian's JUnit is, as in the template.
const JUNIT: &str = "/usr/share/java/junit-platform-console-standalone.jar";

fn frameworks_here() -> [Framework; 2] {
    let languages = Languages::built_in();
    let python = languages.get(LanguageId::Python);
    let python = python.and_then(|it| Some((it, it.find().ok()?.programs.first()?.clone())));
    let modules = BTreeSet::from(["pytest"]);
    let has_pytest = |it: &(&Arc<Language>, PathBuf)| it.0.missing_modules(&modules).is_empty();
    let pytest = match &python {
        Some((_, program)) if !program.starts_with("/usr/bin") => {
            format!("{} -m pip install pytest", shown(program))
        }
        _ => "apt-get install python3-pytest".to_owned(),
    };
    [
        Framework {
            name: "pytest",
            is_here: python.as_ref().is_some_and(has_pytest),
            install: pytest,
        },
        Framework {
            name: "JUnit",
            is_here: Path::new(JUNIT).exists(),
            install: "apt-get install junit5".to_owned(),
        },
    ]
}

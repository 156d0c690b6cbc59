//! `grader doctor`: tries each layer of strict isolation and each toolchain, and prints how to fix what is missing.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use grader_language::{Language, Languages, NotInstalled, Toolchain, find_tool};
use grader_model::LanguageId;
use grader_report::{
    DoctorDocument, Fix, TriedFramework, TriedLanguage, TriedLayer, TriedProgram, TriedTool,
};
use grader_sandbox::{LayerFinding, SandboxError, StrictRunner};
use grader_session::{Exit, shown};

use crate::documents::JsonArgs;
use crate::host::{self, Machine};
use crate::isolation;
use crate::terminal::Terminal;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Exit status: 0 if strict isolation is available, 3 if not.

Example:
  grader doctor")]
pub(crate) struct DoctorArgs {
    #[command(flatten)]
    json: JsonArgs,
}

pub(crate) fn run(args: &DoctorArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let terminal = &args.json.prepare(DoctorDocument::FORMAT, terminal)?;
    let (is_strict, findings) = match StrictRunner::start(&isolation::launcher()?, &[]) {
        Ok(runner) => (true, runner.findings().to_vec()),
        Err(SandboxError::Missing(findings)) => (false, findings),
        Err(error) => return Err(error.into()),
    };
    let mut page = "Layers of strict isolation\n".to_owned();
    let layers = add_layers(&mut page, findings)?;
    page.push_str("\nCompilers and interpreters\n");
    let mut toolchains = Vec::new();
    for language in Languages::built_in().iter() {
        toolchains.push(TriedLanguage {
            language: language.id,
            found: add_tool(&mut page, &language.definition.name, &language.find())?,
        });
    }
    page.push_str("\nBuild tools, for problems with a `command` in `[build]`\n");
    let mut tools = Vec::new();
    for name in ["make", "cmake"] {
        let found = add_tool(&mut page, name, &find_tool(name))?;
        tools.push(TriedTool { name, found });
    }
    page.push_str("\nFor Python in imported packages, whose time limits are made for it\n");
    let found = add_tool(&mut page, "pypy3", &find_tool("pypy3"))?;
    tools.push(TriedTool {
        name: "pypy3",
        found,
    });
    page.push_str("\nUnit test frameworks\n");
    let frameworks = frameworks_here();
    page.extend(frameworks.iter().map(framework_line));
    let warning = host::few_processes();
    if let Some(warning) = &warning {
        writeln!(page, "\nwarning: {warning}")?;
    }
    let not = if is_strict { "" } else { "not " };
    writeln!(page, "\nStrict isolation is {not}available here.")?;
    terminal.stdout().write_all(page.as_bytes())?;
    let document = DoctorDocument {
        format: DoctorDocument::FORMAT,
        strict: is_strict,
        layers,
        toolchains,
        tools,
        frameworks: frameworks.into(),
        warning,
    };
    args.json.write(&document, terminal)?;
    Ok(if is_strict { Exit::Done } else { Exit::Fault })
}

/// Adds the layers to the page, with how to get those that are missing, and returns the same for programs.
fn add_layers(page: &mut String, findings: Vec<LayerFinding>) -> anyhow::Result<Vec<TriedLayer>> {
    let machine = Machine::read();
    let mut layers = Vec::new();
    for finding in findings {
        let fixes = machine.fixes(&finding);
        for line in host::lines(&finding, &fixes) {
            writeln!(page, "{line}")?;
        }
        let fixes = fixes.into_iter();
        let fixes = fixes.map(|(cause, command)| Fix { cause, command });
        layers.push(TriedLayer {
            name: finding.layer.name(),
            purpose: finding.layer.purpose(),
            required: finding.layer.is_required(),
            state: finding.state.to_string(),
            detail: finding.detail,
            fixes: fixes.collect(),
        });
    }
    Ok(layers)
}

/// Adds a tool to the page, with how to install it if it is missing, and returns the same for programs.
fn add_tool(
    page: &mut String,
    name: &str,
    found: &Result<Toolchain, NotInstalled>,
) -> anyhow::Result<TriedProgram> {
    let (line, install) = match found {
        Ok(found) => (found.version.clone(), None),
        Err(error) => (error.problem().en, Some(&error.install)),
    };
    writeln!(page, "  {name:<18} {line}")?;
    if let Some(install) = install.filter(|it| !it.is_empty()) {
        writeln!(page, "{:30}fix: {install}", "")?;
    }
    let is_here = found.is_ok();
    Ok(TriedProgram {
        version: is_here.then(|| line.clone()),
        problem: (!is_here).then_some(line),
        install: install.cloned(),
    })
}

/// Whether it is here, and how to install it if not.
fn framework_line(framework: &TriedFramework) -> String {
    let TriedFramework { name, install, .. } = framework;
    if framework.installed {
        format!("  {name:<18} installed\n")
    } else {
        format!("  {name:<18} not installed\n{:30}fix: {install}\n", "")
    }
}

/// Where Debian's JUnit is, as in the template.
const JUNIT: &str = "/usr/share/java/junit-platform-console-standalone.jar";

/// The libraries that templates of `grader init` need.
fn frameworks_here() -> [TriedFramework; 2] {
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
        TriedFramework {
            name: "pytest",
            installed: python.as_ref().is_some_and(has_pytest),
            install: pytest,
        },
        TriedFramework {
            name: "JUnit",
            installed: Path::new(JUNIT).exists(),
            install: "apt-get install junit5".to_owned(),
        },
    ]
}

//! `grader doctor`: tries each layer of strict isolation and each toolchain, and says how to fix what is missing.

use std::io::Write as _;

use grader_language::language;
use grader_model::{Lang, LanguageId};
use grader_sandbox::{Finding, SandboxError, StrictRunner};
use serde_json::{Value, json};

use crate::cli::{DoctorArgs, DoctorFormat};
use crate::exit::Exit;
use crate::host::{Fix, Machine};
use crate::isolation;
use crate::terminal::Terminal;

/// What was found.
struct Diagnosis {
    /// Whether no required layer is missing.
    holds: bool,
    layers: Vec<(Finding, Vec<Fix>)>,
    toolchains: Vec<Toolchain>,
}

struct Toolchain {
    id: LanguageId,
    /// Its version; or the problem, and the command that installs it.
    found: Result<String, (String, String)>,
}

pub(crate) fn run(args: &DoctorArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let diagnosis = diagnose()?;
    match args.format {
        DoctorFormat::Text => terminal.stdout().write_all(page(&diagnosis).as_bytes())?,
        DoctorFormat::Json => {
            writeln!(
                terminal.pipe(),
                "{}",
                serde_json::to_string_pretty(&document(&diagnosis))?
            )?;
        }
    }
    Ok(if diagnosis.holds {
        Exit::Done
    } else {
        Exit::Fault
    })
}

fn diagnose() -> anyhow::Result<Diagnosis> {
    let machine = Machine::read();
    let (holds, findings) = match StrictRunner::start(&isolation::launcher()?, &[]) {
        Ok(runner) => (true, runner.findings().to_vec()),
        Err(SandboxError::Missing(findings)) => (false, findings),
        Err(error) => return Err(error.into()),
    };
    let with_fixes = |finding: Finding| {
        let fixes = if finding.was_tried_in_vain() {
            machine.fixes(finding.layer)
        } else {
            Vec::new()
        };
        (finding, fixes)
    };
    Ok(Diagnosis {
        holds,
        layers: findings.into_iter().map(with_fixes).collect(),
        toolchains: LanguageId::ALL.into_iter().map(toolchain).collect(),
    })
}

fn toolchain(id: LanguageId) -> Toolchain {
    let found = language(id).find();
    Toolchain {
        id,
        found: found
            .map(|it| it.version)
            .map_err(|it| (it.text().get(Lang::En).to_owned(), it.install)),
    }
}

/// Its keys are read by scripts and CI.
fn document(diagnosis: &Diagnosis) -> Value {
    let layers = diagnosis.layers.iter().map(|(finding, fixes)| {
        let fixes = fixes
            .iter()
            .map(|fix| json!({ "cause": fix.cause, "command": fix.command }));
        json!({
            "name": finding.layer.name(),
            "purpose": finding.layer.purpose(),
            "required": finding.layer.is_required(),
            "hold": finding.hold.name(),
            "detail": finding.detail,
            "fixes": fixes.collect::<Vec<_>>(),
        })
    });
    let toolchains = diagnosis.toolchains.iter().map(|it| {
        let problem = it.found.as_ref().err();
        json!({
            "language": it.id.to_string(),
            "version": it.found.as_ref().ok(),
            "problem": problem.map(|(problem, _)| problem),
            "install": problem.map(|(_, install)| install),
        })
    });
    json!({
        "format": "bitcraft-doctor/2",
        "holds": diagnosis.holds,
        "layers": layers.collect::<Vec<_>>(),
        "toolchains": toolchains.collect::<Vec<_>>(),
    })
}

fn page(diagnosis: &Diagnosis) -> String {
    let mut lines = vec!["Layers of strict isolation".to_owned()];
    for (finding, fixes) in &diagnosis.layers {
        let (name, hold) = (finding.layer.name(), finding.hold.name());
        lines.push(format!(
            "  {name:<18} {hold:<8} {}",
            finding.layer.purpose()
        ));
        let fixes = isolation::fix_lines(fixes);
        let below = finding.detail.iter().cloned().chain(fixes);
        lines.extend(below.map(|line| format!("{:30}{line}", "")));
    }
    lines.extend([String::new(), "Compilers and interpreters".to_owned()]);
    for toolchain in &diagnosis.toolchains {
        let name = &language(toolchain.id).name;
        lines.push(match &toolchain.found {
            Ok(version) => format!("  {name:<18} {version}"),
            Err((problem, install)) => format!("  {name:<18} {problem}\n{:30}fix: {install}", ""),
        });
    }
    lines.push(String::new());
    lines.push(if diagnosis.holds {
        "Strict isolation is available here.".to_owned()
    } else {
        "Strict isolation is not available here.".to_owned()
    });
    lines.join("\n") + "\n"
}

//! `grader doctor`.

use std::io::Write as _;

use grader_language::language;
use grader_model::LanguageId;
use grader_report::doctor::{
    Diagnosis, Escape, Escapes, Lacking, ToolchainFinding, doctor, doctor_json,
};
use grader_sandbox::{
    Attempt, BasicRunner, Core, Cores, LauncherCommand, Runner, StrictError, StrictRunner,
    attempts, whereabouts,
};

use crate::cli::{DoctorArgs, DoctorFormat};
use crate::exit::{self, Exit};
use crate::host::{CoreFacts, Facts, Files, TimingFacts, finding, timing};
use crate::isolation;
use crate::terminal::Terminal;

pub(crate) fn run(args: &DoctorArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let diagnosis = diagnose()?;
    match args.format {
        DoctorFormat::Text => {
            let page = doctor(&diagnosis, &terminal.style());
            terminal.stdout().write_all(page.as_bytes())?;
        }
        DoctorFormat::Json => doctor_json(&diagnosis, &mut terminal.pipe())?,
    }
    Ok(if diagnosis.holds() {
        Exit::Done
    } else {
        Exit::Fault
    })
}

fn diagnose() -> anyhow::Result<Diagnosis> {
    let files = Files::here();
    // Before anything here adds to the load.
    let cores = Cores::here();
    let mut times = TimingFacts::read(&files, Some(CoreFacts::of(&cores)));
    let facts = Facts::read(&files);
    let launcher = isolation::launcher()?;
    let (findings, escapes) = match StrictRunner::start(&launcher, &[]) {
        Ok(runner) => {
            let escapes = match attempts(&runner) {
                Ok(attempts) => Escapes::Tried(attempts.into_iter().map(escape).collect()),
                Err(error) => Escapes::Failed(exit::chain(&error).en),
            };
            times.kept(kept(&runner, &launcher, &cores));
            (runner.findings().to_vec(), escapes)
        }
        Err(StrictError::Missing(findings)) => {
            let runner = BasicRunner::new(launcher.clone());
            times.kept(kept(&runner, &launcher, &cores));
            (findings, Escapes::NotTried)
        }
        Err(StrictError::Sandbox(error)) => return Err(error.into()),
    };
    Ok(Diagnosis {
        layers: findings.iter().map(|it| finding(it, &facts)).collect(),
        escapes,
        toolchains: LanguageId::ALL.map(toolchain).into(),
        timing: timing(&times),
    })
}

/// Runs a program on each core, and tells whether all stayed there, else why not in technical English; nothing where
/// programs cannot be put on cores.
fn kept(
    runner: &dyn Runner,
    launcher: &LauncherCommand,
    cores: &Cores,
) -> Option<Result<(), String>> {
    let one = |&core| match whereabouts(runner, launcher, core) {
        Ok(found) if found == [core] => Ok(()),
        Ok(found) => {
            let found: Vec<String> = found.iter().map(Core::to_string).collect();
            Err(format!(
                "put on {core}, a program ran on {}",
                found.join(", ")
            ))
        }
        Err(error) => Err(exit::chain(&error).en),
    };
    let all = cores.order();
    (!all.is_empty()).then(|| all.iter().try_for_each(one))
}

fn escape(attempt: Attempt) -> Escape {
    Escape {
        what: attempt.what,
        denied: attempt.denied,
        found: attempt.found,
    }
}

fn toolchain(id: LanguageId) -> ToolchainFinding {
    let found = language(id).find();
    ToolchainFinding {
        language: id.to_string(),
        name: language(id).name().to_owned(),
        found: found
            .map(|toolchain| toolchain.version)
            .map_err(|lacking| Lacking {
                problem: lacking.text(),
                install: lacking.install,
            }),
    }
}

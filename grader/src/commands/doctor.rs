//! `grader doctor`.

use std::io::Write as _;
use std::thread;

use grader_language::language;
use grader_model::LanguageId;
use grader_report::doctor::{
    Diagnosis, Escape, Escapes, Lacking, ToolchainFinding, doctor, doctor_json,
};
use grader_sandbox::{Attempt, StrictError, StrictRunner, attempts};

use crate::cli::{DoctorArgs, DoctorFormat};
use crate::exit::{self, Exit};
use crate::host::{Facts, Files, TimingFacts, finding, timing};
use crate::isolation;
use crate::terminal::Terminal;

pub(crate) fn run(args: &DoctorArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let diagnosis = diagnose()?;
    let mut out = terminal.stdout();
    match args.format {
        DoctorFormat::Text => {
            out.write_all(doctor(&diagnosis, &terminal.style()).as_bytes())?;
        }
        DoctorFormat::Json => doctor_json(&diagnosis, &mut out)?,
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
    let cores = thread::available_parallelism().ok().map(usize::from);
    let timing = timing(&TimingFacts::read(&files, cores));
    let facts = Facts::read(&files);
    let (findings, escapes) = match StrictRunner::start(&isolation::launcher()?, &[]) {
        Ok(runner) => {
            let escapes = match attempts(&runner) {
                Ok(attempts) => Escapes::Tried(attempts.into_iter().map(escape).collect()),
                Err(error) => Escapes::Failed(exit::chain(&error).en),
            };
            (runner.findings().to_vec(), escapes)
        }
        Err(StrictError::Missing(findings)) => (findings, Escapes::NotTried),
        Err(StrictError::Sandbox(error)) => return Err(error.into()),
    };
    Ok(Diagnosis {
        layers: findings.iter().map(|it| finding(it, &facts)).collect(),
        escapes,
        toolchains: LanguageId::ALL.map(toolchain).into(),
        timing,
    })
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
        name: id.name().to_owned(),
        found: found
            .map(|toolchain| toolchain.version)
            .map_err(|lacking| Lacking {
                problem: lacking.text(),
                install: lacking.install,
            }),
    }
}

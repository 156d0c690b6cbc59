//! A compiler that logs what it is asked for.

use std::fs;
use std::path::{Path, PathBuf};

use grader_language::{Language, ProgramSources, SourceText};
use grader_model::Isolation;
use grader_sandbox::{MountPoint, Request, Runner, SandboxError, StartGate};

use super::*;
use crate::build::build;

/// What it does, for the log, and its messages.
type Compile = fn(&Request) -> (String, &'static str);

struct Compiler {
    compile: Compile,
    log: Mutex<Vec<String>>,
}

impl Runner for Compiler {
    fn run(&self, _: &dyn StartGate, request: &Request) -> Result<Outcome, SandboxError> {
        let (what, messages) = (self.compile)(request);
        self.log.lock().unwrap().push(what);
        fs::write(&request.stdout, "").unwrap();
        fs::write(&request.stderr, messages).unwrap();
        Ok(ended_well(CpuTime::from_millis(800)))
    }

    fn inside(&self, _: MountPoint, host: &Path) -> PathBuf {
        host.to_owned()
    }

    fn isolation(&self) -> Isolation {
        Machine::default().isolation()
    }
}

/// Builds programs, one after the other, and returns the log and the messages.
pub(super) fn built(
    language: &Arc<Language>,
    compile: Compile,
    programs: &[&[(&str, &str)]],
) -> (Vec<String>, String) {
    let compiler = Arc::new(Compiler {
        compile,
        log: Mutex::default(),
    });
    let mut settings = Setup::new(&Arc::default(), None).settings();
    settings.runner = compiler.clone();
    let judge = Judge::with_scratch(settings, crate::Scratch::new().unwrap());
    let mut messages = Vec::new();
    for files in programs {
        let files = files.iter();
        let files: Vec<_> = files
            .map(|(name, text)| SourceFile::new(*name, text.as_bytes()))
            .collect();
        let sources = SourceText::all(&files);
        let sources = ProgramSources::own(&sources);
        let limit = CpuTime::from_millis(10_000);
        let built = build(judge.lab(), language, &sources, limit).unwrap();
        messages.extend(built.unwrap().report.messages.map(|it| it.text));
    }
    let log = std::mem::take(&mut *compiler.log.lock().unwrap());
    (log, messages.concat())
}

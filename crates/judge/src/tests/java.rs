//! The start of the Java compiler.

use std::fs;
use std::path::{Path, PathBuf};

use grader_language::{ProgramSources, SourceText};
use grader_model::Isolation;
use grader_sandbox::{MountPoint, Request, Runner, SandboxError, StartGate};

use super::*;
use crate::build::build;

/// A Java compiler that logs which arguments of its virtual machine are about archives.
#[derive(Default)]
struct Compiler(Mutex<Vec<String>>);

impl Runner for Compiler {
    fn run(&self, _: &dyn StartGate, request: &Request) -> Result<Outcome, SandboxError> {
        let first = request.arguments[0].to_str().unwrap();
        let about = first.strip_prefix("-J-XX:").unwrap_or_default();
        let mut log = self.0.lock().unwrap();
        if about.starts_with("ArchiveClassesAtExit=") {
            fs::write(request.directory.host.join("javac.jsa"), "archive").unwrap();
            log.push(about.to_owned());
        } else if let Some(archive) = about.strip_prefix("SharedArchiveFile=") {
            assert!(
                request
                    .readable
                    .iter()
                    .any(|it| it.inside == Path::new(archive))
            );
            log.push(format!("reads {}", fs::read_to_string(archive).unwrap()));
        } else {
            log.push(String::new());
        }
        fs::write(&request.stdout, "").unwrap();
        fs::write(&request.stderr, "").unwrap();
        Ok(ended_well(CpuTime::from_millis(800)))
    }

    fn inside(&self, _: MountPoint, host: &Path) -> PathBuf {
        host.to_owned()
    }

    fn isolation(&self) -> Isolation {
        Machine::default().isolation()
    }
}

#[test]
fn the_fourth_compilation_in_java_writes_an_archive_that_all_later_ones_read() {
    let java = Languages::built_in().get(LanguageId::Java).unwrap().clone();
    if java.find().is_err() {
        return eprintln!("skipped: there is no Java compiler");
    }
    let compiler = Arc::new(Compiler::default());
    let mut settings = Setup::new(&Arc::default(), None).settings();
    settings.runner = compiler.clone();
    let judge = Judge::with_scratch(settings, crate::Scratch::new().unwrap());
    for _ in 0..5 {
        let source = [SourceFile::new("Main.java", &b"class Main {}"[..])];
        let source = SourceText::all(&source);
        let built = build(
            judge.lab(),
            &java,
            &ProgramSources::own(&source),
            CpuTime::from_millis(10_000),
        );
        assert!(built.unwrap().is_ok());
    }
    assert_eq!(
        *compiler.0.lock().unwrap(),
        [
            "",
            "",
            "",
            "ArchiveClassesAtExit=javac.jsa",
            "reads archive",
            "reads archive",
        ]
    );
}

//! The start of the Java compiler.

use std::fs;
use std::path::Path;

use grader_sandbox::Request;

use super::compiler::built;
use super::*;

/// Logs which arguments of the virtual machine are about archives.
fn compile(request: &Request) -> (String, &'static str) {
    let first = request.arguments[0].to_str().unwrap();
    let about = first.strip_prefix("-J-XX:").unwrap_or_default();
    let what = if about.starts_with("ArchiveClassesAtExit=") {
        fs::write(request.directory.host.join("javac.jsa"), "archive").unwrap();
        about.to_owned()
    } else if let Some(archive) = about.strip_prefix("SharedArchiveFile=") {
        let mut readable = request.readable.iter();
        assert!(readable.any(|it| it.inside == Path::new(archive)));
        format!("reads {}", fs::read_to_string(archive).unwrap())
    } else {
        String::new()
    };
    (what, "")
}

#[test]
fn the_fourth_compilation_in_java_writes_an_archive_that_all_later_ones_read() {
    let java = Languages::built_in().get(LanguageId::Java).unwrap().clone();
    if java.find().is_err() {
        return eprintln!("skipped: there is no Java compiler");
    }
    let program: &[(&str, &str)] = &[("Main.java", "class Main {}")];
    let (log, _) = built(&java, compile, &[program; 5]);
    assert_eq!(
        log,
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

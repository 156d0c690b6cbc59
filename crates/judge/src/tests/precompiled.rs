//! The precompiled `<bits/stdc++.h>`.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use grader_language::{ProgramSources, SourceText};
use grader_model::Isolation;
use grader_sandbox::{MountPoint, Request, Runner, SandboxError, StartGate};

use super::*;
use crate::build::build;

/// A C++ compiler that logs what it includes. In a wrong source, it blames ours.
#[derive(Default)]
struct Compiler(Mutex<Vec<String>>);

impl Runner for Compiler {
    fn run(&self, _: &dyn StartGate, request: &Request) -> Result<Outcome, SandboxError> {
        let arguments: Vec<_> = request.arguments.iter().map(|it| it.to_str()).collect();
        let words: Vec<&str> = arguments.into_iter().flatten().collect();
        let after = |wanted: &str| {
            let at = words.iter().position(|word| *word == wanted)?;
            Some(words[at + 1])
        };
        let written = request.directory.host.join(after("-o").unwrap());
        let is_wrong = words.iter().any(|word| {
            let source = fs::read_to_string(request.directory.host.join(word));
            source.is_ok_and(|text| text.ends_with("wrong"))
        });
        let (what, message) = if words.contains(&"c++-header") {
            ("makes the header".to_owned(), "")
        } else if let Some(folder) = after("-I") {
            let readable = &request.readable;
            assert!(readable.iter().any(|it| it.inside == Path::new(folder)));
            let header = fs::read_to_string(Path::new(folder).join("bits/stdc++.h.gch")).unwrap();
            let blamed = "from precompiled-header.cpp:1:\n";
            (
                format!("reads {header}"),
                if is_wrong { blamed } else { "" },
            )
        } else {
            (
                "alone".to_owned(),
                if is_wrong { "from g.cpp:1:\n" } else { "" },
            )
        };
        self.0.lock().unwrap().push(what);
        fs::write(&written, "a program").unwrap();
        fs::set_permissions(&written, Permissions::from_mode(0o755)).unwrap();
        fs::write(&request.stdout, "").unwrap();
        fs::write(&request.stderr, message).unwrap();
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
fn the_fourth_program_with_all_headers_precompiles_them_and_messages_are_as_without() {
    let cpp = Languages::built_in().get(LanguageId::Cpp).unwrap().clone();
    let is_gcc = cpp.find().is_ok_and(|it| it.version.contains("g++"));
    if !is_gcc {
        return eprintln!("skipped: there is no g++");
    }
    let compiler = Arc::new(Compiler::default());
    let mut settings = Setup::new(&Arc::default(), None).settings();
    settings.runner = compiler.clone();
    let judge = Judge::with_scratch(settings, crate::Scratch::new().unwrap());
    let mut messages = Vec::new();
    for (name, text) in [
        ("a.cpp", "#include <bits/stdc++.h>"),
        ("b.cpp", "#include <iostream>"),
        ("c.cpp", "#include <bits/stdc++.h>"),
        ("d.cpp", "#include <bits/stdc++.h>"),
        ("e.cpp", "#include <bits/stdc++.h>"),
        ("f.cpp", "#include <iostream>"),
        ("g.cpp", "#include <bits/stdc++.h> // wrong"),
    ] {
        let source = [SourceFile::new(name, text.as_bytes())];
        let source = SourceText::all(&source);
        let sources = ProgramSources::own(&source);
        let limit = CpuTime::from_millis(10_000);
        let built = build(judge.lab(), &cpp, &sources, limit).unwrap();
        messages.extend(built.unwrap().report.messages.map(|it| it.text));
    }
    assert_eq!(
        *compiler.0.lock().unwrap(),
        [
            "alone",
            "alone",
            "alone",
            "alone",
            "makes the header",
            "reads a program",
            "alone",
            "reads a program",
            "alone",
        ]
    );
    assert_eq!(messages.concat(), "from g.cpp:1:");
}

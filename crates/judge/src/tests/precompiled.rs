//! The precompiled `<bits/stdc++.h>`.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use grader_language::Language;
use grader_sandbox::Request;

use super::compiler::built;
use super::*;

const ALL: &str = "#include <bits/stdc++.h>";
const OTHER: &str = "#include <iostream>";

/// Logs what is included. In a wrong source, it blames ours.
fn compile(request: &Request) -> (String, &'static str) {
    let arguments: Vec<_> = request.arguments.iter().map(|it| it.to_str()).collect();
    let words: Vec<&str> = arguments.into_iter().flatten().collect();
    let place = |wanted: &str| words.iter().position(|word| *word == wanted);
    let written = request.directory.host.join(words[place("-o").unwrap() + 1]);
    let is_wrong = words.iter().any(|word| {
        let source = fs::read_to_string(request.directory.host.join(word));
        source.is_ok_and(|text| text.ends_with("wrong"))
    });
    let (what, message) = if words.contains(&"c++-header") {
        ("makes the header".to_owned(), "")
    } else if let Some(place) = place("-I") {
        let folder = Path::new(words[place + 1]);
        assert!(request.readable.iter().any(|it| it.inside == folder));
        let header = fs::read_to_string(folder.join("bits/stdc++.h.gch")).unwrap();
        (
            format!("reads {header}"),
            "from precompiled-header.cpp:1:\n",
        )
    } else {
        ("alone".to_owned(), "from g.cpp:1:\n")
    };
    fs::write(&written, "a program").unwrap();
    fs::set_permissions(&written, Permissions::from_mode(0o755)).unwrap();
    (what, if is_wrong { message } else { "" })
}

fn cpp(flags: &[&str]) -> Option<Arc<Language>> {
    let flags = flags.iter().map(|flag| (*flag).to_owned()).collect();
    let flags = BTreeMap::from([(LanguageId::Cpp, flags)]);
    let languages = Languages::built_in().with_flags(&flags);
    let cpp = languages.get(LanguageId::Cpp).unwrap();
    if !cpp.find().is_ok_and(|it| it.version.contains("g++")) {
        eprintln!("skipped: there is no g++");
        return None;
    }
    Some(cpp.clone())
}

#[test]
fn the_fourth_program_with_all_headers_precompiles_them_and_messages_are_as_without() {
    let Some(cpp) = cpp(&[]) else { return };
    let programs: [&[(&str, &str)]; 8] = [
        &[("a.cpp", ALL)],
        &[("b.cpp", OTHER)],
        &[("c.cpp", ALL)],
        &[("d.cpp", ALL)],
        &[("e.cpp", ALL)],
        &[("f.cpp", OTHER)],
        &[("g.cpp", "#include <bits/stdc++.h> // wrong")],
        // The system's own header comes before one in a folder of the program's.
        &[("h.cpp", ALL), ("include/bits/stdc++.h", "#pragma once")],
    ];
    let (log, messages) = built(&cpp, compile, &programs);
    assert_eq!(
        log,
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
            "reads a program",
        ]
    );
    assert_eq!(messages, "from g.cpp:1:");
}

#[test]
fn nothing_is_precompiled_if_the_author_has_a_folder_of_includes() {
    for flags in [&["-Iinclude"][..], &["-isystem", "include"]] {
        let Some(cpp) = cpp(flags) else { return };
        let program: &[(&str, &str)] = &[("a.cpp", ALL), ("include/vector", "#pragma once")];
        let (log, _) = built(&cpp, compile, &[program; 5]);
        assert_eq!(log, ["alone"; 5], "{flags:?}");
    }
}

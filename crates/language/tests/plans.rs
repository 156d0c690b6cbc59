//! What plans hold, whatever was handed in; no compiler is started.

#![cfg(unix)]

mod support;

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use grader_language::{Plan, PlanPath, Toolchain, language};
use grader_model::{LanguageId, SourceFile};
use support::english;

fn plan(id: LanguageId, sources: &[SourceFile]) -> Plan {
    let toolchain = Toolchain {
        language: id,
        programs: vec![PathBuf::from("/opt/a/bin/compiler")],
        version: "compiler 1".to_owned(),
        flags: Vec::new(),
        readable: Vec::new(),
    };
    language(id).plan(sources, &toolchain, Path::new("/build"))
}

fn file(path: impl Into<String>, text: &str) -> SourceFile {
    SourceFile::new(path, text.as_bytes())
}

/// Whether every file can be written into the build folder, and into no other place.
#[track_caller]
fn can_be_written(plan: &Plan) {
    let paths: BTreeSet<&Path> = plan.files.iter().map(|(path, _)| path.as_ref()).collect();
    assert_eq!(paths.len(), plan.files.len(), "twice in {paths:?}");
    for path in &paths {
        let shown = path.display();
        assert!(path.as_os_str().len() <= PlanPath::LONGEST, "{shown}");
        for part in path.components() {
            assert!(matches!(part, Component::Normal(_)), "{shown}");
            assert!(part.as_os_str().len() <= PlanPath::LONGEST_PART, "{shown}");
        }
        let mut folders = path.ancestors().skip(1);
        assert!(!folders.any(|folder| paths.contains(folder)), "{shown}");
    }
}

#[test]
fn a_plan_stays_in_the_build_folder_in_every_language() {
    for id in LanguageId::ALL {
        let extension = match id {
            LanguageId::C => "c",
            LanguageId::Cpp => "cpp",
            LanguageId::Rust => "rs",
            LanguageId::Java => "java",
            LanguageId::Pascal => "pas",
            LanguageId::Python => "py",
        };
        let hostile = [
            format!("/etc/absolute.{extension}"),
            format!("../../up.{extension}"),
            format!("a/../../b/./{}.{extension}", "皇".repeat(100)),
            format!("{}deep.{extension}", "folder/".repeat(300)),
            format!("twice.{extension}"),
            format!("./twice.{extension}"),
            format!("twice.{extension}/inside.{extension}"),
            format!("nul\0.{extension}"),
            "a".to_owned(),
            "classes".to_owned(),
            "..".to_owned(),
            String::new(),
        ];
        let all: Vec<SourceFile> = hostile.iter().map(|path| file(path, "")).collect();
        can_be_written(&plan(id, &all));
        for source in all {
            can_be_written(&plan(id, &[source]));
        }
        let many: Vec<SourceFile> = (0..1500)
            .map(|number| file(format!("f{number}.{extension}"), ""))
            .collect();
        let plan = plan(id, &many);
        can_be_written(&plan);
        assert_eq!(plan.files.len(), 1000);
        assert_eq!(
            english(&plan.hints)[0],
            "1500 files were handed in; only the first 1000 are compiled."
        );
    }
}

#[test]
fn a_java_package_cannot_lead_out_of_the_build_folder() {
    for package in ["/tmp/evil", "../../evil", "a/../../b", "..", "a b", "\u{0}"] {
        let text = format!(
            "package {package};\npublic class Count {{ public static void main(String[] a) {{ }} }}"
        );
        let plan = plan(LanguageId::Java, &[file("Count.java", &text)]);
        let paths: Vec<&str> = plan.files.iter().map(|(path, _)| &**path).collect();
        assert_eq!(paths, ["Count.java"], "{package}");
        assert_eq!(plan.entry, "Count");
    }
}

#[test]
fn a_java_name_that_is_too_long_for_a_file_is_shortened_and_mentioned() {
    let name = "A".repeat(300);
    let main = "public static void main(String[] a) { }";
    let hint = format!(
        "The name `{}…` is too long for a file; use a shorter one.",
        &name[..80]
    );
    for text in [
        format!("public class {name} {{ {main} }}"),
        format!("package a.{name}.b; class Count {{ {main} }}"),
    ] {
        let plan = plan(LanguageId::Java, &[file("Count.java", &text)]);
        can_be_written(&plan);
        assert_eq!(english(&plan.hints), [hint.as_str()]);
    }
}

#[test]
fn a_file_may_have_the_name_of_a_java_package() {
    let plan = plan(
        LanguageId::Java,
        &[
            file("queens", "92"),
            file(
                "Main.java",
                "package queens; class Main { public static void main(String[] a) { } }",
            ),
        ],
    );
    let paths: Vec<&str> = plan.files.iter().map(|(path, _)| &**path).collect();
    assert_eq!(paths, ["queens", "more1/queens/Main.java"]);
    assert_eq!(plan.entry, "queens.Main");
}

//! Which keys change with what a job reads.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;

use grader_model::{Isolation, IsolationLevel};
use grader_problem::{AuthorCall, Case, CaseRef, Checker};
use tempfile::TempDir;

use super::*;
use crate::author_programs::{AuthorBuild, Generated};
use crate::keys::Keys;
use crate::lab::Task;
use crate::reference::Measured;

/// All that a job and the work for it read.
struct World {
    tools: TempDir,
    files: BTreeMap<&'static str, String>,
    isolation: Isolation,
    grader: &'static str,
    processor: &'static str,
}

const LANGUAGES: [&str; 7] = ["chk", "gen", "other", "own", "ref", "tim", "val"];

const PROBLEM: &str = r#"format = 1
id = "p"
title = "P"
validator = { source = "val.val" }
[submission]
files = ["p.own"]
include = ["given.own"]
[limits]
time = { reference = 10.0 }
memory = "64 MiB"
[reference]
path = "ref.ref"
timed = ["tim.tim"]
[checker.program]
source = "chk.chk"
[[subtask]]
name = "all"
points = 1
case = [{ name = "1", generate = "gen.gen 1" }]
"#;

impl World {
    fn new() -> Self {
        let tools = tempfile::tempdir().unwrap();
        fs::create_dir(tools.path().join("bin")).unwrap();
        let assignment = "format = 1\nid = 'a'\ntitle = 'A'\n[[problem]]\npath = 'p'\npoints = 1\n";
        let language = |name: &str| {
            let tool = tools.path().join("bin").join(name);
            symlink("/bin/true", &tool).unwrap();
            format!(
                "[languages.{name}]\nextensions = ['{name}']\nrun = ['{}', '{{main}}']\n\
                 environment = {{ SCALE = '1 of {name}' }}\n",
                tool.display()
            )
        };
        let languages = LANGUAGES.map(language).concat();
        let sources = [
            "given.own",
            "gen.gen",
            "val.val",
            "chk.chk",
            "ref.ref",
            "tim.tim",
        ];
        let mut files: BTreeMap<_, _> = sources.map(|it| (it, "1".to_owned())).into();
        files.insert("problem.toml", PROBLEM.to_owned());
        files.insert("assignment.toml", format!("{assignment}{languages}"));
        files.insert("submission", "1".to_owned());
        Self {
            tools,
            files,
            isolation: Isolation {
                level: IsolationLevel::Strict,
                layers: Vec::new(),
                missing: Vec::new(),
            },
            grader: "1",
            processor: "1",
        }
    }

    fn replace(&mut self, file: &str, old: &str, new: &str) {
        let text = self.files.get_mut(file).unwrap();
        assert!(text.contains(old), "{text}");
        *text = text.replacen(old, new, 1);
    }

    /// Installs another version of a tool.
    fn install(&self, tool: &str) {
        let tool = self.tools.path().join("bin").join(tool);
        fs::remove_file(&tool).unwrap();
        symlink("/bin/echo", tool).unwrap();
    }

    fn assignment(&self) -> Assignment {
        let mut library = MemoryLibrary::default();
        for (path, text) in &self.files {
            let folder = if *path == "assignment.toml" { "" } else { "p/" };
            library.insert(format!("{folder}{path}"), text.clone());
        }
        load_assignment(&library, "", &[]).unwrap()
    }

    /// The parts of the job's key, and the keys of the work for it.
    fn keys(&self) -> BTreeMap<String, String> {
        let assignment = self.assignment();
        let entry = &assignment.problems[0];
        let submission = self.files["submission"].as_bytes();
        let own = assignment.languages.of_file_name("p.own");
        let keys = Keys::new(&self.isolation, self.grader, self.processor, &assignment);
        let job = keys.of(entry, own, &[SourceFile::new("p.own", submission)]);
        let job = job
            .0
            .into_iter()
            .map(|(part, hash)| (format!("{part:?}"), hash));

        let judge = Setup::new(&Arc::default(), None).judge();
        let at = CaseRef::all(&entry.problem).next().unwrap();
        let case = at.case;
        let (generator, validator) = (
            case.generator.as_ref().unwrap(),
            case.validators[0].program().unwrap(),
        );
        let Checker::Program(checker) = &case.checker else {
            panic!("{:?}", case.checker);
        };
        let work = [
            ("generator", AuthorBuild(&generator.program).key()),
            ("input", Generated(generator).key()),
            ("validator", AuthorBuild(&validator.program).key()),
            ("checker", AuthorBuild(&checker.program).key()),
            ("reference", Measured::new(judge.lab(), at).key()),
        ];
        let work = work.map(|(name, key)| (name.to_owned(), format!("{key:?}")));
        job.chain(work).collect()
    }
}

#[test]
fn each_part_of_a_key_changes_with_what_it_stands_for() {
    type Change = fn(&mut World);
    #[rustfmt::skip]
    let table: [(&str, Change, &str); 27] = [
        ("nothing", |_| (), ""),
        ("the submission", |it| it.replace("submission", "1", "2"), "Sources"),
        ("an included file", |it| it.replace("given.own", "1", "2"), "Judging reference"),
        ("a case's arguments", |it| it.replace("problem.toml", "gen.gen 1", "gen.gen 2"), "Judging input reference"),
        ("its points", |it| { it.replace("problem.toml", "points = 1", "points = 2"); it.replace("assignment.toml", "points = 1", "points = 2"); }, "Judging reference"),
        ("the name of a case", |it| it.replace("problem.toml", "name = \"1\"", "name = \"2\""), "Judging reference"),
        ("a limit", |it| it.replace("problem.toml", "64 MiB", "65 MiB"), "Judging reference"),
        ("the generator", |it| it.replace("gen.gen", "1", "2"), "Judging generator input reference"),
        ("the validator", |it| it.replace("val.val", "1", "2"), "Judging reference validator"),
        ("the checker", |it| it.replace("chk.chk", "1", "2"), "Judging checker reference"),
        ("the reference", |it| it.replace("ref.ref", "1", "2"), "Judging reference"),
        ("what is timed", |it| it.replace("tim.tim", "1", "2"), "Judging reference"),
        ("the grader", |it| it.grader = "2", "Grader"),
        ("the processor", |it| it.processor = "2", "Host"),
        ("the level of isolation", |it| it.isolation.level = IsolationLevel::Basic, "Isolation"),
        ("a layer of isolation", |it| it.isolation.layers.push("seccomp".to_owned()), "Isolation"),
        ("a language that nothing needs", |it| it.replace("assignment.toml", "1 of other", "2"), ""),
        ("the submission's language", |it| it.replace("assignment.toml", "1 of own", "2"), "Toolchain"),
        ("the generator's language", |it| it.replace("assignment.toml", "1 of gen", "2"), "Toolchain generator input reference"),
        ("the validator's language", |it| it.replace("assignment.toml", "1 of val", "2"), "Toolchain validator"),
        ("the checker's language", |it| it.replace("assignment.toml", "1 of chk", "2"), "Toolchain checker reference"),
        ("the reference's language", |it| it.replace("assignment.toml", "1 of ref", "2"), "Toolchain"),
        ("the submission's tool", |it| it.install("own"), "Toolchain"),
        ("the generator's tool", |it| it.install("gen"), "Toolchain"),
        ("the validator's tool", |it| it.install("val"), "Toolchain"),
        ("the checker's tool", |it| it.install("chk"), "Toolchain"),
        ("the reference's tool", |it| it.install("ref"), "Toolchain"),
    ];
    for (what, change, expected) in table {
        let mut world = World::new();
        let before = world.keys();
        change(&mut world);
        let now = world.keys();
        let names = now.iter().filter(|(name, key)| before[*name] != **key);
        let names: Vec<&str> = names.map(|(name, _)| name.as_str()).collect();
        assert_eq!(names.join(" "), expected, "{what}");
    }
}

#[test]
fn a_key_tells_the_tools_of_the_authors_programs_and_its_own() {
    let world = World::new();
    let assignment = world.assignment();
    let keys = Keys::new(&world.isolation, world.grader, world.processor, &assignment);
    let language = |name: &str| {
        let language = assignment.languages.of_file_name(&format!("a.{name}"));
        language.unwrap().id
    };
    let (problem, own) = (&assignment.problems[0].problem.id, language("own"));
    for name in LANGUAGES {
        let told = keys.tell(problem, Some(own), &[language(name)].into());
        assert_eq!(told, name != "other", "{name}");
    }
    assert!(keys.tell(problem, None, &[].into()));
    assert!(!keys.tell(problem, Some(language("gen")), &[own].into()));
}

#[test]
fn what_a_checker_says_of_the_reference_is_for_no_other_checker() {
    let assignment = World::new().assignment();
    let judge = Setup::new(&Arc::default(), None).judge();
    let at = CaseRef::all(&assignment.problems[0].problem)
        .next()
        .unwrap();
    let key = |checker: &Checker| {
        let case = Case {
            checker: checker.clone(),
            ..at.case.clone()
        };
        let at = CaseRef { case: &case, ..at };
        format!("{:?}", Measured::new(judge.lab(), at).key())
    };
    let Checker::Program(own) = &at.case.checker else {
        panic!("{:?}", at.case.checker);
    };
    let other = Checker::Program(AuthorCall {
        arguments: vec!["other".to_owned()],
        ..own.clone()
    });
    let keys = [&at.case.checker, &other, &Checker::Lines, &Checker::Exact].map(key);
    assert_eq!(BTreeSet::from(keys).len(), 4);
}

use std::collections::BTreeMap;
use std::sync::Arc;

use grader_model::{
    Bytes, CpuTime, LanguageId, Points, Share, SourceFile, SubtaskName, Text, WallTime,
};
use proptest::prelude::*;

use crate::{
    Answer, AnswerRule, AttemptRule, Checker, ExitPolicy, FlatRule, GrowthRule, LanguageLimits,
    MemoryLibrary, Problem, ReferenceProgram, ScoreRule, TimeRule, TimeStep, TokenRule,
    load_problem,
};

const FILE: &str = r#"
format = 1
id = "double"
title = { zh = "两倍", en = "Twice n" }
[submission]
files = ["double.*"]
[run]
arguments = ["{n}"]
[limits]
time = { reference = 3.0 }
[reference]
builtin = "double"
[checker.tokens]
[[subtask]]
name = "all"
points = 2
cases = { n = "1..=2" }
[[subtask]]
name = "more"
points = 3
cases = { n = "3..=4" }
"#;

fn loaded(file: &str) -> Problem {
    let mut library = MemoryLibrary::new("test", BTreeMap::new());
    library.insert("double/problem.toml", file);
    let loaded = load_problem(&library, "double", &["double"]);
    loaded
        .value
        .unwrap_or_else(|| panic!("{:?}", loaded.diagnostics))
}

/// Which parts differ between the problem and another one.
fn changed(change: impl FnOnce(&mut Problem)) -> (bool, bool) {
    let mut problem = loaded(FILE);
    let before = problem.parts();
    change(&mut problem);
    let after = problem.parts();
    (
        before.running != after.running,
        before.judging != after.judging,
    )
}

const NOTHING: (bool, bool) = (false, false);
const RUNNING: (bool, bool) = (true, false);
const JUDGING: (bool, bool) = (false, true);

/// A change, and what it is to change.
type Row = (&'static str, fn(&mut Problem), (bool, bool));

fn given(text: &str) -> Answer {
    Answer::Given(Arc::from(text.as_bytes()))
}

fn other(problem: &mut Problem) -> &mut Checker {
    &mut problem.subtasks[1].cases[1].checker
}

const CHANGES: &[Row] = &[
    ("folder", |it| it.folder.push('x'), NOTHING),
    ("version", |it| it.version.push('x'), NOTHING),
    ("globs", |it| it.submission.files.clear(), NOTHING),
    ("size", |it| it.submission.size = Bytes(1), NOTHING),
    (
        "languages",
        |it| it.submission.languages = vec![LanguageId::C],
        RUNNING,
    ),
    (
        "input file",
        |it| it.run.input_file = Some("in".to_owned()),
        RUNNING,
    ),
    (
        "output file",
        |it| it.run.output_file = Some("out".to_owned()),
        RUNNING,
    ),
    (
        "exit status",
        |it| it.run.exit_status = ExitPolicy::Ignored,
        JUDGING,
    ),
    (
        "time",
        |it| it.limits.time = TimeRule::Absolute(CpuTime::from_millis(1)),
        RUNNING,
    ),
    (
        "wall",
        |it| it.limits.wall = Some(WallTime::from_millis(1)),
        RUNNING,
    ),
    ("memory", |it| it.limits.memory.0 += 1, RUNNING),
    ("output", |it| it.limits.output.0 += 1, RUNNING),
    ("processes", |it| it.limits.processes += 1, RUNNING),
    (
        "compile time",
        |it| it.limits.compile_time = CpuTime::from_millis(1),
        RUNNING,
    ),
    ("confirm", |it| it.limits.confirm += 1, RUNNING),
    (
        "a language's limits",
        |it| {
            let limits = LanguageLimits {
                time_factor: 3.0,
                memory: None,
            };
            it.limits.languages.insert(LanguageId::C, limits);
        },
        RUNNING,
    ),
    (
        "reference",
        |it| {
            it.reference.as_mut().unwrap().program = ReferenceProgram::Builtin("twice".to_owned());
        },
        RUNNING,
    ),
    (
        "sources of the reference",
        |it| {
            let source = SourceFile::new("double.c", &b"int main() {}"[..]);
            it.reference.as_mut().unwrap().program = ReferenceProgram::Sources(vec![source]);
        },
        RUNNING,
    ),
    (
        "calibrate",
        |it| {
            let reference = it.reference.as_mut().unwrap();
            reference.calibrate.push("--slow".to_owned());
        },
        RUNNING,
    ),
    ("no reference", |it| it.reference = None, RUNNING),
    (
        "growth",
        |it| {
            it.subtasks[1].growth = Some(GrowthRule {
                over: "n".to_owned(),
                at_most: 2.0,
                until: GrowthRule::UNTIL,
            });
        },
        RUNNING,
    ),
    (
        "attempts",
        |it| {
            it.subtasks[1].attempts = Some(AttemptRule {
                runs: 2,
                at_least: None,
            });
        },
        RUNNING,
    ),
    (
        "name of a subtask",
        |it| it.subtasks[1].name = SubtaskName::new("rest"),
        RUNNING,
    ),
    (
        "arguments",
        |it| it.subtasks[1].cases[1].arguments.push(String::new()),
        RUNNING,
    ),
    (
        "input",
        |it| it.subtasks[1].cases[1].input = Arc::from(&b"x"[..]),
        RUNNING,
    ),
    ("title", |it| it.title = Text::plain("Twice"), NOTHING),
    ("checker", |it| *other(it) = Checker::Exact, JUDGING),
    (
        "option of a checker",
        |it| {
            *other(it) = Checker::Tokens {
                case_sensitive: false,
                space_change_sensitive: false,
            };
        },
        JUDGING,
    ),
    (
        "answer",
        |it| it.subtasks[1].cases[1].answer = given("8\n"),
        JUDGING,
    ),
    (
        "points",
        |it| it.subtasks[1].points = Points::from_thousandths(1),
        JUDGING,
    ),
    ("score", |it| it.subtasks[1].score = ScoreRule::All, JUDGING),
    (
        "require",
        |it| it.subtasks[1].require = vec![SubtaskName::new("all")],
        JUDGING,
    ),
    ("hidden", |it| it.subtasks[1].hidden = true, JUDGING),
    (
        "by time",
        |it| {
            it.subtasks[1].by_time = vec![TimeStep {
                ratio: 2.0,
                share: Share::WHOLE,
            }];
        },
        JUDGING,
    ),
    (
        "forbidden tokens",
        |it| {
            it.source.forbid.push(TokenRule {
                any: vec!["goto".to_owned()],
                languages: BTreeMap::new(),
                because: None,
            });
        },
        JUDGING,
    ),
    (
        "answers in sources",
        |it| {
            it.source.answers = Some(AnswerRule {
                at_least: 1,
                also: Vec::new(),
            });
        },
        JUDGING,
    ),
    (
        "flags by time",
        |it| {
            it.time_flags.flat = Some(FlatRule {
                over: "n".to_owned(),
                from: 1.0,
                to: 2.0,
                at_least: 2.0,
            });
        },
        JUDGING,
    ),
    (
        "variables",
        |it| {
            let variables = &mut it.subtasks[1].cases[1].variables;
            variables.insert("n".to_owned(), "5".to_owned());
        },
        JUDGING,
    ),
];

#[test]
fn each_change_of_a_problem_changes_the_part_that_it_belongs_to_and_no_other() {
    for (name, change, parts) in CHANGES {
        assert_eq!(changed(*change), *parts, "{name}");
    }
}

#[test]
fn where_the_reference_is_timed_only_for_flags_or_points_its_runs_change_too() {
    let absolute = |problem: &mut Problem| {
        problem.limits.time = TimeRule::Absolute(CpuTime::from_millis(1));
    };
    let mut problem = loaded(FILE);
    absolute(&mut problem);
    let before = problem.parts();
    problem.time_flags.faster_than = Some(0.5);
    let after = problem.parts();
    assert_ne!(before.running, after.running);
    assert_ne!(before.judging, after.judging);
}

#[test]
fn another_way_to_write_the_same_problem_changes_nothing() {
    let before = loaded(FILE).parts();
    for (old, new) in [
        ("format = 1\n", "# A comment.\nformat = 1\n"),
        ("reference = 3.0", "reference = 3"),
        ("n = \"1..=2\"", "n = [1, 2]"),
        ("points = 2\n", "points = 2.0\n"),
    ] {
        assert_eq!(FILE.matches(old).count(), 1, "{old}");
        let other = loaded(&FILE.replace(old, new));
        assert_eq!(other.parts(), before, "{new}");
        assert_ne!(other.version, loaded(FILE).version);
    }
}

#[test]
fn a_case_that_goes_to_another_subtask_changes_how_things_run() {
    let (running, _) = changed(|problem| {
        let case = problem.subtasks[1].cases.remove(0);
        problem.subtasks[0].cases.push(case);
    });
    assert!(running);
}

proptest! {
    #[test]
    fn several_changes_change_every_part_that_one_of_them_does(
        chosen in prop::collection::btree_set(0..CHANGES.len(), 1..6),
    ) {
        // Those that take away what others change.
        let chosen: Vec<&Row> = chosen.into_iter().map(|index| &CHANGES[index]).collect();
        let names: Vec<&str> = chosen.iter().map(|(name, ..)| *name).collect();
        prop_assume!(!names.contains(&"no reference"));
        let found = changed(|problem| chosen.iter().for_each(|(_, change, _)| change(problem)));
        let is = |part: fn(&(bool, bool)) -> bool| chosen.iter().any(|(_, _, parts)| part(parts));
        let steps = names.contains(&"by time") && names.contains(&"time");
        prop_assert_eq!(found, (is(|it| it.0) || steps, is(|it| it.1)));
    }

    #[test]
    fn inputs_and_arguments_are_told_apart_wherever_they_end(
        words in prop::collection::vec("[a-b,\" ]{0,3}", 0..4),
        others in prop::collection::vec("[a-b,\" ]{0,3}", 0..4),
        input in "[a-b]{0,3}",
        another in "[a-b]{0,3}",
    ) {
        let with = |words: &[String], input: &str| {
            let mut problem = loaded(FILE);
            problem.subtasks[0].cases[0].arguments = words.to_vec();
            problem.subtasks[0].cases[0].input = Arc::from(input.as_bytes());
            problem.parts()
        };
        let same = words == others && input == another;
        prop_assert_eq!(with(&words, &input) == with(&others, &another), same);
    }
}

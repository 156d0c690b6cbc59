//! Right files, and what is made of them.
#![allow(clippy::unwrap_used, reason = "a panic in a test is the report")]

mod common;

use std::collections::BTreeMap;
use std::time::Duration;

use common::{BUILTINS, TIMES, files, spoilt};
use grader_model::*;
use grader_problem::*;

fn case(name: &str, variables: &[(&str, &str)], arguments: &[&str], input: &str) -> Case {
    Case {
        name: CaseName::new(name),
        variables: variables
            .iter()
            .map(|&(name, value)| (name.to_owned(), value.to_owned()))
            .collect(),
        arguments: arguments.iter().map(|&text| text.to_owned()).collect(),
        input: input.as_bytes().into(),
        answer: Answer::Reference,
        checker: Checker::Tokens {
            case_sensitive: true,
            space_change_sensitive: false,
        },
    }
}

fn with_columns(case: Case, size: u32) -> Case {
    Case {
        answer: Answer::None,
        checker: Checker::QueensColumns { size, base: 0 },
        ..case
    }
}

fn given(case: Case, answer: &str) -> Case {
    Case {
        answer: Answer::Given(answer.as_bytes().into()),
        ..case
    }
}

/// A subtask of which the file says nothing.
fn usual() -> Subtask {
    Subtask {
        name: SubtaskName::new(""),
        points: Points::ZERO,
        score: ScoreRule::Sum,
        require: vec![],
        hidden: false,
        growth: None,
        attempts: None,
        by_time: vec![],
        cases: vec![],
    }
}

fn multiple(factor: f64, case: &str) -> CaseMultiple {
    CaseMultiple {
        factor,
        subtask: SubtaskName::new("small"),
        case: CaseName::new(case),
        hidden: false,
    }
}

fn count() -> Problem {
    Problem {
        id: ProblemId::new("count"),
        title: Text::new("Count all solutions", "解的个数"),
        submission: SubmissionRule {
            files: vec!["count.*".to_owned(), "*count*".to_owned()],
            languages: vec![LanguageId::C, LanguageId::Python],
            size: Bytes(2 << 20),
        },
        time_flags: TimeFlags::default(),
        source: SourceRule {
            forbid: vec![
                TokenRule {
                    any: vec!["goto".to_owned()],
                    languages: BTreeMap::new(),
                    because: None,
                },
                TokenRule {
                    any: vec!["system (".to_owned()],
                    languages: BTreeMap::from([(
                        LanguageId::Python,
                        vec!["os . system".to_owned()],
                    )]),
                    because: None,
                },
            ],
            require: vec![TokenRule {
                any: vec![],
                languages: BTreeMap::from([(LanguageId::C, vec!["^".to_owned()])]),
                because: Some(Text::new("bit operations", "位运算")),
            }],
            answers: Some(AnswerRule {
                at_least: 3,
                also: vec![1787],
            }),
        },
        run: RunRule {
            input_file: Some("checker.in".to_owned()),
            output_file: Some("checker.out".to_owned()),
            exit_status: ExitPolicy::Ignored,
        },
        limits: LimitRule {
            time: TimeRule::Reference {
                factor: 3.0,
                at_least: Some(multiple(2.5, "n=5")),
                at_most: Some(multiple(60.0, "n=7")),
            },
            wall: Some(WallTime(Duration::from_secs(90))),
            memory: Bytes(512 << 20),
            output: Bytes(1 << 20),
            processes: 4,
            compile_time: CpuTime::from_millis(30_000),
            slack: LimitRule::SLACK,
            confirm: LimitRule::CONFIRM,
            languages: BTreeMap::from([(
                LanguageId::Python,
                LanguageLimits {
                    time_factor: 20.0,
                    memory: Some(Bytes(1 << 30)),
                },
            )]),
        },
        reference: Some(Reference {
            program: ReferenceProgram::Builtin("count".to_owned()),
            calibrate: vec!["--method".to_owned(), "bitmask".to_owned()],
        }),
        subtasks: vec![
            Subtask {
                name: SubtaskName::new("small"),
                points: Points::whole(10),
                cases: vec![
                    case("n=4", &[("n", "4")], &["4", "{}"], "皇后 4\n"),
                    case("n=5", &[("n", "5")], &["5", "{}"], "皇后 5\n"),
                    case("n=7", &[("n", "7")], &["7", "{}"], "皇后 7\n"),
                    given(case("sample", &[("n", "5")], &["5", "2"], "5 2\n"), "odd\n"),
                    given(case("given", &[], &[], "x"), "{odd}\n"),
                ],
                ..usual()
            },
            Subtask {
                name: SubtaskName::new("large"),
                points: Points::from_thousandths(25_500),
                score: ScoreRule::All,
                require: vec![SubtaskName::new("small")],
                hidden: true,
                cases: [(3, "3"), (5, "5"), (6, "6")]
                    .map(|(size, n)| {
                        let name = format!("m=2,n={n}");
                        let input = format!("皇后 {n}\n");
                        let case = case(&name, &[("m", "2"), ("n", n)], &[n, "{}"], &input);
                        with_columns(case, size)
                    })
                    .to_vec(),
                ..usual()
            },
        ],
        folder: "count".to_owned(),
        version: "b53b48e3".to_owned(),
    }
}

fn load(files: BTreeMap<String, Vec<u8>>) -> Assignment {
    load_assignment(&MemoryLibrary::new("p", files), "", BUILTINS)
        .unwrap_or_else(|diagnostics| panic!("{}", render(&diagnostics, false, 100)))
}

#[test]
fn a_right_problem_becomes_the_value_that_its_file_says() {
    let mut assignment = load(files());
    let entry = assignment.problems.remove(0);
    let problem = entry.problem.as_ref().clone();
    let expected = count();
    assert_eq!(problem.version.len(), 64);
    assert_eq!(
        Problem {
            version: expected.version.clone(),
            ..problem
        },
        expected
    );
    assert_eq!(
        (entry.points, entry.bonus),
        (Points::from_thousandths(35_500), false)
    );
}

#[test]
fn a_problem_that_says_little_gets_the_usual_rules() {
    let assignment = load(files());
    assert_eq!(assignment.info().bonus, Points::whole(10));
    let problem = &assignment.problems[1].problem;
    assert_eq!(problem.title, Text::plain("Columns"));
    assert_eq!(
        problem.limits,
        LimitRule {
            time: TimeRule::Absolute(CpuTime::from_millis(2000)),
            wall: None,
            memory: Bytes(256 << 20),
            output: Bytes(64 << 10),
            processes: 1,
            compile_time: CpuTime::from_millis(60_000),
            slack: LimitRule::SLACK,
            confirm: LimitRule::CONFIRM,
            languages: BTreeMap::new(),
        }
    );
    assert_eq!(
        problem.run,
        RunRule {
            input_file: None,
            output_file: None,
            exit_status: ExitPolicy::Zero
        }
    );
    assert_eq!(problem.submission.languages, LanguageId::ALL);
    assert_eq!(problem.submission.size, Bytes(1 << 20));
    assert_eq!(problem.reference, None);
}

#[test]
fn a_text_shows_the_language_that_is_there() {
    for (title, en, zh) in [
        ("\"Sum\"", "Sum", "Sum"),
        ("{ en = \"Sum\" }", "Sum", "Sum"),
        ("{ zh = \"和\" }", "和", "和"),
        ("{ zh = \"和\", en = \"Sum\" }", "Sum", "和"),
    ] {
        let library = spoilt("columns/problem.toml", "\"Columns\"", title);
        let problem = load_problem(&library, "columns", BUILTINS);
        assert_eq!(problem.unwrap().title, Text::new(en, zh));
    }
}

#[test]
fn rules_on_times_and_chance_are_what_the_file_says() {
    let assignment = load(files());
    let times = &assignment.problems[2].problem;
    assert_eq!(times.limits.confirm, 5);
    assert_eq!(
        times.time_flags,
        TimeFlags {
            faster_than: Some(0.0025),
            flat: Some(FlatRule {
                over: "n".to_owned(),
                from: 100.0,
                to: 800.0,
                at_least: 3.0,
            }),
        }
    );
    let rules: Vec<Subtask> = times
        .subtasks
        .iter()
        .map(|subtask| Subtask {
            cases: vec![],
            ..subtask.clone()
        })
        .collect();
    let attempts = |runs, at_least| Some(AttemptRule { runs, at_least });
    let step = |ratio, thousandths| TimeStep {
        ratio,
        share: Share::from_thousandths(thousandths),
    };
    assert_eq!(
        rules,
        [
            Subtask {
                name: SubtaskName::new("growth"),
                points: Points::whole(30),
                score: ScoreRule::Worst,
                growth: Some(GrowthRule {
                    over: "n".to_owned(),
                    at_most: 3.5,
                    until: CpuTime::from_millis(2000),
                }),
                ..usual()
            },
            Subtask {
                name: SubtaskName::new("chance"),
                points: Points::whole(20),
                attempts: attempts(12, Some(3)),
                ..usual()
            },
            Subtask {
                name: SubtaskName::new("rate"),
                points: Points::whole(20),
                attempts: attempts(20, None),
                ..usual()
            },
            Subtask {
                name: SubtaskName::new("by-time"),
                points: Points::whole(30),
                by_time: vec![step(1.5, 1000), step(4.0, 625)],
                ..usual()
            },
        ]
    );
}

#[test]
fn a_growth_goes_up_to_one_second_where_the_file_says_nothing() {
    let library = spoilt("times/problem.toml", "until = \"2 s\"\n", "");
    let problem = load_problem(&library, "times", BUILTINS).unwrap();
    let until = problem.subtasks[0].growth.as_ref().unwrap().until;
    assert_eq!(until, CpuTime::from_millis(1000));
}

#[test]
fn points_and_flags_by_time_need_the_references_time() {
    let by_time = "by-time = [[1.5, 100], [4, 62.5]]\n";
    let faster_than = "faster-than = 0.0025\n";
    let needs = |gone: &[&str]| {
        let text = gone
            .iter()
            .fold(TIMES.to_owned(), |text, gone| text.replace(gone, ""));
        let library =
            MemoryLibrary::new("p", [("problem.toml".to_owned(), text.into_bytes())].into());
        load_problem(&library, "", BUILTINS)
            .unwrap()
            .needs_reference_time()
    };
    assert!(needs(&[by_time]));
    assert!(needs(&[faster_than]));
    assert!(!needs(&[by_time, faster_than]));
}

/// The first case of `columns` with another checker and more files.
fn case_with(checker: &str, more: &str) -> Case {
    let columns = "[checker.queens-columns]\nsize = \"{n}\"\nbase = 0\n";
    let mut library = spoilt("columns/problem.toml", columns, checker);
    library.insert("columns/check/main.cpp", "check");
    let text = library.read("columns/problem.toml").unwrap();
    library.insert(
        "columns/problem.toml",
        [text.as_slice(), more.as_bytes()].concat(),
    );
    let problem = load_problem(&library, "columns", BUILTINS);
    let mut problem = problem.unwrap_or_else(|all| panic!("{}", render(&all, false, 100)));
    problem.subtasks[0].cases.remove(0)
}

#[test]
fn a_program_is_a_checker_with_or_without_an_answer() {
    let minimal = "[checker.program]\nsource = \"check\"\n";
    let reference = "[reference]\nbuiltin = \"count\"\n";
    let with = |protocol, seconds: u64, memory, arguments: &[&str]| Checker::Program {
        program: std::sync::Arc::new(CheckerProgram {
            sources: vec![SourceFile::new("main.cpp", b"check".to_vec())],
            protocol,
            cpu: CpuTime::from_millis(seconds * 1000),
            memory: Bytes(memory),
        }),
        arguments: arguments.iter().map(|&text| text.to_owned()).collect(),
    };
    let case = case_with(minimal, "");
    assert_eq!(
        case.checker,
        with(CheckerProtocol::Kattis, 10, 1 << 30, &[])
    );
    assert_eq!(case.answer, Answer::None);
    assert_eq!(case_with(minimal, reference).answer, Answer::Reference);
    let whole = format!(
        "{minimal}protocol = \"testlib\"\narguments = [\"-n\", \"{{n}}\"]\ntime = \"3 s\"\nmemory = \"64 MiB\"\n"
    );
    assert_eq!(
        case_with(&whole, "").checker,
        with(CheckerProtocol::Testlib, 3, 64 << 20, &["-n", "3"])
    );
}

#[test]
fn words_of_numbers_and_tokens_may_differ_in_case() {
    let reference = "[reference]\nbuiltin = \"count\"\n";
    for (options, sensitive) in [("", true), ("case-sensitive = false\n", false)] {
        let checker = |name, more| {
            case_with(&format!("[checker.{name}]\n{more}{options}"), reference).checker
        };
        assert_eq!(
            checker("tokens", ""),
            Checker::Tokens {
                case_sensitive: sensitive,
                space_change_sensitive: false,
            }
        );
        assert_eq!(
            checker("numbers", "relative = 1e-9\n"),
            Checker::Numbers {
                absolute: 0.0,
                relative: 1e-9,
                case_sensitive: sensitive,
                space_change_sensitive: false,
            }
        );
    }
}

#[test]
fn line_ends_of_windows_and_a_byte_order_mark_change_nothing() {
    let plain = load(files());
    let mut files = files();
    for (path, bytes) in &mut files {
        if path.contains(".toml") {
            let text = String::from_utf8(bytes.clone()).unwrap();
            *bytes = format!("\u{feff}{}", text.replace('\n', "\r\n")).into_bytes();
        }
    }
    let windows = load(files);
    assert_eq!(windows.title, plain.title);
    for (one, other) in plain.problems.iter().zip(&windows.problems) {
        assert_eq!(one.problem.subtasks, other.problem.subtasks);
        assert_eq!(one.problem.limits, other.problem.limits);
    }
}

#[test]
fn the_version_changes_with_every_file_that_judges_and_with_no_other() {
    let version = |files| load(files).problems[0].problem.version.clone();
    let before = version(files());
    for (path, judges) in [
        ("count/problem.toml", true),
        ("count/cases/01.in", true),
        ("count/cases/01.ans", true),
        ("count/statement.zh.md", false),
        ("columns/problem.toml", false),
    ] {
        let mut files = files();
        files
            .entry(path.to_owned())
            .and_modify(|bytes| bytes.push(b'\n'));
        assert_eq!(version(files) != before, judges, "{path}");
    }
    let moved = files()
        .into_iter()
        .map(|(path, bytes)| (format!("deep/er/{path}"), bytes))
        .collect();
    let library = MemoryLibrary::new("", moved);
    let moved = load_problem(&library, "deep/er/count", BUILTINS).unwrap();
    assert_eq!(moved.version, before);
    assert_eq!(moved.folder, "deep/er/count");
}

#[test]
fn the_reference_may_be_a_file_or_a_folder_of_the_problem() {
    let with = |path: &str| {
        let mut files = files();
        for name in ["ref/b/util.h", "ref/main.c", "ref/.hidden"] {
            files.insert(format!("count/{name}"), name.as_bytes().to_vec());
        }
        let text = String::from_utf8(files["count/problem.toml"].clone()).unwrap();
        let text = text.replace("builtin = \"count\"", &format!("path = \"{path}\""));
        files.insert("count/problem.toml".to_owned(), text.into_bytes());
        load(files).problems[0]
            .problem
            .reference
            .clone()
            .unwrap()
            .program
    };
    let main = SourceFile::new("main.c", b"ref/main.c".to_vec());
    let util = SourceFile::new("b/util.h", b"ref/b/util.h".to_vec());
    assert_eq!(
        with("ref/main.c"),
        ReferenceProgram::Sources(vec![main.clone()])
    );
    assert_eq!(with("./ref/"), ReferenceProgram::Sources(vec![util, main]));
}

/// The CPU time limit in milliseconds of a rule, by times in milliseconds: the case's own, the named ones, start-up.
fn limit(rule: &LimitRule, language: LanguageId, times: (u64, u64, u64, u64)) -> u128 {
    let (own, at_least, at_most, start_up) = times;
    let times = ReferenceTimes {
        own: CpuTime::from_millis(own),
        at_least: Some(CpuTime::from_millis(at_least)),
        at_most: Some(CpuTime::from_millis(at_most)),
        start_up: CpuTime::from_millis(start_up),
    };
    rule.resolve(language, Some(&times)).cpu.0.as_millis()
}

#[test]
fn a_limit_is_a_multiple_within_multiples_of_named_cases() {
    let rule = load(files()).problems[0].problem.limits.clone();
    // 3 times its own, at least 2.5 times one case, at most 60 times another; Python 20 times.
    for (language, times, expected) in [
        (LanguageId::C, (100, 10, 1000, 0), 350),
        (LanguageId::C, (1, 100, 1000, 0), 300),
        (LanguageId::C, (100, 10, 1, 0), 350),
        (LanguageId::Python, (100, 10, 1000, 30), 6110),
        (LanguageId::Python, (1, 100, 1000, 30), 5110),
        (LanguageId::Python, (100, 10, 50, 30), 3050),
    ] {
        assert_eq!(
            limit(&rule, language, times),
            expected,
            "{language} {times:?}"
        );
    }
    // A machine of another speed moves every limit with it, but for the slack.
    let slower = limit(&rule, LanguageId::Python, (300, 30, 3000, 90));
    assert_eq!(slower - 50, 3 * (6110 - 50));
}

//! Valid files, and the values loaded from them.

use std::collections::BTreeMap;
use std::fmt::Debug;

use crate::common::{BUILTINS, files, short, spoilt};
use grader_language::Languages;
use grader_model::*;
use grader_problem::*;

fn load(files: BTreeMap<String, Vec<u8>>) -> Assignment {
    load_assignment(&MemoryLibrary::new("p", files), "", BUILTINS)
        .unwrap_or_else(|mistakes| panic!("{}", render(&mistakes, false, 100)))
}

fn text(value: impl Debug) -> String {
    format!("{value:?}")
}

/// The values of the valid files, one per line.
#[test]
fn right_files_become_the_values_that_they_give() {
    let assignment = load(files());
    let mut lines = Vec::new();
    for entry in &assignment.problems {
        let problem = &entry.problem;
        assert_eq!(problem.version.len(), 64);
        lines.push(text((&problem.id, entry.points, entry.bonus)));
        lines.push(text((&problem.title, &problem.submission)));
        lines.push(text((&problem.source, &problem.time_flags)));
        lines.push(text((&problem.run, &problem.reference)));
        lines.push(text(&problem.limits));
        for it in &problem.subtasks {
            let first = (&it.name, it.points, it.score, &it.require, it.hidden);
            lines.push(text((first, &it.growth, it.attempts, &it.by_time)));
            for case in &it.cases {
                let input = String::from_utf8_lossy(&case.input);
                let answer = match &case.answer {
                    Answer::Given(bytes) => text(String::from_utf8_lossy(bytes)),
                    other => text(other),
                };
                let parts = (&case.variables, &case.arguments, input);
                lines.push(format!(
                    "{} {parts:?} {answer} {:?}",
                    case.name, case.checker
                ));
            }
        }
    }
    let expected: Vec<&str> = include_str!("right.txt").lines().collect();
    assert_eq!(lines, expected);
}

#[test]
#[rustfmt::skip]
fn one_change_of_a_file_changes_one_value() {
    type Value = fn(&Problem) -> String;
    let title: Value = |it| text(&it.title);
    let case: Value = |it| text(&it.subtasks[0].cases[0].checker);
    let answer: Value = |it| text(&it.subtasks[0].cases[0].answer);
    let checker: Value = |it| match &it.subtasks[0].cases[0].checker {
        Checker::Program(AuthorCall { program, arguments }) => {
            let AuthorProgram { role, sources, protocol, cpu, memory, .. } = &**program;
            text((role, &sources[0].path, protocol, cpu, memory, arguments))
        }
        other => panic!("{other:?}"),
    };
    let input: Value = |it| text(String::from_utf8_lossy(&it.subtasks[0].cases[0].input));
    let ends: Value = |it| {
        let cases = it.subtasks.iter().flat_map(|it| &it.cases);
        let given = cases.filter(|it| it.stderr.is_some() || it.exit_status != ExitPolicy::default());
        text(given.map(|it| (&it.name, it.exit_status, &it.stderr)).collect::<Vec<_>>())
    };
    let until: Value = |it| text(it.subtasks[0].growth.as_ref().unwrap().until);
    let timed: Value = |it| text(it.needs_reference_time());
    let columns = "[checker.queens-columns]\nsize = \"{n}\"\nbase = 0\n";
    let faster = "faster-than = 0.0025";
    let by_time = "by-time = [[1.5, 100], [4, 62.5]]";
    let program = "[checker.program]\nsource = \"check\"\n";
    let more = "arguments = [\"-n\", \"{n}\"]\ntime = \"3 s\"\nmemory = \"64 MiB\"\n[reference]\nbuiltin = \"count\"\n";
    let options = &format!("{program}protocol = \"testlib\"\n{more}");
    let tokens = "[checker.tokens]\n";
    let numbers = "[checker.numbers]\nrelative = 1e-9\nspace-change-sensitive = true\n";
    for (file, from, to, value, expected) in [
        ("columns", "\"Columns\"", "{ en = \"Sum\" }", title, r#"Text { en: "Sum", zh: "Sum" }"#),
        ("columns", "\"Columns\"", "{ zh = \"和\" }", title, r#"Text { en: "和", zh: "和" }"#),
        ("times", "until = \"2 s\"\n", "", until, "CpuTime(1s)"),
        ("times", "", "", timed, "true"),
        ("times", faster, "", timed, "true"),
        ("times", by_time, "", timed, "true"),
        ("columns", "", "", timed, "false"),
        ("columns", columns, program, checker, r#"(Checker, "main.cpp", Kattis, CpuTime(10s), Bytes(1073741824), [])"#),
        ("columns", columns, options, checker, r#"(Checker, "main.cpp", Testlib, CpuTime(3s), Bytes(67108864), ["-n", "3"])"#),
        ("columns", columns, program, answer, "None"),
        ("columns", columns, options, answer, "Reference"),
        ("times", tokens, "[checker.tokens]\ncase-sensitive = false\n", case, "Tokens(TokenOptions { case_sensitive: false, space_change_sensitive: false })"),
        ("times", tokens, "[checker.lines]\nany-order = true\n", case, "AnyOrder"),
        ("times", tokens, "[checker.numbers]\nabsolute = 0.5\nskip-words = true\n", case, "OnlyNumbers { absolute: 0.5, relative: 0.0 }"),
        ("times", tokens, "[checker.contains]\n", case, "Contains(Contains { lists: [[], []], has_answer: true, never: [], case_sensitive: true })"),
        ("times", tokens, "[checker.contains]\npattern = ['\\d{2}']\n", case, "Contains(Contains { lists: [[], [Sought { what: Pattern(\"\\\\d{2}\"), after: None, sent: 0 }]], has_answer: false, never: [], case_sensitive: true })"),
        ("columns", columns, "[checker.contains]\ntext = [\"{n}\", 7]\nnever = [\"-{n}\"]\ncase-sensitive = false\n", case, "Contains(Contains { lists: [[Sought { what: Text(\"3\"), after: None, sent: 0 }, Sought { what: Text(\"7\"), after: None, sent: 0 }], []], has_answer: false, never: [\"-3\"], case_sensitive: false })"),
        ("times", "", "", ends, "[]"),
        ("columns", "cases = { n = 3 }\n", "[[subtask.case]]\nname = \"talk\"\nvariables = { n = 3 }\ndialogue = [{ expect = \"How many?\" }, { send = \"{n}\" }, { expect-pattern = '\\d{2}' }, { send = \"\" }]\n", case, "Contains(Contains { lists: [[Sought { what: Text(\"How many?\"), after: None, sent: 0 }, Sought { what: Pattern(\"\\\\d{2}\"), after: Some(\"3\"), sent: 1 }]], has_answer: false, never: [], case_sensitive: true })"),
        ("columns", "cases = { n = 3 }\n", "[[subtask.case]]\nname = \"talk\"\ndialogue = [{ send = 3 }, { send = \"a b\" }, { expect = 4 }]\n", input, "\"3\\na b\\n\""),
        ("columns", columns, &format!("{columns}[run]\nexit-status = 2\nstderr = {{ never = [\"{{n}}\"] }}\n"), ends, "[(CaseName(\"n=3\"), Status(2), Some(Contains { lists: [[], []], has_answer: false, never: [\"3\"], case_sensitive: true })), (CaseName(\"n=3\"), Status(2), Some(Contains { lists: [[], []], has_answer: false, never: [\"3\"], case_sensitive: true }))]"),
        ("columns", columns, &format!("{columns}[run]\nexit-status = \"ignored\"\n"), ends, "[(CaseName(\"n=3\"), Ignored, None), (CaseName(\"n=3\"), Ignored, None)]"),
        ("columns", "cases = { n = 3 }\n", "[[subtask.case]]\nname = \"none\"\nexit-status = 1\nstderr = \"usage: {n}\"\nvariables = { n = 3 }\n", ends, "[(CaseName(\"none\"), Status(1), Some(Contains { lists: [[Sought { what: Text(\"usage: 3\"), after: None, sent: 0 }]], has_answer: false, never: [], case_sensitive: true }))]"),
        ("times", tokens, numbers, case, "Numbers { absolute: 0.0, relative: 1e-9, tokens: TokenOptions { case_sensitive: true, space_change_sensitive: true } }"),
    ] {
        let mut library = spoilt(&format!("{file}/problem.toml"), from, to);
        library.insert(format!("{file}/check/main.cpp"), "x");
        let problem = load_problem(&library, file, BUILTINS, &Languages::built_in()).unwrap();
        assert_eq!(value(&problem), expected, "{to}");
    }
}

#[test]
fn a_first_problem_needs_no_limits_and_its_variables_may_be_words() {
    let plain = "[limits]\ntime = \"2 s\"\n";
    let mut library = spoilt(
        "columns/problem.toml",
        plain,
        "[build]\nflags.c = [\"-Werror\"]\n",
    );
    let file = String::from_utf8(library.read("columns/problem.toml").unwrap()).unwrap();
    let file = file
        .replace(
            "files = [\"columns.*\"]",
            "file = [\"columns.py\", \"Columns.java\"]",
        )
        .replacen("{ n = 3 }", "{ n = 3, test = \"push, Stack.pop\" }", 1);
    library.insert("columns/problem.toml", file);
    let problem = load_problem(&library, "columns", BUILTINS, &Languages::built_in()).unwrap();
    let rule = &problem.submission;
    assert_eq!(
        text_of(&rule.names, &rule.files, &rule.languages),
        r#"{java: "Columns.java", python: "columns.py"} ["Columns.*"] [java, python]"#
    );
    let names = problem.subtasks[0]
        .cases
        .iter()
        .map(|case| case.name.as_str());
    assert_eq!(
        names.collect::<Vec<_>>(),
        ["n=3,test=push", "n=3,test=Stack.pop"]
    );
    assert_eq!(text(&problem.limits.time), "Absolute(CpuTime(2s))");
    let flags = |id| {
        problem
            .languages
            .get(id)
            .unwrap()
            .definition
            .flags
            .join(" ")
    };
    assert!(
        flags(LanguageId::C).ends_with(" -Werror"),
        "{}",
        flags(LanguageId::C)
    );
    assert!(!flags(LanguageId::Cpp).contains("-Werror"));
    let changes = "[c]\ncompile = [\"tcc\", \"{files}\"]";
    let languages = Languages::with(&toml::from_str(changes).unwrap()).unwrap();
    let mistakes = load_problem(&library, "columns", BUILTINS, &languages).unwrap_err();
    assert_eq!(
        short(&mistakes[0]),
        "p/columns/problem.toml:9:7 <c> C takes no flags / neither `compile` nor `run` of `[languages.c]` contains `{flags}`"
    );
}

fn text_of(one: &impl Debug, two: &impl Debug, three: &impl Debug) -> String {
    format!("{one:?} {two:?} {three:?}")
}

#[test]
fn the_source_of_a_function_is_built_under_the_name_that_its_callers_know() {
    let library = spoilt(
        "columns/problem.toml",
        "files = [\"columns.*\"]",
        "file = \"gcd.py\"",
    );
    let problem = load_problem(&library, "columns", BUILTINS, &Languages::built_in()).unwrap();
    let languages = Languages::built_in();
    let python = languages.get(LanguageId::Python).unwrap();
    let renamed = |paths: &[&str]| {
        let sources = paths
            .iter()
            .map(|path| SourceFile::new(*path, path.as_bytes()));
        let sources: Vec<_> = sources.collect();
        let built = problem.submission.renamed(python, &sources)?;
        Some(
            built
                .into_iter()
                .map(|it| it.path)
                .collect::<Vec<_>>()
                .join(" "),
        )
    };
    for (paths, expected) in [
        (&["GCD.py"][..], Some("gcd.py")),
        (&["gcd (1).py"], Some("gcd.py")),
        (&["gcd.py.txt"], Some("gcd.py")),
        (&["notes.txt", "mine.py"], Some("notes.txt gcd.py")),
        (
            &["src/Gcd.py", "src/help.py", "notes.txt"],
            Some("gcd.py help.py notes.txt"),
        ),
        (&["old/gcd.py", "GCD.py"], Some("old/gcd.py gcd.py")),
        (&["old/gcd.py", "gcd.py"], Some("old/gcd.py gcd.py")),
        (&["a.py", "b.py"], None),
        (&["a.txt", "b.txt"], None),
    ] {
        assert_eq!(renamed(paths).as_deref(), expected, "{paths:?}");
    }
    // A module of a package is where the author's file looks for it.
    let paths = ["bank/__init__.py", "bank/GCD.py", "bank/help.py"];
    let sources = paths.map(|path| SourceFile::new(path, Vec::new()));
    for (main, expected) in [
        ("from gcd import gcd", "gcd.py"),
        ("from bank.gcd import gcd", "bank/gcd.py"),
    ] {
        let mut rule = problem.submission.clone();
        rule.include = vec![SourceFile::new("main.py", main.as_bytes())];
        let built = rule.renamed(python, &sources).unwrap();
        let built: Vec<&str> = built.iter().map(|it| &*it.path).collect();
        assert_eq!(built, ["bank/__init__.py", expected, "bank/help.py"]);
    }
}

#[test]
fn extra_files_fit_a_pattern_at_any_folder() {
    for (pattern, fitting, others) in [
        (
            "data/*.csv",
            &["data/a.csv", "HW/Data/A.CSV", "a/data/2024/b.csv"][..],
            &["a.csv", "mydata/a.csv", "data/a.csv.bak", "data"][..],
        ),
        (
            "Makefile",
            &["makefile", "src/Makefile"],
            &["Makefile.old", "old-Makefile", "Makefile/a"],
        ),
        (
            "*.txt",
            &["a.txt", "a/b/c.txt", ".txt"],
            &["a.txt/b", "txt"],
        ),
        (
            "图?/数据.*",
            &["图1/数据.csv", "作业/图2/数据.bin"],
            &["图/数据.csv"],
        ),
    ] {
        let key = format!("files = [\"columns.*\"]\nextra = [{pattern:?}]");
        let library = spoilt("columns/problem.toml", "files = [\"columns.*\"]", &key);
        let problem = load_problem(&library, "columns", BUILTINS, &Languages::built_in()).unwrap();
        let rule = &problem.submission;
        assert!(fitting.iter().all(|path| rule.is_extra(path)), "{pattern}");
        assert!(!others.iter().any(|path| rule.is_extra(path)), "{pattern}");
    }
}

#[test]
fn paths_count_from_above_what_the_authors_makefile_names() {
    let keys = "files = [\"columns.*\"]\ninclude = [\"Makefile\"]";
    let mut library = spoilt("columns/problem.toml", "files = [\"columns.*\"]", keys);
    for (rules, folder, expected) in [
        ("list: $(wildcard src/*.c)", "HW3/src", "HW3"),
        ("list: ./src/a.c", "src", ""),
        ("list: code/src/a.c", "HW3/code/src", "HW3"),
        ("list: $(wildcard *.c)", "HW3/src", "HW3/src"),
        ("list: mysrc/a.c", "src", "src"),
        ("src = $(wildcard *.c)", "src", "src"),
        ("add_subdirectory(src)", "HW3/src", "HW3"),
        ("list: /x/a.c", "", ""),
    ] {
        library.insert("columns/Makefile", rules);
        let problem = load_problem(&library, "columns", BUILTINS, &Languages::built_in()).unwrap();
        assert_eq!(problem.submission.above_named(folder), expected, "{rules}");
    }
}

#[test]
fn a_command_builds_the_accepted_languages_and_no_other() {
    let keys = "files = [\"columns.*\"]\nlanguages = [\"c\", \"cpp\"]\n[build]\ncommand = [\"make\", \"-s\"]\n\
                program = \"./bin//list\"";
    let library = spoilt("columns/problem.toml", "files = [\"columns.*\"]", keys);
    let problem = load_problem(&library, "columns", BUILTINS, &Languages::built_in()).unwrap();
    let built = problem
        .languages
        .iter()
        .filter_map(|it| Some((it.id, it.definition.build.as_ref()?)));
    let built: Vec<_> = built
        .map(|(id, build)| text((id, build.typed(), &build.program)))
        .collect();
    assert_eq!(
        built,
        [
            r#"(c, "make -s", "bin/list")"#,
            r#"(cpp, "make -s", "bin/list")"#
        ]
    );
    let c = problem.languages.get(LanguageId::C).unwrap();
    assert!(c.has_own_commands() && !c.without_build().has_own_commands());
}

#[test]
fn a_problem_says_which_files_make_up_a_project() {
    let keys = "files = [\"columns.*\"]\nproject = false\nentry = \"Main.C\"\n\
                required = [\"list.h\", \"List.java\", \"Makefile\"]\nextra = [\"makefile\"]";
    let library = spoilt("columns/problem.toml", "files = [\"columns.*\"]", keys);
    let problem = load_problem(&library, "columns", BUILTINS, &Languages::built_in()).unwrap();
    let rule = &problem.submission;
    assert_eq!(
        text((rule.project, &rule.entry, &rule.required, &rule.extra)),
        r#"(Some(false), Some("Main.C"), ["list.h", "List.java", "Makefile"], ["makefile"])"#
    );
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
fn assignments_of_one_process_define_the_same_language_each_in_its_own_way() {
    let toy = LanguageId::new("toy").unwrap();
    let with = |extension: &str, factor: u32| {
        let mut files = files();
        let table = format!(
            "[languages.toy]\nname = 'Toy {factor}'\nextensions = ['{extension}']\nrun = ['toy', '{{main}}']\n\
             time-factor = {factor}.0\n"
        );
        let assignment = files.get_mut("assignment.toml").unwrap();
        let at = assignment.windows(2).position(|it| it == b"[[").unwrap();
        assignment.splice(at..at, table.into_bytes());
        load(files)
    };
    let (one, other, plain) = (with("toy", 2), with("t", 3), load(files()));
    for (assignment, extension, factor) in [(&one, "toy", 2.0), (&other, "t", 3.0)] {
        let Assignment { languages, .. } = assignment;
        assert_eq!(languages.name(toy), format!("Toy {factor}"));
        for other in ["toy", "t"] {
            let found = languages.of_file_name(&format!("a.{other}"));
            let found = found.map(|language| language.id);
            assert_eq!(found, Some(toy).filter(|_| other == extension));
        }
        for Entry { problem, .. } in &assignment.problems {
            assert_eq!(problem.languages, *languages);
            let limits = LanguageLimits {
                time_factor: factor,
                memory: None,
            };
            assert_eq!(problem.limits.for_language(toy), limits);
        }
        let all = &assignment.problems[1].problem.submission.languages;
        assert!(all.contains(&toy));
    }
    assert_eq!(plain.languages, Languages::built_in());
    assert_eq!(plain.languages.get(toy), None);
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
    let moved = load_problem(&library, "deep/er/count", BUILTINS, &Languages::built_in()).unwrap();
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

/// A rule's CPU time limit in milliseconds, given times in milliseconds: the case's own, the named cases', start-up.
fn limit(rule: &LimitRule, language: LanguageId, times: (u64, u64, u64, u64)) -> u128 {
    limit_of(None, rule, language, times)
}

fn limit_of(
    case: Option<&ReferenceLimit>,
    rule: &LimitRule,
    language: LanguageId,
    times: (u64, u64, u64, u64),
) -> u128 {
    let (own, at_least, at_most, start_up) = times;
    let times = ReferenceTimes {
        own: CpuTime::from_millis(own),
        at_least: Some(CpuTime::from_millis(at_least)),
        at_most: Some(CpuTime::from_millis(at_most)),
        start_up: CpuTime::from_millis(start_up),
        slowest: None,
    };
    rule.resolve(case, language, Some(&times)).cpu.0.as_millis()
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
    // On a machine of a different speed, every limit scales, except for the slack.
    let slower = limit(&rule, LanguageId::Python, (300, 30, 3000, 90));
    assert_eq!(slower - 50, 3 * (6110 - 50));
}

#[test]
fn a_case_may_follow_the_reference_in_another_case() {
    let given = "answer = \"{odd}\\n\"";
    let time = "time = { reference = 31, case = \"small/n=7\", at-most = { reference = 66, case = \"large/m=2,n=3\" } }";
    let library = spoilt("count/problem.toml", given, &format!("{given}\n{time}"));
    let problem = load_problem(&library, "count", BUILTINS, &Languages::built_in()).unwrap();
    let times = problem.subtasks.iter().flat_map(|it| &it.cases);
    let times = times.filter_map(|case| case.time.as_ref().map(|time| (&case.name, time)));
    let times: Vec<_> = times.collect();
    let [(name, time)] = times[..] else {
        panic!("{times:?}");
    };
    let named: Vec<_> = time.named().map(|it| (&*it.name, it.hidden)).collect();
    assert_eq!(name.as_str(), "given");
    assert_eq!(named, [("small/n=7", false), ("large/m=2,n=3", true)]);
    // The problem's `at-least` and `at-most` do not apply.
    for (language, times, expected) in [
        (LanguageId::C, (100, 9000, 1, 0), 3150),
        (LanguageId::Python, (100, 9000, 1, 30), 116),
        (LanguageId::Python, (1, 9000, 100, 30), 730),
    ] {
        let found = limit_of(Some(time), &problem.limits, language, times);
        assert_eq!(found, expected, "{language} {times:?}");
    }
}

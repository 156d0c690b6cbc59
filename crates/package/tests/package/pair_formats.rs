//! Formats that consist of pairs of files: Hydro, UOJ, QDUOJ, Luogu.

use std::fmt::Write as _;

use crate::common::{Package, refused};

/// A package with tests of one line, each its own answer, in a folder.
fn with_tests(names: &[&str]) -> Package {
    names.iter().fold(Package::new(), |package, name| {
        package
            .file(&format!("{name}.in"), "1\n")
            .file(&format!("{name}.out"), "1\n")
    })
}

/// Subtasks: name, points, what they require, tests; then `[limits]` and `[checker]`.
fn read(package: &Package, notes: &[&str]) -> String {
    let imported = package.imported(notes);
    let problem = imported.problem();
    let mut text = String::new();
    for it in &problem.subtasks {
        let hidden = if it.hidden { "" } else { " public" };
        let names: Vec<&str> = it.cases.iter().map(|case| case.name.as_str()).collect();
        let (name, points, score) = (it.name.as_str(), it.points, it.score);
        write!(
            text,
            "{name} {points} {score:?}{hidden} {:?}: {}; ",
            it.require,
            names.join(" ")
        )
        .unwrap();
    }
    let toml = imported.text("problem.toml");
    for line in toml.lines() {
        if [
            "time = ",
            "memory = ",
            "[checker",
            "source = ",
            "protocol = ",
        ]
        .iter()
        .any(|it| line.starts_with(it))
        {
            write!(text, "{line} ").unwrap();
        }
    }
    text
}

const BY_NAME: &str = "the package lists no tests: they are found by their names";
const LARGEST: &str = "the limits differ between tests: all get the largest";

/// A package of Hydro.
fn hydro(names: &[&str], config: &str) -> Package {
    let names: Vec<String> = names
        .iter()
        .map(|name| format!("testdata/{name}"))
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    with_tests(&names)
        .file("problem.yaml", "pid: P1\nowner: 2\ntitle: 求和\ntag: []\n")
        .file("testdata/config.yaml", config)
}

#[test]
fn tests_of_hydro_that_are_found_by_name_are_scored_as_there() {
    // The number before the last one names a subtask.
    for (names, expected) in [
        (&["sample1", "test1"][..], "1 100 Sum []: sample1 test1; "),
        (&["1-1", "1-2"], "1 100 All []: 1-1 1-2; "),
        (
            &["a01_1", "a01_2", "a02_1"],
            "1 50 All []: a01_1 a01_2; 2 50 All []: a02_1; ",
        ),
    ] {
        let limits = "time = \"2.3 s\" memory = \"256 MiB\" [checker.lines] ";
        let found = read(&hydro(names, "time: '2300'\nmemory: '256'\n"), &[BY_NAME]);
        assert_eq!(found, format!("{expected}{limits}"));
    }
    let one = "checker: x.cc\nsubtasks: [{score: 12.5, cases: [{input: 1.in, output: 1.out}]}]\n";
    assert_eq!(
        read(
            &hydro(&["1"], one),
            &["`checker` is not used: `checker_type` is `default`"]
        ),
        "1 12.5 All []: 1; time = \"1 s\" memory = \"256 MiB\" [checker.lines] "
    );
}

#[test]
fn packages_of_hydro_are_problems() {
    // Without a list, by names: whole numbers, the larger ones last.
    let package = hydro(&["1", "2", "3"], "time: 500ms\nmemory: 64m\n").file(
        "problem_zh.md",
        b"\xc7\xf3\xba\xcd\xa3\xba\xca\xe4\xc8\xeb\xc1\xbd\xb8\xf6\xd5\xfb\xca\xfd\n",
    );
    assert_eq!(
        read(&package, &[BY_NAME]),
        "1-33 66 Sum []: 1 2; 1-34 34 Sum []: 3; time = \"0.5 s\" memory = \"64 MiB\" [checker.lines] "
    );
    assert_eq!(
        package.imported(&[BY_NAME]).text("statement.zh.md"),
        "求和：输入两个整数\n"
    );
    let subtasks = "
time: 1s
checker_type: testlib
checker: {file: chk.cpp, lang: cc}
subtasks:
- {id: 1, score: 30, type: min, cases: [{input: 1.in, output: 1.out}, {input: 2.in, output: 2.out}]}
- {id: 2, type: sum, if: [1], time: 2s, cases: [{input: 3.in, output: 3.out, score: 10}, {input: 4.in, output: /dev/null}]}
";
    let package =
        hydro(&["1", "2", "3", "4"], subtasks).file("testdata/chk.cpp", "int main() {}\n");
    assert_eq!(
        read(&package, &["`testdata/4.out` is not used", LARGEST]),
        "1 30 Worst []: 1 2; 2-10 10 Sum [SubtaskName(\"1\")]: 3; 2-60 60 Sum [SubtaskName(\"1\")]: 4; \
         time = \"2 s\" memory = \"256 MiB\" [checker.program] protocol = \"testlib\" source = \"checker\" "
    );
    // Names that differ only in their extensions.
    let cases = "cases: [{input: A.I1, output: A.O1}, {input: A.I2, output: A.O2}]\n";
    let files = ["I1", "I2", "O1", "O2"].map(|it| format!("testdata/A.{it}"));
    let package = files
        .iter()
        .fold(hydro(&[], cases), |package, path| package.file(path, "1\n"));
    assert_eq!(
        read(&package, &[]),
        "1 100 Sum []: A-2 A; time = \"1 s\" memory = \"256 MiB\" [checker.lines] "
    );
    for (config, message) in [
        (
            "type: objective\n",
            "problems of the type `objective` are not supported",
        ),
        (
            "type: submit_answer\n",
            "problems of the type `submit_answer` are not supported",
        ),
        (
            "user_extra_files: [a.h]\n",
            "`user_extra_files`: `a.h` beside the student's program is not supported",
        ),
        (
            "checker_type: lemon\n",
            "the checkers of the type `lemon` are not supported",
        ),
        (
            "checker_type: testlib\nchecker: ../../x.cpp\n",
            "`testdata/../../x.cpp`: expected the source of the checker",
        ),
        (
            "time: fast\n",
            "`testdata/config.yaml`: expected limits such as `1s`, `500ms` and `256m`",
        ),
        (
            "cases: [{input: ../../x, output: 1.out}]\n",
            "`testdata/../../x`: the path must not contain `..`",
        ),
        (
            "subtasks: [{id: 1, type: max, cases: [{input: 1.in}, {input: 2.in}]}]\n",
            "subtask `1`: the type `max` is not supported",
        ),
        (
            "subtasks: [{id: 1, if: [2], cases: [{input: 1.in}]}]\n",
            "subtask `1` requires subtask `2`, which has no tests or comes later",
        ),
        ("multi_pass: 2\n", "`multi_pass` is not supported"),
        (
            "time: -1\n",
            "`testdata/config.yaml`: expected limits such as `1s`, `500ms` and `256m`",
        ),
        (
            "subtasks: [{score: 30}, {score: 70}]\n",
            "subtask `2` has no tests",
        ),
        (
            "subtasks: [{id: easy, cases: [{input: 1.in}]}, {id: hard, cases: []}]\n",
            "subtask `hard` has no tests",
        ),
    ] {
        refused(&hydro(&["1", "2"], config), message);
    }
    refused(
        &hydro(&[], ""),
        "a problem must have 1 to 10000 tests, found 0",
    );
}

#[test]
fn uoj() {
    let uoj = |lines: &str| {
        let conf = format!(
            "use_builtin_judger on\nuse_builtin_checker ncmp\ninput_pre a\ninput_suf in\noutput_pre a\noutput_suf out\n{lines}"
        );
        with_tests(&["a1", "a2", "a3", "ex_a1", "ex_a2"]).file("problem.conf", conf)
    };
    let extra = "an extra test that fails takes 3 points away in UOJ; here, it is worth nothing";
    let unused = ["1", "2"].map(|it| {
        [
            format!("`ex_a{it}.in` is not used"),
            format!("`ex_a{it}.out` is not used"),
        ]
    });
    let unused: Vec<&str> = unused.iter().flatten().map(String::as_str).collect();
    assert_eq!(
        read(&uoj("n_tests 3\n"), &unused),
        "tests 100 Sum []: 1 2 3; time = \"1 s\" memory = \"256 MiB\" [checker.tokens] "
    );
    // One test has another limit; and a part of a packed subtask is worth nothing.
    let own = "use_builtin_judger on\nn_tests 2\nn_subtasks 2\nsubtask_end_1 1\nsubtask_end_2 2\nsubtask_type_2 min\n\
               input_suf in\noutput_suf out\ntime_limit_2 0.5\n";
    let package = with_tests(&["input1", "input2"])
        .file("output1.out", "1\n")
        .file("output2.out", "1\n")
        .file("chk.cpp", "int main() {}\n")
        .file("problem.conf", own);
    let notes = [
        "`input1.out` is not used",
        "`input2.out` is not used",
        "`time_limit` differs between tests: all get the largest",
    ];
    assert_eq!(
        read(&package, &notes),
        "1 50 All []: 1; 2 50 Worst []: 2; time = \"1 s\" memory = \"256 MiB\" \
         [checker.program] protocol = \"testlib\" source = \"checker\" "
    );
    let lines = "n_tests 3\nn_ex_tests 2\nn_sample_tests 1\nn_subtasks 2\nsubtask_end_1 1\nsubtask_score_1 40\nsubtask_end_2 3\n\
                 subtask_score_2 60\nsubtask_dependence_2 many\nsubtask_dependence_2_1 1\ntime_limit 2\ntime_limit_3 3\n\
                 memory_limit 512\nhaha 1\n";
    assert_eq!(
        read(
            &uoj(lines),
            &[
                "`problem.conf`: `haha` is not used",
                "`time_limit` differs between tests: all get the largest",
                extra
            ],
        ),
        "sample 0 Sum public []: 1; extra 0 Sum []: 2; 1 40 All []: 1; 2 60 All [SubtaskName(\"1\")]: 2 3; \
         time = \"3 s\" memory = \"512 MiB\" [checker.tokens] "
    );
    for (lines, message) in [
        (
            "submit_answer on\n",
            "`submit_answer` needs the judge of UOJ",
        ),
        (
            "interaction_mode on\n",
            "`interaction_mode` needs the judge of UOJ",
        ),
        (
            "with_implementer on\n",
            "`with_implementer` needs the judge of UOJ",
        ),
        (
            "use_builtin_judger off\n",
            "the package has its own judge (`use_builtin_judger` is not `on`)",
        ),
        (
            "use_builtin_checker uncmp\n",
            "the checker `uncmp` is not supported",
        ),
        (
            "n_tests 1000000\n",
            "`problem.conf`: the numbers of tests and subtasks are too large, or there are none",
        ),
        (
            "n_tests -1\n",
            "`problem.conf`: `n_tests`: expected a number, found `-1`",
        ),
        (
            "n_tests 3\nn_subtasks 2\nsubtask_end_1 9\n",
            "`problem.conf`: `subtask_end_1`: expected 1 to 3, found 9",
        ),
        (
            "a b c\n",
            "`problem.conf`: expected a key and a value, found `a b c`",
        ),
    ] {
        refused(&uoj(lines), message);
    }
    assert!(
        uoj("input_pre ../../x\n")
            .refusal()
            .contains("the path must not contain `..`")
    );
}

#[test]
fn qduoj() {
    let qduoj = |more: &str| {
        let json = format!(
            r#"{{"display_id": "1", "title": "Sum", "description": {{"format": "html", "value": "<p>Add.</p>"}},
            "time_limit": 1500, "memory_limit": 64, "samples": [{{"input": "1", "output": "2"}}],
            "test_case_score": [{{"score": 40, "input_name": "1.in", "output_name": "1.out"}},
            {{"score": 60, "input_name": "2.in", "output_name": "2.out"}}], "spj": null, "template": {{}}, "answers": []{more}}}"#
        );
        with_tests(&["testcase/1", "testcase/2"]).file("problem.json", json)
    };
    let spaces = "spaces at the end of each line do not matter; in QDUOJ, only those at the end of the output";
    let limits = "time = \"1.5 s\" memory = \"64 MiB\" [checker.lines] ";
    let oi = qduoj(r#", "rule_type": "OI""#);
    assert_eq!(
        read(&oi, &[spaces]),
        format!("tests-40 40 Sum []: 1; tests-60 60 Sum []: 2; {limits}")
    );
    assert_eq!(
        oi.imported(&[spaces]).text("statement.en.md"),
        "Add.\n\n```\n1\n```\n\n```\n2\n```\n"
    );
    let acm = qduoj(r#", "rule_type": "ACM", "haha": 1"#);
    assert_eq!(
        read(&acm, &["`problem.json`: `haha` is not used", spaces]),
        format!("tests 1 All []: 1 2; {limits}")
    );
    let acm = acm.file("testcase/3.in", "1\n");
    let notes = [
        "`problem.json`: `haha` is not used",
        "`testcase/3.in` is not used",
        spaces,
    ];
    acm.imported(&notes);
    refused(
        &acm.file("problem.json", "{}"),
        "`testcase/3.in`: the test has no output",
    );
    let package = |json: &str| with_tests(&["testcase/1"]).file("problem.json", json);
    for (json, message) in [
        ("{", "`problem.json`: …"),
        (
            r#"{"spj": {"code": "int main() {}", "language": "C"}}"#,
            "special judges of QDUOJ (`spj`) are not supported: they read no answer file",
        ),
        (
            r#"{"template": {"C": {"prepend": "int x;", "template": "", "append": ""}}}"#,
            "`template`: code around the student's in C is not supported",
        ),
    ] {
        refused(&package(json), message);
    }
}

#[test]
fn luogu() {
    let luogu = |config: &str| with_tests(&["a1", "a2"]).file("config.yml", config);
    let package = luogu(
        "a1.in: {timeLimit: 1000, memoryLimit: 131072, score: 40, subtaskId: 0}\n\
         a2.in: {timeLimit: 2000, memoryLimit: 131072, score: 60, subtaskId: 1, isPretest: false}\n",
    );
    let notes = [
        "a subtask earns the points of its tests if all pass: the package does not say how it scores",
        LARGEST,
    ];
    assert_eq!(
        read(&package, &notes),
        "0 40 All []: a1; 1 60 All []: a2; time = \"2 s\" memory = \"128 MiB\" [checker.lines] "
    );
    let twice = luogu(
        "a1.in: {timeLimit: 1000, score: 40}\na1.in: {timeLimit: 1000, score: 50}\na2.in: {timeLimit: 1000, score: 50}\n",
    );
    assert_eq!(
        read(
            &twice,
            &["`config.yml`: duplicate key: the last value is used"]
        ),
        "0 100 Sum []: a1 a2; time = \"1 s\" memory = \"128 MiB\" [checker.lines] "
    );
    refused(
        &luogu("a1.in: {timeLimit: 1}\na2.in: {timeLimit: 1}\na3.in: {timeLimit: 1, score: 20}\n"),
        "`config.yml`: `a3.in` is not the input of a test",
    );
    refused(
        &luogu("a1.in: {timeLimit: 1000, memoryLimit: 131072, score: 40}\n"),
        "`a2.in`: expected an answer, and settings in `config.yml`",
    );
}

#[test]
fn formats_that_are_not_read_are_named() {
    refused(
        &Package::new().file("problem.rbx.yml", "name: x\n"),
        "packages of rbx; export it for Polygon (`rbx package polygon`) are not supported",
    );
}

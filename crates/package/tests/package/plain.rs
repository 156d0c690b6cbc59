//! Folders of tests in no format.

use std::fmt::Write as _;

use grader_model::Points;

use crate::common::{Package, refused};

const WORDS: &str = "outputs are compared by words: `[checker.tokens]`, for you to change";
const LIMITS: &str =
    "the limits are 2 s and 256 MiB in every language; change them with `--time` and `--memory`";
const SHARES: &str = "each test earns its share of the points";
const GROUPS: &str = "a subtask earns its points if all its tests pass";
const POINTS: &str = "the tests are worth 100 points in all; change that with `--points`";

/// Tests, each of one line, which is its answer, too.
fn tests(names: &[&str]) -> Package {
    let mut package = Package::new();
    for name in names {
        package = package.file(&format!("{name}.in"), "1\n");
        package = package.file(&format!("{name}.out"), "1\n");
    }
    package
}

/// Subtasks: name, points, score, tests.
fn subtasks(package: &Package, notes: &[&str]) -> String {
    let problem = package.imported(notes).problem();
    let mut text = String::new();
    for it in &problem.subtasks {
        let hidden = if it.hidden { "" } else { " public" };
        let names: Vec<&str> = it.cases.iter().map(|case| case.name.as_str()).collect();
        let name = it.name.as_str();
        write!(text, "{name} {}{hidden}: {}; ", it.points, names.join(" ")).unwrap();
    }
    text
}

#[test]
fn groups_of_tests_are_subtasks_and_options_give_their_points() {
    let package = tests(&["1", "2", "10"]);
    let notes = [SHARES, WORDS, LIMITS, POINTS];
    assert_eq!(subtasks(&package, &notes), "tests 100: 1 2 10; ");
    let mut package = tests(&["1a", "1b", "2a", "3a", "sample/1"]);
    let notes = [GROUPS, WORDS, LIMITS, POINTS];
    let expected = "sample 0 public: sample-1; 1 33.33: 1a 1b; 2 33.34: 2a; 3 33.33: 3a; ";
    assert_eq!(subtasks(&package, &notes), expected);
    package.options.points = [20, 30, 50].map(Points::whole).to_vec();
    package.options.seconds = Some(0.5);
    package.options.mebibytes = Some(64.0);
    let expected = "sample 0 public: sample-1; 1 20: 1a 1b; 2 30: 2a; 3 50: 3a; ";
    assert_eq!(subtasks(&package, &[GROUPS, WORDS]), expected);
    let toml = package.imported(&[GROUPS, WORDS]).text("problem.toml");
    assert!(
        toml.contains("time = \"0.5 s\"\nmemory = \"64 MiB\"\n"),
        "{toml}"
    );
    package.options.points.pop();
    refused(
        &package,
        "`--points` has 2 numbers for 3 subtasks: give one for each, or one for all together",
    );
    let mut samples = tests(&["sample1"]);
    let expected = "sample 0 public: sample1; ";
    assert_eq!(subtasks(&samples, &[WORDS, LIMITS]), expected);
    samples.options.points = vec![Points::whole(10)];
    refused(
        &samples,
        "`--points` has 1 numbers for 0 subtasks: give one for each, or one for all together",
    );
    let mut package = package.file("problem.yaml", "name: x\n");
    package.options.points.clear();
    refused(
        &package,
        "`--time`, `--memory` and `--points` are for a folder of tests; this package has its own",
    );
}

#[test]
fn what_lies_beside_the_tests_is_used_or_noted() {
    let gbk = b"# \xc7\xf3\xba\xcd\n\xca\xe4\xc8\xeb\xc1\xbd\xb8\xf6\xd5\xfb\xca\xfd\n";
    let package = tests(&["1", "2", "3"])
        .file("std.py", "print(input())\n")
        .file("brute.py", "print(input())\n")
        .file("chk.cpp", "#include \"testlib.h\"\n")
        .file("testlib.h", "")
        .file("题面.md", gbk)
        .file("notes.txt", "x");
    let imported = package.imported(&[
        "`brute.py` is not used",
        "`notes.txt` is not used",
        "`题面.md` is the statement",
        SHARES,
        LIMITS,
        POINTS,
    ]);
    assert_eq!(imported.text("statement.md"), "# 求和\n输入两个整数\n");
    for path in [
        "submissions/accepted/std.py",
        "checker/chk.cpp",
        "checker/testlib.h",
    ] {
        imported.text(path);
    }
    // A document of another name may give the problem away.
    for (paths, note) in [
        (&["sum.pdf"][..], "`sum.pdf` is the statement"),
        (&["editorial.pdf"], "`editorial.pdf` is not used"),
    ] {
        let package = paths
            .iter()
            .fold(tests(&["1"]), |it, path| it.file(path, "%PDF"));
        package.imported(&[note, SHARES, WORDS, LIMITS, POINTS]);
    }
    // Neither UTF-8 nor GBK; an answer that the solution must give; a checker of another judge.
    let package = tests(&["1", "2"])
        .file("3.in", "1\n")
        .file("sol.py", "print(input())\n")
        .file("spj.cc", "int main() {}\n")
        .file("README.md", b"\xff\xfe\x80\n");
    let imported = package.imported(&[
        "`README.md` is not used: it is neither in UTF-8 nor in GBK",
        "`spj.cc` is not used",
        "`spj.cc` may be a checker; only those that include `testlib.h` are taken",
        SHARES,
        WORDS,
        "tests without an answer file get the output of `submissions/accepted/sol.py`",
        LIMITS,
        POINTS,
    ]);
    let toml = imported.text("problem.toml");
    assert!(
        toml.contains("path = \"submissions/accepted/sol.py\""),
        "{toml}"
    );
}

#[test]
fn a_folder_of_something_else_is_refused() {
    refused(
        &tests(&["1"]).file("2.in", "1\n"),
        "`2.in` has no answer, and there is no solution (`std.cpp`) to give it",
    );
    refused(
        &tests(&["1"]).file("1.ans", "1\n"),
        "one test has several answers: `1.ans` and `1.out`",
    );
    let class = ["ada", "bob", "eve"].map(|student| (format!("{student}/sum.py"), "print(1)\n"));
    let class = class.iter().fold(tests(&["1"]), |package, (path, text)| {
        package.file(path, text)
    });
    refused(
        &class,
        "expected a problem package or a folder of tests: 2 files belong to tests, and 3 do not",
    );
    refused(
        &tests(&["1"])
            .beside("secret", "1\n")
            .link("2.in", "../secret")
            .link("2.out", "../secret"),
        "`2.in`: the path leads out of its folder",
    );
    refused(
        &tests(&["1/testcase/1", "2/testcase/1"])
            .file("1/problem.json", "{}")
            .file("2/problem.json", "{}"),
        "this folder contains several packages: import one at a time, for example `1`",
    );
    refused(
        &tests(&["problem_1000/1"]).file("problem_1000.json", "{}"),
        "packages of HOJ are not supported",
    );
    let circle = tests(&["1"]).link("a", ".").link("b", ".");
    refused(&circle, "folders are nested more than 16 deep");
}

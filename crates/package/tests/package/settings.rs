//! Settings of single tests, flags, and what is larger or older than our format.

use crate::common::{Package, refused};
use crate::meaning::{LEGACY, NEW};

/// A validator that compares with the word in its arguments, and crashes without one.
const WORD: &str = "import sys\nword = sys.argv[sys.argv.index('--word') + 1]\nsys.exit(42 if sys.stdin.read().strip() == word else 43)\n";

#[test]
fn settings_of_tests_that_judging_would_ignore_are_refused() {
    let head = NEW.replace("scoring", "pass-fail");
    for (file, text, message) in [
        (
            "data/secret/2.yaml",
            "output_validator_arg: [x]\n",
            "`data/secret/2.yaml`: a test has no setting `output_validator_arg`",
        ),
        (
            "data/secret/2.yaml",
            "output_validator_args: 7\n",
            "`data/secret/2.yaml: output_validator_args`: expected a list, found `7`",
        ),
        (
            "data/secret/test_group.yaml",
            "static_validation_score: 10\n",
            "`data/secret/test_group.yaml`: a score for the source (`static_validation_score`) is not supported",
        ),
        (
            "data/secret/test_group.yaml",
            "require_pass: secret/none\n",
            "`data/secret`: `require_pass`: there are no tests in `data/secret/none`",
        ),
        (
            "data/secret/3.files/data.txt",
            "x",
            "`data/secret/3.files`: there is no test `3.in` with these files",
        ),
        (
            "data/secret/2.files/inner/data.txt",
            "x",
            "`data/secret/2.files/inner`: folders that submissions read are not supported",
        ),
        (
            "static_validator/check.py",
            "",
            "programs that read submissions (`static_validator/`) are not supported",
        ),
        (
            "generators/generators.yaml",
            "data: {secret: {data: {9: {generate: g.py, yaml: {output_validator_args: [x]}}}}}\n",
            "`generators/generators.yaml`: `data/secret/9`: `output_validator_args` of a single test is not supported",
        ),
    ] {
        let files = [("problem.yaml", &*head), (file, text)];
        refused(&Package::of(&files).test("secret/2", "2"), message);
    }
    // One program talks to the submissions in all tests.
    let head = head.replace("pass-fail", "interactive");
    let package = Package::of(&[
        ("problem.yaml", &head),
        ("output_validator/check.py", WORD),
        (
            "data/secret/2.yaml",
            "output_validator_args: [\"--word\", two]\n",
        ),
    ]);
    refused(
        &package.test("sample/1", "1").test("secret/2", "2"),
        "`data/sample`: the interactor gets other arguments here than in other tests, which is not supported",
    );
}

#[test]
fn flags_of_the_problem_and_of_a_group_are_both_passed() {
    let head = "validation: custom\nvalidator_flags: --all\nlimits: {time_limit: 1}\n";
    let package = Package::of(&[
        ("problem.yaml", head),
        ("output_validators/check/check.py", WORD),
        (
            "data/secret/testdata.yaml",
            "output_validator_flags: --own\n",
        ),
    ]);
    let package = package.test("secret/1", "1");
    let checker = package.imported(&[]).table()["checker"].to_string();
    assert_eq!(
        checker,
        "{ program = { arguments = [\"--all\", \"--own\"], processes = 64, source = \"output-validator\" } }"
    );
}

#[test]
fn what_is_older_or_larger_than_our_format_is_refused_or_noted() {
    let of = |head: &str| Package::of(&[("problem.yaml", head)]).test("secret/1", "1");
    for (grading, message) in [
        (
            "objective: min",
            "problems in which the lowest score is best (`objective: min`) are not supported",
        ),
        (
            "accept_score: 5",
            "`problem.yaml: grading`: `accept_score` is not supported: write it into `data/testdata.yaml`",
        ),
    ] {
        refused(&of(&format!("{LEGACY}grading: {{{grading}}}\n")), message);
    }
    let package = of("limits: {time_limit: 1, output: 24576}\n");
    let notes = ["the output limit is 128 MiB, our maximum, instead of 24576 MiB"];
    let limits = package.imported(&notes).table()["limits"].clone();
    assert_eq!(limits["output"].as_str(), Some("128 MiB"));
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n";
    let package = of("limits: {time_limit: 1}\n").file("data/secret/2.in", pointer);
    refused(
        &package.file("data/secret/2.ans", "1\n"),
        "`data/secret/2.in` is not in this copy: run `git lfs pull` there first",
    );
}

#[test]
fn a_test_keeps_the_arguments_and_files_of_submissions() {
    let head = NEW.replace("scoring", "pass-fail");
    let imported = Package::of(&[
        ("problem.yaml", &head),
        ("input_validators/check.py", ""),
        ("data/secret/test_group.yaml", "args: [all]\n"),
        ("data/secret/2.yaml", "args: [\"{n}\", two]\n"),
        ("data/secret/2.files/data.txt", "x"),
    ])
    .test("secret/1", "1")
    .test("secret/2", "2")
    .imported(&[
        "the input validator gets neither the arguments (`args`) nor the files (`*.files`) of tests",
    ]);
    assert_eq!(
        imported.subtasks(),
        r#"name = "secret"
points = 1
score = "all"
hidden = true

[[subtask.case]]
name = "1"
arguments = ["all"]
stdin-file = "data/secret/1.in"
answer-file = "data/secret/1.ans"

[[subtask.case]]
name = "2"
arguments = ["{{n}}", "two"]
files = ["data/secret/2.files/data.txt"]
stdin-file = "data/secret/2.in"
answer-file = "data/secret/2.ans"
"#
    );
}

//! Which samples set a time limit, and what is expected of them.

use crate::common::{PYPY, Package};

#[test]
fn a_time_limit_follows_submissions_that_must_be_accepted_in_every_language() {
    let mut package = Package::new()
        .file("problem.yaml", "validation: default\n")
        .file("data/secret/1.in", "1\n")
        .file("data/secret/1.ans", "1\n")
        .file("submissions/accepted/Sum.java", "class Sum {}\n")
        .file(
            "submissions/mixed/a.cpp",
            "// @EXPECTED_RESULTS@: CORRECT, TIMELIMIT\n",
        );
    for number in 10..30 {
        let path = format!("submissions/accepted/{number}.py");
        package = package.file(&path, "print(1)\n");
    }
    let imported = package.imported(&[
        PYPY,
        "only 16 of 21 accepted submissions set the time limit",
    ]);
    let mut paths = vec!["10.py".to_owned(), "Sum.java".to_owned()];
    paths.extend((11..25).map(|number| format!("{number}.py")));
    let mut paths = paths
        .iter()
        .map(|name| format!("submissions/accepted/{name}"));
    let path = paths.next().unwrap();
    let timed: Vec<String> = paths.collect();
    let expected = toml::Table::from_iter([
        ("path".to_owned(), path.into()),
        ("timed".to_owned(), timed.into()),
    ]);
    assert_eq!(imported.table()["reference"], expected.into());
}

#[test]
fn groups_whose_tests_are_all_generated_keep_their_expectations() {
    let generators = "generators: {}\ndata:\n  secret:\n    data:\n      - one: {data: {a: gen.py 1}}\n      - two: {data: {b: gen.py 2}}\n";
    let imported = Package::new()
        .file("problem.yaml", "limits: {time_limit: 1}\n")
        .file("generators/generators.yaml", generators)
        .file("generators/gen.py", "import sys\nprint(sys.argv[1])\n")
        .file("submissions/accepted/a.py", "print(input())\n")
        .file(
            "submissions/wrong_answer/graded.py",
            "# @EXPECTED_GRADES@ AC WA\nprint(1)\n",
        )
        .file("submissions/wrong_answer/ruled.py", "print(1)\n")
        .file(
            "submissions/submissions.yaml",
            "wrong_answer/ruled.py: {secret/2-two: {permitted: [WA], required: [WA]}}\n",
        )
        .imported(&[PYPY]);
    assert_eq!(
        imported.text("submissions/expected.toml"),
        r#"["wrong-answer/graded.py"]
expected = ["PE", "WA"]
first-failure = true

["wrong-answer/graded.py".subtasks]
1-one = ["AC"]
2-two = ["PC", "PE", "WA"]

["wrong-answer/ruled.py"]
expected = ["PE", "WA"]
first-failure = true

["wrong-answer/ruled.py".subtasks]
2-two = ["PC", "PE", "WA"]
"#
    );
}

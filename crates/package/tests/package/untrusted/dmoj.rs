//! Packages of DMOJ.

use crate::common::{Package, refused, zip};

/// A package of DMOJ.
fn evil(yaml: &str) -> Package {
    Package::new()
        .file("init.yml", yaml)
        .file("1.in", "1\n")
        .file("check.py", "")
        .beside("secret.txt", "secret")
}

#[test]
fn hostile_settings_are_refused() {
    let cases = [
        (
            "",
            "`init.yml`: there is no list `test_cases`, and no `archive` to find cases in",
        ),
        ("test_cases: []", "`init.yml`: there are no cases"),
        (
            "test_cases: [7]",
            "`init.yml: test_cases`: expected a mapping, found `7`",
        ),
        (
            "test_cases++: node",
            "`init.yml`: `test_cases++` is Python code for the judge of DMOJ, which is not supported",
        ),
        (
            "custom_judge: check.py",
            "`init.yml`: `custom_judge` is Python code for the judge of DMOJ, which is not supported",
        ),
        ("archive: q.zip", "`q.zip`: …"),
        (
            "archive: ../q.zip",
            "`../q.zip`: expected a path inside the package, with `/` between its parts",
        ),
        (
            "test_cases: [{in: ../secret.txt}]",
            "`../secret.txt`: expected a path inside the package, with `/` between its parts",
        ),
        (
            "test_cases: [{in: /etc/passwd}]",
            "`/etc/passwd`: expected a path inside the package, with `/` between its parts",
        ),
        (
            "test_cases: [{in: 2.in}]",
            "`2.in`: No such file or directory (os error 2)",
        ),
        (
            "test_cases: [{points: many}]",
            "`init.yml: test_cases: points`: expected a number, found `\"many\"`",
        ),
        (
            "test_cases: [{in: 1.in, points: 1.0e19}]",
            "`case-1` is worth more than 1000000 points, the maximum",
        ),
        (
            "test_cases: [{in: 1.in, points: 600000}, {in: 1.in, points: 600000}]",
            "`cases-1-2` is worth more than 1000000 points, the maximum",
        ),
        (
            "test_cases: [{batched: 7}]",
            "`init.yml: test_cases`: `batched` must be a list of cases",
        ),
        (
            "test_cases: [{batched: [{in: 1.in}], dependencies: [1]}]",
            "`init.yml: test_cases`: `dependencies`: there is no earlier batch `1`",
        ),
        (
            "test_cases: [{generator_args: [a b]}]",
            "`init.yml: generator_args`: an argument must not be empty or have spaces, found \"a b\"",
        ),
        (
            "test_cases: [{generator_in: 1.in}]",
            "a generator that reads standard input (`generator_in`) is not supported",
        ),
        (
            "checker: check.py",
            "the checker `check.py` is not supported: only the judge of DMOJ can call it",
        ),
        (
            "checker: linematches",
            "the checker `linematches` is not supported: write a checker of your own, and make it a `bridged` one in `init.yml`",
        ),
        (
            "checker: {name: bridged, args: {files: check.py, type: peg}}",
            "a `bridged` checker of the type `peg` is not supported: expected `testlib`, `coci` or `default`",
        ),
        (
            "checker: {name: bridged, args: {files: ../check.py}}",
            "`../check.py`: expected a path inside the package, with `/` between its parts",
        ),
        (
            "checker: {name: floats, args: {precision: 1e9}}",
            "`init.yml: checker: args`: `precision` must be a whole number from 0 to 255, found `1000000000.0`",
        ),
        (
            "interactive: {files: check.py}",
            "an interactor of the type `default` is not supported: make it read the arguments INPUT OUTPUT ANSWER, and set `type: testlib`",
        ),
    ];
    for (yaml, message) in cases {
        refused(&evil(&format!("{yaml}\n")), message);
    }
}

#[test]
fn hostile_archives_and_too_many_cases_are_refused() {
    let many = format!("test_cases: [{}]\n", "{in: 1.in}, ".repeat(10_001));
    refused(
        &evil(&many),
        "`init.yml`: a problem may have at most 10000 cases",
    );
    let package = evil("archive: q.zip\ntest_cases: {input_format: '(?=x)(?P<case>.)'}\n")
        .file("q.zip", zip(&[("../../out.in", "1\n"), ("2.in", "2\n")]));
    refused(
        &package,
        "`init.yml: test_cases`: the pattern `(?=x)(?P<case>.)` is not supported: error: look-around, including look-ahead and look-behind, is not supported",
    );
    let package = package.file(
        "init.yml",
        "archive: q.zip\ntest_cases: {input_format: '.*out(?P<case>.*)'}\n",
    );
    refused(
        &package,
        "`../../out.in`: expected a path inside the package, with `/` between its parts",
    );
    let package = package.file("q.zip", "PK");
    refused(&package, "`q.zip`: …");
}

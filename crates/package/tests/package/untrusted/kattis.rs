//! Packages of Kattis, ICPC and DOMjudge.

use std::fmt::Write as _;

use crate::common::{Package, refused};

#[test]
fn hostile_packages_are_refused() {
    let evil = |yaml: &str| {
        Package::new()
            .file("problem.yaml", yaml)
            .file("data/secret/1.in", "1\n")
            .beside("secret.txt", "secret")
    };
    refused(
        &Package::new(),
        "expected a problem package (`problem.yaml`: Kattis, ICPC, DOMjudge, Hydro; `task.yaml`: CMS; `init.yml`: DMOJ; `problem.xml`: Polygon; `info.toml`: Library Checker; `problem.conf`: UOJ; `problem.json`: QDUOJ; an XML file: FPS) or tests (`1.in` with `1.out`)",
    );
    refused(&evil("name: [a\n"), "`problem.yaml`: …");
    refused(
        &evil("limits: 7\n"),
        "`problem.yaml: limits`: expected a mapping, found `7`",
    );
    refused(
        &evil("limits: {memory: much}\n"),
        "`problem.yaml: limits: memory`: expected a number, found `\"much\"`",
    );
    refused(
        &evil("type: submit-answer\n"),
        "the type `submit-answer` is not supported: students submit programs",
    );
    refused(
        &evil("validation: custom interactive\n"),
        "`problem.yaml`: `custom` needs an output validator, and `output_validators/` has none",
    );
    refused(
        &evil("validator_flags: fuzzy\n"),
        "the default output validator has no option `fuzzy`",
    );
    let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..12 {
        let aliases = vec![format!("*a{}", level - 1); 10].join(", ");
        writeln!(bomb, "a{level}: &a{level} [{aliases}]").unwrap();
    }
    refused(&evil(&bomb), "`problem.yaml`: …");
    let package = evil("name: x\n");
    let package = package.link("data/secret/2.in", "../../../secret.txt");
    refused(
        &package,
        "`data/secret/2.in`: the path leads out of its folder",
    );
    let package = evil("name: x\n").folder("submissions/accepted");
    let package = package.link("submissions/accepted/all", "/etc");
    refused(
        &package,
        "`submissions/accepted/all`: the path leads out of its folder",
    );
    // Neither the files nor what is generated are too many alone.
    let generators = "data: {secret: {data: [a: {generate: gen.py, count: 9900}]}}\n";
    let mut package = evil("name: x\n")
        .file("generators/generators.yaml", generators)
        .file("generators/gen.py", "");
    for number in 1..=101 {
        package = package.file(&format!("data/secret/{number}.in"), "");
    }
    refused(
        &package,
        "`data/secret`: a group may have at most 10000 tests, found 10001",
    );
    let package = evil("name: x\n").file("graders/grader.py", "");
    refused(
        &package,
        "custom graders (`graders/`, `grading: custom`) are not supported",
    );
    let package = evil("name: x\n").file("data/testdata.yaml", "grading: custom\n");
    refused(
        &package,
        "custom graders (`graders/`, `grading: custom`) are not supported",
    );
    let package = evil("problem_format_version: 2025-09\ntype: scoring\nlimits: {time_limit: 1}\n")
        .file("data/secret/a/1.in", "1\n")
        .file("data/secret/a/test_group.yaml", "max_score: 1e300\n");
    refused(
        &package,
        "`a` is worth more than 1000000 points, the maximum",
    );
}

#[test]
fn packages_that_grow_without_end_are_refused() {
    let evil = |generators: &str| {
        Package::new()
            .file("problem.yaml", "name: x\nlimits: {time_limit: 1}\n")
            .file("generators/generators.yaml", generators)
            .file("generators/gen.py", "print(1)\n")
            .beside("secret.txt", "secret")
    };
    let secret = |data: &str| format!("data: {{secret: {{data: {data}}}}}\n");
    let many = "gen.py, ".repeat(10_001);
    let long = "x".repeat(5000);
    for (yaml, message) in [
        (
            secret("[a: {generate: gen.py, count: 1000000}]"),
            "`generators/generators.yaml`: there are more than 10000 tests",
        ),
        (
            secret("[a: {generate: gen.py, count: -9..=9223372036854775807}]"),
            "`generators/generators.yaml`: there are more than 10000 tests",
        ),
        (
            secret("[a: {generate: gen.py, count: 6000}, b: {generate: gen.py, count: 6000}]"),
            "`generators/generators.yaml`: there are more than 10000 tests",
        ),
        (
            secret(
                "[a: {generate: gen.py, count: [9223372036854775807, 1]}, b: {generate: gen.py, count: 9999}]",
            ),
            "`generators/generators.yaml`: there are more than 10000 tests",
        ),
        (
            secret(&format!("[a: gen.py {long}]")),
            "`generators/generators.yaml`: a command is longer than 4096 bytes",
        ),
        (
            secret(&"{d: {data: ".repeat(20)),
            "`generators/generators.yaml`: …",
        ),
        (
            secret("{../../out: gen.py}"),
            "`generators/generators.yaml`: expected a name of letters, digits, `_`, `-`, `.` and `+`, found `../../out`",
        ),
        (
            secret("{a: {include: [none], data: {b: gen.py}}}"),
            "`generators/generators.yaml`: `include` of \"none\": expected an earlier test or folder",
        ),
        (
            secret("{a: {include: [a]}}"),
            "`generators/generators.yaml`: `include` of \"a\": expected an earlier test or folder",
        ),
        (
            secret("[a: {copy: [x]}]"),
            "`generators/generators.yaml: copy`: expected a text, found `[\"x\"]`",
        ),
        (
            secret("[a: {generate: gen.py, count: 5..=4}]"),
            "`generators/generators.yaml`: `count`: expected numbers or a range, found `\"5..=4\"`",
        ),
        (
            secret(&format!("{{{}: gen.py}}", &long[..300])),
            "`generators/generators.yaml`: expected a name of letters, digits, `_`, `-`, `.` and `+`, found `xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx`",
        ),
        (
            format!("a: &a [{many}]\nb: &b [{}]\n", "*a, ".repeat(100)),
            "`generators/generators.yaml`: …",
        ),
        // Neither leads out, and neither is a test.
        (
            secret("{a: {copy: ../../secret}, b: ../../secret.txt, c: generators.yaml}"),
            "there are no tests: expected `data/secret/*.in`",
        ),
    ] {
        refused(&evil(&yaml), message);
    }
    let loops = Package::new().file("problem.yaml", "name: x\n");
    refused(
        &loops.link("data/secret/loop/again", "."),
        "`data/secret/loop/again/again/again/again/again/again/again/again`: groups are nested more than 8 deep",
    );
    let mut loops = Package::new()
        .file("problem.yaml", "name: x\n")
        .file("data/secret/1.in", "");
    for number in 0..10 {
        loops = loops.link(&format!("statement/{number}"), ".");
    }
    refused(
        &loops,
        "the package has more than 100000 files, or circular links",
    );
}

//! Packages of Library Checker.

use crate::common::{Package, refused};

#[test]
fn hostile_packages_of_library_checker_are_refused() {
    let evil = |text: &str| {
        Package::new()
            .file("info.toml", text)
            .file("checker.cpp", "")
            .file("sol/correct.cpp", "")
    };
    let tests = |name: &str, number: u64| {
        evil(&format!(
            "timelimit = 1\n[[tests]]\nname = \"{name}\"\nnumber = {number}\n"
        ))
    };
    for (package, message) in [
        (evil("timelimit = ["), "`info.toml`: …"),
        (
            evil("timelimit = nan\ntests = []"),
            "`info.toml`: `timelimit` must be above 0 and at most 600, found NaN",
        ),
        (
            evil("timelimit = 1\ntests = []"),
            "`info.toml`: there must be 1 to 10000 tests, found 0",
        ),
        (
            tests("a.in", 1_000_000_000),
            "`info.toml`: there must be 1 to 10000 tests, found 1000000000",
        ),
        (
            tests("../a.cpp", 1),
            "`info.toml`: expected a name of letters, digits, `_`, `-`, `.` and `+`, found `../a.cpp`",
        ),
        (
            tests("a b.cpp", 1),
            "`info.toml`: expected a name of letters, digits, `_`, `-`, `.` and `+`, found `a b.cpp`",
        ),
        (
            tests("a.py", 1),
            "`a.py`: a test must be a `.cpp` generator or `.in` files",
        ),
        (
            tests("a.cpp", 1),
            "`gen/a.cpp`: No such file or directory (os error 2)",
        ),
        (
            tests("a.in", 1),
            "`gen/a_00.in`: No such file or directory (os error 2)",
        ),
        (
            evil("timelimit = 1\ntests = []\nparams = { A = [1] }"),
            "`info.toml: params`: `A` must be a number or a plain text, found `[1]`",
        ),
        (
            evil("timelimit = 1\nchecker = \"../out\"\n[[tests]]\nname = \"a.in\"\nnumber = 1\n"),
            "`checker/../out`: the path would lead out of the problem's folder",
        ),
    ] {
        refused(&package, message);
    }
    let package = || {
        evil("timelimit = 1\n[[tests]]\nname = \"a.in\"\nnumber = 1\n")
            .file("gen/a_00.in", "1\n")
            .beside(".git/config", "secret")
            .in_repository()
    };
    refused(
        &package().link("../common/x.h", "../.git/config"),
        "`common/x.h`: the path leads to a hidden file",
    );
    let mut circles = package();
    for number in 0..10 {
        circles = circles.link(&format!("../common/{number}"), ".");
    }
    refused(
        &circles,
        "the package has more than 100000 files, or circular links",
    );
    // A repository of its own, and a file that is named instead of linked to.
    let package =
        evil("timelimit = 1\nchecker = \".git/config\"\n[[tests]]\nname = \"a.in\"\nnumber = 1\n")
            .file(".git/config", "secret")
            .file("gen/a_00.in", "1\n");
    refused(&package, "`.git/config`: the path leads to a hidden file");
}

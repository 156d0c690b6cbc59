//! Links in packages.

use crate::common::{PYPY, Package, refused};

const CHECK: &str = "#include \"validation.h\"\nint main(void) { return 42; }\n";

/// A package with one test and one accepted sample, in a repository with other files.
fn in_repository(head: &str) -> Package {
    Package::new()
        .beside(".git/config", "secret")
        .beside("shared/validation.h", "#define LIMIT 9\n")
        .beside("shared/hello.pdf", "%PDF")
        .file("problem.yaml", head)
        .test("secret/1", "1")
        .file("input_validators/check/check.c", CHECK)
        .file("submissions/accepted/a.py", "print(1)\n")
        .file("submissions/wrong_answer/b/c\\d.py", "")
        .in_repository()
}

const NOT_USED: &str = "`submissions/wrong_answer/b` is not used: `submissions/wrong_answer/b/c\\d.py`: the path must have `/` \
    between its parts, not `\\`";

#[test]
fn links_into_the_repository_are_followed_and_statements_stop_no_import() {
    let head = "limits: {time_limit: 1}\nvalidation: default\nvalidation: default\n";
    let package = in_repository(head);
    let outside = tempfile::NamedTempFile::new().unwrap();
    let header = "input_validators/check/validation.h";
    let imported = package
        .link(header, "../../../shared/validation.h")
        .link("problem.pdf", "../shared/hello.pdf")
        .link("problem.en.pdf", outside.path())
        .link("problem.sv.pdf", "../.git/config")
        .link("problem.de.pdf", "none")
        .imported(&[
            PYPY,
            "`problem.yaml`: duplicate key: the last value is used",
            NOT_USED,
            "copied 2 files from outside the package through links, such as `input_validators/check/validation.h`",
            "skipped a statement: `problem.de.pdf`: No such file or directory (os error 2)",
            "skipped a statement: `problem.en.pdf`: the path leads out of its folder",
            "skipped a statement: `problem.sv.pdf`: the path leads to a hidden file",
        ]);
    assert_eq!(
        imported.paths(),
        [
            "data/secret/1.ans",
            "data/secret/1.in",
            "input-validator/check/check.c",
            "input-validator/check/validation.h",
            "problem.toml",
            "statement/problem.pdf",
            "submissions/accepted/a.py",
        ]
    );
    assert_eq!(imported.text("statement/problem.pdf"), "%PDF");
    let copied = imported.text("input-validator/check/validation.h");
    assert_eq!(copied, "#define LIMIT 9\n");
    assert_eq!(imported.table()["title"].as_str(), Some("evil"));
    // Without the repository.
    let alone = in_repository(head).alone();
    refused(
        &alone.link(header, "../../../shared/validation.h"),
        "`input_validators/check/validation.h`: the path leads out of its folder",
    );
}

#[test]
fn a_sample_that_is_not_used_sets_no_time_limit() {
    let imported = in_repository("name: hello\n")
        .file("submissions/accepted/b/c\\d.py", "")
        .imported(&[
            PYPY,
            "`submissions/accepted/b` is not used: `submissions/accepted/b/c\\d.py`: the path must have `/` between its parts, \
             not `\\`",
            NOT_USED,
        ]);
    assert_eq!(
        imported.table()["reference"].to_string(),
        "{ path = \"submissions/accepted/a.py\" }"
    );
}

#[test]
fn links_out_of_the_package_are_noted_whatever_is_done_with_the_text() {
    let imported = Package::new()
        .beside("shared/limit.h", "#define LIMIT {{limit}}\n")
        .file(
            "problem.yaml",
            "problem_format_version: 2025-09\nname: hello\nlimits: {time_limit: 1}\nconstants: {limit: 9}\n",
        )
        .test("secret/1", "1")
        .file(
            "input_validators/check/check.c",
            "#include \"limit.h\"\nint main(void) { return 42; }\n",
        )
        .link("input_validators/check/limit.h", "../../../shared/limit.h")
        .in_repository()
        .imported(&[
            "copied 1 file from outside the package through links, such as `input_validators/check/limit.h`",
        ]);
    assert_eq!(
        imported.paths(),
        [
            "data/secret/1.ans",
            "data/secret/1.in",
            "input-validator/check/check.c",
            "input-validator/check/limit.h",
            "problem.toml",
        ]
    );
    let header = imported.text("input-validator/check/limit.h");
    assert_eq!(header, "#define LIMIT 9\n");
}

#[test]
fn a_sample_that_leads_out_or_never_ends_is_refused() {
    for (link, to, message) in [
        (
            "all",
            "/",
            "`submissions/accepted/all`: the path leads out of its folder",
        ),
        (
            "up",
            "../../..",
            "`submissions/accepted/up`: the path leads out of its folder",
        ),
        ("self", "self", "`submissions/accepted/self`: …"),
        (
            "here",
            ".",
            "`submissions/accepted/here/here/here/here/here/here/here/here/here/here/here/here/here/here/here`: folders are nested more than 16 deep",
        ),
    ] {
        let package = in_repository("name: hello\n");
        let path = format!("submissions/accepted/{link}");
        refused(&package.link(&path, to), message);
    }
}

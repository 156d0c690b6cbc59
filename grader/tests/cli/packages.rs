//! Packages of other judges: written by hand after the formats' specifications, imported and verified.

use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use crate::harness::{Room, have, names, repository, zip};

/// What `import` says of each package, besides how many files it wrote.
const NOTES: [(&str, &[&str]); 23] = [
    (
        "dmoj-batches",
        &[
            "`roots.zip`: files that are not used: 1",
            "the checker `floats` is now `numbers`, which does not compare where lines end",
            "the package has no limits: `[limits]` gets the largest of its tests, 2 s and 64 MiB",
        ],
    ),
    (
        "dmoj-cases",
        &[
            "`init.yml: test_cases`: `wall_time_factor` is not used",
            "`init.yml`: `hints` is not used",
            "`notes.txt` is not used",
            "`tests/crash/test.yml`: `feedback` is not used",
            "`tests/old/old.py` is not used: its language is not known",
            "a checker must print a partial score as `points 0.5`, not as a number of points",
            "the checker `standard` is now `tokens`, which does not compare where lines end",
            "the package has no limits: `[limits]` gets the largest of its tests, 1 s and 64 MiB",
            "what generators write to standard error is not used: the answer is what `tests/sum/sum.py` prints",
        ],
    ),
    (
        "dmoj-interactive",
        &[
            "`init.yml`: `unbuffered` is not used",
            "a batch that others depend on must earn all its points; a part of them is not enough",
            "an interactor must print a partial score as `points 0.5`, not as a number of points",
            "the package has no limits: `[limits]` gets the largest of its tests, 1 s and 64 MiB",
        ],
    ),
    (
        "dmoj-lines",
        &[
            "`tests/large/large.py` is not used: it must exceed limits of its own, 2 s and 1 KiB",
            "the checker `standard` is now `tokens`, which does not compare where lines end",
            "the package has no limits: `[limits]` gets the largest of its tests, 2 s and 64 MiB",
        ],
    ),
    (
        "domjudge-tags",
        &["`submissions/mixed/unknown.py` is not used: its verdict is not known"],
    ),
    ("icpc-absolute", &[]),
    ("icpc-default", &[]),
    (
        "icpc-generated",
        &[
            "`generators/generators.yaml`: `unknown_key` is not used",
            "`generators/generators.yaml`: tests that are left out: 4, such as `data/secret/2-large/08-blank`, because an argument of its command is empty or has blanks",
        ],
    ),
    (
        "icpc-interactive",
        &["`data`: files `*.interaction` are not used"],
    ),
    ("icpc-multi-pass", &[]),
    ("icpc-rules", &["`attachments` is not used"]),
    (
        "icpc-scoring",
        &["`test_group.yaml`: `static_validation_score` is not used"],
    ),
    ("icpc-tolerance", &[]),
    (
        "legacy-add",
        &[
            "`input_validators/add.ctd` is not used",
            "`submissions/accepted/lisp` is not used: its language is not known",
            "`submissions/accepted/notes.txt` is not used: its language is not known",
        ],
    ),
    ("legacy-custom", &[]),
    (
        "legacy-exact",
        &["`domjudge-problem.ini`: `special_run` is not used"],
    ),
    (
        "legacy-interactive",
        &["`data`: files `*.interaction` are not used"],
    ),
    (
        "legacy-relative",
        &["`domjudge-problem.ini`: `special_run` is not used"],
    ),
    (
        "legacy-scoring",
        &[
            "the grader's `accept_if_any_accepted` is not used",
            "the grader's `ignore_sample` is not used",
        ],
    ),
    ("library-checker", &["`info.toml`: `level` is not used"]),
    (
        "polygon-classic",
        &[
            "`files/gen.cpp` is not used",
            "`files/notes.txt` is not used",
            "`problem.xml`: `<attachments>` is not used",
            "`problem.xml`: the testset `pretests` is not used",
            "`solutions/old.py` is not used: it is in Python 2",
            "`solutions/sharp.cs` is not used: its language is not known",
            "`solutions/stop.py` is not used: its verdict is not known",
        ],
    ),
    ("polygon-groups", &["`files/other.py` is not used"]),
    (
        "polygon-interactive",
        &[
            "`files/check.cpp` is not used: the interactor alone decides",
            "`solutions/early.py`: its tags of single groups are not used",
            "the interactor gets an empty answer for tests that have no answer file",
            "the package has no time limit: `[limits]` gets 2 s, for you to change",
        ],
    ),
];

/// Imports a package, and expects these notes.
fn imports(room: &Room, name: &str, notes: &[&str]) {
    let package = repository().join("grader/tests/packages").join(name);
    let ran = room.run(&["import", package.to_str().unwrap()]);
    let (wrote, rest) = ran.stdout.split_once('\n').unwrap();
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{name}");
    assert!(wrote.ends_with(&format!(" files to {name}")), "{wrote}");
    let mut expected = String::new();
    if !notes.is_empty() {
        expected = format!("\nChanges from the package:\n  {}\n", notes.join("\n  "));
    }
    assert_eq!(rest, expected, "{name}");
}

/// The subtasks of an imported problem.
fn subtasks_of(room: &Room, name: &str) -> String {
    let text = fs::read_to_string(room.path(name).join("problem.toml")).unwrap();
    text.split_once("\n[[subtask]]\n").unwrap().1.to_owned()
}

/// The package whose tests are described in `generators.yaml`, imported.
fn expect_generated_tests(room: &Room) {
    let generated = fs::read_to_string(room.path("icpc-generated/problem.toml")).unwrap();
    let lines = generated.lines().filter(|line| {
        let keys = [
            "path", "name", "points", "score", "folder", "generate", "answer",
        ];
        keys.iter().any(|key| line.starts_with(key))
    });
    let random = |case: &str, seed: u32, count: u32| {
        [
            format!("name = \"{case}\""),
            format!("generate = \"generators/random_numbers.py {seed} {count}\""),
        ]
    };
    let small = [
        vec![
            "name = \"01\"".to_owned(),
            "generate = \"generators/span 1 5\"".to_owned(),
        ],
        random("02-random-1", 1_418_719_370, 1).to_vec(),
        random("03-random-2", 879_583_702, 2).to_vec(),
        random("04-seeded--1", 1_271_119_927, 3).to_vec(),
        random("05-seeded-4", 446_375_887, 3).to_vec(),
    ]
    .concat()
    .join("\n");
    assert_eq!(
        lines.collect::<Vec<_>>().join("\n"),
        format!(
            r#"path = "reference/sum.py"
name = "sample"
points = 0
score = "sum"
folder = "data/sample"
name = "1-small"
points = 40
score = "all"
folder = "data/secret/1-small"
{small}
name = "2-large"
points = 60
score = "worst"
folder = "data/secret/2-large"
{small}
name = "07-power"
generate = "generators/power a 8""#
        )
    );
    assert!(generated.contains("[title]\nen = \"Sum & all\"\nzh = \"数的和\"\n"));
    for (file, text) in [
        ("data/sample/1.in", "1 2\n"),
        ("data/sample/1.ans", "3\n"),
        ("data/secret/1-small/1.in", "1 2\n"),
        ("data/secret/1-small/06-manual.in", "5 5\n"),
        ("data/secret/2-large/06-manual.in", "20 22\n"),
        ("data/secret/2-large/06-manual.ans", "42\n"),
    ] {
        let path = room.path("icpc-generated").join(file);
        assert_eq!(fs::read_to_string(path).unwrap(), text, "{file}");
    }
}

#[test]
fn packages_become_problems_whose_samples_get_their_verdicts() {
    if !have(&["gcc", "python3"]) {
        return;
    }
    let room = Room::new();
    for (name, notes) in NOTES {
        imports(&room, name, notes);
    }
    let mut verify = vec!["verify"];
    verify.extend(NOTES.map(|(name, _)| name));
    let ran = room.run(&verify);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    let subtasks = subtasks_of(&room, "icpc-scoring");
    assert_eq!(
        subtasks,
        r#"name = "sample"
points = 0
score = "sum"
folder = "data/sample"

[[subtask]]
name = "easy"
points = 40
score = "worst"
folder = "data/secret/easy"

[[subtask]]
name = "hard"
points = 60
score = "sum"
require = ["sample", "easy"]
folder = "data/secret/hard"
"#
    );
    expect_generated_tests(&room);
    let batches = subtasks_of(&room, "dmoj-interactive");
    let lines = batches.lines().filter(|line| {
        let keys = ["name = \"b", "name = \"c", "points", "score", "require"];
        keys.iter().any(|key| line.starts_with(key))
    });
    assert_eq!(
        lines.collect::<Vec<_>>(),
        [
            "name = \"batch-1\"",
            "points = 10",
            "score = \"worst\"",
            "name = \"case-3\"",
            "points = 10",
            "score = \"sum\"",
            "name = \"batch-2\"",
            "points = 10",
            "score = \"worst\"",
            "require = [\"batch-1\"]",
            "name = \"batch-3\"",
            "points = 80",
            "score = \"worst\"",
            "require = [\"batch-1\", \"batch-2\"]",
        ]
    );
    assert_eq!(
        fs::read_to_string(room.path("dmoj-cases/data/cases/1.in")).unwrap(),
        "1 1\n2 2\n"
    );
    let subtasks = subtasks_of(&room, "polygon-groups");
    assert_eq!(
        subtasks,
        r#"name = "0"
points = 0
score = "sum"
folder = "data/0"

[[subtask]]
name = "small"
points = 20
score = "sum"
folder = "data/small"

[[subtask.case]]
name = "05"
generate = "generators/gen 5 1"

[[subtask]]
name = "small-2"
points = 20.5
score = "sum"

[[subtask.case]]
name = "06"
generate = "generators/gen 5 2"

[[subtask]]
name = "large"
points = 30
score = "all"
require = ["0", "small", "small-2"]

[[subtask.case]]
name = "02"
generate = "generators/gen 10 1"

[[subtask.case]]
name = "03"
generate = "generators/gen 10 {{2}}"

[[subtask]]
name = "---last"
points = 29.5
score = "sum"
folder = "data/---last"
"#
    );
}

/// The paths of all files in a folder, sorted.
fn files(folder: &Path, prefix: &str) -> Vec<String> {
    let inside = names(folder).into_iter().flat_map(|name| {
        let (path, shown) = (folder.join(&name), format!("{prefix}{name}"));
        if path.is_dir() {
            files(&path, &format!("{shown}/"))
        } else {
            vec![shown]
        }
    });
    inside.collect()
}

#[test]
fn programs_of_library_checker_get_the_headers_of_package_and_repository() {
    let info = "timelimit = 1\nparams = { N = 7, NAME = \"x\", RATIO = 0.5 }\n[[tests]]\nname = \"gen.cpp\"\nnumber = 2\n";
    let room = Room::new()
        .folder("set/.git")
        .file("set/common/shared.h", "")
        .file("set/common/notes.txt", "")
        .file("set/sum/info.toml", info)
        .file("set/sum/checker.cpp", "")
        .file("set/sum/gen/gen.cpp", "#include \"lib/one.hpp\"\n")
        .file("set/sum/gen/lib/one.hpp", "#include \"../../params.h\"\n")
        .file("set/sum/sol/correct.cpp", "int main() {}\n");
    let ran = room.run(&["import", "set/sum"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    assert_eq!(
        files(&room.path("sum"), ""),
        [
            "checker/checker.cpp",
            "checker/common/shared.h",
            "checker/gen/lib/one.hpp",
            "checker/params.h",
            "generators/gen/common/shared.h",
            "generators/gen/gen/gen.cpp",
            "generators/gen/gen/lib/one.hpp",
            "generators/gen/params.h",
            "problem.toml",
            "submissions/accepted/correct.cpp",
        ]
    );
    assert_eq!(
        fs::read_to_string(room.path("sum/generators/gen/params.h")).unwrap(),
        "#define N (long long)7\n#define NAME \"x\"\n#define RATIO 0.5\n"
    );
}

#[test]
fn a_time_limit_follows_the_accepted_submissions_and_line_ends_are_those_of_this_system() {
    let room = Room::new();
    for name in ["legacy-custom", "polygon-classic"] {
        let package = repository().join("grader/tests/packages").join(name);
        let ran = room.run(&["import", package.to_str().unwrap()]);
        assert_eq!(ran.status, 0, "{}", ran.stderr);
    }
    let custom = fs::read_to_string(room.path("legacy-custom/problem.toml")).unwrap();
    for part in [
        "[limits.time]\nreference = 5.0\nround-up = \"1 s\"\nslowest = true\n",
        "[reference]\npath = \"submissions/accepted/pair.py\"\n",
    ] {
        assert!(custom.contains(part), "{part}:\n{custom}");
    }
    assert_eq!(
        fs::read_to_string(room.path("polygon-classic/data/sample/01.in")).unwrap(),
        "2\n"
    );
}

#[test]
fn a_time_limit_follows_submissions_that_must_be_accepted_in_every_language() {
    let mut room = Room::new()
        .file("sum/problem.yaml", "validation: default\n")
        .file("sum/data/secret/1.in", "1\n")
        .file("sum/data/secret/1.ans", "1\n")
        .file("sum/submissions/accepted/Sum.java", "class Sum {}\n")
        .file(
            "sum/submissions/mixed/a.cpp",
            "// @EXPECTED_RESULTS@: CORRECT, TIMELIMIT\n",
        );
    for number in 10..30 {
        let path = format!("sum/submissions/accepted/{number}.py");
        room = room.file(&path, "print(1)\n");
    }
    let ran = room.run(&["import", "sum", "-o", "out"]);
    let note = "  only 16 of 21 accepted submissions set the time limit\n";
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    assert!(ran.stdout.contains(note), "{}", ran.stdout);
    let problem: toml::Table = fs::read_to_string(room.path("out/problem.toml"))
        .unwrap()
        .parse()
        .unwrap();
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
    assert_eq!(problem["reference"], expected.into());
}

#[test]
fn groups_whose_tests_are_all_generated_keep_their_expectations() {
    let generators = "generators: {}\ndata:\n  secret:\n    data:\n      - one: {data: {a: gen.py 1}}\n      - two: {data: {b: gen.py 2}}\n";
    let room = Room::new()
        .file("sum/problem.yaml", "limits: {time_limit: 1}\n")
        .file("sum/generators/generators.yaml", generators)
        .file("sum/generators/gen.py", "import sys\nprint(sys.argv[1])\n")
        .file("sum/submissions/accepted/a.py", "print(input())\n")
        .file(
            "sum/submissions/wrong_answer/graded.py",
            "# @EXPECTED_GRADES@ AC WA\nprint(1)\n",
        )
        .file("sum/submissions/wrong_answer/ruled.py", "print(1)\n")
        .file(
            "sum/submissions/submissions.yaml",
            "wrong_answer/ruled.py: {secret/2-two: {permitted: [WA], required: [WA]}}\n",
        );
    let ran = room.run(&["import", "sum", "-o", "out"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    assert!(!ran.stdout.contains("is not used"), "{}", ran.stdout);
    assert_eq!(
        fs::read_to_string(room.path("out/submissions/expected.toml")).unwrap(),
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

/// Imports `evil`, and expects one message and nothing written.
fn refused(room: &Room, message: &str) {
    refused_as(room, &["import", "evil", "-o", "out"], message);
    assert!(!room.path("out").exists());
}

fn refused_as(room: &Room, command: &[&str], message: &str) {
    let ran = room.run(command);
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{}", ran.stderr);
    assert!(ran.stderr.contains(message), "{message}: {}", ran.stderr);
    let mut left: Vec<String> = fs::read_dir(room.path(""))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    left.sort();
    assert!(
        !left.iter().any(|name| name.starts_with(".grader-")),
        "{left:?}"
    );
}

/// A package with one test and one accepted sample, in a repository with other files.
fn in_repository() -> Room {
    Room::new()
        .folder("repository/.git")
        .file("repository/.git/config", "secret")
        .file("repository/shared/validation.h", "#define LIMIT 9\n")
        .file("repository/shared/hello.pdf", "%PDF")
        .file("secret.txt", "secret")
        .file(
            "repository/hello/problem.yaml",
            "limits: {time_limit: 1}\nvalidation: default\nvalidation: default\n",
        )
        .file("repository/hello/data/secret/1.in", "1\n")
        .file("repository/hello/data/secret/1.ans", "1\n")
        .file(
            "repository/hello/input_validators/check/check.c",
            "#include \"validation.h\"\nint main(void) { return 42; }\n",
        )
        .file("repository/hello/submissions/accepted/a.py", "print(1)\n")
        .file("repository/hello/submissions/wrong_answer/b/c\\d.py", "")
}

#[test]
fn links_into_the_repository_are_followed_and_statements_stop_no_import() {
    let room = in_repository();
    let package = room.path("repository/hello");
    for (to, from) in [
        (
            "../../../shared/validation.h",
            "input_validators/check/validation.h",
        ),
        ("../shared/hello.pdf", "problem.pdf"),
        ("../../secret.txt", "problem.en.pdf"),
        ("../.git/config", "problem.sv.pdf"),
        ("none", "problem.de.pdf"),
    ] {
        symlink(to, package.join(from)).unwrap();
    }
    let ran = room.run(&["import", "repository/hello"]);
    let notes = "\
        Changes from the package:\n  \
        `problem.yaml`: a key occurs twice: the last one counts\n  \
        `submissions/wrong_answer/b` is not used: `submissions/wrong_answer/b/c\\d.py`: \
        the path must have `/` between its parts, not `\\`\n  \
        a statement is not used: `problem.de.pdf`: No such file or directory (os error 2)\n  \
        a statement is not used: `problem.en.pdf`: the path leads out of its folder\n  \
        a statement is not used: `problem.sv.pdf`: the path leads to a hidden file\n  \
        files that the package only links to are copied: 2, such as `input_validators/check/validation.h`\n";
    assert_eq!(
        (ran.status, &*ran.stderr, &*ran.stdout),
        (0, "", &*format!("wrote 7 files to hello\n\n{notes}"))
    );
    let text = |path: &str| fs::read_to_string(room.path(path)).unwrap();
    assert_eq!(text("hello/statement/problem.pdf"), "%PDF");
    let header = text("hello/input-validator/check/validation.h");
    assert_eq!(header, "#define LIMIT 9\n");
    assert!(text("hello/problem.toml").contains("title = \"hello\"\n"));
    // A sample that is not used sets no time limit either.
    let room = room
        .file("repository/hello/problem.yaml", "name: hello\n")
        .file("repository/hello/submissions/accepted/b/c\\d.py", "");
    let ran = room.run(&["import", "repository/hello", "-o", "derived"]);
    assert_eq!((ran.status, &*ran.stderr), (0, ""));
    let derived = fs::read_to_string(room.path("derived/problem.toml")).unwrap();
    assert!(derived.contains("submissions/accepted/a.py"), "{derived}");
    assert!(!derived.contains("accepted/b"), "{derived}");
    // Without the repository, its folder must be named.
    fs::remove_dir_all(room.path("repository/.git")).unwrap();
    let ran = room.run(&["import", "repository/hello", "-o", "out"]);
    assert_eq!((ran.status, &*ran.stdout), (2, ""));
    let message = "`input_validators/check/validation.h`: the path leads out of its folder; to follow it, pass \
                   `--root FOLDER`";
    assert!(ran.stderr.contains(message), "{}", ran.stderr);
    let ran = room.run(&[
        "import",
        "repository/hello",
        "-o",
        "out",
        "--root",
        "repository",
    ]);
    assert_eq!((ran.status, &*ran.stderr), (0, ""));
    let ran = room.run(&["import", "repository/hello", "-o", "new", "--root", "out"]);
    assert_eq!((ran.status, &*ran.stdout), (2, ""));
    assert!(
        ran.stderr.contains("`--root`: the package is not in `out`"),
        "{}",
        ran.stderr
    );
}

#[test]
fn links_out_of_the_package_are_noted_whatever_is_done_with_the_text() {
    let room = Room::new()
        .folder("repository/.git")
        .file("repository/shared/limit.h", "#define LIMIT {{limit}}\n")
        .file(
            "repository/hello/problem.yaml",
            "problem_format_version: 2025-09\nname: hello\nlimits: {time_limit: 1}\nconstants: {limit: 9}\n",
        )
        .file("repository/hello/data/secret/1.in", "1\n")
        .file("repository/hello/data/secret/1.ans", "1\n")
        .file(
            "repository/hello/input_validators/check/check.c",
            "#include \"limit.h\"\nint main(void) { return 42; }\n",
        );
    let link = room.path("repository/hello/input_validators/check/limit.h");
    symlink("../../../shared/limit.h", link).unwrap();
    let ran = room.run(&["import", "repository/hello"]);
    assert_eq!(
        (ran.status, &*ran.stderr, &*ran.stdout),
        (
            0,
            "",
            "wrote 5 files to hello\n\nChanges from the package:\n  files that the package only links to are copied: 1, such \
             as `input_validators/check/limit.h`\n"
        )
    );
    let header = fs::read_to_string(room.path("hello/input-validator/check/limit.h")).unwrap();
    assert_eq!(header, "#define LIMIT 9\n");
}

#[test]
fn a_package_worth_nothing_is_imported_only_on_demand() {
    let room = Room::new()
        .file("evil/problem.yaml", "name: Stub\nlimits: {time_limit: 1}\n")
        .file("evil/data/sample/1.in", "1\n")
        .file("evil/data/sample/1.ans", "1\n");
    // Pass-fail problems that have only samples are judged by them.
    let ran = room.run(&["import", "evil", "-o", "pass-fail"]);
    assert_eq!(
        (ran.status, &*ran.stdout),
        (0, "wrote 3 files to pass-fail\n")
    );
    let room = room.replace(
        "evil/problem.yaml",
        "name: Stub",
        "name: Stub\ntype: scoring",
    );
    refused(
        &room,
        "the problem would be worth 0 points (groups: `sample`); pass `--allow-empty` to import it anyway",
    );
    let ran = room.run(&["import", "evil", "-o", "out", "--allow-empty"]);
    assert_eq!((ran.status, &*ran.stdout), (0, "wrote 3 files to out\n"));
    // What `check` refuses is not written either.
    let room = room
        .file("evil/data/secret/1.in", "1\n")
        .file("evil/data/secret/2.ans", "1\n");
    refused_as(
        &room,
        &["import", "evil", "-o", "new"],
        "the problem would have",
    );
}

#[test]
fn packages_that_grow_without_end_are_refused() {
    let evil = |generators: &str| {
        Room::new()
            .file("evil/problem.yaml", "name: x\nlimits: {time_limit: 1}\n")
            .file("evil/generators/generators.yaml", generators)
            .file("evil/generators/gen.py", "print(1)\n")
            .file("secret.txt", "secret")
    };
    let secret = |data: &str| format!("data: {{secret: {{data: {data}}}}}\n");
    let many = "gen.py, ".repeat(10_001);
    let long = "x".repeat(5000);
    for (yaml, message) in [
        (
            secret("[a: {generate: gen.py, count: 1000000}]"),
            "`count`: expected a list or range",
        ),
        (
            secret("[a: {generate: gen.py, count: -9..=9223372036854775807}]"),
            "`count`: expected",
        ),
        (
            secret("[a: {generate: gen.py, count: 6000}, b: {generate: gen.py, count: 6000}]"),
            "more than 10000 tests",
        ),
        (
            secret(
                "[a: {generate: gen.py, count: [9223372036854775807, 1]}, b: {generate: gen.py, count: 9999}]",
            ),
            "more than 10000 tests",
        ),
        (
            secret(&format!("[a: gen.py {long}]")),
            "a command is longer than 4096 bytes",
        ),
        (
            secret(&"{d: {data: ".repeat(20)),
            "`generators/generators.yaml`: ",
        ),
        (
            secret("{../../out: gen.py}"),
            "expected the name of a test or folder, found `../../out`",
        ),
        (
            secret("{a: {include: [none], data: {b: gen.py}}}"),
            "`include` of \"none\": expected one earlier",
        ),
        // It has nothing yet when it includes itself.
        (secret("{a: {include: [secret, a]}}"), "there are no tests"),
        (
            format!("a: &a [{many}]\nb: &b [{}]\n", "*a, ".repeat(100)),
            "`generators/generators.yaml`: ",
        ),
        // Neither leads out, and neither is a test.
        (
            secret("{a: {copy: ../../secret}, b: ../../secret.txt, c: generators.yaml}"),
            "there are no tests",
        ),
    ] {
        refused(&evil(&yaml), message);
    }
    let loops = Room::new()
        .file("evil/problem.yaml", "name: x\n")
        .folder("evil/data/secret/loop");
    symlink(".", loops.path("evil/data/secret/loop/again")).unwrap();
    refused(&loops, "groups are nested more than 8 deep");
    let loops = loops.folder("evil/statement");
    for number in 0..10 {
        let link = loops.path("evil/statement").join(number.to_string());
        symlink(".", link).unwrap();
    }
    fs::remove_file(loops.path("evil/data/secret/loop/again")).unwrap();
    let loops = loops.file("evil/data/secret/1.in", "");
    refused(
        &loops,
        "the package has more than 100000 files, or links that lead in a circle",
    );
    let room = in_repository();
    let accepted = room.path("repository/hello/submissions/accepted");
    for (link, to, message) in [
        ("all", "/", "the path leads out of its folder"),
        ("up", "../../..", "the path leads out of its folder"),
        ("self", "self", "`submissions/accepted/self`: "),
        ("here", ".", "folders are nested more than 16 deep"),
    ] {
        symlink(to, accepted.join(link)).unwrap();
        refused_as(&room, &["import", "repository/hello", "-o", "out"], message);
        fs::remove_file(accepted.join(link)).unwrap();
    }
}

#[test]
fn hostile_packages_of_library_checker_are_refused_and_nothing_is_written() {
    let evil = |text: &str| {
        Room::new()
            .file("evil/info.toml", text)
            .file("evil/checker.cpp", "")
            .file("evil/sol/correct.cpp", "")
    };
    let tests = |name: &str, number: u64| {
        evil(&format!(
            "timelimit = 1\n[[tests]]\nname = \"{name}\"\nnumber = {number}\n"
        ))
    };
    for (room, message) in [
        (evil("timelimit = ["), "`info.toml`: "),
        (
            evil("timelimit = nan\ntests = []"),
            "`timelimit` must be above 0 and at most 600, found NaN",
        ),
        (
            evil("timelimit = 1\ntests = []"),
            "there must be 1 to 10000 tests, found 0",
        ),
        (
            tests("a.in", 1_000_000_000),
            "there must be 1 to 10000 tests, found 1000000000",
        ),
        (
            tests("../a.cpp", 1),
            "expected the name of a file, found `../a.cpp`",
        ),
        (
            tests("a b.cpp", 1),
            "expected the name of a file, found `a b.cpp`",
        ),
        (
            tests("a.py", 1),
            "`a.py`: a test must be a `.cpp` generator or `.in` files",
        ),
        (tests("a.cpp", 1), "`gen/a.cpp`"),
        (tests("a.in", 1), "`gen/a_00.in`"),
        (
            evil("timelimit = 1\ntests = []\nparams = { A = [1] }"),
            "`A` must be a number or a plain text, found `[1]`",
        ),
        (
            evil("timelimit = 1\nchecker = \"../out\"\n[[tests]]\nname = \"a.in\"\nnumber = 1\n"),
            "`../out`",
        ),
    ] {
        refused(&room, message);
    }
    let import = ["import", "set/evil", "-o", "out"];
    let room = Room::new()
        .folder("set/common")
        .file("set/.git/config", "secret")
        .file("set/evil/info.toml", "timelimit = 1\ntests = []\n");
    let hidden = room.path("set/common/x.h");
    symlink("../.git/config", &hidden).unwrap();
    refused_as(
        &room,
        &import,
        "`common/x.h`: the path leads to a hidden file",
    );
    fs::remove_file(hidden).unwrap();
    for number in 0..10 {
        symlink(".", room.path("set/common").join(number.to_string())).unwrap();
    }
    let message = "the package has more than 100000 files, or links that lead in a circle";
    refused_as(&room, &import, message);
    // A repository of its own, and a file that is named instead of linked to.
    let room =
        evil("timelimit = 1\nchecker = \".git/config\"\n[[tests]]\nname = \"a.in\"\nnumber = 1\n")
            .file("evil/.git/config", "secret")
            .file("evil/gen/a_00.in", "1\n");
    refused(&room, "`.git/config`: the path leads to a hidden file");
}

#[test]
fn hostile_packages_are_refused_and_nothing_is_written() {
    let evil = |yaml: &str| {
        Room::new()
            .file("evil/problem.yaml", yaml)
            .file("evil/data/secret/1.in", "1\n")
            .file("secret.txt", "secret")
    };
    refused(&Room::new().folder("evil"), "there is no `problem.yaml`");
    refused(&evil("name: [a\n"), "`problem.yaml`: ");
    refused(
        &evil("limits: 7\n"),
        "`problem.yaml: limits`: expected a mapping, found `7`",
    );
    refused(
        &evil("limits: {memory: much}\n"),
        "memory`: expected a number, found `\"much\"`",
    );
    refused(
        &evil("type: submit-answer\n"),
        "`submit-answer` is not supported",
    );
    refused(
        &evil("validation: custom interactive\n"),
        "an interactive problem needs an output validator",
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
    refused(&evil(&bomb), "`problem.yaml`: ");
    let room = evil("name: x\n");
    symlink(room.path("secret.txt"), room.path("evil/data/secret/2.in")).unwrap();
    refused(&room, "the path leads out of its folder");
    let room = evil("name: x\n").folder("evil/submissions/accepted");
    symlink("/etc", room.path("evil/submissions/accepted/all")).unwrap();
    refused(&room, "the path leads out of its folder");
    let mut room = evil("name: x\n");
    for number in 0..10_001 {
        room = room.file(&format!("evil/data/secret/{number}.in"), "");
    }
    refused(
        &room,
        "`data/secret`: a group may have at most 10000 tests, found 10001",
    );
    let room = evil("name: x\n").file("evil/graders/grader.py", "");
    refused(
        &room,
        "a program that grades the groups (`graders`, `grading: custom`)",
    );
    let room = evil("name: x\n").file("evil/data/testdata.yaml", "grading: custom\n");
    refused(&room, "a program that grades the groups");
    let room = evil("problem_format_version: 2025-09\ntype: scoring\nlimits: {time_limit: 1}\n")
        .file("evil/data/secret/a/1.in", "1\n")
        .file("evil/data/secret/a/test_group.yaml", "max_score: 1e300\n");
    refused(&room, "is worth more than 1000000 points, the maximum");
    let room = evil("name: x\n");
    let ran = room.run(&["import", "evil"]);
    assert_eq!(ran.status, 2, "{}", ran.stdout);
    assert!(
        ran.stderr.contains("`evil` already exists"),
        "{}",
        ran.stderr
    );
}

#[test]
fn hostile_dmoj_packages_are_refused_and_nothing_is_written() {
    let evil = |yaml: &str| {
        Room::new()
            .file("evil/init.yml", yaml)
            .file("evil/1.in", "1\n")
            .file("evil/check.py", "")
            .file("secret.txt", "secret")
    };
    let cases = [
        ("", "there is no list `test_cases`, and no `archive`"),
        ("test_cases: []", "there are no cases"),
        ("test_cases: [7]", "expected a mapping, found `7`"),
        ("test_cases++: node", "`test_cases++` is Python code"),
        ("custom_judge: check.py", "`custom_judge` is Python code"),
        ("archive: q.zip", "`q.zip`: "),
        ("archive: ../q.zip", "expected a path inside the package"),
        (
            "test_cases: [{in: ../secret.txt}]",
            "expected a path inside",
        ),
        ("test_cases: [{in: /etc/passwd}]", "expected a path inside"),
        ("test_cases: [{in: 2.in}]", "`2.in`: "),
        ("test_cases: [{points: many}]", "expected a number"),
        (
            "test_cases: [{in: 1.in, points: 1.0e19}]",
            "`case-1` is worth more than 1000000 points, the maximum",
        ),
        (
            "test_cases: [{in: 1.in, points: 600000}, {in: 1.in, points: 600000}]",
            "`cases-1-2` is worth more than 1000000 points, the maximum",
        ),
        ("test_cases: [{batched: 7}]", "`batched` must be a list"),
        (
            "test_cases: [{batched: [{in: 1.in}], dependencies: [1]}]",
            "there is no earlier batch `1`",
        ),
        (
            "test_cases: [{generator_args: [a b]}]",
            "must not be empty or have blanks, found \"a b\"",
        ),
        ("test_cases: [{generator_in: 1.in}]", "`generator_in`"),
        ("checker: check.py", "only the judge of DMOJ can call it"),
        (
            "checker: linematches",
            "the checker `linematches` is not supported",
        ),
        (
            "checker: {name: bridged, args: {files: check.py, type: peg}}",
            "a `bridged` checker of the type `peg` is not supported",
        ),
        (
            "checker: {name: bridged, args: {files: ../check.py}}",
            "expected a path inside the package",
        ),
        (
            "checker: {name: floats, args: {precision: 1e9}}",
            "a whole number",
        ),
        (
            "interactive: {files: check.py}",
            "an interactor of the type `default` is not supported",
        ),
    ];
    for (yaml, message) in cases {
        refused(&evil(&format!("{yaml}\n")), message);
    }
    let many = format!("test_cases: [{}]\n", "{in: 1.in}, ".repeat(10_001));
    refused(&evil(&many), "may have at most 10000 cases");
    let room = evil("archive: q.zip\ntest_cases: {input_format: '(?=x)(?P<case>.)'}\n").file(
        "evil/q.zip",
        zip(&[("../../out.in", "1\n"), ("2.in", "2\n")]),
    );
    refused(&room, "the pattern `(?=x)(?P<case>.)` is not supported");
    let room = room.file(
        "evil/init.yml",
        "archive: q.zip\ntest_cases: {input_format: '.*out(?P<case>.*)'}\n",
    );
    refused(&room, "expected a path inside the package");
    let room = room.file("evil/q.zip", "PK");
    refused(&room, "`q.zip`: ");
}

#[test]
fn an_element_of_many_attributes_is_refused_before_it_is_parsed() {
    let attributes: Vec<String> = (0..200_000).map(|it| format!("a{it}='>'")).collect();
    let xml = format!("<problem>\n<a {}/></problem>", attributes.join(" "));
    refused(
        &Room::new().file("evil/problem.xml", xml),
        "`problem.xml`: line 2: an element has more than 1000 attributes",
    );
}

#[test]
fn hostile_packages_of_polygon_are_refused_and_nothing_is_written() {
    let evil = |xml: &str| {
        Room::new()
            .file("evil/problem.xml", xml)
            .file("evil/tests/01", "1\n")
            .file("evil/files/check.py", "")
            .file("secret.txt", "secret")
    };
    let package = |pattern: &str, tests: &str, assets: &str| {
        evil(&format!(
            "<problem><judging><testset><input-path-pattern>{pattern}</input-path-pattern>{tests}\
             </testset></judging><assets>{assets}</assets></problem>"
        ))
    };
    let checker = r#"<checker name="std::wcmp.cpp"/>"#;
    let one = "<tests><test/></tests>";
    refused(&evil("<problem>"), "`problem.xml`: ");
    refused(&evil("<html/>"), "the root element must be `<problem>`");
    refused(&evil("<problem/>"), "there is no `<testset>`");
    let bomb = "<!DOCTYPE p [<!ENTITY a 'xx'><!ENTITY b '&a;&a;&a;'>]><problem>&b;</problem>";
    refused(&evil(bomb), "`problem.xml`: XML with DTD detected");
    refused(&evil(&"<a>".repeat(2_000_000)), "`problem.xml`: ");
    refused(&evil(&" ".repeat((8 << 20) + 1)), "larger than 8 MiB");
    refused(
        &package("../secret.txt%d", one, checker),
        "`../secret.txt1`: the path must not contain `..`",
    );
    refused(
        &package("/etc/%d", one, checker),
        "the path must be relative",
    );
    refused(&package("tests/%s", one, checker), "expected a path with");
    refused(
        &package("tests/%099d", one, checker),
        "expected a path with one `%d`",
    );
    refused(
        &package("tests/%d", one, checker),
        "`tests/1`: test 1 is not in the package, and it has no generator",
    );
    refused(
        &package("tests/%02d", one, checker),
        "there are tests without answers, and no main solution",
    );
    for (cmd, message) in [
        ("gen 1", "there is no generator `gen`"),
        ("../gen 1", "there is no generator `../gen`"),
        ("gen 'a b'", "the command `gen 'a b'` is not a plain one"),
    ] {
        let test = format!(r#"<tests><test cmd="{cmd}"/></tests>"#);
        refused(&package("tests/%d", &test, checker), message);
    }
    refused(
        &package(
            "tests/%d",
            &format!("<tests>{}</tests>", "<test/>".repeat(10_001)),
            checker,
        ),
        "a problem must have 1 to 10000 tests in `<tests>`, found 10001",
    );
    let circle = r#"<tests><test points="1" group="a"/></tests><groups><group name="a"><dependencies><dependency
        group="a"/></dependencies></group></groups>"#;
    refused(
        &package("tests/%02d", circle, checker),
        "groups depend on each other in a circle",
    );
    refused(
        &package(
            "tests/%02d",
            r#"<tests><test points="-1"/></tests>"#,
            checker,
        ),
        "`points`: expected a number, found `-1`",
    );
    for (path, message) in [
        (
            "../secret.py",
            "`../secret.py`: the path must not contain `..`",
        ),
        (
            "files/none.py",
            "`files/none.py`: the file is not in the package",
        ),
        ("tests/01", "`tests/01`: its language is not known"),
    ] {
        let checker = format!(r#"<checker><source path="{path}"/></checker>"#);
        refused(&package("tests/%02d", one, &checker), message);
    }
    refused(
        &package("tests/%02d", one, r#"<checker type="testlib4j"/>"#),
        "checkers of the type `testlib4j` are not supported",
    );
    refused(
        &evil(r#"<problem><judging run-count="2"><testset/></judging></problem>"#),
        "`run-count` is 2: only one run for each test is supported",
    );
    let main =
        r#"<solutions><solution tag="main"><source path="files/check.py"/></solution></solutions>"#;
    let room = package("tests/a%d", one, &format!("{checker}{main}"));
    symlink(room.path("secret.txt"), room.path("evil/tests/a1")).unwrap();
    refused(&room, "the path leads out of its folder");
}

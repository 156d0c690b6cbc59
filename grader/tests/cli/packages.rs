//! Packages of other judges: written by hand after the formats' specifications, imported and verified.

mod groups;
mod meaning;
mod untrusted;

use std::fs;
use std::path::Path;

use self::untrusted::{refused, refused_as};
use crate::harness::{Room, have, names, repository};

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
            "`tests/large/large.py` is not used: it is meant to exceed its own limits (2 s, 1 KiB), which are below the problem's",
            "the checker `standard` is now `tokens`, which does not compare where lines end",
            "the package has no limits: `[limits]` gets the largest of its tests, 2 s and 64 MiB",
        ],
    ),
    (
        "domjudge-tags",
        &[
            "`submissions/mixed/old.py` is not used: its language is not known",
            "`submissions/mixed/unknown.py` is not used: its verdict is not known",
        ],
    ),
    ("icpc-absolute", &[]),
    ("icpc-default", &[]),
    (
        "icpc-generated",
        &[
            "`generators/generators.yaml`: `unknown_key` is not used",
            "`generators/generators.yaml`: skipped 4 tests, such as `data/secret/2-large/08-quoted`: its command has a quote or `\\`",
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
        &["a group that others require must earn all its points; a part of them is not enough"],
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
        &["the grader's `accept_if_any_accepted` is not used"],
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
    assert!(generated.contains("[title]\nen = \"Sum of all\"\nzh = \"数的和\"\n"));
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

/// What DMOJ's batches became.
fn expect_batches(room: &Room) {
    let batches = subtasks_of(room, "dmoj-interactive");
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
hidden = true
folder = "data/secret/easy"

[[subtask]]
name = "hard"
points = 60
score = "sum"
require = ["sample", "easy"]
hidden = true
folder = "data/secret/hard"
"#
    );
    expect_generated_tests(&room);
    expect_batches(&room);
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
hidden = true
folder = "data/small"

[[subtask.case]]
name = "05"
generate = "generators/gen 5 1"

[[subtask]]
name = "small-2"
points = 20.5
score = "sum"
hidden = true

[[subtask.case]]
name = "06"
generate = "generators/gen 5 2"

[[subtask]]
name = "large"
points = 30
score = "all"
require = ["0", "small", "small-2"]
hidden = true

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
hidden = true
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

#[test]
fn a_function_for_dmoj_gets_its_header_and_a_part_of_the_points() {
    if !have(&["gcc", "g++"]) {
        return;
    }
    let mut room = Room::new();
    for (path, text) in [
        (
            "init.yml",
            "signature_grader: {entry: handler.c, header: header.h}
checker: {name: bridged, args: {files: check.c, type: coci}}
test_cases: [{in: 1.in, points: 5}]
",
        ),
        ("header.h", "#pragma once\nint twice(int n);\n"),
        (
            "handler.c",
            "#include <stdio.h>\nint main(void) { printf(\"%d\\n\", twice(3)); }\n",
        ),
        (
            "check.c",
            "#include <stdio.h>\nint main(void) { fputs(\"partial 2/5\\n\", stderr); return 7; }\n",
        ),
        ("1.in", "3\n"),
        (
            "tests/part/test.yml",
            "{language: CPP11, time: 1, memory: 65536, source: a.cpp, expect: AC, score: 2}\n",
        ),
        (
            "tests/part/a.cpp",
            "#ifdef SIGNATURE_GRADER\nint twice(int n) { return 2 * n; }\n#endif\n",
        ),
    ] {
        room = room.file(&format!("function/{path}"), text);
    }
    let ran = room.run(&["import", "function", "-o", "out"]);
    assert_eq!(
        (ran.status, &*ran.stdout),
        (
            0,
            "wrote 8 files to out

Changes from the package:
  submissions must not define `main`
  the package has no limits: `[limits]` gets the largest of its tests, 1 s and 64 MiB
"
        )
    );
    let ran = room.run(&["verify", "out"]);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    let expected = fs::read_to_string(room.path("out/submissions/expected.toml")).unwrap();
    assert_eq!(
        expected,
        "[\"accepted/a.cpp\"]\nexpected = [\"AC\", \"PC\", \"WA\"]\npoints = 2\n"
    );
}

#[test]
fn a_package_worth_nothing_is_imported_only_on_demand() {
    let mut room = Room::new()
        .file("evil/problem.yaml", "name: Stub\nlimits: {time_limit: 1}\n")
        .file("evil/data/sample/1.in", "1\n")
        .file("evil/data/sample/1.ans", "1\n");
    let message = "there are no secret tests: expected `data/secret/*.in`; pass `--allow-empty` to import the samples, worth 0 points";
    refused(&room, message);
    let scoring = "name: Stub\ntype: scoring";
    room = room.replace("evil/problem.yaml", "name: Stub", scoring);
    refused(&room, message);
    let ran = room.run(&["import", "evil", "-o", "out", "--allow-empty"]);
    let note = "there are no secret tests: the samples are worth 0 points";
    assert_eq!(
        (ran.status, ran.stdout),
        (
            0,
            format!("wrote 3 files to out\n\nChanges from the package:\n  {note}\n")
        )
    );
    // What `check` refuses is not written either.
    let room = room
        .file("evil/data/secret/1.in", "1\n")
        .file("evil/data/secret/2.ans", "1\n");
    refused_as(
        &room,
        &["import", "evil", "-o", "new"],
        "error: cannot import `evil`: the problem would have 2 mistakes:

error: the checker `tokens` needs an answer, but case `1` of subtask `secret` has none and there is no `[reference]`
  --> problem.toml:22:2
   |
22 | [checker.tokens]
   |  ^^^^^^^
   |
   = help: add a `[reference]`, or `answer` or `answer-file` to the case

error: `2.ans` has no matching `2.in`
  --> problem.toml:37:10
   |
37 | folder = \"data/secret\"
   |          ^^^^^^^^^^^^^
",
    );
}

//! `verify` notices when a problem no longer does what its samples say.

mod kept;

use std::fmt::Write as _;
use std::fs;

use serde_json::{Value, json};

use crate::class::{SQUARE, squares};
use crate::harness::{Room, have};
use crate::searched::{stop, stuck};
use crate::streams::{STUCK, with_time_and_marks};

/// A problem with an answer file, a reference of its own and two samples.
fn own() -> Room {
    Room::new()
        .fixture("double", "double")
        .file("double/solution.c", program("2 * n"))
        .file("double/submissions/accepted/twice.py", python("n + n"))
        .file("double/submissions/accepted/shift.py", python("n << 1"))
        .file("double/submissions/wrong-answer/square.py", python("n * n"))
}

fn python(expression: &str) -> String {
    format!("import sys\nn = int(sys.argv[1])\nprint({expression})\n")
}

fn program(expression: &str) -> String {
    format!(
        "#include <stdio.h>\n#include <stdlib.h>\nint main(int c, char **v) {{ int n = atoi(v[1]); (void)c; printf(\"%d\\n\", {expression}); return 0; }}\n"
    )
}

#[test]
fn an_assignment_of_ones_own_is_verified() {
    let ran = own().run(&["verify", "double"]);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout
            .contains("cases that no wrong sample fails: small/n=2\n"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("  slowest pass:     0."),
        "{}",
        ran.stdout
    );
}

#[test]
fn several_places_are_one_document() {
    let room = own().copy("problems/bit-practice/eight-queens", "eight-queens");
    std::fs::remove_dir_all(room.path("eight-queens/submissions")).unwrap();
    let room = room
        .file("eight-queens/submissions/accepted/a.py", "print(92)\n")
        .file("eight-queens/submissions/wrong-answer/b.py", "print(91)\n");
    let (status, document) = room.json(&["verify", "double", "eight-queens", "--json", "-"]);
    assert_eq!(status, 0, "{document:#}");
    assert_eq!(document["format"], "bitcraft-verification/4");
    assert_eq!(document["holds"], true);
    let assignments = document["assignments"].as_array().unwrap();
    let ids: Vec<_> = assignments.iter().map(|it| &it["assignment"]).collect();
    assert_eq!(ids, ["double", "eight-queens"]);
}

#[test]
fn a_flag_that_is_not_expected_is_found_and_so_is_one_that_is_not_raised() {
    let room = own().replace(
        "double/problem.toml",
        "[run]",
        "[source]\nforbid = [\"<<\"]\n\n[run]",
    );
    let ran = room.run(&["verify", "double"]);
    assert_eq!(ran.status, 1, "{}{}", ran.stdout, ran.stderr);
    let (_, found) = ran.stdout.split_once("accepted/shift.py").unwrap();
    let (found, _) = found.split_once("✓").unwrap();
    assert_eq!(
        found,
        "       Python    AC        AC                  10
      flags: raised the flag `forbidden-token`, which is not expected: the source contains `<<`,
      which is not allowed; shift.py:3:9: `<<`
  "
    );
    let expected = "[\"accepted/shift.py\"]\nflags = [\"forbidden-token\"]\n";
    let room = room.file("double/submissions/expected.toml", expected);
    let ran = room.run(&["verify", "double"]);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    let room = room.replace("double/problem.toml", "\"<<\"", "\">>\"");
    let (status, document) = room.json(&["verify", "double", "--json", "-"]);
    assert_eq!(status, 1);
    let samples = &document["assignments"][0]["problems"][0]["samples"];
    assert_eq!(samples[0]["path"], "accepted/shift.py");
    assert_eq!(
        samples[0]["mismatches"],
        serde_json::json!([{
            "place": "flags",
            "message": "did not raise the flag `forbidden-token`, which is expected",
            "fault": false,
        }])
    );
}

#[test]
fn a_sample_is_right_or_wrong_by_what_is_expected_of_it_and_not_by_its_folder() {
    let idle = |room: &Room| {
        let (status, document) = room.json(&["verify", "double", "--json", "-"]);
        assert_eq!(status, 0, "{document:#}");
        document["assignments"][0]["problems"][0]["idle-cases"].clone()
    };
    let room = own();
    // 2 squared is twice 2.
    assert_eq!(idle(&room), serde_json::json!(["small/n=2"]));
    let odd = "[\"accepted/odd.py\"]\nexpected = [\"WA\"]\npoints = 0\n";
    let room = room
        .file("double/submissions/accepted/odd.py", python("2 * n + 1"))
        .file("double/submissions/expected.toml", odd);
    assert_eq!(idle(&room), serde_json::json!([]));
}

#[test]
fn an_expectation_may_concern_the_first_failure_the_points_or_one_case() {
    // Right, wrong, then a crash in all other cases: 2 of 10 points.
    let mixed = python("2 * n if n < 2 else 0 if n == 2 else 1 // 0");
    let samples = [
        (
            "wrong-answer/plain.py",
            "",
            &["case small/n=3: expected WA, found RE"][..],
        ),
        ("wrong-answer/first.py", "first-failure = true", &[]),
        (
            "runtime-error/first.py",
            "first-failure = true",
            &["case small/n=2: expected RE, found WA"],
        ),
        ("partially-correct/plain.py", "", &[]),
        ("partially-correct/points.py", "points = [1, 2]", &[]),
        (
            "wrong-answer/points.py",
            "first-failure = true\npoints = [3, 10]",
            &["points: expected 3 to 10, found 2"],
        ),
        (
            "wrong-answer/flags.py",
            "first-failure = true\nflags = [\"forbidden-token\"]",
            &["flags: did not raise the flag `forbidden-token`, which is expected"],
        ),
        (
            "wrong-answer/either.py",
            "expected = [\"RE\", \"WA\"]\nrequired = \"RE\"",
            &[],
        ),
        (
            "wrong-answer/required.py",
            "expected = [\"RE\", \"WA\"]\nrequired = \"TLE\"",
            &["verdict: expected RE or WA, found PC"],
        ),
        // Points are earned only after the first failure.
        ("partially-correct/late.py", "first-failure = true", &[]),
        (
            "partially-correct/right.py",
            "",
            &["points: expected some of the 10 points and not all, found 10"],
        ),
    ];
    let mut room = own();
    let mut all = String::new();
    for (path, expected, _) in samples {
        let source = match path {
            "partially-correct/late.py" => python("2 * n if n > 1 else 0"),
            "partially-correct/right.py" => python("2 * n"),
            _ => mixed.clone(),
        };
        room = room.file(&format!("double/submissions/{path}"), source);
        writeln!(all, "[\"{path}\"]\n{expected}").unwrap();
    }
    let room = room.file("double/submissions/expected.toml", all);
    let (_, document) = room.json(&["verify", "double", "--json", "-"]);
    let found = document["assignments"][0]["problems"][0]["samples"]
        .as_array()
        .unwrap();
    for (path, _, mismatches) in samples {
        let sample = found.iter().find(|it| it["path"] == path).unwrap();
        let found = sample["mismatches"].as_array().unwrap().iter().map(|it| {
            let message = it["message"].as_str().unwrap();
            let message = message.split(": ").next().unwrap();
            format!("{}: {message}", it["place"].as_str().unwrap())
        });
        assert_eq!(found.collect::<Vec<_>>(), mismatches, "{path}");
    }
}

#[test]
fn a_sample_whose_language_is_not_installed_is_not_run() {
    let language = "extensions = [\"nowhere\"]\nrun = [\"no-such-tool\", \"{main}\"]\n";
    let assignment = format!(
        "format = 1\nid = \"mine\"\ntitle = \"Mine\"\n[languages.nowhere]\n{language}[[problem]]\npath = \"double\"\npoints = 10\n"
    );
    let room = own()
        .file("assignment.toml", &assignment)
        .file("double/submissions/accepted/a.nowhere", "")
        .file("double/submissions/accepted/b/main.nowhere", "");
    let ran = room.run(&["verify"]);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    for words in [
        "- accepted/a.nowhere ",
        "- accepted/b ",
        "not installed: no-such-tool",
        "mine: 5 samples, 3 as expected, 2 not run\n",
    ] {
        assert!(ran.stdout.contains(words), "`{words}`:\n{}", ran.stdout);
    }
    // A test report does not show it as passed.
    let junit = room.run(&["verify", "--junit", "-"]).stdout;
    let counts =
        "<testsuites name=\"verify\" tests=\"6\" skipped=\"2\" failures=\"0\" errors=\"0\">";
    let why = "<skipped message=\"not installed: no-such-tool\"/>";
    assert!(junit.contains(counts) && junit.contains(why), "{junit}");
    // It may be installed by then.
    let (_, document) = room.json(&["verify", "--changed", "--json", "-"]);
    let problem = &document["assignments"][0]["problems"][0];
    assert_eq!(
        (&problem["id"], &problem["unchanged"]),
        (&json!("double"), &json!(false))
    );
    for path in [
        "accepted/twice.py",
        "accepted/shift.py",
        "wrong-answer/square.py",
    ] {
        std::fs::remove_file(room.path("double/submissions").join(path)).unwrap();
    }
    std::fs::remove_file(room.path("double/submissions/expected.toml")).unwrap();
    let ran = room.run(&["verify"]);
    assert_eq!(ran.status, 3, "{}{}", ran.stdout, ran.stderr);
    let message = "submissions: no sample can be run on this machine\n";
    assert!(ran.stdout.contains(message), "{}", ran.stdout);
}

#[test]
fn each_mistake_of_an_author_is_found_and_its_place_is_named() {
    let toml = "double/problem.toml";
    let expected = "double/submissions/expected.toml";
    let solution = "double/solution.c";
    for (file, old, new, status, words) in [
        (
            solution,
            "2 * n",
            "2 * n + (n == 3)",
            1,
            &[
                "reference, case small/n=3",
                "accepted/twice.py",
                "expected `7`",
                "found `6`",
            ][..],
        ),
        (
            solution,
            "2 * n",
            "2 * m",
            3,
            &["the reference does not build"],
        ),
        (
            toml,
            "points = 6",
            "points = 7",
            1,
            &["wrong-answer/square.py", "points", "expected 2, found 2.33"],
        ),
        (
            expected,
            "large = \"WA\"",
            "large = \"AC\"",
            1,
            &[
                "wrong-answer/square.py",
                "subtask large",
                "expected AC, found WA",
                "squares: right at n = 2 only",
            ],
        ),
        (
            "double/submissions/wrong-answer/square.py",
            "n * n",
            "2 * n",
            1,
            &["wrong-answer/square.py", "expected WA, found AC"],
        ),
    ] {
        let ran = own().replace(file, old, new).run(&["verify", "double"]);
        let printed = ran.stdout + &ran.stderr;
        assert_eq!(ran.status, status, "{printed}");
        for words in words {
            assert!(printed.contains(words), "`{words}`:\n{printed}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_verification_that_is_stopped_writes_the_samples_that_were_finished_and_one_that_is_killed_none()
 {
    let earlier =
        "<?xml version=\"1.0\"?>\n<testsuites name=\"verify\" tests=\"9\"></testsuites>\n";
    let mut room = with_time_and_marks(squares())
        .file("squares/square/submissions/wrong-answer/stuck.c", STUCK);
    // More than a worker has in hand, so that one is finished before the last begins.
    for number in 0..5 {
        let path = format!("squares/square/submissions/accepted/{number}.c");
        room = room.file(&path, SQUARE);
    }
    let room = room.file("found.xml", earlier);
    let verify = [
        "verify",
        "squares",
        "--json",
        "found.json",
        "--junit",
        "found.xml",
        "--github",
    ];
    let child = stuck(&room, &verify);
    let ran = stop(child);
    assert_eq!(ran.status, 130, "{}", ran.stderr);
    let message = "it was stopped before the end: results are missing";
    assert_eq!(
        ran.stdout,
        format!(
            "::error file=squares/one/problem.toml,title=squares.one%3A problem::submissions: there are no sample submissions\n\
             ::error title=verify%3A interrupted::{message}\n"
        )
    );
    let junit = fs::read_to_string(room.path("found.xml")).unwrap();
    let test = format!(
        "<testcase name=\"interrupted\" classname=\"verify\">\n            <error message=\"{message}\">"
    );
    assert!(junit.contains(&test), "{junit}");
    let found = fs::read(room.path("found.json")).unwrap();
    let found: Value = serde_json::from_slice(&found).unwrap();
    assert_eq!(
        (&found["interrupted"], &found["holds"]),
        (&json!(true), &json!(false))
    );
    let problem = &found["assignments"][0]["problems"][0];
    let samples = problem["samples"].as_array().unwrap();
    assert!(!samples.is_empty(), "{found:#}");
    for sample in samples {
        assert_eq!(
            (&sample["expected"], &sample["outcome"]),
            (&json!("AC"), &json!("as-expected"))
        );
        assert_eq!(sample["mismatches"], json!([]), "{sample:#}");
    }
    assert_eq!(
        (&problem["mismatches"], &problem["idle-cases"]),
        (&json!([]), &json!([]))
    );
}

#[test]
fn a_problem_is_verified_with_the_languages_of_the_assignment_above_it() {
    let samples = "assignment/answer/submissions";
    let room = Room::new()
        .fixture("site", ".")
        .file(&format!("{samples}/accepted/answer.sh"), "echo 92\n")
        .file(&format!("{samples}/wrong-answer/answer.sh"), "echo 91\n");
    let alone = room.run(&["verify", "assignment/answer"]);
    let last = "answer: 2 samples, all as expected";
    assert_eq!(
        (alone.status, alone.stdout.lines().last()),
        (0, Some(last)),
        "{alone:?}"
    );
    // The shell of this machine may know no `--version`: it is installed all the same.
    assert!(alone.stdout.contains("POSIX shell"), "{}", alone.stdout);
    let room = room.replace("assignment/assignment.toml", "\"sh\", \"{main}\"", "\"sh\"");
    let broken = room.run(&["verify", "assignment/answer"]);
    assert_eq!(broken.status, 2, "{broken:?}");
    assert!(
        broken.stderr.contains("assignment/assignment.toml:5:2\n"),
        "{}",
        broken.stderr
    );
}

#[test]
fn a_reference_that_fails_is_shown_once_with_the_lines_that_it_wrote() {
    let solution = "import sys\nsys.exit('Traceback\\n  in line 3\\nNameError: m')\n";
    let room = own()
        .replace("double/problem.toml", "solution.c", "solution.py")
        .file("double/solution.py", solution);
    std::fs::remove_dir_all(room.path("double/submissions")).unwrap();
    let room = room.file("double/submissions/accepted/twice.py", python("n + n"));
    let report = "\
double
  reference, case small/n=1 and 4 more cases: the reference failed: case `n=1`: exit status 1:
  NameError: m
    │ Traceback
    │   in line 3
    │ NameError: m
    sample             language  expected  found  points
  ✗ accepted/twice.py  Python    AC        JE          ?
      judge error: the reference failed: case `n=1`: exit status 1: NameError: m
      small
        ✗ n=1  JE
            the reference failed: case `n=1`: exit status 1: NameError: m
        ✗ n=2  JE  the reference failed: case `n=2`: exit status 1: NameError: m
        ✗ n=3  JE  the reference failed: case `n=3`: exit status 1: NameError: m
  cases that no wrong sample fails: small/n=1, small/n=2, small/n=3, large/n=10, large/n=11

double: 1 sample, 0 as expected, 1 not; 1 problem has errors of its own
";
    room.assert(&["verify", "double"]).code(3).stdout(report);
}

/// The verdicts of a sample's cases.
fn verdicts(sample: &Value) -> Vec<&str> {
    let subtasks = sample["found"]["subtasks"].as_array().unwrap();
    let cases = subtasks
        .iter()
        .flat_map(|it| it["cases"].as_array().unwrap());
    cases
        .map(|case| case["verdict"].as_str().unwrap())
        .collect()
}

#[test]
fn a_sample_is_stopped_where_its_result_is_certain_unless_all_cases_are_to_run() {
    let sum = "import sys\nn = int(sys.argv[1])\nprint(n + 2 if n != 3 else 1 // 0)\n";
    let room = own()
        .file("double/submissions/accepted/same.py", python("n"))
        .file("double/submissions/wrong-answer/sum.py", sum);
    let problem = |all: &[&str]| {
        let arguments = [&["verify", "double", "--json", "-"], all].concat();
        let (status, document) = room.json(&arguments);
        assert_eq!(status, 1, "{document:#}");
        document["assignments"][0]["problems"][0].clone()
    };
    let found = |problem: &Value| {
        let samples = problem["samples"].as_array().unwrap().iter();
        let samples = samples.filter(|it| it["mismatches"] != json!([]));
        let found = samples.map(|it| {
            let count = it["mismatches"].as_array().unwrap().len();
            format!(
                "{} {} {count}",
                it["path"].as_str().unwrap(),
                verdicts(it).join(" ")
            )
        });
        found.collect::<Vec<_>>()
    };
    let stopped = problem(&[]);
    let expected = [
        "accepted/same.py WA SK SK SK SK 1",
        "wrong-answer/sum.py WA AC RE SK SK 1",
    ];
    assert_eq!(found(&stopped), expected);
    let idle = (&stopped["idle-cases"], &stopped["stopped-early"]);
    assert_eq!(idle, (&json!(["small/n=2"]), &json!(true)));
    let whole = problem(&["--all"]);
    let expected = [
        "accepted/same.py WA WA WA WA WA 5",
        "wrong-answer/sum.py WA AC RE WA WA 1",
    ];
    assert_eq!(found(&whole), expected);
    let idle = (&whole["idle-cases"], &whole["stopped-early"]);
    assert_eq!(idle, (&json!(["small/n=2"]), &json!(false)));
    let text = room.run(&["verify", "double"]).stdout;
    let line = "  cases that no wrong sample failed (some stopped early; `--all` runs every case): small/n=2\n";
    assert!(text.contains(line), "{text}");
}

/// A function that the author's programs call.
const TWICE: &str = r#"
format = 1
id = "twice"
title = "Twice"
[submission]
files = ["twice.*"]
include = ["main.py", "main.c"]
[run]
stdin = "1\n"
[checker.tokens]
[[subtask]]
name = "all"
points = 1
case = [{ name = "one", answer = "2" }]
"#;

#[test]
fn a_sample_that_fails_only_because_it_is_not_found_is_named() {
    if !have(&["gcc", "python3"]) {
        return;
    }
    let twice = "def twice(n):\n    return 2 * n\n";
    let calls = "int helper(int n);\nint twice(int n) { return helper(n); }\n";
    let room = Room::new()
        .file("twice/problem.toml", TWICE)
        .file("twice/main.py", "from twice import twice\nprint(twice(int(input())))\n")
        .file("twice/main.c", "#include <stdio.h>\nint twice(int n);\nint main(void) { printf(\"%d\\n\", twice(1)); }\n")
        .file("twice/submissions/accepted/twice.py", twice)
        .file("twice/submissions/compile-error/calls.c", calls)
        .file("twice/submissions/compile-error/thrice.c", "int thrice(int n) { return n; }\n")
        .file("twice/submissions/runtime-error/import/twice.py", "import halves\n")
        .file("twice/submissions/runtime-error/name/twice.py", "def thrice(n):\n    return n\n")
        .file("twice/submissions/runtime-error/thrice.py", twice);
    let ran = room.run(&["verify", "twice"]);
    let slowest = ran.stdout.find("  slowest pass").unwrap();
    assert_eq!(
        (ran.status, &ran.stdout[..slowest]),
        (
            0,
            "\
twice
    sample                   language  expected  found  points
  ✓ accepted/twice.py        Python    AC        AC          1
  ✓ compile-error/calls.c    C         CE        CE          0
  ✓ compile-error/thrice.c   C         CE        CE          0
      warning: fails only because `main.c` does not find its code: undefined reference to `twice'
  ✓ runtime-error/import     Python    RE        RE          0
  ✓ runtime-error/name       Python    RE        RE          0
      warning: fails only because `main.py` does not find its code: ImportError: cannot import name
               'twice' from 'twice' (twice.py)
  ✓ runtime-error/thrice.py  Python    RE        RE          0
      warning: fails only because `main.py` does not find its code: ModuleNotFoundError: No module
               named 'twice'; name it `twice.py`
"
        )
    );
}

#[test]
fn a_problem_alone_has_the_languages_of_the_assignment_above_it() {
    if !have(&["gcc", "python3"]) {
        return;
    }
    let assignment = "format = 1\nid = \"week\"\ntitle = \"Week\"\n[languages.c]\nflags = [\"-DTWICE=2\"]\n\
                      [[problem]]\npath = \"double\"\npoints = 10\n";
    let room = Room::new()
        .fixture("double", "week/double")
        .file("week/assignment.toml", assignment)
        .file("week/double/solution.c", program("TWICE * n"))
        .file(
            "week/double/submissions/accepted/twice.c",
            program("TWICE * n"),
        )
        .file(
            "week/double/submissions/wrong-answer/square.py",
            python("n * n"),
        );
    let ran = room.run(&["verify", "week/double"]);
    assert_eq!(
        (ran.status, ran.stdout.lines().last()),
        (0, Some("double: 2 samples, all as expected")),
        "{}",
        ran.stdout
    );
}

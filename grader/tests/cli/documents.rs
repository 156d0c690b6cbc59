//! What commands write for programs: JSON that keeps to its schema, JUnit XML and annotations, beside their text.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use serde_json::{Value, json};

use crate::class::{SQUARE, WRONG, ann_and_bob, squares};
use crate::harness::{Room, have};
use crate::stress::{FOUR, doubles, sums};

/// The document in a file, which keeps to the schema of this name.
fn document(room: &Room, file: &str, schema: &str) -> Value {
    let document = serde_json::from_slice(&fs::read(room.path(file)).unwrap()).unwrap();
    let schema = serde_json::from_str(&room.run(&["schema", schema]).stdout).unwrap();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    let errors = validator.iter_errors(&document);
    let errors: Vec<String> = errors
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert_eq!(errors, Vec::<String>::new(), "{document:#}");
    document
}

/// What `pointers` name, taken out of a document: what is measured differs from run to run.
fn taken(document: &mut Value, pointers: &[&str]) -> Vec<Value> {
    let pointers = pointers.iter();
    let taken = pointers.map(|it| document.pointer_mut(it).unwrap().take());
    taken.collect()
}

#[test]
fn check_verify_and_doctor_write_documents_beside_their_text() {
    let room = squares()
        .file("squares/square/submissions/accepted/square.c", WRONG)
        .file("squares/one/statement.md", "![](gone.png)\n")
        .file("squares/square/statement.md", "The square of $n$.\n");
    let text = room.run(&["check", "squares"]);
    let ran = room.run(&["check", "squares", "--json", "c.json", "--junit", "c.xml"]);
    assert_eq!((ran.status, ran.stdout), (0, text.stdout));
    let notes = "report written to `c.json`\nreport written to `c.xml`\n";
    assert_eq!(ran.stderr, notes);
    let remark = "squares/one/statement.md:1: `gone.png` does not exist";
    let checked = json!({
        "id": "squares", "problems": 2, "cases": 4, "points": 10, "bonus": 2, "remarks": [remark]
    });
    assert_eq!(
        document(&room, "c.json", "check"),
        json!({ "format": "bitcraft-check/1", "assignments": [checked], "mistakes": [] })
    );

    let verify = ["verify", "squares/square"];
    let more = ["--json", "v.json", "--junit", "v.xml", "--github"];
    let ran = room.run(&[&verify[..], &more].concat());
    let (_, annotations) = ran
        .stdout
        .split_once("square: 1 sample, 0 as expected, 1 not\n")
        .unwrap();
    let error = "::error file=squares/square/submissions/accepted/square.c,title=square.square%3A accepted/square.c::";
    assert!(annotations.starts_with(error), "{}", ran.stdout);
    assert_eq!(ran.status, 1);
    let verified = document(&room, "v.json", "verification");
    assert_eq!(verified["holds"], false);
    let junit = fs::read_to_string(room.path("v.xml")).unwrap();
    assert!(
        junit.contains(r#"tests="2" skipped="0" failures="1""#),
        "{junit}"
    );

    let ran = room.run(&["doctor", "--json", "d.json"]);
    assert!(
        ran.stdout.starts_with("Layers of strict isolation\n"),
        "{}",
        ran.stdout
    );
    document(&room, "d.json", "doctor");
}

#[test]
fn a_mistake_in_a_problem_file_is_in_the_documents() {
    let room = squares().replace("squares/assignment.toml", "points = 10", "points = 11");
    for (command, schema) in [("check", "check"), ("verify", "verification")] {
        let ran = room.run(&[command, "squares", "--json", "a.json", "--junit", "a.xml"]);
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
        let found = document(&room, "a.json", schema);
        let message = "problem `square` is worth 11 points here, but its subtasks make 10";
        assert_eq!(found["mistakes"][0]["message"], message);
        let junit = fs::read_to_string(room.path("a.xml")).unwrap();
        assert!(junit.contains(message), "{junit}");
        fs::remove_file(room.path("a.json")).unwrap();
        fs::remove_file(room.path("a.xml")).unwrap();
    }
}

#[test]
fn stress_says_in_json_what_it_found_and_that_it_found_nothing() {
    if !have(&["gcc"]) {
        return;
    }
    let room = sums().file("max.c", FOUR).file("none.c", "int main() {");
    let stress = ["stress", "max.c", "-a", "./sums", "--time", "600"];
    let ran = room.run(&[&stress[..], &["--json", "s.json"]].concat());
    assert_eq!(ran.status, 1, "{}", ran.stderr);
    assert!(ran.stdout.contains("the smallest input found"));
    let mut found = document(&room, "s.json", "stress");
    let case = found["found"]["case"].take();
    assert_eq!(
        (&case["name"], &case["verdict"], &case["message"]),
        (
            &json!("5 1 0 0 0 1"),
            &json!("WA"),
            &json!("expected `2`, found `1`")
        )
    );
    let expected = json!({
        "format": "bitcraft-stress/1", "problem": "max", "files": ["max.c"], "against": null, "unbuilt": null,
        "tried": 12, "inputs": 20_000_000, "interrupted": false,
        "found": { "case": null, "variables": { "n": "5", "seed": "5" }, "input": "5\n1 0 0 0 1\n" },
        "unconfirmed": null, "problem-fault": null,
    });
    assert_eq!(found, expected);

    // In place of the text. The reference against itself.
    let right = fs::read(room.path("sums/max/solution.c")).unwrap();
    let room = room.file("max.c", right).replace(
        "sums/max/problem.toml",
        "n = \"1..=20\", seed = \"1..=1000000\"",
        "n = \"1..=3\", seed = \"1..=2\"",
    );
    let (status, none) = room.json(&[&stress[..], &["--json", "-"]].concat());
    let expected = json!({
        "format": "bitcraft-stress/1", "problem": "max", "files": ["max.c"], "against": null, "unbuilt": null,
        "tried": 6, "inputs": 6, "interrupted": false, "found": null, "unconfirmed": null, "problem-fault": null,
    });
    assert_eq!((status, none), (0, expected));

    let unbuilt = ["stress", "none.c", "-p", "max", "-a", "./sums", "--json"];
    let ran = room.run(&[&unbuilt[..], &["s.json"]].concat());
    assert_eq!(ran.status, 1, "{}", ran.stderr);
    let unbuilt = document(&room, "s.json", "stress");
    assert_eq!(
        (&unbuilt["unbuilt"]["verdict"], &unbuilt["found"]),
        (&json!("CE"), &json!(null))
    );
}

#[test]
fn an_audit_names_each_program_and_what_was_found_out() {
    if !have(&["gcc"]) {
        return;
    }
    let room = doubles();
    let graded = room.run(&["grade", "week/class", "--quiet"]);
    assert_eq!((graded.status, graded.stderr.as_str()), (0, ""));
    let audit = ["audit", "week/class", "--time", "600", "--quiet"];
    let documents = ["--json", "a.json", "--junit", "a.xml", "--github"];
    let ran = room.run(&[&audit[..], &documents].concat());
    assert_eq!((ran.status, ran.stderr.as_str()), (1, ""));
    let annotation =
        "::error title=week.double%3A bob%2C cy · double.c::WA on n = 6: expected `12`, found `0`";
    assert_eq!(ran.stdout.lines().last(), Some(annotation));
    let mut found = document(&room, "a.json", "audit");
    let [case, class] = &taken(&mut found, &["/programs/1/found/case", "/class"])[..] else {
        unreachable!("two pointers")
    };
    assert_eq!(
        (&case["name"], &case["verdict"], &class["assignment"]),
        (&json!("n = 6"), &json!("WA"), &json!("week"))
    );
    let expected = json!({
        "format": "bitcraft-audit/1", "assignment": "week", "class": null, "run": 1, "interrupted": false,
        "programs": [
            {
                "problem": "double", "students": ["ann"], "files": ["double.c"], "outcome": "right", "inputs": 9,
                "found": null, "unconfirmed": null
            },
            {
                "problem": "double", "students": ["bob", "cy"], "files": ["double.c"], "outcome": "wrong",
                "inputs": null, "found": { "case": null, "variables": { "n": "6" }, "input": null },
                "unconfirmed": null
            },
        ],
        "faults": [],
        "not-searched": [{ "problem": "given", "message": "`given` has no reference here to compare with" }],
        "cases": [
            { "problem": "double", "cases": ["all/n=1", "all/n=2"], "failed-by": 0 },
            { "problem": "double", "cases": ["all/n=3", "all/n=4"], "failed-by": 1 },
        ],
    });
    assert_eq!(found, expected);
    let junit = r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="audit" tests="2" skipped="0" failures="1" errors="0">
    <testsuite name="week.double" tests="2" skipped="0" errors="0" failures="1">
        <testcase name="ann · double.c" classname="week.double"/>
        <testcase name="bob, cy · double.c" classname="week.double">
            <failure message="WA on n = 6: expected `12`, found `0`">WA on n = 6: expected `12`, found `0`</failure>
        </testcase>
    </testsuite>
</testsuites>
"#;
    assert_eq!(fs::read_to_string(room.path("a.xml")).unwrap(), junit);
}

#[test]
fn test_writes_the_results_that_its_text_shows_and_nothing_of_hidden_cases() {
    if !have(&["gcc", "python3"]) {
        return;
    }
    let room = squares()
        .file("square.c", WRONG)
        .file("one.py", "import sys\nprint(2, file=sys.stderr)\n");
    let arguments = ["test", "square.c", "one.py", "-a", "./squares"];
    let text = room.run(&arguments);
    let documents = ["--json", "t.json", "--junit", "t.xml", "--github"];
    let ran = room.run(&[&arguments[..], &documents].concat());
    assert_eq!((text.status, ran.status), (1, 1));
    let lines: Vec<&str> = ran
        .stdout
        .lines()
        .filter(|it| it.starts_with("::"))
        .collect();
    assert_eq!(
        lines,
        [
            "::error file=square.c,title=square%3A PC%2C 3.33 of 10 points::small/n=1: expected `1`, found `3`%0Atry it: ./square 1",
            "::error file=one.py,title=one%3A WA%2C 0 of 2 bonus points::all/#1: wrong answer",
        ]
    );
    let results = document(&room, "t.json", "results");
    let student = &results["students"][0];
    assert_eq!(
        (&student["id"], &student["points"], &results["class"]),
        (&json!("you"), &json!(3.33), &json!(null))
    );
    let hidden = &student["problems"][1]["subtasks"][0]["cases"][0];
    assert_eq!(
        (&hidden["name"], &hidden["verdict"], &hidden["stderr"]),
        (&json!("#1"), &json!("WA"), &json!(null))
    );
    let junit = fs::read_to_string(room.path("t.xml")).unwrap();
    let begins = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"squares\" tests=\"4\" skipped=\"0\" failures=\"3\" errors=\"0\">\n";
    assert!(junit.starts_with(begins), "{junit}");
    for written in ["t.json", "t.xml"] {
        let bytes = fs::read_to_string(room.path(written)).unwrap();
        assert!(!bytes.contains("secret"), "{bytes}");
    }

    // A program that is right replaces them.
    let right = room.file("square.c", SQUARE);
    let arguments = ["test", "square.c", "-a", "./squares"];
    let ran = right.run(&[&arguments[..], &documents].concat());
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let results = document(&right, "t.json", "results");
    assert_eq!(results["students"][0]["points"], 10);
}

#[test]
fn what_is_wrong_with_this_machine_is_in_the_documents_of_a_test() {
    let room = squares()
        .file("square.py", "print(1)\n")
        .env("PATH", "/nowhere");
    let arguments = ["test", "square.py", "-a", "./squares", "--json"];
    let text = room.run(&arguments[..4]);
    let (status, results) = room.json(&[&arguments[..], &["-"]].concat());
    assert_eq!((text.status, status), (3, 3));
    let message = &results["students"][0]["problems"][0]["message"];
    let first = message.as_str().unwrap().lines().next().unwrap();
    assert!(text.stdout.contains(first), "{message}: {}", text.stdout);
}

#[test]
fn a_document_replaces_only_an_earlier_one_of_its_kind() {
    let room = ann_and_bob()
        .file("mine.json", "{}\n")
        .file("mine.xml", "<testsuites name=\"mine\">\n")
        .file("square.c", SQUARE);
    let graded = [
        "grade",
        "class",
        "-a",
        "./squares",
        "--json",
        "class.json",
        "--junit",
        "class.xml",
    ];
    assert_eq!(room.run(&graded).status, 0);
    let made = room.run(&[
        "check",
        "squares",
        "--json",
        "check.json",
        "--junit",
        "check.xml",
    ]);
    assert_eq!(made.status, 0);
    let kept = [
        "mine.json",
        "mine.xml",
        "class.json",
        "class.xml",
        "check.json",
        "check.xml",
    ];
    let bytes = || kept.map(|file| fs::read(room.path(file)).unwrap());
    let before = bytes();
    for (command, files) in [
        (
            "check squares",
            &[
                "--json mine.json",
                "--junit mine.xml",
                "--json class.json",
                "--junit class.xml",
            ][..],
        ),
        (
            "verify squares",
            &["--json check.json", "--junit check.xml"],
        ),
        ("doctor", &["--json check.json"]),
        ("history class", &["--json check.json"]),
        ("diff class", &["--json check.json"]),
        ("replay class -a ./squares", &["--json check.json"]),
        ("stress square.c -a ./squares", &["--json mine.json"]),
        (
            "audit class -a ./squares",
            &["--json mine.json", "--junit check.xml"],
        ),
        (
            "test square.c -a ./squares",
            &["--json class.json", "--junit class.xml", "--json mine.json"],
        ),
    ] {
        for file in files {
            let line = format!("{command} {file}");
            let ran = room.run(&line.split(' ').collect::<Vec<_>>());
            let file = file.split(' ').next_back().unwrap();
            let message = format!(
                "error: `{file}` exists, and is no earlier document of this kind: name another file\n"
            );
            assert_eq!(
                (ran.status, ran.stdout.as_str(), ran.stderr),
                (2, "", message),
                "{line}"
            );
        }
    }
    assert!(bytes() == before);
    // Whatever version wrote it.
    let again = room.replace("check.json", "bitcraft-check/1", "bitcraft-check/0");
    let ran = again.run(&["check", "squares", "--json", "check.json", "--quiet"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    assert!(fs::read(again.path("check.json")).unwrap() == before[4]);
}

#[test]
fn an_earlier_document_stays_until_another_takes_its_place() {
    let room = squares().folder("empty").file("square.c", SQUARE);
    let run = |line: &str| room.run(&line.split(' ').collect::<Vec<_>>());
    for (good, bad, documents) in [
        (
            "check squares",
            "check empty",
            "--json a.json --junit a.xml",
        ),
        (
            "test square.c -a ./squares",
            "test gone.c -a ./squares",
            "--json c.json --junit c.xml",
        ),
    ] {
        let files = documents.split(' ').skip(1).step_by(2);
        let texts = || {
            let texts = files.clone();
            let texts = texts.map(|it| fs::read_to_string(room.path(it)).unwrap());
            texts.collect::<Vec<_>>()
        };
        run(&format!("{good} {documents}"));
        let earlier = texts();
        let ran = run(&format!("{bad} {documents}"));
        assert_eq!((ran.status, texts()), (2, earlier), "{bad}: {}", ran.stderr);
    }
}

#[test]
fn a_document_that_is_replaced_stays_a_link_and_is_kept_from_others_as_before() {
    let room = squares().folder("kept");
    symlink("kept/c.json", room.path("c.json")).unwrap();
    fs::write(room.path("kept/c.json"), "").unwrap();
    let private = fs::Permissions::from_mode(0o600);
    fs::set_permissions(room.path("kept/c.json"), private).unwrap();
    for _ in 0..2 {
        let ran = room.run(&["check", "squares", "--json", "c.json", "--quiet"]);
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        let kept = fs::metadata(room.path("kept/c.json")).unwrap();
        assert_eq!(kept.permissions().mode() & 0o777, 0o600);
        assert!(kept.len() > 0);
        assert!(
            fs::symlink_metadata(room.path("c.json"))
                .unwrap()
                .is_symlink()
        );
    }
}

#[test]
fn two_documents_never_share_a_file_and_one_that_cannot_be_written_is_known_first() {
    let room = squares();
    for (line, message) in [
        (
            "check squares --json a --junit ./a",
            "two reports would go to `./a`",
        ),
        (
            "verify squares --json - --junit -",
            "two reports would go to `-`",
        ),
        (
            "verify squares --json - --github",
            "two reports would go to `-`",
        ),
        (
            "test square.c --junit - --github",
            "`square.c` does not exist",
        ),
        (
            "check squares --json no/such.json",
            "cannot write `no/such.json`: No such file or directory (os error 2)",
        ),
    ] {
        let ran = room.run(&line.split(' ').collect::<Vec<_>>());
        let (status, stdout) = (ran.status, ran.stdout.as_str());
        assert_eq!((status, stdout), (2, ""), "{line}: {}", ran.stderr);
        assert!(
            ran.stderr.starts_with(&format!("error: {message}")),
            "{line}: {}",
            ran.stderr
        );
    }
    let files: Vec<_> = fs::read_dir(room.path(".")).unwrap().collect();
    assert_eq!(files.len(), 1, "{files:?}");
}

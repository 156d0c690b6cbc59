//! Searches must not blame a right program for a fault of its problem, nor call a program right that was not tried, nor show the
//! input of a hidden case.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use serde_json::Value;

use crate::harness::{Ran, Room, have, strict};
use crate::searched::{stop, stuck};
use crate::streams::mark;

/// An assignment `week` with the problem `same`: print the number that was read.
fn same(search: &str, subtasks: &str, checker: &str) -> Room {
    let problem = format!(
        "format = 1\nid = \"same\"\ntitle = \"The same n\"\n[submission]\nfiles = [\"same.*\"]\n[limits]\ntime = \"600 s\"\n\
         wall = \"600 s\"\n[run]\nstdin = \"{{n}}\\n\"\n[reference]\npath = \"solution.c\"\n{checker}\n[search]\n\
         cases = {{ n = \"{search}\" }}\n{subtasks}"
    );
    Room::new()
        .keeping()
        .file(
            "week/assignment.toml",
            "format = 1\nid = \"week\"\ntitle = \"Week\"\n[[problem]]\npath = \"same\"\npoints = 3\n",
        )
        .file("week/same/problem.toml", problem)
        .file("week/same/solution.c", program("n"))
}

/// Prints a value that follows from `n`, the first number of the input.
fn program(value: &str) -> String {
    format!(
        "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <sys/stat.h>\n#include <time.h>\n#include <unistd.h>\n\
         char text[99], folder[4096];\nint main(void) {{ fread(text, 1, 98, stdin); int n = atoi(text); struct stat it;\n  \
         int alone = getcwd(folder, sizeof folder) && strcmp(folder, \"/\") != 0; (void)it; (void)alone;\n  \
         printf(\"%d\\n\", {value}); }}\n"
    )
}

const PUBLIC: &str = "[[subtask]]\nname = \"all\"\npoints = 3\ncases = { n = \"1..=3\" }\n";

/// What a search printed, without times.
fn lines(ran: &Ran) -> Vec<&str> {
    ran.stdout.lines().filter(|it| !it.contains('✗')).collect()
}

fn graded(room: &Room) {
    let ran = room.run(&["grade", "class", "-a", "./week", "--quiet"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
}

fn audited(room: &Room, more: &[&str]) -> Ran {
    let audit = ["audit", "class", "-a", "./week", "--time", "600", "--quiet"];
    room.run(&[&audit[..], more].concat())
}

/// By a slip, the checker does not see a minus sign in front of the output.
const BLIND: &str = "import sys\nanswer = open(sys.argv[2]).read()\noutput = sys.stdin.read().replace('-', '')\n\
                     sys.exit(42 if answer.split() == output.split() else 43)\n";
const BLIND_CHECKER: &str = "[checker.program]\nsource = \"check.py\"\n";

#[test]
fn an_input_on_which_the_checker_rejects_the_reference_blames_nobody() {
    if !have(&["gcc", "python3"]) {
        return;
    }
    let room = same("-5..=5", PUBLIC, BLIND_CHECKER)
        .file("week/same/check.py", BLIND)
        .file("same.c", program("n"))
        .file("class/ann/same.c", program("n"))
        .file("class/bob/same.c", program("n == 5 ? 7 : n"));
    let fault = "the checker rejects the reference's answer on n = -1";
    let innocent = format!("{fault}: not a mistake of this program");
    let ran = room.run(&[
        "stress", "same.c", "-a", "./week", "--time", "600", "--save",
    ]);
    let none = "no difference from the reference in 6 of 11 inputs";
    assert_eq!((ran.status, lines(&ran)), (3, vec![none, &innocent]));

    // Nobody's points change on an input that says nothing.
    let before = fs::read_to_string(room.path("week/same/problem.toml")).unwrap();
    graded(&room);
    let ran = audited(&room, &["--save"]);
    let of_problem = format!("same: {fault}");
    assert_eq!(
        (ran.status, lines(&ran)),
        (
            1,
            vec![
                "bob · same · same.c",
                "    the checker does not accept the output",
                "    found     7\\n",
                "    input",
                "    │ 5",
                "    try it: printf '5\\n' | ./same",
                "",
                "1 case added to subtask `all` in `week/same/problem.toml`",
                of_problem.as_str(),
                "1 of 2 accepted programs found wrong; each of the others is right on at least 6 inputs",
                "same: no program fails all/n=1, all/n=2, all/n=3",
            ]
        )
    );
    let case = "\n[[subtask.case]]\nname = \"found-1\"\nvariables = { n = 5 }\n";
    let saved = fs::read_to_string(room.path("week/same/problem.toml")).unwrap();
    assert_eq!(saved, format!("{before}{case}"));
    graded(&room);
    let (_, results) = room.json(&["report", "class", "--json", "-", "--quiet"]);
    let students = results["students"].as_array().unwrap();
    let points: Vec<_> = students.iter().map(|it| it["points"].clone()).collect();
    assert_eq!(points, [Value::from(3), 2.25.into()]);
}

#[test]
fn a_fault_of_the_problem_is_said_to_whoever_searches() {
    if !have(&["gcc", "python3"]) {
        return;
    }
    let room = same("-5..=5", PUBLIC, BLIND_CHECKER)
        .file("week/same/check.py", BLIND)
        .file("same.c", program("n == 3 ? 4 : n"))
        .file("class/ann/same.c", program("n == 3 ? 4 : n"));
    let fault = "the checker rejects the reference's answer on n = -1";
    let ran = room.run(&["test", "same.c", "-a", "./week", "--why", "--time", "600"]);
    let none =
        format!("No other input found on which it fails\n{fault}: not a mistake of this program\n");
    assert!(ran.stdout.ends_with(&none), "{}", ran.stdout);
    let ran = room.run(&[
        "grade", "class", "-a", "./week", "--quiet", "--why", "--time", "600",
    ]);
    assert_eq!((ran.status, ran.stderr), (0, format!("same: {fault}\n")));

    // With and without a sample.
    for sample in [false, true] {
        let room = same("-5..=5", PUBLIC, BLIND_CHECKER).file("week/same/check.py", BLIND);
        let room = if sample {
            room.file("week/same/submissions/accepted/right.c", program("n"))
        } else {
            room
        };
        let ran = room.run(&["verify", "week/same", "--audit", "--time", "600"]);
        assert_eq!((ran.status, ran.stderr.as_str()), (1, ""));
        let expected = format!(
            "same: 0 of {} failed on an input outside the test cases\nsame: {fault}\n",
            if sample {
                "1 accepted sample"
            } else {
                "0 accepted samples"
            }
        );
        assert!(ran.stdout.ends_with(&expected), "{}", ran.stdout);
    }
}

#[test]
fn a_reference_or_a_generator_that_is_not_steady_blames_nobody() {
    if !have(&["gcc", "python3"]) {
        return;
    }
    let tokens = "[checker.tokens]\n";
    let unsteady = "import random\nprint(random.random())\n";
    let room = same("1..=3", PUBLIC, tokens)
        .replace("week/same/problem.toml", "solution.c", "solution.py")
        .file("week/same/solution.py", unsteady)
        .file("same.py", unsteady);
    let ran = room.run(&["stress", "same.py", "-a", "./week", "--time", "600"]);
    let expected = "error: the checker rejects the reference's answer on n = 1 when it runs again: not a mistake of this program\n";
    assert_eq!(
        (ran.status, ran.stdout.as_str(), ran.stderr.as_str()),
        (2, "", expected)
    );

    let room = same("1..=3", PUBLIC, tokens)
        .replace(
            "week/same/problem.toml",
            "cases = { n = \"1..=3\" }\n[[subtask]]",
            "cases = { n = \"1..=3\" }\ngenerate = \"draw.py\"\n[[subtask]]",
        )
        .file(
            "week/same/draw.py",
            "import random\nprint(random.randrange(10**9))\n",
        )
        .file("same.c", program("n + 1"));
    let ran = room.run(&["stress", "same.c", "-a", "./week", "--time", "600"]);
    let expected = "error: the generator prints another input for n = 1 when it runs again: not a mistake of this program\n";
    assert_eq!(
        (ran.status, ran.stdout.as_str(), ran.stderr.as_str()),
        (2, "", expected)
    );
}

#[test]
fn a_validator_that_fails_on_an_input_ends_no_search() {
    if !have(&["gcc", "python3"]) {
        return;
    }
    let validator = "[checker.tokens]\n[validator]\nsource = \"valid.py\"\n";
    let fails = |input: &str| format!("import os\nif int(input()) {input}: os.abort()\n");
    let room = same("1..=9", PUBLIC, validator)
        .file("week/same/valid.py", fails("== 3"))
        .file("same.c", program("n > 5 ? 0 : n"));
    let stress = ["stress", "same.c", "-a", "./week", "--time", "600"];
    let ran = room.run(&stress);
    let fault = "the problem's validator `valid.py` was killed by signal 6 (SIGABRT): not a mistake of this program";
    let said = format!("on n = 3, {fault}");
    assert_eq!((ran.status, lines(&ran).last()), (1, Some(&said.as_str())));
    assert_eq!(lines(&ran)[0], "    expected `6`, found `0`");
    // If it fails on all, the search ends.
    let ran = room.file("week/same/valid.py", fails("< 10")).run(&stress);
    let error = format!("error: on n = 1, {fault}\n");
    assert_eq!((ran.status, ran.stderr), (2, error));
}

#[test]
fn a_program_that_is_right_only_where_runs_share_a_sandbox_is_found() {
    if !have(&["gcc"]) {
        return;
    }
    // The folder in which it runs tells a program, and in a sandbox of its own there is no shell.
    let tricks = [
        "n < 4 || !alone ? n : 0",
        "n < 4 || stat(\"/bin/sh\", &it) == 0 ? n : 0",
    ];
    for trick in tricks.iter().take(if strict() { 2 } else { 1 }) {
        let room = same("0..=300", PUBLIC, "[checker.tokens]\n")
            .file("same.c", program(trick))
            .file("class/ann/same.c", program(trick));
        let ran = room.run(&["stress", "same.c", "-a", "./week", "--time", "600"]);
        let found = [
            "    expected `4`, found `0`",
            "    input",
            "    │ 4",
            "    try it: printf '4\\n' | ./same",
        ];
        let tried = "the smallest input found on which the program fails; 12 of 301 inputs tried";
        assert_eq!(
            (ran.status, lines(&ran)),
            (1, [&found[..], &[tried]].concat())
        );
        graded(&room);
        let ran = audited(&room, &[]);
        let lines = lines(&ran);
        assert_eq!((ran.status, &lines[1..5]), (1, &found[..]));
        assert_eq!(lines[6], "1 of 1 accepted program found wrong");
    }
}

#[test]
fn a_program_that_was_not_tried_is_not_called_right() {
    if !have(&["gcc"]) {
        return;
    }
    let room = same("4..=9", PUBLIC, "[checker.tokens]\n")
        .file("class/ann/same.c", program("(n > 3 ? pause() : 0, n)"))
        .file(
            "week/same/submissions/accepted/waits.c",
            program("(n > 3 ? pause() : 0, n)"),
        );
    graded(&room);
    let ran = room.run(&["audit", "class", "-a", "./week", "--time", "1", "--quiet"]);
    assert_eq!(
        (ran.status, lines(&ran)),
        (
            3,
            vec![
                "ann · same · same.c: not tried",
                "0 of 1 accepted program found wrong; 1 not tried: to try them all, use `--time 60`; or run `audit` again: it begins with them",
                "same: no program fails all/n=1, all/n=2, all/n=3",
            ]
        )
    );
    let ran = room.run(&["verify", "week/same", "--audit", "--time", "1"]);
    let expected = "same: 0 of 1 accepted sample failed on an input outside the test cases\n\
                    same: 1 accepted sample was not tried to the end: try a longer `--time`\n";
    assert_eq!(ran.status, 1);
    assert!(ran.stdout.ends_with(expected), "{}", ran.stdout);
}

#[test]
fn a_difference_that_was_seen_and_not_repeated_is_said() {
    if !have(&["gcc"]) {
        return;
    }
    let room = same("4..=9", PUBLIC, "[checker.tokens]\n").file("same.c", program("n > 6 ? 0 : n"));
    let arguments = format!("[run]\narguments = [\"{}\"]", mark(&room, "2"));
    // The reference answers many runs in one sandbox, and does not end in a run of its own.
    let room = room
        .replace("week/same/problem.toml", "[run]", &arguments)
        .file(
            "week/same/solution.c",
            program("n").replace(
                "printf",
                "for (volatile int i = 1; alone && i;) { }\n  printf",
            ),
        );
    let ran = stop(stuck(
        &room,
        &["stress", "same.c", "-a", "./week", "--time", "600"],
    ));
    let expected = "a difference from the reference was seen on n = 7, but there was not enough time to confirm it: \
                    try a longer `--time`; 4 of 6 inputs tried\n";
    assert_eq!((ran.status, ran.stdout.as_str()), (130, expected));
}

#[test]
fn problems_take_turns_in_an_audit() {
    if !have(&["gcc"]) {
        return;
    }
    let room = same("1..=9", PUBLIC, "[checker.tokens]\n");
    let arguments = format!("[run]\narguments = [\"{}\"]", mark(&room, "2"));
    let problem = fs::read_to_string(room.path("week/same/problem.toml")).unwrap();
    let problem = problem.replace("[run]", &arguments);
    let stuck_later = program("n").replace(
        "printf",
        "for (volatile int i = 1; n > 3 && i;) { }\n  printf",
    );
    let room = room
        .replace(
            "week/assignment.toml",
            "[[problem]]",
            "[[problem]]\npath = \"first\"\npoints = 3\n[[problem]]",
        )
        .file("week/first/problem.toml", problem.replace("same", "first"))
        .file("week/first/solution.c", program("n"))
        .file("week/same/problem.toml", problem)
        .file("class/ann/first.c", program("n"))
        .file("class/bob/first.c", stuck_later)
        .file("class/cy/same.c", program("n > 6 ? 0 : n"));
    graded(&room);
    let audit = ["audit", "class", "-a", "./week", "--time", "600", "--quiet"];
    let ran = stop(stuck(&room, &audit));
    assert_eq!(
        (ran.status, ran.stdout.lines().next()),
        (1, Some("cy · same · same.c"))
    );
}

/// What programs read as the numbers from 41.
const WRITTEN: [&str; 5] = ["41", "42 \\n", "43\\r\\n", "\\n\\t044\\n", "4 5"];

#[test]
fn the_input_of_a_hidden_case_is_not_shown_however_it_is_written() {
    if !have(&["gcc"]) {
        return;
    }
    let cases = WRITTEN.iter().zip(41..).map(|(input, n)| {
        format!("  {{ name = \"{n}\", stdin = \"{input}\", answer = \"{n}\" }},\n")
    });
    let subtasks = format!(
        "{}[[subtask]]\nname = \"secret\"\nhidden = true\npoints = 1\ncase = [\n{}]\n",
        PUBLIC.replace("points = 3", "points = 2"),
        cases.collect::<String>()
    );
    let wrong = program("n > 40 || n == 1 ? 0 : n");
    let room = same("41..=47", &subtasks, "[checker.tokens]\n")
        .file("same.c", &wrong)
        .file("class/ann/same.c", &wrong);
    let shown = ["    expected `46`, found `0`", "    input", "    │ 46"];
    let ran = room.run(&["test", "same.c", "-a", "./week", "--why", "--time", "600"]);
    let (_, found) = ran.stdout.split_once("On an input").unwrap();
    let found: Vec<&str> = found.lines().collect();
    assert_eq!(found[2..5], shown, "{}", ran.stdout);
    let ran = room.run(&["stress", "same.c", "-a", "./week", "--time", "600"]);
    assert_eq!((ran.status, &lines(&ran)[..3]), (1, &shown[..]));

    let grade = [
        "grade", "class", "-a", "./week", "--quiet", "--why", "--time", "600",
    ];
    assert_eq!(room.run(&grade).status, 0);
    let page = [
        "report",
        "class",
        "--audience",
        "student",
        "--explain",
        "ann",
    ];
    let ran = room.run(&page);
    let (_, found) = ran.stdout.split_once("Fails on").unwrap();
    assert!(found.contains("n = 46"), "{}", ran.stdout);
}

#[test]
fn an_audit_does_not_show_the_input_of_a_hidden_case() {
    if !have(&["gcc"]) {
        return;
    }
    let public = PUBLIC.replace("points = 3", "points = 2");
    let subtasks = format!(
        "{public}[[subtask]]\nname = \"secret\"\nhidden = true\npoints = 1\ncase = [\n  \
         {{ name = \"one\", stdin = \"41\", answer = \"41\" }},\n]\n"
    );
    // Wrong if a line feed follows.
    let room = same("41..=43", &subtasks, "[checker.tokens]\n")
        .file("class/ann/same.c", program("n == 41 && text[2] ? 0 : n"));
    graded(&room);
    let ran = audited(&room, &[]);
    assert_eq!(
        (ran.status, lines(&ran)),
        (
            0,
            vec![
                "0 of 1 accepted program found wrong; each of the others is right on at least 2 inputs",
                "same: no program fails all/n=1, all/n=2, all/n=3, secret/one",
            ]
        )
    );
}

#[test]
fn an_audit_uses_what_grade_built_and_grade_uses_nothing_that_is_kept() {
    if !strict() || !have(&["gcc"]) {
        return;
    }
    let room = same("4..=9", PUBLIC, "[checker.tokens]\n")
        .file("class/ann/same.c", program("n + 0"))
        .file("class/bob/same.c", program("n == 5 ? 7 : n"));
    let folder = room.cache().join("bitcraft-class");
    let entries = || {
        let entries = fs::read_dir(&folder).into_iter().flatten();
        let paths = entries.map(|it| it.unwrap().path());
        paths.collect::<BTreeSet<_>>()
    };
    let grade = |more: &str| {
        let ran = room.run(&["grade", "class", "-a", "./week", "--quiet", more]);
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    };
    grade("--no-ledger");
    assert_eq!(entries(), BTreeSet::new());
    graded(&room);
    let kept = entries();
    // Two programs and the reference.
    assert_eq!(kept.len(), 3);
    let old = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    let set_old = || {
        for path in &kept {
            let file = fs::File::options().append(true).open(path).unwrap();
            file.set_modified(old).unwrap();
        }
    };
    // What is read is as new.
    let read = || {
        let is_read = |it: &&PathBuf| fs::metadata(it).unwrap().modified().unwrap() != old;
        kept.iter().filter(is_read).count()
    };
    set_old();
    let first = audited(&room, &[]);
    assert_eq!((first.status, read()), (1, 3));
    let found = lines(&first);
    let (who, end) = (found.first(), found.iter().rev().nth(1));
    assert_eq!(who, Some(&"bob · same · same.c"));
    let summary =
        "1 of 2 accepted programs found wrong; each of the others is right on at least 6 inputs";
    assert_eq!(end, Some(&summary));
    // What makes cases is built anew.
    let problem = room.path("week/same/problem.toml");
    let before = fs::read(&problem).unwrap();
    set_old();
    assert_eq!(
        (audited(&room, &["--save", "-j", "1"]).status, read()),
        (1, 2)
    );
    fs::write(&problem, before).unwrap();
    // What another audit finds out is known already, and somebody changed what is kept.
    for path in &kept {
        let mut bytes = fs::read(path).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(path, bytes).unwrap();
    }
    let again = audited(&room, &[]);
    assert_eq!((again.status, lines(&again)), (1, found));
    // Grading writes, and reads nothing.
    let results = || {
        let (_, mut document) = room.json(&["report", "class", "--json", "-", "--quiet"]);
        document["students"].take()
    };
    let before = results();
    for path in entries() {
        fs::write(path, "").unwrap();
    }
    grade("--fresh");
    let points = |students: &Value| {
        let students = students.as_array().unwrap().iter();
        students.map(|it| it["points"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(points(&results()), points(&before));
    assert!(kept.iter().all(|it| fs::metadata(it).unwrap().len() > 100));
}

//! The programs of a problem's author, where several meet: a search beside the cases, a program that is timed beside one that prints
//! much, an earlier result beside another compiler.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::process::Command;

use serde_json::Value;

use crate::harness::{Ran, Room, have, student};

/// An assignment of one problem.
fn problem(more: &str) -> Room {
    Room::new()
        .file(
            "own/assignment.toml",
            "format = 1\nid = \"own\"\ntitle = \"Own\"\n[[problem]]\npath = \"twice\"\npoints = 10\n",
        )
        .file(
            "own/twice/problem.toml",
            format!(
                "format = 1\nid = \"twice\"\ntitle = \"Twice n\"\n[submission]\nfiles = [\"twice.*\"]\n{more}"
            ),
        )
}

/// Prints twice the number, and something else for these.
fn twice(wrong: &str) -> String {
    format!(
        "#include <stdio.h>\nint main(void) {{ long n; scanf(\"%ld\", &n); printf(\"%ld\\n\", {wrong} ? 7 : 2 * n); }}\n"
    )
}

/// What `test --why` and `stress` say about a program, without the lines that tell how much was tried.
fn found(room: &Room) -> Vec<(i32, String)> {
    let why = ["test", "twice.c", "-a", "./own", "--why", "--time", "600"];
    let stress = ["stress", "twice.c", "-a", "./own", "--time", "600"];
    let all = [&why[..], &stress].into_iter().map(|it| room.run(it));
    all.map(|ran| {
        let inputs = ran.stdout.lines();
        let inputs = inputs.filter(|line| line.trim_start().starts_with('│'));
        (ran.status, inputs.collect::<Vec<_>>().join("\n"))
    })
    .collect()
}

#[test]
fn a_search_runs_its_own_generator_and_validator_whatever_the_cases_run() {
    if !have(&["gcc", "python3"]) {
        return;
    }
    let generator = "import sys\nprint(int(sys.argv[1]) - 2)\n";
    let validator = "import sys\nsys.exit(42 if int(input()) >= 0 else 1)\n";
    let text = "[limits]\ntime = \"10 s\"\n[reference]\npath = \"right.c\"\n[checker.tokens]\n[validator]\nsource = \"valid.py\"
[search]\ncases = { n = \"1..=9\" }\ngenerate = \"gen.py {n}\"\n[[subtask]]\nname = \"all\"\npoints = 10
case = [{ name = \"one\", stdin = \"1\\n\" }, { name = \"two\", generate = \"gen.py 4\" }]\n";
    // Wrong for -1, which the validator rejects, for 2, which is in a case, and for 5.
    let room = problem(text)
        .file("own/twice/right.c", twice("0"))
        .file("own/twice/gen.py", generator)
        .file("own/twice/valid.py", validator)
        .file("twice.c", twice("n < 0 || n == 2 || n == 5"));
    let in_test = "        │ 2\n    │ 5".to_owned();
    assert_eq!(found(&room), [(1, in_test), (1, "    │ 2".to_owned())]);

    // The search makes large inputs only, the cases make small ones.
    let text = "[limits]\ntime = \"10 s\"\n[reference]\npath = \"right.c\"\n[checker.tokens]
[run]
generate = \"small.py {n}\"
[search]\ncases = { n = \"1..=9\" }\ngenerate = \"large.py {n}\"
[[subtask]]\nname = \"search\"\npoints = 10\ncases = { n = \"1..=2\" }\n";
    let room = problem(text)
        .file("own/twice/right.c", twice("0"))
        .file("own/twice/small.py", "import sys\nprint(sys.argv[1])\n")
        .file(
            "own/twice/large.py",
            "import sys\nprint(sys.argv[1] + '000')\n",
        )
        .file("twice.c", twice("n == 1 || n == 4 || n == 4000"));
    let in_test = "        │ 1\n    │ 4000".to_owned();
    assert_eq!(found(&room), [(1, in_test), (1, "    │ 4000".to_owned())]);
}

/// A language of the assignment's own.
const TOY: &str = "[languages.toy]
name = \"Toy\"
extensions = [\"toy\"]
run = [\"sh\", \"{main}\"]
environment = { SCALE = \"1\" }
";

#[test]
fn no_result_is_reused_when_the_language_of_an_authors_program_has_changed() {
    if !have(&["gcc", "sh"]) {
        return;
    }
    let checker = "read -r answer < \"$2\"; read -r found; [ \"$found\" = $((answer * SCALE)) ] && exit 42; exit 43\n";
    let validator = "[ \"$SCALE\" = 1 ] && exit 42; exit 43\n";
    // How a part of the problem depends on the language, and what its points become.
    for (case, part, file, text, points) in [
        (
            "generate = \"own.toy\"",
            "",
            "own.toy",
            "echo $((2 * SCALE))\n",
            [10, 0],
        ),
        (
            "stdin = \"2\\n\"",
            "[checker.program]\nsource = \"own.toy\"\n",
            "own.toy",
            checker,
            [10, 0],
        ),
        (
            "stdin = \"2\\n\"",
            "[checker.tokens]\n[validator]\nsource = \"own.toy\"\n",
            "own.toy",
            validator,
            [10, 10],
        ),
    ] {
        let checker = if part.is_empty() {
            "[checker.tokens]\n"
        } else {
            part
        };
        let room = problem(&format!(
            "[limits]\ntime = \"10 s\"\n{checker}[[subtask]]\nname = \"all\"\npoints = 10\ncase = [{{ name = \"a\", {case}, answer = \"4\\n\" }}]\n"
        ))
        .keeping()
        .replace("own/assignment.toml", "[[problem]]", &format!("{TOY}[[problem]]"))
        .file(&format!("own/twice/{file}"), text)
        .file("class/ada/twice.c", twice("0"));
        let grade = |room: &Room| {
            let (_, results) = room.json(&["grade", "class", "-a", "./own", "--json", "-"]);
            let ada = student(&results, "ada").clone();
            (
                ada["points"].clone(),
                results["students"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|it| it["points"].clone())
                    .collect::<Vec<_>>(),
            )
        };
        assert_eq!(grade(&room).0, points[0], "{part}");
        let room = room
            .replace("own/assignment.toml", "SCALE = \"1\"", "SCALE = \"1000\"")
            .file("class/bob/twice.c", twice("0"));
        // The same program gets the same points.
        assert_eq!(grade(&room).1, [points[1], points[1]], "{part}");
    }
}

#[test]
fn a_program_that_is_timed_prints_as_much_as_the_reference() {
    if !have(&["gcc"]) {
        return;
    }
    let large = "#include <stdio.h>\nint main(void) { for (int i = 0; i < 17000000; i++) putchar(i % 80 ? 'x' : '\\n'); }\n";
    let text = "[limits]\ntime = { reference = 20 }\noutput = \"40 MiB\"\n[reference]\npath = \"right.c\"\ntimed = [\"other.c\"]
[checker.tokens]\n[[subtask]]\nname = \"all\"\npoints = 10\ncase = [{ name = \"a\" }]\n";
    let room = problem(text)
        .file("own/twice/right.c", large)
        .file("own/twice/other.c", large)
        .file("own/twice/submissions/accepted/twice.c", large);
    let ran = room.run(&["verify", "own", "-j", "1"]);
    assert_eq!(ran.status, 0, "{}", ran.stdout);
}

#[test]
fn a_folder_with_nothing_but_run_is_a_program() {
    if !have(&["sh", "cat", "gcc"]) {
        return;
    }
    let given = "stdin = \"2\\n\", answer = \"4\\n\"";
    for (role, part, case, script) in [
        (
            "checker",
            "[checker.program]\nsource = \"own\"\n",
            given,
            "read -r x < \"$2\"\nread -r y\n[ \"$x\" = \"$y\" ] && exit 42\nexit 43\n",
        ),
        (
            "validator",
            "[checker.tokens]\n[validator]\nsource = \"own\"\n",
            given,
            "exit 42\n",
        ),
        (
            "generator",
            "[checker.tokens]\n",
            "generate = \"own\", answer = \"4\\n\"",
            "echo 2\n",
        ),
        (
            "interactor",
            "[interactor]\nsource = \"own\"\n",
            given,
            "cat \"$1\"\nread -r y\n[ \"$y\" = 4 ] && exit 42\nexit 43\n",
        ),
    ] {
        let room = problem(&format!(
            "[limits]\ntime = \"10 s\"\n{part}[[subtask]]\nname = \"all\"\npoints = 10\ncase = [{{ name = \"a\", {case} }}]\n"
        ))
        .file("own/twice/own/run", format!("#!/bin/sh\n{script}"))
        .file("own/twice/submissions/accepted/twice.c", twice("0"))
        .file("own/twice/submissions/wrong-answer/twice.c", twice("1"));
        let ran = room.run(&["verify", "own"]);
        assert_eq!(ran.status, 0, "{role}: {}", ran.stdout);
    }
}

/// No other process on this machine belongs to this user, so that its limit on processes is exact.
const NOBODY_ELSE: &str = "61234";

#[test]
fn with_few_threads_a_class_is_graded_and_with_none_nothing_is_lost() {
    let is_root = fs::metadata("/proc/self").is_ok_and(|it| it.uid() == 0);
    if !have(&["sh", "prlimit", "setpriv"]) || !is_root {
        eprintln!("skipped: only root can start the grader as a user with few processes");
        return;
    }
    let mut room = problem(
        "[limits]\ntime = \"10 s\"\n[checker.tokens]\n[[subtask]]\nname = \"all\"\npoints = 10\nattempts = { runs = 2, at-least = 1 }
case = [{ name = \"a\", stdin = \"2\\n\", answer = \"4\\n\" }]\n",
    )
    // A compiler would start several processes.
    .replace("own/assignment.toml", "[[problem]]", &format!("{TOY}[[problem]]"))
    .with_tmp();
    for number in 0..62 {
        let text = format!("read n; echo $((2 * n)) # {number}\n");
        room = room.file(&format!("class/s{number:02}/twice.toy"), text);
    }
    for path in ["", "tmp"] {
        let mode = fs::Permissions::from_mode(0o777);
        fs::set_permissions(room.path(path), mode).unwrap();
    }
    let with = |threads: &str| {
        let grader = room.command_as_it_is(&[
            "grade",
            "--no-ledger",
            "--isolation",
            "basic",
            "class",
            "-a",
            "./own",
            "-j",
            "2",
            "--json",
            "-",
        ]);
        let mut command = Command::new("setpriv");
        let user = [
            format!("--reuid={NOBODY_ELSE}"),
            format!("--regid={NOBODY_ELSE}"),
            "--clear-groups".to_owned(),
        ];
        command
            .args(user)
            .arg("prlimit")
            .arg(format!("--nproc={threads}"));
        command.arg(grader.get_program()).args(grader.get_args());
        Ran::of(
            room.prepared(command)
                .env("XDG_CACHE_HOME", room.path("tmp"))
                .output()
                .unwrap(),
        )
    };
    let ran = with("60");
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    // Not even one thread can be started.
    let ran = with("3");
    let results: Value = serde_json::from_str(&ran.stdout).unwrap();
    let ada = student(&results, "s00");
    let message = "no thread can be started: this user or this container may have no more processes and threads: \
                   Resource temporarily unavailable (os error 11)";
    assert_eq!((ran.status, &ada["points"]), (3, &Value::Null));
    assert_eq!(ada["problems"][0]["message"], message);
}

//! One command under limits.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Stdio;

use grader_sandbox::Cores;
use serde_json::Value;

use crate::harness::{Ran, Room, have, repository};
use crate::isolation::sandboxed;

/// The outcome, from the last line of standard error.
fn outcome(ran: &Ran) -> Value {
    let line = ran.stderr.lines().last().unwrap_or_default();
    serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {}", ran.stderr))
}

/// The verdict of a command, with the exit status of ours.
fn verdict(arguments: &[&str]) -> (i32, Value) {
    let ran = Room::new().run(arguments);
    (ran.status, outcome(&ran)["verdict"].clone())
}

#[test]
fn a_command_that_ends_well_is_ok_and_its_output_passes_on() {
    let ran = Room::new().run(&[
        "run", "--time", "2s", "--memory", "64MiB", "--", "echo", "a  b",
    ]);
    assert_eq!((ran.status, ran.stdout.as_str()), (0, "a  b\n"));
    assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
    let told = outcome(&ran);
    let schema = fs::read(repository().join("crates/report/schema/run.schema.json")).unwrap();
    let schema: Value = serde_json::from_slice(&schema).unwrap();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    assert!(validator.is_valid(&told), "{told}");
    assert_eq!(told["verdict"], "OK");
    assert_eq!(told["exit"], 0);
    assert_eq!(told["stdout-bytes"], 5);
    assert_eq!(
        told["limits"],
        serde_json::json!({
            "cpu-ms": 2000,
            "wall-ms": 5000,
            "memory-kib": 65536,
            "output-bytes": 16 << 20,
            "processes": 1
        })
    );
}

#[test]
fn a_command_is_kept_on_a_core_and_the_outcome_names_it() {
    let told = outcome(&Room::new().run(&["run", "--", "true"]));
    assert_eq!(told["core"], Value::Null);
    let Some(core) = Cores::here().order().last().copied() else {
        eprintln!("skipped: programs are not put on cores here");
        return;
    };
    let ran = Room::new().run(&[
        "run",
        "--isolation",
        "basic",
        "--core",
        &core.to_string(),
        "--",
        "grep",
        "Cpus_allowed_list",
        "/proc/self/status",
    ]);
    assert_eq!(ran.stdout, format!("Cpus_allowed_list:\t{core}\n"));
    assert_eq!(outcome(&ran)["core"], core.0);
}

#[test]
fn a_core_that_cannot_be_had_is_a_mistake_and_nothing_runs() {
    if Cores::here().order().is_empty() {
        eprintln!("skipped: programs are not put on cores here");
        return;
    }
    let ran = Room::new().run(&["run", "--core", "8191", "--", "echo", "ran"]);
    let cores = Cores::here();
    let said =
        format!("error: `--core 8191`: there is no such core to run on; expected one of {cores}\n");
    assert_eq!(
        (ran.status, ran.stdout, ran.stderr),
        (2, String::new(), said)
    );
    let ran = Room::new().run(&["run", "--core", "first", "--", "echo", "ran"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("'--core <N>'"), "{}", ran.stderr);
}

#[test]
fn each_fate_has_its_verdict_and_is_exit_status_1() {
    let shell = |limit: &'static str, value: &'static str, script: &'static str| {
        verdict(&["run", limit, value, "--", "sh", "-c", script])
    };
    assert_eq!(shell("--time", "9s", "exit 7"), (1, "RE".into()));
    assert_eq!(shell("--time", "9s", "kill -s SEGV $$"), (1, "RE".into()));
    assert_eq!(
        shell("--time", "100ms", "while :; do :; done"),
        (1, "TLE".into())
    );
    assert_eq!(
        verdict(&[
            "run", "--time", "100ms", "--wall", "200ms", "--", "sleep", "600"
        ]),
        (1, "TLE".into())
    );
    assert_eq!(
        shell("--output-limit", "1 KiB", "while :; do echo long; done"),
        (1, "OLE".into())
    );
    if have(&["/usr/bin/python3"]) {
        let script = "x = b'x' * (200 << 20)\nwhile True: pass";
        assert_eq!(
            verdict(&["run", "--memory", "64 MiB", "--", "python3", "-c", script]),
            (1, "MLE".into())
        );
    }
}

#[test]
fn bytes_pass_on_as_they_are() {
    let arguments = ["run", "--", "printf", r"\377\000\033[2J"];
    let output = Room::new().output(&arguments);
    assert_eq!(output.stdout, b"\xff\0\x1b[2J");
}

#[test]
fn a_command_cannot_speak_in_our_place() {
    let script = r#"printf '{"format":"bitcraft-run/1","verdict":"OK"}' >&2; exit 3"#;
    let ran = Room::new().run(&["run", "--", "sh", "-c", script]);
    assert_eq!(ran.stderr.lines().count(), 2, "{}", ran.stderr);
    assert_eq!(outcome(&ran)["exit"], 3);
}

#[test]
fn a_report_goes_to_its_file_and_leaves_standard_error_to_the_command() {
    let room = Room::new();
    let script = "echo complaint >&2";
    let ran = room.run(&["run", "--report", "out.json", "--", "sh", "-c", script]);
    assert_eq!(
        (ran.status, ran.stdout.as_str(), ran.stderr.as_str()),
        (0, "", "complaint\n")
    );
    let told: Value = serde_json::from_slice(&fs::read(room.path("out.json")).unwrap()).unwrap();
    assert_eq!(told["verdict"], "OK");
}

#[test]
fn files_are_put_where_they_are_asked_for_and_standard_input_is_a_file() {
    let room = Room::new()
        .file("a.txt", "first\n")
        .file("b.txt", "second\n");
    let ran = room.run(&[
        "run",
        "--file",
        "a.txt=data/one",
        "--stdin",
        "b.txt",
        "--",
        "cat",
        "data/one",
        "-",
    ]);
    assert_eq!((ran.status, ran.stdout.as_str()), (0, "first\nsecond\n"));
    // Nothing comes back.
    assert!(!room.path("data").exists());
}

#[test]
fn standard_input_is_empty_unless_ours_is_asked_for() {
    let room = Room::new();
    let piped = |arguments: &[&str]| {
        let mut child = room
            .command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // Who does not read it closes it, which is no failure here.
        let _ = child.stdin.take().unwrap().write_all(b"ours");
        String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
    };
    assert_eq!(piped(&["run", "--", "cat"]), "");
    assert_eq!(piped(&["run", "--stdin", "-", "--", "cat"]), "ours");
}

#[test]
fn a_program_of_ones_own_is_named_by_its_path() {
    let room = Room::new().file("hello", "#!/bin/sh\necho \"hello $1\"\n");
    fs::set_permissions(room.path("hello"), fs::Permissions::from_mode(0o755)).unwrap();
    let ran = room.run(&["run", "--", "./hello", "you"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (0, "hello you\n"));
}

#[test]
fn what_cannot_be_run_is_exit_status_2_and_says_why() {
    let room = Room::new().file("data", "nothing to execute").file("a", "");
    for (arguments, message) in [
        (
            &["run", "--", "no-such-program"][..],
            "error: there is no program `no-such-program` in /usr/local/bin:/usr/bin:/bin; a program \
             elsewhere is named by its path, such as `./no-such-program`\n",
        ),
        (
            &["run", "--", "./data"],
            "error: `./data` is not an executable file\n",
        ),
        (
            &["run", "--file", "a=../a", "--", "cat"],
            "error: `--file a=../a`: expected SRC=DST, where DST is a path inside the command's folder\n",
        ),
        (
            &["run", "--time", "0s", "--", "cat"],
            "error: `--time` must be more than nothing\n",
        ),
        (
            &["run", "--time", "2s", "--wall", "1s", "--", "cat"],
            "error: `--wall` must not be shorter than `--time`, 2 s, found 1 s\n",
        ),
        (
            &["run", "--memory", "1 KiB", "--", "cat"],
            "error: `--memory` must be at least 1 MiB, found 1 KiB\n",
        ),
    ] {
        let ran = room.run(arguments);
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{arguments:?}");
        assert_eq!(ran.stderr, message, "{arguments:?}");
    }
    let ran = room.run(&["run", "--time", "2 parsecs", "--", "cat"]);
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains("unknown unit `parsecs`"),
        "{}",
        ran.stderr
    );
}

/// An executable file with these permissions.
fn script(room: Room, path: &str, text: &str, mode: u32) -> Room {
    let room = room.file(path, text);
    fs::set_permissions(room.path(path), fs::Permissions::from_mode(mode)).unwrap();
    room
}

#[test]
fn variables_are_set_after_the_usual_ones_and_go_before_them() {
    let ran = Room::new().run(&[
        "run", "--env", "N=1=2", "--env", "LANG=C", "--env", "N=", "--", "env",
    ]);
    assert_eq!(
        (ran.status, ran.stdout.as_str()),
        (
            0,
            "PATH=/usr/local/bin:/usr/bin:/bin\nLC_ALL=C.UTF-8\nLANG=C\nN=\n"
        )
    );
    for wrong in ["N", "=1", ""] {
        let ran = Room::new().run(&["run", "--env", wrong, "--", "env"]);
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
        assert_eq!(
            ran.stderr,
            format!("error: `--env {wrong}`: expected NAME=VALUE\n")
        );
    }
}

#[test]
fn why_a_script_cannot_be_executed_is_said() {
    let room = script(
        Room::new(),
        "nowhere.py",
        "#!/nowhere/python -u\nprint(1)\n",
        0o755,
    );
    let room = script(room, "windows.sh", "#! /bin/sh\r\necho 1\r\n", 0o755);
    let room = script(room, "words", "echo 1\n", 0o755);
    for (name, why) in [
        (
            "./nowhere.py",
            "its first line names `/nowhere/python`, which cannot be executed in the sandbox (No such file or \
             directory (os error 2))",
        ),
        (
            "./windows.sh",
            r"its first line names `/bin/sh\r`, which cannot be executed in the sandbox (No such file or directory (os error 2))",
        ),
        (
            "./words",
            "it is neither a binary for this machine nor a script that begins with `#!`",
        ),
    ] {
        let ran = room.run(&["run", "--", name]);
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
        assert_eq!(
            ran.stderr,
            format!("error: cannot execute `{name}`: {why}\n")
        );
    }
}

#[test]
fn a_sandbox_runs_even_a_program_that_only_its_owner_may_read() {
    if !sandboxed() {
        return;
    }
    let room = script(
        Room::new(),
        "mine",
        "#!/bin/sh\necho \"$0 in $PWD\"\n",
        0o700,
    );
    let ran = room.run_as_it_is(&["run", "--", "./mine"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (0, "/program in /box\n"));
}

#[test]
fn a_sandbox_shows_what_it_is_told_to_and_lets_nobody_write_there() {
    if !sandboxed() {
        return;
    }
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(folder.path().join("shown"), "all\n").unwrap();
    let path = folder.path().canonicalize().unwrap();
    if path.starts_with("/tmp") {
        eprintln!("skipped: tests are built in /tmp, which is never shown");
        return;
    }
    let path = path.to_str().unwrap();
    let look = r#"read text < "$0/shown"; echo "$text"; echo x > "$0/new""#;
    let room = Room::new();
    let hidden = room.run_as_it_is(&["run", "--", "sh", "-c", look, path]);
    assert_eq!((hidden.status, hidden.stdout.as_str()), (1, "\n"));
    let shown = room.run_as_it_is(&["run", "--readable", path, "--", "sh", "-c", look, path]);
    assert_eq!((shown.status, shown.stdout.as_str()), (1, "all\n"));
    assert!(
        shown.stderr.contains("Read-only file system"),
        "{}",
        shown.stderr
    );
    assert!(!folder.path().join("new").exists());
}

#[test]
fn places_of_the_sandbox_itself_are_not_shown() {
    for path in ["/", "/tmp", "/proc/1"] {
        let ran = Room::new().run(&["run", "--readable", path, "--", "true"]);
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
        assert_eq!(
            ran.stderr,
            format!(
                "error: `--readable {path}`: the whole system is not shown, nor what is in /tmp, /box, /build, \
                 /program, /proc, /dev, /sys; `--file` puts a copy into the folder\n"
            )
        );
    }
}

#[test]
fn a_sandbox_knows_names_of_all_languages_and_bounds_processes() {
    if !sandboxed() {
        return;
    }
    let room = Room::new().file("数据 一.txt", "内容\n");
    let put = "数据 一.txt=子 目录/输入.txt";
    let ran = room.run_as_it_is(&["run", "--file", put, "--", "cat", "子 目录/输入.txt"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (0, "内容\n"));
    let fork = ["sh", "-c", "echo a | cat"];
    for (processes, status) in [("1", 1), ("3", 0)] {
        let arguments = [&["run", "--processes", processes, "--"][..], &fork].concat();
        assert_eq!(room.run_as_it_is(&arguments).status, status);
    }
}

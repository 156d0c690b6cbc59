//! Which isolation programs run in, and what is said where it cannot be had.

mod spies;

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use serde_json::Value;

use crate::class::{SQUARE, squares};
use crate::harness::{Ran, Room, have};

const NINETY_TWO: &str = "#include <stdio.h>\nint main(void) { puts(\"92\"); return 0; }\n";

fn room() -> Room {
    Room::new()
        .file("eight.c", NINETY_TWO)
        .file("class/s01/count.c", NINETY_TWO)
}

/// Whether this machine has no sandbox; says aloud when it has one.
fn lax() -> bool {
    if sandboxed() {
        eprintln!("skipped: this machine has the sandbox, so that nothing is refused");
    }
    !sandboxed()
}

#[test]
fn strict_grading_refuses_to_start_without_a_layer_and_says_how_to_go_on() {
    if !lax() {
        return;
    }
    let ran = room().run_as_it_is(&["grade", "class", "--isolation", "strict"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (3, ""));
    let first = "error: strict isolation is not available here: ";
    assert!(ran.stderr.starts_with(first), "{}", ran.stderr);
    for words in [
        "fix: ",
        "to continue anyway:",
        "--allow-missing ",
        "--isolation auto",
        "--isolation basic",
        "`grader doctor`",
    ] {
        assert!(ran.stderr.contains(words), "{words}:\n{}", ran.stderr);
    }
}

#[test]
fn whoever_asks_for_strict_isolation_gets_it_or_nothing() {
    if !lax() {
        return;
    }
    let room = room();
    for arguments in [
        &[
            "test",
            "eight.c",
            "-p",
            "eight-queens",
            "--isolation",
            "strict",
        ][..],
        &["verify", "--isolation", "strict"],
    ] {
        let ran = room.run_as_it_is(arguments);
        assert_eq!((ran.status, ran.stdout.as_str()), (3, ""), "{arguments:?}");
    }
}

#[test]
fn a_test_goes_on_with_what_there_is_and_says_so_in_one_line() {
    if !have(&["gcc"]) {
        return;
    }
    let ran = room().run_as_it_is(&["test", "eight.c", "-p", "eight-queens"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    if sandboxed() {
        assert_eq!(ran.stderr, "");
        assert!(!ran.stdout.contains("not a sandbox"), "{}", ran.stdout);
        return;
    }
    assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
    let first = "isolation reduced (";
    assert!(ran.stderr.starts_with(first), "{}", ran.stderr);
}

#[test]
fn who_asks_for_no_sandbox_is_not_told_twice() {
    if !have(&["gcc"]) {
        return;
    }
    let arguments = [
        "test",
        "eight.c",
        "-p",
        "eight-queens",
        "--isolation",
        "basic",
    ];
    let ran = room().run_as_it_is(&arguments);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    assert!(ran.stdout.contains("not a sandbox"), "{}", ran.stdout);
}

#[test]
fn a_waived_layer_that_holds_all_the_same_is_no_mistake() {
    if !sandboxed() || !have(&["gcc"]) {
        return;
    }
    let room = squares().file("class/s01/square.c", SQUARE);
    let (status, results) = room.json(&[
        "grade",
        "class",
        "-a",
        "./squares",
        "--isolation",
        "strict",
        "--allow-missing",
        "seccomp",
        "--format",
        "json",
    ]);
    assert_eq!(status, 0);
    assert_eq!(results["isolation"]["level"], "strict");
    let layers = results["isolation"]["layers"].as_array().unwrap();
    assert!(layers.iter().any(|layer| layer == "seccomp"), "{layers:?}");
}

#[test]
fn a_wrong_word_about_isolation_is_exit_status_2() {
    let room = room();
    for (arguments, message) in [
        (
            &["grade", "class", "--allow-missing", "memory-cgrup"][..],
            "a similar value exists: 'memory-cgroup'",
        ),
        (
            &["test", "eight.c", "--isolation", "strickt"],
            "a similar value exists: 'strict'",
        ),
        (
            &[
                "grade",
                "class",
                "--isolation",
                "basic",
                "--allow-missing",
                "proc",
            ],
            "error: `--allow-missing` is about strict isolation",
        ),
        // Before the machine is looked at.
        (&["grade", "nowhere"], "error: there is no"),
    ] {
        let ran = room.run_as_it_is(arguments);
        assert_eq!(
            (ran.status, ran.stdout.as_str()),
            (2, ""),
            "{arguments:?}: {}",
            ran.stderr
        );
        assert!(
            ran.stderr.contains(message),
            "{arguments:?}: {}",
            ran.stderr
        );
    }
}

/// Whether every layer that strict isolation needs holds here; says aloud when not.
pub(crate) fn sandboxed() -> bool {
    static SANDBOXED: OnceLock<bool> = OnceLock::new();
    *SANDBOXED.get_or_init(|| {
        let arguments = ["doctor", "--format", "json"];
        let output = Room::new().command_as_it_is(&arguments).output().unwrap();
        let diagnosis: Value = serde_json::from_slice(&output.stdout).unwrap();
        let holds = |layer: &Value| {
            layer["required"] == false || layer["hold"] == "held" || layer["hold"] == "weaker"
        };
        let all = diagnosis["layers"].as_array().unwrap().iter().all(holds);
        if !all {
            eprintln!("skipped: this machine lacks a layer of strict isolation");
        }
        all
    })
}

/// Whether this test may make user namespaces in which no more can be made; says aloud when not.
fn may_forbid() -> bool {
    if fs::metadata("/proc/self").map_or(true, |it| it.uid() != 0) {
        eprintln!("skipped: only root may set up a machine without user namespaces");
        return false;
    }
    let tried = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "sh", "-c", FORBID])
        .stderr(Stdio::null())
        .status();
    let can = tried.is_ok_and(|status| status.success());
    if !can {
        eprintln!("skipped: `unshare` cannot make a user namespace here");
    }
    can
}

/// Allows no more user namespaces in this one and those below; the machine keeps its own setting.
const FORBID: &str = "echo 0 > /proc/sys/user/max_user_namespaces";

/// The grader below `unshare`, started by a script.
fn unshared(grader: &Command, options: &[&str], script: &str) -> Command {
    let mut command = Command::new("unshare");
    command
        .args(options)
        .args(["sh", "-c", script, "sh"])
        .arg(grader.get_program())
        .args(grader.get_args());
    for (name, value) in grader.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    if let Some(folder) = grader.get_current_dir() {
        command.current_dir(folder);
    }
    command.stdin(Stdio::null());
    command
}

/// As root of a user namespace that has no other user, where nobody may make another one.
fn as_the_only_user(room: &Room, arguments: &[&str]) -> Ran {
    let options = ["--user", "--map-root-user"];
    let script = format!("{FORBID} && exec \"$@\"");
    let mut command = unshared(&room.command_as_it_is(arguments), &options, &script);
    Ran::of(command.output().unwrap())
}

/// As root, who has all of its ids and may mount, where nobody may make user namespaces.
fn as_root(room: &Room, arguments: &[&str]) -> Ran {
    as_root_by(room, "", arguments)
}

/// As root with what Docker leaves of its powers.
const DOCKER: &str = "setpriv --inh-caps=-all --bounding-set=-all,+chown,+dac_override,+fowner,+fsetid,+kill,+setgid,\
                      +setuid,+setpcap,+net_bind_service,+net_raw,+sys_chroot,+mknod,+audit_write,+setfcap";
/// As an ordinary user.
const USER: &str =
    "setpriv --reuid=1000 --regid=1000 --clear-groups --inh-caps=-all --bounding-set=-all";

/// The same by another command, which the shell reads.
fn as_root_by(room: &Room, by: &str, arguments: &[&str]) -> Ran {
    let options = ["--user", "--mount"];
    // The second shell is root: the ids are there when it starts.
    let script =
        format!("echo ready; read go; exec sh -c '{FORBID} && exec {by} \"$@\"' sh \"$@\"");
    let mut child = unshared(&room.command_as_it_is(arguments), &options, &script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    stdout.read_line(&mut line).unwrap();
    assert_eq!(line, "ready\n");
    for map in ["uid_map", "gid_map"] {
        let all = fs::read_to_string(format!("/proc/self/{map}")).unwrap();
        // The first id here and there, and how many.
        let same = all.lines().map(|line| {
            let fields: Vec<&str> = line.split_whitespace().collect();
            format!("{0} {0} {1}", fields[0], fields[2])
        });
        let same = same.collect::<Vec<_>>().join("\n");
        fs::write(format!("/proc/{}/{map}", child.id()), same).unwrap();
    }
    child.stdin.take().unwrap().write_all(b"go\n").unwrap();
    let mut told = Vec::new();
    stdout.read_to_end(&mut told).unwrap();
    let mut output = child.wait_with_output().unwrap();
    output.stdout = told;
    Ran::of(output)
}

/// As one line.
fn unbroken(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

fn small_class() -> Room {
    squares().file("class/s01/square.c", SQUARE)
}

const NO_NAMESPACES: &str = "\
    user-namespace: rights inside mean nothing outside cannot make a user namespace: \
    No space left on device (os error 28) fix: this machine allows no user namespaces \
    (user.max_user_namespaces is 0) sudo sysctl -w user.max_user_namespaces=15000";

#[test]
fn strict_isolation_is_refused_without_user_namespaces_and_waiving_is_no_help() {
    if !may_forbid() || !have(&["gcc"]) {
        return;
    }
    let room = small_class();
    let grade = ["grade", "class", "-a", "./squares", "--isolation", "strict"];
    let rest = "\
        mount-namespace: a program sees only the files that it is given, and writes only to its own folder and \
        to /tmp cannot make a file system in \
        memory: Operation not permitted (os error 1) fix: as for `user-namespace` \
        not tried because of that: outer-uid, pid-namespace, network-namespace, ipc-namespace, \
        no-capabilities, seccomp, landlock, resource-limits, process-count, memory-cgroup, cpu-clock";
    let basic = "\
        to continue anyway: --isolation auto use the layers this machine has, and print what is missing \
        --isolation basic not a sandbox: only for programs that you trust \
        `grader doctor` tries every layer.";
    let first = "error: strict isolation is not available here: 2 layers are missing";
    let ran = as_the_only_user(&room, &grade);
    assert_eq!((ran.status, ran.stdout.as_str()), (3, ""));
    assert_eq!(
        unbroken(&ran.stderr),
        format!("{first} {NO_NAMESPACES} {rest} {basic}")
    );

    // Nor does it help to waive what is missing.
    let waive = [
        "--allow-missing",
        "user-namespace",
        "--allow-missing",
        "mount-namespace",
    ];
    let ran = as_the_only_user(&room, &[&grade[..], &waive].concat());
    assert_eq!((ran.status, ran.stdout.as_str()), (3, ""));
    let no_help = "\
        `--allow-missing` does not help: no program can run in a sandbox without these layers";
    assert_eq!(
        unbroken(&ran.stderr),
        format!("{first} {NO_NAMESPACES} {rest} {no_help} {basic}")
    );

    let ran = as_the_only_user(&room, &[&grade[..4], &["--isolation", "basic"]].concat());
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    assert!(
        ran.stdout.contains("\nisolation: basic, not a sandbox ("),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("full marks 1"), "{}", ran.stdout);
}

const OPEN: &str = "isolation reduced (no user namespaces): programs can see other processes; ";

/// The line on isolation, the same in a container, which is blamed, and outside.
fn blamed(stderr: &str) -> String {
    ["Docker", "Podman", "Kubernetes"]
        .iter()
        .fold(stderr.to_owned(), |text, name| {
            text.replace(&format!(", {name}'s default"), "")
        })
}

#[test]
fn by_default_a_class_is_graded_as_strictly_as_can_be_and_one_line_says_what_is_missing() {
    if !may_forbid() || !sandboxed() || !have(&["gcc"]) {
        return;
    }
    let room = small_class();
    let grade = [
        "grade",
        "class",
        "-a",
        "./squares",
        "--no-ledger",
        "--format",
        "json",
    ];
    let told = |ran: Ran| {
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        let results: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(results["students"][0]["points"], 10.0);
        (blamed(&ran.stderr), results["isolation"]["level"].clone())
    };
    let best = [&grade[..], &["--isolation", "best"]].concat();
    assert_eq!(
        [
            told(room.run_as_it_is(&grade)),
            told(as_root(&room, &grade)),
            told(as_root(&room, &best)),
            told(as_the_only_user(&room, &grade)),
        ],
        [
            (String::new(), "strict".into()),
            (
                "isolation reduced (no user namespaces): the sandbox is made with root's own powers; programs hold \
                 none of them\n"
                    .into(),
                "strict".into()
            ),
            (
                "isolation reduced (no user namespaces): the sandbox is made with root's own powers; programs hold \
                 none of them\n"
                    .into(),
                "strict".into()
            ),
            (format!("{OPEN}Landlock and seccomp keep programs from your files and the network\n"), "basic".into()),
        ]
    );
}

#[test]
fn root_who_insists_without_user_namespaces_is_refused_and_goes_on_with_that_layer_waived() {
    if !may_forbid() || !sandboxed() || !have(&["gcc"]) {
        return;
    }
    let room = small_class();
    let grade = [
        "grade",
        "class",
        "-a",
        "./squares",
        "--isolation",
        "strict",
        "--format",
        "json",
    ];
    let ran = as_root(&room, &grade);
    assert_eq!((ran.status, ran.stdout.as_str()), (3, ""));
    assert_eq!(
        unbroken(&ran.stderr),
        format!(
            "error: strict isolation is not available here: 1 layer is missing {NO_NAMESPACES} to continue anyway: \
             --allow-missing user-namespace strict isolation without these layers; every report says so \
             --isolation auto use the layers this machine has, and print what is missing --isolation basic not a sandbox: only for programs that you trust `grader doctor` tries every layer."
        )
    );

    let waive = ["--allow-missing", "user-namespace"];
    let ran = as_root(&room, &[&grade[..], &waive].concat());
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    let results: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(results["isolation"]["level"], "strict");
    assert_eq!(results["isolation"]["missing"][0], "user-namespace");
    assert_eq!(results["students"][0]["points"], 10.0);
}

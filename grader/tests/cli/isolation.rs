//! Which isolation programs run in, and what is printed if it is not available.

mod mounts;
mod spies;

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::class::{SQUARE, squares};
use crate::harness::{Ran, Room, have, strict};

#[test]
fn a_wrong_word_about_isolation_is_exit_status_2() {
    let room = small_class().file("eight.c", SQUARE);
    for (line, message) in [
        (
            "grade class --allow-missing memory-cgrup",
            "a similar value exists: 'memory-cgroup'",
        ),
        (
            "test eight.c --isolation strickt",
            "a similar value exists: 'strict'",
        ),
        (
            "grade class -a ./squares --isolation basic --allow-missing proc",
            "error: `--allow-missing` is for strict isolation",
        ),
        // Before the machine is looked at.
        ("grade nowhere", "error: `nowhere` does not exist"),
    ] {
        let ran = room.run_as_it_is(&line.split(' ').collect::<Vec<_>>());
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{line}");
        assert!(ran.stderr.contains(message), "{line}: {}", ran.stderr);
    }
}

/// Whether this test may make user namespaces in which no more can be made; prints when not.
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
fn unshared(room: &Room, arguments: &[&str], options: &[&str], script: &str) -> Command {
    let grader = room.command_as_it_is(arguments);
    let mut command = Command::new("unshare");
    command
        .args(options)
        .args(["sh", "-c", script, "sh"])
        .arg(grader.get_program())
        .args(grader.get_args());
    room.prepared(command)
}

/// As root of a user namespace that has no other user, where nobody may make another one.
fn as_the_only_user(room: &Room, arguments: &[&str]) -> Ran {
    let options = ["--user", "--map-root-user"];
    let script = format!("{FORBID} && exec \"$@\"");
    let mut command = unshared(room, arguments, &options, &script);
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
    let mut child = unshared(room, arguments, &options, &script)
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
    let mut rest = Vec::new();
    stdout.read_to_end(&mut rest).unwrap();
    let mut output = child.wait_with_output().unwrap();
    output.stdout = rest;
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
    user-namespace missing root inside the sandbox has no rights outside it cannot make a user namespace: \
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
        mount-namespace missing programs see only the files that they are given cannot make a file system in \
        memory: Operation not permitted (os error 1) \
        not tried because of that: outer-uid, pid-namespace, network-namespace, ipc-namespace, \
        no-capabilities, seccomp, landlock, resource-limits, process-count, memory-cgroup, cpu-clock";
    let basic = "\
        to continue anyway: --isolation auto use the layers that this machine has \
        --isolation basic not a sandbox: only for programs that you trust";
    let first = "error: strict isolation is not available here:";
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
    assert_eq!(
        unbroken(&ran.stderr),
        format!("{first} {NO_NAMESPACES} {rest} {basic}")
    );
}

const OPEN: &str = "isolation reduced (no namespaces here): programs can see other processes; ";
const CLOSED: &str = "they cannot access your files; the network is blocked\n";
const NO_USERS: &str = "isolation reduced: this machine lacks user-namespace (root inside the sandbox has no rights outside it); \
                        `grader doctor` prints the fix\n";

#[test]
fn by_default_a_class_is_graded_as_strictly_as_can_be_and_one_line_reports_what_is_missing() {
    if !may_forbid() || !strict() || !have(&["gcc"]) {
        return;
    }
    let room = small_class();
    let grade = [
        "grade",
        "class",
        "-a",
        "./squares",
        "--no-ledger",
        "--json",
        "-",
    ];
    let check = |ran: Ran, stderr: &str, level: &str| {
        assert_eq!((ran.status, ran.stderr.as_str()), (0, stderr));
        let results: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(results["students"][0]["points"], 10.0);
        assert_eq!(results["isolation"]["level"], level);
        results["isolation"].clone()
    };
    let more = |options: &[&'static str]| [&grade[..], options].concat();
    let basic = ["--isolation", "basic"];
    // A layer that is waived and is there is used.
    let waive = ["--isolation", "strict", "--allow-missing", "seccomp"];
    let isolation = check(room.run_as_it_is(&more(&waive)), "", "strict");
    let layers = isolation["layers"].as_array().unwrap();
    assert!(layers.contains(&"seccomp".into()), "{layers:?}");
    check(room.run_as_it_is(&grade), "", "strict");
    check(room.run_as_it_is(&more(&basic)), "", "basic");
    check(as_root(&room, &grade), NO_USERS, "strict");
    let only_user = as_the_only_user(&room, &grade);
    check(only_user, &format!("{OPEN}{CLOSED}"), "basic");
    // Insisting is refused, unless that layer is waived.
    let strict = ["--isolation", "strict"];
    let ran = as_root(&room, &more(&strict));
    assert_eq!((ran.status, ran.stdout.as_str()), (3, ""));
    let refused = unbroken(&ran.stderr);
    let words = format!(
        "error: strict isolation is not available here: {NO_NAMESPACES} to continue anyway: \
         --allow-missing user-namespace strict isolation without these layers; every report says so"
    );
    assert!(refused.starts_with(&words), "{refused}");
    let waive = ["--isolation", "strict", "--allow-missing", "user-namespace"];
    let isolation = check(as_root(&room, &more(&waive)), "", "strict");
    assert_eq!(isolation["missing"][0], "user-namespace");
}

//! The canary where nothing keeps it in: it can tell the difference.

use std::fs;
use std::os::unix::net::UnixListener;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};

use crate::harness::{Bench, launcher};

/// What root can do anywhere, and what has no consequences.
const POSSIBLE: [&str; 12] = [
    "become another user",
    "change the root",
    "connect to a socket file of the host",
    "execute a file that it wrote",
    "have more processes than allowed",
    "kill a process of the host",
    "lock a file of the system",
    "mount a tmpfs",
    "read a file of the grader",
    "see processes of the host",
    "set the host name",
    "watch files by inotify",
];
/// What is not even tried where it would hit others.
const SPARED: [&str; 5] = [
    "kill init",
    "limit the time of init",
    "signal everybody",
    "stop init",
    "trace init",
];

/// A place whose mounts, host name and network are not the machine's.
const APART: [&str; 4] = ["--mount", "--uts", "--ipc", "--net"];

#[test]
fn the_canary_gets_out_where_nothing_keeps_it_in() {
    let allowed = Command::new("unshare").args(APART).arg("true").output();
    if !allowed.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: only root can be kept from doing harm here");
        return;
    }
    let bench = Bench::new("");
    let _service = UnixListener::bind(bench.path("socket")).unwrap();
    fs::write(bench.path("bait"), "bait").unwrap();
    let mut decoy = Command::new("cat").stdin(Stdio::piped()).spawn().unwrap();
    let task = serde_json::json!({"escape": {
        "decoy": decoy.id(),
        "file": bench.path("bait"),
        "abstract-socket": "grader-canary-test",
        "socket": bench.path("socket"),
        "port": 1,
        "shared": -1,
        "processes": 8,
    }});
    let bench = bench.stdin(task.to_string().as_bytes());
    // At no level at all.
    let run = Command::new("unshare")
        .args(APART)
        .arg(launcher().program)
        .arg("canary")
        .stdin(fs::File::open(bench.path("stdin")).unwrap())
        .output()
        .unwrap();
    let (said, errors) = [run.stdout, run.stderr]
        .map(|text| String::from_utf8(text).unwrap())
        .into();
    let (mut reached, mut spared) = (Vec::new(), Vec::new());
    for line in said.lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let attempt = &line["tried"];
        let what = attempt["what"].as_str().unwrap_or_default();
        if attempt["denied"] == false {
            if attempt["found"] == "shares the process ids of the host" {
                spared.push(what.to_owned());
            } else {
                reached.push(what.to_owned());
            }
        }
    }
    spared.sort();
    assert_eq!(spared, SPARED, "{said}");
    for what in POSSIBLE {
        assert!(
            reached.iter().any(|other| other == what),
            "{what}: {said}{errors}"
        );
    }
    assert!(run.status.success(), "{errors}");
    assert_eq!(decoy.wait().unwrap().signal(), Some(9));
}

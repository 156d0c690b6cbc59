//! Nothing that a program started outlives its run.

use std::fs;

use grader_model::{Breach, Bytes, End};

use crate::harness::Bench;
use crate::is_alive;

/// Runs a script that leaves process ids in files; those ids, which must be many, and the end.
fn left(script: &str, many: usize) -> (Vec<String>, End) {
    let bench = Bench::shell(script);
    let end = bench.run().outcome.end;
    let mut pids: Vec<String> = fs::read_dir(bench.inside("."))
        .unwrap()
        .map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap())
        .collect();
    pids.sort();
    assert_eq!(pids.len(), many, "the script did not start what it should");
    (pids, end)
}

#[test]
fn a_daemon_is_gone_after_the_run() {
    // Forked twice, in a session of its own, its parent gone before the program ends.
    let script = "(setsid sh -c 'echo $$ > pid; exec sleep 600' &)
        until [ -s pid ]; do :; done; exit 5";
    let (pids, end) = left(script, 1);
    assert_eq!(end, End::Exited(5));
    assert!(!is_alive(&pids[0]));
}

#[test]
fn a_whole_tree_of_sessions_is_gone_after_the_run() {
    let script = "for i in 1 2 3; do
            setsid sh -c \"echo \\$\\$ > a$i; setsid sh -c 'trap \\\"\\\" TERM; echo \\$\\$ > b$i; sleep 600' & sleep 600\" &
        done
        for f in a1 a2 a3 b1 b2 b3; do until [ -s $f ]; do :; done; done; exit 0";
    let (pids, end) = left(script, 6);
    assert_eq!(end, End::Exited(0));
    assert_eq!(pids.iter().filter(|pid| is_alive(pid)).count(), 0);
}

#[test]
fn children_of_a_program_that_is_stopped_are_gone() {
    // It comes to its limit when the child is there, and not before.
    let bench = Bench::shell(
        "setsid sh -c 'echo $$ > pid; exec sleep 600' &
        until [ -s pid ]; do :; done; exec cat /dev/zero",
    )
    .limits(|limits| limits.output = Bytes(1000));
    let outcome = bench.run().outcome;
    assert_eq!(outcome.breach, Some(Breach::Output), "{outcome:?}");
    let pid = fs::read_to_string(bench.inside("pid")).unwrap();
    assert!(!is_alive(&pid));
}

#[test]
fn processes_that_keep_forking_are_caught() {
    // Each link of the chain starts the next in a session of its own and goes.
    let script = "echo 'echo $$ > last; setsid sh chain & exit' > chain; sh chain
        until [ -s last ]; do :; done; exit 0";
    let (files, end) = left(script, 2);
    assert_eq!(end, End::Exited(0));
    assert!(!files.iter().any(|last| is_alive(last)));
}

#[test]
fn a_stopped_process_is_no_obstacle() {
    let (pids, end) = left(
        "sh -c 'echo $$ > pid; kill -STOP $$' & until [ -s pid ]; do :; done",
        1,
    );
    assert_eq!(end, End::Exited(0));
    assert!(!is_alive(&pids[0]));
}

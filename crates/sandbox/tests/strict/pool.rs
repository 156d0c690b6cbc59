//! Launchers over several runs.

use std::fs;
use std::process::Command;

use grader_model::End;
use grader_sandbox::{Layer, Runner, StrictRunner};

use crate::harness::{Bench, launcher};

/// Name of the control group of the launcher that ran this program.
fn launcher_of(cgroups: &str) -> Option<&str> {
    let (_, name) = cgroups.split_once("/bitcraft-")?;
    name.split('-').next()
}

#[test]
fn a_failed_launcher_is_not_reused() {
    let waived = [Layer::MemoryCgroup, Layer::CpuClock];
    let runner = StrictRunner::start(&launcher(), &waived).unwrap();
    let bench = Bench::shell("cat /proc/self/cgroup; echo some output");
    runner.run(&(), &bench.request).unwrap();
    let first = fs::read_to_string(&bench.request.stdout).unwrap();
    let Some(pid) = launcher_of(&first) else {
        eprintln!("skipped: there are no control groups to tell launchers by");
        return;
    };
    let holder = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap();
    let killed = Command::new("kill").args(["-9", holder.trim()]).status();
    assert!(killed.unwrap().success());

    // Like the kernel when the machine runs out of memory.
    let error = runner.run(&(), &bench.request).unwrap_err().to_string();
    assert!(error.contains("namespace holder"), "{error}");
    let outcome = runner.run(&(), &bench.request).unwrap();
    assert_eq!(outcome.end, End::Exited(0));
    let again = fs::read_to_string(&bench.request.stdout).unwrap();
    assert_ne!(launcher_of(&again), Some(pid));
    assert!(again.ends_with("some output\n"), "{again}");
}

#[test]
fn concurrent_runs_do_not_affect_each_other() {
    let benches: Vec<Bench> = (0..6)
        .map(|number| {
            Bench::shell(&format!(
                "echo {number} >/box/a; sleep 0.1; cat /box/a; ls /box"
            ))
        })
        .collect();
    let texts: Vec<String> = std::thread::scope(|scope| {
        let runs: Vec<_> = benches
            .iter()
            .map(|bench| scope.spawn(|| bench.run().text().to_owned()))
            .collect();
        runs.into_iter().map(|run| run.join().unwrap()).collect()
    });
    let expected: Vec<String> = (0..6).map(|number| format!("{number}\na\n")).collect();
    assert_eq!(texts, expected);
}

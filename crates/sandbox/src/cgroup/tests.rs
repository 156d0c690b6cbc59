//! On real control groups, as whoever runs the tests may make them.
#![expect(unsafe_code, reason = "programs join between fork and exec")]

use std::env;
use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::Duration;

use super::owner::Owner;
use super::parents::Parents;
use super::{Group, folder, prepare};
use crate::error::Failure;

const MIB: u64 = 1 << 20;
/// Set for tests that a test runs as another user: there nothing may be skipped.
const INSIDE: &str = "BITCRAFT_TEST_INSIDE_DELEGATED_GROUPS";

/// Where groups can be made, with memory; else the test is skipped.
fn parents() -> Option<Parents> {
    // Moves this whole process where that is needed, so once.
    static PREPARED: OnceLock<Option<String>> = OnceLock::new();
    let failed = PREPARED.get_or_init(|| prepare().err());
    let parents = Parents::find().unwrap();
    let Err(reason) = parents.memory.as_ref().and(parents.cpu.as_ref()) else {
        return Some(parents);
    };
    let more = failed.as_deref().unwrap_or_default();
    assert!(env::var_os(INSIDE).is_none(), "{reason}; {more}");
    eprintln!("skipped: {reason}; {more}");
    None
}

fn group() -> Option<Group> {
    Some(Group::new(&parents()?, false).unwrap())
}

/// Lets a command join these groups before it is executed.
fn join(command: &mut Command, cgroup_procs: Vec<OwnedFd>) -> &mut Command {
    let pass = move || {
        for procs in &cgroup_procs {
            rustix::io::write(procs, b"0")?;
        }
        Ok(())
    };
    // SAFETY: between fork and exec the closure only calls `write`, on descriptors that it owns.
    unsafe { command.pre_exec(pass) }
}

fn cgroup_procs(group: &Group) -> Vec<OwnedFd> {
    let cgroup_procs = group.cgroup_procs().map(|procs| procs.try_clone_to_owned());
    cgroup_procs.collect::<io::Result<_>>().unwrap()
}

/// Starts a command of the shell in a group.
fn start(group: &Group, script: &str) -> Child {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", script]).stdin(Stdio::null());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    join(&mut command, cgroup_procs(group)).spawn().unwrap()
}

fn run(group: &Group, script: &str) -> ExitStatus {
    start(group, script).wait().unwrap()
}

/// Allocates this much at once, and uses it.
fn allocate(mib: u64) -> String {
    format!("exec dd if=/dev/zero of=/dev/null count=1 bs={mib}M")
}

/// Waits until the group has this many members.
fn wait_for_members(group: &Group, count: usize) {
    let folder = group.folders().next().unwrap();
    while folder::members(folder).unwrap().len() != count {
        thread::yield_now();
    }
}

fn existing(folders: &[PathBuf]) -> Vec<&PathBuf> {
    folders.iter().filter(|folder| folder.exists()).collect()
}

#[test]
fn a_program_over_its_limit_is_killed_and_counted() {
    let Some(mut group) = group() else { return };
    group.begin(64 * MIB, 16).unwrap();
    assert_eq!(run(&group, &allocate(256)).signal(), Some(9));
    assert!(group.oom_kills().unwrap() > Some(0));

    group.begin(64 * MIB, 16).unwrap();
    assert_eq!(group.oom_kills().unwrap(), Some(0));
}

#[test]
fn the_peak_is_that_of_the_run() {
    let Some(mut group) = group() else { return };
    for mib in [32, 4, 48, 8] {
        group.begin(128 * MIB, 16).unwrap();
        assert!(run(&group, &allocate(mib)).success());
        let Some(peak) = group.peak().unwrap() else {
            assert!(env::var_os(INSIDE).is_none(), "no peak");
            eprintln!("skipped: this kernel has no `memory.peak`");
            return;
        };
        let expected = mib * MIB..(mib + 1) * MIB;
        assert!(expected.contains(&peak), "{mib} MiB, measured {peak} B");
    }
}

#[test]
fn files_that_a_run_wrote_do_not_count_in_the_next() {
    let Some(mut group) = group() else { return };
    let folder = tempfile::tempdir().unwrap();
    let script = format!(
        "exec dd if=/dev/zero of={} bs=1M count=16",
        folder.path().join("file").display()
    );
    group.begin(128 * MIB, 16).unwrap();
    assert!(run(&group, &script).success());
    assert!(group.usage().unwrap() > Some(8 * MIB));

    let before: Vec<PathBuf> = group.folders().map(Path::to_owned).collect();
    group.begin(128 * MIB, 16).unwrap();
    assert!(group.peak().unwrap().unwrap_or_default() < MIB);
    assert!(group.usage().unwrap() < Some(MIB));
    assert_eq!(existing(&before), Vec::<&PathBuf>::new());
}

#[test]
fn cpu_time_counts_for_children_that_nobody_waits_for() {
    let Some(mut group) = group() else { return };
    group.begin(64 * MIB, 16).unwrap();
    let work = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done";
    assert!(run(&group, work).success());
    let alone = group.cpu().unwrap().unwrap();
    assert!(alone > Duration::ZERO);

    // The kernel reaps children of those who ignore SIGCHLD and charges them to nobody.
    group.begin(64 * MIB, 16).unwrap();
    run(&group, &format!("trap '' CHLD; ({work}) & wait"));
    let hidden = group.cpu().unwrap().unwrap();
    assert!(hidden > alone / 2, "{hidden:?} of {alone:?}");

    group.begin(64 * MIB, 16).unwrap();
    assert_eq!(group.cpu().unwrap(), Some(Duration::ZERO));
}

#[test]
fn a_kill_ends_the_whole_tree() {
    let Some(mut group) = group() else { return };
    group.begin(64 * MIB, 16).unwrap();
    let mut child = start(&group, "setsid sleep 1000 & setsid sleep 1000 & wait");
    wait_for_members(&group, 3);
    assert!(!group.is_empty().unwrap());

    group.kill().unwrap();
    assert_eq!(child.wait().unwrap().signal(), Some(9));
    while !group.is_empty().unwrap() {
        thread::yield_now();
    }
    // The group can be used again.
    group.begin(64 * MIB, 16).unwrap();
    assert!(run(&group, "exit 0").success());
}

#[test]
fn whoever_is_left_of_a_run_is_gone_in_the_next() {
    let Some(mut group) = group() else { return };
    group.begin(64 * MIB, 16).unwrap();
    let mut child = start(&group, "exec sleep 1000");
    wait_for_members(&group, 1);
    group.begin(64 * MIB, 16).unwrap();
    assert!(group.is_empty().unwrap());
    assert_eq!(child.wait().unwrap().signal(), Some(9));
}

#[test]
fn processes_are_limited() {
    let Some(parents) = parents() else { return };
    let mut group = Group::new(&parents, true).unwrap();
    if !group.controllers().processes {
        assert!(env::var_os(INSIDE).is_none());
        eprintln!("skipped: no controller `pids`");
        return;
    }
    // Shells differ in what they do when they cannot fork; this one may not even wait.
    let script = "(exit 0) || exit 1";
    group.begin(64 * MIB, 2).unwrap();
    assert!(run(&group, script).success());
    group.begin(64 * MIB, 1).unwrap();
    assert!(!run(&group, script).success());
}

#[test]
fn groups_of_the_dead_are_swept_and_those_of_the_living_are_not() {
    let Some(parents) = parents() else { return };
    let Some(group) = group() else { return };
    let this = Owner::this().unwrap();
    // The right process id with a wrong start time: used again by another process.
    let dead = Owner {
        start: this.start + 1,
        ..this
    };
    let elsewhere = Owner {
        namespace: this.namespace + 1,
        ..dead
    };
    let (dead, elsewhere) = (dead.group(), elsewhere.group());
    let places = group.folders().filter_map(Path::parent);
    let places: Vec<PathBuf> = places.map(Path::to_owned).collect();
    let in_places = |name: &str| -> Vec<PathBuf> {
        let all = places.iter().map(|place| place.join(name));
        all.inspect(|folder| fs::create_dir(folder).unwrap())
            .collect()
    };
    let (dead, elsewhere) = (in_places(&dead), in_places(&elsewhere));
    let procs = dead.iter().map(|folder| folder.join("cgroup.procs"));
    let procs = procs.map(|path| fs::File::options().write(true).open(path).unwrap());
    let mut left = Command::new("/bin/sleep");
    let procs = procs.map(OwnedFd::from).collect();
    let mut left = join(left.arg("1000"), procs).spawn().unwrap();

    let failures: Vec<String> = parents.sweep().iter().map(Failure::to_string).collect();
    assert_eq!(failures, Vec::<String>::new());
    assert_eq!(left.wait().unwrap().signal(), Some(9));
    assert_eq!(existing(&dead), Vec::<&PathBuf>::new());
    assert_eq!(existing(&elsewhere).len(), places.len());
    assert!(group.folders().all(Path::exists));
    for folder in elsewhere {
        fs::remove_dir(folder).unwrap();
    }
}

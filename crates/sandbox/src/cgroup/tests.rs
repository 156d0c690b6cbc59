//! Tests with real control groups, as far as the user who runs them may create any.
#![expect(unsafe_code, reason = "programs join between fork and exec")]

use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::thread;

use super::find::Parents;
use super::{Cgroup, GroupsAbove, folder, owner, prepare};

const MIB: u64 = 1 << 20;

/// A group, if groups with a memory limit can be created here.
fn group() -> Option<Cgroup> {
    // Once, because it may move this whole process.
    static PREPARED: OnceLock<Option<String>> = OnceLock::new();
    let failed = PREPARED.get_or_init(|| prepare().err());
    let group = Cgroup::here(true).ok();
    let group = group.filter(|group| group.lacks_memory().is_none());
    if group.is_none() {
        let why = failed.as_deref().unwrap_or_default();
        eprintln!("skipped: no control group limits memory; {why}");
    }
    group
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

fn cgroup_procs(group: &Cgroup) -> Vec<OwnedFd> {
    let cgroup_procs = group.cgroup_procs().map(|procs| procs.try_clone_to_owned());
    cgroup_procs.collect::<io::Result<_>>().unwrap()
}

/// Starts a shell command in a group.
fn start(group: &Cgroup, script: &str) -> Child {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", script]).stdin(Stdio::null());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    join(&mut command, cgroup_procs(group)).spawn().unwrap()
}

/// A shell command that allocates this much at once and uses it.
fn allocate(mib: u64) -> String {
    format!("exec dd if=/dev/zero of=/dev/null count=1 bs={mib}M")
}

fn existing(folders: &[PathBuf]) -> Vec<&PathBuf> {
    folders.iter().filter(|folder| folder.exists()).collect()
}

#[test]
fn the_peak_is_the_runs_own() {
    let Some(mut group) = group() else { return };
    for mib in [32, 4, 48, 8] {
        group.begin(128 * MIB, 16).unwrap();
        assert!(start(&group, &allocate(mib)).wait().unwrap().success());
        let Some(peak) = group.peak().unwrap() else {
            eprintln!("skipped: this kernel has no `memory.peak`");
            return;
        };
        let expected = mib * MIB..(mib + 1) * MIB;
        assert!(expected.contains(&peak), "{mib} MiB, measured {peak} B");
    }
}

#[test]
fn files_of_a_run_do_not_count_in_the_next() {
    let Some(mut group) = group() else { return };
    let folder = tempfile::tempdir().unwrap();
    let script = format!(
        "exec dd if=/dev/zero of={} bs=1M count=16",
        folder.path().join("file").display()
    );
    group.begin(128 * MIB, 16).unwrap();
    assert!(start(&group, &script).wait().unwrap().success());
    let before: Vec<PathBuf> = group.folders().map(Path::to_owned).collect();
    group.begin(128 * MIB, 16).unwrap();
    assert!(group.peak().unwrap().unwrap_or_default() < MIB);
    assert_eq!(existing(&before), Vec::<&PathBuf>::new());
}

#[test]
fn processes_left_by_a_run_are_killed_before_the_next() {
    let Some(mut group) = group() else { return };
    group.begin(64 * MIB, 16).unwrap();
    let mut child = start(&group, "exec sleep 1000");
    let folder = group.folders().last().unwrap().to_owned();
    while folder::members(&folder).unwrap().is_empty() {
        thread::yield_now();
    }
    group.begin(64 * MIB, 16).unwrap();
    assert!(group.is_empty().unwrap());
    assert_eq!(child.wait().unwrap().signal(), Some(9));
}

#[test]
fn only_groups_of_processes_that_have_ended_are_swept() {
    let Some(group) = group() else { return };
    let folders = group.folders().map(|folder| folder.parent().unwrap());
    // While it lives, no grader sweeps the group, also not one that happens to start beside this test.
    let mut owner = Command::new("/bin/sleep").arg("1000").spawn().unwrap();
    let name = owner::group_name_of(owner.id()).unwrap();
    let dead: Vec<PathBuf> = folders.map(|place| place.join(&name)).collect();
    let procs = dead.iter().map(|folder| {
        fs::create_dir(folder).unwrap();
        let procs = folder.join("cgroup.procs");
        let procs = fs::File::options().write(true).open(procs);
        OwnedFd::from(procs.unwrap())
    });
    let mut left = Command::new("/bin/sleep");
    let mut left = join(left.arg("1000"), procs.collect()).spawn().unwrap();

    Parents::find().unwrap().sweep();
    assert!(dead.iter().all(|folder| folder.exists()));
    owner.kill().unwrap();
    owner.wait().unwrap();
    assert!(owner::is_abandoned(&name));
    Parents::find().unwrap().sweep();
    assert_eq!(left.wait().unwrap().signal(), Some(9));
    assert_eq!(existing(&dead), Vec::<&PathBuf>::new());
    assert!(group.folders().all(Path::exists));
}

/// Files as the kernel has them in version 2: since Linux 6.11 with the refusals of each group's own limit, before without.
#[test]
fn refusals_of_a_limit_above_are_told_from_those_of_a_limit_below() {
    for has_local in [true, false] {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        write("pids.max", "26\n");
        write("pids.current", "20\n");
        write("pids.events", "max 5\n");
        if has_local {
            write("pids.events.local", "max 3\n");
        }
        let mut groups = GroupsAbove::of([folder.path()]);
        groups.begin();
        assert_eq!((groups.limit(), groups.left()), (Some(26), Some(6)));
        assert!(!groups.have_refused());
        // Where there is the other file, these are also refusals of the limits of groups below, such as a run's.
        write("pids.events", "max 6\n");
        assert_eq!(groups.have_refused(), !has_local);
        write("pids.events.local", "max 4\n");
        assert!(groups.have_refused());
        let path = folder.path().display();
        let expected = format!("the control group `{path}` has room for 26 processes (`pids.max`)");
        assert_eq!(groups.reached(), expected);
        write("pids.max", "max\n");
        assert_eq!((groups.limit(), groups.left()), (None, None));
    }
}

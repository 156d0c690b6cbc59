//! Closed files and processes, and the program's user.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::{Command, Stdio};

use grader_sandbox::{BindMount, LauncherCommand, LimitsOnlyRunner, Runner};
use tempfile::TempDir;

use crate::harness::Bench;
use crate::harness::is_active;

/// A folder that is not in `/tmp`.
fn elsewhere() -> TempDir {
    let ours = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let place = if ours.starts_with("/tmp") {
        Path::new("/var/tmp")
    } else {
        ours
    };
    TempDir::new_in(place).unwrap()
}

#[test]
fn the_users_files_can_neither_be_read_nor_changed() {
    if !is_active("landlock") {
        return;
    }
    let folder = elsewhere();
    let precious = folder.path().join("precious");
    fs::write(&precious, "42\n").unwrap();
    for path in [folder.path(), &precious] {
        fs::set_permissions(path, fs::Permissions::from_mode(0o777)).unwrap();
    }
    let bench = Bench::shell(&format!(
        "cd {}
         cat precious 2>/dev/null || echo not read
         ls 2>/dev/null || echo not listed
         (echo x > precious) 2>/dev/null || echo not written
         (echo x >> precious) 2>/dev/null || echo not appended to
         truncate -s 0 precious 2>/dev/null || echo not shortened
         rm -f precious 2>/dev/null || echo not removed
         mv precious other 2>/dev/null || echo not renamed
         (echo x > new) 2>/dev/null || echo none made
         mkdir new 2>/dev/null || echo no folder made",
        folder.path().display()
    ));
    assert_eq!(
        bench.run().text(),
        "not read\nnot listed\nnot written\nnot appended to\nnot shortened\nnot removed\nnot renamed\nnone made\n\
         no folder made\n"
    );
    assert_eq!(fs::read_to_string(precious).unwrap(), "42\n");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn requested_paths_can_be_read_but_not_the_grader() {
    if !is_active("landlock") {
        return;
    }
    let folder = elsewhere();
    let named = folder.path().join("named");
    fs::create_dir_all(named.join("inner")).unwrap();
    fs::write(named.join("inner/file"), "42\n").unwrap();
    let launcher = named.join("grader");
    fs::copy(env!("CARGO_BIN_EXE_grader-launcher"), &launcher).unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let mut bench = Bench::shell(&format!(
        "cd {}
         cat inner/file
         cat grader 2>/dev/null || echo not read
         ./grader 2>/dev/null || echo not run
         (echo x > inner/file) 2>/dev/null || echo not written",
        named.display()
    ));
    bench.request.readable.push(BindMount::same(&named));
    let command = LauncherCommand {
        program: launcher,
        arguments: Vec::new(),
    };
    let runner = LimitsOnlyRunner::start(&command).unwrap();
    runner.run(&(), &bench.request).unwrap();
    let said = fs::read_to_string(&bench.request.stdout).unwrap();
    assert_eq!(said, "42\nnot read\nnot run\nnot written\n");
}

#[test]
fn its_own_folders_and_its_output_are_writable_and_removed() {
    let folder = elsewhere();
    let mut bench = Bench::shell(
        "echo one > file && mkdir folder && mv file folder && cat folder/file && rm -r folder
         echo two > /dev/stdout
         echo three > /dev/stderr
         echo > /dev/null && echo null
         echo four > $TMPDIR/file && cat $TMPDIR/file",
    );
    let work = folder.path().join("box");
    fs::create_dir(&work).unwrap();
    bench.request.directory.host = work;
    bench.request.stdout = folder.path().join("stdout");
    bench.request.stderr = folder.path().join("stderr");
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o700)).unwrap();
    let done = bench.run();
    assert_eq!(done.text(), "one\ntwo\nnull\nfour\n");
    assert_eq!(done.stderr, b"three\n");
    let mut left: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    left.sort();
    assert_eq!(left, ["box", "stderr", "stdout"]);
}

#[test]
fn other_temporary_folders_cannot_be_reached() {
    if !is_active("landlock") {
        return;
    }
    let secret = tempfile::Builder::new()
        .permissions(fs::Permissions::from_mode(0o755))
        .tempdir_in("/tmp")
        .unwrap();
    fs::write(secret.path().join("file"), "42\n").unwrap();
    let bench = Bench::shell(&format!(
        "cat {0}/file 2>/dev/null || echo not read
         ls {0} /tmp /dev/shm 2>/dev/null || echo not listed",
        secret.path().display()
    ));
    assert_eq!(bench.run().text(), "not read\nnot listed\n");
}

#[test]
fn other_processes_cannot_be_inspected() {
    if !is_active("landlock") {
        return;
    }
    // It ends with its input.
    let mut other = Command::new("cat")
        .env("SECRET", "42")
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let bench = Bench::shell(&format!(
        "for pid in {} {} $PPID; do
             for file in environ cwd/ root/ fd/ maps mem; do
                 ls /proc/$pid/$file >/dev/null 2>&1 && cat /proc/$pid/$file 2>/dev/null && echo $file
             done
         done
         echo none",
        other.id(),
        std::process::id()
    ));
    assert_eq!(bench.run().text(), "none\n");
    drop(other.stdin.take());
    assert!(other.wait().unwrap().success());
}

#[test]
fn a_program_of_root_is_another_user_without_capabilities() {
    if !is_active("other-user") {
        return;
    }
    let bench =
        Bench::shell("id -u; id -g; grep Cap /proc/self/status; touch own && stat -c %u own");
    let private = fs::Permissions::from_mode(0o700);
    fs::set_permissions(bench.path(""), private).unwrap();
    let done = bench.run();
    let lines: Vec<&str> = done.text().lines().collect();
    assert!(lines[0].parse::<u32>().unwrap() > 60_000, "{lines:?}");
    assert_ne!(lines[1], "0");
    assert_eq!(lines[0], *lines.last().unwrap());
    for set in &lines[2..5] {
        assert!(set.ends_with("\t0000000000000000"), "{lines:?}");
    }
    // Nor does it have root's groups.
    let meta = fs::metadata(bench.path("")).unwrap();
    assert_eq!(lines[1], meta.gid().to_string());
    assert_eq!(meta.mode() & 0o777, 0o710);
}

#[test]
fn two_runs_have_two_users() {
    if !is_active("other-user") {
        return;
    }
    let benches = [Bench::shell("id -u"), Bench::shell("id -u")];
    let said: Vec<String> = benches
        .iter()
        .map(|it| it.run().text().to_owned())
        .collect();
    assert_ne!(said[0], said[1]);
}

#[test]
fn a_user_has_no_more_processes_than_its_limit() {
    if !is_active("other-user") {
        return;
    }
    let bench =
        Bench::shell("for i in 1 2 3 4 5 6 7 8; do sleep 600 & done 2>/dev/null; echo all started")
            .limits(|limits| limits.processes = 4);
    assert_eq!(bench.run().text(), "");
}

#[test]
fn the_environment_names_the_temporary_folder() {
    let mut bench = Bench::new("/usr/bin/env");
    bench.request.environment.clear();
    let done = bench.run();
    let beside = format!("TMPDIR={}", bench.path("tmp-").display());
    assert!(done.text().starts_with(&beside), "{}", done.text());
    assert_eq!(done.text().lines().count(), 1);
}

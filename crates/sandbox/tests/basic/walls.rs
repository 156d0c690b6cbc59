//! What Landlock and the filter of system calls hold, where the kernel has them.

use std::fs;
use std::io::ErrorKind;
use std::net::{TcpListener, UdpSocket};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::{Command, Stdio};

use grader_model::End;
use grader_sandbox::{BasicRunner, LauncherCommand, Runner, Seen};
use tempfile::TempDir;

use crate::harness::Bench;
use crate::{is_alive, is_held, keeps_signals, landlock};

/// Whether Landlock is of this version at least; says so if not.
fn has_landlock(version: u32) -> bool {
    let here = landlock();
    if here < version {
        eprintln!("skipped: Landlock here is of version {here}, not {version}");
    }
    here >= version
}

fn has_filter() -> bool {
    let held = is_held("seccomp");
    if !held {
        eprintln!("skipped: no filter of system calls can be installed here");
    }
    held
}

/// A folder that is not in `/tmp`, where every program may write; the repository itself may lie there.
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
fn files_of_the_user_can_neither_be_read_nor_changed() {
    if !has_landlock(3) {
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
fn what_is_named_can_be_read_but_not_the_grader() {
    if !has_landlock(1) {
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
    bench.request.readable.push(Seen::same(&named));
    let runner = BasicRunner::new(LauncherCommand {
        program: launcher,
        arguments: Vec::new(),
    });
    runner.run(&bench.request).unwrap();
    let said = fs::read_to_string(&bench.request.stdout).unwrap();
    assert_eq!(said, "42\nnot read\nnot run\nnot written\n");
}

#[test]
fn its_own_folders_and_its_output_can_be_written_and_are_gone() {
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
    // A shell opens its output anew for `>`, which empties it.
    assert_eq!(done.text(), "two\nnull\nfour\n");
    assert_eq!(done.stderr, b"three\n");
    let mut left: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    left.sort();
    assert_eq!(left, ["box", "stderr", "stdout"]);
}

#[test]
fn what_others_keep_in_temporary_folders_is_out_of_reach() {
    if !has_landlock(1) {
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
fn other_processes_cannot_be_looked_into() {
    if !has_landlock(1) {
        return;
    }
    // It ends when its input does.
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

/// Whether runs are users of their own here; says aloud when not.
fn has_users() -> bool {
    let held = is_held("other-user");
    if !held {
        eprintln!("skipped: only root can make a program another user");
    }
    held
}

#[test]
fn a_program_of_root_is_another_user_without_any_power() {
    if !has_users() {
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
    // Nor has it the groups of root.
    let meta = fs::metadata(bench.path("")).unwrap();
    assert_eq!(lines[1], meta.gid().to_string());
    assert_eq!(meta.mode() & 0o777, 0o710);
}

#[test]
fn two_runs_at_the_same_time_are_two_users() {
    if !has_users() {
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
    if !has_users() {
        return;
    }
    let bench =
        Bench::shell("for i in 1 2 3 4 5 6 7 8; do sleep 600 & done 2>/dev/null; echo all started")
            .limits(|limits| limits.processes = 4);
    assert_eq!(bench.run().text(), "");
}

#[test]
fn processes_outside_are_out_of_reach_of_signals() {
    if !keeps_signals() {
        eprintln!("skipped: Landlock here does not hold signals");
        return;
    }
    // It ends when its input does.
    let mut other = Command::new("cat").stdin(Stdio::piped()).spawn().unwrap();
    let bench = Bench::shell(&format!(
        "for victim in $PPID {} {}; do
             for s in 0 STOP KILL; do kill -$s $victim 2>/dev/null || echo refused; done
         done
         sleep 600 & kill $! && echo its own",
        other.id(),
        std::process::id()
    ));
    assert_eq!(bench.run().text(), "refused\n".repeat(9) + "its own\n");
    assert!(is_alive(&other.id().to_string()));
    assert!(other.wait().unwrap().success());
}

#[test]
fn there_is_no_network() {
    if !is_held("seccomp") && !has_landlock(4) {
        return;
    }
    let Some(bench) = Bench::c(
        r#"
        #include <arpa/inet.h>
        #include <errno.h>
        #include <netinet/in.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/socket.h>
        static void reach(int kind, int port) {
            struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(port) };
            to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
            int s = socket(AF_INET, kind, 0);
            if (s < 0) { printf("no socket: %s\n", strerror(errno)); return; }
            if (connect(s, (struct sockaddr *)&to, sizeof to)) { printf("not connected: %s\n", strerror(errno)); return; }
            printf("sent %d\n", (int)send(s, "x", 1, 0));
        }
        int main(int count, char **arguments) {
            reach(SOCK_STREAM, atoi(arguments[1]));
            reach(SOCK_DGRAM, atoi(arguments[2]));
        }"#,
    ) else {
        return;
    };
    let stream = TcpListener::bind("127.0.0.1:0").unwrap();
    let datagrams = UdpSocket::bind("127.0.0.1:0").unwrap();
    stream.set_nonblocking(true).unwrap();
    datagrams.set_nonblocking(true).unwrap();
    let ports = [stream.local_addr(), datagrams.local_addr()]
        .map(|address| address.unwrap().port().to_string());
    let done = bench.arguments(ports).run();
    let expected = if is_held("seccomp") {
        "no socket: Address family not supported by protocol\n".repeat(2)
    } else {
        "not connected: Permission denied\nsent 1\n".to_owned()
    };
    assert_eq!(done.text(), expected);
    assert_eq!(stream.accept().unwrap_err().kind(), ErrorKind::WouldBlock);
}

#[cfg(target_arch = "x86_64")]
#[test]
fn a_system_call_of_32_bits_is_the_end() {
    if !has_filter() {
        return;
    }
    let Some(bench) = Bench::c(
        r#"
        #include <unistd.h>
        int main(void) {
            long result = 20; /* getpid */
            __asm__ volatile("int $0x80" : "+a"(result) : : "memory", "r8", "r9", "r10", "r11");
            return 0;
        }"#,
    ) else {
        return;
    };
    assert_eq!(bench.run().outcome.end, End::Signalled(libc::SIGSYS));
}

#[test]
fn new_namespaces_cannot_be_made() {
    if !has_filter() || !Path::new("/usr/bin/unshare").exists() {
        return;
    }
    let bench = Bench::shell("unshare -U true 2>/dev/null || echo refused");
    assert_eq!(bench.run().text(), "refused\n");
}

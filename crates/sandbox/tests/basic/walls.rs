//! What Landlock and the filter of system calls hold, where the kernel has them.

use std::fs;
use std::io::ErrorKind;
use std::net::{TcpListener, UdpSocket};
use std::path::Path;
use std::process::{Command, Stdio};

use grader_model::End;
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
fn files_of_the_user_can_be_read_and_not_changed() {
    if !has_landlock(3) {
        return;
    }
    let folder = elsewhere();
    let precious = folder.path().join("precious");
    fs::write(&precious, "42\n").unwrap();
    let bench = Bench::shell(&format!(
        "cd {}
         cat precious
         (echo x > precious) 2>/dev/null || echo not written
         (echo x >> precious) 2>/dev/null || echo not appended to
         truncate -s 0 precious 2>/dev/null || echo not shortened
         rm -f precious 2>/dev/null || echo not removed
         mv precious other 2>/dev/null || echo not renamed
         ln precious /tmp/taken 2>/dev/null || echo not linked
         (echo x > new) 2>/dev/null || echo none made
         mkdir new 2>/dev/null || echo no folder made",
        folder.path().display()
    ));
    assert_eq!(
        bench.run().text(),
        "42\nnot written\nnot appended to\nnot shortened\nnot removed\nnot renamed\nnot linked\nnone made\n\
         no folder made\n"
    );
    assert_eq!(fs::read_to_string(precious).unwrap(), "42\n");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn its_own_folder_its_output_and_the_usual_places_can_be_written() {
    let folder = elsewhere();
    let mut bench = Bench::shell(
        "echo one > file && mkdir folder && mv file folder && cat folder/file && rm -r folder
         echo two > /dev/stdout
         echo three > /dev/stderr
         echo > /dev/null && echo null
         file=$(mktemp /tmp/walls.XXXXXX) && rm $file && echo temporary
         test -d /dev/shm || { echo shared; exit; }
         file=$(mktemp /dev/shm/walls.XXXXXX) && rm $file && echo shared",
    );
    let work = folder.path().join("box");
    fs::create_dir(&work).unwrap();
    bench.request.directory.host = work;
    bench.request.stdout = folder.path().join("stdout");
    bench.request.stderr = folder.path().join("stderr");
    let done = bench.run();
    // A shell opens its output anew for `>`, which empties it.
    assert_eq!(done.text(), "two\nnull\ntemporary\nshared\n");
    assert_eq!(done.stderr, b"three\n");
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

//! What Landlock and the filter of system calls hold, where the kernel has them.

use std::io::ErrorKind;
use std::net::{TcpListener, UdpSocket};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::harness::Bench;
use crate::{is_alive, is_held};
use grader_model::End;

#[test]
fn processes_outside_are_out_of_reach_of_signals() {
    if !is_held("landlock") && !is_held("other-user") {
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
    if !is_held("seccomp") {
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
    let refused = "no socket: Address family not supported by protocol\n";
    assert_eq!(done.text(), refused.repeat(2));
    assert_eq!(stream.accept().unwrap_err().kind(), ErrorKind::WouldBlock);
}

#[cfg(target_arch = "x86_64")]
#[test]
fn a_system_call_of_32_bits_is_the_end() {
    if !is_held("seccomp") {
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
    if !is_held("seccomp") || !Path::new("/usr/bin/unshare").exists() {
        return;
    }
    let bench = Bench::shell("unshare -U true 2>/dev/null || echo refused");
    assert_eq!(bench.run().text(), "refused\n");
}

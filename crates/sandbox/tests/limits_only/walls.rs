//! Landlock and the seccomp filter, if the kernel has them.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::harness::{Bench, is_active};
use crate::is_alive;

#[test]
fn processes_outside_cannot_be_signalled() {
    if !is_active("landlock") && !is_active("other-user") {
        return;
    }
    // It ends with its input.
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
fn new_namespaces_cannot_be_made() {
    if !is_active("seccomp") || !Path::new("/usr/bin/unshare").exists() {
        return;
    }
    let bench = Bench::shell("unshare -U true 2>/dev/null || echo refused");
    assert_eq!(bench.run().text(), "refused\n");
}

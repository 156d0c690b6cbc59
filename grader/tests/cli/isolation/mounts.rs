//! What runs leave behind in the mounts of the host.

use std::process::Command;

use super::{USER, may_forbid};
use crate::class::{SQUARE, squares};
use crate::harness::{Ran, have, strict};

/// A machine as systemd sets it up, on which all mounts are shared, with the grader in a folder that programs see: `$0`
/// runs as root, then as an ordinary user. A difference in the mounts is printed, and fails.
const SCRIPT: &str = r#"
set -e
mount --make-rshared /
mount -t tmpfs -o mode=755 none /usr/local/bin
cp "$0" /usr/local/bin/grader
mount -t tmpfs -o mode=777 none /mnt
cp -r . /mnt
cd /mnt
list() { sort /proc/self/mountinfo; }
list > before
for by in "env" "$1"; do
  export XDG_CACHE_HOME=$(mktemp -d -p /mnt)
  chmod 777 "$XDG_CACHE_HOME"
  $by grader doctor --json - > doctor.json || true
  $by grader --color never test -a ./squares square.c | tail -n 1
  list | diff before -
done
cmp "$0" /usr/local/bin/grader
"#;

#[test]
fn where_all_mounts_are_shared_a_run_changes_none_of_the_hosts() {
    // Whoever may set up such a machine may also do what is asked here.
    if !may_forbid() || !strict() || !have(&["gcc", "setpriv"]) {
        return;
    }
    let room = squares().file("square.c", SQUARE);
    let grader = room.command_as_it_is(&[]);
    let mut command = Command::new("unshare");
    command
        .args(["--mount", "sh", "-c", SCRIPT])
        .arg(grader.get_program())
        .arg(USER);
    let ran = Ran::of(room.prepared(command).output().unwrap());
    let full = "  square: 10 of 10 points  AC accepted\n";
    let found = (ran.status, ran.stdout.as_str());
    assert_eq!(found, (0, full.repeat(2).as_str()), "{}", ran.stderr);
}

//! Rows 45 to 56: programs that reach for what is not theirs. They print the answer where nothing gave way, and
//! otherwise what did.

use super::{c, python};
use crate::row::{Row, Turn};

/// What level `basic` does not hold.
const FILES: &str = "a program reads and writes whatever the user may";
const NET: &str = "there is no network namespace";
const SHARED: &str = "programs share the machine's objects";
const KERNEL: &str = "there is no seccomp, and root keeps its rights";

pub(super) const ROWS: &[Row] = &[
    c(45, "inherited-files"),
    c(46, "terminal"),
    c(46, "escape-codes").gets(&["WA", "PE"]),
    c(47, "read-secret").strict(FILES),
    python(47, "walk").strict(FILES),
    c(48, "shadow").strict(FILES),
    c(48, "environment").strict(FILES),
    c(49, "remount").strict(KERNEL),
    c(49, "core-pattern").strict(KERNEL),
    c(49, "write-outside").strict(FILES),
    c(49, "write-program").strict(FILES),
    c(50, "fill-disk").gets(&["AC", "MLE"]).strict(FILES),
    c(50, "many-files").strict(FILES),
    c(50, "deep-folders"),
    c(50, "locked-folders"),
    c(51, "tcp").strict(NET),
    c(51, "udp").strict(NET),
    c(51, "unix-sockets").strict(NET),
    python(51, "resolver").strict(NET),
    c(52, "system").strict(KERNEL),
    // One leaves notes, and the other, long after, must not find them.
    c(53, "leave-notes").turn(Turn::First).strict(SHARED),
    c(53, "find-notes").turn(Turn::Last).strict(SHARED),
    // These two live at the same time, if the machine has two processors to spare.
    c(53, "hold-note").strict(SHARED),
    c(53, "meet-note").strict(SHARED),
    c(54, "kernel-surface").strict(KERNEL),
    c(54, "namespaces").strict(KERNEL),
    c(56, "odd-paths"),
];

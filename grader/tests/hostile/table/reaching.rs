//! Rows 45 to 56: programs that reach for what is not theirs. They print the answer where nothing gave way, and
//! otherwise what did.

use super::{c, python, rust};
use crate::row::{Row, Turn};

pub(super) const ROWS: &[Row] = &[
    c(45, "inherited-files"),
    c(46, "terminal"),
    c(46, "escape-codes").gets(&["PE"]),
    c(47, "read-secret"),
    python(47, "walk"),
    // After programs of Rust and Python, whose toolchains have folders of their own.
    c(47, "toolchains").turn(Turn::Last),
    rust(47, "toolchains"),
    c(48, "shadow"),
    c(48, "environment"),
    c(49, "remount"),
    c(49, "core-pattern"),
    c(49, "write-outside"),
    c(49, "write-program"),
    c(50, "fill-disk"),
    c(50, "many-files"),
    c(50, "deep-folders"),
    c(50, "locked-folders"),
    c(51, "tcp"),
    c(51, "udp"),
    c(51, "unix-sockets"),
    python(51, "resolver"),
    c(52, "system"),
    // One leaves notes, and the other, long after, must not find them.
    c(53, "leave-notes").turn(Turn::First),
    c(53, "find-notes").turn(Turn::Last),
    c(53, "leave-pages").turn(Turn::First),
    c(53, "find-pages").turn(Turn::Last),
    // These two live at the same time, if the machine has two processors to spare.
    c(53, "hold-note"),
    c(53, "meet-note"),
    c(54, "kernel-surface"),
    c(54, "namespaces"),
    c(54, "page-cache"),
    python(54, "page-cache"),
    c(56, "odd-paths"),
];

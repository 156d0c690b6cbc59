//! Rows 15 to 44: programs that want more than their share, or say what is not so.

use super::{c, cpp, java, python};
use crate::row::{Row, Task};

const AC: &[&str] = &["AC"];
const RE: &[&str] = &["RE"];
const TLE: &[&str] = &["TLE"];
const MLE: &[&str] = &["MLE"];
const OLE: &[&str] = &["OLE"];
const WA: &[&str] = &["WA"];
const PE: &[&str] = &["PE"];
/// What the kernel has yet to free of forks that it refused counts as memory of the run; whether that or the time
/// comes to its limit first is chance.
const TLE_OR_MLE: &[&str] = &["TLE", "MLE"];

const CPU: &str = "of CPU time; the limit is";
const WALL: &str = "of wall time (limit";

pub(super) const ROWS: &[Row] = &[
    c(15, "spin").gets(TLE).says(CPU),
    java(15, "spin").gets(TLE).says(CPU),
    python(15, "spin").gets(TLE).says(CPU),
    c(16, "sleep").task(Task::Sleep).gets(TLE).says(WALL),
    c(17, "right-then-sleep")
        .task(Task::Sleep)
        .gets(TLE)
        .says(WALL),
    c(18, "clock-wait").gets(TLE).says(CPU),
    c(19, "ignore-signals").gets(TLE).says(CPU),
    // 250 ms by children that nobody waits for; the clock must see them.
    c(20, "ignored-child").burns(250.0),
    c(20, "ignored-grandchild").burns(250.0),
    c(20, "ignored-spinner").gets(TLE).says(CPU),
    c(21, "double-fork").burns(250.0),
    c(21, "outliving-burner"),
    c(22, "threads").gets(TLE).says(CPU),
    c(23, "stop-the-judge"),
    c(23, "kill-all"),
    c(23, "limit-init"),
    c(24, "int-80").gets(RE).by_signal(31),
    c(24, "x32").gets(RE).by_signal(31),
    c(25, "fork-bomb")
        .gets(TLE_OR_MLE)
        .without_cgroups(TLE, CPU),
    c(26, "session-bomb")
        .gets(TLE_OR_MLE)
        .without_cgroups(TLE, CPU),
    c(27, "outliver"),
    c(28, "process-limit"),
    c(28, "thread-limit"),
    c(29, "clone-parent"),
    c(30, "trace-me").task(Task::Sleep),
    c(30, "trace-judge"),
    // Without a control group a bound of address space refuses what it asks for: the program ends by itself, in
    // the way of its language.
    c(31, "heap").gets(MLE).without_cgroups(RE, "SIGABRT"),
    python(31, "heap").gets(MLE),
    c(31, "touch-40").peaks(40, 44),
    c(32, "static").gets(MLE).without_cgroups(RE, "SIGSEGV"),
    cpp(33, "huge-new").gets(MLE),
    cpp(33, "impossible-new").gets(MLE),
    // The stack is as large as the memory: 32 MiB of it are no crime, and endless recursion is one.
    c(34, "stack-32"),
    c(34, "recursion").gets(MLE).without_cgroups(RE, "SIGSEGV"),
    // What no control group counts together, nobody does.
    c(35, "children").gets(MLE).without_cgroups(AC, ""),
    // Its own memory is small, and the children's is theirs: copied pages count once.
    c(35, "copy-on-write").peaks(20, 28),
    c(36, "memfd"),
    c(36, "shared-map")
        .gets(MLE)
        .without_cgroups(RE, "exit status 1"),
    // The largest file is smaller.
    c(36, "shared-memory-file"),
    // The kernel bounds the pipes of an ordinary user, and counts them where there is a control group.
    c(37, "pipe-hoard").gets(MLE).without_cgroups(AC, ""),
    java(38, "heap").gets(MLE),
    java(38, "off-heap").gets(MLE),
    c(39, "big-reader").task(Task::Input).peaks(0, 16),
    c(40, "stdout-flood").gets(OLE).says("to standard output"),
    c(41, "stderr-flood").gets(OLE).says("to standard error"),
    c(42, "right-then-blanks")
        .gets(OLE)
        .says("to standard output"),
    c(43, "long-line").gets(WA),
    c(43, "text-after-nul").gets(PE),
    c(43, "raw-bytes").gets(PE),
    c(44, "spoofed-status").gets(WA),
];

//! Rows 15 to 44: programs that want more than their share, or say what is not so.

use super::{c, cpp, java, python};
use crate::row::{Row, Task};

const TLE: &[&str] = &["TLE"];
const MLE: &[&str] = &["MLE"];
const OLE: &[&str] = &["OLE"];
/// Not accepted; whether the layout or the answer is wrong does not matter.
const WRONG: &[&str] = &["WA", "PE"];
/// Address space ended before memory did.
const MLE_OR_RE: &[&str] = &["MLE", "RE"];
/// Held to where it does no harm, or stopped.
const AC_OR_MLE: &[&str] = &["AC", "MLE"];

const CPU: &str = "of CPU time; the limit is";
const WALL: &str = "of wall time (limit";

/// Why programs of many processes are not run at level `basic`.
const MANY: &str = "the number of processes is not limited";
/// Why evaders of the clock are not run there.
const CLOCK: &str = "CPU time is exact only for processes that are waited for";

/// Why a peak is not exact there.
const PEAK: &str = "below the size of the grader, a peak is only looked for now and then";

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
    // 500 ms by children that nobody waits for; the clock must see them.
    c(20, "ignored-child").burns(500.0).strict(CLOCK),
    c(20, "ignored-grandchild").burns(500.0).strict(CLOCK),
    c(20, "ignored-spinner").gets(TLE).says(CPU),
    c(21, "double-fork").burns(500.0),
    c(21, "outliving-burner").gets(&["AC"]),
    c(22, "threads").gets(TLE).says(CPU),
    c(23, "stop-the-judge").strict("a program may signal the user's processes"),
    c(23, "kill-all").strict("a program may signal the user's processes"),
    c(24, "int-80")
        .gets(&["RE"])
        .by_signal(31)
        .strict("there is no seccomp"),
    c(24, "x32")
        .gets(&["RE"])
        .by_signal(31)
        .strict("there is no seccomp"),
    c(25, "fork-bomb").gets(TLE).strict(MANY),
    c(26, "session-bomb").gets(TLE).strict(MANY),
    c(27, "outliver"),
    c(28, "process-limit").strict(MANY),
    c(28, "thread-limit").strict(MANY),
    c(29, "clone-parent").burns(300.0),
    c(30, "trace-me").task(Task::Sleep).gets(&["AC", "RE"]),
    c(30, "trace-judge").strict("there is no seccomp"),
    c(31, "heap").gets(MLE).without_cgroups(MLE_OR_RE),
    python(31, "heap").gets(MLE).without_cgroups(MLE_OR_RE),
    c(31, "touch-40").peaks(40, 44).strict(PEAK),
    c(32, "static").gets(MLE).without_cgroups(MLE_OR_RE),
    cpp(33, "huge-new").gets(MLE_OR_RE),
    cpp(33, "impossible-new").gets(&["RE", "MLE"]),
    // The stack is as large as the memory: 32 MiB of it are no crime, and endless recursion is one.
    c(34, "stack-32"),
    c(34, "recursion").gets(MLE_OR_RE),
    c(35, "children").gets(MLE).without_cgroups(MLE_OR_RE),
    // Its own memory is small, and the children's is theirs: copied pages count once.
    c(35, "copy-on-write").peaks(20, 28).strict(PEAK),
    // The limit of the size of a file may come first.
    c(36, "memfd")
        .gets(&["MLE", "OLE", "RE"])
        .strict("memory outside of processes is not seen"),
    c(36, "shared-map").gets(MLE).without_cgroups(MLE_OR_RE),
    c(36, "shared-memory-file")
        .gets(AC_OR_MLE)
        .strict("`/dev/shm` is the machine's own"),
    c(37, "pipe-hoard")
        .gets(AC_OR_MLE)
        .strict("pipes are not counted"),
    java(38, "heap").gets(MLE),
    java(38, "off-heap").gets(MLE),
    c(39, "big-reader").task(Task::Input).peaks(0, 16),
    c(40, "stdout-flood").gets(OLE).says("to standard output"),
    c(41, "stderr-flood").gets(OLE).says("to standard error"),
    c(42, "right-then-blanks")
        .gets(OLE)
        .says("to standard output"),
    c(43, "long-line").gets(&["WA"]),
    c(43, "text-after-nul").gets(WRONG),
    c(43, "raw-bytes").gets(WRONG),
    c(44, "spoofed-status").gets(WRONG),
];

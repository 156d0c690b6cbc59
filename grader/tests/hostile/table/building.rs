//! Rows 1 to 14 and 58: sources that attack the compiler.

use super::{c, cpp, java, python, rust};
use crate::row::{Row, Task, Work};

/// A compiler that was stopped for its time or its memory, or that gave up by itself.
const CE: &[&str] = &["CE"];

/// Said of a compiler that was stopped: where time and memory run a race, either may win.
const STOPPED: &str = "the compiler was stopped";
/// Said of a compiler that was stopped for its time.
const TIME: &str = "the compiler was stopped: it took more than 1 s";
/// Said where the compiler ended by itself.
const FAILED: &str = "does not compile";
/// Said of a compiler that says too much.
const MESSAGES: &str = "the compiler was stopped: it wrote more than 8 MiB of messages";

pub(super) const ROWS: &[Row] = &[
    c(1, "include-zero")
        .task(Task::Build)
        .gets(CE)
        .says(STOPPED)
        // The bound of its address space makes it give up by itself.
        .without_cgroups(CE, FAILED),
    c(2, "include-urandom")
        .task(Task::Build)
        .gets(CE)
        .says(STOPPED),
    c(2, "include-stdin").gets(CE).says(FAILED),
    c(2, "include-tty").gets(CE).says(FAILED),
    c(3, "include-itself")
        .task(Task::Build)
        .gets(CE)
        .says(TIME)
        .work(Work::Folder(&[
            ("main.c", "03-include-itself.c"),
            ("again.h", "03-again.h"),
        ])),
    c(4, "warning-flood")
        .gets(CE)
        .says(MESSAGES)
        .work(Work::Folder(&[
            ("main.c", "04-warning-flood.c"),
            ("again.h", "04-again.h"),
        ])),
    cpp(5, "macro-tree").task(Task::Build).gets(CE).says(TIME),
    cpp(6, "long-token").gets(CE).says(FAILED),
    cpp(7, "endless-arrow").gets(CE).says(FAILED),
    c(8, "huge-binary")
        .gets(CE)
        .says("wrote a file of more than"),
    // It has a bound of its own for that, and comes to it in good time on a fast machine only.
    cpp(9, "constexpr").task(Task::Build).gets(CE),
    c(10, "include-passwd").gets(CE).says(FAILED),
    c(10, "include-secret").gets(CE).says(FAILED),
    c(11, "incbin-secret").gets(CE).says(FAILED),
    rust(11, "include-secret").gets(CE).says(FAILED),
    // What asks to be run by a build tool is not run, and the program is judged as if it were not there.
    java(12, "processor").work(Work::Folder(&[
        ("Main.java", "12-processor.java"),
        ("Evil.java", "12-evil.java"),
        (
            "META-INF/services/javax.annotation.processing.Processor",
            "12-services.txt",
        ),
    ])),
    rust(12, "build-script").work(Work::Folder(&[
        ("src/plain.rs", "12-build-script.rs"),
        ("build.rs", "12-build.rs"),
        ("Cargo.toml", "12-cargo.toml"),
    ])),
    python(12, "shadow").work(Work::Folder(&[
        ("main.py", "12-shadow.py"),
        ("traceback.py", "12-traceback.py"),
    ])),
    c(13, "smuggled-object")
        .gets(CE)
        .says(FAILED)
        .work(Work::WithObject("13-part.c")),
    // A link is not a source: nothing was submitted.
    c(14, "source-is-link").gets(&["SK"]).work(Work::Link),
    c(14, "answer-is-link").task(Task::File).gets(&["WA"]),
    c(14, "answer-is-device").task(Task::File).gets(&["WA"]),
    c(14, "answer-is-pipe").task(Task::File).gets(&["WA"]),
    // `ONLINE_JUDGE` is defined on purpose, on a student's own machine too; nothing else tells it from there.
    cpp(58, "judge-macro").gets(CE).says(FAILED),
];

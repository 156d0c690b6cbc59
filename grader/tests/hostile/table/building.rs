//! Rows 1 to 14 and 58: sources that attack the compiler.

use super::{c, cpp, java, rust};
use crate::row::{Row, Task, Work};

/// A compiler that was stopped for its time or its memory, or that gave up by itself.
const CE: &[&str] = &["CE"];

/// Why a compiler's reach is not held at level `basic`.
const READS: &str = "a compiler reads whatever the user may read";

pub(super) const ROWS: &[Row] = &[
    c(1, "include-zero")
        .task(Task::Build)
        .gets(CE)
        .says("the compiler was stopped"),
    c(2, "include-urandom").task(Task::Build).gets(CE),
    c(2, "include-stdin").task(Task::Build).gets(CE),
    c(2, "include-tty").task(Task::Build).gets(CE),
    c(3, "include-itself")
        .task(Task::Build)
        .gets(CE)
        .says("the compiler was stopped: it took more than 2 s")
        .work(Work::Folder(&[
            ("main.c", "03-include-itself.c"),
            ("again.h", "03-again.h"),
        ])),
    c(4, "warning-flood")
        .task(Task::Build)
        .gets(CE)
        .work(Work::Folder(&[
            ("main.c", "04-warning-flood.c"),
            ("again.h", "04-again.h"),
        ])),
    cpp(5, "macro-tree")
        .task(Task::Build)
        .gets(CE)
        .says("the compiler was stopped"),
    cpp(6, "long-token").task(Task::Build).gets(CE),
    cpp(7, "endless-arrow").task(Task::Build).gets(CE),
    c(8, "huge-binary").task(Task::Build).gets(CE),
    cpp(9, "constexpr").task(Task::Build).gets(CE),
    c(10, "include-passwd")
        .task(Task::Build)
        .gets(CE)
        .strict(READS),
    c(10, "include-secret")
        .task(Task::Build)
        .gets(CE)
        .strict(READS),
    c(11, "incbin-secret")
        .task(Task::Build)
        .gets(CE)
        .strict(READS),
    rust(11, "include-secret")
        .task(Task::Build)
        .gets(CE)
        .strict(READS),
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
    c(13, "smuggled-object")
        .gets(CE)
        .says("does not compile")
        .work(Work::WithObject("13-part.c")),
    // A link is not a source: nothing was handed in.
    c(14, "source-is-link").gets(&["SK"]).work(Work::Link),
    c(14, "answer-is-link").task(Task::File).gets(&["WA"]),
    c(14, "answer-is-device").task(Task::File).gets(&["WA"]),
    c(14, "answer-is-pipe").task(Task::File).gets(&["WA"]),
    // `ONLINE_JUDGE` is defined on purpose, on a student's own machine too; nothing else tells it from there.
    cpp(58, "judge-macro").gets(CE).says("does not compile"),
];

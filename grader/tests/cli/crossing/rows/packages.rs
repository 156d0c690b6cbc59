//! Packages of other judges that become the problem.

use std::fs;

use super::room::{program, submitted, unmade};
use super::{Row, done, row};
use crate::harness::Room;

const KATTIS: &str = "problem_format_version: 2025-09
name: Twice n
type: scoring
uuid: 00000000-0000-0000-0000-000000000001
limits: {time_limit: 10}
";
const GROUP: &str = "max_score: 5\nscore_aggregation: min\n";
const RULES: &str = "other/half.py: {permitted: [AC, WA], required: [WA], score: 5}
other/zero.*: {permitted: [WA], score: 0}
";
const HYDRO: &str = "time: 10s
subtasks:
- {id: 1, score: 5, type: min, cases: [{input: 1.in, output: 1.out}, {input: 2.in, output: 2.out}]}
- {id: 2, score: 5, type: min, if: [1], cases: [{input: 3.in, output: 3.out}, {input: 4.in, output: 4.out}]}
";
const IN_C: &str = "#include <stdio.h>
int main(void) { int n; scanf(\"%d\", &n); printf(\"%d\\n\", 2 * n); }
";
/// What the author adds, so that inputs can be searched.
const ADDED: &str = "[reference]\npath = \"submissions/accepted/twice.py\"\n[search]\nstdin = \"{n}\\n\"\ncases = { n = \"1..=9\" }\n";

pub(super) fn rows() -> Vec<Row> {
    vec![
        Row {
            before: |room| {
                done(room, "import kattis/twice -o asg/twice");
                let path = room.path("asg/twice/problem.toml");
                let text = fs::read_to_string(&path).unwrap();
                fs::write(&path, text + ADDED).unwrap();
            },
            ..row("package of Kattis", kattis())
        },
        Row {
            before: |room| done(room, "import hydro/twice -o asg/twice"),
            ..row("package of Hydro", hydro())
        },
        Row {
            before: |room| done(room, "import pairs/twice -o asg/twice --points 5,5"),
            ..row("folder of pairs", pairs())
        },
    ]
}

/// A class, and tests in files.
fn with_tests(tests: &[(&str, u32)], answer: &str) -> Room {
    let room = submitted(unmade(), |expression| {
        vec![("twice.py", program(expression))]
    });
    tests.iter().fold(room, |room, (path, n)| {
        let room = room.file(&format!("{path}.in"), format!("{n}\n"));
        room.file(&format!("{path}.{answer}"), format!("{}\n", 2 * n))
    })
}

/// Subtasks of which one requires the other, a validator in checktestdata, and samples in two languages, one of which has its
/// verdict from a file.
fn kattis() -> Room {
    let data = "kattis/twice/data";
    let paths = [
        ("sample/1", 4),
        ("secret/1-small/1", 1),
        ("secret/1-small/2", 2),
        ("secret/2-large/3", 3),
        ("secret/2-large/4", 4),
    ];
    let paths = paths.map(|(path, n)| (format!("{data}/{path}"), n));
    let tests: Vec<_> = paths.iter().map(|(path, n)| (&**path, *n)).collect();
    let require = format!("{GROUP}require_pass: [secret/1-small]\n");
    let of = |path: &str| format!("kattis/twice/{path}");
    with_tests(&tests, "ans")
        .file(&of("problem.yaml"), KATTIS)
        .file(&of("data/secret/1-small/test_group.yaml"), GROUP)
        .file(&of("data/secret/2-large/test_group.yaml"), require)
        .file(&of("input_validators/n.ctd"), "INT(1, 9) NEWLINE EOF\n")
        .file(&of("submissions/submissions.yaml"), RULES)
        .file(&of("submissions/accepted/twice.py"), program("2 * n"))
        .file(&of("submissions/accepted/twice.c"), IN_C)
        .file(&of("submissions/other/half.py"), program(super::room::HALF))
        .file(&of("submissions/other/zero.c"), IN_C.replace("2 * n", "0"))
}

/// Subtasks of which one requires the other, and a solution.
fn hydro() -> Room {
    let paths = [1, 2, 3, 4].map(|n| (format!("hydro/twice/testdata/{n}"), n));
    let tests: Vec<_> = paths.iter().map(|(path, n)| (&**path, *n)).collect();
    with_tests(&tests, "out")
        .file("hydro/twice/problem.yaml", "pid: P1\ntitle: Twice n\n")
        .file("hydro/twice/testdata/config.yaml", HYDRO)
        .file("hydro/twice/testdata/std.py", program("2 * n"))
}

/// Tests whose names say the subtasks, and a solution.
fn pairs() -> Room {
    let paths = [("1a", 1), ("1b", 2), ("2a", 3), ("2b", 4), ("sample", 4)];
    let paths = paths.map(|(name, n)| (format!("pairs/twice/{name}"), n));
    let tests: Vec<_> = paths.iter().map(|(path, n)| (&**path, *n)).collect();
    with_tests(&tests, "out").file("pairs/twice/std.py", program("2 * n"))
}

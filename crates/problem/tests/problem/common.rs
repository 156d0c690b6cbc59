//! A valid assignment, and changes that break it.

use std::collections::BTreeMap;

use grader_problem::{Diagnostic, MemoryLibrary};

pub(crate) const BUILTINS: &[&str] = &["board", "count"];

pub(crate) const ASSIGNMENT: &str = r#"format = 1
id = "n-queens"
title = { zh = "比特匠心", en = "Bit craft" }

[[problem]]
path = "count"
points = 35.5

[[problem]]
path = "columns"
bonus = 10

[[problem]]
path = "times"
points = 100
"#;

pub(crate) const COUNT: &str = r#"format = 1
id = "count"
title = { zh = "解的个数", en = "Count all solutions" }

[submission]
files = ["count.*", "*count*"]
languages = ["c", "python"]
size = "2 MiB"

[run]
arguments = ["{n}", "{{}}"]
stdin = "皇后 {n}\n"
input-file = "checker.in"
output-file = "checker.out"
exit-status = "ignored"

[limits]
time = { reference = 3.0, at-least = { reference = 2.5, case = "small/n=5" }, at-most = { reference = 60, case = "small/n=7" } }
wall = "90 s"
memory = "512 MiB"
output = "1 MiB"
processes = 4
compile-time = "30 s"

[limits.languages.python]
time-factor = 20
memory = "1 GiB"

[reference]
builtin = "count"
calibrate = ["--method", "bitmask"]

[checker.tokens]

[[subtask]]
name = "small"
points = 10
cases = { n = "4..=5, 7" }

[[subtask.case]]
name = "sample"
arguments = ["{n}", "2"]
stdin-file = "cases/01.in"
answer-file = "cases/01.ans"
variables = { n = 5 }

[[subtask.case]]
name = "given"
arguments = []
stdin = "x"
answer = "{odd}\n"

[[subtask]]
name = "large"
points = 25.5
score = "all"
require = ["small"]
hidden = true
cases = { m = 2, n = [3, "5..=6"] }

[subtask.checker.queens-columns]
size = "{n}"
base = 0

[source]
forbid = ["goto", { any = ["system ("], languages.python = ["os . system"] }]
require = [{ languages.c = ["^"], because = { zh = "位运算", en = "bit operations" } }]
answers = { at-least = 3, also = [1787] }
"#;

pub(crate) const COLUMNS: &str = r#"format = 1
id = "columns"
title = "Columns"

[submission]
files = ["columns.*"]

[limits]
time = "2 s"

[checker.queens-columns]
size = "{n}"
base = 0

[[subtask]]
name = "any"
points = 4
cases = { n = 3 }

[[subtask]]
name = "from-one"
points = 6
cases = { n = 3 }

[subtask.checker.queens-columns]
size = "{n}"
base = 1
"#;

pub(crate) const TIMES: &str = r#"format = 1
id = "times"
title = { zh = "时间", en = "Times" }

[submission]
files = ["times.*"]

[limits]
time = "2 s"
confirm = 5

[reference]
builtin = "count"

[checker.tokens]

[time-flags]
faster-than = 0.0025

[time-flags.flat]
over = "n"
from = 100
to = 800
at-least = 3.0

[[subtask]]
name = "growth"
points = 30
score = "worst"
cases = { n = [100, 200, 400, 800] }

[subtask.growth]
over = "n"
at-most = 3.5
until = "2 s"

[[subtask]]
name = "chance"
points = 20
attempts = { runs = 12, at-least = 3 }
cases = { k = 4 }

[[subtask]]
name = "rate"
points = 20
attempts = { runs = 20, score = "rate" }
cases = { k = 4 }

[[subtask]]
name = "by-time"
points = 30
by-time = [[1.5, 100], [4, 62.5]]
cases = { k = "4..=5" }
"#;

/// The valid files.
pub(crate) const CORRECTIONS: &str = r#"format = 1

[[correction]]
group = "4d5ac522"
problem = "count"
comment = "off by one"

[[correction]]
student = "s07"
problem = "count"
at = "count.c:12"
comment = "why 2?"
"#;

pub(crate) fn files() -> BTreeMap<String, Vec<u8>> {
    [
        ("assignment.toml", ASSIGNMENT),
        ("count/problem.toml", COUNT),
        ("count/cases/01.in", "5 2\n"),
        ("count/cases/01.ans", "odd\n"),
        ("count/statement.zh.md", "# 解的个数\n"),
        ("columns/problem.toml", COLUMNS),
        ("times/problem.toml", TIMES),
        ("corrections.toml", CORRECTIONS),
    ]
    .into_iter()
    .map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec()))
    .collect()
}

/// The valid files with one change: the first `from` in `file` becomes `to`.
pub(crate) fn spoilt(file: &str, from: &str, to: &str) -> MemoryLibrary {
    let mut files = files();
    let text = String::from_utf8(files[file].clone()).unwrap();
    assert!(text.contains(from), "{file} holds no {from:?}");
    files.insert(file.to_owned(), text.replacen(from, to, 1).into_bytes());
    MemoryLibrary::new("p", files)
}

/// One mistake on one line, with the text under the caret, and the help below.
pub(crate) fn short(diagnostic: &Diagnostic) -> String {
    let (path, text) = (&diagnostic.file.path, &diagnostic.file.text);
    let place = match &diagnostic.span {
        Some(span) => {
            let (before, marked) = (&text[..span.start], text[span.clone()].escape_debug());
            let line = before.matches('\n').count() + 1;
            let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
            format!("{path}:{line}:{column} <{marked}>")
        }
        None => path.clone(),
    };
    let help = diagnostic
        .help
        .as_ref()
        .map(|help| format!(" / {help}"))
        .unwrap_or_default();
    format!("{place} {}{help}", diagnostic.message)
}

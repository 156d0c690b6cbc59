//! Outputs that would harm a careless grader.

use serde_json::Value;

use crate::harness::{Room, problem, student};

const PROBLEM: &str = r#"
format = 1
id = "task"
title = { zh = "题", en = "Task" }

[submission]
files = ["task.*"]

[limits]
time = "10 s"
output = "8 MiB"

[checker.lines]

[[subtask]]
name = "all"
points = 1

[[subtask.case]]
name = "only"
answer = "92\n"
"#;
const ASSIGNMENT: &str = "format = 1\nid = \"hostile\"\ntitle = { zh = \"恶\", en = \"Hostile\" }\n\
                          [[problem]]\npath = \"task\"\npoints = 1\n";

/// Students, the bodies of their `main`, the verdicts, and a text that the result of the case holds.
const PROGRAMS: [(&str, &str, &str, &str); 7] = [
    (
        "bytes",
        r#"write(1, "9\0\xff\xfe 2\n", 7);"#,
        "WA",
        r"9\\0\\xff\\xfe 2",
    ),
    (
        "escapes",
        r#"fputs("\033]0;owned\007\033[31m92\033[0m\n", stdout);"#,
        "PE",
        r"0;owned\\x07",
    ),
    (
        "long-line",
        "for (int i = 0; i < 1000000; i++) putchar('a' + i % 26); putchar('\\n');",
        "WA",
        "",
    ),
    (
        "gigabyte",
        "static char blank[1 << 20]; memset(blank, ' ', sizeof blank); \
         for (int i = 0; i < 1024; i++) if (write(1, blank, sizeof blank) < 0) break;",
        "OLE",
        "wrote more than 8 MiB to standard output",
    ),
    (
        "blanks",
        "for (int i = 0; i < 4 << 20; i++) putchar(' '); puts(\"92\");",
        "PE",
        "",
    ),
    (
        "stderr",
        "for (int i = 0; i < 10000; i++) fputs(\"\\033[2J\", stderr); puts(\"92\");",
        "AC",
        r"\\x1b[2J\\x1b[2J",
    ),
    (
        "children",
        "if (fork() == 0) { setsid(); if (fork() == 0) for (;;) sleep(1000); } puts(\"92\");",
        "AC",
        "",
    ),
];

#[test]
fn no_output_reaches_the_terminal_whole_or_unescaped() {
    let mut room = Room::new()
        .file("task/problem.toml", PROBLEM)
        .file("assignment.toml", ASSIGNMENT)
        .file(
            "class/\u{1b}[31mred\u{202e}/task.c",
            "int main(void) { return 0; }\n",
        );
    let head =
        "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n";
    let mut grade = vec!["grade", "class", "-a", "."];
    for (id, body, ..) in PROGRAMS {
        let source = format!("{head}int main(void) {{ {body} return 0; }}\n");
        room = room.file(&format!("class/{id}/task.c"), source);
        grade.extend(["--explain", id]);
    }
    let text = room.run(&grade);
    assert_eq!(text.status, 0, "{}", text.stderr);
    let is_harmful = |c: char| c.is_control() && c != '\n';
    assert!(!text.stdout.contains(is_harmful), "{:?}", text.stdout);
    assert!(
        text.stdout.contains(r"\x1b[31mred\u{202e}"),
        "{}",
        text.stdout
    );
    assert!(text.stdout.len() < 60_000, "{} bytes", text.stdout.len());
    let (status, results) = room.json(&["grade", "class", "-a", ".", "--format", "json"]);
    assert_eq!(status, 0);
    for (id, _, verdict, part) in PROGRAMS {
        let problem = problem(student(&results, id), "task");
        let case: &Value = &problem["subtasks"][0]["cases"][0];
        let shown = case.to_string();
        assert_eq!(case["verdict"], verdict, "{id}: {case:#}");
        assert!(shown.contains(part), "{id}: {case:#}");
        assert!(shown.len() < 10_000, "{id}: {} bytes", shown.len());
    }
}

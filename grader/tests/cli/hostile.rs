//! Outputs that would harm a careless grader.

use serde_json::Value;

use crate::harness::{Room, problem, student};

/// A task whose answer is `92`, with a generous limit of output.
fn room(program: &str) -> Room {
    Room::new()
        .file(
            "task/problem.toml",
            r#"
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
"#,
        )
        .file("class/eve/task.c", format!("#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\nint main(void) {{ {program} return 0; }}\n"))
        .file(
            "assignment.toml",
            "format = 1\nid = \"hostile\"\ntitle = { zh = \"恶\", en = \"Hostile\" }\n[[problem]]\npath = \"task\"\npoints = 1\n",
        )
}

/// Grades, in JSON and as text, and returns the result of the one case.
fn case(program: &str) -> Value {
    let room = room(program);
    let text = room.run(&["grade", "class", "-a", ".", "--explain", "eve"]);
    assert_eq!(text.status, 0, "{}", text.stderr);
    let harmful = |c: char| c.is_control() && c != '\n';
    assert!(!text.stdout.contains(harmful), "{:?}", text.stdout);
    assert!(text.stdout.len() < 20_000, "{} bytes", text.stdout.len());
    let (status, results) = room.json(&["grade", "class", "-a", ".", "--format", "json"]);
    assert_eq!(status, 0);
    problem(student(&results, "eve"), "task")["subtasks"][0]["cases"][0].clone()
}

#[test]
fn a_nul_and_bytes_that_are_not_utf_8_are_shown_escaped() {
    let case = case(r#"write(1, "9\0\xff\xfe 2\n", 7);"#);
    assert_eq!(case["verdict"], "WA");
    assert!(case.to_string().contains(r"9\\0\\xff\\xfe 2"), "{case}");
}

#[test]
fn escape_sequences_do_not_reach_the_terminal() {
    let case = case(r#"fputs("\033]0;owned\007\033[31m92\033[0m\n", stdout);"#);
    assert_eq!(case["verdict"], "PE");
    assert!(case.to_string().contains(r"0;owned\\x07"), "{case}");
}

#[test]
fn a_line_of_a_million_characters_is_quoted_in_part() {
    let case = case("for (int i = 0; i < 1000000; i++) putchar('a' + i % 26); putchar('\\n');");
    assert_eq!(case["verdict"], "WA");
    assert!(case.to_string().len() < 10_000);
}

#[test]
fn a_gigabyte_of_blanks_is_cut_off_at_the_limit() {
    let case = case(
        "static char blank[1 << 20]; memset(blank, ' ', sizeof blank); for (int i = 0; i < 1024; i++) if (write(1, blank, sizeof blank) < 0) break;",
    );
    assert_eq!(case["verdict"], "OLE");
    assert_eq!(case["message"], "wrote more than 8 MiB to standard output");
}

#[test]
fn megabytes_of_blanks_before_the_answer_are_not_the_answer() {
    let case = case("for (int i = 0; i < 4 << 20; i++) putchar(' '); puts(\"92\");");
    assert_ne!(case["verdict"], "AC");
    assert!(case.to_string().len() < 10_000);
}

#[test]
fn a_torrent_on_standard_error_is_kept_in_part() {
    let case = case("for (int i = 0; i < 100000; i++) fputs(\"\\033[2J\", stderr); puts(\"92\");");
    assert_eq!(case["verdict"], "AC");
    let stderr = case["stderr"]["text"].as_str().unwrap();
    assert!(stderr.starts_with(r"\x1b[2J\x1b[2J"), "{stderr}");
    assert!(stderr.len() < 10_000);
}

#[test]
fn names_of_files_and_folders_are_escaped() {
    let room = room("puts(\"92\");").file(
        "class/\u{1b}[31mred\u{202e}/task.c",
        "int main(void) { return 0; }\n",
    );
    let ran = room.run(&["grade", "class", "-a", "."]);
    assert_eq!(ran.status, 0);
    assert!(
        ran.stdout.contains(r"\x1b[31mred\u{202e}"),
        "{}",
        ran.stdout
    );
    assert!(!ran.stdout.contains('\u{1b}'));
}

#[test]
fn children_that_are_left_behind_do_not_hold_up_the_grader() {
    let case =
        case("if (fork() == 0) { setsid(); if (fork() == 0) for (;;) sleep(1000); } puts(\"92\");");
    assert_eq!(case["verdict"], "AC");
}

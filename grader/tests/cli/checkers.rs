//! Checkers that are programs of the problem's author.

use std::fmt::Write as _;
use std::net::TcpListener;

use serde_json::Value;

use crate::harness::{Room, have, problem, strict, student};

/// A checker with this protocol, by the statements in its `main`.
fn checker(protocol: &str, body: &str) -> String {
    let head = include_str!("../fixtures/checkers/check.h");
    let files = match protocol {
        "kattis" => {
            "get(answer, fopen(argv[2], \"r\")); get(output, stdin); const char *feedback = argv[3]; (void)feedback;"
        }
        "testlib" => "get(output, fopen(argv[2], \"r\")); get(answer, fopen(argv[3], \"r\"));",
        _ => "get(answer, fopen(argv[2], \"r\")); get(output, fopen(argv[3], \"r\"));",
    };
    format!(
        "{head}int main(int argc, char **argv) {{ (void)argc; get(input, fopen(argv[1], \"r\")); {files} {body} }}\n"
    )
}

/// An assignment with one problem for each checker, each worth 10 points and with one case; the program of the student
/// `eve` prints `out` for all of them.
fn room<'a>(protocol: &str, bodies: impl IntoIterator<Item = &'a str>, out: &str) -> Room {
    let mut assignment =
        "format = 1\nid = \"tasks\"\ntitle = { zh = \"题\", en = \"Tasks\" }\n".to_owned();
    let mut room = Room::new();
    for (index, body) in bodies.into_iter().enumerate() {
        let id = format!("p{index}");
        write!(assignment, "[[problem]]\npath = \"{id}\"\npoints = 10\n").unwrap();
        let problem = include_str!("../fixtures/checkers/problem.toml");
        room = room
            .file(&format!("{id}/check.c"), checker(protocol, body))
            .file(
                &format!("{id}/problem.toml"),
                problem.replace("@ID@", &id).replace("@PROTOCOL@", protocol),
            )
            .file(&format!("class/eve/{id}.py"), format!("print({out:?})\n"));
    }
    room.file("assignment.toml", assignment)
}

/// Grades; for each problem the verdict, the points and the message of its one case.
pub(crate) fn graded(room: &Room) -> Vec<String> {
    let (status, results) = room.json(&["grade", "class", "-a", ".", "--json", "-"]);
    let eve = student(&results, "eve");
    let count = eve["problems"].as_array().unwrap().len();
    let judged: Vec<String> = (0..count)
        .map(|index| {
            let problem = problem(eve, &format!("p{index}"));
            let case = &problem["subtasks"][0]["cases"][0];
            let text = |value: &Value| value.as_str().map_or(value.to_string(), str::to_owned);
            let [verdict, points, message] =
                [&case["verdict"], &problem["points"], &case["message"]].map(text);
            format!("{verdict} {points} {message}")
        })
        .collect();
    let is_faulty = judged.iter().any(|row| row.starts_with("JE "));
    assert_eq!(status, if is_faulty { 3 } else { 0 }, "{judged:?}");
    judged
}

#[test]
fn a_kattis_checker_accepts_rejects_and_gives_a_part() {
    let rows = [
        // What it is given.
        (
            r#"if (strcmp(input, "the input\n") || strcmp(answer, "1 2\n") || strcmp(output, "2 1\n")) return 43;
             if (argc != 6 || strcmp(argv[4], "3") || strcmp(argv[5], "--strict")) return 43;
             return feedback[strlen(feedback) - 1] == '/' ? 42 : 43;"#,
            "AC 10 null",
        ),
        (
            r#"put(feedback, "teammessage.txt", "swapped\nexpected 1 2\n"); return 43;"#,
            "WA 0 swapped",
        ),
        (
            r#"put(feedback, "judgemessage.txt", "the secret is 1 2\n"); return 43;"#,
            "WA 0 the checker does not accept the output",
        ),
        (
            r#"put(feedback, "score_multiplier.txt", "0.25\n"); return 42;"#,
            "PC 2.5 the checker gave partial credit",
        ),
        (
            r#"put(feedback, "score.txt", "7.5"); put(feedback, "teammessage.txt", "nearly"); return 42;"#,
            "PC 7.5 nearly",
        ),
        (
            r#"put(feedback, "score_multiplier.txt", "1"); return 42;"#,
            "AC 10 null",
        ),
        (
            r#"put(feedback, "score.txt", "9"); return 43;"#,
            "WA 0 the checker does not accept the output",
        ),
        (
            r#"put(feedback, "teammessage.txt", "\033[31mred\007"); return 43;"#,
            "WA 0 \\x1b[31mred\\x07",
        ),
    ];
    let room = room("kattis", rows.map(|row| row.0), "2 1");
    assert_eq!(graded(&room), rows.map(|row| row.1));
    let explain = ["grade", "class", "-a", ".", "--explain", "eve"];
    let staff = room.run(&explain).stdout;
    assert!(staff.contains("the secret is 1 2"), "{staff}");
    let student = room.run(&[&explain[..], &["--audience", "student"]].concat());
    assert!(student.stdout.contains("expected 1 2"), "{student:?}");
    assert!(!student.stdout.contains("secret"), "{student:?}");
}

#[test]
fn a_checker_asks_for_passes_and_finds_what_it_left() {
    // Accepts what repeats the input, and leaves a letter in `state` for each pass.
    let head = r#"if (strcmp(input, output)) return 43;
        char state[4200]; snprintf(state, sizeof state, "%sstate", feedback);
        FILE *file = fopen(state, "a"); fputs("x", file); fclose(file); get(answer, fopen(state, "r"));
        int pass = (int)strlen(answer); char next[20]; snprintf(next, sizeof next, "%d\n", pass);"#;
    let rows = [
        (
            r#"if (pass < 3) put(feedback, "nextpass.in", next); return 42;"#,
            "AC 10 null",
        ),
        (
            r#"put(feedback, "nextpass.in", next); return 42;"#,
            "JE null the problem's checker or interactor requested more than 3 passes (`passes` in `[run]`)",
        ),
        (
            r#"put(feedback, "teammessage.txt", "no"); if (pass < 2) put(feedback, "nextpass.in", next); return pass < 2 ? 42 : 43;"#,
            "WA 0 pass 2: no",
        ),
        (
            r#"put(feedback, "nextpass.in", next); return 43;"#,
            "JE null the problem's checker `check.c` requested another pass for an output that it rejected",
        ),
    ];
    let bodies = rows.map(|row| format!("{head} {}", row.0));
    let mut room = room("kattis", bodies.iter().map(String::as_str), "");
    for index in 0..rows.len() {
        room = room
            .file(&format!("class/eve/p{index}.py"), "print(input())\n")
            .replace(
                &format!("p{index}/problem.toml"),
                "[limits]",
                "[run]\npasses = 3\n[limits]",
            );
    }
    assert_eq!(graded(&room), rows.map(|row| row.1));
}

#[test]
fn a_testlib_checker_decides_by_its_exit_status() {
    let rows = [
        (
            r#"if (strcmp(input, "the input\n") || strcmp(answer, "1 2\n") || strcmp(output, "2 1\n")) return 1;
             return argc == 6 && !strcmp(argv[4], "3") && !strcmp(argv[5], "--strict") ? 0 : 1;"#,
            "AC 10 null",
        ),
        (
            r#"fputs("wrong answer 1st numbers differ - expected: '1', found: '2'\n", stderr); return 1;"#,
            "WA 0 1st numbers differ - expected: '1', found: '2'",
        ),
        (
            r#"fputs("wrong output format Extra information in the output file\n", stderr); return 2;"#,
            "PE 0 Extra information in the output file",
        ),
        (
            r#"fputs("points 0.4 two of five\n", stderr); return 7;"#,
            "PC 4 two of five",
        ),
        (
            r#"fputs("points 1 all\n", stderr); return 7;"#,
            "AC 10 null",
        ),
        (
            r#"fputs("points 0 none\n", stderr); return 7;"#,
            "WA 0 none",
        ),
        (
            r#"fputs("two of five\npartial 2/5\n", stderr); return 7;"#,
            "PC 4 the checker gave partial credit",
        ),
        (
            r#"fputs("partial 2/0\n", stderr); return 7;"#,
            "JE null the problem's checker `check.c` must give a number from 0 to 1 as points, found `partial`",
        ),
        (
            r#"fputs("FAIL cannot read the answer", stderr); return 3;"#,
            "JE null the problem's checker `check.c` reports a failure; it wrote: FAIL cannot read the answer",
        ),
    ];
    let room = room("testlib", rows.map(|row| row.0), "2 1");
    assert_eq!(graded(&room), rows.map(|row| row.1));
}

#[test]
fn a_special_judge_of_hustoj_gets_the_answer_first_and_rejects_by_any_other_status() {
    let given = r#"if (strcmp(input, "the input\n") || strcmp(answer, "1 2\n") || strcmp(output, "2 1\n")) return 1; return 0;"#;
    let rows = [
        (given, "AC 10 null"),
        ("return 1;", "WA 0 the checker does not accept the output"),
        (
            r#"fputs("blanks differ", stderr); return 2;"#,
            "PE 0 blanks differ",
        ),
        (
            r#"fputs("points 0.4 two of five", stderr); return 7;"#,
            "PC 4 two of five",
        ),
        ("return -1;", "WA 0 the checker does not accept the output"),
        (
            "return 3;",
            "JE null the problem's checker `check.c` reports a failure",
        ),
        (
            "abort();",
            "JE null the problem's checker `check.c` was killed by signal 6 (SIGABRT)",
        ),
    ];
    let room = room("hustoj", rows.map(|row| row.0), "2 1");
    assert_eq!(graded(&room), rows.map(|row| row.1));
}

#[test]
fn a_checker_of_cms_prints_a_score_and_a_message() {
    let given = r#"if (strcmp(input, "the input\n") || strcmp(answer, "1 2\n") || strcmp(output, "2 1\n")) return 1; puts("1.0"); return 0;"#;
    let rows = [
        (given, "AC 10 null"),
        (
            r#"puts("0.4\nrest"); fputs("two of five\nmore", stderr); return 0;"#,
            "PC 4 two of five",
        ),
        (
            r#"puts("0"); fputs("translate:wrong\n", stderr); return 0;"#,
            "WA 0 the checker does not accept the output",
        ),
        (
            r#"puts("1.5"); return 0;"#,
            "JE null the problem's checker `check.c` must give a number from 0 to 1 as the first line of its output, found `1.5`",
        ),
        (
            "return 0;",
            "JE null the problem's checker `check.c` must give a number from 0 to 1 as the first line of its output, found ``",
        ),
        (
            r#"puts("1.0"); return 1;"#,
            "JE null the problem's checker `check.c` ended with exit status 1 instead of 0",
        ),
    ];
    let room = room("cms", rows.map(|row| row.0), "2 1");
    assert_eq!(graded(&room), rows.map(|row| row.1));
}

#[test]
fn whatever_goes_wrong_in_a_checker_is_a_fault_and_no_points_are_lost() {
    let rows = [
        (
            "fputs(\"no \\033idea\", stderr); abort();",
            "was killed by signal 6 (SIGABRT); it wrote: no \\x1bidea",
        ),
        ("for (;;) ;", "took more than 1 s of CPU time"),
        (
            "for (;;) fputs(\"spam spam spam spam spam spam spam\", stderr);",
            "wrote more than 8 MiB",
        ),
        (
            "for (;;) memset(malloc(1 << 20), 1, 1 << 20);",
            "was killed by signal",
        ),
        (
            "while (fork() >= 0) ; return 9;",
            "ended with exit status 9 instead of 42 or 43",
        ),
        (
            "put(feedback, \"score.txt\", \"11\"); return 42;",
            "must give a number from 0 to 10 as score.txt, found `11`",
        ),
        (
            "symlink(\"/etc/passwd\", \"feedback/score.txt\"); put(feedback, \"nextpass.in\", \"\"); return 42;",
            "requested another pass, but `passes` of `[run]` is 1",
        ),
        ("nonsense", "does not compile: check.c:"),
        (
            "return 42; }\n#include \"testlib.h\"\nvoid f(void) {",
            "does not compile: check.c:",
        ),
    ];
    let judged = graded(&room("kattis", rows.map(|row| row.0), "1 2"));
    for ((body, reason), found) in rows.iter().zip(&judged) {
        let fault = format!("JE null the problem's checker `check.c` {reason}");
        // What uses too much memory is killed, or finds none and crashes.
        let memory = "JE null the problem's checker `check.c` took more than 64 MiB of memory";
        let is_memory = body.contains("malloc") && found.starts_with(memory);
        // On a machine that is too busy it is stopped for its wall time.
        let wall = "JE null the problem's checker `check.c` did not end within";
        let is_wall = body.starts_with("for (;;)") && found.starts_with(wall);
        assert!(
            found.starts_with(&fault) || is_memory || is_wall,
            "{body}: {found}"
        );
        let help = "; put it and `testlib.h` into a folder, and name that folder as `source`";
        assert_eq!(found.ends_with(help), body.contains("testlib.h"), "{found}");
    }
}

#[test]
fn a_checker_sees_neither_the_students_files_nor_the_network() {
    if !strict() {
        return;
    }
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let room = room("kattis", [""], "1 2");
    let source = room.path("class/eve/p0.py");
    let body = format!(
        "if (fopen({source:?}, \"r\")) return 1;
         DIR *folder = opendir(\".\");
         for (struct dirent *entry; (entry = readdir(folder)); )
             if (entry->d_name[0] != '.' && !strstr(\"input answer feedback\", entry->d_name)) return 2;
         struct sockaddr_in to = {{ .sin_family = AF_INET, .sin_port = htons({port}) }};
         to.sin_addr.s_addr = inet_addr(\"127.0.0.1\");
         int s = socket(AF_INET, SOCK_STREAM, 0);
         if (s >= 0 && connect(s, (struct sockaddr *)&to, sizeof to) == 0) return 3;
         return 42;"
    );
    let room = room.file("p0/check.c", checker("kattis", &body));
    assert_eq!(graded(&room), ["AC 10 null"]);
}

#[test]
fn a_checker_may_be_a_folder_in_another_language() {
    if !have(&["python3"]) {
        return;
    }
    let room = room("kattis", [""], "1 2")
        .file(
            "p0/check/check.py",
            "import sys\nfrom words import same\nsys.exit(42 if same(open(sys.argv[2]).read(), sys.stdin.read()) else 43)\n",
        )
        .file(
            "p0/check/words.py",
            "def same(one, two):\n    return sorted(one.split()) == sorted(two.split())\n",
        )
        .replace("p0/problem.toml", "source = \"check.c\"", "source = \"check\"");
    assert_eq!(graded(&room), ["AC 10 null"]);
}

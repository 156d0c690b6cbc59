//! Submissions that are the same program, and the sources for tools that measure similarity.

use std::fs;

use serde_json::json;

use crate::class::{GRADE, SQUARE, WRONG, squares};
use crate::harness::{Room, have, names, student};

/// A square in more lines than anybody needs.
const LONG: &str = "\
#include <stdio.h>
#include <stdlib.h>

/* n times n */
static long times(long n)
{
    long sum = 0;
    for (long i = 0; i < n; i++) {
        sum += n;
    }
    return sum;
}

int main(int count, char **words)
{
    if (count != 2) {
        return 1;
    }
    printf(\"%ld\\n\", times(atol(words[1])));
    return 0;
}
";

/// Ann's program, by Bob with other names in one function, and by 王 小明 in another encoding; it is a sample, too.
fn room() -> Room {
    let renamed = LONG
        .replace("long sum", "long 和")
        .replace("sum +=", "和 +=")
        .replace("return sum", "return 和");
    let renamed = renamed.replace("/* n times n */", "// Bob Ray");
    let utf16 = format!("\u{feff}{}", LONG.replace('\n', "\r\n"));
    let utf16: Vec<u8> = utf16.encode_utf16().flat_map(u16::to_le_bytes).collect();
    squares()
        .keeping()
        .file("squares/square/submissions/accepted/sum.c", LONG)
        .file("class/ann/square.c", LONG)
        .file("class/bob/square.c", renamed)
        .file("class/eve/square.c", SQUARE)
        .file("class/=1;rm -rf/square.c", WRONG)
        .file("class/王 小明/square.c", utf16)
}

#[test]
fn the_same_program_is_the_first_that_needs_a_human_and_no_student_reads_of_it() {
    if !have(&["gcc"]) {
        return;
    }
    let room = room();
    let attention = "Needs human attention

  Same program: from several students, or in the files of the problem (1)
    ann  square  same as bob, 王 小明, `submissions/accepted/sum.c` except for names, comments or
                 layout (94 tokens)
";
    let report = ["report", "class"];
    for arguments in [&GRADE[..], &report] {
        let ran = room.run(arguments);
        let (_, found) = ran
            .stdout
            .split_once("bonus\n")
            .unwrap_or(("", &ran.stdout));
        assert!(found.contains(attention), "{found}\n{}", ran.stderr);
    }
    let (_, results) = room.json(&[&report[..], &["--json", "-"]].concat());
    assert_eq!(
        results["similar"],
        json!([{
            "problem": "square",
            "kind": "tokens",
            "tokens": 94,
            "students": ["ann", "bob", "王 小明"],
            "given": ["submissions/accepted/sum.c"],
        }])
    );
    // A part of the class shows what concerns it.
    for (part, count) in [
        ("--student=bob", 1),
        ("--student=eve", 0),
        ("--problem=one", 0),
    ] {
        let (_, results) = room.json(&[&report[..], &[part, "--json", "-"]].concat());
        assert_eq!(
            results["similar"].as_array().unwrap().len(),
            count,
            "{part}"
        );
    }
    let own = ["--audience", "student", "--explain", "ann"];
    let (_, results) = room.json(&[&report[..], &own, &["--json", "-"]].concat());
    assert_eq!(results["similar"], json!([]));
    student(&results, "ann");
    let ran = room.run(&[&report[..], &own].concat());
    assert!(ran.stdout.contains("square"), "{}", ran.stdout);
    for word in ["bob", "王", "sum.c", "tokens"] {
        assert!(!ran.stdout.contains(word), "{}", ran.stdout);
    }
}

#[test]
fn samples_that_cannot_be_read_stop_no_class() {
    if !have(&["gcc"]) {
        return;
    }
    let room = room().file("squares/square/submissions/right/sum.c", LONG);
    let ran = room.run(&GRADE);
    let note = "sample submissions cannot be read, so submissions are not compared with them; `grader check` shows why\n";
    assert!(
        ran.status == 0 && ran.stderr.contains(note),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stdout.contains("same as bob, 王 小明 except for"),
        "{}",
        ran.stdout
    );
}

#[test]
fn dolos_and_jplag_get_the_sources_of_each_problem_and_language() {
    if !have(&["gcc"]) {
        return;
    }
    let room = room();
    assert_eq!(room.run(&GRADE).status, 0);
    let similar = |tool: &str, folder: &str| room.run(&["report", "class", "-q", tool, folder]);
    let ran = similar("--dolos", "out/dolos");
    assert_eq!(
        (ran.status, ran.stdout.as_str(), ran.stderr.as_str()),
        (
            0,
            "square, 5 submissions in C: dolos run -f web -l c out/dolos/square/c/info.csv\n",
            ""
        )
    );
    let read = |path: &str| fs::read_to_string(room.path(path)).unwrap();
    assert_eq!(
        read("out/dolos/square/c/info.csv"),
        "filename,full_name,id,ignored
submissions/%3D1%3Brm%20-rf/square.c,'=1;rm -rf,'=1;rm -rf,
submissions/ann/square.c,ann,ann,
submissions/bob/square.c,bob,bob,
submissions/eve/square.c,eve,eve,
submissions/王%20小明/square.c,王 小明,王 小明,
"
    );
    let utf8 = read("out/dolos/square/c/submissions/王%20小明/square.c");
    assert_eq!(utf8, LONG.replace('\n', "\r\n"));
    let ran = similar("--jplag", "it's");
    assert_eq!(
        (ran.status, ran.stdout.as_str()),
        (
            0,
            "square, 5 submissions in C: java -jar jplag.jar -l c \
             -r 'it'\\''s/square/c/results' 'it'\\''s/square/c/submissions'\n"
        )
    );
    assert_eq!(names(&room.path("it's/square/c")), ["submissions"]);
    let students = names(&room.path("it's/square/c/submissions"));
    assert_eq!(
        students,
        ["%3D1%3Brm%20-rf", "ann", "bob", "eve", "王%20小明"]
    );
    // Nothing is mixed with an earlier export.
    let ran = similar("--jplag", "out/dolos");
    assert_eq!(
        (ran.status, ran.stderr.as_str()),
        (
            2,
            "error: `out/dolos` is not empty: expected a new or empty folder\n"
        )
    );
    let ran = similar("--dolos", "squares/assignment.toml");
    assert_eq!(
        (ran.status, ran.stderr.as_str()),
        (
            2,
            "error: expected a folder, but `squares/assignment.toml` is a file\n"
        )
    );
}

#[test]
fn code_that_was_given_to_students_is_left_out_by_the_tools() {
    if !have(&["gcc", "python3"]) {
        return;
    }
    let room = Room::new().keeping().fixture("function", ".");
    let given = fs::read_to_string(room.path("double/main.c")).unwrap();
    assert_eq!(room.run(&["grade", "class", "-a", "."]).status, 0);
    let ran = room.run(&[
        "report", "class", "-q", "--jplag", "jplag", "--dolos", "dolos",
    ]);
    assert_eq!(
        ran.stdout,
        "double, 4 submissions in C: dolos run -f web -l c dolos/double/c/info.csv\n\
         double, 2 submissions in Python: dolos run -f web -l python dolos/double/python/info.csv\n\
         double, 4 submissions in C: java -jar jplag.jar -l c -bc jplag/double/c/given \
         -r jplag/double/c/results jplag/double/c/submissions\n\
         double, 2 submissions in Python: java -jar jplag.jar -l python3 -bc jplag/double/python/given \
         -r jplag/double/python/results jplag/double/python/submissions\n"
    );
    for tool in ["jplag", "dolos"] {
        let path = room.path(tool).join("double/c/given/main.c");
        assert_eq!(fs::read_to_string(path).unwrap(), given);
    }
    // Beside a document, the commands go elsewhere.
    let both = ["report", "class", "-q", "--jplag", "beside", "--json", "-"];
    let (status, results) = room.json(&both);
    assert_eq!(
        (status, &results["format"]),
        (0, &json!("bitcraft-results/3"))
    );
    let csv = fs::read_to_string(room.path("dolos/double/c/info.csv")).unwrap();
    assert!(csv.ends_with("\ngiven/main.c,given,given,true\n"), "{csv}");
}

#[test]
fn a_teams_program_is_compared_once() {
    if !have(&["gcc"]) {
        return;
    }
    let room = squares()
        .keeping()
        .file("class/red/square.c", LONG)
        .file("class/eve/square.c", SQUARE)
        .file("groups.csv", "team,id\nred,ann\nred,bob\n,eve\n");
    assert_eq!(room.run(&GRADE).status, 0);
    let ran = room.run(&["report", "-q", "--dolos", "out"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert_eq!(
        names(&room.path("out/square/c/submissions")),
        ["ann", "eve"]
    );
}

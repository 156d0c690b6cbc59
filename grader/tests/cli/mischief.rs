//! Programs that reach for more than their answer.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::harness::{Room, has_folder, have, names, problem, student};

/// A task with three cases, each worth a point: print `n`.
fn room(run: &str) -> Room {
    Room::new()
        .file(
            "assignment.toml",
            "format = 1\nid = \"mischief\"\ntitle = { zh = \"捣蛋\", en = \"Mischief\" }\n[[problem]]\npath = \"task\"\npoints = 3\n",
        )
        .file(
            "task/problem.toml",
            format!(
                r#"
format = 1
id = "task"
title = {{ zh = "题", en = "Task" }}

[submission]
files = ["task.*"]

[run]
arguments = ["{{n}}"]
{run}

[limits]
time = "5 s"

[checker.tokens]

[[subtask]]
name = "all"
points = 3
[[subtask.case]]
name = "n=1"
variables = {{ n = 1 }}
answer = "1\n"
[[subtask.case]]
name = "n=2"
variables = {{ n = 2 }}
answer = "2\n"
[[subtask.case]]
name = "n=3"
variables = {{ n = 3 }}
answer = "3\n"
"#
            ),
        )
}

/// A C program with the body of `main`, in which `n` is the argument.
fn c(body: &str) -> String {
    format!(
        "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <sys/stat.h>\n#include <unistd.h>\nint main(int c, char **v) {{ int n = atoi(v[1]); (void)c; {body} return 0; }}\n"
    )
}

fn results(room: &Room) -> Value {
    room.json(&["grade", "class", "-a", ".", "--json", "-"]).1
}

/// The verdicts of the cases of the one student.
fn verdicts(results: &Value) -> Vec<&Value> {
    let problem = problem(student(results, "eve"), "task");
    let cases = problem["subtasks"][0]["cases"].as_array().unwrap();
    cases.iter().map(|case| &case["verdict"]).collect()
}

#[test]
fn a_package_is_not_a_way_out_of_the_build_folder() {
    if !have(&["javac", "java"]) {
        return;
    }
    let room = room("");
    let outside = room.path("outside");
    let package = outside.to_str().unwrap().to_owned();
    let source = format!(
        "package {package};\npublic class Task {{ public static void main(String[] a) {{ System.out.println(a[0]); }} }}\n"
    );
    let room = room.file("class/eve/Task.java", source);
    assert_eq!(verdicts(&results(&room)), ["CE"; 3]);
    assert!(!outside.exists());
}

#[test]
fn an_output_file_that_is_not_a_file_is_no_answer() {
    let declared = "output-file = \"task.out\"";
    let linked = c(
        "char path[64]; snprintf(path, 64, \"/proc/%d/environ\", n); symlink(path, \"task.out\");",
    );
    let piped = c("(void)n; mkfifo(\"task.out\", 0600);");
    let closed = c(
        "FILE *f = fopen(\"task.out\", \"w\"); fprintf(f, \"%d\\n\", n); fclose(f); mkdir(\"x\", 0); chmod(\".\", 0);",
    );
    for source in [linked, piped] {
        let room = room(declared).file("class/eve/task.c", source);
        assert_eq!(verdicts(&results(&room)), ["WA"; 3]);
    }
    let room = room(declared).file("class/eve/task.c", closed);
    assert_eq!(results(&room)["students"].as_array().unwrap().len(), 1);
}

#[test]
fn a_run_that_is_stopped_keeps_what_is_done_and_reports_what_is_not() {
    let mut room = room("").keeping().with_tmp();
    for index in 0..40 {
        room = room.file(
            &format!("class/s{index}/task.py"),
            "import sys\nfor i in range(1000000): pass\nprint(sys.argv[1])\n",
        );
    }
    let tmp = room.path("tmp");
    let grade = ["grade", "class", "-a", ".", "-j1", "--json", "report.json"];
    let mut grader = room.command(&grade).stderr(Stdio::piped()).spawn().unwrap();
    // A job folder in the temporary folder shows that the run has begun, and that Ctrl-C is handled.
    while !has_folder(&tmp, "job-") {
        std::thread::yield_now();
    }
    let pid = grader.id().to_string();
    let kill = Command::new("kill").args(["-INT", &pid]).status();
    assert!(kill.unwrap().success());
    let printed: Vec<String> = BufReader::new(grader.stderr.take().unwrap())
        .lines()
        .map(Result::unwrap)
        .collect();
    assert_eq!(grader.wait().unwrap().code(), Some(130));
    assert!(
        printed.iter().any(|line| line.contains("stopping; Ctrl-C")),
        "{printed:?}"
    );
    let report = std::fs::read_to_string(room.path("report.json")).unwrap();
    let again = room.run(&["report", "class", "--json", "-"]);
    assert_eq!((again.status, again.stdout.as_str()), (3, report.as_str()));
    let report: Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["interrupted"], true);
    let students = report["students"].as_array().unwrap();
    assert_eq!(students.len(), 40);
    let last = problem(student(&report, "s39"), "task");
    assert_eq!(last["points"], Value::Null);
    assert_eq!(last["message"], "not judged: the run was stopped");
    assert_eq!(names(&tmp).len(), 0);
    // Nothing of it can be handed out as if it were whole.
    let ran = room.run(&["report", "class", "--html", "pages", "--feedback", "texts"]);
    let no_feedback =
        "error: no feedback is written: the run was stopped, so not everybody is graded\n";
    let no_pages = "the run was stopped: the pages for students (`students/` and `print.html`) are not written";
    assert!(
        ran.status == 3 && ran.stderr.ends_with(no_feedback) && ran.stderr.contains(no_pages),
        "{}",
        ran.stderr
    );
    assert_eq!(names(&room.path("pages")), ["index.html", "staff"]);
    assert!(!room.path("texts").exists());
}

#[test]
fn folders_in_folders_are_cleared_away() {
    let room = room("").with_tmp().file(
        "class/eve/task.c",
        c("printf(\"%d\\n\", n); for (int i = 0; i < 300; i++) { char d[201]; memset(d, 'd', 200); d[200] = 0; mkdir(d, 0700); if (chdir(d)) break; }"),
    );
    let basic = ["--isolation", "basic"];
    for isolation in [&[][..], &basic] {
        let grade = ["grade", "class", "-a", ".", "--json", "-"];
        let (_, results) = room.json(&[&grade[..], isolation].concat());
        assert_eq!(verdicts(&results), ["AC"; 3]);
        assert!(names(&room.path("tmp")).is_empty());
    }
}

#[test]
fn what_a_source_does_to_its_compiler_is_the_sources_doing() {
    if !have(&["gcc"]) {
        return;
    }
    let room = room("")
        .file(
            "class/waits/task.c",
            "#include \"/dev/stderr\"\nint main(void) { return 0; }\n",
        )
        .file("class/says/task.c", "#error No space left on device\n");
    let results = results(&room);
    for who in ["waits", "says"] {
        let problem = problem(student(&results, who), "task");
        assert_eq!(
            (&problem["verdict"], &problem["points"]),
            (&"CE".into(), &0.into())
        );
    }
}

//! A project of files and folders for the tasks of the pages: functions with a reference in another language, JUnit, pytest.

use crate::docs;
use crate::harness::{Room, have};
use crate::lab::{Files, earned, line};
use crate::unit_tests::{self, have_frameworks, search_path};

/// A room with the files of a page, and these of each student.
fn room(page: &str, students: &[(&str, Files<'_>)]) -> Room {
    let files = docs::files(page).into_iter();
    let room = Room::new().env("PATH", &search_path());
    let room = files.fold(room, |room, (path, text)| room.file(&path, text));
    room.students("", students)
}

/// The verdict, the points and the files of each student.
fn rows(room: &Room, assignment: &str, id: &str) -> Vec<String> {
    let all = earned(room, assignment, id).into_iter();
    let row = all.map(|it| {
        let files = it.files.join(" ");
        line(&[&it.student, &it.verdict, &it.points, &files])
    });
    row.collect()
}

#[test]
fn a_project_is_a_function_and_its_reference_is_in_another_language() {
    if !have(&["gcc", "javac", "java", "python3"]) {
        return;
    }
    #[rustfmt::skip]
    let room = room("docs/functions.md", &[
        ("c", &[
            ("HW 1/src/double.c", "#include \"../include/double.h\"\n#include \"sum.h\"\nint twice(int n) { return sum(n, n); }\n"),
            ("HW 1/src/sum.c", "#include \"sum.h\"\nint sum(int a, int b) { return a + b; }\n"),
            ("HW 1/include/double.h", "// from the task\r\nint twice( int number );\r\n"),
            ("HW 1/include/sum.h", "int sum(int a, int b);\n"),
            ("HW 1/test/test_double.c", "#include \"../include/double.h\"\nint main(void) { return twice(1) - 2; }\n"),
        ]),
        ("java", &[
            ("lab/src/edu/lab/Doubler.java",
             "package edu.lab;\nimport edu.lab.parts.Sum;\npublic class Doubler { static int twice(int n) { return Sum.of(n, n); } }\n"),
            ("lab/src/edu/lab/parts/Sum.java", "package edu.lab.parts;\npublic class Sum { public static int of(int a, int b) { return a + b; } }\n"),
            ("lab/src/module-info.java", "module lab { requires java.sql; }\n"),
        ]),
        ("python", &[
            ("lab/src/double.py", "from parts.sums import add\n\n\ndef twice(n):\n    return add(n, n)\n"),
            ("lab/src/parts/__init__.py", ""),
            ("lab/src/parts/sums.py", "def add(a, b):\n    return a + b\n"),
            ("lab/tests/test_double.py", "from double import twice\n\n\ndef test_twice():\n    assert twice(1) == 2\n"),
        ]),
    ]);
    assert_eq!(
        rows(&room, "./lab", "double"),
        [
            "c AC 6 HW 1/include/double.h HW 1/include/sum.h HW 1/src/double.c HW 1/src/sum.c",
            "java AC 6 lab/src/edu/lab/Doubler.java lab/src/edu/lab/parts/Sum.java",
            "python AC 6 lab/src/double.py lab/src/parts/__init__.py lab/src/parts/sums.py",
        ]
    );
}

#[test]
fn a_project_is_tested_by_pytest_and_by_junit() {
    if !have_frameworks() {
        return;
    }
    let python: Files<'_> = &[
        (
            "HW/src/stack.py",
            "from nodes import Nodes\n\n\nclass Stack(Nodes):\n    def push(self, value):\n        self.values.append(value)\n\n    def pop(self):\n        return self.values.pop() if self.values else None\n",
        ),
        ("HW/src/nodes/__init__.py", "from .list import Nodes\n"),
        (
            "HW/src/nodes/list.py",
            "class Nodes:\n    def __init__(self):\n        self.values = []\n",
        ),
        (
            "HW/tests/test_stack.py",
            "import stack\n\n\ndef test_it():\n    assert stack.Stack().pop() is None\n",
        ),
    ];
    let room = unit_tests::room()
        .students("", &[("ada", python)])
        .file("class/bob/Stack/src/edu/ds/Stack.java", "package edu.ds;\nimport edu.ds.nodes.Nodes;\npublic class Stack extends Nodes {\n  public void push(int value) { values.push(value); }\n  public Integer pop() { return values.poll(); }\n}\n")
        .file("class/bob/Stack/src/edu/ds/nodes/Nodes.java", "package edu.ds.nodes;\nimport java.util.*;\npublic class Nodes { protected ArrayDeque<Integer> values = new ArrayDeque<>(); }\n")
        .file("class/bob/Stack/test/edu/ds/StackTest.java", "package edu.ds;\nimport org.junit.jupiter.api.Test;\nclass StackTest { @Test void none() { new Stack().pop(); } }\n");
    let of = |id: &str, at: usize| rows(&room, "./tests", id).swap_remove(at);
    assert_eq!(
        [of("stack", 0), of("jstack", 1)],
        [
            "ada AC 10 HW/src/stack.py HW/src/nodes/__init__.py HW/src/nodes/list.py",
            "bob AC 10 Stack/src/edu/ds/Stack.java Stack/src/edu/ds/nodes/Nodes.java Stack/test/edu/ds/StackTest.java",
        ]
    );
}

const TOTAL: &str = r#"format = 1
id = "total"
title = "Total"
[submission]
files = ["total.*"]
[checker.tokens]
RUN
[[subtask]]
name = "all"
points = 1
case = [{ name = "one", stdin = "7\n", answer = "7" }]
"#;

#[test]
fn a_students_data_file_is_where_the_program_starts_but_the_tasks_own_count() {
    if !have(&["gcc", "javac", "java", "python3"]) {
        return;
    }
    let python = "print(open('data/start.txt').read())\n";
    let c = "#include <stdio.h>\nint main(void) { int n = 0; FILE *f = fopen(\"start.txt\", \"r\"); fscanf(f, \"%d\", &n); printf(\"%d\", n); }\n";
    let java = "import java.nio.file.*;\npublic class Total {\n  public static void main(String[] a) throws Exception { System.out.println(Files.readString(Path.of(\"data/start.txt\"))); }\n}\n";
    #[rustfmt::skip]
    let students: &[(&str, Files<'_>)] = &[
        ("beside", &[("HW/total.py", python), ("HW/data/start.txt", "7\n")]),
        ("c", &[("HW/src/total.c", c), ("HW/src/start.txt", "7\n")]),
        ("java", &[("HW/src/lab/Total.java", java), ("HW/data/start.txt", "7\n")]),
        ("src", &[("HW/src/total.py", python), ("HW/data/start.txt", "7\n")]),
    ];
    let room = |run: &str, text: &str| {
        let room = Room::new().lab("total", 1, TOTAL.replace("RUN", run));
        students.iter().fold(room, |room, (id, files)| {
            let files = files.iter();
            let files = files.map(|(path, content)| {
                let is_data = path.contains("start.");
                (*path, if is_data { text } else { *content })
            });
            room.students("", &[(id, &files.collect::<Vec<_>>())])
        })
    };
    let verdicts = |room: &Room| {
        let all = earned(room, "./lab", "total").into_iter();
        all.map(|it| it.verdict).collect::<Vec<_>>()
    };
    assert_eq!(verdicts(&room("", "7\n")), ["AC"; 4]);
    // The task's file of that name counts: only the other programs read the student's.
    let of_task = "[run]\ninput-file = \"start.txt\"";
    assert_eq!(verdicts(&room(of_task, "8\n")), ["WA", "AC", "WA", "WA"]);
    let written = "[run]\noutput-file = \"start.txt\"";
    assert_eq!(verdicts(&room(written, "7\n"))[1], "RE");
}

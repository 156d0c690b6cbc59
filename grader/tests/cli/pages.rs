//! Pages of a graded class.

use std::fs;

use crate::harness::{Room, have};

const GRADE: [&str; 4] = ["grade", "class", "-a", "./squares"];

fn pages(room: &Room, folder: &str) -> Vec<String> {
    let mut names = Vec::new();
    for inner in ["", "staff", "students"] {
        for entry in fs::read_dir(room.path(folder).join(inner)).unwrap() {
            let entry = entry.unwrap();
            if entry.path().is_file() {
                let name = entry.file_name().into_string().unwrap();
                names.push(format!("{inner}/{name}"));
            }
        }
    }
    names.sort();
    names
}

#[test]
fn grading_writes_pages_beside_the_ledger_and_a_report_writes_them_anywhere() {
    if !have(&["gcc"]) {
        return;
    }
    let wrong =
        "#include <stdio.h>\nint main(void) { puts(\"</script><script>alert(1)</script>\"); }\n";
    let room = crate::class::squares()
        .keeping()
        .file("class/<i>evil/square.c", wrong)
        .file("class/李雷/square.c", wrong);
    let mut arguments = GRADE.to_vec();
    if !crate::harness::strict() {
        arguments.extend(["--isolation", "basic"]);
    }
    let graded = || {
        let ran = room.command_as_it_is(&arguments).output().unwrap();
        let stderr = String::from_utf8(ran.stderr).unwrap();
        assert!(ran.status.success(), "{stderr}");
        stderr
    };
    let stderr = graded();
    assert!(
        stderr.ends_with("report: .grader/class-report/squares/index.html\n"),
        "{stderr}"
    );
    let names = [
        "/index.html",
        "/print.html",
        "staff/%3Ci%3Eevil.html",
        "staff/李雷.html",
        "students/%3Ci%3Eevil.html",
        "students/李雷.html",
    ];
    assert_eq!(pages(&room, ".grader/class-report/squares"), names);
    let staff = ".grader/class-report/squares/staff/%3Ci%3Eevil.html";
    let staff = fs::read_to_string(room.path(staff)).unwrap();
    assert!(staff.contains("<h1>&#60;i&#62;evil</h1>"), "{staff}");
    assert!(staff.contains(">&#34;&#60;/script&#62;"), "{staff}");
    // Its own, for the keys.
    assert_eq!(staff.matches("<script").count(), 1, "{staff}");
    // Pages that cannot be written cost no grades.
    fs::remove_dir_all(room.path(".grader/class-report/squares")).unwrap();
    fs::write(room.path(".grader/class-report/squares"), "").unwrap();
    let stderr = graded();
    let refused = "no pages: cannot write `.grader/class-report/squares`: ";
    assert!(stderr.contains(refused), "{stderr}");
    let ran = room.run(&["report", "class", "--html", "out", "--against", "1"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert_eq!(pages(&room, "out"), names);
    let index = fs::read_to_string(room.path("out/index.html")).unwrap();
    assert!(index.contains("change since run 1"), "{index}");
    let ran = room.run(&["report", "class", "--html", "-"]);
    assert_eq!(
        (ran.status, ran.stderr.as_str()),
        (
            2,
            "error: `--html` writes files: expected a folder, or a file `*.html`\n"
        )
    );
    let student = ["--audience", "student", "--explain", "李雷"];
    let html = ["report", "class", "--html", "own"];
    let ran = room.run(&[&html[..], &student[..]].concat());
    assert_eq!(
        (ran.status, ran.stderr.as_str()),
        (
            2,
            "error: `--html` is for staff; its folder `students` has the pages for students\n"
        )
    );
    assert!(!room.path("own").exists());
}

/// Grades, and returns the page of the class.
fn page_of(room: &Room, arguments: &[&str]) -> String {
    let mut arguments = arguments.to_vec();
    if !crate::harness::strict() {
        arguments.extend(["--isolation", "basic"]);
    }
    let ran = room.command_as_it_is(&arguments).output().unwrap();
    let stderr = String::from_utf8(ran.stderr).unwrap();
    assert!(ran.status.success(), "{stderr}");
    let line = stderr
        .lines()
        .find_map(|line| line.strip_prefix("report: "));
    line.unwrap().to_owned()
}

const ONE: &str = "print(1)\n";

#[test]
fn the_page_of_a_student_stays_that_of_the_student() {
    if !have(&["python3"]) {
        return;
    }
    let room = crate::class::squares().file("class/李雷/one.py", ONE);
    page_of(&room, &GRADE);
    let page = |id: &str| {
        let path = format!(".grader/class-report/squares/students/{id}.html");
        fs::read_to_string(room.path(&path)).unwrap()
    };
    let first = page("李雷");
    // They come before.
    for id in ["王小明", "A", "一"] {
        let folder = room.path("class").join(id);
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("one.py"), "print(2)\n").unwrap();
    }
    page_of(&room, &GRADE);
    assert!(page("李雷") == first);
    for id in ["王小明", "A", "一"] {
        assert!(page(id).contains(&format!("<h1>{id}</h1>")), "{id}");
    }
}

#[test]
fn no_two_classes_and_no_two_assignments_share_a_folder() {
    if !have(&["python3"]) {
        return;
    }
    let room = crate::class::squares()
        .fixture("squares", "others")
        .replace(
            "others/assignment.toml",
            "id = \"squares\"",
            "id = \"others\"",
        )
        .file("hw.1/ann/one.py", ONE)
        .file("hw.2/bob/one.py", ONE)
        .file("more/hw.1/cy/one.py", ONE);
    let ledger = ["--ledger", ".grader/ledger.db"];
    let rows = [
        (&["grade", "hw.1", "-a", "./squares"][..], "ann"),
        (&["grade", "hw.2", "-a", "./squares"], "bob"),
        (&["grade", "hw.1", "-a", "./others"], "ann"),
        (
            &[
                "grade",
                "more/hw.1",
                "-a",
                "./squares",
                ledger[0],
                ledger[1],
            ],
            "cy",
        ),
    ];
    let written = rows.map(|(arguments, student)| (page_of(&room, arguments), student));
    assert_eq!(written[0].0, ".grader/hw.1-report/squares/index.html");
    assert_eq!(written[1].0, ".grader/hw.2-report/squares/index.html");
    assert_eq!(written[2].0, ".grader/hw.1-report/others/index.html");
    for (page, student) in written {
        let folder = room.path(&page).with_file_name("staff");
        let pages = fs::read_dir(&folder).unwrap();
        let pages: Vec<_> = pages.map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(pages, [format!("{student}.html").as_str()], "{page}");
    }
}

const KIT: &str =
    "format = 1\nid = \"kit\"\ntitle = \"Kit\"\n[[problem]]\npath = \"sum\"\npoints = 2\n";

/// A public case and a hidden one, both with an input.
const SUM: &str = r#"
format = 1
id = "sum"
title = "Sum"
[submission]
files = ["sum.*"]
[limits]
time = "10 s"
[checker.tokens]
[[subtask]]
name = "public"
points = 1
case = [{ name = "one", stdin = "1 2\n", answer = "3\n" }]
[[subtask]]
name = "hidden"
points = 1
hidden = true
case = [{ name = "two", stdin = "31337 1\n", answer = "31338\n" }]
"#;

#[test]
fn a_student_reads_how_to_reproduce_a_public_case_that_fails() {
    if !have(&["python3"]) {
        return;
    }
    let wrong = "print(0)\n";
    let room = Room::new()
        .keeping()
        .file("kit/assignment.toml", KIT)
        .file("kit/sum/problem.toml", SUM)
        .file("kit/sum/statement.zh.md", "加。\n")
        .file("kit/sum/statement.md", "# Sum\n\nPrint $a + b$.\n")
        .file("sum.py", wrong)
        .file("class/ann/sum.py", wrong);
    let tested = room.run(&["test", "sum.py", "-a", "./kit"]);
    assert_eq!(tested.status, 1, "{}", tested.stderr);
    let command = "printf '1 2\\n' | python3 sum.py";
    let shown = format!("        input\n        │ 1 2\n        try it: {command}\n");
    assert!(tested.stdout.contains(&shown), "{}", tested.stdout);
    let files = "[run]\ninput-file = \"in.txt\"\noutput-file = \"out.txt\"\n[limits]\n";
    let room = room.file("files/assignment.toml", KIT).file(
        "files/sum/problem.toml",
        SUM.replacen("[limits]\n", files, 1),
    );
    let of_files = room.run(&["test", "sum.py", "-a", "./files"]);
    let typed = "        try it: printf '1 2\\n' > in.txt && python3 sum.py && cat out.txt\n";
    assert!(of_files.stdout.contains(typed), "{}", of_files.stdout);

    assert_eq!(room.run(&["grade", "class", "-a", "./kit"]).status, 0);
    let write = |arguments: &[&str]| {
        let ran = room.run(arguments);
        assert_eq!(ran.status, 0, "{}", ran.stderr);
    };
    let feedback = ["report", "class", "-q", "--feedback", "students"];
    write(&feedback);
    write(&["report", "class", "--html", "html"]);
    let read = |path: &str| fs::read_to_string(room.path(path)).unwrap();
    let text = read("students/ann.txt");
    assert!(text.contains(&shown), "{text}");
    let own = read("html/students/ann.html");
    let escaped = command.replace('\'', "&#39;");
    for part in ["<pre>1 2\n</pre>", &format!("<code>{escaped}</code>")] {
        assert!(own.contains(part), "{part}: {own}");
    }
    for text in [&tested.stdout, &text, &own] {
        assert!(!text.contains("31337"), "{text}");
    }
    let folded = "<details class=\"folded statement noprint\"><summary>Statement</summary>\n<h3>Sum</h3>\n<p>Print <math";
    assert_eq!(own.matches(folded).count(), 1, "{own}");
    let staff = read("html/staff/ann.html");
    assert!(
        staff.contains("31337 1") && !staff.contains("<h3>Sum"),
        "{staff}"
    );
    // No board links to it.
    assert!(!room.path("html/students/explore").exists());
    // What was found earlier is not of the file's old place.
    fs::create_dir(room.path("class/ann/lab")).unwrap();
    fs::rename(
        room.path("class/ann/sum.py"),
        room.path("class/ann/lab/sum.py"),
    )
    .unwrap();
    assert_eq!(room.run(&["grade", "class", "-a", "./kit"]).status, 0);
    write(&feedback);
    let text = read("students/ann.txt");
    assert!(!text.contains("python3 sum.py"), "{text}");
}

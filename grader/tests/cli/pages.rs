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
        stderr.ends_with("report: .grader/class-report/index.html\n"),
        "{stderr}"
    );
    let names = [
        "/index.html",
        "staff/i-evil.html",
        "staff/student.html",
        "students/i-evil.html",
        "students/student.html",
    ];
    assert_eq!(pages(&room, ".grader/class-report"), names);
    let staff = ".grader/class-report/staff/i-evil.html";
    let staff = fs::read_to_string(room.path(staff)).unwrap();
    assert!(staff.contains("<h1>&#60;i&#62;evil</h1>"), "{staff}");
    assert!(staff.contains(">&#34;&#60;/script&#62;"), "{staff}");
    assert!(!staff.contains("<script"), "{staff}");
    let ran = room.run(&[
        "report",
        "class",
        "--format",
        "html",
        "-o",
        "out",
        "--against",
        "1",
    ]);
    assert_eq!((ran.status, ran.stdout.as_str()), (0, ""), "{}", ran.stderr);
    assert_eq!(pages(&room, "out"), names);
    let index = fs::read_to_string(room.path("out/index.html")).unwrap();
    assert!(index.contains("change since run 1"), "{index}");
    // Pages that cannot be written cost no grades.
    fs::remove_dir_all(room.path(".grader/class-report")).unwrap();
    fs::write(room.path(".grader/class-report"), "").unwrap();
    let stderr = graded();
    let refused = "no pages: cannot write `.grader/class-report`: ";
    assert!(stderr.contains(refused), "{stderr}");
    let ran = room.run(&["report", "class", "--format", "html"]);
    assert_eq!(ran.status, 2, "{}", ran.stdout);
    let student = ["--audience", "student", "--explain", "李雷"];
    let html = ["report", "class", "--format", "html", "-o", "own"];
    let ran = room.run(&[&html[..], &student[..]].concat());
    assert_eq!(
        (ran.status, ran.stderr.as_str()),
        (
            2,
            "error: `--format html` is for staff; its folder `students` has the pages for students\n"
        )
    );
    assert!(!room.path("own").exists());
}

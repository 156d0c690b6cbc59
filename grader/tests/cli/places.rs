//! Where what is written goes: of whom it is, what it must not lie among, and what a refused report leaves.

use std::fs;

use crate::class::{SQUARE, WRONG, ann_and_bob, squares};
use crate::harness::{Ran, Room, names};

fn run(room: &Room, line: &str) -> Ran {
    room.run(&line.split(' ').collect::<Vec<_>>())
}

fn refused(ran: &Ran, message: &str) {
    let expected = format!("error: {message}\n");
    assert_eq!(
        (ran.status, ran.stdout.as_str(), ran.stderr.as_str()),
        (2, "", expected.as_str())
    );
}

const PART: &str = "this is a part of the class: the pages for students (`students/` and `print.html`) are not written; \
     a report on the whole class writes them\n";

#[test]
fn pages_of_a_part_are_not_made_for_students() {
    let room = ann_and_bob().file("class/cy/square.c", SQUARE);
    assert_eq!(run(&room, "grade class -a ./squares -q -j1").status, 0);
    for (part, has_students) in [
        ("-p square", false),
        ("--student ann --student cy", false),
        ("--student ann -p square", false),
        ("--student ann", true),
    ] {
        let ran = run(&room, &format!("report class {part} --html part"));
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        assert_eq!(ran.stderr.contains(PART), !has_students, "{}", ran.stderr);
        let students = room.path("part/students");
        assert_eq!(students.exists(), has_students, "{part}");
        if has_students {
            assert_eq!(names(&students), ["ann.html"]);
        }
        assert!(!room.path("part/print.html").exists(), "{part}");
        assert!(room.path("part/staff/ann.html").exists(), "{part}");
        fs::remove_dir_all(room.path("part")).unwrap();
    }
    // A path with a slash at its end is a folder, whatever its name.
    assert_eq!(run(&room, "report class -q --html a.html/").status, 0);
    assert!(room.path("a.html/index.html").exists());
    let ran = run(&room, "grade class -a ./squares -q --csv none/");
    refused(&ran, "cannot write `none/`: is a directory");
    // One file has no pages for students.
    let ran = run(&room, "report class -p square --html part.html");
    assert!(
        !ran.stderr.contains("a part of the class"),
        "{}",
        ran.stderr
    );

    // What students get of the whole class stays.
    assert_eq!(run(&room, "report class -q --html pages").status, 0);
    let sheets = || fs::read(room.path("pages/print.html")).unwrap();
    let own = || fs::read(room.path("pages/students/bob.html")).unwrap();
    let before = (sheets(), own());
    for part in [
        "report class -q -p square",
        "report class -q --student ann",
        "grade class -a ./squares -q -j1 -p square",
        "grade class -a ./squares -q -j1 --shard 1/2 --ledger shard.db",
    ] {
        let ran = run(&room, &format!("{part} --html pages"));
        assert_eq!(ran.status, 0, "{part}: {}", ran.stderr);
        assert!((sheets(), own()) == before, "{part}");
    }
}

#[test]
fn what_a_log_shows_to_one_student_is_of_a_class_that_was_named() {
    let room = squares()
        .keeping()
        .file("a/ann/square.c", SQUARE)
        .file("a/bob/square.c", SQUARE)
        .file("b/bob/square.c", WRONG);
    for class in ["a", "b"] {
        let ran = run(&room, &format!("grade {class} -a ./squares -q -j1"));
        assert_eq!(ran.status, 0, "{}", ran.stderr);
    }
    let message = "`.grader/ledger.db` has several classes: name one: `a`, `b`";
    for line in [
        "report --github --student bob",
        // The last class has nobody else.
        "report --github",
        "report --github --json all.json",
        "report --audience student --student bob",
    ] {
        refused(&run(&room, line), message);
        assert!(!room.path("all.json").exists());
    }
    for line in [
        "report b --github",
        "report --run 2 --github --student bob",
        "report --github --audience staff",
    ] {
        let ran = run(&room, line);
        assert_eq!(ran.status, 0, "{line}: {}", ran.stderr);
        assert!(ran.stdout.contains("::error "), "{}", ran.stdout);
    }
}

#[test]
fn a_report_that_is_refused_or_cannot_be_made_leaves_no_folder() {
    let room = ann_and_bob().file("mine.csv", "a,b\n");
    assert_eq!(run(&room, "grade class -a ./squares -q -j1").status, 0);
    let before = names(&room.path(""));
    for line in [
        "report class --html new/pages --csv mine.csv",
        "report class --feedback new/feedback --json no/such.json",
        "report class --jplag new/jplag --junit mine.csv",
        "grade class -a ./squares -q --html new --csv mine.csv",
        // There is nothing to compare.
        "report class -q -p one --dolos new/dolos",
    ] {
        let ran = run(&room, line);
        assert_eq!(ran.status, 2, "{line}: {}", ran.stderr);
        assert_eq!(names(&room.path("")), before, "{line}");
    }
    // The sentence names the file that was asked for, and nothing else.
    let ran = run(&room, "report class --json no/such.json");
    let message = "cannot write `no/such.json`: No such file or directory (os error 2)";
    refused(&ran, message);
}

#[test]
fn no_report_goes_among_the_work_of_students() {
    let room = ann_and_bob();
    assert_eq!(run(&room, "grade class -a ./squares -q -j1").status, 0);
    let class = room.path("class").canonicalize().unwrap();
    let class = class.display();
    for (option, path) in [
        ("--html class/pages", "/pages"),
        ("--html class", ""),
        ("--feedback class/../class/feedback", "/feedback"),
        ("--json class/ann/results.json", "/ann/results.json"),
    ] {
        for begin in ["report class", "grade class -a ./squares"] {
            let ran = run(&room, &format!("{begin} {option}"));
            let message = format!(
                "what goes to `{class}{path}` would be taken for students' work in the class `{class}`: name another place"
            );
            refused(&ran, &message);
        }
    }
    assert_eq!(names(&room.path("class")), ["ann", "bob"]);
    assert_eq!(names(&room.path("class/ann")), ["square.c"]);
    // A file beside the students is nobody's.
    assert_eq!(
        run(&room, "report class -q --csv class/points.csv").status,
        0
    );
    // Pages for students would be in the class of that name.
    fs::rename(room.path("class"), room.path("students")).unwrap();
    let ran = run(&room, "grade students -a ./squares -q --html .");
    assert_eq!(ran.status, 2, "{}", ran.stderr);
    assert_eq!(names(&room.path("students")), ["ann", "bob", "points.csv"]);
    fs::rename(room.path("students"), room.path("class")).unwrap();
    // Around the work of one student, a job has its files.
    let line = "grade class/ann -a ./squares --layout one -q --json class/ann/results.json";
    let ran = run(&room, line);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
}

#[test]
fn nothing_goes_among_what_students_get() {
    let room = ann_and_bob().file(
        "course.toml",
        "format = 1\n\n[[part]]\nname = \"All\"\nweight = 1\nclasses = [\"class\"]\n",
    );
    let line = "grade class -a ./squares -q -j1 --feedback feedback --html site";
    assert_eq!(run(&room, line).status, 0);
    let message = |path: &str| {
        let folder = if path.starts_with("site") {
            "site/students"
        } else {
            "feedback"
        };
        let folder = room.path(folder).canonicalize().unwrap();
        let folder = folder.display();
        format!("`{path}` is in `{folder}`, whose files are for students: name another place")
    };
    for (line, path) in [
        (
            "report class --csv feedback/points.csv",
            "feedback/points.csv",
        ),
        ("check squares --json feedback/a.json", "feedback/a.json"),
        ("check squares --junit feedback/a.xml", "feedback/a.xml"),
        ("history class --json feedback/a.json", "feedback/a.json"),
        ("report class --html feedback/site", "feedback/site"),
        (
            "report class --html gone/../feedback/pages",
            "gone/../feedback/pages",
        ),
        (
            "report class --json site/students/a.json",
            "site/students/a.json",
        ),
        ("report class --html site/students", "site/students"),
        (
            "report course.toml --csv site/students/a.csv",
            "site/students/a.csv",
        ),
    ] {
        refused(&run(&room, line), &message(path));
    }
    assert!(!room.path("gone").exists());
    let class = room.path("class").canonicalize().unwrap();
    let class = class.display();
    refused(
        &run(&room, "report course.toml --csv class/ann/term.csv"),
        &format!(
            "what goes to `{class}/ann/term.csv` would be taken for students' work in the class `{class}`: name another place"
        ),
    );
}

#[test]
fn what_cannot_go_to_standard_output_says_so() {
    let room = squares().file("package/problem.yaml", "name: x\n");
    for (line, what, expected) in [
        ("bundle -a ./squares -o -", "a kit", "a new folder"),
        (
            "bundle -a ./squares --gradescope -o -",
            "the zip",
            "a file `*.zip`",
        ),
        (
            "bundle -a ./squares/square --icpc -o -",
            "a package",
            "a new folder",
        ),
        ("import package -o -", "a problem", "a new folder"),
        ("merge one.db -o -", "a ledger", "a file"),
        ("explore -o -", "the page", "a file `*.html`"),
    ] {
        let message = format!("{what} cannot go to standard output (`-`): name {expected}");
        refused(&run(&room, line), &message);
        assert_eq!(names(&room.path("")), ["package", "squares"]);
    }
}

#[test]
fn the_name_of_a_zip_is_no_name_of_a_folder() {
    let room = squares().file("package/problem.yaml", "name: x\n");
    for line in [
        "bundle -a ./squares -o new.ZIP",
        "bundle -a ./squares/square --icpc -o new.ZIP",
        "import package -o new.ZIP",
        "grade squares -a ./squares --html new.ZIP",
        "grade squares -a ./squares --feedback new.ZIP",
    ] {
        refused(
            &run(&room, line),
            "`new.ZIP` would be a folder, not a zip: name a folder, and pack it afterwards",
        );
        assert_eq!(names(&room.path("")), ["package", "squares"]);
    }
}

#[test]
fn the_problem_in_whose_folder_a_package_is_made_is_meant() {
    let room = squares().folder("squares/square/data/inner");
    for (folder, output) in [
        ("squares/square", "one"),
        ("squares/square/data/inner", "two"),
    ] {
        let output = room.path(output);
        let arguments = ["bundle", "--icpc", "-o", output.to_str().unwrap()];
        let mut command = room.command(&arguments);
        let ran = Ran::of(command.current_dir(room.path(folder)).output().unwrap());
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
        let package = fs::read_to_string(output.join("problem.yaml")).unwrap();
        assert!(package.contains("square"), "{package}");
    }
    // A problem that is named is one of the assignment.
    let output = room.path("three");
    let arguments = [
        "bundle",
        "--icpc",
        "-p",
        "one",
        "-o",
        output.to_str().unwrap(),
    ];
    let mut command = room.command(&arguments);
    let ran = command.current_dir(room.path("squares/square")).output();
    assert_eq!(Ran::of(ran.unwrap()).status, 0);
}

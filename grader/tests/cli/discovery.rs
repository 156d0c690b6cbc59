//! Which assignment, ledger and corrections are meant if none is named, and which files are never taken for them.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use serde_json::Value;

use crate::class::{GRADE, SQUARE, WRONG, ann_and_bob, squares};
use crate::harness::{Ran, Room, have, names};

const NAME_ONE: &str = "name the assignment with `--assignment`: its folder, such as `mine`, or a bundled one: `bit-practice`, \
                        `n-queens`\n";

/// Runs the grader in a folder of a room.
fn run_in(room: &Room, folder: &str, arguments: &[&str]) -> Ran {
    let mut command = room.command(arguments);
    Ran::of(command.current_dir(room.path(folder)).output().unwrap())
}

/// What a command that ends with this status writes to standard error; it writes nothing else.
fn refused(room: &Room, folder: &str, arguments: &[&str]) -> String {
    let ran = run_in(room, folder, arguments);
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{arguments:?}");
    ran.stderr
}

/// The assignment by which a class is graded.
fn graded_by(room: &Room, folder: &str, class: &str) -> String {
    let ran = run_in(room, folder, &["grade", class, "--json", "-"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let results: Value = serde_json::from_str(&ran.stdout).unwrap();
    results["assignment"]["id"].as_str().unwrap().to_owned()
}

#[test]
fn a_class_is_graded_by_the_assignment_above_it_or_here() {
    let cubes = |room: Room| {
        room.fixture("squares", "cubes").replace(
            "cubes/assignment.toml",
            "id = \"squares\"",
            "id = \"cubes\"",
        )
    };
    let room = cubes(squares())
        .file("squares/class/ann/square.c", SQUARE)
        .file("class/ann/square.c", SQUARE)
        .folder("cubes/week-1");
    for (folder, class, id) in [
        (".", "squares/class", "squares"),
        ("squares/class", ".", "squares"),
        ("squares/class/ann", "..", "squares"),
        ("squares", "../class", "squares"),
        ("cubes/week-1", "../../class", "cubes"),
    ] {
        assert_eq!(graded_by(&room, folder, class), id, "{folder} {class}");
    }
    // An outer assignment does not count beside an inner one.
    let room = room.file("assignment.toml", "format = 1\n");
    assert_eq!(graded_by(&room, ".", "squares/class"), "squares");
    let [one, other] = ["squares", "cubes"].map(|it| room.path(it).canonicalize().unwrap());
    assert_eq!(
        refused(&room, "cubes", &["grade", "../squares/class"]),
        format!(
            "error: the class is below `{}`, but this folder belongs to `{}`: {NAME_ONE}",
            one.display(),
            other.display()
        )
    );
}

#[test]
fn without_an_assignment_nothing_is_graded_and_the_bundled_ones_are_listed() {
    let room = Room::new()
        .file("class/ann/count.c", SQUARE)
        .file("class/ann/assignment.toml", "format = 1\n");
    let none = |places: &str| {
        format!("error: there is no `assignment.toml` in {places} or above: {NAME_ONE}")
    };
    for (folder, class) in [(".", "class"), ("class/ann", "..")] {
        // A student's folder is not searched, even from inside.
        assert_eq!(
            refused(&room, folder, &["grade", class]),
            none(&format!("`{class}`, in this folder"))
        );
    }
    for command in [
        &["bundle", "-o", "kit"][..],
        &["bundle", "--gradescope", "-o", "a.zip"],
    ] {
        assert_eq!(refused(&room, ".", command), none("this folder"));
    }
    for command in ["check", "verify"] {
        assert_eq!(
            refused(&room, ".", &[command]),
            "error: there is no `assignment.toml` in this folder or above, and no `problem.toml` here: give the path of a folder, \
             or a bundled assignment: `bit-practice`, `n-queens`\n"
        );
    }
}

#[test]
fn a_class_that_was_graded_by_a_bundled_assignment_is_graded_by_it_again() {
    let room = Room::new()
        .keeping()
        .file("class/ann/count.py", "print()\n")
        .fixture("squares", "mine")
        .file("other/ann/square.c", SQUARE);
    let ran = room.run(&["grade", "class", "-a", "n-queens"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert_eq!(graded_by(&room, ".", "class"), "n-queens");
    // One that only has the same id is not it.
    let room = room.replace(
        "mine/assignment.toml",
        "id = \"squares\"",
        "id = \"n-queens\"",
    );
    assert_eq!(room.run(&["grade", "other", "-a", "mine"]).status, 0);
    assert!(refused(&room, ".", &["grade", "other"]).ends_with(NAME_ONE));
}

#[test]
fn check_and_verify_take_the_assignment_that_is_here_or_above() {
    let room = squares().replace("squares/one/problem.toml", "points = 2", "ponits = 2");
    for (folder, file) in [
        ("squares", "one/problem.toml".to_owned()),
        (
            "squares/square",
            room.path("squares/one/problem.toml")
                .canonicalize()
                .unwrap()
                .display()
                .to_string(),
        ),
    ] {
        for command in ["check", "verify"] {
            let stderr = refused(&room, folder, &[command]);
            assert!(
                stderr.contains(&format!(" --> {file}:")) && stderr.contains("ponits"),
                "{stderr}"
            );
        }
    }
    // A problem without an assignment.
    fs::remove_file(room.path("squares/assignment.toml")).unwrap();
    let ran = run_in(&room, "squares/square", &["check"]);
    assert_eq!(
        (ran.status, ran.stdout.as_str(), ran.stderr.as_str()),
        (
            0,
            "square: 1 problem, 3 cases, 10 points and 0 bonus points: no mistakes\n",
            ""
        )
    );
}

#[test]
fn a_class_for_another_assignment_gets_no_zeros() {
    let room = ann_and_bob();
    let grade = ["grade", "class", "-a", "n-queens", "--csv", "-"];
    assert_eq!(
        refused(&room, ".", &grade),
        "error: no file in `class` is for a problem of the assignment `n-queens` (`count`, `board`, `polynomial`, `annealing`, \
         `first-three`), so nobody is graded: is it another assignment's class? Name the assignment with `--assignment`\n"
    );
    assert!(!room.path(".grader").exists());
    // One student may have submitted nothing.
    let one = ["grade", "class", "-a", "n-queens", "--layout", "one"];
    let ran = room.run(&[&one[..], &["--ledger", "one.db"]].concat());
    assert_eq!(ran.status, 0, "{}", ran.stderr);
}

#[test]
fn the_ledger_is_found_from_every_folder_and_report_says_which_it_is() {
    let room = ann_and_bob();
    let grade = ["grade", ".", "-a", "../squares"];
    assert_eq!(run_in(&room, "class", &grade).status, 0);
    let ledger = room.path(".grader/ledger.db").canonicalize().unwrap();
    let class = room.path("class").canonicalize().unwrap();
    let (ledger, class) = (ledger.to_str().unwrap(), class.to_str().unwrap());
    let report = |folder: &str, source: &[&str]| {
        let ran = run_in(&room, folder, &[&["report"], source].concat());
        assert_eq!(ran.status, 0, "{folder}: {}", ran.stderr);
        assert!(ran.stdout.contains("ann"), "{folder}: {}", ran.stdout);
        ran.stderr
    };
    let said = |class: &str, ledger: &str| format!("run 1 of `{class}`, from `{ledger}`\n");
    assert_eq!(report("class", &[]), said(".", ledger));
    assert_eq!(report("class", &["."]), said(".", ledger));
    assert_eq!(report(".", &[]), said("class", ".grader/ledger.db"));
    assert_eq!(report(".", &["class"]), said("class", ".grader/ledger.db"));
    assert_eq!(report("squares/one", &[]), said(class, ledger));
    assert_eq!(report("squares", &["../class"]), said(class, ledger));
    // What was named need not be said.
    assert_eq!(report("squares", &["--ledger", "../.grader/ledger.db"]), "");

    // In the folder of a class, only its runs.
    let other = ["grade", "other", "-a", "./squares"];
    let room = room.file("other/zoe/square.c", SQUARE);
    assert_eq!(room.run(&other).status, 0);
    let ran = run_in(&room, "class", &["history"]);
    assert!(!ran.stdout.contains("other"), "{}", ran.stdout);
}

#[test]
fn a_correction_is_for_a_class_that_is_named_if_the_ledger_has_several() {
    let room = ann_and_bob();
    assert_eq!(room.run(&GRADE).status, 0);
    let correct = ["correct", "--student=ann", "--problem=square", "--points=5"];
    let ran = room.run(&correct);
    assert_eq!(
        (ran.status, ran.stderr.as_str()),
        (0, "written to corrections.toml, for the class `class`\n")
    );
    let room = room.file("other/ann/square.c", WRONG);
    assert_eq!(room.run(&["grade", "other", "-a", "./squares"]).status, 0);
    let before = fs::read(room.path("corrections.toml")).unwrap();
    for source in [&[][..], &["--ledger", ".grader/ledger.db"]] {
        assert_eq!(
            refused(&room, ".", &[&correct[..], source].concat()),
            "error: `.grader/ledger.db` has several classes: name one: `class`, `other`\n"
        );
    }
    assert_eq!(fs::read(room.path("corrections.toml")).unwrap(), before);
    for (folder, source) in [(".", &["class"][..]), ("class", &[])] {
        let ran = run_in(&room, folder, &[&correct[..], source].concat());
        assert_eq!(ran.status, 0, "{}", ran.stderr);
    }
}

#[test]
fn the_only_copy_of_a_gradebook_is_replaced_only_on_request() {
    let sheet = "Identifier,Full name,Grade,Maximum Grade\nParticipant 1,ann,,10.00\n";
    let room = ann_and_bob().file("sheet.csv", sheet);
    std::os::unix::fs::symlink("sheet.csv", room.path("link.csv")).unwrap();
    assert_eq!(room.run(&GRADE).status, 0);
    let fill = ["gradebook", "sheet.csv"];
    for output in ["sheet.csv", "./class/../sheet.csv", "link.csv"] {
        assert_eq!(
            refused(&room, ".", &[&fill[..], &["-o", output]].concat()),
            format!(
                "error: `{output}` is the gradebook itself: write another file, or replace its content with `--in-place` instead of \
                 `--output`\n"
            )
        );
    }
    let read = || fs::read_to_string(room.path("sheet.csv")).unwrap();
    assert_eq!(read(), sheet);
    let dry = room.run(&[&fill[..], &["--dry-run"]].concat());
    assert_eq!(
        (dry.status, dry.stdout.as_str(), dry.stderr.as_str()),
        (
            0,
            "",
            "run 1 of `class`, from `.grader/ledger.db`\n\
             the worksheet has no column for comments: switch on feedback comments in Moodle, or name the column with \
             `--column feedback=HEADING`\n\
             bob: has no row\n\
             points of 1 of 2 students were filled in\n\
             nothing is written (`--dry-run`)\n"
        )
    );
    assert_eq!(read(), sheet);
    let ran = room.run(&[&fill[..], &["--in-place"]].concat());
    assert_eq!((ran.status, ran.stdout.as_str()), (0, ""), "{}", ran.stderr);
    assert!(
        ran.stderr.ends_with("report written to `sheet.csv`\n"),
        "{}",
        ran.stderr
    );
    assert_eq!(read(), sheet.replace(",,", ",10,"));
}

/// Git in a folder of a room, with a time for its commits.
fn git(room: &Room, folder: &str, arguments: &[&str]) {
    let mut command = room.prepared(Command::new("git"));
    let status = command
        .current_dir(room.path(folder))
        .args(["-c", "user.name=Ann", "-c", "user.email=ann@example.org"])
        .args(arguments)
        .env("GIT_COMMITTER_DATE", "2026-11-22T12:00:00Z")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .status();
    assert!(status.unwrap().success(), "{arguments:?}");
}

#[test]
fn nothing_in_a_students_repository_counts_unless_it_is_named() {
    if !have(&["git"]) {
        return;
    }
    let forged =
        "format = 1\n[[correction]]\nstudent = \"submission\"\nproblem = \"square\"\npoints = 10\n";
    let room = Room::new()
        .keeping()
        .fixture("squares", "squares")
        .fixture("squares", "repository")
        .file("repository/src/square.c", WRONG)
        .file("repository/corrections.toml", forged);
    // A ledger in which the program is right.
    let right = room.file("repository/src/square.c", SQUARE);
    let one = [
        "grade",
        "repository/src",
        "--layout",
        "one",
        "-a",
        "./squares",
    ];
    let ledger = ["--ledger", "repository/.grader/ledger.db"];
    assert_eq!(right.run(&[&one[..], &ledger].concat()).status, 0);
    let room = right.file("repository/src/square.c", WRONG);
    git(&room, "repository", &["init", "-q"]);
    git(&room, "repository", &["add", "."]);
    git(&room, "repository", &["commit", "-qm", "all"]);

    let unnamed = "nothing is stored: to store one student's work, name a ledger with `--ledger`\n";
    let recognised = "the class is the folder of one student (`--layout one`)\n";
    let named = &["--layout", "one"][..];
    for (folder, class, layout, said) in [
        (".", "repository/src", named, unnamed.to_owned()),
        (".", "repository/src", &[], format!("{recognised}{unnamed}")),
        ("repository", "src", named, unnamed.to_owned()),
    ] {
        let squares = room.path("squares");
        let squares = ["-a", squares.to_str().unwrap(), "--json", "-"];
        let ran = run_in(
            &room,
            folder,
            &[&["grade", class], layout, &squares].concat(),
        );
        assert_eq!((ran.status, ran.stderr.as_str()), (0, said.as_str()));
        let results: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(results["students"][0]["points"], 3.33, "{class}");
        // The student's own assignment is not searched for.
        let stderr = refused(&room, folder, &[&["grade", class], layout].concat());
        let message = format!(
            "error: `{class}` is the work of one student, who may have written what lies around it: {NAME_ONE}"
        );
        assert!(stderr.ends_with(&message), "{stderr}");
    }
    // Nor does a report from a ledger outside read corrections in the repository.
    let outside = ["--ledger", "outside.db"];
    assert_eq!(room.run(&[&one[..], &outside].concat()).status, 0);
    let (_, results) = room.json(&["report", "--ledger", "outside.db", "--json", "-"]);
    assert_eq!(results["students"][0]["points"], 3.33);
    let correct = [
        "correct",
        "--student=src",
        "--problem=square",
        "--points=4",
        "--ledger",
        "outside.db",
    ];
    let class = room.path("repository/src").canonicalize().unwrap();
    assert_eq!(
        refused(&room, ".", &correct),
        format!(
            "error: `{}` is the work of one student, who may have written what lies beside it: name a file with `--corrections`\n",
            class.display()
        )
    );
    // What is named counts.
    let corrections = ["--corrections", "repository/corrections.toml"];
    let report = ["report", "--ledger", "outside.db", "--json", "-"];
    let (_, results) = room.json(&[&report[..], &corrections].concat());
    assert_eq!(results["students"][0]["points"], 10);
}

#[test]
fn the_work_of_one_student_is_as_late_as_in_a_class() {
    if !have(&["git"]) {
        return;
    }
    let deadline = "[deadline]\ndue = 2026-11-20T23:59:00\nzone = \"UTC\"\npenalty = \"10% per day\"\n\n[[problem]]\npath = \"square\"";
    let room = squares()
        .replace(
            "squares/assignment.toml",
            "[[problem]]\npath = \"square\"",
            deadline,
        )
        .file("class/ann/src/square.c", SQUARE);
    git(&room, "class/ann", &["init", "-q"]);
    git(&room, "class/ann", &["add", "."]);
    git(&room, "class/ann", &["commit", "-qm", "square"]);
    for (class, layout) in [
        ("class", "folders"),
        ("class/ann", "one"),
        ("class/ann/src", "one"),
    ] {
        let grade = ["grade", class, "--layout", layout, "-a", "./squares"];
        let (status, results) = room.json(&[&grade[..], &["--json", "-"]].concat());
        let student = &results["students"][0];
        assert_eq!(
            (status, &student["points"], &student["remarks"]),
            (0, &8.into(), &Value::Array(Vec::new())),
            "{class}"
        );
    }
}

#[test]
fn a_ledger_in_an_open_folder_is_for_its_user_alone() {
    let room = ann_and_bob().folder("shared");
    let mut grade = GRADE.to_vec();
    grade.extend(["--ledger", "shared/class.db"]);
    if !crate::harness::strict() {
        grade.extend(["--isolation", "basic"]);
    }
    let ran = room.run_as_it_is(&grade);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let mode = |path: &str| fs::metadata(room.path(path)).unwrap().permissions().mode() & 0o777;
    // Its name has a hash of the path of the class.
    let mut shared = names(&room.path("shared")).into_iter();
    let pages = shared.find(|name| name.ends_with("-report")).unwrap();
    let pages = format!("shared/{pages}");
    let own = format!("{pages}/squares");
    assert_eq!(
        [&*pages, &*own, "shared/class.db"].map(mode),
        [0o700, 0o700, 0o600]
    );
    let open = fs::Permissions::from_mode(0o666);
    fs::set_permissions(room.path("shared/class.db"), open).unwrap();
    let ledger = room.path("shared/class.db");
    for arguments in [&["report", "--ledger", "shared/class.db"][..], &grade] {
        let stderr = refused(&room, ".", arguments);
        let why =
            "belongs to another user, or others may write to it, so its points cannot be trusted";
        assert!(
            stderr.contains(ledger.to_str().unwrap()) && stderr.contains(why),
            "{stderr}"
        );
    }
}

//! Several classes of one assignment, and several assignments, side by side: whose a correction, an objection or a report is.

use std::fs;

use crate::class::{SQUARE, WRONG, squares};
use crate::harness::{Ran, Room, problem, student};

/// Two sections with a Bob each, whose programs are the same; Ann and Dave are in one only.
fn sections() -> Room {
    squares()
        .keeping()
        .file("sec/1/bob/square.c", WRONG)
        .file("sec/1/dave/square.c", WRONG)
        .file("sec/2/bob/square.c", WRONG)
        .file("sec/2/ann/square.c", SQUARE)
}

fn run(room: &Room, line: &str) -> Ran {
    let ran = room.run(&line.split(' ').collect::<Vec<_>>());
    assert_eq!(ran.status, 0, "{line}: {}", ran.stderr);
    ran
}

fn grade(room: &Room, class: &str) -> Ran {
    run(room, &format!("grade {class} -a ./squares -j1"))
}

/// The points of a student for the square, and what is said of them; and what the command warns of.
fn points(room: &Room, class: &str, id: &str) -> (String, String) {
    let ran = room.run(&["report", class, "--quiet", "--json", "-"]);
    let results: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let square = problem(student(&results, id), "square");
    let adjustments = square["adjustments"].as_array().unwrap().iter();
    let texts = adjustments.map(|it| it["message"].as_str().unwrap());
    let texts = texts.collect::<Vec<_>>().join("; ");
    (format!("{} {texts}", square["points"]), ran.stderr)
}

#[test]
fn a_correction_is_for_one_class_also_if_another_comes_later() {
    let room = sections();
    grade(&room, "sec/1");
    run(
        &room,
        "correct sec/1 --student bob --problem square --excused",
    );
    run(
        &room,
        "correct sec/1 --student dave --problem square --points 5 --comment close",
    );
    grade(&room, "sec/2");
    let excused = "0 excused: earns the same percentage as the other problems, 0 of 0";
    let excused_of_1 = points(&room, "sec/1", "bob");
    assert!(
        excused_of_1.0.contains("excused"),
        "{excused_of_1:?} {excused}"
    );
    assert_eq!(
        points(&room, "sec/2", "bob"),
        ("3.33 ".to_owned(), String::new())
    );
    assert_eq!(
        fs::read_to_string(room.path("sec/corrections.toml")).unwrap(),
        "# Corrections by hand: see `grader correct --help`.\nformat = 1\n\n\
         [[correction]]\nassignment = \"squares\"\nclass = \"1\"\nstudent = \"bob\"\nproblem = \"square\"\nexcused = true\n\n\
         [[correction]]\nassignment = \"squares\"\nclass = \"1\"\nstudent = \"dave\"\nproblem = \"square\"\npoints = 5\n\
         comment = \"close\"\nsubmission = \"SUB\"\n"
            .replace("SUB", &submission(&room))
    );
    // The list and `--remove` are of the class, too.
    let listed = |class| run(&room, &format!("correct {class} --list")).stdout;
    assert_eq!(listed("sec/2"), "Nothing is left to grade by hand.\n");
    assert!(
        listed("sec/1").starts_with(
            "bob square: excused = true\ndave square: points = 5, comment = \"close\"\n"
        )
    );
    let ran = room.run(&[
        "correct",
        "sec/2",
        "--student=bob",
        "--problem=square",
        "--remove",
    ]);
    assert_eq!(
        (ran.status, ran.stderr.as_str()),
        (2, "error: `bob` has no correction for `square`\n")
    );
}

fn submission(room: &Room) -> String {
    let (_, results) = room.json(&["report", "sec/1", "--json", "-"]);
    let square = problem(student(&results, "dave"), "square");
    square["submission"].as_str().unwrap().to_owned()
}

#[test]
fn a_correction_without_a_class_applies_where_it_is_clear_and_else_the_points_stay_open() {
    let room = sections();
    grade(&room, "sec/1");
    grade(&room, "sec/2");
    let of = |student: &str, more: &str| {
        format!("\n[[correction]]\nstudent = \"{student}\"\nproblem = \"square\"\n{more}\n")
    };
    let text = format!(
        "format = 1\n{}{}",
        of("dave", "add = 1"),
        of("bob", "add = 1")
    );
    let room = room.file("sec/corrections.toml", &text);
    let corrected = "4.33 corrected by hand from 3.33 to 4.33 points";
    let open = "null not scored yet: a correction by hand does not say for which class it is";
    assert_eq!(
        points(&room, "sec/1", "dave"),
        (corrected.to_owned(), String::new())
    );
    for (class, names) in [("sec/1", ["1", "2"]), ("sec/2", ["2", "1"])] {
        assert_eq!(
            points(&room, class, "bob"),
            (open.to_owned(), String::new())
        );
        let ran = room.run(&["report", class]);
        assert_eq!(ran.status, 3, "{}", ran.stdout);
        let [own, other] = names;
        let need = "Not scored yet: for which class is the correction? (1)\n    bob  square  not scored yet: a correction by hand does not say for which class it is\n";
        let add = format!(
            "the correction at corrections.toml:8 does not say for which class it is: add `class = \"{own}\"` or `class = \"{other}\"`"
        );
        let words = ran.stdout.split_whitespace().collect::<Vec<_>>();
        let words = words.join(" ");
        assert!(
            ran.stdout.contains(need) && words.contains(&add),
            "{}",
            ran.stdout
        );
        let book = room.run(&["report", class, "--csv", "points.csv"]);
        assert_eq!(book.status, 3);
        assert!(!room.path("points.csv").exists());
    }
    // As it asks.
    let room = room.file(
        "sec/corrections.toml",
        text.replace("\"bob\"", "\"bob\"\nclass = \"sec/2\""),
    );
    assert_eq!(points(&room, "sec/1", "bob").0, "3.33 ");
    assert_eq!(
        points(&room, "sec/2", "bob"),
        (corrected.to_owned(), String::new())
    );
    // A class that does not exist.
    let room = room.file(
        "sec/corrections.toml",
        text.replace("\"bob\"", "\"bob\"\nclass = \"3\""),
    );
    assert_eq!(points(&room, "sec/2", "bob").0, open);
    let nobody = text.replace("\"bob\"", "\"zoe\"\nclass = \"3\"");
    let room = room.file("sec/corrections.toml", nobody);
    assert_eq!(
        points(&room, "sec/2", "bob"),
        (
            "3.33 ".to_owned(),
            "sec/corrections.toml:8: there is no class `3`: write `class = \"2\"` or `class = \"1\"`\n".to_owned()
        )
    );
}

#[test]
fn points_for_a_submission_do_not_reach_an_equal_one_in_another_class() {
    let room = sections();
    grade(&room, "sec/1");
    let room = room.file("points.csv", "student,points\nbob,3.5\n");
    run(&room, "correct sec/1 --from points.csv --problem square");
    // Today's file, and one as it was written before there were classes in it.
    grade(&room, "sec/2");
    assert_eq!(points(&room, "sec/2", "bob").0, "3.33 ");
    let path = room.path("sec/corrections.toml");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("class = \"1\"\n", "")).unwrap();
    let open = "null not scored yet: a correction by hand does not say for which class it is";
    assert_eq!(
        ["sec/1", "sec/2"].map(|it| points(&room, it, "bob").0),
        [open; 2]
    );
    // Now only one of them has that submission, if the ledger never saw it in the other.
    let room = sections();
    let room = room.file("sec/2/bob/square.c", SQUARE);
    grade(&room, "sec/1");
    grade(&room, "sec/2");
    let room = room.file("sec/corrections.toml", text.replace("class = \"1\"\n", ""));
    let corrected = "3.5 corrected by hand from 3.33 to 3.5 points";
    assert_eq!(
        points(&room, "sec/1", "bob"),
        (corrected.to_owned(), String::new())
    );
    assert_eq!(
        points(&room, "sec/2", "bob"),
        ("10 ".to_owned(), String::new())
    );
}

#[test]
fn a_class_keeps_its_corrections_when_its_folder_is_renamed() {
    let room = sections();
    grade(&room, "sec/1");
    let assign = "correct sec/1 --student bob --problem square --add 2 --comment neat";
    run(&room, assign);
    fs::rename(room.path("sec/1"), room.path("sec/one")).unwrap();
    let moved = grade(&room, "sec/one");
    assert!(
        moved
            .stderr
            .contains("whose runs are now runs of `sec/one`"),
        "{}",
        moved.stderr
    );
    let neat = "5.33 corrected by hand from 3.33 to 5.33 points: neat";
    assert_eq!(points(&room, "sec/one", "bob").0, neat);
    // Another class at the old place is another class.
    let room = room.file("sec/1/bob/square.c", SQUARE);
    assert_eq!(room.run(&["grade", "sec/1", "-a", "./squares"]).status, 3);
    let open = "null not scored yet: a correction by hand does not say for which class it is";
    assert_eq!(points(&room, "sec/1", "bob").0, open);
}

#[test]
fn an_assigned_file_is_for_one_class_also_after_a_move() {
    let room = squares()
        .keeping()
        .file("sec/1/bob/work.c", SQUARE)
        .file("sec/1/bob/one.py", "print(1)")
        .file("sec/1/ann/square.c", SQUARE)
        .file("sec/1/cat/square.c", SQUARE)
        .file("sec/2/bob/square.c", WRONG)
        .file("sec/2/bob/work.c", SQUARE)
        .file("sec/2/bob/one.py", "print(1)");
    // Nobody knows yet what the work is.
    let first = ["grade", "sec/1", "-a", "./squares"];
    assert_eq!(room.run(&first).status, 3);
    run(
        &room,
        "correct sec/1 --student bob --problem square --file work.c",
    );
    grade(&room, "sec/1");
    grade(&room, "sec/2");
    assert_eq!(points(&room, "sec/1", "bob").0, "10 ");
    assert_eq!(points(&room, "sec/2", "bob").0, "3.33 ");
    fs::rename(room.path("sec/1"), room.path("sec/one")).unwrap();
    grade(&room, "sec/one");
    assert_eq!(points(&room, "sec/one", "bob").0, "10 ");
}

#[test]
fn a_remark_for_a_group_is_for_one_class() {
    let room = sections();
    grade(&room, "sec/1");
    grade(&room, "sec/2");
    run(&room, "review sec/1 --save");
    let path = room.path("sec/corrections/review.toml");
    let written = fs::read_to_string(&path).unwrap();
    let said = written.replace("comment = \"\"", "comment = \"n * n\"\nadd = -1");
    fs::write(&path, &said).unwrap();
    let lost = "2.33 corrected by hand from 3.33 to 2.33 points: small/n=1: expected `1`, found `3`: n * n";
    assert_eq!(
        points(&room, "sec/1", "bob"),
        (lost.to_owned(), String::new())
    );
    assert_eq!(
        points(&room, "sec/2", "bob"),
        ("3.33 ".to_owned(), String::new())
    );
    // As it was written before.
    fs::write(&path, said.replace("class = \"1\"\n", "")).unwrap();
    assert_eq!(
        points(&room, "sec/1", "bob").0.split(' ').next(),
        Some("null")
    );
    assert_eq!(points(&room, "sec/2", "ann").0, "10 ");
}

#[test]
fn an_objection_is_about_one_class() {
    let other = |room: Room| {
        room.fixture("squares", "circles").replace(
            "circles/assignment.toml",
            "id = \"squares\"",
            "id = \"circles\"",
        )
    };
    let room = other(sections()).file("sec/circles/bob/square.c", WRONG);
    grade(&room, "sec/1");
    run(&room, "grade sec/circles -a ./circles -j1");
    let room = room.file("sec/objections/bob.md", "Why?\n").file(
        "sec/objections/dave.md",
        "And I?\n\n## Answer\n\nSee page 3.\n",
    );
    let objection = |room: &Room, class: &str, id: &str| {
        let ran = room.run(&["report", class, "--quiet", "--json", "-"]);
        let results: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        let said = &student(&results, id)["objection"]["text"]["text"];
        (said.as_str().unwrap_or_default().to_owned(), ran.stderr)
    };
    let asks = |to: &str| {
        format!(
            "sec/objections/bob.md: several classes have a student `bob`: if it is about this one, move it to `sec/objections/{to}/bob.md`\n"
        )
    };
    assert_eq!(
        objection(&room, "sec/1", "bob"),
        (String::new(), asks("squares"))
    );
    assert_eq!(
        objection(&room, "sec/circles", "bob"),
        (String::new(), asks("circles"))
    );
    assert_eq!(objection(&room, "sec/1", "dave").0, "And I?");
    // As it asks, and then there is another section.
    fs::create_dir(room.path("sec/objections/circles")).unwrap();
    let (from, to) = ("sec/objections/bob.md", "sec/objections/circles/bob.md");
    fs::rename(room.path(from), room.path(to)).unwrap();
    assert_eq!(
        objection(&room, "sec/1", "bob"),
        (String::new(), String::new())
    );
    assert_eq!(
        objection(&room, "sec/circles", "bob"),
        ("Why?".to_owned(), String::new())
    );
    grade(&room, "sec/2");
    let room = room
        .file("sec/objections/squares/bob.md", "Me?\n")
        .file("sec/objections/squares/2/bob.md", "I, too\n");
    let (said, stderr) = objection(&room, "sec/1", "bob");
    assert_eq!(said, "");
    assert!(
        stderr.contains("move it to `sec/objections/squares/1/bob.md`"),
        "{stderr}"
    );
    assert_eq!(objection(&room, "sec/2", "bob").0, "I, too");
}

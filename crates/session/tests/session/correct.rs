//! Changes of the corrections of a class.

use std::fs;

use grader_session::correct::{AskedCorrection, Changed, Correcting, Keys, Way};
use grader_session::{AskedRun, IfSeveral, SessionError};
use toml_edit::Value;

use crate::room::{Room, Said, refusal};

fn room() -> Room {
    let room = Room::new();
    room.grade(
        "all.db",
        "a",
        "cubes",
        &[("ann", "int a;"), ("bob", "int b;")],
    );
    room
}

fn open(room: &Room) -> Correcting {
    let asked = AskedRun {
        class: room.asked("all.db", None),
        ..AskedRun::default()
    };
    Correcting::open(&asked, IfSeveral::Ask, &Said::default()).unwrap()
}

/// The only problem need not be named.
fn asked(keys: Keys, way: Way) -> AskedCorrection {
    AskedCorrection {
        from: None,
        student: "ann".to_owned(),
        problem: None,
        subtask: None,
        items: Vec::new(),
        at: None,
        keys,
        bonus: false,
        way,
    }
}

fn change(room: &Room, asked: &AskedCorrection) -> Result<Changed, SessionError> {
    open(room).change(asked, &Said::default())
}

fn points(changed: &Changed) -> Vec<String> {
    let students = changed.class.results.students.iter();
    let points = students.map(|it| it.problems[0].points.unwrap().to_string());
    points.collect()
}

#[test]
fn changes_add_up_replace_and_go_and_nothing_is_written_before_it_is_asked_for() {
    let room = room();
    let file = room.path("corrections.toml");
    let add = |n: i64| vec![("add", Value::from(n))];
    let first = change(&room, &asked(add(1), Way::Add)).unwrap();
    assert_eq!(
        (points(&first), file.exists()),
        (vec!["5".to_owned(), "4".to_owned()], false)
    );
    first.write().unwrap();
    drop(first);
    let text = fs::read_to_string(&file).unwrap();
    let head = "# Corrections by hand: see `grader correct --help`.\nformat = 1\n\n[[correction]]\n\
        assignment = \"cubes\"\nclass = \"a\"\nstudent = \"ann\"\nproblem = \"square\"\nadd = 1\nsubmission = \"";
    assert!(text.starts_with(head), "{text}");
    for (way, n, expected) in [(Way::Add, 2, "7"), (Way::Replace, -1, "3")] {
        let changed = change(&room, &asked(add(n), way)).unwrap();
        assert_eq!(points(&changed), [expected, "4"], "{way:?}");
        changed.write().unwrap();
    }
    let listed = open(&room).list(grader_model::Lang::En, &Said::default());
    assert_eq!(
        listed.unwrap(),
        "ann square: add = -1\nNothing is left to grade by hand.\n"
    );
    let remark = asked(vec![("comment", "see page 2".into())], Way::Add);
    change(&room, &remark).unwrap().write().unwrap();
    let gone = change(&room, &asked(Keys::new(), Way::Remove)).unwrap();
    assert_eq!(points(&gone), ["4", "4"]);
    gone.write().unwrap();
    drop(gone);
    let text = fs::read_to_string(&file).unwrap();
    assert!(!text.contains("[[correction]]"), "{text}");
    let of_square = AskedCorrection {
        problem: Some("square".to_owned()),
        ..asked(Keys::new(), Way::Remove)
    };
    for (asked, problem) in [
        (asked(Keys::new(), Way::Remove), "all problems"),
        (of_square, "square"),
    ] {
        let expected = format!("`ann` has no correction for `{problem}`");
        assert_eq!(refusal(change(&room, &asked)), (expected, 2));
    }
}

#[test]
fn what_the_class_does_not_have_or_would_lose_points_is_refused() {
    let room = room();
    let one = |key, value: Value| vec![(key, value)];
    let all = |keys| asked(keys, Way::Add);
    for (asked, expected) in [
        (
            all(Keys::new()),
            "nothing to correct: give `--points`, `--item`, `--add`, `--excused`, `--deadline`, `--attempt`, `--file` or `--comment`",
        ),
        (
            AskedCorrection {
                student: "cat".to_owned(),
                ..all(one("add", 1.into()))
            },
            "there is no student `cat` in `LEDGER`",
        ),
        (
            AskedCorrection {
                problem: Some("sqare".to_owned()),
                ..all(one("add", 1.into()))
            },
            "there is no problem `sqare`; did you mean `square`?",
        ),
        (
            all(one("points", 11.into())),
            "11 points are more than `square` is worth, which is 10: add `--bonus` if more is meant",
        ),
        (
            all(one("attempt", 2.into())),
            "there is no attempt 2: the ledger has only 1 by this student for `square`",
        ),
        (
            all(one("file", "square.cc".into())),
            "`ann` has no file `square.cc`; did you mean `square.c`?\nthe files are `square.c`",
        ),
        (
            AskedCorrection {
                at: Some("square.c:7".to_owned()),
                ..all(one("comment", "why?".into()))
            },
            "there is no line 7: `square.c` has 1 line",
        ),
        (
            AskedCorrection {
                items: vec!["names".to_owned()],
                ..all(one("items", Value::from_iter(["names"])))
            },
            "no subtask has the items `names`\nthe items are ``",
        ),
        (
            all(one("deadline", "2026-11-25T23:59".parse().unwrap())),
            // No line of a file that is not there.
            "the assignment has no deadline\nadd `[deadline]` to its `assignment.toml`, then run `grader grade` again",
        ),
    ] {
        let (message, exit) = refusal(change(&room, &asked));
        let message = message.replace(&room.shown("all.db"), "LEDGER");
        assert_eq!((&*message, exit), (expected, 2));
    }
    // Rows of a table give points once.
    let table = room.write("points.csv", "student,points\nann,7\nbob,8\n");
    let of_table = |way| AskedCorrection {
        from: Some(table.clone()),
        ..asked(Keys::new(), way)
    };
    let changed = change(&room, &of_table(Way::Add)).unwrap();
    assert_eq!(
        (points(&changed), changed.targets.len()),
        (vec!["7".to_owned(), "8".to_owned()], 2)
    );
    changed.write().unwrap();
    drop(changed);
    // The same rows again say nothing new, other ones would replace points without a word.
    let same = change(&room, &of_table(Way::Add)).unwrap();
    assert!(same.targets.is_empty());
    drop(same);
    room.write("points.csv", "student,points\nann,6\n");
    let place = table.to_str().unwrap();
    assert_eq!(
        refusal(change(&room, &of_table(Way::Add))).0,
        format!(
            "{place}:2: `ann square` has points by hand already (`points = 7`): replace them with `--replace`"
        )
    );
    let replaced = change(&room, &of_table(Way::Replace)).unwrap();
    assert_eq!(points(&replaced), ["6", "8"]);
}

#[test]
fn a_file_of_ones_own_counts_with_those_of_others_and_keeps_its_line_ends() {
    let room = room();
    room.write(
        "corrections.toml",
        "format = 1\n\n[[correction]]\nstudent = \"ann\"\nproblem = \"square\"\nadd = 1\n",
    );
    let own = room.write("corrections/ann.toml", "# Ann's\r\nformat = 1\r\n");
    let mut run = AskedRun {
        class: room.asked("all.db", Some("a")),
        run: None,
        corrections: Some(own.clone()),
    };
    let class = Correcting::open(&run, IfSeveral::Ask, &Said::default()).unwrap();
    let add = asked(vec![("add", Value::from(2))], Way::Add);
    let changed = class.change(&add, &Said::default()).unwrap();
    assert_eq!(points(&changed), ["7", "4"]);
    changed.write().unwrap();
    drop(changed);
    let text = fs::read_to_string(&own).unwrap();
    assert!(
        text.starts_with("# Ann's\r\nformat = 1\r\n\r\n[[correction]]\r\n"),
        "{text}"
    );
    assert_eq!(text.matches('\n').count(), text.matches("\r\n").count());
    // The file beside the work of one student may be the student's.
    room.grade_as("all.db", "repository", "cubes", &[("ann", "int a;")], true);
    run.class.class = Some("repository".into());
    run.corrections = None;
    let repository = room.shown("repository");
    assert_eq!(
        refusal(Correcting::open(&run, IfSeveral::Ask, &Said::default())),
        (
            format!(
                "`{repository}` is the work of one student, who may have written what lies beside it: name a file with `--corrections`"
            ),
            2
        )
    );
}

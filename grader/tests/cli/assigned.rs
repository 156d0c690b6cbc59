//! Files that are assigned to a problem: by the grader, or by a person.

use crate::class::{GRADE, SQUARE, WRONG, squares};
use crate::harness::{Room, student};

/// The exit status, and of each student the points and the files that were not judged.
fn graded(room: &Room) -> (i32, [String; 3]) {
    let (status, results) = room.json(&[&GRADE[..], &["--json", "-"]].concat());
    let line = |id: &str| {
        let student = student(&results, id);
        let unused = student["unused"].as_array().unwrap().iter();
        let paths: Vec<&str> = unused.map(|it| it["path"].as_str().unwrap()).collect();
        format!("{id} {} {paths:?}", student["points"])
    };
    (status, ["ann", "bob.1", "bob.2"].map(line))
}

#[test]
fn names_of_copies_fit_and_a_person_assigns_the_rest() {
    let room = squares()
        .keeping()
        .file("class/ann/Square (1).c", SQUARE)
        .file("class/ann/one copy.py", "print(1)\n")
        .file("class/bob.1/first/square.c", WRONG)
        .file("class/bob.1/second/square.c", SQUARE)
        .file("class/bob.2/answer.c", SQUARE)
        .file("class/bob.2/one.py", "print(2)\n");
    let ann = "ann 10 []".to_owned();
    let open = r#"bob.1 null ["first/square.c", "second/square.c"]"#.to_owned();
    let unknown = r#"bob.2 null ["answer.c"]"#.to_owned();
    assert_eq!(graded(&room), (3, [ann.clone(), open, unknown.clone()]));
    let correct = |student: &str, more: &[&str]| {
        let fixed = ["correct", "--student", student, "--problem", "square"];
        let ran = room.run(&[&fixed, more].concat());
        (ran.status, ran.stdout, ran.stderr)
    };
    let refused = |message: &str| (2, String::new(), format!("error: {message}\n"));
    assert_eq!(
        correct("bob", &["--file", "answer.c"]),
        refused("`bob` fits 2 students: `bob.1`, `bob.2`; name one by the id")
    );
    assert_eq!(
        correct("bob.1", &["--file", "secnd/square.c"]),
        refused(
            "`bob.1` has no file `secnd/square.c`; did you mean `second/square.c`?\n\
             the files are `first/square.c`, `second/square.c`"
        )
    );
    assert_eq!(
        correct("bob.1", &["--remove"]),
        refused("`bob.1` has no correction for `square`")
    );
    let (status, shown, _) = correct("bob.1", &["--file", "second/square.c"]);
    assert_eq!(
        (status, shown.as_str()),
        (
            0,
            "bob.1 square: not scored yet (of 10 points)  JE judge error\n\
             square: the correction at corrections.toml:4 assigns `second/square.c`, which was not judged: grade\nagain, or correct the name\n"
        )
    );
    let (status, _, _) = correct(
        "bob.2",
        &["--file", "answer.c", "--comment", "named wrongly"],
    );
    assert_eq!(status, 0);
    let chosen = r#"bob.1 10 ["first/square.c"]"#.to_owned();
    let assigned = "bob.2 10 []".to_owned();
    assert_eq!(graded(&room), (0, [ann.clone(), chosen.clone(), assigned]));
    let (status, shown, _) = correct("bob.2", &["--remove"]);
    assert_eq!(
        (status, shown.as_str()),
        (0, "bob.2 square: 10 of 10 points  AC accepted\n")
    );
    assert_eq!(graded(&room), (3, [ann, chosen, unknown]));
    let (status, _, warned) = correct("ann", &["--points", "12"]);
    let refused = "error: 12 points are more than `square` is worth, which is 10: add `--bonus` if more is meant\n";
    assert_eq!((status, warned.as_str()), (2, refused));
}

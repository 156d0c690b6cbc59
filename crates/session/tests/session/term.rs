//! The classes of a course.

use grader_session::{AskedClass, Exit, SessionError, Term};

use crate::room::{Room, Said, refusal};

const COURSE: &str =
    "format = 1\n\n[[part]]\nname = \"Homework\"\nweight = 1\nclasses = [\"a\", \"b.db\"]\n";

fn read(room: &Room, said: &Said) -> Result<Term, SessionError> {
    Term::read(&room.path("course.toml"), &AskedClass::default(), said)
}

#[test]
fn a_class_of_a_course_is_a_folder_or_a_ledger_with_one_class() {
    let room = Room::new();
    room.write("course.toml", COURSE);
    let a = room.shown("a");
    assert_eq!(
        refusal(read(&room, &Said::default())),
        (format!("`{a}` does not exist"), 2)
    );
    room.grade(".grader/ledger.db", "a", "cubes", &[("ann", "int a;")]);
    room.grade("b.db", "b", "squares", &[("ann", "int a;")]);
    let said = Said::default();
    let term = read(&room, &said).unwrap();
    let classes = term.classes.iter();
    let ids = classes.map(|it| (it.results.assignment.id.as_str(), it.run.id));
    assert_eq!(ids.collect::<Vec<_>>(), [("cubes", 1), ("squares", 1)]);
    assert_eq!((said.take(), term.exit()), (Vec::new(), Exit::Done));
    // What is in a ledger of several classes must be named.
    room.grade("b.db", "c", "squares", &[("ann", "int a;")]);
    let ledger = room.shown("b.db");
    assert_eq!(
        refusal(read(&room, &said)).0,
        format!("`{ledger}` has several classes: name one: `b`, `c`")
    );
    room.grade(".grader/ledger.db", "a", "squares", &[("ann", "int a;")]);
    let (message, exit) = refusal(read(&room, &said));
    let several = format!(
        "`{a}` was graded by several assignments, and a course does not say which it means: `cubes`, `squares`; "
    );
    assert!(message.starts_with(&several), "{message}");
    assert_eq!(exit, 2);
}

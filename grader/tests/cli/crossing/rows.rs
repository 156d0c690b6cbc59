//! What a problem or a class can have.

mod classes;
mod packages;
mod people;
mod problems;
mod room;
mod submissions;

use crate::harness::Room;

/// A class and its assignment.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) room: Room,
    /// What is done before the class is graded.
    pub(crate) before: fn(&Room),
    /// Arguments of `grade`, after the class and the assignment.
    pub(crate) arguments: &'static [&'static str],
    /// Where each student's program is, in the student's folder.
    pub(crate) file: &'static str,
    /// Whether a whole folder is handed in.
    pub(crate) is_project: bool,
    /// Whether each student has values of their own, so that commands about one program name the student.
    pub(crate) has_own_values: bool,
    /// What each student has in the end; `?` is not scored yet, `EX` excused, `0+10` a bonus of 10.
    pub(crate) points: Vec<(&'static str, &'static str)>,
    /// The points that a student can have.
    pub(crate) max: u32,
    /// Exit status of commands that show the class.
    pub(crate) status: i32,
    /// A student, and the remark that is for this student.
    pub(crate) remark: Option<(&'static str, &'static str)>,
}

/// A row in which Ada is right, Bob is right in two of four cases, Cy is right in all of them, and Dan submits nothing.
fn row(name: &'static str, room: Room) -> Row {
    scored(name, room, ["10", "5", "10", "0"])
}

fn scored(name: &'static str, room: Room, points: [&'static str; 4]) -> Row {
    Row {
        name,
        room,
        before: |_| (),
        arguments: &[],
        file: "twice.py",
        is_project: false,
        has_own_values: false,
        points: ["ada", "bob", "cy", "dan"]
            .into_iter()
            .zip(points)
            .collect(),
        max: 10,
        status: 0,
        remark: None,
    }
}

/// The rows by themes: tests run at the same time.
pub(crate) const THEMES: [fn() -> Vec<Row>; 5] = [
    problems::rows,
    people::rows,
    classes::rows,
    submissions::rows,
    packages::rows,
];

fn done(room: &Room, line: &str) {
    let ran = room.run(&line.split(' ').collect::<Vec<_>>());
    assert_eq!(ran.status, 0, "{line}: {}", ran.stderr);
}

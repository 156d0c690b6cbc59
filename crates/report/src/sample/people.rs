//! The class with names that are hostile to every format.

use grader_model::{Person, Results, System, Text};

/// The sample with names that are hostile to every format.
pub(crate) fn class() -> Results {
    let mut results = super::results();
    let people = [
        Some(("Ann Lee", "ann@example.edu", "101", "9001")),
        Some((
            "=HYPERLINK(\"http://x\",\"y\")",
            "+1@example.edu",
            "102",
            "9002",
        )),
        Some(("../O'Neil_<b>|`a` @all", "bo;=1@example.edu", "103", "9003")),
        Some(("Open\r\nRow", "open@example.edu", "104", "9004")),
        Some(("Close Call", "close@example.edu", "105", "9005")),
        None,
    ];
    for (student, known) in results.students.iter_mut().zip(people) {
        student.notes.clear();
        student.person = known.map(|(name, email, moodle, canvas)| Person {
            name: Some(name.to_owned()),
            email: Some(email.to_owned()),
            ids: [(System::Moodle, moodle), (System::Canvas, canvas)]
                .map(|(system, id)| (system, id.to_owned()))
                .into(),
        });
    }
    results.students[1].notes = vec![
        Text::new("late by 2 h", "迟交 2 小时"),
        Text::new("@the second attempt", "@第二次"),
    ];
    results.students[4].remarks = vec![Text::new("`s12` fits too", "`s12` 也相符")];
    results
}

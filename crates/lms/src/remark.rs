//! What an instructor must know before a gradebook is uploaded.

use grader_model::{StudentId, Text, escaped};

/// One line about a student.
pub(crate) fn about(student: &StudentId, en: &str, zh: &str) -> Text {
    let student = escaped(student.as_str().as_bytes());
    Text::new(format!("{student}: {en}"), format!("{student}：{zh}"))
}

//! What an instructor must know before a gradebook is uploaded.

use grader_model::{StudentId, Text, escaped};

/// What kind of thing an instructor must know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RemarkKind {
    /// A student has no row.
    NoRow,
    /// Several rows may be a student's, or several students a row's.
    Unclear,
    /// A row is of nobody in this class.
    NotInClass,
    /// A student's row was not filled: locked, excused, not scored yet.
    NotFilled,
    /// A grade that is there already stays.
    Kept,
    /// Something about the file, or about a grade that was written.
    Note,
}

/// Something that an instructor must know before a gradebook is uploaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// What it is about.
    pub kind: RemarkKind,
    /// One line, escaped.
    pub text: Text,
}

impl Remark {
    pub(crate) fn about(student: &StudentId, kind: RemarkKind, en: &str, zh: &str) -> Self {
        let student = escaped(student.as_str().as_bytes());
        let text = Text::new(format!("{student}: {en}"), format!("{student}：{zh}"));
        Self { kind, text }
    }

    pub(crate) fn note(en: &str, zh: &str) -> Self {
        Self {
            kind: RemarkKind::Note,
            text: Text::new(en, zh),
        }
    }
}

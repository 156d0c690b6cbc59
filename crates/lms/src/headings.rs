//! The headings of rosters and gradebooks, in the languages in which systems write them.
//!
//! Those of Moodle are from its language packs (`mod_assign`, `core`, `assignfeedback_comments`).

use grader_model::System;
use serde::Deserialize;
use serde::de::value::StrDeserializer;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Column {
    /// The system's own number, or whatever a table calls an id.
    Identifier,
    /// The number that the institution gives a student.
    IdNumber,
    Name,
    FirstName,
    LastName,
    Email,
    Role,
    /// The team that the student submits with.
    Team,
    /// When the student submitted.
    Submitted,
    Grade,
    Maximum,
    /// Whether the grade can be changed.
    Changeable,
    Feedback,
    /// What a system calls the student.
    #[serde(untagged)]
    System(System),
}

/// The heading of an assignment.
#[derive(Clone, Copy)]
pub(crate) struct Item<'a> {
    pub(crate) title: &'a str,
    /// The system's number of the assignment.
    pub(crate) id: Option<&'a str>,
    /// The maximum grade; empty if the heading does not say.
    pub(crate) maximum: &'a str,
}

/// For each column its headings, in lower case and without what [`plain`] drops.
const HEADINGS: &str = include_str!("headings.txt");

impl Column {
    /// The column of a word, as `headings.txt` and `--column` write it.
    pub(crate) fn from_word(word: &str) -> Option<Self> {
        Self::deserialize(StrDeserializer::<serde::de::value::Error>::new(word)).ok()
    }

    /// What a column is by its heading.
    pub(crate) fn of(heading: &str) -> Option<Self> {
        let heading = plain(heading);
        HEADINGS.lines().find_map(|line| {
            let (word, known) = line.split_once(": ")?;
            let is_known = known.split(", ").any(|known| known == heading);
            Self::from_word(word).filter(|_| is_known)
        })
    }

    /// Whether it says who somebody is.
    pub(crate) const fn is_identity(self) -> bool {
        use Column::{Changeable, Feedback, Grade, Maximum, Role, Submitted, Team};
        !matches!(
            self,
            Role | Team | Submitted | Grade | Maximum | Changeable | Feedback
        )
    }
}

/// The columns of a table that say who somebody is, as people read it, by their places: the best first.
pub fn identity_columns(heads: &[String]) -> Vec<usize> {
    use Column::{Email, IdNumber, Identifier, Name};
    let columns: Vec<Option<Column>> = heads.iter().map(|head| Column::of(head)).collect();
    let mut places = Vec::new();
    for kind in [IdNumber, Identifier, Email, Name] {
        let is_it = |place: &usize| columns[*place] == Some(kind);
        places.extend((0..columns.len()).filter(is_it));
    }
    places
}

/// Whether a column has the whole names of people, by its heading.
pub fn is_name_heading(head: &str) -> bool {
    Column::of(head) == Some(Column::Name)
}

/// Whether a cell says no.
pub(crate) fn is_no(cell: &str) -> bool {
    const NO: [&str; 9] = [
        "no",
        "nein",
        "non",
        "não",
        "nee",
        "否",
        "不",
        "不是",
        "いいえ",
    ];
    NO.contains(&plain(cell).as_str())
}

/// Whether a cell says that somebody is in no team, as in Moodle's table of participants.
pub(crate) fn is_no_team(cell: &str) -> bool {
    const NONE: [&str; 10] = [
        "",
        "nogroups",
        "nogroup",
        "none",
        "keinegruppen",
        "aucungroupe",
        "singrupos",
        "nessungruppo",
        "没有小组",
        "無群組",
    ];
    NONE.contains(&plain(cell).as_str())
}

/// A heading without case, blanks and the signs that differ between versions.
fn plain(heading: &str) -> String {
    let is_kept = |c: &char| !c.is_whitespace() && !"_-.'’/".contains(*c);
    let kept = heading.chars().filter(is_kept);
    kept.flat_map(char::to_lowercase).collect()
}

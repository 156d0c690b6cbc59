//! The headings of rosters and gradebooks, in the languages in which systems write them.
//!
//! Those of Moodle are from its language packs (`mod_assign`, `core`, `assignfeedback_comments`).

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Column {
    /// The system's own number, or whatever a table calls an id.
    Identifier,
    /// The number that the institution gives a student.
    IdNumber,
    Name,
    FirstName,
    LastName,
    Email,
    Login,
    Sis,
    Github,
    Moodle,
    Canvas,
    Role,
    /// It names nobody; known so that a table of nothing else is no list of ids.
    Group,
    Grade,
    Maximum,
    /// Whether the grade can be changed.
    Changeable,
    Feedback,
}

/// For each column its headings, in lower case and without what [`plain`] drops.
const HEADINGS: &str = include_str!("headings.txt");

impl Column {
    /// In the order of the lines of `headings.txt`.
    const ALL: [Self; 17] = [
        Self::Identifier,
        Self::IdNumber,
        Self::Name,
        Self::FirstName,
        Self::LastName,
        Self::Email,
        Self::Login,
        Self::Sis,
        Self::Github,
        Self::Moodle,
        Self::Canvas,
        Self::Role,
        Self::Group,
        Self::Grade,
        Self::Maximum,
        Self::Changeable,
        Self::Feedback,
    ];
}

/// What a column is by its heading.
pub(crate) fn column(heading: &str) -> Option<Column> {
    let heading = plain(heading);
    let is_known = |line: &str| {
        let (_, known) = line.split_once(": ").unwrap_or_default();
        known.split(", ").any(|known| known == heading)
    };
    let lines = Column::ALL.into_iter().zip(HEADINGS.lines());
    let mut found = lines.filter(|(_, line)| is_known(line));
    found.next().map(|(column, _)| column)
}

/// Whether a cell says no.
pub(crate) fn is_no(cell: &str) -> bool {
    const NO: &str = "no,nein,non,não,nee,否,不,不是,いいえ";
    let cell = plain(cell);
    NO.split(',').any(|no| no == cell)
}

/// A heading without case, blanks and the signs that differ between versions.
fn plain(heading: &str) -> String {
    let is_kept = |c: &char| !c.is_whitespace() && !"_-.'’/".contains(*c);
    let kept = heading.chars().filter(is_kept);
    kept.flat_map(char::to_lowercase).collect()
}

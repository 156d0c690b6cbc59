//! Who is on each row of a roster or gradebook.

use grader_model::{Person, System};

use crate::headings::Column;

/// A person on a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Record {
    /// The student id.
    pub(crate) id: Option<String>,
    pub(crate) person: Person,
}

impl Record {
    /// Reads a row. An `ID` or `Identifier` is the number of the system whose `own` table this is; else it is the student id.
    pub(crate) fn read(columns: &[Option<Column>], cells: &[String], own: Option<System>) -> Self {
        use System::{Canvas, Github, Login, Moodle, Sis};
        let cell = |wanted| cell(columns, cells, wanted);
        let identifier = |system| cell(Column::Identifier).filter(|_| own == system);
        let ids = [Login, Sis, Github, Moodle, Canvas].into_iter();
        let ids = ids.filter_map(|system| {
            let id = cell(Column::System(system)).or_else(|| identifier(Some(system)))?;
            let id = match system {
                Moodle => last_number(&id)?,
                Login | Github => login(&id),
                _ => id,
            };
            Some((system, id))
        });
        let parts = [cell(Column::FirstName), cell(Column::LastName)];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        let name = Some(parts.join(" ")).filter(|name| !name.is_empty());
        Self {
            id: cell(Column::IdNumber).or_else(|| identifier(None)),
            person: Person {
                name: cell(Column::Name).or(name),
                email: cell(Column::Email),
                ids: ids.collect(),
            },
        }
    }
}

/// The first filled cell of a kind.
pub(crate) fn cell(columns: &[Option<Column>], cells: &[String], wanted: Column) -> Option<String> {
    let cells = columns.iter().zip(cells);
    let cells = cells.filter(|(column, _)| **column == Some(wanted));
    // Brightspace writes `#` before ids, so that spreadsheets take them for text.
    let mut cells = cells.map(|(_, cell)| cell.trim().trim_start_matches('#'));
    cells.find(|cell| !cell.is_empty()).map(str::to_owned)
}

/// The login in `@ada-l` or in the address of a profile, `https://github.com/ada-l/`.
fn login(text: &str) -> String {
    const HOST: &str = "github.com/";
    let host = text.to_ascii_lowercase().find(HOST);
    let login = host.map_or(text, |at| &text[at + HOST.len()..]);
    let is_end = |c| host.is_some() && "/?#".contains(c);
    let login = login.trim_start_matches('@').split(is_end).next();
    login.unwrap_or(text).trim().to_owned()
}

/// The number at the end of `Participant 12345`.
fn last_number(text: &str) -> Option<String> {
    let word = text.trim_end_matches(|c: char| c.is_ascii_digit());
    let number: u64 = text[word.len()..].parse().ok()?;
    Some(number.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_login_is_found_in_what_people_write_for_it() {
        for text in [
            "ada-l",
            "@ada-l",
            "https://github.com/ada-l",
            "http://www.GitHub.com/ada-l/",
            "github.com/@ada-l?tab=repositories",
            "https://github.com/ada-l/hw1-ada-l",
        ] {
            assert_eq!(login(text), "ada-l", "{text}");
        }
        assert_eq!(login("ada@x.org"), "ada@x.org");
        assert_eq!(login("a/b#c"), "a/b#c");
    }
}

//! Who is on each row of a roster or gradebook.

use grader_model::{Person, System};

use crate::headings::{self, Column};

/// A person on a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Record {
    /// The student id.
    pub(crate) id: Option<String>,
    pub(crate) person: Person,
}

/// The columns that name people.
#[derive(Clone, Debug)]
pub(crate) struct Identity {
    columns: Vec<Option<Column>>,
    /// The system whose number an `ID` or `Identifier` is; else it is the student id.
    own: Option<System>,
}

impl Identity {
    pub(crate) fn new(columns: Vec<Option<Column>>, own: Option<System>) -> Self {
        Self { columns, own }
    }

    /// The columns of these headings.
    pub(crate) fn of(heads: &[String], own: Option<System>) -> Self {
        let columns = heads.iter().map(|head| headings::column(head));
        Self::new(columns.collect(), own)
    }

    /// Whether any column names people.
    pub(crate) fn names_people(&self) -> bool {
        use Column::{
            Canvas, Email, Github, IdNumber, Identifier, LastName, Login, Moodle, Name, Sis,
        };
        let known = [
            Identifier, IdNumber, Name, LastName, Email, Login, Sis, Github, Moodle, Canvas,
        ];
        let columns = self.columns.iter().flatten();
        columns.into_iter().any(|column| known.contains(column))
    }

    /// The first filled cell of a kind.
    pub(crate) fn cell(&self, cells: &[String], wanted: Column) -> Option<String> {
        let mut pairs = self.columns.iter().zip(cells);
        let found =
            pairs.find(|(column, cell)| **column == Some(wanted) && !cell.trim().is_empty());
        // Brightspace writes `#` before ids, so that spreadsheets take them for text.
        found.map(|(_, cell)| cell.trim().trim_start_matches('#').to_owned())
    }

    pub(crate) fn record(&self, cells: &[String]) -> Record {
        let cell = |column| self.cell(cells, column);
        let identifier = cell(Column::Identifier);
        let (own, other) = match self.own {
            Some(_) => (identifier, None),
            None => (None, identifier),
        };
        let own = |system| own.clone().filter(|_| self.own == Some(system));
        let name = cell(Column::Name).or_else(|| {
            let (first, last) = (cell(Column::FirstName), cell(Column::LastName));
            match (first, last) {
                (Some(first), Some(last)) => Some(format!("{first} {last}")),
                (first, last) => first.or(last),
            }
        });
        let moodle = cell(Column::Moodle).or_else(|| own(System::Moodle));
        let ids = [
            (System::Login, cell(Column::Login)),
            (System::Sis, cell(Column::Sis)),
            (System::Github, cell(Column::Github)),
            (System::Moodle, moodle.and_then(|text| only_number(&text))),
            (
                System::Canvas,
                cell(Column::Canvas).or_else(|| own(System::Canvas)),
            ),
        ];
        let ids = ids
            .into_iter()
            .filter_map(|(system, id)| Some((system, id?)));
        Record {
            id: cell(Column::IdNumber).or(other),
            person: Person {
                name,
                email: cell(Column::Email),
                ids: ids.collect(),
            },
        }
    }
}

/// The number in `Participant 12345`, if there is one and no other.
pub(crate) fn only_number(text: &str) -> Option<String> {
    let mut numbers = text
        .split(|c: char| !c.is_ascii_digit())
        .filter(|digits| !digits.is_empty());
    let number = numbers.next()?;
    if numbers.next().is_some() {
        return None;
    }
    let bare = number.trim_start_matches('0');
    Some(if bare.is_empty() { "0" } else { bare }.to_owned())
}

//! Who is in the class.

use std::collections::HashMap;
use std::path::Path;

use grader_model::{Person, System, Text, escaped, escaped_name};

use crate::headings::{Column, is_no_team};
use crate::identity::is_number;
use crate::people::{Record, cell};
use crate::regular::read_regular;
use crate::table::{Row, Table, TableError};

/// Far more than any class has.
const MAX_BYTES: u64 = 16 << 20;

/// The role of those who count.
const STUDENT: [&str; 3] = ["student", "学生", "學生"];

/// The students of a class as a table lists them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roster {
    pub(crate) entries: Vec<Entry>,
    /// What to tell about how it was read.
    pub note: Option<Text>,
}

/// One student of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The line of the file, from 1.
    pub(crate) line: u64,
    /// What the student is called in results.
    pub(crate) id: String,
    pub(crate) person: Person,
    /// The team, if the table has one for the student.
    pub(crate) team: Option<String>,
    /// When the student submitted, as the table writes it.
    pub(crate) submitted: Option<String>,
}

impl Entry {
    /// What a matcher needs.
    pub(crate) fn identity(&self) -> (Option<&str>, &Person) {
        (Some(&self.id), &self.person)
    }

    /// What others call the student.
    pub(crate) fn called(&self) -> String {
        let name = self.person.name.as_ref();
        name.unwrap_or(&self.id).clone()
    }
}

impl Roster {
    /// Reads a table of students: values separated by commas, semicolons or tabs, in UTF-8 or UTF-16, or for certain in GBK or
    /// Windows-1252.
    ///
    /// The first line names the columns, in English or Chinese (case, blanks, `_` and `-` do not matter): `id`
    /// (`student id`, `sid`, `学号`), `login` (`username`, `用户名`), `sis` (`sis user id`), `email` (`邮箱`), `github`,
    /// `name` (`full name`, `student`, `姓名`) or `first name` and `last name`, `moodle`, `canvas`, and `submitted` (`submission time`,
    /// `last modified (submission)`, `提交时间`) for the time of submission. Others are passed over. The first of
    /// these that a line fills in is what the student is called in results. Gradebooks of Moodle, Canvas, Blackboard and
    /// Brightspace are read as they come. In a table of one column without a known heading each line is an id. If there is a
    /// column `role`, only students count.
    ///
    /// # Errors
    /// If it cannot be read, or a line of it makes no sense.
    pub fn read(path: &Path) -> Result<Self, TableError> {
        Self::read_as("roster", path)
    }

    /// Reads a table that messages call so.
    pub(crate) fn read_as(what: &str, path: &Path) -> Result<Self, TableError> {
        let error = |reason: String| {
            let path = escaped(path.as_os_str().as_encoded_bytes());
            TableError(format!("{what} `{path}`: {reason}"))
        };
        let bytes =
            read_regular(path, MAX_BYTES).map_err(|io| error(format!("cannot be read: {io}")))?;
        let table = Table::read(&bytes);
        let entries = table.and_then(|table| Ok((parse(&table)?, table)));
        let (entries, table) = entries.map_err(|TableError(reason)| error(reason))?;
        let path = escaped(path.as_os_str().as_encoded_bytes());
        let note = table.note(&Text::plain(format!("`{path}`")));
        Ok(Self { entries, note })
    }
}

/// Most rows above the headings of a table for people.
const MAX_ABOVE: usize = 20;

/// What the columns are. `Student` is a name; in a table that has the name elsewhere it is the id.
fn columns(heads: &[String]) -> Vec<Option<Column>> {
    use Column::{FirstName, IdNumber, Identifier, LastName, Name};
    let mut columns: Vec<Option<Column>> = heads.iter().map(|head| Column::of(head)).collect();
    let is_student: Vec<bool> = heads.iter().map(|head| is_student(head)).collect();
    let others = || columns.iter().zip(&is_student).filter(|(_, is)| !**is);
    let has_name = others().any(|(it, _)| matches!(it, Some(Name | FirstName | LastName)));
    let has_id = others().any(|(it, _)| matches!(it, Some(IdNumber | Identifier)));
    if has_name {
        let students = columns.iter_mut().zip(&is_student).filter(|(_, is)| **is);
        students.for_each(|(column, _)| *column = (!has_id).then_some(IdNumber));
    }
    columns
}

fn is_student(text: &str) -> bool {
    STUDENT.contains(&text.trim().to_lowercase().as_str())
}

/// The line of headings below others, as people put the title of a course there.
fn line_of_headings(table: &Table) -> Option<u64> {
    let below = table.rows.iter().skip(1).take(MAX_ABOVE);
    let is_known = |cell: &&String| Column::of(cell).is_some();
    let mut heads = below.filter(|row| row.cells.iter().filter(is_known).count() > 1);
    heads.next().map(|row| row.line)
}

fn parse(table: &Table) -> Result<Vec<Entry>, TableError> {
    let heads = table.heads();
    let columns = columns(&heads);
    let (columns, rows) = if columns.iter().any(Option::is_some) {
        (columns, &table.rows[1..])
    } else if let Some(line) = line_of_headings(table) {
        let reason = "these are the headings of the columns: delete the lines above them";
        return Err(TableError::on_line(line, reason));
    } else if heads.len() == 1 {
        (vec![Some(Column::IdNumber)], &table.rows[..])
    } else {
        let reason = "no column has a known heading, such as `id`, `name`, `email`, `login`";
        return Err(TableError(reason.to_owned()));
    };
    // `Participant 12345`, as in a grading worksheet of Moodle.
    let first = rows.first();
    let identifier = first.and_then(|row| cell(&columns, &row.cells, Column::Identifier));
    let participant = identifier.as_deref().and_then(|it| it.rsplit_once(' '));
    let moodle = participant
        .filter(|(_, it)| is_number(it))
        .map(|_| System::Moodle);
    let is_canvas = heads.iter().any(|head| head.starts_with("SIS "));
    let own = if is_canvas {
        Some(System::Canvas)
    } else {
        moodle
    };
    let mut entries = Vec::new();
    let mut lines: HashMap<String, u64> = HashMap::new();
    for &Row { line, ref cells } in rows {
        if cells.iter().any(|cell| cell.contains('\n')) {
            let reason = "a cell holds a line break: is a quote not closed?";
            return Err(TableError::on_line(line, reason));
        }
        let (found, expected) = (cells.len(), heads.len());
        if cells[expected..].iter().any(|cell| !cell.trim().is_empty()) {
            let reason = format!("{found} values, but the first line has {expected}");
            return Err(TableError::on_line(line, &reason));
        }
        let cells = cells
            .iter()
            .map(|cell| escaped_name(cell.trim().as_bytes()));
        let cells: Vec<String> = cells.collect();
        let role = cell(&columns, &cells, Column::Role);
        let is_student = role.is_none_or(|role| is_student(&role));
        let Record { id, person } = Record::read(&columns, &cells, own);
        // Above the students, Canvas has rows of nobody.
        let is_nobody = is_canvas && !person.ids.contains_key(&System::Canvas);
        if !is_student || is_nobody {
            continue;
        }
        let id = id
            .or_else(|| usual(&person))
            .ok_or_else(|| TableError::on_line(line, "no id and no name"))?;
        if let Some(first) = lines.insert(id.clone(), line) {
            let reason = format!("`{id}` is on line {first} already");
            return Err(TableError::on_line(line, &reason));
        }
        let submitted = cell(&columns, &cells, Column::Submitted).filter(|it| it != "-");
        entries.push(Entry {
            line,
            id,
            person,
            team: cell(&columns, &cells, Column::Team).filter(|it| !is_no_team(it)),
            submitted,
        });
    }
    if entries.is_empty() {
        return Err(TableError("it lists no students".to_owned()));
    }
    Ok(entries)
}

/// What someone without an id is called.
fn usual(person: &Person) -> Option<String> {
    use System::{Canvas, Github, Login, Moodle, Sis};
    let id = |systems: &[System]| {
        let mut ids = systems.iter().filter_map(|system| person.ids.get(system));
        ids.next().map(String::as_str)
    };
    let local = person.email.as_deref().and_then(|it| it.split('@').next());
    let known = id(&[Login, Sis]).or(local).or(id(&[Github]));
    let known = known.or(person.name.as_deref()).or(id(&[Moodle, Canvas]));
    known.filter(|id| !id.is_empty()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each student: line, id, and what else is known.
    fn shown(text: &str) -> Vec<String> {
        let line = |entry: &Entry| {
            let Person { name, email, ids } = &entry.person;
            let ids = ids.iter().map(|(system, id)| format!("{system:?}={id}"));
            let known: Vec<String> = name.iter().chain(email).cloned().chain(ids).collect();
            format!("{} {}: {}", entry.line, entry.id, known.join(", "))
        };
        let table = Table::read(text.as_bytes()).unwrap();
        parse(&table).unwrap().iter().map(line).collect()
    }

    #[test]
    fn tables_of_people_and_of_systems_are_read_as_they_come() {
        for (text, students) in [
            (
                "Student ID,Full_Name,E-mail,GitHub username,group\n1001,Ada L,ada@x.org,ada-l,A\n",
                &["2 1001: Ada L, ada@x.org, Github=ada-l"][..],
            ),
            (
                "\u{feff}学号,姓名,班级\r\n7,\"王, 五\",2班\r\n\r\n8,赵六,\r\n",
                &["2 7: 王, 五", "4 8: 赵六"],
            ),
            ("login;name\nada;Ada, L.\n", &["2 ada: Ada, L., Login=ada"]),
            ("s1\n\ns2\n", &["1 s1: ", "3 s2: "]),
            (
                "Identifier,\"Full name\",\"Email address\",Status,Grade\nParticipant 12345,Ada L,ada@x.org,Submitted,\n",
                &["2 ada: Ada L, ada@x.org, Moodle=12345"],
            ),
            (
                "Student,ID,SIS User ID,SIS Login ID,Section,HW (1)\n,,,,,Manual Posting\n    Points Possible,,,,,100\n\
                 \"Doe, Jane\",77,u1,jdoe,S1,\n",
                &["4 jdoe: Doe, Jane, Canvas=77, Sis=u1, Login=jdoe"],
            ),
            (
                "Last Name,First Name,Username,Student ID,HW [Total Pts: 100 Score] |1\nL,Ada,al,1001,\n",
                &["2 1001: Ada L, Login=al"],
            ),
            (
                "OrgDefinedId,Username,HW Points Grade <Numeric MaxPoints:100>,End-of-Line Indicator\n#1001,#al,,#\n",
                &["2 1001: Login=al"],
            ),
            (
                "identifier,github_username,github_id,name\n1001,ada-l,999,Ada\n",
                &["2 1001: Ada, Github=ada-l"],
            ),
            (
                "First Name,Last Name,SID,Email,Role\nAda,L,1001,ada@x.org,Student\nBob,T,,bob@x.org,Instructor\n",
                &["2 1001: Ada L, ada@x.org"],
            ),
            (
                "student,name,email\nu01,Ada,a@x.org\n",
                &["2 u01: Ada, a@x.org"],
            ),
            (
                "Student,Email\n\"L, Ada\",al@x.org\n",
                &["2 al: L, Ada, al@x.org"],
            ),
            ("sep=;\r\nid;name\r\n1001;Ada\r\n", &["3 1001: Ada"]),
            (
                "username,github profile\n@ada,https://github.com/Ada-L\n",
                &["2 ada: Login=ada, Github=Ada-L"],
            ),
            (
                "id,name\n1,a\u{202e}b\u{1b}[31m\n",
                &["2 1: a\\u{202e}b\\x1b[31m"],
            ),
        ] {
            assert_eq!(shown(text), students, "{text}");
        }
    }

    #[test]
    fn mistakes_name_their_line() {
        for (text, reason) in [
            ("", "the table is empty"),
            ("id\n", "it lists no students"),
            (
                "a,b\n1,2\n",
                "no column has a known heading, such as `id`, `name`, `email`, `login`",
            ),
            ("id,name\n1,a\n\n1,b\n", "line 4: `1` is on line 2 already"),
            (
                "Course: CS1\nExported 2026-10-01\n\nid,name\n1001,Ada\n",
                "line 4: these are the headings of the columns: delete the lines above them",
            ),
            ("id,group\n,2\n", "line 2: no id and no name"),
            (
                "id,name\n1,Doe, Jane\n",
                "line 2: 3 values, but the first line has 2",
            ),
            ("id,name\n1,\"Ada\n2,Bob\n", "line 2: a quote is not closed"),
            (
                "id,name\n1,\"Ada\n2,Bob\n3,\"Cy\n",
                "line 2: a cell holds a line break: is a quote not closed?",
            ),
        ] {
            assert_eq!(
                Table::read(text.as_bytes())
                    .and_then(|table| parse(&table))
                    .unwrap_err()
                    .to_string(),
                reason,
                "{text}"
            );
        }
    }
}

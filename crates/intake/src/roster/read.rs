//! A table to a roster.

use std::collections::HashMap;
use std::path::Path;

use encoding_rs::{Encoding, GBK};
use grader_model::{Bytes, Person, System, Text, escaped};

use super::Entry;
use super::columns::{Column, columns};
use crate::error::IntakeError;
use crate::name::shown;
use crate::read::read_at_most;

/// Bytes of a table: far more than any class has.
const MOST: u64 = 16 << 20;
/// Bytes of a cell.
const LONGEST: usize = 500;

/// What is wrong, and in which line.
type Wrong = (Option<u64>, Text);

/// A line, from 1, and its cells.
type Row = (u64, Vec<String>);

pub(super) fn entries(path: &Path) -> Result<Vec<Entry>, IntakeError> {
    let wrong = |(line, reason): Wrong| IntakeError::Roster {
        path: shown(path.as_os_str()),
        line,
        reason,
    };
    let bytes = read_at_most(path, MOST)
        .map_err(|error| IntakeError::of(path, error))?
        .ok_or_else(|| {
            let most = Bytes(MOST);
            let reason = Text::new(format!("larger than {most}"), format!("大于 {most}"));
            wrong((None, reason))
        })?;
    parse(&bytes).map_err(wrong)
}

fn parse(bytes: &[u8]) -> Result<Vec<Entry>, Wrong> {
    let text = decode(bytes)?;
    let rows = rows(&text)?;
    let Some((header_line, header)) = rows.first() else {
        return Err((None, Text::new("it is empty", "文件是空的")));
    };
    let Some(columns) = columns(header) else {
        if header.len() > 1 {
            let reason = Text::new(
                "no column has a name that is known, such as `id`, `name`, `email`, `login`",
                "没有可识别的列名，例如 `学号`、`姓名`、`邮箱`、`用户名`",
            );
            return Err((Some(*header_line), reason));
        }
        return collect(&rows, &[Some(Column::Id)]);
    };
    collect(&rows[1..], &columns)
}

/// The text in whichever encoding it is.
fn decode(bytes: &[u8]) -> Result<String, Wrong> {
    let (text, is_broken) = if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        encoding.decode_with_bom_removal(bytes)
    } else if let Ok(text) = str::from_utf8(bytes) {
        (text.into(), false)
    } else {
        GBK.decode_without_bom_handling(bytes)
    };
    if is_broken {
        let reason = Text::new("it is neither UTF-8 nor GBK", "编码既不是 UTF-8 也不是 GBK");
        return Err((None, reason));
    }
    Ok(text.into_owned())
}

/// All lines that hold something.
fn rows(text: &str) -> Result<Vec<Row>, Wrong> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter(text))
        .from_reader(text.as_bytes());
    let mut rows: Vec<Row> = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| {
            let line = error.position().map(csv::Position::line);
            (line, Text::plain(error.to_string()))
        })?;
        let line = record
            .position()
            .map_or(0, |position| line_of(text, position));
        let mut cells = Vec::new();
        for cell in &record {
            if cell.contains('\n') || cell.len() > LONGEST {
                let reason = Text::new(
                    "a cell is too long, or holds a line break: is a quote not closed?",
                    "单元格过长或含有换行：是否缺少引号？",
                );
                return Err((Some(line), reason));
            }
            cells.push(escaped(cell.trim().as_bytes()));
        }
        let expected = rows.first().map_or(cells.len(), |(_, header)| header.len());
        if cells.iter().skip(expected).any(|cell| !cell.is_empty()) {
            let found = cells.len();
            let reason = Text::new(
                format!("{found} values, but the first line has {expected}"),
                format!("有 {found} 个值，而首行有 {expected} 个"),
            );
            return Err((Some(line), reason));
        }
        if cells.iter().any(|cell| !cell.is_empty()) {
            rows.push((line, cells));
        }
    }
    Ok(rows)
}

/// What the first line has most of; a comma where it has nothing.
fn delimiter(text: &str) -> u8 {
    let first = text.lines().find(|line| !line.trim().is_empty());
    let count = |byte: u8| {
        first
            .unwrap_or_default()
            .bytes()
            .filter(|&b| b == byte)
            .count()
    };
    *b"\t;,"
        .iter()
        .max_by_key(|&&byte| count(byte))
        .unwrap_or(&b',')
}

/// The line in which a record begins: its position is where the reader began to look, before empty lines.
fn line_of(text: &str, position: &csv::Position) -> u64 {
    let at = (position.byte() as usize).min(text.len());
    let empty = text.as_bytes()[at..]
        .iter()
        .take_while(|byte| matches!(byte, b'\n' | b'\r'));
    position.line() + empty.filter(|&&byte| byte == b'\n').count() as u64
}

fn collect(rows: &[Row], columns: &[Option<Column>]) -> Result<Vec<Entry>, Wrong> {
    let mut entries = Vec::new();
    let mut lines: HashMap<String, u64> = HashMap::new();
    let has = |column: Column| columns.contains(&Some(column));
    let is_gradebook = has(Column::Canvas) && has(Column::Name);
    let is_worksheet = is_worksheet(rows, columns);
    for (line, cells) in rows {
        let cell = |wanted: Column| {
            let mut pairs = columns.iter().zip(cells);
            pairs
                .find(|(column, cell)| **column == Some(wanted) && !cell.is_empty())
                .map(|(_, cell)| cell.clone())
        };
        let is_student = cell(Column::Role)
            .is_none_or(|role| ["student", "学生", "學生"].contains(&role.to_lowercase().as_str()));
        // Between header and students a gradebook has lines of nobody.
        let is_nobody = is_gradebook && cell(Column::Canvas).is_none();
        if !is_student || is_nobody {
            continue;
        }
        let (mut id, mut moodle) = (cell(Column::Id), cell(Column::Moodle));
        if is_worksheet {
            moodle = moodle.or(id.take());
        }
        let joined = || match (cell(Column::FirstName), cell(Column::LastName)) {
            (Some(first), Some(last)) => Some(format!("{first} {last}")),
            (first, last) => first.or(last),
        };
        let systems = [
            (System::Login, cell(Column::Login)),
            (System::Sis, cell(Column::Sis)),
            (System::Github, cell(Column::Github)),
            (System::Moodle, moodle.map(|text| number_in(&text))),
            (System::Canvas, cell(Column::Canvas)),
        ];
        let systems = systems.into_iter();
        let person = Person {
            name: cell(Column::Name).or_else(joined),
            email: cell(Column::Email),
            ids: systems
                .filter_map(|(system, id)| Some((system, id?)))
                .collect(),
        };
        let id = id.or_else(|| usual(&person)).ok_or_else(|| {
            let reason = Text::new("it tells no id and no name", "没有学号或姓名");
            (Some(*line), reason)
        })?;
        if let Some(first) = lines.insert(id.clone(), *line) {
            let reason = Text::new(
                format!("`{id}` is in line {first} already"),
                format!("`{id}` 已在第 {first} 行出现"),
            );
            return Err((Some(*line), reason));
        }
        entries.push(Entry {
            line: *line,
            id,
            person,
        });
    }
    if entries.is_empty() {
        return Err((None, Text::new("it lists no students", "名单中没有学生")));
    }
    Ok(entries)
}

/// Whether what looks like ids is `Participant 12345`, as in a grading worksheet of Moodle.
fn is_worksheet(rows: &[Row], columns: &[Option<Column>]) -> bool {
    let has = |column: Column| columns.contains(&Some(column));
    let place = columns
        .iter()
        .position(|&column| column == Some(Column::Id));
    let is_participant = |cell: &String| cell.contains(' ') && number_in(cell) != *cell;
    let is_worksheet = |at| {
        let mut cells = rows.iter().filter_map(|(_, cells): &Row| cells.get(at));
        cells.all(is_participant)
    };
    (has(Column::Name) || has(Column::Email)) && place.is_some_and(is_worksheet)
}

/// The digits at the end of a text; all of it where there are none.
fn number_in(text: &str) -> String {
    let stem = text.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = &text[stem.len()..];
    if number.is_empty() { text } else { number }.to_owned()
}

/// What someone without an id is called.
fn usual(person: &Person) -> Option<String> {
    let at = |system| person.ids.get(&system).map(String::as_str);
    let local = person.email.as_deref().and_then(|e| e.split('@').next());
    let known = [
        at(System::Login),
        at(System::Sis),
        local,
        at(System::Github),
        person.name.as_deref(),
        at(System::Moodle),
        at(System::Canvas),
    ];
    let mut known = known.into_iter().flatten();
    known.find(|id| !id.is_empty()).map(str::to_owned)
}

#[cfg(test)]
mod tests;

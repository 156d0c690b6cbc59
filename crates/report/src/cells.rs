//! Where the cells of somebody else's table are, byte for byte, so that one can be changed and nothing else.
//!
//! The tables are those of RFC 4180 and of the programs that keep to it loosely: the delimiter is a comma, a semicolon
//! or a tab; lines end with CRLF, LF or CR, mixed too; a cell whose first byte is a quote ends with the next quote
//! that is not doubled, and what stands between that and the delimiter belongs to it as it is. A byte order mark is
//! kept. The bytes must be UTF-8: nothing is recoded, because then nothing would be where it was.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use crate::fill::FillError;

const BOM: char = '\u{feff}';

/// Delimiters, the most usual first.
const DELIMITERS: [u8; 3] = [b',', b';', b'\t'];

/// A table as it stands in a file.
#[derive(Debug)]
pub(crate) struct Sheet<'a> {
    text: &'a str,
    delimiter: u8,
    rows: Vec<Row>,
}

/// A row that is not blank.
#[derive(Debug, PartialEq, Eq)]
struct Row {
    /// The line on which it begins, from 1.
    line: usize,
    cells: Vec<Range<usize>>,
}

/// New contents of cells, by row and column from 0. Row 0 is the head of the table.
pub(crate) type Edits = BTreeMap<(usize, usize), String>;

impl<'a> Sheet<'a> {
    /// Locates the cells. The delimiter is the one by which the first row has the most cells that are known heads of
    /// columns, then the most cells.
    ///
    /// # Errors
    /// When the bytes are not UTF-8, a quote is not closed, or there is nothing but blank lines.
    pub(crate) fn read(bytes: &'a [u8], known: impl Fn(&str) -> bool) -> Result<Self, FillError> {
        let text = utf8(bytes)?;
        let mut best: Option<(usize, usize, u8)> = None;
        for delimiter in DELIMITERS {
            let head = locate(text, delimiter, 1).unwrap_or_default();
            let cells = head.first().map_or(&[][..], |row| &row.cells);
            let recognised = cells
                .iter()
                .filter(|span| known(value(&text[(*span).clone()]).trim()))
                .count();
            if best.is_none_or(|(most, width, _)| (recognised, cells.len()) > (most, width)) {
                best = Some((recognised, cells.len(), delimiter));
            }
        }
        let delimiter = best.map_or(b',', |(_, _, delimiter)| delimiter);
        let rows = locate(text, delimiter, usize::MAX)?;
        if rows.is_empty() {
            return Err(FillError::Empty);
        }
        Ok(Self {
            text,
            delimiter,
            rows,
        })
    }

    /// Number of rows that are not blank, with the head.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The line on which a row begins, from 1.
    pub(crate) fn line(&self, row: usize) -> usize {
        self.rows[row].line
    }

    /// The content of a cell; nothing where the row ends before it.
    pub(crate) fn cell(&self, row: usize, column: usize) -> Option<Cow<'a, str>> {
        let span = self.rows.get(row)?.cells.get(column)?;
        Some(value(&self.text[span.clone()]))
    }

    /// The content of a cell without the blanks around it, empty where there is none.
    pub(crate) fn trimmed(&self, row: usize, column: usize) -> String {
        let cell = self.cell(row, column).unwrap_or_default();
        cell.trim().to_owned()
    }

    /// The heads of the columns.
    pub(crate) fn heads(&self) -> Vec<String> {
        let columns = self.rows.first().map_or(0, |row| row.cells.len());
        (0..columns).map(|column| self.trimmed(0, column)).collect()
    }

    /// The same file with these cells changed and every other byte as it was. Cells that are not there are passed over.
    pub(crate) fn edited(&self, edits: &Edits) -> Vec<u8> {
        let mut out = String::with_capacity(self.text.len());
        let mut at = 0;
        // The keys are in the order of the file.
        for ((row, column), new) in edits {
            let Some(span) = self.rows.get(*row).and_then(|row| row.cells.get(*column)) else {
                continue;
            };
            out.push_str(&self.text[at..span.start]);
            let quoted = self.text[span.clone()].starts_with('"');
            self.push_cell(&mut out, new, quoted);
            at = span.end;
        }
        out.push_str(&self.text[at..]);
        out.into_bytes()
    }

    /// Writes a cell, quoted where it must be or the old one was.
    fn push_cell(&self, out: &mut String, value: &str, quoted: bool) {
        let special = |c: char| matches!(c, '"' | '\n' | '\r') || c == char::from(self.delimiter);
        if quoted || value.contains(special) || value != value.trim() {
            out.push('"');
            out.push_str(&value.replace('"', "\"\""));
            out.push('"');
        } else {
            out.push_str(value);
        }
    }
}

/// The bytes as text.
fn utf8(bytes: &[u8]) -> Result<&str, FillError> {
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Err(FillError::Utf16);
    }
    std::str::from_utf8(bytes).map_err(|error| {
        let before = &bytes[..error.valid_up_to()];
        FillError::NotUtf8 {
            line: 1 + line_ends(before),
        }
    })
}

/// The first `most` rows that are not blank.
fn locate(text: &str, delimiter: u8, most: usize) -> Result<Vec<Row>, FillError> {
    let bytes = text.as_bytes();
    let mut rows = Vec::new();
    let mut at = if text.starts_with(BOM) {
        BOM.len_utf8()
    } else {
        0
    };
    let mut line = 1;
    while at < bytes.len() && rows.len() < most {
        let mut row = Row {
            line,
            cells: Vec::new(),
        };
        loop {
            let start = at;
            at = cell_end(bytes, at, delimiter).ok_or(FillError::OpenQuote { line: row.line })?;
            line += line_ends(&bytes[start..at]);
            row.cells.push(start..at);
            match bytes.get(at) {
                Some(byte) if *byte == delimiter => at += 1,
                Some(_) | None => break,
            }
        }
        if at < bytes.len() {
            at += if bytes[at..].starts_with(b"\r\n") {
                2
            } else {
                1
            };
            line += 1;
        }
        let blank = |span: &Range<usize>| value(&text[span.clone()]).trim().is_empty();
        if !row.cells.iter().all(blank) {
            rows.push(row);
        }
    }
    Ok(rows)
}

/// Where the cell that begins at `at` ends; nothing where its quote is not closed.
fn cell_end(bytes: &[u8], mut at: usize, delimiter: u8) -> Option<usize> {
    if bytes.get(at) == Some(&b'"') {
        at += 1;
        loop {
            match (bytes.get(at)?, bytes.get(at + 1)) {
                (b'"', Some(b'"')) => at += 2,
                (b'"', _) => break,
                (_, _) => at += 1,
            }
        }
        at += 1;
    }
    let ends = |byte: &u8| *byte == delimiter || matches!(byte, b'\n' | b'\r');
    let rest = bytes[at..].iter().position(ends);
    Some(rest.map_or(bytes.len(), |rest| at + rest))
}

/// Number of line ends: CRLF, LF and CR each count once.
fn line_ends(bytes: &[u8]) -> usize {
    let ends = |at: &usize| match bytes[*at] {
        b'\n' => true,
        b'\r' => bytes.get(at + 1) != Some(&b'\n'),
        _ => false,
    };
    (0..bytes.len()).filter(ends).count()
}

/// What a cell says.
fn value(cell: &str) -> Cow<'_, str> {
    let Some(quoted) = cell.strip_prefix('"') else {
        return Cow::Borrowed(cell);
    };
    let mut value = String::with_capacity(quoted.len());
    let mut rest = quoted;
    loop {
        let Some(quote) = rest.find('"') else {
            value.push_str(rest);
            return Cow::Owned(value);
        };
        value.push_str(&rest[..quote]);
        rest = &rest[quote + 1..];
        let Some(doubled) = rest.strip_prefix('"') else {
            value.push_str(rest);
            return Cow::Owned(value);
        };
        value.push('"');
        rest = doubled;
    }
}

#[cfg(test)]
mod tests;

//! Tables of other programs: rosters and gradebooks.
//!
//! They are separated by commas, semicolons or tabs, in UTF-8, UTF-16 or GBK. A table is written in UTF-8 with the delimiter
//! and line ends that it had. Cells that are not ours keep their text, though not their quotes.

use csv::{ReaderBuilder, Terminator, WriterBuilder};
use encoding_rs::{Encoding, GBK};

use crate::headings;

const BOM: char = '\u{feff}';

/// Delimiters, the most usual first.
const DELIMITERS: [u8; 3] = [b',', b';', b'\t'];

/// A table, without its blank rows.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    rows: Vec<Row>,
    delimiter: u8,
    has_bom: bool,
    has_crlf: bool,
}

/// A row that is not blank.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// The line on which it begins, from 1.
    pub(crate) line: usize,
    pub(crate) cells: Vec<String>,
}

/// Why a file is no table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    /// Its bytes are no text.
    #[error("the table is not in UTF-8, UTF-16 or GBK")]
    Encoding,
    /// A quoted cell does not end.
    #[error("the row on line {line} has a quote that is not closed")]
    OpenQuote {
        /// The line on which the row begins, from 1.
        line: usize,
    },
    /// It has no rows.
    #[error("the table is empty")]
    Empty,
}

impl Table {
    /// Reads a table. The delimiter is the one by which the first row has the most known headings, then the most cells;
    /// `named` are headings that the user gave.
    pub(crate) fn read(bytes: &[u8], named: &[&str]) -> Result<Self, TableError> {
        let text = decode(bytes)?;
        let body = text.strip_prefix(BOM).unwrap_or(&text);
        let is_known =
            |head: &&String| headings::column(head).is_some() || named.contains(&head.trim());
        let width = |delimiter: u8| {
            let rows = rows(body, delimiter, 1).unwrap_or_default();
            let heads = rows.first().map_or(&[][..], |row| &row.cells);
            (heads.iter().filter(is_known).count(), heads.len())
        };
        // The first of those that are equally good.
        let best = DELIMITERS.into_iter().rev().max_by_key(|it| width(*it));
        let delimiter = best.unwrap_or(b',');
        let rows = rows(body, delimiter, usize::MAX)?;
        if rows.is_empty() {
            return Err(TableError::Empty);
        }
        Ok(Self {
            rows,
            delimiter,
            has_bom: bytes.starts_with("\u{feff}".as_bytes()),
            has_crlf: body.contains("\r\n"),
        })
    }

    pub(crate) fn rows(&self) -> &[Row] {
        &self.rows
    }

    pub(crate) const fn delimiter(&self) -> u8 {
        self.delimiter
    }

    /// The headings, without the blanks around them.
    pub(crate) fn heads(&self) -> Vec<String> {
        let cells = &self.rows[0].cells;
        cells.iter().map(|cell| cell.trim().to_owned()).collect()
    }

    /// A cell; `None` if the row ends before it.
    pub(crate) fn cell(&self, row: usize, column: usize) -> Option<&str> {
        Some(self.rows.get(row)?.cells.get(column)?)
    }

    /// A cell without the blanks around it, empty if there is none.
    pub(crate) fn trimmed(&self, row: usize, column: usize) -> &str {
        self.cell(row, column).unwrap_or_default().trim()
    }

    pub(crate) fn set(&mut self, row: usize, column: usize, text: String) {
        self.rows[row].cells[column] = text;
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        if self.has_bom {
            out.extend("\u{feff}".as_bytes());
        }
        let mut writer = WriterBuilder::new()
            .flexible(true)
            .delimiter(self.delimiter)
            .terminator(if self.has_crlf {
                Terminator::CRLF
            } else {
                Terminator::Any(b'\n')
            })
            .from_writer(out);
        for row in &self.rows {
            // Writing to a vector cannot fail.
            let _ = writer.write_record(&row.cells);
        }
        writer.into_inner().unwrap_or_default()
    }
}

/// The text in whichever encoding it is; a byte order mark of UTF-8 stays.
fn decode(bytes: &[u8]) -> Result<String, TableError> {
    let (text, is_broken) = if let Ok(text) = str::from_utf8(bytes) {
        (text.into(), false)
    } else if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        encoding.decode_with_bom_removal(bytes)
    } else {
        GBK.decode_without_bom_handling(bytes)
    };
    if is_broken {
        return Err(TableError::Encoding);
    }
    Ok(text.into_owned())
}

/// The first `most` rows that are not blank.
fn rows(text: &str, delimiter: u8, most: usize) -> Result<Vec<Row>, TableError> {
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter)
        .from_reader(text.as_bytes());
    let mut rows = Vec::new();
    for record in reader.records() {
        // The text is UTF-8, rows may have any length, and a string can always be read.
        let record = record.map_err(|_| TableError::Encoding)?;
        let at = record.position().map_or(0, |it| it.byte() as usize);
        // A position is where the reader began to look, before empty lines.
        let blank = text[at..].len() - text[at..].trim_start_matches(['\n', '\r']).len();
        let row = Row {
            line: 1 + line_ends(&text.as_bytes()[..at + blank]),
            cells: record.iter().map(str::to_owned).collect(),
        };
        let is_blank = row.cells.iter().all(|cell| cell.trim().is_empty());
        if !is_blank {
            rows.push(row);
        }
        if rows.len() == most {
            return Ok(rows);
        }
    }
    // The reader takes everything after a quote that is not closed for one cell.
    let last = rows
        .last()
        .and_then(|row| row.cells.last().map(|cell| (row.line, cell)));
    if let Some((line, cell)) = last
        && cell.contains('\n')
        && text.matches('"').count() % 2 == 1
    {
        return Err(TableError::OpenQuote { line });
    }
    Ok(rows)
}

/// Number of line ends: CRLF, LF and CR each count once.
fn line_ends(bytes: &[u8]) -> usize {
    let is_end = |at: &usize| match bytes[*at] {
        b'\n' => true,
        b'\r' => bytes.get(at + 1) != Some(&b'\n'),
        _ => false,
    };
    (0..bytes.len()).filter(is_end).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(bytes: &[u8]) -> Table {
        Table::read(bytes, &[]).unwrap()
    }

    #[test]
    fn cells_keep_their_text_whatever_ends_the_lines_and_however_they_are_quoted() {
        let text = "\u{feff}Name,Grade,\"a \"\"b\"\"\"\r\n\"Lee, Ann\",,x\n\r\n\"two\nlines\",7,z\rlast,\"\",\"\"\n,,\n\n";
        let mut table = table(text.as_bytes());
        let lines: Vec<usize> = table.rows().iter().map(|row| row.line).collect();
        assert_eq!(lines, [1, 2, 4, 6]);
        table.set(1, 1, "8,5".to_owned());
        assert_eq!(
            String::from_utf8(table.to_bytes()).unwrap(),
            "\u{feff}Name,Grade,\"a \"\"b\"\"\"\r\n\"Lee, Ann\",\"8,5\",x\r\n\"two\nlines\",7,z\r\nlast,,\r\n"
        );
    }

    #[test]
    fn the_delimiter_is_the_one_that_shows_known_headings() {
        for (text, heads) in [
            ("a,b;Grade\n", &["a,b", "Grade"][..]),
            ("a;b,Grade\n", &["a;b", "Grade"]),
            ("a\tGrade\n", &["a", "Grade"]),
            ("Grade", &["Grade"]),
            ("a;b,c;d", &["a", "b,c", "d"]),
        ] {
            assert_eq!(table(text.as_bytes()).heads(), heads, "{text}");
        }
    }

    #[test]
    fn every_usual_encoding_is_read_and_utf_8_is_written() {
        let text = "学号\t姓名\n01\t张三\n";
        let utf16: Vec<u8> = format!("\u{feff}{text}")
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        for bytes in [text.as_bytes(), &GBK.encode(text).0, &utf16] {
            assert_eq!(table(bytes).to_bytes(), text.as_bytes());
        }
    }

    #[test]
    fn what_is_no_table_is_refused() {
        let refused = |bytes: &[u8]| Table::read(bytes, &[]).unwrap_err();
        assert_eq!(refused(b"id\n\xff\xff\xff\n"), TableError::Encoding);
        assert_eq!(
            refused(b"a,b\n\nc,\"d\n\n"),
            TableError::OpenQuote { line: 3 }
        );
        assert_eq!(refused(b"\n\r\n\"\"\n"), TableError::Empty);
        assert_eq!(refused("\u{feff}".as_bytes()), TableError::Empty);
    }
}

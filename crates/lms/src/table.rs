//! Tables of other programs: rosters and gradebooks.
//!
//! They are separated by commas, semicolons or tabs, in UTF-8, UTF-16, or for certain in GBK or Windows-1252. A table is written in UTF-8 with the delimiter
//! and line ends that it had. Cells that are not ours keep their text, though not their quotes.

use csv::{ReaderBuilder, Terminator, WriterBuilder};
use encoding_rs::{Encoding, GBK, UTF_8, WINDOWS_1252};
use grader_model::{Guess, Text, guess};

const BOM: &str = "\u{feff}";

/// How workbooks of spreadsheet programs begin: as archives, and in an old format.
const WORKBOOKS: [&[u8]; 2] = [b"PK\x03\x04", b"\xd0\xcf\x11\xe0"];

const UNCLEAR: &str = "the table is not in UTF-8, and its encoding is not certain: open it in a spreadsheet program, check the names, \
                       and save it as CSV UTF-8";

/// Delimiters, the most usual last.
const DELIMITERS: [u8; 3] = [b'\t', b';', b','];

/// A table, without its blank rows.
#[derive(Clone, Debug)]
pub struct Table {
    /// The rows, headings first; there is one at least.
    pub rows: Vec<Row>,
    delimiter: u8,
    has_bom: bool,
    has_crlf: bool,
    /// Whether a line above the headings names the delimiter, for Excel.
    has_sep: bool,
    /// The encoding that was guessed.
    guessed: Option<&'static str>,
}

/// A row that is not blank, with at least as many cells as the first.
#[derive(Clone, Debug)]
pub struct Row {
    /// The line on which it begins, from 1.
    pub line: u64,
    /// Its cells.
    pub cells: Vec<String>,
}

/// Why a roster or gradebook cannot be used, in a sentence for its owner.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct TableError(pub(crate) String);

impl TableError {
    pub(crate) fn on_line(line: u64, reason: &str) -> Self {
        Self(format!("line {line}: {reason}"))
    }
}

impl Table {
    /// Reads a table. The delimiter is the one that the first row has most of.
    ///
    /// # Errors
    /// If it is not text, or has no rows.
    pub fn read(bytes: &[u8]) -> Result<Self, TableError> {
        if WORKBOOKS.iter().any(|begins| bytes.starts_with(begins)) {
            let reason = "this is an Excel workbook: save it as CSV UTF-8";
            return Err(TableError(reason.to_owned()));
        }
        // A byte order mark decides before that, and is dropped.
        let usual = match str::from_utf8(bytes) {
            Ok(_) => UTF_8,
            Err(_) if has_mark(bytes) => UTF_8,
            Err(_) => legacy(bytes)?,
        };
        let (text, encoding, is_broken) = usual.decode(bytes);
        if is_broken {
            return Err(TableError(UNCLEAR.to_owned()));
        }
        let mut lines = text.lines().filter(|line| !line.trim().is_empty());
        let first = lines.next().unwrap_or_default();
        let count = |delimiter: &u8| first.matches(char::from(*delimiter)).count();
        let most = DELIMITERS.into_iter().max_by_key(count).unwrap_or(b',');
        let sep = sep(first);
        let delimiter = sep.unwrap_or(most);
        let is_guessed = encoding == GBK || encoding == WINDOWS_1252;
        Ok(Self {
            rows: rows(&text, delimiter, sep.is_some())?,
            delimiter,
            has_sep: sep.is_some(),
            guessed: is_guessed.then(|| {
                if encoding == GBK {
                    "GBK"
                } else {
                    "Windows-1252"
                }
            }),
            has_bom: bytes.starts_with(BOM.as_bytes()),
            has_crlf: text.contains("\r\n"),
        })
    }

    /// The sign before decimals: spreadsheets that use commas there separate cells with semicolons.
    pub const fn decimal_sign(&self) -> &'static str {
        if self.delimiter == b';' { "," } else { "." }
    }

    /// What to tell about an encoding that was guessed. `what` is the table.
    pub fn note(&self, what: &Text) -> Option<Text> {
        let guessed = self.guessed?;
        let Text { en, zh } = what;
        Some(Text::new(
            format!("{en} is not in UTF-8 and was read as {guessed}: check the names"),
            format!("{zh}不是 UTF-8，已按 {guessed} 读取，请检查姓名"),
        ))
    }

    /// The headings, without the blanks around them.
    pub fn heads(&self) -> Vec<String> {
        let cells = &self.rows[0].cells;
        cells.iter().map(|cell| cell.trim().to_owned()).collect()
    }

    /// A cell below a heading.
    pub(crate) fn cell(&self, row: usize, column: usize) -> &str {
        &self.rows[row].cells[column]
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let terminator = if self.has_crlf {
            Terminator::CRLF
        } else {
            Terminator::Any(b'\n')
        };
        let end = if self.has_crlf { "\r\n" } else { "\n" };
        let sep = format!("sep={}{end}", char::from(self.delimiter));
        let bom = if self.has_bom { BOM } else { "" };
        let begin = format!("{bom}{}", if self.has_sep { &sep } else { "" });
        let mut writer = WriterBuilder::new()
            .flexible(true)
            .delimiter(self.delimiter)
            .terminator(terminator)
            .from_writer(begin.into_bytes());
        for row in &self.rows {
            // Writing to a vector cannot fail.
            let _ = writer.write_record(&row.cells);
        }
        writer.into_inner().unwrap_or_default()
    }
}

fn has_mark(bytes: &[u8]) -> bool {
    Encoding::for_bom(bytes).is_some()
}

/// The encoding of a table that is not in UTF-8.
fn legacy(bytes: &[u8]) -> Result<&'static Encoding, TableError> {
    match guess(bytes) {
        Guess::Gbk => Ok(GBK),
        Guess::Windows1252 => Ok(WINDOWS_1252),
        Guess::Unclear => Err(TableError(UNCLEAR.to_owned())),
    }
}

/// The delimiter that a line `sep=;` names.
fn sep(line: &str) -> Option<u8> {
    let line = line.trim_start_matches(BOM).trim_end().trim_matches('"');
    let named = line.to_ascii_lowercase();
    let named = named.strip_prefix("sep=")?.as_bytes().to_vec();
    <[u8; 1]>::try_from(named).ok().map(|[delimiter]| delimiter)
}

/// The rows that are not blank; there is one at least. The first is left out if it only names the delimiter.
fn rows(text: &str, delimiter: u8, has_sep: bool) -> Result<Vec<Row>, TableError> {
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter)
        .from_reader(text.as_bytes());
    let mut rows: Vec<Row> = Vec::new();
    let mut is_passed = !has_sep;
    for record in reader.records() {
        let record = record.map_err(|error| TableError(error.to_string()))?;
        let mut cells: Vec<String> = record.iter().map(str::to_owned).collect();
        if cells.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        if !std::mem::replace(&mut is_passed, true) {
            continue;
        }
        let width = rows.first().map_or(0, |row| row.cells.len());
        cells.resize(cells.len().max(width), String::new());
        let line = record.position().map_or(1, |position| {
            // A position is where the reader began to look, before empty lines.
            let rest = text[position.byte() as usize..].bytes();
            let blank = rest.take_while(|byte| matches!(byte, b'\n' | b'\r'));
            position.line() + blank.filter(|byte| *byte == b'\n').count() as u64
        });
        rows.push(Row { line, cells });
    }
    // The reader takes everything after a quote that is not closed for one cell.
    match rows.last() {
        None => Err(TableError("the table is empty".to_owned())),
        Some(Row { line, cells })
            if cells.iter().any(|cell| cell.contains('\n'))
                && text.matches('"').count() % 2 == 1 =>
        {
            Err(TableError::on_line(*line, "a quote is not closed"))
        }
        Some(_) => Ok(rows),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(bytes: &[u8]) -> Table {
        Table::read(bytes).unwrap()
    }

    #[test]
    fn cells_keep_their_text_whatever_ends_the_lines_and_however_they_are_quoted() {
        let text = "\u{feff}Name,Grade,\"a \"\"b\"\"\"\r\n\"Lee, Ann\",,x\n\r\n\"two\nlines\",7\r\nlast,\"\",\"\"\n,,\n\n";
        let mut table = table(text.as_bytes());
        let lines: Vec<u64> = table.rows.iter().map(|row| row.line).collect();
        assert_eq!(lines, [1, 2, 4, 6]);
        table.rows[1].cells[1] = "8,5".to_owned();
        assert_eq!(
            String::from_utf8(table.to_bytes()).unwrap(),
            "\u{feff}Name,Grade,\"a \"\"b\"\"\"\r\n\"Lee, Ann\",\"8,5\",x\r\n\"two\nlines\",7,\r\nlast,,\r\n"
        );
    }

    #[test]
    fn a_line_that_names_the_delimiter_stays_above_the_headings() {
        for text in [
            "sep=|\nid|a;b\n1|x\n",
            "\u{feff}sep=;\r\nid;name\r\n1;Ada\r\n",
        ] {
            let table = table(text.as_bytes());
            assert_eq!((table.heads()[0].as_str(), table.rows[0].line), ("id", 2));
            assert_eq!(String::from_utf8(table.to_bytes()).unwrap(), text);
        }
    }

    #[test]
    fn a_western_table_keeps_its_names_and_says_how_it_was_read() {
        let text = "Student,ID,HW\n\"Müller, Ann\",1,\n\"Jörg, Bob\",2,\nSüd,3,\n";
        let (western, _, _) = WINDOWS_1252.encode(text);
        let table = table(&western);
        assert_eq!(String::from_utf8(table.to_bytes()).unwrap(), text);
        let what = Text::plain("it");
        let note = "it is not in UTF-8 and was read as Windows-1252: check the names";
        assert_eq!(table.note(&what).unwrap().en, note);
        assert_eq!(self::table(text.as_bytes()).note(&what), None);
    }

    #[test]
    fn the_delimiter_is_the_one_that_the_first_row_has_most_of() {
        for (text, heads) in [
            ("\n\na;b,c;d\n", &["a", "b,c", "d"][..]),
            ("a,b;c\n", &["a", "b;c"]),
            ("a\tGrade\n", &["a", "Grade"]),
            ("Grade", &["Grade"]),
        ] {
            assert_eq!(table(text.as_bytes()).heads(), heads, "{text}");
        }
    }

    #[test]
    fn every_usual_encoding_is_read_and_utf_8_is_written() {
        let text = "学号\t姓名\n01\t张三\n";
        let utf16: Vec<u8> = format!("{BOM}{text}")
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        for bytes in [text.as_bytes(), &GBK.encode(text).0, &utf16] {
            assert_eq!(table(bytes).to_bytes(), text.as_bytes());
        }
    }

    #[test]
    fn what_is_no_table_is_refused() {
        for (bytes, reason) in [
            (&b"id\n\xff\xff\xff\xff\n"[..], UNCLEAR),
            (b"a,b\n\nc,\"d\n\n", "line 3: a quote is not closed"),
            (b"\n\r\n\"\"\n", "the table is empty"),
            (BOM.as_bytes(), "the table is empty"),
            (b"id,name\n1,B\xb3a\xbfej\n", UNCLEAR),
            (
                b"PK\x03\x04\x14",
                "this is an Excel workbook: save it as CSV UTF-8",
            ),
            (
                b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
                "this is an Excel workbook: save it as CSV UTF-8",
            ),
        ] {
            assert_eq!(Table::read(bytes).unwrap_err().to_string(), reason);
        }
    }
}

use proptest::prelude::*;

use super::*;

fn read(text: &str) -> Sheet<'_> {
    Sheet::read(text.as_bytes(), |head| head == "Grade").unwrap()
}

fn table(sheet: &Sheet<'_>) -> Vec<Vec<String>> {
    (0..sheet.len())
        .map(|row| {
            (0..)
                .map_while(|column| sheet.cell(row, column))
                .map(Cow::into_owned)
                .collect()
        })
        .collect()
}

const AWKWARD: &str = "\u{feff}Name,Grade,\"a \"\"b\"\"\"\r\n\"Lee, Ann\",,x\n\r\n\"two\nlines\r\nmore\",7,\"q\"z\rlast,\"\",\"\"\n,,\n\n";

#[test]
fn cells_are_found_whatever_ends_the_lines_and_however_they_are_quoted() {
    let sheet = read(AWKWARD);
    assert_eq!(
        table(&sheet),
        [
            ["Name", "Grade", "a \"b\""],
            ["Lee, Ann", "", "x"],
            ["two\nlines\r\nmore", "7", "qz"],
            ["last", "", ""],
        ]
    );
    let lines: Vec<usize> = (0..sheet.len()).map(|row| sheet.line(row)).collect();
    assert_eq!(lines, [1, 2, 4, 7]);
}

#[test]
fn only_the_edited_cells_change() {
    let sheet = read(AWKWARD);
    let edits = [
        ((1, 1), "8,5".to_owned()),
        ((2, 1), "9".to_owned()),
        ((3, 1), "a \"b\"".to_owned()),
        ((3, 7), "not there".to_owned()),
    ];
    assert_eq!(
        String::from_utf8(sheet.edited(&edits.into())).unwrap(),
        "\u{feff}Name,Grade,\"a \"\"b\"\"\"\r\n\"Lee, Ann\",\"8,5\",x\n\r\n\"two\nlines\r\nmore\",9,\"q\"z\rlast,\"a \"\"b\"\"\",\"\"\n,,\n\n"
    );
    assert_eq!(sheet.edited(&Edits::new()), AWKWARD.as_bytes());
}

#[test]
fn the_delimiter_is_the_one_that_shows_known_heads() {
    let heads = |text| read(text).heads();
    assert_eq!(heads("a,b;Grade\n"), ["a,b", "Grade"]);
    assert_eq!(heads("a;b,Grade\n"), ["a;b", "Grade"]);
    assert_eq!(heads("a\tGrade\n"), ["a", "Grade"]);
    assert_eq!(heads("Grade"), ["Grade"]);
    assert_eq!(heads("a;b,c;d"), ["a", "b,c", "d"]);
}

#[test]
fn what_is_no_table_in_utf_8_says_so() {
    let refused = |bytes: &[u8]| Sheet::read(bytes, |_| false).unwrap_err();
    assert_eq!(refused(b"\xff\xfeG\0"), FillError::Utf16);
    assert_eq!(
        refused(b"a\r\n\"\r\n\",b\n\xc4\xe3"),
        FillError::NotUtf8 { line: 4 }
    );
    assert_eq!(
        refused(b"a,b\n\nc,\"d\n\n"),
        FillError::OpenQuote { line: 3 }
    );
    assert_eq!(refused(b"\n\r\n\"\"\n"), FillError::Empty);
    assert_eq!(refused("\u{feff}".as_bytes()), FillError::Empty);
}

/// A table written by another program, and the same with one cell changed.
fn by_csv(cells: &[Vec<String>], delimiter: u8, crlf: bool, always: bool) -> Vec<u8> {
    let mut writer = ::csv::WriterBuilder::new()
        .delimiter(delimiter)
        .quote_style(if always {
            ::csv::QuoteStyle::Always
        } else {
            ::csv::QuoteStyle::Necessary
        })
        .terminator(if crlf {
            ::csv::Terminator::CRLF
        } else {
            ::csv::Terminator::Any(b'\n')
        })
        .from_writer(Vec::new());
    for row in cells {
        writer.write_record(row).unwrap();
    }
    writer.into_inner().unwrap()
}

fn from_csv(bytes: &[u8], delimiter: u8) -> Vec<Vec<String>> {
    ::csv::ReaderBuilder::new()
        .has_headers(false)
        .delimiter(delimiter)
        .from_reader(bytes)
        .records()
        .map(|row| row.unwrap().iter().map(str::to_owned).collect())
        .collect()
}

proptest! {
    #[test]
    fn contents_survive_whatever_is_in_them(
        rows in prop::collection::vec(prop::collection::vec("[a\"=,;\t\r\n 皇\\PC]{0,6}", 3), 1..5),
        delimiter in prop::sample::select(&DELIMITERS[..]),
        crlf: bool, always: bool,
        at in (0usize..5, 1usize..4), new in "[a\"=,;\t\r\n 皇\\PC]{0,6}",
    ) {
        let mut cells = vec![["k", "Grade", "x", "y"].map(str::to_owned).to_vec()];
        cells.extend(rows.into_iter().map(|row| [vec!["k".to_owned()], row].concat()));
        let bytes = by_csv(&cells, delimiter, crlf, always);
        let sheet = Sheet::read(&bytes, |head| head == "Grade").unwrap();
        prop_assert_eq!(table(&sheet), cells.clone());
        prop_assert_eq!(sheet.edited(&Edits::new()), bytes.clone());
        let row = at.0 % cells.len();
        // Of another file all but one cell stays as it is: before it, and behind it.
        let edited = sheet.edited(&[((row, at.1), new.clone())].into());
        let span = sheet.rows[row].cells[at.1].clone();
        prop_assert_eq!(&edited[..span.start], &bytes[..span.start]);
        prop_assert!(edited.ends_with(&bytes[span.end..]));
        cells[row][at.1] = new;
        prop_assert_eq!(from_csv(&edited, delimiter), cells);
    }

    #[test]
    fn no_bytes_at_all_are_changed_without_an_edit(bytes: Vec<u8>, text in "[a\",;\r\n]{0,40}") {
        for bytes in [bytes, text.into_bytes()] {
            if let Ok(sheet) = Sheet::read(&bytes, |_| false) {
                prop_assert_eq!(sheet.edited(&Edits::new()), bytes.clone());
            }
        }
    }
}

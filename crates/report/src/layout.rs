//! Documents as lines of text.

mod points;

use std::mem;

use crate::document::{Block, Document, Row};
use crate::style::{Style, Tone, painted, safe};
use crate::wrap::{blanks, left, whole, width, wrap};

/// The width of each column: that of its widest cell.
fn widths(rows: &[Row]) -> Vec<usize> {
    let columns = rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
    let widest = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.cells.get(column));
        cells.map(|cell| width(cell)).max().unwrap_or(0)
    };
    (0..columns).map(widest).collect()
}

/// The cells padded to the width of their columns, with two blanks after each column. Columns without text are left out.
fn padded(cells: &[String], widths: &[usize], numbers: &[usize]) -> String {
    let padded = |(column, cell): (usize, &String)| match widths[column] {
        0 => String::new(),
        most if numbers.contains(&column) => blanks(most - width(cell)) + cell + "  ",
        most => left(cell, most) + "  ",
    };
    cells.iter().enumerate().map(padded).collect()
}

/// A label and a text beside it, indented and wrapped: an item of a list for people.
pub fn item(label: &str, text: &str, style: &Style) -> String {
    indented(label, safe(text), style)
}

/// A label and the names of files beside it. No line ends within a name.
pub fn item_of_files(label: &str, names: &[String], style: &Style) -> String {
    let names: Vec<String> = names.iter().map(|it| whole(&safe(it))).collect();
    indented(label, names.join(", "), style)
}

fn indented(label: &str, words: String, style: &Style) -> String {
    let label = safe(label);
    let mut document = Document::default();
    document.under(2, Block::Item { label, words });
    document.text(style)
}

impl Document {
    /// The document without colour, in 80 columns.
    pub(crate) fn plain(&self) -> String {
        self.text(&Style::default())
    }

    /// The document as lines of at most the columns of this style, painted.
    pub(crate) fn text(&self, style: &Style) -> String {
        let mut page = Page {
            columns: style.columns(),
            text: String::new(),
            has_gap: false,
        };
        page.document(0, self);
        painted(&page.text, style.color)
    }
}

/// Lines under construction.
struct Page {
    columns: usize,
    text: String,
    /// Whether an empty line stands above the next.
    has_gap: bool,
}

impl Page {
    fn document(&mut self, indent: usize, document: &Document) {
        for block in &document.blocks {
            match block {
                Block::Gap => self.has_gap = !self.text.is_empty(),
                Block::Line(words) => self.line(indent, words),
                Block::Exact(line) => self.exact(indent, line),
                Block::Item { label, words } => self.item(indent, label, words),
                Block::Quote(text) => {
                    // Line feeds are the only breaks.
                    for line in text.split('\n') {
                        self.exact(indent, &format!("{} {}", Tone::Faint.on("│"), safe(line)));
                    }
                }
                Block::Rows { rows, numbers } => self.rows(indent, rows, numbers),
                Block::Points(points) => self.points(indent, points),
                Block::Under(columns, below) => self.document(indent + columns, below),
            }
        }
    }

    /// A line as it is, without wrapping.
    fn exact(&mut self, indent: usize, line: &str) {
        if mem::take(&mut self.has_gap) && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
        if !line.is_empty() {
            self.text.push_str(&blanks(indent));
            self.text.push_str(line.trim_end_matches(' '));
        }
        self.text.push('\n');
    }

    /// A text, wrapped.
    fn line(&mut self, indent: usize, text: &str) {
        for line in wrap(text, self.columns.saturating_sub(indent)) {
            self.exact(indent, &line);
        }
    }

    /// A label and a text beside it, wrapped beside the label; below the label if that takes more than half a line.
    fn item(&mut self, indent: usize, label: &str, text: &str) {
        let room = self.columns.saturating_sub(indent);
        let used = width(label);
        if used * 2 > room && used + width(text) > room {
            self.line(indent, label);
            self.line(indent + 4, text);
            return;
        }
        let mut label = label.to_owned();
        for line in wrap(text, room.saturating_sub(used)) {
            self.exact(indent, &format!("{label}{line}"));
            label = blanks(used);
        }
    }

    fn rows(&mut self, indent: usize, rows: &[Row], numbers: &[usize]) {
        let widths = widths(rows);
        for row in rows {
            let cells = padded(&row.cells, &widths, numbers);
            if row.words.is_empty() {
                self.exact(indent, &cells);
            } else {
                self.item(indent, &cells, &row.words);
            }
            self.document(indent + 2, &row.below);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_hangs_beside_its_label_and_below_a_long_one() {
        let style = Style {
            width: 40,
            ..Style::default()
        };
        let text = "a message that is too long for one line";
        let mut items = Document::default();
        items.item("s01  ", text);
        items.item("a-very-long-name-of-a-student  ", text);
        let mut document = Document::default();
        document.under(2, items);
        assert_eq!(
            document.text(&style),
            "  s01  a message that is too long for
       one line
  a-very-long-name-of-a-student
      a message that is too long for one
      line
"
        );
    }

    #[test]
    fn a_table_aligns_chinese_and_leaves_out_empty_columns() {
        let row = |cells: [&str; 4]| Row::of(cells.map(str::to_owned));
        let rows = [row(["李雷", "", "9", "AC"]), row(["s1", "", "10", "WA"])];
        let text = Document::of_rows(rows, &[2]).plain();
        assert_eq!(text, "李雷   9  AC\ns1    10  WA\n");
    }
}

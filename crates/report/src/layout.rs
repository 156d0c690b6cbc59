//! Padding, wrapping and tables by display width: a Chinese character takes two columns.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use crate::style::{NO_BREAK, Style, Tone, safe};

/// Number of columns a text takes.
pub(crate) fn width(text: &str) -> usize {
    text.width()
}

/// The text with blanks after it, up to `columns`.
pub(crate) fn left(text: &str, columns: usize) -> String {
    format!("{text}{}", blanks(columns.saturating_sub(width(text))))
}

/// The text, or what of it fits into `columns` with an ellipsis.
pub(crate) fn cut(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mut room = columns - 1;
    let fits = |c: &char| {
        let left = room.checked_sub(c.width().unwrap_or(0));
        room = left.unwrap_or(0);
        left.is_some()
    };
    text.chars().take_while(fits).chain(['…']).collect()
}

pub(crate) fn blanks(columns: usize) -> String {
    " ".repeat(columns)
}

/// The text as one piece that no line break divides.
pub(crate) fn whole(text: &str) -> String {
    text.replace(' ', &NO_BREAK.to_string())
}

/// Pads the cells of each row to the width of their columns, with two blanks after each column. Columns without text
/// are left out.
pub(crate) fn table(rows: &[Vec<String>], right_aligned: &[usize]) -> Vec<String> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widest = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| width(cell)).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(widest).collect();
    let padded = |(column, cell): (usize, &String)| match widths[column] {
        0 => String::new(),
        most if right_aligned.contains(&column) => blanks(most - width(cell)) + cell + "  ",
        most => left(cell, most) + "  ",
    };
    let line = |row: &Vec<String>| row.iter().enumerate().map(padded).collect();
    rows.iter().map(line).collect()
}

/// Breaks a text into lines of at most `columns`: at blanks but not between a number and its unit, between Chinese
/// characters, and inside a word only if the word alone is too long.
pub(crate) fn wrap(text: &str, columns: usize) -> Vec<String> {
    let columns = columns.max(8);
    let mut lines = Vec::new();
    let mut add = |line: &str| lines.push(line.trim_end_matches(' ').to_owned());
    // Where the line begins, and where it may end: before the mark of a tone, which goes with the word that it colours.
    let (mut start, mut end, mut opened) = (0, 0, None);
    let (mut before, mut last) = (' ', ' ');
    for (at, c) in text.char_indices() {
        if Tone::opens(c) {
            opened.get_or_insert(at);
        }
        if Tone::is_mark(c) {
            continue;
        }
        let here = opened.take().unwrap_or(at);
        let is_unit = last.is_ascii_digit() && (c == '%' || c.is_alphabetic());
        if may_break(before, c) && !(before == ' ' && is_unit) {
            end = here;
        }
        while c != ' ' && width(&text[start..at + c.len_utf8()]) > columns {
            end = if end > start { end } else { here };
            add(&text[start..end]);
            start = end;
        }
        before = c;
        last = if c == ' ' { last } else { c };
    }
    add(&text[start..]);
    lines
}

/// Whether a line may end between these characters.
fn may_break(before: char, after: char) -> bool {
    let is_wide = |c: char| c.width() == Some(2);
    if before == ' ' || after == ' ' {
        return after != ' ';
    }
    (is_wide(before) || is_wide(after))
        && before != NO_BREAK
        && after != NO_BREAK
        && !"（「『《“‘(".contains(before)
        && !"，。、；：！？）」』》”’),.;:".contains(after)
        // It may close, but not behind these.
        && (after != '`' || "，、；：".contains(before))
}

/// A label and a text beside it, indented and wrapped: an item of a list for people.
pub fn item(label: &str, text: &str, style: &Style) -> String {
    hanging(label, &safe(text), style)
}

/// A label and the names of files beside it. No line ends within a name.
pub fn item_of_files(label: &str, names: &[String], style: &Style) -> String {
    let names: Vec<String> = names.iter().map(|it| whole(&safe(it))).collect();
    hanging(label, &names.join(", "), style)
}

fn hanging(label: &str, text: &str, style: &Style) -> String {
    let mut page = Page::new(style);
    page.hang(2, &safe(label), text);
    page.finish()
}

/// Text under construction: indented, wrapped lines.
pub(crate) struct Page {
    style: Style,
    text: String,
}

impl Page {
    pub(crate) fn new(style: &Style) -> Self {
        Self {
            style: *style,
            text: String::new(),
        }
    }

    pub(crate) const fn style(&self) -> Style {
        self.style
    }

    /// An empty line, unless the page is empty or ends with one.
    pub(crate) fn gap(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    /// A line as it is, without wrapping.
    pub(crate) fn raw(&mut self, indent: usize, line: &str) {
        if !line.is_empty() {
            self.text.push_str(&blanks(indent));
            self.text.push_str(line.trim_end_matches(' '));
        }
        self.text.push('\n');
    }

    /// A text, wrapped.
    pub(crate) fn line(&mut self, indent: usize, text: &str) {
        for line in wrap(text, self.style.columns().saturating_sub(indent)) {
            self.raw(indent, &line);
        }
    }

    /// A label and a text beside it, wrapped beside the label; below the label if that takes more than half a line.
    pub(crate) fn hang(&mut self, indent: usize, label: &str, text: &str) {
        let room = self.style.columns().saturating_sub(indent);
        let used = width(label);
        if used * 2 > room && used + width(text) > room {
            self.line(indent, label);
            self.line(indent + 4, text);
            return;
        }
        let mut label = label.to_owned();
        for line in wrap(text, room.saturating_sub(used)) {
            self.raw(indent, &format!("{label}{line}"));
            label = blanks(used);
        }
    }

    /// A text of several lines as it is, behind a rule. Line feeds are the only breaks.
    pub(crate) fn block(&mut self, indent: usize, text: &str) {
        for line in text.split('\n') {
            let line = format!("{} {}", Tone::Faint.on("│"), safe(line));
            self.raw(indent, &line);
        }
    }

    /// The page, painted.
    pub(crate) fn finish(self) -> String {
        self.style.paint(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn lines_break_at_blanks_and_between_chinese_characters() {
        let kept = whole("6.1 s of 6.33 s");
        for (text, columns, expected) in [
            (
                "第三行有两个皇后，互相攻击。",
                16,
                &["第三行有两个皇", "后，互相攻击。"][..],
            ),
            (
                "expected 14200 found 12345678901234567890",
                12,
                &["expected", "14200 found", "123456789012", "34567890"],
            ),
            (
                "alone 6.1 s of 6.33 s, 12 times",
                20,
                &["alone 6.1 s of", "6.33 s, 12 times"],
            ),
            (
                "单独重跑 6.1 s（限 6.33 s）、6.2 s",
                21,
                &["单独重跑 6.1 s（限", "6.33 s）、6.2 s"],
            ),
            ("需要通过 3 次", 10, &["需要通过", "3 次"]),
            ("1234567890 ms", 8, &["12345678", "90 ms"]),
            (
                &format!("alone {kept} and more"),
                16,
                &["alone", &kept, "and more"],
            ),
        ] {
            assert_eq!(wrap(text, columns), expected, "{text}");
        }
    }

    #[test]
    fn a_text_hangs_beside_its_label_and_below_a_long_one() {
        let mut page = Page::new(&Style {
            width: 40,
            ..Style::default()
        });
        let text = "a message that is too long for one line";
        page.hang(2, "s01  ", text);
        page.hang(2, "a-very-long-name-of-a-student  ", text);
        assert_eq!(
            page.finish(),
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
        let row = |cells: [&str; 4]| cells.map(str::to_owned).to_vec();
        let rows = [row(["李雷", "", "9", "AC"]), row(["s1", "", "10", "WA"])];
        assert_eq!(table(&rows, &[2]), ["李雷   9  AC  ", "s1    10  WA  "]);
    }

    proptest! {
        #[test]
        fn wrapping_loses_nothing_and_keeps_to_the_width(text in "[a-z0-9s皇后，。（） \u{a0}]{0,80}", columns in 8usize..40) {
            let lines = wrap(&text, columns);
            let joined: String = lines.concat().chars().filter(|c| *c != ' ').collect();
            let bare: String = text.chars().filter(|c| *c != ' ').collect();
            prop_assert_eq!(joined, bare);
            prop_assert!(lines.iter().all(|line| width(line) <= columns));
        }
    }
}

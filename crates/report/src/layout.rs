//! Padding, wrapping and indenting by display width: a Chinese character takes two columns.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use crate::style::{Style, Tone, safe};

/// Number of columns a text takes.
pub(crate) fn width(text: &str) -> usize {
    text.width()
}

/// The text with blanks after it, up to `columns`.
pub(crate) fn left(text: &str, columns: usize) -> String {
    format!("{text}{}", blanks(columns.saturating_sub(width(text))))
}

/// The text with blanks before it, up to `columns`.
pub(crate) fn right(text: &str, columns: usize) -> String {
    format!("{}{text}", blanks(columns.saturating_sub(width(text))))
}

pub(crate) fn blanks(columns: usize) -> String {
    " ".repeat(columns)
}

/// The text with blanks at which no line is broken: [`Style::paint`] writes them as any other.
pub(crate) fn whole(text: &str) -> String {
    text.replace(' ', &WHOLE.to_string())
}

/// The same text with what stands in brackets in one piece, where it is short: `(95 %: 2.95 to 3.05)`.
pub(crate) fn brackets_whole(text: &str) -> String {
    let mut joined = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(from) = rest.find(['(', '（']) {
        let length = rest[from..].find([')', '）']).unwrap_or(rest.len() - from);
        let (before, inside) = rest.split_at(from);
        let (inside, after) = inside.split_at(length);
        joined.push_str(before);
        if width(inside) < SHORT {
            joined.push_str(&whole(inside));
        } else {
            joined.push_str(inside);
        }
        rest = after;
    }
    joined.push_str(rest);
    joined
}

/// What stands in brackets is broken only if it takes more columns.
const SHORT: usize = 34;

/// A blank at which no line is broken.
pub(crate) const WHOLE: char = '\u{a0}';

/// Breaks a text into lines of at most `columns`: at blanks but not before a unit, between Chinese characters, and
/// inside a word only where the word alone is too long.
pub(crate) fn wrap(text: &str, columns: usize) -> Vec<String> {
    let columns = columns.max(8);
    let mut lines = Vec::new();
    let mut line = String::new();
    for Unit { gap, word } in with_quantities(units(text)) {
        let gap = if line.is_empty() && !lines.is_empty() {
            0
        } else {
            gap
        };
        if width(&line) + gap + width(&word) <= columns {
            line.push_str(&blanks(gap));
            line.push_str(&word);
            continue;
        }
        if !line.is_empty() {
            lines.push(std::mem::take(&mut line));
        }
        for c in word.chars() {
            if width(&line) + c.width().unwrap_or(0) > columns {
                lines.push(std::mem::take(&mut line));
            }
            line.push(c);
        }
    }
    if !line.is_empty() || lines.is_empty() {
        lines.push(line);
    }
    lines
}

/// What is never broken, and the blanks before it.
struct Unit {
    gap: usize,
    word: String,
}

fn units(text: &str) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    let mut gap = 0;
    // Opening tone marks wait for the word they colour.
    let mut opening = String::new();
    let mut glued = false;
    let mut held = false;
    for c in text.chars() {
        if c == ' ' {
            gap += 1;
            glued = false;
            held = false;
            continue;
        }
        if Tone::opens(c) {
            opening.push(c);
            continue;
        }
        let wide = c.width() == Some(2);
        let joins = gap == 0
            && units.last().is_some()
            && (Tone::closes(c) || ends_a_phrase(c) || c == WHOLE || held || (glued && !wide));
        match units.last_mut() {
            Some(unit) if joins || Tone::closes(c) => {
                unit.word.push_str(&opening);
                unit.word.push(c);
            }
            _ => units.push(Unit {
                gap,
                word: format!("{opening}{c}"),
            }),
        }
        opening.clear();
        if !Tone::closes(c) {
            gap = 0;
            glued = !wide;
            held = c == WHOLE || begins_a_phrase(c);
        }
    }
    units
}

/// The same with each number and its unit in one piece.
fn with_quantities(units: Vec<Unit>) -> Vec<Unit> {
    let mut joined: Vec<Unit> = Vec::new();
    for unit in units {
        match joined.last_mut() {
            Some(number) if unit.gap == 1 && ends_in_digit(&number.word) && is_unit(&unit.word) => {
                number.word.push(' ');
                number.word.push_str(&unit.word);
            }
            Some(_) | None => joined.push(unit),
        }
    }
    joined
}

fn ends_in_digit(word: &str) -> bool {
    word.ends_with(|c: char| c.is_ascii_digit())
}

/// Whether a word is a unit of ours, with or without the signs that end a phrase, or a Chinese measure word.
fn is_unit(word: &str) -> bool {
    let bare = word.trim_end_matches(|c| ends_a_phrase(c) || Tone::closes(c));
    let counts = word.starts_with(['次', '个', '名', '分', '核', '道', '处', '行', '份']);
    counts || matches!(bare, "ms" | "s" | "B" | "KiB" | "MiB" | "GiB" | "%")
}

/// Signs that do not stand at the beginning of a line.
const fn ends_a_phrase(c: char) -> bool {
    matches!(
        c,
        '，' | '。'
            | '、'
            | '；'
            | '：'
            | '！'
            | '？'
            | '）'
            | '」'
            | '』'
            | '》'
            | '”'
            | '’'
            | ')'
            | ','
            | '.'
            | ';'
            | ':'
            | '`'
    )
}

/// Signs that do not stand at the end of a line.
const fn begins_a_phrase(c: char) -> bool {
    matches!(c, '（' | '「' | '『' | '《' | '“' | '‘' | '(')
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
        self.hang(indent, "", text);
    }

    /// A label and a text beside it, wrapped beside the label; below it where the label is long.
    pub(crate) fn hang(&mut self, indent: usize, label: &str, text: &str) {
        let room = self.style.columns().saturating_sub(indent);
        let used = width(label);
        let hanging = if used * 2 > room { 4 } else { used };
        let first = wrap(text, room.saturating_sub(used));
        if used + width(&first[0]) <= room && (hanging == used || first.len() == 1) {
            for (index, line) in first.iter().enumerate() {
                if index == 0 {
                    self.raw(indent, &format!("{label}{line}"));
                } else {
                    self.raw(indent + hanging, line);
                }
            }
            return;
        }
        self.line(indent, label);
        for line in wrap(text, room.saturating_sub(hanging)) {
            self.raw(indent + hanging, &line);
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
    fn chinese_text_breaks_between_characters_but_not_before_a_comma() {
        assert_eq!(
            wrap("第三行有两个皇后，互相攻击。", 16),
            ["第三行有两个皇", "后，互相攻击。"]
        );
    }

    #[test]
    fn words_move_to_the_next_line_whole_and_only_a_giant_is_cut() {
        assert_eq!(
            wrap("expected 14200 found 12345678901234567890", 12),
            ["expected", "14200 found", "123456789012", "34567890"]
        );
    }

    #[test]
    fn what_belongs_together_is_not_broken() {
        let text = format!("alone {} and more", whole("6.1 s of 6.33 s"));
        let lines = |text: &str, columns| {
            let painted = wrap(text, columns)
                .into_iter()
                .map(|line| Style::default().paint(&line));
            painted.collect::<Vec<_>>()
        };
        assert_eq!(lines(&text, 16), ["alone", "6.1 s of 6.33 s", "and more"]);
        let text = whole("单独重跑（限 6.33 s）");
        assert_eq!(lines(&text, 14), ["单独重跑", "（限 6.33 s）"]);
    }

    #[test]
    fn a_short_text_in_brackets_is_not_broken_and_a_long_one_is() {
        let interval = "about n^3 (95 %: 2.95 to 3.05), at most n^2.5 passes";
        let lines = wrap(&brackets_whole(interval), 28);
        let painted: Vec<_> = lines.iter().map(|l| Style::default().paint(l)).collect();
        assert_eq!(
            painted,
            ["about n^3", "(95 %: 2.95 to 3.05), at", "most n^2.5 passes"]
        );
        let open = "没有右括号（到末尾都是（文字";
        assert_eq!(brackets_whole(open), open);
        let long = format!("a ({}) b", "long text ".repeat(5));
        assert_eq!(brackets_whole(&long), long);
    }

    #[test]
    fn a_number_stays_with_its_unit() {
        assert_eq!(
            wrap("alone 6.1 s of 6.33 s, 12 times", 20),
            ["alone 6.1 s of", "6.33 s, 12 times"]
        );
        assert_eq!(
            wrap("单独重跑 6.1 s（限 6.33 s）、6.2 s", 21),
            ["单独重跑 6.1 s（限", "6.33 s）、6.2 s"]
        );
        assert_eq!(wrap("需要通过 3 次", 10), ["需要通过", "3 次"]);
        // A giant is cut all the same.
        assert_eq!(wrap("1234567890 ms", 8), ["12345678", "90 ms"]);
    }

    #[test]
    fn tones_take_no_columns() {
        let text = format!("{} {}", Tone::Fail.on("wrong"), Tone::Pass.on("right"));
        assert_eq!(width(&text), 11);
        assert_eq!(wrap(&text, 11).len(), 1);
    }

    #[test]
    fn a_text_hangs_beside_its_label_and_below_a_long_one() {
        let mut page = Page::new(&Style {
            width: 40,
            ..Style::default()
        });
        page.hang(2, "s01  ", "a message that is too long for one line");
        page.hang(
            2,
            "a-very-long-name-of-a-student  ",
            "a message that is too long",
        );
        assert_eq!(
            page.finish(),
            "  s01  a message that is too long for
       one line
  a-very-long-name-of-a-student
      a message that is too long
"
        );
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

//! Text by display width: padding, cutting and wrapping. A Chinese character takes two columns.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use crate::style::{NO_BREAK, Tone};

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

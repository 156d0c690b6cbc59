//! Messages shared by several checkers.

use grader_model::{Evidence, Excerpt, Text};

use crate::constants::MAX_QUOTE_BYTES;
use crate::scan;

/// The first bytes, escaped, between backticks.
pub(crate) fn quote(bytes: &[u8]) -> String {
    quote_at(bytes, 0)
}

/// The bytes around a place, escaped, between backticks.
pub(crate) fn quote_at(bytes: &[u8], at: usize) -> String {
    format!("`{}`", Excerpt::around(bytes, at, MAX_QUOTE_BYTES))
}

/// `1 line`, `2 lines`.
pub(crate) fn count(number: usize, noun: &str) -> String {
    let s = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{s}")
}

/// A remark on two texts that differ only in case.
pub(crate) fn only_case() -> Text {
    Text::new(" (only upper and lower case differ)", "（仅大小写不同）")
}

/// A remark if two texts differ only in case.
pub(crate) fn case_differs(expected: &[u8], found: &[u8]) -> Text {
    if expected.eq_ignore_ascii_case(found) {
        only_case()
    } else {
        Text::default()
    }
}

/// A note on an accepted output with trailing spaces, trailing blank lines or no final line feed.
pub(crate) fn blanks_ignored(output: &[u8]) -> Option<Evidence> {
    let mut lines = scan::lines(output);
    let ends_well = output.ends_with(b"\n") && !output.ends_with(b"\n\n");
    let blanks = lines.any(|line| line.len() > scan::without_last_blanks(line).len());
    (blanks || !ends_well).then(|| {
        let text = Text::new(
            "ignored: spaces or carriage returns at the end of lines, blank lines at the end, or a missing line feed",
            "已忽略：行末空白或回车符、末尾空行，或末尾缺少换行",
        );
        Evidence::new("blanks-forgiven", text)
    })
}

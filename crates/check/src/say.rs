//! Words that several checkers use.

use grader_model::{Evidence, Excerpt, Text};

use crate::scan;

/// Largest number of a student's bytes inside a sentence.
const QUOTE: usize = 40;

/// A message in English and Chinese.
pub(crate) fn text(en: impl Into<String>, zh: impl Into<String>) -> Text {
    Text::new(en, zh)
}

/// Evidence that is a sentence.
pub(crate) fn evidence(code: &str, en: impl Into<String>, zh: impl Into<String>) -> Evidence {
    Evidence::new(code, text(en, zh))
}

/// The first bytes, escaped, between backticks.
pub(crate) fn quote(bytes: &[u8]) -> String {
    format!("`{}`", Excerpt::first(bytes, QUOTE))
}

/// The first bytes of what stands before an answer, without the blanks round them, between backticks.
///
/// The last blank of a prompt shows where it ends; line feeds only blur the quotation.
pub(crate) fn quote_prompt(bytes: &[u8]) -> String {
    let prompt = scan::trim(bytes);
    match bytes.last() {
        Some(b' ') if !prompt.is_empty() => format!("`{} `", Excerpt::first(prompt, QUOTE)),
        _ => quote(prompt),
    }
}

/// The bytes around a place, escaped, between backticks.
pub(crate) fn quote_at(bytes: &[u8], at: usize) -> String {
    format!("`{}`", Excerpt::window(bytes, at, QUOTE))
}

/// `1 line`, `2 lines`.
pub(crate) fn count(number: u64, noun: &str) -> String {
    let s = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{s}")
}

/// What was forgiven: blanks at the end of lines, blank lines at the end, a missing last line feed.
/// Nothing when the output has none of these.
pub(crate) fn blanks_forgiven(output: &[u8]) -> Option<Evidence> {
    let mut en = Vec::new();
    let mut zh = Vec::new();
    let body = scan::trim_end(output);
    let last_line = body.len()
        + output[body.len()..]
            .iter()
            .take_while(|byte| **byte != b'\n')
            .count();
    let lines = || scan::lines(&output[..last_line]);
    let ends_with = |line: &[u8], ends: &[u8]| line.last().is_some_and(|last| ends.contains(last));
    if lines().any(|line| ends_with(line.strip_suffix(b"\r").unwrap_or(line), b" \t\r")) {
        en.push("blanks at the end of lines");
        zh.push("行末空白");
    }
    if lines().any(|line| ends_with(line, b"\r")) {
        en.push("carriage returns");
        zh.push("回车符");
    }
    let tail = &output[last_line..];
    if tail.is_empty() {
        en.push("a missing line feed at the end");
        zh.push("末尾缺少换行");
    } else if tail.len() > 1 {
        en.push("blank lines at the end");
        zh.push("末尾空行");
    }
    (!en.is_empty()).then(|| {
        evidence(
            "blanks-forgiven",
            format!("forgiven: {}", en.join(", ")),
            format!("已忽略：{}", zh.join("、")),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_forgiven_is_named() {
        let said = |output: &[u8]| blanks_forgiven(output).map(|it| it.message.en);
        assert_eq!(said(b"a\nb\n"), None);
        assert_eq!(
            said(b"a \nb\n").as_deref(),
            Some("forgiven: blanks at the end of lines")
        );
        assert_eq!(
            said(b"a\r\nb\r\n\r\n").as_deref(),
            Some("forgiven: carriage returns, blank lines at the end")
        );
        assert_eq!(
            said(b"a\nb\t").as_deref(),
            Some("forgiven: blanks at the end of lines, a missing line feed at the end")
        );
    }
}

//! What templates do with texts.

#![expect(
    clippy::inline_always,
    clippy::unnecessary_wraps,
    clippy::unused_self,
    unreachable_pub,
    reason = "the macro of askama makes it so"
)]

use askama::Values;

use super::svg::escaped;

/// A sentence in which what stands between backticks is code.
#[askama::filter_fn]
pub(super) fn code(text: &str, _: &dyn Values) -> askama::Result<askama::filters::Safe<String>> {
    Ok(askama::filters::Safe(marked(text)))
}

fn marked(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    // Without its other half, the last backtick stands for itself.
    let pairs = parts.len().saturating_sub(1) / 2 * 2;
    let parts = parts.iter().enumerate().map(|(index, part)| {
        let part = escaped(part);
        match index {
            0 => part,
            index if index > pairs => format!("`{part}"),
            index if index % 2 == 1 => format!("<code>{part}</code>"),
            _ => part,
        }
    });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_between_backticks_is_code_and_escaped() {
        for (text, expected) in [
            ("plain <b>", "plain &lt;b&gt;"),
            (
                "found `<b>` and `n`",
                "found <code>&lt;b&gt;</code> and <code>n</code>",
            ),
            ("a ` alone", "a ` alone"),
            ("`a` and `", "<code>a</code> and `"),
            ("", ""),
        ] {
            assert_eq!(marked(text), expected);
        }
    }
}

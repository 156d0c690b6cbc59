//! Safe excerpts of what a student's program wrote.

use std::fmt::{self, Write as _};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A part of some bytes, escaped and capped. Student bytes are kept in no other form.
///
/// Control characters, invalid UTF-8 and the Unicode controls that change the direction of text or hide it
/// become `\n`, `\t`, `\r`, `\0`, `\x1b`, `\u{202e}`; a backslash stays as it is. Nothing in it can move a cursor,
/// colour a terminal or forge a line. HTML, CSV and XML escape it again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Excerpt {
    /// The escaped text.
    pub text: String,
    /// Number of bytes left out before it.
    pub before: u64,
    /// Number of bytes left out after it.
    pub after: u64,
}

impl Excerpt {
    /// Most bytes of the original that [`Excerpt::new`] keeps.
    pub const WIDTH: usize = 160;

    /// The first [`Excerpt::WIDTH`] bytes, escaped on one line.
    pub fn new(bytes: &[u8]) -> Self {
        Self::first(bytes, Self::WIDTH)
    }

    /// The first `most` bytes, escaped on one line.
    pub fn first(bytes: &[u8], most: usize) -> Self {
        Self::around(bytes, 0, most)
    }

    /// At most `most` bytes around the byte at `at`, escaped on one line: a quarter of them before it.
    ///
    /// If the bytes are UTF-8, no character is cut.
    pub fn around(bytes: &[u8], at: usize, most: usize) -> Self {
        let start = if bytes.len() <= most {
            0
        } else {
            at.saturating_sub(most / 4).min(bytes.len() - most)
        };
        let start = boundary(bytes, start);
        let end = boundary(bytes, (start + most).min(bytes.len())).max(start);
        Self {
            text: escaped(&bytes[start..end]),
            before: start as u64,
            after: (bytes.len() - end) as u64,
        }
    }

    /// The first `most` bytes as lines of text: line feeds are kept, everything else is escaped.
    ///
    /// For compiler messages and standard error, which are shown as a block. A carriage return before a
    /// line feed is dropped.
    pub fn block(bytes: &[u8], most: usize) -> Self {
        Self::lines(bytes, most, b"\r")
    }

    /// The first `most` bytes of an input as lines of text: as [`Excerpt::block`], but a program reads the carriage
    /// returns, so they are shown.
    pub fn input(bytes: &[u8], most: usize) -> Self {
        Self::lines(bytes, most, b"")
    }

    /// The first `most` bytes as lines of text, without `dropped` at the end of each.
    fn lines(bytes: &[u8], most: usize, dropped: &[u8]) -> Self {
        let end = boundary(bytes, most.min(bytes.len()));
        let mut text = String::with_capacity(end);
        for (index, line) in bytes[..end].split(|&byte| byte == b'\n').enumerate() {
            if index > 0 {
                text.push('\n');
            }
            escape_into(&mut text, line.strip_suffix(dropped).unwrap_or(line), true);
        }
        Self {
            text: text.trim_end().to_owned(),
            before: 0,
            after: (bytes.len() - end) as u64,
        }
    }

    /// Whether there is nothing to show.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty() && self.before == 0 && self.after == 0
    }
}

impl fmt::Display for Excerpt {
    /// The text, with `…` for omitted parts.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let before = if self.before > 0 { "…" } else { "" };
        let after = if self.after > 0 { "…" } else { "" };
        write!(f, "{before}{}{after}", self.text)
    }
}

/// The bytes as one line of printable text, escaped as in [`Excerpt`].
pub fn escaped(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    escape_into(&mut text, bytes, false);
    text
}

/// A name as it may be shown: escaped, except joiners between letters that need them, in Persian, Sinhala or Malayalam and
/// in emoji. Terminals and outputs of programs show those too, as [`escaped`] does.
pub fn escaped_name(name: &[u8]) -> String {
    let mut text = String::with_capacity(name.len());
    for chunk in name.utf8_chunks() {
        let (valid, mut from) = (chunk.valid(), 0);
        for (at, joiner) in valid.match_indices(['\u{200c}', '\u{200d}']) {
            let rest = at + joiner.len();
            let before = valid[..at].chars().next_back();
            if joins(joiner, before, valid[rest..].chars().next()) {
                escape_into(&mut text, &valid.as_bytes()[from..at], false);
                text.push_str(joiner);
                from = rest;
            }
        }
        escape_into(&mut text, &valid.as_bytes()[from..], false);
        escape_into(&mut text, chunk.invalid(), false);
    }
    text
}

/// Whether a joiner belongs to the letters around it. Zero width joiners may end a word.
fn joins(joiner: &str, before: Option<char>, after: Option<char>) -> bool {
    // From Arabic to Sinhala; Myanmar; Khmer and Mongolian; forms of Arabic letters.
    let is_letter = |c: char| {
        !is_hostile(c)
            && matches!(c, '\u{600}'..='\u{dff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{18af}'
                | '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')
    };
    // Pictures, and the signs that choose their form.
    let is_emoji =
        |c: char| matches!(c, '\u{2190}'..='\u{2bff}' | '\u{fe0f}' | '\u{1f000}'..='\u{1faff}');
    let both = |is: &dyn Fn(char) -> bool| before.is_some_and(is) && after.is_some_and(is);
    match joiner {
        "\u{200d}" => before.is_some_and(is_letter) || both(&is_emoji),
        _ => both(&is_letter),
    }
}

/// The text as it may stand in an element or a quoted attribute of HTML. What has meaning for another program, `more`, is
/// a character reference too.
pub fn escape_html(text: &str, more: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            c if c == '\'' || more.contains(c) => {
                // Writing to a String cannot fail.
                let _ = write!(html, "&#{};", c as u32);
            }
            c => html.push(c),
        }
    }
    html
}

/// Appends the bytes to `text`, escaped as in [`Excerpt`]; with `keep_tabs`, a tab becomes four spaces.
pub fn escape_into(text: &mut String, bytes: &[u8], keep_tabs: bool) {
    // Writing to a String cannot fail.
    let mut push = |arguments: fmt::Arguments<'_>| _ = text.write_fmt(arguments);
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '\t' if keep_tabs => push(format_args!("    ")),
                '\0' => push(format_args!("\\0")),
                '\n' | '\r' | '\t' => push(format_args!("{}", character.escape_default())),
                c if c.is_ascii_control() => push(format_args!("\\x{:02x}", c as u32)),
                c if is_hostile(c) => push(format_args!("{}", c.escape_unicode())),
                c => push(format_args!("{c}")),
            }
        }
        for byte in chunk.invalid() {
            push(format_args!("\\x{byte:02x}"));
        }
    }
}

/// Invisible characters that change the appearance of others: C1 controls, direction marks, line separators, zero-width
/// characters, the byte order mark, tags.
fn is_hostile(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// The nearest character boundary at or before `at`.
fn boundary(bytes: &[u8], at: usize) -> usize {
    if at >= bytes.len() {
        return bytes.len();
    }
    (at.saturating_sub(3)..=at)
        .rev()
        .find(|&i| bytes[i] & 0xc0 != 0x80)
        .unwrap_or(at)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn bytes_that_could_harm_a_terminal_are_spelled_out() {
        assert_eq!(
            escaped(b"a\0b\x1b[31m\xff\n\r\t \xe2\x80\xae \xe7\x9a\x87 \xc2\x9b \\"),
            "a\\0b\\x1b[31m\\xff\\n\\r\\t \\u{202e} 皇 \\u{9b} \\"
        );
    }

    #[test]
    fn an_excerpt_is_cut_between_characters_and_says_how_much_is_missing() {
        let text = "皇后".repeat(100);
        let excerpt = Excerpt::around(text.as_bytes(), 300, 40);
        assert_eq!(
            excerpt.before + excerpt.after + excerpt.text.len() as u64,
            600
        );
        assert!(excerpt.text.starts_with(['皇', '后']));
        assert_eq!(format!("{excerpt}").chars().next(), Some('…'));
    }

    #[test]
    fn a_block_keeps_its_lines_and_nothing_else() {
        let block = Excerpt::block(b"main.c:1:\r\n\terror\x07\n\n", 100);
        assert_eq!(block.text, "main.c:1:\n    error\\x07");
    }

    proptest! {
        #[test]
        fn no_bytes_at_all_yield_a_control_character(bytes: Vec<u8>, at in 0usize..300, most in 1usize..200) {
            let excerpt = Excerpt::around(&bytes, at.min(bytes.len()), most);
            prop_assert!(!excerpt.text.chars().any(char::is_control));
            let block = Excerpt::block(&bytes, most);
            prop_assert!(!block.text.chars().any(|c| c.is_control() && c != '\n'));
        }
    }

    #[test]
    fn joiners_stay_where_letters_need_them() {
        for name in ["علی‌رضا", "ක්‍රිෂ්ණ", "രാജന്‍", "👩‍💻", "🧑🏽‍🚀", "❤️‍🔥"]
        {
            assert_eq!(escaped_name(name.as_bytes()), name);
            assert_ne!(escaped(name.as_bytes()), name);
        }
        for (name, shown) in [
            ("ad\u{200c}a", "ad\\u{200c}a"),
            ("\u{200d}ada", "\\u{200d}ada"),
            ("عل\u{200c}", "عل\\u{200c}"),
            ("ع\u{200d}\u{200d}ل", "ع\u{200d}\\u{200d}ل"),
            ("ع\u{61c}\u{200d}", "ع\\u{61c}\\u{200d}"),
            ("a\u{202e}\n", "a\\u{202e}\\n"),
        ] {
            assert_eq!(escaped_name(name.as_bytes()), shown);
            assert_eq!(escaped_name(shown.as_bytes()), shown);
        }
    }
}

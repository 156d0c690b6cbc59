//! Sources without their comments and strings, so that words can be looked for in the code alone.
//!
//! This is no parser: it knows where comments and strings begin and end, and nothing else. What is taken out
//! is replaced by spaces, byte for byte; line ends stay.

/// Languages that share their rules for comments and strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    /// C and C++.
    C,
    /// Rust: nested comments, raw strings, lifetimes.
    Rust,
    /// Java: as C, with text blocks.
    Java,
    /// Pascal: `{}`, `(* *)`, `//`, and strings in single quotes.
    Pascal,
    /// Python: `#`, and strings in triple quotes.
    Python,
}

/// What becomes of string literals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strings {
    /// They stay: for `#include "queens.h"`.
    Keep,
    /// They go, quotes included.
    Blank,
}

/// The text without comments, and without strings where asked.
pub(crate) fn strip(text: &str, family: Family, strings: Strings) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let (end, kind) = item(bytes, at, family);
        let keep = match kind {
            Kind::Code => true,
            Kind::Comment => false,
            Kind::String => strings == Strings::Keep,
        };
        let end = end.clamp(at + 1, bytes.len());
        if keep {
            out.extend_from_slice(&bytes[at..end]);
        } else {
            out.extend(bytes[at..end].iter().map(|&byte| match byte {
                b'\n' | b'\r' => byte,
                _ => b' ',
            }));
        }
        at = end;
    }
    // Items end at ASCII characters, so no character is cut in two.
    String::from_utf8_lossy(&out).into_owned()
}

/// What a lexical item is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Code,
    Comment,
    String,
}

/// Whether a byte may stand in a name; letters outside ASCII may.
pub(crate) const fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// Where the lexical item that starts at `at` ends, and what it is.
pub(crate) fn item(bytes: &[u8], at: usize, family: Family) -> (usize, Kind) {
    let rest = &bytes[at..];
    if is_name_byte(rest[0]) {
        return name(bytes, at, family);
    }
    match family {
        Family::C | Family::Rust | Family::Java => c_like(bytes, at, family),
        Family::Pascal => {
            if rest[0] == b'{' {
                (after(bytes, at + 1, b"}"), Kind::Comment)
            } else if rest.starts_with(b"(*") {
                (after(bytes, at + 2, b"*)"), Kind::Comment)
            } else if rest.starts_with(b"//") {
                (line_end(bytes, at), Kind::Comment)
            } else if rest[0] == b'\'' {
                (quoted(bytes, at, b'\'', false, false), Kind::String)
            } else {
                (at + 1, Kind::Code)
            }
        }
        Family::Python => match rest[0] {
            b'#' => (line_end(bytes, at), Kind::Comment),
            b'"' | b'\'' => (python_string(bytes, at), Kind::String),
            _ => (at + 1, Kind::Code),
        },
    }
}

fn c_like(bytes: &[u8], at: usize, family: Family) -> (usize, Kind) {
    let rest = &bytes[at..];
    if rest.starts_with(b"//") {
        (line_end(bytes, at), Kind::Comment)
    } else if rest.starts_with(b"/*") {
        let end = match family {
            Family::Rust => nested_comment(bytes, at),
            _ => after(bytes, at + 2, b"*/"),
        };
        (end, Kind::Comment)
    } else if family == Family::Java && rest.starts_with(b"\"\"\"") {
        (triple(bytes, at), Kind::String)
    } else if rest[0] == b'"' {
        (
            quoted(bytes, at, b'"', true, family == Family::Rust),
            Kind::String,
        )
    } else if rest[0] == b'\'' {
        match family {
            Family::Rust if !is_rust_char(rest) => (at + 1, Kind::Code),
            _ => (quoted(bytes, at, b'\'', true, false), Kind::String),
        }
    } else {
        (at + 1, Kind::Code)
    }
}

/// A name or a number; or a string with a prefix (`R"(…)"`, `r#"…"#`, `f'…'`).
fn name(bytes: &[u8], at: usize, family: Family) -> (usize, Kind) {
    let mut end = at;
    while end < bytes.len() && is_name_byte(bytes[end]) {
        end += 1;
    }
    let word = &bytes[at..end];
    let next = bytes.get(end).copied().unwrap_or(0);
    match family {
        Family::C => {
            if next == b'"' && matches!(word, b"R" | b"LR" | b"uR" | b"UR" | b"u8R") {
                return (raw_cpp(bytes, end), Kind::String);
            }
            // The separators of 1'000'000 are no character literals.
            while word[0].is_ascii_digit()
                && bytes.get(end) == Some(&b'\'')
                && bytes.get(end + 1).is_some_and(|&byte| is_name_byte(byte))
            {
                end += 1;
                while end < bytes.len() && is_name_byte(bytes[end]) {
                    end += 1;
                }
            }
            (end, Kind::Code)
        }
        Family::Rust if matches!(word, b"r" | b"br" | b"cr") => {
            let hashes = bytes[end..]
                .iter()
                .take_while(|&&byte| byte == b'#')
                .count();
            if bytes.get(end + hashes) == Some(&b'"') {
                let close = [b"\"".as_slice(), &vec![b'#'; hashes]].concat();
                (after(bytes, end + hashes + 1, &close), Kind::String)
            } else {
                (end, Kind::Code)
            }
        }
        Family::Python if matches!(next, b'"' | b'\'') && word.len() <= 2 => {
            let lower = word.to_ascii_lowercase();
            // Code stands in a formatted string: print(f"{input()}").
            let kind = if lower.contains(&b'f') {
                Kind::Code
            } else {
                Kind::String
            };
            (python_string(bytes, end), kind)
        }
        _ => (end, Kind::Code),
    }
}

/// The place behind the next `close` at or after `from`; the end of the text where there is none.
fn after(bytes: &[u8], from: usize, close: &[u8]) -> usize {
    let from = from.min(bytes.len());
    bytes[from..]
        .windows(close.len())
        .position(|window| window == close)
        .map_or(bytes.len(), |found| from + found + close.len())
}

fn line_end(bytes: &[u8], at: usize) -> usize {
    bytes[at..]
        .iter()
        .position(|&byte| byte == b'\n' || byte == b'\r')
        .map_or(bytes.len(), |found| at + found)
}

fn nested_comment(bytes: &[u8], at: usize) -> usize {
    let (mut depth, mut at) = (0_usize, at);
    while at < bytes.len() {
        if bytes[at..].starts_with(b"/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if bytes[at..].starts_with(b"*/") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    bytes.len()
}

/// The end of a literal that opens at `at`; it ends with its line unless it may go on.
fn quoted(bytes: &[u8], at: usize, quote: u8, escapes: bool, lines: bool) -> usize {
    let mut at = at + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if escapes => at += 1,
            b'\n' | b'\r' if !lines => return at,
            byte if byte == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

/// The end of a literal in three equal quotes.
fn triple(bytes: &[u8], at: usize) -> usize {
    let close = [bytes[at]; 3];
    let mut at = at + 3;
    while at < bytes.len() {
        if bytes[at] == b'\\' {
            at += 1;
        } else if bytes[at..].starts_with(&close) {
            return at + 3;
        }
        at += 1;
    }
    bytes.len()
}

fn python_string(bytes: &[u8], at: usize) -> usize {
    if bytes[at..].starts_with(&[bytes[at]; 3]) {
        triple(bytes, at)
    } else {
        quoted(bytes, at, bytes[at], true, false)
    }
}

/// The end of `R"delimiter(…)delimiter"` whose quote stands at `at`.
fn raw_cpp(bytes: &[u8], at: usize) -> usize {
    let delimiter: Vec<u8> = bytes[at + 1..]
        .iter()
        .copied()
        .take(17)
        .take_while(|&byte| byte != b'(')
        .collect();
    let close = [b")", delimiter.as_slice(), b"\""].concat();
    after(bytes, at + 1 + delimiter.len(), &close)
}

/// Whether a quote opens a character and not a lifetime.
fn is_rust_char(rest: &[u8]) -> bool {
    match rest.get(1) {
        Some(b'\\') => true,
        Some(&byte) => {
            let width = match byte {
                0xf0.. => 4,
                0xe0.. => 3,
                0xc0.. => 2,
                _ => 1,
            };
            rest.get(1 + width) == Some(&b'\'')
        }
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words that are left.
    fn words(text: &str, family: Family) -> String {
        let text = strip(text, family, Strings::Blank);
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn comments_and_strings_of_c_are_taken_out() {
        let c = "a // scanf\nb /* cin \" */ c \"argv \\\" //\" d '\"' e '\\'' f\n";
        assert_eq!(words(c, Family::C), "a b c d e f");
        assert_eq!(
            words("R\"x(cin )\" )x\" a 1'000'000 'b' u8\"c\"", Family::C),
            "a 1'000'000 u8"
        );
        assert_eq!(words("\"open\nnext", Family::C), "next");
        assert_eq!(words("a /* open", Family::C), "a");
    }

    #[test]
    fn comments_and_strings_of_rust_are_taken_out() {
        let rust = "a /* x /* y */ z */ b r#\"stdin \"# c 'x' d<'e> '皇' '\\u{1}' \"f\ng\" h";
        assert_eq!(words(rust, Family::Rust), "a b c d<'e> h");
        assert_eq!(words("r#type x", Family::Rust), "r#type x");
    }

    #[test]
    fn comments_and_strings_of_java_are_taken_out() {
        assert_eq!(
            words(
                "a \"\"\"\n \" System.in \\\"\"\" \n\"\"\" b 'c'",
                Family::Java
            ),
            "a b"
        );
    }

    #[test]
    fn comments_and_strings_of_pascal_are_taken_out() {
        let pascal = "a { read(x) } b (* readln *) c // d\ne 'it''s {' f (g * h)";
        assert_eq!(words(pascal, Family::Pascal), "a b c e f (g * h)");
    }

    #[test]
    fn comments_and_strings_of_python_are_taken_out() {
        let python = "a # input()\nb '''x\n' # y''' c \"#\" d r'\\d' e f'{input()}' \"\"\"z";
        assert_eq!(words(python, Family::Python), "a b c d e f'{input()}'");
    }

    #[test]
    fn lines_and_lengths_stay_what_they_were() {
        let text = "皇 /* 后\r\n */ x \"后\" // 皇\n";
        let stripped = strip(text, Family::C, Strings::Blank);
        assert_eq!(stripped.len(), text.len());
        assert_eq!(stripped.lines().count(), text.lines().count());
        assert_eq!(
            strip("\"x.h\" // y", Family::C, Strings::Keep).trim(),
            "\"x.h\""
        );
    }
}

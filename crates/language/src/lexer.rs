//! The one lexer: splits a source into names, numbers, operators and literals. Comments and blanks are no tokens.
//!
//! It knows where tokens begin and end, not what they mean, and takes any text, right or wrong, in linear time.

use std::borrow::Cow;
use std::ops::Range;

use grader_model::SourceFile;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::encoding::to_utf8;

/// The rules for comments, literals and operators.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Syntax {
    /// `//`, `/* */`, `"…"` and `'…'`, as most languages have them.
    #[default]
    C,
    /// As C, with raw strings and more operators.
    Cpp,
    /// Nested comments, raw strings, lifetimes.
    Rust,
    /// As C, with text blocks.
    Java,
    /// `{ }`, `(* *)`, `//`, and strings in single quotes.
    Pascal,
    /// `#`, and strings in triple quotes.
    Python,
    /// As C, with raw strings in backquotes.
    Go,
    /// As C, with templates in backquotes and regular expressions.
    #[serde(rename = "javascript")]
    JavaScript,
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A name or keyword.
    Name,
    /// A number as it is written: `0x10`, `1'000u`, `$FF`, `2.5e-3`.
    Number,
    /// An operator or another sign. The longest one counts: `&&` is one token and holds no `&`.
    Operator,
    /// A literal in quotes, with its quotes and prefix.
    Quoted,
}

/// One token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    /// What it is.
    pub kind: TokenKind,
    /// Its text.
    pub text: &'a str,
    /// The byte of the source at which it begins.
    pub at: usize,
}

/// A description of a [`Syntax`].
struct Rules {
    line_comment: &'static str,
    block_comments: &'static [(&'static str, &'static str)],
    comments_nest: bool,
    /// Longer quotes first.
    quotes: &'static [Quote],
    /// Operators of several signs.
    operators: &'static str,
    /// Signs that names may hold besides letters, digits and `_`.
    name_signs: &'static [u8],
}

struct Quote {
    mark: &'static str,
    escapes: bool,
    /// Whether it goes on after the end of a line.
    multi_line: bool,
}

const fn quote(mark: &'static str) -> Quote {
    let (escapes, multi_line) = (true, mark.len() > 1);
    Quote {
        mark,
        escapes,
        multi_line,
    }
}

const BACKQUOTE: Quote = Quote {
    mark: "`",
    escapes: false,
    multi_line: true,
};

const C: Rules = Rules {
    line_comment: "//",
    block_comments: &[("/*", "*/")],
    comments_nest: false,
    quotes: &[quote("\""), quote("'")],
    operators: "<<= >>= ... << >> <= >= == != && || ++ -- -> += -= *= /= %= &= |= ^=",
    name_signs: b"",
};
const CPP: Rules = Rules {
    operators: "<<= >>= ... <=> ->* << >> <= >= == != && || ++ -- -> :: .* += -= *= /= %= &= |= ^=",
    ..C
};
const RUST: Rules = Rules {
    comments_nest: true,
    quotes: &[
        Quote {
            multi_line: true,
            ..quote("\"")
        },
        quote("'"),
    ],
    operators: "<<= >>= ..= ... << >> <= >= == != && || -> => :: .. += -= *= /= %= &= |= ^=",
    ..C
};
const JAVA: Rules = Rules {
    quotes: &[quote("\"\"\""), quote("\""), quote("'")],
    operators: ">>>= <<= >>= >>> ... << >> <= >= == != && || ++ -- -> :: += -= *= /= %= &= |= ^=",
    name_signs: b"$",
    ..C
};
const PASCAL: Rules = Rules {
    block_comments: &[("{", "}"), ("(*", "*)")],
    quotes: &[Quote {
        escapes: false,
        ..quote("'")
    }],
    operators: ":= <> >< <= >= << >> ** .. += -= *= /=",
    ..C
};
const PYTHON: Rules = Rules {
    line_comment: "#",
    block_comments: &[],
    quotes: &[quote("\"\"\""), quote("'''"), quote("\""), quote("'")],
    operators: "**= //= <<= >>= ... ** // << >> <= >= == != -> := += -= *= /= %= @= &= |= ^= <>",
    ..C
};
const GO: Rules = Rules {
    quotes: &[quote("\""), quote("'"), BACKQUOTE],
    operators: "<<= >>= &^= ... << >> &^ && || <- ++ -- == != <= >= := += -= *= /= %= &= |= ^=",
    ..C
};
const JAVASCRIPT: Rules = Rules {
    quotes: &[
        quote("\""),
        quote("'"),
        Quote {
            escapes: true,
            ..BACKQUOTE
        },
    ],
    operators: ">>>= === !== **= <<= >>= &&= ||= ??= >>> ... => == != <= >= && || ?? ?. ++ -- += -= *= /= %= &= |= ^= \
                << >> **",
    name_signs: b"$",
    ..C
};

impl Syntax {
    const fn rules(self) -> &'static Rules {
        match self {
            Self::C => &C,
            Self::Cpp => &CPP,
            Self::Rust => &RUST,
            Self::Java => &JAVA,
            Self::Pascal => &PASCAL,
            Self::Python => &PYTHON,
            Self::Go => &GO,
            Self::JavaScript => &JAVASCRIPT,
        }
    }
}

/// The text of a source, in whatever encoding it was saved.
pub fn source_text(source: &SourceFile) -> Cow<'_, str> {
    to_utf8(&source.bytes)
}

/// The tokens of a text, in their order.
///
/// A formatted string (`f"{x & 1}"` of Python, a template of JavaScript) is a token, and after it come the tokens of the
/// code in its braces.
pub fn tokens(text: &str, syntax: Syntax) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    push_tokens(text, 0..text.len(), syntax, &mut tokens);
    tokens
}

/// The line and column, both from 1, of the byte `at`. Columns count characters.
pub fn position(text: &str, at: usize) -> (usize, usize) {
    let before = String::from_utf8_lossy(&text.as_bytes()[..at.min(text.len())]);
    let line = before.matches('\n').count() + 1;
    let begin = before.rfind('\n').map_or(0, |end| end + 1);
    (line, before[begin..].chars().count() + 1)
}

/// The index of the first token that begins a `phrase`: tokens that follow each other.
///
/// The phrase is read as the language reads it. Numbers are compared by value (`1 <<` finds `1ULL <<`), and names of
/// Pascal without regard to case. A phrase without tokens is nowhere.
pub fn find_tokens(tokens: &[Token<'_>], phrase: &str, syntax: Syntax) -> Option<usize> {
    let phrase = self::tokens(phrase, syntax);
    if phrase.is_empty() {
        return None;
    }
    tokens.windows(phrase.len()).position(|window| {
        let mut pairs = window.iter().zip(&phrase);
        pairs.all(|(a, b)| a.is_same(b, syntax))
    })
}

/// Whether `phrase` is anywhere in `tokens`.
pub(crate) fn has(tokens: &[Token<'_>], phrase: &str, syntax: Syntax) -> bool {
    find_tokens(tokens, phrase, syntax).is_some()
}

impl<'a> Token<'a> {
    /// Whether it is this name, operator or number, as it is written.
    pub(crate) fn is(&self, text: &str) -> bool {
        self.text == text && self.kind != TokenKind::Quoted
    }

    fn is_same(&self, other: &Self, syntax: Syntax) -> bool {
        let value = |token: &Self| token.value(syntax);
        self.kind == other.kind
            && match self.kind {
                TokenKind::Number if value(self).is_some() => value(self) == value(other),
                TokenKind::Name if syntax == Syntax::Pascal => {
                    self.text.eq_ignore_ascii_case(other.text)
                }
                _ => self.text == other.text,
            }
    }

    /// The value of a whole number below 2¹²⁸; `None` for all else.
    pub fn value(&self, syntax: Syntax) -> Option<u128> {
        if self.kind != TokenKind::Number {
            return None;
        }
        let digits = self.text.replace(['_', '\''], "").to_ascii_lowercase();
        let zero_is_octal = !matches!(syntax, Syntax::Rust | Syntax::Python | Syntax::Pascal);
        let (radix, digits) = match digits.as_bytes() {
            [b'$', ..] => (16, &digits[1..]),
            [b'&', ..] => (8, &digits[1..]),
            [b'%', ..] => (2, &digits[1..]),
            [b'0', b'x', ..] => (16, &digits[2..]),
            [b'0', b'o', ..] => (8, &digits[2..]),
            [b'0', b'b', ..] => (2, &digits[2..]),
            [b'0', b'0'..=b'9', ..] if zero_is_octal => (8, &digits[1..]),
            _ => (10, digits.as_str()),
        };
        let end = digits.find(|c: char| !c.is_digit(radix));
        let (number, suffix) = digits.split_at(end.unwrap_or(digits.len()));
        // What is left is a suffix (`ull`, `u64`), or the number is no whole one.
        if suffix.contains('.') || suffix.starts_with(|c: char| c == 'e' || c.is_ascii_digit()) {
            return None;
        }
        u128::from_str_radix(number, radix).ok()
    }

    /// What is between the quotes of a literal, as it is written; `None` for other tokens.
    pub fn quoted(&self) -> Option<&'a str> {
        if self.kind != TokenKind::Quoted {
            return None;
        }
        let open = self.text.find(['"', '\'', '`', '/'])?;
        let quote = char::from(self.text.as_bytes()[open]);
        // The hashes of a raw string follow its last quote; a literal that is cut has none.
        let close = self.text.rfind(quote).filter(|&close| close > open);
        let inside = &self.text[open + 1..close.unwrap_or(self.text.len())];
        Some(inside.trim_matches(quote))
    }
}

/// Adds the tokens of a part of `text`.
fn push_tokens<'a>(text: &'a str, part: Range<usize>, syntax: Syntax, tokens: &mut Vec<Token<'a>>) {
    let bytes = &text.as_bytes()[..part.end];
    let mut at = part.start;
    while at < bytes.len() {
        let (end, kind) = next(bytes, at, syntax, tokens.last());
        let end = end.clamp(at + 1, bytes.len());
        // Tokens end at ASCII characters, so no character is cut in two. Should one be, the token is left out.
        if let (Some(kind), Some(text)) = (kind, text.get(at..end)) {
            tokens.push(Token { kind, text, at });
        }
        if kind == Some(TokenKind::Quoted) && is_formatted(&bytes[at..end], syntax) {
            for code in braces(bytes, at..end) {
                push_tokens(text, code, syntax, tokens);
            }
        }
        at = end;
    }
}

/// Where the token or comment that begins at `at` ends, and what it is: `None` for a comment or a blank.
fn next(
    bytes: &[u8],
    at: usize,
    syntax: Syntax,
    last: Option<&Token<'_>>,
) -> (usize, Option<TokenKind>) {
    let rules = syntax.rules();
    let rest = &bytes[at..];
    if rest[0].is_ascii_whitespace() {
        return (at + 1, None);
    }
    if rest.starts_with(rules.line_comment.as_bytes()) {
        return (line_end(bytes, at), None);
    }
    for (open, close) in rules.block_comments {
        if rest.starts_with(open.as_bytes()) {
            let nested = rules.comments_nest.then_some(open.as_bytes());
            return (
                block_end(bytes, at + open.len(), nested, close.as_bytes()),
                None,
            );
        }
    }
    if number_begins(rest, syntax) {
        return (number_end(bytes, at), Some(TokenKind::Number));
    }
    if is_name_byte(rest[0], rules) {
        let length = rest
            .iter()
            .take_while(|&&byte| is_name_byte(byte, rules))
            .count();
        return match prefixed_end(bytes, at, at + length, syntax) {
            Some(end) => (end, Some(TokenKind::Quoted)),
            None => (at + length, Some(TokenKind::Name)),
        };
    }
    if let Some(end) = quoted_end(bytes, at, syntax) {
        return (end, Some(TokenKind::Quoted));
    }
    // A division follows a value.
    let follows_value = last.is_some_and(|last| {
        last.kind != TokenKind::Operator || matches!(last.text, ")" | "]" | "}")
    });
    if syntax == Syntax::JavaScript && rest[0] == b'/' && !follows_value {
        return (literal_end(bytes, at, &quote("/")), Some(TokenKind::Quoted));
    }
    // Most signs stand alone, which is seen at once.
    if !rest
        .get(1)
        .is_some_and(|second| b"<>=&|+-*/.:?^".contains(second))
    {
        return (at + 1, Some(TokenKind::Operator));
    }
    let operators = rules.operators.split(' ').map(str::as_bytes);
    let longest = operators
        .filter(|sign| rest.starts_with(sign))
        .map(<[u8]>::len)
        .max();
    (at + longest.unwrap_or(1), Some(TokenKind::Operator))
}

fn is_name_byte(byte: u8, rules: &Rules) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80 || rules.name_signs.contains(&byte)
}

/// The end of a literal whose prefix is the name `at..end`: `R"(…)"`, `r#"…"#`, `f'…'`.
fn prefixed_end(bytes: &[u8], at: usize, end: usize, syntax: Syntax) -> Option<usize> {
    let prefix = &bytes[at..end];
    match syntax {
        Syntax::Cpp if matches!(prefix, b"R" | b"LR" | b"uR" | b"UR" | b"u8R") => {
            let opening = bytes[end..].strip_prefix(b"\"")?;
            let length = opening
                .iter()
                .take(17)
                .take_while(|&&byte| byte != b'(')
                .count();
            let close = [b")", &opening[..length], b"\""].concat();
            Some(block_end(bytes, end + 1 + length, None, &close))
        }
        Syntax::Rust if matches!(prefix, b"r" | b"br" | b"cr") => {
            let hashes = bytes[end..]
                .iter()
                .take_while(|&&byte| byte == b'#')
                .count();
            let close = [b"\"".as_slice(), &vec![b'#'; hashes]].concat();
            (bytes.get(end + hashes) == Some(&b'"'))
                .then(|| block_end(bytes, end + hashes + 1, None, &close))
        }
        Syntax::Python if prefix.len() <= 2 && end < bytes.len() => quoted_end(bytes, end, syntax),
        _ => None,
    }
}

/// The end of the literal that opens at `at`, if one does.
fn quoted_end(bytes: &[u8], at: usize, syntax: Syntax) -> Option<usize> {
    let rest = &bytes[at..];
    let mut quotes = syntax.rules().quotes.iter();
    let quote = quotes.find(|quote| rest.starts_with(quote.mark.as_bytes()))?;
    let is_lifetime = syntax == Syntax::Rust && quote.mark == "'" && !is_rust_char(rest);
    (!is_lifetime).then(|| literal_end(bytes, at, quote))
}

fn literal_end(bytes: &[u8], at: usize, quote: &Quote) -> usize {
    let close = quote.mark.as_bytes();
    let mut at = at + close.len();
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if quote.escapes => at += 1,
            b'\n' | b'\r' if !quote.multi_line => return at,
            _ if bytes[at..].starts_with(close) => return at + close.len(),
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

/// Whether a quote opens a character and not a lifetime.
fn is_rust_char(rest: &[u8]) -> bool {
    let width = match rest.get(1) {
        Some(b'\\') => return true,
        Some(0xf0..) => 4,
        Some(0xe0..) => 3,
        Some(0xc0..) => 2,
        _ => 1,
    };
    rest.get(1 + width) == Some(&b'\'')
}

fn line_end(bytes: &[u8], at: usize) -> usize {
    let length = bytes[at..]
        .iter()
        .position(|byte| matches!(byte, b'\n' | b'\r'));
    length.map_or(bytes.len(), |length| at + length)
}

/// The place after the next `close`, or after the one that matches if `nested` opens another level.
fn block_end(bytes: &[u8], from: usize, nested: Option<&[u8]>, close: &[u8]) -> usize {
    let (mut depth, mut at) = (1_usize, from.min(bytes.len()));
    while at < bytes.len() {
        if bytes[at..].starts_with(close) {
            (depth, at) = (depth - 1, at + close.len());
            if depth == 0 {
                return at;
            }
        } else if nested.is_some_and(|open| bytes[at..].starts_with(open)) {
            (depth, at) = (depth + 1, at + close.len());
        } else {
            at += 1;
        }
    }
    bytes.len()
}

fn number_begins(rest: &[u8], syntax: Syntax) -> bool {
    let next = rest.get(1).copied().unwrap_or(0);
    let is_pascal = syntax == Syntax::Pascal;
    match rest[0] {
        b'0'..=b'9' => true,
        b'$' => is_pascal && next.is_ascii_hexdigit(),
        b'&' => is_pascal && matches!(next, b'0'..=b'7'),
        b'%' => is_pascal && matches!(next, b'0' | b'1'),
        _ => false,
    }
}

/// The end of a number: of its digits, separators, fraction, exponent and suffix.
fn number_end(bytes: &[u8], at: usize) -> usize {
    let is_hex = bytes[at] == b'$' || matches!(bytes.get(at + 1), Some(b'x' | b'X'));
    let mut end = at + 1;
    while end < bytes.len() {
        let next = bytes.get(end + 1).copied().unwrap_or(0);
        let is_part = match bytes[end] {
            // 1'000, but not the quote after a number.
            b'\'' => next.is_ascii_hexdigit() && bytes.get(end + 2) != Some(&b'\''),
            // 2.5, but neither 0..9 nor 1.max(2).
            b'.' => next.is_ascii_digit(),
            b'+' | b'-' => {
                !is_hex && matches!(bytes[end - 1], b'e' | b'E') && next.is_ascii_digit()
            }
            byte => is_name_byte(byte, &C),
        };
        if !is_part {
            break;
        }
        end += 1;
    }
    end
}

/// Whether a literal holds code in braces.
fn is_formatted(literal: &[u8], syntax: Syntax) -> bool {
    let mut prefix = literal.iter().take_while(|byte| byte.is_ascii_alphabetic());
    match syntax {
        Syntax::Python => prefix.any(|byte| matches!(byte, b'f' | b'F')),
        Syntax::JavaScript => literal[0] == b'`',
        _ => false,
    }
}

/// The code in the braces of a formatted string; doubled braces are text.
fn braces(bytes: &[u8], literal: Range<usize>) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let (mut depth, mut begin, mut at) = (0_usize, 0, literal.start);
    while at < literal.end {
        match bytes[at] {
            b'{' if depth == 0 && bytes.get(at + 1) == Some(&b'{') => at += 1,
            b'{' => {
                depth += 1;
                if depth == 1 {
                    begin = at + 1;
                }
            }
            b'}' if depth > 0 => {
                depth -= 1;
                if depth == 0 {
                    parts.push(begin..at);
                }
            }
            _ => {}
        }
        at += 1;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tokens, each behind the first letter of its kind.
    fn shown(text: &str, syntax: Syntax) -> String {
        let shown = tokens(text, syntax).into_iter().map(|token| {
            let kind = match token.kind {
                TokenKind::Name => 'n',
                TokenKind::Number => '#',
                TokenKind::Operator => 'o',
                TokenKind::Quoted => 'q',
            };
            assert_eq!(&text[token.at..token.at + token.text.len()], token.text);
            format!("{kind}:{}", token.text)
        });
        shown.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn comments_are_no_tokens_literals_are_one_each_and_the_longest_operator_counts() {
        let table = [
            (Syntax::C, "a&&b&c>>=d", "n:a o:&& n:b o:& n:c o:>>= n:d"),
            (
                Syntax::C,
                "a/* ^ */\"x ^ /*\"'^'// ^\n^'\\''",
                "n:a q:\"x ^ /*\" q:'^' o:^ q:'\\''",
            ),
            (Syntax::C, "\"open\nnext /* open", "q:\"open n:next"),
            (Syntax::Cpp, "std::a<=>b", "n:std o::: n:a o:<=> n:b"),
            (
                Syntax::Cpp,
                "R\"x(a )\" ^ \")x\" 1'000'000ull u8\"^\"",
                "q:R\"x(a )\" ^ \")x\" #:1'000'000ull n:u8 q:\"^\"",
            ),
            (Syntax::Rust, "0..=9||a|b", "#:0 o:..= #:9 o:|| n:a o:| n:b"),
            (
                Syntax::Rust,
                "/* /* ^ */ ^ */ r#\"a\"^\"# '^' &'a b \"f\ng\" '皇'",
                "q:r#\"a\"^\"# q:'^' o:& o:' n:a n:b q:\"f\ng\" q:'皇'",
            ),
            (Syntax::Java, "a$1>>>=1>>>2", "n:a$1 o:>>>= #:1 o:>>> #:2"),
            (
                Syntax::Java,
                "\"\"\"\n ^ \" ^\"\"\" a // ^",
                "q:\"\"\"\n ^ \" ^\"\"\" n:a",
            ),
            (
                Syntax::Pascal,
                "a:=b<>c..d",
                "n:a o::= n:b o:<> n:c o:.. n:d",
            ),
            (
                Syntax::Pascal,
                "{ shl } a (* shl *) 'it''s shl' // shl",
                "n:a q:'it' q:'s shl'",
            ),
            (Syntax::Python, "a//b**-c", "n:a o:// n:b o:** o:- n:c"),
            (
                Syntax::Python,
                "# ^\n'''^\n''' f\"{{^}} {a^b}\" r'^'",
                "q:'''^\n''' q:f\"{{^}} {a^b}\" n:a o:^ n:b q:r'^'",
            ),
            (
                Syntax::Go,
                "a &^= `^\n\\` '^' // ^",
                "n:a o:&^= q:`^\n\\` q:'^'",
            ),
            (
                Syntax::JavaScript,
                "a === b / c; x(/\"'/g)",
                "n:a o:=== n:b o:/ n:c o:; n:x o:( q:/\"'/ n:g o:)",
            ),
            (
                Syntax::JavaScript,
                "`^ ${a ^ b}` /* ^ */",
                "q:`^ ${a ^ b}` n:a o:^ n:b",
            ),
        ];
        for (syntax, text, expected) in table {
            assert_eq!(shown(text, syntax), expected, "{text}");
        }
    }

    #[test]
    fn whole_numbers_have_values_and_others_have_none() {
        let table = [
            (Syntax::C, "14772512", Some(14_772_512)),
            (Syntax::C, "0xE16920UL", Some(14_772_512)),
            (Syntax::C, "070264440", Some(14_772_512)),
            (Syntax::C, "14772512.0", None),
            (Syntax::C, "1e7", None),
            (Syntax::C, "2.5e-3", None),
            (Syntax::Cpp, "0b1'0000", Some(16)),
            (Syntax::Rust, "0xe1_69_20_u64", Some(14_772_512)),
            (Syntax::Rust, "0o17", Some(15)),
            (Syntax::Rust, "010", Some(10)),
            (Syntax::Java, "0b1010L", Some(10)),
            (Syntax::Pascal, "$E16920", Some(14_772_512)),
            (Syntax::Pascal, "&17", Some(15)),
            (Syntax::Pascal, "%101", Some(5)),
            (Syntax::Python, "14_772_512", Some(14_772_512)),
            (Syntax::JavaScript, "9n", Some(9)),
        ];
        for (syntax, text, expected) in table {
            let tokens = tokens(text, syntax);
            assert_eq!(
                (tokens.len(), tokens[0].value(syntax)),
                (1, expected),
                "{text}"
            );
        }
    }

    #[test]
    fn phrases_are_found_token_by_token() {
        let found = |text, phrase, syntax| find_tokens(&tokens(text, syntax), phrase, syntax);
        let c = Syntax::C;
        assert_eq!(found("x = y && z; /* & */ \"&\" '&'", "&", c), None);
        assert_eq!(found("int systems, system\n(1);", "system (", c), Some(3));
        assert_eq!(found("1ULL<<n", "1 <<", c), Some(0));
        assert_eq!(found("A := B SHL 2", "shl", Syntax::Pascal), Some(3));
        assert_eq!(found("A = B", "a", Syntax::Python), None);
        assert_eq!(found("a", "", c), None);
    }

    #[test]
    fn literals_are_read_without_quotes_and_prefixes() {
        let table = [
            (Syntax::C, "\"open", "open"),
            (Syntax::Rust, "r##\"a\"##", "a"),
            (Syntax::Java, "\"\"\"a\"\"\"", "a"),
            (Syntax::Python, "rb'a'", "a"),
            (Syntax::Pascal, "''", ""),
        ];
        for (syntax, text, expected) in table {
            assert_eq!(tokens(text, syntax)[0].quoted(), Some(expected), "{text}");
        }
    }

    #[test]
    fn lines_and_columns_count_from_one_and_columns_count_characters() {
        let text = "皇后 x\n  y";
        let places = [0, 7, 11, 99].map(|at| position(text, at));
        assert_eq!(places, [(1, 1), (1, 4), (2, 3), (2, 4)]);
    }
}

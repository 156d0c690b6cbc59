//! The tokens of a source: names, numbers, operators, and what stands in quotes.
//!
//! Comments and blanks are no tokens. This is no parser: it does not know what a token means, only where it begins
//! and ends, and it takes any text at all, right or wrong.

use std::borrow::Cow;

use grader_model::{LanguageId, SourceFile};

use crate::encoding::to_utf8;
use crate::strip::{Family, Kind, is_name_byte, item};

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

/// The text of a source, in whatever encoding it was saved.
pub fn source_text(source: &SourceFile) -> Cow<'_, str> {
    to_utf8(&source.bytes)
}

/// The tokens of a text in `language`, in their order.
///
/// A formatted string of Python (`f"{x & 1}"`) is a token, and after it come the tokens of the code in its braces.
pub fn tokens(text: &str, language: LanguageId) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    push_tokens(text, 0..text.len(), language, &mut tokens);
    tokens
}

/// The line and column, both from 1, of the byte `at`. Columns count characters.
pub fn position(text: &str, at: usize) -> (usize, usize) {
    let before = String::from_utf8_lossy(&text.as_bytes()[..at.min(text.len())]);
    let line = before.matches('\n').count() + 1;
    let begin = before.rfind('\n').map_or(0, |end| end + 1);
    let column = before[begin..].chars().count() + 1;
    (line, column)
}

/// The place of the first token that begins a `phrase` in `tokens`: of tokens that stand one after the other.
///
/// The phrase is read as the language reads it. Numbers are compared by value (`1 <<` finds `1ULL <<`), and names of
/// Pascal without regard to case. A phrase without tokens is nowhere.
pub fn find_tokens(tokens: &[Token<'_>], phrase: &str, language: LanguageId) -> Option<usize> {
    let phrase = self::tokens(phrase, language);
    if phrase.is_empty() {
        return None;
    }
    tokens.windows(phrase.len()).position(|window| {
        let mut pairs = window.iter().zip(&phrase);
        pairs.all(|(a, b)| same(a, b, language))
    })
}

fn same(a: &Token<'_>, b: &Token<'_>, language: LanguageId) -> bool {
    if a.kind != b.kind {
        return false;
    }
    let value = |token: &Token<'_>| token.value(language);
    match a.kind {
        TokenKind::Number if value(a).is_some() => value(a) == value(b),
        TokenKind::Name if language == LanguageId::Pascal => a.text.eq_ignore_ascii_case(b.text),
        _ => a.text == b.text,
    }
}

impl<'a> Token<'a> {
    /// The value of a whole number below 2¹²⁸; nothing for all else.
    pub fn value(&self, language: LanguageId) -> Option<u128> {
        if self.kind != TokenKind::Number {
            return None;
        }
        let digits = self.text.replace(['_', '\''], "").to_ascii_lowercase();
        let c_like = matches!(language, LanguageId::C | LanguageId::Cpp | LanguageId::Java);
        let (radix, digits) = match digits.as_bytes() {
            [b'$', ..] => (16, &digits[1..]),
            [b'&', ..] => (8, &digits[1..]),
            [b'%', ..] => (2, &digits[1..]),
            [b'0', b'x', ..] => (16, &digits[2..]),
            [b'0', b'o', ..] => (8, &digits[2..]),
            [b'0', b'b', ..] => (2, &digits[2..]),
            [b'0', b'0'..=b'9', ..] if c_like => (8, &digits[1..]),
            _ => (10, digits.as_str()),
        };
        let end = digits
            .find(|c: char| !c.is_digit(radix))
            .unwrap_or(digits.len());
        let (number, suffix) = digits.split_at(end);
        // What is left is a suffix (`ull`, `u64`), or the number is no whole one.
        if suffix.contains('.') || suffix.starts_with(|c: char| c == 'e' || c.is_ascii_digit()) {
            return None;
        }
        u128::from_str_radix(number, radix).ok()
    }

    /// What stands between the quotes of a literal, as it is written; nothing for other tokens.
    pub fn quoted(&self) -> Option<&'a str> {
        if self.kind != TokenKind::Quoted {
            return None;
        }
        let open = self.text.find(['"', '\''])?;
        let quote = char::from(self.text.as_bytes()[open]);
        // The hashes of a raw string stand behind its last quote; a literal that is cut has none.
        let close = self.text.rfind(quote).filter(|&close| close > open);
        let inside = &self.text[open + 1..close.unwrap_or(self.text.len())];
        Some(inside.trim_matches(quote))
    }
}

/// Adds the tokens of a part of `text`.
fn push_tokens<'a>(
    text: &'a str,
    part: std::ops::Range<usize>,
    language: LanguageId,
    tokens: &mut Vec<Token<'a>>,
) {
    let family = family(language);
    let bytes = &text.as_bytes()[..part.end];
    let mut at = part.start;
    while at < bytes.len() {
        let (end, kind) = item(bytes, at, family);
        let mut end = end.clamp(at + 1, bytes.len());
        let kind = match kind {
            Kind::Comment => None,
            Kind::String => Some(TokenKind::Quoted),
            Kind::Code if is_formatted(&bytes[at..end]) && family == Family::Python => {
                push(text, at..end, TokenKind::Quoted, tokens);
                for code in braces(bytes, at..end) {
                    push_tokens(text, code, language, tokens);
                }
                None
            }
            Kind::Code if number_begins(bytes, at, family) => {
                end = number_end(bytes, at);
                Some(TokenKind::Number)
            }
            Kind::Code if is_name_byte(bytes[at]) => Some(TokenKind::Name),
            Kind::Code if bytes[at].is_ascii_whitespace() => None,
            Kind::Code => {
                end = at + operator(&bytes[at..], language);
                Some(TokenKind::Operator)
            }
        };
        if let Some(kind) = kind {
            push(text, at..end, kind, tokens);
        }
        at = end;
    }
}

fn push<'a>(
    text: &'a str,
    place: std::ops::Range<usize>,
    kind: TokenKind,
    tokens: &mut Vec<Token<'a>>,
) {
    let at = place.start;
    // Literals end at quotes or at the ends of lines, all else at ASCII characters: no character is cut in two.
    // Should one be, the token is left out.
    if let Some(text) = text.get(place) {
        tokens.push(Token { kind, text, at });
    }
}

const fn family(language: LanguageId) -> Family {
    match language {
        LanguageId::C | LanguageId::Cpp => Family::C,
        LanguageId::Rust => Family::Rust,
        LanguageId::Java => Family::Java,
        LanguageId::Pascal => Family::Pascal,
        LanguageId::Python => Family::Python,
    }
}

/// Whether a name that was read on to a closing quote is a formatted string.
fn is_formatted(item: &[u8]) -> bool {
    is_name_byte(item[0]) && item.iter().take(3).any(|byte| matches!(byte, b'"' | b'\''))
}

/// The code in the braces of a formatted string; doubled braces are text.
fn braces(bytes: &[u8], literal: std::ops::Range<usize>) -> Vec<std::ops::Range<usize>> {
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

fn number_begins(bytes: &[u8], at: usize, family: Family) -> bool {
    let next = bytes.get(at + 1).copied().unwrap_or(0);
    match bytes[at] {
        b'0'..=b'9' => true,
        b'$' => family == Family::Pascal && next.is_ascii_hexdigit(),
        b'&' => family == Family::Pascal && matches!(next, b'0'..=b'7'),
        b'%' => family == Family::Pascal && matches!(next, b'0' | b'1'),
        _ => false,
    }
}

/// The end of a number: of its digits, separators, fraction, exponent and suffix.
fn number_end(bytes: &[u8], at: usize) -> usize {
    let is_hex = bytes[at] == b'$' || matches!(bytes.get(at + 1), Some(b'x' | b'X'));
    let mut end = at + 1;
    while end < bytes.len() {
        let next = bytes.get(end + 1).copied().unwrap_or(0);
        match bytes[end] {
            byte if is_name_byte(byte) => {}
            // 1'000, but not the quote behind a number.
            b'\'' if next.is_ascii_hexdigit() && bytes.get(end + 2) != Some(&b'\'') => {}
            // 2.5, but neither 0..9 nor 1.max(2).
            b'.' if next.is_ascii_digit() => {}
            b'+' | b'-' if !is_hex && is_exponent(bytes[end - 1]) && next.is_ascii_digit() => {}
            _ => break,
        }
        end += 1;
    }
    end
}

const fn is_exponent(byte: u8) -> bool {
    matches!(byte, b'e' | b'E')
}

/// The length of the operator that `rest` begins with: the longest that the language has.
fn operator(rest: &[u8], language: LanguageId) -> usize {
    let longer: &[&str] = match language {
        LanguageId::C => &C,
        LanguageId::Cpp => &CPP,
        LanguageId::Rust => &RUST,
        LanguageId::Java => &JAVA,
        LanguageId::Pascal => &PASCAL,
        LanguageId::Python => &PYTHON,
    };
    longer
        .iter()
        .map(|sign| sign.as_bytes())
        .filter(|sign| rest.starts_with(sign))
        .map(<[u8]>::len)
        .max()
        .unwrap_or(1)
}

const C: [&str; 22] = [
    "<<=", ">>=", "...", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "++", "--", "->", "+=",
    "-=", "*=", "/=", "%=", "&=", "|=", "^=",
];
const CPP: [&str; 26] = [
    "<<=", ">>=", "...", "<=>", "->*", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "++", "--",
    "->", "::", ".*", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
];
const RUST: [&str; 24] = [
    "<<=", ">>=", "..=", "...", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "->", "=>", "::",
    "..", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
];
const JAVA: [&str; 25] = [
    ">>>=", "<<=", ">>=", ">>>", "...", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "++", "--",
    "->", "::", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
];
const PASCAL: [&str; 13] = [
    ":=", "<>", "><", "<=", ">=", "<<", ">>", "**", "..", "+=", "-=", "*=", "/=",
];
const PYTHON: [&str; 25] = [
    "**=", "//=", "<<=", ">>=", "...", "**", "//", "<<", ">>", "<=", ">=", "==", "!=", "->", ":=",
    "+=", "-=", "*=", "/=", "%=", "@=", "&=", "|=", "^=", "<>",
];

#[cfg(test)]
mod tests {
    use super::*;

    /// The tokens, each behind the first letter of its kind.
    fn shown(text: &str, language: LanguageId) -> String {
        let shown: Vec<String> = tokens(text, language)
            .iter()
            .map(|token| {
                let kind = match token.kind {
                    TokenKind::Name => 'n',
                    TokenKind::Number => '#',
                    TokenKind::Operator => 'o',
                    TokenKind::Quoted => 'q',
                };
                assert_eq!(&text[token.at..token.at + token.text.len()], token.text);
                format!("{kind}:{}", token.text)
            })
            .collect();
        shown.join(" ")
    }

    #[test]
    fn the_longest_operator_counts_in_every_language() {
        let table = [
            (
                LanguageId::C,
                "a&&b&c>>=d",
                "n:a o:&& n:b o:& n:c o:>>= n:d",
            ),
            (LanguageId::Cpp, "std::a<=>b", "n:std o::: n:a o:<=> n:b"),
            (
                LanguageId::Rust,
                "0..=9||a|b",
                "#:0 o:..= #:9 o:|| n:a o:| n:b",
            ),
            (LanguageId::Java, "a>>>=1>>>2", "n:a o:>>>= #:1 o:>>> #:2"),
            (
                LanguageId::Pascal,
                "a:=b<>c..d",
                "n:a o::= n:b o:<> n:c o:.. n:d",
            ),
            (LanguageId::Python, "a//b**-c", "n:a o:// n:b o:** o:- n:c"),
        ];
        for (language, text, expected) in table {
            assert_eq!(shown(text, language), expected);
        }
    }

    #[test]
    fn comments_are_no_tokens_and_literals_are_one_each() {
        let table = [
            (
                LanguageId::C,
                "a/* ^ */\"x ^ /*\"'^'// ^\n^'\\''",
                "n:a q:\"x ^ /*\" q:'^' o:^ q:'\\''",
            ),
            (
                LanguageId::Cpp,
                "R\"(a ^ \")\" 1'000'000ull u8\"^\"",
                "q:R\"(a ^ \")\" #:1'000'000ull n:u8 q:\"^\"",
            ),
            (
                LanguageId::Rust,
                "/* /* ^ */ ^ */ r#\"a\"^\"# '^' &'a b",
                "q:r#\"a\"^\"# q:'^' o:& o:' n:a n:b",
            ),
            (
                LanguageId::Java,
                "\"\"\"\n ^ \" ^\"\"\" a // ^",
                "q:\"\"\"\n ^ \" ^\"\"\" n:a",
            ),
            (
                LanguageId::Pascal,
                "{ shl } a (* shl *) 'it''s shl' // shl",
                "n:a q:'it' q:'s shl'",
            ),
            (
                LanguageId::Python,
                "# ^\n'''^\n''' f\"{{^}} {a^b}\" r'^'",
                "q:'''^\n''' q:f\"{{^}} {a^b}\" n:a o:^ n:b q:r'^'",
            ),
        ];
        for (language, text, expected) in table {
            assert_eq!(shown(text, language), expected, "{language}");
        }
    }

    #[test]
    fn whole_numbers_have_values_and_others_have_none() {
        let value = |text: &str, language| {
            let tokens = tokens(text, language);
            assert_eq!(tokens.len(), 1, "{text}: {tokens:?}");
            tokens[0].value(language)
        };
        let table = [
            (LanguageId::C, "14772512", Some(14_772_512)),
            (LanguageId::C, "0xE16920UL", Some(14_772_512)),
            (LanguageId::C, "070264440", Some(14_772_512)),
            (LanguageId::C, "14772512.0", None),
            (LanguageId::C, "1e7", None),
            (LanguageId::C, "2.5e-3", None),
            (LanguageId::Cpp, "14'772'512ll", Some(14_772_512)),
            (LanguageId::Cpp, "0b1'0000", Some(16)),
            (LanguageId::Rust, "14_772_512u64", Some(14_772_512)),
            (LanguageId::Rust, "0xe1_69_20_u64", Some(14_772_512)),
            (LanguageId::Rust, "0o17", Some(15)),
            (LanguageId::Rust, "010", Some(10)),
            (LanguageId::Java, "0b1010L", Some(10)),
            (LanguageId::Pascal, "$E16920", Some(14_772_512)),
            (LanguageId::Pascal, "&17", Some(15)),
            (LanguageId::Pascal, "%101", Some(5)),
            (LanguageId::Python, "14_772_512", Some(14_772_512)),
            (LanguageId::Python, "0xE16920", Some(14_772_512)),
        ];
        for (language, text, expected) in table {
            assert_eq!(value(text, language), expected, "{language} {text}");
        }
    }

    #[test]
    fn phrases_are_found_token_by_token() {
        let found = |text, phrase, language| find_tokens(&tokens(text, language), phrase, language);
        let c = LanguageId::C;
        assert_eq!(found("x = y & z;", "&", c), Some(3));
        assert_eq!(found("x = y && z; /* & */ \"&\" '&'", "&", c), None);
        assert_eq!(found("int systems, system\n(1);", "system (", c), Some(3));
        assert_eq!(found("1ULL<<n", "1 <<", c), Some(0));
        assert_eq!(found("cout << 0x1", "<< 1", LanguageId::Cpp), Some(1));
        assert_eq!(found("A := B SHL 2", "shl", LanguageId::Pascal), Some(3));
        assert_eq!(found("A = B", "a", LanguageId::Python), None);
        assert_eq!(found("a", "", c), None);
    }

    #[test]
    fn literals_are_read_without_quotes_and_prefixes() {
        let quoted = |text: &str, language| {
            let tokens = tokens(text, language);
            tokens.last().and_then(Token::quoted).map(str::to_owned)
        };
        let table = [
            (LanguageId::C, "\"a\"", "a"),
            (LanguageId::C, "\"open", "open"),
            (LanguageId::Rust, "r##\"a\"##", "a"),
            (LanguageId::Java, "\"\"\"a\"\"\"", "a"),
            (LanguageId::Python, "rb'a'", "a"),
            (LanguageId::Pascal, "''", ""),
        ];
        for (language, text, expected) in table {
            assert_eq!(quoted(text, language).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn lines_and_columns_count_from_one_and_columns_count_characters() {
        let text = "皇后 x\n  y";
        assert_eq!(position(text, 0), (1, 1));
        assert_eq!(position(text, 7), (1, 4));
        assert_eq!(position(text, 11), (2, 3));
        assert_eq!(position(text, 99), (2, 4));
    }

    #[test]
    fn any_text_at_all_has_tokens() {
        for text in [
            "",
            "'",
            "\"",
            "R\"",
            "f'{",
            "0x",
            "$",
            "皇'后",
            "r#",
            "f'皇{后}",
            "1'",
            "1.",
        ] {
            for language in LanguageId::ALL {
                for token in tokens(text, language) {
                    let _ = (token.value(language), token.quoted());
                }
            }
        }
    }
}

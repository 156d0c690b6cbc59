//! The lexer for all languages: splits a source into names, numbers, operators and literals. Comments and blanks are
//! not tokens.
//!
//! It finds where tokens begin and end, not what they mean, and accepts any text, valid or not, in linear time.

use crate::constants::MAX_INCLUDE_BYTES;
use crate::syntax::{LexicalRules, Quote, Syntax, quote};

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A name or keyword.
    Name,
    /// A number as written: `0x10`, `1'000u`, `$FF`, `2.5e-3`.
    Number,
    /// An operator or other punctuation. The longest match counts: `&&` is one token, not two `&`.
    Operator,
    /// A quoted literal, with its quotes and prefix.
    Quoted,
}

/// One token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    /// Its kind.
    pub kind: TokenKind,
    /// Its text.
    pub text: &'a str,
    /// Its byte offset in the source.
    pub at: usize,
}

/// The position of a token in a text. It takes less memory than a [`Token`] and borrows nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    kind: TokenKind,
    at: u32,
    length: u32,
}

impl Span {
    /// The position of a token in a text below 4 GiB.
    pub(crate) fn of(token: &Token<'_>) -> Self {
        Self {
            kind: token.kind,
            at: token.at as u32,
            length: token.text.len() as u32,
        }
    }

    pub(crate) fn token(self, text: &str) -> Token<'_> {
        let at = self.at as usize;
        Token {
            kind: self.kind,
            text: &text[at..at + self.length as usize],
            at,
        }
    }
}

/// The tokens of a text, in order.
pub fn tokens(text: &str, syntax: Syntax) -> Vec<Token<'_>> {
    let mut tokens: Vec<Token<'_>> = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let (end, kind) = next(text.as_bytes(), at, syntax, tokens.last());
        let end = end.clamp(at + 1, text.len());
        // Tokens end at ASCII characters, so no character is split. If one were, the token would be omitted.
        if let (Some(kind), Some(text)) = (kind, text.get(at..end)) {
            tokens.push(Token { kind, text, at });
        }
        at = end;
    }
    tokens
}

/// The line and column, both from 1, of the byte `at`. Columns count characters.
pub fn position(text: &str, at: usize) -> (usize, usize) {
    let before = String::from_utf8_lossy(&text.as_bytes()[..at.min(text.len())]);
    let line = before.matches('\n').count() + 1;
    let begin = before.rfind('\n').map_or(0, |end| end + 1);
    (line, before[begin..].chars().count() + 1)
}

/// The index of the first occurrence of a `phrase`, a sequence of tokens.
///
/// The phrase is tokenised by the language's rules. Numbers are compared by value (`1 <<` finds `1ULL <<`), and
/// Pascal's names ignoring case. An empty phrase does not occur.
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

/// The names and keywords.
pub(crate) fn names<'a>(tokens: &[Token<'a>]) -> impl Iterator<Item = &'a str> {
    let names = tokens.iter().filter(|it| it.kind == TokenKind::Name);
    names.map(|it| it.text)
}

/// The texts in short literals, not unescaped: a longer one names no file.
pub(crate) fn short_literals<'a>(tokens: &[Token<'a>]) -> impl Iterator<Item = &'a str> {
    let quoted = tokens.iter().filter_map(Token::quoted);
    quoted.filter(|it| it.len() <= MAX_INCLUDE_BYTES)
}

/// Whether `phrase` occurs in `tokens`.
pub(crate) fn has(tokens: &[Token<'_>], phrase: &str, syntax: Syntax) -> bool {
    find_tokens(tokens, phrase, syntax).is_some()
}

impl<'a> Token<'a> {
    /// Whether it is exactly this name, operator or number.
    pub(crate) fn is(&self, text: &str) -> bool {
        self.text == text && self.kind != TokenKind::Quoted
    }

    /// Whether nothing stands before it in its line, not even a blank.
    pub(crate) fn begins_line(&self, text: &str) -> bool {
        let before = &text[..self.at];
        before.is_empty() || before.ends_with(['\n', '\r', '\u{feff}'])
    }

    fn is_same(&self, other: &Self, syntax: Syntax) -> bool {
        let ignores_case = syntax == Syntax::Pascal && self.kind == TokenKind::Name;
        self.kind == other.kind
            && (self.text == other.text
                || ignores_case && self.text.eq_ignore_ascii_case(other.text)
                || self
                    .value(syntax)
                    .is_some_and(|value| other.value(syntax) == Some(value)))
    }

    /// The value of a whole number below 2¹²⁸; `None` for anything else.
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
        // The rest is a suffix (`ull`, `u64`), or the number is not a whole one.
        if suffix.contains('.') || suffix.starts_with(|c: char| c == 'e' || c.is_ascii_digit()) {
            return None;
        }
        u128::from_str_radix(number, radix).ok()
    }

    /// The text between the quotes of a literal, not unescaped; `None` for other tokens.
    pub fn quoted(&self) -> Option<&'a str> {
        if self.kind != TokenKind::Quoted {
            return None;
        }
        let open = self.text.find(['"', '\'', '`', '/'])?;
        let quote = char::from(self.text.as_bytes()[open]);
        // A raw string's hashes follow its last quote; an unterminated literal has none.
        let close = self.text.rfind(quote).filter(|&close| close > open);
        let inside = &self.text[open + 1..close.unwrap_or(self.text.len())];
        Some(inside.trim_matches(quote))
    }
}

/// The end of the token or comment at `at`, and its kind: `None` for a comment or a blank.
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
    for (open, close) in rules.block_comments {
        if rest.starts_with(open.as_bytes()) {
            let nested = (syntax == Syntax::Rust).then_some(open.as_bytes());
            let end = block_end(bytes, at + open.len(), nested, close.as_bytes());
            return (end, None);
        }
    }
    if rest.starts_with(rules.line_comment.as_bytes()) {
        let length = count(rest, |byte| !matches!(byte, b'\n' | b'\r'));
        return (at + length, None);
    }
    if number_begins(rest, syntax) {
        return (number_end(bytes, at), Some(TokenKind::Number));
    }
    if is_name_byte(rest[0], rules) {
        let end = at + count(rest, |byte| is_name_byte(byte, rules));
        return match prefixed_end(bytes, at, end, syntax) {
            Some(end) => (end, Some(TokenKind::Quoted)),
            None => (end, Some(TokenKind::Name)),
        };
    }
    if let Some(end) = quoted_end(bytes, at, syntax) {
        return (end, Some(TokenKind::Quoted));
    }
    // After a value, `/` is division.
    let follows_value = last.is_some_and(|last| {
        last.kind != TokenKind::Operator || matches!(last.text, ")" | "]" | "}")
    });
    if syntax == Syntax::JavaScript && rest[0] == b'/' && !follows_value {
        let end = literal_end(bytes, at, &quote("/", true, false));
        return (end, Some(TokenKind::Quoted));
    }
    // Most operators are single characters; check that quickly.
    if !rest
        .get(1)
        .is_some_and(|second| b"<>=&|+-*/.:?^".contains(second))
    {
        return (at + 1, Some(TokenKind::Operator));
    }
    let operators = rules
        .operators
        .split(' ')
        .filter(|sign| rest.starts_with(sign.as_bytes()));
    let length = operators.map(str::len).max().unwrap_or(1);
    (at + length, Some(TokenKind::Operator))
}

/// Number of leading bytes that satisfy `is_such`.
fn count(bytes: &[u8], is_such: impl Fn(u8) -> bool) -> usize {
    bytes.iter().take_while(|&&byte| is_such(byte)).count()
}

fn is_name_byte(byte: u8, rules: &LexicalRules) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80 || rules.name_signs.contains(&byte)
}

/// The end of a literal whose prefix is the name `at..end`: `R"(…)"`, `r#"…"#`, `f'…'`.
fn prefixed_end(bytes: &[u8], at: usize, end: usize, syntax: Syntax) -> Option<usize> {
    let prefix = &bytes[at..end];
    match syntax {
        Syntax::Cpp if matches!(prefix, b"R" | b"LR" | b"uR" | b"UR" | b"u8R") => {
            let opening = bytes[end..].strip_prefix(b"\"")?;
            let length = count(&opening[..opening.len().min(17)], |byte| byte != b'(');
            let close = [b")", &opening[..length], b"\""].concat();
            Some(block_end(bytes, end + 1 + length, None, &close))
        }
        Syntax::Rust if matches!(prefix, b"r" | b"br" | b"cr") => {
            let hashes = count(&bytes[end..], |byte| byte == b'#');
            let close = ["\"", &"#".repeat(hashes)].concat();
            (bytes.get(end + hashes) == Some(&b'"'))
                .then(|| block_end(bytes, end + hashes + 1, None, close.as_bytes()))
        }
        Syntax::Python if prefix.len() <= 2 && end < bytes.len() => quoted_end(bytes, end, syntax),
        _ => None,
    }
}

/// The end of the literal that opens at `at`, if there is one.
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

/// Whether a quote opens a character rather than a lifetime.
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

/// The position after the next `close`, or after the matching one if `nested` opens another level.
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

/// The end of a number with its digits, separators, fraction, exponent and suffix.
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
            byte => is_name_byte(byte, Syntax::C.rules()),
        };
        if !is_part {
            break;
        }
        end += 1;
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tokens, each after the first letter of its kind.
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
        #[rustfmt::skip]
        let table = [
            (Syntax::C, "a&&b&c>>=d", "n:a o:&& n:b o:& n:c o:>>= n:d"),
            (Syntax::C, "a/* ^ */\"x ^ /*\"'^'// ^\n^'\\''", "n:a q:\"x ^ /*\" q:'^' o:^ q:'\\''"),
            (Syntax::C, "\"open\nnext /* open", "q:\"open n:next"),
            (Syntax::Cpp, "std::a<=>b", "n:std o::: n:a o:<=> n:b"),
            (Syntax::Cpp, "R\"x(a )\" ^ \")x\" 1'000'000ull u8\"^\"",
             "q:R\"x(a )\" ^ \")x\" #:1'000'000ull n:u8 q:\"^\""),
            (Syntax::Rust, "0..=9||a|b", "#:0 o:..= #:9 o:|| n:a o:| n:b"),
            (Syntax::Rust, "/* /* ^ */ ^ */ r#\"a\"^\"# '^' &'a b \"f\ng\" '皇'",
             "q:r#\"a\"^\"# q:'^' o:& o:' n:a n:b q:\"f\ng\" q:'皇'"),
            (Syntax::Java, "a$1>>>=1>>>2", "n:a$1 o:>>>= #:1 o:>>> #:2"),
            (Syntax::Java, "\"\"\"\n ^ \" ^\"\"\" a // ^", "q:\"\"\"\n ^ \" ^\"\"\" n:a"),
            (Syntax::Pascal, "a:=b<>c..d", "n:a o::= n:b o:<> n:c o:.. n:d"),
            (Syntax::Pascal, "{ shl } a (* shl *) 'it''s shl' // shl", "n:a q:'it' q:'s shl'"),
            (Syntax::Python, "a//b**-c", "n:a o:// n:b o:** o:- n:c"),
            (Syntax::Python, "# ^\n'''^\n''' f\"{a^b}\" r'^'", "q:'''^\n''' q:f\"{a^b}\" q:r'^'"),
            (Syntax::Go, "a &^= `^\n\\` '^' // ^", "n:a o:&^= q:`^\n\\` q:'^'"),
            (Syntax::JavaScript, "a === b / c; x(/\"'/g)", "n:a o:=== n:b o:/ n:c o:; n:x o:( q:/\"'/ n:g o:)"),
            (Syntax::JavaScript, "`^ ${a ^ b}` /* ^ */", "q:`^ ${a ^ b}`"),
            (Syntax::Lua, "--[[ ^\n^ ]] a ~= '^' -- ^", "n:a o:~= q:'^'"),
            (Syntax::Sql, "select 'it''s ^' -- ^\n/* ^ */ <> 1", "n:select q:'it' q:'s ^' o:<> #:1"),
            (Syntax::Haskell, "f' {- ^ -} >>= g -- ^", "n:f' o:>>= n:g"),
            (Syntax::OCaml, "let f' = (* ^ *) a |> b", "n:let n:f' o:= n:a o:|> n:b"),
        ];
        for (syntax, text, expected) in table {
            assert_eq!(shown(text, syntax), expected, "{text}");
        }
    }

    #[test]
    fn whole_numbers_have_values_and_others_have_none() {
        #[rustfmt::skip]
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
        #[rustfmt::skip]
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

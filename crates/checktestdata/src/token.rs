//! The words of a program.

use std::collections::HashMap;

use grader_model::escaped;
use thiserror::Error;

use crate::pattern::Pattern;
use crate::value::{Value, decimal, integer};

/// Bound on the size of a program.
const MAX_SOURCE_BYTES: usize = 1 << 20;

/// Blanks, comments, strings, numbers, words and symbols, in the language's own patterns.
const SHAPE: &str = concat!(
    "[ \t\n\r\x0b\x0c]+|#[^\n]*|\"([^\"\\\\]|\\\\.)*\"|([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+\\-]?[0-9]+)?",
    "|[A-Z]+|[a-z][a-z0-9]*|[<>=!]=|&&|\\|\\||[-<>=!+*/%^,()]|\\[|\\]"
);

/// Keywords and symbols.
const WORDS: &str = "MATCH ISEOF UNIQUE INARRAY STRLEN SPACE NEWLINE EOF INT FLOAT FLOATP STRING REGEX ASSERT SET UNSET \
    FIXED SCIENTIFIC REP REPI WHILE WHILEI IF ELSE END <= >= == != && || < > = ! + - * / % ^ , ( ) [ ]";

/// A token of a program.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Token {
    Value(Value),
    /// The place of a variable in [`Script::names`].
    Name(usize),
    Word(&'static str),
    End,
}

/// A program is wrong, or an input needs more than its bounds allow.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {message}")]
pub struct Mistake {
    /// The line of the program, from 1.
    pub line: u32,
    /// What was expected and found, as one line of printable text.
    pub message: String,
}

/// The words of a program.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Script {
    /// The tokens with their lines, `End` being the last. It runs from these: what skips a block also finds its end.
    pub(crate) tokens: Vec<(Token, u32)>,
    /// The names of its variables, which tokens name by their places here.
    pub(crate) names: Vec<String>,
}

impl Script {
    /// The tokens of a program that is not checked yet.
    pub(crate) fn new(source: &[u8]) -> Result<Self, Mistake> {
        let (mut rest, mut line) = (source, 1);
        let (mut tokens, mut names) = (Vec::new(), Vec::new());
        let mut places = HashMap::new();
        let mistake = |line, message| Mistake { line, message };
        if source.len() > MAX_SOURCE_BYTES {
            return Err(mistake(line, "it is larger than 1 MiB".to_owned()));
        }
        let mut shape = Pattern::new(SHAPE.as_bytes()).map_err(|it| mistake(line, it))?;
        while !rest.is_empty() {
            let (length, _) = shape.matches(rest);
            let (text, after) = rest.split_at(length.unwrap_or(1));
            let shown = || escaped(&text[..text.len().min(40)]);
            let token = match text[0] {
                _ if length.is_none() => None,
                b' ' | b'\t'..=b'\r' | b'#' => Some(None),
                b'"' => string(text).map(|it| Some(Token::Value(Value::Text(it.into())))),
                b'0'..=b'9' | b'.' => number(text).map(|it| Some(Token::Value(it))),
                b'a'..=b'z' => {
                    let name = shown();
                    let place = *places.entry(name.clone()).or_insert(names.len());
                    if place == names.len() {
                        names.push(name);
                    }
                    Some(Some(Token::Name(place)))
                }
                _ => {
                    let word = WORDS.split(' ').find(|it| it.as_bytes() == text);
                    word.map(|it| Some(Token::Word(it)))
                }
            };
            let Some(token) = token else {
                return Err(mistake(
                    line,
                    format!("`{}` is not a word of the language", shown()),
                ));
            };
            tokens.extend(token.map(|it| (it, line)));
            line += text.split(|it| *it == b'\n').count() as u32 - 1;
            rest = after;
        }
        tokens.push((Token::End, line));
        Ok(Self { tokens, names })
    }
}

/// Integers have no leading zeros; any other number is a real one.
fn number(text: &[u8]) -> Option<Value> {
    let is_integer = text.iter().all(u8::is_ascii_digit) && (text == b"0" || text[0] != b'0');
    if is_integer {
        return integer(text).map(Value::Integer);
    }
    decimal(text).map(Value::Real)
}

/// The bytes of a string in quotes; `None` if an escape names no byte.
fn string(text: &[u8]) -> Option<Vec<u8>> {
    let mut rest = &text[1..text.len() - 1];
    let mut bytes = Vec::new();
    while let [first, after @ ..] = rest {
        let octal = after.iter().take(3);
        let octal = octal.take_while(|it| matches!(it, b'0'..=b'7')).count();
        let (byte, length) = match (first, after.first()) {
            (b'\\', Some(b'0'..=b'7')) => {
                let digits = std::str::from_utf8(&after[..octal]).ok()?;
                (Some(u8::from_str_radix(digits, 8).ok()?), octal)
            }
            // The line goes on.
            (b'\\', Some(b'\n')) => (None, 1),
            (b'\\', Some(byte @ (b'\\' | b'"'))) => (Some(*byte), 1),
            (b'\\', Some(b'n')) => (Some(b'\n'), 1),
            (b'\\', Some(b't')) => (Some(b'\t'), 1),
            (b'\\', Some(b'r')) => (Some(b'\r'), 1),
            (b'\\', Some(b'b')) => (Some(8), 1),
            _ => (Some(*first), 0),
        };
        bytes.extend(byte);
        rest = &after[length..];
    }
    Some(bytes)
}

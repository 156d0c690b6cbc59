//! What a program reads of an input, and how much it may work.

use std::collections::HashMap;
use std::sync::Arc;

use grader_model::escaped;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, Zero};
use thiserror::Error;

use crate::pattern::Pattern;
use crate::value::Value::{self, Integer};
use crate::value::{MAX_DIGITS, decimal, integer};

/// Bound on the work for one input, and what is added to it for each byte: each token is a step, and so are a few words of
/// what is long.
const MAX_STEPS: u64 = 1 << 25;
const STEPS_PER_BYTE: u64 = 64;
/// Patterns that are kept, and the steps that making one counts for.
const MAX_PATTERNS: usize = 100;
const PATTERN_STEPS: u64 = 10_000;
/// Bytes of the input that a message shows.
const MAX_SHOWN: usize = 40;

/// Why an input is invalid.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {message}")]
pub struct Rejection {
    /// The line of the input, from 1.
    pub line: usize,
    /// The byte in this line, from 1.
    pub column: usize,
    /// What was expected and found, as one line of printable text.
    pub message: String,
}

/// Why a program stops before its end.
pub(crate) enum Stop {
    /// Where in the input, and why.
    Rejected(usize, String),
    Mistake(String),
}

pub(crate) type Done<T> = Result<T, Stop>;

pub(crate) fn mistake<T>(message: impl Into<String>) -> Done<T> {
    Err(Stop::Mistake(message.into()))
}

#[derive(Default)]
pub(crate) struct Reader<'a> {
    pub(crate) input: &'a [u8],
    /// How many bytes of it are read.
    pub(crate) read: usize,
    steps: u64,
    patterns: HashMap<Arc<[u8]>, Pattern>,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(input: &'a [u8]) -> Self {
        Self {
            input,
            ..Self::default()
        }
    }

    pub(crate) fn spend(&mut self, steps: u64) -> Done<()> {
        self.steps = self.steps.saturating_add(steps);
        let most = MAX_STEPS + STEPS_PER_BYTE * self.input.len() as u64;
        if self.steps > most {
            return mistake(format!("it did not end after {most} steps"));
        }
        Ok(())
    }

    pub(crate) fn reject<T>(&self, at: usize, expected: &str) -> Done<T> {
        let rest = &self.input[at..];
        let word = rest
            .split(u8::is_ascii_whitespace)
            .next()
            .unwrap_or_default();
        let found = match rest.first() {
            None => "the end of the input".to_owned(),
            Some(b'\n') => "the end of the line".to_owned(),
            Some(b' ') => "a space".to_owned(),
            _ if word.len() > MAX_SHOWN => format!("`{}…`", escaped(&rest[..MAX_SHOWN])),
            _ => format!("`{}`", escaped(&rest[..word.len().max(1)])),
        };
        Err(Stop::Rejected(
            at,
            format!("expected {expected}, found {found}"),
        ))
    }

    pub(crate) fn eof(&self) -> Done<()> {
        if self.read == self.input.len() {
            return Ok(());
        }
        self.reject(self.read, "the end of the input")
    }

    pub(crate) fn literal(&mut self, text: &[u8]) -> Done<()> {
        self.spend(text.len() as u64 / 8)?;
        if self.input[self.read..].starts_with(text) {
            self.read += text.len();
            return Ok(());
        }
        let expected = match text {
            b"\n" => "the end of the line".to_owned(),
            b" " => "a space".to_owned(),
            text => format!("`{}`", escaped(&text[..text.len().min(MAX_SHOWN)])),
        };
        self.reject(self.read, &expected)
    }

    /// What a pattern matches in the rest of the input, or in a text.
    pub(crate) fn find(&mut self, source: &[u8], text: Option<&'a [u8]>) -> Done<Option<&'a [u8]>> {
        if !self.patterns.contains_key(source) {
            self.spend(PATTERN_STEPS)?;
            if self.patterns.len() == MAX_PATTERNS {
                self.patterns.clear();
            }
            let pattern = Pattern::new(source).map_err(Stop::Mistake)?;
            self.patterns.insert(source.into(), pattern);
        }
        let text = text.unwrap_or(&self.input[self.read..]);
        let found = self.patterns.get_mut(source).map(|it| it.matches(text));
        let (length, steps) = found.unwrap_or_default();
        self.spend(steps as u64)?;
        Ok(length.map(|length| &text[..length]))
    }

    pub(crate) fn regex(&mut self, source: &[u8]) -> Done<&'a [u8]> {
        let Some(found) = self.find(source, None)? else {
            let shown = escaped(&source[..source.len().min(MAX_SHOWN)]);
            return self.reject(self.read, &format!("a match of `{shown}`"));
        };
        self.read += found.len();
        Ok(found)
    }

    /// The longest text that looks like a number, and whether it is one.
    fn like(&mut self, looks: &str, is: &str) -> Done<(&'a [u8], bool)> {
        let text = self.find(looks.as_bytes(), None)?.unwrap_or_default();
        self.read += text.len();
        let is_valid = self.find(is.as_bytes(), Some(text))? == Some(text);
        let words = text.len().min(MAX_DIGITS) as u64 / 64;
        self.spend(words * words)?;
        Ok((text, is_valid))
    }

    pub(crate) fn integer(&mut self) -> Done<Option<BigInt>> {
        let (text, is_valid) = self.like("-?[0-9]*", "0|-?[1-9][0-9]*")?;
        Ok(integer(text).filter(|_| is_valid))
    }

    pub(crate) fn real(
        &mut self,
        notation: &str,
        decimals: Option<&[Value; 2]>,
    ) -> Done<Option<BigRational>> {
        let (looks, is) = if notation == "FIXED" {
            ("", "")
        } else {
            ("([eE][-+]?[0-9]*)?", "([eE][-+]?(0|[1-9][0-9]*))?")
        };
        let looks = format!("-?[0-9]*(\\.[0-9]*)?{looks}");
        let (text, mut is_valid) =
            self.like(&looks, &format!("-?(0|[1-9][0-9]*)(\\.[0-9]+)?{is}"))?;
        let next = self.input.get(self.read);
        let mantissa = text
            .split(|it| matches!(it, b'e' | b'E'))
            .next()
            .unwrap_or_default();
        let has_exponent = mantissa.len() < text.len();
        is_valid &= match notation {
            "FIXED" => true,
            "SCIENTIFIC" => has_exponent,
            // As for `pyctd`: a line ends with a newline.
            _ => has_exponent || next.is_some(),
        };
        if let Some([fewest, largest]) = decimals {
            let (Integer(fewest), Integer(largest)) = (fewest, largest) else {
                return mistake("a number of decimals must be an integer");
            };
            if fewest.is_negative() || largest.is_negative() {
                return mistake("a number of decimals must be at least 0");
            }
            let mut parts = mantissa.split(|it| *it == b'.');
            let whole = parts.next().unwrap_or_default();
            let count = BigInt::from(parts.next().unwrap_or_default().len());
            let is_normal = matches!(whole, [b'1'..=b'9'] | [b'-', b'1'..=b'9']);
            let may_be_any = !has_exponent && next.is_some_and(|it| !matches!(it, b'e' | b'E'));
            is_valid &= *fewest <= count && count <= *largest && (is_normal || may_be_any);
        }
        if !is_valid {
            return Ok(None);
        }
        match decimal(text) {
            Some(number) => Ok(Some(number).filter(|it| !it.is_zero() || text[0] != b'-')),
            None => mistake("a number of the input is too long"),
        }
    }
}

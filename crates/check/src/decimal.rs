//! Decimal numbers, compared exactly.

use std::cmp::Ordering;
use std::ops::Range;

/// A decimal number as it is written: exact, unlike an `f64`.
#[derive(Clone, Debug)]
pub(crate) struct Decimal {
    negative: bool,
    /// Most significant first, without zeros at either end; none for zero.
    digits: Vec<u8>,
    /// The power of ten of the last digit.
    exponent: i64,
}

/// Numbers with more digits than this, or between whose digits there is so much space, are compared as `f64`.
pub(crate) const MAX_SPAN: i64 = 4096;

/// Whether the token is a number: sign, digits, decimal point, exponent; not infinite, not a number, or hexadecimal.
pub(crate) fn is_number(token: &[u8]) -> bool {
    float(token).is_some()
}

/// The nearest `f64` of a number token; `None` if it is none, or too large.
pub(crate) fn float(token: &[u8]) -> Option<f64> {
    let digits = token.strip_prefix(b"+").or(token.strip_prefix(b"-"));
    let starts = matches!(
        digits.unwrap_or(token),
        [b'0'..=b'9', ..] | [b'.', b'0'..=b'9', ..]
    );
    let value: f64 = std::str::from_utf8(token).ok()?.parse().ok()?;
    (starts && value.is_finite()).then_some(value)
}

impl Decimal {
    /// A number token; `None` if it is none, or far too long.
    pub(crate) fn parse(token: &[u8]) -> Option<Self> {
        float(token)?;
        let at = token.iter().position(|byte| matches!(byte, b'e' | b'E'));
        let (significand, exponent) = token.split_at(at.unwrap_or(token.len()));
        let exponent: i64 = match exponent {
            [] => 0,
            [_, rest @ ..] => std::str::from_utf8(rest).ok()?.parse().ok()?,
        };
        let point = significand.iter().position(|byte| *byte == b'.');
        let decimals = point.map_or(0, |point| significand.len() - point - 1);
        let digits = significand.iter().filter(|byte| byte.is_ascii_digit());
        let digits = digits.map(|digit| digit - b'0').collect();
        let exponent = exponent.checked_sub(i64::try_from(decimals).ok()?)?;
        let number = Self::new(token[0] == b'-', digits, exponent);
        let size = number.digits.len() as i64;
        (size <= MAX_SPAN && number.exponent.abs() <= MAX_SPAN).then_some(number)
    }

    fn new(negative: bool, mut digits: Vec<u8>, mut exponent: i64) -> Self {
        let zeros = digits.iter().take_while(|digit| **digit == 0).count();
        digits.drain(..zeros);
        while digits.pop_if(|last| *last == 0).is_some() {
            exponent += 1;
        }
        if digits.is_empty() {
            exponent = 0;
        }
        Self {
            negative,
            digits,
            exponent,
        }
    }

    /// The digit at a power of ten.
    fn digit(&self, power: i64) -> u8 {
        let from_end = usize::try_from(power - self.exponent).ok();
        let at = from_end.and_then(|at| self.digits.len().checked_sub(at + 1));
        at.map_or(0, |at| self.digits[at])
    }

    /// The power of ten above the first digit.
    fn top(&self) -> i64 {
        self.exponent + self.digits.len() as i64
    }

    /// Compares without signs.
    fn cmp_size(&self, other: &Self) -> Ordering {
        let powers = self.exponent.min(other.exponent)..self.top().max(other.top());
        let mut differences = powers.rev().map(|it| self.digit(it).cmp(&other.digit(it)));
        differences.find(|it| it.is_ne()).unwrap_or(Ordering::Equal)
    }

    /// How far the two are apart.
    pub(crate) fn distance(&self, other: &Self) -> Self {
        let (large, small) = match self.cmp_size(other) {
            Ordering::Less => (other, self),
            _ => (self, other),
        };
        let low = large.exponent.min(small.exponent);
        let mut digits = Vec::new();
        let mut carry = 0;
        for power in low..=large.top() {
            let (one, two) = (i16::from(large.digit(power)), i16::from(small.digit(power)));
            let sum = if self.negative == other.negative {
                one - two + carry
            } else {
                one + two + carry
            };
            carry = sum.div_euclid(10);
            // Below 10.
            digits.push(sum.rem_euclid(10) as u8);
        }
        digits.reverse();
        Self::new(false, digits, low)
    }

    /// The product, without signs.
    pub(crate) fn times(&self, other: &Self) -> Self {
        let mut columns = vec![0u64; self.digits.len() + other.digits.len()];
        for (i, one) in self.digits.iter().enumerate() {
            for (j, two) in other.digits.iter().enumerate() {
                columns[i + j + 1] += u64::from(*one) * u64::from(*two);
            }
        }
        let mut carry = 0;
        let mut digits = vec![0; columns.len()];
        for (digit, column) in digits.iter_mut().zip(columns).rev() {
            let sum = column + carry;
            carry = sum / 10;
            // Below 10.
            *digit = (sum % 10) as u8;
        }
        Self::new(false, digits, self.exponent + other.exponent)
    }

    /// Whether it is zero.
    pub(crate) const fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }

    /// Whether it is at most the other, without signs.
    pub(crate) fn is_at_most(&self, other: &Self) -> bool {
        self.cmp_size(other).is_le()
    }
}

/// The places of the numbers in a text: digits with an optional fraction, and a sign that no letter or digit precedes.
pub(crate) fn runs(text: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let digits = |from: usize| {
            let run = text[from..].iter().take_while(|byte| byte.is_ascii_digit());
            from + run.count()
        };
        let first = at + text[at..].iter().position(u8::is_ascii_digit)?;
        let mut end = digits(first);
        if text.get(end) == Some(&b'.') && digits(end + 1) > end + 1 {
            end = digits(end + 1);
        }
        let is_signed = first > at
            && matches!(text[first - 1], b'-' | b'+')
            && !(first > 1 && text[first - 2].is_ascii_alphanumeric());
        at = end;
        Some(first - usize::from(is_signed)..end)
    })
}

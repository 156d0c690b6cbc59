//! Values: integers and exact fractions of any size up to a bound, and strings of bytes.

use std::cmp::Ordering;
use std::sync::Arc;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Num, ToPrimitive, Zero, pow};

/// Bound on numbers.
const MAX_BITS: u64 = 1 << 20;
/// Bound on the digits of a number that is read.
pub(crate) const MAX_DIGITS: usize = 320_000;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Value {
    Integer(BigInt),
    Real(BigRational),
    Text(Arc<[u8]>),
    /// The value of a test. No variable holds one.
    Truth(bool),
}

use Value::{Integer, Real, Text, Truth};

impl Value {
    /// A short description for messages.
    pub(crate) fn shown(&self) -> String {
        match self {
            Integer(number) if number.bits() <= 256 => number.to_string(),
            Real(number) => number.to_f64().unwrap_or(f64::NAN).to_string(),
            Integer(_) => "a large number".to_owned(),
            Text(_) => "a string".to_owned(),
            Truth(_) => "a test".to_owned(),
        }
    }

    fn bits(&self) -> u64 {
        match self {
            Integer(number) => number.bits(),
            Real(number) => number.numer().bits() + number.denom().bits(),
            Text(_) | Truth(_) => 0,
        }
    }

    /// Its size in memory beyond a small constant, in words of 8 bytes.
    pub(crate) fn words(&self) -> u64 {
        match self {
            Text(text) => text.len() as u64 / 8,
            number => number.bits() / 64,
        }
    }

    /// The value by which arrays find it: a whole real number equals the integer.
    pub(crate) fn key(self) -> Self {
        match self {
            Real(number) if number.is_integer() => Integer(number.to_integer()),
            other => other,
        }
    }

    pub(crate) fn real(&self) -> Option<BigRational> {
        match self {
            Integer(number) => Some(number.clone().into()),
            Real(number) => Some(number.clone()),
            Text(_) | Truth(_) => None,
        }
    }

    /// The order of two numbers, or of two strings.
    pub(crate) fn order(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Integer(a), Integer(b)) => Some(a.cmp(b)),
            (Text(a), Text(b)) => Some(a.cmp(b)),
            _ => Some(self.real()?.cmp(&other.real()?)),
        }
    }

    /// Bound on the steps to compare both, or to calculate with them: fractions are reduced bit by bit.
    pub(crate) fn cost(&self, other: &Self, is_comparison: bool) -> u64 {
        let words = self.words().saturating_add(other.words());
        let is_fraction = |it: &Self| matches!(it, Real(number) if !number.is_integer());
        match (self, other) {
            (Text(_), _) | (_, Text(_)) => words,
            (Integer(_), Integer(_)) => words.saturating_mul(words),
            _ if is_comparison && !is_fraction(self) && !is_fraction(other) => words,
            _ if is_comparison => words.saturating_mul(words),
            _ => words.saturating_mul(words).saturating_mul(64),
        }
    }
}

/// The value of a whole number. `None` if it is too long: larger than all that a program can compute.
pub(crate) fn integer(text: &[u8]) -> Option<BigInt> {
    let is_short = text.len() <= MAX_DIGITS;
    is_short.then(|| BigInt::parse_bytes(text, 10)).flatten()
}

/// The value of a decimal number such as `-1.50e-3`. `None` if it is too long.
pub(crate) fn decimal(text: &[u8]) -> Option<BigRational> {
    let text = std::str::from_utf8(text).ok()?;
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, decimals) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let exponent = exponent.parse::<i64>().ok()?;
    let exponent = exponent.checked_sub(decimals.len() as i64)?;
    let size = exponent.unsigned_abs().saturating_add(text.len() as u64);
    let zeros = exponent.unsigned_abs() as usize;
    let power = (size <= MAX_DIGITS as u64).then(|| pow(BigInt::from(10), zeros))?;
    let digits = format!("{whole}{decimals}").parse::<BigInt>().ok()?;
    Some(if exponent < 0 {
        BigRational::new(digits, power)
    } else {
        (digits * power).into()
    })
}

/// The result of `+`, `<=`, … for two values, or the reason why there is none.
pub(crate) fn binary(a: &Value, operator: &str, b: &Value) -> Result<Value, String> {
    let fail = || format!("cannot compute `{} {operator} {}`", a.shown(), b.shown());
    let order = a.order(b).ok_or_else(fail)?;
    match operator {
        "<" => return Ok(Truth(order.is_lt())),
        ">" => return Ok(Truth(order.is_gt())),
        "<=" => return Ok(Truth(order.is_le())),
        ">=" => return Ok(Truth(order.is_ge())),
        "!=" => return Ok(Truth(order.is_ne())),
        "==" => return Ok(Truth(order.is_eq())),
        _ => {}
    }
    let result = match (a, b) {
        (Integer(a), Integer(b)) if operator == "^" => {
            Integer(pow(a.clone(), exponent(a.bits(), b).ok_or_else(fail)?))
        }
        (Real(a), Integer(b)) if operator == "^" => {
            let bits = a.numer().bits().max(a.denom().bits());
            Real(pow(a.clone(), exponent(bits, b).ok_or_else(fail)?))
        }
        (Integer(a), Integer(b)) => Integer(calculate(a, operator, b).ok_or_else(fail)?),
        // There is no `%` of fractions.
        _ => match (a.real(), b.real()) {
            (Some(a), Some(b)) if operator != "%" => {
                Real(calculate(&a, operator, &b).ok_or_else(fail)?)
            }
            _ => return Err(fail()),
        },
    };
    if result.bits() > MAX_BITS {
        return Err(fail());
    }
    Ok(result)
}

/// Division of integers truncates.
fn calculate<T: Num + Clone>(a: &T, operator: &str, b: &T) -> Option<T> {
    let (a, b) = (a.clone(), b.clone());
    match operator {
        "+" => Some(a + b),
        "-" => Some(a - b),
        "*" => Some(a * b),
        "/" if !b.is_zero() => Some(a / b),
        "%" if !b.is_zero() => Some(a % b),
        _ => None,
    }
}

/// An exponent for a base of so many bits; `None` if it is negative, or the power would be too large.
fn exponent(bits: u64, exponent: &BigInt) -> Option<usize> {
    if bits <= 1 && *exponent > BigInt::zero() {
        // The base is 0, 1 or -1.
        return Some(if exponent.bit(0) { 1 } else { 2 });
    }
    let small = exponent.to_usize()?;
    (bits.saturating_mul(small as u64) <= MAX_BITS).then_some(small)
}

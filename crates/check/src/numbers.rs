//! Numbers, compared by value.
//!
//! A number is a sign, digits, a decimal point and an exponent; `inf`, `nan` and hexadecimal numbers are words.

/// Largest accepted difference from the expected number: `absolute`, or `relative` times the expected number if that is
/// larger.
#[derive(Clone, Copy)]
pub(crate) struct Tolerance {
    pub(crate) absolute: f64,
    pub(crate) relative: f64,
}

impl Tolerance {
    /// The largest accepted difference from this number.
    pub(crate) fn of(self, expected: f64) -> f64 {
        self.absolute.max(self.relative * expected.abs())
    }
}

/// The nearest `f64`; `None` if the word is not a number or too large.
pub(crate) fn float(word: &[u8]) -> Option<f64> {
    let digits = word.strip_prefix(b"+").or(word.strip_prefix(b"-"));
    let starts = matches!(
        digits.unwrap_or(word),
        [b'0'..=b'9', ..] | [b'.', b'0'..=b'9', ..]
    );
    let value: f64 = std::str::from_utf8(word).ok()?.parse().ok()?;
    (starts && value.is_finite()).then_some(value)
}

/// The numbers in a text. Digits that follow a letter, as in `x1` or `v1.2`, are not a number; a unit may follow one.
pub(crate) fn all(text: &[u8]) -> impl Iterator<Item = &[u8]> + Clone {
    let mut from = 0;
    std::iter::from_fn(move || {
        let start = (from..text.len()).find(|at| begins(text, *at))?;
        from = end(text, start);
        let is_signed =
            matches!(text[..start], [.., b'+' | b'-']) && !follows_word(text, start - 1);
        Some(&text[start - usize::from(is_signed)..from])
    })
}

/// Whether a number begins here, apart from its sign.
fn begins(text: &[u8], at: usize) -> bool {
    let starts = matches!(text[at..], [b'0'..=b'9', ..] | [b'.', b'0'..=b'9', ..]);
    let is_inside = matches!(text[..at], [.., b'.']) && follows_word(text, at - 1);
    starts && !is_inside && !follows_word(text, at)
}

/// Whether a letter, a digit or `_` stands before this place.
fn follows_word(text: &[u8], at: usize) -> bool {
    let before = text[..at].last();
    before.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}

/// The end of the number that begins here without a sign.
fn end(text: &[u8], start: usize) -> usize {
    let digits = |at: usize| {
        text[at..]
            .iter()
            .take_while(|it| it.is_ascii_digit())
            .count()
    };
    let mut end = start + digits(start);
    if let [b'.', b'0'..=b'9', ..] = text[end..] {
        end += 1 + digits(end + 1);
    }
    let sign = match text[end..] {
        [b'e' | b'E', b'+' | b'-', b'0'..=b'9', ..] => 2,
        [b'e' | b'E', b'0'..=b'9', ..] => 1,
        _ => return end,
    };
    end + sign + digits(end + sign)
}

/// Decimal difference of two numbers, so that 1.1 and 1 differ by 0.1; `None` if either is not a number. The difference
/// of numbers with more than 36 digits is rounded up.
pub(crate) fn distance(one: &[u8], two: &[u8]) -> Option<f64> {
    let (a, b) = (float(one)?, float(two)?);
    let rounding = f64::EPSILON * (a.abs() + b.abs());
    Some(exact_distance(one, two).unwrap_or((a - b).abs() + rounding))
}

/// Whether two decimal numbers are exactly equal, however small or long.
pub(crate) fn equal(one: &[u8], two: &[u8]) -> bool {
    float(one).is_some() && float(two).is_some() && digits(one) == digits(two)
}

/// Sign of a decimal number, its digits without zeros at either end, and the power of ten of the last digit.
fn digits(word: &[u8]) -> (bool, Vec<u8>, i64) {
    let (number, exponent) = match word.iter().position(|byte| matches!(byte, b'e' | b'E')) {
        Some(at) => (&word[..at], std::str::from_utf8(&word[at + 1..]).ok()),
        None => (word, Some("0")),
    };
    // An exponent that does not fit is hugely negative: numbers with huge positive exponents are not floats.
    let exponent = exponent
        .and_then(|it| it.parse().ok())
        .unwrap_or(i64::MIN / 2);
    let is_digit = |byte: &&u8| byte.is_ascii_digit();
    let point = number.iter().position(|&byte| byte == b'.');
    let places = point.map_or(0, |at| number.len() - at - 1) as i64;
    let all = number.iter().filter(is_digit).copied();
    let mut digits: Vec<u8> = all.skip_while(|&digit| digit == b'0').collect();
    let end = digits
        .iter()
        .rposition(|&digit| digit != b'0')
        .map_or(0, |at| at + 1);
    let zeros = (digits.len() - end) as i64;
    digits.truncate(end);
    if digits.is_empty() {
        return (false, digits, 0);
    }
    (number.starts_with(b"-"), digits, exponent - places + zeros)
}

fn exact_distance(one: &[u8], two: &[u8]) -> Option<f64> {
    let (one, two) = (decimal(one)?, decimal(two)?);
    let exponent = one.1.min(two.1);
    let scaled = |(digits, own): (i128, i32)| {
        let power = u32::try_from(own - exponent).ok()?;
        10i128.checked_pow(power)?.checked_mul(digits)
    };
    let apart = scaled(one)?.checked_sub(scaled(two)?)?;
    format!("{}e{exponent}", apart.unsigned_abs()).parse().ok()
}

/// The number as digits times a power of ten.
fn decimal(word: &[u8]) -> Option<(i128, i32)> {
    let word = std::str::from_utf8(word).ok()?;
    let (significand, exponent) = word.split_once(['e', 'E']).unwrap_or((word, "0"));
    let (whole, fraction) = significand.split_once('.').unwrap_or((significand, ""));
    let fraction = fraction.trim_end_matches('0');
    // An extra zero, because both parts may be empty.
    let digits = format!("{whole}{fraction}0").parse().ok()?;
    let places = i32::try_from(fraction.len()).ok()? + 1;
    let exponent = exponent.parse::<i32>().ok()?.checked_sub(places)?;
    Some((digits, exponent))
}

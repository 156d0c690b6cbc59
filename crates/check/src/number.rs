//! Numbers as programs print them.

/// A number token: sign, digits, decimal point, exponent; never infinite, not a number, or hexadecimal.
pub(crate) fn parse(token: &[u8]) -> Option<f64> {
    let digits = unsigned(token);
    let starts = matches!(digits, [b'0'..=b'9', ..] | [b'.', b'0'..=b'9', ..]);
    let plain = digits
        .iter()
        .all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-'));
    if !starts || !plain {
        return None;
    }
    let value: f64 = std::str::from_utf8(token).ok()?.parse().ok()?;
    value.is_finite().then_some(value)
}

/// What follows the sign, if there is one.
fn unsigned(token: &[u8]) -> &[u8] {
    match token {
        [b'+' | b'-', rest @ ..] => rest,
        _ => token,
    }
}

/// An integer token: an optional sign and digits.
pub(crate) fn is_integer(token: &[u8]) -> bool {
    let digits = unsigned(token);
    !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
}

/// The same integer however it is written: sign and digits without leading zeros.
pub(crate) fn canonical(token: &[u8]) -> Option<(bool, &[u8])> {
    if !is_integer(token) {
        return None;
    }
    let digits = unsigned(token);
    let zeros = digits.iter().take_while(|digit| **digit == b'0').count();
    let significant = &digits[zeros..];
    Some((token[0] == b'-' && !significant.is_empty(), significant))
}

/// The places of the numbers in a text: digits with an optional fraction, and a sign that no letter or
/// digit precedes.
pub(crate) fn runs(text: &[u8]) -> impl Iterator<Item = std::ops::Range<usize>> {
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
        let signed = first > at
            && matches!(text[first - 1], b'-' | b'+')
            && !(first > 1 && text[first - 2].is_ascii_alphanumeric());
        at = end;
        Some(first - usize::from(signed)..end)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_decimal_numbers_are_numbers() {
        for (token, value) in [
            ("92", Some(92.0)),
            ("-0.5", Some(-0.5)),
            ("+.5", Some(0.5)),
            ("5.", Some(5.0)),
            ("1e3", Some(1000.0)),
            ("1E-3", Some(0.001)),
            ("", None),
            (".", None),
            ("-", None),
            ("e5", None),
            ("1e", None),
            ("1e999", None),
            ("inf", None),
            ("nan", None),
            ("0x5c", None),
            ("--1", None),
            ("1.2.3", None),
            ("92,", None),
        ] {
            assert_eq!(parse(token.as_bytes()), value, "{token}");
        }
    }

    #[test]
    fn integers_are_the_same_whatever_their_zeros_and_signs() {
        assert_eq!(canonical(b"+0092"), canonical(b"92"));
        assert_eq!(canonical(b"-0"), canonical(b"0"));
        assert_ne!(canonical(b"-92"), canonical(b"92"));
        assert_eq!(canonical(b"9.2"), None);
    }

    #[test]
    fn numbers_are_found_inside_words() {
        let found = |text: &'static str| -> Vec<&str> {
            runs(text.as_bytes()).map(|run| &text[run]).collect()
        };
        assert_eq!(found("8 Queens: 92."), ["8", "92"]);
        assert_eq!(found("n=-5, x3.25y a-7"), ["-5", "3.25", "7"]);
        assert_eq!(found("none"), [""; 0]);
        assert_eq!(found("1-2"), ["1", "2"]);
    }
}

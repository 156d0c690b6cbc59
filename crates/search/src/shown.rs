//! How inputs and their numbers are shown.

use grader_model::Excerpt;

/// Bytes of an input that name it.
const MAX_NAME_BYTES: usize = 40;
/// So many inputs or more are counted by a power of ten.
pub(crate) const ROUNDED: u128 = 1_000_000;

/// `18,300`.
pub(crate) fn grouped(number: u128) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `18,300`, or `2 × 10⁹` if it is large.
#[expect(clippy::cast_precision_loss, reason = "one digit is shown")]
pub(crate) fn rounded(number: u128) -> String {
    if number < ROUNDED {
        return grouped(number);
    }
    let text = format!("{:.0e}", number as f64);
    let (first, exponent) = text.split_once('e').unwrap_or_default();
    let digits = exponent.chars().filter_map(|it| it.to_digit(10));
    let power: String = digits
        .filter_map(|it| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(it as usize))
        .collect();
    match first {
        "1" => format!("10{power}"),
        _ => format!("{first} × 10{power}"),
    }
}

/// The name of an input that was made smaller.
pub(crate) fn named(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    Excerpt::first(words.as_bytes(), MAX_NAME_BYTES).to_string()
}

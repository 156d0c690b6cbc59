//! Splits bytes into lines and words, with their positions.

use std::ops::Range;

/// White space as in C's `isspace`.
pub(crate) const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | 9..=13)
}

pub(crate) fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| is_space(*byte))
}

/// The pieces between white space, from either end.
pub(crate) fn words(bytes: &[u8]) -> impl DoubleEndedIterator<Item = &[u8]> + Clone {
    bytes
        .split(|byte| is_space(*byte))
        .filter(|piece| !piece.is_empty())
}

/// Range of `part` in `whole`; it must be a slice of `whole`.
pub(crate) fn range(whole: &[u8], part: &[u8]) -> Range<usize> {
    let start = part.as_ptr().addr() - whole.as_ptr().addr();
    start..start + part.len()
}

/// The lines without their line feeds. A line feed at the very end starts no line.
pub(crate) fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> + Clone {
    let whole = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let max = if bytes.is_empty() { 0 } else { usize::MAX };
    whole.split(|byte| *byte == b'\n').take(max)
}

/// The lines without blanks at their ends and without blank lines at the end.
pub(crate) fn bare_lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> + Clone {
    lines(trim_end(bytes)).map(without_last_blanks)
}

/// The bytes without white space at the end.
pub(crate) fn trim_end(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|byte| !is_space(*byte));
    &bytes[..end.map_or(0, |at| at + 1)]
}

/// The bytes without white space at either end.
pub(crate) fn trim(bytes: &[u8]) -> &[u8] {
    let start = bytes.iter().position(|byte| !is_space(*byte));
    trim_end(&bytes[start.unwrap_or(bytes.len())..])
}

/// The line without spaces, tabs and carriage returns at its end.
pub(crate) fn without_last_blanks(line: &[u8]) -> &[u8] {
    let is_text = |byte: &u8| !matches!(byte, b' ' | b'\t' | b'\r');
    &line[..line.iter().rposition(is_text).map_or(0, |at| at + 1)]
}

/// Number of the line, from 1, with the byte at `at`.
pub(crate) fn line_number(bytes: &[u8], at: usize) -> usize {
    let before = &bytes[..at.min(bytes.len())];
    before.split(|byte| *byte == b'\n').count()
}

/// Index of the first difference; the length of the shorter one if it is a prefix of the longer.
pub(crate) fn first_difference(one: &[u8], other: &[u8]) -> usize {
    let mut pairs = one.iter().zip(other);
    let length = one.len().min(other.len());
    pairs.position(|(a, b)| a != b).unwrap_or(length)
}

/// The first character, or one byte if it is not UTF-8; empty if there is none.
pub(crate) fn first_character(bytes: &[u8]) -> &[u8] {
    let max = bytes.len().min(4);
    let length = (1..=max).find(|length| std::str::from_utf8(&bytes[..*length]).is_ok());
    &bytes[..length.unwrap_or(max.min(1))]
}

//! The right answer inside extra text: a prompt, a label, words around it.
//!
//! The last or the first lines of the output each contain one line of the answer: at the end (`n:92`), at the start
//! (`92.`), or as the last number (`There are 92 solutions`). A number is never part of a longer one: 192, -92 and 1.92
//! do not contain 92.
//!
//! Extra text must contain a word that is neither a number nor in the answer. Otherwise a program that prints every
//! number, or its last line twice, would contain the answer.

use std::ops::Range;

use grader_model::{Evidence, Excerpt};

use crate::numbers::float;
use crate::rule::WordRule;
use crate::{message, scan};

/// Limit on the words of extra text that are searched for a label.
const MAX_WORDS: usize = 32;
/// Limit on the words of an answer that these are compared with.
const MAX_ANSWER_WORDS: usize = 1000;

/// A note on the text around the answer; `None` if the output does not contain the answer.
pub(crate) fn find(output: &[u8], answer: &[u8], rule: WordRule) -> Option<Evidence> {
    let lines = |bytes| scan::bare_lines(bytes).filter(|line| !scan::is_blank(line));
    let surplus = lines(output).count().checked_sub(lines(answer).count())?;
    let found = |skipped| {
        let mut pairs = lines(answer).zip(lines(output).skip(skipped));
        let held = |(wanted, line): (&[u8], &'_ [u8])| {
            let (start, held) = (
                scan::range(output, line).start,
                find_in_line(line, wanted, rule)?,
            );
            Some(start + held.start..start + held.end)
        };
        let Range { start, mut end } = held(pairs.next()?)?;
        let mut label = None;
        for pair in pairs {
            let next = held(pair)?;
            let between = &output[end..next.start];
            if label.is_none() && is_text(between, answer) {
                label = Some(between);
            }
            end = next.end;
        }
        let (before, after) = (&output[..start], &output[end..]);
        if is_text(before, answer) || is_text(after, answer) {
            Some(around(before, after))
        } else {
            label.map(|label| around(label, b""))
        }
    };
    found(surplus).or_else(|| found(0))
}

/// Range of an answer line inside an output line.
fn find_in_line(line: &[u8], wanted: &[u8], rule: WordRule) -> Option<Range<usize>> {
    let wanted = scan::trim(wanted);
    let length = wanted.len();
    let line_start = line.len() - line.trim_ascii_start().len();
    let at_end = line.len().checked_sub(length)?..line.len();
    let at_start = line_start..line_start + length;
    let number = || last_number(line).filter(|_| float(wanted).is_some());
    let is_there = |range: &Range<usize>| {
        let Some(found) = line.get(range.clone()) else {
            return false;
        };
        let (before, after) = (&line[..range.start], &line[range.end..]);
        rule.same(wanted, found) && is_apart(before, found) && is_apart(found, after)
    };
    Some(at_end)
        .filter(is_there)
        .or_else(|| Some(at_start).filter(is_there))
        .or_else(|| number().filter(is_there))
}

/// Range of a line's last number: digits and points, and a preceding sign.
fn last_number(line: &[u8]) -> Option<Range<usize>> {
    let end = line.iter().rposition(u8::is_ascii_digit)? + 1;
    let is_other = |byte: &u8| !byte.is_ascii_digit() && *byte != b'.';
    let start = line[..end].iter().rposition(is_other);
    let start = start.map_or(0, |other| {
        other + usize::from(!matches!(line[other], b'-' | b'+'))
    });
    Some(start..end)
}

/// Whether two adjacent pieces read as two words or numbers. Letters and Chinese characters need no blank between them.
fn is_apart(one: &[u8], two: &[u8]) -> bool {
    let (Some(&last), Some(&first)) = (one.last(), two.first()) else {
        return true;
    };
    let in_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let is_one = in_word(last) && in_word(first) || !last.is_ascii() && !first.is_ascii();
    let is_number = b".+-".contains(&last) && first.is_ascii_digit()
        || last.is_ascii_digit() && first == b'.' && two.get(1).is_some_and(u8::is_ascii_digit);
    !is_one && !is_number
}

/// Whether the first words of extra text include one that is not in the answer.
fn is_text(extra: &[u8], answer: &[u8]) -> bool {
    let is_letter =
        |byte: &u8| byte.is_ascii_alphabetic() || !byte.is_ascii() || b":=".contains(byte);
    scan::words(extra).take(MAX_WORDS).any(|word| {
        let mut known = scan::words(answer).take(MAX_ANSWER_WORDS);
        word.iter().any(is_letter) && !known.any(|it| it.eq_ignore_ascii_case(word))
    })
}

/// The text before and after the answer, quoted.
pub(crate) fn around(before: &[u8], after: &[u8]) -> Evidence {
    // A trailing blank belongs to a prompt; line feeds would only distract.
    let text = Excerpt::first(scan::trim(before), 40);
    let blank = if before.last() == Some(&b' ') {
        " "
    } else {
        ""
    };
    let before_text = format!("`{text}{blank}`");
    let after_text = message::quote(scan::trim(after));
    let (en, zh) = match (scan::is_blank(before), scan::is_blank(after)) {
        (false, false) => (
            format!("extra text before the answer ({before_text}) and after it ({after_text})"),
            format!("答案前后都有多余文字：前面 {before_text}，后面 {after_text}"),
        ),
        (true, false) => (
            format!("extra text after the answer: {after_text}"),
            format!("答案后有多余文字：{after_text}"),
        ),
        (_, true) => (
            format!("extra text before the answer: {before_text}"),
            format!("答案前有多余文字：{before_text}"),
        ),
    };
    message::evidence("extra-text", en, zh)
}

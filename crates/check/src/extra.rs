//! The right answer inside extra text: a prompt, a label, words around it.
//!
//! The last or the first lines of the output each contain one line of the answer: at the end (`n:92`), at the start
//! (`92.`), or as the last number (`There are 92 solutions`). A number is never part of a longer one: 192, -92 and 1.92
//! do not contain 92.
//!
//! Extra text must contain a word that is neither a number nor in the answer. Otherwise a program that prints every
//! number, or its last line twice, would contain the answer.
//!
//! Nor may it change what the answer says: `Not Valid` is not `Valid`. So text before words must end as a label or a prompt
//! does (`Result: `), or be the same before different answers (`4 is even`, `5 is odd`). Text around numbers must not be a
//! denial.

use std::ops::Range;

use grader_model::{Evidence, Excerpt, text};

use crate::constants::{MAX_ANSWER_WORDS, MAX_EXTRA_WORDS};
use crate::numbers::float;
use crate::rule::WordRule;
use crate::{message, scan};

/// A note on the text around the answer; `None` if the output does not contain the answer.
pub(crate) fn find(output: &[u8], answer: &[u8], rule: WordRule) -> Option<Evidence> {
    let lines = |bytes| scan::bare_lines(bytes).filter(|line| !scan::is_blank(line));
    let surplus = lines(output).count().checked_sub(lines(answer).count())?;
    let found = |skipped| {
        let pairs = lines(answer).zip(lines(output).skip(skipped));
        let (mut start, mut end) = (None, 0);
        let (mut label, mut texts) = (None, Texts::default());
        for (wanted, line) in pairs {
            let line_start = scan::range(output, line).start;
            let held = find_in_line(line, wanted, rule)?;
            let before = &output[end..line_start + held.start];
            texts.add(before, wanted);
            if start.is_none() {
                start = Some(before.len());
            } else if label.is_none() && is_text(before, answer) {
                label = Some(before);
            }
            end = line_start + held.end;
        }
        let (before, after) = (&output[..start?], &output[end..]);
        if !texts.are_labels() || !texts.may_be_followed_by(after) {
            None
        } else if is_text(before, answer) || is_text(after, answer) {
            Some(around(before, after))
        } else {
            label.map(|label| around(label, b""))
        }
    };
    found(surplus).or_else(|| found(0))
}

/// The texts before the lines of an answer.
#[derive(Default)]
struct Texts<'a> {
    /// The first text that is no label, and the line that it stands before.
    first: Option<(&'a [u8], &'a [u8])>,
    /// How many lines there are, and how many of them the first text stands before.
    lines: usize,
    alike: usize,
    /// Whether one of these lines differs from the first.
    has_other: bool,
    /// Whether a text denies what follows.
    denies: bool,
    /// Whether the last line is numbers only.
    is_number: bool,
}

impl<'a> Texts<'a> {
    fn add(&mut self, text: &'a [u8], wanted: &'a [u8]) {
        self.lines += 1;
        self.is_number = scan::words(wanted).all(|word| float(word).is_some());
        if scan::is_blank(text) || is_label(text) {
            return;
        }
        self.denies |= is_denial(text);
        if !self.is_number {
            let (first, line) = *self.first.get_or_insert((text, wanted));
            self.alike += usize::from(is_alike(first, text));
            self.has_other |= line != wanted;
        }
    }

    /// Whether none of them changes what the answer says.
    fn are_labels(&self) -> bool {
        let are_the_same = self.alike == self.lines && self.has_other;
        !self.denies && (self.first.is_none() || are_the_same)
    }

    /// Whether the text after the last line may stand there: after words only times and sizes.
    fn may_be_followed_by(&self, after: &[u8]) -> bool {
        let is_label = |byte: &u8| b":=".contains(byte);
        let is_measure =
            |line: &[u8]| line.iter().any(is_label) && line.iter().any(u8::is_ascii_digit);
        let mut lines = scan::bare_lines(after).filter(|line| !scan::is_blank(line));
        if self.is_number {
            !is_denial(after)
        } else {
            lines.all(is_measure)
        }
    }
}

/// Whether a text ends as a label or a prompt does.
fn is_label(text: &[u8]) -> bool {
    const ENDS: [&str; 9] = [":", "=", ">", "?", "：", "＝", "＞", "？", "→"];
    let text = scan::trim(text);
    ENDS.iter().any(|end| text.ends_with(end.as_bytes()))
}

/// Whether a text may deny what it is about.
fn is_denial(text: &[u8]) -> bool {
    const WORDS: [&[u8]; 5] = [b"not", b"no", b"non", b"never", b"cannot"];
    const SIGNS: [&str; 5] = ["不", "没", "非", "无", "未"];
    let has = |sign: &str| text.windows(sign.len()).any(|it| it == sign.as_bytes());
    SIGNS.iter().any(|sign| has(sign))
        || scan::words(text).any(|word| {
            let word = bare(word).to_ascii_lowercase();
            WORDS.contains(&&*word) || word.ends_with(b"n't")
        })
}

/// A word without the punctuation around it.
pub(crate) fn bare(word: &[u8]) -> &[u8] {
    let is_part = |byte: &u8| !byte.is_ascii_punctuation();
    let start = word.iter().position(is_part).unwrap_or(word.len());
    let end = word.iter().rposition(is_part).map_or(start, |at| at + 1);
    &word[start..end]
}

/// Whether two texts differ only in numbers and white space.
fn is_alike(one: &[u8], other: &[u8]) -> bool {
    let signs = |text| {
        let is_sign = |byte: &&u8| !byte.is_ascii_digit() && !byte.is_ascii_whitespace();
        <[u8]>::iter(text).filter(is_sign)
    };
    signs(one).eq(signs(other))
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
    let is_one =
        in_word(last) && in_word(first) || !last.is_ascii() && !first.is_ascii() && !is_label(one);
    let is_number = b".+-".contains(&last) && first.is_ascii_digit()
        || last.is_ascii_digit() && first == b'.' && two.get(1).is_some_and(u8::is_ascii_digit);
    !is_one && !is_number
}

/// Whether the first words of extra text include one that is not in the answer.
fn is_text(extra: &[u8], answer: &[u8]) -> bool {
    let is_letter =
        |byte: &u8| byte.is_ascii_alphabetic() || !byte.is_ascii() || b":=".contains(byte);
    scan::words(extra).take(MAX_EXTRA_WORDS).any(|word| {
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
    let text = match (scan::is_blank(before), scan::is_blank(after)) {
        (false, false) => text!(
            "extra text before the answer ({before_text}) and after it ({after_text})",
            "答案前后都有多余文字：前面 {before_text}，后面 {after_text}"
        ),
        (true, false) => text!(
            "extra text after the answer: {after_text}",
            "答案后有多余文字：{after_text}"
        ),
        (_, true) => text!(
            "extra text before the answer: {before_text}",
            "答案前有多余文字：{before_text}"
        ),
    };
    Evidence::new("extra-text", text)
}

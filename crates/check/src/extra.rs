//! The right answer inside extra text: a prompt, a label, words around it.
//!
//! Extra text must hold a word that is no number and no word of the answer, so that a program that prints every number,
//! or its last line twice, finds no answer among them. Then the answer is found, in this order,
//!
//! 1. at the end of the output, maybe glued to a label: `n:92`;
//! 2. at the start of the output, maybe glued to what follows: `92.`;
//! 3. if it is one number: as the only number of the first or the last line, or as the last number;
//! 4. at the end of each line, after a label: `C(4, 2) is even`.
//!
//! A number is never taken out of a longer one: 192 and 1.92 do not hold 92.

use std::ops::Range;

use grader_model::{Evidence, Excerpt};

use crate::decimal::{is_number, runs};
use crate::message;
use crate::scan::{self, Token};

/// Whether a word of the answer and one of the output are the same.
pub(crate) type Same<'a> = &'a dyn Fn(&[u8], &[u8]) -> bool;

/// Words of extra text, and of an answer, that are looked at.
const MAX_WORDS: usize = 32;
const MAX_ANSWER_WORDS: usize = 1000;

/// What to say about the text around the answer; `None` if the output does not hold the answer.
pub(crate) fn find(output: &[u8], answer: &[u8], same: Same<'_>) -> Option<Evidence> {
    let search = Search { answer, same };
    let around = |range: Range<usize>| around(&output[..range.start], &output[range.end..]);
    search
        .at_end(output)
        .or_else(|| search.at_start(output))
        .or_else(|| search.one_number(output))
        .map(around)
        .or_else(|| search.labels(output))
}

struct Search<'a> {
    answer: &'a [u8],
    same: Same<'a>,
}

impl Search<'_> {
    /// Whether extra text holds a word of its own among its first words.
    fn is_text(&self, extra: &[u8]) -> bool {
        let is_word = |word: &[u8]| {
            word.iter()
                .any(|byte| byte.is_ascii_alphabetic() || !byte.is_ascii() || b":=".contains(byte))
        };
        let is_answer = |word: &[u8]| {
            scan::tokens(self.answer)
                .take(MAX_ANSWER_WORDS)
                .any(|token| token.bytes.eq_ignore_ascii_case(word))
        };
        let mut words = scan::tokens(extra).take(MAX_WORDS);
        words.any(|word| is_word(word.bytes) && !is_answer(word.bytes))
    }

    fn at_end(&self, output: &[u8]) -> Option<Range<usize>> {
        let start = self.start_at_end(self.answer, output)?;
        self.is_text(&output[..start])
            .then(|| start..scan::trim_end(output).len())
    }

    /// Where the words of `answer` start at the end of a text.
    fn start_at_end(&self, answer: &[u8], text: &[u8]) -> Option<usize> {
        let pairs = scan::tokens(answer).rev().zip(scan::tokens(text).rev());
        let glued = |wanted: &[u8], found: Token<'_>| {
            let start = glued_end(wanted, found.bytes, self.same)?;
            Some(found.at + start)
        };
        self.edge(answer, pairs, |found| found.at, glued)
    }

    fn at_start(&self, output: &[u8]) -> Option<Range<usize>> {
        let pairs = scan::tokens(self.answer).zip(scan::tokens(output));
        let glued = |wanted: &[u8], found: Token<'_>| {
            let end = glued_start(wanted, found.bytes, self.same)?;
            Some(found.at + end)
        };
        let end = self.edge(self.answer, pairs, |found| found.end(), glued)?;
        let start = scan::tokens(output).next()?.at;
        self.is_text(&output[end..]).then_some(start..end)
    }

    /// Where the words of the answer end that were paired with words of a text; the last one may be glued to others.
    fn edge<'t>(
        &self,
        answer: &[u8],
        pairs: impl Iterator<Item = (Token<'t>, Token<'t>)>,
        whole: impl Fn(Token<'_>) -> usize,
        glued: impl Fn(&[u8], Token<'_>) -> Option<usize>,
    ) -> Option<usize> {
        let mut left = scan::tokens(answer).count();
        for (wanted, found) in pairs {
            left -= 1;
            let is_whole = (self.same)(wanted.bytes, found.bytes);
            match left {
                0 if is_whole => return Some(whole(found)),
                0 => return glued(wanted.bytes, found),
                _ if is_whole => {}
                _ => return None,
            }
        }
        None
    }

    /// An answer of one number: the only one of the first or last line, or the last of all.
    fn one_number(&self, output: &[u8]) -> Option<Range<usize>> {
        let mut words = scan::tokens(self.answer);
        let (number, None) = (words.next()?.bytes, words.next()) else {
            return None;
        };
        if !is_number(number) {
            return None;
        }
        let start = output.len() - scan::trim_start(output).len();
        let body = &output[..scan::trim_end(output).len()];
        let feed = |feed: &u8| *feed == b'\n';
        let first_end = body[start..].iter().position(feed);
        let last_start = body.iter().rposition(feed).map_or(0, |feed| feed + 1);
        let only = |line: Range<usize>| {
            let mut runs = runs(&output[line.clone()]);
            let (run, None) = (runs.next()?, runs.next()) else {
                return None;
            };
            Some(line.start + run.start..line.start + run.end)
        };
        let found = |run: &Range<usize>| {
            (self.same)(number, &output[run.clone()])
                && (self.is_text(&output[..run.start]) || self.is_text(&output[run.end..]))
        };
        only(start..first_end.map_or(body.len(), |end| start + end))
            .filter(found)
            .or_else(|| only(last_start..body.len()).filter(found))
            .or_else(|| runs(body).last().filter(found))
    }

    /// As many lines as in the answer, at least two, each with its line of the answer at its end.
    fn labels(&self, output: &[u8]) -> Option<Evidence> {
        let lines = |bytes| scan::bare_lines(bytes).filter(|line| !scan::is_blank(line));
        let (mut wanted, mut found) = (lines(self.answer), lines(output));
        let (mut first, mut count) = (None, 0);
        loop {
            let (line, candidate) = match (wanted.next(), found.next()) {
                (None, None) => break,
                (one, two) => (one?, two?),
            };
            let label = &candidate[..self.start_at_end(line, candidate)?];
            if !scan::is_blank(label) {
                if !self.is_text(label) {
                    return None;
                }
                first = first.or(Some(label));
            }
            count += 1;
        }
        let label = prompt(first.filter(|_| count > 1)?);
        Some(message::evidence(
            "extra-text",
            format!("each line has the right value at its end, after extra text: {label}"),
            format!("每行末尾的值都对，但前面有多余文字：{label}"),
        ))
    }
}

/// Where the wanted word starts at the end of a word: `n:92`.
fn glued_end(wanted: &[u8], word: &[u8], same: Same<'_>) -> Option<usize> {
    let start = if is_number(wanted) {
        let run = runs(word).last()?;
        (run.end == word.len()).then_some(run.start)?
    } else {
        word.len().checked_sub(wanted.len())?
    };
    let (before, rest) = word.split_at(start);
    (is_apart(before, rest) && same(wanted, rest)).then_some(start)
}

/// Where the wanted word ends at the start of a word: `92.`, `92,`.
fn glued_start(wanted: &[u8], word: &[u8], same: Same<'_>) -> Option<usize> {
    let end = if is_number(wanted) {
        let run = runs(word).next()?;
        (run.start == 0).then_some(run.end)?
    } else {
        wanted.len()
    };
    let (start, rest) = word.split_at_checked(end)?;
    (is_apart(start, rest) && same(wanted, start)).then_some(end)
}

/// Whether two pieces do not read as one word or number. Between letters or digits and Chinese characters no blank is
/// usual.
fn is_apart(one: &[u8], two: &[u8]) -> bool {
    let in_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    match (one.last(), two.first()) {
        (Some(&last), Some(&first)) => {
            let is_one = in_word(last) && in_word(first);
            let is_number = last == b'.' && first.is_ascii_digit();
            !is_one && !is_number && (last.is_ascii() || first.is_ascii())
        }
        _ => false,
    }
}

/// What stands before and after the answer, quoted.
pub(crate) fn around(before: &[u8], after: &[u8]) -> Evidence {
    let after = scan::trim(after);
    let (before_text, after_text) = (prompt(before), message::quote(after));
    let (en, zh) = match (scan::is_blank(before), after.is_empty()) {
        (false, false) => (
            format!("extra text before the answer: {before_text}, and after it: {after_text}"),
            format!("答案前有多余文字：{before_text}，答案后也有：{after_text}"),
        ),
        (true, false) => (
            format!("extra text after the answer: {after_text}"),
            format!("答案后有多余文字：{after_text}"),
        ),
        _ => (
            format!("extra text before the answer: {before_text}"),
            format!("答案前有多余文字：{before_text}"),
        ),
    };
    message::evidence("extra-text", en, zh)
}

/// What stands before an answer, between backticks. A last blank shows where a prompt ends; line feeds only blur it.
fn prompt(bytes: &[u8]) -> String {
    let text = Excerpt::first(scan::trim(bytes), 40);
    let blank = if bytes.last() == Some(&b' ') { " " } else { "" };
    format!("`{text}{blank}`")
}

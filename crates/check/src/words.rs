//! Word by word, with any white space in between: `tokens`, and `numbers`, which compares numbers by value.
//!
//! With `skip-words`, only the numbers are compared; the words between them are ignored.
//!
//! `tokens` compares text: `092` is not `92`. If they are equal as numbers, the message says so.
//!
//! `Layout`: different white space if that matters, or the right answer inside extra text.

use std::iter::once;

use grader_model::{Evidence, Judgement, Mark, Text, text};
use grader_problem::TokenOptions;

use crate::constants::MAX_QUOTE_BYTES;
use crate::difference::{Difference, VALUE};
use crate::numbers::{self, Tolerance};
use crate::rule::WordRule;
use crate::{extra, message, scan};

pub(crate) fn check(
    output: &[u8],
    expected: &[u8],
    options: TokenOptions,
    tolerance: Option<Tolerance>,
) -> Judgement {
    let rule = WordRule::new(options.case_sensitive, tolerance);
    let Some(difference) = difference(output, expected, rule) else {
        if !options.space_change_sensitive || gaps(output).eq(gaps(expected)) {
            return Judgement::right();
        }
        return Judgement::because(Mark::Layout, other_gap(output, expected));
    };
    if let Some(extra) = extra::find(output, expected, rule) {
        return Judgement::because(Mark::Layout, extra);
    }
    let count = |bytes: &[u8]| scan::words(bytes).count();
    let difference = of_lines(output, expected, &difference).unwrap_or(difference);
    wrong(output, &difference, rule, count)
}

/// Two short lines as a whole, which tell more than their first words that differ: `Not Valid` and `Valid`. `None` if something is
/// longer, or if a number differs among as many.
fn of_lines<'a>(
    output: &'a [u8],
    expected: &'a [u8],
    Difference { counts, .. }: &Difference<'_>,
) -> Option<Difference<'a>> {
    let [found, wanted] = [output, expected].map(scan::trim);
    let is_short = |it: &[u8]| (1..=MAX_QUOTE_BYTES).contains(&it.len()) && !it.contains(&b'\n');
    let mut words = scan::words(found).chain(scan::words(wanted));
    let has_words = counts[0] != counts[1] || words.any(|word| numbers::float(word).is_none());
    let is_told = has_words && is_short(found) && is_short(wanted);
    is_told.then(|| Difference::first(once(wanted), once(found), |_, _| false))?
}

/// Compares only the numbers.
pub(crate) fn check_numbers(output: &[u8], expected: &[u8], tolerance: Tolerance) -> Judgement {
    let rule = WordRule::new(true, Some(tolerance));
    let same = |one: &[u8], two: &[u8]| rule.same(one, two);
    let (wanted, found) = (numbers::all(expected), numbers::all(output));
    match Difference::first(wanted, found, same) {
        None => Judgement::right(),
        Some(difference) => wrong(output, &difference, rule, |bytes| {
            numbers::all(bytes).count()
        }),
    }
}

/// `count` counts the values of a text.
fn wrong(
    output: &[u8],
    difference: &Difference<'_>,
    rule: WordRule,
    count: impl Fn(&[u8]) -> usize,
) -> Judgement {
    let place = |found| {
        if difference.counts == [1, 1] {
            return Text::default();
        }
        let before = &output[..scan::range(output, found).start];
        let line = scan::line_number(output, before.len());
        let start = before.iter().rposition(|&byte| byte == b'\n');
        let number = count(&before[start.map_or(0, |it| it + 1)..]) + 1;
        text!(
            "value {number} on line {line}: ",
            "第 {line} 行，第 {number} 个值："
        )
    };
    Judgement {
        mark: Mark::Wrong,
        evidence: difference.evidence(VALUE, place, |one, two| rule.why(one, two)),
    }
}

/// The first word that differs.
pub(crate) fn difference<'a>(
    output: &'a [u8],
    expected: &'a [u8],
    rule: WordRule,
) -> Option<Difference<'a>> {
    let same = |one: &[u8], two: &[u8]| rule.same(one, two);
    Difference::first(scan::words(expected), scan::words(output), same)
}

/// White space before each word and after the last one.
fn gaps(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut at = 0;
    let ends = scan::words(bytes).map(move |word| scan::range(bytes, word));
    ends.chain(once(bytes.len()..bytes.len()))
        .map(move |word| &bytes[std::mem::replace(&mut at, word.end)..word.start])
}

fn other_gap(output: &[u8], expected: &[u8]) -> Evidence {
    let mut pairs = gaps(output).zip(gaps(expected));
    let (found, wanted) = pairs
        .find(|(one, two)| one != two)
        .unwrap_or((output, expected));
    let line = scan::line_number(output, scan::range(output, found).start);
    let (wanted, found) = (message::quote(wanted), message::quote(found));
    Evidence::new(
        "white-space-differs",
        text!(
            "the values are right, but the white space differs: on line {line} expected {wanted}, found {found}",
            "值都对，但空白不同：第 {line} 行应为 {wanted}，实为 {found}"
        ),
    )
}

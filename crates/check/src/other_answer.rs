//! Whether an output says the answer of another case.

use crate::constants::MAX_EXTRA_WORDS;
use crate::extra::bare;
use crate::numbers::float;
use crate::rule::WordRule;
use crate::{scan, words};

/// Whether an output that contains the answer says another one, too: it is that, or has its words more often than the
/// answer has. Numbers in labels are no answers.
pub(crate) fn says(output: &[u8], answer: &[u8], other: &[u8], rule: WordRule) -> bool {
    let same = |one: &[u8], two: &[u8]| bare(one).eq_ignore_ascii_case(bare(two));
    let are_same = |one: &[u8], two: &[u8]| words::difference(one, two, rule).is_none();
    let parts: Vec<&[u8]> = scan::words(other).take(MAX_EXTRA_WORDS + 1).collect();
    let is_number = parts.iter().all(|word| float(word).is_some());
    let count = |text| {
        let text: Vec<&[u8]> = scan::words(text).collect();
        let is_there =
            |window: &&[&[u8]]| window.iter().zip(&parts).all(|(one, two)| same(one, two));
        text.windows(parts.len().max(1)).filter(is_there).count()
    };
    !are_same(answer, other)
        && (are_same(output, other)
            || !is_number && parts.len() <= MAX_EXTRA_WORDS && count(output) > count(answer))
}

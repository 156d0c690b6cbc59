//! Two sequences of words: the first difference, and what to say about it.

use grader_model::{Evidence, Excerpt, Judgement, Mark, Text};

use crate::extra::Same;
use crate::scan::{self, Token};
use crate::{extra, message};

/// What to add to the sentence about an expected and a found word that differ.
pub(crate) type Why<'a> = &'a dyn Fn(&[u8], &[u8]) -> Text;

/// How two sequences of words are compared.
pub(crate) struct Comparison<'a> {
    /// Whether an expected word and a found one are the same.
    pub(crate) same: Same<'a>,
    /// Whether the white space must be the same byte for byte.
    pub(crate) space_change_sensitive: bool,
    /// What to add to the sentence about two words that differ.
    pub(crate) why: Why<'a>,
}

/// Judges word by word. Layout: other white space if that matters, or the right answer inside extra text.
pub(crate) fn check(output: &[u8], expected: &[u8], comparison: &Comparison<'_>) -> Judgement {
    let Some(difference) = Difference::first(output, expected, comparison.same) else {
        if !comparison.space_change_sensitive || gaps(output).eq(gaps(expected)) {
            return Judgement::right();
        }
        return Judgement::because(Mark::Layout, other_gap(output, expected));
    };
    if let Some(extra) = extra::find(output, expected, comparison.same) {
        return Judgement::because(Mark::Layout, extra);
    }
    Judgement {
        mark: Mark::Wrong,
        evidence: difference.evidence(output, expected, comparison.why),
    }
}

/// The white space before each word and after the last.
fn gaps(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut at = 0;
    let before = scan::tokens(bytes).map(move |token| {
        let gap = &bytes[at..token.at];
        at = token.end();
        gap
    });
    before.chain(std::iter::once(&bytes[scan::trim_end(bytes).len()..]))
}

fn other_gap(output: &[u8], expected: &[u8]) -> Evidence {
    let mut pairs = gaps(output).zip(gaps(expected));
    let (found, wanted) = pairs.find(|(one, two)| one != two).unwrap_or_default();
    let at = found.as_ptr().addr().saturating_sub(output.as_ptr().addr());
    let line = scan::line_number(output, at);
    let (wanted_text, found_text) = (message::quote(wanted), message::quote(found));
    message::evidence(
        "white-space-differs",
        format!(
            "the right values with other white space: on line {line} expected {wanted_text}, found {found_text}"
        ),
        format!("值都对，但空白不同：第 {line} 行应为 {wanted_text}，实为 {found_text}"),
    )
}

/// The first place where two sequences of words differ.
pub(crate) struct Difference<'a> {
    /// The index of the word, from 0.
    index: usize,
    /// The expected word; `None` if the expected sequence ends here.
    expected: Option<Token<'a>>,
    /// The found word; `None` if the output ends here.
    found: Option<Token<'a>>,
}

impl<'a> Difference<'a> {
    pub(crate) fn first(output: &'a [u8], expected: &'a [u8], same: Same<'_>) -> Option<Self> {
        let mut found = scan::tokens(output);
        let mut wanted = scan::tokens(expected);
        for index in 0.. {
            match (wanted.next(), found.next()) {
                (None, None) => return None,
                (Some(one), Some(two)) if same(one.bytes, two.bytes) => {}
                (expected, found) => {
                    return Some(Self {
                        index,
                        expected,
                        found,
                    });
                }
            }
        }
        None
    }

    fn evidence(&self, output: &[u8], expected: &[u8], why: Why<'_>) -> Vec<Evidence> {
        let wanted_count = scan::tokens(expected).count();
        let found_count = scan::tokens(output).count();
        let values = message::count(wanted_count, "value");
        let (wanted, found) = match (self.expected, self.found) {
            (Some(wanted), Some(found)) => (wanted, found),
            (Some(wanted), None) => {
                let next = message::quote(wanted.bytes);
                return vec![message::evidence(
                    "values-missing",
                    format!(
                        "expected {values}, found {found_count}: all right so far, then {next} is missing"
                    ),
                    format!(
                        "应有 {wanted_count} 个值，只有 {found_count} 个：前面都对，接下来缺少 {next}"
                    ),
                )];
            }
            (None, found) => {
                let next = message::quote(found.map_or(&b""[..], |token| token.bytes));
                return vec![message::evidence(
                    "values-extra",
                    format!(
                        "expected {values}, found {found_count}: all expected values are there, then comes {next}"
                    ),
                    format!(
                        "应有 {wanted_count} 个值，却有 {found_count} 个：应有的都对，之后又多出 {next}"
                    ),
                )];
            }
        };
        let at = scan::first_difference(wanted.bytes, found.bytes);
        let (place, place_zh) = if wanted_count == 1 && found_count == 1 {
            (String::new(), String::new())
        } else {
            let (number, line) = (self.index + 1, scan::line_number(output, found.at));
            (
                format!("value {number} on line {line}: "),
                format!("第 {line} 行，第 {number} 个值："),
            )
        };
        let Text { en, zh } = why(wanted.bytes, found.bytes);
        let quote = |bytes| message::quote_at(bytes, at);
        let (one, two) = (quote(wanted.bytes), quote(found.bytes));
        let window = |bytes| Excerpt::window(bytes, at, Excerpt::WIDTH);
        let evidence = message::evidence(
            "value-differs",
            format!("{place}expected {one}, found {two}{en}"),
            format!("{place_zh}应为 {one}，实为 {two}{zh}"),
        )
        .with_pair(window(wanted.bytes), window(found.bytes));
        let mut all = vec![evidence];
        if wanted_count != found_count {
            all.push(message::evidence(
                "value-count",
                format!("expected {values}, found {found_count}"),
                format!("应有 {wanted_count} 个值，实有 {found_count} 个"),
            ));
        }
        all
    }
}

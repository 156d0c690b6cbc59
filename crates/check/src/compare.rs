//! Two sequences of tokens: the first difference, and what to say about it.

use grader_model::{Evidence, Excerpt};

use crate::diff::{self, Neighbourhood};
use crate::extra::Same;
use crate::say;
use crate::scan::{self, Token};

/// The first place where two sequences of tokens differ.
pub(crate) struct Difference<'a> {
    /// The index of the token, from 0.
    pub(crate) index: usize,
    /// The expected token; nothing when the expected sequence ends here.
    pub(crate) expected: Option<Token<'a>>,
    /// The found token; nothing when the output ends here.
    pub(crate) found: Option<Token<'a>>,
}

pub(crate) fn first_difference<'a>(
    output: &'a [u8],
    expected: &'a [u8],
    same: Same<'_>,
) -> Option<Difference<'a>> {
    let mut found = scan::tokens(output);
    let mut wanted = scan::tokens(expected);
    for index in 0.. {
        match (wanted.next(), found.next()) {
            (None, None) => return None,
            (Some(one), Some(other)) if same(one.bytes, other.bytes) => {}
            (expected, found) => {
                return Some(Difference {
                    index,
                    expected,
                    found,
                });
            }
        }
    }
    None
}

impl Difference<'_> {
    /// What to say. `why` adds to the sentence about two tokens, in both languages.
    pub(crate) fn evidence(
        &self,
        output: &[u8],
        expected: &[u8],
        why: (&str, &str),
    ) -> Vec<Evidence> {
        let wanted_count = scan::tokens(expected).count() as u64;
        let found_count = scan::tokens(output).count() as u64;
        let values = say::count(wanted_count, "value");
        match (self.expected, self.found) {
            (Some(wanted), Some(found)) => {
                let at = scan::first_difference(wanted.bytes, found.bytes);
                let (wanted_text, found_text) = (
                    say::quote_at(wanted.bytes, at),
                    say::quote_at(found.bytes, at),
                );
                let line = scan::line_number(output, found.at);
                let number = self.index + 1;
                let (place, place_zh) = if wanted_count == 1 && found_count == 1 {
                    (String::new(), String::new())
                } else {
                    (
                        format!("value {number} on line {line}: "),
                        format!("第 {line} 行，第 {number} 个值："),
                    )
                };
                let mut evidence = say::evidence(
                    "value-differs",
                    format!("{place}expected {wanted_text}, found {found_text}{}", why.0),
                    format!("{place_zh}应为 {wanted_text}，实为 {found_text}{}", why.1),
                )
                .with_pair(
                    Excerpt::window(wanted.bytes, at, Excerpt::WIDTH),
                    Excerpt::window(found.bytes, at, Excerpt::WIDTH),
                );
                if wanted_count > 1 {
                    evidence = evidence.with_figure(diff::token_figure(
                        &Neighbourhood::new(expected, self.index),
                        &Neighbourhood::new(output, self.index),
                    ));
                }
                let mut all = vec![evidence];
                if wanted_count != found_count {
                    all.push(say::evidence(
                        "value-count",
                        format!("expected {values}, found {found_count}"),
                        format!("应有 {wanted_count} 个值，实有 {found_count} 个"),
                    ));
                }
                all
            }
            (Some(wanted), None) => vec![say::evidence(
                "values-missing",
                format!(
                    "expected {values}, found {found_count}: all right so far, then {} is missing",
                    say::quote(wanted.bytes)
                ),
                format!(
                    "应有 {wanted_count} 个值，只有 {found_count} 个：前面都对，接下来缺少 {}",
                    say::quote(wanted.bytes)
                ),
            )],
            (_, found) => {
                let next = found.map_or(&b""[..], |token| token.bytes);
                vec![say::evidence(
                    "values-extra",
                    format!(
                        "expected {values}, found {found_count}: all expected values are there, then comes {}",
                        say::quote(next)
                    ),
                    format!(
                        "应有 {wanted_count} 个值，却有 {found_count} 个：应有的都对，之后又多出 {}",
                        say::quote(next)
                    ),
                )]
            }
        }
    }
}

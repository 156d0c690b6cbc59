//! The first difference of two sequences of words or lines, with its message.

use grader_model::{Evidence, Excerpt, Text, text};

use crate::{look_alike, message, scan};

/// Nouns of the compared items: English, and Chinese with its counter.
pub(crate) const VALUE: (&str, &str) = ("value", "个值");
pub(crate) const LINE: (&str, &str) = ("line", "行");

/// The first difference of two sequences.
pub(crate) struct Difference<'a> {
    /// The index, from 0.
    pub(crate) index: usize,
    /// The expected item; `None` if the expected sequence ends.
    expected: Option<&'a [u8]>,
    /// The found item; `None` if the output ends.
    found: Option<&'a [u8]>,
    /// Lengths of the expected and the found sequence.
    pub(crate) counts: [usize; 2],
}

impl<'a> Difference<'a> {
    /// `None` if the sequences are the same.
    pub(crate) fn first(
        expected: impl Iterator<Item = &'a [u8]> + Clone,
        found: impl Iterator<Item = &'a [u8]> + Clone,
        same: impl Fn(&[u8], &[u8]) -> bool,
    ) -> Option<Self> {
        let (mut wanted, mut actual) = (expected.clone(), found.clone());
        for index in 0.. {
            match (wanted.next(), actual.next()) {
                (None, None) => break,
                (Some(one), Some(two)) if same(one, two) => {}
                (one, two) => {
                    return Some(Self {
                        index,
                        expected: one,
                        found: two,
                        counts: [expected.count(), found.count()],
                    });
                }
            }
        }
        None
    }

    /// The message. `place` locates the difference; `why` adds a remark about the two items.
    pub(crate) fn evidence(
        &self,
        (noun, zh): (&str, &str),
        place: impl Fn(&'a [u8]) -> Text,
        why: impl Fn(&[u8], &[u8]) -> Text,
    ) -> Vec<Evidence> {
        let [wanted_count, found_count] = self.counts;
        let expected = message::count(wanted_count, noun);
        let counts = text!(
            "expected {expected}, found {found_count}",
            "应有 {wanted_count} {zh}，实有 {found_count} {zh}"
        );
        let (wanted, found) = match (self.expected, self.found) {
            (Some(wanted), Some(found)) => (wanted, found),
            (Some(next), None) => {
                let next = message::quote(next);
                return vec![Evidence::new(
                    &format!("{noun}s-missing"),
                    text!(
                        "{counts}: correct up to here, but {next} is missing",
                        "{counts}：前面都对，但后面缺少 {next}",
                        counts
                    ),
                )];
            }
            (None, next) => {
                let next = message::quote(next.unwrap_or_default());
                if wanted_count == 0 {
                    let text = if found_count == 1 {
                        text!(
                            "expected no output, found {next}",
                            "这里不应有输出，实为 {next}"
                        )
                    } else {
                        text!(
                            "expected no output, but the output begins with {next}",
                            "这里不应有输出，而输出以 {next} 开头"
                        )
                    };
                    return vec![Evidence::new(&format!("{noun}s-extra"), text)];
                }
                return vec![Evidence::new(
                    &format!("{noun}s-extra"),
                    text!(
                        "{counts}: correct, but followed by extra {next}",
                        "{counts}：应有的都对，但后面多出 {next}",
                        counts
                    ),
                )];
            }
        };
        let at = scan::first_difference(wanted, found);
        let (one, two) = (message::quote_at(wanted, at), message::quote_at(found, at));
        let (place, mut why) = (place(found), why(wanted, found));
        why = look_alike::with_code_points(why, wanted, found, at);
        let around = |bytes| Excerpt::around(bytes, at, Excerpt::WIDTH);
        let differs = Evidence::new(
            &format!("{noun}-differs"),
            text!(
                "{place}expected {one}, found {two}{why}",
                "{place}应为 {one}，实为 {two}{why}",
                place,
                why
            ),
        );
        let mut all = vec![differs.with_pair(around(wanted), around(found))];
        if wanted_count != found_count {
            all.push(Evidence::new(&format!("{noun}-count"), counts));
        }
        all
    }
}

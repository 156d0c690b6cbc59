//! The right answer inside extra text.
//!
//! The rule. Extra text is text: it must hold more than numbers, so that a program that prints every number
//! finds no answer among them. Then the answer is found, in this order,
//!
//! 1. at the end of the output, after a prompt or a label, which may be glued to it: `n:92`;
//! 2. at the start of the output, before other text: `92 solutions`;
//! 3. if it is one number: as the only number on the first or on the last line that is not blank:
//!    `There are 92 solutions.`;
//! 4. anywhere, exactly once, if it is at least two tokens, and no more tokens are extra than are the
//!    answer's own, or sixteen.
//!
//! A number is never taken out of a longer one: 192 and 1.92 do not hold 92.

use grader_model::{Evidence, Excerpt};

use crate::scan::{self, Token, is_space};
use crate::{number, say};

/// Whether a token of the answer and one of the output are the same.
pub(crate) type Same<'a> = &'a dyn Fn(&[u8], &[u8]) -> bool;

/// What stands around the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Extra<'a> {
    /// The text before it.
    pub(crate) before: &'a [u8],
    /// The text after it.
    pub(crate) after: &'a [u8],
}

/// Finds the answer inside the output.
pub(crate) fn find<'a>(output: &'a [u8], answer: &[u8], same: Same<'_>) -> Option<Extra<'a>> {
    let first = scan::tokens(answer).next()?;
    let range = at_end(output, answer, same)
        .or_else(|| at_start(output, answer, same))
        .or_else(|| {
            let one = scan::tokens(answer).nth(1).is_none();
            if one {
                alone_on_line(output, first.bytes, same)
            } else {
                once(output, answer, same)
            }
        })?;
    Some(Extra {
        before: &output[..range.start],
        after: &output[range.end..],
    })
}

type Range = std::ops::Range<usize>;

/// Whether it is text, and not blank or a mere list of numbers.
fn says_something(extra: &[u8]) -> bool {
    let in_list = |byte: &u8| {
        is_space(*byte) || byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b',' | b';')
    };
    let list = extra.iter().any(u8::is_ascii_digit) && extra.iter().all(in_list);
    !list && !scan::is_blank(extra)
}

fn at_end(output: &[u8], answer: &[u8], same: Same<'_>) -> Option<Range> {
    let mut found = scan::tokens(output).rev();
    let mut wanted = scan::tokens(answer).rev().peekable();
    let mut end = None;
    while let Some(token) = wanted.next() {
        let candidate = found.next()?;
        let end = *end.get_or_insert(candidate.end());
        let whole = same(token.bytes, candidate.bytes);
        if wanted.peek().is_some() {
            if !whole {
                return None;
            }
            continue;
        }
        let start = if whole {
            candidate.at
        } else {
            candidate.at + glued_end(token.bytes, candidate.bytes, same)?
        };
        return says_something(&output[..start]).then_some(start..end);
    }
    None
}

fn at_start(output: &[u8], answer: &[u8], same: Same<'_>) -> Option<Range> {
    let mut found = scan::tokens(output);
    let mut wanted = scan::tokens(answer).peekable();
    let mut start = None;
    while let Some(token) = wanted.next() {
        let candidate = found.next()?;
        let start = *start.get_or_insert(candidate.at);
        let whole = same(token.bytes, candidate.bytes);
        if wanted.peek().is_some() {
            if !whole {
                return None;
            }
            continue;
        }
        let end = if whole {
            candidate.end()
        } else {
            candidate.at + glued_start(token.bytes, candidate.bytes, same)?
        };
        return says_something(&output[end..]).then_some(start..end);
    }
    None
}

/// Where the wanted token starts at the end of a token: `n:92`.
fn glued_end(wanted: &[u8], token: &[u8], same: Same<'_>) -> Option<usize> {
    let start = if number::parse(wanted).is_some() {
        let tail = |byte: &u8| !(byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.'));
        1 + token.iter().rposition(tail)?
    } else {
        token.len().checked_sub(wanted.len())?
    };
    let apart = start > 0 && (number::parse(wanted).is_some() || !in_word(token[start - 1]));
    (apart && start < token.len() && same(wanted, &token[start..])).then_some(start)
}

/// Where the wanted token ends at the start of a token: `92.`, `92,`.
fn glued_start(wanted: &[u8], token: &[u8], same: Same<'_>) -> Option<usize> {
    let end = if number::parse(wanted).is_some() {
        number::runs(token).next().filter(|run| run.start == 0)?.end
    } else {
        wanted.len()
    };
    let apart = end < token.len() && !in_word(token[end]);
    (apart && same(wanted, &token[..end])).then_some(end)
}

const fn in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn alone_on_line(output: &[u8], wanted: &[u8], same: Same<'_>) -> Option<Range> {
    number::parse(wanted)?;
    let body = scan::trim_end(output);
    let start = output.iter().position(|byte| !is_space(*byte))?;
    let line_end = |from: usize| {
        let feed = body[from..].iter().position(|byte| *byte == b'\n');
        feed.map_or(body.len(), |feed| from + feed)
    };
    let last = body
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |feed| feed + 1);
    [start..line_end(start), last..body.len()]
        .into_iter()
        .find_map(|line| {
            let mut runs = number::runs(&output[line.clone()]);
            let (run, None) = (runs.next()?, runs.next()) else {
                return None;
            };
            let run = line.start + run.start..line.start + run.end;
            let around = says_something(&output[..run.start]) || says_something(&output[run.end..]);
            (around && same(wanted, &output[run.clone()])).then_some(run)
        })
}

/// The only place of the answer's tokens among few others, by Knuth, Morris and Pratt.
fn once(output: &[u8], answer: &[u8], same: Same<'_>) -> Option<Range> {
    let wanted: Vec<Token<'_>> = scan::tokens(answer).collect();
    let most = wanted.len() + wanted.len().max(16);
    let found: Vec<Token<'_>> = scan::tokens(output).take(most + 1).collect();
    if found.len() > most {
        return None;
    }
    // A tolerance is not transitive, but the border table is only used to skip, and text is compared there.
    let mut borders = vec![0; wanted.len()];
    let mut border = 0;
    for at in 1..wanted.len() {
        while border > 0 && wanted[at].bytes != wanted[border].bytes {
            border = borders[border - 1];
        }
        border += usize::from(wanted[at].bytes == wanted[border].bytes);
        borders[at] = border;
    }
    let mut place = None;
    let mut matched = 0;
    for (at, token) in found.iter().enumerate() {
        while matched > 0 && !same(wanted[matched].bytes, token.bytes) {
            matched = borders[matched - 1];
        }
        matched += usize::from(same(wanted[matched].bytes, token.bytes));
        if matched == wanted.len() {
            if place.is_some() {
                return None;
            }
            place = Some(found[at + 1 - matched].at..token.end());
            matched = borders[matched - 1];
        }
    }
    let place = place?;
    let around = says_something(&output[..place.start]) || says_something(&output[place.end..]);
    around.then_some(place)
}

impl Extra<'_> {
    /// What is extra, quoted.
    pub(crate) fn evidence(&self) -> Evidence {
        let before = scan::trim(self.before);
        let after = scan::trim(self.after);
        // The last blank of a prompt shows where it ends; line feeds only blur the quotation.
        let before_text = match self.before.last() {
            Some(b' ') if !before.is_empty() => {
                format!("`{} `", Excerpt::first(before, 40))
            }
            _ => say::quote(before),
        };
        let (en, zh) = match (before.is_empty(), after.is_empty()) {
            (false, false) => (
                format!(
                    "extra text before the answer: {before_text}, and after it: {}",
                    say::quote(after)
                ),
                format!(
                    "答案前有多余文字：{before_text}，答案后也有：{}",
                    say::quote(after)
                ),
            ),
            (true, false) => (
                format!("extra text after the answer: {}", say::quote(after)),
                format!("答案后有多余文字：{}", say::quote(after)),
            ),
            _ => (
                format!("extra text before the answer: {before_text}"),
                format!("答案前有多余文字：{before_text}"),
            ),
        };
        say::evidence("extra-text", en, zh)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(output: &'static str, answer: &str) -> Option<(&'static str, &'static str)> {
        let same = |one: &[u8], other: &[u8]| one == other;
        let extra = find(output.as_bytes(), answer.as_bytes(), &same)?;
        let text = |bytes| std::str::from_utf8(bytes).unwrap();
        Some((text(extra.before), text(extra.after)))
    }

    #[test]
    fn the_answer_is_found_inside_text() {
        for (output, answer, before, after) in [
            ("Enter n: 92", "92", "Enter n: ", ""),
            ("Solutions = 92\n", "92", "Solutions = ", "\n"),
            ("8 Queens: 92", "92", "8 Queens: ", ""),
            ("8 :  92", "92", "8 :  ", ""),
            ("n:92", "92", "n:", ""),
            ("92 solutions", "92", "", " solutions"),
            ("92.\n", "92", "", ".\n"),
            ("There are 92 solutions.", "92", "There are ", " solutions."),
            (
                "Count: 92\nTime: 0.003 s\n",
                "92",
                "Count: ",
                "\nTime: 0.003 s\n",
            ),
            ("Enter n: 1 2\n3\n", "1 2\n3", "Enter n: ", "\n"),
            ("n=1 2 3\n", "1 2 3", "n=", "\n"),
            (
                "Solutions:\n1 2 3\nTime: 5 ms\n",
                "1 2 3",
                "Solutions:\n",
                "\nTime: 5 ms\n",
            ),
            ("The answer is:yes", "yes", "The answer is:", ""),
            ("x=-5", "-5", "x=", ""),
        ] {
            assert_eq!(around(output, answer), Some((before, after)), "{output}");
        }
    }

    #[test]
    fn the_answer_is_not_found_among_numbers_or_in_longer_words() {
        for (output, answer) in [
            ("1 0 0 2 10 4 40 92", "92"),
            ("1, 0, 0, 2, 10, 4, 40, 92", "92"),
            ("1,92", "92"),
            ("192", "92"),
            ("n:192", "92"),
            ("1.92", "92"),
            ("-92", "92"),
            ("n: -92", "92"),
            ("bayes", "yes"),
            ("from 1 to 92 and 93", "92"),
            ("", "92"),
            ("a 1 2 b 1 2 c", "1 2"),
            ("92", ""),
        ] {
            assert_eq!(around(output, answer), None, "{output}");
        }
    }
}

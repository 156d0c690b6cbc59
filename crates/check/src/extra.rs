//! The right answer inside extra text.
//!
//! The rule. Extra text is text: it must hold more than numbers and words which the answer itself uses, so that
//! a program that prints every number, or its last line twice, finds no answer among them. Then the answer is
//! found, in this order,
//!
//! 1. at the end of the output, after a prompt or a label, which may be glued to it: `n:92`;
//! 2. at the start of the output, before other text: `92 solutions`;
//! 3. if it is one number: as the only number on the first or on the last line that is not blank:
//!    `There are 92 solutions.`;
//! 4. anywhere, exactly once, if it is at least two tokens, and no more tokens are extra than are the
//!    answer's own, or sixteen;
//! 5. if it is one number: in a sentence of at most four numbers, exactly once, with letters between it and
//!    its neighbours: `n = 8, solutions = 92, time = 0.01 s`;
//! 6. at the end of each line, after a label: see `labels.rs`.
//!
//! A number is never taken out of a longer one: 192 and 1.92 do not hold 92.
//!
//! The fifth can meet a number that is right by chance. That costs nothing: as a wrong answer, a wrong layout
//! earns no points, and in most cases what it says is what the student has to change.

use grader_model::Evidence;

use crate::scan::{self, is_space};
use crate::vocabulary::Vocabulary;
use crate::{labels, number, say};

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

/// What to say about the text around the answer; nothing when the output does not hold the answer.
pub(crate) fn evidence(output: &[u8], answer: &[u8], same: Same<'_>) -> Option<Evidence> {
    let vocabulary = Vocabulary::of(answer);
    match find(output, answer, &vocabulary, same) {
        Some(extra) => Some(extra.evidence()),
        None => labels::find(output, answer, &vocabulary, same),
    }
}

/// Finds the answer inside the output, as a whole.
fn find<'a>(
    output: &'a [u8],
    answer: &[u8],
    vocabulary: &Vocabulary<'_>,
    same: Same<'_>,
) -> Option<Extra<'a>> {
    let first = scan::tokens(answer).next()?;
    let search = Search { vocabulary, same };
    let range = search
        .at_end(output, answer)
        .or_else(|| search.at_start(output, answer))
        .or_else(|| {
            if scan::tokens(answer).nth(1).is_some() {
                return search.once(output, answer);
            }
            number::parse(first.bytes)?;
            search
                .alone_on_line(output, first.bytes)
                .or_else(|| search.in_sentence(output, first.bytes))
        })?;
    Some(Extra {
        before: &output[..range.start],
        after: &output[range.end..],
    })
}

type Range = std::ops::Range<usize>;

/// Number of numbers in a sentence at most: that of the task, the answer, a time, and one more.
const SENTENCE: usize = 4;

struct Search<'a, 'w> {
    vocabulary: &'a Vocabulary<'w>,
    same: Same<'a>,
}

impl Search<'_, '_> {
    fn at_end(&self, output: &[u8], answer: &[u8]) -> Option<Range> {
        let mut found = scan::tokens(output).rev();
        let mut wanted = scan::tokens(answer).rev().peekable();
        let mut end = None;
        while let Some(token) = wanted.next() {
            let candidate = found.next()?;
            let end = *end.get_or_insert(candidate.end());
            let whole = (self.same)(token.bytes, candidate.bytes);
            if wanted.peek().is_some() {
                if !whole {
                    return None;
                }
                continue;
            }
            let start = if whole {
                candidate.at
            } else {
                candidate.at + glued_end(token.bytes, candidate.bytes, self.same)?
            };
            return self
                .vocabulary
                .is_text(&output[..start])
                .then_some(start..end);
        }
        None
    }

    fn at_start(&self, output: &[u8], answer: &[u8]) -> Option<Range> {
        let mut found = scan::tokens(output);
        let mut wanted = scan::tokens(answer).peekable();
        let mut start = None;
        while let Some(token) = wanted.next() {
            let candidate = found.next()?;
            let start = *start.get_or_insert(candidate.at);
            let whole = (self.same)(token.bytes, candidate.bytes);
            if wanted.peek().is_some() {
                if !whole {
                    return None;
                }
                continue;
            }
            let end = if whole {
                candidate.end()
            } else {
                candidate.at + glued_start(token.bytes, candidate.bytes, self.same)?
            };
            return self
                .vocabulary
                .is_text(&output[end..])
                .then_some(start..end);
        }
        None
    }

    fn alone_on_line(&self, output: &[u8], wanted: &[u8]) -> Option<Range> {
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
                let around = self.vocabulary.is_text(&output[..run.start])
                    || self.vocabulary.is_text(&output[run.end..]);
                (around && (self.same)(wanted, &output[run.clone()])).then_some(run)
            })
    }

    /// The only place of a number among few others, letters between them.
    fn in_sentence(&self, output: &[u8], wanted: &[u8]) -> Option<Range> {
        let runs: Vec<Range> = number::runs(output).take(SENTENCE + 1).collect();
        let right = |run: &Range| (self.same)(wanted, &output[run.clone()]);
        let at = runs.iter().position(right)?;
        if runs.len() > SENTENCE || runs[at + 1..].iter().any(right) {
            return None;
        }
        let run = runs[at].clone();
        let before = at.checked_sub(1).map_or(0, |at| runs[at].end);
        let after = runs.get(at + 1).map_or(output.len(), |run| run.start);
        let words = |text: &[u8], at_edge: bool| {
            at_edge
                || text
                    .iter()
                    .any(|byte| byte.is_ascii_alphabetic() || !byte.is_ascii())
        };
        let apart = words(&output[before..run.start], at == 0)
            && words(&output[run.end..after], at + 1 == runs.len());
        (apart && runs.len() > 1).then_some(run)
    }

    /// The only place of the answer's tokens among few others, by Knuth, Morris and Pratt.
    fn once(&self, output: &[u8], answer: &[u8]) -> Option<Range> {
        let wanted = Pattern::new(answer)?;
        let most = wanted.len() + wanted.len().max(16);
        if scan::tokens(output).nth(most).is_some() {
            return None;
        }
        let mut place = None;
        let mut matched = 0;
        for (at, token) in scan::tokens(output).enumerate() {
            while matched > 0 && !(self.same)(wanted.token(matched), token.bytes) {
                matched = wanted.border(matched);
            }
            matched += usize::from((self.same)(wanted.token(matched), token.bytes));
            if matched == wanted.len() {
                if place.is_some() {
                    return None;
                }
                place = Some((at + 1 - matched, token.end()));
                matched = wanted.border(matched);
            }
        }
        let (first, end) = place?;
        let place = scan::tokens(output).nth(first)?.at..end;
        let around = self.vocabulary.is_text(&output[..place.start])
            || self.vocabulary.is_text(&output[place.end..]);
        around.then_some(place)
    }
}

/// The tokens of an answer by index, in eight bytes for each: there may be millions.
struct Pattern<'a> {
    answer: &'a [u8],
    /// Where each starts.
    starts: Vec<u32>,
    /// For each, the length of the longest border of those up to it.
    borders: Vec<u32>,
}

impl<'a> Pattern<'a> {
    /// Nothing when there are no tokens, or places need more than 32 bits.
    fn new(answer: &'a [u8]) -> Option<Self> {
        u32::try_from(answer.len()).ok()?;
        let count = scan::tokens(answer).count();
        let mut pattern = Self {
            answer,
            starts: Vec::with_capacity(count),
            borders: Vec::with_capacity(count),
        };
        pattern
            .starts
            .extend(scan::tokens(answer).map(|token| token.at as u32));
        if count > 0 {
            pattern.borders.push(0);
        }
        // A tolerance is not transitive, but borders are only used to skip, and text is compared here.
        let mut border = 0;
        for at in 1..count {
            while border > 0 && pattern.token(at) != pattern.token(border) {
                border = pattern.border(border);
            }
            border += usize::from(pattern.token(at) == pattern.token(border));
            pattern.borders.push(border as u32);
        }
        (count > 0).then_some(pattern)
    }

    const fn len(&self) -> usize {
        self.starts.len()
    }

    fn token(&self, index: usize) -> &'a [u8] {
        let rest = &self.answer[self.starts[index] as usize..];
        let end = rest.iter().position(|byte| is_space(*byte));
        &rest[..end.unwrap_or(rest.len())]
    }

    /// How many tokens are still matched when the first `matched` are, and the next one is not.
    fn border(&self, matched: usize) -> usize {
        self.borders[matched - 1] as usize
    }
}

/// Where the wanted token starts at the end of a token: `n:92`.
pub(crate) fn glued_end(wanted: &[u8], token: &[u8], same: Same<'_>) -> Option<usize> {
    let start = if number::parse(wanted).is_some() {
        let tail = |byte: &u8| !(byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.'));
        1 + token.iter().rposition(tail)?
    } else {
        token.len().checked_sub(wanted.len())?
    };
    let (before, rest) = token.split_at(start);
    let apart = !before.is_empty() && !rest.is_empty() && !one_word(before, rest);
    (apart && same(wanted, rest)).then_some(start)
}

/// Where the wanted token ends at the start of a token: `92.`, `92,`.
fn glued_start(wanted: &[u8], token: &[u8], same: Same<'_>) -> Option<usize> {
    let end = if number::parse(wanted).is_some() {
        number::runs(token).next().filter(|run| run.start == 0)?.end
    } else {
        wanted.len()
    };
    let (start, rest) = token.split_at_checked(end)?;
    let apart = !rest.is_empty() && !one_word(start, rest);
    (apart && same(wanted, start)).then_some(end)
}

/// Whether the end of one text and the start of another read as one word: letters and digits, or Chinese
/// characters; between the two kinds no blank is usual.
fn one_word(one: &[u8], other: &[u8]) -> bool {
    // A character has at most four bytes.
    let last = String::from_utf8_lossy(&one[one.len().saturating_sub(4)..])
        .chars()
        .next_back();
    let first = String::from_utf8_lossy(&other[..other.len().min(4)])
        .chars()
        .next();
    let in_word = |c: char| c.is_alphanumeric() || c == '_';
    last.zip(first).is_some_and(|(last, first)| {
        in_word(last) && in_word(first) && last.is_ascii() == first.is_ascii()
    })
}

impl Extra<'_> {
    /// What is extra, quoted.
    pub(crate) fn evidence(&self) -> Evidence {
        let before = scan::trim(self.before);
        let after = scan::trim(self.after);
        let before_text = say::quote_prompt(self.before);
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
        let vocabulary = Vocabulary::of(answer.as_bytes());
        let extra = find(output.as_bytes(), answer.as_bytes(), &vocabulary, &same)?;
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
            ("8皇后问题共有92种解法", "92", "8皇后问题共有", "种解法"),
            (
                "n = 8, solutions = 92, time = 0.01s",
                "92",
                "n = 8, solutions = ",
                ", time = 0.01s",
            ),
            ("C(4, 2) is even\n", "even", "C(4, 2) is ", "\n"),
            ("答案是。", "答案是", "", "。"),
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
            ("from 1 to 92 and 93 and 94 and 95", "92"),
            ("from 91 to 92, 93", "92"),
            ("all 92 of 92 and 8 queens: 3", "92"),
            ("even odd odd", "even odd"),
            ("even\nEven\n", "even"),
            ("2 even", "even"),
            ("不是", "是"),
            ("是的", "是"),
            ("", "92"),
            ("a 1 2 b 1 2 c", "1 2"),
            ("92", ""),
        ] {
            assert_eq!(around(output, answer), None, "{output}");
        }
    }
}

//! The right answer line by line, with a label before each line: `4 : 2`, `n = 8: 92`, `C(4, 2) is even`.
//!
//! There are as many lines as in the answer, at least two, not counting blank ones. Each ends with the tokens
//! of its line of the answer; some have extra text before them, which is text as in `extra.rs`. A label may be
//! glued to the answer, but not by a letter or digit.

use grader_model::Evidence;

use crate::extra::{Same, glued_end};
use crate::vocabulary::Vocabulary;
use crate::{say, scan};

/// Finds the labels; evidence quotes the first.
pub(crate) fn find(
    output: &[u8],
    answer: &[u8],
    vocabulary: &Vocabulary<'_>,
    same: Same<'_>,
) -> Option<Evidence> {
    let lines = |bytes| scan::bare_lines(bytes).filter(|line| !scan::is_blank(line));
    let mut wanted = lines(answer);
    let mut found = lines(output);
    let mut first: Option<&[u8]> = None;
    let mut count = 0;
    loop {
        let (line, candidate) = match (wanted.next(), found.next()) {
            (None, None) => break,
            (one, other) => (one?, other?),
        };
        let label = &candidate[..answer_start(line, candidate, same)?];
        if !scan::is_blank(label) {
            if !vocabulary.is_text(label) {
                return None;
            }
            first = first.or(Some(label));
        }
        count += 1;
    }
    let label = say::quote_prompt(first.filter(|_| count > 1)?);
    Some(say::evidence(
        "extra-text",
        format!("each line has the right value at its end, after extra text: {label}"),
        format!("每行末尾的值都对，但前面有多余文字：{label}"),
    ))
}

/// Where the tokens of an answer's line start at the end of a line.
fn answer_start(line: &[u8], candidate: &[u8], same: Same<'_>) -> Option<usize> {
    let mut found = scan::tokens(candidate).rev();
    let mut wanted = scan::tokens(line).rev().peekable();
    let mut start = None;
    while let Some(token) = wanted.next() {
        let other = found.next()?;
        if same(token.bytes, other.bytes) {
            start = Some(other.at);
        } else if wanted.peek().is_none() {
            start = Some(other.at + glued_end(token.bytes, other.bytes, same)?);
        } else {
            return None;
        }
    }
    start
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labelled(output: &str, answer: &str) -> Option<String> {
        let same = |one: &[u8], other: &[u8]| one == other;
        let vocabulary = Vocabulary::of(answer.as_bytes());
        let evidence = find(output.as_bytes(), answer.as_bytes(), &vocabulary, &same)?;
        let label = evidence.message.en.split_once("extra text: ")?.1.to_owned();
        Some(label)
    }

    #[test]
    fn labels_before_each_line_are_found() {
        for (output, answer, label) in [
            ("4 : 2\n5 : 10\n", "2\n10\n", "`4 : `"),
            ("n = 4: 2\nn = 5: 10\n", "2\n10\n", "`n = 4: `"),
            ("n=4:2\nn=5:10", "2\n10\n", "`n=4:`"),
            (
                "C(4, 2) is even\nC(5, 0) is odd\n",
                "even\nodd\n",
                "`C(4, 2) is `",
            ),
            ("2\n\nn=5: 10\n", "2\n10\n", "`n=5: `"),
            ("a: 1 2\nb: 3 4\n", "1 2\n3 4\n", "`a: `"),
            ("4的解数是2\n5的解数是10\n", "2\n10\n", "`4的解数是`"),
        ] {
            assert_eq!(labelled(output, answer).as_deref(), Some(label), "{output}");
        }
    }

    #[test]
    fn numbers_more_answers_and_parts_of_words_are_no_labels() {
        for (output, answer) in [
            ("4 2\n5 10\n", "2\n10\n"),
            ("4, 2\n5, 10\n", "2\n10\n"),
            ("even even\nodd odd\n", "even\nodd\n"),
            ("n = 4: 12\nn = 5: 10\n", "2\n10\n"),
            ("n4 a2\nn5 a10\n", "2\n10\n"),
            ("它不是\n它是\n", "是\n是\n"),
            ("n = 4: 2\n", "2\n10\n"),
            ("n = 4: 2\nn = 5: 10\nn = 6: 4\n", "2\n10\n"),
            ("2\n10\n", "2\n10\n"),
            ("n = 4: 2\n", "2\n"),
        ] {
            assert_eq!(labelled(output, answer), None, "{output}");
        }
    }
}

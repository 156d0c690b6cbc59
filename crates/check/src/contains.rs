//! Texts and patterns that appear in an output, each list in its order; the rest of the output does not matter.
//!
//! White space in a text stands for any white space. A number at either end of a text is never part of a longer one: `total: 7` does
//! not appear in `total: 75`, nor in `total: 7.5`.

use std::collections::VecDeque;
use std::ops::Range;

use grader_model::{Evidence, Judgement, Mark, Text, text};
use grader_problem::Contains;

use crate::{CheckError, message, scan};

pub(crate) fn check(
    rule: &Contains,
    output: &[u8],
    answer: &[u8],
) -> Result<Judgement, CheckError> {
    let missing = match &rule.text {
        Some(texts) => missing_text(rule, output, texts.iter().map(String::as_bytes)),
        None => {
            let lines = scan::bare_lines(answer).filter(|line| !scan::is_blank(line));
            missing_text(rule, output, lines)
        }
    };
    let unmatched = missing_pattern(rule, output)?;
    let never = rule.never.iter().find_map(|it| {
        let found = Needle::new(it.as_bytes(), rule.case_sensitive).find(output, 0)?;
        Some(unwanted(
            it.as_bytes(),
            scan::line_number(output, found.start),
        ))
    });
    let evidence: Vec<_> = [missing, unmatched, never].into_iter().flatten().collect();
    let mark = if evidence.is_empty() {
        Mark::Right
    } else {
        Mark::Wrong
    };
    Ok(Judgement { mark, evidence })
}

fn missing_text<'a>(
    rule: &Contains,
    output: &[u8],
    texts: impl Iterator<Item = &'a [u8]>,
) -> Option<Evidence> {
    let mut last: Option<(&[u8], Range<usize>)> = None;
    for wanted in texts {
        let from = last.as_ref().map_or(0, |(_, range)| range.end);
        if let Some(found) = Needle::new(wanted, rule.case_sensitive).find(output, from) {
            last = Some((wanted, found));
            continue;
        }
        let quoted = message::quote(wanted);
        let other_case =
            rule.case_sensitive && Needle::new(wanted, false).find(output, from).is_some();
        let case = if other_case {
            message::only_case()
        } else {
            Text::default()
        };
        let sentence = match last {
            None => text!(
                "{quoted} does not appear{case}",
                "没有出现 {quoted}{case}",
                case
            ),
            Some((before, range)) => {
                let (before, line) = (
                    message::quote(before),
                    scan::line_number(output, range.end - 1),
                );
                text!(
                    "{quoted} does not appear after {before} on line {line}{case}",
                    "第 {line} 行的 {before} 之后没有出现 {quoted}{case}",
                    case
                )
            }
        };
        return Some(Evidence::new("text-missing", sentence));
    }
    None
}

fn missing_pattern(rule: &Contains, output: &[u8]) -> Result<Option<Evidence>, CheckError> {
    let all = &rule.pattern;
    let expression = |count: usize| {
        let expression = rule.expression(&all[..count]);
        expression.map_err(|_| CheckError::Pattern)
    };
    if all.is_empty() || expression(all.len())?.is_match(output) {
        return Ok(None);
    }
    let mut end = None;
    for (index, pattern) in all.iter().enumerate() {
        if let Some(found) = expression(index + 1)?.find(output) {
            end = Some(found.end());
            continue;
        }
        let pattern = message::quote(pattern.as_bytes());
        let sentence = match end {
            None => text!(
                "nothing matches the pattern {pattern}",
                "没有内容符合模式 {pattern}"
            ),
            Some(end) => {
                let line = scan::line_number(output, end.saturating_sub(1));
                text!(
                    "nothing after line {line} matches the pattern {pattern}",
                    "第 {line} 行之后没有内容符合模式 {pattern}"
                )
            }
        };
        return Ok(Some(Evidence::new("pattern-missing", sentence)));
    }
    Ok(None)
}

fn unwanted(text: &[u8], line: usize) -> Evidence {
    let quoted = message::quote(text);
    let sentence = text!(
        "{quoted} must not appear, but is on line {line}",
        "不应出现 {quoted}，但第 {line} 行有"
    );
    Evidence::new("text-unwanted", sentence)
}

/// A text that is searched for as Knuth, Morris and Pratt do: the time is linear in what is searched.
struct Needle {
    /// Its bytes, with one space for all white space.
    bytes: Vec<u8>,
    /// For each of its beginnings, the length of the longest shorter one that it ends with.
    back: Vec<usize>,
    case_sensitive: bool,
}

impl Needle {
    fn new(text: &[u8], case_sensitive: bool) -> Self {
        let bytes: Vec<u8> = even(scan::trim(text), case_sensitive)
            .map(|(_, it)| it)
            .collect();
        let mut back = vec![0; bytes.len()];
        let mut length = 0;
        for at in 1..bytes.len() {
            while length > 0 && bytes[length] != bytes[at] {
                length = back[length - 1];
            }
            length += usize::from(bytes[length] == bytes[at]);
            back[at] = length;
        }
        Self {
            bytes,
            back,
            case_sensitive,
        }
    }

    /// Its first place at or after `from`.
    fn find(&self, output: &[u8], from: usize) -> Option<Range<usize>> {
        let mut places = VecDeque::new();
        let mut length = 0;
        for (at, byte) in even(&output[from..], self.case_sensitive) {
            places.push_back(from + at);
            if places.len() > self.bytes.len() {
                places.pop_front();
            }
            while length > 0 && self.bytes.get(length) != Some(&byte) {
                length = self.back[length - 1];
            }
            length += usize::from(self.bytes.get(length) == Some(&byte));
            let range = places[0]..from + at + 1;
            if length == self.bytes.len() && is_whole(output, &range) {
                return Some(range);
            }
        }
        None
    }
}

/// The bytes with their places, and one space for each run of white space; in lower case if case does not matter.
fn even(bytes: &[u8], case_sensitive: bool) -> impl Iterator<Item = (usize, u8)> {
    let mut after_space = false;
    bytes.iter().enumerate().filter_map(move |(at, byte)| {
        let is_space = scan::is_space(*byte);
        let is_repeated = is_space && std::mem::replace(&mut after_space, is_space);
        after_space = is_space;
        let byte = match (is_space, case_sensitive) {
            (true, _) => b' ',
            (false, true) => *byte,
            (false, false) => byte.to_ascii_lowercase(),
        };
        (!is_repeated).then_some((at, byte))
    })
}

/// Whether no number goes on at either end.
fn is_whole(output: &[u8], range: &Range<usize>) -> bool {
    let (before, after) = (&output[..range.start], &output[range.end..]);
    let goes_on_before = match before {
        [.., b'0'..=b'9'] | [.., b'0'..=b'9', b'.'] => true,
        [rest @ .., b'-'] => !rest.last().is_some_and(u8::is_ascii_alphanumeric),
        _ => false,
    };
    let goes_on_after = matches!(after, [b'0'..=b'9', ..] | [b'.', b'0'..=b'9', ..]);
    let found = &output[range.clone()];
    let (begins, ends) = (found.first(), found.last());
    !(goes_on_before && begins.is_some_and(u8::is_ascii_digit)
        || goes_on_after && ends.is_some_and(u8::is_ascii_digit))
}

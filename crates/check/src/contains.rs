//! Texts and patterns that appear in an output, each list in its order; the rest of the output does not matter.
//!
//! White space in a text stands for any white space. A number at either end of a text is never part of a longer one: `total: 7` does
//! not appear in `total: 75`, nor in `total: 7.5`.

use std::collections::VecDeque;
use std::ops::Range;

use grader_model::{Evidence, Judgement, Mark, Text, text};
use grader_problem::{Contains, Wanted};
use regex_automata::Input;

use crate::error::CheckError;
use crate::{message, scan};

pub(crate) fn check(
    rule: &Contains,
    output: &[u8],
    answer: &[u8],
) -> Result<Judgement, CheckError> {
    let mut evidence = Vec::new();
    for list in &rule.lists {
        let list = list.iter().map(|it| match &it.what {
            Wanted::Text(text) => (Piece::Text(text.as_bytes()), it.after.as_deref()),
            Wanted::Pattern(pattern) => (Piece::Pattern(pattern), it.after.as_deref()),
        });
        evidence.extend(missing(rule, output, list)?);
    }
    let lines = scan::bare_lines(answer).filter(|line| !scan::is_blank(line));
    let lines = lines.filter(|_| rule.has_answer);
    evidence.extend(missing(
        rule,
        output,
        lines.map(|line| (Piece::Text(line), None)),
    )?);
    evidence.extend(rule.never.iter().find_map(|it| {
        let end = Needle::new(it.as_bytes(), rule.case_sensitive).find(output, 0)?;
        Some(unwanted(it.as_bytes(), line_before(output, end)))
    }));
    let mark = if evidence.is_empty() {
        Mark::Right
    } else {
        Mark::Wrong
    };
    Ok(Judgement { mark, evidence })
}

#[derive(Clone, Copy)]
enum Piece<'a> {
    Text(&'a [u8]),
    Pattern(&'a str),
}

impl Piece<'_> {
    /// The end of its first place at or after `from`.
    fn find(
        self,
        rule: &Contains,
        output: &[u8],
        from: usize,
    ) -> Result<Option<usize>, CheckError> {
        match self {
            Self::Text(text) => Ok(Needle::new(text, rule.case_sensitive).find(output, from)),
            Self::Pattern(pattern) => {
                let expression = rule.expression(pattern).map_err(|_| CheckError::Pattern)?;
                // What follows may begin where the shortest match ends.
                let input = Input::new(output).range(from..).earliest(true);
                Ok(expression.search_half(&input).map(|it| it.offset()))
            }
        }
    }

    fn quoted(self) -> String {
        match self {
            Self::Text(text) => message::quote(text),
            Self::Pattern(pattern) => message::quote(pattern.as_bytes()),
        }
    }
}

/// The first piece that does not appear after the one before it.
fn missing<'a>(
    rule: &Contains,
    output: &[u8],
    pieces: impl Iterator<Item = (Piece<'a>, Option<&'a str>)>,
) -> Result<Option<Evidence>, CheckError> {
    let mut last: Option<(Piece<'_>, usize)> = None;
    for (piece, input) in pieces {
        let from = last.map_or(0, |(_, end)| end);
        if let Some(end) = piece.find(rule, output, from)? {
            last = Some((piece, end));
            continue;
        }
        let other_case = match piece {
            Piece::Text(text) => Needle::new(text, false).find(output, from).is_some(),
            Piece::Pattern(_) => false,
        };
        let case = if other_case {
            message::only_case()
        } else {
            Text::default()
        };
        let place = match (last, input) {
            (_, Some(input)) => {
                let input = message::quote(input.as_bytes());
                text!(" after the input {input}", "输入 {input} 之后")
            }
            (Some((before, end)), None) => {
                let (before, line) = (before.quoted(), line_before(output, end));
                text!(
                    " after {before} on line {line}",
                    "第 {line} 行的 {before} 之后"
                )
            }
            (None, None) => Text::default(),
        };
        let quoted = piece.quoted();
        let wanted = match piece {
            Piece::Text(_) => Text::new(quoted.clone(), format!(" {quoted}")),
            Piece::Pattern(_) => text!("text that matches {quoted}", "符合 {quoted} 的内容"),
        };
        let found = scan::trim_end(line_from(output, from));
        let found = if found.is_empty() {
            Text::default()
        } else {
            let found = message::quote(found);
            text!("; found {found}", "；实际输出为 {found}")
        };
        let sentence = text!(
            "{wanted} does not appear{place}{case}{found}",
            "{place}没有出现{wanted}{case}{found}",
            wanted,
            place,
            case,
            found
        );
        return Ok(Some(Evidence::new("text-missing", sentence)));
    }
    Ok(None)
}

/// The output from the line on that has this place.
fn line_from(output: &[u8], place: usize) -> &[u8] {
    let before = output[..place].iter().rposition(|byte| *byte == b'\n');
    &output[before.map_or(0, |at| at + 1)..]
}

/// The line of the byte before this place.
fn line_before(output: &[u8], end: usize) -> usize {
    scan::line_number(output, end.saturating_sub(1))
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

    /// The end of its first place at or after `from`.
    fn find(&self, output: &[u8], from: usize) -> Option<usize> {
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
                return Some(range.end);
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

/// Whether no number goes on at either end: 75, -7, 1.7, .7 and 7e3 do not contain 7.
fn is_whole(output: &[u8], range: &Range<usize>) -> bool {
    let (before, after) = (&output[..range.start], &output[range.end..]);
    let is_word = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    let begins_within = match output[range.clone()] {
        [b'0'..=b'9', ..] => match before {
            [.., b'0'..=b'9'] => true,
            [rest @ .., b'.'] => !rest.last().is_some_and(u8::is_ascii_alphabetic),
            [rest @ .., b'-'] | [rest @ .., 0xe2, 0x88, 0x92] => !is_word(rest.last()),
            _ => false,
        },
        [b'.', b'0'..=b'9', ..] => before.last().is_some_and(u8::is_ascii_digit),
        [b'-' | b'+', b'0'..=b'9' | b'.', ..] => is_word(before.last()),
        _ => false,
    };
    let ends_within = output[range.clone()].last().is_some_and(u8::is_ascii_digit)
        && matches!(
            after,
            [b'0'..=b'9', ..]
                | [b'.' | b'e' | b'E', b'0'..=b'9', ..]
                | [b'e' | b'E', b'-' | b'+', b'0'..=b'9', ..]
        );
    !begins_within && !ends_within
}

//! Line by line. Trailing spaces and blank lines are ignored, with a note.
//!
//! In any order, each line counts as often as it is there. The message names the first line that is not in the answer, or
//! too often, and the first that is missing.
//!
//! `Layout`: the right values with different spaces or line ends, or the right answer inside extra text.

use std::collections::HashMap;

use grader_model::{Evidence, Judgement, Mark, Text, text};

use crate::difference::{Difference, LINE};
use crate::rule::WordRule;
use crate::{diff, extra, message, scan, words};

pub(crate) fn check(output: &[u8], expected: &[u8]) -> Judgement {
    let (wanted, found) = (scan::bare_lines(expected), scan::bare_lines(output));
    let same = |one: &[u8], two: &[u8]| one == two;
    let Some(difference) = Difference::first(wanted.clone(), found.clone(), same) else {
        let note = (output != expected).then(|| message::blanks_ignored(output));
        return Judgement {
            mark: Mark::Right,
            evidence: note.flatten().into_iter().collect(),
        };
    };
    let number = difference.index + 1;
    let (mark, mut evidence) = if words::difference(output, expected, WordRule::EXACT).is_none() {
        let other = Evidence::new(
            "other-blanks",
            text!(
                "the values are right, but spaces or line ends differ, first on line {number}",
                "值都对，但空白或换行不同：从第 {number} 行开始不一致"
            ),
        );
        (Mark::Layout, vec![other])
    } else if let Some(extra) = extra::find(output, expected, WordRule::EXACT) {
        (Mark::Layout, vec![extra])
    } else {
        let place = |_| text!("line {number}: ", "第 {number} 行：");
        let evidence = difference.evidence(LINE, place, message::case_differs);
        (Mark::Wrong, evidence)
    };
    evidence[0].figure = Some(diff::figure(wanted, found, difference.index));
    Judgement { mark, evidence }
}

pub(crate) fn check_any_order(output: &[u8], expected: &[u8]) -> Judgement {
    // How often each line is still expected.
    let mut left: HashMap<&[u8], usize> = HashMap::new();
    for line in scan::bare_lines(expected) {
        *left.entry(line).or_default() += 1;
    }
    let mut surplus = None;
    for (number, line) in (1..).zip(scan::bare_lines(output)) {
        match left.get_mut(line) {
            Some(count) if *count > 0 => *count -= 1,
            known => surplus = surplus.or(Some((number, line, known.is_some()))),
        }
    }
    let missing = scan::bare_lines(expected).find(|line| left.get(line) != Some(&0));
    let surplus = surplus.map(|(number, line, is_known)| {
        let line = message::quote(line);
        let why = if is_known {
            Text::new("is there too often", "出现的次数太多")
        } else {
            Text::new("is not in the answer", "不在答案中")
        };
        Evidence::new(
            "line-surplus",
            text!(
                "line {number}: {line} {why}",
                "第 {number} 行：{line} {why}",
                why
            ),
        )
    });
    let missing = missing.map(|line| {
        let line = message::quote(line);
        Evidence::new(
            "line-missing",
            text!("the line {line} is missing", "缺少一行 {line}"),
        )
    });
    let evidence: Vec<_> = surplus.into_iter().chain(missing).collect();
    let mark = if evidence.is_empty() {
        Mark::Right
    } else {
        Mark::Wrong
    };
    Judgement { mark, evidence }
}

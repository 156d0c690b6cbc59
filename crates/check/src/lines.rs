//! Line by line. Trailing blanks and trailing blank lines are ignored, with a note.
//!
//! `Layout`: the right values with different blanks or line ends, or the right answer inside extra text.

use grader_model::{Judgement, Mark, Text};

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
        let other = message::evidence(
            "other-blanks",
            format!("the values are right, but blanks or line ends differ, first on line {number}"),
            format!("值都对，但空白或分行不同：从第 {number} 行开始不一致"),
        );
        (Mark::Layout, vec![other])
    } else if let Some(extra) = extra::find(output, expected, WordRule::EXACT) {
        (Mark::Layout, vec![extra])
    } else {
        let place = |_| Text::new(format!("line {number}: "), format!("第 {number} 行："));
        let evidence = difference.evidence(LINE, place, message::case_differs);
        (Mark::Wrong, evidence)
    };
    evidence[0].figure = Some(diff::figure(wanted, found, difference.index));
    Judgement { mark, evidence }
}

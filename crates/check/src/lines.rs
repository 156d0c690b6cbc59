//! Line by line; blanks at the end of lines and blank lines at the end are forgiven, and a note says so.
//!
//! Layout: the right values with other blanks or on other lines, or the right answer inside extra text.

use grader_model::{Excerpt, Figure, Judgement, Mark};

use crate::words::Difference;
use crate::{diff, extra, message, scan};

pub(crate) fn check(output: &[u8], expected: &[u8]) -> Judgement {
    let Some(line) = LineDifference::first(output, expected) else {
        let note = (output != expected).then(|| message::blanks_forgiven(output));
        return Judgement {
            mark: Mark::Right,
            evidence: note.flatten().into_iter().collect(),
        };
    };
    let same = |one: &[u8], two: &[u8]| one == two;
    let figure = diff::of_lines(
        scan::bare_lines(expected),
        scan::bare_lines(output),
        line.index,
    );
    if Difference::first(output, expected, &same).is_none() {
        return line.other_layout(figure);
    }
    if let Some(extra) = extra::find(output, expected, &same) {
        return Judgement::because(Mark::Layout, extra.with_figure(figure));
    }
    line.wrong(output, expected, figure)
}

/// The first line that differs.
struct LineDifference<'a> {
    /// Its index, from 0.
    index: usize,
    expected: Option<&'a [u8]>,
    found: Option<&'a [u8]>,
}

impl<'a> LineDifference<'a> {
    fn first(output: &'a [u8], expected: &'a [u8]) -> Option<Self> {
        let mut found = scan::bare_lines(output);
        let mut wanted = scan::bare_lines(expected);
        for index in 0.. {
            match (wanted.next(), found.next()) {
                (None, None) => return None,
                (one, two) if one == two => {}
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

    /// All values are right: where the blanks differ.
    fn other_layout(&self, figure: Figure) -> Judgement {
        let number = self.index + 1;
        let evidence = message::evidence(
            "other-blanks",
            format!("the right values, but with other blanks or line ends, first on line {number}"),
            format!("值都对，但空白或分行不同：从第 {number} 行开始不一致"),
        );
        Judgement::because(Mark::Layout, evidence.with_figure(figure))
    }

    fn wrong(&self, output: &[u8], expected: &[u8], figure: Figure) -> Judgement {
        let number = self.index + 1;
        let wanted_count = scan::bare_lines(expected).count();
        let found_count = scan::bare_lines(output).count();
        let lines = message::count(wanted_count, "line");
        let (wanted, found) = match (self.expected, self.found) {
            (Some(wanted), Some(found)) => (wanted, found),
            (Some(_), None) => {
                let evidence = message::evidence(
                    "lines-missing",
                    format!(
                        "expected {lines}, found {found_count}: those are right, the rest is missing"
                    ),
                    format!("应有 {wanted_count} 行，只有 {found_count} 行：这些都对，其余缺失"),
                );
                return Judgement::because(Mark::Wrong, evidence.with_figure(figure));
            }
            (None, _) => {
                let evidence = message::evidence(
                    "lines-extra",
                    format!(
                        "expected {lines}, found {found_count}: the expected ones are right, more follow"
                    ),
                    format!(
                        "应有 {wanted_count} 行，却有 {found_count} 行：应有的都对，之后还有多余的行"
                    ),
                );
                return Judgement::because(Mark::Wrong, evidence.with_figure(figure));
            }
        };
        let at = scan::first_difference(wanted, found);
        let (case, case_zh) = if wanted.eq_ignore_ascii_case(found) {
            (" (only upper and lower case differ)", "（仅大小写不同）")
        } else {
            ("", "")
        };
        let (one, two) = (message::quote_at(wanted, at), message::quote_at(found, at));
        let window = |bytes| Excerpt::window(bytes, at, 80);
        let mut judgement = Judgement::because(
            Mark::Wrong,
            message::evidence(
                "line-differs",
                format!("line {number}: expected {one}, found {two}{case}"),
                format!("第 {number} 行：应为 {one}，实为 {two}{case_zh}"),
            )
            .with_pair(window(wanted), window(found))
            .with_figure(figure),
        );
        if wanted_count != found_count {
            judgement.evidence.push(message::evidence(
                "line-count",
                format!("expected {lines}, found {found_count}"),
                format!("应有 {wanted_count} 行，实有 {found_count} 行"),
            ));
        }
        judgement
    }
}

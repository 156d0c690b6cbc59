//! Line by line; blanks at the end of lines and blank lines at the end are forgiven, and a note says so.
//!
//! Layout: the right values with other blanks or on other lines, or the right answer inside extra text.

use grader_model::{Evidence, Excerpt, Judgement, Mark};

use crate::{compare, diff, extra, say, scan};

pub(crate) fn judge(output: &[u8], expected: &[u8]) -> Judgement {
    let Some(difference) = Difference::first(output, expected) else {
        let note = (output != expected)
            .then(|| say::blanks_forgiven(output))
            .flatten();
        return Judgement {
            mark: Mark::Right,
            evidence: note.into_iter().collect(),
        };
    };
    let same = |one: &[u8], other: &[u8]| one == other;
    if compare::first_difference(output, expected, &same).is_none() {
        return Judgement {
            mark: Mark::Layout,
            evidence: vec![difference.layout(output, expected)],
        };
    }
    if let Some(extra) = extra::evidence(output, expected, &same) {
        let figure = difference.figure(output, expected);
        return Judgement::because(Mark::Layout, extra.with_figure(figure));
    }
    Judgement {
        mark: Mark::Wrong,
        evidence: difference.wrong(output, expected),
    }
}

/// The first line that differs.
struct Difference<'a> {
    /// Its index, from 0.
    index: usize,
    expected: Option<&'a [u8]>,
    found: Option<&'a [u8]>,
}

impl<'a> Difference<'a> {
    fn first(output: &'a [u8], expected: &'a [u8]) -> Option<Self> {
        let mut found = scan::bare_lines(output);
        let mut wanted = scan::bare_lines(expected);
        for index in 0.. {
            match (wanted.next(), found.next()) {
                (None, None) => return None,
                (one, other) if one == other => {}
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

    fn figure(&self, output: &[u8], expected: &[u8]) -> grader_model::Figure {
        let first = self.index.saturating_sub(diff::CONTEXT);
        let window = |bytes| -> Vec<&[u8]> {
            scan::bare_lines(bytes)
                .skip(first)
                .take(diff::WINDOW)
                .collect()
        };
        diff::figure(
            &window(expected),
            &window(output),
            first + 1,
            self.index - first,
        )
    }

    /// All values are right: what is wrong with the blanks.
    fn layout(&self, output: &[u8], expected: &[u8]) -> Evidence {
        let number = self.index + 1;
        let wanted = self.expected.unwrap_or_default();
        let found = self.found.unwrap_or_default();
        let tokens = |line| scan::tokens(line).map(|token| token.bytes);
        let (code, en, zh) = if found.is_empty() && !wanted.is_empty() {
            (
                "blank-line",
                format!("the right values, but line {number} is blank"),
                format!("值都对，但第 {number} 行是空行"),
            )
        } else if scan::trim(found) == scan::trim(wanted) && found.len() > wanted.len() {
            (
                "leading-blanks",
                format!("the right values, but line {number} begins with blanks"),
                format!("值都对，但第 {number} 行以空白开头"),
            )
        } else if tokens(found).eq(tokens(wanted)) {
            (
                "other-blanks",
                format!("the right values, but with other blanks on line {number}"),
                format!("值都对，但第 {number} 行的空白不同"),
            )
        } else {
            (
                "other-lines",
                format!("the right values on other lines: line {number} is the first that differs"),
                format!("值都对，但分行不同：从第 {number} 行开始不一致"),
            )
        };
        say::evidence(code, en, zh).with_figure(self.figure(output, expected))
    }

    fn wrong(&self, output: &[u8], expected: &[u8]) -> Vec<Evidence> {
        let number = self.index + 1;
        let wanted_count = scan::bare_lines(expected).count();
        let found_count = scan::bare_lines(output).count();
        let lines = say::count(wanted_count as u64, "line");
        let figure = self.figure(output, expected);
        let (wanted, found) = match (self.expected, self.found) {
            (Some(wanted), Some(found)) => (wanted, found),
            (Some(_), None) => {
                return vec![
                    say::evidence(
                        "lines-missing",
                        format!("expected {lines}, found {found_count}: those are right, the rest is missing"),
                        format!("应有 {wanted_count} 行，只有 {found_count} 行：这些都对，其余缺失"),
                    )
                    .with_figure(figure),
                ];
            }
            (None, _) => {
                return vec![
                    say::evidence(
                        "lines-extra",
                        format!("expected {lines}, found {found_count}: the expected ones are right, more follow"),
                        format!("应有 {wanted_count} 行，却有 {found_count} 行：应有的都对，之后还有多余的行"),
                    )
                    .with_figure(figure),
                ];
            }
        };
        let at = scan::first_difference(wanted, found);
        let case = wanted.eq_ignore_ascii_case(found);
        let case = if case {
            (" (only upper and lower case differ)", "（仅大小写不同）")
        } else {
            ("", "")
        };
        let (wanted_text, found_text) = (say::quote_at(wanted, at), say::quote_at(found, at));
        let mut evidence = vec![
            say::evidence(
                "line-differs",
                format!(
                    "line {number}: expected {wanted_text}, found {found_text}{}",
                    case.0
                ),
                format!(
                    "第 {number} 行：应为 {wanted_text}，实为 {found_text}{}",
                    case.1
                ),
            )
            .with_pair(
                Excerpt::window(wanted, at, 80),
                Excerpt::window(found, at, 80),
            )
            .with_figure(figure),
        ];
        if wanted_count != found_count {
            evidence.push(say::evidence(
                "line-count",
                format!("expected {lines}, found {found_count}"),
                format!("应有 {wanted_count} 行，实有 {found_count} 行"),
            ));
        }
        evidence
    }
}

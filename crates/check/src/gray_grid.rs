//! A grid of all binary codes, each cell differing from its neighbours in row and column in one digit.
//!
//! Cells are separated by any blanks. The edges of the grid are not neighbours of each other. Layout: the
//! right cells on other lines, among other text, without leading zeros, or as decimal numbers.

use grader_model::{Evidence, Judgement, Mark};

use crate::scan::Token;
use crate::{gray, say, scan};

/// A grid of 2 to the power of `rows` rows and 2 to the power of `columns` columns.
#[derive(Clone, Copy)]
struct Shape {
    rows: u32,
    columns: u32,
}

pub(crate) fn judge(output: &[u8], rows: u32, columns: u32) -> Judgement {
    let shape = Shape { rows, columns };
    if shape.width() == 0 && scan::is_blank(output) {
        // The one code of no digits.
        return Judgement::right();
    }
    if let Some(codes) = shape.read(output) {
        return match shape.problem(&codes) {
            Some(evidence) => Judgement::because(Mark::Wrong, evidence),
            None => Judgement {
                mark: Mark::Right,
                evidence: say::blanks_forgiven(output).into_iter().collect(),
            },
        };
    }
    let (height, length) = (gray::power(rows), gray::power(columns));
    let layout = (
        format!(
            "{} of {}",
            say::count(height, "line"),
            say::count(length, "code")
        ),
        format!("共 {height} 行，每行 {length} 个编码"),
    );
    let is_right = |codes: &[u64]| shape.problem(codes).is_none();
    let layout = (layout.0.as_str(), layout.1.as_str());
    if let Some(evidence) = gray::other_layout(output, shape.width(), layout, &is_right) {
        return Judgement::because(Mark::Layout, evidence);
    }
    Judgement {
        mark: Mark::Wrong,
        evidence: shape.malformed(output),
    }
}

impl Shape {
    /// Number of digits of a code.
    const fn width(self) -> u32 {
        self.rows.saturating_add(self.columns)
    }

    /// The codes, row by row, if the output is a grid of the right shape.
    fn read(self, output: &[u8]) -> Option<Vec<u64>> {
        let lines = scan::bare_lines(output);
        if lines.clone().count() as u64 != gray::power(self.rows) {
            return None;
        }
        let mut codes = Vec::new();
        for line in lines {
            let before = codes.len() as u64;
            for token in scan::tokens(line) {
                if codes.len() as u64 - before == gray::power(self.columns) {
                    return None;
                }
                codes.push(gray::code(token.bytes, self.width()).ok()?);
            }
            if codes.len() as u64 - before != gray::power(self.columns) {
                return None;
            }
        }
        Some(codes)
    }

    /// The first mistake in the shape of an output.
    fn malformed(self, output: &[u8]) -> Vec<Evidence> {
        let mut evidence = Vec::new();
        let count = scan::bare_lines(output).count() as u64;
        let (height, length) = (gray::power(self.rows), gray::power(self.columns));
        if count != height {
            evidence.push(say::evidence(
                "line-count",
                format!("expected {}, found {count}", say::count(height, "line")),
                format!("应有 {height} 行，实有 {count} 行"),
            ));
        }
        let mistake = (1u64..)
            .zip(scan::bare_lines(output))
            .find_map(|(row, line)| {
                let bad = scan::tokens(line).zip(1..).find_map(|(token, column)| {
                    let error = gray::code(token.bytes, self.width()).err()?;
                    Some((token, column, error))
                });
                let cells = scan::tokens(line).count() as u64;
                match bad {
                    Some((Token { bytes, .. }, column, error)) => {
                        let place = (
                            format!("row {row}, column {column}"),
                            format!("第 {row} 行第 {column} 列"),
                        );
                        Some(gray::bad_code(
                            bytes,
                            error,
                            self.width(),
                            (&place.0, &place.1),
                        ))
                    }
                    None if cells != length => Some(say::evidence(
                        "cell-count",
                        format!(
                            "row {row}: expected {}, found {cells}",
                            say::count(length, "code")
                        ),
                        format!("第 {row} 行：应有 {length} 个编码，实有 {cells} 个"),
                    )),
                    None => None,
                }
            });
        evidence.extend(mistake);
        evidence
    }

    /// What keeps all codes of the right width from being such a grid.
    fn problem(self, codes: &[u64]) -> Option<Evidence> {
        let length = gray::power(self.columns) as usize;
        let place = |index: usize| (index / length + 1, index % length + 1);
        let apart = |one: usize, other: usize| (codes[one] ^ codes[other]).count_ones();
        let shown = |index: usize| format!("`{}`", gray::shown(codes[index], self.width()));
        let clash = (0..codes.len()).find_map(|index| {
            let left = (index % length > 0).then(|| index - 1);
            let above = index.checked_sub(length);
            [left, above]
                .into_iter()
                .flatten()
                .find(|neighbour| apart(*neighbour, index) != 1)
                .map(|neighbour| (neighbour, index))
        });
        if let Some((earlier, later)) = gray::first_repeat(codes)
            && clash.is_none_or(|(_, at)| later <= at)
        {
            let ((row, column), (row2, column2)) = (place(earlier), place(later));
            return Some(say::evidence(
                "code-repeated",
                format!(
                    "row {row}, column {column} and row {row2}, column {column2} hold the same code {}",
                    shown(later)
                ),
                format!(
                    "第 {row} 行第 {column} 列与第 {row2} 行第 {column2} 列是同一个编码 {}",
                    shown(later)
                ),
            ));
        }
        let (one, other) = clash?;
        let ((row, column), (row2, column2)) = (place(one), place(other));
        let digits = apart(one, other);
        let (direction, direction_zh) = if row == row2 {
            ("its right neighbour", "右邻")
        } else {
            ("its neighbour below", "下邻")
        };
        let label = |(row, column): (usize, usize)| format!("({row}, {column})");
        let cells = [
            (label(place(one)), codes[one]),
            (label(place(other)), codes[other]),
        ];
        Some(
            say::evidence(
                "neighbours-differ",
                format!(
                    "row {row}, column {column} ({}) and {direction}, row {row2}, column {column2} ({}), differ in {digits} digits: exactly one may differ",
                    shown(one),
                    shown(other)
                ),
                format!(
                    "第 {row} 行第 {column} 列（{}）与其{direction_zh}第 {row2} 行第 {column2} 列（{}）有 {digits} 位不同：只能有一位不同",
                    shown(one),
                    shown(other)
                ),
            )
            .with_figure(gray::figure(&cells, self.width())),
        )
    }
}

//! Mutants of `gray-grid`.

use std::io::Write;

use crate::program::{Question, row, within};
use crate::{Error, Mutant};

pub(crate) const MUTANTS: &[Mutant] = &[
    Mutant::new(
        "rows-in-binary",
        "numbers the rows in plain binary",
        "行号用普通二进制",
        // Right: `gray(row)`.
        |question, output| {
            list(
                question,
                |row, column, _, n| row << n | gray(column),
                output,
            )
        },
    ),
    Mutant::new(
        "columns-in-binary",
        "numbers the columns in plain binary",
        "列号用普通二进制",
        // Right: `gray(column)`.
        |question, output| {
            list(
                question,
                |row, column, _, n| gray(row) << n | column,
                output,
            )
        },
    ),
    Mutant::new(
        "shifted-by-the-wrong-number",
        "shifts the row's code by m digits instead of n, so the parts overlap or leave a gap",
        "行编码左移了 m 位而不是 n 位，两部分重叠或留出空位",
        // Right: `<< n`.
        |question, output| {
            list(
                question,
                |row, column, m, _| gray(row) << m | gray(column),
                output,
            )
        },
    ),
    Mutant::new(
        "one-code-for-all",
        "numbers all cells in one go, so cells one above the other differ in several digits",
        "整个方格连续编号，上下相邻的格会差多位",
        // Right: row and column each for itself.
        |question, output| {
            list(
                question,
                |row, column, _, n| gray(row << n | column),
                output,
            )
        },
    ),
];

fn gray(index: u32) -> u32 {
    index ^ (index >> 1)
}

/// Writes the grid whose cell in a row and column, for m and n, is given.
fn list(
    question: &Question<'_>,
    cell: fn(u32, u32, u32, u32) -> u32,
    output: &mut dyn Write,
) -> Result<(), Error> {
    let [m, n] = question.numbers()?;
    let (m, n) = (within(m, 1..=8)?, within(n, 1..=8)?);
    let digits = (m + n) as usize;
    for r in 0..1 << m {
        let code = |column| format!("{:0digits$b}", cell(r, column, m, n));
        row(output, (0..1 << n).map(code))?;
    }
    Ok(())
}

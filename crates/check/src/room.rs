//! How much memory a checker may take beside the output.

use grader_problem::Checker;

/// Room for a copy of any output that is not hostile.
const ROOM: usize = 16 * 1024 * 1024;
/// Largest number of bytes of a column number with what stands beside it: `10000000, `.
const COLUMN: usize = 12;

/// The largest changed copy of an output that is made: several times a right answer of that size, and a
/// constant.
const fn beside(answer: usize) -> usize {
    answer.saturating_mul(2).saturating_add(ROOM)
}

/// The largest changed copy of an output that is made for this checker.
pub(crate) fn of(checker: &Checker, expected: Option<&[u8]>) -> usize {
    match checker {
        Checker::Exact | Checker::Lines | Checker::Tokens { .. } | Checker::Numbers { .. } => {
            beside(expected.map_or(0, <[u8]>::len))
        }
        Checker::QueensColumns { size, .. } => of_columns(*size),
        // Drawings and codes for people to read are far smaller than the constant.
        Checker::QueensBoard { .. }
        | Checker::GrayCode { .. }
        | Checker::GrayGrid { .. }
        | Checker::Program { .. } => beside(0),
    }
}

/// The same for a placement of so many queens.
pub(crate) const fn of_columns(size: u32) -> usize {
    beside((size as usize).saturating_mul(COLUMN))
}

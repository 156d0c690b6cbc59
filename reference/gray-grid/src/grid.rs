//! The code of one cell.

/// The code of the cell in `row` and `column` of the grid with `2^n` columns, all counted from 0.
///
/// The code is the Gray code of the row, followed by the `n` digits of the Gray code of the column.
/// A step to the side changes only the second part, a step up or down only the first, and either
/// changes one bit, because neighbours in a Gray code differ in one bit. Two cells with the same
/// code have the same row and the same column, because no Gray code comes twice.
///
/// Invariant: `column < 2^n`, so that the two parts share no bit.
///
/// Source: this is how the sides of a Karnaugh map are numbered: M. Karnaugh, *The Map Method for
/// Synthesis of Combinational Logic Circuits*, Transactions of the AIEE 72(1), 1953.
pub fn cell(row: u32, column: u32, n: u32) -> u32 {
    gray(row) << n | gray(column)
}

/// The code at place `index` of the reflected Gray code: `index` and `index + 1` give codes that
/// differ in one bit.
///
/// Source: F. Gray, *Pulse Code Communication*, US patent 2 632 058, 1953.
fn gray(index: u32) -> u32 {
    index ^ (index >> 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_differ_in_one_bit_and_no_code_comes_twice() {
        for (m, n) in [(1, 1), (1, 8), (8, 1), (3, 5), (8, 8)] {
            let (rows, columns) = (1 << m, 1 << n);
            let mut met = vec![false; 1 << (m + n)];
            for row in 0..rows {
                for column in 0..columns {
                    let code = cell(row, column, n);
                    assert!(!met[code as usize], "{code:b} comes twice");
                    met[code as usize] = true;
                    if row > 0 {
                        assert_eq!((code ^ cell(row - 1, column, n)).count_ones(), 1);
                    }
                    if column > 0 {
                        assert_eq!((code ^ cell(row, column - 1, n)).count_ones(), 1);
                    }
                }
            }
        }
    }
}

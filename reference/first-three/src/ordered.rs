//! The first solutions in numerical order.

/// The first `wanted` solutions for `n` queens (1 to 32) in numerical order, fewer if there are
/// not as many. A solution is the column of the queen of each row, counted from 1.
///
/// Rows are filled from the top, and in each row the free columns are tried from the lowest bit to
/// the highest. Therefore solutions are met in numerical order, and the search can stop as soon as
/// it has enough of them.
///
/// Invariant of `place`: `queens` holds the columns of the rows above, which do not
/// attack each other, and bit `c` of `columns | left | right` is set exactly if one of them
/// attacks column `c` of the current row. Every solution that is smaller than all continuations of
/// `queens` is in `found`.
///
/// Source: M. Richards, *Backtracking Algorithms in MCPL using Bit Patterns and Recursion*,
/// Technical Report 433, University of Cambridge Computer Laboratory, 1997; the order is that of
/// *Checker Challenge*, USACO training pages, section 1.5.
///
/// # Panics
///
/// If `n` is not 1 to 32.
pub fn first_solutions(n: u32, wanted: usize) -> Vec<Vec<u32>> {
    assert!((1..=32).contains(&n), "n must be 1 to 32");
    let full = u32::MAX >> (32 - n);
    let mut search = Search {
        full,
        wanted,
        queens: Vec::new(),
        found: Vec::new(),
    };
    search.place(0, 0, 0);
    search.found
}

struct Search {
    /// One bit for each column.
    full: u32,
    /// How many solutions to find.
    wanted: usize,
    /// The columns of the rows above, counted from 1.
    queens: Vec<u32>,
    /// The solutions so far, in numerical order.
    found: Vec<Vec<u32>>,
}

impl Search {
    /// Tries all ways to fill the rows that are left, until enough solutions are found.
    fn place(&mut self, columns: u32, left: u32, right: u32) {
        if columns == self.full {
            self.found.push(self.queens.clone());
            return;
        }
        let mut free = self.full & !(columns | left | right);
        while free != 0 && self.found.len() < self.wanted {
            // `p & -p` keeps the lowest set bit of p.
            let queen = free & free.wrapping_neg();
            free ^= queen;
            self.queens.push(queen.trailing_zeros() + 1);
            self.place(columns | queen, (left | queen) << 1, (right | queen) >> 1);
            self.queens.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All solutions in numerical order: each sequence of columns is tried, as counting does.
    fn all_sequences_that_are_legal(n: u32) -> Vec<Vec<u32>> {
        let mut sequences = vec![Vec::new()];
        for _ in 0..n {
            sequences = sequences
                .iter()
                .flat_map(|start: &Vec<u32>| {
                    (1..=n).map(move |column| [start.as_slice(), &[column]].concat())
                })
                .collect();
        }
        sequences.retain(|columns| {
            (0..columns.len()).all(|lower| {
                (0..lower).all(|upper| {
                    let distance = columns[lower].abs_diff(columns[upper]);
                    distance != 0 && distance as usize != lower - upper
                })
            })
        });
        sequences
    }

    #[test]
    fn all_solutions_come_in_numerical_order() {
        for n in 1..=6 {
            assert_eq!(
                first_solutions(n, 1000),
                all_sequences_that_are_legal(n),
                "n = {n}"
            );
        }
    }

    #[test]
    fn no_more_are_found_than_wanted() {
        let all = first_solutions(8, 1000);
        assert_eq!(all.len(), 92);
        for wanted in [0, 1, 3, 91] {
            assert_eq!(first_solutions(8, wanted), all[..wanted], "{wanted} wanted");
        }
    }
}

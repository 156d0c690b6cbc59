//! The canonical boards, cut into runs that share the queens of the border.
//!
//! Let `m = n - 1` be the last row and column, and `c` the distance of the top queen from the left
//! corner; that the other seven distances are not less says, for `c > 0`:
//!
//! ```text
//!    n = 8, c = 2          0 1 2 3 4 5 6 7
//!                       0  . . Q . . . . .      the top row's distance from the right is m - c:
//!                       1  x - - - - - - x      it is greater, since only c < m / 2 is tried
//!                       2  T - - - - - - T
//!                       3  - - - - - - - -      x  no queen: a distance would be less than c
//!                       4  - - - - - - - -
//!                       5  T - - - - - - T      T  a distance would be c: a tie
//!                       6  x - - - - - - x
//!                       7  x x . - - T x x
//! ```
//!
//! A tie changes what a board counts, so each combination of ties is a run of its own, in which the
//! queens on `T` squares are placed beforehand, and the other `T` squares are ruled out. There are
//! three choices for each side and two for the bottom row, 18 in all, of which a few are
//! impossible because the queens attack each other.
//!
//! With `k = 2` ties, the second one on the left at `(m - c, 0)` or on the right at `(c, m)`, the
//! two canonical images of a board are a quarter turn apart: one is in the first run and the other
//! in the second. So the first run is left out, and the second one counts twice.
//!
//! For `c = 0` the corner queen has the distance 0 on two lines, so `k = 2`, and no other line can
//! have a queen in a corner. The two canonical images are mirrored at the corner's diagonal, which
//! exchanges the column of row 1's queen and the row of column 1's queen. They are not equal, so
//! only the images in which the first is less are tried, and each counts 8: for each column `p` of
//! the queen in row 1 there is one run, in which column 1 has no queen up to row `p`.

use super::State;

/// The canonical boards with certain queens on the border.
#[derive(Debug)]
pub(super) struct Run {
    /// The rows to be filled, from the top.
    pub(super) rows: Vec<Row>,
    /// The state of the first of them.
    pub(super) start: State,
    /// How many thirds of a solution a board of the run stands for: `24 / k`.
    pub(super) thirds: u64,
}

/// A row to be filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Row {
    /// The columns in which a queen may stand: the run admits it, and no queen that was placed
    /// beforehand attacks the square.
    pub(super) allowed: u32,
    /// How many rows below is the next one; 1, unless rows between them are filled beforehand.
    pub(super) step: u32,
    /// Columns that are lost if no queen stands there once this row is filled.
    pub(super) taken: u32,
}

/// The runs for `n` queens, `n` from 1 to 32; the long ones first.
pub(super) fn runs(n: u32) -> Vec<Run> {
    borders(n).iter().map(Border::run).collect()
}

/// What a run says about the border.
#[derive(Debug)]
struct Border {
    n: u32,
    /// The distance `c` of the top queen from the left corner.
    distance: u32,
    /// The queens placed beforehand, the top queen first; in the corner run the second is that of
    /// row 1.
    queens: Vec<Queen>,
    thirds: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Queen {
    row: u32,
    column: u32,
}

impl Queen {
    /// The columns that the queen attacks in a row; those beyond the board may be among them.
    fn attacked(self, row: u32) -> u32 {
        let column = 1 << self.column;
        match self.row.abs_diff(row) {
            0 => u32::MAX,
            distance => column | column << distance | column >> distance,
        }
    }

    fn attacks(self, other: Self) -> bool {
        self.attacked(other.row) & 1 << other.column != 0
    }
}

fn borders(n: u32) -> Vec<Border> {
    let top = |column| Queen { row: 0, column };
    if n == 1 {
        // All eight distances are 0.
        return vec![Border {
            n,
            distance: 0,
            queens: vec![top(0)],
            thirds: 24 / 8,
        }];
    }
    let m = n - 1;
    let mut borders = Vec::new();
    for distance in 1..m.div_ceil(2) {
        borders.push(Border {
            n,
            distance,
            queens: vec![top(distance)],
            thirds: 24,
        });
    }
    for column in 2..n {
        borders.push(Border {
            n,
            distance: 0,
            queens: vec![top(0), Queen { row: 1, column }],
            thirds: 24,
        });
    }
    for distance in 1..m.div_ceil(2) {
        borders.extend(ties(n, distance));
    }
    borders
}

/// The runs in which other distances are equal to that of the top queen, 1 or more.
fn ties(n: u32, distance: u32) -> Vec<Border> {
    let m = n - 1;
    let on_a_side = [None, Some(distance), Some(m - distance)];
    let mut borders = Vec::new();
    for left in on_a_side {
        for right in on_a_side {
            for bottom in [None, Some(m - distance)] {
                let mut queens = vec![Queen {
                    row: 0,
                    column: distance,
                }];
                queens.extend(left.map(|row| Queen { row, column: 0 }));
                queens.extend(right.map(|row| Queen { row, column: m }));
                queens.extend(bottom.map(|column| Queen { row: m, column }));
                let thirds = match queens.len() {
                    1 => continue,
                    // The quarter turns.
                    2 if left == Some(m - distance) => continue,
                    2 if right == Some(distance) => 24,
                    k => 24 / k as u64,
                };
                let peaceful = |i: usize| queens[..i].iter().all(|q| !q.attacks(queens[i]));
                if (1..queens.len()).all(peaceful) {
                    borders.push(Border {
                        n,
                        distance,
                        queens,
                        thirds,
                    });
                }
            }
        }
    }
    borders
}

impl Border {
    /// The columns in which a queen that was not placed beforehand may stand in a row, as far as
    /// the distances tell.
    fn admitted(&self, row: u32) -> u32 {
        let m = self.n - 1;
        let all = u32::MAX >> (32 - self.n);
        if let [_, second] = self.queens[..]
            && self.distance == 0
        {
            return if row > second.column {
                all
            } else {
                all & !(1 << 1)
            };
        }
        let greater = |place: &u32| self.distance < *place && *place < m - self.distance;
        let mut admitted = all;
        if !greater(&row) {
            admitted &= !self.sides();
        }
        if row == m {
            admitted &= columns((0..self.n).filter(greater));
        }
        admitted
    }

    /// The first and the last column.
    fn sides(&self) -> u32 {
        1 | 1 << (self.n - 1)
    }

    fn run(&self) -> Run {
        let to_fill: Vec<u32> = (0..self.n)
            .filter(|&row| self.queens.iter().all(|queen| queen.row != row))
            .collect();
        let mut rows = Vec::with_capacity(to_fill.len());
        for (i, &row) in to_fill.iter().enumerate() {
            let next = to_fill.get(i + 1).map_or(self.n, |&next| next);
            let attacked = self
                .queens
                .iter()
                .fold(0, |attacked, queen| attacked | queen.attacked(row));
            // From row m - c on, the sides admit no queen.
            let sides_end = self.n - 1 - self.distance;
            let last_for_sides = self.distance > 0 && row < sides_end && sides_end <= next;
            rows.push(Row {
                allowed: self.admitted(row) & !attacked,
                step: next - row,
                taken: if last_for_sides { self.sides() } else { 0 },
            });
        }
        let occupied = columns(self.queens.iter().map(|queen| queen.column));
        Run {
            rows,
            // The diagonals of the queens placed beforehand are taken out of `allowed`.
            start: State {
                free: u32::MAX >> (32 - self.n) & !occupied,
                left: 0,
                right: 0,
            },
            thirds: self.thirds,
        }
    }
}

/// The mask of these columns.
fn columns(numbers: impl Iterator<Item = u32>) -> u32 {
    numbers.fold(0, |mask, column| mask | 1 << column)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The column of each row's queen.
    type Board = Vec<u32>;

    fn solutions(n: u32, rows: &mut Board, found: &mut Vec<Board>) {
        let row = rows.len() as u32;
        if row == n {
            return found.push(rows.clone());
        }
        for column in 0..n {
            let queen = Queen { row, column };
            let attacked = (0..)
                .zip(rows.iter())
                .any(|(row, &column)| Queen { row, column }.attacks(queen));
            if !attacked {
                rows.push(column);
                solutions(n, rows, found);
                rows.pop();
            }
        }
    }

    /// The different images of a board.
    fn images(board: &Board) -> BTreeSet<Board> {
        let mut image = board.clone();
        let mut images = BTreeSet::new();
        for _ in 0..4 {
            // Columns in place of rows, then the rows in reverse order: a quarter turn.
            let mut turned = vec![0; image.len()];
            for (row, &column) in (0..).zip(&image) {
                turned[column as usize] = row;
            }
            images.insert(turned.clone());
            turned.reverse();
            images.insert(turned.clone());
            image = turned;
        }
        images
    }

    fn holds(border: &Border, board: &Board) -> bool {
        (0..).zip(board).all(|(row, &column)| {
            match border.queens.iter().find(|queen| queen.row == row) {
                Some(queen) => queen.column == column,
                None => border.admitted(row) & 1 << column != 0,
            }
        })
    }

    #[test]
    fn the_canonical_images_of_every_board_stand_for_all_its_images() {
        for n in 1..=9 {
            let borders = borders(n);
            let mut boards = Vec::new();
            solutions(n, &mut Vec::new(), &mut boards);
            for board in boards {
                let images = images(&board);
                let thirds: u64 = images
                    .iter()
                    .flat_map(|image| borders.iter().filter(|border| holds(border, image)))
                    .map(|border| border.thirds)
                    .sum();
                assert_eq!(thirds, 3 * images.len() as u64, "n = {n}, {board:?}");
            }
        }
    }

    #[test]
    fn a_board_has_as_many_images_as_its_symmetry_leaves() {
        assert_eq!(images(&vec![1, 3, 0, 2]).len(), 2);
        assert_eq!(images(&vec![2, 4, 1, 7, 0, 6, 3, 5]).len(), 4);
        assert_eq!(images(&vec![0, 4, 7, 5, 2, 6, 1, 3]).len(), 8);
    }

    #[test]
    fn the_run_without_ties_has_the_rows_of_the_picture() {
        let runs = runs(8);
        let run = runs.iter().find(|run| run.start.free == 0b1111_1011);
        let rows = &run.expect("c = 2 has a run").rows;
        // Column 0 is the lowest bit; the diagonals of the top queen are out too.
        let allowed: Vec<u32> = rows.iter().map(|row| row.allowed).collect();
        assert_eq!(
            allowed,
            [
                0b0111_0000,
                0b0110_1010,
                0b1101_1011,
                0b1011_1011,
                0b0111_1010,
                0b0111_1010,
                0b0001_1000,
            ]
        );
        let taken: Vec<u32> = rows.iter().map(|row| row.taken).collect();
        assert_eq!(taken, [0, 0, 0, 0b1000_0001, 0, 0, 0]);
        assert!(rows.iter().all(|row| row.step == 1));
    }
}

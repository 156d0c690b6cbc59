//! All placements on half a board that use one set of rows.

use super::geometry::Geometry;
use super::kernel::AddPairs;
use super::pattern::Pattern;
use super::quadrant::{Cell, PADDING, Quadrant};
use crate::host::Simd;

/// The patterns of a half whose queens fill one set of rows and all columns, by how many of the
/// two main diagonals they use.
#[derive(Debug, Default)]
pub(super) struct Half<P> {
    /// Those that use none, one and both.
    pub(super) by_main: [List<P>; 3],
}

/// A list to which a whole vector is written when some of its numbers are to be added.
#[derive(Debug, Default)]
pub(super) struct List<P> {
    storage: Vec<P>,
    len: usize,
}

impl<P: Pattern> List<P> {
    pub(super) fn as_slice(&self) -> &[P] {
        &self.storage[..self.len]
    }

    /// The room behind the list: at least `more` numbers and [`PADDING`].
    pub(super) fn room(&mut self, more: usize) -> Room<'_, P> {
        let needed = self.len + more + PADDING;
        if self.storage.len() < needed {
            self.storage.resize(2 * needed, P::default());
        }
        Room {
            free: &mut self.storage[self.len..],
            len: &mut self.len,
            taken: 0,
        }
    }
}

/// The room behind a list. What is put there belongs to the list when the room is gone.
pub(super) struct Room<'a, P> {
    free: &'a mut [P],
    len: &'a mut usize,
    taken: usize,
}

impl<P: Copy> Room<'_, P> {
    /// Writes all `numbers` and keeps the first `more`.
    #[inline(always)]
    pub(super) fn put<const N: usize>(&mut self, numbers: [P; N], more: usize) {
        self.free[self.taken..][..N].copy_from_slice(&numbers);
        self.taken += more;
    }
}

impl<P> Drop for Room<'_, P> {
    fn drop(&mut self) {
        *self.len += self.taken;
    }
}

/// What a half is put together from: the blocks above and below its middle, and the rows to fill.
#[derive(Clone, Copy, Debug)]
pub(super) struct Blocks<'a, P> {
    /// The block with fewer rows to fill, and its rows.
    pub(super) few: (&'a Quadrant<P>, u32),
    /// The other one.
    pub(super) many: (&'a Quadrant<P>, u32),
}

impl<P: Pattern> Blocks<'_, P> {
    /// Calls `add` for each single placement with its cell, and with the lists for the pairs that it
    /// makes with placements without and with a queen on a main diagonal.
    #[inline(always)]
    pub(super) fn each(
        self,
        half: &mut Half<P>,
        mut add: impl FnMut(P, Cell<'_, P>, &mut [Room<'_, P>; 2]),
    ) {
        const BATCH: usize = 64;
        let (few, many) = (self.few, self.many);
        let cells = many.0.cells(many.1);
        for main in [false, true] {
            let singles = few.0.singles(few.1, main);
            let batches = singles
                .patterns
                .chunks(BATCH)
                .zip(singles.cells.chunks(BATCH));
            for (patterns, numbers) in batches {
                let mut rooms = half.lists(main).map(|list| list.room(BATCH * cells.most));
                for (&pattern, &number) in patterns.iter().zip(numbers) {
                    add(pattern, cells.cell(number), &mut rooms);
                }
            }
        }
    }
}

impl<P: AddPairs> Half<P> {
    /// Finds all patterns of half a board whose queens fill these rows and all columns.
    pub(super) fn make(
        &mut self,
        simd: Simd,
        geometry: Geometry,
        quadrants: &[Quadrant<P>; 2],
        rows: u32,
    ) {
        for list in &mut self.by_main {
            list.len = 0;
        }
        let north = rows & ((1 << geometry.north_rows()) - 1);
        let north = (&quadrants[0], north);
        let south = (&quadrants[1], rows >> geometry.north_rows());
        let blocks = if 2 * north.1.count_ones() <= geometry.columns {
            Blocks {
                few: north,
                many: south,
            }
        } else {
            Blocks {
                few: south,
                many: north,
            }
        };
        P::add_pairs(simd, self, blocks);
    }
}

impl<P: Pattern> Half<P> {
    /// The lists for pairs with a single placement that has no queen on a main diagonal, or has
    /// one: for cell placements that have none, and that have one.
    #[inline(always)]
    pub(super) fn lists(&mut self, main: bool) -> [&mut List<P>; 2] {
        let [none, one, both] = &mut self.by_main;
        if main { [one, both] } else { [none, one] }
    }

    /// Adds each pair of placements from the two blocks that have no line in common.
    ///
    /// A pair that has one is written too, but the next pair overwrites it: there is no
    /// jump that a processor could foresee wrongly.
    #[inline(always)]
    pub(super) fn add_pairs(&mut self, blocks: Blocks<'_, P>) {
        blocks.each(self, |a, cell, [plain, main]| {
            let (without, with) = cell.split();
            for &b in without {
                plain.put([a | b], usize::from(a & b == P::default()));
            }
            for &b in with {
                main.put([a | b], usize::from(a & b == P::default()));
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The patterns of all placements that fill these rows, by the number of queens on main
    /// diagonals: each row gets a column in turn, and the squares are compared one by one.
    fn by_trial<P: Pattern>(geometry: Geometry, rows: u32) -> [Vec<P>; 3] {
        fn place<P: Pattern>(
            geometry: Geometry,
            rows: &[u32],
            queens: &mut Vec<(u32, u32)>,
            found: &mut [Vec<P>; 3],
        ) {
            let Some((&row, below)) = rows.split_first() else {
                let squares = queens
                    .iter()
                    .map(|&(row, column)| geometry.square(row, column));
                let lines = squares.clone().fold(0, |all, square| all | square.lines);
                let main = squares.filter(|square| square.main).count();
                return found[main].push(P::from_lines(lines));
            };
            for column in 0..geometry.columns {
                let attacked = queens.iter().any(|&(above, other)| {
                    column == other || column.abs_diff(other) == row - above
                });
                if !attacked {
                    queens.push((row, column));
                    place(geometry, below, queens, found);
                    queens.pop();
                }
            }
        }
        let rows: Vec<u32> = (0..32).filter(|row| rows >> row & 1 == 1).collect();
        let mut found = Default::default();
        place(geometry, &rows, &mut Vec::new(), &mut found);
        found
    }

    /// How many halves are listed for these sets of rows; they are compared with all vectors.
    fn compare<P: AddPairs + Ord>(n: u32, all_rows: impl Iterator<Item = u32>) -> usize {
        let geometry = Geometry::new(n);
        let quadrants = Quadrant::<P>::both(geometry);
        // Used again and again, as by a worker.
        let mut half = Half::default();
        let mut listed = 0;
        for rows in all_rows.filter(|rows| rows.count_ones() == geometry.columns) {
            let mut expected = by_trial::<P>(geometry, rows);
            for patterns in &mut expected {
                patterns.sort_unstable();
                listed += patterns.len();
            }
            for simd in Simd::all() {
                half.make(simd, geometry, &quadrants, rows);
                let found = [0, 1, 2].map(|main: usize| {
                    let mut patterns = half.by_main[main].as_slice().to_vec();
                    patterns.sort_unstable();
                    patterns
                });
                assert_eq!(found, expected, "n = {n}, {rows:#b}, {}", simd.name());
            }
        }
        listed
    }

    #[test]
    fn halves_are_all_placements_that_fill_their_rows() {
        for n in 4..=10 {
            let listed = compare::<u32>(n, 0..1 << n);
            assert!(listed > 0, "n = {n}");
            assert_eq!(compare::<u64>(n, 0..1 << n), listed, "n = {n}");
        }
    }

    #[test]
    fn halves_of_large_boards_are_complete_for_some_sets_of_rows() {
        // The sets have fewer, as many and more rows in the upper block than in the lower one.
        for (n, rows) in [
            (
                16,
                [
                    0b1110_1100_1001_0010,
                    0b1110_0100_1001_0011,
                    0b1001_0010_0111_1001,
                ],
            ),
            (
                17,
                [
                    0b1_1010_0101_0010_0110,
                    0b0_0110_1010_1000_0111,
                    0b0_0100_1010_1010_0111,
                ],
            ),
        ] {
            let [upper, lower] = Quadrant::<u32>::both(Geometry::new(n));
            let largest = rows.map(|rows| upper.largest(rows & 255).max(lower.largest(rows >> 8)));
            assert!(largest.iter().any(|&cell| cell > 16), "more than a vector");
            assert!(compare::<u32>(n, rows.into_iter()) > 1000, "n = {n}");
            assert!(compare::<u64>(n, rows.into_iter()) > 1000, "n = {n}");
        }
    }
}

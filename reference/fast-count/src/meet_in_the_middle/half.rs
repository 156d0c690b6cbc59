//! All placements on half a board that use one set of rows.

use super::geometry::Geometry;
use super::pattern::Pattern;
use super::quadrant::{Cell, PADDING, Quadrant};

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

impl<'a, P: Pattern> Blocks<'a, P> {
    /// The blocks of a half whose queens fill these rows.
    pub(super) fn new(geometry: Geometry, quadrants: &'a [Quadrant<P>; 2], rows: u32) -> Self {
        let [north, south] = quadrants;
        let north = (north, rows & ((1 << geometry.north_rows()) - 1));
        let south = (south, rows >> geometry.north_rows());
        let (few, many) = if 2 * north.1.count_ones() <= geometry.columns {
            (north, south)
        } else {
            (south, north)
        };
        Self { few, many }
    }

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
                let mut rooms = half
                    .lists(main)
                    .map(|list| list.room(BATCH * cells.max_size));
                for (&pattern, &number) in patterns.iter().zip(numbers) {
                    add(pattern, cells.cell(number), &mut rooms);
                }
            }
        }
    }
}

impl<P: Pattern> Half<P> {
    pub(super) fn clear(&mut self) {
        for list in &mut self.by_main {
            list.len = 0;
        }
    }

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

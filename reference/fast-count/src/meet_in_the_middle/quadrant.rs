//! All placements of queens on a quarter of the board.

use std::ops::Range;

use super::geometry::{Geometry, Square};
use super::pattern::Pattern;

/// All placements of queens that do not attack each other on some rows of half a board, as
/// patterns. Rows may stay empty: a placement has 0 queens or more.
///
/// A half is put together from two placements, one on its upper and one on its lower block, which
/// together use all columns. The one with fewer queens is the *single* one: it is tried against all
/// placements of the other block that fill the given rows and just the columns that it leaves. These
/// stand side by side in memory and are a *cell*:
///
/// ```text
///  half of an 8 by 8 board, rows 2, 5, 6, 7 to be filled
///
///  upper block   0  . . . .        a single placement of row 2:
///                1  . . . .        it leaves the columns 0, 1, 3
///                2  . . Q .
///                3  . . . .
///
///  lower block   4  . . . .        the cell of rows 5, 6, 7 and columns 0, 1, 3:
///                5  x x - x        all placements of three queens on these
///                6  x x - x        squares that do not attack each other
///                7  x x - x
/// ```
///
/// So a placement with few queens is stored among the singles, one with many queens in its cell.
#[derive(Clone, Debug)]
pub(super) struct Quadrant<P> {
    singles: Singles<P>,
    cells: Cells<P>,
}

/// Placements with few queens, sorted by their rows; those of the same rows without a queen on a
/// main diagonal come first. Neighbours have the same columns where they can: they are tried against
/// the same cell, and a processor foresees the end of a loop that is as long as the one before.
#[derive(Clone, Debug)]
struct Singles<P> {
    /// Where they begin: two entries for each set of rows (those without a queen on a main
    /// diagonal, then those with one), and the end.
    starts: Vec<u32>,
    patterns: Vec<P>,
    /// The number of the cell that each is tried against, among those of the same rows.
    cells: Vec<u32>,
}

/// Placements with many queens, sorted by their rows, then by their columns; those of the same rows
/// and columns, a cell, without a queen on a main diagonal come first.
#[derive(Clone, Debug)]
struct Cells<P> {
    /// By set of rows, the number of its first cell; and the number of all cells. A set of rows has
    /// a cell for each set of as many columns, in the order of [`numbers_of_sets`].
    first: Vec<u32>,
    /// Where the patterns begin: two entries for each cell, and the end.
    starts: Vec<u32>,
    /// Behind the last pattern stand [`PADDING`] more numbers, so that whole vectors can be read.
    patterns: Vec<P>,
    /// The number of patterns of the largest cell.
    max_size: usize,
}

/// As many patterns as the widest vector holds.
pub(super) const PADDING: usize = 16;

/// The single placements of one set of rows, all with or all without a queen on a main diagonal.
#[derive(Clone, Copy, Debug)]
pub(super) struct SinglesOf<'a, P> {
    pub(super) patterns: &'a [P],
    /// The number of the cell that each is tried against.
    pub(super) cells: &'a [u32],
}

/// The cells of one set of rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct CellsOf<'a, P> {
    /// Where the patterns begin: two entries for each cell, and the end.
    starts: &'a [u32],
    patterns: &'a [P],
    /// The number of patterns of the largest cell of the quadrant.
    pub(super) max_size: usize,
}

/// The placements of one set of rows and one set of columns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell<'a, P> {
    /// The patterns, and [`PADDING`] more numbers that mean nothing.
    pub(super) padded: &'a [P],
    /// How many have no queen on a main diagonal; they come first.
    pub(super) plain: usize,
}

impl<'a, P: Copy> CellsOf<'a, P> {
    #[inline(always)]
    pub(super) fn cell(self, number: u32) -> Cell<'a, P> {
        let &[start, main, end] = &self.starts[2 * number as usize..][..3] else {
            unreachable!("three entries are three entries");
        };
        Cell {
            padded: &self.patterns[start as usize..end as usize + PADDING],
            plain: (main - start) as usize,
        }
    }
}

impl<'a, P: Copy> Cell<'a, P> {
    /// The number of patterns.
    #[inline(always)]
    pub(super) fn len(self) -> usize {
        self.padded.len() - PADDING
    }

    /// The patterns without and with a queen on a main diagonal.
    #[inline(always)]
    pub(super) fn split(self) -> (&'a [P], &'a [P]) {
        self.padded[..self.len()].split_at(self.plain)
    }
}

/// For each set of columns, as a mask, its number among the sets of the same size.
fn numbers_of_sets(columns: u32) -> Vec<u32> {
    let mut of_size = vec![0; columns as usize + 1];
    (0..1_u32 << columns)
        .map(|set| {
            let number = &mut of_size[set.count_ones() as usize];
            *number += 1;
            *number - 1
        })
        .collect()
}

/// Sorts by counting: gives where the items of each key begin, and calls `put` with the index of
/// each item and its place.
fn sort(
    keys: usize,
    of: impl ExactSizeIterator<Item = u32> + Clone,
    mut put: impl FnMut(usize, usize),
) -> Vec<u32> {
    assert!(
        u32::try_from(of.len()).is_ok(),
        "a quarter of the board must have fewer than 2^32 placements"
    );
    // At first `starts[key + 1]` is the start of the key; it moves over the key's items as they
    // come, and so becomes the start of the next key.
    let mut starts = vec![0_u32; keys + 2];
    for key in of.clone() {
        starts[key as usize + 2] += 1;
    }
    for key in 2..keys + 2 {
        starts[key] += starts[key - 1];
    }
    for (item, key) in of.enumerate() {
        let place = &mut starts[key as usize + 1];
        put(item, *place as usize);
        *place += 1;
    }
    starts.pop();
    starts
}

impl<P: Pattern> Quadrant<P> {
    /// The placements on the upper and on the lower rows of half a board.
    ///
    /// If both blocks have as many queens, the upper one has the single placements.
    pub(super) fn both(geometry: Geometry) -> [Self; 2] {
        let north = geometry.north_rows();
        let few = [geometry.columns / 2, (geometry.columns - 1) / 2];
        let mut search = Search::default();
        [
            search.quadrant(geometry, 0..north, few[0]),
            search.quadrant(geometry, north..geometry.n, few[1]),
        ]
    }

    /// The placements with few queens in exactly these rows, without (`main` is false) or with a
    /// queen on a main diagonal.
    pub(super) fn singles(&self, rows: u32, main: bool) -> SinglesOf<'_, P> {
        let key = 2 * rows as usize + usize::from(main);
        let range = self.singles.starts[key] as usize..self.singles.starts[key + 1] as usize;
        SinglesOf {
            patterns: &self.singles.patterns[range.clone()],
            cells: &self.singles.cells[range],
        }
    }

    /// The cells of these rows.
    pub(super) fn cells(&self, rows: u32) -> CellsOf<'_, P> {
        let first = |rows: u32| 2 * self.cells.first[rows as usize] as usize;
        CellsOf {
            starts: &self.cells.starts[first(rows)..=first(rows + 1)],
            patterns: &self.cells.patterns,
            max_size: self.cells.max_size,
        }
    }

    /// The placements that have none of `lines`.
    pub(super) fn avoiding(&self, lines: u64) -> Self {
        let lines = P::from_lines(lines);
        let free = |pattern: P| pattern & lines == P::default();
        Self {
            singles: self.singles.only(free),
            cells: self.cells.only(free),
        }
    }
}

impl<P: Pattern> Singles<P> {
    fn new(rows: u32, columns: u32, placements: &[Placement]) -> Self {
        let numbers = numbers_of_sets(columns);
        let all = (1 << columns) - 1;
        let mut patterns = vec![P::default(); placements.len()];
        let mut cells = vec![0; placements.len()];
        let keys = placements.iter().map(|placement| {
            let key = 2 * u32::from(placement.rows) + u32::from(placement.main);
            key << columns | u32::from(placement.columns)
        });
        let starts = sort(2 << rows << columns, keys, |item, place| {
            patterns[place] = P::from_lines(placements[item].lines);
            cells[place] = numbers[usize::from(all & !placements[item].columns)];
        });
        let starts = starts.iter().copied().step_by(1 << columns).collect();
        Self {
            starts,
            patterns,
            cells,
        }
    }

    fn only(&self, keep: impl Fn(P) -> bool) -> Self {
        let mut only = Self {
            starts: vec![0],
            patterns: Vec::new(),
            cells: Vec::new(),
        };
        for bounds in self.starts.windows(2) {
            for place in bounds[0] as usize..bounds[1] as usize {
                if keep(self.patterns[place]) {
                    only.patterns.push(self.patterns[place]);
                    only.cells.push(self.cells[place]);
                }
            }
            only.starts.push(only.patterns.len() as u32);
        }
        only
    }
}

impl<P: Pattern> Cells<P> {
    fn new(rows: u32, columns: u32, placements: &[Placement]) -> Self {
        let numbers = numbers_of_sets(columns);
        let mut of_size = [0; 33];
        for set in 0..1_u32 << columns {
            of_size[set.count_ones() as usize] += 1;
        }
        let mut cells = 0;
        let mut first: Vec<u32> = (0..1_u32 << rows)
            .map(|set| {
                let first = cells;
                cells += of_size[set.count_ones() as usize];
                first
            })
            .collect();
        first.push(cells);
        let mut patterns = vec![P::default(); placements.len() + PADDING];
        let keys = placements.iter().map(|placement| {
            let cell = first[usize::from(placement.rows)] + numbers[usize::from(placement.columns)];
            2 * cell + u32::from(placement.main)
        });
        let starts = sort(2 * cells as usize, keys, |item, place| {
            patterns[place] = P::from_lines(placements[item].lines);
        });
        let sizes = starts.windows(3).step_by(2).map(|cell| cell[2] - cell[0]);
        let max_size = sizes.max().unwrap_or(0) as usize;
        Self {
            first,
            starts,
            patterns,
            max_size,
        }
    }

    fn only(&self, keep: impl Fn(P) -> bool) -> Self {
        let mut only = Self {
            first: self.first.clone(),
            starts: vec![0],
            patterns: Vec::new(),
            max_size: self.max_size,
        };
        for bounds in self.starts.windows(2) {
            let patterns = &self.patterns[bounds[0] as usize..bounds[1] as usize];
            only.patterns
                .extend(patterns.iter().filter(|&&pattern| keep(pattern)));
            only.starts.push(only.patterns.len() as u32);
        }
        only.patterns.extend([P::default(); PADDING]);
        only
    }
}

/// Places queens row by row, as [`crate::bitmask`] does, but a row may stay empty. Rows are numbered
/// from the first one of the block.
#[derive(Default)]
struct Search {
    /// By row and column.
    squares: Vec<[Square; 16]>,
    all_columns: u32,
    /// The most queens of a single placement.
    few: u32,
    singles: Vec<Placement>,
    many: Vec<Placement>,
}

#[derive(Clone, Copy, Default)]
struct Placement {
    lines: u64,
    /// The sets of rows and columns that have a queen.
    rows: u16,
    columns: u16,
    /// Whether a queen is on a main diagonal.
    main: bool,
}

impl Search {
    /// All placements on these rows. Those with `few` queens or less are the single ones.
    fn quadrant<P: Pattern>(
        &mut self,
        geometry: Geometry,
        rows: Range<u32>,
        few: u32,
    ) -> Quadrant<P> {
        let columns = geometry.columns;
        self.squares.clear();
        for row in rows.clone() {
            let mut squares = [Square::default(); 16];
            for (column, square) in (0..columns).zip(&mut squares) {
                *square = geometry.square(row, column);
            }
            self.squares.push(squares);
        }
        self.all_columns = (1 << columns) - 1;
        self.few = few;
        self.singles.clear();
        self.many.clear();
        self.place(0, Placement::default(), 0, 0);
        let rows = rows.len() as u32;
        Quadrant {
            singles: Singles::new(rows, columns, &self.singles),
            cells: Cells::new(rows, columns, &self.many),
        }
    }

    /// Finds all placements that have `placement` in the rows above `row` and any queens below; its
    /// queens attack the columns `left` and `right` of the row along diagonals.
    fn place(&mut self, row: u32, placement: Placement, mut left: u32, mut right: u32) {
        if placement.rows.count_ones() <= self.few {
            self.singles.push(placement);
        } else {
            self.many.push(placement);
        }
        // The next queen is in row `next`.
        for next in row..self.squares.len() as u32 {
            let mut free = self.all_columns & !(u32::from(placement.columns) | left | right);
            while free != 0 {
                let queen = free & free.wrapping_neg();
                free ^= queen;
                let square = self.squares[next as usize][queen.trailing_zeros() as usize % 16];
                let with_queen = Placement {
                    lines: placement.lines | square.lines,
                    rows: placement.rows | 1 << next,
                    columns: placement.columns | queen as u16,
                    main: placement.main | square.main,
                };
                let (left, right) = ((left | queen) << 1, (right | queen) >> 1);
                self.place(next + 1, with_queen, left, right);
            }
            left <<= 1;
            right >>= 1;
        }
    }
}

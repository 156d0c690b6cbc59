//! Counting one board for all that are alike by symmetry.
//!
//! A board can be turned and mirrored in eight ways, and the images of a solution are solutions. So
//! it is enough to find one board of each kind, which is called the canonical one, if it is known
//! how many it stands for.
//!
//! **The canonical board.** Each of the four border lines holds one queen. Its distance can be
//! measured from either end of the line: eight numbers, and any of the eight symmetries brings
//! another of them to the first place, the distance of the top row's queen from the left corner.
//! A board is canonical if the number in this place is the least of the eight.
//!
//! ```text
//!       2 | 5
//!     - - Q - - - - -          distances:  top     2 and 5
//!     - - - - - Q - -                      right   2 and 5
//!     - - - - - - - Q  2 | 5               bottom  1 and 6
//!     Q - - - - - - -                      left    3 and 4
//!     - - - Q - - - -
//!     - - - - - - Q -          The least is the 1 at the bottom, measured from the left. If the
//!     - - - - Q - - -          board is mirrored so that the bottom becomes the top, it stands
//!     - Q - - - - - -          in the first place: that board is canonical.
//!     1 | 6
//! ```
//!
//! If `k` of the eight numbers share the minimum, `k` of the eight symmetries lead to canonical
//! boards. If `s` of the symmetries do not change the board, it has `8 / s` different images, of
//! which `k / s` are canonical; so **each canonical board stands for `8 / k`**, and nobody has to
//! ask for `s`. Since `k` can be 3, the sum is kept in thirds.
//!
//! **Where the saving is.** With the distance `c` of the top queen chosen, most squares of the
//! border are ruled out for the rest of the search; which, and how ties are told apart, is in
//! `canonical`. For n = 16, a quarter of the squares of a search without symmetry remain to be
//! tried: not an eighth, because the sides and the bottom show only late that a board is not
//! canonical.
//!
//! Two more savings have nothing to do with symmetry: a square is not entered if it leaves no
//! square in one of the next two rows, and the last two rows are filled without a search. They are
//! in `rows`, one state at a time, and in `lanes`, where the vector instructions of AVX-512 take
//! many states through the same steps.
//!
//! Sources: Takaken's *N Queens Problem* programs rule out the same squares of the border, but test
//! each solution for its symmetry; for the masks see [`bitmask`](crate::bitmask).

mod canonical;
#[cfg(target_arch = "x86_64")]
mod lanes;
mod rows;
#[cfg(target_arch = "x86_64")]
mod words;

use crate::host::Simd;
use crate::plan::{Plan, Worker};
use canonical::{Row, Run};

/// Parts with fewer rows than these are too short for vectors: they are never full.
#[cfg(target_arch = "x86_64")]
const ROWS_FOR_LANES: usize = 8;

/// The count of all solutions of one size by their canonical boards.
pub struct Symmetric {
    n: u32,
    runs: Vec<Run>,
    parts: Vec<Part>,
    simd: Simd,
}

/// One way to begin a run.
struct Part {
    run: usize,
    /// How many of the run's rows are filled.
    filled: usize,
    state: State,
}

/// What the queens above a row leave of it, as [`bitmask`](crate::bitmask) explains: bit `c` stands
/// for column `c`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State {
    /// The columns without a queen.
    free: u32,
    /// Attacked along diagonals that run down to higher columns; bits beyond the board may be set.
    left: u32,
    /// Attacked along diagonals that run down to lower columns.
    right: u32,
}

impl State {
    /// The squares of the row on which a queen may stand.
    fn open(self, row: Row) -> u32 {
        self.free & row.allowed & !(self.left | self.right)
    }

    /// The state of the row after `row`, once `row` has its queen.
    fn with(self, queen: u32, row: Row) -> Self {
        Self {
            free: self.free ^ queen,
            left: (self.left | queen) << row.step,
            right: (self.right | queen) >> row.step,
        }
    }
}

impl Symmetric {
    /// The count for `n` queens, `n` from 1 to 32; AVX-512 is used if `simd` offers it.
    ///
    /// Up to n = 15 each run (the boards that have certain queens of the border in common) is one
    /// part. Beyond, runs are cut after their first rows: into more than a hundred parts for n = 16,
    /// and thousands from 17 on.
    ///
    /// # Panics
    ///
    /// If `n` is not 1 to 32.
    pub fn new(n: u32, simd: Simd) -> Self {
        assert!((1..=32).contains(&n), "n must be 1 to 32");
        let cuts = match n {
            ..=15 => 0,
            16 => 1,
            17..=19 => 2,
            20.. => 3,
        };
        let rows_left = (n - 1 - cuts) as usize;
        let runs = canonical::runs(n);
        let mut parts = Vec::new();
        for (run, Run { rows, start, .. }) in runs.iter().enumerate() {
            let filled = rows.len().saturating_sub(rows_left);
            rows::visit(&rows[..filled], *start, &mut |state| {
                parts.push(Part { run, filled, state });
            });
        }
        Self {
            n,
            runs,
            parts,
            simd,
        }
    }

    /// The rows of a part that are to be filled, the state before them, and what each way to fill
    /// them adds to the sum.
    fn part(&self, part: usize) -> (&[Row], State, u64) {
        let Part { run, filled, state } = self.parts[part];
        let Run { rows, thirds, .. } = &self.runs[run];
        (&rows[filled..], state, *thirds)
    }
}

impl Plan for Symmetric {
    fn parts(&self) -> usize {
        self.parts.len()
    }

    fn worker(&self) -> Box<dyn Worker + '_> {
        match self.simd {
            #[cfg(target_arch = "x86_64")]
            Simd::Avx512(proof) if self.n as usize > ROWS_FOR_LANES => Box::new(Lanes {
                plan: self,
                search: lanes::Search::new(proof, self.n, self.n as usize - 1),
            }),
            _ => Box::new(Rows(self)),
        }
    }

    /// The sum is in thirds of a solution.
    fn total(&self, sum: u64) -> u64 {
        assert_eq!(sum % 3, 0, "n = {}: no count gives {sum} thirds", self.n);
        sum / 3
    }
}

/// Counts one state at a time.
struct Rows<'a>(&'a Symmetric);

impl Worker for Rows<'_> {
    fn count(&mut self, part: usize) -> u64 {
        let (rows, state, thirds) = self.0.part(part);
        thirds * rows::count(rows, state)
    }
}

/// Counts many states at a time.
#[cfg(target_arch = "x86_64")]
struct Lanes<'a> {
    plan: &'a Symmetric,
    search: lanes::Search,
}

#[cfg(target_arch = "x86_64")]
impl Worker for Lanes<'_> {
    fn count(&mut self, part: usize) -> u64 {
        let (rows, state, thirds) = self.plan.part(part);
        let ways = if rows.len() < ROWS_FOR_LANES {
            rows::count(rows, state)
        } else {
            self.search.count(rows, state)
        };
        thirds * ways
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// OEIS A000170, from n = 1 on.
    const PUBLISHED: [u64; 16] = [
        1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365_596, 2_279_184, 14_772_512,
    ];

    fn counts(n: u32, simd: Simd) -> Vec<u64> {
        let plan = Symmetric::new(n, simd);
        let mut worker = plan.worker();
        (0..plan.parts()).map(|part| worker.count(part)).collect()
    }

    fn total(n: u32, simd: Simd) -> u64 {
        Symmetric::new(n, simd).total(counts(n, simd).iter().sum())
    }

    #[test]
    fn totals_up_to_thirteen_are_the_published_ones_with_all_vector_instructions() {
        let all = Simd::all();
        for name in ["avx2", "avx512"] {
            if all.iter().all(|simd| simd.name() != name) {
                eprintln!("not tested: this processor has no {name}");
            }
        }
        for simd in all {
            let totals: Vec<u64> = (1..=13).map(|n| total(n, simd)).collect();
            assert_eq!(totals, PUBLISHED[..13], "{}", simd.name());
        }
    }

    #[test]
    fn totals_up_to_sixteen_are_the_published_ones_with_the_widest_vectors() {
        let simd = Simd::widest();
        if let Simd::Avx512(_) = simd {
            for n in 14..=16 {
                assert_eq!(total(n, simd), PUBLISHED[n as usize - 1], "n = {n}");
            }
        } else {
            eprintln!("not tested beyond n = 14: this processor has no avx512");
            assert_eq!(total(14, simd), PUBLISHED[13]);
        }
    }

    #[test]
    fn every_part_has_the_same_count_with_all_vector_instructions() {
        for n in 1..=12 {
            let portable = counts(n, Simd::Portable);
            for simd in Simd::all() {
                assert_eq!(counts(n, simd), portable, "n = {n}, {}", simd.name());
            }
        }
    }

    #[test]
    fn words_of_32_bits_give_the_same_counts() {
        // Beyond n = 16; a few parts suffice, from all kinds of runs.
        let (portable, widest) = (Simd::Portable, Simd::widest());
        let (one, many) = (Symmetric::new(17, portable), Symmetric::new(17, widest));
        let (mut by_rows, mut by_lanes) = (one.worker(), many.worker());
        for part in (0..one.parts()).step_by(101) {
            assert_eq!(by_rows.count(part), by_lanes.count(part), "part {part}");
        }
    }

    #[test]
    fn long_counts_have_parts_enough_for_checkpoints() {
        let parts =
            [1, 2, 8, 15, 16, 17, 19, 20].map(|n| Symmetric::new(n, Simd::Portable).parts());
        assert_eq!(parts, [1, 0, 27, 55, 134, 1204, 1810, 25766]);
    }

    #[test]
    #[should_panic(expected = "n must be 1 to 32")]
    fn an_empty_board_is_refused() {
        Symmetric::new(0, Simd::Portable);
    }

    #[test]
    #[should_panic(expected = "n = 8: no count gives 4 thirds")]
    fn a_sum_that_no_count_gives_is_refused() {
        Symmetric::new(8, Simd::Portable).total(4);
    }
}

//! The sets of rows to look at, up to symmetry.

use super::geometry::Geometry;

/// One way to share the rows among the halves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Job {
    /// The row of the queen in the centre column, if there is one.
    pub(super) centre: Option<u32>,
    /// The rows of the queens in the east half; the west half has the others.
    pub(super) east: u32,
    pub(super) west: u32,
    /// How many ways to share the rows it stands for.
    pub(super) weight: u64,
}

/// One job of each set of jobs that are mirror images of each other.
///
/// The mirror from left to right exchanges the halves; so only those are listed whose east half has
/// the smaller set, seen as a number. The mirror from top to bottom reverses both sets. With a queen
/// in the centre column, it moves that one too: only the upper half of its rows is listed, and in
/// the middle row, as on an even board, only those that the mirror does not make smaller.
pub(super) fn jobs(geometry: Geometry) -> Vec<Job> {
    let n = geometry.n;
    let all = u32::MAX >> (32 - n);
    let centres = if geometry.is_odd() {
        (0..=n / 2).map(Some).collect()
    } else {
        vec![None]
    };
    let mut jobs = Vec::new();
    for centre in centres {
        let free = centre.map_or(all, |row| all & !(1 << row));
        let moves = centre.is_some_and(|row| row < n / 2);
        for east in subsets(n, geometry.columns) {
            let west = free & !east;
            if east & !free != 0 || west < east {
                continue;
            }
            let mut weight = 4;
            if !moves {
                let [east_reversed, west_reversed] =
                    [east, west].map(|rows| rows.reverse_bits() >> (32 - n));
                if east_reversed.min(west_reversed) < east {
                    continue;
                }
                if east_reversed == east || west_reversed == east {
                    weight = 2;
                }
            }
            jobs.push(Job {
                centre,
                east,
                west,
                weight,
            });
        }
    }
    jobs
}

/// All sets of `size` out of `n` things, from the smallest number to the largest.
///
/// The next larger number with as many ones: the lowest run of ones moves up by one place, and all
/// of it but its highest one goes back to the right end.
///
/// Source: R. W. Gosper in M. Beeler, R. W. Gosper and R. Schroeppel, *HAKMEM*, MIT AI Memo 239,
/// 1972, item 175.
fn subsets(n: u32, size: u32) -> impl Iterator<Item = u32> {
    let first = (1_u64 << size) - 1;
    let next = |&set: &u64| {
        let lowest = set & set.wrapping_neg();
        let moved = set + lowest;
        Some(moved | (((set ^ moved) / lowest) >> 2))
    };
    std::iter::successors(Some(first), next)
        .take_while(move |&set| set < 1 << n)
        .map(|set| set as u32)
}

//! How many patterns of a list have no line in common with those of another list.

use std::ops::Range;

use super::kernel;
use super::sorted::Sorted;
use crate::host::Simd;

/// A list of patterns, turned by 90 degrees: for each line one bit of each pattern.
///
/// ```text
///             pattern 0 1 2 3 … 1023
///  line 0             1 1 0 1 …        1: the pattern does not use the line
///  line 1             0 1 1 1 …
///  line 2             1 1 1 0 …
/// ```
///
/// A *query* is a pattern of the other half. The patterns that have no line in common with one that
/// uses the lines 0 and 2 are those with a 1 in row 0 AND row 2: one AND of two rows decides it for
/// all patterns. And the ANDs can be shared: the lines are cut into *chunks*, and for each chunk the
/// AND is kept for each set of its lines. So a query takes one row from each chunk, whatever lines
/// it uses:
///
/// ```text
///  set of lines of the chunk 0 to 5          pattern 0 1 2 3 … 1023
///    000000  none                                    1 1 1 1 …
///    000001  0                                       1 1 0 1 …
///    000010  1                                       0 1 1 1 …
///    000011  0, 1       = row 000001 AND row 000010  0 1 0 1 …
///    …
///    000101  0, 2       = row 000001 AND row 000100  1 1 0 0 …
///    …       64 rows in all
///
///  the query  key | 00001 | 00000 | 000000 | 110000 | 000101
///                    row 1   row 0   row 0    row 48   row 5  … of its chunk; AND of the five
/// ```
///
/// Five chunks hold the lines 0 to 27. Lines above them, the *key* of a pattern
/// ([`sorted`](super::sorted)), are not in the chunks. All queries with the same key begin with the
/// same row, the patterns that use no line of the key; and as patterns are sorted by their keys too,
/// it is often empty in a group, so that all these queries are done with at once.
#[derive(Debug, Default)]
pub(super) struct Table {
    /// The first `used` hold the patterns; those behind them are left over from before.
    groups: Vec<Group>,
    used: usize,
}

/// One bit for each pattern of a group, in parts that are looked at together; the widest vectors
/// hold two parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(128))]
pub(super) struct Row(pub(super) [Part; PARTS]);

/// One bit for each of 256 patterns.
pub(super) type Part = [u64; 4];

/// Parts of a row.
pub(super) const PARTS: usize = 4;

/// Patterns of a part.
pub(super) const PART: usize = 256;

/// Patterns of a group.
const GROUP: usize = PARTS * PART;

/// 1024 patterns.
///
/// Invariant: a row of a chunk, at the index `s`, has a 1 for each pattern that uses no line of the
/// set `s` of the chunk's lines. All rows take 36 KiB and those that are used stay in the first cache
/// of a processor, even more so as a group is often half empty.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// The chunks of the lines 0 to 5, 6 to 11 and 12 to 17.
    pub(super) wide: [[Row; 64]; 3],
    /// Those of the lines 18 to 22 and 23 to 27.
    pub(super) narrow: [[Row; 32]; 2],
    /// For each line of the key a 1 for each pattern that does not use it.
    key: [Row; 32],
    /// A 1 for each pattern that there is.
    all: Row,
}

/// The sets of lines of the five chunks that a query uses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sets {
    pub(super) wide: [usize; 3],
    pub(super) narrow: [usize; 2],
}

impl Sets {
    #[inline(always)]
    pub(super) fn of(query: u32) -> Self {
        Self {
            wide: [query, query >> 6, query >> 12].map(|lines| lines as usize % 64),
            narrow: [query >> 18, query >> 23].map(|lines| lines as usize % 32),
        }
    }
}

impl Table {
    /// Holds `patterns` from now on, as the other half of the board sees them: the bits of
    /// neighbouring lines exchanged.
    pub(super) fn fill(&mut self, simd: Simd, patterns: &Sorted) {
        self.used = patterns.len().div_ceil(GROUP);
        if self.groups.len() < self.used {
            self.groups.resize(self.used, Group::default());
        }
        for (group, lines) in self.groups.iter_mut().zip(patterns.lines().chunks(GROUP)) {
            group.key = [Row::default(); 32];
            group.all = Row::of(&(0..lines.len()));
            kernel::fill(simd, group, lines);
        }
        // Keys that do not use line 0 are 0, 2, 4, …; line 1: 0–1, 4–5, 8–9, …; line 2: 0–3, 8–11, ….
        for line in 0..patterns.key_lines() {
            for keys in (0..patterns.all_keys()).step_by(2 << line) {
                self.add_without(line ^ 1, patterns.of_keys(keys..keys + (1 << line)));
            }
        }
    }

    /// Notes that these patterns do not use a line of the key.
    fn add_without(&mut self, line: usize, patterns: Range<usize>) {
        for word in patterns.start / 64..patterns.end.div_ceil(64) {
            let row = &mut self.groups[64 * word / GROUP].key[line].0;
            let word_of_row = word % (GROUP / 64);
            row[word_of_row / 4][word_of_row % 4] |= ones(&patterns, word);
        }
    }

    /// The number of pairs of a pattern of the table and a query without a common line.
    pub(super) fn pairs(&self, simd: Simd, queries: &Sorted) -> u64 {
        kernel::pairs(simd, &self.groups[..self.used], queries)
    }
}

impl Default for Group {
    #[allow(
        clippy::large_stack_arrays,
        reason = "36 KiB, which any stack has, on the way to the vector of groups"
    )]
    fn default() -> Self {
        Self {
            wide: [[Row::default(); 64]; 3],
            narrow: [[Row::default(); 32]; 2],
            key: [Row::default(); 32],
            all: Row::default(),
        }
    }
}

impl Group {
    /// The patterns that have no line of the key of a query.
    #[inline(always)]
    pub(super) fn without(&self, key: usize) -> Row {
        let mut row = self.all;
        let mut lines = key;
        while lines != 0 {
            row = row.and(&self.key[lines.trailing_zeros() as usize % 32]);
            lines &= lines - 1;
        }
        row
    }

    /// The rows of the sets, one from each chunk.
    #[inline(always)]
    pub(super) fn rows(&self, sets: Sets) -> [&Row; 5] {
        let Sets { wide, narrow } = sets;
        [
            &self.wide[0][wide[0]],
            &self.wide[1][wide[1]],
            &self.wide[2][wide[2]],
            &self.narrow[0][narrow[0]],
            &self.narrow[1][narrow[1]],
        ]
    }

    /// The rows of each chunk, to be made from those of its single lines.
    #[inline(always)]
    pub(super) fn chunks<'a>(
        &'a mut self,
        lines: &'a [Row; 32],
    ) -> impl Iterator<Item = (&'a mut [Row], &'a [Row])> {
        let wide = self.wide.iter_mut().map(<[Row; 64]>::as_mut_slice);
        let narrow = self.narrow.iter_mut().map(<[Row; 32]>::as_mut_slice);
        let lines = lines[..18].chunks(6).chain(lines[18..28].chunks(5));
        wide.chain(narrow).zip(lines)
    }
}

impl Row {
    #[inline(always)]
    fn and(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|part| {
            std::array::from_fn(|word| self.0[part][word] & other.0[part][word])
        }))
    }

    /// A 1 for each of the patterns.
    fn of(patterns: &Range<usize>) -> Self {
        Self(std::array::from_fn(|part| {
            std::array::from_fn(|word| ones(patterns, part * 4 + word))
        }))
    }
}

/// The word with this number of a row that has a 1 for each of the patterns.
fn ones(patterns: &Range<usize>, word: usize) -> u64 {
    let below = |bound: usize| {
        let here = bound.saturating_sub(64 * word).min(64) as u32;
        u64::MAX.checked_shr(64 - here).unwrap_or(0)
    };
    below(patterns.end) & !below(patterns.start)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines as the other half sees them.
    fn mirrored(lines: u64) -> u64 {
        const EVEN: u64 = 0x5555_5555_5555_5555;
        lines >> 1 & EVEN | (lines & EVEN) << 1
    }

    /// `count` numbers of `bits` bits, few of them ones, the same in each run.
    fn patterns(count: usize, bits: u32, seed: u64) -> Vec<u64> {
        let mut state = seed;
        let mut draw = || {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            mixed ^ mixed >> 29
        };
        (0..count)
            .map(|_| (draw() & draw()) >> (64 - bits))
            .collect()
    }

    #[test]
    fn pairs_without_a_common_line_are_counted_with_all_vectors() {
        let mut table = Table::default();
        for (stored, asked, bits) in [
            (0, 5, 10),
            (1, 1, 2),
            (5, 0, 4),
            (7, 40, 12),
            (64, 17, 28),
            (255, 3, 26),
            (256, 16, 28),
            (257, 33, 28),
            (512, 100, 28),
            (513, 31, 28),
            (1500, 200, 32),
            (1100, 300, 36),
            (2000, 50, 40),
        ] {
            let (ours, theirs) = (patterns(stored, bits, 1), patterns(asked, bits, 2));
            let pairs = ours
                .iter()
                .flat_map(|&a| theirs.iter().map(move |&b| a & mirrored(b)))
                .filter(|&common| common == 0)
                .count() as u64;
            let key_lines = bits.saturating_sub(super::super::sorted::LINES);
            let [mut sorted, mut queries] = [Sorted::default(), Sorted::default()];
            sorted.sort(&ours, key_lines);
            queries.sort(&theirs, key_lines);
            for simd in Simd::all() {
                table.fill(simd, &sorted);
                let found = table.pairs(simd, &queries);
                assert_eq!(
                    found,
                    pairs,
                    "{stored}, {asked}, {bits} bits, {}",
                    simd.name()
                );
            }
        }
    }
}

//! How many patterns of a list have no line in common with a given one.

use super::kernel;
use crate::host::Simd;

/// A list of patterns, turned by 90 degrees: for each line one bit of each pattern.
///
/// ```text
///             pattern 0 1 2 3 … 511
///  line 0             1 1 0 1 …        1: the pattern does not use the line
///  line 1             0 1 1 1 …
///  line 2             1 1 1 0 …
/// ```
///
/// The patterns that have no line in common with a *query* that uses the lines 0 and 2 are those
/// with a 1 in row 0 AND row 2: one AND of two rows decides it for 512 patterns. And the ANDs can be
/// shared: the lines are cut into chunks of 5 or 6, and for each chunk the AND is kept for each of
/// the 32 or 64 sets of its lines. So a query takes one row from each chunk, whatever lines it
/// uses.
///
/// Invariant: `rows[OFFSET + s]` of a group has a 1 for each of its patterns that uses no line of
/// the set `s` of the chunk at that offset.
#[derive(Debug, Default)]
pub(super) struct Table {
    /// 512 patterns each; groups behind the last pattern are left over from before.
    groups: Vec<Group>,
    patterns: usize,
}

/// One bit for each of 512 patterns.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(64))]
pub(super) struct Row(pub(super) [u64; 8]);

/// Patterns of a group.
pub(super) const GROUP: usize = 512;

/// The rows of a group, 16 KiB: a few groups stay in the first cache of a processor.
pub(super) type Group = [Row; 256];

/// How up to 32 lines are cut into chunks whose sets fill one [`Group`]: `CHUNKS` is 5 for up to
/// 28 lines (6 + 6 + 6 + 5 + 5) and 6 for more (6 + 6 + 5 + 5 + 5 + 5).
#[derive(Clone, Copy, Debug)]
pub(super) struct Chunk {
    /// The lowest line.
    pub(super) shift: u32,
    /// The number of lines.
    pub(super) width: u32,
    /// The row of the empty set.
    pub(super) offset: usize,
}

/// The chunks of one way to cut, see [`Chunk`].
pub(super) const fn chunks<const CHUNKS: usize>() -> [Chunk; CHUNKS] {
    let wide = match CHUNKS {
        5 => 3,
        6 => 2,
        _ => panic!("lines are cut into 5 or 6 chunks"),
    };
    let mut chunks = [Chunk {
        shift: 0,
        width: 6,
        offset: 0,
    }; CHUNKS];
    let mut i = 1;
    while i < CHUNKS {
        let before = chunks[i - 1];
        chunks[i] = Chunk {
            shift: before.shift + before.width,
            width: if i < wide { 6 } else { 5 },
            offset: before.offset + (1 << before.width),
        };
        i += 1;
    }
    chunks
}

impl Chunk {
    /// The row of the set of those lines of the chunk that `query` uses.
    #[inline(always)]
    pub(super) const fn row(self, query: u32) -> usize {
        self.offset + (query >> self.shift & ((1 << self.width) - 1)) as usize
    }
}

impl Table {
    /// Holds `patterns` from now on, as the other half of the board sees them: the bits of
    /// neighbouring lines exchanged.
    pub(super) fn fill<const CHUNKS: usize>(&mut self, simd: Simd, patterns: &[u32]) {
        self.patterns = patterns.len();
        let groups = patterns.len().div_ceil(GROUP);
        if self.groups.len() < groups {
            self.groups.resize(groups, [Row::default(); 256]);
        }
        for (group, patterns) in self.groups.iter_mut().zip(patterns.chunks(GROUP)) {
            kernel::fill::<CHUNKS>(simd, group, patterns);
        }
    }

    /// The number of pairs of a pattern of the table and a query without a common line.
    pub(super) fn pairs<const CHUNKS: usize>(&self, simd: Simd, queries: &[u32]) -> u64 {
        let groups = &self.groups[..self.patterns.div_ceil(GROUP)];
        kernel::pairs::<CHUNKS>(simd, groups, self.patterns, queries)
    }
}

/// Makes the rows of all sets of lines from those of single lines: a set's row is that of the set
/// without its highest line, AND that of the line.
#[inline(always)]
pub(super) fn combine<const CHUNKS: usize>(group: &mut Group, patterns: usize, lines: &[Row; 32]) {
    for chunk in const { chunks::<CHUNKS>() } {
        let rows = &mut group[chunk.offset..][..1 << chunk.width];
        rows[0] = if chunk.shift == 0 {
            first(patterns)
        } else {
            Row([u64::MAX; 8])
        };
        for line in 0..chunk.width {
            // A chunk may be wider than what is left of the lines.
            let Some(&unused) = lines.get((chunk.shift + line) as usize) else {
                break;
            };
            let (without, with) = rows.split_at_mut(1 << line);
            for (with, without) in with.iter_mut().zip(without) {
                *with = Row(std::array::from_fn(|i| without.0[i] & unused.0[i]));
            }
        }
    }
}

/// A row with a 1 for the first patterns.
fn first(patterns: usize) -> Row {
    Row(std::array::from_fn(|word| {
        let here = patterns.saturating_sub(64 * word).min(64) as u32;
        u64::MAX.checked_shr(64 - here).unwrap_or(0)
    }))
}

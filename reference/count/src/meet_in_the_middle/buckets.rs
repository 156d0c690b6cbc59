//! Patterns of large boards, sorted by their lines in the middle.

use super::pattern::Pattern;
use super::table::Table;
use crate::host::Simd;

/// The patterns of a list, sorted by their *key*: the lines in the middle whose bits are above the
/// lowest 32. Up to 18 rows there are none, and all patterns have the key 0.
///
/// Two patterns are compared only if their keys have no line in common, and then only their lowest
/// 32 lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Buckets<'a> {
    /// Where the patterns of each key begin, and the end.
    starts: &'a [usize],
    lines: &'a [u32],
}

/// Where the patterns are sorted to.
#[derive(Debug, Default)]
pub(super) struct Sorted {
    starts: Vec<usize>,
    lines: Vec<u32>,
}

/// A [`Pattern`] that knows how to be sorted.
pub(super) trait Sort: Pattern {
    /// Sorts `patterns` by their keys, which are below `keys`.
    fn sort<'a>(patterns: &'a [Self], keys: usize, sorted: &'a mut Sorted) -> Buckets<'a>;
}

impl Sort for u32 {
    /// Nothing is to be done, as there is one key.
    fn sort<'a>(patterns: &'a [Self], _keys: usize, sorted: &'a mut Sorted) -> Buckets<'a> {
        sorted.starts.clear();
        sorted.starts.extend([0, patterns.len()]);
        Buckets {
            starts: &sorted.starts,
            lines: patterns,
        }
    }
}

impl Sort for u64 {
    fn sort<'a>(patterns: &'a [Self], keys: usize, sorted: &'a mut Sorted) -> Buckets<'a> {
        let key = |pattern: u64| (pattern >> 32) as usize % keys;
        // At first `starts[key + 1]` is the start of the key; it moves over the key's patterns as
        // they come, and so becomes the start of the next key.
        let Sorted { starts, lines } = sorted;
        starts.clear();
        starts.resize(keys + 2, 0);
        for &pattern in patterns {
            starts[key(pattern) + 2] += 1;
        }
        for key in 2..keys + 2 {
            starts[key] += starts[key - 1];
        }
        if lines.len() < patterns.len() {
            lines.resize(patterns.len(), 0);
        }
        for &pattern in patterns {
            let place = &mut starts[key(pattern) + 1];
            lines[*place] = pattern as u32;
            *place += 1;
        }
        Buckets {
            starts: &starts[..=keys],
            lines,
        }
    }
}

impl<'a> Buckets<'a> {
    fn bucket(self, key: usize) -> &'a [u32] {
        &self.lines[self.starts[key]..self.starts[key + 1]]
    }

    /// The sum over `others` of the number of pairs of a pattern here and one of the other half
    /// without a common line, times the weight.
    pub(super) fn pairs<const CHUNKS: usize>(
        self,
        others: &[(Buckets<'_>, u64)],
        table: &mut Table,
        simd: Simd,
    ) -> u64 {
        let keys = self.starts.len() - 1;
        let mut sum = 0;
        for key in 0..keys {
            let bucket = self.bucket(key);
            if bucket.is_empty() {
                continue;
            }
            table.fill::<CHUNKS>(simd, bucket);
            let free = !mirrored(key) & (keys - 1);
            for &(other, weight) in others {
                let mut pairs = 0;
                // All subsets of `free`, from the largest to the empty one.
                let mut other_key = free;
                loop {
                    pairs += table.pairs::<CHUNKS>(simd, other.bucket(other_key));
                    if other_key == 0 {
                        break;
                    }
                    other_key = (other_key - 1) & free;
                }
                sum += weight * pairs;
            }
        }
        sum
    }
}

/// The lines as the other half sees them: the bits of neighbouring lines exchanged.
fn mirrored(lines: usize) -> usize {
    const EVEN: usize = usize::MAX / 3;
    lines >> 1 & EVEN | (lines & EVEN) << 1
}

//! The patterns of a list, sorted by their lines in the middle.

use std::ops::Range;

use super::pattern::Pattern;

/// How many lines, the lowest ones, the chunks of a [`Group`](super::table::Group) cover. The set of
/// those above, in the middle of the board, is the *key* of a pattern.
pub(super) const LINES: u32 = 28;

/// Patterns sorted by their key. Up to 16 rows there are not more than [`LINES`], and all
/// patterns have the key 0.
#[derive(Debug, Default)]
pub(super) struct Sorted {
    /// Where the patterns of each key begin, and the end.
    starts: Vec<usize>,
    /// The lowest lines of each pattern; above them stands what need not be looked at.
    lines: Vec<u32>,
}

/// Lists that are sorted side by side, see [`Sorted::sort`].
const LANES: usize = 4;

impl Sorted {
    /// Sorts by counting: how many patterns have each key tells where each key begins.
    ///
    /// Neighbours in the list often have the same key. A processor that has just moved the place
    /// of a key would wait until it can move it again; so the list is cut into 4, which have their
    /// own places and are sorted side by side.
    pub(super) fn sort<P: Pattern>(&mut self, patterns: &[P], key_lines: u32) {
        if key_lines == 0 {
            self.starts.clear();
            self.starts.extend([0, patterns.len()]);
            self.lines.clear();
            self.lines
                .extend(patterns.iter().map(|pattern| pattern.lowest()));
            return;
        }
        let keys = 1 << key_lines;
        let key = |pattern: P| pattern.above(LINES) as usize & (keys - 1);
        let length = patterns.len().div_ceil(LANES);
        let lane = |lane: usize| {
            let start = (lane * length).min(patterns.len());
            &patterns[start..patterns.len().min(start + length)]
        };
        let lanes: [&[P]; LANES] = std::array::from_fn(lane);

        let mut places = vec![[0_usize; LANES]; keys];
        for i in 0..length {
            for (lane, patterns) in lanes.iter().enumerate() {
                if let Some(&pattern) = patterns.get(i) {
                    places[key(pattern)][lane] += 1;
                }
            }
        }
        self.starts.clear();
        let mut start = 0;
        for places in &mut places {
            self.starts.push(start);
            for place in places {
                start += std::mem::replace(place, start);
            }
        }
        self.starts.push(start);

        if self.lines.len() < patterns.len() {
            self.lines.resize(patterns.len(), 0);
        }
        for i in 0..length {
            for (lane, patterns) in lanes.iter().enumerate() {
                if let Some(&pattern) = patterns.get(i) {
                    let place = &mut places[key(pattern)][lane];
                    self.lines[*place] = pattern.lowest();
                    *place += 1;
                }
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        self.starts.last().copied().unwrap_or(0)
    }

    /// All patterns.
    pub(super) fn lines(&self) -> &[u32] {
        &self.lines[..self.len()]
    }

    /// The number of keys, whether they occur or not.
    pub(super) fn all_keys(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// The number of lines of a key.
    pub(super) fn key_lines(&self) -> usize {
        self.all_keys().trailing_zeros() as usize
    }

    /// The patterns that have one of these keys.
    pub(super) fn of_keys(&self, keys: Range<usize>) -> Range<usize> {
        self.starts[keys.start]..self.starts[keys.end]
    }

    /// The keys that occur, with their patterns.
    #[inline(always)]
    pub(super) fn runs(&self) -> impl Iterator<Item = (usize, &[u32])> {
        self.starts
            .windows(2)
            .map(|bounds| &self.lines[bounds[0]..bounds[1]])
            .enumerate()
            .filter(|(_, lines)| !lines.is_empty())
    }
}

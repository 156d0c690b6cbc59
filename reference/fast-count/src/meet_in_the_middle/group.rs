//! 1024 patterns, turned by 90 degrees: see [`Table`](super::table::Table).

use std::ops::Range;

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
pub(super) const GROUP: usize = PARTS * PART;

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
    pub(super) key: [Row; 32],
    /// A 1 for each pattern that there is.
    pub(super) all: Row,
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
    pub(super) fn of(patterns: &Range<usize>) -> Self {
        Self(std::array::from_fn(|part| {
            std::array::from_fn(|word| ones(patterns, part * 4 + word))
        }))
    }
}

/// The word with this number of a row that has a 1 for each of the patterns.
pub(super) fn ones(patterns: &Range<usize>, word: usize) -> u64 {
    let below = |bound: usize| {
        let here = bound.saturating_sub(64 * word).min(64) as u32;
        u64::MAX.checked_shr(64 - here).unwrap_or(0)
    };
    below(patterns.end) & !below(patterns.start)
}

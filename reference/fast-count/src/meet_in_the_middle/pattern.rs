//! The two widths in which patterns are stored.

use std::fmt::Debug;
use std::ops::{BitAnd, BitOr};

use super::geometry::SHORT;

/// A set of lines in as few bits as the board allows: up to 18 rows `u32`, beyond that `u64`.
pub(super) trait Pattern:
    Copy + Debug + Default + Eq + Send + Sync + BitAnd<Output = Self> + BitOr<Output = Self> + 'static
{
    /// Keeps the lines, whose bits must fit; [`SHORT`] becomes the highest bit.
    fn from_lines(lines: u64) -> Self;

    /// The lowest 32 lines.
    fn lowest(self) -> u32;

    /// The lines from the one with this number on.
    fn above(self, line: u32) -> u64;
}

impl Pattern for u32 {
    fn from_lines(lines: u64) -> Self {
        const { assert!(SHORT >> 32 == 1 << 31) };
        lines as u32 | (lines >> 32) as u32
    }

    #[inline(always)]
    fn lowest(self) -> u32 {
        self
    }

    #[inline(always)]
    fn above(self, line: u32) -> u64 {
        u64::from(self >> line)
    }
}

impl Pattern for u64 {
    fn from_lines(lines: u64) -> Self {
        lines
    }

    #[inline(always)]
    fn lowest(self) -> u32 {
        self as u32
    }

    #[inline(always)]
    fn above(self, line: u32) -> u64 {
        self >> line
    }
}

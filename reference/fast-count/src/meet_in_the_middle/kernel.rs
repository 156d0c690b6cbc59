//! The inner loops, in the widest vectors that the processor has.
#![allow(
    unsafe_code,
    reason = "functions for some processors are called after a look at the processor"
)]

use super::group::Group;
use super::half::{Blocks, Half};
use super::pattern::Pattern;
use super::portable;
use super::sorted::Sorted;
use crate::simd::Simd;

/// [`Half::add_pairs`], for the pattern's width.
pub(super) trait AddPairs: Pattern {
    fn add_pairs(simd: Simd, half: &mut Half<Self>, blocks: Blocks<'_, Self>);
}

impl AddPairs for u32 {
    fn add_pairs(simd: Simd, half: &mut Half<Self>, blocks: Blocks<'_, Self>) {
        match simd {
            Simd::Portable => half.add_pairs(blocks),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the proof in `Avx2` says that the processor has the instructions.
            Simd::Avx2(_) => unsafe { super::avx2::add_pairs_u32(half, blocks) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above, with `Avx512`.
            Simd::Avx512(_) => unsafe { super::avx512::add_pairs_u32(half, blocks) },
            #[cfg(not(target_arch = "x86_64"))]
            Simd::Avx2(_) | Simd::Avx512(_) => half.add_pairs(blocks),
        }
    }
}

impl AddPairs for u64 {
    fn add_pairs(simd: Simd, half: &mut Half<Self>, blocks: Blocks<'_, Self>) {
        match simd {
            Simd::Portable => half.add_pairs(blocks),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the proof in `Avx2` says that the processor has the instructions.
            Simd::Avx2(_) => unsafe { super::avx2::add_pairs_u64(half, blocks) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above, with `Avx512`.
            Simd::Avx512(_) => unsafe { super::avx512::add_pairs_u64(half, blocks) },
            #[cfg(not(target_arch = "x86_64"))]
            Simd::Avx2(_) | Simd::Avx512(_) => half.add_pairs(blocks),
        }
    }
}

/// Makes the rows of up to 1024 patterns, as the other half numbers the lines.
pub(super) fn fill(simd: Simd, group: &mut Group, patterns: &[u32]) {
    match simd {
        Simd::Portable => portable::fill(group, patterns),
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the proof in `Avx2` says that the processor has the instructions.
        Simd::Avx2(_) => unsafe { super::avx2::fill(group, patterns) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as above, with `Avx512`.
        Simd::Avx512(_) => unsafe { super::avx512::fill(group, patterns) },
        #[cfg(not(target_arch = "x86_64"))]
        Simd::Avx2(_) | Simd::Avx512(_) => portable::fill(group, patterns),
    }
}

/// The number of pairs of a pattern in `groups` and a query without a common line.
pub(super) fn pairs(simd: Simd, groups: &[Group], queries: &Sorted) -> u64 {
    match simd {
        Simd::Portable => portable::pairs::<true>(groups, queries),
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the proof in `Avx2` says that the processor has the instructions.
        Simd::Avx2(_) => unsafe { super::avx2::pairs(groups, queries) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as above, with `Avx512`.
        Simd::Avx512(_) => unsafe { super::avx512::pairs(groups, queries) },
        #[cfg(not(target_arch = "x86_64"))]
        Simd::Avx2(_) | Simd::Avx512(_) => portable::pairs::<true>(groups, queries),
    }
}

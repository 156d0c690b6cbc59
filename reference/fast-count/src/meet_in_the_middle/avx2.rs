//! The inner loops in vectors of 256 bits.

use std::arch::x86_64::{
    _bzhi_u32, _mm_cvtsi64_si128, _mm256_and_si256, _mm256_castsi256_ps, _mm256_cmpeq_epi32,
    _mm256_cvtepu8_epi32, _mm256_movemask_ps, _mm256_or_si256, _mm256_permutevar8x32_epi32,
    _mm256_set1_epi32, _mm256_setzero_si256,
};

use super::group::Group;
use super::half::{Blocks, Half};
use super::portable;
use super::sorted::Sorted;

/// [`Half::add_pairs`]: a single placement against 8 of its cell at once.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(super) fn add_pairs_u32(half: &mut Half<u32>, blocks: Blocks<'_, u32>) {
    blocks.each(half, |pattern, cell, [plain, main]| {
        let pattern = _mm256_set1_epi32(pattern as i32);
        let (mut plain_left, mut left) = (cell.plain, cell.len());
        for lanes in cell.padded.as_chunks::<8>().0 {
            let lanes = bytemuck::cast(*lanes);
            let union = _mm256_or_si256(pattern, lanes);
            let meet = _mm256_and_si256(pattern, lanes);
            let disjoint = _mm256_cmpeq_epi32(meet, _mm256_setzero_si256());
            let disjoint = _mm256_movemask_ps(_mm256_castsi256_ps(disjoint)) as u32;
            let is_plain = first(plain_left);
            let is_main = first(left) & !is_plain;
            for (room, wanted) in [(&mut *plain, is_plain), (main, is_main)] {
                let wanted = disjoint & wanted;
                let order = _mm_cvtsi64_si128(ORDERS[wanted as usize % 256] as i64);
                let union = _mm256_permutevar8x32_epi32(union, _mm256_cvtepu8_epi32(order));
                let numbers: [u32; 8] = bytemuck::cast(union);
                room.put(numbers, wanted.count_ones() as usize);
            }
            if left <= 8 {
                break;
            }
            left -= 8;
            plain_left = plain_left.saturating_sub(8);
        }
    });
}

/// A mask of the first lanes.
#[target_feature(enable = "bmi2")]
#[inline]
fn first(lanes: usize) -> u32 {
    _bzhi_u32(u32::MAX, lanes.min(32) as u32)
}

/// For each set of lanes, the order that brings them to the front: byte `i` is the lane that comes
/// to place `i`.
static ORDERS: [u64; 256] = {
    let mut orders = [0; 256];
    let mut set = 0;
    while set < 256 {
        let (mut lane, mut place) = (0, 0);
        while lane < 8 {
            if set >> lane & 1 == 1 {
                orders[set] |= lane << (8 * place);
                place += 1;
            }
            lane += 1;
        }
        set += 1;
    }
    orders
};

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(super) fn add_pairs_u64(half: &mut Half<u64>, blocks: Blocks<'_, u64>) {
    half.add_pairs(blocks);
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(super) fn fill(group: &mut Group, patterns: &[u32]) {
    portable::fill(group, patterns);
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(super) fn pairs(groups: &[Group], queries: &Sorted) -> u64 {
    portable::pairs::<false>(groups, queries)
}

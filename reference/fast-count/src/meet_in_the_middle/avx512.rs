//! The inner loops in vectors of 512 bits.

use std::arch::x86_64::{
    __m512i, _bzhi_u32, _mm512_add_epi8, _mm512_add_epi64, _mm512_and_si512,
    _mm512_mask_testn_epi32_mask, _mm512_mask_testn_epi64_mask, _mm512_maskz_compress_epi32,
    _mm512_maskz_compress_epi64, _mm512_movepi8_mask, _mm512_or_si512, _mm512_permutex2var_epi32,
    _mm512_popcnt_epi64, _mm512_reduce_add_epi64, _mm512_set1_epi32, _mm512_set1_epi64,
    _mm512_setzero_si512, _mm512_shuffle_epi8, _mm512_shuffle_i64x2, _mm512_test_epi64_mask,
};

use super::group::{Group, PART, Row, Sets};
use super::half::{Blocks, Half};
use super::sorted::Sorted;

/// [`Half::add_pairs`]: a single placement against 16 of its cell at once.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,bmi1,bmi2,popcnt")]
pub(super) fn add_pairs_u32(half: &mut Half<u32>, blocks: Blocks<'_, u32>) {
    blocks.each(half, |pattern, cell, [plain, main]| {
        let pattern = _mm512_set1_epi32(pattern as i32);
        let (mut plain_left, mut left) = (cell.plain, cell.len());
        for lanes in cell.padded.as_chunks::<16>().0 {
            let lanes = bytemuck::cast(*lanes);
            let union = _mm512_or_si512(pattern, lanes);
            let is_plain = first(plain_left) as u16;
            let is_main = first(left) as u16 & !is_plain;
            for (room, wanted) in [(&mut *plain, is_plain), (main, is_main)] {
                let disjoint = _mm512_mask_testn_epi32_mask(wanted, pattern, lanes);
                let union = _mm512_maskz_compress_epi32(disjoint, union);
                let numbers: [u32; 16] = bytemuck::cast(union);
                room.put(numbers, disjoint.count_ones() as usize);
            }
            if left <= 16 {
                break;
            }
            left -= 16;
            plain_left = plain_left.saturating_sub(16);
        }
    });
}

/// [`Half::add_pairs`]: a single placement against 8 of its cell at once.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,bmi1,bmi2,popcnt")]
pub(super) fn add_pairs_u64(half: &mut Half<u64>, blocks: Blocks<'_, u64>) {
    blocks.each(half, |pattern, cell, [plain, main]| {
        let pattern = _mm512_set1_epi64(pattern as i64);
        let (mut plain_left, mut left) = (cell.plain, cell.len());
        for lanes in cell.padded.as_chunks::<8>().0 {
            let lanes = bytemuck::cast(*lanes);
            let union = _mm512_or_si512(pattern, lanes);
            let is_plain = first(plain_left) as u8;
            let is_main = first(left) as u8 & !is_plain;
            for (room, wanted) in [(&mut *plain, is_plain), (main, is_main)] {
                let disjoint = _mm512_mask_testn_epi64_mask(wanted, pattern, lanes);
                let union = _mm512_maskz_compress_epi64(disjoint, union);
                let numbers: [u64; 8] = bytemuck::cast(union);
                room.put(numbers, disjoint.count_ones() as usize);
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

/// Makes the rows of up to 1024 patterns; a half without a pattern is left as it is.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,bmi1,bmi2,popcnt")]
pub(super) fn fill(group: &mut Group, patterns: &[u32]) {
    for (rows, lines) in group.chunks(&turn(patterns)) {
        combine::<0>(rows, lines);
        if patterns.len() > 2 * PART {
            combine::<1>(rows, lines);
        }
    }
}

/// One half of a row.
#[inline(always)]
fn half(row: &Row, half: usize) -> __m512i {
    bytemuck::cast(row.0.as_chunks::<2>().0[half])
}

/// As [`portable`](super::portable): a set's row is that of the set without its highest line, AND
/// that of the line.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,bmi1,bmi2,popcnt")]
fn combine<const HALF: usize>(rows: &mut [Row], lines: &[Row]) {
    let put = |row: &mut Row, vector: __m512i| {
        row.0.as_chunks_mut::<2>().0[HALF] = bytemuck::cast(vector);
    };
    put(&mut rows[0], _mm512_set1_epi64(-1));
    for (line, unused) in lines.iter().enumerate() {
        let unused = half(unused, HALF);
        let (without, with) = rows.split_at_mut(1 << line);
        for (with, without) in with.iter_mut().zip(without) {
            put(with, _mm512_and_si512(half(without, HALF), unused));
        }
    }
}

/// In each 4 numbers of a vector: their lowest bytes, their next ones, ….
const BYTES: [u8; 64] = {
    let mut bytes = [0; 64];
    let mut i = 0;
    while i < 64 {
        bytes[i] = (i % 4 * 4 + i / 4 % 4) as u8;
        i += 1;
    }
    bytes
};

/// Of two vectors: every fourth number from `first` on, then every fourth one from `first + 1` on.
const fn fourths(first: u32) -> [u32; 16] {
    let mut places = [0; 16];
    let mut i = 0;
    while i < 16 {
        places[i] = first + 4 * (i as u32 % 8) + i as u32 / 8;
        i += 1;
    }
    places
}

/// For each line the patterns that do not use it; the bits of neighbouring lines are exchanged.
///
/// First the bytes of 64 patterns are sorted: the lowest byte of each, the next one of each, …; then
/// the highest bits of 64 bytes are one word, and doubling the bytes brings up the next bits.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,bmi1,bmi2,popcnt")]
fn turn(patterns: &[u32]) -> [Row; 32] {
    let mut lines = [Row::default(); 32];
    let bytes = bytemuck::cast(BYTES);
    let lower_bytes = bytemuck::cast(const { fourths(0) });
    let upper_bytes = bytemuck::cast(const { fourths(2) });
    for (word, patterns) in patterns.chunks(64).enumerate() {
        let mut padded = [u32::MAX; 64];
        padded[..patterns.len()].copy_from_slice(patterns);
        let vectors: [__m512i; 4] = bytemuck::cast(padded);
        let [first, second, third, fourth] =
            vectors.map(|vector| _mm512_shuffle_epi8(vector, bytes));
        // Two of the four bytes of 32 patterns each.
        let lower = [
            _mm512_permutex2var_epi32(first, lower_bytes, second),
            _mm512_permutex2var_epi32(third, lower_bytes, fourth),
        ];
        let upper = [
            _mm512_permutex2var_epi32(first, upper_bytes, second),
            _mm512_permutex2var_epi32(third, upper_bytes, fourth),
        ];
        // One byte of all 64.
        let bytes_of_all = [
            _mm512_shuffle_i64x2::<0b01_00_01_00>(lower[0], lower[1]),
            _mm512_shuffle_i64x2::<0b11_10_11_10>(lower[0], lower[1]),
            _mm512_shuffle_i64x2::<0b01_00_01_00>(upper[0], upper[1]),
            _mm512_shuffle_i64x2::<0b11_10_11_10>(upper[0], upper[1]),
        ];
        for (byte, mut bytes) in bytes_of_all.into_iter().enumerate() {
            for bit in (0..8).rev() {
                lines[(8 * byte + bit) ^ 1].0[word / 4][word % 4] = !_mm512_movepi8_mask(bytes);
                bytes = _mm512_add_epi8(bytes, bytes);
            }
        }
    }
    lines
}

/// The number of pairs of a pattern in `groups` and a query without a common line.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vpopcntdq,bmi1,bmi2,popcnt")]
pub(super) fn pairs(groups: &[Group], queries: &Sorted) -> u64 {
    let mut sums = [_mm512_setzero_si512(); 2];
    for group in groups {
        for (key, queries) in queries.runs() {
            let without = group.without(key);
            let [lower, upper] = [0, 1].map(|i| half(&without, i));
            if _mm512_test_epi64_mask(upper, upper) != 0 {
                add_pairs_of(&mut sums, group, [lower, upper], queries);
            } else if _mm512_test_epi64_mask(lower, lower) != 0 {
                let [sum, _] = &mut sums;
                add_pairs_of(std::array::from_mut(sum), group, [lower], queries);
            }
        }
    }
    sums.iter()
        .map(|&sum| _mm512_reduce_add_epi64(sum) as u64)
        .sum()
}

/// Adds, word by word, how many patterns of the first halves of the rows, out of those of `without`,
/// have no line in common with the queries.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vpopcntdq,bmi1,bmi2,popcnt")]
#[inline]
fn add_pairs_of<const HALVES: usize>(
    sums: &mut [__m512i; HALVES],
    group: &Group,
    without: [__m512i; HALVES],
    queries: &[u32],
) {
    let mut in_registers = *sums;
    for &query in queries {
        let rows = group.rows(Sets::of(query));
        for i in 0..HALVES {
            let mut disjoint = without[i];
            for row in rows {
                disjoint = _mm512_and_si512(disjoint, half(row, i));
            }
            in_registers[i] = _mm512_add_epi64(in_registers[i], _mm512_popcnt_epi64(disjoint));
        }
    }
    *sums = in_registers;
}

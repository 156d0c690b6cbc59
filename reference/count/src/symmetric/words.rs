//! The vector instructions of [`lanes`](super::lanes), for words of 16 or of 32 bits.
//!
//! A vector has 512 bits: 32 words of 16 bits, or 16 words of 32 bits. A mask has one bit for each
//! word, the lowest one for word 0. Each function is one instruction; the parameter `BITS` picks
//! the one for this size of words, when the program is compiled.

#![allow(
    clippy::wildcard_imports,
    reason = "every second name would be an import otherwise"
)]

use std::arch::x86_64::*;

use bytemuck::Zeroable;

/// Bytes of one vector.
pub(super) const BYTES: usize = 64;

/// An instruction with three inputs takes the table of its results as a number: bit `4a + 2b + c`
/// is the result for the bits `a`, `b` and `c`. These are the tables of `a`, `b` and `c` themselves,
/// so that a formula of them gives the table of the formula.
const A: i32 = 0b1111_0000;
const B: i32 = 0b1100_1100;
const C: i32 = 0b1010_1010;

/// A vector of zeros.
pub(super) fn zero() -> __m512i {
    __m512i::zeroed()
}

/// The vector that begins at byte `at`.
#[inline]
#[target_feature(enable = "avx512vbmi2,popcnt")]
pub(super) fn load(bytes: &[u8], at: usize) -> __m512i {
    // Copies through an array become one unaligned load; so does the store below.
    let mut array = [0; BYTES];
    array.copy_from_slice(&bytes[at..at + BYTES]);
    bytemuck::cast(array)
}

/// Writes the vector to the bytes from `at` on.
#[inline]
#[target_feature(enable = "avx512vbmi2,popcnt")]
pub(super) fn store(bytes: &mut [u8], at: usize, vector: __m512i) {
    let array: [u8; BYTES] = bytemuck::cast(vector);
    bytes[at..at + BYTES].copy_from_slice(&array);
}

/// `word` in all words; of 16 bits the lower ones.
#[inline]
#[target_feature(enable = "avx512vbmi2,popcnt")]
pub(super) fn splat<const BITS: usize>(word: u32) -> __m512i {
    if BITS == 16 {
        _mm512_set1_epi16(word as i16)
    } else {
        _mm512_set1_epi32(word as i32)
    }
}

/// 0, 1, 2, …: each word is its own number.
#[inline]
#[target_feature(enable = "avx512vbmi2,popcnt")]
pub(super) fn numbers<const BITS: usize>() -> __m512i {
    if BITS == 16 {
        bytemuck::cast::<[u16; 32], _>(std::array::from_fn(|word| word as u16))
    } else {
        bytemuck::cast::<[u32; 16], _>(std::array::from_fn(|word| word as u32))
    }
}

/// The words without their lowest set bit: `a & (a - 1)`.
#[inline]
#[target_feature(enable = "avx512vbmi2,popcnt")]
pub(super) fn without_lowest<const BITS: usize>(a: __m512i) -> __m512i {
    let minus_one = splat::<BITS>(u32::MAX);
    let less = if BITS == 16 {
        _mm512_add_epi16(a, minus_one)
    } else {
        _mm512_add_epi32(a, minus_one)
    };
    _mm512_and_si512(a, less)
}

/// `a << count`, word by word.
#[inline]
#[target_feature(enable = "avx512vbmi2,popcnt")]
pub(super) fn shift_left<const BITS: usize>(a: __m512i, count: __m512i) -> __m512i {
    if BITS == 16 {
        _mm512_sllv_epi16(a, count)
    } else {
        _mm512_sllv_epi32(a, count)
    }
}

/// `a >> count`, word by word.
#[inline]
#[target_feature(enable = "avx512vbmi2,popcnt")]
pub(super) fn shift_right<const BITS: usize>(a: __m512i, count: __m512i) -> __m512i {
    if BITS == 16 {
        _mm512_srlv_epi16(a, count)
    } else {
        _mm512_srlv_epi32(a, count)
    }
}

/// `a & b`.
#[inline]
#[target_feature(enable = "avx512vbmi2,popcnt")]
pub(super) fn and(a: __m512i, b: __m512i) -> __m512i {
    _mm512_and_si512(a, b)
}

/// `a | b | c`.
#[inline]
#[target_feature(enable = "avx512vbmi2,popcnt")]
pub(super) fn or3(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
    _mm512_ternarylogic_epi32::<{ A | B | C }>(a, b, c)
}

/// `a ^ b ^ c`.
#[inline]
#[target_feature(enable = "avx512vbmi2,popcnt")]
pub(super) fn xor3(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
    _mm512_ternarylogic_epi32::<{ A ^ B ^ C }>(a, b, c)
}

/// `a | (b ^ c)`.
#[inline]
#[target_feature(enable = "avx512vbmi2,popcnt")]
pub(super) fn or_xor(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
    _mm512_ternarylogic_epi32::<{ A | (B ^ C) }>(a, b, c)
}

/// `a & !(b | c)`.
#[inline]
#[target_feature(enable = "avx512vbmi2,popcnt")]
pub(super) fn without(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
    _mm512_ternarylogic_epi32::<{ A & !(B | C) }>(a, b, c)
}

/// Bit by bit: that of `b` where `a` has a 1, that of `c` where it has a 0.
#[inline]
#[target_feature(enable = "avx512vbmi2,popcnt")]
pub(super) fn select(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
    _mm512_ternarylogic_epi32::<{ (A & B) | (!A & 0xff & C) }>(a, b, c)
}

/// The words of `among` in which `a & b` is not 0.
#[inline]
#[target_feature(enable = "avx512vbmi2,popcnt")]
pub(super) fn meet<const BITS: usize>(among: u32, a: __m512i, b: __m512i) -> u32 {
    if BITS == 16 {
        _mm512_mask_test_epi16_mask(among, a, b)
    } else {
        u32::from(_mm512_mask_test_epi32_mask(among as u16, a, b))
    }
}

/// The words of `among` in which `a & b` is 0.
#[inline]
#[target_feature(enable = "avx512vbmi2,popcnt")]
pub(super) fn miss<const BITS: usize>(among: u32, a: __m512i, b: __m512i) -> u32 {
    if BITS == 16 {
        _mm512_mask_testn_epi16_mask(among, a, b)
    } else {
        u32::from(_mm512_mask_testn_epi32_mask(among as u16, a, b))
    }
}

/// The words of `b` where the mask has a 1, those of `a` where it has a 0.
#[inline]
#[target_feature(enable = "avx512vbmi2,popcnt")]
pub(super) fn replace<const BITS: usize>(a: __m512i, mask: u32, b: __m512i) -> __m512i {
    if BITS == 16 {
        _mm512_mask_mov_epi16(a, mask, b)
    } else {
        _mm512_mask_mov_epi32(a, mask as u16, b)
    }
}

/// `a` with the first words of `b`, in their order, where the mask has a 1.
#[inline]
#[target_feature(enable = "avx512vbmi2,popcnt")]
pub(super) fn expand<const BITS: usize>(a: __m512i, mask: u32, b: __m512i) -> __m512i {
    if BITS == 16 {
        _mm512_mask_expand_epi16(a, mask, b)
    } else {
        _mm512_mask_expand_epi32(a, mask as u16, b)
    }
}

/// The words of `a` where the mask has a 1, in their order, side by side from word 0 on.
#[inline]
#[target_feature(enable = "avx512vbmi2,popcnt")]
pub(super) fn compress<const BITS: usize>(mask: u32, a: __m512i) -> __m512i {
    if BITS == 16 {
        _mm512_maskz_compress_epi16(mask, a)
    } else {
        _mm512_maskz_compress_epi32(mask as u16, a)
    }
}

/// Word `numbers[0]` of `a`, then word `numbers[1]`, and so on.
#[inline]
#[target_feature(enable = "avx512vbmi2,popcnt")]
pub(super) fn permute<const BITS: usize>(numbers: __m512i, a: __m512i) -> __m512i {
    if BITS == 16 {
        _mm512_permutexvar_epi16(numbers, a)
    } else {
        _mm512_permutexvar_epi32(numbers, a)
    }
}

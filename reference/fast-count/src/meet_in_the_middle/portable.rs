//! The inner loops without vector instructions.
//!
//! They are compiled twice: as they stand, for every processor, and with AVX2, where the compiler
//! makes vectors of 256 bits out of the same loops.

use super::group::{Group, PART, PARTS, Part, Row, Sets};
use super::sorted::Sorted;

/// Makes the rows of up to 1024 patterns; parts without a pattern are left as they are.
#[inline(always)]
pub(super) fn fill(group: &mut Group, patterns: &[u32]) {
    let parts = patterns.len().div_ceil(PART);
    for (rows, lines) in group.chunks(&turn(patterns)) {
        for part in 0..parts {
            combine(rows, lines, part);
        }
    }
}

/// Makes a part of the rows of all sets of lines: a set's row is that of the set without its highest
/// line, AND that of the line.
#[inline(always)]
fn combine(rows: &mut [Row], lines: &[Row], part: usize) {
    rows[0].0[part] = [u64::MAX; 4];
    for (line, unused) in lines.iter().enumerate() {
        let unused = unused.0[part];
        let (without, with) = rows.split_at_mut(1 << line);
        for (with, without) in with.iter_mut().zip(without) {
            with.0[part] = std::array::from_fn(|i| without.0[part][i] & unused[i]);
        }
    }
}

/// For each line the patterns that do not use it; the bits of neighbouring lines are exchanged.
#[inline(always)]
fn turn(patterns: &[u32]) -> [Row; 32] {
    let mut lines = [Row::default(); 32];
    for (word, patterns) in patterns.chunks(64).enumerate() {
        let mut square = [0_u64; 32];
        for (i, &pattern) in patterns.iter().enumerate() {
            square[i % 32] |= u64::from(!pattern) << (32 * (i / 32));
        }
        transpose(&mut square);
        for (line, &bits) in square.iter().enumerate() {
            lines[line ^ 1].0[word / 4][word % 4] = bits;
        }
    }
    lines
}

/// Turns two squares of 32 by 32 bits by their diagonals: bit `c` of word `r` goes to bit `r` of
/// word `c`, in the lower and in the upper half of the words alike.
///
/// First blocks of 16 by 16 bits change places, then in each block those of 8 by 8, and so on.
///
/// Source: H. S. Warren, *Hacker's Delight*, 2nd edition, 2012, section 7-3.
#[inline(always)]
fn transpose(square: &mut [u64; 32]) {
    let mut size = 16;
    let mut low = 0x0000_ffff_0000_ffff_u64;
    while size != 0 {
        for block in square.chunks_exact_mut(2 * size) {
            let (upper, lower) = block.split_at_mut(size);
            for (upper, lower) in upper.iter_mut().zip(lower) {
                let differ = (*upper >> size ^ *lower) & low;
                *upper ^= differ << size;
                *lower ^= differ;
            }
        }
        size /= 2;
        low ^= low << size;
    }
}

/// The number of pairs of a pattern in `groups` and a query without a common line.
///
/// To count the ones of a row costs more than to make it. So rows are first added up, place by
/// place: each pattern has a counter of 4 binary digits, and the digits of all counters stand in 4
/// rows. Whenever 16 rows have been added, a row is left that has a 1 for each counter that ran over:
/// only its ones are counted, and each is worth 16.
///
/// ```text
///  pattern      0 1 2 3 …
///  one          0 1 0 1 …
///  two          1 1 0 0 …
///  four         0 0 0 1 …
///  eight        0 0 0 0 …
///  counter      2 3 0 5 …
/// ```
///
/// With `BUFFER`, 16 rows are made first and added then. Rows that are added as they are made need no
/// place in memory, but the compiler makes vectors of 128 bits out of a part of that code only.
///
/// Source: the Harley-Seal adder, in H. S. Warren, *Hacker's Delight*, 2nd edition, 2012, section
/// 5-1.
#[inline(always)]
pub(super) fn pairs<const BUFFER: bool>(groups: &[Group], queries: &Sorted) -> u64 {
    let mut total = 0;
    for group in groups {
        for part in 0..PARTS {
            let mut digits = [[0; 4]; 4];
            let mut sixteens = [0_u64; 4];
            let mut rows = [Part::default(); 16];
            for (key, queries) in queries.runs() {
                let without = group.without(key).0[part];
                if without == [0; 4] {
                    continue;
                }
                let row = |query| disjoint(group, without, part, query);
                let (blocks, rest) = queries.as_chunks::<16>();
                for block in blocks {
                    let carry = if BUFFER {
                        for (place, &query) in rows.iter_mut().zip(block) {
                            *place = row(query);
                        }
                        add_sixteen(&mut digits, |i| rows[i])
                    } else {
                        add_sixteen(&mut digits, |i| row(block[i]))
                    };
                    for (sum, word) in sixteens.iter_mut().zip(carry) {
                        *sum += u64::from(word.count_ones());
                    }
                }
                total += rest.iter().map(|&query| ones(&row(query))).sum::<u64>();
            }
            total += 16 * sixteens.iter().sum::<u64>();
            for (worth, digit) in digits.iter().enumerate() {
                total += ones(digit) << worth;
            }
        }
    }
    total
}

/// Adds 16 rows to the digits and gives what is carried out of them: it is worth 16.
///
/// Two rows worth one are added to the digit `one`, and a row worth two is carried; two of these are
/// added to the digit `two`, and a row worth four is carried; and so on, as in a tree:
///
/// ```text
///  row 0  row 1    row 2  row 3    row 4  row 5    row 6  row 7    …
///     \  /            \  /            \  /            \  /             add to `one`
///      two            two              two            two
///         \          /                    \          /                  add to `two`
///             four                            four                      add to `four`
///                \                          /
///                           eight               … and `eight` of rows 8 to 15: add to `eight`
/// ```
#[inline(always)]
fn add_sixteen(digits: &mut [Part; 4], row: impl Fn(usize) -> Part) -> Part {
    let [one, two, four, eight] = digits;
    let mut eights = [[0; 4]; 2];
    for (i, carry) in eights.iter_mut().enumerate() {
        let mut fours = [[0; 4]; 2];
        for (j, carry) in fours.iter_mut().enumerate() {
            let first = 8 * i + 4 * j;
            let twos = [
                add(one, row(first), row(first + 1)),
                add(one, row(first + 2), row(first + 3)),
            ];
            *carry = add(two, twos[0], twos[1]);
        }
        *carry = add(four, fours[0], fours[1]);
    }
    add(eight, eights[0], eights[1])
}

/// Adds `a` and `b` to `digit`, place by place, and gives the carry, which is worth twice as much: a
/// 1 where two or three of them have a 1. What stays in the digit is their sum without carry.
#[inline(always)]
fn add(digit: &mut Part, a: Part, b: Part) -> Part {
    std::array::from_fn(|i| {
        let differ = a[i] ^ b[i];
        let carry = a[i] & b[i] | differ & digit[i];
        digit[i] ^= differ;
        carry
    })
}

/// The patterns of a part of the group, out of those of `row`, that have no line in common with the
/// query.
#[inline(always)]
fn disjoint(group: &Group, mut row: Part, part: usize, query: u32) -> Part {
    for other in group.rows(Sets::of(query)) {
        for (word, other) in row.iter_mut().zip(other.0[part]) {
            *word &= other;
        }
    }
    row
}

#[inline(always)]
fn ones(row: &Part) -> u64 {
    row.iter().map(|word| u64::from(word.count_ones())).sum()
}

//! The order in which columns are drawn.

use super::feistel::Feistel;
use reference_local_search::random::Random;

/// From this many columns on, they are drawn from strips.
const STRIPS_FROM: u32 = 1 << 18;
/// The number of strips is above a half of this and not above this plus one.
const STRIPS: u32 = 128;

/// Draws each column from 0 to `n - 1` once, in random order, and hands it to `visit`; `n` is at
/// most 2^31.
///
/// On a large board nearly every diagonal that is looked at would be far from the one before, and
/// the program would mostly wait for memory. Therefore the board is cut into strips of columns, and
/// many columns of one strip are drawn before the next strip has its turn:
///
/// ```text
///              strip 0   strip 1   strip 2   strip 3
///  1st slice   ● ●  ●
///                        ●  ●●
///                                   ●  ● ●
///                                             ● ● ●
///  2nd slice    ●  ● ●
///                         ● ●  ●                      and so on, until all strips are empty
/// ```
///
/// The diagonals of one strip are a short piece of all, which stays in the nearest caches
/// meanwhile. There are as many slices as strips, so that each square of a strip's width has the
/// same number of queens, and each diagonal crosses as many queens on its way as in a wholly random
/// order.
pub(super) fn draw_columns(n: u32, random: &mut Random, visit: impl FnMut(u32)) {
    let strip = if n < STRIPS_FROM { n } else { n / STRIPS };
    draw_from_strips(n, bits_for(strip), random, visit);
}

/// The same, from strips of `2^strip_bits` columns.
///
/// A last strip that is cut off by the edge of the board is drawn from as if it were whole, and
/// what lies beyond the board is skipped, so that it is not empty before the others.
fn draw_from_strips(n: u32, strip_bits: u32, random: &mut Random, mut visit: impl FnMut(u32)) {
    let width = 1_u32 << strip_bits;
    let strips: Vec<(u32, Feistel)> = (0..n.div_ceil(width))
        .map(|strip| (strip * width, Feistel::new(strip_bits, random)))
        .collect();
    let slice = width.div_ceil(strips.len() as u32);
    for start in (0..width).step_by(slice as usize) {
        let end = (start + slice).min(width);
        for (first_column, order) in &strips {
            for index in start..end {
                let column = first_column + order.number(index);
                if column < n {
                    visit(column);
                }
            }
        }
    }
}

/// How many bits numbers below `n` have.
fn bits_for(n: u32) -> u32 {
    n.next_power_of_two().trailing_zeros()
}

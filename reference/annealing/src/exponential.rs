//! The exponential function, the same on every platform.

/// `e^-x` in units of `2^-64`, for `x` above 0: right to four units.
///
/// The exponential function of the standard library may differ in the last bit from platform to
/// platform, and one bit is enough for another board. This is done in integers: `x`, in units of
/// `2^-64`, is halved until it is below 1, the power series is summed, and the result is squared as
/// often as `x` was halved.
///
/// ```text
///   e^-x = 1 - x/1 · (1 - x/2 · (1 - x/3 · ( … )))        for x < 1
///   e^-x = (e^-(x/2))^2                                   for x ≥ 1
/// ```
///
/// Invariant: but for `x`, no number is above 1, that is `2^64`, so that a product of two fits in
/// 128 bits. Each squaring doubles the relative error, which does no harm: after the last one it
/// has grown by a factor of at most `2x`, and `2x · e^-x` is below 1.
pub(crate) fn exp_of_minus(x: f64) -> u64 {
    const ONE: u128 = 1 << 64;
    // Left out: 1 / 21! and less, which is below half a unit.
    const TERMS: u128 = 20;

    // Multiplying by a power of two does not round.
    let mut small = (x * ONE as f64) as u128;
    let mut halvings = 0;
    while small >= ONE {
        small /= 2;
        halvings += 1;
    }
    let mut power = ONE;
    for term in (1..=TERMS).rev() {
        power = ONE - small * power / (ONE * term);
    }
    for _ in 0..halvings {
        power = power * power / ONE;
    }
    u64::try_from(power).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_e_are_right_to_four_units_of_two_to_the_minus_64() {
        // 2^64 · e^-x, from a hundred decimal digits.
        for (x, expected) in [
            (0.000_976_562_5, 18_428_738_468_430_479_223),
            (0.25, 14_366_338_729_722_795_843),
            (0.5, 11_188_515_852_577_165_300),
            (0.75, 8_713_624_907_393_923_404),
            (1.0, 6_786_177_901_268_885_275),
            (1.5, 4_116_024_959_383_911_113),
            (2.0, 2_496_495_334_008_788_800),
            (3.0, 918_409_308_362_266_469),
            (4.0, 337_863_903_126_961_438),
            (5.125, 109_688_349_781_490_483),
            (10.0, 837_480_885_292_947),
            (20.0, 38_021_573_370),
            (31.5, 385_162),
            (44.0, 1),
            (f64::MIN_POSITIVE, u64::MAX),
            (4000.0, 0),
        ] {
            let found = exp_of_minus(x);
            let apart = found.abs_diff(expected);
            assert!(apart <= 4, "x = {x}: {found}, {expected}");
        }
    }
}

//! A line through sizes and times, both as logarithms, and how well its slope is known.
//!
//! Ordinary least squares; the 95 % interval of the slope is that of the textbook, slope ± t · s / √Σ(x − x̄)², with the
//! quantile of Student's t for k − 2 degrees of freedom.

use grader_model::GrowthFit;

/// The fewest points through which a line with an interval can be drawn.
pub(super) const FEWEST: usize = 3;

/// The line through points of a size and a time in seconds, all positive. `None` if there are fewer than
/// [`FEWEST`] points, all have one size, or the time at size 1 is no number.
pub(super) fn line(points: &[(f64, f64)]) -> Option<GrowthFit> {
    if points.len() < FEWEST {
        return None;
    }
    let count = points.len() as f64;
    let logs: Vec<(f64, f64)> = points
        .iter()
        .map(|(size, seconds)| (size.ln(), seconds.ln()))
        .collect();
    let mean_x = logs.iter().map(|(x, _)| x).sum::<f64>() / count;
    let mean_y = logs.iter().map(|(_, y)| y).sum::<f64>() / count;
    let spread: f64 = logs.iter().map(|(x, _)| (x - mean_x).powi(2)).sum();
    let common: f64 = logs.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    if !(spread > 0.0 && common.is_finite()) {
        return None;
    }
    let exponent = common / spread;
    let start = mean_y - exponent * mean_x;
    let residue: f64 = logs
        .iter()
        .map(|(x, y)| (y - start - exponent * x).powi(2))
        .sum();
    let error = (residue / (count - 2.0) / spread).sqrt();
    let reach = student_t(points.len() - 2) * error;
    let factor = start.exp();
    factor.is_finite().then_some(GrowthFit {
        exponent,
        low: exponent - reach,
        high: exponent + reach,
        factor,
    })
}

/// The 97.5 % quantile of Student's t, which leaves 5 % outside at both ends together.
///
/// Up to 30 degrees of freedom from the table in the NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2; above
/// by the series in the normal quantile of Abramowitz and Stegun, 26.7.5, whose three terms are right to three decimals
/// there. Infinite without a degree of freedom.
fn student_t(freedom: usize) -> f64 {
    const TABLE: [f64; 30] = [
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
        2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
        2.052, 2.048, 2.045, 2.042,
    ];
    const NORMAL: f64 = 1.959_964;
    match freedom {
        0 => f64::INFINITY,
        1..=30 => TABLE[freedom - 1],
        _ => {
            let (z, freedom) = (NORMAL, freedom as f64);
            let first = (z.powi(3) + z) / 4.0;
            let second = (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0;
            z + first / freedom + second / freedom.powi(2)
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Numbers between -1 and 1, the same on every machine.
    struct Noise(u64);

    impl Noise {
        fn next(&mut self) -> f64 {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as f64 / f64::from(1u32 << 30) - 1.0
        }
    }

    fn sizes() -> impl Iterator<Item = f64> {
        (0..10).map(|step| 100.0 * 1.5f64.powi(step))
    }

    fn of(law: impl Fn(f64) -> f64) -> GrowthFit {
        let points: Vec<(f64, f64)> = sizes().map(|size| (size, law(size))).collect();
        line(&points).unwrap()
    }

    /// The exponent of a law, and half the width of its interval, in hundredths.
    fn exponent(law: impl Fn(f64) -> f64) -> [i32; 2] {
        let fit = of(law);
        [fit.exponent, (fit.high - fit.low) / 2.0].map(|value| (100.0 * value).round() as i32)
    }

    #[test]
    fn powers_are_found_exactly() {
        let found = [0, 1, 2, 3].map(|power| exponent(|n| 1e-7 * n.powi(power)));
        assert_eq!(found, [[0, 0], [100, 0], [200, 0], [300, 0]]);
        let fit = of(|n| 2.5e-7 * n * n);
        assert!((fit.factor / 2.5e-7 - 1.0).abs() < 1e-9, "{fit:?}");
    }

    #[test]
    fn noise_of_a_fifth_widens_the_interval_which_still_covers_the_law() {
        let mut noise = Noise(1);
        let mut covered = 0;
        for _ in 0..200 {
            let points: Vec<(f64, f64)> = sizes()
                .map(|size| (size, 1e-9 * size.powi(3) * (1.0 + 0.2 * noise.next())))
                .collect();
            let fit = line(&points).unwrap();
            assert!((2.7..3.3).contains(&fit.exponent), "{fit:?}");
            covered += u32::from(fit.low <= 3.0 && 3.0 <= fit.high);
        }
        // 95 of 100 are promised; the noise is not normal, and 200 draws wander by three or four.
        assert!((180..=199).contains(&covered), "{covered} of 200");
    }

    #[test]
    fn too_few_points_and_points_of_one_size_have_no_line() {
        assert_eq!(line(&[(1.0, 1.0), (2.0, 2.0)]), None);
        assert_eq!(line(&[(2.0, 1.0), (2.0, 2.0), (2.0, 3.0)]), None);
    }

    #[test]
    fn the_series_goes_on_where_the_table_ends() {
        // Of the same handbook: 40, 60, 100 degrees of freedom.
        let found = [31, 40, 60, 100, 100_000].map(|freedom| format!("{:.3}", student_t(freedom)));
        assert_eq!(found, ["2.039", "2.021", "2.000", "1.984", "1.960"]);
        for freedom in 0..100 {
            assert!(student_t(freedom + 1) < student_t(freedom), "{freedom}");
        }
    }

    fn any_points() -> impl Strategy<Value = Vec<(f64, f64)>> {
        prop::collection::vec((1.0f64..1e6, 1e-6f64..1e3), 3..30)
    }

    proptest! {
        #[test]
        fn another_unit_of_time_or_size_changes_no_exponent(
            points in any_points(), time in 1e-3f64..1e3, unit in 1e-3f64..1e3,
        ) {
            let scaled: Vec<_> = points.iter().map(|(x, y)| (x * unit, y * time)).collect();
            let (Some(plain), Some(scaled)) = (line(&points), line(&scaled)) else { return Ok(()) };
            let size = 1.0 + plain.exponent.abs() + (plain.high - plain.low);
            for (a, b) in [
                (plain.exponent, scaled.exponent), (plain.low, scaled.low), (plain.high, scaled.high),
            ] {
                prop_assert!((a - b).abs() < 1e-6 * size, "{plain:?} {scaled:?}");
            }
        }

    }
}

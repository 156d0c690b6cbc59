//! A line through the logarithms of sizes and times, with the precision of its slope.
//!
//! Ordinary least squares; the 95% confidence interval of the slope is the textbook one, slope ± t · s / √Σ(x − x̄)²,
//! with the quantile of Student's t for k − 2 degrees of freedom.

use grader_model::GrowthFit;

/// Minimum number of points for a line with an interval.
pub(super) const FEWEST: usize = 3;

/// The line through points (size, time in seconds), all positive. `None` if there are fewer than [`FEWEST`] points, all
/// sizes are equal, or the time at size 1 is not a finite number.
pub(super) fn line(points: &[(f64, f64)]) -> Option<GrowthFit> {
    if points.len() < FEWEST {
        return None;
    }
    let count = points.len() as f64;
    let logs: Vec<(f64, f64)> = points
        .iter()
        .map(|(size, seconds)| (size.ln(), seconds.ln()))
        .collect();
    let mean = |of: &dyn Fn(&(f64, f64)) -> f64| logs.iter().map(of).sum::<f64>() / count;
    let (mean_x, mean_y) = (mean(&|(x, _)| *x), mean(&|(_, y)| *y));
    let spread = mean(&|(x, _)| (x - mean_x).powi(2)) * count;
    let common = mean(&|(x, y)| (x - mean_x) * (y - mean_y)) * count;
    if !(spread > 0.0 && common.is_finite()) {
        return None;
    }
    let exponent = common / spread;
    let start = mean_y - exponent * mean_x;
    let residue = mean(&|(x, y)| (y - start - exponent * x).powi(2)) * count;
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

/// The 97.5% quantile of Student's t, for a two-sided 95% interval. Exact for 1 to 30 degrees of freedom; above 30,
/// the value for 30, which is at most 4% too large.
///
/// From the table in the NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2.
fn student_t(freedom: usize) -> f64 {
    const TABLE: [f64; 30] = [
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
        2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
        2.052, 2.048, 2.045, 2.042,
    ];
    TABLE[freedom.clamp(1, 30) - 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pseudorandom numbers between -1 and 1, the same on every machine.
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
        // 95 of 100 are expected; the noise is not normal, and 200 draws deviate by three or four.
        assert!((180..=199).contains(&covered), "{covered} of 200");
    }

    #[test]
    fn too_few_points_and_points_of_one_size_have_no_line() {
        assert_eq!(line(&[(1.0, 1.0), (2.0, 2.0)]), None);
        assert_eq!(line(&[(2.0, 1.0), (2.0, 2.0), (2.0, 3.0)]), None);
    }
}

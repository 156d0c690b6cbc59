//! Descriptions of a growth in words.

use std::time::Duration;

use crate::{CpuTime, Growth, GrowthPoint, GrowthPointKind, GrowthVerdict, Text};

impl GrowthPoint {
    /// CPU time without the start-up.
    pub const fn net(&self, startup: CpuTime) -> Duration {
        self.cpu.0.saturating_sub(startup.0)
    }
}

impl Growth {
    /// One sentence with the exponent, its interval, whether that passes, and the rule.
    pub fn sentence(&self) -> Text {
        let over = &self.over;
        let line = self.fit.map(|fit| {
            let [about, low, high] = [fit.exponent, fit.low, fit.high].map(exponent);
            (
                format!("{over}^{about} (95%: {low} to {high})"),
                format!("{over}^{about}（95% 置信区间 {low} 至 {high}）"),
            )
        });
        let fails_by_its_line = self.fit.is_some_and(|fit| fit.low > self.at_most);
        let (en, zh) = match (self.verdict, line) {
            (GrowthVerdict::Within, Some((en, zh))) => (
                format!("its time grows about like {en}"),
                format!("运行时间约按 {zh}增长"),
            ),
            (GrowthVerdict::TooFast, Some((en, zh))) if fails_by_its_line => (
                format!("its time grows too fast: about {en}"),
                format!("运行时间增长过快：约为 {zh}"),
            ),
            (GrowthVerdict::TooFast, _) => {
                let least = self.stopped.map_or_else(String::new, exponent);
                let mut sizes = self.points.iter().rev().map(|point| point.size);
                let to = sizes.next().unwrap_or_default();
                let from = sizes.next().unwrap_or_default();
                let kind = self.points.last().map(|point| point.kind);
                let (end, end_zh) = match kind {
                    Some(GrowthPointKind::Stopped) => (", where it was stopped", "（被终止）"),
                    _ => ("", ""),
                };
                (
                    format!(
                        "its time grows too fast: at least {over}^{least} from {over}={from} to {over}={to}{end}"
                    ),
                    format!(
                        "运行时间增长过快：从 {over}={from} 到 {over}={to} 至少为 {over}^{least}{end_zh}"
                    ),
                )
            }
            (_, Some((en, zh))) => (
                format!("its growth could not be determined, so it passes: about {en}"),
                format!("运行时间的增长无法判定，按通过计：约为 {zh}"),
            ),
            (_, None) => self.unmeasured(),
        };
        let rule = format!("{over}^{}", exponent(self.at_most));
        let zh_rule = match self.verdict {
            GrowthVerdict::TooFast => format!("不得超过 {rule}"),
            GrowthVerdict::Within | GrowthVerdict::Unresolved => format!("不超过 {rule} 即通过"),
        };
        Text::new(
            format!("{en}; at most {rule} passes"),
            format!("{zh}；{zh_rule}"),
        )
    }

    /// Why there is no line, in English and Chinese.
    fn unmeasured(&self) -> (String, String) {
        let of_kind = |kind| self.points.iter().filter(|it| it.kind == kind).count();
        let measured = of_kind(GrowthPointKind::Measured);
        let all = self.points.len();
        if of_kind(GrowthPointKind::Stopped) > 0 || of_kind(GrowthPointKind::TooFast) == 0 {
            return (
                "its growth could not be determined: too few sizes were solved".to_owned(),
                "运行时间的增长无法判定：解出的规模太少".to_owned(),
            );
        }
        (
            format!(
                "its growth could not be determined, so it passes: too fast to measure ({measured} of {all} sizes took long enough)"
            ),
            format!(
                "运行时间的增长无法判定，按通过计：程序太快，测不出增长（{all} 个规模中只有 {measured} 个用时够长）"
            ),
        )
    }
}

/// An exponent with two decimals, or none from 10 on.
fn exponent(value: f64) -> String {
    if value.abs() >= 9.995 {
        return format!("{value:.0}");
    }
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    // Zero has no sign.
    if text == "-0" { "0" } else { text }.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GrowthFit;

    fn growth(verdict: GrowthVerdict, fit: Option<(f64, f64, f64)>) -> Growth {
        let point = |size, millis, kind| GrowthPoint {
            size,
            cpu: CpuTime::from_millis(millis),
            kind,
        };
        Growth {
            over: "n".to_owned(),
            at_most: 3.5,
            startup: CpuTime::from_millis(1),
            points: vec![
                point(16.0, 2, GrowthPointKind::TooFast),
                point(32.0, 600, GrowthPointKind::Measured),
                point(48.0, 9000, GrowthPointKind::Stopped),
            ],
            fit: fit.map(|(exponent, low, high)| GrowthFit {
                exponent,
                low,
                high,
                factor: 1e-6,
            }),
            stopped: Some(7.125),
            verdict,
        }
    }

    #[test]
    fn a_growth_says_its_exponent_the_rule_and_what_it_comes_to() {
        let mut fast = growth(GrowthVerdict::Unresolved, None);
        fast.points.pop();
        fast.stopped = None;
        let sentences = [
            growth(GrowthVerdict::Within, Some((2.0, 1.9, 2.104))),
            growth(GrowthVerdict::TooFast, Some((18.2, 15.0, 21.3))),
            growth(GrowthVerdict::TooFast, Some((18.2, -3.0, 39.4))),
            growth(GrowthVerdict::TooFast, None),
            growth(GrowthVerdict::Unresolved, Some((3.7, 3.2, 4.2))),
            growth(GrowthVerdict::Unresolved, None),
            fast,
        ]
        .map(|growth| growth.sentence());
        assert_eq!(
            sentences.clone().map(|text| text.en),
            [
                "its time grows about like n^2 (95%: 1.9 to 2.1); at most n^3.5 passes",
                "its time grows too fast: about n^18 (95%: 15 to 21); at most n^3.5 passes",
                "its time grows too fast: at least n^7.12 from n=32 to n=48, where it was stopped; at most n^3.5 passes",
                "its time grows too fast: at least n^7.12 from n=32 to n=48, where it was stopped; at most n^3.5 passes",
                "its growth could not be determined, so it passes: about n^3.7 (95%: 3.2 to 4.2); at most n^3.5 passes",
                "its growth could not be determined: too few sizes were solved; at most n^3.5 passes",
                "its growth could not be determined, so it passes: too fast to measure (1 of 2 sizes took long enough); at most n^3.5 passes",
            ]
        );
        assert_eq!(
            sentences.map(|text| text.zh)[..3],
            [
                "运行时间约按 n^2（95% 置信区间 1.9 至 2.1）增长；不超过 n^3.5 即通过",
                "运行时间增长过快：约为 n^18（95% 置信区间 15 至 21）；不得超过 n^3.5",
                "运行时间增长过快：从 n=32 到 n=48 至少为 n^7.12（被终止）；不得超过 n^3.5",
            ]
        );
    }

    #[test]
    fn exponents_are_written_short() {
        assert_eq!(
            [1.0, 0.973, -0.001, 3.5, 17.6, -12.2].map(exponent),
            ["1", "0.97", "0", "3.5", "18", "-12"]
        );
    }
}

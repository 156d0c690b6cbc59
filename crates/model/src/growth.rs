//! Descriptions of a growth in words.

use std::time::Duration;

use crate::{CpuTime, Growth, GrowthPoint, GrowthPointKind, GrowthVerdict, Text, text};

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
            text!(
                "{over}^{about} (95%: {low} to {high})",
                "{over}^{about}（95% 置信区间 {low} 至 {high}）"
            )
        });
        let fails_by_its_line = self.fit.is_some_and(|fit| fit.low > self.at_most);
        let found = match (self.verdict, line) {
            (GrowthVerdict::Within, Some(line)) => text!(
                "its time grows about like {line}",
                "运行时间约按 {line}增长",
                line
            ),
            (GrowthVerdict::TooFast, Some(line)) if fails_by_its_line => text!(
                "its time grows too fast: about {line}",
                "运行时间增长过快：约为 {line}",
                line
            ),
            (GrowthVerdict::TooFast, _) => {
                let least = self.stopped.map_or_else(String::new, exponent);
                let mut sizes = self.points.iter().rev().map(|point| point.size);
                let to = sizes.next().unwrap_or_default();
                let from = sizes.next().unwrap_or_default();
                let kind = self.points.last().map(|point| point.kind);
                let end = match kind {
                    Some(GrowthPointKind::Stopped) => {
                        Text::new(", where it was stopped", "（被终止）")
                    }
                    _ => Text::default(),
                };
                text!(
                    "its time grows too fast: at least {over}^{least} from {over}={from} to {over}={to}{end}",
                    "运行时间增长过快：从 {over}={from} 到 {over}={to} 至少为 {over}^{least}{end}",
                    end
                )
            }
            (_, Some(line)) => text!(
                "its growth could not be determined, so it passes: about {line}",
                "运行时间的增长无法判定，按通过计：约为 {line}",
                line
            ),
            (_, None) => self.unmeasured(),
        };
        let rule = format!("{over}^{}", exponent(self.at_most));
        match self.verdict {
            GrowthVerdict::TooFast => text!(
                "{found}; at most {rule} passes",
                "{found}；不得超过 {rule}",
                found
            ),
            GrowthVerdict::Within | GrowthVerdict::Unresolved => text!(
                "{found}; at most {rule} passes",
                "{found}；不超过 {rule} 即通过",
                found
            ),
        }
    }

    /// Why there is no line.
    fn unmeasured(&self) -> Text {
        let of_kind = |kind| self.points.iter().filter(|it| it.kind == kind).count();
        let measured = of_kind(GrowthPointKind::Measured);
        let all = self.points.len();
        if of_kind(GrowthPointKind::Stopped) > 0 || of_kind(GrowthPointKind::TooFast) == 0 {
            return Text::new(
                "its growth could not be determined: too few sizes were solved",
                "运行时间的增长无法判定：解出的规模太少",
            );
        }
        text!(
            "its growth could not be determined, so it passes: too fast to measure ({measured} of {all} sizes took long enough)",
            "运行时间的增长无法判定，按通过计：程序太快，测不出增长（{all} 个规模中只有 {measured} 个用时够长）"
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

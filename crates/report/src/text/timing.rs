//! What is behind a verdict on time or chance: limits, runs alone, attempts.

use grader_model::{Attempts, Confirmation, CpuTime, LimitOrigin, ReferenceCase};
use grader_view::{CaseView, Measured};

use crate::layout::whole;
use crate::style::{Style, Tone, safe};

impl Style {
    /// `limit: 4.7 × 2.11 s (reference) × 2 (language) + 50 ms = 19.9 s`. `None` for a time that the problem file gives
    /// and nothing changes.
    fn limit_origin(&self, origin: &LimitOrigin) -> Option<String> {
        let note = |en: &str, zh: &str| self.pick(format!(" ({en})"), format!("（{zh}）"));
        let (LimitOrigin::Seconds {
            language_factor, ..
        }
        | LimitOrigin::Reference {
            language_factor, ..
        }) = origin;
        let mut language = String::new();
        if (language_factor - 1.0).abs() > f64::EPSILON {
            language = format!(" × {language_factor}{}", note("language", "语言系数"));
        }
        let formula = match origin {
            LimitOrigin::Seconds { .. } if language.is_empty() => return None,
            LimitOrigin::Seconds { seconds, .. } => format!("{seconds}{language}"),
            LimitOrigin::Reference {
                factor,
                reference,
                case,
                start_up,
                slack,
                ..
            } => {
                let (name, en, zh) = match case {
                    ReferenceCase::Own => ("", "", ""),
                    ReferenceCase::Other(it) => (it.name.as_str(), "", ""),
                    ReferenceCase::AtLeast(it) => (it.name.as_str(), ", at least", " 为下限"),
                    ReferenceCase::AtMost(it) => (it.name.as_str(), ", at most", " 为上限"),
                };
                let en = format!("reference in {}{en}", safe(name));
                let zh = format!("参考程序 {}{zh}", safe(name));
                let case = note(en.trim_end_matches(" in "), zh.trim_end());
                let mut formula = format!("{factor} × {reference}{case}{language}");
                if *start_up > CpuTime::default() {
                    let (times, note) = (LimitOrigin::START_UPS, note("start-up", "启动"));
                    formula = format!("{formula} + {times} × {start_up}{note}");
                }
                if *slack > CpuTime::default() {
                    formula = format!("{formula} + {slack}");
                }
                formula
            }
        };
        // A full-width bracket brings its own blank.
        let formula = format!("{formula} = {}", origin.limit()).replace("） ", "）");
        Some(format!("{}{formula}", self.pick("limit: ", "限制：")))
    }

    /// Something used of its limit: `6.1 s of 6.33 s`.
    pub(crate) fn used_of(&self, used: CpuTime, limit: CpuTime) -> String {
        self.pick(
            format!("{used} of {limit}"),
            format!("{used}（限 {limit}）"),
        )
    }

    /// What a run used.
    pub(crate) fn measured(&self, case: &CaseView<'_>, measured: &Measured) -> String {
        let used = measured.limit.map(|limit| {
            let used = self.used_of(measured.cpu, limit);
            self.pick(format!("{used} CPU"), format!("CPU {used}"))
        });
        let mut parts = vec![used.unwrap_or_else(|| measured.cpu.to_string())];
        if case.is_near_limit() {
            let (en, zh) = if measured.is_undecided {
                ("too near the limit to decide", "太接近限制，无法断定")
            } else {
                ("near the limit", "接近限制")
            };
            parts.push(Tone::Partial.on(self.pick(en, zh)));
        }
        parts.extend(measured.memory.map(|memory| memory.to_string()));
        parts.extend(measured.share.map(f64::from).map(|share| {
            let share = (share * 100.0).round() / 100.0;
            let earns = self.pick(format!("earns {share}%"), format!("得 {share}%"));
            Tone::Partial.on(earns)
        }));
        parts.join(self.comma())
    }

    /// What is said of a case besides evidence: its attempts, its reason, and what is behind its time limit.
    pub(crate) fn case_lines(&self, case: &CaseView<'_>) -> Vec<String> {
        let mut lines = Vec::new();
        lines.extend(case.attempts().map(|attempts| self.attempts(attempts)));
        if case.says_why() {
            lines.push(self.text(case.reason()));
        }
        let origin = case.limit_origin();
        lines.extend(origin.and_then(|origin| self.limit_origin(origin)));
        lines.extend(case.confirmation().map(|it| self.confirmation(it)));
        lines
    }

    /// The CPU times of the runs alone, each with the limit at that moment.
    pub(crate) fn runs_alone(&self, confirmation: &Confirmation) -> String {
        let runs = confirmation.runs.iter().zip(&confirmation.limits);
        self.list(runs.map(|(run, limit)| whole(&self.used_of(*run, *limit))))
    }

    /// `run again alone: 6.1 s of 6.33 s, …; the smallest counts`.
    fn confirmation(&self, confirmation: &Confirmation) -> String {
        let runs = self.runs_alone(confirmation);
        let disagree = self.pick("the runs disagree, and ", "结果不一致，");
        let disagree = if confirmation.resolved { "" } else { disagree };
        self.pick(
            format!("run again alone: {runs}; {disagree}the smallest counts"),
            format!("单独重跑：{runs}；{disagree}以最小者为准"),
        )
    }

    /// `3 of 7 attempts accepted, 3 needed; rate 43% (95%: 16% to 75%)`, and a warning if luck may have decided.
    pub(crate) fn attempts(&self, attempts: &Attempts) -> String {
        let Attempts { made, accepted, .. } = attempts;
        let percent = |part: f64| whole(&format!("{:.0}%", part * 100.0));
        let (low, high) = attempts.interval();
        let (rate, low, high) = (percent(attempts.rate()), percent(low), percent(high));
        let needed = attempts.at_least.map(|needed| {
            self.pick(
                format!(", {needed} needed"),
                format!("，须通过 {needed} 次"),
            )
        });
        let needed = needed.unwrap_or_default();
        let luck = self.pick("; luck may have decided", "；结果可能取决于运气");
        let luck = if attempts.is_doubtful() { luck } else { "" };
        self.pick(
            format!("{accepted} of {made} attempts accepted{needed}; rate {rate} (95%: {low} to {high}){luck}"),
            format!("运行 {made} 次，通过 {accepted} 次{needed}；通过率 {rate}（95% 置信区间 {low} 至 {high}）{luck}"),
        )
    }
}

#[cfg(test)]
mod tests {
    use grader_model::{Lang, NamedCase};

    use super::*;

    #[test]
    fn a_limit_names_the_reference_the_language_and_its_bounds() {
        let reference = |case, language_factor, start_up| LimitOrigin::Reference {
            factor: 4.5,
            reference: CpuTime::from_millis(2000),
            case,
            language_factor,
            start_up: CpuTime::from_millis(start_up),
            slack: CpuTime::from_millis(50),
        };
        let seconds = |language_factor| LimitOrigin::Seconds {
            seconds: CpuTime::from_millis(1000),
            language_factor,
        };
        let case = || NamedCase {
            name: "large/n=14".to_owned(),
            hidden: false,
        };
        for (origin, en, zh) in [
            (seconds(1.0), "", ""),
            (
                seconds(2.0),
                "limit: 1 s × 2 (language) = 2 s",
                "限制：1 s × 2（语言系数）= 2 s",
            ),
            (
                reference(ReferenceCase::Own, 1.0, 0),
                "limit: 4.5 × 2 s (reference) + 50 ms = 9.05 s",
                "限制：4.5 × 2 s（参考程序）+ 50 ms = 9.05 s",
            ),
            (
                reference(ReferenceCase::Other(case()), 1.0, 0),
                "limit: 4.5 × 2 s (reference in large/n=14) + 50 ms = 9.05 s",
                "限制：4.5 × 2 s（参考程序 large/n=14）+ 50 ms = 9.05 s",
            ),
            (
                reference(ReferenceCase::AtLeast(case()), 2.0, 100),
                "limit: 4.5 × 2 s (reference in large/n=14, at least) × 2 (language) + 2 × 100 ms (start-up) + 50 ms = 18.25 s",
                "限制：4.5 × 2 s（参考程序 large/n=14 为下限）× 2（语言系数）+ 2 × 100 ms（启动）+ 50 ms = 18.25 s",
            ),
            (
                reference(ReferenceCase::AtMost(case()), 1.0, 0),
                "limit: 4.5 × 2 s (reference in large/n=14, at most) + 50 ms = 9.05 s",
                "限制：4.5 × 2 s（参考程序 large/n=14 为上限）+ 50 ms = 9.05 s",
            ),
        ] {
            let texts = [Lang::En, Lang::Zh].map(|lang| {
                let style = Style::of(lang);
                style.limit_origin(&origin).unwrap_or_default()
            });
            assert_eq!(texts, [en, zh]);
        }
    }
}

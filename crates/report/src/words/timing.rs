//! What is behind a verdict on time or chance: limits, runs alone, attempts.

use grader_model::{Attempts, Confirmation, CpuTime, LimitOrigin, ReferenceCase};
use grader_view::{CaseView, Measured};

use super::Words;
use crate::style::{Tone, safe};
use crate::wrap::whole;

impl Words {
    /// `limit: 4.7 × 2.11 s (reference) × 2 (language) + 50 ms = 19.9 s`. `None` for a time that the problem file gives
    /// and nothing changes.
    fn limit_origin(self, origin: &LimitOrigin) -> Option<String> {
        let (LimitOrigin::Seconds {
            language_factor, ..
        }
        | LimitOrigin::Reference {
            language_factor, ..
        }) = origin;
        let mut language = String::new();
        if (language_factor - 1.0).abs() > f64::EPSILON {
            language = format!(" × {language_factor}{}", self.note(self.language_factor()));
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
                let case = self.note(match case {
                    ReferenceCase::Own => self.reference().to_owned(),
                    ReferenceCase::Other(it) => self.reference_in(safe(&it.name)),
                    ReferenceCase::AtLeast(it) => self.reference_at_least(safe(&it.name)),
                    ReferenceCase::AtMost(it) => self.reference_at_most(safe(&it.name)),
                });
                let mut formula = format!("{factor} × {reference}{case}{language}");
                if *start_up > CpuTime::default() {
                    let (times, note) = (LimitOrigin::START_UPS, self.note(self.start_up()));
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
        Some(format!("{}{formula}", self.limit_label()))
    }

    /// What a run used.
    pub(crate) fn measured(self, case: &CaseView<'_>, measured: &Measured) -> String {
        let used = measured.limit;
        let used = used.map(|limit| self.cpu(self.used_of(measured.cpu, limit)));
        let mut parts = vec![used.unwrap_or_else(|| measured.cpu.to_string())];
        if case.is_near_limit() {
            let near = if measured.is_undecided {
                self.undecided()
            } else {
                self.near_limit()
            };
            parts.push(Tone::Partial.on(near));
        }
        parts.extend(measured.memory.map(|memory| memory.to_string()));
        parts.extend(measured.share.map(f64::from).map(|share| {
            let share = (share * 100.0).round() / 100.0;
            Tone::Partial.on(self.earns(share))
        }));
        parts.join(self.comma())
    }

    /// What is said of a case besides evidence: its attempts, its reason, and what is behind its time limit.
    pub(crate) fn case_lines(self, case: &CaseView<'_>) -> Vec<String> {
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
    pub(crate) fn runs_alone(self, confirmation: &Confirmation) -> String {
        let runs = confirmation.runs.iter().zip(&confirmation.limits);
        self.list(runs.map(|(run, limit)| whole(&self.used_of(*run, *limit))))
    }

    /// `run again alone: 6.1 s of 6.33 s, …; the smallest counts`.
    fn confirmation(self, confirmation: &Confirmation) -> String {
        let runs = self.runs_alone(confirmation);
        if confirmation.resolved {
            self.run_again(runs)
        } else {
            self.runs_disagree(runs)
        }
    }

    /// `3 of 7 attempts accepted, 3 needed; rate 43% (95%: 16% to 75%)`, and a warning if luck may have decided.
    pub(crate) fn attempts(self, attempts: &Attempts) -> String {
        let Attempts { made, accepted, .. } = attempts;
        let percent = |part: f64| whole(&format!("{:.0}%", part * 100.0));
        let (low, high) = attempts.interval();
        let (rate, low, high) = (percent(attempts.rate()), percent(low), percent(high));
        let mut words = self.attempts_accepted(accepted, made);
        if let Some(needed) = attempts.at_least {
            words += &self.attempts_needed(needed);
        }
        words += &self.attempts_rate(rate, low, high);
        if attempts.is_doubtful() {
            words += self.luck();
        }
        words
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
                let words = Words::of(lang);
                words.limit_origin(&origin).unwrap_or_default()
            });
            assert_eq!(texts, [en, zh]);
        }
    }
}

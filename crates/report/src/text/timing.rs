//! What is behind a verdict on time or chance: limits, runs alone, attempts.

use grader_model::{
    Attempts, CaseResult, CpuTime, Lang, LimitOrigin, NamedCase, ReferenceCase, Share,
};

use super::{Phrase, Words};
use crate::layout::whole;

impl Words {
    /// `limit: 4.7 × 2.11 s of the reference + 50 ms = 9.97 s`. `None` for a time that the problem file gives and nothing
    /// changes.
    pub(crate) fn limit_origin(self, origin: &LimitOrigin) -> Option<String> {
        let (en, zh) = match origin {
            LimitOrigin::Seconds {
                seconds,
                language_factor,
            } => {
                let (en, zh) = language(*language_factor)?;
                (format!("{seconds}{en}"), format!("{seconds}{zh}"))
            }
            LimitOrigin::Reference {
                factor,
                reference,
                case,
                language_factor,
                start_up,
                slack,
            } => {
                let (en_case, zh_case, zh_bound) = match case {
                    ReferenceCase::Own => (String::new(), String::new(), ""),
                    ReferenceCase::AtLeast(NamedCase { name, .. }) => (
                        format!(" in {name} (at least)"),
                        format!("在 {name} 的"),
                        "（下限）",
                    ),
                    ReferenceCase::AtMost(NamedCase { name, .. }) => (
                        format!(" in {name} (at most)"),
                        format!("在 {name} 的"),
                        "（上限）",
                    ),
                };
                let (en, zh) = language(*language_factor).unwrap_or_default();
                let mut en = format!("{factor} × {reference} of the reference{en_case}{en}");
                let mut zh = format!("参考程序{zh_case} {reference} × {factor}{zh_bound}{zh}");
                if *start_up > CpuTime::default() {
                    let times = LimitOrigin::START_UPS;
                    en = format!("{en} + {times} × {start_up} of start-up");
                    zh = format!("{zh} + 启动 {start_up} × {times}");
                }
                if *slack > CpuTime::default() {
                    en = format!("{en} + {slack}");
                    zh = format!("{zh} + {slack}");
                }
                (en, zh)
            }
        };
        let limit = origin.limit();
        // A full-width bracket brings its own blank.
        let zh = format!("限制：{zh} = {limit}").replace("） ", "）");
        Some(self.0.pick(format!("limit: {en} = {limit}"), zh))
    }

    /// `reference: 6.5 s`.
    pub(crate) fn reference(self, time: CpuTime) -> String {
        self.0
            .pick(format!("reference: {time}"), format!("参考程序：{time}"))
    }

    /// Something used of its limit: `6.1 s of 6.33 s`.
    pub(crate) fn used_of(self, used: &str, limit: &str) -> String {
        self.0.pick(
            format!("{used} of {limit}"),
            format!("{used}（限 {limit}）"),
        )
    }

    /// The CPU times of the runs alone, each with the limit at that moment. `None` if there were none.
    pub(crate) fn runs_alone(self, case: &CaseResult) -> Option<String> {
        let confirmation = case.confirmation.as_ref()?;
        let runs = confirmation.runs.iter().zip(&confirmation.limits);
        let runs: Vec<String> = runs
            .map(|(run, limit)| whole(&self.used_of(&run.to_string(), &limit.to_string())))
            .collect();
        (!runs.is_empty()).then(|| runs.join(self.say(Phrase::ListComma)))
    }

    /// `run again alone 3 times: 6.1 s of 6.33 s, …; the smallest counts`.
    pub(crate) fn confirmation(self, case: &CaseResult) -> Option<String> {
        let runs = self.runs_alone(case)?;
        let confirmation = case.confirmation.as_ref()?;
        let times = match (self.0, confirmation.runs.len()) {
            (Lang::En, 1) => String::new(),
            (Lang::En, count) => format!(" {count} times"),
            (Lang::Zh, count) => format!(" {count} 次"),
        };
        let (en, zh) = match (confirmation.resolved, confirmation.runs.len()) {
            (false, _) => (
                "; the runs disagree, and the smallest counts",
                "；结果不一致，以最小者为准",
            ),
            (true, 1) => ("", ""),
            (true, _) => ("; the smallest counts", "；以最小者为准"),
        };
        Some(self.0.pick(
            format!("run again alone{times}: {runs}{en}"),
            format!("单独重跑{times}：{runs}{zh}"),
        ))
    }

    /// What a case earned of its points.
    pub(crate) fn earns(self, share: Share) -> String {
        let percent = f64::from(share);
        self.0
            .pick(format!("earns {percent} %"), format!("得 {percent} %"))
    }

    /// The rule of a whole subtask: `each case: 3 of at most 12 attempts must be accepted`.
    pub(crate) fn attempts_rule(self, attempts: &Attempts) -> String {
        let runs = attempts.runs;
        match attempts.at_least {
            Some(at_least) => self.0.pick(
                format!("each case: {at_least} of at most {runs} attempts must be accepted"),
                format!("每个测试点至多运行 {runs} 次，须通过 {at_least} 次"),
            ),
            None => self.0.pick(
                format!("each case: {runs} attempts; points in proportion to those accepted"),
                format!("每个测试点运行 {runs} 次，按通过的比例得分"),
            ),
        }
    }

    /// `3 of 7 attempts accepted; rate 43 % (95 %: 16 % to 75 %)`, and a warning if luck may have decided.
    pub(crate) fn attempts(self, attempts: &Attempts) -> String {
        let Attempts { made, accepted, .. } = attempts;
        let percent = |part: f64| format!("{:.0} %", part * 100.0);
        let (low, high) = attempts.interval();
        let (rate, low, high) = (percent(attempts.rate()), percent(low), percent(high));
        let luck = if attempts.is_doubtful() {
            self.0
                .pick("; luck may have decided", "；结果可能取决于运气")
        } else {
            ""
        };
        match self.0 {
            Lang::En => {
                let made = self.counted(*made as usize, ["attempt", "attempts"], "");
                let rate = whole(&format!("rate {rate}"));
                let interval = whole(&format!("(95 %: {low} to {high})"));
                format!("{accepted} of {made} accepted; {rate} {interval}{luck}")
            }
            Lang::Zh => {
                let rate = whole(&format!("通过率 {rate}"));
                let interval = whole(&format!("（95 % 置信区间 {low} 至 {high}）"));
                format!("运行 {made} 次，通过 {accepted} 次；{rate}{interval}{luck}")
            }
        }
    }
}

/// The part of a formula about the language. `None` if its factor is 1.
fn language(factor: f64) -> Option<(String, String)> {
    let changes = (factor - 1.0).abs() > f64::EPSILON;
    changes.then(|| {
        (
            format!(" × {factor} for the language"),
            format!(" × {factor}（语言系数）"),
        )
    })
}

#[cfg(test)]
mod tests {
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
                "limit: 1 s × 2 for the language = 2 s",
                "限制：1 s × 2（语言系数）= 2 s",
            ),
            (
                reference(ReferenceCase::Own, 1.0, 0),
                "limit: 4.5 × 2 s of the reference + 50 ms = 9.05 s",
                "限制：参考程序 2 s × 4.5 + 50 ms = 9.05 s",
            ),
            (
                reference(ReferenceCase::AtLeast(case()), 2.0, 100),
                "limit: 4.5 × 2 s of the reference in large/n=14 (at least) × 2 for the language + 2 × 100 ms of start-up + 50 ms = 18.25 s",
                "限制：参考程序在 large/n=14 的 2 s × 4.5（下限）× 2（语言系数）+ 启动 100 ms × 2 + 50 ms = 18.25 s",
            ),
            (
                reference(ReferenceCase::AtMost(case()), 1.0, 0),
                "limit: 4.5 × 2 s of the reference in large/n=14 (at most) + 50 ms = 9.05 s",
                "限制：参考程序在 large/n=14 的 2 s × 4.5（上限）+ 50 ms = 9.05 s",
            ),
        ] {
            let texts = [Lang::En, Lang::Zh]
                .map(|lang| Words(lang).limit_origin(&origin).unwrap_or_default());
            assert_eq!(texts, [en, zh]);
        }
    }
}

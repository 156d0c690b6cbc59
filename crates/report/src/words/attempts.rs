//! Attempts of a program that draws random numbers, and the rule they are judged by.

use grader_model::{Attempts, Lang};

use super::Words;
use crate::layout::whole;

impl Words {
    /// The rule, once for a whole subtask: `each case: 3 of at most 12 attempts must be accepted`.
    pub(crate) fn attempts_rule(self, attempts: &Attempts) -> String {
        let runs = attempts.runs;
        match (self.0, attempts.at_least) {
            (Lang::En, Some(at_least)) => {
                format!("each case: {at_least} of at most {runs} attempts must be accepted")
            }
            (Lang::En, None) => {
                format!("each case: {runs} attempts; points in proportion to those accepted")
            }
            (Lang::Zh, Some(at_least)) => {
                format!("每个测试点至多运行 {runs} 次，须通过 {at_least} 次")
            }
            (Lang::Zh, None) => format!("每个测试点运行 {runs} 次，按通过的比例得分"),
        }
    }

    /// What became of the attempts: `3 of 7 attempts accepted`, and that luck may have decided where it may.
    pub(crate) fn attempts(self, attempts: &Attempts) -> String {
        self.told(attempts, "")
    }

    /// The same with the rate: `3 of 7 attempts accepted; rate 43 % (95 %: 16 % to 75 %)`.
    pub(crate) fn attempts_with_rate(self, attempts: &Attempts) -> String {
        self.told(attempts, &self.rate(attempts))
    }

    /// What several cases have in common of which every attempt was accepted: `n=4, n=5: 3 of 3 attempts accepted`.
    pub(crate) fn all_attempts(self, cases: &str, attempts: &Attempts) -> String {
        let told = self.attempts_with_rate(attempts);
        match self.0 {
            Lang::En => format!("{cases}: {told}"),
            Lang::Zh => format!("{cases}：{told}"),
        }
    }

    fn told(self, attempts: &Attempts, rate: &str) -> String {
        let Attempts { made, accepted, .. } = attempts;
        let luck = match (self.0, attempts.is_doubtful()) {
            (_, false) => "",
            (Lang::En, true) => "; luck may have decided",
            (Lang::Zh, true) => "；结果可能取决于运气",
        };
        match self.0 {
            Lang::En => {
                let made = self.counted(*made as usize, "attempt", "attempts", "");
                format!("{accepted} of {made} accepted{rate}{luck}")
            }
            Lang::Zh => format!("运行 {made} 次，通过 {accepted} 次{rate}{luck}"),
        }
    }

    /// The rate with its interval, in pieces that are not broken.
    fn rate(self, attempts: &Attempts) -> String {
        let percent = |part: f64| format!("{:.0} %", part * 100.0);
        let (low, high) = attempts.interval();
        let (rate, low, high) = (percent(attempts.rate()), percent(low), percent(high));
        match self.0 {
            Lang::En => format!(
                "; {} {}",
                whole(&format!("rate {rate}")),
                whole(&format!("(95 %: {low} to {high})"))
            ),
            Lang::Zh => format!(
                "；{}{}",
                whole(&format!("通过率 {rate}")),
                whole(&format!("（95 % 置信区间 {low} 至 {high}）"))
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rule_is_told_once_and_luck_only_where_it_may_have_decided() {
        let of = |at_least, accepted, made| Attempts {
            runs: 12,
            at_least,
            made,
            accepted,
            outputs: 1,
            seconds: 1,
        };
        let (en, zh) = (Words(Lang::En), Words(Lang::Zh));
        let chance = of(Some(3), 3, 7);
        assert_eq!(
            [
                en.attempts_rule(&chance),
                zh.attempts_rule(&chance),
                en.attempts_rule(&of(None, 12, 12)),
                zh.attempts_rule(&of(None, 12, 12)),
                en.attempts(&chance),
                zh.attempts(&chance),
                en.attempts(&of(Some(3), 3, 5)),
                zh.attempts(&of(Some(3), 3, 5)),
            ],
            [
                "each case: 3 of at most 12 attempts must be accepted",
                "每个测试点至多运行 12 次，须通过 3 次",
                "each case: 12 attempts; points in proportion to those accepted",
                "每个测试点运行 12 次，按通过的比例得分",
                "3 of 7 attempts accepted; luck may have decided",
                "运行 7 次，通过 3 次；结果可能取决于运气",
                "3 of 5 attempts accepted",
                "运行 5 次，通过 3 次",
            ]
        );
    }

    #[test]
    fn an_interval_stands_in_one_piece() {
        let all = Attempts {
            runs: 12,
            at_least: Some(3),
            made: 3,
            accepted: 3,
            outputs: 3,
            seconds: 1,
        };
        assert_eq!(
            Words(Lang::Zh).all_attempts("n=4、n=5", &all),
            "n=4、n=5：运行 3 次，通过 3 次；通过率\u{a0}100\u{a0}%（95\u{a0}%\u{a0}置信区间\u{a0}44\u{a0}%\u{a0}至\u{a0}100\u{a0}%）"
        );
        assert_eq!(
            Words(Lang::En).all_attempts("n=4, n=5", &all),
            "n=4, n=5: 3 of 3 attempts accepted; rate\u{a0}100\u{a0}% (95\u{a0}%:\u{a0}44\u{a0}%\u{a0}to\u{a0}100\u{a0}%)"
        );
    }
}

//! What stands behind a verdict on time: limits, runs alone, shares, calibration.

use grader_model::{CpuTime, Lang, LimitOrigin, NamedCase, ReferenceCase, Share};

use super::Words;

/// How many results are close, of which kinds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CloseCalls {
    /// Cases near a time limit that the runs alone settled.
    pub(crate) settled: usize,
    /// Cases near a time limit that are not settled.
    pub(crate) open: usize,
    /// Subtasks whose growth cannot be told.
    pub(crate) growths: usize,
    /// Cases of which luck may have decided how many attempts were accepted.
    pub(crate) chances: usize,
}

impl Words {
    /// How a limit came about. `None` for a time that the problem file gives and nothing changes.
    pub(crate) fn limit_origin(self, origin: &LimitOrigin) -> Option<String> {
        let limit = origin.limit();
        match origin {
            LimitOrigin::Seconds {
                seconds,
                language_factor,
            } => is_not_one(*language_factor).then(|| {
                self.0.pick(
                    format!("limit: {seconds} × {language_factor} for the language = {limit}"),
                    format!("限制：{seconds} × {language_factor}（语言系数）= {limit}"),
                )
            }),
            LimitOrigin::Reference {
                factor,
                reference,
                case,
                language_factor,
                start_up,
                slack,
            } => {
                let (mut en, mut zh) = match case {
                    ReferenceCase::Own => (
                        format!("{reference} of the reference"),
                        format!("标准程序 {reference} × {factor}"),
                    ),
                    ReferenceCase::AtLeast(NamedCase { name, .. }) => (
                        format!("{reference} of the reference in {name} (at least)"),
                        format!("标准程序在 {name} 的 {reference} × {factor}（下限）"),
                    ),
                    ReferenceCase::AtMost(NamedCase { name, .. }) => (
                        format!("{reference} of the reference in {name} (at most)"),
                        format!("标准程序在 {name} 的 {reference} × {factor}（上限）"),
                    ),
                };
                if is_not_one(*language_factor) {
                    en = format!("{en} × {language_factor} for the language");
                    zh = format!("{zh} × {language_factor}（语言系数）");
                }
                if *start_up > CpuTime::default() {
                    let times = LimitOrigin::START_UPS;
                    en = format!("{en} + {times} × {start_up} of start-up");
                    zh = format!("{zh} + 启动 {start_up} × {times}");
                }
                if *slack > CpuTime::default() {
                    en = format!("{en} + {slack}");
                    zh = format!("{zh} + {slack}");
                }
                // A full-width bracket brings its own blank.
                zh = format!("{zh} = {limit}").replace("） ", "）");
                Some(self.0.pick(
                    format!("limit: {factor} × {en} = {limit}"),
                    format!("限制：{zh}"),
                ))
            }
        }
    }

    /// `reference: 6.5 s`.
    pub(crate) fn reference(self, time: &str) -> String {
        match self.0 {
            Lang::En => format!("reference: {time}"),
            Lang::Zh => format!("标准程序：{time}"),
        }
    }

    /// A run alone and the limit of its moment: `6.1 s of 6.33 s`.
    pub(crate) fn run_of(self, run: &str, limit: &str) -> String {
        match self.0 {
            Lang::En => format!("{run} of {limit}"),
            Lang::Zh => format!("{run}（限 {limit}）"),
        }
    }

    /// What the runs alone gave.
    pub(crate) fn run_alone(self, runs: &str, count: usize, agree: bool) -> String {
        let times = match (self.0, count) {
            (Lang::En, 1) => String::new(),
            (Lang::En, _) => format!(" {count} times"),
            (Lang::Zh, _) => format!(" {count} 次"),
        };
        let rule = match (self.0, count, agree) {
            (Lang::En, _, false) => "; they do not agree, and the smallest counts",
            (Lang::Zh, _, false) => "；结论不一，以最小者为准",
            (_, 0 | 1, true) => "",
            (Lang::En, _, true) => "; the smallest counts",
            (Lang::Zh, _, true) => "；以最小者为准",
        };
        match self.0 {
            Lang::En => format!("run again alone{times}: {runs}{rule}"),
            Lang::Zh => format!("单独重跑{times}：{runs}{rule}"),
        }
    }

    /// The same in a list, where the title says what they are.
    pub(crate) fn alone_in_list(self, runs: Option<&str>) -> String {
        match (self.0, runs) {
            (Lang::En, Some(runs)) => format!("alone {runs}"),
            (Lang::Zh, Some(runs)) => format!("单独重跑 {runs}"),
            (Lang::En, None) => "not run again".to_owned(),
            (Lang::Zh, None) => "没有重跑".to_owned(),
        }
    }

    /// What a case earned of its points.
    pub(crate) fn earns(self, share: Share) -> String {
        let percent = f64::from(share.thousandths()) / 10.0;
        match self.0 {
            Lang::En => format!("earns {percent} %"),
            Lang::Zh => format!("得 {percent} %"),
        }
    }

    /// Cases that were not run as nothing more could be learnt.
    pub(crate) fn skipped(self, count: usize) -> String {
        match self.0 {
            Lang::En => format!("{count} not needed"),
            Lang::Zh => format!("{count} 个不必运行"),
        }
    }

    /// How well a reference time is known: `spread 8 %, measured 3 times`.
    pub(crate) fn measured(self, spread: Option<f64>, samples: u32) -> String {
        let spread = match (self.0, spread) {
            (Lang::En, Some(spread)) => format!("spread {spread:.0} %, "),
            (Lang::Zh, Some(spread)) => format!("相差 {spread:.0} %，"),
            (_, None) => String::new(),
        };
        let source = match (self.0, samples) {
            (Lang::En, 1) => "measured once".to_owned(),
            (Lang::En, _) => format!("measured {samples} times"),
            (Lang::Zh, _) => format!("测量 {samples} 次"),
        };
        format!("{spread}{source}")
    }

    /// How many results are close, one text for each kind that there is.
    pub(crate) fn close_calls(self, close: CloseCalls) -> Vec<String> {
        let CloseCalls {
            settled,
            open,
            growths,
            chances,
        } = close;
        let mut parts = Vec::new();
        if settled + open > 0 {
            let all = settled + open;
            parts.push(match (self.0, settled, open) {
                (Lang::En, _, 0) => {
                    format!(
                        "{} near a time limit, settled by runs alone",
                        self.cases(all)
                    )
                }
                (Lang::En, 0, _) => format!("{} near a time limit, not settled", self.cases(all)),
                (Lang::En, ..) => format!(
                    "{} near a time limit, of which runs alone settled {settled}",
                    self.cases(all)
                ),
                (Lang::Zh, _, 0) => format!("{all} 个测试点接近时间限制，单独重跑后已有定论"),
                (Lang::Zh, 0, _) => format!("{all} 个测试点接近时间限制，没有定论"),
                (Lang::Zh, ..) => {
                    format!("{all} 个测试点接近时间限制，其中 {settled} 个单独重跑后已有定论")
                }
            });
        }
        if growths > 0 {
            parts.push(match (self.0, growths) {
                (Lang::En, 1) => "1 subtask whose growth cannot be told".to_owned(),
                (Lang::En, _) => format!("{growths} subtasks whose growth cannot be told"),
                (Lang::Zh, _) => format!("{growths} 个子任务的增长难以断定"),
            });
        }
        if chances > 0 {
            parts.push(match self.0 {
                Lang::En => format!("{} that luck may have decided", self.cases(chances)),
                Lang::Zh => format!("{chances} 个测试点的结果可能取决于运气"),
            });
        }
        parts
    }
}

/// Whether a factor changes anything.
fn is_not_one(factor: f64) -> bool {
    (factor - 1.0).abs() > f64::EPSILON
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_explained_by_the_reference_the_language_and_its_bounds() {
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
        let explained = |origin: &LimitOrigin| {
            [Lang::En, Lang::Zh].map(|lang| Words(lang).limit_origin(origin).unwrap_or_default())
        };
        for (origin, expected) in [
            (seconds(1.0), ["", ""]),
            (
                seconds(2.0),
                [
                    "limit: 1 s × 2 for the language = 2 s",
                    "限制：1 s × 2（语言系数）= 2 s",
                ],
            ),
            (
                reference(ReferenceCase::Own, 1.0, 0),
                [
                    "limit: 4.5 × 2 s of the reference + 50 ms = 9.05 s",
                    "限制：标准程序 2 s × 4.5 + 50 ms = 9.05 s",
                ],
            ),
            (
                reference(ReferenceCase::AtLeast(case()), 2.0, 100),
                [
                    "limit: 4.5 × 2 s of the reference in large/n=14 (at least) × 2 for the language + 2 × 100 ms of start-up + 50 ms = 18.25 s",
                    "限制：标准程序在 large/n=14 的 2 s × 4.5（下限）× 2（语言系数）+ 启动 100 ms × 2 + 50 ms = 18.25 s",
                ],
            ),
            (
                reference(ReferenceCase::AtMost(case()), 1.0, 0),
                [
                    "limit: 4.5 × 2 s of the reference in large/n=14 (at most) + 50 ms = 9.05 s",
                    "限制：标准程序在 large/n=14 的 2 s × 4.5（上限）+ 50 ms = 9.05 s",
                ],
            ),
        ] {
            assert_eq!(explained(&origin), expected, "{origin:?}");
        }
    }
}

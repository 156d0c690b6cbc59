//! What stands behind a verdict on time: limits, runs alone, shares, calibration.

use grader_model::{Lang, Share};

use super::Words;

/// A limit as a product: `3 × 500 ms of the reference × 10 for the language = 15 s`.
pub(crate) struct Product {
    /// The multiple of the reference's time.
    pub(crate) factor: f64,
    /// The reference's time.
    pub(crate) yardstick: String,
    /// The factor of the language; nothing where it changes nothing.
    pub(crate) language: Option<f64>,
    /// What it comes to.
    pub(crate) result: String,
}

/// A limit that is not the product, which is too small or too large.
pub(crate) enum LimitEnd {
    /// The smallest limit.
    Least(String),
    /// The largest limit.
    Most(String),
}

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
    /// How a limit came about.
    pub(crate) fn limit_is(self, product: &Product, end: Option<&LimitEnd>) -> String {
        let Product {
            factor,
            yardstick,
            language,
            result,
        } = product;
        let language = self.for_language(*language);
        match self.0 {
            Lang::En => {
                let product =
                    format!("{factor} × {yardstick} of the reference{language} = {result}");
                match end {
                    None => format!("limit: {product}"),
                    Some(LimitEnd::Least(least)) => {
                        format!("limit: at least {least}; {product} is less")
                    }
                    Some(LimitEnd::Most(most)) => {
                        format!("limit: at most {most}; {product} is more")
                    }
                }
            }
            Lang::Zh => {
                let product = format!("标准程序 {yardstick} × {factor}{language}= {result}");
                match end {
                    None => format!("限制：{product}"),
                    Some(LimitEnd::Least(least)) => {
                        format!("限制：至少 {least}；{product}，不到此数")
                    }
                    Some(LimitEnd::Most(most)) => {
                        format!("限制：至多 {most}；{product}，超过此数")
                    }
                }
            }
        }
    }

    /// How a limit came about that is the same on every machine.
    pub(crate) fn limit_by_language(self, base: &str, factor: f64, limit: &str) -> String {
        let language = self.for_language(Some(factor));
        match self.0 {
            Lang::En => format!("limit: {base}{language} = {limit}"),
            Lang::Zh => format!("限制：{base}{language}= {limit}"),
        }
    }

    /// What is multiplied with for the language; in Chinese with the blank before what follows.
    fn for_language(self, factor: Option<f64>) -> String {
        match (self.0, factor) {
            (Lang::En, None) => String::new(),
            (Lang::En, Some(factor)) => format!(" × {factor} for the language"),
            (Lang::Zh, None) => " ".to_owned(),
            (Lang::Zh, Some(factor)) => format!(" × {factor}（语言系数）"),
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
    pub(crate) fn needless(self, count: usize) -> String {
        match self.0 {
            Lang::En => format!("{count} not needed"),
            Lang::Zh => format!("{count} 个不必运行"),
        }
    }

    /// How well a yardstick is known: `spread 8 %, measured 3 times`.
    pub(crate) fn measured(self, spread: Option<f64>, samples: u32, kept: bool) -> String {
        let spread = match (self.0, spread) {
            (Lang::En, Some(spread)) => format!("spread {spread:.0} %, "),
            (Lang::Zh, Some(spread)) => format!("相差 {spread:.0} %，"),
            (_, None) => String::new(),
        };
        let source = match (self.0, kept, samples) {
            (Lang::En, true, _) => "kept from an earlier run".to_owned(),
            (Lang::En, false, 1) => "measured once".to_owned(),
            (Lang::En, false, _) => format!("measured {samples} times"),
            (Lang::Zh, true, _) => "沿用以前的测量".to_owned(),
            (Lang::Zh, false, _) => format!("测量 {samples} 次"),
        };
        format!("{spread}{source}")
    }

    /// That the machine did not keep its speed.
    pub(crate) fn drifted(self, times: u32) -> String {
        match (self.0, times) {
            (Lang::En, 1) => "machine speed changed once; limits followed".to_owned(),
            (Lang::En, _) => format!("machine speed changed {times} times; limits followed"),
            (Lang::Zh, _) => format!("机器速度变化 {times} 次，限制已随之调整"),
        }
    }

    /// A ceiling that is below the multiple of the reference's time.
    pub(crate) fn cut_limit(self, wanted: &str, ceiling: &str) -> String {
        self.0.pick(
            format!(
                "too slow a machine: the limit would be {wanted}, but `at-most` holds it at {ceiling}"
            ),
            format!("机器太慢：时限本应为 {wanted}，但被 `at-most` 限制在 {ceiling}"),
        )
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

//! Words about runs: how fast one goes, and what it took from earlier ones.

use grader_model::{Change, Lang};

use super::Words;

/// So many runs are named; more are counted.
const NAMED_RUNS: usize = 3;

impl Words {
    /// What a bar says of submissions while it runs.
    pub(crate) fn jobs(self, done: usize, all: usize, taken: usize) -> String {
        let jobs = match self.0 {
            Lang::En => format!("{done}/{all} submissions"),
            Lang::Zh => format!("{done}/{all} 份程序"),
        };
        match (self.0, taken) {
            (_, 0) => jobs,
            (Lang::En, _) => format!("{jobs}, {taken} of them known already"),
            (Lang::Zh, _) => format!("{jobs}，其中 {taken} 份已有结果"),
        }
    }

    /// Submissions that are judged in a minute.
    pub(crate) fn per_minute(self, per_minute: u64) -> String {
        match self.0 {
            Lang::En => format!("{per_minute}/min"),
            Lang::Zh => format!("每分钟 {per_minute} 份"),
        }
    }

    /// Time left, as precise as an estimate can be.
    pub(crate) fn time_left(self, ms: u64) -> String {
        let seconds = ms.div_ceil(1000);
        let minutes = seconds.div_ceil(60);
        let time = match (self.0, seconds, minutes) {
            (Lang::En, ..60, _) => format!("{seconds} s"),
            (Lang::En, _, ..60) => format!("{minutes} min"),
            (Lang::En, ..) => format!("{} h {} min", minutes / 60, minutes % 60),
            (Lang::Zh, ..60, _) => format!("{seconds} 秒"),
            (Lang::Zh, _, ..60) => format!("{minutes} 分钟"),
            (Lang::Zh, ..) => format!("{} 小时 {} 分钟", minutes / 60, minutes % 60),
        };
        match self.0 {
            Lang::En => format!("{time} left"),
            Lang::Zh => format!("还需 {time}"),
        }
    }

    /// Which run of the ledger it is: `run 3, begun 2026-11-22 05:23:47 UTC`.
    pub(crate) fn run(self, id: u64, began: &str) -> String {
        match self.0 {
            Lang::En => format!("run {id}, begun {began}"),
            Lang::Zh => format!("第 {id} 次评测，开始于 {began}"),
        }
    }

    /// `2380 of 2500 submissions taken from run 3`.
    pub(crate) fn taken(self, taken: usize, all: usize, runs: &[u64]) -> String {
        match (self.0, taken) {
            (Lang::En, 0) => format!("none of {all} submissions taken from earlier runs"),
            (Lang::Zh, 0) => format!("{all} 份程序均非取自以前的评测"),
            (Lang::En, _) => format!(
                "{taken} of {all} submissions taken from {}",
                self.runs(runs)
            ),
            (Lang::Zh, _) => format!("{all} 份程序中 {taken} 份取自{}", self.runs(runs)),
        }
    }

    /// `120 judged`, of all submissions where nothing was taken.
    pub(crate) fn judged(self, judged: usize) -> String {
        match self.0 {
            Lang::En => format!("{judged} judged"),
            Lang::Zh => format!("{judged} 份重新评测"),
        }
    }

    /// Why an earlier result was not taken.
    pub(crate) fn changes(self, changes: &[Change]) -> String {
        let changes: Vec<String> = changes
            .iter()
            .map(|change| change.text().get(self.0).to_owned())
            .collect();
        match self.0 {
            Lang::En => changes.join(" and "),
            Lang::Zh => changes.join("、"),
        }
    }

    /// Submissions that no earlier run knows.
    pub(crate) const fn new_ones(self) -> &'static str {
        match self.0 {
            Lang::En => "new",
            Lang::Zh => "新提交",
        }
    }

    /// Why one submission was judged although an earlier run knows it.
    pub(crate) fn judged_because(self, changes: &[Change]) -> String {
        let changes = self.changes(changes);
        match self.0 {
            Lang::En => format!("judged in this run: {changes}"),
            Lang::Zh => format!("本次重新评测：{changes}"),
        }
    }

    /// Where the result of one submission comes from.
    pub(crate) fn taken_from(self, run: u64) -> String {
        match self.0 {
            Lang::En => format!("taken from run {run}: nothing has changed since"),
            Lang::Zh => format!("取自第 {run} 次评测：之后没有变化"),
        }
    }

    fn runs(self, runs: &[u64]) -> String {
        let ids: Vec<String> = runs.iter().map(u64::to_string).collect();
        match (self.0, ids.as_slice()) {
            (Lang::En, [id]) => format!("run {id}"),
            (Lang::En, ids) if ids.len() > NAMED_RUNS => format!("{} earlier runs", ids.len()),
            (Lang::En, ids) => format!("runs {}", ids.join(", ")),
            (Lang::Zh, ids) if ids.len() > NAMED_RUNS => format!("以前的 {} 次评测", ids.len()),
            (Lang::Zh, ids) => format!("第 {} 次评测", ids.join("、")),
        }
    }
}

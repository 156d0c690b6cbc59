//! The runs of a ledger: a table for people, and `bitcraft-history/1` for programs.

use std::path::PathBuf;

use grader_model::{AssignmentId, LedgerUpgrade, RunState, RunSummary, escaped};
use schemars::JsonSchema;
use serde::Serialize;

use crate::layout::{Page, table};
use crate::style::{Style, Tone, safe};
use crate::text::moment;

/// The runs of a ledger: `bitcraft-history/1`. Text from the ledger is escaped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct History {
    /// Name and version of this format.
    #[schemars(extend("const" = "bitcraft-history/1"))]
    format: &'static str,
    /// The runs, in their order.
    runs: Vec<RunSummary>,
    /// Its upgrades to later formats.
    upgrades: Vec<LedgerUpgrade>,
}

impl History {
    /// The runs and the upgrades of a ledger.
    pub fn of(runs: &[RunSummary], upgrades: &[LedgerUpgrade]) -> Self {
        let run = |run: &RunSummary| RunSummary {
            began: safe(&run.began),
            ended: run.ended.as_deref().map(safe),
            class: PathBuf::from(class(run)),
            assignment: AssignmentId::new(safe(run.assignment.as_str())),
            grader: safe(&run.grader),
            shard: run.shard.as_deref().map(safe),
            ..run.clone()
        };
        let upgrade = |upgrade: &LedgerUpgrade| LedgerUpgrade {
            at: safe(&upgrade.at),
            grader: safe(&upgrade.grader),
            copy: safe(&upgrade.copy),
            ..*upgrade
        };
        Self {
            format: "bitcraft-history/1",
            runs: runs.iter().map(run).collect(),
            upgrades: upgrades.iter().map(upgrade).collect(),
        }
    }
}

/// The runs of a ledger: a table for each class and assignment, in the order in which each was first graded. Then its
/// upgrades.
pub fn history(runs: &[RunSummary], upgrades: &[LedgerUpgrade], style: &Style) -> String {
    let heads = [
        ("run", "编号"),
        ("started (UTC)", "开始时间（UTC）"),
        ("state", "状态"),
        ("students", "学生数"),
        ("judged", "评测份数"),
        ("reused", "沿用份数"),
        ("grader errors", "故障份数"),
    ];
    let heads = heads.map(|(en, zh)| style.pick(en, zh).to_owned());
    let mut page = Page::new(style);
    let mut left: Vec<&RunSummary> = runs.iter().collect();
    if left.is_empty() {
        page.line(0, style.pick("No runs yet.", "还没有评测。"));
    }
    while let Some(first) = left.first().copied() {
        let is_same =
            |it: &&RunSummary| (&it.class, &it.assignment) == (&first.class, &first.assignment);
        let (same, others): (Vec<_>, Vec<_>) = left.into_iter().partition(is_same);
        page.gap();
        let assignment = Tone::Strong.on(safe(first.assignment.as_str()));
        page.line(0, &format!("{assignment} · {}", class(first)));
        let mut rows = vec![heads.to_vec()];
        rows.extend(same.into_iter().map(|run| cells(run, style)));
        for line in table(&rows, &[0, 3, 4, 5, 6]) {
            page.raw(0, &line);
        }
        left = others;
    }
    if !upgrades.is_empty() {
        page.gap();
    }
    for upgrade in upgrades {
        page.line(0, &sentence(upgrade, style));
    }
    page.finish()
}

fn sentence(upgrade: &LedgerUpgrade, style: &Style) -> String {
    let LedgerUpgrade { from, to, .. } = upgrade;
    let [grader, copy] = [&upgrade.grader, &upgrade.copy].map(|it| safe(it));
    let at = moment(&upgrade.at);
    style.pick(
        format!("Upgraded from format {from} to {to} by grader {grader}, {at}; the file before that: `{copy}`."),
        format!("{at}，grader {grader} 将结果库从格式 {from} 升级到格式 {to}；升级前的文件：`{copy}`。"),
    )
}

fn class(run: &RunSummary) -> String {
    escaped(run.class.as_os_str().as_encoded_bytes())
}

fn cells(run: &RunSummary, style: &Style) -> Vec<String> {
    let tone = match run.state {
        RunState::Finished => Tone::Pass,
        RunState::Running => Tone::Partial,
        RunState::Interrupted | RunState::Killed => Tone::Fail,
    };
    let faults = run.faults.to_string();
    let began = moment(&run.began);
    vec![
        run.id.to_string(),
        began.trim_end_matches(" UTC").to_owned(),
        tone.on(match &run.shard {
            Some(shard) => format!("{} ({})", run.state.text().get(style.lang), safe(shard)),
            None => run.state.text().get(style.lang).to_owned(),
        }),
        run.students.to_string(),
        run.judged.to_string(),
        run.reused.to_string(),
        if run.faults > 0 {
            Tone::Fail.on(faults)
        } else {
            faults
        },
    ]
}

#[cfg(test)]
mod tests;

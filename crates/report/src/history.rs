//! The runs of a ledger: a table for people, and `bitcraft-history/1` for programs.

use std::path::PathBuf;

use grader_model::{AssignmentId, LedgerUpgrade, RunState, RunSummary, escaped};
use schemars::JsonSchema;
use serde::Serialize;

use crate::document::{Document, Row};
use crate::style::{Style, Tone, safe};
use crate::words::{Words, moment};

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
    let words = style.words();
    let heads = [
        words.run_head(),
        words.started_head(),
        words.state_head(),
        words.students_head(),
        words.judged_head(),
        words.reused_head(),
        words.errors_head(),
    ];
    let mut document = Document::default();
    let mut left: Vec<&RunSummary> = runs.iter().collect();
    if left.is_empty() {
        document.line(words.no_runs());
    }
    while let Some(first) = left.first().copied() {
        let is_same =
            |it: &&RunSummary| (&it.class, &it.assignment) == (&first.class, &first.assignment);
        let (same, others): (Vec<_>, Vec<_>) = left.into_iter().partition(is_same);
        document.gap();
        let assignment = Tone::Strong.on(safe(first.assignment.as_str()));
        document.line(format!("{assignment} · {}", class(first)));
        let mut rows = vec![Row::of(heads.map(str::to_owned))];
        rows.extend(same.into_iter().map(|run| row(run, words)));
        document.append(Document::of_rows(rows, &[0, 3, 4, 5, 6]));
        left = others;
    }
    document.gap();
    for upgrade in upgrades {
        let [grader, copy] = [&upgrade.grader, &upgrade.copy].map(|it| safe(it));
        let at = moment(&upgrade.at);
        document.line(words.upgraded(upgrade.from, upgrade.to, grader, at, copy));
    }
    document.text(style)
}

fn class(run: &RunSummary) -> String {
    escaped(run.class.as_os_str().as_encoded_bytes())
}

fn row(run: &RunSummary, words: Words) -> Row {
    let tone = match run.state {
        RunState::Finished => Tone::Pass,
        RunState::Running => Tone::Partial,
        RunState::Interrupted | RunState::Killed => Tone::Fail,
    };
    let faults = run.faults.to_string();
    let began = moment(&run.began);
    let state = words.text(&run.state.text());
    Row::of([
        run.id.to_string(),
        began.trim_end_matches(" UTC").to_owned(),
        tone.on(match &run.shard {
            Some(shard) => format!("{state} ({})", safe(shard)),
            None => state,
        }),
        run.students.to_string(),
        run.judged.to_string(),
        run.reused.to_string(),
        if run.faults > 0 {
            Tone::Fail.on(faults)
        } else {
            faults
        },
    ])
}

#[cfg(test)]
mod tests;

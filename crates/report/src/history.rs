//! The runs of a ledger: a table for people, and `bitcraft-history/1` for programs.

use std::io::{self, Write};

use grader_model::{RunState, RunSummary, escaped};
use serde::Serialize;

use crate::json::write_value;
use crate::layout::{Page, left, right, width};
use crate::style::{Style, Tone, safe};

/// The runs of a ledger, the earliest first. Text from the ledger is escaped.
#[derive(Debug, Serialize)]
pub struct History {
    format: &'static str,
    runs: Vec<Run>,
}

#[derive(Debug, Serialize)]
struct Run {
    id: u64,
    began: String,
    ended: Option<String>,
    state: RunState,
    class: String,
    assignment: String,
    grader: String,
    students: usize,
    judged: usize,
    reused: usize,
    faults: usize,
}

impl History {
    /// The history of these runs, in their order.
    pub fn new(runs: &[RunSummary]) -> Self {
        let runs = runs.iter().map(|run| Run {
            id: run.id,
            began: safe(&run.began),
            ended: run.ended.as_deref().map(safe),
            state: run.state,
            class: escaped(run.class.as_os_str().as_encoded_bytes()),
            assignment: safe(run.assignment.as_str()),
            grader: safe(&run.grader),
            students: run.students,
            judged: run.judged,
            reused: run.reused,
            faults: run.faults,
        });
        Self {
            format: "bitcraft-history/1",
            runs: runs.collect(),
        }
    }

    /// Writes the runs as JSON, indented, with a line feed at the end.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        write_value(self, out)
    }

    /// A table for each class and assignment, in the order in which each was first graded.
    pub fn text(&self, style: &Style) -> String {
        let mut page = Page::new(style);
        if self.runs.is_empty() {
            page.line(0, style.lang.pick("No runs yet.", "还没有评测。"));
        }
        let key = |run: &Run| (run.class.clone(), run.assignment.clone());
        let mut shown = Vec::new();
        for first in &self.runs {
            if shown.contains(&key(first)) {
                continue;
            }
            shown.push(key(first));
            page.gap();
            let assignment = Tone::Strong.on(&first.assignment);
            page.line(0, &format!("{assignment} · {}", first.class));
            let runs = self.runs.iter().filter(|run| key(run) == key(first));
            table(&mut page, runs, style);
        }
        page.finish()
    }
}

/// The columns of text stand at the left, those of numbers at the right.
fn table<'a>(page: &mut Page, runs: impl Iterator<Item = &'a Run>, style: &Style) {
    let heads = [
        ("run", "次"),
        ("began (UTC)", "开始（UTC）"),
        ("state", "状态"),
        ("students", "学生"),
        ("judged", "评测"),
        ("reused", "沿用"),
        ("faults", "故障"),
    ];
    let heads = heads.map(|(en, zh)| style.lang.pick(en, zh).to_owned());
    let rows: Vec<[String; 7]> = std::iter::once(heads)
        .chain(runs.map(|run| cells(run, style)))
        .collect();
    for row in &rows {
        let cells = row.iter().enumerate().map(|(column, cell)| {
            let widths = rows.iter().map(|row| width(&row[column]));
            let widest = widths.max().unwrap_or(0);
            if column == 1 || column == 2 {
                left(cell, widest)
            } else {
                right(cell, widest)
            }
        });
        page.raw(0, &cells.collect::<Vec<_>>().join("  "));
    }
}

fn cells(run: &Run, style: &Style) -> [String; 7] {
    let tone = match run.state {
        RunState::Finished => Tone::Pass,
        RunState::Running => Tone::Partial,
        RunState::Interrupted | RunState::Killed => Tone::Fail,
    };
    let faults = match run.faults {
        0 => "0".to_owned(),
        faults => Tone::Fail.on(faults.to_string()),
    };
    [
        run.id.to_string(),
        run.began
            .replacen('T', " ", 1)
            .trim_end_matches('Z')
            .to_owned(),
        tone.on(run.state.text().get(style.lang)),
        run.students.to_string(),
        run.judged.to_string(),
        run.reused.to_string(),
        faults,
    ]
}

#[cfg(test)]
mod tests;

//! The runs of a ledger: a table for people, and a document for programs.

mod json;

use grader_model::{RunState, RunSummary};

use crate::layout::{Page, left, right, width};
use crate::style::{Style, Tone, safe};

pub use json::{
    HistoryDocument, HistoryTag, KeptRunDocument, RunStateWord, history_document, history_json,
    history_schema,
};

/// Blanks between two columns.
const GAP: usize = 2;

/// The runs of a ledger: a table for each class and assignment, in the order in which each was first graded. Times are
/// in UTC. Where the terminal is narrow the columns that matter least are left out.
pub fn history(runs: &[RunSummary], style: &Style) -> String {
    let mut page = Page::new(style);
    if runs.is_empty() {
        let line = style.lang.pick("No runs yet.", "还没有评测。");
        page.line(0, line);
        return page.finish();
    }
    let mut groups: Vec<Vec<&RunSummary>> = Vec::new();
    for run in runs {
        let same = |group: &&mut Vec<&RunSummary>| {
            let known = group[0];
            known.class == run.class && known.assignment == run.assignment
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.push(run),
            None => groups.push(vec![run]),
        }
    }
    for group in groups {
        page.gap();
        let assignment = Tone::Strong.on(safe(group[0].assignment.as_str()));
        let class = grader_model::escaped(group[0].class.as_os_str().as_encoded_bytes());
        page.line(0, &format!("{assignment} · {class}"));
        table(&mut page, &group, style);
    }
    page.finish()
}

/// One column of the table.
struct Column {
    head: &'static str,
    cells: Vec<String>,
    /// Whether it holds numbers, which stand at the right.
    is_number: bool,
    /// It goes before those that have a larger number where not all fit.
    rank: u8,
}

impl Column {
    fn width(&self) -> usize {
        let cells = self.cells.iter().map(|cell| width(cell));
        cells.chain([width(self.head)]).max().unwrap_or(0)
    }

    fn put(&self, cell: &str) -> String {
        if self.is_number {
            right(cell, self.width())
        } else {
            left(cell, self.width())
        }
    }
}

fn table(page: &mut Page, runs: &[&RunSummary], style: &Style) {
    let mut columns = columns(runs, style);
    while columns.len() > 2 && total(&columns) > style.columns() {
        let least = columns.iter().enumerate().max_by_key(|(_, it)| it.rank);
        let Some((least, _)) = least else { break };
        columns.remove(least);
    }
    let gap = " ".repeat(GAP);
    let heads: Vec<String> = columns.iter().map(|it| it.put(it.head)).collect();
    page.raw(0, &Tone::Strong.on(heads.join(&gap).trim_end()));
    for row in 0..runs.len() {
        let cells: Vec<String> = columns.iter().map(|it| it.put(&it.cells[row])).collect();
        page.raw(0, &cells.join(&gap));
    }
}

fn total(columns: &[Column]) -> usize {
    columns.iter().map(Column::width).sum::<usize>() + GAP * (columns.len().saturating_sub(1))
}

fn columns(runs: &[&RunSummary], style: &Style) -> Vec<Column> {
    let column = |rank, en, zh, is_number, cell: &dyn Fn(&RunSummary) -> String| Column {
        head: style.lang.pick(en, zh),
        cells: runs.iter().map(|run| cell(run)).collect(),
        is_number,
        rank,
    };
    let number = |rank, en, zh, of: fn(&RunSummary) -> usize| {
        column(rank, en, zh, true, &|run| counted(of(run)))
    };
    vec![
        column(0, "run", "次", true, &|run| run.id.to_string()),
        column(2, "began (UTC)", "开始（UTC）", false, &|run| {
            moment(&run.began)
        }),
        column(8, "ended", "结束", false, &|run| ended(run)),
        column(1, "state", "状态", false, &|run| {
            state(run.state).on(run.state.text().get(style.lang))
        }),
        number(4, "students", "学生", |run| run.students),
        number(5, "judged", "评测", |run| run.judged),
        number(6, "reused", "沿用", |run| run.reused),
        column(3, "faults", "故障", true, &|run| match run.faults {
            0 => counted(0),
            faults => Tone::Fail.on(faults.to_string()),
        }),
        column(9, "version", "版本", false, &|run| safe(&run.grader)),
    ]
}

/// A number; nothing at all is faint.
fn counted(number: usize) -> String {
    if number == 0 {
        Tone::Faint.on("0")
    } else {
        number.to_string()
    }
}

const fn state(state: RunState) -> Tone {
    match state {
        RunState::Finished => Tone::Pass,
        RunState::Running => Tone::Partial,
        RunState::Interrupted | RunState::Killed => Tone::Fail,
    }
}

/// `2026-11-22 05:28:22` of `2026-11-22T05:28:22Z`.
fn moment(rfc3339: &str) -> String {
    safe(rfc3339.trim_end_matches('Z')).replacen('T', " ", 1)
}

/// When a run ended: the time of day where it is the day on which it began.
fn ended(run: &RunSummary) -> String {
    let Some(ended) = &run.ended else {
        return "—".to_owned();
    };
    let (began, ended) = (moment(&run.began), moment(ended));
    match (began.split_once(' '), ended.split_once(' ')) {
        (Some((day, _)), Some((same, time))) if day == same => time.to_owned(),
        _ => ended,
    }
}

#[cfg(test)]
mod tests;

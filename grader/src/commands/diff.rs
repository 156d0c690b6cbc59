//! `grader diff`.

use std::io::Write as _;

use grader_model::RunSummary;
use grader_report::diff;

use crate::cli::{DiffArgs, PastFormat};
use crate::exit::{Exit, Mistake};
use crate::stored::{StoredRuns, has_results};
use crate::terminal::Terminal;

pub(crate) fn run(args: &DiffArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let kept = StoredRuns::find(args.ledger.as_deref())?;
    let (before, after) = match args.runs.as_slice() {
        [before, after] => (*before, *after),
        _ => last_two(&kept.runs()?)?,
    };
    let (before, after) = (kept.results(Some(before))?, kept.results(Some(after))?);
    let difference = diff(&before, &after);
    match args.format {
        PastFormat::Text => {
            let page = difference.text(&terminal.style());
            terminal.stdout().write_all(page.as_bytes())?;
        }
        PastFormat::Json => difference.write_json(&mut terminal.pipe())?,
    }
    Ok(Exit::Done)
}

/// The last run, and the one before it of the same class and assignment.
fn last_two(runs: &[RunSummary]) -> Result<(u64, u64), Mistake> {
    let nothing = || {
        Mistake::new(
            "the ledger holds no two runs of one class: `grader history` lists those that it holds",
            "评测账本中没有同一班级的两次评测：`grader history` 列出已有的评测",
        )
    };
    let mut latest = runs.iter().rev().filter(|run| has_results(run));
    let last = latest.next().ok_or_else(nothing)?;
    let same = |run: &&RunSummary| run.class == last.class && run.assignment == last.assignment;
    let mut earlier = latest.filter(same);
    let before = earlier.next().ok_or_else(nothing)?;
    Ok((before.id, last.id))
}

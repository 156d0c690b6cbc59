//! `grader history`.

use std::io::Write as _;

use grader_report::{history, history_json};

use crate::cli::{HistoryArgs, PastFormat};
use crate::exit::Exit;
use crate::stored::StoredRuns;
use crate::terminal::Terminal;

pub(crate) fn run(args: &HistoryArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let runs = StoredRuns::find(args.source.as_deref())?.runs()?;
    match args.format {
        PastFormat::Text => {
            let page = history(&runs, &terminal.style());
            terminal.stdout().write_all(page.as_bytes())?;
        }
        PastFormat::Json => history_json(&runs, &mut terminal.pipe())?,
    }
    Ok(Exit::Done)
}

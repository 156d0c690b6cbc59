//! `grader history`.

use std::io::Write as _;

use grader_report::history;

use crate::cli::HistoryArgs;
use crate::exit::Exit;
use crate::kept::Kept;
use crate::terminal::Terminal;

pub(crate) fn run(args: &HistoryArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let runs = Kept::find(args.source.as_deref())?.runs()?;
    let page = history(&runs, &terminal.style());
    terminal.stdout().write_all(page.as_bytes())?;
    Ok(Exit::Done)
}

//! `grader explore`.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Args;
use grader_explorer::{is_page, page};
use grader_publish::atomic_write;
use grader_session::owned::refuse_foreign;
use grader_session::{Exit, shown};

use crate::targets::refuse_stdout;
use crate::terminal::Terminal;

#[derive(Debug, Args)]
#[command(after_long_help = "Example:\n  grader explore --open")]
pub(crate) struct ExploreArgs {
    /// Page to write: one file that needs no network. It replaces an earlier page, and no other file.
    #[arg(long, short, value_name = "FILE", default_value = "explore.html")]
    output: PathBuf,
    /// Open the page in the browser.
    #[arg(long)]
    open: bool,
}

pub(crate) fn run(args: &ExploreArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    refuse_stdout(&args.output, "the page", "a file `*.html`")?;
    let shown = shown(&args.output);
    refuse_foreign(&args.output, is_page)?;
    atomic_write(&args.output, |out| out.write_all(page().as_bytes()))?;
    writeln!(terminal.stdout(), "{shown}")?;
    if args.open && !open(&args.output) {
        terminal.note(
            format!("no browser was started: open `{shown}` in one"),
            format!("未能启动浏览器：请在浏览器中打开 `{shown}`"),
        );
    }
    Ok(Exit::Done)
}

/// Whether the system's opener took the file.
fn open(page: &Path) -> bool {
    Command::new("xdg-open")
        .arg(page)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

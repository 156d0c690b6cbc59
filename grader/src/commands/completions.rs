//! `grader completions`.

use std::io::Write as _;

use clap::CommandFactory as _;

use crate::cli::{Cli, CompletionsArgs};
use crate::exit::Exit;
use crate::terminal::Terminal;

pub(crate) fn run(args: &CompletionsArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "grader", &mut script);
    terminal.pipe().write_all(&script)?;
    Ok(Exit::Done)
}

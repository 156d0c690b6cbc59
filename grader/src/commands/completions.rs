//! `grader completions`.

use std::io;

use clap::CommandFactory as _;

use crate::cli::{Cli, CompletionsArgs};
use crate::exit::Exit;

pub(crate) fn run(args: &CompletionsArgs) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "grader", &mut script);
    io::Write::write_all(&mut io::stdout(), &script)?;
    Ok(Exit::Done)
}

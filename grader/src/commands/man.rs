//! `grader man`.

use std::io::Write as _;

use clap::{Args, Command};
use clap_mangen::Man;
use grader_session::{Exit, Failure};

use crate::terminal::Terminal;

#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  grader man grade | man -l -\n  grader man > grader.1")]
pub(crate) struct ManArgs {
    /// Command whose manual page is printed [default: that of `grader`].
    command: Option<String>,
}

pub(crate) fn run(args: &ManArgs, mut grader: Command) -> anyhow::Result<Exit> {
    // Gives each command its full name and the options of every command.
    grader.build();
    let page = match &args.command {
        None => grader,
        Some(name) => {
            let command = grader.find_subcommand(name).cloned();
            command.ok_or_else(|| Failure::usage(format!("there is no command `{name}`")))?
        }
    };
    let mut text = Vec::new();
    Man::new(page).render(&mut text)?;
    Terminal::pipe().write_all(&text)?;
    Ok(Exit::Done)
}

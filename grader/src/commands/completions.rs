//! `grader completions`.

use clap::{Args, Command};
use clap_complete::{Shell, generate};
use grader_session::Exit;

use crate::terminal::Terminal;

#[derive(Debug, Args)]
#[command(
    after_long_help = "Example:\n  grader completions bash > ~/.local/share/bash-completion/completions/grader"
)]
pub(crate) struct CompletionsArgs {
    /// Shell that reads the script.
    #[arg(value_enum)]
    shell: Shell,
}

pub(crate) fn run(args: &CompletionsArgs, mut grader: Command) -> Exit {
    generate(args.shell, &mut grader, "grader", &mut Terminal::pipe());
    Exit::Done
}

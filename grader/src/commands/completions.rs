//! `grader completions`.

use std::io::Write as _;

use clap::{Args, Command};
use clap_complete::Shell;

use crate::exit::Exit;
use crate::terminal::Terminal;

#[derive(Debug, Args)]
#[command(after_help = "\
Where to write the script (then restart the shell):
  bash        grader completions bash > ~/.local/share/bash-completion/completions/grader
  zsh         grader completions zsh > DIR/_grader, where DIR is in $fpath
  fish        grader completions fish > ~/.config/fish/completions/grader.fish
  elvish      grader completions elvish >> ~/.config/elvish/rc.elv
  powershell  grader completions powershell >> $PROFILE")]
pub(crate) struct CompletionsArgs {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

pub(crate) fn run(args: &CompletionsArgs, mut grader: Command) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut grader, "grader", &mut script);
    Terminal::pipe().write_all(&script)?;
    Ok(Exit::Done)
}

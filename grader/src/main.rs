//! The command line: reads arguments, wires the parts together, and turns what comes of it into an exit
//! status. What the parts do is theirs; see `docs/design.md`.

mod assignment;
mod bundled;
mod class_report;
mod cli;
mod command_line;
mod commands;
mod exit;
mod host;
mod interrupt;
mod isolation;
mod judge;
mod ledger;
mod reference;
mod scaled_clock;
mod stored;
mod terminal;

use std::io::Write as _;
use std::process::ExitCode;

use crate::cli::{Cli, Command};
use crate::exit::{Diagnosed, Exit, Refused};
use crate::terminal::Terminal;

fn main() -> ExitCode {
    // The sandbox starts its launcher from this binary, before anything else of it wakes.
    if std::env::args_os()
        .nth(1)
        .is_some_and(|word| word == isolation::LAUNCH)
    {
        return grader_sandbox::launcher_main();
    }
    let cli = match Cli::read() {
        Ok(cli) => cli,
        Err(error) => {
            // When even the message cannot be written, the status still says it.
            let _ = error.print();
            return if error.use_stderr() {
                Exit::Usage
            } else {
                Exit::Done
            }
            .into();
        }
    };
    let terminal = Terminal::new(&cli.global);
    let result = match cli.command {
        Command::Grade(args) => commands::grade::run(&args, &terminal),
        Command::Report(args) => commands::report::run(&args, &terminal),
        Command::History(args) => commands::history::run(&args, &terminal),
        Command::Diff(args) => commands::diff::run(&args, &terminal),
        Command::GradescopeBundle(args) => commands::gradescope_bundle::run(&args, &terminal),
        Command::Test(args) => commands::test::run(&args, &terminal),
        Command::Verify(args) => commands::verify::run(&args, &terminal),
        Command::Check(args) => commands::check::run(&args, &terminal),
        Command::Doctor(args) => commands::doctor::run(&args, &terminal),
        Command::Schema(args) => commands::schema::run(&args, &terminal),
        Command::Reference(args) => return reference::run(&args),
        Command::Completions(args) => commands::completions::run(&args, &terminal),
    };
    match result {
        Ok(exit) => exit.into(),
        Err(error) => {
            let exit = Exit::of(&error);
            // As above.
            let _ = writeln!(terminal.stderr(), "{}", message(&error, &terminal));
            exit.into()
        }
    }
}

/// What is said of an error that ends a command.
fn message(error: &anyhow::Error, terminal: &Terminal) -> String {
    if let Some(Diagnosed(drawn)) = error.downcast_ref() {
        return drawn.trim_end().to_owned();
    }
    if let Some(Refused(drawn)) = error.downcast_ref() {
        return drawn.trim_end().to_owned();
    }
    let text = exit::said(error, terminal.lang());
    format!("{}{text}", terminal.error_label())
}

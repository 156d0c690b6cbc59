//! The command line: reads arguments, connects the parts, and turns the result into an exit status.

mod args;
mod assignment;
mod bundled;
mod cli;
mod commands;
mod documents;
mod host;
mod interrupt;
mod isolation;
mod judge;
mod outputs;
mod pages;
mod scaled_clock;
mod search;
mod targets;
mod terminal;

use std::process::ExitCode;

use crate::cli::Command;
use crate::terminal::Terminal;

fn main() -> ExitCode {
    // The sandbox starts its launcher from this binary, before anything else runs.
    let first = std::env::args_os().nth(1);
    if first.is_some_and(|word| word == isolation::LAUNCH) {
        return grader_sandbox::launcher_main();
    }
    grader_sandbox::survive_large_files();
    let cli = cli::parse();
    let terminal = Terminal::new(&cli.global);
    let result = match cli.command {
        Command::Grade(args) => commands::grade::run(*args, &terminal),
        Command::Report(args) => commands::report::run(*args, &terminal),
        Command::Correct(args) => commands::correct::run(&args, &terminal),
        Command::Gradebook(args) => commands::gradebook::run(&args, &terminal),
        Command::Review(args) => commands::review::run(&args, &terminal),
        Command::History(args) => commands::history::run(&args, &terminal),
        Command::Diff(args) => commands::diff::run(&args, &terminal),
        Command::Replay(args) => commands::replay::run(&args, &terminal),
        Command::Merge(args) => commands::merge::run(&args, &terminal),
        Command::Init(args) => commands::init::run(&args, &terminal),
        Command::Check(args) => commands::check::run(&args, &terminal),
        Command::Verify(args) => commands::verify::run(&args, &terminal),
        Command::Bundle(args) => commands::bundle::run(&args, &terminal),
        Command::Import(args) => commands::import::run(&args, &terminal),
        Command::Schema(args) => commands::schema::run(&args),
        Command::Audit(args) => commands::audit::run(&args, &terminal),
        Command::Test(args) => commands::test::run(&args, &terminal),
        Command::Stress(args) => commands::stress::run(&args, &terminal),
        Command::Explore(args) => commands::explore::run(&args, &terminal),
        Command::Reference(args) => match commands::reference::run(&args) {
            Ok(exit) => return exit,
            Err(error) => Err(error),
        },
        Command::Doctor(args) => commands::doctor::run(&args, &terminal),
        Command::Completions(args) => Ok(commands::completions::run(&args, cli::command())),
        Command::Man(args) => commands::man::run(&args, cli::command()),
    };
    let exit = result.unwrap_or_else(|error| terminal.error(&error));
    exit.into()
}

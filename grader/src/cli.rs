//! The command line, as clap reads it. The arguments of a command are in its file below `commands`.

use clap::{Parser, Subcommand};

use crate::commands::check::CheckArgs;
use crate::commands::completions::CompletionsArgs;
use crate::commands::diff::DiffArgs;
use crate::commands::doctor::DoctorArgs;
use crate::commands::grade::GradeArgs;
use crate::commands::gradescope_bundle::GradescopeBundleArgs;
use crate::commands::history::HistoryArgs;
use crate::commands::reference::ReferenceArgs;
use crate::commands::report::ReportArgs;
use crate::commands::schema::SchemaArgs;
use crate::commands::test::TestArgs;
use crate::commands::verify::VerifyArgs;
use crate::terminal::Global;

/// Bitcraft (比特匠心): grades folders of student programs.
#[derive(Debug, Parser)]
#[command(name = "grader", version, max_term_width = 100, after_help = EXIT_STATUS)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXIT_STATUS: &str = "\
Exit status:
  0    done; for `grade`, every student was graded, whatever their scores
  1    a verdict is not the wanted one (`test`, `verify`)
  2    a mistake in the command line or in a problem file
  3    a fault of the grader or of this machine: some points are open, or strict isolation is not available
  130  stopped by Ctrl-C or by the system (SIGTERM)

Examples:
  grader test count.c              a student: is my program right?
  grader grade submissions/        an instructor: grade the class";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Grade a class: a folder of students' folders, or a download of a course system.
    Grade(Box<GradeArgs>),
    /// Show a graded class again in any format; runs nothing.
    Report(ReportArgs),
    /// List the runs in a ledger.
    History(HistoryArgs),
    /// Show whose points differ between two runs, by how much, and because of which case.
    Diff(DiffArgs),
    /// Test a program as the instructor's grader will.
    Test(TestArgs),
    /// Check that sample submissions get the verdicts that they must get.
    Verify(VerifyArgs),
    /// Look for mistakes in problem files; runs nothing.
    Check(CheckArgs),
    /// Try every layer of isolation and every toolchain, and print how to fix what is missing.
    Doctor(DoctorArgs),
    /// Write the zip that grades an assignment at Gradescope.
    GradescopeBundle(GradescopeBundleArgs),
    /// Print the JSON Schema of a file format.
    Schema(SchemaArgs),
    /// Run a reference solution that the grader carries.
    Reference(ReferenceArgs),
    /// Print a completion script for a shell.
    Completions(CompletionsArgs),
}

impl Cli {
    /// Reads the command line of this process.
    ///
    /// A reference prints its own help: only `--help` in place of its name is ours.
    pub(crate) fn read() -> Result<Self, clap::Error> {
        let cli = Self::try_parse()?;
        match &cli.command {
            Command::Reference(args) if ["--help", "-h"].contains(&args.task.as_str()) => {
                Self::try_parse_from(["grader", "help", "reference"])
            }
            _ => Ok(cli),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}

//! The command line, as clap reads it. The arguments of a command are in its file below `commands`.

mod bundle;
mod class_report;
mod report;

use clap::{Args, Parser, Subcommand, ValueEnum};
use grader_model::Lang;

use crate::bundled;
use crate::commands::check::CheckArgs;
use crate::commands::completions::CompletionsArgs;
use crate::commands::doctor::DoctorArgs;
use crate::commands::grade::GradeArgs;
use crate::commands::reference::ReferenceArgs;
use crate::commands::schema::SchemaArgs;
use crate::commands::test::TestArgs;
use crate::commands::verify::VerifyArgs;

pub(crate) use crate::commands::grade::LedgerArgs;
pub(crate) use bundle::GradescopeBundleArgs;
pub(crate) use class_report::{Audience, ClassReportArgs, Format, TableArgs};
pub(crate) use report::{DiffArgs, HistoryArgs, PastFormat, ReportArgs};

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

/// Options of every command.
#[derive(Debug, Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Global {
    /// Language of messages and reports for people [default: from the locale].
    #[arg(long, global = true, value_name = "zh|en")]
    pub(crate) lang: Option<Lang>,
    /// When to use colour; `NO_COLOR` is honoured.
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    pub(crate) color: When,
}

/// When to use colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    /// On a terminal.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Grade a class: a folder of students' folders, or a download of a course system.
    Grade(Box<GradeArgs>),
    /// Show a graded class again in any format; runs nothing.
    #[command(after_help = REPORT_HELP)]
    Report(ReportArgs),
    /// List the runs in a ledger.
    #[command(after_help = HISTORY_HELP)]
    History(HistoryArgs),
    /// Show whose points differ between two runs, by how much, and because of which case.
    #[command(after_help = DIFF_HELP)]
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
    #[command(after_help = BUNDLE_HELP)]
    GradescopeBundle(GradescopeBundleArgs),
    /// Print the JSON Schema of a file format.
    Schema(SchemaArgs),
    /// Run a reference solution that the grader carries.
    Reference(ReferenceArgs),
    /// Print a completion script for a shell.
    Completions(CompletionsArgs),
}

const REPORT_HELP: &str = "\
Exit status: 0; 3 when some points are open, because of a fault or because grading was stopped.

Examples:
  grader report submissions/ --explain s07
  grader report --run 3 --format students -o feedback/";

const HISTORY_HELP: &str = "\
Examples:
  grader history
  grader history submissions/
  grader history --format json";

const DIFF_HELP: &str = "\
Examples:
  grader diff
  grader diff 3 5 --ledger submissions/";

const BUNDLE_HELP: &str = "\
The zip holds this binary, the assignment without its samples, and the two scripts that Gradescope
starts. docs/ci.md says step by step what to do with it.

Example:
  grader gradescope-bundle --assignment problems/n-queens -o autograder.zip";

/// Help of `--assignment`.
pub(crate) fn assignment_help(default: &str) -> String {
    format!(
        "A bundled assignment by its id ({}), or the path of a folder with an `assignment.toml`, such as \
         `./mine` [default: {default}]",
        bundled::folders().join(", ")
    )
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

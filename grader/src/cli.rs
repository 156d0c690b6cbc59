//! The command line, as clap reads it.

mod grade;
mod running;
mod samples;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use grader_model::Lang;

use crate::bundled;
use crate::commands::diff::DiffArgs;
use crate::commands::gradescope_bundle::GradescopeBundleArgs;
use crate::commands::history::HistoryArgs;
use crate::commands::report::ReportArgs;
use crate::reference;

pub(crate) use grade::{GradeArgs, Layout, LedgerArgs};
pub(crate) use running::{IsolationArgs, IsolationLevel};
pub(crate) use samples::{TestArgs, VerifyArgs, VerifyFormat};

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
  0    done; `grade` ends so when every student was graded, whatever their scores
  1    a verdict is not what was asked (`test`, `verify`, `run`)
  2    a mistake in the command line or in a problem file
  3    a fault of the grader or of this machine: some points are open, or strict isolation is not to be had
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
    /// Grade a class: a folder of students' folders, or what a course system lets you download.
    #[command(after_help = GRADE_EXAMPLE)]
    Grade(GradeArgs),
    /// Show a graded class again in any format; runs nothing.
    #[command(after_help = REPORT_HELP)]
    Report(ReportArgs),
    /// List the runs that a ledger keeps.
    #[command(after_help = HISTORY_HELP)]
    History(HistoryArgs),
    /// Tell whose points differ between two runs, by how much, and because of which case.
    #[command(after_help = DIFF_HELP)]
    Diff(DiffArgs),
    /// Test a program as the instructor's grader will.
    #[command(after_help = TEST_EXAMPLE)]
    Test(TestArgs),
    /// Hold problems to the verdicts that their sample submissions must get.
    #[command(after_help = VERIFY_EXAMPLE)]
    Verify(VerifyArgs),
    /// Look for mistakes in problem files; runs nothing.
    #[command(after_help = CHECK_EXAMPLE)]
    Check(CheckArgs),
    /// Try every layer of isolation and every toolchain, and print how to fix what is missing.
    #[command(after_help = DOCTOR_HELP)]
    Doctor(DoctorArgs),
    /// Write the zip that grades an assignment at Gradescope.
    #[command(after_help = BUNDLE_HELP)]
    GradescopeBundle(GradescopeBundleArgs),
    /// Print the JSON Schema of a file format.
    #[command(after_help = SCHEMA_EXAMPLE)]
    Schema(SchemaArgs),
    /// Run a reference solution that the grader carries.
    #[command(after_help = reference_help())]
    Reference(ReferenceArgs),
    /// Print a completion script for a shell.
    #[command(after_help = COMPLETIONS_HELP)]
    Completions(CompletionsArgs),
}

const GRADE_EXAMPLE: &str = "\
Every finished submission is in the ledger before the next is begun. A run that was stopped or killed
goes on when the same command is given again; a later run takes what has not changed.

Examples:
  grader grade submissions/ --explain s07
  grader grade submissions.zip --roster students.csv --format csv -o points.csv
  grader grade submissions/ --format moodle --worksheet grades.csv -o filled.csv
  grader grade submissions/ --allow-missing memory-cgroup";

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

const TEST_EXAMPLE: &str = "\
Example:
  grader test count.c";

const VERIFY_EXAMPLE: &str = "\
Example:
  grader verify problems/n-queens/count --verbose";

const CHECK_EXAMPLE: &str = "\
Example:
  grader check problems/n-queens";

const DOCTOR_HELP: &str = "\
Exit status: 0 if strict isolation is available, 3 if not.

Example:
  grader doctor";

const SCHEMA_EXAMPLE: &str = "\
Example:
  grader schema problem > problem.schema.json";

const COMPLETIONS_HELP: &str = "\
Where the script goes (start the shell anew after that):
  bash        grader completions bash > ~/.local/share/bash-completion/completions/grader
  zsh         grader completions zsh > DIR/_grader, where DIR is in $fpath
  fish        grader completions fish > ~/.config/fish/completions/grader.fish
  elvish      grader completions elvish >> ~/.config/elvish/rc.elv
  powershell  grader completions powershell >> $PROFILE";

fn reference_help() -> String {
    format!(
        "Tasks: {}\n\nExamples:\n  grader reference count 8\n  grader reference count --help",
        reference::names().join(", ")
    )
}

/// Help of `--assignment`, with what is meant where it is not given.
pub(crate) fn assignment_help(default: &str) -> String {
    format!(
        "A bundled assignment by its id ({}), or the path of a folder with an `assignment.toml`, such as \
         `./mine` [default: {default}]",
        bundled::folders().join(", ")
    )
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// A folder of assignments, of one assignment or of one problem [default: `problems` if it is here, else
    /// the bundled assignments].
    pub(crate) path: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// What the report looks like.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: DoctorFormat,
}

/// Formats of the report of `doctor`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum DoctorFormat {
    /// A page for people.
    #[default]
    Text,
    /// One document for programs.
    Json,
}

#[derive(Debug, Args)]
pub(crate) struct SchemaArgs {
    /// The file format.
    #[arg(value_enum)]
    pub(crate) file: SchemaFile,
}

/// A file format with a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SchemaFile {
    /// `assignment.toml`.
    Assignment,
    /// `problem.toml`.
    Problem,
    /// The report of `grade --format json`.
    Results,
}

#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub(crate) struct ReferenceArgs {
    /// The task, such as `count`.
    #[arg(allow_hyphen_values = true)]
    pub(crate) task: String,
    /// Its arguments.
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "ARGS"
    )]
    pub(crate) arguments: Vec<OsString>,
}

#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell.
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}

impl Cli {
    /// Reads the command line of this process.
    ///
    /// A reference has a help of its own: only `--help` in the place of its name is ours.
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

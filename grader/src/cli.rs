//! The command line, as clap reads it.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use grader_model::Lang;

use crate::assignment::USUAL;
use crate::bundled;
use crate::reference::NAMES;

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
  1    a verdict is not what was asked (`test`, `verify`)
  2    a mistake in the command line or in a problem file
  3    a fault of the grader or of this machine; some points are open
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
    /// Grade a class: a folder that holds one folder for each student.
    #[command(after_help = GRADE_EXAMPLE)]
    Grade(GradeArgs),
    /// Test a program as the instructor's grader will.
    #[command(after_help = TEST_EXAMPLE)]
    Test(TestArgs),
    /// Hold problems to the verdicts that their sample submissions must get.
    #[command(after_help = VERIFY_EXAMPLE)]
    Verify(VerifyArgs),
    /// Look for mistakes in problem files; runs nothing.
    #[command(after_help = CHECK_EXAMPLE)]
    Check(CheckArgs),
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
Example:
  grader grade submissions/ --explain s07";

const TEST_EXAMPLE: &str = "\
Example:
  grader test count.c";

const VERIFY_EXAMPLE: &str = "\
Example:
  grader verify problems/n-queens/count --verbose";

const CHECK_EXAMPLE: &str = "\
Example:
  grader check problems/n-queens";

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
        NAMES.join(", ")
    )
}

/// Help of `--assignment`, with what is meant where it is not given.
fn assignment_help(default: &str) -> String {
    format!(
        "A bundled assignment by its id ({}), or the path of a folder with an `assignment.toml` \
         [default: {default}]",
        bundled::folders().join(", ")
    )
}

/// How much at a time.
#[derive(Debug, Args)]
pub(crate) struct WorkerArgs {
    /// Number of programs that run at a time [default: one for each processor].
    #[arg(long, short, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
}

#[derive(Debug, Args)]
pub(crate) struct GradeArgs {
    /// The folder of student folders.
    pub(crate) class: PathBuf,
    #[arg(long, short, value_name = "ID|PATH", help = assignment_help(USUAL))]
    pub(crate) assignment: Option<String>,
    #[command(flatten)]
    pub(crate) workers: WorkerArgs,
    /// What the report looks like.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: Format,
    /// Write the report to this file, whole or not at all, instead of standard output.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Who will read the report: a student sees no hidden cases and no flags, and nobody else. Then only the
    /// student of `--explain` is graded.
    #[arg(long, value_enum, default_value_t, value_name = "WHO")]
    pub(crate) audience: Audience,
    /// Explain every score of this student after the table (may be given more than once).
    #[arg(long, value_name = "ID")]
    pub(crate) explain: Vec<String>,
}

/// Formats of the report of `grade`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// A table for people.
    #[default]
    Text,
    /// Everything, for programs; `grader schema results` describes it.
    Json,
}

/// Who reads a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Audience {
    /// The student it is about.
    Student,
    /// Instructors.
    #[default]
    Staff,
}

#[derive(Debug, Args)]
pub(crate) struct TestArgs {
    /// Source files, or one folder that holds them.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// The problem [default: the one that the file's name fits].
    #[arg(long, short, value_name = "ID")]
    pub(crate) problem: Option<String>,
    #[arg(long, short, value_name = "ID|PATH", help = assignment_help("all bundled ones"))]
    pub(crate) assignment: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// Folders of assignments, of one assignment or of one problem [default: `problems` if it is here, else
    /// the bundled assignments].
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) workers: WorkerArgs,
    /// Also say why each sample got its verdict, and name every place that is not as expected.
    #[arg(long, short)]
    pub(crate) verbose: bool,
    /// What the report looks like.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: VerifyFormat,
}

/// Formats of the report of `verify`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum VerifyFormat {
    /// A table of samples for people.
    #[default]
    Text,
    /// One document for programs; `grader schema verification` describes it.
    Json,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// A folder of assignments, of one assignment or of one problem [default: `problems` if it is here, else
    /// the bundled assignments].
    pub(crate) path: Option<PathBuf>,
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
    /// The report of `verify --format json`.
    Verification,
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

//! The command line, as clap reads it.

mod bundle;
mod class_report;
mod grade;
mod report;
mod run;
mod running;
mod samples;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use grader_model::Lang;

use crate::bundled;
use crate::reference::NAMES;

pub(crate) use bundle::GradescopeBundleArgs;
pub(crate) use class_report::{Audience, ClassReportArgs, Format, TableArgs};
pub(crate) use grade::{GradeArgs, Layout, LedgerArgs};
pub(crate) use report::{DiffArgs, HistoryArgs, PastFormat, ReportArgs};
pub(crate) use run::{LimitArgs, RunArgs};
pub(crate) use running::{CalibrationArgs, IsolationArgs, IsolationLevel};
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
    /// Run one command in the sandbox, and tell what it did as JSON.
    #[command(after_help = RUN_HELP)]
    Run(RunArgs),
    /// Tell what this machine can do for grading, by trying, and what would mend it.
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
`grader schema history` describes what --format json lists.

Examples:
  grader history
  grader history submissions/
  grader history --format json";

const DIFF_HELP: &str = "\
`grader schema diff` describes what --format json tells.

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
Some case must also fail each mutant of a bundled reference: a program with one mistake that the
grader carries.

Examples:
  grader verify problems/n-queens/count --verbose
  grader verify problems/n-queens/count --table";

const CHECK_EXAMPLE: &str = "\
Example:
  grader check problems/n-queens";

const RUN_HELP: &str = "\
The command's standard output and error come out on ours after it has ended: on a terminal
escaped, else as they are. Then follows what it did, as one line of JSON on standard error, the
last one; or it goes to the file of --report. `grader schema run` describes it. The command finds
the system's folders (/usr), an empty folder of its own that is gone afterwards, and in its
environment PATH and a locale. A program of your own is /program for it.

Exit status: 0 when it kept to its limits and exited with 0, 1 when it did not; 2 and 3 when it did
not run.

For users of isolate, with its options on the right:
  --time, --wall       --time, --wall-time
  --memory             --mem, --cg-mem
  --processes          --processes
  --output-limit       --fsize
  --stdin, --report    --stdin, --meta
  --readable, --env    --dir, --env
  --file               what is copied into the box; there is no --init and no --cleanup

Examples:
  grader run --time 1s --memory 64MiB -- ./a.out 8
  grader run --file count.py=count.py --stdin input.txt -- python3 count.py";

const DOCTOR_HELP: &str = "\
Exit status: 0 when strict isolation can be had, 3 when it cannot.

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
        NAMES.join(", ")
    )
}

/// Help of `--assignment`, with what is meant where it is not given.
fn assignment_help(default: &str) -> String {
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
    /// One document for programs; `grader schema doctor` describes it.
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
    /// What `history --format json` lists.
    History,
    /// What `diff --format json` tells.
    Diff,
    /// The report of `verify --format json`.
    Verification,
    /// The report of `doctor --format json`.
    Doctor,
    /// The outcome that `run` tells.
    Run,
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

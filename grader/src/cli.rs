//! The command line, as clap reads it.

use std::ffi::OsString;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use grader_model::{Bytes, CpuTime, Lang, WallTime};
use grader_sandbox::Layer;

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
  1    a verdict, or a time limit, is not what was asked (`test`, `verify`, `limits`, `run`)
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
    /// Grade a class: a folder that holds one folder for each student.
    #[command(after_help = GRADE_EXAMPLE)]
    Grade(GradeArgs),
    /// Show a graded class again, or judge it by smaller time limits, from its record; runs nothing.
    #[command(after_help = REPORT_HELP)]
    Report(ReportArgs),
    /// Test a program as the instructor's grader will.
    #[command(after_help = TEST_EXAMPLE)]
    Test(TestArgs),
    /// Hold problems to the verdicts that their sample submissions must get.
    #[command(after_help = VERIFY_EXAMPLE)]
    Verify(VerifyArgs),
    /// Find where a problem's time limit belongs, from its sample submissions.
    #[command(after_help = LIMITS_HELP)]
    Limits(LimitsArgs),
    /// Look for mistakes in problem files; runs nothing.
    #[command(after_help = CHECK_EXAMPLE)]
    Check(CheckArgs),
    /// Run one command in the sandbox, and tell what it did as JSON.
    #[command(after_help = RUN_HELP)]
    Run(RunArgs),
    /// Tell what this machine can do for grading, by trying, and what would mend it.
    #[command(after_help = DOCTOR_HELP)]
    Doctor(DoctorArgs),
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
Examples:
  grader grade submissions/ --explain s07
  grader grade submissions/ --record class.json
  grader grade submissions/ --allow-missing memory-cgroup";

const REPORT_HELP: &str = "\
Judging again takes the CPU times that were recorded, of the programs and of the reference, and the
rules of the problem files, which must not have changed since. A factor that is larger than the
recorded one is refused: a run that was stopped says nothing about a longer limit. Problems whose
limit is no multiple stay as they are, and so do subtasks that are judged by growth or by attempts.

Exit status: 0; 3 when some points are open, because of a fault or because grading was stopped.

Examples:
  grader report class.json --explain s07
  grader report class.json --time-factor 2.5 --problem count";

const TEST_EXAMPLE: &str = "\
Example:
  grader test count.c";

const VERIFY_EXAMPLE: &str = "\
Some case must also fail each mutant of a bundled reference: a program with one mistake that the
grader carries.

Examples:
  grader verify problems/n-queens/count --verbose
  grader verify problems/n-queens/count --table";

const LIMITS_HELP: &str = "\
The limit must be above what must pass (times a margin) and below what must fail (divided by one).
Between the two is the window; the samples that end it are named.

Exit status: 0 when the present limit is in the window, or was put there; 1 when it is not, or
when there is no window.

Examples:
  grader limits n-queens/count
  grader limits problems/n-queens/count --write";

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
        "A bundled assignment by its id ({}), or the path of a folder with an `assignment.toml` \
         [default: {default}]",
        bundled::folders().join(", ")
    )
}

/// How much at a time.
#[derive(Debug, Args)]
pub(crate) struct WorkerArgs {
    /// Number of programs that run at a time, each on a core of its own as long as there are as many [default: one
    /// for each physical core, but no more than a quota of CPU time allows].
    #[arg(long, short, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
}

/// What is known of the references from earlier runs.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct CalibrationArgs {
    /// Measure the references anew, whatever earlier runs on this machine have kept in `$XDG_CACHE_HOME/bitcraft`
    /// (else `~/.cache/bitcraft`).
    #[arg(long)]
    pub(crate) fresh_calibration: bool,
}

/// How programs are kept from doing harm.
#[derive(Debug, Args)]
#[command(next_help_heading = "Isolation")]
pub(crate) struct IsolationArgs {
    /// How strictly programs are isolated [default: strict; `test`, `verify` and `limits` do without where this
    /// machine cannot, and say so].
    #[arg(long, value_enum, value_name = "LEVEL")]
    pub(crate) isolation: Option<IsolationLevel>,
    /// Go on without this layer of strict isolation where this machine lacks it (may be given more than once).
    #[arg(long, value_name = "LAYER", value_parser = layers(), hide_possible_values = true)]
    pub(crate) allow_missing: Vec<Layer>,
}

/// A level of isolation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum IsolationLevel {
    /// A sandbox; refuses where a layer is missing. `grader doctor` names the layers.
    Strict,
    /// Limits, but not a sandbox: only for programs that you trust.
    Basic,
}

fn layers() -> impl TypedValueParser<Value = Layer> {
    PossibleValuesParser::new(Layer::ALL.map(|layer| PossibleValue::new(layer.name())))
        .try_map(|name| name.parse::<Layer>())
}

#[derive(Debug, Args)]
pub(crate) struct GradeArgs {
    /// The folder of student folders.
    pub(crate) class: PathBuf,
    #[arg(long, short, value_name = "ID|PATH", help = assignment_help(USUAL))]
    pub(crate) assignment: Option<String>,
    #[command(flatten)]
    pub(crate) workers: WorkerArgs,
    #[command(flatten)]
    pub(crate) report: ClassReportArgs,
    /// Also write everything that was found out to this file, whole or not at all, for `grader report`. It is for
    /// staff: hidden cases are in it.
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) calibration: CalibrationArgs,
    #[command(flatten)]
    pub(crate) isolation: IsolationArgs,
}

/// The report on a class.
#[derive(Debug, Args)]
pub(crate) struct ClassReportArgs {
    /// What the report looks like.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: Format,
    /// Write the report to this file, whole or not at all, instead of standard output.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Who will read the report: a student sees no hidden cases and no flags, and nobody else. Then all
    /// is about the student of `--explain` only.
    #[arg(long, value_enum, default_value_t, value_name = "WHO")]
    pub(crate) audience: Audience,
    /// Explain every score of this student after the table (may be given more than once).
    #[arg(long, value_name = "ID")]
    pub(crate) explain: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// A file that `grader grade --record FILE` wrote.
    #[arg(value_name = "FILE")]
    pub(crate) record: PathBuf,
    #[command(flatten)]
    pub(crate) report: ClassReportArgs,
    #[command(flatten)]
    pub(crate) again: AgainArgs,
}

/// Judging again.
#[derive(Debug, Args)]
#[command(next_help_heading = "Judging again")]
pub(crate) struct AgainArgs {
    /// Judge again: where a limit is a multiple of the reference's time, let it be this multiple.
    #[arg(long, value_name = "FACTOR", value_parser = time_factor)]
    pub(crate) time_factor: Option<f64>,
    /// Judge only this problem again.
    #[arg(long, short, value_name = "ID", requires = "time_factor")]
    pub(crate) problem: Option<String>,
    #[arg(long, short, value_name = "ID|PATH", requires = "time_factor", help = assignment_help("the bundled one that was graded"))]
    pub(crate) assignment: Option<String>,
}

fn time_factor(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|factor: &f64| factor.is_finite() && *factor > 0.0)
        .ok_or_else(|| "expected a number above 0".to_owned())
}

/// Formats of the report of `grade` and `report`.
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
    #[command(flatten)]
    pub(crate) calibration: CalibrationArgs,
    #[command(flatten)]
    pub(crate) isolation: IsolationArgs,
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
    /// Also draw the table of the tests: which wrong program fails which case, cases that fail none, and programs
    /// that no case tells apart.
    #[arg(long)]
    pub(crate) table: bool,
    /// What the report looks like.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: VerifyFormat,
    #[command(flatten)]
    pub(crate) calibration: CalibrationArgs,
    #[command(flatten)]
    pub(crate) isolation: IsolationArgs,
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
pub(crate) struct LimitsArgs {
    /// The folder of a problem, or `assignment/problem`: one in `problems` if that is here, else a bundled one.
    pub(crate) problem: String,
    /// So many times the time of what must pass is the limit at least.
    #[arg(long, value_name = "FACTOR", default_value = "2", value_parser = margin)]
    pub(crate) pass_margin: f64,
    /// So many times the limit is the time of what must fail at least.
    #[arg(long, value_name = "FACTOR", default_value = "1.5", value_parser = margin)]
    pub(crate) fail_margin: f64,
    /// Runs of the reference and of the samples that decide; the smallest time counts.
    #[arg(long, value_name = "N", default_value = "3")]
    pub(crate) runs: NonZeroU32,
    /// Where the present value is outside the window, write the suggested one into the problem file; no other byte
    /// of it changes.
    #[arg(long)]
    pub(crate) write: bool,
    #[command(flatten)]
    pub(crate) isolation: IsolationArgs,
}

fn margin(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|margin| (1.0..=100.0).contains(margin))
        .ok_or_else(|| "expected a number from 1 to 100".to_owned())
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
pub(crate) struct RunArgs {
    /// What it reads as standard input: a file, or `-` for ours, which is read to its end first, 1 GiB at most
    /// [default: nothing].
    #[arg(long, value_name = "FILE")]
    pub(crate) stdin: Option<PathBuf>,
    /// Put a file into its folder under this name, such as `data/in.txt` (may be given more than once).
    #[arg(long = "file", value_name = "SRC=DST")]
    pub(crate) files: Vec<OsString>,
    /// Show it this file or folder of the system, at the same path and for reading only, as far as other users may
    /// read it (may be given more than once).
    #[arg(long, value_name = "PATH")]
    pub(crate) readable: Vec<PathBuf>,
    /// Set a variable of its environment (may be given more than once).
    #[arg(long = "env", value_name = "NAME=VALUE")]
    pub(crate) environment: Vec<OsString>,
    /// Keep it, and all that it starts, on the core of this number [default: any].
    #[arg(long, value_name = "N")]
    pub(crate) core: Option<u32>,
    /// Write the outcome to this file, whole or not at all, instead of standard error.
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// The command: the path of a program, or the name of one in /usr/local/bin, /usr/bin or /bin.
    #[arg(last = true, required = true, value_name = "CMD")]
    pub(crate) command: Vec<OsString>,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) isolation: IsolationArgs,
}

/// What a command may use.
#[derive(Debug, Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArgs {
    /// CPU time of all of its processes together: `500 ms`, `2 s`, `1 min`.
    #[arg(long, value_name = "TIME", default_value = "10 s")]
    pub(crate) time: CpuTime,
    /// Time on the clock on the wall [default: twice the CPU time and a second, but at least 3 s].
    #[arg(long, value_name = "TIME")]
    pub(crate) wall: Option<WallTime>,
    /// Memory of all of its processes together: `64 MiB`, `1 GiB`.
    #[arg(long, value_name = "SIZE", default_value = "256 MiB")]
    pub(crate) memory: Bytes,
    /// Processes and threads at one time: a shell script that starts other programs needs more than one.
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) processes: u32,
    /// Size of standard output, of standard error, and of each file that it writes.
    #[arg(long, value_name = "SIZE", default_value = "16 MiB")]
    pub(crate) output_limit: Bytes,
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

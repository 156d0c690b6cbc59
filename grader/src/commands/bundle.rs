//! `grader bundle`.

mod gradescope;
mod icpc;
mod students;
mod trial;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use grader_package::{ExportFormat, ExportOptions};
use grader_session::Exit;

use crate::assignment;
use crate::isolation::IsolationArgs;
use crate::targets::refuse_stdout;
use crate::terminal::Terminal;

#[derive(Debug, Args)]
#[command(after_long_help = "\
The kit is for students: with it, `grader test` gives the verdicts on public cases on their own machines. It has \
statements, public cases with their answers, the files built with each submission, the checkers and interactors that public \
cases need, and the rules that reject sources. It has no hidden cases, references, samples or generators (unless `[search]` \
has `kit = true`), and no rules that only raise flags.

With `--gradescope`, the zip holds this binary, the assignment without its samples, and the two scripts that Gradescope \
starts. docs/ci.md explains step by step what to do with it.

Examples:
  grader bundle -a week-1 -o week-1-kit
  grader bundle -a week-1 --gradescope -o autograder.zip
  grader bundle -a week-1 -p sum --icpc -o sum-package")]
pub(crate) struct BundleArgs {
    /// New folder; with `--gradescope`, a zip, which replaces only an earlier one.
    #[arg(long, short, value_name = "PATH")]
    output: PathBuf,
    /// The student who gets the kit, if each has values of their own: the id that `grade` shows, or the team's name.
    #[arg(long, value_name = "ID", conflicts_with_all = ["gradescope", "icpc"])]
    student: Option<String>,
    /// Write the zip that grades the assignment on Gradescope instead.
    #[arg(long, conflicts_with = "icpc")]
    gradescope: bool,
    /// Write a problem as a package of ICPC and Kattis instead.
    #[arg(long, value_name = "FORMAT", value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "legacy")]
    icpc: Option<Format>,
    /// With `--icpc`: leave out points, for contests.
    #[arg(long, requires = "icpc")]
    pass_fail: bool,
    /// With `--icpc`: this problem [default: the only one].
    #[arg(
        long,
        short,
        value_name = "ID",
        requires = "icpc",
        conflicts_with = "gradescope"
    )]
    problem: Option<String>,
    #[arg(long, short, value_name = "ID|PATH", help = assignment::help(assignment::HERE), long_help = assignment::long_help(assignment::HERE))]
    assignment: Option<String>,
    #[command(flatten)]
    isolation: IsolationArgs,
}

/// A version of the problem package format.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// Read by Kattis, problemtools, DOMjudge, and by BAPCtools after `bt upgrade`.
    Legacy,
    /// Read by BAPCtools. There, programs may have arguments, and a subtask may require others.
    #[value(name = "2025-09")]
    V2025_09,
}

pub(crate) fn run(args: &BundleArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let (output, assignment) = (&*args.output, args.assignment.as_deref());
    let (what, expected) = match (args.gradescope, args.icpc.is_some()) {
        (true, _) => ("the zip", "a file `*.zip`"),
        (_, true) => ("a package", "a new folder"),
        _ => ("a kit", "a new folder"),
    };
    refuse_stdout(output, what, expected)?;
    if args.gradescope {
        gradescope::write(output, assignment, terminal)
    } else if let Some(format) = args.icpc {
        let problem = args.problem.as_deref();
        let options = ExportOptions {
            format: match format {
                Format::Legacy => ExportFormat::Legacy,
                Format::V2025_09 => ExportFormat::V2025_09,
            },
            pass_fail: args.pass_fail,
        };
        icpc::write(
            output,
            assignment,
            problem,
            options,
            &args.isolation,
            terminal,
        )
    } else {
        let student = args.student.as_deref();
        students::write(output, assignment, student, &args.isolation, terminal)
    }
}

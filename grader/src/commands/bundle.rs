//! `grader bundle`.

mod gradescope;
mod icpc;
mod students;

use std::path::PathBuf;

use clap::Args;
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
  grader bundle -a ./week-1 -o week-1-kit
  grader bundle -a ./week-1 --gradescope -o autograder.zip
  grader bundle -a ./week-1 -p sum --icpc -o sum-package")]
pub(crate) struct BundleArgs {
    /// Folder to write, which must not exist; with `--gradescope`, a zip, which replaces only an earlier one.
    #[arg(long, short, value_name = "PATH")]
    output: PathBuf,
    /// Write the zip that grades the assignment on Gradescope instead.
    #[arg(long, conflicts_with = "icpc")]
    gradescope: bool,
    /// Write a problem as a package of ICPC and Kattis (`2023-07-draft`, pass-fail) instead.
    #[arg(long)]
    icpc: bool,
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

pub(crate) fn run(args: &BundleArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let (output, assignment) = (&*args.output, args.assignment.as_deref());
    let (what, expected) = match (args.gradescope, args.icpc) {
        (true, _) => ("the zip", "a file `*.zip`"),
        (_, true) => ("a package", "a new folder"),
        _ => ("a kit", "a new folder"),
    };
    refuse_stdout(output, what, expected)?;
    if args.gradescope {
        gradescope::write(output, assignment, terminal)
    } else if args.icpc {
        let problem = args.problem.as_deref();
        icpc::write(output, assignment, problem, &args.isolation, terminal)
    } else {
        students::write(output, assignment, &args.isolation, terminal)
    }
}

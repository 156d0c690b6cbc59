//! `grader merge`.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use grader_model::{counted, escaped};
use grader_session::{Exit, Failure, ledger, shown};
use grader_store::{MergeError, merge};

use crate::targets::refuse_stdout;
use crate::terminal::Terminal;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Each ledger must hold a finished run of one shard (`grade --shard`), and together they must make up the class. The new \
ledger appears whole or not at all; merging the same ledgers again replaces it.

Examples:
  grader merge part-*.db -o class.db
  grader report --ledger class.db")]
pub(crate) struct MergeArgs {
    /// Ledgers of all shards, in any order.
    #[arg(required = true, value_name = "LEDGER")]
    parts: Vec<PathBuf>,
    /// File for the joined ledger; merging the same shards again replaces it.
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Path of the class on this machine, for later runs with the new ledger [default: its path on the first shard's
    /// machine].
    #[arg(long, value_name = "CLASS")]
    class: Option<PathBuf>,
}

pub(crate) fn run(args: &MergeArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    refuse_stdout(&args.output, "a ledger", "a file")?;
    let class = args.class.as_deref().map(real_class).transpose()?;
    args.parts
        .iter()
        .try_for_each(|it| ledger::refuse_missing(it))?;
    let merged = merge(&args.parts, &args.output, class.as_deref());
    let merged = merged.map_err(|error| match error {
        MergeError::Parts(why) => anyhow::Error::new(Failure::usage(escaped(why.as_bytes()))),
        MergeError::Output(error) => error.into(),
    })?;
    let path = shown(&args.output);
    writeln!(
        terminal.stdout(),
        "{path}: {} and {} of {}",
        counted(merged.students, "student", "students"),
        counted(merged.results, "result", "results"),
        counted(merged.shards, "shard", "shards")
    )?;
    Ok(Exit::Done)
}

fn real_class(path: &Path) -> Result<PathBuf, Failure> {
    fs::canonicalize(path).map_err(|error| {
        let path = shown(path);
        Failure::usage(format!(
            "cannot read the class `{path}` of `--class`: {error}"
        ))
    })
}

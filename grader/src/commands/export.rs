//! `grader export`.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::{Args, ValueEnum};
use grader_lms::{MAX_TEXT, read_regular_text};
use grader_package::export;

use super::package_folder::write_package;
use crate::assignment;
use crate::exit::{Exit, Failure};
use crate::isolation::IsolationArgs;
use crate::judge;
use crate::owned::refuse_existing;
use crate::terminal::{Terminal, shown};

#[derive(Debug, Args)]
#[command(
    after_long_help = "Example:\n  grader export problems/n-queens/board --format icpc -o board"
)]
pub(crate) struct ExportArgs {
    /// Folder of the problem, with its `problem.toml`.
    problem: PathBuf,
    /// Format of the package.
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Format,
    /// Folder to write, which must not exist.
    #[arg(long, short, value_name = "FOLDER")]
    output: PathBuf,
    #[command(flatten)]
    isolation: IsolationArgs,
}

/// A format of problem packages.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// ICPC and Kattis (`2023-07-draft`, pass-fail).
    Icpc,
}

pub(crate) fn run(args: &ExportArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let Format::Icpc = args.format;
    refuse_existing(&args.output)?;
    let shown = shown(&args.problem);
    if !args.problem.join("problem.toml").is_file() {
        let message = format!("there is no `problem.toml` in `{shown}`: expected one problem");
        return Err(Failure::usage(message).into());
    }
    let loaded = assignment::load_all(std::slice::from_ref(&args.problem))?;
    let loaded = loaded.map_err(|mistakes| assignment::drawn(&mistakes, terminal))?;
    let (assignment, samples, _) = loaded.first().context("no problem was read")?;
    let (entry, samples) = assignment
        .problems
        .iter()
        .zip(samples)
        .next()
        .context("no problem was read")?;
    let (judge, stop) = judge::of_author(&args.isolation, None, false, None, terminal)?;
    let data = judge.test_data(&entry.problem);
    if stop.is_requested() {
        return Ok(Exit::Interrupted);
    }
    let data = data?;
    let statements = statements(&args.problem)?;
    let exported = export(&entry.problem, samples, &statements, &data)
        .map_err(|error| Failure::usage(format!("cannot export `{shown}`: {error}")))?;
    let files = exported.files.iter();
    let files = files.map(|(path, bytes)| Ok((path.as_str(), bytes.clone())));
    let heading = "Changes from the problem";
    write_package(&args.output, files, heading, &exported.notes, terminal)
}

/// The texts of `statement.en.md` and `statement.zh.md`, with their languages.
fn statements(folder: &Path) -> anyhow::Result<Vec<(String, String)>> {
    let mut found = Vec::new();
    for language in ["en", "zh"] {
        let path = folder.join(format!("statement.{language}.md"));
        if path.is_file() {
            let text = read_regular_text(&path, MAX_TEXT)
                .with_context(|| format!("cannot read `{}`", shown(&path)))?;
            found.push((language.to_owned(), text));
        }
    }
    Ok(found)
}

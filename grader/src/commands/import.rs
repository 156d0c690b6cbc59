//! `grader import`.

use std::fs;
use std::path::PathBuf;

use clap::Args;
use grader_model::escaped;
use grader_package::{Content, import};
use grader_problem::{DiskLibrary, Library as _};

use super::package_folder::write_package;
use crate::exit::{Exit, Failure};
use crate::owned::refuse_existing;
use crate::terminal::{Terminal, shown};

#[derive(Debug, Args)]
#[command(after_long_help = "Example:\n  grader import ~/packages/hello -o mine/hello")]
pub(crate) struct ImportArgs {
    /// Folder of the package, with its `problem.yaml` (Kattis, ICPC, DOMjudge), `init.yml` (DMOJ) or `problem.xml`
    /// (Polygon).
    package: PathBuf,
    /// Folder to write, which must not exist [default: the package's name, here].
    #[arg(long, short, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

pub(crate) fn run(args: &ImportArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let real = fs::canonicalize(&args.package).map_err(|error| {
        Failure::usage(format!("cannot open `{}`: {error}", shown(&args.package)))
    })?;
    let name = real.file_name().unwrap_or_default().to_string_lossy();
    let output = args.output.clone().unwrap_or_else(|| PathBuf::from(&*name));
    refuse_existing(&output)?;
    let library = DiskLibrary::new(&real);
    let imported = import(&library, &name).map_err(|error| {
        Failure::usage(format!("cannot import `{}`: {error}", shown(&args.package)))
    })?;
    let files = imported.files.iter().map(|(path, content)| {
        let bytes = match content {
            Content::Bytes(bytes) => bytes.clone(),
            Content::Copy(from) => library.read(from).map_err(|error| {
                Failure::usage(format!(
                    "cannot read `{}`: {error}",
                    escaped(from.as_bytes())
                ))
            })?,
        };
        Ok((path.as_str(), bytes))
    });
    write_package(
        &output,
        files,
        "Changes from the package",
        &imported.notes,
        terminal,
    )
}

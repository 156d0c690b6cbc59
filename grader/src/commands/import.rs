//! `grader import`.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use grader_model::escaped;
use grader_package::{Content, import};
use grader_problem::{DiskLibrary, Library as _};

use crate::exit::{Exit, Failure};
use crate::terminal::Terminal;

#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  grader import ~/packages/hello -o mine/hello && grader verify mine/hello"
)]
pub(crate) struct ImportArgs {
    /// The package's folder, with its `problem.yaml` or `problem.xml`.
    package: PathBuf,
    /// The folder to write, which must not exist [default: the package's name, here].
    #[arg(long, short, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

pub(crate) fn run(args: &ImportArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let shown = |path: &Path| escaped(path.as_os_str().as_encoded_bytes());
    let real = fs::canonicalize(&args.package).map_err(|error| {
        Failure::usage(format!("cannot open `{}`: {error}", shown(&args.package)))
    })?;
    let name = real.file_name().unwrap_or_default().to_string_lossy();
    let output = args.output.clone().unwrap_or_else(|| PathBuf::from(&*name));
    if output.exists() {
        return Err(Failure::usage(format!("`{}` already exists", shown(&output))).into());
    }
    let library = DiskLibrary::new(&real);
    let imported = import(&library, &name).map_err(|error| {
        Failure::usage(format!("cannot import `{}`: {error}", shown(&args.package)))
    })?;
    // Nothing half-written is left under the name that was asked for.
    let parent = output
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    let parent = parent.unwrap_or(Path::new("."));
    fs::create_dir_all(parent).with_context(|| format!("cannot create `{}`", shown(parent)))?;
    let written = tempfile::Builder::new()
        .prefix(".import-")
        .tempdir_in(parent)?;
    for (path, content) in &imported.files {
        let target = written.path().join(path);
        if let Some(folder) = target.parent() {
            fs::create_dir_all(folder)?;
        }
        let bytes = match content {
            Content::Text(text) => text.clone().into_bytes(),
            Content::Copy(from) => library.read(from).map_err(|error| {
                Failure::usage(format!(
                    "cannot read `{}`: {error}",
                    escaped(from.as_bytes())
                ))
            })?,
        };
        fs::write(&target, bytes).with_context(|| format!("cannot write `{}`", shown(&target)))?;
    }
    fs::rename(written.keep(), &output)
        .with_context(|| format!("cannot write `{}`", shown(&output)))?;
    let mut page = vec![format!(
        "wrote {} files to {}\n",
        imported.files.len(),
        shown(&output)
    )];
    if !imported.notes.is_empty() {
        page.push("\nChanges from the package:\n".to_owned());
    }
    let notes = imported.notes.iter();
    page.extend(notes.map(|note| format!("  {}\n", escaped(note.as_bytes()))));
    terminal.stdout().write_all(page.concat().as_bytes())?;
    Ok(Exit::Done)
}

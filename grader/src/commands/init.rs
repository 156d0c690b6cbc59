//! `grader init`.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use grader_judge::typed;

use super::package_folder::write_package;
use crate::assignment::did_you_mean;
use crate::bundled;
use crate::exit::{Exit, Failure};
use crate::owned::refuse_existing;
use crate::terminal::Terminal;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  grader init week-1
  grader init week-2 --template interactive
  grader init --from n-queens queens")]
pub(crate) struct InitArgs {
    /// Folder to write, which must not exist.
    #[arg(default_value = "week-1", value_name = "NAME")]
    folder: PathBuf,
    /// Kind of the first problem.
    #[arg(long, value_enum, default_value_t, conflicts_with = "from")]
    template: Template,
    /// Bundled assignment to copy and edit instead.
    #[arg(long, value_name = "ID")]
    from: Option<String>,
}

/// A kind of problem.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Template {
    /// One right answer for each case, from a reference solution.
    #[default]
    Classic,
    /// Many right answers: a program of yours checks them.
    Checker,
    /// The submission talks to a program of yours.
    Interactive,
}

pub(crate) fn run(args: &InitArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    refuse_existing(&args.folder)?;
    let files = match &args.from {
        None => bundled::template(match args.template {
            Template::Classic => "classic",
            Template::Checker => "checker",
            Template::Interactive => "interactive",
        }),
        Some(id) => {
            let known = bundled::folders();
            if !known.contains(&id.as_str()) {
                let near = did_you_mean(id, known.iter().copied()).en;
                let known = known.join("`, `");
                let message =
                    format!("there is no bundled assignment `{id}`{near}; known are `{known}`");
                return Err(Failure::usage(message).into());
            }
            bundled::files(id)
        }
    };
    let id = id_of(&args.folder).filter(|_| args.from.is_none());
    let files = files.into_iter().map(|(path, bytes)| match &id {
        Some(id) if path == "assignment.toml" => {
            let text = String::from_utf8_lossy(bytes);
            let text = text.replace("id = \"week-1\"", &format!("id = \"{id}\""));
            Ok((path, text.into_bytes()))
        }
        _ => Ok((path, bytes.to_vec())),
    });
    let exit = write_package(&args.folder, files, "", [], terminal)?;
    let folder = args.folder.to_string_lossy();
    for command in ["check", "verify"] {
        let line = typed(["grader", command, &folder]);
        writeln!(terminal.stdout(), "  {line}")?;
    }
    Ok(exit)
}

/// The name of the folder, if that can be the id of an assignment.
fn id_of(folder: &Path) -> Option<String> {
    let name = folder.file_name()?.to_str()?;
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let is_id = name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(is_plain);
    is_id.then(|| name.to_owned())
}

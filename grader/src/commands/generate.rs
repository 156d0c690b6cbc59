//! `grader generate`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::{Args, Command, ValueEnum as _};
use clap_complete::Shell;

use crate::exit::Exit;

#[derive(Debug, Args)]
pub(crate) struct GenerateArgs {
    /// The folder in which `man/man1` and `completions` are written.
    folder: PathBuf,
}

/// Writes manual pages, and completion scripts for every shell.
pub(crate) fn run(args: &GenerateArgs, mut grader: Command) -> anyhow::Result<Exit> {
    let pages = args.folder.join("man/man1");
    let scripts = args.folder.join("completions");
    for folder in [&pages, &scripts] {
        fs::create_dir_all(folder).with_context(|| cannot_write(folder))?;
    }
    for shell in Shell::value_variants() {
        clap_complete::generate_to(*shell, &mut grader, "grader", &scripts)
            .with_context(|| cannot_write(&scripts))?;
    }
    grader.build();
    write_page(&grader, "grader", &pages)?;
    for command in grader.get_subcommands().filter(|it| !it.is_hide_set()) {
        write_page(command, &format!("grader-{}", command.get_name()), &pages)?;
    }
    Ok(Exit::Done)
}

fn write_page(command: &Command, name: &str, folder: &Path) -> anyhow::Result<()> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    let path = folder.join(format!("{name}.1"));
    fs::write(&path, page).with_context(|| cannot_write(&path))
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write `{}`", path.display())
}

//! `grader import`.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use grader_intake::{IntakeError, unpack_package};
use grader_judge::Scratch;
use grader_model::{Bytes, Points, counted, escaped, parse_duration};
use grader_package::{ImportOptions, import};
use grader_problem::{DiskLibrary, LEADS_OUT, render};
use grader_session::{Exit, Failure, shown};

use super::init::say_not_listed;
use super::package_folder::write_checked;
use crate::assignment::assignments;
use crate::targets::{check_new_folder, refuse_stdout};
use crate::terminal::Terminal;

/// Columns of the mistakes that are shown.
const WIDTH: usize = 100;

#[derive(Debug, Args)]
#[command(after_long_help = "Example:\n  grader import ~/packages/hello -o mine/hello")]
pub(crate) struct ImportArgs {
    /// Folder or archive of a package of another judge, or of tests (`1.in` with `1.out`).
    ///
    /// Packages have a `problem.yaml` (Kattis, ICPC, DOMjudge, Hydro), `task.yaml` (CMS), `init.yml` (DMOJ), `problem.xml`
    /// (Polygon), `info.toml` (Library Checker), `problem.conf` (UOJ) or `problem.json` (QDUOJ), or are an XML file of FPS
    /// (HUSTOJ), which may also be given by itself.
    package: PathBuf,
    /// New folder [default: the package's name, here].
    #[arg(long, short, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Follow links that lead out of the package, up to this folder [default: its Git repository].
    #[arg(long, value_name = "FOLDER")]
    root: Option<PathBuf>,
    /// Import a package even if the problem is worth 0 points.
    #[arg(long)]
    allow_empty: bool,
    /// Let students see all tests: in reports, and in what `bundle` writes. Otherwise, they see the samples.
    #[arg(long)]
    public: bool,
    /// Time limit, such as `1s`, for a folder of tests in no format [default: 2s].
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    time: Option<Duration>,
    /// Memory limit, such as `64MiB`, for such a folder [default: 256MiB].
    #[arg(long, value_name = "SIZE")]
    memory: Option<Bytes>,
    /// Points of all tests in such a folder, or of each subtask: `20,30,50` [default: 100].
    #[arg(long, value_name = "N,…", value_delimiter = ',')]
    points: Vec<u32>,
}

pub(crate) fn run(args: &ImportArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let mut real = real_path(&args.package)?;
    let name = real.file_name().unwrap_or_default().to_string_lossy();
    let mut name = name.into_owned();
    let scratch = Scratch::new()?;
    let is_xml = |path: &Path| {
        path.extension()
            .is_some_and(|it| it.eq_ignore_ascii_case("xml"))
    };
    if args.root.is_some() && !real.is_dir() {
        return Err(Failure::usage("`--root` is for folders, not archives").into());
    } else if real.is_file() && is_xml(&real) {
        // A package is a folder.
        fs::copy(&real, scratch.path().join(&name))
            .map_err(|error| IntakeError::of(&real, &error))?;
        name.truncate(name.len() - ".xml".len());
        scratch.path().clone_into(&mut real);
    } else if !real.is_dir() {
        (real, name) = unpack_package(&args.package, scratch.path())?;
    }
    let output = args.output.clone().unwrap_or_else(|| (&name).into());
    refuse_stdout(&output, "a problem", "a new folder")?;
    check_new_folder(&output)?;
    let library = DiskLibrary::new(&real).with_links_into(link_root(args, &real)?);
    let failed = |message: &dyn std::fmt::Display| {
        let mut message = format!("cannot import `{}`: {message}", shown(&args.package));
        if message.ends_with(LEADS_OUT) {
            message.push_str("; to follow it, pass `--root FOLDER`");
        }
        Failure::usage(message)
    };
    let options = ImportOptions {
        public: args.public,
        allow_empty: args.allow_empty,
        seconds: args.time.map(|it| it.as_secs_f64()),
        mebibytes: args.memory.map(|it| it.0 as f64 / 1_048_576.0),
        points: args.points.iter().copied().map(Points::whole).collect(),
    };
    let imported = import(&library, &name, &options).map_err(|error| failed(&error))?;
    for line in &imported.paired {
        writeln!(terminal.stdout(), "{}", escaped(line.as_bytes()))?;
    }
    let files = imported.contents(&library);
    let files = files.map(|file| Ok(file.map_err(|error| failed(&error))?));
    let check = |written: &Path| -> anyhow::Result<()> {
        let mistake = mistake(written, args.allow_empty)?;
        mistake.map_or(Ok(()), |mistake| Err(failed(&mistake).into()))
    };
    let heading = "Changes from the package";
    let exit = write_checked(&output, files, check, heading, &imported.notes, terminal)?;
    say_not_listed(&output, terminal);
    Ok(exit)
}

fn real_path(path: &Path) -> Result<PathBuf, IntakeError> {
    fs::canonicalize(path).map_err(|error| IntakeError::of(path, &error))
}

/// The folder up to which links that lead out of the package are followed.
fn link_root(args: &ImportArgs, package: &Path) -> anyhow::Result<PathBuf> {
    let Some(root) = &args.root else {
        let mut around = package.ancestors();
        let repository = around.find(|folder| folder.join(".git").exists());
        return Ok(repository.unwrap_or(package).to_owned());
    };
    if package.starts_with(real_path(root)?) {
        return Ok(real_path(root)?);
    }
    let root = shown(root);
    Err(Failure::usage(format!("`--root`: the package is not in `{root}`")).into())
}

/// Why an imported problem is not usable, if it is not.
fn mistake(folder: &Path, allow_empty: bool) -> anyhow::Result<Option<String>> {
    let assignments = match assignments().load_all(&[folder.to_owned()])? {
        Ok(assignments) => assignments,
        Err(mistakes) => {
            let count = counted(mistakes.len(), "mistake", "mistakes");
            let drawn = render(&mistakes[..mistakes.len().min(3)], false, WIDTH);
            // The last line counts only these.
            let (first, _) = drawn.trim_end().rsplit_once("\n\n").unwrap_or_default();
            // Paths in the problem: the folder will be gone.
            let folder = folder.display().to_string();
            let first = first.replace(&format!("{}/", folder.trim_start_matches("./")), "");
            return Ok(Some(format!("the problem would have {count}:\n\n{first}")));
        }
    };
    let problems = assignments.iter().flat_map(|(it, ..)| &it.problems);
    let subtasks = problems.flat_map(|it| &it.problem.subtasks);
    if allow_empty || subtasks.clone().any(|it| it.points > Points::ZERO) {
        return Ok(None);
    }
    let names = subtasks.map(|it| escaped(it.name.as_str().as_bytes()));
    let names: Vec<String> = names.take(5).collect();
    Ok(Some(format!(
        "the problem would be worth 0 points (groups: `{}`); pass `--allow-empty` to import it anyway",
        names.join("`, `")
    )))
}

//! Finding and reading assignments.

use std::path::{Path, PathBuf};

use grader_model::Text;
use grader_problem::{
    Assignment, Diagnostic, DiskLibrary, Library, Loaded, Sample, load_assignment, load_problem,
    load_samples, render,
};

use crate::bundled;
use crate::exit::{Diagnosed, Mistake};
use crate::reference;
use crate::terminal::Terminal;

/// Where an assignment, or a single problem, lies.
pub(crate) struct Place {
    pub(crate) library: Box<dyn Library>,
    /// Its folder in the library.
    pub(crate) folder: String,
    pub(crate) what: What,
}

/// What lies in a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// An `assignment.toml`.
    Assignment,
    /// A `problem.toml`.
    Problem,
}

/// The bundled assignment that is meant, or looked at first, where none is named.
pub(crate) const USUAL: &str = "n-queens";

/// The assignment that `--assignment` names: a path if it has a slash, else the id of a bundled one.
///
/// A bare word never means a folder here: students' repositories and classes hold folders of any name, and one called
/// `n-queens` would bring its own tests.
pub(crate) fn find(name: &str) -> anyhow::Result<Place> {
    let path = Path::new(name);
    if !is_path(name) {
        if bundled::folders().contains(&name) {
            return Ok(bundled_place(name));
        }
        return Err(unknown(name).into());
    }
    if !path.exists() {
        return Err(unknown(name).into());
    }
    let places = on_disk(path)?;
    if let [place] = &places[..]
        && place.what == What::Assignment
    {
        return Ok(places.into_iter().next().ok_or_else(|| nothing_in(path))?);
    }
    let path = path.display();
    Err(Mistake::new(
        format!("`{path}` is not one assignment: expected a folder that holds `assignment.toml`"),
        format!("`{path}` 不是一个作业：应为含有 `assignment.toml` 的文件夹"),
    )
    .into())
}

/// Whether an assignment is named by its path.
fn is_path(name: &str) -> bool {
    name.contains('/') || name == "." || name == ".."
}

/// There is no such assignment.
fn unknown(name: &str) -> Mistake {
    let folders = bundled::folders();
    let known: Vec<String> = folders.iter().map(|id| format!("`{id}`")).collect();
    let near = if !name.is_empty() && !is_path(name) && Path::new(name).exists() {
        Text::new(
            format!("; did you mean `./{name}`?"),
            format!("；是不是 `./{name}`？"),
        )
    } else {
        did_you_mean(name, folders)
    };
    Mistake::new(
        format!(
            "there is no assignment `{name}`: expected the path of a folder, such as `./mine`, or one of {}{}",
            known.join(", "),
            near.en,
        ),
        format!(
            "没有作业 `{name}`：应为文件夹的路径（如 `./mine`），或者 {} 之一{}",
            known.join("、"),
            near.zh,
        ),
    )
}

/// What ends a message about a name that is not known: the known one that is nearest, if any is near.
pub(crate) fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Text {
    let name = name.to_lowercase();
    let most = (name.chars().count() / 3).max(1);
    let nearest = known
        .into_iter()
        .map(|known| (strsim::osa_distance(&name, &known.to_lowercase()), known))
        .filter(|&(distance, _)| distance <= most)
        .min();
    nearest.map_or_else(Text::default, |(_, near)| {
        Text::new(
            format!("; did you mean `{near}`?"),
            format!("；是不是 `{near}`？"),
        )
    })
}

fn bundled_place(folder: &str) -> Place {
    Place {
        library: Box::new(bundled::library()),
        folder: folder.to_owned(),
        what: What::Assignment,
    }
}

/// The bundled assignments, in alphabetical order.
pub(crate) fn all_bundled() -> Vec<Place> {
    bundled::folders().into_iter().map(bundled_place).collect()
}

/// What `verify` and `check` look at when nothing is named: `problems` here, else what is bundled.
pub(crate) fn usual() -> anyhow::Result<Vec<Place>> {
    let here = Path::new("problems");
    if here.is_dir() {
        on_disk(here)
    } else {
        Ok(all_bundled())
    }
}

/// What lies at a path: an assignment, a problem, or several assignments in one folder.
pub(crate) fn on_disk(path: &Path) -> anyhow::Result<Vec<Place>> {
    let folder = if path.is_file() {
        path.parent()
            .map(Path::to_owned)
            .filter(|parent| !parent.as_os_str().is_empty())
            .unwrap_or_else(|| PathBuf::from("."))
    } else {
        path.to_owned()
    };
    if !folder.is_dir() {
        let path = path.display();
        return Err(Mistake::new(
            format!("there is no folder `{path}`"),
            format!("没有文件夹 `{path}`"),
        )
        .into());
    }
    if let Some(what) = what_is(&folder) {
        return Ok(vec![place(&folder, what)]);
    }
    let mut folders: Vec<PathBuf> = std::fs::read_dir(&folder)
        .map_err(|error| {
            let folder = folder.display();
            Mistake::new(
                format!("cannot read the folder `{folder}`: {error}"),
                format!("无法读取文件夹 `{folder}`：{error}"),
            )
        })?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| what_is(path).is_some())
        .collect();
    folders.sort();
    if folders.is_empty() {
        return Err(nothing_in(&folder).into());
    }
    Ok(folders
        .iter()
        .filter_map(|folder| what_is(folder).map(|what| place(folder, what)))
        .collect())
}

fn nothing_in(folder: &Path) -> Mistake {
    let folder = folder.display();
    Mistake::new(
        format!("there is no `assignment.toml` or `problem.toml` in `{folder}` or in its folders"),
        format!("`{folder}` 及其子文件夹中没有 `assignment.toml` 或 `problem.toml`"),
    )
}

fn what_is(folder: &Path) -> Option<What> {
    if folder.join("assignment.toml").is_file() {
        Some(What::Assignment)
    } else if folder.join("problem.toml").is_file() {
        Some(What::Problem)
    } else {
        None
    }
}

fn place(folder: &Path, what: What) -> Place {
    Place {
        library: Box::new(DiskLibrary::new(folder)),
        folder: String::new(),
        what,
    }
}

impl Place {
    /// Reads the assignment; a single problem becomes an assignment of its own.
    pub(crate) fn load(&self) -> Loaded<Assignment> {
        match self.what {
            What::Assignment => {
                load_assignment(self.library.as_ref(), &self.folder, &reference::names())
            }
            What::Problem => load_problem(self.library.as_ref(), &self.folder, &reference::names())
                .map(Assignment::of_problem),
        }
    }

    /// Reads the assignment and the sample submissions of each of its problems, in order.
    pub(crate) fn load_with_samples(&self) -> Loaded<(Assignment, Vec<Vec<Sample>>)> {
        let assignment = self.load()?;
        let mut samples = Vec::new();
        let mut mistakes = Vec::new();
        for entry in &assignment.problems {
            match load_samples(self.library.as_ref(), &entry.problem) {
                Ok(found) => samples.push(found),
                Err(found) => mistakes.extend(found),
            }
        }
        if mistakes.is_empty() {
            Ok((assignment, samples))
        } else {
            Err(mistakes)
        }
    }

    /// Reads the assignment, or says all that is wrong with it.
    pub(crate) fn load_whole(&self, terminal: &Terminal) -> anyhow::Result<Assignment> {
        self.load()
            .map_err(|mistakes| Diagnosed(shown(&mistakes, terminal)).into())
    }
}

/// Mistakes in problem files, as they are shown on standard error.
pub(crate) fn shown(diagnostics: &[Diagnostic], terminal: &Terminal) -> String {
    let style = terminal.error_style();
    render(diagnostics, style.color, style.width)
}

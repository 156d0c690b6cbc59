//! Finding and reading assignments.

use std::path::{Path, PathBuf};
use std::{fs, io};

use grader_model::Text;
use grader_problem::{
    Assignment, Diagnostic, DiskLibrary, Library, Loaded, Sample, load_assignment, load_problem,
    load_samples, render,
};

use crate::bundled;
use crate::commands::reference;
use crate::exit::{Exit, Mistake, Report};
use crate::terminal::Terminal;

/// Where an assignment, or a single problem, lies.
pub(crate) struct Place {
    pub(crate) library: Box<dyn Library>,
    /// Its folder in the library.
    pub(crate) folder: String,
    kind: Kind,
}

/// The file that a folder holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// An `assignment.toml`.
    Assignment,
    /// A `problem.toml`.
    Problem,
}

/// The default of `--assignment`, and the first in which `test` looks for a problem.
pub(crate) const USUAL: &str = "n-queens";

/// The assignment that `--assignment` names: a path if it has a slash, else the id of a bundled one.
///
/// Help of `--assignment`.
pub(crate) fn help(default: &str) -> String {
    format!(
        "A bundled assignment by its id ({}), or the path of a folder with an `assignment.toml`, such as \
         `./mine` [default: {default}]",
        bundled::folders().join(", ")
    )
}

/// A bare word is never a folder: students' repositories and classes hold folders of any name, and one called
/// `n-queens` would bring its own tests.
pub(crate) fn find(name: &str) -> anyhow::Result<Place> {
    let path = Path::new(name);
    if !is_path(name) && bundled::folders().contains(&name) {
        return Ok(bundled_place(name));
    }
    if !is_path(name) || !path.exists() {
        return Err(unknown(name).into());
    }
    let mut places = on_disk(path)?;
    match places.pop() {
        Some(place) if places.is_empty() && place.kind == Kind::Assignment => Ok(place),
        _ => Err(Mistake::plain(format!(
            "`{name}` is not one assignment: expected a folder that holds `assignment.toml`"
        ))
        .into()),
    }
}

/// Whether an assignment is named by its path.
fn is_path(name: &str) -> bool {
    name.contains('/') || name == "." || name == ".."
}

fn unknown(name: &str) -> Mistake {
    let folders = bundled::folders();
    let known: Vec<String> = folders.iter().map(|id| format!("`{id}`")).collect();
    let near = if !name.is_empty() && !is_path(name) && Path::new(name).exists() {
        format!("; did you mean `./{name}`?")
    } else {
        did_you_mean(name, folders).en
    };
    Mistake::plain(format!(
        "there is no assignment `{name}`: expected the path of a folder, such as `./mine`, or one of {}{near}",
        known.join(", "),
    ))
}

/// The end of a message about an unknown name: the nearest known one, if any is near.
pub(crate) fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Text {
    let name = name.to_lowercase();
    let max_distance = (name.chars().count() / 3).max(1);
    let nearest = known
        .into_iter()
        .map(|known| (strsim::osa_distance(&name, &known.to_lowercase()), known))
        .filter(|&(distance, _)| distance <= max_distance)
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
        kind: Kind::Assignment,
    }
}

/// The bundled assignments, in alphabetical order.
pub(crate) fn all_bundled() -> Vec<Place> {
    bundled::folders().into_iter().map(bundled_place).collect()
}

/// The assignments at some paths, with the sample submissions of each problem. Without paths, those in `problems` if that
/// is here, else the bundled ones.
///
/// # Errors
/// All mistakes in all of their files.
pub(crate) fn load_all(
    paths: &[PathBuf],
    terminal: &Terminal,
) -> anyhow::Result<Vec<(Assignment, Vec<Vec<Sample>>)>> {
    let here = Path::new("problems");
    let mut places = Vec::new();
    for path in paths {
        places.extend(on_disk(path)?);
    }
    if paths.is_empty() {
        places = if here.is_dir() {
            on_disk(here)?
        } else {
            all_bundled()
        };
    }
    let mut mistakes = Vec::new();
    let mut loaded = Vec::new();
    for place in &places {
        match place.load_with_samples() {
            Ok(assignment) => loaded.push(assignment),
            Err(found) => mistakes.extend(found),
        }
    }
    if mistakes.is_empty() {
        Ok(loaded)
    } else {
        Err(report(&mistakes, terminal).into())
    }
}

/// What lies at a path: an assignment, a problem, or several of them in one folder.
fn on_disk(path: &Path) -> anyhow::Result<Vec<Place>> {
    let parent = path.parent().filter(|_| path.is_file());
    let folder = match parent {
        Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
        Some(parent) => parent,
        None => path,
    };
    let name = folder.display();
    if !folder.is_dir() {
        return Err(Mistake::plain(format!("there is no folder `{name}`")).into());
    }
    if let Some(place) = place_at(folder) {
        return Ok(vec![place]);
    }
    let list = || -> io::Result<Vec<PathBuf>> {
        fs::read_dir(folder)?
            .map(|entry| Ok(entry?.path()))
            .collect()
    };
    let mut folders = list()
        .map_err(|error| Mistake::plain(format!("cannot read the folder `{name}`: {error}")))?;
    folders.sort();
    let places: Vec<Place> = folders.iter().filter_map(|path| place_at(path)).collect();
    if places.is_empty() {
        return Err(Mistake::plain(format!(
            "there is no `assignment.toml` or `problem.toml` in `{name}` or in its folders"
        ))
        .into());
    }
    Ok(places)
}

fn place_at(folder: &Path) -> Option<Place> {
    let kind = if folder.join("assignment.toml").is_file() {
        Kind::Assignment
    } else if folder.join("problem.toml").is_file() {
        Kind::Problem
    } else {
        return None;
    };
    Some(Place {
        library: Box::new(DiskLibrary::new(folder)),
        folder: String::new(),
        kind,
    })
}

impl Place {
    /// Reads the assignment, or reports all mistakes in its files.
    pub(crate) fn load_whole(&self, terminal: &Terminal) -> anyhow::Result<Assignment> {
        let loaded = self.load();
        loaded.map_err(|mistakes| report(&mistakes, terminal).into())
    }

    /// Reads the assignment; a single problem becomes an assignment of its own.
    fn load(&self) -> Loaded<Assignment> {
        let (library, references) = (self.library.as_ref(), reference::names());
        match self.kind {
            Kind::Assignment => load_assignment(library, &self.folder, &references),
            Kind::Problem => {
                load_problem(library, &self.folder, &references).map(Assignment::of_problem)
            }
        }
    }

    /// Reads the assignment and the sample submissions of each of its problems, in order.
    fn load_with_samples(&self) -> Loaded<(Assignment, Vec<Vec<Sample>>)> {
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
}

/// Mistakes in problem files, drawn for standard error.
fn report(mistakes: &[Diagnostic], terminal: &Terminal) -> Report {
    let style = terminal.error_style();
    Report {
        text: render(mistakes, style.color, style.width),
        exit: Exit::Usage,
    }
}

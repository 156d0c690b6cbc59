//! Finding and reading assignments.

use std::env;
use std::fs::{self, DirEntry};
use std::path::{Path, PathBuf};

use grader_language::Languages;
use grader_model::{AssignmentInfo, Text, escaped};
use grader_problem::{
    Assignment, Diagnostic, DiskLibrary, Library, Loaded, Sample, load_assignment, load_languages,
    load_problem, load_samples, render,
};

use crate::bundled;
use crate::commands::reference;
use crate::exit::Failure;
use crate::ledger::shortened;
use crate::terminal::{Terminal, shown};

/// Where an assignment, or a single problem, lies.
pub(crate) struct Location {
    pub(crate) library: Box<dyn Library>,
    /// Its folder in the library.
    pub(crate) folder: String,
    /// Whether the folder holds a `problem.toml` and no `assignment.toml`.
    is_problem: bool,
    /// The nearest folder above a problem with an `assignment.toml`, whose languages it may need.
    above: Option<PathBuf>,
}

/// The bundled assignment in which `test` looks for a problem first.
pub(crate) const USUAL: &str = "n-queens";

/// The default of `--assignment` for a command that is not about a class.
pub(crate) const HERE: &str = "the `assignment.toml` in this folder, or the nearest one above it";

/// Short help of `--assignment`.
pub(crate) fn help(default: &str) -> String {
    format!("Assignment [default: {default}]")
}

/// Long help of `--assignment`.
pub(crate) fn long_help(default: &str) -> String {
    format!(
        "Assignment: the path of a folder with an `assignment.toml`, such as `./mine`, or the id of a bundled one ({})\n\n\
         [default: {default}]",
        bundled::folders().join(", ")
    )
}

/// The assignment that `--assignment` names: a path if it has a slash, else the id of a bundled one.
///
/// A bare word is never a folder: students' repositories and classes hold folders of any name, and one called
/// `n-queens` would bring its own tests.
pub(crate) fn find(name: &str) -> anyhow::Result<Location> {
    let folders = bundled::folders();
    let message = if name.contains('/') || name == "." || name == ".." {
        match location_at(Path::new(name)) {
            Some(location) if !location.is_problem => return Ok(location),
            _ => format!(
                "there is no assignment `{name}`: expected a folder that holds `assignment.toml`"
            ),
        }
    } else if folders.contains(&name) {
        return Ok(bundled_location(name));
    } else {
        let near = if !name.is_empty() && Path::new(name).exists() {
            format!("; did you mean `./{name}`?")
        } else {
            did_you_mean(name, folders.iter().copied()).en
        };
        let known = folders.join("`, `");
        format!(
            "there is no assignment `{name}`: expected the path of a folder, such as `./mine`, or one of `{known}`{near}"
        )
    };
    Err(Failure::usage(message).into())
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
        let near = escaped(near.as_bytes());
        Text::new(
            format!("; did you mean `{near}`?"),
            format!("；是不是 `{near}`？"),
        )
    })
}

/// The assignment that `--assignment` names, else the nearest one.
///
/// # Errors
/// If there is none of that name, or none is near.
pub(crate) fn find_or_nearest(name: Option<&str>) -> anyhow::Result<Location> {
    match name {
        Some(name) => find(name),
        None => nearest(None)?.ok_or_else(|| none_near("this folder").into()),
    }
}

/// The assignment that `--assignment` names, else the nearest one to a class, else the bundled one by which the class was
/// graded last.
///
/// # Errors
/// If there is none of that name, or none is near.
pub(crate) fn of_class(
    name: Option<&str>,
    class: &Path,
    last: impl FnOnce() -> Option<AssignmentInfo>,
) -> anyhow::Result<Location> {
    if let Some(name) = name {
        return find(name);
    }
    let found = match nearest(Some(class))? {
        Some(found) => Some(found),
        None => last().and_then(|info| bundled_as(&info)),
    };
    let places = || format!("`{}`, in this folder", shown(class));
    found.ok_or_else(|| none_near(&places()).into())
}

fn none_near(places: &str) -> Failure {
    let message = format!("there is no `assignment.toml` in {places} or above");
    Failure::usage(name_one(&message))
}

/// The bundled assignment that is this one, down to the versions of its problems.
fn bundled_as(info: &AssignmentInfo) -> Option<Location> {
    let mut known = bundled::folders().into_iter();
    let location = bundled_location(known.find(|id| *id == info.id.as_str())?);
    let is_same = location.read().ok()?.info() == *info;
    is_same.then_some(location)
}

/// A message that asks for `--assignment`.
pub(crate) fn name_one(message: &str) -> String {
    let known = bundled::folders().join("`, `");
    format!(
        "{message}: name the assignment with `--assignment`: its folder, such as `./mine`, or a bundled one: `{known}`"
    )
}

/// The assignment in the folder of a class, or in the nearest one above it; else the one in the current folder or above it.
/// Folders inside the class are students'.
///
/// # Errors
/// If the class and the current folder belong to different assignments. The class's wins if its folder lies inside the other's.
fn nearest(class: Option<&Path>) -> anyhow::Result<Option<Location>> {
    let class = class.map(fs::canonicalize).transpose()?;
    let here = env::current_dir().and_then(fs::canonicalize)?;
    let has_assignment = |folder: &&Path| folder.join("assignment.toml").is_file();
    let is_students = |folder: &&Path| {
        let class = class.as_deref().filter(|class| class != folder);
        class.is_some_and(|class| folder.starts_with(class))
    };
    let of_class = class.as_deref();
    let of_class = of_class.and_then(|class| class.ancestors().find(has_assignment));
    let mut above = here.ancestors().skip_while(is_students);
    let found = match (of_class, above.find(has_assignment)) {
        (Some(one), Some(other)) if !one.starts_with(other) => {
            let [one, other] = [one, other].map(shown);
            let message =
                format!("the class is below `{one}`, but this folder belongs to `{other}`");
            return Err(Failure::usage(name_one(&message)).into());
        }
        (of_class, of_here) => of_class.or(of_here),
    };
    Ok(found.and_then(|folder| location_at(&shortened(folder.to_owned()))))
}

fn bundled_location(folder: &str) -> Location {
    Location {
        library: Box::new(bundled::library()),
        folder: folder.to_owned(),
        is_problem: false,
        above: None,
    }
}

/// The assignment around the current folder, else all bundled ones in alphabetical order.
///
/// # Errors
/// If the current folder cannot be read.
pub(crate) fn nearest_or_bundled() -> anyhow::Result<Vec<Location>> {
    let bundled = || bundled::folders().into_iter().map(bundled_location);
    Ok(nearest(None)?.map_or_else(|| bundled().collect(), |found| vec![found]))
}

/// An assignment with the sample submissions of each problem, and where it is.
pub(crate) type WithSamples = (Assignment, Vec<Vec<Sample>>, Location);

/// The assignments at some paths, or all mistakes in all of their files. Without paths, the nearest one, or else the
/// problem here.
///
/// # Errors
/// If there is no assignment at a path, or none is near.
pub(crate) fn load_all(paths: &[PathBuf]) -> anyhow::Result<Loaded<Vec<WithSamples>>> {
    let mut locations = Vec::new();
    if paths.is_empty() {
        let near = nearest(None)?.or_else(|| location_at(Path::new(".")));
        locations.push(near.ok_or_else(|| {
            let known = bundled::folders().join("`, `");
            Failure::usage(format!(
                "there is no `assignment.toml` in this folder or above, and no `problem.toml` here: give the path of a folder, or \
                 a bundled assignment: `{known}`"
            ))
        })?);
    }
    for path in paths {
        let mut bundled = bundled::folders().into_iter();
        match bundled.find(|id| path.as_os_str() == *id && !path.exists()) {
            Some(id) => locations.push(bundled_location(id)),
            None => locations.extend(on_disk(path)?),
        }
    }
    let (mut loaded, mut mistakes) = (Vec::new(), Vec::new());
    for location in locations {
        match location.load_with_samples() {
            Ok((assignment, samples)) => loaded.push((assignment, samples, location)),
            Err(found) => mistakes.extend(found),
        }
    }
    Ok(if mistakes.is_empty() {
        Ok(loaded)
    } else {
        Err(mistakes)
    })
}

/// What lies in a folder: an assignment, a problem, or several of them in folders.
fn on_disk(folder: &Path) -> anyhow::Result<Vec<Location>> {
    let name = shown(folder);
    let entries = fs::read_dir(folder)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| Failure::usage(format!("cannot read the folder `{name}`: {error}")))?;
    if let Some(location) = location_at(folder) {
        return Ok(vec![location]);
    }
    let mut folders: Vec<PathBuf> = entries.iter().map(DirEntry::path).collect();
    folders.sort();
    let locations = folders.iter().filter_map(|path| location_at(path));
    let locations: Vec<Location> = locations.collect();
    if locations.is_empty() {
        let files = "`assignment.toml` or `problem.toml`";
        let message = format!("there is no {files} in `{name}` or in its folders");
        return Err(Failure::usage(message).into());
    }
    Ok(locations)
}

fn location_at(folder: &Path) -> Option<Location> {
    let has = |name: &str| folder.join(name).is_file();
    let is_assignment = has("assignment.toml");
    (is_assignment || has("problem.toml")).then(|| Location {
        library: Box::new(DiskLibrary::new(folder)),
        folder: String::new(),
        is_problem: !is_assignment,
        above: folder_above(folder).filter(|_| !is_assignment),
    })
}

fn folder_above(folder: &Path) -> Option<PathBuf> {
    let folder = fs::canonicalize(folder).ok()?;
    let mut above = folder.ancestors().skip(1);
    let found = above.find(|it| it.join("assignment.toml").is_file())?;
    Some(found.to_owned())
}

impl Location {
    /// Reads the assignment, or reports all mistakes in its files.
    pub(crate) fn load(&self, terminal: &Terminal) -> anyhow::Result<Assignment> {
        let loaded = self.read();
        loaded.map_err(|mistakes| drawn(&mistakes, terminal).into())
    }

    /// Reads the assignment; a single problem becomes an assignment of its own.
    fn read(&self) -> Loaded<Assignment> {
        let (library, references) = (self.library.as_ref(), reference::names());
        if !self.is_problem {
            return load_assignment(library, &self.folder, &references);
        }
        let languages = match &self.above {
            Some(above) => load_languages(&DiskLibrary::new(above), "")?,
            None => Languages::built_in(),
        };
        load_problem(library, &self.folder, &references, &languages).map(Assignment::from_problem)
    }

    /// Reads the assignment and the sample submissions of each of its problems, in order.
    fn load_with_samples(&self) -> Loaded<(Assignment, Vec<Vec<Sample>>)> {
        let assignment = self.read()?;
        let samples = self.samples(&assignment)?;
        Ok((assignment, samples))
    }

    /// Reads the sample submissions of each problem of its assignment, in order.
    pub(crate) fn samples(&self, assignment: &Assignment) -> Loaded<Vec<Vec<Sample>>> {
        let problems = assignment.problems.iter();
        let samples = problems.map(|entry| load_samples(self.library.as_ref(), &entry.problem));
        samples.collect()
    }
}

/// Mistakes in problem files, drawn for standard error.
pub(crate) fn drawn(mistakes: &[Diagnostic], terminal: &Terminal) -> Failure {
    let style = terminal.error_style();
    Failure {
        is_drawn: true,
        ..Failure::usage(render(mistakes, style.color, style.width))
    }
}

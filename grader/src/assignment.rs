//! Finding and reading assignments.

use std::env;
use std::ffi::OsStr;
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
    /// The bundled assignment of the same name: the folder counts, and a note says so.
    pub(crate) hides: Option<&'static str>,
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

/// The assignment that `--assignment` names: a folder with an `assignment.toml`, or that file; else the id of a bundled one.
pub(crate) fn find(name: &str) -> anyhow::Result<Location> {
    match located(Path::new(name)) {
        Some(location) if !location.is_problem => Ok(location),
        Some(Location {
            hides: Some(id), ..
        }) => Ok(bundled_location(id)),
        _ => Err(not_found(name, "`assignment.toml`").into()),
    }
}

/// What lies at a path, else the bundled assignment with this id.
fn located(path: &Path) -> Option<Location> {
    let mut bundled = bundled::folders().into_iter();
    let id = bundled.find(|id| path.as_os_str() == *id);
    match (location_at(path), id) {
        (Some(location), id) => Some(Location {
            hides: id,
            ..location
        }),
        (None, id) => id.map(bundled_location),
    }
}

fn not_found(name: &str, file: &str) -> Failure {
    let folders = bundled::folders();
    let near = did_you_mean(name, folders.iter().copied()).en;
    let known = folders.join("`, `");
    Failure::usage(format!(
        "there is no assignment `{name}`: expected a folder that holds {file}, or a bundled one: `{known}`{near}"
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

/// The assignment or the single problem that a name means, else the nearest assignment, or else the problem here.
///
/// # Errors
/// If there is none of that name, or none is near.
pub(crate) fn find_with_problem(name: Option<&str>) -> anyhow::Result<Location> {
    match name {
        Some(name) => located(Path::new(name))
            .ok_or_else(|| not_found(name, "`assignment.toml` or `problem.toml`").into()),
        None => nearest_or_problem(),
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
    // The folder of a class that was graded may be gone: what is above it still counts.
    let class = class.map(|it| fs::canonicalize(it).unwrap_or_else(|_| it.to_owned()));
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
        hides: None,
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
        locations.push(nearest_or_problem()?);
    }
    for path in paths {
        match located(path) {
            Some(location) => locations.push(location),
            None => locations.extend(on_disk(path)?),
        }
    }
    let (mut loaded, mut mistakes) = (Vec::new(), Vec::new());
    for location in locations {
        match location.read_with_samples() {
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

/// The nearest assignment, or else the problem here.
fn nearest_or_problem() -> anyhow::Result<Location> {
    let near = nearest(None)?.or_else(|| location_at(Path::new(".")));
    let none = || {
        let known = bundled::folders().join("`, `");
        Failure::usage(format!(
            "there is no `assignment.toml` in this folder or above, and no `problem.toml` here: give the path of a folder, or \
             a bundled assignment: `{known}`"
        ))
    };
    near.ok_or_else(|| none().into())
}

/// The assignments and problems in the folders of a folder.
fn on_disk(folder: &Path) -> anyhow::Result<Vec<Location>> {
    let name = shown(folder);
    let entries = fs::read_dir(folder)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| Failure::usage(format!("cannot read the folder `{name}`: {error}")))?;
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

/// What lies at the path of a folder, or of the file in it.
fn location_at(path: &Path) -> Option<Location> {
    let is_ours = |name: &OsStr| name == "assignment.toml" || name == "problem.toml";
    let folder = match path.parent() {
        Some(folder) if path.file_name().is_some_and(is_ours) && path.is_file() => {
            &*Path::new(".").join(folder)
        }
        _ => path,
    };
    let has = |name: &str| folder.join(name).is_file();
    let is_assignment = has("assignment.toml");
    (is_assignment || has("problem.toml")).then(|| Location {
        library: Box::new(DiskLibrary::new(folder)),
        folder: String::new(),
        is_problem: !is_assignment,
        hides: None,
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
        self.say_hidden(terminal);
        let loaded = self.read();
        loaded.map_err(|mistakes| drawn(&mistakes, terminal).into())
    }

    /// Reads the assignment with the sample submissions of its problems, or reports all mistakes in its files.
    pub(crate) fn load_with_samples(
        &self,
        terminal: &Terminal,
    ) -> anyhow::Result<(Assignment, Vec<Vec<Sample>>)> {
        self.say_hidden(terminal);
        let loaded = self.read_with_samples();
        loaded.map_err(|mistakes| drawn(&mistakes, terminal).into())
    }

    /// Looks for mistakes in its files.
    pub(crate) fn check(&self) -> Loaded<()> {
        self.read().map(drop)
    }

    /// Says that a folder counts, and not the bundled assignment of the same name.
    fn say_hidden(&self, terminal: &Terminal) {
        if let Some(id) = self.hides {
            terminal.note(
                format!("`{id}` is the folder here, not the bundled assignment"),
                format!("`{id}` 指这里的文件夹，而不是内置的作业"),
            );
        }
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
    fn read_with_samples(&self) -> Loaded<(Assignment, Vec<Vec<Sample>>)> {
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

//! Finding and reading assignments.

use std::env;
use std::ffi::OsStr;
use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};

use grader_language::Languages;
use grader_model::{AssignmentInfo, text};
use grader_problem::{
    Assignment, DiskLibrary, Library, Loaded, MemoryLibrary, Sample, load_assignment,
    load_languages, load_problem, load_samples,
};

use crate::console::Console;
use crate::error::Result;
use crate::exit::Failure;
use crate::path::{shortened, shown};
use crate::suggest::did_you_mean;

/// Where an assignment, or a single problem, lies.
pub struct Location {
    /// Its files, and perhaps those of others.
    pub library: Box<dyn Library>,
    /// Its folder in the library.
    pub folder: String,
    /// Whether the folder holds a `problem.toml` and no `assignment.toml`.
    is_problem: bool,
    /// The bundled assignment of the same name: the folder counts, and a warning says so.
    pub hides: Option<&'static str>,
    /// The nearest folder above a problem with an `assignment.toml`, whose languages it may need.
    above: Option<PathBuf>,
    /// The reference solutions that it may name.
    references: Vec<&'static str>,
}

/// The assignments that may be meant: those on disk, and those that the program carries.
#[derive(Clone, Debug)]
pub struct Assignments {
    /// The files of the bundled assignments, by their paths: one folder for each, named as its id.
    pub bundled: &'static [(&'static str, &'static [u8])],
    /// The names of the reference solutions that the program carries.
    pub references: Vec<&'static str>,
}

impl Assignments {
    /// The assignment that `--assignment` names: a folder with an `assignment.toml`, or that file; else the id of a bundled one.
    ///
    /// # Errors
    /// If there is none of that name.
    pub fn find(&self, name: &str) -> Result<Location> {
        match self.located(Path::new(name)) {
            Some(location) if !location.is_problem => Ok(location),
            Some(Location {
                hides: Some(id), ..
            }) => Ok(self.bundled_location(id)),
            _ => Err(self.not_found(name, "`assignment.toml`").into()),
        }
    }

    /// The assignment that `--assignment` names, else the nearest one.
    ///
    /// # Errors
    /// If there is none of that name, or none is near.
    pub fn find_or_nearest(&self, name: Option<&str>) -> Result<Location> {
        match name {
            Some(name) => self.find(name),
            None => self
                .nearest(None)?
                .ok_or_else(|| self.none_near("this folder").into()),
        }
    }

    /// The assignment or the single problem that a name means, else the nearest assignment, or else the problem here.
    ///
    /// # Errors
    /// If there is none of that name, or none is near.
    pub fn find_with_problem(&self, name: Option<&str>) -> Result<Location> {
        match name {
            Some(name) => self.located(Path::new(name)).ok_or_else(|| {
                self.not_found(name, "`assignment.toml` or `problem.toml`")
                    .into()
            }),
            None => self.nearest_or_problem(),
        }
    }

    /// The assignment that `--assignment` names, else the nearest one to a class, else the bundled one by which the class was
    /// graded last.
    ///
    /// # Errors
    /// If there is none of that name, or none is near.
    pub fn of_class(
        &self,
        name: Option<&str>,
        class: &Path,
        last: impl FnOnce() -> Option<AssignmentInfo>,
    ) -> Result<Location> {
        if let Some(name) = name {
            return self.find(name);
        }
        let found = match self.nearest(Some(class))? {
            Some(found) => Some(found),
            None => last().and_then(|info| self.bundled_as(&info)),
        };
        let places = || format!("`{}`, in this folder", shown(class));
        found.ok_or_else(|| self.none_near(&places()).into())
    }

    /// The assignment around the current folder, else all bundled ones in alphabetical order.
    ///
    /// # Errors
    /// If the current folder cannot be read.
    pub fn nearest_or_bundled(&self) -> Result<Vec<Location>> {
        let bundled = || self.ids().into_iter().map(|id| self.bundled_location(id));
        let near = self.nearest(None)?;
        Ok(near.map_or_else(|| bundled().collect(), |found| vec![found]))
    }

    /// The assignments at some paths, or all mistakes in all of their files. Without paths, the nearest one, or else the
    /// problem here.
    ///
    /// # Errors
    /// If there is no assignment at a path, or none is near.
    pub fn load_all(&self, paths: &[PathBuf]) -> Result<Loaded<Vec<WithSamples>>> {
        let mut locations = Vec::new();
        if paths.is_empty() {
            locations.push(self.nearest_or_problem()?);
        }
        for path in paths {
            match self.located(path) {
                Some(location) => locations.push(location),
                None => locations.extend(self.below(path)?),
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

    /// The ids of the bundled assignments, in alphabetical order.
    pub fn ids(&self) -> Vec<&'static str> {
        let paths = self.bundled.iter().map(|(path, _)| *path);
        let ids = paths.filter_map(|path| path.strip_suffix("/assignment.toml"));
        ids.collect()
    }

    /// A message that asks for `--assignment`.
    pub fn name_one(&self, message: &str) -> String {
        let known = self.ids().join("`, `");
        format!(
            "{message}: name the assignment with `--assignment`: its folder, such as `mine`, or a bundled one: `{known}`"
        )
    }

    /// What lies at a path, else the bundled assignment with this id.
    fn located(&self, path: &Path) -> Option<Location> {
        let mut ids = self.ids().into_iter();
        let id = ids.find(|id| path.as_os_str() == *id);
        match (self.location_at(path), id) {
            (Some(location), id) => Some(Location {
                hides: id,
                ..location
            }),
            (None, id) => id.map(|id| self.bundled_location(id)),
        }
    }

    fn not_found(&self, name: &str, file: &str) -> Failure {
        let ids = self.ids();
        let near = did_you_mean(name, ids.iter().copied()).en;
        let known = ids.join("`, `");
        Failure::usage(format!(
            "there is no assignment `{name}`: expected a folder that holds {file}, or a bundled one: `{known}`{near}"
        ))
    }

    fn none_near(&self, places: &str) -> Failure {
        let message = format!("there is no `assignment.toml` in {places} or above");
        Failure::usage(self.name_one(&message))
    }

    /// The bundled assignment that is this one, down to the versions of its problems.
    fn bundled_as(&self, info: &AssignmentInfo) -> Option<Location> {
        let mut known = self.ids().into_iter();
        let location = self.bundled_location(known.find(|id| *id == info.id.as_str())?);
        let is_same = location.read().ok()?.info() == *info;
        is_same.then_some(location)
    }

    /// The assignment in the folder of a class, or in the nearest one above it; else the one in the current folder or above it.
    /// Folders inside the class are students'.
    ///
    /// # Errors
    /// If the class and the current folder belong to different assignments. The class's wins if its folder lies inside the
    /// other's.
    fn nearest(&self, class: Option<&Path>) -> Result<Option<Location>> {
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
                return Err(Failure::usage(self.name_one(&message)).into());
            }
            (of_class, of_here) => of_class.or(of_here),
        };
        Ok(found.and_then(|folder| self.location_at(&shortened(folder.to_owned()))))
    }

    fn bundled_location(&self, id: &str) -> Location {
        let files = self.bundled.iter();
        let files = files.map(|(path, bytes)| ((*path).to_owned(), bytes.to_vec()));
        Location {
            library: Box::new(MemoryLibrary::new("bundled", files.collect())),
            folder: id.to_owned(),
            is_problem: false,
            hides: None,
            above: None,
            references: self.references.clone(),
        }
    }

    /// The nearest assignment, or else the problem here.
    fn nearest_or_problem(&self) -> Result<Location> {
        let near = self.nearest(None)?;
        let near = near.or_else(|| self.location_at(Path::new(".")));
        let none = || {
            let known = self.ids().join("`, `");
            Failure::usage(format!(
                "there is no `assignment.toml` in this folder or above, and no `problem.toml` here: give the path of a folder, or \
                 a bundled assignment: `{known}`"
            ))
        };
        near.ok_or_else(|| none().into())
    }

    /// The assignments and problems in the folders of a folder.
    fn below(&self, folder: &Path) -> Result<Vec<Location>> {
        let name = shown(folder);
        let entries = fs::read_dir(folder)
            .and_then(Iterator::collect::<io::Result<Vec<_>>>)
            .map_err(|error| Failure::usage(format!("cannot read the folder `{name}`: {error}")))?;
        let mut folders: Vec<PathBuf> = entries.iter().map(DirEntry::path).collect();
        folders.sort();
        let locations = folders.iter().filter_map(|path| self.location_at(path));
        let locations: Vec<Location> = locations.collect();
        if locations.is_empty() {
            let files = "`assignment.toml` or `problem.toml`";
            let message = format!("there is no {files} in `{name}` or in its folders");
            return Err(Failure::usage(message).into());
        }
        Ok(locations)
    }

    /// What lies at the path of a folder, or of the file in it.
    fn location_at(&self, path: &Path) -> Option<Location> {
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
            references: self.references.clone(),
        })
    }
}

/// An assignment with the sample submissions of each problem, and where it is.
pub type WithSamples = (Assignment, Vec<Vec<Sample>>, Location);

fn folder_above(folder: &Path) -> Option<PathBuf> {
    let folder = fs::canonicalize(folder).ok()?;
    let mut above = folder.ancestors().skip(1);
    let found = above.find(|it| it.join("assignment.toml").is_file())?;
    Some(found.to_owned())
}

impl Location {
    /// Reads the assignment, or reports all mistakes in its files.
    pub fn load(&self, console: &dyn Console) -> Result<Assignment> {
        self.say_hidden(console);
        Ok(self.read()?)
    }

    /// Reads the assignment with the sample submissions of its problems, or reports all mistakes in its files.
    pub fn load_with_samples(
        &self,
        console: &dyn Console,
    ) -> Result<(Assignment, Vec<Vec<Sample>>)> {
        self.say_hidden(console);
        Ok(self.read_with_samples()?)
    }

    /// Looks for mistakes in its files.
    pub fn check(&self) -> Loaded<()> {
        self.read().map(drop)
    }

    /// Says that a folder counts, and not the bundled assignment of the same name.
    fn say_hidden(&self, console: &dyn Console) {
        if let Some(id) = self.hides {
            console.warn(&text!(
                "`{id}` is the folder here, not the bundled assignment; `./{id}` says so without this warning",
                "`{id}` 指这里的文件夹，而不是内置的作业；写成 `./{id}` 就不再有此警告"
            ));
        }
    }

    /// Reads the assignment; a single problem becomes an assignment of its own.
    fn read(&self) -> Loaded<Assignment> {
        let (library, references) = (self.library.as_ref(), &self.references);
        if !self.is_problem {
            return load_assignment(library, &self.folder, references);
        }
        let languages = match &self.above {
            Some(above) => load_languages(&DiskLibrary::new(above), "")?,
            None => Languages::built_in(),
        };
        load_problem(library, &self.folder, references, &languages).map(Assignment::from_problem)
    }

    /// Reads the assignment and the sample submissions of each of its problems, in order.
    fn read_with_samples(&self) -> Loaded<(Assignment, Vec<Vec<Sample>>)> {
        let assignment = self.read()?;
        let samples = self.samples(&assignment)?;
        Ok((assignment, samples))
    }

    /// Reads the sample submissions of each problem of its assignment, in order.
    pub fn samples(&self, assignment: &Assignment) -> Loaded<Vec<Vec<Sample>>> {
        let problems = assignment.problems.iter();
        let samples = problems.map(|entry| load_samples(self.library.as_ref(), &entry.problem));
        samples.collect()
    }
}

//! Corrections by hand: those that are there, and new ones.

mod asked;
mod checks;
mod edit;
mod list;
mod sheet;
mod table;

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use grader_model::{AssignmentInfo, Lang, Results, RunSummary, Text};
use grader_publish::{WriteError, atomic_write};
use toml_edit::{DocumentMut, TomlError};

pub use self::asked::{AskedCorrection, Way};
use self::checks::Checks;
use self::edit::{Change, Corrected, submission};
pub use self::edit::{Keys, Target, difference, points};
use self::sheet::Given;
pub use self::sheet::Sheet;
use self::table::{Context, read_table};
use crate::console::Console;
use crate::corrections::{self, Corrections, USUAL, bytes_of};
use crate::error::{Result, SessionError};
use crate::exit::{Exit, Failure};
use crate::graded::AskedRun;
use crate::moved_deadline;
use crate::part::{People, known_problem};
use crate::path::shown;
use crate::section::{Named, Sections};
use crate::stored::{IfSeveral, StoredRuns};

/// The text of a new file.
const NEW_FILE: &str = "# Corrections by hand: see `grader correct --help`.\nformat = 1\n";

/// A class whose corrections are shown or changed. Another process that wants to waits until it is dropped.
pub struct Correcting {
    /// The ledger.
    pub stored: StoredRuns,
    /// The last run of the class.
    pub run: RunSummary,
    /// Its results: as they were judged, and once they are changed, corrected.
    pub results: Results,
    /// The file to change.
    pub path: PathBuf,
    /// The file that reports read together with it.
    all: PathBuf,
    before: Corrections,
    sections: Sections,
    _lock: File,
}

/// Corrections that were changed and not yet written.
pub struct Changed {
    /// The class, with its new points.
    pub class: Correcting,
    /// Whose points change.
    pub targets: Vec<Target>,
    text: String,
}

impl Correcting {
    /// The corrections of the class that was asked for.
    ///
    /// # Errors
    /// Mistakes in their files; if it is the work of one student, and no file is named.
    pub fn open(asked: &AskedRun, if_several: IfSeveral, console: &dyn Console) -> Result<Self> {
        let stored = StoredRuns::find(&asked.class)?;
        let run = stored.last_of(stored.choose(asked.run, if_several)?)?;
        if if_several == IfSeveral::TakeLast {
            stored.say_choice(&run, console)?;
        }
        let results = moved_deadline::results(&stored, &run, console)?;
        let one_student = stored.is_of_one_student(&run)?;
        let path = corrections::path(asked.corrections.as_deref(), &run.class, one_student);
        let path = path.ok_or_else(|| {
            Failure::usage(format!(
                "`{}` is the work of one student, who may have written what lies beside it: name a file with `--corrections`",
                shown(&run.class)
            ))
        })?;
        // What others wrote counts, too.
        let all = joined_with(&path, &run.class);
        let lock = lock(&all)?;
        let info = &results.assignment;
        let mut before = Corrections::read(all.clone(), &run.class, info)?;
        let sections = Sections::of(&run.class, &info.id, Some(&stored))?;
        before.scope_to(&sections, &stored, &results)?;
        Ok(Self {
            stored,
            run,
            results,
            path,
            all,
            before,
            sections,
            _lock: lock,
        })
    }

    /// Whether a correction of this student with this `class`, if it has one, is for the class.
    fn is_ours(&self, class: Option<&str>, student: &str) -> bool {
        match class {
            Some(class) => matches!(self.sections.named(class), Named::Own | Named::Both),
            None => self.before.has_without_class(student),
        }
    }

    /// A line for each correction, then what is still to grade by hand.
    pub fn list(&self, lang: Lang, console: &dyn Console) -> Result<String> {
        let mut results = self.results.clone();
        for student in &mut results.students {
            student.remarks.clear();
        }
        let files = self.files()?;
        self.before
            .clone()
            .apply(&mut results, Some(&self.stored), console)?;
        let is_ours = |class: Option<&str>, student: &str| self.is_ours(class, student);
        Ok(list::list(&files, &results, &is_ours, lang))
    }

    fn files(&self) -> Result<Vec<DocumentMut>, Failure> {
        self.before
            .texts()
            .map(|text| parse(text, &self.all))
            .collect()
    }

    /// A table with a row for each submission for which people give points, for all problems or for this one.
    ///
    /// # Errors
    /// If there is no such problem, or none that has such points.
    pub fn sheet(&self, problem: Option<&str>) -> Result<Sheet> {
        let info = &self.results.assignment;
        let problem = problem.map(|id| known_problem(id, info)).transpose()?;
        let mut named = info
            .problems
            .iter()
            .filter(|it| problem.is_none_or(|id| id == it.id.as_str()));
        if named.all(|it| it.manual.is_empty()) {
            let message = "no subtask has `manual = true`: there are no points by hand to fill in";
            return Err(Failure::usage(message).into());
        }
        let people = People::of_results(&self.results, &self.stored);
        let counted = self.counted()?;
        Ok(self.given(&counted)?.sheet(problem, &people))
    }

    /// The results with the corrections that are there: the attempts that count, and what people have given.
    fn counted(&self) -> Result<Results> {
        let mut results = self.results.clone();
        self.before.apply_scoped(&mut results, Some(&self.stored))?;
        Ok(results)
    }

    fn given<'a>(&self, counted: &'a Results) -> Result<Given<'a>> {
        let is_ours = |class: Option<&str>, student: &str| self.is_ours(class, student);
        Ok(Given::of(counted, &self.files()?, &is_ours))
    }

    /// Changes the corrections. Nothing is written yet.
    ///
    /// # Errors
    /// What a report would refuse; points that would be lost without a word; what the class does not have.
    pub fn change(mut self, asked: &AskedCorrection, console: &dyn Console) -> Result<Changed> {
        let text = bytes_of(&self.path)?.unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let is_new = text.trim().is_empty();
        let mut file = parse(if is_new { NEW_FILE } else { &text }, &self.path)?;
        let folder = self.path.parent().unwrap_or(Path::new(""));
        let mut corrected = Corrected {
            file: &mut file,
            path: &self.path,
            class: &self.sections.name(folder),
            is_ours: &|class, student| self.is_ours(class, student),
        };
        let counted = self.counted()?;
        let checks = Checks {
            asked,
            stored: &self.stored,
            run: &self.run,
            results: &self.results,
            counted: &counted,
        };
        let mut changes = self.changes(asked, &counted, console)?;
        if asked.from.is_some() {
            let given = self.given(&counted)?;
            changes.retain(|it| !given.has(it));
        }
        changes.retain(|it| asked.way == Way::Remove || !checks.is_there(it, &corrected));
        for change in &changes {
            let attempt = checks.attempt(change)?;
            checks.file(change)?;
            self.make(asked.way, change, attempt, &checks, &mut corrected)?;
        }
        // Nothing is written that a report would refuse.
        let new = file.to_string();
        let bytes = Some((self.path.as_path(), new.clone().into_bytes()));
        let info = &self.results.assignment;
        let after = Corrections::with(self.all.clone(), &self.run.class, bytes, info);
        let mut after = after.map_err(|error| without_lines(error, &new))?;
        let mut results = self.results.clone();
        after.apply(&mut results, Some(&self.stored), console)?;
        if let Some(change) = changes.first() {
            checks.line(&change.target)?;
        }
        self.results = results;
        // With the line ends that it had.
        let new = if text.contains("\r\n") {
            new.replace("\r\n", "\n").replace('\n', "\r\n")
        } else {
            new
        };
        Ok(Changed {
            class: self,
            targets: changes.into_iter().map(|it| it.target).collect(),
            text: new,
        })
    }

    /// Whose points change, and how.
    fn changes(
        &self,
        asked: &AskedCorrection,
        counted: &Results,
        console: &dyn Console,
    ) -> Result<Vec<Change>> {
        let context = Context {
            console,
            people: &People::of_results(&self.results, &self.stored),
            info: &self.results.assignment,
            results: counted,
            problem: asked
                .problem
                .as_deref()
                .or(only_problem(&self.results.assignment)),
            subtask: asked.subtask.as_deref(),
        };
        Ok(match &asked.from {
            Some(table) => read_table(table, &context)?,
            None => one_change(asked, &context)?,
        })
    }

    /// Makes a change in the file. `attempt`: the submission that counts by it.
    fn make(
        &self,
        way: Way,
        change: &Change,
        attempt: Option<String>,
        checks: &Checks<'_>,
        corrected: &mut Corrected<'_>,
    ) -> Result<(), Failure> {
        let Change {
            target,
            keys,
            place,
        } = change;
        match way {
            Way::Remove => return self.remove(target, corrected),
            Way::Replace => corrected.make_room(target, keys)?,
            Way::Add => checks.second_points(change, corrected)?,
        }
        checks.maximum(change)?;
        corrected.add(target, keys)?;
        // Points, a remark on a line, and what a table says are for the submission that was looked at.
        let is_bound = checks::gives_points(keys) || target.at.is_some() || place.is_some();
        let counted = || submission(target, checks.counted).map(str::to_owned);
        if let Some(submission) = attempt.or_else(counted).filter(|_| is_bound) {
            corrected.bind(&submission)?;
        }
        Ok(())
    }

    /// Removes the corrections of a target. Where there is only one problem, those of all problems are its own.
    fn remove(&self, target: &Target, corrected: &mut Corrected<'_>) -> Result<(), Failure> {
        let mut is_removed = corrected.remove(target);
        if target.problem.is_none() {
            let problem = only_problem(&self.results.assignment).map(str::to_owned);
            let of_problem = problem.map(|it| Target {
                problem: Some(it),
                ..target.clone()
            });
            is_removed |= of_problem.is_some_and(|it| corrected.remove(&it));
        }
        if is_removed {
            return Ok(());
        }
        let problem = target.problem.as_deref().unwrap_or("all problems");
        let message = format!("`{}` has no correction for `{problem}`", target.student);
        Err(Failure::usage(message))
    }
}

impl Changed {
    /// Writes the file.
    pub fn write(&self) -> Result<(), WriteError> {
        atomic_write(&self.class.path, |out| out.write_all(self.text.as_bytes()))
    }
}

/// The change of one student's points, or those of a team's members.
fn one_change(asked: &AskedCorrection, context: &Context<'_>) -> Result<Vec<Change>, Failure> {
    let Context { people, info, .. } = context;
    let is_remove = asked.way == Way::Remove;
    if asked.keys.is_empty() && !is_remove {
        let message = "nothing to correct: give `--points`, `--item`, `--add`, `--excused`, `--deadline`, `--attempt`, `--file` or `--comment`";
        return Err(Failure::usage(message));
    }
    let is_comment = asked.keys.iter().all(|(key, _)| *key == "comment");
    let students = people.find_all(&asked.student)?.into_iter();
    let change = |student| {
        let target = Target {
            assignment: info.id.clone(),
            student,
            problem: problem(asked, info)?,
            // A comment alone is about the problem.
            subtask: asked.subtask.clone().filter(|_| is_remove || !is_comment),
            at: asked.at.clone(),
        };
        Ok(Change {
            target: target.with_subtask_of(&asked.items, info)?,
            keys: asked.keys.clone(),
            place: None,
        })
    };
    students.map(change).collect()
}

/// What belongs to one problem.
const OF_PROBLEM: [&str; 6] = ["points", "items", "add", "bonus", "attempt", "file"];

/// The problem that is named; for what belongs to one, the only problem there is.
fn problem(asked: &AskedCorrection, info: &AssignmentInfo) -> Result<Option<String>, Failure> {
    if let Some(id) = &asked.problem {
        return Ok(Some(known_problem(id, info)?.to_owned()));
    }
    let has_key = asked.keys.iter().any(|(key, _)| OF_PROBLEM.contains(key));
    if !has_key && asked.subtask.is_none() && asked.at.is_none() {
        return Ok(None);
    }
    if let Some(only) = only_problem(info) {
        return Ok(Some(only.to_owned()));
    }
    let ids = info.problems.iter().map(|it| format!("`{}`", it.id));
    let ids = ids.collect::<Vec<_>>().join(", ");
    let message = format!("which problem? Name it with `--problem`: {ids}");
    Err(Failure::usage(message))
}

fn only_problem(info: &AssignmentInfo) -> Option<&str> {
    match &info.problems[..] {
        [only] => Some(only.id.as_str()),
        _ => None,
    }
}

/// Mistakes in this text, which was about to be written, as one message: no file has their lines.
fn without_lines(error: SessionError, text: &str) -> SessionError {
    let SessionError::Mistakes(mistakes) = error else {
        return error;
    };
    let (new, others): (Vec<_>, Vec<_>) = mistakes.into_iter().partition(|it| it.file.text == text);
    if !others.is_empty() {
        return SessionError::Mistakes(others);
    }
    let lines = new.into_iter().flat_map(|it| [Some(it.message), it.help]);
    let lines: Vec<String> = lines.flatten().collect();
    Failure::usage(lines.join("\n")).into()
}

fn parse(text: &str, path: &Path) -> Result<DocumentMut, Failure> {
    text.parse().map_err(|error: TomlError| {
        Failure::usage(format!("cannot read `{}`: {error}", shown(path)))
    })
}

/// The file that reports read together with this one: `corrections.toml`, for `corrections/ann.toml`.
fn joined_with(path: &Path, class: &Path) -> PathBuf {
    let folder = path.parent().filter(|it| it.file_name().is_some());
    let main = folder.map(|folder| folder.with_extension("toml"));
    let is_usual = |main: &PathBuf| {
        let beside = main.parent().filter(|it| !it.as_os_str().is_empty());
        let beside = beside.unwrap_or(Path::new(".")).canonicalize().ok();
        main.ends_with(USUAL) && beside.as_deref() == class.parent()
    };
    let main = main.filter(|main| main.is_file() || is_usual(main));
    main.unwrap_or_else(|| path.to_owned())
}

/// Locks the folder of a file until the lock is dropped.
fn lock(path: &Path) -> Result<File, Failure> {
    let folder = path.parent();
    let folder = folder.filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let failed = |what: &'static str| {
        move |error: io::Error| {
            let text = format!("cannot {what} `{}`: {error}", shown(folder));
            Failure::new(Exit::Fault, Text::plain(text))
        }
    };
    let lock = File::open(folder).map_err(failed("open"))?;
    lock.lock().map_err(failed("lock"))?;
    Ok(lock)
}

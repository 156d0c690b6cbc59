//! A class that was graded: its ledger, and the runs in it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use grader_intake::IntakeError;
use grader_judge::JobKey;
use grader_lms::Gradebook;
use grader_model::{
    AdjustmentKind, AllAttempts, AssignmentId, AssignmentInfo, Lang, LedgerUpgrade, Origin,
    ProblemId, ProblemResult, Results, RunSummary, SourceFile, StudentId, StudentResult, Text,
    counted, escaped, text,
};
use grader_store::{
    BeginRun, FilledGrades, KnownStudents, Members, Reader, StoredClass, Submissions,
};

use crate::class_name::{called, names_of, only_name};
use crate::console::Console;
use crate::error::Result;
use crate::exit::{Exit, Failure};
use crate::ledger;
use crate::owned::head;
use crate::path::{shortened, shown};

/// A class that was graded, as it was asked for.
#[derive(Clone, Debug, Default)]
pub struct AskedClass {
    /// Its path, or the end of one; `None` is the class of the last run.
    pub class: Option<PathBuf>,
    /// The ledger; `None` is the nearest.
    pub ledger: Option<PathBuf>,
}

impl AskedClass {
    /// The course that is named instead of a class.
    pub fn course(&self) -> Option<&Path> {
        let class = self.class.as_deref()?;
        let is_course = class.extension().is_some_and(|it| it == "toml") && !class.is_dir();
        is_course.then_some(class)
    }
}

/// A ledger, or the runs in it of one class.
pub struct StoredRuns {
    reader: Reader,
    /// The class or the ledger, as it was named.
    pub path: PathBuf,
    class: Option<PathBuf>,
    /// Whether the ledger was named, and no class.
    pub is_named: bool,
}

impl StoredRuns {
    /// The runs of a class, in the ledger that is named or else in the nearest one above the class; without a class, all
    /// runs of that ledger, or of the nearest one in the current folder or above it.
    pub fn find(asked: &AskedClass) -> Result<Self> {
        let named = asked.ledger.as_deref();
        match &asked.class {
            Some(class) => Self::of_class(class, named),
            None => named.map_or_else(Self::nearest, |path| Self::open(path.to_owned())),
        }
    }

    fn of_class(path: &Path, named: Option<&Path>) -> Result<Self> {
        let found = fs::canonicalize(path);
        let class = match &found {
            Ok(class) => class.clone(),
            Err(_) => place_of_missing(path),
        };
        let above = class.parent().unwrap_or(&class);
        let ledgers: Vec<PathBuf> = match named {
            Some(ledger) => vec![ledger.to_owned()],
            None => ledger::upwards(above).collect(),
        };
        let mut readers = Vec::new();
        for ledger in &ledgers {
            let reader = read(ledger)?;
            if reader.history()?.iter().any(|run| run.class == class) {
                return Ok(Self::only(reader, path, class));
            }
            readers.push(reader);
        }
        match found {
            // What is there is meant, and no other class of its name.
            Ok(class) => Err(not_graded(path, &class, readers.first())?.into()),
            Err(error) => Self::of_name(path, &class, &error, readers),
        }
    }

    /// The runs of the class that has this name, or was at this place before, in the nearest ledger that has one.
    fn of_name(path: &Path, place: &Path, error: &io::Error, readers: Vec<Reader>) -> Result<Self> {
        let nearest = readers.first().map(|it| shortened(it.path().to_owned()));
        let mut known = Vec::new();
        for reader in readers {
            let classes = reader.classes()?;
            let called = called(&classes, path, place);
            let called: Vec<PathBuf> = called.into_iter().map(Path::to_owned).collect();
            if let [class] = &called[..] {
                return Ok(Self::only(reader, path, class.clone()));
            }
            if !called.is_empty() {
                let names = called.iter().map(|it| only_name(&classes, it));
                let message = format!(
                    "`{}` fits several classes of `{}`: name one: {}",
                    shown(path),
                    shown(&shortened(reader.path().to_owned())),
                    listed(names)
                );
                return Err(Failure::usage(message).into());
            }
            if known.is_empty() {
                known = classes;
            }
        }
        if error.kind() != io::ErrorKind::NotFound || known.is_empty() {
            return Err(IntakeError::of(path, error).into());
        }
        let (path, ledger) = (shown(path), shown(&nearest.unwrap_or_default()));
        let message = format!(
            "`{path}` does not exist, and `{ledger}` has no class of that name: it has {}; for a student, type \
             `grader report --student ID`",
            listed(names_of(&known))
        );
        Err(Failure::usage(message).into())
    }

    fn only(reader: Reader, path: &Path, class: PathBuf) -> Self {
        Self {
            reader,
            path: path.to_owned(),
            class: Some(class),
            is_named: false,
        }
    }

    /// The ledger in the current folder, or the nearest one above it. If the current folder is a class in it, only that class's
    /// runs.
    fn nearest() -> Result<Self> {
        let here = env::current_dir().and_then(fs::canonicalize)?;
        let path = ledger::upwards(&here).next().ok_or_else(|| {
            let usual = ledger::USUAL;
            Failure::usage(format!(
                "nothing was graded here: there is no `{usual}` in this folder or above; `grader grade CLASS` grades a class"
            ))
        })?;
        let mut found = Self::open(path)?;
        found.is_named = false;
        let mut runs = found.reader.history()?.into_iter();
        found.class = runs.any(|run| run.class == here).then_some(here);
        Ok(found)
    }

    /// The runs of a class of a course, or those of a ledger with a single class.
    pub(crate) fn of_course(path: PathBuf, asked: &AskedClass) -> Result<Self> {
        if !path.is_file() {
            return Self::of_class(&path, asked.ledger.as_deref());
        }
        // An archive.
        if !is_ledger(&path)
            && let Ok(class) = Self::of_class(&path, asked.ledger.as_deref())
        {
            return Ok(class);
        }
        let stored = Self::open(path)?;
        stored.refuse_several_places(&stored.sections()?)?;
        Ok(stored)
    }

    /// All runs of a ledger.
    pub fn open(path: PathBuf) -> Result<Self> {
        Ok(Self {
            reader: read(&path)?,
            path,
            class: None,
            is_named: true,
        })
    }

    /// All runs of a ledger, if it is there and can be read: it knows which classes there are, even if nothing is to be stored in it.
    pub fn known(ledger: &Path) -> Option<Self> {
        // What is wrong with it is said when it is opened for writing.
        let exists = ledger.exists().then(|| ledger.to_owned());
        exists.and_then(|path| Self::open(path).ok())
    }

    /// The file of the ledger.
    pub fn ledger(&self) -> PathBuf {
        shortened(self.reader.path().to_owned())
    }

    /// The run that a command is about: by its number, or the last one, unless the command asks which class is meant.
    pub fn choose(&self, id: Option<u64>, if_several: IfSeveral) -> Result<RunSummary> {
        let run = self.run(id)?;
        if id.is_none() && if_several == IfSeveral::Ask {
            let sections = self.sections()?;
            self.refuse_several_places(&sections)?;
            refuse_several_assignments(&sections)?;
        }
        Ok(run)
    }

    /// The last run of each class and assignment, the one that was graded last at the end.
    fn sections(&self) -> Result<Vec<RunSummary>> {
        let mut sections: Vec<RunSummary> = Vec::new();
        for run in self.runs()?.into_iter().filter(has_results) {
            sections.retain(|it| !is_same_section(it, &run));
            sections.push(run);
        }
        Ok(sections)
    }

    fn refuse_several_places(&self, sections: &[RunSummary]) -> Result<()> {
        let mut classes = self.classes()?;
        classes.retain(|it| sections.iter().any(|run| run.class == it.path));
        let names = names_of(&classes);
        if names.len() < 2 {
            return Ok(());
        }
        let message = format!(
            "`{}` has several classes: name one: {}",
            shown(&self.ledger()),
            listed(names)
        );
        Err(Failure::usage(message).into())
    }

    /// The last run of the class and assignment of this one.
    pub fn last_of(&self, run: RunSummary) -> Result<RunSummary> {
        let mut sections = self.sections()?.into_iter();
        Ok(sections.find(|it| is_same_section(it, &run)).unwrap_or(run))
    }

    /// The last run before this one, of the same class and assignment.
    ///
    /// # Errors
    /// If there is none: says which run of another class could be meant.
    pub fn run_before(&self, after: &RunSummary) -> Result<RunSummary> {
        let is_earlier = |run: &RunSummary| has_results(run) && run.id < after.id;
        let mut runs = self.runs()?.into_iter();
        if let Some(found) = runs.rfind(|run| is_earlier(run) && is_same_section(run, after)) {
            return Ok(found);
        }
        let mut all = self.history()?.into_iter();
        let other = all.rfind(|run| is_earlier(run) && run.assignment == after.assignment);
        let message = match other {
            Some(before) => {
                let (first, last) = (before.id, after.id);
                let [before, after] =
                    [&before, after].map(|it| shown(&shortened(it.class.clone())));
                format!(
                    "runs {first} and {last} are of two classes, `{before}` and `{after}`: \
                     `grader diff --run {last} --against {first}` compares them"
                )
            }
            None => "the ledger has no two runs of one class: `grader history` lists its runs"
                .to_owned(),
        };
        Err(Failure::usage(message).into())
    }

    /// The run with this number, to compare another one with.
    ///
    /// # Errors
    /// If it is the other one.
    pub fn run_against(&self, id: u64, shown: &RunSummary) -> Result<RunSummary> {
        if id == shown.id {
            let message = format!(
                "run {id} is the one that is shown: `--against` names another one; `grader history` lists the runs"
            );
            return Err(Failure::usage(message).into());
        }
        self.run(Some(id))
    }

    /// Says which run of which class is shown, if there are several classes.
    pub fn say_choice(&self, run: &RunSummary, console: &dyn Console) -> Result<()> {
        if self.sections()?.len() > 1 {
            self.say_run(run, console)?;
        }
        Ok(())
    }

    /// Says which run of which class it is, and of which assignment if the class has several.
    pub fn say_run(&self, run: &RunSummary, console: &dyn Console) -> Result<()> {
        let sections = self.sections()?;
        let is_other = |it: &RunSummary| it.class == run.class && it.assignment != run.assignment;
        let assignment = if sections.iter().any(is_other) {
            let id = escaped(run.assignment.as_str().as_bytes());
            Text::new(format!(" (`{id}`)"), format!("（作业 `{id}`）"))
        } else {
            Text::new("", " ")
        };
        let class = shown(&shortened(run.class.clone()));
        let (ledger, id) = (shown(&self.ledger()), run.id);
        console.note(&text!(
            "run {id} of `{class}`{assignment}, from `{ledger}`",
            "`{ledger}` 中 `{class}`{assignment}的第 {id} 次评测",
            assignment
        ));
        Ok(())
    }

    /// A run by its number, or the last one that has results.
    pub fn run(&self, id: Option<u64>) -> Result<RunSummary> {
        let mut runs = self.runs()?.into_iter();
        let found = runs.rfind(|run| id.map_or(has_results(run), |id| run.id == id));
        let source = shown(&self.path);
        let missing = || match id {
            Some(id) => format!("`{source}` has no run {id}: `grader history` lists its runs"),
            None => "the ledger holds no results yet".to_owned(),
        };
        Ok(found.ok_or_else(|| Failure::usage(missing()))?)
    }

    /// The results of a run, as they were judged.
    pub fn results(&self, run: &RunSummary) -> Result<Results> {
        Ok(self.reader.results(run.id)?)
    }

    /// The students of a run, without their results.
    pub fn known_students(&self, run: &RunSummary) -> Result<KnownStudents> {
        Ok(self.reader.known_students(run.id)?)
    }

    /// The sources that were judged for a problem of a student: in the run of these results, or if an earlier attempt
    /// counts, in that one's.
    pub fn sources(
        &self,
        results: &Results,
        student: &StudentResult,
        problem: &ProblemId,
    ) -> io::Result<Vec<SourceFile>> {
        let found = student.problem(problem);
        let is_attempt = |it: &&ProblemResult| {
            let mut kinds = it.adjustments.iter().map(|it| it.kind);
            kinds.any(|kind| kind == AdjustmentKind::Attempt)
        };
        let run = match (found.filter(is_attempt), &results.run) {
            (
                Some(ProblemResult {
                    origin: Some(Origin::Reused { run }),
                    ..
                }),
                _,
            ) => *run,
            (_, Some(run)) => run.id,
            (_, None) => return Ok(Vec::new()),
        };
        let sources = self.reader.sources(run, &student.id, problem);
        sources.map_err(io::Error::other)
    }

    /// What the results of a run depend on.
    pub fn keys(&self, run: u64) -> Result<BTreeMap<(StudentId, ProblemId), JobKey>> {
        Ok(self.reader.keys(run)?)
    }

    /// The submissions that this run and earlier ones of its class judged.
    pub fn attempts(&self, run: u64) -> Result<AllAttempts> {
        Ok(self.reader.attempts(run)?)
    }

    /// The classes in the ledger, in the order in which they were graded first.
    pub fn classes(&self) -> Result<Vec<StoredClass>> {
        Ok(self.reader.classes()?)
    }

    /// The students of a class in the ledger.
    pub fn members(&self, class: &StoredClass) -> Result<Members> {
        Ok(self.reader.members(class)?)
    }

    /// The mistakes that submissions of a class make, by the hashes of their groups.
    pub fn mistakes(&self, class: &StoredClass) -> Result<BTreeSet<String>> {
        let runs = self.history()?.into_iter();
        let mut own = runs.filter(|it| it.class == class.path && it.assignment == class.assignment);
        let Some(last) = own.rfind(has_results) else {
            return Ok(BTreeSet::new());
        };
        let students = self.results(&last)?.students.into_iter();
        let problems = students.flat_map(|it| it.problems);
        Ok(problems.filter_map(|it| it.behaviour).collect())
    }

    /// The class whose runs a run that is wanted will take over.
    pub fn moved_from(
        &self,
        wanted: &BeginRun,
        submissions: impl FnOnce() -> Submissions,
    ) -> Result<Option<PathBuf>> {
        Ok(self.reader.moved_from(wanted, submissions)?)
    }

    /// The class of a run.
    pub fn class_of(&self, run: u64) -> Result<Option<PathBuf>> {
        let mut runs = self.history()?.into_iter();
        Ok(runs.find(|it| it.id == run).map(|it| it.class))
    }

    /// The grades that were filled into gradebooks of this system.
    pub fn filled(&self, assignment: &AssignmentId, kind: Gradebook) -> Result<FilledGrades> {
        Ok(self.reader.filled(assignment, kind.word())?)
    }

    /// Whether a run graded the work of one student.
    pub fn is_of_one_student(&self, run: &RunSummary) -> Result<bool> {
        Ok(self.reader.is_of_one_student(run.id)?)
    }

    /// How many results of a run were judged with another version of their problem.
    pub fn outdated(&self, run: u64) -> Result<usize> {
        Ok(self.reader.outdated(run)?)
    }

    /// The files that were built with every submission for a problem.
    pub fn included(&self, results: &Results, problem: &ProblemId) -> io::Result<Vec<SourceFile>> {
        let included = results
            .run
            .as_ref()
            .map(|run| self.reader.included(run.id, problem));
        let included = included.transpose().map_err(io::Error::other)?;
        Ok(included.unwrap_or_default())
    }

    /// The statements of problems as HTML, in this language if there is one.
    pub fn statements(
        &self,
        results: &Results,
        lang: Lang,
    ) -> io::Result<BTreeMap<ProblemId, String>> {
        let mut statements = BTreeMap::new();
        let Some(run) = &results.run else {
            return Ok(statements);
        };
        let own = lang.pick("statement.en.md", "statement.zh.md");
        for problem in &results.assignment.problems {
            let all = self.reader.statements(run.id, &problem.id);
            let mut all = all.map_err(io::Error::other)?;
            all.sort_by_key(|it| (it.path != own, it.path != "statement.md"));
            if let Some(found) = all.first() {
                let html = String::from_utf8_lossy(&found.bytes).into_owned();
                statements.insert(problem.id.clone(), html);
            }
        }
        Ok(statements)
    }

    /// All runs of the ledger, the earliest first.
    pub fn history(&self) -> Result<Vec<RunSummary>> {
        Ok(self.reader.history()?)
    }

    /// The upgrades of the ledger.
    pub fn upgrades(&self) -> Result<Vec<LedgerUpgrade>> {
        Ok(self.reader.upgrades()?)
    }

    /// The runs, the earliest first.
    pub fn runs(&self) -> Result<Vec<RunSummary>> {
        let mut runs = self.history()?;
        if let Some(class) = &self.class {
            runs.retain(|run| run.class == *class);
        }
        Ok(runs)
    }
}

/// The assignment by which a class was graded last, if a ledger says so.
pub fn last_assignment(class: &Path, ledger: Option<&Path>) -> Option<AssignmentInfo> {
    let stored = StoredRuns::of_class(class, ledger).ok()?;
    let results = stored.results(&stored.run(None).ok()?).ok()?;
    Some(results.assignment)
}

/// Whether a run came as far as to know its students.
pub const fn has_results(run: &RunSummary) -> bool {
    run.students > 0
}

/// Whether a run is of all students of a class, not of one shard.
pub fn is_whole_class(run: &RunSummary) -> bool {
    run.shard.as_deref().is_none_or(|shard| shard == "merged")
}

/// What a command does if neither a class nor a run is named, and there are several classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IfSeveral {
    /// It only shows something: it takes the class of the last run, and says which that is.
    TakeLast,
    /// It changes points, or carries them to students or into another table, where the wrong class would be somebody's wrong
    /// grade: it asks.
    Ask,
}

fn is_same_section(one: &RunSummary, other: &RunSummary) -> bool {
    one.class == other.class && one.assignment == other.assignment
}

/// Refuses to choose one of several assignments of a class.
fn refuse_several_assignments(sections: &[RunSummary]) -> Result<(), Failure> {
    let [first, _, ..] = sections else {
        return Ok(());
    };
    let class = shown(&shortened(first.class.clone()));
    let runs = sections.iter().map(|run| {
        let id = escaped(run.assignment.as_str().as_bytes());
        format!("`--run {}` (`{id}`)", run.id)
    });
    let runs = runs.collect::<Vec<_>>().join(", ");
    let message = format!(
        "`{class}` was graded by several assignments: name a run of the one you mean: {runs}"
    );
    Err(Failure::usage(message))
}

/// Opens a ledger for reading.
fn read(ledger: &Path) -> Result<Reader> {
    ledger::refuse_missing(ledger)?;
    Ok(Reader::open(ledger)?)
}

fn is_ledger(path: &Path) -> bool {
    head(path).starts_with(b"SQLite format 3\0")
}

/// That a class which is there has no run, or is no class.
fn not_graded(path: &Path, class: &Path, nearest: Option<&Reader>) -> Result<Failure> {
    let path = shown(path);
    if is_ledger(class) {
        let message = format!("`{path}` is a ledger: name it with `--ledger {path}`");
        return Ok(Failure::usage(message));
    }
    let Some(nearest) = nearest else {
        let message = format!("`{path}` was not graded yet: `grader grade {path}` grades it");
        return Ok(Failure::usage(message));
    };
    let classes = names_of(&nearest.classes()?);
    let has = if classes.is_empty() {
        String::new()
    } else {
        format!(", which has {}", listed(classes))
    };
    let ledger = shown(&shortened(nearest.path().to_owned()));
    Ok(Failure::usage(format!(
        "no run of the class `{path}` is stored in `{ledger}`{has}; another ledger can be named with `--ledger`"
    )))
}

/// Names in a sentence; of many, the first.
fn listed(names: impl IntoIterator<Item = String>) -> String {
    /// Of a course with a class every week, all fit.
    const MAX_LISTED: usize = 20;
    let mut names = names.into_iter().map(|it| format!("`{it}`"));
    let mut first: Vec<String> = names.by_ref().take(MAX_LISTED).collect();
    if names.next().is_some() {
        first.push("…".to_owned());
    }
    first.join(", ")
}

/// Where something that is not there would be, from the root: links in the part of the path that exists are followed, and one
/// that leads nowhere.
fn place_of_missing(path: &Path) -> PathBuf {
    let target = fs::read_link(path).map(|it| path.with_file_name("").join(it));
    let path = target.as_deref().unwrap_or(path);
    let mut above = path.ancestors();
    let found = above.find_map(|it| {
        let folder = if it.as_os_str().is_empty() {
            Path::new(".")
        } else {
            it
        };
        let left = path.strip_prefix(it).ok()?;
        Some(fs::canonicalize(folder).ok()?.join(left))
    });
    found.unwrap_or_else(|| path.to_owned())
}

/// Submissions without points that the message names; the first ones.
const MAX_NAMED: usize = 5;

/// Refuses to carry points into another system while something could not be judged. Points by hand that are missing are no
/// fault if the format `has_cells`: these stay empty, and a warning says so.
pub fn withhold_open_points(
    results: &Results,
    has_cells: bool,
    console: &dyn Console,
) -> Result<(), Failure> {
    let open = results.open();
    let (faults, by_hand): (Vec<_>, Vec<_>) =
        open.partition(|(.., why)| why.is_fault() || !has_cells);
    let [faults, by_hand] = [faults, by_hand].map(|open| {
        let named = open.iter().take(MAX_NAMED);
        let named = named.map(|(student, problem, _)| format!("{} {}", student.id, problem.id));
        let named = escaped(named.collect::<Vec<_>>().join(", ").as_bytes());
        let more = if open.len() > MAX_NAMED { ", …" } else { "" };
        (open.len(), named + more)
    });
    if let (count @ 1.., named) = by_hand {
        let of = counted(count, "submission", "submissions");
        console.warn(&text!(
            "points by hand are missing for {of}: {named}: these points stay empty; `grader correct --list` shows what to enter",
            "有 {count} 份提交尚待人工评分：{named}；这些分数留空；用 `grader correct --list` 查看待填的内容"
        ));
    }
    let (count @ 1.., named) = faults else {
        return Ok(());
    };
    let are = counted(count, "submission is", "submissions are");
    let cells = if has_cells {
        Text::new(
            "; `--allow-unscored` leaves their cells empty",
            "；用 `--allow-unscored` 可以让这些格子空着",
        )
    } else {
        Text::default()
    };
    let text = text!(
        "no points are written: {are} not scored yet: {named}\n`grader report` says what to do{cells}",
        "没有写出分数，因为有 {count} 份提交尚未评分：{named}\n`grader report` 会说明该怎么办{cells}",
        cells
    );
    Err(Failure::new(Exit::Fault, text))
}

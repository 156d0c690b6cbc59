//! What changes points after judging: the deadline of the assignment, and the file of corrections.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use grader_adjust::adjust;
use grader_judge::Shard;
use grader_lms::{MAX_TEXT, read_regular};
use grader_model::{
    AllAttempts, AssignmentInfo, AttemptChoice, Results, StudentId, StudentResult, Text, counted,
    escaped, text,
};
use grader_problem::{Correction, MemoryLibrary, load_corrections};
use grader_store::Members;
use jiff::Timestamp;

use crate::console::Console;
use crate::error::Result;
use crate::exit::Failure;
use crate::objections;
use crate::path::{shortened, shown};
use crate::section::{Named, Sections};
use crate::stored::StoredRuns;

/// The name of the file beside a class.
pub const USUAL: &str = "corrections.toml";

/// The corrections of a class.
#[derive(Clone, Default)]
pub struct Corrections {
    /// The file; empty if none is read.
    pub path: PathBuf,
    /// The text of the file; empty if there is none.
    text: String,
    /// The texts of the files that are joined with it.
    joined: Vec<String>,
    /// The class that they were read for.
    class: PathBuf,
    /// All in the files, also those for other classes.
    all: Vec<Correction>,
    /// Those for this class, since [`Corrections::scope`].
    list: Vec<Correction>,
    /// Remarks on those that are for no class.
    misnamed: Vec<Text>,
}

/// The clock; tests set it with `BITCRAFT_NOW`.
pub fn now() -> Timestamp {
    let given = std::env::var("BITCRAFT_NOW").ok();
    let given = given.and_then(|it| it.parse().ok());
    given.unwrap_or_else(Timestamp::now)
}

/// Where the corrections of a class are. A file beside the work of one student may be the student's: that one must be named.
pub fn path(named: Option<&Path>, class: &Path, is_of_one_student: bool) -> Option<PathBuf> {
    let beside = || shortened(class.parent().unwrap_or(class).join(USUAL));
    let named = named.map(Path::to_owned);
    named.or_else(|| (!is_of_one_student).then(beside))
}

impl Corrections {
    /// Reads the corrections of a class, from this file or from the usual one.
    ///
    /// # Errors
    /// Mistakes in the file; if it was named, also if there is none.
    pub fn load(
        named: Option<&Path>,
        class: &Path,
        is_of_one_student: bool,
        info: &AssignmentInfo,
    ) -> Result<Self> {
        let Some(path) = path(named, class, is_of_one_student) else {
            return Ok(Self {
                class: class.to_owned(),
                ..Self::default()
            });
        };
        if named.is_some() && !path.exists() {
            let path = shown(&path);
            return Err(Failure::usage(format!("there is no file `{path}`")).into());
        }
        Self::read(path, class, info)
    }

    /// Reads a file of corrections; none if there is no file.
    ///
    /// # Errors
    /// Mistakes in it.
    pub fn read(path: PathBuf, class: &Path, info: &AssignmentInfo) -> Result<Self> {
        Self::with(path, class, None, info)
    }

    /// What the file has now. If it has mistakes, they are reported, and what it had stays.
    #[must_use]
    pub fn reread(self, info: &AssignmentInfo, console: &dyn Console) -> Self {
        let read = Self::read(self.path.clone(), &self.class, info);
        read.unwrap_or_else(|error| {
            console.error(error);
            self
        })
    }

    /// The corrections in a file, if it exists, joined with those in the files of the folder that is named as it is without
    /// `.toml`: several people correct, each in a file. What is about to be written into one of them takes the place of what
    /// is there.
    ///
    /// # Errors
    /// Mistakes in them.
    pub fn with(
        path: PathBuf,
        class: &Path,
        new: Option<(&Path, Vec<u8>)>,
        info: &AssignmentInfo,
    ) -> Result<Self> {
        let text = |bytes: &Vec<u8>| String::from_utf8_lossy(bytes).into_owned();
        let shown = path.to_string_lossy();
        let (folder, name) = shown.rsplit_once('/').unwrap_or(("", &shown));
        let mut joined = files_beside(&path)?;
        let mut bytes = bytes_of(&path)?;
        match new {
            Some((of, new)) if of == path => bytes = Some(new),
            Some((of, new)) => {
                let file = Path::new(of.file_name().unwrap_or_default());
                let of = Path::new(name).with_extension("").join(file);
                joined.insert(of.to_string_lossy().into_owned(), new);
            }
            None => {}
        }
        let (own, texts) = (
            bytes.as_ref().map(text),
            joined.values().map(text).collect(),
        );
        let own_file = bytes.map(|bytes| (name.to_owned(), bytes));
        let files: BTreeMap<String, Vec<u8>> = joined.into_iter().chain(own_file).collect();
        let library = MemoryLibrary::new(folder, files.clone());
        let list = load_corrections(&library, files.keys().map(String::as_str), info)?;
        Ok(Self {
            text: own.unwrap_or_default(),
            joined: texts,
            class: class.to_owned(),
            all: list.clone(),
            list,
            misnamed: Vec::new(),
            path,
        })
    }

    /// Keeps those for the class, and marks those of which that is not certain.
    pub fn scope(
        &mut self,
        sections: &Sections,
        stored: Option<&StoredRuns>,
        students: &[Member<'_>],
    ) -> Result<()> {
        let folder = self.path.parent().unwrap_or(Path::new(""));
        let scope = Scope {
            sections,
            stored,
            students,
            folder,
            members: OnceCell::new(),
            mistakes: OnceCell::new(),
        };
        (self.list, self.misnamed) = (Vec::new(), Vec::new());
        for mut correction in self.all.clone() {
            match scope.whose(&correction)? {
                Whose::Ours => self.list.push(correction),
                Whose::Others => {}
                Whose::Unclear(why) => {
                    correction.unclear = Some(why);
                    self.list.push(correction);
                }
                Whose::Nobodys(why) => self.misnamed.push(why),
            }
        }
        Ok(())
    }

    /// The same for the class of these results.
    pub fn scope_to(
        &mut self,
        sections: &Sections,
        stored: &StoredRuns,
        results: &Results,
    ) -> Result<()> {
        let students: Vec<_> = results.students.iter().map(Member::of_result).collect();
        self.scope(sections, Some(stored), &students)
    }

    /// The texts of all files.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.joined.iter().chain([&self.text]).map(String::as_str)
    }

    /// Whether one without a class is for this class, as far as that is known.
    pub fn has_without_class(&self, student: &str) -> bool {
        let mut list = self.list.iter();
        list.any(|it| it.class.is_none() && it.student == student)
    }

    /// Whether some in the files assign files to problems.
    pub fn assign_files(&self) -> bool {
        self.all.iter().any(|it| it.file.is_some())
    }

    /// Those that assign files to problems, which only matter when a class is read.
    pub fn of_files(&self) -> Vec<Correction> {
        let of_files = self
            .list
            .iter()
            .filter(|it| it.file.is_some() && it.unclear.is_none());
        of_files.cloned().collect()
    }

    /// Those for this class.
    pub fn list(&self) -> &[Correction] {
        &self.list
    }

    /// Adds corrections that no file has.
    pub fn extend(&mut self, more: Vec<Correction>) {
        self.list.extend(more);
    }

    /// Applies the deadline and the corrections to results as they were judged, and warns of those that change nothing.
    /// Attempts come from the ledger. Returns the class among those of its ledger.
    pub fn apply(
        &mut self,
        results: &mut Results,
        stored: Option<&StoredRuns>,
        console: &dyn Console,
    ) -> Result<Sections> {
        let sections = self.sections(results, stored)?;
        results.class = Some(sections.id());
        let own: Vec<_> = results.students.iter().map(Member::of_result).collect();
        self.scope(&sections, stored, &own)?;
        drop(own);
        let shard = shard_of(results, stored)?;
        // Each shard warns of those that would be its own.
        let is_elsewhere = |it: &Correction| {
            let student = StudentId::new(&*it.student);
            shard.is_some_and(|shard| it.group.is_some() || !shard.has(&student))
        };
        let unknown = self.apply_scoped(results, stored)?.into_iter();
        for unknown in unknown.filter(|it| !is_elsewhere(it)) {
            self.warn_of(unknown, console);
        }
        self.warn_of_new(results, console);
        let folder = self.path.parent().unwrap_or(Path::new(""));
        for Text { en, zh } in &self.misnamed {
            let place = |text: &str| shown(&folder.join(text));
            console.warn(&Text::new(place(en), place(zh)));
        }
        if !self.path.as_os_str().is_empty() {
            let folder = self.path.with_file_name(objections::FOLDER);
            objections::add(results, &folder, &sections, stored, console)?;
        }
        Ok(sections)
    }

    /// The class of these results among those of its ledger. Without a ledger of its own, the one beside it may know others.
    fn sections(&self, results: &Results, stored: Option<&StoredRuns>) -> Result<Sections> {
        let run = results.run.as_ref().zip(stored);
        let class = run
            .map(|(run, stored)| stored.class_of(run.id))
            .transpose()?;
        let class = class.flatten().unwrap_or_else(|| self.class.clone());
        Sections::of(&class, &results.assignment.id, stored)
    }

    /// Applies those that [`Corrections::scope`] kept. Returns those that change nothing.
    pub fn apply_scoped(
        &self,
        results: &mut Results,
        stored: Option<&StoredRuns>,
    ) -> Result<Vec<&Correction>> {
        let attempts = self.attempts(results, stored)?;
        Ok(adjust(results, &self.list, attempts, now()))
    }

    /// The attempts in the ledger, if others than the latest may count.
    pub fn attempts(&self, results: &Results, stored: Option<&StoredRuns>) -> Result<AllAttempts> {
        let deadline = results.assignment.deadline.as_ref();
        let is_best = deadline.is_some_and(|it| it.attempts == AttemptChoice::Best);
        let by_hand = self.list.iter().any(|it| it.attempt.is_some());
        Ok(match (stored, &results.run) {
            (Some(stored), Some(run)) if is_best || by_hand => stored.attempts(run.id)?,
            _ => AllAttempts::new(),
        })
    }

    /// Warns of submissions that came into a group after its remark was written.
    fn warn_of_new(&self, results: &Results, console: &dyn Console) {
        let problems = results.students.iter().flat_map(|it| &it.problems);
        let new: Vec<_> = problems.filter_map(|it| self.new_in(it)).collect();
        let folder = self.path.parent().unwrap_or(Path::new(""));
        for remark in self.list.iter().filter(|it| it.group.is_some()) {
            let count = new.iter().filter(|it| it.place == remark.place).count();
            if count > 0 {
                let place = shown(&folder.join(&remark.place));
                let group = escaped(remark.group.as_deref().unwrap_or_default().as_bytes());
                let new = counted(count, "submission is", "submissions are");
                console.warn(&text!(
                    "{place}: {new} new in the group `{group}` and did not get its remark: `grader review` shows them",
                    "{place}：`{group}` 这一类新增了 {count} 份提交，尚未收到评语：见 `grader review`"
                ));
            }
        }
    }

    fn warn_of(&self, unknown: &Correction, console: &dyn Console) {
        let folder = self.path.parent().unwrap_or(Path::new(""));
        let place = shown(&folder.join(&unknown.place));
        if let Some(group) = &unknown.group {
            let group = escaped(group.as_bytes());
            console.warn(&text!(
                "{place}: no submission is in the group `{group}` any more",
                "{place}：已没有提交属于 `{group}` 这一类"
            ));
            return;
        }
        let student = escaped(unknown.student.as_bytes());
        console.warn(&text!(
            "{place}: there is no student `{student}` in these results",
            "{place}：这些结果中没有学生 `{student}`"
        ));
    }
}

/// A student of the class, and what is known of the work.
pub struct Member<'a> {
    id: &'a StudentId,
    submissions: Vec<&'a str>,
    mistakes: Vec<&'a str>,
}

impl<'a> Member<'a> {
    /// A student of whom nothing else is known.
    pub const fn of(id: &'a StudentId) -> Self {
        Self {
            id,
            submissions: Vec::new(),
            mistakes: Vec::new(),
        }
    }

    fn of_result(student: &'a StudentResult) -> Self {
        let problems = student.problems.iter();
        let submissions = problems.clone().filter_map(|it| it.submission.as_deref());
        let mistakes = problems.filter_map(|it| it.behaviour.as_deref());
        Self {
            id: &student.id,
            submissions: submissions.collect(),
            mistakes: mistakes.collect(),
        }
    }
}

/// What decides for which class a correction is.
struct Scope<'a> {
    sections: &'a Sections,
    stored: Option<&'a StoredRuns>,
    students: &'a [Member<'a>],
    /// The folder of the file.
    folder: &'a Path,
    /// The students of this class and of each other one of the assignment, in any run.
    members: OnceCell<(Members, Vec<Members>)>,
    /// The mistakes that are made in other classes of the assignment.
    mistakes: OnceCell<BTreeSet<String>>,
}

enum Whose {
    Ours,
    Others,
    Unclear(Text),
    Nobodys(Text),
}

impl Scope<'_> {
    fn whose(&self, correction: &Correction) -> Result<Whose> {
        let is_here = self.students.iter().any(|it| correction.is_for(it.id));
        let Some(class) = &correction.class else {
            return match &correction.group {
                Some(group) => self.whose_group(correction, group),
                None => self.whose_student(correction, is_here),
            };
        };
        Ok(match self.sections.named(class) {
            Named::Own => Whose::Ours,
            Named::Both => Whose::Unclear(self.unclear(correction)),
            // It may be graded elsewhere.
            Named::Nobody if self.is_beside(class) => Whose::Others,
            Named::Nobody if self.is_for_other_work(correction) => {
                Whose::Nobodys(for_other_work(correction, class))
            }
            Named::Nobody if is_here => Whose::Unclear(self.misnamed(correction, class)),
            Named::Nobody if self.sections.has_ledger => {
                Whose::Nobodys(self.misnamed(correction, class))
            }
            Named::Other | Named::Nobody => Whose::Others,
        })
    }

    /// Whether it was made for a submission that the student does not have here. Then its points would not apply in any class.
    fn is_for_other_work(&self, correction: &Correction) -> bool {
        let Some(submission) = &correction.submission else {
            return false;
        };
        let here = self.students.iter();
        let mut here = here.filter(|it| correction.is_for(it.id)).peekable();
        here.peek().is_some() && here.all(|it| !it.submissions.contains(&&**submission))
    }

    /// Whether there is something of this name beside the class or the file.
    fn is_beside(&self, class: &str) -> bool {
        let beside = self.sections.own.path.parent();
        let folders = beside.into_iter().chain([self.folder]);
        folders.into_iter().any(|it| it.join(class).exists())
    }

    /// Whose a correction is that names only a student, as was usual once: it is clear if only one class has the student, or
    /// the submission that it was made for.
    fn whose_student(&self, correction: &Correction, is_here: bool) -> Result<Whose> {
        let (own, others) = self.members()?;
        let has = |members: &Members| members.keys().any(|it| correction.is_for(it));
        let others: Vec<&Members> = others.iter().filter(|it| has(it)).collect();
        if others.is_empty() || !is_here {
            let is_ours = others.is_empty();
            return Ok(if is_ours { Whose::Ours } else { Whose::Others });
        }
        let Some(submission) = &correction.submission else {
            return Ok(Whose::Unclear(self.unclear(correction)));
        };
        let submitted = |members: &Members| {
            let mut own = members.iter().filter(|(id, _)| correction.is_for(id));
            own.any(|(_, submissions)| submissions.contains(submission))
        };
        let mut here = self.students.iter().filter(|it| correction.is_for(it.id));
        let is_here = submitted(own) || here.any(|it| it.submissions.contains(&&**submission));
        Ok(match (is_here, others.into_iter().any(submitted)) {
            (true, true) => Whose::Unclear(self.unclear(correction)),
            (false, true) => Whose::Others,
            (_, false) => Whose::Ours,
        })
    }

    fn whose_group(&self, correction: &Correction, group: &str) -> Result<Whose> {
        if !correction.says_something() || !self.mistakes_of_others()?.contains(group) {
            return Ok(Whose::Ours);
        }
        let mut mistakes = self.students.iter().flat_map(|it| &it.mistakes);
        Ok(if mistakes.any(|it| *it == group) {
            Whose::Unclear(self.unclear(correction))
        } else {
            Whose::Others
        })
    }

    fn members(&self) -> Result<&(Members, Vec<Members>)> {
        if let Some(members) = self.members.get() {
            return Ok(members);
        }
        let read = |class| {
            self.stored
                .map_or_else(|| Ok(Members::new()), |it| it.members(class))
        };
        let others = self.sections.siblings().map(read);
        let others: Vec<Members> = others.collect::<Result<_, _>>()?;
        let own = if others.is_empty() {
            Members::new()
        } else {
            read(&self.sections.own)?
        };
        Ok(self.members.get_or_init(|| (own, others)))
    }

    fn mistakes_of_others(&self) -> Result<&BTreeSet<String>> {
        if let Some(mistakes) = self.mistakes.get() {
            return Ok(mistakes);
        }
        let mut all = BTreeSet::new();
        for class in self.sections.siblings() {
            if let Some(stored) = self.stored {
                all.extend(stored.mistakes(class)?);
            }
        }
        Ok(self.mistakes.get_or_init(|| all))
    }

    /// The lines that a correction may need, one for each class.
    fn choices(&self, between: &str) -> String {
        let names = self.sections.names(self.folder).into_iter();
        let names = names.map(|it| format!("`class = \"{it}\"`"));
        names.collect::<Vec<_>>().join(between)
    }

    fn unclear(&self, correction: &Correction) -> Text {
        let place = &correction.place;
        Text::new(
            format!(
                "the correction at {place} does not say for which class it is: add {}",
                self.choices(" or ")
            ),
            format!(
                "{place} 处的修正没有写明属于哪个班级：请加上 {}",
                self.choices(" 或 ")
            ),
        )
    }

    fn misnamed(&self, correction: &Correction, class: &str) -> Text {
        let (place, class) = (&correction.place, escaped(class.as_bytes()));
        Text::new(
            format!(
                "{place}: there is no class `{class}`: write {}",
                self.choices(" or ")
            ),
            format!("{place}：没有班级 `{class}`：请写 {}", self.choices(" 或 ")),
        )
    }
}

/// The shard of its class that a run graded; `None` if it graded all of it.
fn shard_of(results: &Results, stored: Option<&StoredRuns>) -> Result<Option<Shard>> {
    let Some((run, stored)) = results.run.as_ref().zip(stored) else {
        return Ok(None);
    };
    let run = stored.history()?.into_iter().find(|it| it.id == run.id);
    let shard = run.and_then(|it| it.shard);
    // All shards, merged, have no number.
    Ok(shard.and_then(|it| it.parse().ok()))
}

fn for_other_work(correction: &Correction, class: &str) -> Text {
    let place = &correction.place;
    let (class, student) = (
        escaped(class.as_bytes()),
        escaped(correction.student.as_bytes()),
    );
    Text::new(
        format!(
            "{place}: there is no class `{class}` here, and it was made for another submission than that of `{student}`: it does not apply"
        ),
        format!("{place}：这里没有班级 `{class}`，而且它针对的不是 `{student}` 的这次提交：不生效"),
    )
}

/// The bytes of a file of corrections; `None` if there is none.
pub fn bytes_of(path: &Path) -> Result<Option<Vec<u8>>, Failure> {
    match read_regular(path, MAX_TEXT) {
        Ok(bytes) => Ok(Some(bytes)),
        // A link that leads nowhere is a mistake.
        Err(error) if error.kind() == ErrorKind::NotFound && !path.is_symlink() => Ok(None),
        Err(error) => {
            let path = shown(path);
            Err(Failure::usage(format!("cannot read `{path}`: {error}")))
        }
    }
}

/// The files that are joined with a file of corrections, by their paths beside it.
fn files_beside(path: &Path) -> Result<BTreeMap<String, Vec<u8>>, Failure> {
    let folder = path.with_extension("");
    let failed = |path: &Path, error: io::Error| {
        Failure::usage(format!("cannot read `{}`: {error}", shown(path)))
    };
    let Some(name) = folder.file_name().filter(|_| folder.is_dir()) else {
        return Ok(BTreeMap::new());
    };
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(&folder).map_err(|error| failed(&folder, error))? {
        let path = entry.map_err(|error| failed(&folder, error))?.path();
        if path.extension().is_some_and(|it| it == "toml") {
            let bytes = read_regular(&path, MAX_TEXT).map_err(|error| failed(&path, error))?;
            let path = Path::new(name).join(path.file_name().unwrap_or_default());
            files.insert(path.to_string_lossy().into_owned(), bytes);
        }
    }
    Ok(files)
}

//! Which class something is for, among those that a ledger has.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use grader_intake::Class;
use grader_judge::Shard;
use grader_model::{AssignmentId, AssignmentInfo, ClassId, SectionId};
use grader_store::{BeginRun, StoredClass};

use crate::class_name::{is_called, parts, shortest};
use crate::error::Result;
use crate::ledger;
use crate::stored::StoredRuns;

/// A class that is graded, and the other classes in its ledger.
pub struct Sections {
    /// The class.
    pub own: StoredClass,
    /// The other classes, of all assignments.
    pub others: Vec<StoredClass>,
    /// How many of the others, the first ones, were graded before it.
    earlier: usize,
    /// Whether there is a ledger that would know them.
    pub has_ledger: bool,
    /// Whether that has no run of the class.
    is_new: bool,
}

/// Whom a name means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// This class.
    Own,
    /// Another class.
    Other,
    /// This class and another one.
    Both,
    /// No class.
    Nobody,
}

impl Sections {
    /// A class at this place, with an assignment, in its ledger.
    pub fn of(
        class: &Path,
        assignment: &AssignmentId,
        stored: Option<&StoredRuns>,
    ) -> Result<Self> {
        let mut others = stored.map_or_else(|| Ok(Vec::new()), StoredRuns::classes)?;
        let is_own = |it: &StoredClass| it.path == class && it.assignment == *assignment;
        let place = others.iter().position(is_own);
        let earlier = place.unwrap_or(others.len());
        let own = place.map(|at| others.remove(at));
        let is_new = own.is_none();
        let own = own.unwrap_or_else(|| StoredClass {
            path: class.to_owned(),
            former: Vec::new(),
            assignment: assignment.clone(),
        });
        Ok(Self {
            own,
            others,
            earlier,
            has_ledger: stored.is_some(),
            is_new,
        })
    }

    /// The same as they will be once the class is graded: it takes over the runs of one whose submissions it has.
    pub fn to_grade(
        class: &Path,
        assignment: AssignmentInfo,
        shard: Option<Shard>,
        intake: &Class,
        stored: Option<&StoredRuns>,
    ) -> Result<Self> {
        let mut sections = Self::of(class, &assignment.id, stored)?;
        let Some(stored) = stored.filter(|_| sections.is_new) else {
            return Ok(sections);
        };
        let wanted = BeginRun {
            class: class.to_owned(),
            assignment,
            grader: String::new(),
            shard,
            whole: None,
            one_student: false,
            statements: BTreeMap::new(),
            fresh: false,
        };
        if let Some(path) = stored.moved_from(&wanted, || ledger::submissions(intake))? {
            sections.moved_from(path);
        }
        Ok(sections)
    }

    /// Takes the runs of another place for those of this class, as `grade` is about to do.
    fn moved_from(&mut self, path: PathBuf) {
        let same = |it: &StoredClass| it.path == path && it.assignment == self.own.assignment;
        if let Some(at) = self.others.iter().position(same) {
            self.own.former = self.others.remove(at).former;
            self.own.former.push(path);
            self.earlier = at;
        }
    }

    /// The other classes of the same assignment.
    pub fn siblings(&self) -> impl Iterator<Item = &StoredClass> {
        let own = &self.own.assignment;
        self.others.iter().filter(move |it| it.assignment == *own)
    }

    /// It and the other classes of the same assignment.
    fn of_assignment(&self) -> impl Iterator<Item = &StoredClass> {
        [&self.own].into_iter().chain(self.siblings())
    }

    /// The id of the class.
    pub fn id(&self) -> ClassId {
        let first = self.own.former.first().unwrap_or(&self.own.path);
        let hash = blake3::hash(first.as_os_str().as_encoded_bytes()).to_hex();
        let is_plain = |c: &char| c.is_alphanumeric() || "._".contains(*c);
        let words = self.first_name().to_string_lossy();
        let words = words.split(|c| !is_plain(&c)).filter(|it| !it.is_empty());
        let words: Vec<&str> = words.chain([&hash[..8]]).collect();
        ClassId {
            assignment: self.own.assignment.clone(),
            section: SectionId::new(words.join("-")),
        }
    }

    /// The name under which the class was graded first.
    fn first_name(&self) -> &OsStr {
        first_name(&self.own)
    }

    /// A name that no other class of the assignment has, and that stays when the folder is renamed: that of the folder, unless a
    /// class that was graded earlier had it.
    pub fn lasting_name(&self) -> OsString {
        let name = self.first_name();
        let is_same =
            |it: &StoredClass| it.assignment == self.own.assignment && first_name(it) == name;
        if self.others[..self.earlier].iter().any(is_same) {
            self.id().section.to_string().into()
        } else {
            name.to_owned()
        }
    }

    /// Whom the `class` of a correction means.
    pub fn named(&self, name: &str) -> Named {
        let mut siblings = self.siblings();
        match (
            is_called(&self.own, name),
            siblings.any(|it| is_called(it, name)),
        ) {
            (true, false) => Named::Own,
            (true, true) => Named::Both,
            (false, true) => Named::Other,
            (false, false) => Named::Nobody,
        }
    }

    /// The shortest name that means only this class, for a file in this folder: classes beside that folder and below it have
    /// others.
    pub fn name(&self, folder: &Path) -> String {
        self.name_of(&self.own, folder)
    }

    fn name_of(&self, class: &StoredClass, folder: &Path) -> String {
        let parts = parts(&class.path);
        let folder = parts_of_folder(folder);
        // `corrections/ann.toml` is for the same classes as `corrections.toml`.
        let folder = folder
            .strip_suffix(&["corrections".to_owned()])
            .unwrap_or(&folder);
        let inside = parts.strip_prefix(folder).map_or(2, <[_]>::len);
        shortest(&class.path, inside, |name| {
            let mut others = self.of_assignment().filter(|it| it.path != class.path);
            !others.any(|it| is_called(it, name))
        })
    }

    /// The names of the classes of this assignment, for a sentence that asks for one.
    pub fn names(&self, folder: &Path) -> Vec<String> {
        let classes = self.of_assignment();
        classes.map(|it| self.name_of(it, folder)).collect()
    }
}

fn parts_of_folder(folder: &Path) -> Vec<String> {
    let folder = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    parts(&folder.canonicalize().unwrap_or_else(|_| folder.to_owned()))
}

/// The name of the folder in which a class was graded first.
fn first_name(class: &StoredClass) -> &OsStr {
    let first = class.former.first().unwrap_or(&class.path);
    first.file_name().unwrap_or_default()
}

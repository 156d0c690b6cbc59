//! Entries of a class, and who submitted them.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};
use std::iter;

use grader_model::{Person, System, Text, UnusedFile};
use unicode_normalization::UnicodeNormalization as _;

use crate::known::Known;
use crate::reason;

/// An entry at the top of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name, escaped.
    pub name: String,
    /// What it is.
    pub kind: EntryKind,
    /// Length of an archive's ending (`.tar.gz`), in bytes; 0 for anything else.
    pub ending: usize,
}

/// What an entry of a class is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A folder.
    Folder,
    /// A folder that is a Git repository.
    Clone,
    /// An archive.
    Archive,
    /// Any other file.
    File,
    /// It may be a student's, and cannot be read.
    Unreadable,
}

impl Entry {
    /// Whether it is a folder.
    pub fn is_folder(&self) -> bool {
        matches!(self.kind, EntryKind::Folder | EntryKind::Clone)
    }

    /// Whether it is a file that is no archive.
    pub fn is_file(&self) -> bool {
        self.kind == EntryKind::File
    }

    /// Its name without the ending of an archive.
    pub(crate) fn stem(&self) -> &str {
        let end = self.name.len().saturating_sub(self.ending);
        self.name.get(..end).unwrap_or(&self.name)
    }
}

/// An entry as a part of what a student submitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The entry, by its place in the class.
    pub entry: usize,
    /// Where it lies in the student's work; empty if it is all of it.
    pub path: String,
    /// What the student called it.
    pub name: String,
}

/// Someone who submitted something, as far as the class tells.
#[derive(Clone, Debug, Default)]
pub struct Submitter {
    /// The name, escaped.
    pub name: String,
    /// Who that is.
    pub person: Option<Person>,
    /// The names of the student's entries.
    pub entries: Vec<String>,
    /// What was submitted.
    pub parts: Vec<Part>,
    /// Why the student's points stay open if nothing else was submitted.
    pub open: Option<Text>,
    /// What the student and staff are to know.
    pub notes: Vec<Text>,
    /// What only staff is to know: it may name other students.
    pub remarks: Vec<Text>,
    /// When it was submitted, as the system writes it ([`crate::submission_time`]); `None` if it does not tell.
    pub submitted: Option<String>,
    /// What is not judged.
    pub unused: Vec<UnusedFile>,
    /// Whether there is, or may be, something to judge. The caller sets it once the parts are read.
    pub has_work: bool,
    /// What those who submitted together have in common.
    pub team: Option<String>,
    /// The place in [`Sorted::submitters`]; `None` for someone who is only in the roster.
    pub place: Option<usize>,
    /// Whether the name can be read as several students', so that no roster can decide.
    pub(crate) is_ambiguous: bool,
    /// Whether the roster, or a table of groups, says who it is.
    pub is_known: bool,
    /// What is added to the name if others have it too.
    pub(crate) number: Option<String>,
}

impl Submitter {
    /// Someone of this name: one name in two ways of writing it is one name.
    pub(crate) fn new(name: &str) -> Self {
        Self {
            name: name.nfc().collect(),
            ..Self::default()
        }
    }

    /// Someone with this full name, and with what a system adds to it; empty if it adds nothing.
    pub(crate) fn named(name: &str, number: &str) -> Self {
        let mut submitter = Self::new(name);
        submitter.person().name = Some(name.to_owned());
        submitter.number = (!number.is_empty()).then(|| number.to_owned());
        submitter
    }

    /// A name that can be read in several ways: left open.
    pub(crate) fn ambiguous(entry: &Entry) -> Self {
        Self {
            is_ambiguous: true,
            entries: vec![entry.name.clone()],
            open: Some(reason::several_owners(&entry.name)),
            ..Self::new(entry.stem())
        }
    }

    pub(crate) fn person(&mut self) -> &mut Person {
        self.person.get_or_insert_default()
    }

    pub(crate) fn set_id(&mut self, system: System, id: impl Into<String>) {
        self.person().ids.insert(system, id.into());
    }

    /// Leaves everything open if there are several sources: nobody can tell which of them counts.
    pub(crate) fn contest(&mut self, sources: &[String]) {
        if sources.len() > 1 {
            self.parts.clear();
            self.open = Some(reason::several_sources(sources));
        }
    }

    /// Takes a whole entry: the first is everything that was submitted, each other a part of it.
    pub(crate) fn take(&mut self, place: usize, entry: &Entry) {
        let is_first = self.parts.is_empty();
        let path = if is_first { "" } else { &entry.name };
        self.take_file(place, entry, path, &entry.name);
    }

    /// Takes one file, which the student called `name`.
    pub(crate) fn take_file(&mut self, place: usize, entry: &Entry, path: &str, name: &str) {
        self.parts.push(Part {
            entry: place,
            path: path.to_owned(),
            name: name.to_owned(),
        });
        self.entries.push(entry.name.clone());
    }

    /// Passes over text that was typed into a page. It may be a program.
    pub(crate) fn pass_typed(&mut self, path: &str) {
        self.pass(path, reason::typed());
        self.open.get_or_insert_with(|| reason::only_typed(path));
    }

    pub(crate) fn pass(&mut self, path: &str, reason: Text) {
        self.unused.push(UnusedFile {
            path: path.to_owned(),
            reason,
            notable: true,
        });
    }

    /// What nobody else has: numbers and names that systems give, and addresses. Gradescope numbers submissions, so all
    /// members of a team share one.
    fn own_ids(&self) -> Vec<(Option<System>, String)> {
        let Some(Person { name, email, ids }) = &self.person else {
            return vec![(None, self.name.clone())];
        };
        let own = ids.iter().map(|(&system, id)| {
            let name = name.as_deref().filter(|_| system == System::Gradescope);
            (Some(system), format!("{id} {}", name.unwrap_or_default()))
        });
        let number = self.number.iter().filter(|_| ids.is_empty());
        let others = email.iter().chain(number).map(|id| (None, id.clone()));
        let lower = |(system, id): (_, String)| (system, id.to_lowercase());
        own.chain(others).map(lower).collect()
    }
}

/// The entries of a class, and what only the caller can answer.
pub struct Listing<'a> {
    /// The name of the class's folder, escaped.
    pub folder: &'a str,
    /// The entries, in the order of their names.
    pub entries: &'a [Entry],
    /// Reads an index file that the course system wrote.
    pub read: &'a dyn Fn(usize) -> io::Result<Box<dyn Read>>,
    /// Whether the assignment expects a file of the first name rather than of the second.
    pub prefers: &'a dyn Fn(&str, &str) -> bool,
    /// The students and teams that tables name; `None` without a table.
    pub known: Option<&'a Known>,
}

/// The entries by student.
#[derive(Debug, Default)]
pub struct Sorted {
    /// Who submitted something.
    pub submitters: Vec<Submitter>,
    /// Entries that are no student's, by their places, and why.
    pub unused: Vec<(usize, Text)>,
}

/// Leaves the points open if several submitters share what only one student has. Those that share the name too
/// become one.
pub(crate) fn contest_shared_ids(submitters: &mut Vec<Submitter>) {
    let mut owners = BTreeMap::<_, BTreeSet<usize>>::new();
    for (who, submitter) in submitters.iter().enumerate() {
        for id in submitter.own_ids() {
            owners.entry(id).or_default().insert(who);
        }
    }
    let mut doubles = BTreeSet::new();
    for same in owners.into_values().filter(|same| same.len() > 1) {
        // Different names can look alike once they are escaped: those in different places are different.
        let sources = same.iter().flat_map(|&who| {
            let places = submitters[who].parts.iter().map(|part| Some(part.entry));
            let places = places.chain(iter::repeat(None));
            places.zip(submitters[who].entries.iter().cloned())
        });
        let sources: BTreeSet<(Option<usize>, String)> = sources.collect();
        let sources: Vec<String> = sources.into_iter().map(|(_, name)| name).collect();
        let mut names = BTreeSet::new();
        for &who in &same {
            submitters[who].contest(&sources);
            if !names.insert(submitters[who].name.clone()) {
                doubles.insert(who);
            }
        }
    }
    for who in doubles.into_iter().rev() {
        submitters.remove(who);
    }
}

//! Entries of a class, and who submitted them.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};

use grader_model::{Person, System, Text, UnusedFile};
use unicode_normalization::UnicodeNormalization as _;

use crate::reason;

/// Whether a text is all digits.
pub(crate) fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// An entry at the top of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name, escaped.
    pub name: String,
    /// Its name as it is: different names can look alike once they are escaped.
    pub raw: Vec<u8>,
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

    pub(crate) fn raw_stem(&self) -> &[u8] {
        &self.raw[..self.raw.len().saturating_sub(self.ending)]
    }

    pub(crate) fn is_verbatim(&self) -> bool {
        self.name.as_bytes() == self.raw
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
#[expect(clippy::struct_excessive_bools, reason = "four independent facts")]
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
    /// What is not judged.
    pub unused: Vec<UnusedFile>,
    /// Whether there is, or may be, something to judge. The caller sets it once the parts are read.
    pub has_work: bool,
    /// The place in [`Sorted::submitters`]; `None` for someone who is only in the roster.
    pub place: Option<usize>,
    /// Whether the name is exactly that, and not an escaped one.
    pub(crate) is_verbatim: bool,
    /// The name of the entry if the layout takes only a part of it for the student's.
    pub(crate) whole: Option<String>,
    /// Whether the name can be read as several students', so that no roster can decide.
    pub(crate) is_ambiguous: bool,
    pub(crate) is_enrolled: bool,
    /// What is added to the name if others have it too.
    pub(crate) number: Option<String>,
}

impl Submitter {
    pub(crate) fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            is_verbatim: true,
            ..Self::default()
        }
    }

    /// Someone of whom an entry's name can be read in several ways: left open.
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

    /// Leaves everything open: nobody can tell which of the student's entries counts.
    pub(crate) fn contest(&mut self, reason: Text) {
        self.parts.clear();
        self.open = Some(reason);
    }

    /// Leaves everything open if there are several sources.
    pub(crate) fn contest_several(&mut self, sources: &[String]) {
        if sources.len() > 1 {
            self.contest(reason::several_sources(sources));
        }
    }

    /// Takes a whole entry: the first is everything that was submitted, each other a part of it.
    pub(crate) fn take(&mut self, index: usize, entry: &Entry) {
        let path = if self.parts.is_empty() {
            String::new()
        } else {
            entry.name.clone()
        };
        self.parts.push(Part {
            entry: index,
            path,
            name: entry.name.clone(),
        });
        self.entries.push(entry.name.clone());
    }

    /// Takes one file, which the student called `name`.
    pub(crate) fn take_file(&mut self, index: usize, path: &str, name: &str) {
        self.parts.push(Part {
            entry: index,
            path: path.to_owned(),
            name: name.to_owned(),
        });
    }

    /// Passes over text that was typed into a page. It may be a program.
    pub(crate) fn pass_typed(&mut self, path: &str) {
        self.pass(path, reason::typed());
        self.open.get_or_insert_with(|| reason::only_typed(path));
    }

    pub(crate) fn pass(&mut self, path: impl Into<String>, reason: Text) {
        self.unused.push(UnusedFile {
            path: path.into(),
            reason,
            notable: true,
        });
    }

    /// What the entries of the class are called, for people.
    fn sources(&self) -> Vec<String> {
        if self.entries.is_empty() {
            vec![self.name.clone()]
        } else {
            self.entries.clone()
        }
    }

    /// What nobody else has: numbers and names that systems give, and addresses. Gradescope numbers submissions, so all
    /// members of a team share one.
    fn own_ids(&self) -> Vec<(Option<System>, String)> {
        let Some(person) = &self.person else {
            // One name in two ways of writing it is one name.
            let name = self.is_verbatim.then(|| self.name.nfc().collect());
            return name.map(|name| (None, name)).into_iter().collect();
        };
        let ids = person.ids.iter().map(|(&system, id)| {
            let id = id.to_lowercase();
            match (&person.name, system) {
                (Some(name), System::Gradescope) => (Some(system), format!("{id} {name}")),
                _ => (Some(system), id),
            }
        });
        let email = person.email.iter().map(|it| (None, it.to_lowercase()));
        ids.chain(email).collect()
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
}

/// The entries by student.
#[derive(Debug, Default)]
pub struct Sorted {
    /// Who submitted something.
    pub submitters: Vec<Submitter>,
    /// Entries that are no student's, by their places, and why.
    pub unused: Vec<(usize, Text)>,
}

/// Leaves open whose work counts if several submitters share what only one student has. Those that share the name too
/// become one.
pub(crate) fn contest_shared_ids(submitters: &mut Vec<Submitter>) {
    let mut owners = BTreeMap::<_, Vec<usize>>::new();
    for (who, submitter) in submitters.iter().enumerate() {
        for id in submitter.own_ids() {
            let same = owners.entry(id).or_default();
            if same.last() != Some(&who) {
                same.push(who);
            }
        }
    }
    let mut is_double = vec![false; submitters.len()];
    for same in owners.into_values().filter(|same| same.len() > 1) {
        let sources: BTreeSet<String> = same
            .iter()
            .flat_map(|&who| submitters[who].sources())
            .collect();
        let sources: Vec<String> = sources.into_iter().collect();
        let first: String = submitters[same[0]].name.nfc().collect();
        for &who in &same {
            submitters[who].contest_several(&sources);
            is_double[who] |= who != same[0] && submitters[who].name.nfc().eq(first.chars());
        }
    }
    let mut is_double = is_double.into_iter();
    submitters.retain(|_| is_double.next() == Some(false));
}

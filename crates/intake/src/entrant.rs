//! Who handed in what, before it is read.

use grader_model::{Person, System, Text, UnusedFile};

use crate::listing::Entry;
use crate::reason;
use crate::student::Work;
use crate::tree::Part;
use crate::unreadable::Unreadable;

/// Someone who handed in something, as far as the layout tells.
#[derive(Clone, Debug, Default)]
pub(crate) struct Entrant {
    /// The name, escaped.
    pub(crate) name: String,
    /// Whether the name is exactly that, and not an escaped one.
    pub(crate) is_verbatim: bool,
    /// What the class calls it as a whole, where the layout takes only a part of that for the name.
    pub(crate) whole: Option<String>,
    /// Whether the name may be several students', so that no roster can tell whose it is.
    pub(crate) is_ambiguous: bool,
    /// Whether the name is the roster's.
    pub(crate) is_enrolled: bool,
    /// What is added to the name where others have it too.
    pub(crate) number: Option<String>,
    /// Who that is.
    pub(crate) person: Option<Person>,
    /// The entries of the class.
    pub(crate) entries: Vec<String>,
    pub(crate) notes: Vec<Text>,
    /// What may name other students.
    pub(crate) remarks: Vec<Text>,
    pub(crate) parts: Vec<Part>,
    /// What is in the parts, once they were read.
    pub(crate) work: Work,
    /// Why it cannot be said that nothing was submitted, where nothing else was.
    pub(crate) open: Option<Unreadable>,
    /// What was passed over.
    pub(crate) unused: Vec<UnusedFile>,
}

impl Entrant {
    pub(crate) fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            is_verbatim: true,
            ..Self::default()
        }
    }

    /// Whether there is anything to judge, or may be.
    pub(crate) fn has_work(&self) -> bool {
        !self.work.submissions.is_empty() || !self.work.faults.is_empty() || self.open.is_some()
    }

    /// The person, who is known from now on.
    pub(crate) fn person(&mut self) -> &mut Person {
        self.person.get_or_insert_default()
    }

    /// What a system calls this student.
    pub(crate) fn id_at(&mut self, system: System, id: impl Into<String>) {
        self.person().ids.insert(system, id.into());
    }

    /// Leaves open all that was handed in: of what is there nobody can tell whether it counts.
    pub(crate) fn contest(&mut self, reason: Text) {
        self.parts.clear();
        self.open = Some(Unreadable::submitted(reason));
    }

    /// What of the class is this entrant's, to be named to people.
    pub(crate) fn sources(&self) -> Vec<String> {
        if self.entries.is_empty() {
            vec![self.name.clone()]
        } else {
            self.entries.clone()
        }
    }

    /// Takes an entry of the class as it is: the first is what was handed in, each other a part of it.
    pub(crate) fn take(&mut self, entry: &Entry) {
        let path = if self.parts.is_empty() {
            ""
        } else {
            entry.name.as_str()
        };
        self.parts.push(entry.part(path, &entry.name));
        self.parts.extend(entry.missing());
        self.entries.push(entry.name.clone());
    }

    /// Passes over something that was typed into a page. It may be a program.
    pub(crate) fn typed(&mut self, path: &str) {
        self.pass(path, reason::typed());
        self.open
            .get_or_insert_with(|| Unreadable::submitted(reason::only_typed(path)));
    }

    pub(crate) fn pass(&mut self, path: impl Into<String>, reason: Text) {
        self.unused.push(UnusedFile {
            path: path.into(),
            reason,
            notable: true,
        });
    }
}

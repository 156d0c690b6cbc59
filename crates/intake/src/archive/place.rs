//! The folder into which an archive is unpacked, and what is in it so far.

use std::collections::{HashMap, HashSet};
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use grader_model::{Text, UnusedFile};

use super::kind::{BEGINNING, Kind};
use super::name::{EntryPath, folded, shown};
use super::refusal::{Cause, Stop};
use super::survey::Survey;
use super::unpack::{Refused, Unpacked};
use super::watch::Watch;
use super::{Caps, unpack};
use crate::junk;

/// What an entry is to become.
pub(super) enum Entry {
    File,
    Folder,
    /// Nothing: it is passed over, for this reason.
    Passed(Text),
}

/// A file to be written.
pub(super) struct NewFile {
    /// Its path's parts below the place.
    pub(super) parts: Vec<String>,
}

/// What is stated of a file's bytes.
#[derive(Clone, Copy, Default)]
pub(super) struct Stated {
    /// How many it has.
    pub(super) size: Option<u64>,
    /// How many it has as it is packed.
    pub(super) packed: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Node {
    File,
    Folder,
    Passed,
}

struct Known {
    number: usize,
    /// Its name as it was first spelled.
    name: String,
    node: Node,
}

/// What a student's part has taken of its caps.
#[derive(Default)]
struct Taken {
    entries: u64,
    /// Bytes of files, also of those that were begun only.
    bytes: u64,
    stated: u64,
    /// Files that were written, and their bytes.
    files: u64,
    written: u64,
}

/// The folder that is filled. Only this writes below it, files and folders only, and each name once.
pub(super) struct Place<'a> {
    pub(super) caps: &'a Caps,
    /// Where, on disk.
    root: PathBuf,
    /// Name of the archive as a whole, escaped.
    archive: &'a str,
    /// What has a name, by the number of its folder and its name as [`folded`]; the root is number 0.
    known: HashMap<(usize, String), Known>,
    /// The last number that was given.
    number: usize,
    /// Paths of junk that have been listed.
    junk: HashSet<String>,
    /// What all entries share, while that is looked for: nothing is written then.
    survey: Option<Survey>,
    /// How many folders all entries share. What is below them are the parts, where parts are apart.
    shared: usize,
    /// By the path of a part, where parts are apart; else one.
    taken: HashMap<String, Taken>,
    /// Paths of parts that are refused.
    refused: HashSet<String>,
    /// Archives among the files that were written.
    pub(super) inside: Vec<Vec<String>>,
    pub(super) unpacked: Unpacked,
}

impl<'a> Place<'a> {
    /// Makes the folder, which must not exist.
    pub(super) fn new(root: &Path, archive: &'a str, caps: &'a Caps) -> io::Result<Self> {
        make_folder(root)?;
        Ok(Self {
            caps,
            root: root.to_owned(),
            archive,
            known: HashMap::new(),
            number: 0,
            junk: HashSet::new(),
            survey: None,
            shared: 0,
            taken: HashMap::new(),
            refused: HashSet::new(),
            inside: Vec::new(),
            unpacked: Unpacked::default(),
        })
    }

    /// Finds out what all entries share: until [`Self::end_survey`] they are looked at, and none is written.
    pub(super) fn begin_survey(&mut self) {
        self.survey = Some(Survey::default());
    }

    pub(super) fn end_survey(&mut self) {
        let survey = self.survey.take().unwrap_or_default();
        self.shared = survey.shared.len();
        self.unpacked = Unpacked::default();
    }

    /// Reads the path of an entry; nothing where nothing is to come of it. One that is too long refuses its part only,
    /// where parts are apart.
    pub(super) fn path_of(&mut self, text: &str) -> Result<Option<EntryPath>, Stop> {
        let Some(path) = EntryPath::of_any_length(text)? else {
            return Ok(None);
        };
        match path.hold_to(self.caps) {
            Ok(()) => Ok(Some(path)),
            Err(cause) => {
                self.contain(&path, Err(cause.into()))?;
                Ok(None)
            }
        }
    }

    /// Checks an entry at `path` below `base` and makes the folders that it needs; the file to write,
    /// where it is one that is wanted.
    pub(super) fn enter(
        &mut self,
        base: &[String],
        path: &EntryPath,
        entry: Entry,
    ) -> Result<Option<NewFile>, Stop> {
        let parts = [base, &path.parts].concat();
        let is_folder = matches!(entry, Entry::Folder);
        if let Some(survey) = &mut self.survey {
            let is_junk = |(depth, part): (usize, &String)| {
                junk::junk(part, is_folder || depth + 1 < parts.len()).is_some()
            };
            if !parts.iter().enumerate().any(is_junk) {
                survey.see(&parts, is_folder);
            }
            return Ok(None);
        }
        if self.is_refused(&parts) {
            return Ok(None);
        }
        if self.pass_junk(base.len(), &parts, is_folder)? {
            return Ok(None);
        }
        let folders = parts.len() - usize::from(!is_folder);
        if folders > self.caps.depth {
            return Err(Stop::Refused(Cause::Deep {
                path: shown(&parts.join("/")),
                most: self.caps.depth,
            }));
        }
        let mut folder = 0;
        for depth in 1..parts.len() {
            folder = self.enter_folder(folder, &parts[..depth], &parts)?;
        }
        match entry {
            Entry::Folder => {
                self.enter_folder(folder, &parts, &parts)?;
                Ok(None)
            }
            Entry::File => {
                self.add(folder, &parts, Node::File)?;
                Ok(Some(NewFile { parts }))
            }
            Entry::Passed(reason) => {
                self.add(folder, &parts, Node::Passed)?;
                self.pass(&parts, reason, true);
                Ok(None)
            }
        }
    }

    /// Whether an entry would be written: not so junk, and what lies in a part that is refused.
    pub(super) fn is_wanted(&self, base: &[String], path: &EntryPath, is_folder: bool) -> bool {
        let parts = [base, &path.parts].concat();
        self.survey.is_none()
            && !self.is_refused(&parts)
            && self.junk_in(base.len(), &parts, is_folder).is_none()
    }

    /// Refuses a file that states more bytes than are left, before any is written.
    pub(super) fn state(
        &mut self,
        base: &[String],
        path: &EntryPath,
        size: u64,
    ) -> Result<(), Stop> {
        let parts = [base, &path.parts].concat();
        let caps = self.caps;
        if size > caps.file {
            return Err(too_large(&parts, caps));
        }
        let taken = self.taken(&parts);
        taken.stated = taken.stated.saturating_add(size);
        if taken.stated > caps.total {
            return Err(Stop::Refused(Cause::Total(caps.total)));
        }
        Ok(())
    }

    /// Bytes that files stated so far, of which none may be written yet.
    pub(super) fn stated(&mut self, parts: &[String]) -> &mut u64 {
        &mut self.taken(parts).stated
    }

    /// Writes a file from what is read, which is trusted in nothing.
    pub(super) fn write(
        &mut self,
        file: &NewFile,
        stated: Stated,
        from: &mut dyn Read,
        watch: &Watch,
    ) -> Result<(), Stop> {
        let caps = self.caps;
        let path = || shown(&file.parts.join("/"));
        if stated.size.is_some_and(|size| size > caps.file) {
            return Err(too_large(&file.parts, caps));
        }
        let mut out = create(&self.on_disk(&file.parts)).map_err(Stop::Ours)?;
        let mut buffer = [0; 16 * 1024];
        let mut beginning = Vec::new();
        let mut size = 0;
        // Up to what is stated; whether there is more is asked with one byte, since a reader may
        // take that for an error before it gives any of the rest.
        let end = loop {
            let room = stated.size.map_or(u64::MAX, |most| most - size);
            let room = room.min(buffer.len() as u64) as usize;
            if room == 0 {
                break from.read(&mut buffer[..1]);
            }
            match from.read(&mut buffer[..room]) {
                Ok(0) => break Ok(0),
                Ok(count) => {
                    size += count as u64;
                    self.hold(&file.parts, stated, size, count as u64)?;
                    let wanted = BEGINNING.saturating_sub(beginning.len()).min(count);
                    beginning.extend_from_slice(&buffer[..wanted]);
                    out.write_all(&buffer[..count]).map_err(Stop::Ours)?;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => {
                    let damaged = Cause::Damaged(Some(path()));
                    return Err(watch.stop(damaged));
                }
            }
        };
        match (end, stated.size) {
            (Ok(0), None) => {}
            (Ok(0), Some(most)) if size == most => {}
            (_, Some(stated)) => {
                let path = path();
                return Err(watch.stop(Cause::Mismatch { path, stated }));
            }
            (_, None) => return Err(watch.stop(Cause::Damaged(Some(path())))),
        }
        self.unpacked.files += 1;
        self.unpacked.bytes += size;
        let taken = self.taken(&file.parts);
        taken.files += 1;
        taken.written += size;
        let name = file.parts.last().map_or("", String::as_str);
        if caps.nested.is_some() && Kind::of(name, &beginning).is_some() {
            self.inside.push(file.parts.clone());
        }
        Ok(())
    }

    /// Holds a file that has grown to `size` by `more` to the caps.
    fn hold(&mut self, parts: &[String], stated: Stated, size: u64, more: u64) -> Result<(), Stop> {
        let caps = self.caps;
        if size > caps.file {
            return Err(too_large(parts, caps));
        }
        let is_bomb = |packed: u64| size > packed.saturating_mul(caps.ratio);
        if size > Caps::FREE_OF_RATIO && stated.packed.is_some_and(is_bomb) {
            return Err(Stop::Refused(Cause::Bomb {
                path: shown(&parts.join("/")),
                ratio: caps.ratio,
            }));
        }
        let taken = self.taken(parts);
        taken.bytes += more;
        if taken.bytes > caps.total {
            return Err(Stop::Refused(Cause::Total(caps.total)));
        }
        Ok(())
    }

    /// A file that was written, to be read again.
    pub(super) fn open_written(&self, parts: &[String]) -> Option<File> {
        let mut folder = 0;
        for depth in 1..=parts.len() {
            let known = self.known.get(&(folder, self.key(&parts[..depth])))?;
            let is_last = depth == parts.len();
            let wanted = if is_last { Node::File } else { Node::Folder };
            if known.node != wanted || parts[depth - 1] != known.name {
                return None;
            }
            folder = known.number;
        }
        // Nothing where it was written and refused since.
        File::open(self.on_disk(parts)).ok()
    }

    /// Notes an entry of which nothing is written though it may be of use; `why` gets its name.
    pub(super) fn lose(
        &mut self,
        base: &[String],
        path: &EntryPath,
        why: impl Fn(&str) -> Text,
    ) -> Result<(), Stop> {
        let before = self.unpacked.passed.len();
        self.enter(base, path, Entry::Passed(Text::default()))?;
        // Junk is passed over as such, and a part that is refused is refused as a whole.
        let is_noted = self.unpacked.passed.last().is_some_and(|last| last.notable);
        if self.unpacked.passed.len() > before && is_noted {
            self.unpacked.passed.pop();
            let parts = [base, &path.parts].concat();
            let path = shown(&parts.join("/"));
            let text = why(&path);
            self.unpacked.refused.push(Refused { parts, path, text });
        }
        Ok(())
    }

    /// Whether there was nothing in the archive, not even something to pass over.
    pub(super) fn is_empty(&self) -> bool {
        let Unpacked {
            passed,
            refused,
            files,
            ..
        } = &self.unpacked;
        *files == 0 && passed.is_empty() && refused.is_empty()
    }

    /// Lists what is passed over.
    pub(super) fn pass(&mut self, parts: &[String], reason: Text, notable: bool) {
        self.unpacked.passed.push(UnusedFile {
            path: shown(&parts.join("/")),
            reason,
            notable,
        });
    }

    /// Where parts of the archive are apart, a cause that concerns one refuses that one only.
    pub(super) fn contain(
        &mut self,
        path: &EntryPath,
        result: Result<(), Stop>,
    ) -> Result<(), Stop> {
        match result {
            Err(Stop::Refused(_))
                if self.caps.apart && (self.survey.is_some() || self.is_refused(&path.parts)) =>
            {
                Ok(())
            }
            Err(Stop::Refused(cause)) if self.caps.apart => {
                let part = self.part(&path.parts).to_vec();
                self.remove(&part)?;
                let &mut Taken { files, written, .. } = self.taken(&part);
                self.unpacked.files -= files;
                self.unpacked.bytes -= written;
                let (key, path) = (part.join("/"), shown(&part.join("/")));
                let text = unpack::in_archive(&cause.sentence(&path), self.archive);
                self.unpacked.refused.push(Refused {
                    parts: part,
                    path,
                    text,
                });
                self.refused.insert(key);
                Ok(())
            }
            result => result,
        }
    }

    /// Takes a file or folder from the disk again.
    pub(super) fn remove(&mut self, parts: &[String]) -> Result<(), Stop> {
        let location = self.on_disk(parts);
        let removed = match fs::symlink_metadata(&location) {
            Ok(data) if data.is_dir() => fs::remove_dir_all(&location),
            Ok(_) => fs::remove_file(&location),
            Err(error) => Err(error),
        };
        match removed {
            // What is too long a name was never made.
            Err(error)
                if !matches!(
                    error.kind(),
                    io::ErrorKind::NotFound | io::ErrorKind::InvalidFilename
                ) =>
            {
                Err(Stop::Ours(error))
            }
            _ => Ok(()),
        }
    }

    /// Whether a name is still free in a folder.
    pub(super) fn is_free(&self, parts: &[String]) -> bool {
        let mut folder = 0;
        for depth in 1..=parts.len() {
            match self.known.get(&(folder, self.key(&parts[..depth]))) {
                Some(known) => folder = known.number,
                None => return true,
            }
        }
        false
    }

    /// Takes a file that was written out of the folder: its name may be given to a folder.
    pub(super) fn take_out(&mut self, parts: &[String]) -> Result<File, Stop> {
        let location = self.on_disk(parts);
        let file = File::open(&location).map_err(Stop::Ours)?;
        fs::remove_file(&location).map_err(Stop::Ours)?;
        self.unpacked.files -= 1;
        self.unpacked.bytes -= file.metadata().map_err(Stop::Ours)?.len();
        let mut folder = 0;
        for depth in 1..parts.len() {
            let key = (folder, self.key(&parts[..depth]));
            folder = self.known.get(&key).map_or(0, |known| known.number);
        }
        self.known.remove(&(folder, self.key(parts)));
        Ok(file)
    }

    fn is_refused(&self, parts: &[String]) -> bool {
        let last = self.part(parts).len();
        !self.refused.is_empty()
            && (1..=last).any(|end| self.refused.contains(&parts[..end].join("/")))
    }

    /// The beginning of a path that says whose it is, where parts are apart.
    fn part<'p>(&self, parts: &'p [String]) -> &'p [String] {
        &parts[..parts.len().min(self.shared + 1)]
    }

    /// The first part of a path below the archive's folder that is junk, and why.
    fn junk_in(&self, base: usize, parts: &[String], is_folder: bool) -> Option<(usize, Text)> {
        if !self.caps.pass_junk {
            return None;
        }
        (base..parts.len()).find_map(|depth| {
            let is_folder = is_folder || depth + 1 < parts.len();
            Some((depth, junk::junk(&parts[depth], is_folder)?))
        })
    }

    /// Whether an entry is junk or lies in junk; that is listed once.
    fn pass_junk(&mut self, base: usize, parts: &[String], is_folder: bool) -> Result<bool, Stop> {
        let Some((depth, reason)) = self.junk_in(base, parts, is_folder) else {
            return Ok(false);
        };
        let parts = &parts[..=depth];
        if self.junk.insert(parts.join("/")) {
            self.count_entry(parts)?;
            self.pass(parts, reason, false);
        }
        Ok(true)
    }

    /// The number of a folder on the way to `whole`, made where it is not there yet.
    fn enter_folder(
        &mut self,
        folder: usize,
        parts: &[String],
        whole: &[String],
    ) -> Result<usize, Stop> {
        let known = self.known.get(&(folder, self.key(parts)));
        let Some(known) = known else {
            let number = self.add(folder, parts, Node::Folder)?;
            make_folder(&self.on_disk(parts)).map_err(Stop::Ours)?;
            return Ok(number);
        };
        if parts.last() != Some(&known.name) {
            return Err(alike(parts, &known.name));
        }
        match known.node {
            Node::Folder => Ok(known.number),
            Node::File => Err(Stop::Refused(Cause::FileAndFolder(shown(&parts.join("/"))))),
            Node::Passed => Err(Stop::Refused(Cause::Through {
                path: shown(&whole.join("/")),
                below: shown(&parts.join("/")),
            })),
        }
    }

    /// Adds a name that must be new to a folder.
    fn add(&mut self, folder: usize, parts: &[String], node: Node) -> Result<usize, Stop> {
        let key = (folder, self.key(parts));
        if let Some(known) = self.known.get(&key) {
            let path = shown(&parts.join("/"));
            return Err(if parts.last() != Some(&known.name) {
                alike(parts, &known.name)
            } else if (known.node == Node::Folder) != (node == Node::Folder) {
                Stop::Refused(Cause::FileAndFolder(path))
            } else {
                Stop::Refused(Cause::Twice(path))
            });
        }
        self.count_entry(parts)?;
        self.number += 1;
        let number = self.number;
        let name = parts.last().cloned().unwrap_or_default();
        self.known.insert(key, Known { number, name, node });
        Ok(number)
    }

    /// The last name of a path as it is compared. Where parts are apart their own names are not: those are whole
    /// students, and Linux tells them apart.
    fn key(&self, parts: &[String]) -> String {
        let name = parts.last().map_or("", String::as_str);
        if self.caps.apart && parts.len() <= self.shared + 1 {
            name.to_owned()
        } else {
            folded(name)
        }
    }

    fn count_entry(&mut self, parts: &[String]) -> Result<(), Stop> {
        let most = self.caps.entries;
        let taken = self.taken(parts);
        taken.entries += 1;
        if taken.entries > most {
            return Err(Stop::Refused(Cause::Many(most)));
        }
        Ok(())
    }

    fn taken(&mut self, parts: &[String]) -> &mut Taken {
        let part = if self.caps.apart {
            self.part(parts).join("/")
        } else {
            String::new()
        };
        self.taken.entry(part).or_default()
    }

    /// Where a path is on disk: below the root, since no part is `..` or has a slash in it.
    fn on_disk(&self, parts: &[String]) -> PathBuf {
        let mut location = self.root.clone();
        location.extend(parts);
        location
    }
}

fn too_large(parts: &[String], caps: &Caps) -> Stop {
    Stop::Refused(Cause::Large {
        path: shown(&parts.join("/")),
        most: caps.file,
    })
}

/// Two spellings in one folder: the one that was first, and a path's.
fn alike(parts: &[String], name: &str) -> Stop {
    let mut first = parts.to_vec();
    if let Some(last) = first.last_mut() {
        name.clone_into(last);
    }
    let (first, second) = (first.join("/"), parts.join("/"));
    Stop::Refused(Cause::Alike(shown(&first), shown(&second)))
}

fn make_folder(location: &Path) -> io::Result<()> {
    DirBuilder::new().mode(0o700).create(location)
}

/// Creates a file that must not be there: no link is followed and nothing is overwritten.
fn create(location: &Path) -> io::Result<File> {
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(location)
}

//! All files of a student, and what each has to do with the others.

use std::cell::{Cell, OnceCell};
use std::collections::HashMap;

use grader_language::{Language, Outline, SourceText};
use grader_model::{SourceFile, common_folder, folder_of};

use crate::name::{bare_name, stem_of};
use crate::pattern::Patterns;
use crate::program::Kind;
use crate::tree::{File, Folder};
use crate::unreadable::Unreadable;

/// Most bytes of a student's sources that are read to find out which of them belong together.
const MAX_READ: u64 = 32 << 20;

/// All files of a student.
pub(crate) struct Pool<'t> {
    pub(crate) files: Vec<Pooled<'t>>,
    places: HashMap<*const File, usize>,
    /// Bytes that may still be read.
    left: Cell<u64>,
    /// Why there may be more files than these.
    pub(crate) missing: Option<&'t Unreadable>,
}

/// One file of a student.
pub(crate) struct Pooled<'t> {
    pub(crate) file: &'t File,
    pub(crate) kind: Kind,
    /// Its name without the marks of a copy.
    pub(crate) name: String,
    /// The path of its folder.
    pub(crate) folder: &'t str,
    /// Whether it lies in the folder of an assignment or a problem, as a kit for students has it.
    pub(crate) is_authors: bool,
    outline: OnceCell<Outline>,
}

impl Pooled<'_> {
    pub(crate) fn stem(&self) -> &str {
        stem_of(&self.name)
    }
}

impl<'t> Pool<'t> {
    pub(crate) fn new(root: &'t Folder, patterns: &Patterns) -> Self {
        let mut files = Vec::new();
        add(root, false, patterns, &mut files);
        let places = files.iter().enumerate();
        let places = places.map(|(at, it)| (std::ptr::from_ref(it.file), at));
        Self {
            places: places.collect(),
            files,
            left: Cell::new(MAX_READ),
            missing: root.missing(),
        }
    }

    /// The place of a file.
    pub(crate) fn find(&self, file: &File) -> Option<usize> {
        self.places.get(&std::ptr::from_ref(file)).copied()
    }

    /// The outline of a source or a header. It is empty for what cannot be read, or comes after too much else.
    pub(crate) fn outline(&self, at: usize, language: &Language) -> &Outline {
        let Pooled { file, outline, .. } = &self.files[at];
        outline.get_or_init(|| {
            let text = file.read(self.left.get()).ok().flatten();
            let Some(text) = text else {
                return Outline::default();
            };
            self.left.set(self.left.get() - text.len() as u64);
            let source = [SourceFile::new(&*self.files[at].name, text)];
            language.outline(&SourceText::all(&source)[0])
        })
    }
}

/// Adds the files of a folder, and of those below.
fn add<'t>(folder: &'t Folder, is_authors: bool, patterns: &Patterns, all: &mut Vec<Pooled<'t>>) {
    all.extend(folder.files.iter().map(|file| Pooled {
        file,
        kind: patterns.kind(&file.name),
        name: bare_name(&file.name),
        folder: folder_of(&file.path),
        is_authors,
        outline: OnceCell::new(),
    }));
    for below in &folder.folders {
        add(below, is_authors || below.is_authors(), patterns, all);
    }
}

/// The steps from one folder to another.
pub(crate) fn distance(one: &str, other: &str) -> usize {
    let depth = |folder: &str| folder.split('/').filter(|it| !it.is_empty()).count();
    depth(one) + depth(other) - 2 * depth(common_folder(one, other))
}

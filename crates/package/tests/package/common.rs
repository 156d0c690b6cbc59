//! A package in a folder of its own, and the problem that it is read as.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Cursor, Write as _};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use grader_language::Languages;
use grader_package::{ImportOptions, PackageError, import};
use grader_problem::{DiskLibrary, MemoryLibrary, Problem, load_problem, load_samples, render};
use tempfile::TempDir;

/// The note on a package with an accepted sample in Python.
pub(crate) const PYPY: &str = "Python runs in PyPy, as in the authors' judge: `tools.python` in `[build]`; where PyPy is not installed, \
    it runs in CPython, and a program that is too slow is not scored yet";

/// A package: the folder `evil` of a temporary one.
pub(crate) struct Package {
    folder: TempDir,
    pub(crate) options: ImportOptions,
    /// Whether links may lead into the temporary folder.
    is_in_repository: bool,
}

impl Package {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("evil")).unwrap();
        Self {
            folder,
            options: ImportOptions::default(),
            is_in_repository: false,
        }
    }

    /// A package with these files.
    pub(crate) fn of(files: &[(&str, &str)]) -> Self {
        let add = |package: Self, (path, text): &(&str, &str)| package.file(path, text);
        files.iter().fold(Self::new(), add)
    }

    /// Writes a file, and the folders above it.
    pub(crate) fn file(self, path: &str, bytes: impl AsRef<[u8]>) -> Self {
        self.beside(&format!("evil/{path}"), bytes)
    }

    /// Writes a file beside the package's folder.
    pub(crate) fn beside(self, path: &str, bytes: impl AsRef<[u8]>) -> Self {
        let path = self.folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
        self
    }

    /// Makes a folder.
    pub(crate) fn folder(self, path: &str) -> Self {
        fs::create_dir_all(self.path(path)).unwrap();
        self
    }

    /// Makes a link.
    pub(crate) fn link(self, path: &str, to: impl AsRef<Path>) -> Self {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        symlink(to, path).unwrap();
        self
    }

    /// A test and its answer, both of this one line.
    pub(crate) fn test(self, path: &str, line: &str) -> Self {
        self.file(&format!("data/{path}.in"), format!("{line}\n"))
            .file(&format!("data/{path}.ans"), format!("{line}\n"))
    }

    /// Lets links lead into the folder around the package.
    pub(crate) fn in_repository(mut self) -> Self {
        self.is_in_repository = true;
        self
    }

    /// Lets no link lead out of the package.
    pub(crate) fn alone(mut self) -> Self {
        self.is_in_repository = false;
        self
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join("evil").join(path)
    }

    pub(crate) fn import(&self) -> Result<Imported, PackageError> {
        let folder = self.path("");
        let around = if self.is_in_repository {
            self.folder.path()
        } else {
            &folder
        };
        let library = DiskLibrary::new(&folder).with_links_into(around);
        read(&library, "evil", &self.options)
    }

    /// Imports the package, and expects these notes and a problem without mistakes.
    pub(crate) fn imported(&self, notes: &[&str]) -> Imported {
        let imported = self.import().unwrap();
        assert_eq!(imported.notes, notes);
        imported.problem();
        imported
    }

    /// The message with which the package is refused.
    pub(crate) fn refusal(&self) -> String {
        let imported = self.import().map(|it| it.text("problem.toml"));
        imported.unwrap_err().to_string()
    }
}

/// Expects that a package is refused with this message. After `…`, there are the words of a parser that is not ours.
pub(crate) fn refused(package: &Package, message: &str) {
    let refusal = package.refusal();
    match message.strip_suffix('…') {
        Some(ours) => assert!(refusal.starts_with(ours), "{refusal}"),
        None => assert_eq!(refusal, message),
    }
}

/// An imported problem, with the bytes of its files.
pub(crate) struct Imported {
    pub(crate) notes: Vec<String>,
    pub(crate) files: BTreeMap<String, Vec<u8>>,
}

/// Reads a package, and all files of the problem.
pub(crate) fn read(
    package: &DiskLibrary,
    name: &str,
    options: &ImportOptions,
) -> Result<Imported, PackageError> {
    let imported = import(package, name, options)?;
    let contents = imported.contents(package);
    let files = contents.map(|file| file.map(|(path, bytes)| (path.to_owned(), bytes)));
    Ok(Imported {
        files: files.collect::<Result<_, _>>()?,
        notes: imported.notes.clone(),
    })
}

impl Imported {
    pub(crate) fn text(&self, path: &str) -> String {
        String::from_utf8(self.files[path].clone()).unwrap()
    }

    pub(crate) fn paths(&self) -> Vec<&str> {
        self.files.keys().map(String::as_str).collect()
    }

    /// `problem.toml`.
    pub(crate) fn table(&self) -> toml::Table {
        self.text("problem.toml").parse().unwrap()
    }

    /// The subtasks in `problem.toml`.
    pub(crate) fn subtasks(&self) -> String {
        let text = self.text("problem.toml");
        text.split_once("\n[[subtask]]\n").unwrap().1.to_owned()
    }

    /// The problem, whose files and samples must have no mistake.
    pub(crate) fn problem(&self) -> Problem {
        let library = MemoryLibrary::new("", self.files.clone());
        let loaded = load_problem(&library, "", &[], &Languages::built_in()).and_then(|problem| {
            let samples = load_samples(&library, &problem);
            samples.map(|_| problem)
        });
        loaded.unwrap_or_else(|mistakes| panic!("{}", render(&mistakes, false, 100)))
    }
}

/// The files below a folder, by their paths.
pub(crate) fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inner) = folders.pop() {
        for entry in fs::read_dir(inner).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_str().unwrap();
                found.insert(name.to_owned(), fs::read(&path).unwrap());
            }
        }
    }
    found
}

/// A zip of these files.
pub(crate) fn zip(files: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in files {
        zip.start_file(*name, zip::write::SimpleFileOptions::default())
            .unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

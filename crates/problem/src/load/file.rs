//! Opens a file and parses it.

use std::collections::BTreeMap;
use std::sync::Arc;

use grader_model::{SourceFile, escaped};
use toml::de::{DeInteger, DeTable, DeValue};

use crate::diagnostic::{Code, Diagnostic, FileText, Log};
use crate::library::{Library, LibraryError, join};
use crate::raw::Format;
use crate::reader::{At, Node, Read};

/// Reads a file that must be text.
pub(crate) fn open(library: &dyn Library, path: &str) -> Result<(Log, Vec<u8>), Diagnostic> {
    let shown = escaped(library.describe(path).as_bytes());
    let file = |text: &str| {
        Arc::new(FileText {
            path: shown.clone(),
            text: text.strip_prefix('\u{feff}').unwrap_or(text).to_owned(),
        })
    };
    let bytes = library.read(path).map_err(|error| {
        let message = match error {
            LibraryError::NotFound => "the file is missing".to_owned(),
            error => error.to_string(),
        };
        Diagnostic::new(&file(""), None, Code::MissingFile, &message, None)
    })?;
    let error = match std::str::from_utf8(&bytes) {
        Ok(text) => return Ok((Log::new(file(text)), bytes)),
        Err(error) => error,
    };
    let lossy = String::from_utf8_lossy(&bytes);
    let file = file(&lossy);
    // Up to the first wrong byte the lossy text is the file, but for a byte order mark.
    let at = error.valid_up_to() - (lossy.len() - file.text.len());
    Err(Diagnostic::new(
        &file,
        Some(at..at + '\u{fffd}'.len_utf8()),
        Code::NotUtf8,
        "the file must be UTF-8",
        Some("save it with the encoding UTF-8 in your editor".to_owned()),
    ))
}

/// Parses the file and reads it as a whole. Nothing is read out of a file with mistakes in its TOML: what is
/// missing from the rest of it would be reported too, and misleadingly.
pub(crate) fn parse<T: Read>(log: &mut Log) -> Option<At<T>> {
    let file = Arc::clone(&log.file);
    let text = file.text.as_str();
    let (table, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        report_syntax(text, &errors, log);
        return None;
    }
    let span = 0..0;
    let table = DeValue::Table(table.into_inner());
    let node = Node {
        value: &table,
        span: span.clone(),
        place: String::new(),
    };
    if let Some(format) = other_format(&table) {
        // What else such a file says is not ours to judge.
        let node = Node {
            value: format.get_ref(),
            span: format.span(),
            place: "format".to_owned(),
        };
        Format::read(&node, log);
        return None;
    }
    T::read(&node, log).map(|value| At { value, span })
}

/// The value of `format`, when it is a version that is not ours.
fn other_format<'a>(root: &'a DeValue<'a>) -> Option<&'a toml::Spanned<DeValue<'a>>> {
    let format = root.as_table()?.get("format")?;
    let number = |integer: &DeInteger<'_>| i64::from_str_radix(integer.as_str(), integer.radix());
    match format.get_ref() {
        DeValue::Integer(integer) if number(integer) != Ok(Format::CURRENT) => Some(format),
        _ => None,
    }
}

/// One mistake for each line: what follows on the same line is mostly a consequence.
fn report_syntax(text: &str, errors: &[toml::de::Error], log: &mut Log) {
    let mut by_line = BTreeMap::new();
    for error in errors {
        let span = error.span().unwrap_or(0..0);
        let line = text
            .get(..span.start)
            .map_or(0, |t| t.matches('\n').count());
        let earlier = by_line
            .get(&line)
            .is_some_and(|(other, _): &(std::ops::Range<usize>, &str)| other.start <= span.start);
        if !earlier {
            by_line.insert(line, (span, error.message()));
        }
    }
    for (span, message) in by_line.into_values() {
        let message = if lacks_value(text, span.start) {
            "a value must follow `=`, found the end of the line"
        } else {
            message
        };
        log.report(&span, Code::Syntax, message);
    }
}

fn lacks_value(text: &str, at: usize) -> bool {
    text.get(..at)
        .is_some_and(|before| before.trim_end_matches([' ', '\t']).ends_with('='))
        && text
            .get(at..)
            .is_some_and(|after| after.is_empty() || after.starts_with(['\n', '\r', '#']))
}

/// Remembers what was read for a problem, so that its version can be told.
pub(crate) struct Files<'a> {
    pub(crate) library: &'a dyn Library,
    pub(crate) folder: &'a str,
    hashes: BTreeMap<String, blake3::Hash>,
}

impl<'a> Files<'a> {
    pub(crate) fn new(library: &'a dyn Library, folder: &'a str) -> Self {
        Self {
            library,
            folder,
            hashes: BTreeMap::new(),
        }
    }

    /// Remembers a file, by its path in the library.
    pub(crate) fn remember(&mut self, path: &str, bytes: &[u8]) {
        let inside = path.strip_prefix(self.folder).unwrap_or(path);
        self.hashes.insert(
            inside.trim_start_matches('/').to_owned(),
            blake3::hash(bytes),
        );
    }

    /// Hash of the paths and contents of all files that were remembered.
    pub(crate) fn version(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        for (path, hash) in &self.hashes {
            hasher.update(&(path.len() as u64).to_le_bytes());
            hasher.update(path.as_bytes());
            hasher.update(hash.as_bytes());
        }
        hasher.finalize().to_string()
    }

    /// The path in the library of one that a problem file names; reports one that leads outside.
    pub(crate) fn path(&self, name: &str, at: &At<String>, log: &mut Log) -> Option<String> {
        match join(self.folder, &at.value) {
            Ok(path) => Some(path),
            Err(error) => {
                let message = format!("`{name}` {error}");
                log.report(&at.span, Code::BadPath, message);
                None
            }
        }
    }

    /// The bytes of a file that a problem file names.
    pub(crate) fn read(&mut self, name: &str, at: &At<String>, log: &mut Log) -> Option<Arc<[u8]>> {
        let path = self.path(name, at, log)?;
        match self.library.read(&path) {
            Ok(bytes) => {
                self.remember(&path, &bytes);
                Some(bytes.into())
            }
            Err(error) => {
                self.report(name, &path, &error, at, log);
                None
            }
        }
    }

    /// Reports a file that cannot be read.
    pub(crate) fn report(
        &self,
        name: &str,
        path: &str,
        error: &LibraryError,
        at: &At<String>,
        log: &mut Log,
    ) {
        let shown = self.library.describe(path);
        let (code, message) = match error {
            LibraryError::Outside => (Code::BadPath, format!("`{name}`: {error}")),
            error => (Code::MissingFile, format!("`{name}`: `{shown}`: {error}")),
        };
        log.report(&at.span, code, message);
    }
}

/// Deepest nesting of folders of sources.
const DEEPEST: usize = 16;

/// All files below a folder of the library, by their paths relative to it, hidden ones left out.
pub(crate) fn sources_below(
    library: &dyn Library,
    folder: &str,
) -> Result<Vec<SourceFile>, LibraryError> {
    let mut sources = Vec::new();
    collect(library, folder, "", 0, &mut sources)?;
    Ok(sources)
}

fn collect(
    library: &dyn Library,
    root: &str,
    inner: &str,
    depth: usize,
    sources: &mut Vec<SourceFile>,
) -> Result<(), LibraryError> {
    if depth > DEEPEST {
        return Err(LibraryError::Io(format!(
            "folders are nested more than {DEEPEST} deep"
        )));
    }
    let slash = |a: &str, b: &str| {
        if a.is_empty() {
            b.to_owned()
        } else {
            format!("{a}/{b}")
        }
    };
    for entry in library.list(&slash(root, inner))? {
        if entry.name.starts_with('.') {
            continue;
        }
        let inner = slash(inner, &entry.name);
        if entry.folder {
            collect(library, root, &inner, depth + 1, sources)?;
        } else {
            let bytes = library.read(&slash(root, &inner))?;
            sources.push(SourceFile::new(inner, bytes));
        }
    }
    Ok(())
}

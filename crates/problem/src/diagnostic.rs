//! Mistakes in assignment and problem files.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use grader_model::escaped;

/// A file with its text, for diagnostics.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileText {
    /// The path, escaped, for messages.
    pub path: String,
    /// The text, without a byte order mark; `U+FFFD` stands for bytes that are not UTF-8.
    pub text: String,
}

impl FileText {
    /// Line and column of a byte offset, from 1; the column in characters.
    pub(crate) fn line_and_column(&self, at: usize) -> Option<(usize, usize)> {
        let before = self.text.get(..at)?;
        let line = before.rsplit('\n').next().unwrap_or_default();
        Some((before.matches('\n').count() + 1, line.chars().count() + 1))
    }
}

/// One mistake with its place.
///
/// Its texts are escaped and may be shown unchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The file.
    pub file: Arc<FileText>,
    /// The range of the mistake in [`FileText::text`]; `None` if the whole file is wrong.
    pub span: Option<Range<usize>>,
    /// The expected and the found text.
    pub message: String,
    /// How to fix it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// Line and column of its start, from 1; the column in characters. `None` if it has no place.
    pub fn line_and_column(&self) -> Option<(usize, usize)> {
        self.file.line_and_column(self.span.as_ref()?.start)
    }

    /// Creates a diagnostic with escaped texts. The second line of the message is the help.
    pub(crate) fn new(file: &Arc<FileText>, span: Option<Range<usize>>, message: &str) -> Self {
        let (message, help) = message.split_once('\n').unwrap_or((message, ""));
        Self {
            file: Arc::clone(file),
            span,
            message: escaped(message.as_bytes()),
            help: (!help.is_empty()).then(|| escaped(help.as_bytes())),
        }
    }
}

/// A loaded value, or all mistakes, sorted by file and place.
pub type Loaded<T> = Result<T, Vec<Diagnostic>>;

/// The value if there are no mistakes.
pub(crate) fn loaded<T>(value: Option<T>, mut mistakes: Vec<Diagnostic>) -> Loaded<T> {
    mistakes.sort_by_cached_key(|mistake| {
        let start = mistake.span.as_ref().map(|span| span.start);
        (mistake.file.path.clone(), start, mistake.message.clone())
    });
    value.filter(|_| mistakes.is_empty()).ok_or(mistakes)
}

/// Collects the mistakes of one file.
pub(crate) struct Log {
    pub(crate) file: Arc<FileText>,
    pub(crate) mistakes: Vec<Diagnostic>,
    seen: BTreeSet<(usize, usize)>,
}

impl Log {
    pub(crate) fn new(file: FileText) -> Self {
        Self {
            file: Arc::new(file),
            mistakes: Vec::new(),
            seen: BTreeSet::new(),
        }
    }

    /// Reports a mistake; the second line of the message is the help. Each place is reported once: a wrong template is
    /// one mistake, not one per case.
    pub(crate) fn report(&mut self, span: &Range<usize>, message: &str) {
        if self.seen.insert((span.start, span.end)) {
            let mistake = Diagnostic::new(&self.file, Some(span.clone()), message);
            self.mistakes.push(mistake);
        }
    }

    /// Reports a mistake in a part of a value, or in the whole value if the part does not occur literally.
    pub(crate) fn report_part(&mut self, span: &Range<usize>, part: &str, message: &str) {
        let written = self.file.text.get(span.clone()).unwrap_or_default();
        let place = written.find(part).map(|at| span.start + at);
        let place = place.map_or(span.clone(), |start| start..start + part.len());
        self.report(&place, message);
    }
}

//! Mistakes in assignment and problem files.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use grader_model::escaped;

use crate::value::At;

/// A file in which mistakes may be, with its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileText {
    /// The path as it is shown to people, escaped.
    pub path: String,
    /// The text, without a byte order mark; `U+FFFD` stands for bytes that are not UTF-8.
    pub text: String,
}

impl FileText {
    /// Line and column of a byte of the text, from 1; the column in characters.
    pub(crate) fn line_and_column(&self, at: usize) -> Option<(usize, usize)> {
        let before = self.text.get(..at)?;
        let line = before.rsplit('\n').next().unwrap_or_default();
        Some((before.matches('\n').count() + 1, line.chars().count() + 1))
    }
}

/// One mistake, and where it is.
///
/// Its texts may be shown as they are: what they quote from files is escaped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The file.
    pub file: Arc<FileText>,
    /// The bytes of [`FileText::text`] that are wrong; `None` if the whole file is.
    pub span: Option<Range<usize>>,
    /// What was expected and what was found.
    pub message: String,
    /// How to fix it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// Line and column of where it begins, from 1; the column in characters. `None` if the whole file is wrong.
    pub fn line_and_column(&self) -> Option<(usize, usize)> {
        self.file.line_and_column(self.span.as_ref()?.start)
    }

    /// A mistake, its texts escaped. What follows a line feed in the message is the help.
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

/// What loading gives: a value, or all mistakes in the order of their files and places.
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

    /// Reports a mistake; what follows a line feed in the message is the help. Each place is reported once: a template
    /// is wrong once, not once for each case.
    pub(crate) fn report(&mut self, span: &Range<usize>, message: &str) {
        if self.seen.insert((span.start, span.end)) {
            let mistake = Diagnostic::new(&self.file, Some(span.clone()), message);
            self.mistakes.push(mistake);
        }
    }

    /// Reports a mistake in a part of a value, as far as it is written there unchanged; else in the whole value.
    pub(crate) fn report_part(&mut self, span: &Range<usize>, part: &str, message: &str) {
        let written = self.file.text.get(span.clone()).unwrap_or_default();
        let place = written.find(part).map(|at| span.start + at);
        let place = place.map_or(span.clone(), |start| start..start + part.len());
        self.report(&place, message);
    }

    /// Reports the later of two keys that exclude each other.
    pub(crate) fn exclusive<A, B>(
        &mut self,
        (one, first): (&str, &Option<At<A>>),
        (other, second): (&str, &Option<At<B>>),
    ) {
        if let (Some(first), Some(second)) = (first, second) {
            let (one, other, span) = if first.span.start < second.span.start {
                (one, other, &second.span)
            } else {
                (other, one, &first.span)
            };
            self.report(
                span,
                &format!("`{one}` and `{other}` cannot be used together"),
            );
        }
    }
}

//! Mistakes in assignment and problem files.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use grader_model::escaped;

/// A file in which mistakes may be, with its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileText {
    /// The path as it is shown to people, escaped.
    pub path: String,
    /// The text, without a byte order mark; `U+FFFD` stands for bytes that are not UTF-8.
    pub text: String,
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
    inconsistency: bool,
}

impl Diagnostic {
    /// A mistake, its texts escaped. What follows a line feed in the message is the help.
    pub(crate) fn new(file: &Arc<FileText>, span: Option<Range<usize>>, message: &str) -> Self {
        let (message, help) = message.split_once('\n').unwrap_or((message, ""));
        Self {
            file: Arc::clone(file),
            span,
            message: escaped(message.as_bytes()),
            help: (!help.is_empty()).then(|| escaped(help.as_bytes())),
            inconsistency: false,
        }
    }

    /// Whether two places disagree that are each well-formed. The value is built nonetheless.
    pub fn is_inconsistency(&self) -> bool {
        self.inconsistency
    }

    /// Line and column, counted in characters from 1.
    pub fn position(&self) -> Option<(usize, usize)> {
        let span = self.span.as_ref()?;
        let before = self.file.text.get(..span.start)?;
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        Some((
            before.matches('\n').count() + 1,
            before[line_start..].chars().count() + 1,
        ))
    }

    fn order(&self) -> (&str, usize, usize, &str) {
        let span = self.span.clone().unwrap_or_default();
        (&self.file.path, span.start, span.end, &self.message)
    }
}

/// Puts mistakes in the order of their files and places.
pub(crate) fn sort(diagnostics: &mut [Diagnostic]) {
    diagnostics.sort_by(|a, b| a.order().cmp(&b.order()));
}

/// What loading gave: a value, mistakes, or both.
#[derive(Clone, Debug)]
pub struct Loaded<T> {
    /// The value; there unless a mistake other than an inconsistency was found.
    pub value: Option<T>,
    /// The mistakes, in the order of their files and places.
    pub diagnostics: Vec<Diagnostic>,
}

impl<T> Loaded<T> {
    /// Drops the value if a mistake is more than an inconsistency.
    pub(crate) fn new(value: Option<T>, mut diagnostics: Vec<Diagnostic>) -> Self {
        sort(&mut diagnostics);
        let whole = diagnostics.iter().all(Diagnostic::is_inconsistency);
        Self {
            value: value.filter(|_| whole),
            diagnostics,
        }
    }

    /// The value when there is no mistake at all.
    ///
    /// # Errors
    /// The mistakes.
    pub fn strict(self) -> Result<T, Vec<Diagnostic>> {
        match self.value {
            Some(value) if self.diagnostics.is_empty() => Ok(value),
            _ => Err(self.diagnostics),
        }
    }
}

/// Collects the mistakes of one file.
pub(crate) struct Log {
    pub(crate) file: Arc<FileText>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    seen: BTreeSet<(usize, usize)>,
}

impl Log {
    pub(crate) fn new(file: Arc<FileText>) -> Self {
        Self {
            file,
            diagnostics: Vec::new(),
            seen: BTreeSet::new(),
        }
    }

    /// Reports a mistake; what follows a line feed in the message is the help. Each place is reported once: a template
    /// is wrong once, not once for each case.
    pub(crate) fn report(&mut self, span: &Range<usize>, message: &str) {
        if self.seen.insert((span.start, span.end)) {
            let span = Some(span.clone());
            self.diagnostics
                .push(Diagnostic::new(&self.file, span, message));
        }
    }

    /// Reports that two places disagree that are each well-formed.
    pub(crate) fn report_inconsistency(&mut self, span: &Range<usize>, message: &str) {
        let diagnostic = Diagnostic::new(&self.file, Some(span.clone()), message);
        self.diagnostics.push(Diagnostic {
            inconsistency: true,
            ..diagnostic
        });
    }

    /// The place of a text within a value, as far as it is written there unchanged; else that of the whole value.
    pub(crate) fn find(&self, span: &Range<usize>, text: &str) -> Range<usize> {
        let written = self.file.text.get(span.clone()).unwrap_or_default();
        written.find(text).map_or(span.clone(), |at| {
            span.start + at..span.start + at + text.len()
        })
    }
}

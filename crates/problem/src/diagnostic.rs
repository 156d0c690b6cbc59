//! Mistakes in assignment and problem files.

use std::collections::BTreeSet;
use std::fmt;
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
    /// The bytes of [`FileText::text`] that are wrong; nothing when the whole file is (it is missing).
    pub span: Option<Range<usize>>,
    /// The kind of mistake.
    pub code: Code,
    /// What was expected and what was found.
    pub message: String,
    /// How it may be mended.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A mistake, its texts escaped.
    pub(crate) fn new(
        file: &Arc<FileText>,
        span: Option<Range<usize>>,
        code: Code,
        message: &str,
        help: Option<String>,
    ) -> Self {
        Self {
            file: Arc::clone(file),
            span,
            code,
            message: escaped(message.as_bytes()),
            help: help.map(|help| escaped(help.as_bytes())),
        }
    }

    /// Whether two places disagree that are each well-formed. The value is built nonetheless.
    pub fn is_inconsistency(&self) -> bool {
        self.code == Code::InconsistentPoints
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

    fn order(&self) -> (&str, usize, usize, Code, &str) {
        let span = self.span.clone().unwrap_or_default();
        (
            &self.file.path,
            span.start,
            span.end,
            self.code,
            &self.message,
        )
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
    /// The value is kept when the mistakes allow it.
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
    seen: BTreeSet<(usize, usize, Code, String)>,
}

impl Log {
    pub(crate) fn new(file: Arc<FileText>) -> Self {
        Self {
            file,
            diagnostics: Vec::new(),
            seen: BTreeSet::new(),
        }
    }

    /// Reports a mistake. The same kind at the same place is reported once: a template is wrong once, not once for each case.
    pub(crate) fn report(&mut self, span: &Range<usize>, code: Code, message: impl AsRef<str>) {
        self.report_with(span, code, message, None);
    }

    /// Reports a mistake with advice.
    pub(crate) fn report_with(
        &mut self,
        span: &Range<usize>,
        code: Code,
        message: impl AsRef<str>,
        help: impl Into<Option<String>>,
    ) {
        self.push(String::new(), span, code, message.as_ref(), help.into());
    }

    /// Whether a mistake of this kind was reported.
    pub(crate) fn has(&self, code: Code) -> bool {
        self.diagnostics.iter().any(|other| other.code == code)
    }

    /// Reports a mistake once for each message: several keys may be missing in one table.
    pub(crate) fn report_each(
        &mut self,
        span: &Range<usize>,
        code: Code,
        message: impl AsRef<str>,
    ) {
        let message = message.as_ref();
        self.push(message.to_owned(), span, code, message, None);
    }

    fn push(
        &mut self,
        which: String,
        span: &Range<usize>,
        code: Code,
        message: &str,
        help: Option<String>,
    ) {
        if self.seen.insert((span.start, span.end, code, which)) {
            let span = Some(span.clone());
            self.diagnostics
                .push(Diagnostic::new(&self.file, span, code, message, help));
        }
    }
}

macro_rules! codes {
    ($($(#[doc = $doc:literal])* $name:ident = $text:literal,)*) => {
        /// The kinds of mistakes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $($(#[doc = $doc])* $name,)*
        }

        impl Code {
            /// The word that stands in brackets after `error`.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }
        }
    };
}

codes! {
    /// Not TOML.
    Syntax = "syntax",
    /// Not UTF-8.
    NotUtf8 = "not-utf8",
    /// A file or folder that is not there or cannot be read.
    MissingFile = "missing-file",
    /// A version of the format that this grader does not know.
    WrongFormat = "wrong-format",
    /// A key that means nothing here.
    UnknownKey = "unknown-key",
    /// A key that must be there.
    MissingKey = "missing-key",
    /// A value of another type than expected.
    WrongType = "wrong-type",
    /// A value that is out of its range or not one of the known words.
    BadValue = "bad-value",
    /// A time or size without a unit, or with one that is unknown.
    BadUnit = "bad-unit",
    /// A name with characters that names may not have.
    BadName = "bad-name",
    /// Two things of one name.
    Duplicate = "duplicate",
    /// Two keys that exclude each other.
    Conflict = "conflict",
    /// A list without anything in it.
    Empty = "empty",
    /// A range of case variables that is not one.
    BadRange = "bad-range",
    /// More cases than a subtask may have.
    TooManyCases = "too-many-cases",
    /// A template with unbalanced braces.
    BadTemplate = "bad-template",
    /// A variable that the case does not have.
    UnknownVariable = "unknown-variable",
    /// A checker that does not exist.
    UnknownChecker = "unknown-checker",
    /// A programming language that does not exist.
    UnknownLanguage = "unknown-language",
    /// A case that does not exist.
    UnknownCase = "unknown-case",
    /// A subtask that does not exist.
    UnknownSubtask = "unknown-subtask",
    /// A subtask that needs itself or a later one.
    BadRequire = "bad-require",
    /// A bundled reference that does not exist.
    UnknownBuiltin = "unknown-builtin",
    /// A problem that cannot be judged without a reference.
    MissingReference = "missing-reference",
    /// A path that leads out of its folder.
    BadPath = "bad-path",
    /// A file pattern that does not parse.
    BadGlob = "bad-glob",
    /// A verdict, or a folder of one, that does not exist.
    UnknownVerdict = "unknown-verdict",
    /// An expectation about a sample that does not exist, or a file that is no sample.
    UnknownSample = "unknown-sample",
    /// The points of a problem are not the sum of its subtasks'.
    InconsistentPoints = "inconsistent-points",
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

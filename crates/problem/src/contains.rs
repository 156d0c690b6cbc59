//! Texts and patterns that an output contains: `[checker.contains]`.

use regex::bytes::{Regex, RegexBuilder};

use crate::constants::MAX_PATTERN_BYTES;

/// What an output contains, and what it must not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contains {
    /// What appears: each list in its order.
    pub lists: Vec<Vec<Sought>>,
    /// Whether the lines of the answer appear, in their order.
    pub has_answer: bool,
    /// Texts that do not appear.
    pub never: Vec<String>,
    /// Whether upper and lower case differ.
    pub case_sensitive: bool,
}

/// Something that appears in an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sought {
    /// What it is.
    pub what: Wanted,
    /// The last line of input that is sent before, in a dialogue.
    pub after: Option<String>,
}

/// A text or a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// A text. White space in it stands for any white space.
    Text(String),
    /// A regular expression.
    Pattern(String),
}

impl Contains {
    /// A regular expression. Its search takes time in proportion to the output, whatever the expression is.
    ///
    /// # Errors
    ///
    /// If it is none. The patterns of a loaded problem are.
    pub fn expression(&self, pattern: &str) -> Result<Regex, regex::Error> {
        RegexBuilder::new(pattern)
            .case_insensitive(!self.case_sensitive)
            .multi_line(true)
            .crlf(true)
            .size_limit(MAX_PATTERN_BYTES)
            .build()
    }

    /// Whether something must appear, apart from the lines of the answer.
    pub fn requires_text(&self) -> bool {
        self.lists.iter().any(|it| !it.is_empty())
    }
}

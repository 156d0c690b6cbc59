//! Texts and patterns that an output contains: `[checker.contains]`.

use regex_automata::meta::{BuildError, Config, Regex};
use regex_automata::util::syntax;

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
    /// The number of lines that are sent before.
    pub sent: usize,
}

impl Sought {
    /// What appears whatever is sent.
    pub const fn new(what: Wanted) -> Self {
        Self {
            what,
            after: None,
            sent: 0,
        }
    }
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
    /// A regular expression. The time of a search is proportional to the output, and to the size of the expression. An earliest search
    /// ends where the shortest match does: no engine is used that says otherwise.
    ///
    /// # Errors
    ///
    /// If it is none. The patterns of a loaded problem are.
    pub fn expression(&self, pattern: &str) -> Result<Regex, Box<BuildError>> {
        let syntax = syntax::Config::new()
            .case_insensitive(!self.case_sensitive)
            .multi_line(true)
            .crlf(true)
            .utf8(false);
        let config = Config::new()
            .utf8_empty(false)
            .auto_prefilter(false)
            .backtrack(false)
            .onepass(false)
            .nfa_size_limit(Some(MAX_PATTERN_BYTES));
        let built = Regex::builder()
            .syntax(syntax)
            .configure(config)
            .build(pattern);
        built.map_err(Box::new)
    }

    /// Whether something must appear, apart from the lines of the answer.
    pub fn requires_text(&self) -> bool {
        self.lists.iter().any(|it| !it.is_empty())
    }
}

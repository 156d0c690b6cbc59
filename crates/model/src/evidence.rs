//! Judgements of checkers, with their evidence.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Excerpt, Share, Text};

/// A checker's judgement of one output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Judgement {
    /// The mark.
    pub mark: Mark,
    /// Reasons, most important first. An accepted output may have notes too, such as ignored spaces.
    pub evidence: Vec<Evidence>,
}

impl Judgement {
    /// Right, without notes.
    pub const fn right() -> Self {
        Self {
            mark: Mark::Right,
            evidence: Vec::new(),
        }
    }

    /// A judgement with one piece of evidence.
    pub fn because(mark: Mark, evidence: Evidence) -> Self {
        Self {
            mark,
            evidence: vec![evidence],
        }
    }
}

/// A checker's mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// Right.
    Right,
    /// Partially right: it earns this share of the points.
    Partial(Share),
    /// Right except for layout or extra text.
    Layout,
    /// Wrong.
    Wrong,
}

/// One reason. The student may read it, unless it is for staff only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Evidence {
    /// A stable word for programs, kebab-case: `queens-attack`.
    pub code: String,
    /// One sentence without a full stop.
    pub message: Text,
    /// The expected text at that place.
    pub expected: Option<Excerpt>,
    /// The found text at that place.
    pub found: Option<Excerpt>,
    /// A drawing: a board, a difference.
    pub figure: Option<Figure>,
    /// The board of the drawing, for pages that draw it themselves.
    #[serde(default)]
    pub board: Option<BoardFigure>,
    /// Whether the student must not see it, such as a checker's message for staff.
    pub staff_only: bool,
}

impl Evidence {
    /// Evidence of one sentence.
    pub fn new(code: &str, message: Text) -> Self {
        Self {
            code: code.to_owned(),
            message,
            expected: None,
            found: None,
            figure: None,
            board: None,
            staff_only: false,
        }
    }

    /// Hides it from the student.
    #[must_use]
    pub const fn for_staff(mut self) -> Self {
        self.staff_only = true;
        self
    }

    /// Adds the expected and the found text.
    #[must_use]
    pub fn with_pair(mut self, expected: Excerpt, found: Excerpt) -> Self {
        self.expected = Some(expected);
        self.found = Some(found);
        self
    }

    /// Adds the found text.
    #[must_use]
    pub fn with_found(mut self, found: Excerpt) -> Self {
        self.found = Some(found);
        self
    }

    /// Adds a drawing.
    #[must_use]
    pub fn with_figure(mut self, figure: Figure) -> Self {
        self.figure = Some(figure);
        self
    }
}

/// A board with queens. Rows and columns are numbered from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct BoardFigure {
    /// Number of rows and columns.
    pub size: u32,
    /// Row and column of each queen; only the attacking ones if the board has more than 16 rows.
    pub queens: Vec<[u32; 2]>,
    /// The two queens that attack each other.
    pub attack: Option<[[u32; 2]; 2]>,
    /// The first row without a queen.
    pub empty_row: Option<u32>,
}

/// A drawing in lines of marked text. Its text is escaped already.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Figure {
    /// The lines, top to bottom.
    pub lines: Vec<Line>,
}

/// One line of a [`Figure`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Line {
    /// The pieces, left to right.
    pub spans: Vec<Span>,
}

/// A piece of a [`Line`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Span {
    /// Its text.
    pub text: String,
    /// Its mark.
    pub ink: Ink,
}

/// Mark of a piece of a drawing. A drawing must be clear without marks: colour only helps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Ink {
    /// Unmarked.
    Plain,
    /// Background: rulers, line numbers, blank cells.
    Faint,
    /// Right.
    Good,
    /// Wrong.
    Bad,
    /// Right, and missing or different in the found line.
    Removed,
    /// Wrong, and missing or different in the expected line.
    Added,
}

impl Figure {
    /// The drawing without its marks, lines joined by line feeds.
    pub fn plain(&self) -> String {
        let lines: Vec<String> = self
            .lines
            .iter()
            .map(|line| line.spans.iter().map(|span| span.text.as_str()).collect())
            .collect();
        lines.join("\n")
    }

    /// Adds a line.
    pub fn push(&mut self, spans: impl IntoIterator<Item = Span>) {
        self.lines.push(Line {
            spans: spans.into_iter().collect(),
        });
    }
}

impl Span {
    /// A piece of text with its mark.
    pub fn new(text: impl Into<String>, ink: Ink) -> Self {
        Self {
            text: text.into(),
            ink,
        }
    }
}

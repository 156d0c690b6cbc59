//! What people read, before it has a width or colours.
//!
//! A view becomes a `Document` once: blocks in the order in which they are shown, whose words know what they are
//! (`Tone`), not how that looks. `Document::text` lays it out: on a terminal, in the text that a student
//! gets, in a fence of Markdown, in the fields of Gradescope, JUnit and GitHub.

mod attention;
mod case;
mod cases;
mod class;
mod points;
mod review;
mod student;
mod submission;

pub use self::case::case;
pub(crate) use self::case::{hints, reproduction, told_case, told_group};
pub use self::cases::cases;
pub use self::class::class;
pub(crate) use self::points::{Points, columns};
pub(crate) use self::review::reasons;
pub use self::review::{Remarked, condition, group_lines, review};
pub use self::student::{corrected, personal, student};
pub(crate) use self::student::{score, to_fix, unused_files};
pub(crate) use self::submission::{problem_total, submission, subtask_sentence, subtasks};

/// Blocks in the order in which they are shown.
#[derive(Clone, Debug, Default)]
pub(crate) struct Document {
    pub(crate) blocks: Vec<Block>,
}

#[derive(Clone, Debug)]
pub(crate) enum Block {
    /// An empty line between what stands above and what follows, if there is both.
    Gap,
    /// Words, in as many lines as they need.
    Line(String),
    /// What a line break would change: a command, a row of a drawing.
    Exact(String),
    /// A label, with words beside it.
    Item { label: String, words: String },
    /// A text of several lines from outside, marked as such.
    Quote(String),
    /// Rows whose cells stand under each other; the columns whose numbers stand at the right.
    Rows { rows: Vec<Row>, numbers: Vec<usize> },
    /// The table of a class.
    Points(Points),
    /// What belongs to the block above it, so many columns to the right.
    Under(usize, Document),
}

/// Cells, words beside them and what belongs to them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Row {
    pub(crate) cells: Vec<String>,
    pub(crate) words: String,
    pub(crate) below: Document,
}

impl Row {
    pub(crate) fn of(cells: impl Into<Vec<String>>) -> Self {
        Self {
            cells: cells.into(),
            ..Self::default()
        }
    }

    pub(crate) fn with(self, words: impl Into<String>) -> Self {
        let words = words.into();
        Self { words, ..self }
    }
}

impl From<Block> for Document {
    fn from(block: Block) -> Self {
        let blocks = vec![block];
        Self { blocks }
    }
}

impl FromIterator<Block> for Document {
    fn from_iter<T: IntoIterator<Item = Block>>(blocks: T) -> Self {
        let blocks = blocks.into_iter().collect();
        Self { blocks }
    }
}

impl Document {
    pub(crate) fn of_rows(rows: impl IntoIterator<Item = Row>, numbers: &[usize]) -> Self {
        let (rows, numbers) = (rows.into_iter().collect(), numbers.to_vec());
        Block::Rows { rows, numbers }.into()
    }

    pub(crate) fn gap(&mut self) {
        self.blocks.push(Block::Gap);
    }

    pub(crate) fn line(&mut self, words: impl Into<String>) {
        self.blocks.push(Block::Line(words.into()));
    }

    pub(crate) fn exact(&mut self, line: impl Into<String>) {
        self.blocks.push(Block::Exact(line.into()));
    }

    pub(crate) fn item(&mut self, label: impl Into<String>, words: impl Into<String>) {
        let (label, words) = (label.into(), words.into());
        self.blocks.push(Block::Item { label, words });
    }

    pub(crate) fn quote(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Quote(text.into()));
    }

    pub(crate) fn under(&mut self, columns: usize, below: impl Into<Self>) {
        self.blocks.push(Block::Under(columns, below.into()));
    }

    pub(crate) fn append(&mut self, more: Self) {
        self.blocks.extend(more.blocks);
    }
}

#[cfg(test)]
mod tests;

//! Limits of the checkers, and how much of a difference they show.

use std::ops::RangeInclusive;

// What a message shows.

/// Limit on the bytes of a student's output in a sentence.
pub(crate) const MAX_QUOTE_BYTES: usize = 40;
/// Equal lines shown before and after a difference. A longer equal sequence ends the figure.
pub(crate) const CONTEXT_LINES: usize = 2;
/// Lines of each side that are compared, including the first context.
pub(crate) const WINDOW_LINES: usize = 10;
/// Limit on the lines of each side shown per difference.
pub(crate) const MAX_CHANGED_LINES: usize = 4;
/// Limit on the bytes shown of a line.
pub(crate) const MAX_LINE_BYTES: usize = 64;
/// Less similar lines are marked as entirely different.
pub(crate) const MIN_SIMILARITY: f32 = 0.5;

// What is searched and copied.

/// Limit on the words of extra text that are searched for a label.
pub(crate) const MAX_EXTRA_WORDS: usize = 32;
/// Limit on the words of an answer that these are compared with.
pub(crate) const MAX_ANSWER_WORDS: usize = 1000;
/// Limit on outputs and answers that are searched for another answer.
pub(crate) const MAX_SAID_BYTES: usize = 64 << 10;
/// Limit on the words of an input that are compared with an output.
pub(crate) const MAX_INPUT_WORDS: usize = 1000;
/// Limit on the numbers of an output that are compared with those.
pub(crate) const MAX_COMPARED_NUMBERS: usize = 100;
/// Limit on a cleaned-up copy of an output; twice the expected answer, if that is larger.
pub(crate) const MAX_COPY_BYTES: usize = 16 << 20;
/// Sizes of boards with different symbols. Smaller ones have no solution or too few cells to tell symbols apart; larger
/// ones would need much memory.
pub(crate) const FOREIGN_SIZES: RangeInclusive<usize> = 4..=512;

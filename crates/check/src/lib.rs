//! Checkers: from the bytes a program wrote to a judgement with evidence.
//!
//! [`judge`] is a pure function. Its time is linear in the size of the output and of the expected output; its
//! memory, beside the two, is a small multiple of what is expected and a constant, however much a hostile
//! program writes (`examples/memory.rs` measures it). It never panics, and takes output for what it is: bytes that may be no UTF-8, hold control
//! characters, or consist of one line of a million characters. Evidence is escaped and capped when it is
//! made: one judgement stays below [`EVIDENCE_CAP`] bytes.
//!
//! A judgement is *right*, *wrong*, or *layout*: the right answer in a wrong form. When an answer is right but
//! for its layout is said in one place for each checker, at the top of its file; what they share:
//!
//! - **Extra text** (`extra-text`): the answer is there, with a prompt before it or words around it. See
//!   `extra.rs` for the rule. It never takes an answer out of a mere list of numbers, and more of the answer's
//!   own words are more answer, not extra text.
//! - **Invisible bytes** (`terminal-codes`, `byte-order-mark`, `nul-bytes`): the answer would be right without
//!   them.
//!
//! Blanks at the end of lines (space, tab, carriage return), blank lines at the end and a missing last line
//! feed are forgiven by every checker but `exact`; where lines matter, a note with the code `blanks-forgiven`
//! says so.
//!
//! ```
//! use grader_check::judge;
//! use grader_model::Mark;
//! use grader_problem::Checker;
//!
//! let checker = Checker::Tokens { case_sensitive: true };
//! let judgement = judge(&checker, b"Solutions = 92\n", Some(b"92\n"))?;
//! assert_eq!(judgement.mark, Mark::Layout);
//! assert_eq!(judgement.evidence[0].message.en, "extra text before the answer: `Solutions = `");
//! # Ok::<(), grader_check::CheckError>(())
//! ```

mod attack;
mod board;
mod board_reading;
mod board_survey;
mod cap;
mod clean;
mod columns;
mod compare;
mod diff;
mod exact;
mod extra;
mod foreign;
mod gray;
mod gray_code;
mod gray_grid;
mod judge;
mod labels;
mod lines;
mod number;
mod numbers;
mod room;
mod say;
mod scan;
mod tokens;
mod vocabulary;

pub use cap::EVIDENCE_CAP;
pub use judge::{CheckError, judge};

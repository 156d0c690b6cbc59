//! The files as they are written: everything may be absent, every value has its place.

mod assignment;
mod choice;
mod fairness;
mod number;
mod problem;
mod quantity;
mod range;
mod source;
mod template;
mod word;

pub(crate) use assignment::{RawAssignment, RawEntry};
pub(crate) use choice::FlagCode;
pub(crate) use fairness::{RawAttempts, RawFlat, RawGrowth, RawTimeFlags, RawTimeStep};
pub use number::MOST_FACTOR;
pub(crate) use number::{
    Base, Count, Earned, Exponent, Finite, Format, Multiple, Natural, Part, Percent, Positive,
    Tolerance, Worth,
};
pub(crate) use problem::{
    CheckerNumber, RawCase, RawCaseMultiple, RawChecker, RawCheckerProgram, RawLimits, RawNumbers,
    RawProblem, RawQueensBoard, RawQueensColumns, RawReference, RawReferenceTime, RawRun,
    RawSubmission, RawSubtask, RawTime, RawTokens,
};
pub(crate) use quantity::{Size, Time};
pub(crate) use range::{ValueRange, VariableText};
pub(crate) use source::{RawAnswers, RawSource, RawSourceTokens, RawTokenRule, TokenPhrase};
pub(crate) use template::Template;
pub(crate) use word::{FileName, Id, Name, Prose, RawTitle, VariableName};

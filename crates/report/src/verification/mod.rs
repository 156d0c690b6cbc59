//! What `grader verify` found, for people and for programs.

mod grid;
mod json;
mod table;
mod text;

pub use json::{
    AssignmentVerificationDocument, MismatchDocument, MutantDocument, ProblemVerificationDocument,
    SampleDocument, TableDocument, TableRowDocument, VerificationDocument, VerificationTag,
    verification_document, verification_json, verification_schema,
};
pub use text::verification;

#[cfg(test)]
mod tests;

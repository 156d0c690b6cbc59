//! What `grader verify` found, for people and for programs.

mod json;
mod text;

pub use json::{
    AssignmentVerificationDocument, MismatchDocument, ProblemVerificationDocument, SampleDocument,
    VerificationDocument, VerificationTag, verification_document, verification_json,
    verification_schema,
};
pub use text::verification;

#[cfg(test)]
mod tests;

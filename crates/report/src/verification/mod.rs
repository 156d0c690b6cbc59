//! What `grader verify` found, for people and for programs.

mod json;
mod text;

pub use json::{
    MismatchDocument, ProblemVerificationDocument, SampleDocument, VerificationDocument,
    VerificationTag, verification_document, verification_json,
};
pub use text::verification;

#[cfg(test)]
mod tests;

//! What is handed out of an assignment.
//!
//! - A [`StudentKit`] has statements and public cases, and nothing that is hidden.
//! - [`gradescope_zip`] is what Gradescope grades an assignment with.
//! - [`statements`] are shown on pages and in kits.
//! - [`remarks`] are what `grader check` says of all that, before it is handed out.

mod error;
mod gradescope;
mod readme;
pub mod remarks;
pub mod statements;
mod students;

pub use error::KitError;
pub use gradescope::gradescope_zip;
pub use students::{KitFiles, StudentKit};

//! Which class a command is about, what changes its points, and how it ends.
#![expect(clippy::unwrap_used, reason = "a panic in a test is its report")]

mod assignments;
mod classes;
mod correct;
mod corrections;
mod ends;
mod missing;
mod room;
mod term;

//! Course systems: how they name what students submitted, and how grades go back to them.
//!
//! Each system is one file, for what is special about it in both directions:
//!
//! | system | names in | grades out |
//! |---|---|---|
//! | `moodle` | "Download all submissions" | grading worksheet, zip of feedback files |
//! | `canvas` | "Download submissions" | gradebook |
//! | `gradescope` | "Export submissions", its autograder's folder | (`report` writes `results.json`) |
//! | `folders` | a folder for each student, clones of GitHub repositories | (`report` writes annotations, and `result.json` of Classroom 50) |
//! | `blackboard` | "Assignment File Download" | grade centre |
//! | `brightspace` | "Download" of an assignment's submissions | grades |
//!
//! Downloads of Moodle, Canvas, Blackboard and Brightspace share `download`, their tables `gradebook`.
//!
//! In: [`Layout::sort`] is a function of the names and kinds of a class's entries. It opens nothing that a student wrote;
//! the caller reads the system's own index files for it. Out: [`fill`] takes the instructor's own table and writes points
//! into it.
//!
//! Roster and gradebooks find people with one matcher, `identity`. It never guesses: what is not certain is listed for a
//! person to decide, and its points stay open.

mod blackboard;
mod brightspace;
mod canvas;
mod download;
mod feedback;
mod folders;
mod gradebook;
mod gradescope;
mod headings;
mod identity;
mod known;
mod layout;
mod moodle;
mod naming;
mod people;
mod reason;
mod regular;
mod roster;
mod submitter;
mod table;
mod teams;
mod time;

pub use feedback::write_moodle_feedback;
pub use gradebook::{FillOptions, Filled, Gradebook, fill};
pub use gradescope::{OF_SUBMISSION, UNNAMED, harness_submitter};
pub use headings::{identity_columns, is_name_heading};
pub use identity::may_be_one_name;
pub use known::{Known, key as team_key};
pub use layout::Layout;
pub use naming::assign_ids;
pub use reason::{beside_students, listed};
pub use regular::{MAX_TEXT, open_regular, read_regular, read_regular_text};
pub use roster::Roster;
pub use submitter::{Entry, EntryKind, Listing, Part, Sorted, Submitter};
pub use table::{Row, Table, TableError};
pub use teams::Teams;
pub use time::submission_time;

//! What a command is about, and how it ends.
//!
//! [`Assignments`] finds the assignment that is named or near, [`StoredRuns`] the ledger, the class and its runs. [`Graded`] is a run
//! with everything that changes its points after judging: the deadline of today, the corrections and the objections. [`Exit`] and
//! [`Failure`] are the statuses with which the grader ends.
//!
//! Nothing here knows a command line: names come in as plain types, such as [`AskedClass`]. What is to be said meanwhile goes to a
//! [`Console`].

mod assignment;
mod class_name;
mod console;
pub mod correct;
pub mod corrections;
mod error;
mod exit;
mod graded;
pub mod ledger;
pub mod moved_deadline;
mod objections;
pub mod owned;
mod part;
mod path;
mod remarks;
mod replay;
mod roster;
mod section;
mod stored;
mod suggest;
mod term;

pub use assignment::{Assignments, Location, WithSamples};
pub use console::Console;
pub use corrections::Corrections;
pub use error::SessionError;
pub use exit::{Ended, Exit, Failure};
pub use graded::{AskedRun, Graded};
pub use part::{AskedPart, People, keep_cases, keep_problems, known_problem};
pub use path::{shortened, shown};
pub use replay::Rejudged;
pub use roster::lost_with_the_roster;
pub use section::{Named, Sections};
pub use stored::{
    AskedClass, IfSeveral, StoredRuns, has_results, is_whole_class, last_assignment,
    withhold_open_points,
};
pub use suggest::did_you_mean;
pub use term::Term;

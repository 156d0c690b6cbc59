//! The smallest input on which a program fails.
//!
//! A [`Search`] tries inputs of a [`space`], the smallest first or drawn, until a program fails again and again ([`Tries`]). It then moves
//! each variable towards its least value, and takes lines, words and values from the input. [`add_cases`] makes what was found cases of
//! the problem, and an [`Explainer`] finds inputs that the program's author may see. A [`SampleAudit`] does so for samples,
//! and a [`ClassAudit`] for the accepted programs of a class.
//!
//! The judge decides whether a program fails, and which inputs must not be shown.

mod class;
mod error;
mod faults;
mod inputs;
mod keep;
mod samples;
mod search;
mod shown;
mod shrink;
mod tries;
mod why;

pub use class::{AcceptedProgram, ClassAudit, ClassPlan, EarlierAudits, SearchedProblem, accepted};
pub use error::SearchError;
pub use faults::innocent;
pub use keep::{Kept, add_cases};
pub use samples::SampleAudit;
pub use search::{Search, SearchTime, space};
pub use tries::Tries;
pub use why::{Explained, Explainer};

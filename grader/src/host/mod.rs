//! What this machine is, what it lacks for strict isolation, and what would mend it.
//!
//! [`Facts`] and [`TimingFacts`] are read from the system; everything else is a pure function of them.

mod cores;
mod facts;
mod layers;
mod mend;
mod shell;
mod timing;

pub(crate) use cores::CoreFacts;
pub(crate) use facts::{Facts, Files, TimingFacts};
pub(crate) use layers::finding;
pub(crate) use timing::timing;

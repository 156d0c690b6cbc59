//! Decisions that run nothing: what a run of a program means, and what is needed to be sure.
//!
//! A [`Policy`](policy::Policy) judges one case. It says what it wants next and is told what came of it; one loop, in
//! `judging`, runs what it wants. A policy has no worker, no sandbox and no clock, so these files hold all rules of fairness, and their
//! tests are tables:
//!
//! - [`pairs`]: a time near a limit is measured again, alone, in turn with the reference.
//! - [`uncontended`]: a run that other processes kept from the processor is made again, alone, with more wall time.
//! - [`attempts`]: a program that draws random numbers is run several times, in different seconds.
//! - [`growth`]: growing sizes, and the line through their times.
//! - [`passes`]: a case of several passes, each with an input that the checker of the pass before wrote.
//!
//! From a run to a verdict, and from verdicts to points: [`verdict`], [`score`]. What people are told besides: [`flags`],
//! [`hints`].
//!
//! Nothing here may import another module of this crate; `.ci/module-cycles` checks that.

pub(crate) mod attempts;
pub(crate) mod contention;
pub(crate) mod flags;
pub(crate) mod growth;
pub(crate) mod hints;
pub(crate) mod pairs;
pub(crate) mod passes;
pub(crate) mod policy;
pub(crate) mod run;
pub(crate) mod score;
pub(crate) mod timing;
mod uncontended;
pub(crate) mod verdict;

//! Decisions that run nothing: how a run is judged, and which further runs are needed to be sure.
//!
//! A [`Policy`](policy::Policy) judges one case. It requests the next action and is told the result; one loop, in
//! `judging`, executes the requests. A policy has no worker, no sandbox and no clock, so all fairness rules are in
//! these files, and their tests are tables:
//!
//! - [`pairs`]: a time near a limit is measured again, alone, alternating with the reference.
//! - [`uncontended`]: a run that other processes kept from the processor is repeated alone, with more wall time.
//! - [`attempts`]: a program that draws random numbers is run several times, in different seconds.
//! - [`growth`]: increasing sizes, and the line through their times.
//! - [`passes`]: a case of several passes, each with an input written by the previous pass's checker.
//!
//! From a run to a verdict, and from verdicts to points: [`verdict`], the unit tests of [`junit`] and [`tested`], [`score`]; from the output of a tool to remarks: [`tool_output`]. Tests that are submitted: [`submitted_tests`].
//! Which jobs and cases run: [`reuse`], [`order`], [`expectation`] and [`not_found`] for samples, [`verification`] for their problems, [`undefined`] for diagnostic builds. Remarks for people: [`flags`], [`hints`], [`behaviour`].
//!
//! Of this crate, these modules may import only limits and hashes; `.ci/module-cycles` checks that.

pub(crate) mod attempts;
pub(crate) mod behaviour;
pub(crate) mod contention;
pub(crate) mod expectation;
pub(crate) mod flags;
pub(crate) mod growth;
pub(crate) mod hints;
pub(crate) mod junit;
pub(crate) mod message;
pub(crate) mod not_found;
pub(crate) mod order;
pub(crate) mod pairs;
pub(crate) mod passes;
pub(crate) mod policy;
pub(crate) mod reuse;
pub(crate) mod run;
pub(crate) mod score;
pub(crate) mod submitted_tests;
pub(crate) mod tested;
pub(crate) mod timing;
pub(crate) mod tool_output;
mod uncontended;
pub(crate) mod undefined;
pub(crate) mod verdict;
pub(crate) mod verification;

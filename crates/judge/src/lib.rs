//! The engine: builds submissions, measures the reference, runs cases, checks outputs, adds up points.
//!
//! # Theory of operation
//!
//! A [`Judge`] owns a temporary folder and a [`grader_sandbox::Runner`]. Every submission for a problem is one *job*.
//! The threads of `scheduler` take jobs from one queue; `result` looks each up in the [`ResultCache`], or builds it.
//! `judging` then goes through its cases: for each, a *policy* from `decide` requests what it needs next (a run, the
//! reference, another second of the clock), and one loop executes the request and returns the result to the policy.
//! `decide` runs nothing.
//!
//! The reference's answer and CPU time for a case are determined once per run of the grader, by the first job that
//! needs them (`reference`). `run_lock` admits one program per core, or one alone on the machine.
//!
//! ```text
//! Job ─ build ─▶ Built ─ run ─▶ Run ─ check ─▶ Judgement ─ verdict ─▶ CaseResult ─ score ─▶ SubtaskResult ─▶ ProblemResult
//! ```
//!
//! The calls from a job to the sandbox, in the files `result`, `judging`, `case`, `run` and `context`:
//!
//! ```text
//! Job::result ▶ Job::judged ▶ Judging::subtask ▶ Judging::case ▶ Judging::run_and_check ▶ run ▶ Lab::execute ▶ Runner::run
//! ```
//!
//! Workers print nothing. They send [`grader_model::EventKind`]s to the thread that called the judge, which stores each
//! finished job before it reports it, gives every event to every sink in order, and returns when all jobs are done. So
//! if the grader is killed, only the jobs in progress are lost.
//!
//! The text of a source affects a verdict only where the author says so; otherwise it only raises flags, from its
//! tokens (`flags`).
//!
//! Three kinds of failure have distinct types: a mistake in a problem file never reaches this crate; a submission's
//! failure is a verdict; and our own failure is a [`Fault`], which becomes the verdict `JE` of the affected cases and
//! leaves their points open.

mod after_some;
mod author_cache;
mod author_programs;
mod batch_size;
mod build;
mod build_failure;
mod cache;
mod case;
mod case_inputs;
mod check;
mod compiler;
mod constants;
mod decide;
mod engine;
mod fault;
mod fuzz;
mod given;
mod hash;
mod host;
mod included;
mod interact;
mod javac_archive;
mod job;
mod judge;
mod judging;
mod kept_build;
mod keys;
mod lab;
mod lock;
mod memo;
mod mutants;
mod names;
mod part;
mod places;
mod precompiled;
mod prepared;
mod program;
mod recording;
mod reference;
mod reproduce;
mod result;
mod run;
mod run_lock;
mod scheduler;
mod sealed;
mod search;
mod shard;
mod similar;
mod stop;
mod suspects;
mod test_data;
#[cfg(test)]
mod tests;
mod threads;
mod together;
mod tool_checks;
mod trial;
mod turn;
mod undefined;
mod verify;
mod workspace;

pub use author_cache::AuthorCache;
pub use cache::{CacheError, JobKey, JobName, JobResult, ResultCache, StoredResult};
pub use case_inputs::Withheld;
pub use engine::Summary;
pub use fault::Fault;
pub use given::GivenRun;
pub use judge::{BuiltinCommand, Judge, Settings};
pub use keys::name_of as submission_name;
pub use part::Part;
pub use search::{Compared, ProblemFault, Tried};
pub use shard::{Shard, WholeClass};
pub use similar::similar;
pub use stop::Stop;
pub use verify::VerifyOptions;
pub use workspace::Scratch;

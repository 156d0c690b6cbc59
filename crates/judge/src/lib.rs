//! The engine: builds submissions, measures the reference, runs cases, checks outputs, adds up points.
//!
//! # Theory of operation
//!
//! A [`Judge`] owns a temporary folder and a [`grader_sandbox::Runner`]. Every submission for a problem is one
//! *job*: a pure function of the sources, the problem, the toolchain and the host. Jobs wait in one queue;
//! each worker thread takes the next one, builds it, and runs its cases one after the other, each in a fresh
//! folder. A thread blocks while a program runs. For each program that may run at a time two threads have a seat
//! (`seats`): while the program of one runs, alone in its lane (`lane`), the other builds its submission, checks the
//! last output, and has the sandbox make ready the next run, most of which is waiting for the disk and the kernel. A
//! thread that must wait for the clock leaves its seat to another job meanwhile.
//!
//! What a job needs of the reference (the right answer, the CPU time that the limit is a multiple of) is
//! asked of `references::References`, which runs the reference for each case when the first job comes to it; other
//! workers that want the same case wait. What it measures is kept on disk for the next run (`calibration::kept`).
//!
//! The machine may become faster or slower after that, and other programs disturb. `steady` decides what a CPU time
//! proves: it stands, or the reference is measured anew (`calibration`), or the program runs again while the other
//! workers wait between their runs (`quiet`). A program that wall time stopped because the machine was crowded is run
//! again too (`crowd`).
//!
//! Where the judge has a [`Memory`], a job is first looked up in it (`recall`): a result that still holds is taken, and
//! where only the judging has changed, kept outputs are judged again (`recheck`). Each job that is done is kept before
//! anybody hears of it, so that a grader that is killed loses only what was being judged.
//!
//! Workers print nothing and know no terminal. They send [`grader_model::EventKind`]s to the thread that
//! called the judge, which stamps them, gives each to every sink in order, and returns when all jobs are
//! done. What a report says is folded from these events.
//!
//! What a source looks like never changes a verdict: `flags` reads it as tokens and raises flags.
//!
//! Three fates are kept apart by type: a mistake in a problem file never reaches this crate; what a
//! submission does is a verdict; and what fails on our side is a [`Fault`], which becomes the verdict `JE`
//! of the cases it concerns and leaves their points open.

mod attempts;
mod build;
mod built_case;
mod calibration;
mod crowd;
mod fault;
mod flags;
mod grade;
mod growth;
mod hints;
mod host;
mod job;
mod judge;
mod keys;
mod lane;
mod memory;
mod mutants;
mod names;
mod pool;
mod program;
mod quiet;
mod recall;
mod recheck;
mod references;
mod run;
mod score;
mod seats;
mod steady;
mod stop;
#[cfg(test)]
mod tests;
mod verdict;
mod verify;
mod workspace;

pub use calibration::kept::Calibrations;
pub use fault::{Fault, JudgeError};
pub use grade::Summary;
pub use judge::{BuiltinCommand, Judge, Settings};
pub use memory::{Done, JobKey, JobName, KeptRun, KeyPart, Memory, MemoryError, Remembered};
pub use mutants::{Extent, Mutant};
pub use score::{problem_points, subtask_result};
pub use stop::Stop;
pub use verify::{ProblemSamples, with_samples};
pub use workspace::Scratch;

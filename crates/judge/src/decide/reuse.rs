//! When an earlier result may be reused.
//!
//! | difference from the cached result | action |
//! |---|---|
//! | none; stored earlier in this run, before it was stopped or killed | reuse, unless it is a fault |
//! | none; stored in an earlier run | reuse, unless it is a fault, did not compile or depends on chance |
//! | any | build and run the submission |
//!
//! A submission that did not compile in an earlier run is built again: that is cheap, and a missing toolchain may have
//! been installed.

use grader_model::{Change, ProblemResult, Verdict};
use grader_problem::Problem;

/// An earlier result.
#[derive(Clone, Copy)]
pub(crate) struct Known<'a> {
    pub(crate) result: &'a ProblemResult,
    /// Whether this run has it, from before it was stopped.
    pub(crate) is_this_run: bool,
    /// Whether it is known what it depends on.
    pub(crate) has_key: bool,
}

/// What speaks against reusing a result, besides these changes; nothing if it may be reused.
pub(crate) fn against(known: Known<'_>, changes: Vec<Change>, problem: &Problem) -> Vec<Change> {
    let mut because = changes;
    let verdict = known.result.verdict;
    let mut subtasks = known.result.subtasks.iter();
    let has_failed = subtasks.any(|it| it.check.is_some() && it.verdict == Verdict::JudgeError);
    if verdict == Verdict::JudgeError || has_failed {
        if !known.has_key {
            // It failed before anything was known about it.
            because.clear();
        }
        because.push(Change::Fault);
        return because;
    }
    if because.is_empty() && known.is_this_run {
        return because;
    }
    let is_unchanged_but_for_judging = because.is_empty() || because == [Change::Judging];
    if is_unchanged_but_for_judging && verdict == Verdict::CompileError {
        because.push(Change::CompileError);
    } else if because.is_empty() && problem.subtasks.iter().any(|it| it.attempts.is_some()) {
        because.push(Change::Random);
    }
    because
}

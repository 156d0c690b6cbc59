//! A run's outcome and judgement.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use blake3::Hash;
use grader_check::Mistakes;
use grader_language::AuthorsError;
use grader_model::{CaseName, CaseResult, Outcome, Text, Verdict};

use super::contention::Contention;
use super::junit::Report;

/// Everything observed about a run of a program.
#[derive(Debug)]
pub(crate) struct Run {
    /// The clock just before the program was started.
    pub(crate) began: SystemTime,
    pub(crate) outcome: Outcome,
    /// Whether other processes kept it from the processor until its wall time ran out.
    pub(crate) contention: Option<Contention>,
    /// How long it was ready to run but had no processor, if the kernel counts that.
    pub(crate) waited: Option<Duration>,
    /// The answer: standard output, or the output file; `None` if the output file is missing.
    pub(crate) answer: Option<Vec<u8>>,
    /// The beginning of standard error.
    pub(crate) stderr: Vec<u8>,
    /// Files that the program left in its folder, if there is no answer. The output file is among them if it cannot be
    /// read.
    pub(crate) left: Vec<String>,
    /// The report of its harness or its interactor on unit tests, if there is a complete one.
    pub(crate) report: Option<Report>,
    /// Whether it put another file in the place of its harness's report.
    pub(crate) has_second_report: bool,
    /// Whether an interactor rejected it, or had all results of its unit tests, before it ended; then how it ended does
    /// not matter.
    pub(crate) rejected: bool,
}

impl Run {
    /// A run of which no output has been read.
    pub(crate) fn new(outcome: Outcome, began: SystemTime, waited: Option<Duration>) -> Self {
        Self {
            began,
            contention: Contention::of(&outcome, waited),
            outcome,
            waited,
            answer: None,
            stderr: Vec::new(),
            left: Vec::new(),
            report: None,
            has_second_report: false,
            rejected: false,
        }
    }

    /// Whether it wrote no answer at all.
    pub(crate) fn is_silent(&self) -> bool {
        self.answer.as_ref().is_none_or(Vec::is_empty)
    }
}

/// A run with its verdict.
#[derive(Clone, Debug)]
pub(crate) struct JudgedRun {
    pub(crate) result: CaseResult,
    /// `None` if the program was not started, or talked to an interactor.
    pub(crate) printed: Option<Printed>,
    /// As in [`Run`].
    pub(crate) contention: Option<Contention>,
    /// The input of another pass, if the checker requested one.
    pub(crate) next_input: Option<Arc<[u8]>>,
    /// As in [`Run`].
    pub(crate) report: Option<Report>,
    /// The error in an included file that ended it, if one did.
    pub(crate) authors_error: Option<AuthorsError>,
    /// The usual mistakes that its output may show.
    pub(crate) mistakes: Mistakes,
    /// A hash of what it printed, without white space; `None` if it passed, or if that tells nothing of its mistake.
    pub(crate) words: Option<Hash>,
    /// Whether it ran once more, for a transcript.
    pub(crate) has_transcript: bool,
}

/// The output of a run, and when it began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Printed {
    /// The clock just before the program was started.
    pub(crate) began: SystemTime,
    /// Hash of its answer.
    pub(crate) answer: [u8; 32],
}

impl JudgedRun {
    /// The result of a program that was not started.
    pub(crate) fn not_started(name: &CaseName, verdict: Verdict, message: Text) -> Self {
        Self {
            result: CaseResult::unrun(name.clone(), verdict, message),
            printed: None,
            contention: None,
            next_input: None,
            report: None,
            authors_error: None,
            mistakes: Mistakes::default(),
            words: None,
            has_transcript: false,
        }
    }
}

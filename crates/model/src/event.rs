//! Events of grading a class.

use std::collections::BTreeMap;
use std::io;

use crate::{
    AssignmentInfo, CaseResult, Host, Isolation, ProblemId, ProblemResult, ReferenceTime, RunInfo,
    SimilarGroup, SourceFile, StudentId, StudentResult, SubtaskName, UnusedFile,
};

/// One event. The stream of events is the judge's only output; the terminal, files and reports are derived from it.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Milliseconds since the run began.
    pub at_ms: u64,
    /// Kind of event.
    pub kind: EventKind,
}

/// The kinds of [`Event`].
#[derive(Clone, Debug, PartialEq)]
pub enum EventKind {
    /// Grading begins.
    RunStarted {
        /// The ledger's run; `None` without a ledger.
        run: Option<RunInfo>,
        /// The assignment.
        assignment: Box<AssignmentInfo>,
        /// The machine.
        host: Box<Host>,
        /// Isolation of programs.
        isolation: Box<Isolation>,
        /// The students, in the order in which reports list them.
        students: Vec<StudentId>,
        /// Number of jobs: submissions that will be built and run.
        jobs: usize,
        /// Number of cases in all jobs.
        cases: usize,
        /// Files next to the students' folders.
        unused: Vec<UnusedFile>,
        /// Submissions that are the same program.
        similar: Vec<SimilarGroup>,
        /// The files that are built with every submission for a problem.
        included: BTreeMap<ProblemId, Vec<SourceFile>>,
    },
    /// A submission is being built.
    JobStarted {
        /// The student.
        student: StudentId,
        /// The problem.
        problem: ProblemId,
    },
    /// A case has a result.
    CaseFinished {
        /// The student.
        student: StudentId,
        /// The problem.
        problem: ProblemId,
        /// The subtask.
        subtask: SubtaskName,
        /// Whether students see only the verdict.
        hidden: bool,
        /// Whether it was not run because an earlier case failed. It earns nothing: it might have failed, too.
        early_end: bool,
        /// The result.
        case: Box<CaseResult>,
    },
    /// A submission has its result.
    JobFinished {
        /// The student.
        student: StudentId,
        /// The result.
        result: Box<ProblemResult>,
    },
    /// All problems of a student have results.
    StudentFinished {
        /// The result.
        result: Box<StudentResult>,
    },
    /// The reference was measured in a case.
    ReferenceMeasured {
        /// The measurement.
        reference_time: ReferenceTime,
    },
    /// Grading is over.
    RunFinished {
        /// Whether it was stopped before every student was graded.
        interrupted: bool,
    },
}

/// A receiver of events: the terminal, a file, the ledger.
///
/// Events come from one thread, in order. A failing sink is reported, and the run continues.
pub trait Sink {
    /// Receives one event.
    ///
    /// # Errors
    /// If the sink cannot write.
    fn event(&mut self, event: &Event) -> io::Result<()>;
}

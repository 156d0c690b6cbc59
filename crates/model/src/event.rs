//! What happens while a class is graded.

use std::collections::BTreeMap;
use std::io;

use crate::{
    AssignmentInfo, CaseResult, Host, Isolation, ProblemId, ProblemResult, ReferenceTime, RunInfo,
    SimilarGroup, SourceFile, StudentId, StudentResult, SubtaskName, UnusedFile,
};

/// One event. The stream of events is all that the judge says: terminal, files and reports are made of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Milliseconds since the run began.
    pub at_ms: u64,
    /// What happened.
    pub kind: EventKind,
}

/// The kinds of [`Event`].
#[derive(Clone, Debug, PartialEq)]
pub enum EventKind {
    /// Grading begins.
    RunStarted {
        /// Which run of the ledger it is; `None` if nobody keeps results.
        run: Option<RunInfo>,
        /// The assignment.
        assignment: Box<AssignmentInfo>,
        /// The machine.
        host: Box<Host>,
        /// How programs are isolated.
        isolation: Box<Isolation>,
        /// The students, in the order in which reports list them.
        students: Vec<StudentId>,
        /// Number of jobs: submissions that will be built and run.
        jobs: usize,
        /// Number of cases of all jobs.
        cases: usize,
        /// Files that lie beside the students' folders.
        unused: Vec<UnusedFile>,
        /// Submissions that are the same program.
        similar: Vec<SimilarGroup>,
        /// The files that are built with every submission for a problem.
        included: BTreeMap<ProblemId, Vec<SourceFile>>,
    },
    /// A submission is being built.
    JobStarted {
        /// Whose it is.
        student: StudentId,
        /// For which problem.
        problem: ProblemId,
    },
    /// A case has a result.
    CaseFinished {
        /// Whose it is.
        student: StudentId,
        /// For which problem.
        problem: ProblemId,
        /// In which subtask.
        subtask: SubtaskName,
        /// Whether students see only the verdict.
        hidden: bool,
        /// Whether it was not run because an earlier case has failed. It earns nothing: it might have failed too.
        early_end: bool,
        /// The result.
        case: Box<CaseResult>,
    },
    /// A submission has its result.
    JobFinished {
        /// Whose it is.
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
        /// What was measured.
        reference_time: ReferenceTime,
    },
    /// Grading is over.
    RunFinished {
        /// Whether it was stopped before every student was graded.
        interrupted: bool,
    },
}

/// Something that takes events: the terminal, a file, the ledger.
///
/// Events come from one thread, in order. A sink that fails is reported and the run goes on.
pub trait Sink {
    /// Takes one event.
    ///
    /// # Errors
    /// When what the sink writes to cannot be written.
    fn event(&mut self, event: &Event) -> io::Result<()>;
}

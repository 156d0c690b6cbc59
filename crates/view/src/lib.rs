//! What a reader may see of results, and what it means: sums, means, reasons, what needs a human.
//!
//! ```text
//! Results ──▶ Visible (redacted) ──▶ ClassView, StudentView, ProblemView, SubtaskView, CaseView, Need ──▶ a report
//! ```
//!
//! [`SamplesView`] is the same for `grader verify`: a class whose students are samples.
//!
//! Everything here is pure and in no language. A report lays a view out and reaches nothing else, so no format can show
//! what its reader may not see, and no two formats disagree.

mod alike;
mod audience;
mod case;
mod case_group;
mod class;
mod comparison;
mod group;
mod need;
mod problem;
mod samples;
mod searched;
mod status;
mod student;
mod term;

pub use alike::AlikeCases;
pub use audience::{
    Audience, NotOne, Own, Visible, problem_judged_here, reduced_case, reduced_problem,
};
pub use case::{
    CaseView, Detail, EvidenceView, Explainer, Measured, Unsettled, is_failing, unsettled,
};
pub use case_group::{CaseGroup, CaseRange};
pub use class::{ClassView, Reuse, Statistics};
pub use comparison::{
    ChangeReason, ChangedCase, ChangedProblem, ChangedStudent, Compared, ComparedRun, Comparison,
    JudgedTwice, Pair, Presence,
};
pub use group::GroupView;
pub use need::{About, Need, NeedKind, Why};
pub use problem::{Cell, Marks, ProblemView, Reason, SubtaskRun, SubtaskView};
pub use samples::{Margin, SampleView, SampledProblem, SamplesView};
pub use searched::{AuditOutcome, AuditedProblem, AuditedProgram, FoundInput};
pub use status::{Lost, Status, is_right};
pub use student::StudentView;
pub use term::{TermCell, TermPart, TermStudent, TermView};

//! The vocabulary of Bitcraft: the types that the other crates exchange.
//!
//! Plain data with `serde`: no input or output, no clock, no terminal. Terms as in `docs/design.md`, section 1: an
//! *assignment* has *problems*, a problem has *subtasks*, a subtask has *cases*. A student makes a *submission*. A run
//! has an *outcome*, and the judge decides its *verdict*.
//!
//! Student output is bytes. It enters these types only as an [`Excerpt`], which is escaped and capped on construction,
//! so that renderers need not do it.
//!
//! Ledgers hold many of these types as JSON. A field that is new gets `#[serde(default)]`, one that goes may still be in the
//! JSON, so none has `deny_unknown_fields`. A field that changes its meaning and a new word in an enum need a new format of the
//! ledger (`crates/store/src/upgrade.rs`).

mod adjustment;
mod attempt_statistics;
mod command_line;
mod deadline;
mod encoding;
mod event;
mod evidence;
mod excerpt;
mod fairness;
mod growth;
mod history;
mod host;
mod ids;
mod language;
mod limits;
mod natural;
mod origin;
mod outcome;
mod person;
mod points;
mod quantity;
mod result;
mod similar;
mod source;
mod standing;
mod standing_json;
mod team;
mod text;
mod verdict;
mod verification;

pub use adjustment::{Adjustment, AdjustmentKind};
pub use attempt_statistics::Attempts;
pub use command_line::typed;
pub use deadline::{
    AttemptChoice, Deadline, HiddenUntil, Lateness, Penalty, PenaltyStep, local_time,
};
pub use encoding::{Guess, decode_name, decode_source, guess};
pub use event::{Event, EventKind, Sink};
pub use evidence::{BoardFigure, Evidence, Figure, Ink, Judgement, Line, Mark, Span};
pub use excerpt::{Excerpt, escape_html, escape_into, escaped, escaped_name};
pub use fairness::{
    Confirmation, Growth, GrowthFit, GrowthPoint, GrowthPointKind, GrowthVerdict, LimitOrigin,
    NamedCase, ReferenceCase, ReferenceTime, Share,
};
pub use history::{AllAttempts, Attempt, LedgerUpgrade, RunState, RunSummary};
pub use host::{Host, Isolation, IsolationLevel, ToolchainInfo};
pub use ids::{AssignmentId, CaseName, ClassId, ProblemId, SectionId, StudentId, SubtaskName};
pub use language::{LanguageId, extension_of};
pub use limits::Limits;
pub use natural::natural_order;
pub use origin::{Change, Origin, RunInfo};
pub use outcome::{Breach, End, Outcome};
pub use person::{Person, System, called};
pub use points::Points;
pub use quantity::{Bytes, CpuTime, WallTime, parse_duration};
pub use result::{
    AssignmentInfo, BuildReport, CaseResult, FaultCause, Flag, FlagEvidence, ForStudent, Given,
    ManualSubtask, Objection, ProblemInfo, ProblemResult, Remark, Results, ResultsFormat,
    RubricItem, SourcePlace, Status, StudentResult, SubtaskResult, UnusedFile, not_judged,
};
pub use similar::{SimilarGroup, Similarity};
pub use source::{SourceFile, common_folder, file_name, file_stem, folder_of, is_below};
pub use standing::{Standing, WhyOpen};
pub use team::Teams;
pub use text::{Lang, Text, counted, listed};
pub use verdict::Verdict;
pub use verification::{Mismatch, ProblemVerification, SampleOutcome, SampleResult, Verification};

//! Validated values, complete and consistent.

use std::collections::BTreeMap;
use std::sync::Arc;

use grader_language::{Language, Languages};
use grader_model::{
    AssignmentId, AssignmentInfo, Bytes, CaseName, CpuTime, Deadline, End, HiddenUntil, LanguageId,
    ManualSubtask, Points, ProblemId, ProblemInfo, RubricItem, Share, SourceFile, SubtaskName,
    Text, extension_of, file_stem,
};

use schemars::JsonSchema;
use serde::Deserialize;
use strum::IntoStaticStr;

use crate::limit_rule::{LimitRule, ReferenceLimit};
use crate::submission::SubmissionRule;

/// An ordered set of problems with their points.
#[derive(Clone, Debug, PartialEq)]
pub struct Assignment {
    /// Its name.
    pub id: AssignmentId,
    /// Its title.
    pub title: Text,
    /// Its problems, in order.
    pub problems: Vec<Entry>,
    /// Its languages: the built-in ones, with those that it adds or changes.
    pub languages: Languages,
    /// Its deadline, if it has one.
    pub deadline: Option<Deadline>,
}

/// A problem and its points in an assignment.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The problem.
    pub problem: Arc<Problem>,
    /// Its points.
    pub points: Points,
    /// Whether the points are on top of the assignment's total.
    pub bonus: bool,
    /// Points of hidden cases that only the instructor has: this is a kit for students.
    pub hidden: Points,
}

/// One task.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// Its name.
    pub id: ProblemId,
    /// Its title.
    pub title: Text,
    /// The languages of its assignment.
    pub languages: Languages,
    /// How a submission is recognised.
    pub submission: SubmissionRule,
    /// Rules on sources.
    pub source: SourceRule,
    /// CPU times that raise flags.
    pub time_flags: TimeFlags,
    /// What is looked for after judging.
    pub checks: Checks,
    /// How a submission is run.
    pub run: RunRule,
    /// Limits of a run.
    pub limits: LimitRule,
    /// The trusted solution, if there is one.
    pub reference: Option<Reference>,
    /// The subtasks, in order.
    pub subtasks: Vec<Subtask>,
    /// Subtasks that are not judged because only selected cases are. Limits may name their cases.
    pub unjudged: Vec<Subtask>,
    /// Its folder in the library, which contains `problem.toml`.
    pub folder: String,
    /// Its folder, for messages.
    pub shown: String,
    /// Content hash of everything that affects judging: `problem.toml`, the files of its cases, the reference's
    /// sources. 64 hexadecimal digits; independent of the folder's place.
    pub version: String,
}

/// Rules on the source code. A source that breaks a rule gets a flag or is rejected.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceRule {
    /// Rules on tokens that should not be in a source.
    pub forbid: Vec<TokenRule>,
    /// Rules on tokens, one of which should be in a source.
    pub require: Vec<TokenRule>,
    /// How many different answers in one source raise a flag.
    pub answers: Option<AnswerRule>,
}

/// A rule on tokens: any one of them matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenRule {
    /// Tokens, or sequences of tokens, in any language.
    pub any: Vec<String>,
    /// Additional tokens for one language.
    pub languages: BTreeMap<LanguageId, Vec<String>>,
    /// The reason, for the instructor.
    pub because: Option<Text>,
    /// Whether a source that breaks the rule is rejected before it is built.
    pub refuses: bool,
}

impl TokenRule {
    /// The tokens and sequences to search for in `language`; empty if the rule does not apply to it.
    pub fn phrases(&self, language: LanguageId) -> impl Iterator<Item = &str> {
        let more = self.languages.get(&language).into_iter().flatten();
        self.any.iter().chain(more).map(String::as_str)
    }
}

/// The codes of all flags that a submission can raise, in order.
pub const FLAG_CODES: [&str; 9] = [
    "answers-in-source",
    "faster-than-known",
    "forbidden-token",
    "report-incomplete",
    "required-token-missing",
    "same-answer",
    "second-report",
    "test-missing",
    "time-does-not-grow",
];

/// CPU times that raise a flag for the instructor. Flags deduct no points.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TimeFlags {
    /// Flags an accepted run that takes less than this fraction of the reference's time.
    pub faster_than: Option<f64>,
    /// Flags times of accepted runs that do not grow with a variable.
    pub flat: Option<FlatRule>,
    /// The reason, for the instructor.
    pub because: Option<Text>,
}

/// Flags a CPU time that grows too little between two values of a variable.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FlatRule {
    /// The variable.
    pub over: String,
    /// The smaller value.
    pub from: f64,
    /// The larger value.
    pub to: f64,
    /// The factor by which it must grow; above 1.
    pub at_least: f64,
}

/// Rule against answers in a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerRule {
    /// Number of different answers that raises the flag.
    pub at_least: u32,
    /// Divisors: the exact quotient of an answer counts as the answer.
    pub divided_by: Vec<u64>,
    /// Other numbers that count as answers.
    pub also: Vec<u64>,
}

impl AnswerRule {
    /// Only numbers above this are searched for: smaller ones occur by chance.
    pub const ABOVE: u64 = 1000;
}

/// How a submission is run, in every case.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunRule {
    /// File that gets the case's input, instead of standard input.
    pub input_file: Option<String>,
    /// File that is judged, instead of standard output.
    pub output_file: Option<String>,
    /// Data files of the run folder; their paths are plain names.
    pub files: Vec<SourceFile>,
    /// Meaning of a non-zero exit status.
    pub exit_status: ExitPolicy,
    /// Format of the report that the run's harness writes to [`ReportFormat::FILE`]. Its tests are the cases.
    pub report: Option<ReportFormat>,
    /// Maximum number of passes of a case, at least 1: the checker may write the input for another pass.
    pub passes: u32,
}

impl RunRule {
    /// Whether a program that ended so has not failed. A harness ends with exit status 1 if a test fails.
    pub fn accepts(&self, end: End) -> bool {
        end.is_success()
            || self.exit_status == ExitPolicy::Ignored
            || (self.report.is_some() && end == End::Exited(1))
    }
}

/// Format of a harness's report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ReportFormat {
    /// JUnit XML.
    Junit,
}

impl ReportFormat {
    /// Name of the report's file.
    pub const FILE: &str = "report.xml";
}

/// The tests of a harness that a case stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestRule {
    /// The `name` or `classname.name` of a test, or a pattern over these (`*`, `?`).
    pub name: String,
    /// Number of tests that match the pattern; `None` if the name is that of one test.
    pub count: Option<u32>,
}

/// What is looked for after judging. It changes no points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Checks {
    /// Whether C and C++ programs that fail a case whose input students may see are searched for undefined behaviour:
    /// variables without a value, indices outside arrays, dangling pointers. Students get the line and the cause as a
    /// hint. Default:
    /// `true`.
    pub undefined_behaviour: bool,
    /// Whether the other programs are searched too, also those that pass; only staff get the result. Default: `false`.
    pub all_programs: bool,
}

impl Default for Checks {
    fn default() -> Self {
        Self {
            undefined_behaviour: true,
            all_programs: false,
        }
    }
}

/// Meaning of a non-zero exit status after a right answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ExitPolicy {
    /// It is a runtime error.
    #[default]
    Zero,
    /// It is ignored.
    Ignored,
}

/// The trusted solution of a problem.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// The program.
    pub program: ReferenceProgram,
    /// Additional arguments for timing it.
    pub calibrate: Vec<String>,
    /// The sources of other right programs that are timed with it.
    pub timed: Vec<Vec<SourceFile>>,
}

/// A trusted program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReferenceProgram {
    /// A bundled program: `grader reference NAME`.
    Builtin(String),
    /// Source files in the problem's folder, in any supported language.
    Sources(Vec<SourceFile>),
}

/// A named group of cases that is worth points.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Subtask {
    /// Its name.
    pub name: SubtaskName,
    /// Its points.
    pub points: Points,
    /// How cases earn points.
    pub score: ScoreRule,
    /// Earlier subtasks in which every case must be accepted.
    pub require: Vec<SubtaskName>,
    /// Whether students see only the verdicts of its cases.
    pub hidden: bool,
    /// Until when it is hidden; `None` if always.
    pub hidden_until: Option<HiddenUntil>,
    /// The rubric, if it has no cases and a person gives its points; empty if these are a number.
    pub manual: Option<Vec<RubricItem>>,
    /// Whether a time-out skips the rest, because each case takes longer than the one before it.
    pub ascending: bool,
    /// How the CPU time of its cases may grow.
    pub growth: Option<GrowthRule>,
    /// How many times each case is run, and how many attempts must be accepted. `None` means once.
    pub attempts: Option<AttemptRule>,
    /// Points by the ratio of the CPU time to the reference's, sorted by ratio; empty if time does not matter.
    pub by_time: Vec<TimeStep>,
    /// Its cases, in order; at least one, unless it is graded by hand.
    pub cases: Vec<Case>,
}

/// How the cases of a subtask earn points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ScoreRule {
    /// Each case earns its share.
    #[default]
    Sum,
    /// Every case or nothing.
    All,
    /// The share of the worst case.
    Worst,
}

/// How the CPU time of a subtask's cases may grow.
#[derive(Clone, Debug, PartialEq)]
pub struct GrowthRule {
    /// The variable that is the size; a positive number in every case.
    pub over: String,
    /// The largest exponent that passes.
    pub at_most: f64,
    /// Once a run takes this CPU time, larger sizes are skipped.
    pub until: CpuTime,
}

/// How many times each case of a subtask is run, and how many attempts must be accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttemptRule {
    /// Maximum number of attempts, 2 to 1000.
    pub runs: u32,
    /// Required number of accepted attempts, 1 to `runs`. `None` if the points are proportional to the rate.
    pub at_least: Option<u32>,
}

impl AttemptRule {
    /// Largest value of [`AttemptRule::runs`].
    pub const MAX_RUNS: u32 = 1000;
}

/// The share of the points for a ratio of the CPU time to the reference's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeStep {
    /// The largest ratio.
    pub ratio: f64,
    /// The share of the points.
    pub share: Share,
}

/// One run, and how its output is judged.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Case {
    /// Its name.
    pub name: CaseName,
    /// The variables of its templates, as text.
    pub variables: BTreeMap<String, String>,
    /// Command-line arguments.
    pub arguments: Vec<String>,
    /// The input, on standard input or in [`RunRule::input_file`].
    pub input: Arc<[u8]>,
    /// Data files of the run folder, in addition to [`RunRule::files`].
    pub files: Vec<SourceFile>,
    /// Program that prints the input; then [`Case::input`] is empty.
    pub generator: Option<AuthorCall>,
    /// Source of the right answer.
    pub answer: Answer,
    /// Its checker.
    pub checker: Checker,
    /// Program that validates the input.
    pub validator: Option<AuthorCall>,
    /// Its own CPU time limit, which replaces the problem's.
    pub time: Option<ReferenceLimit>,
    /// The tests that it stands for, if a harness's report judges it.
    pub test: Option<TestRule>,
    /// The author's advice for students who fail it.
    pub hint: Option<Text>,
}

impl Problem {
    /// The subtasks that are graded by hand.
    pub fn manual(&self) -> impl Iterator<Item = ManualSubtask> {
        self.subtasks.iter().filter_map(|subtask| {
            Some(ManualSubtask {
                name: subtask.name.clone(),
                points: subtask.points,
                items: subtask.manual.clone()?,
            })
        })
    }
}

impl Case {
    /// Whether the same run serves both cases.
    pub fn has_run_of(&self, other: &Self) -> bool {
        self.arguments == other.arguments
            && self.input == other.input
            && self.files == other.files
            && self.generator == other.generator
            && self.time == other.time
    }
}

/// Source of the right answer to a case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Answer {
    /// A file of the problem.
    Given(Arc<[u8]>),
    /// The reference's output.
    Reference,
    /// No answer: the checker needs none.
    #[default]
    None,
}

/// A case's input and answer, after its generator and the reference have run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestData {
    /// The input.
    pub input: Arc<[u8]>,
    /// A right answer; empty if there is none.
    pub answer: Arc<[u8]>,
}

/// A checker with its options, for one case.
#[derive(Clone, Debug, Default, PartialEq, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Checker {
    /// Byte for byte.
    #[default]
    Exact,
    /// Line by line; trailing blanks and trailing blank lines are ignored.
    Lines,
    /// As `Lines`, in any order.
    AnyOrder,
    /// Token by token; any white space between them.
    Tokens(TokenOptions),
    /// Token by token, numbers by value.
    Numbers {
        /// Largest absolute difference.
        absolute: f64,
        /// Largest difference relative to the expected value.
        relative: f64,
        /// For words that are not numbers, and for white space.
        tokens: TokenOptions,
    },
    /// The numbers in the output, by value. Everything else is ignored.
    OnlyNumbers {
        /// Largest absolute difference.
        absolute: f64,
        /// Largest difference relative to the expected value.
        relative: f64,
    },
    /// A board drawn with two symbols.
    QueensBoard {
        /// Number of rows and columns.
        size: u32,
        /// The symbol of a queen.
        queen: String,
        /// The symbol of an empty cell.
        blank: String,
        /// The text between the cells of a row.
        separator: String,
    },
    /// The column of the queen of each row.
    QueensColumns {
        /// Number of rows and columns, up to 10⁷.
        size: u32,
        /// The number of the first column: 0 or 1.
        base: u32,
    },
    /// A program of the problem's author.
    Program(AuthorCall),
    /// The report of the run's harness: see [`RunRule::report`].
    Report,
}

/// Options of `tokens`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TokenOptions {
    /// Whether upper and lower case differ. Default: `true`.
    #[serde(default = "yes")]
    pub case_sensitive: bool,
    /// Whether white space must be the same too. Default: `false`.
    #[serde(default)]
    pub space_change_sensitive: bool,
}

pub(crate) fn yes() -> bool {
    true
}

/// An author's program with its arguments for one case.
#[derive(Clone, Debug, PartialEq)]
pub struct AuthorCall {
    /// The program, shared by all cases that use it.
    pub program: Arc<AuthorProgram>,
    /// Its arguments.
    pub arguments: Vec<String>,
}

/// Identity of an author's program: the problem's id, and the program's number in it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ProgramId {
    problem: ProblemId,
    number: usize,
}

impl ProgramId {
    pub(crate) const fn new(problem: ProblemId, number: usize) -> Self {
        Self { problem, number }
    }
}

/// A program that the problem's author wrote.
#[derive(Clone, Debug, PartialEq)]
pub struct AuthorProgram {
    /// Its identity; no two programs of an assignment share one.
    pub id: ProgramId,
    /// Its role.
    pub role: Role,
    /// Its language, if it is recognised.
    pub language: Option<Arc<Language>>,
    /// Its source files.
    pub sources: Vec<SourceFile>,
    /// How it is started and how it answers.
    pub protocol: CheckerProtocol,
    /// Its CPU time limit for one case.
    pub cpu: CpuTime,
    /// Its memory limit.
    pub memory: Bytes,
    /// Its limit on processes and threads.
    pub processes: u32,
}

impl AuthorProgram {
    /// Whether role, protocol and limits are the same.
    pub(crate) fn has_options_of(&self, other: &Self) -> bool {
        self.role == other.role
            && self.protocol == other.protocol
            && self.cpu == other.cpu
            && self.memory == other.memory
            && self.processes == other.processes
    }

    /// Its name in messages: the first source that is not a header.
    pub fn name(&self) -> &str {
        let is_header = |source: &&SourceFile| matches!(&*source.extension(), "h" | "hpp" | "hh");
        let program = self.sources.iter().find(|source| !is_header(source));
        let source = program.or(self.sources.first());
        source.map_or("", |source| source.name())
    }
}

/// Role of an author's program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Role {
    /// Judges outputs.
    Checker,
    /// Runs beside the submission; each reads the other's output, and it judges.
    Interactor,
    /// Prints the input of a case.
    Generator,
    /// Validates the input of a case.
    Validator,
}

impl Role {
    /// Its name in messages.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// How a checker program is started and how it answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CheckerProtocol {
    /// As an output validator of the Kattis problem package format.
    #[default]
    Kattis,
    /// As a checker or interactor of testlib.
    Testlib,
    /// As an interactor with unit tests. It writes their report, as [`ReportFormat::Junit`], to its feedback folder.
    Junit,
}

impl Checker {
    /// Whether the checker needs an answer. Checker programs get one if there is one.
    pub const fn needs_answer(&self) -> bool {
        match self {
            Self::Exact
            | Self::Lines
            | Self::AnyOrder
            | Self::Tokens(_)
            | Self::Numbers { .. }
            | Self::OnlyNumbers { .. } => true,
            Self::QueensBoard { .. }
            | Self::QueensColumns { .. }
            | Self::Program(_)
            | Self::Report => false,
        }
    }

    /// Whether it judges an output without a program of the author.
    pub const fn is_built_in(&self) -> bool {
        !matches!(self, Self::Program(_) | Self::Report)
    }

    /// Whether it is an interactor, which runs beside the submission.
    pub fn is_interactive(&self) -> bool {
        matches!(self, Self::Program(call) if call.program.role == Role::Interactor)
    }

    /// Its name in problem files.
    pub fn name(&self) -> &'static str {
        self.into()
    }
}

impl Problem {
    /// The points of all subtasks.
    pub fn points(&self) -> Points {
        self.subtasks.iter().map(|subtask| subtask.points).sum()
    }

    /// Whether limits, points or flags need the reference's CPU time. It is timed in every case without [`Case::time`].
    pub fn needs_reference_time(&self) -> bool {
        self.limits.needs_reference_time()
            || self.time_flags.faster_than.is_some()
            || self.subtasks.iter().any(|subtask| {
                !subtask.by_time.is_empty() || subtask.cases.iter().any(|it| it.time.is_some())
            })
    }

    /// The name that a submission with this extension should have: `count.c`.
    pub fn file_name(&self, extension: &str) -> String {
        let names = || self.submission.names.values();
        if let Some(name) = names().find(|name| extension_of(name) == extension) {
            return name.clone();
        }
        let stem = names()
            .next()
            .map_or(self.id.as_str(), |name| file_stem(name));
        format!("{stem}.{extension}")
    }

    /// The number of cases of all subtasks.
    pub fn case_count(&self) -> usize {
        self.subtasks
            .iter()
            .map(|subtask| subtask.cases.len())
            .sum()
    }
}

impl Assignment {
    /// The assignment that consists of one problem, with the problem's id, title and points.
    pub fn from_problem(problem: Problem) -> Self {
        Self {
            id: AssignmentId::new(problem.id.as_str()),
            title: problem.title.clone(),
            languages: problem.languages.clone(),
            problems: vec![Entry {
                hidden: Points::ZERO,
                points: problem.points(),
                bonus: false,
                problem: Arc::new(problem),
            }],
            deadline: None,
        }
    }

    /// Titles and points, for reports.
    pub fn info(&self) -> AssignmentInfo {
        let problems: Vec<ProblemInfo> = self
            .problems
            .iter()
            .map(|entry| ProblemInfo {
                id: entry.problem.id.clone(),
                title: entry.problem.title.clone(),
                points: entry.points,
                bonus: entry.bonus,
                version: entry.problem.version.clone(),
                manual: entry.problem.manual().collect(),
            })
            .collect();
        let sum = |bonus| {
            problems
                .iter()
                .filter(|problem| problem.bonus == bonus)
                .map(|problem| problem.points)
                .sum()
        };
        AssignmentInfo {
            id: self.id.clone(),
            title: self.title.clone(),
            points: sum(false),
            bonus: sum(true),
            problems,
            deadline: self.deadline.clone(),
        }
    }
}

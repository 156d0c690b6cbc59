//! Validated values, complete and consistent.

use std::collections::BTreeMap;
use std::sync::Arc;

use grader_language::{Language, Languages, SourceText};
use grader_model::{
    AssignmentId, AssignmentInfo, CaseName, CpuTime, Deadline, HiddenUntil, LanguageId,
    ManualSubtask, Points, ProblemId, ProblemInfo, RubricItem, Share, SourceFile, SubtaskName,
    Text, extension_of, file_stem,
};

use schemars::JsonSchema;
use serde::Deserialize;
use strum::IntoStaticStr;

use crate::author_program::{AuthorCall, InputValidator, Mutant, Role, SecondRun};
use crate::contains::Contains;
use crate::exit_policy::ExitPolicy;
use crate::flags::{SourceRule, TimeFlags};
use crate::limit_rule::{LimitRule, ReferenceLimit};
use crate::own_values::OwnValues;
use crate::sample::Sample;
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
    /// The values of a student, if each has values of their own.
    pub own: Option<OwnValues>,
    /// Samples that must earn full points, if files or flags of the author are built with submissions: they show whether these
    /// work on a machine.
    pub known_right: Vec<Sample>,
    /// Its folder in the library, which contains `problem.toml`.
    pub folder: String,
    /// Its folder, for messages.
    pub shown: String,
    /// Content hash of everything that affects judging: `problem.toml`, the files of its cases, the reference's
    /// sources. 64 hexadecimal digits; independent of the folder's place.
    pub version: String,
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
    /// Format of the report that the run's harness writes to [`ReportFormat::FILE`]. Its tests are the cases.
    pub report: Option<ReportFormat>,
    /// Maximum number of passes of a case, at least 1: the checker may write the input for another pass.
    pub passes: u32,
}

impl RunRule {
    /// Whether a path in the run folder of a case is that of one of the problem's files, or below it. So is one that the program
    /// has to write.
    pub fn has_file(&self, case: &Case, path: &str) -> bool {
        let (top, _) = path.split_once('/').unwrap_or((path, ""));
        let named = [&self.input_file, &self.output_file];
        let named = named.into_iter().flatten().map(String::as_str);
        let report = self.report.map(|_| ReportFormat::FILE);
        let files = self.files.iter().chain(&case.files);
        let files = files.map(|it| it.path.as_str());
        named.chain(report).chain(files).any(|it| it == top)
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

/// What is looked for after judging. It changes no verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checks {
    /// Whether C and C++ programs that fail a case whose input students may see are searched for undefined behaviour.
    pub undefined_behaviour: bool,
    /// Whether the other programs are searched too; only staff get the result.
    pub all_programs: bool,
    /// Tools that make remarks on the sources.
    pub tools: Vec<ToolCheck>,
}

impl Default for Checks {
    fn default() -> Self {
        Self {
            undefined_behaviour: true,
            all_programs: false,
            tools: Vec::new(),
        }
    }
}

/// A tool that makes remarks on sources: a linter, a compiler with its warnings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolCheck {
    /// Its name.
    pub name: String,
    /// The command: the name of a program, then its arguments. One with [`ToolCheck::FILES`] is repeated for each source.
    pub command: Vec<String>,
    /// The languages of the programs on which it runs.
    pub languages: Vec<LanguageId>,
    /// The author's files in the folder in which it starts; their paths are plain names.
    pub files: Vec<SourceFile>,
}

impl ToolCheck {
    /// Stands for the path of a source in the command.
    pub const FILES: &str = "{files}";

    /// The name of the program.
    pub fn program(&self) -> &str {
        self.command.first().map_or("", String::as_str)
    }
}

/// How remarks take the points of a subtask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckRule {
    /// The name of the check.
    pub check: String,
    /// What each remark takes.
    pub each: Points,
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
    /// How a tool's remarks take its points, if it has no cases and they do.
    pub check: Option<CheckRule>,
    /// Whether a time-out skips the rest, because each case takes longer than the one before it.
    pub ascending: bool,
    /// How the CPU time of its cases may grow.
    pub growth: Option<GrowthRule>,
    /// How many times each case is run, and how many attempts must be accepted. `None` means once.
    pub attempts: Option<AttemptRule>,
    /// Points by the ratio of the CPU time to the reference's, sorted by ratio; empty if time does not matter.
    pub by_time: Vec<TimeStep>,
    /// Its cases, in order; at least one, unless a person or a tool decides on its points.
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
    /// The run that gets what this one prints. Only its output is checked.
    pub second_run: Option<SecondRun>,
    /// Data files of the run folder, in addition to [`RunRule::files`].
    pub files: Vec<SourceFile>,
    /// The name of the submitted file that is its output, if no program is submitted.
    pub output: Option<String>,
    /// Program that prints the input; then [`Case::input`] is empty.
    pub generator: Option<AuthorCall>,
    /// Source of the right answer.
    pub answer: Answer,
    /// Its checker.
    pub checker: Checker,
    /// Whether it is a dialogue: each line of its input is sent, and its checker has what must appear.
    pub is_dialogue: bool,
    /// How the program has to end.
    pub exit_status: ExitPolicy,
    /// What its standard error contains.
    pub stderr: Option<Contains>,
    /// What validates the input.
    pub validators: Vec<InputValidator>,
    /// Its own CPU time limit, which replaces the problem's.
    pub time: Option<ReferenceLimit>,
    /// The tests that it stands for, if a harness's report judges it.
    pub test: Option<TestRule>,
    /// The wrong program that the submitted tests have to find, if they are judged.
    pub mutant: Option<Mutant>,
    /// The author's advice for students who fail it.
    pub hint: Option<Text>,
    /// The case with names in place of the values that a student has of their own, if it has any.
    pub unfilled: Option<Arc<Self>>,
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

    /// The author's programs that run in the sandbox.
    pub fn programs(&self) -> impl Iterator<Item = &AuthorCall> {
        let checker = match &self.checker {
            Checker::Program(call) => Some(call),
            _ => None,
        };
        let change = self.second_run.iter().filter_map(|it| it.change.as_ref());
        let validators = self.validators.iter().filter_map(InputValidator::program);
        let mutant = match &self.mutant {
            Some(Mutant::Program(call)) => Some(call),
            _ => None,
        };
        let others = self.generator.iter().chain(validators).chain(mutant);
        others.chain(checker).chain(change)
    }

    /// Whether a checker of ours judges the output.
    pub const fn has_built_in_checker(&self) -> bool {
        self.checker.is_built_in() && self.second_run.is_none()
    }
}

/// Source of the right answer to a case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Answer {
    /// A file of the problem.
    Given(Arc<[u8]>),
    /// The reference's output.
    Reference,
    /// The case's input, which the second run restores.
    Input,
    /// No answer: the checker needs none.
    #[default]
    None,
}

/// A case's input and answer, after its generator and the reference have run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
    /// Line by line; trailing spaces and blank lines are ignored.
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
    /// Texts and patterns that appear.
    Contains(Contains),
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
            Self::Contains(rule) => rule.has_answer,
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

    /// The language of a submission, if it is recognised.
    pub fn language_of(&self, files: &[SourceFile]) -> Option<&Arc<Language>> {
        match self.submission.kind.language() {
            Some(id) => self.languages.get(id),
            None => self.languages.recognise(&SourceText::all(files)),
        }
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

//! Results, from one case up to a class.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use jiff::Timestamp;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize, Serializer};

use crate::standing_json::StandingKeys;
use crate::{
    Adjustment, AssignmentId, Attempts, CaseName, ClassId, Confirmation, CpuTime, Deadline,
    Evidence, Excerpt, Growth, HiddenUntil, Host, Isolation, Lang, LanguageId, LimitOrigin, Limits,
    Origin, Outcome, Person, Points, ProblemId, ReferenceTime, RunInfo, Share, SimilarGroup,
    StudentId, SubtaskName, Text, Verdict,
};

/// The result of one case.
// A class of 5,000 students has 200,000 of them in memory: what is rare or large is boxed, and what students have in common is
// shared.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct CaseResult {
    /// Name of the case.
    pub name: CaseName,
    /// The verdict.
    pub verdict: Verdict,
    /// The reason in one sentence; `None` if there is nothing to say.
    pub message: Option<Box<Text>>,
    /// The checker's evidence.
    pub evidence: Vec<Evidence>,
    /// Advice: a likely cause of the failure, in whole sentences.
    pub hints: Vec<Text>,
    /// Outcome of the run; `None` if it was not run.
    // The key must be there: JSON that has the outcome in other keys is not taken for that of a case that was not run.
    #[serde(deserialize_with = "Option::deserialize")]
    pub outcome: Option<Outcome>,
    /// The limits of the run; `None` if it was not run.
    #[serde(deserialize_with = "Option::deserialize")]
    pub limits: Option<Limits>,
    /// CPU time of the reference in the same case, if the time limit is a multiple of it.
    #[serde(rename = "reference-cpu-ms")]
    pub reference_time: Option<CpuTime>,
    /// Derivation of the CPU time limit; `None` if the case was not run, or its limit follows from growth.
    pub limit_origin: Option<Arc<LimitOrigin>>,
    /// Beginning of standard error, if there is any.
    pub stderr: Option<Box<Excerpt>>,
    /// The program's input, if it did not pass and people can read the input.
    #[serde(default)]
    pub input: Option<Box<Excerpt>>,
    /// A shell command that reproduces the run, if it did not pass and there is a short one.
    #[serde(default)]
    pub command: Option<String>,
    /// Whether the CPU time is near the limit, so that it was run again alone if possible.
    pub near_limit: bool,
    /// The pairs of runs alone that settled a result near a limit; `None` if there were none.
    pub confirmation: Option<Box<Confirmation>>,
    /// The attempts of a program that draws random numbers; `None` if the case is run once.
    pub attempts: Option<Attempts>,
    /// Earned share of the case's points; `None` if it is all for `AC` and nothing otherwise.
    pub share: Option<Share>,
    /// Whether it was skipped because the result was already certain. It counts neither way.
    pub skipped: bool,
}

impl CaseResult {
    /// A case that was not run.
    pub fn unrun(name: CaseName, verdict: Verdict, message: Text) -> Self {
        Self {
            name,
            verdict,
            message: Some(Box::new(message)),
            ..Self::default()
        }
    }

    /// A copy with all texts in this language only.
    #[must_use]
    pub fn in_language(mut self, lang: Lang) -> Self {
        self.each_text(&mut |text| *text = text.only(lang));
        self
    }

    fn each_text(&mut self, change: &mut impl FnMut(&mut Text)) {
        self.message.iter_mut().for_each(|it| change(it));
        self.hints.iter_mut().for_each(&mut *change);
        for evidence in &mut self.evidence {
            change(&mut evidence.message);
        }
    }
}

/// The result of one subtask.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct SubtaskResult {
    /// Name of the subtask.
    pub name: SubtaskName,
    /// The points earned; `None` if a judge error means that it is not scored yet.
    pub points: Option<Points>,
    /// Full points.
    pub max_points: Points,
    /// Combined verdict.
    pub verdict: Verdict,
    /// Whether a student sees only verdicts of its cases.
    pub hidden: bool,
    /// When the cases of a hidden subtask are shown; `None` if never.
    #[serde(default)]
    pub hidden_until: Option<HiddenUntil>,
    /// A reason that concerns the whole subtask: its time grows too fast.
    pub message: Option<Text>,
    /// Growth of the CPU time, if the subtask measures it.
    pub growth: Option<Growth>,
    /// What a person gave; `None` if cases are judged. It is not scored until somebody gives points.
    #[serde(default)]
    pub manual: Option<Given>,
    /// The check whose remarks take its points; `None` if cases are judged. If the check failed, the verdict is `JE`.
    #[serde(default)]
    pub check: Option<String>,
    /// The cases, in the order of the problem file.
    // Students who submitted nothing share theirs.
    pub cases: Arc<[CaseResult]>,
}

impl SubtaskResult {
    /// The cases, to change them. Copies them if another result shares them.
    pub fn cases_mut(&mut self) -> &mut [CaseResult] {
        Arc::make_mut(&mut self.cases)
    }
}

/// What a person gave in a subtask that is graded by hand.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Given {
    /// The ids of the rubric's items that were given, in the order of the rubric.
    pub items: Vec<String>,
}

/// Message for a submission that was not judged before the run stopped.
pub fn not_judged() -> Text {
    Text::new("not judged: the run was stopped", "未评测：评测被中断")
}

/// Report of building a submission.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct BuildReport {
    /// The compiler, its version and flags, as called.
    pub toolchain: String,
    /// Messages of the compiler, warnings included.
    pub messages: Option<Excerpt>,
    /// What the student may read of them, if some are about the author's files: these quote their lines.
    #[serde(default)]
    pub for_student: Option<ForStudent>,
    /// CPU time of all steps.
    #[serde(rename = "cpu-ms")]
    pub cpu: CpuTime,
}

/// A compiler's messages without those about the author's files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct ForStudent {
    /// The messages that remain.
    pub messages: Option<Excerpt>,
}

/// A remark for the instructor. It never changes points.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Flag {
    /// Its kind, a stable word in kebab-case: `answers-in-source`.
    pub code: String,
    /// The finding in one sentence.
    pub message: Text,
    /// Evidence for it.
    pub evidence: Vec<FlagEvidence>,
}

/// One piece of evidence for a [`Flag`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FlagEvidence {
    /// Description in a few words.
    pub message: Text,
    /// Place in the sources; `None` if it is not in them.
    pub place: Option<SourcePlace>,
    /// The source text there.
    pub excerpt: Option<Excerpt>,
}

/// A place in a source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SourcePlace {
    /// The file, by its path in the student's folder.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
}

impl fmt::Display for SourcePlace {
    /// `count.c:3:12`, as compilers write it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// What a tool says about a line of a source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Remark {
    /// The check that ran the tool.
    pub check: String,
    /// The file, as the student named it.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, as the tool counts; `None` if it does not say.
    pub column: Option<usize>,
    /// The tool's words, with its name of the rule.
    pub message: String,
}

impl fmt::Display for Remark {
    /// `count.c:3:12: unused variable`, as compilers write it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)?;
        if let Some(column) = self.column {
            write!(f, ":{column}")?;
        }
        write!(f, ": {}", self.message)
    }
}

/// The result of one submission, or of its absence.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct ProblemResult {
    /// The problem.
    pub id: ProblemId,
    /// The points earned; `None` if a judge error means that it is not scored yet.
    pub points: Option<Points>,
    /// Full points.
    pub max_points: Points,
    /// Whether the points are on top of the assignment's total.
    pub bonus: bool,
    /// Combined verdict.
    pub verdict: Verdict,
    /// A reason that concerns the whole problem: nothing submitted, compile error, not installed.
    pub message: Option<Text>,
    /// How far the submission got.
    pub status: Status,
    /// Advice on the whole submission, in whole sentences.
    pub hints: Vec<Text>,
    /// The language; `None` if there is no submission or it was not recognised.
    pub language: Option<LanguageId>,
    /// The files that were judged, by their paths in the student's folder.
    pub files: Vec<String>,
    /// Report of building it.
    pub build: Option<BuildReport>,
    /// Remarks for the instructor.
    pub flags: Vec<Flag>,
    /// What the problem's checks say, file by file.
    #[serde(default)]
    pub remarks: Vec<Remark>,
    /// Origin of the result; `None` if there was nothing to run, or without a ledger.
    pub origin: Option<Origin>,
    /// The first 12 hexadecimal digits of a hash of the files that were judged; `None` if none were.
    #[serde(default)]
    pub submission: Option<String>,
    /// Hash of the mistake, 8 hexadecimal digits: submissions with the same mistake share it. `None` if there is none.
    #[serde(default)]
    pub behaviour: Option<String>,
    /// The hashes that the mistake had in earlier results for the same files, if they differ: another version of the grader may
    /// tell mistakes apart otherwise.
    #[serde(default)]
    pub former_behaviours: Vec<String>,
    /// A small input that no case has and on which the program fails; `None` if none was found or nobody searched.
    #[serde(default)]
    pub counterexample: Option<Box<CaseResult>>,
    /// When it was submitted; `None` if that is not known.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    pub submitted: Option<Timestamp>,
    /// Changes of the points after judging, in order.
    #[serde(default)]
    pub adjustments: Vec<Adjustment>,
    /// The subtasks, in the order of the problem file.
    pub subtasks: Vec<SubtaskResult>,
}

impl ProblemResult {
    /// Shares the memory of what is the same in another result for this problem: a class has thousands of results.
    pub fn share_with(&mut self, other: &Self) {
        for (subtask, other) in self.subtasks.iter_mut().zip(&other.subtasks) {
            if subtask.cases == other.cases {
                subtask.cases = Arc::clone(&other.cases);
                continue;
            }
            for (case, other) in subtask.cases_mut().iter_mut().zip(&*other.cases) {
                if case.name == other.name {
                    case.name.clone_from(&other.name);
                }
                if case.limit_origin == other.limit_origin {
                    case.limit_origin.clone_from(&other.limit_origin);
                }
            }
        }
    }

    /// All cases, with their names as `subtask/case`.
    pub fn cases(&self) -> impl Iterator<Item = (String, &CaseResult)> {
        self.subtasks.iter().flat_map(|subtask| {
            let cases = subtask.cases.iter();
            cases.map(move |case| (format!("{}/{}", subtask.name, case.name), case))
        })
    }

    /// A copy with all texts in this language only.
    #[must_use]
    pub fn in_language(mut self, lang: Lang) -> Self {
        self.each_text(&mut |text| *text = text.only(lang));
        self
    }

    fn each_text(&mut self, change: &mut impl FnMut(&mut Text)) {
        let Self {
            message,
            hints,
            flags,
            counterexample,
            subtasks,
            adjustments,
            ..
        } = self;
        for adjustment in adjustments {
            change(&mut adjustment.message);
        }
        message.iter_mut().chain(hints).for_each(&mut *change);
        for flag in flags {
            change(&mut flag.message);
            for evidence in &mut flag.evidence {
                change(&mut evidence.message);
            }
        }
        let mut cases: Vec<_> = counterexample.iter_mut().map(|it| &mut **it).collect();
        for subtask in subtasks {
            subtask.message.iter_mut().for_each(&mut *change);
            cases.extend(subtask.cases_mut());
        }
        for case in cases {
            case.each_text(change);
        }
    }
}

/// How far a submission got.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Nothing was submitted.
    NotSubmitted,
    /// Not judged: the run was stopped before, or graded another part of the class. It is not scored yet.
    #[default]
    NotJudged,
    /// Not judged in every case because of a fault: it is not scored yet.
    Fault(FaultCause),
    /// Built, and run if it compiles.
    Judged,
}

/// Cause of a fault. Faults cost no points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FaultCause {
    /// The grader, or the machine that it runs on.
    Grader,
    /// The submission cannot be read: a refused archive, too many files, text typed into a page of a course system, a
    /// name that is not on the roster. The work may be right, so a person must look at it.
    Unreadable,
    /// A correction by hand does not say for which class it is, and several have such a student.
    Unclear,
}

/// A file that was submitted and not judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UnusedFile {
    /// Its path in the student's folder, escaped.
    pub path: String,
    /// The reason, with the nearest expected name.
    pub reason: Text,
    /// Whether a person should look at it: a likely program, not `.DS_Store`.
    pub notable: bool,
}

/// What a student objects to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Objection {
    /// The student's words.
    pub text: Excerpt,
    /// The answer; `None` until there is one.
    pub answer: Option<Excerpt>,
}

/// The result of one student.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct StudentResult {
    /// The student.
    pub id: StudentId,
    /// Identity, from a roster or a download.
    pub person: Option<Person>,
    /// What those who submitted together have in common: the name of their team, or their submission.
    #[serde(default)]
    pub team: Option<String>,
    /// Notes on the submission: the attempt that counts, lateness, a student who is not on the roster.
    pub notes: Vec<Text>,
    /// Notes for staff only, because they may name other students: candidates on the roster.
    pub remarks: Vec<Text>,
    /// What a person said about everything that the student submitted.
    #[serde(default)]
    pub comments: Vec<Text>,
    /// What the student objects to; `None` if that is nothing.
    #[serde(default)]
    pub objection: Option<Objection>,
    /// Whether there was nothing to judge.
    pub nothing_submitted: bool,
    /// The problems, in the order of the assignment.
    pub problems: Vec<ProblemResult>,
    /// Files that were not judged.
    pub unused: Vec<UnusedFile>,
}

/// Serialized form of a student, with sums of points.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case", remote = "StudentResult")]
struct StudentKeys {
    /// The student.
    id: StudentId,
    /// Identity, from a roster or a download.
    person: Option<Person>,
    /// What those who submitted together have in common, if the student is in a team.
    #[serde(skip_serializing_if = "Option::is_none")]
    team: Option<String>,
    /// Notes on the submission: the attempt that counts, lateness.
    notes: Vec<Text>,
    /// Notes for staff only, because they may name other students. Empty in reports for students.
    remarks: Vec<Text>,
    /// What a person said about everything that the student submitted.
    comments: Vec<Text>,
    /// What the student objects to; `null` if that is nothing. In reports for students, only with an answer.
    objection: Option<Objection>,
    /// Points without the bonus; `null` while some are not known.
    #[serde(getter = "StudentResult::points")]
    points: Option<Points>,
    /// Bonus points; `null` while some are not known.
    #[serde(getter = "StudentResult::bonus")]
    bonus: Option<Points>,
    #[serde(flatten, getter = "StudentResult::standing_keys")]
    standing: StandingKeys,
    /// Whether there was nothing to judge.
    nothing_submitted: bool,
    /// The problems, in the order of the assignment.
    #[serde(serialize_with = "all_with_standing")]
    #[schemars(with = "Vec<ProblemKeys<'_>>")]
    problems: Vec<ProblemResult>,
    /// Files that were not judged.
    unused: Vec<UnusedFile>,
}

/// Serialized form of a problem of a student, with its standing.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ProblemKeys<'a> {
    #[serde(flatten)]
    problem: &'a ProblemResult,
    #[serde(flatten)]
    standing: StandingKeys,
}

impl<'a> From<&'a ProblemResult> for ProblemKeys<'a> {
    fn from(problem: &'a ProblemResult) -> Self {
        let standing = problem.standing().into();
        Self { problem, standing }
    }
}

fn all_with_standing<S: Serializer>(problems: &[ProblemResult], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(problems.iter().map(ProblemKeys::from))
}

/// One problem, as those of a student.
pub(crate) fn with_standing<S: Serializer>(
    problem: &ProblemResult,
    to: S,
) -> Result<S::Ok, S::Error> {
    ProblemKeys::from(problem).serialize(to)
}

impl Serialize for StudentResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        StudentKeys::serialize(self, serializer)
    }
}

impl JsonSchema for StudentResult {
    fn schema_name() -> Cow<'static, str> {
        "StudentResult".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        StudentKeys::json_schema(generator)
    }
}

impl StudentResult {
    /// A copy with all texts in this language only.
    #[must_use]
    pub fn in_language(mut self, lang: Lang) -> Self {
        let texts = self.notes.iter_mut().chain(&mut self.remarks);
        let texts = texts.chain(&mut self.comments);
        for text in texts.chain(self.unused.iter_mut().map(|it| &mut it.reason)) {
            *text = text.only(lang);
        }
        let problems = self.problems.into_iter();
        self.problems = problems.map(|it| it.in_language(lang)).collect();
        self
    }

    /// The result of this problem.
    pub fn problem(&self, id: &ProblemId) -> Option<&ProblemResult> {
        self.problems.iter().find(|problem| problem.id == *id)
    }

    /// Points without the bonus, as serialized.
    fn points(&self) -> Option<Points> {
        self.standing_without_bonus().points()
    }

    /// The standing of all points, as serialized.
    fn standing_keys(&self) -> StandingKeys {
        self.standing().into()
    }

    /// Bonus points, as serialized.
    fn bonus(&self) -> Option<Points> {
        self.standing_of_bonus().points()
    }
}

/// Titles and points of an assignment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct AssignmentInfo {
    /// The assignment.
    pub id: AssignmentId,
    /// Its title.
    pub title: Text,
    /// The points of all problems without the bonus.
    pub points: Points,
    /// The points of the bonus problems.
    pub bonus: Points,
    /// The problems, in order.
    pub problems: Vec<ProblemInfo>,
    /// The deadline; `None` if there is none.
    #[serde(default)]
    pub deadline: Option<Deadline>,
}

impl AssignmentInfo {
    /// A copy with all titles in this language only.
    #[must_use]
    pub fn in_language(mut self, lang: Lang) -> Self {
        self.title = self.title.only(lang);
        for problem in &mut self.problems {
            problem.title = problem.title.only(lang);
        }
        self
    }
}

/// Title and points of a problem.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct ProblemInfo {
    /// The problem.
    pub id: ProblemId,
    /// Its title.
    pub title: Text,
    /// Full points.
    pub points: Points,
    /// Whether the points are on top of the assignment's total.
    pub bonus: bool,
    /// Content hash of everything that affects judging, 64 hexadecimal digits.
    pub version: String,
    /// The subtasks that are graded by hand.
    #[serde(default)]
    pub manual: Vec<ManualSubtask>,
}

/// A subtask that is graded by hand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct ManualSubtask {
    /// Its name.
    pub name: SubtaskName,
    /// Full points.
    pub points: Points,
    /// The rubric, in order; empty if points are given as a number.
    pub items: Vec<RubricItem>,
}

/// An item of a rubric: given as a whole or not at all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RubricItem {
    /// Its id, unique in the problem.
    pub id: String,
    /// Its points.
    pub points: Points,
    /// What earns them.
    pub text: Text,
}

/// Name and version of the format of [`Results`]. A version may get new keys, but no key changes its meaning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum ResultsFormat {
    /// The third version.
    #[default]
    #[serde(rename = "bitcraft-results/3")]
    V3,
}

/// The results of a class. Every report is rendered from them; `--json FILE` writes them.
///
/// Times are milliseconds, points are decimal numbers. Every key is always there; `null` means not measured, not
/// applicable, or not for this audience.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Results {
    /// Name and version of this format.
    pub format: ResultsFormat,
    /// The ledger's run; `None` without a ledger.
    pub run: Option<RunInfo>,
    /// The class, by which a report tells whether it may replace an earlier one; `None` if that is not known yet.
    #[serde(default)]
    pub class: Option<ClassId>,
    /// The assignment.
    pub assignment: AssignmentInfo,
    /// The machine.
    pub host: Host,
    /// The machine of each shard, if several machines graded the class.
    #[serde(default)]
    pub shards: Vec<Host>,
    /// Isolation of programs.
    pub isolation: Isolation,
    /// The students, in the order of their names.
    pub students: Vec<StudentResult>,
    /// Files beside the students' folders.
    pub unused: Vec<UnusedFile>,
    /// Submissions that are the same program, in the order of problems and students. Empty in reports for students.
    #[serde(default)]
    pub similar: Vec<SimilarGroup>,
    /// Reference times on this machine, in the order of problems and cases.
    pub reference_times: Vec<ReferenceTime>,
    /// Whether the run was stopped before every student was graded.
    pub interrupted: bool,
}

impl Results {
    /// Sorts the reference times by problem and case. Cases without a student's result come last, in their order.
    pub fn order_reference_times(&mut self) {
        let mut order: BTreeMap<(&ProblemId, &SubtaskName, &CaseName), usize> = BTreeMap::new();
        for info in &self.assignment.problems {
            let all = self.students.iter().flat_map(|student| &student.problems);
            for problem in all.filter(|problem| problem.id == info.id) {
                for subtask in &problem.subtasks {
                    for case in &*subtask.cases {
                        let next = order.len();
                        let place = (&problem.id, &subtask.name, &case.name);
                        order.entry(place).or_insert(next);
                    }
                }
            }
        }
        self.reference_times.sort_by_key(|reference_time| {
            let place = (
                &reference_time.problem,
                &reference_time.subtask,
                &reference_time.case,
            );
            order.get(&place).copied().unwrap_or(order.len())
        });
    }
}

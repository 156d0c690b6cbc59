//! A submission for one problem, and its subtasks.

use std::borrow::Cow;
use std::mem;

use grader_model::{
    Adjustment, AdjustmentKind, BuildReport, Bytes, CaseName, CpuTime, Excerpt, Flag, Growth,
    LanguageId, Origin, Points, ProblemId, ProblemInfo, ProblemResult, RubricItem, Standing,
    Status, SubtaskName, SubtaskResult, Text, Verdict,
};

use crate::case::{CaseView, Detail, Explainer, is_failing};

/// What a student submitted for one problem, or its absence.
#[derive(Clone, Debug)]
pub struct ProblemView<'a> {
    /// The problem.
    pub id: &'a ProblemId,
    /// Its title, if the assignment has one other than the id.
    pub title: Option<&'a Text>,
    /// Whether its points are known.
    pub standing: Standing,
    /// Full points.
    pub max_points: Points,
    /// Whether its points are on top of the assignment's total.
    pub bonus: bool,
    /// Combined verdict.
    pub verdict: Verdict,
    /// Its code in a table of points: `EX` if the student is excused, else that of the verdict. `None` if nothing was
    /// submitted and nobody corrected that.
    pub code: Option<&'static str>,
    /// Whether something was submitted.
    pub is_submitted: bool,
    /// Whether the subtasks explain more than the message of the whole problem.
    pub has_run: bool,
    /// A reason that concerns the whole problem.
    pub message: Option<&'a Text>,
    /// What changed the points after judging.
    pub adjustments: &'a [Adjustment],
    /// The language.
    pub language: Option<LanguageId>,
    /// The files that were judged.
    pub files: &'a [String],
    /// Report of building it.
    pub build: Option<&'a BuildReport>,
    /// Advice on the whole submission.
    pub hints: Vec<&'a Text>,
    /// Remarks for the instructor.
    pub flags: &'a [Flag],
    /// The hash of its mistake, which others may share.
    pub behaviour: Option<&'a str>,
    /// Origin of the result.
    pub origin: Option<&'a Origin>,
    /// The subtasks.
    pub subtasks: Vec<SubtaskView<'a>>,
    /// A small input that no case has and on which the program fails.
    pub counterexample: Option<CaseView<'a>>,
    /// Why it has not all points. Never empty.
    pub reasons: Vec<Reason<'a>>,
}

/// One subtask.
#[derive(Clone, Debug)]
pub struct SubtaskView<'a> {
    /// Its name.
    pub name: &'a SubtaskName,
    /// Whether its points are known.
    pub standing: Standing,
    /// Full points.
    pub max_points: Points,
    /// Combined verdict.
    pub verdict: Verdict,
    /// A reason that concerns the whole subtask.
    pub message: Option<&'a Text>,
    /// Growth of the CPU time.
    pub growth: Option<&'a Growth>,
    /// What its runs came to.
    pub run: SubtaskRun<'a>,
    /// The cases.
    pub cases: Vec<CaseView<'a>>,
}

/// What the runs of a subtask came to.
#[derive(Clone, Debug)]
pub enum SubtaskRun<'a> {
    /// Nothing ran, for this reason.
    Nothing(&'a Text),
    /// A person gives its points. The items of the rubric and whether each was given; empty while the points are open.
    ByHand(Vec<(&'a RubricItem, bool)>),
    /// Cases ran.
    Cases {
        /// Number of cases that passed.
        passed: usize,
        /// Number of cases that counted.
        counted: usize,
        /// Number of cases that were skipped.
        skipped: usize,
        /// The first of the slowest cases.
        slowest: Option<(&'a CaseName, CpuTime)>,
        /// Most memory that a case used.
        memory: Option<Bytes>,
    },
}

/// A reason, and the subtask and the case that it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason<'a> {
    /// The subtask; `None` if it is about the whole problem.
    pub subtask: Option<&'a SubtaskName>,
    /// The case, if it is about one.
    pub case: Option<&'a CaseName>,
    /// The reason in one sentence.
    pub text: Cow<'a, Text>,
}

impl<'a> Reason<'a> {
    /// A reason that is about the whole.
    pub(crate) const fn whole(text: Cow<'a, Text>) -> Self {
        Self {
            subtask: None,
            case: None,
            text,
        }
    }
}

impl<'a> ProblemView<'a> {
    /// The view of a result whose reader may see all of it.
    pub fn of(problem: &'a ProblemResult, info: Option<&'a ProblemInfo>) -> Self {
        let title = info.map(|info| &info.title);
        let mut explainer = Explainer::default();
        let hints = explainer.hints(&problem.hints);
        let subtasks = problem.subtasks.iter();
        let subtasks: Vec<_> = subtasks
            .map(|it| SubtaskView::of(it, info, &mut explainer))
            .collect();
        explainer.begin_subtask();
        let counterexample = problem.counterexample.as_deref();
        let counterexample = counterexample.map(|it| explainer.case(it));
        let is_submitted = problem.status != Status::NotSubmitted;
        let is_shown = is_submitted || !problem.adjustments.is_empty();
        let code = if problem.is_excused() {
            Standing::EXCUSED
        } else {
            problem.verdict.code()
        };
        let mut cases = subtasks.iter().flat_map(|subtask| &subtask.cases);
        Self {
            id: &problem.id,
            title: title.filter(|title| [&title.en, &title.zh] != [problem.id.as_str(); 2]),
            standing: problem.standing(),
            max_points: problem.max_points,
            bonus: problem.bonus,
            verdict: problem.verdict,
            code: is_shown.then_some(code),
            is_submitted,
            has_run: cases
                .any(|case| case.outcome.is_some() || case.verdict == Verdict::JudgeError),
            message: problem.message.as_ref(),
            adjustments: &problem.adjustments,
            language: problem.language,
            files: &problem.files,
            build: problem.build.as_ref(),
            hints,
            flags: &problem.flags,
            behaviour: problem.behaviour.as_deref(),
            origin: problem.origin.as_ref(),
            counterexample,
            reasons: reasons(problem, &subtasks),
            subtasks,
        }
    }

    /// Whether it has points, but not all.
    pub fn is_short(&self) -> bool {
        let points = self.standing.points();
        points.is_some_and(|points| points < self.max_points)
    }

    /// Whether it was submitted late.
    pub fn is_late(&self) -> bool {
        self.is_adjusted(AdjustmentKind::Late)
    }

    /// Whether a person corrected its points.
    pub fn is_corrected(&self) -> bool {
        self.is_adjusted(AdjustmentKind::Correction)
    }

    fn is_adjusted(&self, kind: AdjustmentKind) -> bool {
        self.adjustments.iter().any(|it| it.kind == kind)
    }

    /// The points that changes of this kind took away.
    pub(crate) fn lost_by(&self, kind: AdjustmentKind) -> Points {
        let mut before: Option<Points> = self.subtasks.iter().map(|it| it.standing.points()).sum();
        let lost = self.adjustments.iter().filter_map(|it| {
            let (before, after) = (mem::replace(&mut before, it.points)?, it.points?);
            (it.kind == kind).then(|| before.saturating_sub(after))
        });
        lost.sum()
    }

    /// Whether its subtasks are worth showing: otherwise its message says everything.
    pub fn shows_subtasks(&self) -> bool {
        let mut subtasks = self.subtasks.iter();
        let has_manual = self.is_submitted && subtasks.any(SubtaskView::is_by_hand);
        self.has_run || self.message.is_none() || has_manual
    }

    /// Messages of the compiler, if it wrote any.
    pub fn compiler_messages(&self) -> Option<&'a Excerpt> {
        let messages = self.build?.messages.as_ref();
        messages.filter(|messages| !messages.is_empty())
    }

    /// All cases, subtask by subtask.
    pub fn cases(&self) -> impl Iterator<Item = (&SubtaskView<'a>, &CaseView<'a>)> {
        let subtasks = self.subtasks.iter();
        subtasks.flat_map(|subtask| subtask.cases.iter().map(move |case| (subtask, case)))
    }
}

/// The reason of the whole, or of each subtask that failed, by its first case; then what changed the points after judging.
fn reasons<'a>(problem: &'a ProblemResult, subtasks: &[SubtaskView<'a>]) -> Vec<Reason<'a>> {
    // Our own failure explains the verdict, whatever else failed.
    let is_ours = problem.verdict == Verdict::JudgeError;
    let fails = |verdict| is_failing(verdict) && (!is_ours || verdict == Verdict::JudgeError);
    let failure = |subtask: &SubtaskView<'a>| {
        let case = subtask.cases.iter().find(|case| fails(case.verdict));
        Reason {
            subtask: Some(subtask.name),
            case: case.map(|case| case.name),
            text: Cow::Borrowed(match case {
                Some(case) => case.reason,
                None => subtask.message.unwrap_or_else(|| subtask.verdict.name()),
            }),
        }
    };
    let mut reasons: Vec<Reason> = if let Some(message) = &problem.message {
        vec![Reason::whole(Cow::Borrowed(message))]
    } else {
        let failed = subtasks.iter().filter(|it| fails(it.verdict));
        failed.map(failure).collect()
    };
    let adjustments = problem.adjustments.iter();
    reasons.extend(adjustments.map(|it| Reason::whole(Cow::Borrowed(&it.message))));
    if reasons.is_empty() {
        reasons.push(Reason::whole(Cow::Borrowed(problem.verdict.name())));
    }
    reasons
}

impl<'a> SubtaskView<'a> {
    fn of(
        subtask: &'a SubtaskResult,
        info: Option<&'a ProblemInfo>,
        explainer: &mut Explainer,
    ) -> Self {
        explainer.begin_subtask();
        Self {
            name: &subtask.name,
            standing: subtask.standing(),
            max_points: subtask.max_points,
            verdict: subtask.verdict,
            message: subtask.message.as_ref(),
            growth: subtask.growth.as_ref(),
            run: by_hand(subtask, info).unwrap_or_else(|| run(subtask)),
            cases: subtask.cases.iter().map(|it| explainer.case(it)).collect(),
        }
    }

    /// Whether a person gives its points, so that it has no verdict.
    pub const fn is_by_hand(&self) -> bool {
        matches!(self.run, SubtaskRun::ByHand(_))
    }

    /// The points that it did not earn; `None` if it earned all, or they are not known.
    pub fn missed(&self) -> Option<Points> {
        let missed = self.max_points.saturating_sub(self.standing.points()?);
        (missed > Points::ZERO).then_some(missed)
    }

    /// The cases that are worth reading: those that failed, then those that passed with a remark.
    pub fn told(&self) -> impl Iterator<Item = &CaseView<'a>> {
        let told = |has_passed| {
            let cases = self.cases.iter().filter(|case| case.is_told);
            cases.filter(move |case| (case.verdict == Verdict::Accepted) == has_passed)
        };
        told(false).chain(told(true))
    }

    /// The cases with a line each; neighbours that failed for the same reason share one.
    pub fn lines(&self) -> Vec<Vec<&CaseView<'a>>> {
        let lines = self.told().filter(|case| case.detail == Detail::Line);
        let lines: Vec<_> = lines.collect();
        let is_same = |one: &&CaseView<'_>, two: &&CaseView<'_>| {
            (one.verdict, &one.reason) == (two.verdict, &two.reason)
        };
        lines.chunk_by(is_same).map(<[_]>::to_vec).collect()
    }

    /// How its time grows, or else why it has its verdict though its cases have theirs.
    pub fn sentence(&self) -> Option<Cow<'a, Text>> {
        let growth = self.growth.map(|growth| Cow::Owned(growth.sentence()));
        growth.or(self.message.map(Cow::Borrowed))
    }
}

/// The rubric of a subtask that is graded by hand.
fn by_hand<'a>(subtask: &SubtaskResult, info: Option<&'a ProblemInfo>) -> Option<SubtaskRun<'a>> {
    let given = subtask.manual.as_ref()?;
    let info = info.filter(|_| subtask.points.is_some());
    let mut manual = info.iter().flat_map(|info| &info.manual);
    let items = manual
        .find(|it| it.name == subtask.name)
        .map(|it| &it.items);
    let items = items.into_iter().flatten();
    let items = items.map(|item| (item, given.items.contains(&item.id)));
    Some(SubtaskRun::ByHand(items.collect()))
}

fn run(subtask: &SubtaskResult) -> SubtaskRun<'_> {
    let cases = &subtask.cases;
    let runs: Vec<_> = cases
        .iter()
        .filter_map(|case| Some((&case.name, case.outcome.as_ref()?)))
        .collect();
    let message = cases.iter().find_map(|case| case.message.as_deref());
    if let (true, Some(message)) = (runs.is_empty(), message) {
        return SubtaskRun::Nothing(message);
    }
    let passed = cases.iter().filter(|it| it.verdict == Verdict::Accepted);
    let skipped = cases.iter().filter(|case| case.skipped).count();
    let slowest = runs.iter().rev().max_by_key(|(_, outcome)| outcome.cpu);
    SubtaskRun::Cases {
        passed: passed.count(),
        counted: cases.len() - skipped,
        skipped,
        slowest: slowest.map(|(name, outcome)| (*name, outcome.cpu)),
        memory: runs.iter().filter_map(|(_, outcome)| outcome.memory).max(),
    }
}

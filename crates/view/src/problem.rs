//! A submission for one problem, and its subtasks.

use std::borrow::Cow;
use std::mem;

use jiff::Timestamp;

use grader_model::{
    Adjustment, AdjustmentKind, BuildReport, Bytes, CaseName, CaseResult, CpuTime, Excerpt, Flag,
    Growth, LanguageId, Origin, Points, ProblemId, ProblemInfo, ProblemResult, Remark, RubricItem,
    Standing, Status as Progress, SubtaskName, SubtaskResult, Text, Verdict, WhyOpen, text,
};

use crate::case::{CaseView, Explainer, is_failing};
use crate::case_group::CaseGroup;
use crate::status::{Lost, Status};

/// What a student submitted for one problem, or its absence.
#[derive(Clone, Debug)]
pub struct ProblemView<'a> {
    /// The problem.
    pub id: &'a ProblemId,
    /// Its title, if the assignment has one other than the id.
    pub title: Option<&'a Text>,
    /// Whether its points are known.
    pub standing: Standing,
    /// Whether it is good.
    pub status: Status,
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
    /// When it was submitted; `None` if that is not known.
    pub submitted: Option<Timestamp>,
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
    /// What the problem's checks say about lines of the sources.
    pub remarks: &'a [Remark],
    /// The hash of its mistake, which others may share.
    pub behaviour: Option<&'a str>,
    /// Origin of the result.
    pub origin: Option<&'a Origin>,
    /// The subtasks.
    pub subtasks: Vec<SubtaskView<'a>>,
    /// A small input that no case has and on which the program fails.
    pub counterexample: Option<CaseView<'a>>,
    /// Why it has not all points: why it failed, what people did not give, what changed the points after judging. Never
    /// empty.
    pub reasons: Vec<Reason<'a>>,
    /// How many of the reasons say why it failed.
    pub(crate) failures: usize,
}

/// A cell of a table of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The points, or those so far; `None` if the code stands in their place.
    pub points: Option<Standing>,
    /// The code after the points, or in their place; `None` if it says nothing more than they do.
    pub code: Option<&'static str>,
    /// The marks after both.
    pub marks: Marks,
}

/// The marks after points in a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// It was submitted late.
    pub late: bool,
    /// A person gave fewer points than there are.
    pub by_hand: bool,
    /// A person corrected the points.
    pub corrected: bool,
}

/// One subtask.
#[derive(Clone, Debug)]
pub struct SubtaskView<'a> {
    /// Its name.
    pub name: &'a SubtaskName,
    /// Whether its points are known.
    pub standing: Standing,
    /// Whether it is good.
    pub status: Status,
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
    /// A person has still to give its points.
    ToGrade,
    /// A person gave its points. The items of the rubric and whether each was given; empty if a number of points was given
    /// that tells of no item, and if none are needed.
    ByHand(Vec<(&'a RubricItem, bool)>),
    /// A tool made remarks, or failed: how many there are, or why.
    Remarks(&'a Text),
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
            .map(|it| SubtaskView::of(it, problem, info, &mut explainer))
            .collect();
        explainer.begin_counterexample();
        let counterexample = problem.counterexample.as_deref();
        let counterexample = counterexample.map(|it| explainer.case(it));
        let is_submitted = problem.status != Progress::NotSubmitted;
        let is_shown = is_submitted || !problem.adjustments.is_empty();
        let code = if problem.is_excused() {
            Standing::EXCUSED
        } else {
            problem.verdict.code()
        };
        let (reasons, failures) = reasons(problem, &subtasks);
        let mut cases = subtasks.iter().flat_map(|subtask| &*subtask.cases);
        Self {
            id: &problem.id,
            title: title.filter(|title| [&title.en, &title.zh] != [problem.id.as_str(); 2]),
            standing: problem.standing(),
            status: Status::of(problem),
            max_points: problem.max_points,
            bonus: problem.bonus,
            verdict: problem.verdict,
            code: is_shown.then_some(code),
            is_submitted,
            has_run: cases
                .any(|case| case.outcome().is_some() || case.verdict() == Verdict::JudgeError),
            submitted: problem.submitted,
            message: problem.message.as_ref(),
            adjustments: &problem.adjustments,
            language: problem.language,
            files: &problem.files,
            build: problem.build.as_ref(),
            hints,
            flags: &problem.flags,
            remarks: &problem.remarks,
            behaviour: problem.behaviour.as_deref(),
            origin: problem.origin.as_ref(),
            counterexample,
            reasons,
            failures,
            subtasks,
        }
    }

    /// Whether its student can still earn points: some were lost, or nothing was submitted.
    pub fn is_to_fix(&self) -> bool {
        match self.status {
            Status::Short { .. } | Status::Failed(_) | Status::Absent => true,
            Status::Waiting(_) => {
                let mut subtasks = self.subtasks.iter();
                self.status.is_by_hand() && subtasks.any(|it| it.status.is_short())
            }
            Status::Full | Status::Excused => false,
        }
    }

    /// What to fix first: what explains the first failure that is explained, else the first reason. `None` if points were lost only
    /// after judging, as a mark tells.
    pub fn to_fix(&self) -> Option<Reason<'a>> {
        let of_build = self.hints.iter().filter(|_| self.is_unbuilt());
        let of_build = of_build.map(|hint| (None, None, *hint));
        let of_cases = self.cases().filter(|(_, case)| case.is_failing());
        let of_cases = of_cases.flat_map(|(subtask, case)| {
            let hints = case.hints().iter();
            hints.map(move |hint| (Some(subtask.name), Some(case), *hint))
        });
        let is_explained = self.failures > 0 && self.verdict != Verdict::JudgeError;
        let mut hints = of_build.chain(of_cases).filter(|_| is_explained);
        let first = hints.find(|(_, _, hint)| !hint.is_beside());
        if let Some((subtask, case, hint)) = first {
            let text = match case {
                Some(case) => {
                    let reason = case.reason();
                    Cow::Owned(text!("{reason}. {hint}", "{reason}。{hint}", reason, hint))
                }
                None => Cow::Borrowed(hint),
            };
            return Some(Reason {
                subtask,
                case: case.map(CaseView::name),
                text,
            });
        }
        let is_marked = self.is_late() || self.is_corrected();
        let is_after_judging = self.reasons.len() == self.adjustments.len();
        (!(is_marked && is_after_judging)).then(|| self.reasons[0].clone())
    }

    /// Its cell in a table of points; `None` if nothing was submitted and nobody corrected that.
    pub fn cell(&self) -> Option<Cell> {
        let code = self.code?;
        let points = match self.standing {
            Standing::Scored(_) | Standing::Open(WhyOpen::ByHand(_)) => Some(self.standing),
            Standing::Open(_) | Standing::Excused => None,
        };
        let is_plain = points.is_some() && code == Verdict::Accepted.code();
        Some(Cell {
            points,
            code: (!is_plain).then_some(code),
            marks: self.marks(),
        })
    }

    /// Whether all that was judged is right.
    pub fn is_right(&self) -> bool {
        self.verdict == Verdict::Accepted
    }

    /// Whether it could not be built.
    pub fn is_unbuilt(&self) -> bool {
        self.verdict == Verdict::CompileError
    }

    /// The verdict to show beside the points; `None` if it says nothing more than they do: all that was judged is right.
    pub fn failing_verdict(&self) -> Option<Verdict> {
        (!self.is_right()).then_some(self.verdict)
    }

    /// The subtasks whose points a person has still to give.
    pub fn to_grade(&self) -> impl Iterator<Item = &SubtaskView<'a>> {
        let subtasks = self.subtasks.iter();
        subtasks.filter(|it| self.status.is_by_hand() && it.status.is_by_hand())
    }

    /// The marks after its points in a table. An excuse needs none.
    pub fn marks(&self) -> Marks {
        if self.standing == Standing::Excused {
            return Marks::default();
        }
        Marks {
            late: self.is_late(),
            by_hand: self.status.is_short()
                && self.subtasks.iter().any(SubtaskView::is_short_by_hand),
            corrected: self.is_corrected(),
        }
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

    /// The points that changes of this kind took away, less those that they gave, and no more than were lost in the end. Whoever is
    /// excused lost none.
    pub(crate) fn lost_by(&self, kind: AdjustmentKind) -> Points {
        let judged: Option<Points> = self.subtasks.iter().map(|it| it.standing.points()).sum();
        let (Some(judged), Some(left)) = (judged, self.standing.points()) else {
            return Points::ZERO;
        };
        if self.is_adjusted(AdjustmentKind::Excused) {
            return Points::ZERO;
        }
        let mut before = Some(judged);
        let changes = self.adjustments.iter().filter_map(|it| {
            let (before, after) = (mem::replace(&mut before, it.points)?, it.points?);
            (it.kind == kind).then_some((before, after))
        });
        let (mut taken, mut given) = (Points::ZERO, Points::ZERO);
        for (before, after) in changes {
            taken = taken + before.saturating_sub(after);
            given = given + after.saturating_sub(before);
        }
        let net = taken.saturating_sub(given);
        net.min(judged.saturating_sub(left))
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

/// The reason of the whole, or of each subtask that failed, by its first case; then what people did not give, and what changed
/// the points after judging. Returns how many say why it failed, too.
fn reasons<'a>(
    problem: &'a ProblemResult,
    subtasks: &[SubtaskView<'a>],
) -> (Vec<Reason<'a>>, usize) {
    // Our own failure explains the verdict, whatever else failed.
    let is_ours = problem.verdict == Verdict::JudgeError;
    let fails = |verdict| is_failing(verdict) && (!is_ours || verdict == Verdict::JudgeError);
    let failure = |subtask: &SubtaskView<'a>| {
        let case = subtask.cases.iter().find(|case| fails(case.verdict()));
        Reason {
            subtask: Some(subtask.name),
            case: case.map(CaseView::name),
            text: Cow::Borrowed(match case {
                Some(case) => case.reason(),
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
    let failures = reasons.len();
    reasons.extend(subtasks.iter().filter_map(SubtaskView::not_given));
    let adjustments = problem.adjustments.iter();
    reasons.extend(adjustments.map(|it| Reason::whole(Cow::Borrowed(&it.message))));
    if reasons.is_empty() {
        reasons.push(Reason::whole(Cow::Borrowed(problem.verdict.name())));
    }
    (reasons, failures)
}

impl<'a> SubtaskView<'a> {
    fn of(
        subtask: &'a SubtaskResult,
        problem: &ProblemResult,
        info: Option<&'a ProblemInfo>,
        explainer: &mut Explainer,
    ) -> Self {
        explainer.begin_subtask();
        Self {
            name: &subtask.name,
            standing: subtask.standing(),
            status: Status::of_subtask(subtask),
            max_points: subtask.max_points,
            verdict: subtask.verdict,
            message: subtask.message.as_ref(),
            growth: subtask.growth.as_ref(),
            run: match (&subtask.check, &subtask.message) {
                (Some(_), Some(message)) => SubtaskRun::Remarks(message),
                _ => by_hand(subtask, problem, info).unwrap_or_else(|| run(subtask)),
            },
            cases: subtask.cases.iter().map(|it| explainer.case(it)).collect(),
        }
    }

    /// Whether a person gives its points, so that it has no verdict.
    pub const fn is_by_hand(&self) -> bool {
        matches!(self.run, SubtaskRun::ByHand(_) | SubtaskRun::ToGrade)
    }

    /// Whether its cases have made its verdict.
    pub const fn has_verdict(&self) -> bool {
        !self.is_by_hand() && !matches!(self.run, SubtaskRun::Remarks(_))
    }

    /// Whether a person gave fewer points than there are.
    fn is_short_by_hand(&self) -> bool {
        let lost = self.status;
        matches!(
            lost,
            Status::Short {
                why: Lost::ByHand,
                ..
            }
        )
    }

    /// That a person gave fewer points than there are, or none yet; what a tool says that took some.
    pub fn not_given(&self) -> Option<Reason<'a>> {
        let most = self.max_points;
        let text = match self.standing {
            Standing::Scored(points) if self.is_short_by_hand() => {
                let comment = self.message.cloned().unwrap_or_default();
                let [en, zh] = [(": ", comment.en), ("：", comment.zh)].map(|(colon, text)| {
                    if text.is_empty() {
                        text
                    } else {
                        format!("{colon}{text}")
                    }
                });
                Text::new(
                    format!("{points} of {most} points by hand{en}"),
                    format!("人工评分 {points} / {most} 分{zh}"),
                )
            }
            Standing::Open(_) if matches!(self.run, SubtaskRun::ToGrade) => Text::new(
                format!("up to {most} points by hand are still missing"),
                format!("尚待人工评分，最多 {most} 分"),
            ),
            Standing::Scored(points) => match self.run {
                SubtaskRun::Remarks(sentence)
                    if points < most && self.verdict == Verdict::Accepted =>
                {
                    sentence.clone()
                }
                _ => return None,
            },
            Standing::Open(_) | Standing::Excused => return None,
        };
        Some(Reason {
            subtask: Some(self.name),
            case: None,
            text: Cow::Owned(text),
        })
    }

    /// The points that it did not earn; `None` if it earned all, or they are not known.
    pub fn missed(&self) -> Option<Points> {
        let missed = self.max_points.saturating_sub(self.standing.points()?);
        (missed > Points::ZERO).then_some(missed)
    }

    /// The cases that are worth reading, in groups that one of them explains: those that failed, then those that passed with a
    /// remark.
    pub fn groups(&self) -> Vec<CaseGroup<'_, 'a>> {
        let mut groups: Vec<CaseGroup<'_, 'a>> = Vec::new();
        let told = self.cases.iter().enumerate().filter(|it| it.1.is_told);
        for (index, case) in told {
            match groups.iter_mut().find(|it| it.first.tells_of(case)) {
                Some(group) => group.push(index, case),
                None => groups.push(CaseGroup::new(index, case)),
            }
        }
        groups.sort_by_key(|it| it.first.has_passed());
        groups
    }

    /// How its time grows, or else why it has its verdict though its cases have theirs.
    pub fn sentence(&self) -> Option<Cow<'a, Text>> {
        let growth = self.growth.map(|growth| Cow::Owned(growth.sentence()));
        let is_said = matches!(self.run, SubtaskRun::Remarks(_));
        let message = self.message.filter(|_| !is_said);
        growth.or(message.map(Cow::Borrowed))
    }
}

/// The rubric of a subtask that is graded by hand.
fn by_hand<'a>(
    subtask: &SubtaskResult,
    problem: &ProblemResult,
    info: Option<&'a ProblemInfo>,
) -> Option<SubtaskRun<'a>> {
    let given = subtask.manual.as_ref()?;
    if Status::of(problem).is_by_hand() && subtask.points.is_none() {
        return Some(SubtaskRun::ToGrade);
    }
    let info = info.filter(|_| subtask.points.is_some());
    let mut manual = info.iter().flat_map(|info| &info.manual);
    let items = manual
        .find(|it| it.name == subtask.name)
        .map(|it| &it.items);
    let items = || items.into_iter().flatten();
    let is_given = |item: &&RubricItem| given.items.contains(&item.id);
    let of_items: Points = items().filter(is_given).map(|it| it.points).sum();
    // A number of points that is not the sum of the items tells which were given only if it is all.
    let is_all = subtask.points == Some(subtask.max_points);
    let is_by_items = subtask.points == Some(of_items);
    let shown = items().filter(|_| is_all || is_by_items);
    let shown = shown.map(|item| (item, is_all || is_given(&item)));
    Some(SubtaskRun::ByHand(shown.collect()))
}

fn run(subtask: &SubtaskResult) -> SubtaskRun<'_> {
    let cases = &subtask.cases;
    let runs: Vec<_> = cases
        .iter()
        .filter_map(|case| Some((&case.name, case.outcome.as_ref()?)))
        .collect();
    let message = cases.iter().find_map(|case| case.message.as_deref());
    // Submitted tests find wrong programs, or not, without a run of the case.
    let is_decided = |it: &CaseResult| {
        let decided = [Verdict::Accepted, Verdict::WrongAnswer];
        it.outcome.is_some() || decided.contains(&it.verdict)
    };
    if let (false, Some(message)) = (cases.iter().any(is_decided), message) {
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

#[cfg(test)]
mod tests;

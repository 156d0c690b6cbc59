//! What needs human attention.

use std::borrow::Cow;

use grader_model::{
    AdjustmentKind, CaseName, Excerpt, FaultCause, Points, ProblemId, Results, SimilarGroup,
    Standing, StudentId, SubtaskName, Teams, Text, UnusedFile, Verdict, WhyOpen,
};

use crate::case::{CaseView, Unsettled};
use crate::problem::{ProblemView, Reason};
use crate::student::StudentView;

/// Kind of a [`Need`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NeedKind {
    /// The same program from several students, or in the files of the problem.
    Similar,
    /// What a student objects to, without an answer.
    Objection,
    /// Not scored yet because of a fault of ours.
    OurFailure,
    /// Not scored yet because the submission cannot be read.
    Unreadable,
    /// Not scored yet because a correction may be for another class.
    Unclear,
    /// Not scored yet because it was not graded in this run.
    NotJudged,
    /// Not scored yet because a person gives its points.
    ByHand,
    /// An accepted program that is wrong on an input that no case has.
    Undeserved,
    /// A verdict that may change if it is graded again.
    NotSettled,
    /// A flag.
    Flag,
    /// A file that was not judged and may be a program.
    UnusedFile,
    /// Points that late work or a correction lost.
    LostPoints,
    /// A note on a submission.
    Note,
    /// A student who submitted nothing.
    NothingSubmitted,
    /// A compile error.
    CompileError,
    /// An answer that is right except for its layout.
    Layout,
}

impl NeedKind {
    /// All kinds, the most urgent first.
    pub const ALL: [Self; 16] = [
        Self::Similar,
        Self::Objection,
        Self::OurFailure,
        Self::Unreadable,
        Self::Unclear,
        Self::NotJudged,
        Self::ByHand,
        Self::Undeserved,
        Self::NotSettled,
        Self::Flag,
        Self::UnusedFile,
        Self::LostPoints,
        Self::Note,
        Self::NothingSubmitted,
        Self::CompileError,
        Self::Layout,
    ];
}

/// Something that needs a human.
#[derive(Clone, Debug)]
pub struct Need<'a> {
    /// Its kind.
    pub kind: NeedKind,
    /// The student; `None` if it is about nobody's file.
    pub student: Option<&'a StudentId>,
    /// The team, if it is about all of it: its first member is the student.
    pub team: Option<&'a str>,
    /// What it is about.
    pub about: About<'a>,
    /// The reason.
    pub why: Why<'a>,
    /// The case that it is about, if it is about one.
    pub place: Option<(&'a SubtaskName, &'a CaseName)>,
}

/// What a [`Need`] is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum About<'a> {
    /// Everything that the student submitted.
    Everything,
    /// Problems.
    Problems(Vec<&'a ProblemId>),
    /// A file, by its path.
    File(&'a str),
}

/// The reason of a [`Need`].
#[derive(Clone, Debug, PartialEq)]
pub enum Why<'a> {
    /// Its kind says it all.
    Obvious,
    /// A sentence.
    Reason(Reason<'a>),
    /// A sentence about a program that does not compile, and what the compiler says.
    Build(Reason<'a>, &'a Excerpt),
    /// A verdict in a case that may change if it is graded again.
    Unsettled(Verdict, Unsettled<'a>),
    /// The words of a student.
    Words(&'a Excerpt),
    /// The same program: the first student of the group is the one of the need.
    Similar(&'a SimilarGroup),
}

/// Everything that needs a human, in the order of the class.
pub(crate) fn needs<'a>(results: &'a Results, students: &[StudentView<'a>]) -> Vec<Need<'a>> {
    let mut needs = Vec::new();
    for group in &results.similar {
        needs.push(Need {
            kind: NeedKind::Similar,
            student: group.students.first(),
            team: None,
            about: About::Problems(vec![&group.problem]),
            why: Why::Similar(group),
            place: None,
        });
    }
    let unused = |student, files: &'a [UnusedFile]| {
        let notable = files.iter().filter(|file| file.notable);
        notable.map(move |file| Need {
            about: About::File(&file.path),
            ..said(NeedKind::UnusedFile, student, &file.reason)
        })
    };
    needs.extend(unused(None, &results.unused));
    for student in students {
        needs.extend(unused(Some(student.id), student.unused));
    }
    for student in students {
        let id = Some(student.id);
        let notes = student.notes.iter();
        needs.extend(notes.map(|note| said(NeedKind::Note, id, note)));
        if student.nothing_submitted {
            needs.push(Need {
                kind: NeedKind::NothingSubmitted,
                student: id,
                team: None,
                about: About::Everything,
                why: Why::Obvious,
                place: None,
            });
        }
        let open = student.objection.filter(|it| it.answer.is_none());
        needs.extend(open.map(|objection| Need {
            kind: NeedKind::Objection,
            student: id,
            team: None,
            about: About::Everything,
            why: Why::Words(&objection.text),
            place: None,
        }));
        needs.extend(lost_points(student));
        let own = needs.len();
        for problem in &student.problems {
            for need in of_problem(problem) {
                add(&mut needs, own, id, problem.id, need);
            }
        }
    }
    by_team(needs, students)
}

/// Needs that are the same for all members of a team are its own.
fn by_team<'a>(needs: Vec<Need<'a>>, students: &[StudentView<'a>]) -> Vec<Need<'a>> {
    let teams: Teams<'a> = students.iter().map(|it| (it.id, it.team)).collect();
    let is_same = |one: &Need<'_>, two: &Need<'_>| {
        one.kind == two.kind
            && one.about == two.about
            && one.place == two.place
            && one.why == two.why
    };
    let merged = teams.merge(needs, |need| need.student, is_same).into_iter();
    merged.map(|(team, need)| Need { team, ..need }).collect()
}

/// Adds what a problem of a student needs. If another one of the student, from `own` on, needs the same, they share a need.
fn add<'a>(
    needs: &mut Vec<Need<'a>>,
    own: usize,
    student: Option<&'a StudentId>,
    problem: &'a ProblemId,
    need: Need<'a>,
) {
    let mut known = needs[own..].iter_mut();
    let same = known.find(|it| {
        let is_same =
            matches!((&it.why, &need.why), (Why::Reason(one), Why::Reason(two)) if one == two);
        is_same && it.kind == need.kind && it.place.is_none() && need.place.is_none()
    });
    if let Some(About::Problems(problems)) = same.map(|it| &mut it.about) {
        problems.push(problem);
        return;
    }
    needs.push(Need {
        student,
        about: About::Problems(vec![problem]),
        ..need
    });
}

/// What late work and corrections cost a student.
fn lost_points<'a>(student: &StudentView<'a>) -> impl Iterator<Item = Need<'a>> {
    let kinds = [AdjustmentKind::Late, AdjustmentKind::Correction].into_iter();
    kinds.filter_map(|kind| {
        let problems = student.problems.iter();
        let lost = problems.map(|problem| (problem.id, problem.lost_by(kind)));
        let lost: Vec<_> = lost.filter(|(_, lost)| *lost > Points::ZERO).collect();
        let points: Points = lost.iter().map(|(_, lost)| *lost).sum();
        let (en, zh) = match kind {
            AdjustmentKind::Late => ("late", "迟交"),
            _ => ("corrected by hand", "人工修正"),
        };
        let text = Text::new(format!("{en}: −{points}"), format!("{zh}：−{points} 分"));
        (points > Points::ZERO).then(|| Need {
            kind: NeedKind::LostPoints,
            student: Some(student.id),
            team: None,
            about: About::Problems(lost.into_iter().map(|(id, _)| id).collect()),
            why: Why::Reason(Reason::whole(Cow::Owned(text))),
            place: None,
        })
    })
}

/// A need with this sentence as its reason.
fn said<'a>(kind: NeedKind, student: Option<&'a StudentId>, text: &'a Text) -> Need<'a> {
    Need {
        kind,
        student,
        team: None,
        about: About::Everything,
        why: Why::Reason(Reason::whole(Cow::Borrowed(text))),
        place: None,
    }
}

fn points_to_give(most: Points) -> Text {
    Text::new(format!("up to {most} points"), format!("最多 {most} 分"))
}

/// How a program fails on an input that no case has: `n = 9: expected 352, found 351`.
fn at_input(case: &CaseView<'_>) -> Text {
    let (name, Text { en, zh }) = (case.name(), case.reason());
    Text::new(format!("{name}: {en}"), format!("{name}：{zh}"))
}

/// What of a problem needs a human.
fn of_problem<'a>(problem: &ProblemView<'a>) -> Vec<Need<'a>> {
    let explained = |kind, place| Need {
        kind,
        student: None,
        team: None,
        about: About::Everything,
        why: Why::Reason(problem.reasons[0].clone()),
        place,
    };
    let open = match problem.standing {
        Standing::Open(WhyOpen::Fault(FaultCause::Grader)) => Some(NeedKind::OurFailure),
        Standing::Open(WhyOpen::Fault(FaultCause::Unreadable)) => Some(NeedKind::Unreadable),
        Standing::Open(WhyOpen::Fault(FaultCause::Unclear)) => Some(NeedKind::Unclear),
        Standing::Open(WhyOpen::NotJudged) => Some(NeedKind::NotJudged),
        Standing::Open(WhyOpen::ByHand(_) | WhyOpen::SomeCases)
        | Standing::Scored(_)
        | Standing::Excused => None,
    };
    let mut needs: Vec<Need> = open.into_iter().map(|kind| explained(kind, None)).collect();
    if let (Some(NeedKind::Unclear), Some(last)) = (open, problem.adjustments.last()) {
        needs[0].why = Why::Reason(Reason::whole(Cow::Borrowed(&last.message)));
    }
    needs.extend(problem.to_grade().map(|subtask| Need {
        why: Why::Reason(Reason {
            subtask: Some(subtask.name),
            case: None,
            text: Cow::Owned(points_to_give(subtask.max_points)),
        }),
        ..explained(NeedKind::ByHand, None)
    }));
    let undeserved = problem.counterexample.iter();
    let undeserved = undeserved.filter(|_| problem.verdict == Verdict::Accepted);
    needs.extend(undeserved.map(|case| Need {
        why: Why::Reason(Reason::whole(Cow::Owned(at_input(case)))),
        ..explained(NeedKind::Undeserved, None)
    }));
    for (subtask, case) in problem.cases() {
        needs.extend(case.unsettled().map(|unsettled| Need {
            why: Why::Unsettled(case.verdict(), unsettled),
            ..explained(NeedKind::NotSettled, Some((subtask.name, case.name())))
        }));
    }
    let flags = problem.flags.iter();
    needs.extend(flags.map(|flag| said(NeedKind::Flag, None, &flag.message)));
    if problem.verdict == Verdict::CompileError {
        let mut need = explained(NeedKind::CompileError, None);
        if let Some(messages) = problem.build.and_then(|it| it.messages.as_ref()) {
            need.why = Why::Build(problem.reasons[0].clone(), messages);
        }
        needs.push(need);
    } else if problem.verdict == Verdict::PresentationError {
        let mut cases = problem.cases();
        let first = cases.find(|(_, case)| case.verdict() == Verdict::PresentationError);
        let place = first.map(|(subtask, case)| (subtask.name, case.name()));
        needs.push(explained(NeedKind::Layout, place));
    }
    needs
}

//! Submissions with the same mistake.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use grader_model::{AdjustmentKind, Excerpt, ProblemId, StudentId, Teams, called, escaped};

use crate::case::CaseView;
use crate::problem::{ProblemView, Reason, SubtaskView};
use crate::student::StudentView;

/// Submissions for one problem with the same mistake.
#[derive(Clone, Debug)]
pub struct GroupView<'a> {
    /// The problem.
    pub problem: &'a ProblemId,
    /// The hash of the mistake.
    pub id: &'a str,
    /// Who submitted them, in the order of the class.
    pub students: Vec<&'a StudentId>,
    /// Their ids and names, escaped.
    called: Vec<String>,
    /// The teams of the class.
    teams: Arc<Teams<'a>>,
    /// The mistake, as the first of them shows it, each with the case that it is about.
    pub reasons: Vec<(Reason<'a>, Option<CaseView<'a>>)>,
    /// The compiler's messages, if it does not compile.
    pub compiler: Option<&'a Excerpt>,
    /// Whether a person has said something to all of them.
    pub has_remark: bool,
}

impl GroupView<'_> {
    /// The names of those of its students that are asked for, escaped: a team whose members are all asked for has one.
    pub fn names(&self, is_asked: impl Fn(&StudentId) -> bool) -> Vec<String> {
        let students = self.students.iter().copied().zip(&self.called);
        let asked = students.filter(|it| is_asked(it.0)).collect();
        let merged = self.teams.merge(asked, |it| Some(it.0), |_, _| true);
        let names = merged.into_iter();
        names
            .map(|(team, (_, called))| {
                team.map_or_else(|| called.clone(), |it| escaped(it.as_bytes()))
            })
            .collect()
    }
}

/// The groups of a class: problem by problem, the largest first.
pub(crate) fn groups<'a>(
    problems: impl Iterator<Item = &'a ProblemId>,
    students: &[StudentView<'a>],
) -> Vec<GroupView<'a>> {
    let teams: Arc<Teams<'a>> = Arc::new(students.iter().map(|it| (it.id, it.team)).collect());
    let all = problems.flat_map(|problem| {
        let mut groups: BTreeMap<&str, GroupView> = BTreeMap::new();
        for student in students {
            let Some((view, id)) = student
                .problem(problem)
                .and_then(|it| Some((it, it.behaviour?)))
            else {
                continue;
            };
            let group = groups.entry(id).or_insert_with(|| GroupView {
                problem,
                id,
                students: Vec::new(),
                called: Vec::new(),
                teams: Arc::clone(&teams),
                reasons: failures(view),
                compiler: view.compiler_messages().filter(|_| view.is_unbuilt()),
                has_remark: true,
            });
            group.students.push(student.id);
            group.called.push(called(student.id, student.person));
            group.has_remark &= has_remark(view);
        }
        let mut groups: Vec<_> = groups.into_values().collect();
        groups.sort_by_key(|group| Reverse(group.students.len()));
        groups
    });
    all.collect()
}

/// Why it fails, without what people gave and what changed its points after judging.
fn failures<'a>(problem: &ProblemView<'a>) -> Vec<(Reason<'a>, Option<CaseView<'a>>)> {
    let with_case = |reason: &Reason<'a>| {
        let is_it = |(subtask, case): &(&SubtaskView<'a>, &CaseView<'a>)| {
            Some(subtask.name) == reason.subtask && Some(case.name()) == reason.case
        };
        let case = problem.cases().find(is_it).map(|(_, case)| case.clone());
        (reason.clone(), case)
    };
    let reasons = &problem.reasons[..problem.failures];
    reasons.iter().map(with_case).collect()
}

fn has_remark(problem: &ProblemView<'_>) -> bool {
    let mut kinds = problem.adjustments.iter().map(|it| it.kind);
    kinds.any(|kind| matches!(kind, AdjustmentKind::Comment | AdjustmentKind::Correction))
}

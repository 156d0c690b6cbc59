//! Submissions with the same mistake.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use grader_model::{AdjustmentKind, ProblemId, StudentId, called};

use crate::problem::{ProblemView, Reason};
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
    pub called: Vec<String>,
    /// The mistake, as the first of them shows it.
    pub reasons: Vec<Reason<'a>>,
    /// Whether a person has said something to all of them.
    pub has_remark: bool,
}

/// The groups of a class: problem by problem, the largest first.
pub(crate) fn groups<'a>(
    problems: impl Iterator<Item = &'a ProblemId>,
    students: &[StudentView<'a>],
) -> Vec<GroupView<'a>> {
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
                reasons: failures(view).to_vec(),
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
fn failures<'a, 'b>(problem: &'b ProblemView<'a>) -> &'b [Reason<'a>] {
    &problem.reasons[..problem.failures]
}

fn has_remark(problem: &ProblemView<'_>) -> bool {
    let mut kinds = problem.adjustments.iter().map(|it| it.kind);
    kinds.any(|kind| matches!(kind, AdjustmentKind::Comment | AdjustmentKind::Correction))
}

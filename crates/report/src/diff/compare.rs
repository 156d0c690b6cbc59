//! Comparing two results.

use std::collections::BTreeMap;

use grader_model::{
    CaseResult, Change, Origin, ProblemInfo, ProblemResult, Results, StudentResult, SubtaskResult,
    Verdict,
};

use super::{
    CaseDiff, ComparedRun, CpuLimitDiff, Diff, DiffTag, PointsDiff, Presence, ProblemDiff,
    ResultDiff, StudentDiff, SubtaskDiff, VerdictDiff, same_case,
};

/// What is different between two results of a class. Times, hints and messages are not compared.
pub fn diff(before: &Results, after: &Results) -> Diff {
    let problems = problems(before, after);
    let mut unchanged = 0;
    let mut students = Vec::new();
    for (presence, before, after) in paired(&before.students, &after.students, |it| &it.id) {
        let points = |of: fn(&StudentResult) -> Option<grader_model::Points>| {
            PointsDiff::new(before.and_then(of), after.and_then(of))
        };
        let results = match (before, after) {
            (Some(before), Some(after)) => results(before, after, &problems),
            (Some(_) | None, None) | (None, Some(_)) => Vec::new(),
        };
        if presence == Presence::Both && results.is_empty() {
            unchanged += 1;
            continue;
        }
        let student = before.or(after).map(|student| student.id.to_string());
        students.push(StudentDiff {
            id: student.unwrap_or_default(),
            presence,
            points: points(StudentResult::points),
            bonus: points(StudentResult::bonus),
            problems: results,
        });
    }
    Diff {
        format: DiffTag::DiffV1,
        before: compared(before),
        after: compared(after),
        unchanged,
        problems,
        students,
    }
}

fn compared(results: &Results) -> ComparedRun {
    ComparedRun {
        run: results.run.as_ref().map(|run| run.id),
        began: results.run.as_ref().map(|run| run.began.clone()),
        assignment: results.assignment.id.to_string(),
        interrupted: results.interrupted,
    }
}

/// What is in one list or in both, in the order of the later one, then what is gone.
fn paired<'a, T, K: Ord + 'a>(
    before: &'a [T],
    after: &'a [T],
    key: impl Fn(&'a T) -> &'a K,
) -> Vec<(Presence, Option<&'a T>, Option<&'a T>)> {
    let mut earlier: BTreeMap<&K, &T> = before.iter().map(|item| (key(item), item)).collect();
    let mut pairs = Vec::with_capacity(after.len());
    for item in after {
        let partner = earlier.remove(key(item));
        let presence = match partner {
            Some(_) => Presence::Both,
            None => Presence::New,
        };
        pairs.push((presence, partner, Some(item)));
    }
    for item in before {
        if earlier.remove(key(item)).is_some() {
            pairs.push((Presence::Gone, Some(item), None));
        }
    }
    pairs
}

fn problems(before: &Results, after: &Results) -> Vec<ProblemDiff> {
    let (before, after) = (&before.assignment.problems, &after.assignment.problems);
    let mut changed = Vec::new();
    for (presence, before, after) in paired(before, after, |info| &info.id) {
        let worth = |info: &ProblemInfo| (info.version.clone(), info.points, info.bonus);
        if before.map(worth) != after.map(worth) {
            let id = before.or(after).map(|info| info.id.to_string());
            changed.push(ProblemDiff {
                id: id.unwrap_or_default(),
                presence,
                points_before: before.map(|info| info.points),
                points_after: after.map(|info| info.points),
            });
        }
    }
    changed
}

fn results(
    before: &StudentResult,
    after: &StudentResult,
    problems: &[ProblemDiff],
) -> Vec<ResultDiff> {
    let mut changed = Vec::new();
    for (_, before, after) in paired(&before.problems, &after.problems, |it| &it.id) {
        let subtasks = subtasks(before, after);
        let points = PointsDiff::new(
            before.and_then(|result| result.points),
            after.and_then(|result| result.points),
        );
        let verdict = verdicts(before.map(|it| it.verdict), after.map(|it| it.verdict));
        if points.before == points.after && verdict.before == verdict.after && subtasks.is_empty() {
            continue;
        }
        let fault = |verdict| verdict == Some(Verdict::JudgeError);
        let id = before.or(after).map(|result| result.id.to_string());
        let id = id.unwrap_or_default();
        changed.push(ResultDiff {
            became_fault: !fault(verdict.before) && fault(verdict.after),
            was_fault: fault(verdict.before) && !fault(verdict.after),
            other_version: problems.iter().any(|problem| problem.id == id),
            because: after.map_or_else(Vec::new, because),
            id,
            points,
            verdict,
            subtasks,
        });
    }
    changed
}

/// Why the later run did not take the earlier result, as far as it says so.
fn because(result: &ProblemResult) -> Vec<Change> {
    match &result.origin {
        Some(Origin::Ran { because }) => because.clone(),
        Some(Origin::Reused { .. }) | None => Vec::new(),
    }
}

fn subtasks(before: Option<&ProblemResult>, after: Option<&ProblemResult>) -> Vec<SubtaskDiff> {
    let before = before.map_or(&[][..], |result| &result.subtasks);
    let after = after.map_or(&[][..], |result| &result.subtasks);
    let mut changed = Vec::new();
    for (_, before, after) in paired(before, after, |subtask| &subtask.name) {
        let cases = cases(before, after);
        let points = PointsDiff::new(
            before.and_then(|result| result.points),
            after.and_then(|result| result.points),
        );
        let verdict = verdicts(before.map(|it| it.verdict), after.map(|it| it.verdict));
        if points.before == points.after && verdict.before == verdict.after && cases.is_empty() {
            continue;
        }
        let name = before.or(after).map(|subtask| subtask.name.to_string());
        changed.push(SubtaskDiff {
            name: name.unwrap_or_default(),
            points,
            verdict,
            cases,
        });
    }
    changed
}

fn cases(before: Option<&SubtaskResult>, after: Option<&SubtaskResult>) -> Vec<CaseDiff> {
    let before = before.map_or(&[][..], |subtask| &subtask.cases);
    let after = after.map_or(&[][..], |subtask| &subtask.cases);
    let mut changed = Vec::new();
    for (_, before, after) in paired(before, after, |case| &case.name) {
        if let (Some(before), Some(after)) = (before, after)
            && same_case(before, after)
        {
            continue;
        }
        let name = before.or(after).map(|case| case.name.to_string());
        let limits = |of: Option<&CaseResult>| of.and_then(|case| case.limits);
        let limits = limits(before).zip(limits(after));
        changed.push(CaseDiff {
            name: name.unwrap_or_default(),
            verdict: verdicts(before.map(|it| it.verdict), after.map(|it| it.verdict)),
            cpu_limit: limits
                .filter(|(before, after)| before.cpu != after.cpu)
                .map(|(before, after)| CpuLimitDiff {
                    before_ms: before.cpu,
                    after_ms: after.cpu,
                }),
            memory_limit_kib: limits
                .filter(|(before, after)| before.memory != after.memory)
                .map(|(before, after)| (before.memory.kib(), after.memory.kib())),
        });
    }
    changed
}

const fn verdicts(before: Option<Verdict>, after: Option<Verdict>) -> VerdictDiff {
    VerdictDiff { before, after }
}

//! What differs between two runs of one class: whose points, by how much, and in which cases.

mod text;

use std::collections::BTreeMap;
use std::io::{self, Write};

use grader_model::{
    AssignmentId, CaseResult, Change, Origin, Points, ProblemId, ProblemInfo, ProblemResult,
    Results, StudentId, StudentResult, Verdict,
};
use serde::Serialize;

use crate::json::write_value;

/// What differs between two runs: `bitcraft-diff/2`. It is for staff: hidden cases are in it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Diff {
    format: &'static str,
    before: ComparedRun,
    after: ComparedRun,
    /// Number of students whose points and verdicts are all the same.
    unchanged: usize,
    /// In the order of the later run, then those that are gone; so are all lists below.
    problems: Vec<ProblemDiff>,
    students: Vec<StudentDiff>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct ComparedRun {
    /// `null` if it is in no ledger.
    run: Option<u64>,
    began: Option<String>,
    assignment: AssignmentId,
    interrupted: bool,
}

/// In which of the two runs something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Presence {
    Both,
    New,
    Gone,
}

/// Before and after: `null` if there is nothing, or if points are not known yet.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
struct Pair<T> {
    before: Option<T>,
    after: Option<T>,
}

/// A problem of another version, or worth other points.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
struct ProblemDiff {
    id: ProblemId,
    /// `null` where the problem is not in the run.
    max_points: Pair<Points>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct StudentDiff {
    id: StudentId,
    presence: Presence,
    points: Pair<Points>,
    bonus: Pair<Points>,
    /// None for a student who is in one run only.
    problems: Vec<ResultDiff>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct ResultDiff {
    id: ProblemId,
    points: Pair<Points>,
    verdict: Pair<Verdict>,
    /// Why the later run judged anew.
    because: Vec<Change>,
    cases: Vec<CaseDiff>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct CaseDiff {
    /// `subtask/case`.
    name: String,
    verdict: Pair<Verdict>,
}

impl Diff {
    /// Whether both runs give every student the same points and verdicts, for the same problems.
    pub fn is_empty(&self) -> bool {
        self.students.is_empty() && self.problems.is_empty()
    }

    /// Writes the differences as JSON, indented, with a line feed at the end.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        write_value(self, out)
    }
}

/// The differences between two results of a class. Times, hints and messages are not compared.
pub fn diff(before: &Results, after: &Results) -> Diff {
    let mut unchanged = 0;
    let students = changed(
        &before.students,
        &after.students,
        |it| &it.id,
        |it| {
            let problems = it.before.zip(it.after).map_or_else(Vec::new, problems);
            let presence = match it {
                Pair { before: None, .. } => Presence::New,
                Pair { after: None, .. } => Presence::Gone,
                _ if problems.is_empty() => {
                    unchanged += 1;
                    return None;
                }
                _ => Presence::Both,
            };
            Some(StudentDiff {
                id: it.any()?.id.clone(),
                presence,
                points: it.of(StudentResult::points),
                bonus: it.of(StudentResult::bonus),
                problems,
            })
        },
    );
    let [earlier, later] = [before, after].map(|results| &results.assignment.problems);
    let problems = changed(
        earlier,
        later,
        |info| &info.id,
        |it| {
            let judged_by = |info: &ProblemInfo| (info.version.clone(), info.points, info.bonus);
            (it.before.map(judged_by) != it.after.map(judged_by)).then_some(ProblemDiff {
                id: it.any()?.id.clone(),
                max_points: it.of(|info| Some(info.points)),
            })
        },
    );
    let [before, after] = [before, after].map(|results| ComparedRun {
        run: results.run.as_ref().map(|run| run.id),
        began: results.run.as_ref().map(|run| run.began.clone()),
        assignment: results.assignment.id.clone(),
        interrupted: results.interrupted,
    });
    Diff {
        format: "bitcraft-diff/2",
        before,
        after,
        unchanged,
        problems,
        students,
    }
}

fn problems((before, after): (&StudentResult, &StudentResult)) -> Vec<ResultDiff> {
    changed(
        &before.problems,
        &after.problems,
        |it| &it.id,
        |it| {
            let diff = ResultDiff {
                id: it.any()?.id.clone(),
                points: it.of(|problem| problem.points),
                verdict: it.of(|problem| Some(problem.verdict)),
                because: match it.after.and_then(|problem| problem.origin.as_ref()) {
                    Some(Origin::Ran { because }) => because.clone(),
                    Some(Origin::Reused { .. }) | None => Vec::new(),
                },
                cases: cases(it),
            };
            let differs = diff.points.differ() || diff.verdict.differ() || !diff.cases.is_empty();
            differs.then_some(diff)
        },
    )
}

fn cases(of: Pair<&ProblemResult>) -> Vec<CaseDiff> {
    let named = |problem: Option<&ProblemResult>| -> Vec<(String, Verdict)> {
        let subtasks = problem.into_iter().flat_map(|problem| &problem.subtasks);
        let cases = subtasks.flat_map(|subtask| {
            let name = move |case: &CaseResult| format!("{}/{}", subtask.name, case.name);
            subtask
                .cases
                .iter()
                .map(move |case| (name(case), case.verdict))
        });
        cases.collect()
    };
    changed(
        &named(of.before),
        &named(of.after),
        |(name, _)| name,
        |it| {
            let verdict = it.of(|(_, verdict)| Some(*verdict));
            verdict.differ().then_some(CaseDiff {
                name: it.any()?.0.clone(),
                verdict,
            })
        },
    )
}

/// The differences that `compare` finds between elements of the same key.
fn changed<'a, T, K: Ord + 'a, D>(
    before: &'a [T],
    after: &'a [T],
    key: impl Fn(&'a T) -> &'a K,
    compare: impl FnMut(Pair<&'a T>) -> Option<D>,
) -> Vec<D> {
    let mut earlier: BTreeMap<&K, &T> = before.iter().map(|it| (key(it), it)).collect();
    let later = after.iter().map(|it| Pair {
        before: earlier.remove(key(it)),
        after: Some(it),
    });
    let mut pairs: Vec<Pair<&T>> = later.collect();
    let gone = before.iter().filter(|&it| earlier.contains_key(key(it)));
    pairs.extend(gone.map(|it| Pair {
        before: Some(it),
        after: None,
    }));
    pairs.into_iter().filter_map(compare).collect()
}

impl<T: PartialEq> Pair<T> {
    fn differ(&self) -> bool {
        self.before != self.after
    }
}

impl<'a, T> Pair<&'a T> {
    fn any(self) -> Option<&'a T> {
        self.after.or(self.before)
    }

    fn of<V>(self, get: impl Fn(&'a T) -> Option<V>) -> Pair<V> {
        Pair {
            before: self.before.and_then(&get),
            after: self.after.and_then(&get),
        }
    }
}

#[cfg(test)]
mod tests;

//! What differs between two runs of one class: whose points, by how much, and in which cases.

mod text;

use std::collections::BTreeMap;
use std::io::{self, Write};

use grader_model::{
    AssignmentId, CaseName, CaseResult, Change, Origin, Points, ProblemId, ProblemInfo,
    ProblemResult, Results, RunInfo, Share, StudentId, StudentResult, SubtaskName, SubtaskResult,
    Verdict,
};
use serde::Serialize;

use crate::json::write_value;
use crate::style::Style;

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
    presence: Presence,
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
    subtasks: Vec<SubtaskDiff>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct SubtaskDiff {
    name: SubtaskName,
    points: Pair<Points>,
    verdict: Pair<Verdict>,
    cases: Vec<CaseDiff>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct CaseDiff {
    name: CaseName,
    verdict: Pair<Verdict>,
    /// The part of its points that the case earns, in percent; `null` if it is all or nothing.
    share: Pair<Share>,
}

impl Diff {
    /// Whether both runs give every student the same points and verdicts, for the same problems.
    pub fn is_empty(&self) -> bool {
        self.students.is_empty() && self.problems.is_empty()
    }

    /// The differences for people.
    pub fn text(&self, style: &Style) -> String {
        text::text(self, style)
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
        |student| &student.id,
        |it| {
            let problems = it.both().map_or_else(Vec::new, problems);
            if it.presence() == Presence::Both && problems.is_empty() {
                unchanged += 1;
                return None;
            }
            Some(StudentDiff {
                id: it.any()?.id.clone(),
                presence: it.presence(),
                points: it.of(StudentResult::points),
                bonus: it.of(StudentResult::bonus),
                problems,
            })
        },
    );
    let infos = [before, after].map(|results| results.assignment.problems.as_slice());
    let problems = changed(
        infos[0],
        infos[1],
        |info| &info.id,
        |it| {
            let judged_by = |info: &ProblemInfo| (info.version.clone(), info.points, info.bonus);
            (it.before.map(judged_by) != it.after.map(judged_by)).then_some(ProblemDiff {
                id: it.any()?.id.clone(),
                presence: it.presence(),
                max_points: it.of(|info| Some(info.points)),
            })
        },
    );
    Diff {
        format: "bitcraft-diff/2",
        before: compared(before),
        after: compared(after),
        unchanged,
        problems,
        students,
    }
}

fn compared(results: &Results) -> ComparedRun {
    let run = results.run.as_ref();
    ComparedRun {
        run: run.map(|run| run.id),
        began: run.map(|RunInfo { began, .. }| began.clone()),
        assignment: results.assignment.id.clone(),
        interrupted: results.interrupted,
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
                points: it.of(|problem: &ProblemResult| problem.points),
                verdict: it.of(|problem| Some(problem.verdict)),
                because: match it.after.and_then(|problem| problem.origin.as_ref()) {
                    Some(Origin::Ran { because }) => because.clone(),
                    Some(Origin::Reused { .. }) | None => Vec::new(),
                },
                subtasks: subtasks(it),
            };
            let differs =
                diff.points.differ() || diff.verdict.differ() || !diff.subtasks.is_empty();
            differs.then_some(diff)
        },
    )
}

fn subtasks(of: Pair<&ProblemResult>) -> Vec<SubtaskDiff> {
    let [before, after] = of.each(|problem| problem.subtasks.as_slice());
    changed(
        before,
        after,
        |it| &it.name,
        |it| {
            let diff = SubtaskDiff {
                name: it.any()?.name.clone(),
                points: it.of(|subtask: &SubtaskResult| subtask.points),
                verdict: it.of(|subtask| Some(subtask.verdict)),
                cases: cases(it),
            };
            let differs = diff.points.differ() || diff.verdict.differ() || !diff.cases.is_empty();
            differs.then_some(diff)
        },
    )
}

fn cases(of: Pair<&SubtaskResult>) -> Vec<CaseDiff> {
    let [before, after] = of.each(|subtask| subtask.cases.as_slice());
    changed(
        before,
        after,
        |it| &it.name,
        |it| {
            let diff = CaseDiff {
                name: it.any()?.name.clone(),
                verdict: it.of(|case: &CaseResult| Some(case.verdict)),
                share: it.of(|case| case.share),
            };
            (diff.verdict.differ() || diff.share.differ()).then_some(diff)
        },
    )
}

/// The differences that `compare` finds between elements of the same key.
fn changed<'a, T, K: Ord + 'a, D>(
    before: &'a [T],
    after: &'a [T],
    key: impl Fn(&'a T) -> &'a K,
    mut compare: impl FnMut(Pair<&'a T>) -> Option<D>,
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
    pairs.into_iter().filter_map(|pair| compare(pair)).collect()
}

impl<T: PartialEq> Pair<T> {
    fn differ(&self) -> bool {
        self.before != self.after
    }
}

impl<'a, T> Pair<&'a T> {
    const fn presence(self) -> Presence {
        match (self.before, self.after) {
            (None, _) => Presence::New,
            (Some(_), None) => Presence::Gone,
            (Some(_), Some(_)) => Presence::Both,
        }
    }

    fn any(self) -> Option<&'a T> {
        self.after.or(self.before)
    }

    fn both(self) -> Option<(&'a T, &'a T)> {
        self.before.zip(self.after)
    }

    fn of<V>(self, get: impl Fn(&'a T) -> Option<V>) -> Pair<V> {
        Pair {
            before: self.before.and_then(&get),
            after: self.after.and_then(&get),
        }
    }

    /// The lists of both, empty where there is nothing.
    fn each<V>(self, get: impl Fn(&'a T) -> &'a [V]) -> [&'a [V]; 2] {
        [self.before, self.after].map(|it| it.map_or(&[][..], &get))
    }
}

#[cfg(test)]
mod tests;

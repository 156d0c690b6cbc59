//! What differs between two runs of one class: which students' points, by how much, and in which cases.

mod text;

use std::collections::BTreeMap;
use std::io::{self, Write};

use grader_model::{
    AssignmentId, CaseResult, Change, CpuTime, Origin, ProblemId, ProblemResult, Results, Standing,
    StudentId, StudentResult, Verdict,
};
use grader_view::unsettled;
use serde::Serialize;

use crate::json::write_value;

/// What differs between two runs: `bitcraft-diff/2`. It is for staff: hidden cases are in it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Diff {
    format: &'static str,
    before: ComparedRun,
    after: ComparedRun,
    /// Number of students with the same points and verdicts in both.
    unchanged: usize,
    /// In the order of the later run, then those that are gone; so are all lists below.
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

#[derive(Clone, Debug, PartialEq, Serialize)]
struct StudentDiff {
    id: StudentId,
    presence: Presence,
    points: Pair<Standing>,
    bonus: Pair<Standing>,
    /// None for a student who is in one run only.
    problems: Vec<ResultDiff>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct ResultDiff {
    id: ProblemId,
    points: Pair<Standing>,
    verdict: Pair<Verdict>,
    /// Why the later run judged it again.
    because: Vec<Change>,
    cases: Vec<CaseDiff>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
struct CaseDiff {
    /// `subtask/case`.
    name: String,
    verdict: Pair<Verdict>,
    /// Why one program may get both verdicts; `null` if nothing tells, or the student's files have changed.
    reason: Option<Reason>,
    /// Whether both verdicts were certain: a result near a limit that repeated runs did not settle is not.
    settled: bool,
    cpu_ms: Pair<CpuTime>,
    limit_ms: Pair<CpuTime>,
}

/// Why one program may get two verdicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Reason {
    /// It took too long, or nearly.
    Time,
    /// It used too much memory.
    Memory,
    /// It draws random numbers.
    Chance,
}

impl Diff {
    /// Whether nothing differs.
    pub(crate) fn is_empty(&self) -> bool {
        self.students.is_empty()
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
    let students = changed(&before.students, &after.students, |it| &it.id, student);
    let gone = students.iter().filter(|it| it.presence == Presence::Gone);
    let unchanged = after.students.len() + gone.count() - students.len();
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
        students,
    }
}

fn student(results: Pair<&StudentResult>) -> Option<StudentDiff> {
    let (presence, problems) = match (results.before, results.after) {
        (None, _) => (Presence::New, Vec::new()),
        (_, None) => (Presence::Gone, Vec::new()),
        (Some(before), Some(after)) => {
            let problems = changed(&before.problems, &after.problems, |it| &it.id, result);
            (Presence::Both, problems)
        }
    };
    let differs = presence != Presence::Both || !problems.is_empty();
    differs.then_some(StudentDiff {
        id: results.any()?.id.clone(),
        presence,
        points: results.of(|it| Some(it.standing_without_bonus())),
        bonus: results.of(|it| Some(it.standing_of_bonus())),
        problems,
    })
}

fn result(results: Pair<&ProblemResult>) -> Option<ResultDiff> {
    let [before, after] = [results.before, results.after].map(named_cases);
    let because = match results.after.and_then(|problem| problem.origin.as_ref()) {
        Some(Origin::Ran { because }) => because.clone(),
        Some(Origin::Reused { .. }) | None => Vec::new(),
    };
    let is_same_program = !because.contains(&Change::Sources);
    let diff = ResultDiff {
        id: results.any()?.id.clone(),
        points: results.of(|problem| Some(problem.standing())),
        verdict: results.of(|problem| Some(problem.verdict)),
        because,
        cases: changed(
            &before,
            &after,
            |(name, _)| name,
            |it| case(it, is_same_program),
        ),
    };
    let differs = diff.points.differ() || diff.verdict.differ() || !diff.cases.is_empty();
    differs.then_some(diff)
}

/// The cases of a problem, by `subtask/case`.
pub(crate) fn named_cases(problem: Option<&ProblemResult>) -> Vec<(String, &CaseResult)> {
    let mut cases = Vec::new();
    for subtask in problem.into_iter().flat_map(|problem| &problem.subtasks) {
        let named = subtask.cases.iter();
        cases.extend(named.map(|case| (format!("{}/{}", subtask.name, case.name), case)));
    }
    cases
}

fn case(cases: Pair<&(String, &CaseResult)>, is_same_program: bool) -> Option<CaseDiff> {
    let verdict = cases.of(|(_, case)| Some(case.verdict));
    let both = || {
        [cases.before, cases.after]
            .into_iter()
            .flatten()
            .map(|it| it.1)
    };
    let any = |is: fn(&CaseResult) -> bool| both().any(is);
    let reason = if any(|it| it.attempts.is_some()) {
        Some(Reason::Chance)
    } else if any(|it| it.verdict == Verdict::TimeLimit || it.near_limit) {
        Some(Reason::Time)
    } else if any(|it| it.verdict == Verdict::MemoryLimit) {
        Some(Reason::Memory)
    } else {
        None
    };
    verdict.differ().then(|| CaseDiff {
        name: cases.any().map(|it| it.0.clone()).unwrap_or_default(),
        verdict,
        reason: reason.filter(|_| is_same_program),
        settled: !any(|it| unsettled(it).is_some()),
        cpu_ms: cases.of(|(_, case)| Some(case.outcome.as_ref()?.cpu)),
        limit_ms: cases.of(|(_, case)| Some(case.limits?.cpu)),
    })
}

/// The differences that `compare` finds between elements of the same key.
fn changed<'a, T, K: Ord + 'a, D>(
    before: &'a [T],
    after: &'a [T],
    key: impl Fn(&'a T) -> &'a K,
    compare: impl FnMut(Pair<&'a T>) -> Option<D>,
) -> Vec<D> {
    let by_key = |all: &'a [T]| all.iter().map(|it| (key(it), it)).collect();
    let (old, new): (BTreeMap<&K, &T>, BTreeMap<&K, &T>) = (by_key(before), by_key(after));
    let after_pairs = after.iter().map(|it| Pair {
        before: old.get(key(it)).copied(),
        after: Some(it),
    });
    let gone = before.iter().filter(|it| !new.contains_key(key(it)));
    let gone = gone.map(|it| Pair {
        before: Some(it),
        after: None,
    });
    after_pairs.chain(gone).filter_map(compare).collect()
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

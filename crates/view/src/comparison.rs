//! What changed between two results of one class. This is the only place that says what a change is.

use std::collections::BTreeMap;

use grader_model::{
    AssignmentId, CaseResult, Change, CpuTime, Origin, Points, ProblemId, ProblemResult, Results,
    Standing, StudentId, StudentResult, Verdict,
};
use schemars::JsonSchema;
use serde::Serialize;

use crate::case::{is_judged, unsettled};
use crate::status::Status;

/// What changed between two results of a class: `bitcraft-diff/2`. It is for staff: hidden cases are in it.
///
/// A result has changed if its points, its status, its verdict or that of one of its cases is another. Times, hints and messages are
/// not compared.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Comparison {
    /// Name and version of this format.
    #[schemars(extend("const" = "bitcraft-diff/2"))]
    format: &'static str,
    /// Which points and verdicts were compared.
    pub compared: Compared,
    /// The earlier run.
    pub before: ComparedRun,
    /// The later run.
    pub after: ComparedRun,
    /// Number of students of whom nothing changed.
    pub unchanged: usize,
    /// The others, in the order of the later run, then those that are gone; so are all lists below.
    pub students: Vec<ChangedStudent>,
    /// The cases that were judged both times.
    #[serde(skip)]
    pub judged: JudgedTwice,
}

/// Which points and verdicts are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Compared {
    /// Those that were judged.
    Judged,
    /// Those with what changed the points after judging: late work, corrections by hand and excuses.
    Corrected,
}

/// A run that is compared.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct ComparedRun {
    /// Its number; `null` if it is in no ledger.
    pub run: Option<u64>,
    /// Start time: RFC 3339, UTC, to the second.
    pub began: Option<String>,
    /// The assignment.
    pub assignment: AssignmentId,
    /// Whether it was stopped before every student was graded.
    pub interrupted: bool,
}

/// In which of the two runs something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Presence {
    /// In both.
    Both,
    /// Only in the later one.
    New,
    /// Only in the earlier one.
    Gone,
}

/// Before and after: `null` if there is nothing, or if points are not known yet.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Pair<T> {
    /// In the earlier run.
    pub before: Option<T>,
    /// In the later run.
    pub after: Option<T>,
}

/// A student whose results changed.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct ChangedStudent {
    /// The student.
    pub id: StudentId,
    /// In which of the runs.
    pub presence: Presence,
    /// Points without the bonus.
    #[schemars(with = "Pair<Points>")]
    pub points: Pair<Standing>,
    /// Bonus points.
    #[schemars(with = "Pair<Points>")]
    pub bonus: Pair<Standing>,
    /// None of a student who is in one run only.
    pub problems: Vec<ChangedProblem>,
}

/// A result that changed.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct ChangedProblem {
    /// The problem.
    pub id: ProblemId,
    /// Its points.
    #[schemars(with = "Pair<Points>")]
    pub points: Pair<Standing>,
    /// Full points.
    pub max_points: Pair<Points>,
    /// Whether it is good.
    pub status: Pair<Status>,
    /// Combined verdict.
    pub verdict: Pair<Verdict>,
    /// Why the later run judged it again.
    pub because: Vec<Change>,
    /// The cases whose verdicts changed.
    pub cases: Vec<ChangedCase>,
}

/// A case whose verdict changed.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct ChangedCase {
    /// `subtask/case`.
    pub name: String,
    /// Its verdict.
    pub verdict: Pair<Verdict>,
    /// Why one program may get both verdicts; `null` if nothing tells, or the student's files have changed.
    pub reason: Option<ChangeReason>,
    /// Whether both verdicts were certain: a result near a limit that repeated runs did not settle is not.
    pub settled: bool,
    /// CPU time.
    pub cpu_ms: Pair<CpuTime>,
    /// CPU time limit.
    pub limit_ms: Pair<CpuTime>,
}

/// Why one program may get two verdicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ChangeReason {
    /// It took too long, or nearly.
    Time,
    /// It used too much memory.
    Memory,
    /// It draws random numbers.
    Chance,
}

/// The cases that were judged both times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct JudgedTwice {
    /// Cases that were judged both times.
    pub cases: usize,
    /// Those of them with the same verdict.
    pub same: usize,
    /// Those with two verdicts of which one was not certain.
    pub not_settled: usize,
}

impl Comparison {
    /// Compares two results of a class.
    pub fn of(before: &Results, after: &Results, compared: Compared) -> Self {
        let mut judged = JudgedTwice::default();
        let student = |pair: Pair<&StudentResult>| student(pair, &mut judged);
        let students = changed(&before.students, &after.students, |it| &it.id, student);
        let gone = students.iter().filter(|it| it.presence == Presence::Gone);
        Self {
            format: "bitcraft-diff/2",
            compared,
            before: ComparedRun::of(before),
            after: ComparedRun::of(after),
            unchanged: after.students.len() + gone.count() - students.len(),
            students,
            judged,
        }
    }

    /// Whether nothing changed.
    pub fn is_same(&self) -> bool {
        self.students.is_empty()
    }
}

impl ComparedRun {
    fn of(results: &Results) -> Self {
        Self {
            run: results.run.as_ref().map(|run| run.id),
            began: results.run.as_ref().map(|run| run.began.clone()),
            assignment: results.assignment.id.clone(),
            interrupted: results.interrupted,
        }
    }
}

impl ChangedStudent {
    /// What changed in a problem.
    pub fn problem(&self, id: &ProblemId) -> Option<&ChangedProblem> {
        self.problems.iter().find(|it| it.id == *id)
    }
}

fn student(pair: Pair<&StudentResult>, judged: &mut JudgedTwice) -> Option<ChangedStudent> {
    let (presence, problems) = match (pair.before, pair.after) {
        (None, _) => (Presence::New, Vec::new()),
        (_, None) => (Presence::Gone, Vec::new()),
        (Some(before), Some(after)) => {
            let problem = |pair: Pair<&ProblemResult>| problem(pair, judged);
            let problems = changed(&before.problems, &after.problems, |it| &it.id, problem);
            (Presence::Both, problems)
        }
    };
    let differs = presence != Presence::Both || !problems.is_empty();
    differs.then_some(ChangedStudent {
        id: pair.any()?.id.clone(),
        presence,
        points: pair.of(|it| Some(it.standing_without_bonus())),
        bonus: pair.of(|it| Some(it.standing_of_bonus())),
        problems,
    })
}

fn problem(pair: Pair<&ProblemResult>, judged: &mut JudgedTwice) -> Option<ChangedProblem> {
    let [before, after] = [pair.before, pair.after].map(|problem| {
        let cases = problem.into_iter().flat_map(ProblemResult::cases);
        cases.collect::<Vec<_>>()
    });
    let because = match pair.after.and_then(|problem| problem.origin.as_ref()) {
        Some(Origin::Ran { because }) => because.clone(),
        Some(Origin::Reused { .. }) | None => Vec::new(),
    };
    let is_same_program = !because.contains(&Change::Sources);
    let case = |pair: Pair<&(String, &CaseResult)>| {
        judged.count(pair.of(|named| Some(named.1)));
        case(pair, is_same_program)
    };
    let cases = changed(&before, &after, |(name, _)| name, case);
    let status = pair.of(|it| Some(Status::of(it)));
    // The problem may be worth more now.
    let is_other_status = status.of(|it| Some((it.word(), it.lost()))).differ();
    let found = ChangedProblem {
        id: pair.any()?.id.clone(),
        points: pair.of(|it| Some(it.standing())),
        max_points: pair.of(|it| Some(it.max_points)),
        status,
        verdict: pair.of(|it| Some(it.verdict)),
        because,
        cases,
    };
    let differs = found.points.differ()
        || is_other_status
        || found.verdict.differ()
        || !found.cases.is_empty();
    differs.then_some(found)
}

fn case(pair: Pair<&(String, &CaseResult)>, is_same_program: bool) -> Option<ChangedCase> {
    let cases = pair.of(|named| Some(named.1));
    let any = |is: fn(&CaseResult) -> bool| cases.both().any(is);
    let reason = if any(|it| it.attempts.is_some()) {
        Some(ChangeReason::Chance)
    } else if any(|it| it.verdict == Verdict::TimeLimit || it.near_limit) {
        Some(ChangeReason::Time)
    } else if any(|it| it.verdict == Verdict::MemoryLimit) {
        Some(ChangeReason::Memory)
    } else {
        None
    };
    let verdict = cases.of(|case| Some(case.verdict));
    verdict.differ().then(|| ChangedCase {
        name: pair.any().map(|it| it.0.clone()).unwrap_or_default(),
        verdict,
        reason: reason.filter(|_| is_same_program),
        settled: !any(|it| unsettled(it).is_some()),
        cpu_ms: cases.of(|case| Some(case.outcome.as_ref()?.cpu)),
        limit_ms: cases.of(|case| Some(case.limits?.cpu)),
    })
}

impl JudgedTwice {
    fn count(&mut self, cases: Pair<&CaseResult>) {
        if cases.both().filter(|it| is_judged(it)).count() < 2 {
            return;
        }
        self.cases += 1;
        if !cases.of(|case| Some(case.verdict)).differ() {
            self.same += 1;
        } else if cases.both().any(|case| unsettled(case).is_some()) {
            self.not_settled += 1;
        }
    }
}

/// The changes that `compare` finds between elements of the same key.
fn changed<'a, T, K: Ord + 'a, C>(
    before: &'a [T],
    after: &'a [T],
    key: impl Fn(&'a T) -> &'a K,
    compare: impl FnMut(Pair<&'a T>) -> Option<C>,
) -> Vec<C> {
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
    /// Whether they are not the same.
    pub fn differ(&self) -> bool {
        self.before != self.after
    }
}

impl<T: Copy> Pair<T> {
    fn any(self) -> Option<T> {
        self.after.or(self.before)
    }

    fn both(self) -> impl Iterator<Item = T> {
        self.before.into_iter().chain(self.after)
    }

    fn of<V>(self, get: impl Fn(T) -> Option<V>) -> Pair<V> {
        Pair {
            before: self.before.and_then(&get),
            after: self.after.and_then(&get),
        }
    }
}

#[cfg(test)]
mod tests;

//! Judging again from recorded times, under a smaller multiple of the reference's time. Nothing is run.
//!
//! A run that was let go on to its limit tells what any smaller limit would have made of it; one that was stopped
//! tells nothing about a larger one. So limits may only be made smaller, and no result gets better.

use std::fmt;

use grader_model::{
    Breach, CaseResult, CpuTime, LanguageId, Limits, ProblemId, ProblemResult, Results,
    SubtaskName, SubtaskResult, Text, Verdict,
};
use grader_problem::{Assignment, LimitRule, Problem, Subtask, TimeRule};

use crate::job::lacking;
use crate::run::BAND;
use crate::score::{problem_points, subtask_result};
use crate::verdict::cpu_message;

/// Results that were judged again.
#[derive(Clone, Debug, PartialEq)]
pub struct Rejudged {
    /// The results. Flags and yardsticks are as recorded; `TimeInfo::factor` is the new one.
    pub results: Results,
    /// What was judged again.
    pub problems: Vec<RejudgedProblem>,
    /// Problems whose limits are absolute: left as they were.
    pub absolute: Vec<ProblemId>,
    /// Subtasks with rules of their own for times or runs: left as they were, except where a subtask that they
    /// require was lost.
    pub aside: Vec<(ProblemId, SubtaskName)>,
}

/// A problem that was judged again.
#[derive(Clone, Debug, PartialEq)]
pub struct RejudgedProblem {
    /// The problem.
    pub id: ProblemId,
    /// The multiple it was graded with.
    pub graded_with: f64,
    /// Number of runs that were within their limits and are not any more.
    pub lost: usize,
}

/// Why results cannot be judged again.
#[derive(Clone, Debug, PartialEq)]
pub enum RejudgeError {
    /// The factor is not a number above 0.
    Factor,
    /// The record is of another assignment.
    OtherAssignment {
        /// The record's.
        recorded: String,
        /// The one that was given.
        given: String,
    },
    /// The record has no such problem.
    NoProblem {
        /// The problem.
        problem: ProblemId,
        /// Those it has.
        known: Vec<ProblemId>,
    },
    /// The problem is not what it was when it was graded, or is not in the assignment any more.
    Changed(ProblemId),
    /// The factor is larger than the one that the problem was graded with.
    Larger {
        /// The problem.
        problem: ProblemId,
        /// The factor that was asked for.
        asked: f64,
        /// The problem's.
        graded_with: f64,
    },
    /// No limit of these problems is a multiple of the reference's time.
    NoMultiple(Vec<ProblemId>),
    /// The subtasks of a result are not those of the problem: somebody has changed the record.
    OtherSubtasks(ProblemId),
}

impl RejudgeError {
    /// The reason for people.
    pub fn text(&self) -> Text {
        match self {
            Self::Factor => Text::new(
                "the time factor must be a number above 0",
                "时间倍数必须是大于 0 的数",
            ),
            Self::OtherAssignment { recorded, given } => Text::new(
                format!(
                    "the record is of the assignment `{recorded}`, not of `{given}`: name its own with `--assignment`"
                ),
                format!(
                    "这份评测记录属于作业 `{recorded}`，而不是 `{given}`：请用 `--assignment` 指定它的作业"
                ),
            ),
            Self::NoProblem { problem, known } => Text::new(
                format!(
                    "the record has no problem `{problem}`: expected one of {}",
                    listed(known, ", ")
                ),
                format!(
                    "评测记录中没有题目 `{problem}`：应为 {} 之一",
                    listed(known, "、")
                ),
            ),
            Self::Changed(problem) => Text::new(
                format!(
                    "problem `{problem}` is not what it was when it was graded: its files have changed since, and \
                     points by other rules need a new run of `grader grade`"
                ),
                format!(
                    "题目 `{problem}` 与评测时不同：它的文件已经改动，要按新的规则计分，请重新运行 `grader grade`"
                ),
            ),
            Self::Larger {
                problem,
                asked,
                graded_with,
            } => Text::new(
                format!(
                    "a time factor of {asked} is larger than that of problem `{problem}`, which was graded with \
                     {graded_with}: a run that was stopped at its limit says nothing about a longer one"
                ),
                format!(
                    "时间倍数 {asked} 大于题目 `{problem}` 评测时的 {graded_with}：到达限制而被终止的运行，说明不了更长的限制"
                ),
            ),
            Self::NoMultiple(problems) => Text::new(
                format!(
                    "no limit of {} is a multiple of the reference's time: there is no factor to change",
                    listed(problems, ", ")
                ),
                format!(
                    "{} 的时间限制都不是参考程序用时的倍数：没有可以改的倍数",
                    listed(problems, "、")
                ),
            ),
            Self::OtherSubtasks(problem) => Text::new(
                format!("the record is damaged: the subtasks of `{problem}` are not the problem's"),
                format!("评测记录已损坏：`{problem}` 的子任务与题目不符"),
            ),
        }
    }
}

fn listed(problems: &[ProblemId], comma: &str) -> String {
    let ticked: Vec<String> = problems.iter().map(|id| format!("`{id}`")).collect();
    ticked.join(comma)
}

impl fmt::Display for RejudgeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text().en)
    }
}

impl std::error::Error for RejudgeError {}

/// Judges recorded results again, with `factor` times the reference's time as the limit: of all problems, or of
/// `only` one.
///
/// Limits follow the problem's rule with its factor replaced: the floor, the language's factor and the ceiling stay,
/// and so do wall time, memory and output. Where a run was confirmed alone, the time of the one that counted and the
/// smallest yardstick count. Points are folded anew; a subtask that requires a lost one is skipped as if it had not
/// been run.
///
/// # Errors
/// When the factor is larger than that of one of the problems, or when `assignment` is not what was graded.
pub fn rejudge(
    results: &Results,
    assignment: &Assignment,
    factor: f64,
    only: Option<&ProblemId>,
) -> Result<Rejudged, RejudgeError> {
    if !(factor > 0.0 && factor.is_finite()) {
        return Err(RejudgeError::Factor);
    }
    if results.assignment.id != assignment.id {
        return Err(RejudgeError::OtherAssignment {
            recorded: results.assignment.id.to_string(),
            given: assignment.id.to_string(),
        });
    }
    let recorded = &results.assignment.problems;
    if let Some(problem) = only
        && !recorded.iter().any(|info| info.id == *problem)
    {
        return Err(RejudgeError::NoProblem {
            problem: problem.clone(),
            known: recorded.iter().map(|info| info.id.clone()).collect(),
        });
    }
    let mut done = Rejudged {
        results: results.clone(),
        problems: Vec::new(),
        absolute: Vec::new(),
        aside: Vec::new(),
    };
    for (index, info) in recorded.iter().enumerate() {
        if only.is_some_and(|only| *only != info.id) {
            continue;
        }
        let entry = assignment
            .problems
            .iter()
            .find(|entry| entry.problem.id == info.id && entry.problem.version == info.version)
            .ok_or_else(|| RejudgeError::Changed(info.id.clone()))?;
        let Some((graded_with, limits)) = with_factor(&entry.problem.limits, factor) else {
            done.absolute.push(info.id.clone());
            continue;
        };
        if factor > graded_with {
            return Err(RejudgeError::Larger {
                problem: info.id.clone(),
                asked: factor,
                graded_with,
            });
        }
        let mut lost = 0;
        // The same factor must change nothing, not even by a rounding.
        if factor < graded_with {
            for student in &mut done.results.students {
                for result in student.problems.iter_mut().filter(|p| p.id == info.id) {
                    lost += problem_again(result, &entry.problem, &limits)?;
                }
            }
            if let Some(time) = &mut done.results.assignment.problems[index].time {
                time.factor = Some(factor);
            }
        }
        done.problems.push(RejudgedProblem {
            id: info.id.clone(),
            graded_with,
            lost,
        });
        let aside = entry.problem.subtasks.iter().filter(|s| !is_ordinary(s));
        done.aside
            .extend(aside.map(|subtask| (info.id.clone(), subtask.name.clone())));
    }
    if done.problems.is_empty() {
        return Err(RejudgeError::NoMultiple(done.absolute));
    }
    Ok(done)
}

/// The factor of a rule, and the rule with another; nothing where its limit is absolute.
fn with_factor(rule: &LimitRule, factor: f64) -> Option<(f64, LimitRule)> {
    let TimeRule::Reference {
        factor: graded_with,
        at_least,
        at_most,
    } = rule.time
    else {
        return None;
    };
    let time = TimeRule::Reference {
        factor,
        at_least,
        at_most,
    };
    let rule = LimitRule {
        time,
        ..rule.clone()
    };
    Some((graded_with, rule))
}

/// Whether each case is run under the problem's limit, and that run decides.
const fn is_ordinary(subtask: &Subtask) -> bool {
    subtask.growth.is_none() && subtask.attempts.is_none()
}

/// Judges a submission again; says how many of its runs are over their limits now and were not before.
fn problem_again(
    result: &mut ProblemResult,
    problem: &Problem,
    limits: &LimitRule,
) -> Result<usize, RejudgeError> {
    let names = problem.subtasks.iter().map(|subtask| &subtask.name);
    if !names.eq(result.subtasks.iter().map(|subtask| &subtask.name)) {
        return Err(RejudgeError::OtherSubtasks(problem.id.clone()));
    }
    let Some(language) = result.language else {
        return Ok(0);
    };
    let mut lost = 0;
    let mut subtasks: Vec<SubtaskResult> = Vec::new();
    for (index, subtask) in problem.subtasks.iter().enumerate() {
        let recorded = &result.subtasks[index];
        let now = lacking(subtask, &subtasks);
        let again = if now != lacking(subtask, &result.subtasks[..index])
            && let Some((verdict, message)) = now
        {
            let names = recorded.cases.iter().map(|case| case.name.clone());
            let cases = names.map(|name| CaseResult::unrun(name, verdict, message.clone()));
            subtask_result(subtask, cases.collect(), &subtasks)
        } else if is_ordinary(subtask) {
            let again = |case: &CaseResult| case_again(case, language, subtask, limits);
            let cases: Vec<CaseResult> = recorded.cases.iter().map(again).collect();
            let pairs = cases.iter().zip(&recorded.cases);
            let here = pairs.filter(|(now, then)| now.verdict != then.verdict);
            match here.count() {
                0 => SubtaskResult {
                    cases,
                    ..recorded.clone()
                },
                here => {
                    lost += here;
                    subtask_result(subtask, cases, &subtasks)
                }
            }
        } else {
            recorded.clone()
        };
        subtasks.push(again);
    }
    result.subtasks = subtasks;
    if lost > 0 {
        (result.points, result.verdict) = problem_points(&result.subtasks);
    }
    Ok(lost)
}

/// A case under the new limit.
fn case_again(
    case: &CaseResult,
    language: LanguageId,
    subtask: &Subtask,
    rule: &LimitRule,
) -> CaseResult {
    let (Some(outcome), Some(recorded)) = (&case.outcome, case.limits) else {
        return case.clone();
    };
    let confirmation = case.confirmation.as_ref();
    let yardstick = confirmation
        .and_then(|alone| alone.yardsticks.iter().min().copied())
        .or(case.yardstick);
    let limit = |yardstick| rule.resolve(language, yardstick).cpu;
    let limits = Limits {
        cpu: limit(yardstick),
        ..recorded
    };
    if limits == recorded || case.verdict == Verdict::JudgeError {
        return case.clone();
    }
    // That of the run that counts: among those alone may be shorter ones that answered wrong.
    let used = outcome.cpu;
    let stopped = outcome.breach == Some(Breach::Cpu);
    let mut again = case.clone();
    again.limits = Some(limits);
    // Steps of points by time are where they were, and so is what is near one.
    let by_time = !subtask.by_time.is_empty();
    again.near_limit = (by_time && case.near_limit) || (!stopped && is_near(used, limits.cpu));
    if let Some(alone) = &mut again.confirmation {
        let beside = |index: usize| alone.yardsticks.get(index).copied().or(yardstick);
        let runs = alone.runs.iter().enumerate();
        let mut over = runs.map(|(index, run)| *run > limit(beside(index)));
        let first = over.next();
        let agree = over.all(|over| Some(over) == first);
        if !by_time && !alone.resolved && again.verdict == Verdict::Accepted {
            // That the runs did not agree was said of the old limit.
            again.message = None;
        }
        alone.resolved = agree && (!by_time || alone.resolved);
    }
    if !stopped && used <= limits.cpu {
        return again;
    }
    if again.verdict != Verdict::TimeLimit {
        // What was found in the answer is not looked at when it comes too late.
        again.verdict = Verdict::TimeLimit;
        again.evidence.clear();
        again.hints.clear();
        again.share = None;
    }
    again.message = Some(cpu_message(used, &limits, stopped));
    again
}

/// Whether a time is within the band of a limit.
fn is_near(used: CpuTime, limit: CpuTime) -> bool {
    used.0 >= limit.0.mul_f64(1.0 - BAND) && used.0 <= limit.0.mul_f64(1.0 + BAND)
}

#[cfg(test)]
mod tests;

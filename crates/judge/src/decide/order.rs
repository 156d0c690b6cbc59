//! Which cases run, and what their failures mean for those after them.

use std::collections::HashSet;

use grader_model::{CaseResult, SubtaskResult, Text, Verdict, text};
use grader_problem::{CaseRef, Problem, Sample, ScoreRule, Subtask};

use super::expectation::decides;

/// Why the next case of a subtask is skipped after a failure, if it is. `cases` are the results of those before it, `earlier` those
/// of the subtasks before. A sample stops once its result is certain. With `stops_early`, a student's program runs in no case that
/// cannot change its points.
pub(crate) fn early_end(
    subtask: &Subtask,
    cases: &[CaseResult],
    earlier: &[SubtaskResult],
    sample: Option<&Sample>,
    stops_early: bool,
) -> Option<Text> {
    if subtask.ascending && cases.iter().any(|case| case.verdict == Verdict::TimeLimit) {
        return Some(Text::new(
            "not run: a smaller case took too long",
            "未运行：规模更小的测试点已经超时",
        ));
    }
    let before = earlier.iter().flat_map(|subtask| &*subtask.cases);
    let mut before = before.chain(cases);
    if let Some(sample) = sample
        && before.any(|case| decides(&sample.expectation, case))
    {
        return Some(Text::new(
            "not run: the result was already certain; use `--all` to run every case",
            "未运行：结果已经确定；用 `--all` 运行全部测试点",
        ));
    }
    let is_lost = subtask.score == ScoreRule::All
        && cases.iter().any(|case| case.verdict != Verdict::Accepted);
    (stops_early && is_lost).then(|| {
        Text::new(
            "not run: this subtask needs all of its cases; `--all` runs every case",
            "未运行：本子任务要求所有测试点都通过；用 `--all` 运行全部测试点",
        )
    })
}

/// Whether the program ran and was not accepted.
pub(crate) fn is_failed(case: &CaseResult) -> bool {
    case.outcome.is_some() && case.verdict != Verdict::Accepted
}

/// The author's advice on hidden cases that failed: nobody else may read a hint of such a case, because others quote its
/// input.
pub(crate) fn hints_on_hidden_cases(problem: &Problem, results: &[SubtaskResult]) -> Vec<Text> {
    let all = results.iter().flat_map(|subtask| &*subtask.cases);
    let pairs = CaseRef::all(problem).zip(all);
    let failed = pairs.filter(|(at, result)| at.subtask.hidden && is_failed(result));
    let mut hints: Vec<Text> = failed.filter_map(|(at, _)| at.case.hint.clone()).collect();
    let mut seen = HashSet::new();
    hints.retain(|hint| seen.insert(hint.clone()));
    hints
}

/// Whether all required subtasks were passed.
pub(crate) fn requirements_are_met(subtask: &Subtask, done: &[SubtaskResult]) -> bool {
    subtask.require.iter().all(|required| {
        let mut done = done.iter();
        done.any(|it| it.name == *required && it.verdict == Verdict::Accepted)
    })
}

/// Why a subtask is not run: a required one was not passed, or could not be judged.
pub(crate) fn lacking(subtask: &Subtask, done: &[SubtaskResult]) -> Option<(Verdict, Text)> {
    let required = subtask.require.iter().find_map(|required| {
        done.iter()
            .find(|result| result.name == *required && result.verdict != Verdict::Accepted)
    })?;
    let name = &required.name;
    Some(if required.verdict == Verdict::JudgeError {
        let message = text!(
            "not run: subtask `{name}` is required and could not be judged",
            "未运行：需要先通过子任务 `{name}`，而它无法评测"
        );
        (Verdict::JudgeError, message)
    } else {
        let message = text!(
            "not run: subtask `{name}` is required and was not passed",
            "未运行：需要先通过子任务 `{name}`，而它没有通过"
        );
        (Verdict::Skipped, message)
    })
}

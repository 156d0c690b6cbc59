//! The mistake of a submission as a short hash: submissions with the same mistake share it.

use grader_language::first_error;
use grader_model::{CaseResult, ProblemResult, Status, SubtaskResult, Verdict};

use crate::constants::BEHAVIOUR_DIGITS;
use crate::hash::hash;

/// The hash of a submission's mistake; `None` if it was not judged or passes.
///
/// Cases count with their verdicts and, if the output is wrong, with the checker's message: the same mistake prints the same.
/// Times and luck do not count.
pub(crate) fn behaviour(result: &ProblemResult) -> Option<String> {
    if result.status != Status::Judged || !is_failing(result.verdict) {
        return None;
    }
    let mut words = vec![result.verdict.code().to_owned()];
    match result.verdict {
        Verdict::CompileError => words.push(compile_error(result)),
        _ => words.extend(result.subtasks.iter().flat_map(of_subtask)),
    }
    let mut hash = hash(words.iter().map(String::as_bytes));
    hash.truncate(BEHAVIOUR_DIGITS);
    Some(hash)
}

/// The first error of the compiler without its place, or why nothing was compiled.
fn compile_error(result: &ProblemResult) -> String {
    let messages = result.build.as_ref().and_then(|it| it.messages.as_ref());
    let error = messages.and_then(|it| first_error(&it.text, |_| true));
    let message = || result.message.as_ref().map(|it| it.en.clone());
    error
        .map(|it| it.message)
        .or_else(message)
        .unwrap_or_default()
}

fn of_subtask(subtask: &SubtaskResult) -> Vec<String> {
    let failed = subtask.cases.iter();
    let failed = failed.filter(|case| !case.skipped && is_failing(case.verdict));
    let mut words: Vec<String> = failed.flat_map(|case| of_case(subtask, case)).collect();
    if subtask.growth.is_some() && subtask.message.is_some() {
        words.push(format!("{} grows", subtask.name));
    }
    words
}

fn is_failing(verdict: Verdict) -> bool {
    !matches!(verdict, Verdict::Accepted | Verdict::Skipped)
}

fn of_case(subtask: &SubtaskResult, case: &CaseResult) -> [String; 2] {
    let message = case.message.as_ref().map(|it| it.en.as_str());
    let stderr = case.stderr.as_ref().and_then(|it| it.text.lines().last());
    let detail = match case.verdict {
        _ if case.attempts.is_some() => None,
        Verdict::WrongAnswer | Verdict::PresentationError | Verdict::PartiallyCorrect => message,
        // The name of an exception.
        Verdict::RuntimeError => stderr.and_then(|it| it.split(':').next()).or(message),
        _ => None,
    };
    let place = format!("{}/{} {}", subtask.name, case.name, case.verdict);
    [place, detail.unwrap_or_default().to_owned()]
}

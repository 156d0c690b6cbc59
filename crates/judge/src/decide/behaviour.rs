//! The mistake of a submission as a short hash: submissions with the same mistake share it.

use std::collections::BTreeMap;

use blake3::Hash;
use grader_language::first_error;
use grader_model::{CaseResult, End, Excerpt, ProblemResult, Status, SubtaskResult, Verdict};
use grader_problem::CaseKey;

use super::run::Run;
use super::verdict::Rules;
use crate::constants::{BEHAVIOUR_DIGITS, MAX_FORMER_BEHAVIOURS, MAX_PRINTED_BYTES};
use crate::hash::{hash, hash_bytes};

/// The hash of a submission's mistake; `None` if it was not judged or passes.
///
/// Cases count with their verdicts and with what was printed, which `words` has. If that is not known, the checker's message
/// counts. Times and luck do not count.
pub(crate) fn behaviour(result: &ProblemResult, words: &BTreeMap<CaseKey, Hash>) -> Option<String> {
    if result.status != Status::Judged || !is_failing(result.verdict) {
        return None;
    }
    let mut list = vec![result.verdict.code().to_owned()];
    if result.verdict == Verdict::CompileError {
        list.push(compile_error(result));
    } else {
        for (subtask, case) in failed(result) {
            let key = (result.id.clone(), subtask.name.clone(), case.name.clone());
            list.extend(of_case(subtask, case, words.get(&key)));
        }
        let grows = |it: &&SubtaskResult| it.growth.is_some() && it.message.is_some();
        let grows = result.subtasks.iter().filter(grows);
        list.extend(grows.map(|it| format!("{} grows", it.name)));
    }
    let mut hash = hash(list.iter().map(String::as_bytes));
    hash.truncate(BEHAVIOUR_DIGITS);
    Some(hash)
}

/// The hashes that the mistake of a result had before, the last at the end, so that remarks for these groups still reach it: those
/// of an earlier result for the same files that failed the same cases, of another version of the grader for example.
pub(crate) fn former(result: &ProblemResult, earlier: &ProblemResult) -> Vec<String> {
    let places = |of| failed(of).map(|(subtask, case)| (&subtask.name, &case.name, case.verdict));
    let is_same = result.submission == earlier.submission
        && result.verdict == earlier.verdict
        && places(result).eq(places(earlier));
    let earlier = earlier.former_behaviours.iter().chain(&earlier.behaviour);
    let mut former: Vec<String> = Vec::new();
    for hash in earlier.filter(|it| is_same && result.behaviour.as_ref() != Some(it)) {
        former.retain(|it| it != hash);
        former.push(hash.clone());
    }
    former.split_off(former.len().saturating_sub(MAX_FORMER_BEHAVIOURS))
}

impl Rules<'_> {
    /// A hash of what a program printed, without white space. `None` if it passed, or if that tells nothing of its mistake: a harness
    /// printed it, or the program was stopped at some time.
    pub(crate) fn words(&self, result: &CaseResult, run: &Run) -> Option<Hash> {
        let is_long = result.verdict == Verdict::OutputLimit;
        let is_told = match result.verdict {
            Verdict::TimeLimit | Verdict::MemoryLimit => false,
            verdict => is_failing(verdict),
        };
        if !is_told || run.report.is_some() || self.run.report.is_some() {
            return None;
        }
        let answer = run.answer.as_deref()?;
        let most = if is_long {
            Excerpt::WIDTH
        } else {
            MAX_PRINTED_BYTES
        };
        let answer = &answer[..answer.len().min(most)];
        let words = answer.split(u8::is_ascii_whitespace);
        Some(hash_bytes(words.filter(|it| !it.is_empty())))
    }
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

fn failed(result: &ProblemResult) -> impl Iterator<Item = (&SubtaskResult, &CaseResult)> {
    let subtasks = result.subtasks.iter();
    let cases = subtasks.flat_map(|it| it.cases.iter().map(move |case| (it, case)));
    cases.filter(|(_, case)| !case.skipped && is_failing(case.verdict))
}

fn is_failing(verdict: Verdict) -> bool {
    !matches!(verdict, Verdict::Accepted | Verdict::Skipped)
}

fn of_case(subtask: &SubtaskResult, case: &CaseResult, words: Option<&Hash>) -> [String; 3] {
    let message = case.message.as_ref().map(|it| it.en.as_str());
    let stderr = case.stderr.as_ref().and_then(|it| it.text.lines().last());
    // The exit status may be ignored, but a crash shows the mistake.
    let crash = match case.outcome.as_ref().map(|it| it.end) {
        Some(End::Signalled(signal)) => End::signal_name(signal),
        Some(End::Exited(_)) | None => None,
    };
    let detail = match case.verdict {
        _ if case.attempts.is_some() => None,
        Verdict::WrongAnswer | Verdict::PresentationError | Verdict::PartiallyCorrect => {
            crash.or(message.filter(|_| words.is_none()))
        }
        // The name of an exception.
        Verdict::RuntimeError => stderr.and_then(|it| it.split(':').next()).or(message),
        _ => None,
    };
    let words = words.filter(|_| case.attempts.is_none());
    let words = words.map(|it| it.to_hex().to_string());
    let place = format!("{}/{} {}", subtask.name, case.name, case.verdict);
    [
        place,
        detail.unwrap_or_default().to_owned(),
        words.unwrap_or_default(),
    ]
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use grader_model::{CaseName, ProblemId, SubtaskName, Text};

    use super::*;

    /// A result with a failed case, whose message is this one.
    fn wrong(message: &str) -> ProblemResult {
        let message = Text::plain(message.to_owned());
        let case = CaseResult::unrun(CaseName::new("1"), Verdict::WrongAnswer, message);
        ProblemResult {
            id: ProblemId::new("p"),
            verdict: Verdict::WrongAnswer,
            status: Status::Judged,
            submission: Some("0123456789ab".to_owned()),
            subtasks: vec![SubtaskResult {
                name: SubtaskName::new("all"),
                cases: Arc::new([case]),
                ..SubtaskResult::default()
            }],
            ..ProblemResult::default()
        }
    }

    fn of(message: &str, printed: Option<&[u8]>) -> Option<String> {
        let key = (
            ProblemId::new("p"),
            SubtaskName::new("all"),
            CaseName::new("1"),
        );
        let words = printed.map(|it| (key, hash_bytes([it])));
        behaviour(&wrong(message), &words.into_iter().collect())
    }

    #[test]
    fn what_was_printed_counts_and_else_the_message() {
        assert_eq!(of("one", Some(b"3")), of("two", Some(b"3")));
        assert_ne!(of("one", Some(b"3")), of("one", Some(b"4")));
        assert_ne!(of("one", None), of("two", None));
        assert_eq!(of("one", None), of("one", None));
        let passed = ProblemResult {
            verdict: Verdict::Accepted,
            ..wrong("one")
        };
        assert_eq!(behaviour(&passed, &BTreeMap::new()), None);
    }

    #[test]
    fn the_same_files_that_fail_the_same_cases_keep_their_former_groups() {
        let named = |id: &str, former: &[&str]| ProblemResult {
            behaviour: Some(id.to_owned()),
            former_behaviours: former.iter().map(|it| (*it).to_owned()).collect(),
            ..wrong("one")
        };
        assert_eq!(former(&named("b", &[]), &named("a", &["x"])), ["x", "a"]);
        assert_eq!(former(&named("a", &[]), &named("a", &["x"])), ["x"]);
        assert_eq!(former(&named("x", &[]), &named("a", &["x"])), ["a"]);
        let many = ["1", "2", "3", "4", "5", "6", "7", "8"];
        assert_eq!(former(&named("b", &[]), &named("9", &many)).len(), 8);
        let other_files = ProblemResult {
            submission: Some("ba9876543210".to_owned()),
            ..named("a", &["x"])
        };
        let other_cases = ProblemResult {
            subtasks: Vec::new(),
            ..named("a", &["x"])
        };
        for earlier in [other_files, other_cases] {
            assert!(former(&named("b", &[]), &earlier).is_empty());
        }
    }
}

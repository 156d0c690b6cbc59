//! What is told of submitted tests, and what they find. Which of them count is decided in `mutants.rs`.

use grader_model::{CaseResult, ProblemResult, Text, Verdict, text};
use grader_problem::{Case, CaseRef, Entry, Problem};

use crate::constants::MAX_REMARKS;

/// Submitted tests that count.
#[derive(Default)]
pub(crate) struct SubmittedTests {
    /// The first case that they have to decide, and the tests as cases of a problem of their own, or why they are not known.
    pub(crate) known: Vec<(Case, Result<Entry, Text>)>,
    /// Why others do not count.
    remarks: Vec<Text>,
}

impl SubmittedTests {
    /// Notes once why a test does not count.
    pub(crate) fn remark(&mut self, why: Text) {
        if self.remarks.len() < MAX_REMARKS && !self.remarks.contains(&why) {
            self.remarks.push(why);
        }
    }

    /// Tells how many wrong programs were found, and which tests do not count.
    pub(crate) fn tell(&self, problem: &Problem, result: &mut ProblemResult) {
        let results = result.subtasks.iter().flat_map(|it| &*it.cases);
        let mutants = CaseRef::all(problem).zip(results);
        let mutants = mutants.filter(|(at, _)| at.case.mutant.is_some());
        let mutants: Vec<_> = mutants.collect();
        let is_found = |it: &CaseResult| it.verdict == Verdict::Accepted;
        let all = mutants.len();
        let count = mutants.iter().filter(|(_, it)| is_found(it)).count();
        let is_judged =
            |it: &CaseResult| !matches!(it.verdict, Verdict::JudgeError | Verdict::Skipped);
        let others = mutants
            .iter()
            .filter(|(_, it)| is_judged(it) && !is_found(it));
        let named = others.filter_map(|(at, _)| {
            // Only advice is told of a hidden case.
            let name = || Text::plain(format!("`{}`", at.case.name));
            let hint = at.case.hint.clone();
            hint.or_else(|| (!at.subtask.hidden).then(name))
        });
        let named: Vec<Text> = named.collect();
        let (en, zh): (Vec<_>, Vec<_>) = named.iter().map(|it| (&*it.en, &*it.zh)).unzip();
        if !named.is_empty() {
            let (en, zh) = (en.join("; "), zh.join("；"));
            result.hints.push(text!(
                "{count} of {all} wrong programs found; not found: {en}",
                "找出了 {all} 个错误程序中的 {count} 个；未找出：{zh}"
            ));
        }
        result.hints.extend(self.remarks.iter().cloned());
    }
}

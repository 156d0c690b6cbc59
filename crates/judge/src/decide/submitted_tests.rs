//! Which submitted tests count, and what they find.

use grader_model::{ProblemResult, Text, Verdict, text};
use grader_problem::{Case, CaseRef, Entry, Problem};

use crate::constants::MAX_REMARKS;

/// Submitted tests that count.
#[derive(Default)]
pub(crate) struct SubmittedTests {
    /// The first case whose wrong program they have to find, and the tests as cases of a problem of their own.
    pub(crate) known: Vec<(Case, Entry)>,
    /// Why others do not count.
    remarks: Vec<Text>,
}

impl SubmittedTests {
    /// Notes once why a test does not count.
    pub(crate) fn remark(&mut self, why: Text) {
        if !self.remarks.contains(&why) {
            self.remarks.push(why);
        }
    }

    /// Tells how many wrong programs were found, and which tests do not count.
    pub(crate) fn tell(&self, problem: &Problem, result: &mut ProblemResult) {
        let results = result.subtasks.iter().flat_map(|it| &*it.cases);
        let mutants = CaseRef::all(problem).zip(results);
        let mutants = mutants.filter(|(at, it)| {
            let is_judged = !matches!(it.verdict, Verdict::JudgeError | Verdict::Skipped);
            at.case.mutant.is_some() && is_judged
        });
        let (found, others): (Vec<_>, Vec<_>) =
            mutants.partition(|(_, it)| it.verdict == Verdict::Accepted);
        let (count, all) = (found.len(), found.len() + others.len());
        let named = others.iter().map(|(at, _)| {
            let name = || Text::plain(format!("`{}`", at.case.name));
            at.case.hint.clone().unwrap_or_else(name)
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
        let remarks = self.remarks.iter().take(MAX_REMARKS);
        result.hints.extend(remarks.cloned());
    }
}

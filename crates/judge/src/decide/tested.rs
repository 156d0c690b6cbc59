//! Cases that are unit tests: one run of a harness serves all cases with the same arguments and input.

use std::collections::BTreeSet;

use grader_model::{CaseResult, Evidence, Verdict, text};
use grader_problem::{Case, CaseRef, TestRule};

use super::junit::Report;

/// A run of a harness, for the cases that share it.
pub(crate) struct TestedRun {
    /// The first case.
    pub(crate) case: Case,
    /// Its result before its tests are looked at: accepted if the report is complete. Then its message says how the
    /// program ended, if it failed.
    pub(crate) result: CaseResult,
    pub(crate) report: Option<Report>,
    /// Whether a case has its standard error.
    pub(crate) is_shown: bool,
}

impl TestedRun {
    /// The names of the tests that passed, or of the others; `None` without a complete report.
    pub(crate) fn names(&self, has_passed: bool) -> Option<BTreeSet<String>> {
        let is_complete = self.result.verdict == Verdict::Accepted;
        let report = self.report.as_ref().filter(|_| is_complete);
        report.map(|it| it.names(has_passed))
    }

    /// The result of a case.
    pub(crate) fn judge(&mut self, at: CaseRef<'_>, rule: &TestRule) -> CaseResult {
        let mut result = self.judge_tests(at, rule);
        // The harness may have written about hidden tests.
        let is_secret = !at.subtask.hidden && at.problem.subtasks.iter().any(|it| it.hidden);
        if self.is_shown || is_secret || result.verdict == Verdict::Accepted {
            result.stderr = None;
        }
        self.is_shown |= result.stderr.is_some();
        result
    }

    fn judge_tests(&self, at: CaseRef<'_>, rule: &TestRule) -> CaseResult {
        let mut result = self.result.clone();
        result.name.clone_from(&at.case.name);
        let report = self.report.as_ref();
        let Some(report) = report.filter(|_| result.verdict == Verdict::Accepted) else {
            return result;
        };
        match report.judge(rule) {
            Ok(tests) => {
                let end = result.message.take();
                result.verdict = tests.verdict;
                result.message = tests.message.map(Box::new);
                result.share = tests.share;
                result.evidence.extend(tests.evidence);
                if result.verdict == Verdict::Accepted {
                    result.hints.clear();
                } else {
                    let end = end.map(|text| Evidence::new("program-ended", *text));
                    result.evidence.extend(end);
                }
                result
            }
            Err((found, name)) => {
                let (pattern, count) = (&rule.name, rule.count.unwrap_or(1));
                let message = text!(
                    "{found} tests match `{pattern}`, but `count` is {count}: `{name}` is one too many",
                    "{found} 个测试匹配 `{pattern}`，而 `count` 为 {count}：多出了 `{name}`"
                );
                CaseResult::unrun(result.name, Verdict::JudgeError, message)
            }
        }
    }
}

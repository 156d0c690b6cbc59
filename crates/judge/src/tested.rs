//! Cases that are unit tests: one run of a harness serves all cases with the same arguments and input.

use grader_model::{CaseResult, Text, Verdict};
use grader_problem::{Case, CaseRef, TestRule};

use crate::junit::Report;

/// A run of a harness, for the cases that share it.
pub(crate) struct TestedRun {
    /// The first case.
    pub(crate) case: Case,
    /// Its result before its tests are looked at: accepted if the report is complete.
    pub(crate) result: CaseResult,
    pub(crate) report: Option<Report>,
}

impl TestedRun {
    /// The result of a case.
    pub(crate) fn judge(&self, at: CaseRef<'_>, rule: &TestRule) -> CaseResult {
        let mut result = self.result.clone();
        result.name.clone_from(&at.case.name);
        if !at.subtask.hidden && at.problem.subtasks.iter().any(|it| it.hidden) {
            // The harness may have written about hidden tests.
            result.stderr = None;
        }
        let report = self.report.as_ref();
        let Some(report) = report.filter(|_| result.verdict == Verdict::Accepted) else {
            return result;
        };
        match report.judge(rule) {
            Ok(tests) => {
                result.verdict = tests.verdict;
                result.message = tests.message;
                result.share = tests.share;
                result.evidence.extend(tests.evidence);
                result
            }
            Err((found, name)) => {
                let (pattern, count) = (&rule.name, rule.count.unwrap_or(1));
                let message = Text::new(
                    format!(
                        "{found} tests match `{pattern}`, but `count` is {count}: `{name}` is one too many"
                    ),
                    format!(
                        "{found} 个测试匹配 `{pattern}`，而 `count` 为 {count}：多出了 `{name}`"
                    ),
                );
                CaseResult::unrun(result.name, Verdict::JudgeError, message)
            }
        }
    }
}

//! Which cases tell whether a program has undefined behaviour, and which findings people read.

use grader_language::{Finding, Weight};
use grader_model::{Limits, ProblemResult, Verdict};
use grader_problem::{CaseRef, Problem};

use crate::constants::{MAX_FINDINGS, MAX_SANITIZED_CASES};

/// A case in which a program may show what it does.
pub(crate) struct Telling<'a> {
    /// Its place among all cases of the problem.
    pub(crate) index: usize,
    pub(crate) at: CaseRef<'a>,
    pub(crate) limits: Limits,
    /// Whether the program was accepted.
    pub(crate) is_right: bool,
}

/// The cases to look at, and whether the student may see them: those that failed and are not hidden; else, if the
/// problem wants it, all, first those that failed. A program that was too slow would be slower still.
pub(crate) fn telling<'a>(
    problem: &'a Problem,
    result: &ProblemResult,
) -> (Vec<Telling<'a>>, bool) {
    let results = result.subtasks.iter().flat_map(|subtask| &*subtask.cases);
    let mut cases: Vec<_> = CaseRef::all(problem)
        .zip(results)
        .enumerate()
        .filter(|(_, (at, result))| {
            let is_slow = matches!(result.verdict, Verdict::TimeLimit | Verdict::JudgeError);
            let is_plain = !at.case.checker.is_interactive() && at.case.second_run.is_none();
            !is_slow && is_plain
        })
        .filter_map(|(index, (at, result))| {
            Some(Telling {
                index,
                at,
                limits: result.limits?,
                is_right: result.verdict == Verdict::Accepted,
            })
        })
        .collect();
    let is_telling = |it: &Telling<'_>| !it.at.subtask.hidden && !it.is_right;
    let is_public = cases.iter().any(is_telling);
    cases.retain(|it| is_telling(it) || !is_public && problem.checks.all_programs);
    cases.sort_by_key(|it| it.is_right);
    if is_public {
        cases.truncate(MAX_SANITIZED_CASES);
    }
    (cases, is_public)
}

/// The findings to report: the most telling one of each line. With `only_causes`, numbers that are too large do not
/// count: the program passed, whatever they are.
pub(crate) fn ranked(mut findings: Vec<Finding>, only_causes: bool) -> Vec<Finding> {
    let has_cause = findings.iter().any(|it| it.weight == Weight::Cause);
    findings.retain(|it| match it.weight {
        Weight::Cause | Weight::Beside => true,
        Weight::Arithmetic => !only_causes,
        Weight::Consequence => !only_causes && !has_cause,
    });
    findings.sort_by_key(|it| it.weight);
    let mut places = Vec::new();
    findings.retain(|it| {
        let is_new = !places.contains(&it.place);
        places.push(it.place);
        is_new
    });
    findings.truncate(MAX_FINDINGS);
    findings
}

#[cfg(test)]
mod tests {
    use grader_language::Place;

    use super::*;

    #[test]
    fn numbers_that_are_too_large_and_crashes_count_only_if_they_may_explain_something() {
        let found = |lines: &[(usize, &str)]| -> Vec<Finding> {
            let found = lines.iter().map(|&(line, event)| {
                let place = Place { file: 0, line };
                Finding::new(place, event).unwrap()
            });
            found.collect()
        };
        let (overflow, crash, cause) = (
            "signed integer overflow: 9 * 9 cannot be represented in type 'int'",
            "SEGV READ by program, unknown memory",
            "division by zero",
        );
        #[rustfmt::skip]
        let table = [
            (vec![(3, overflow), (4, crash), (5, cause)], false, vec![5, 3]),
            (vec![(3, overflow), (4, crash)], false, vec![3, 4]),
            (vec![(3, overflow), (4, crash)], true, vec![]),
            (vec![(3, crash), (3, cause), (3, overflow)], false, vec![3]),
            (vec![(1, cause), (2, cause), (3, cause), (4, cause)], true, vec![1, 2, 3]),
        ];
        for (lines, only_causes, expected) in table {
            let ranked = ranked(found(&lines), only_causes);
            let lines: Vec<usize> = ranked.iter().map(|it| it.place.line).collect();
            assert_eq!(lines, expected);
        }
    }
}

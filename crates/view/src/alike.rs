//! Which cases of a class tell programs apart.

use std::collections::{BTreeMap, BTreeSet};

use grader_model::{ProblemId, StudentResult, escaped};
use schemars::JsonSchema;
use serde::Serialize;

use crate::case::is_failing;

/// Cases that no program failed, or that the same programs failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct AlikeCases {
    /// The problem.
    pub problem: ProblemId,
    /// The cases, as `subtask/case`.
    pub cases: Vec<String>,
    /// How many programs failed all of them.
    pub failed_by: usize,
}

impl AlikeCases {
    /// The cases of a problem that no program of the class failed, and those that always failed together.
    pub fn of(students: &[StudentResult], problem: &ProblemId) -> Vec<Self> {
        // The programs that failed each case that ran, in the order of the cases.
        let mut cases: Vec<(String, BTreeSet<&str>)> = Vec::new();
        let mut places = BTreeMap::new();
        for result in students.iter().filter_map(|it| it.problem(problem)) {
            let Some(name) = result.submission.as_deref() else {
                continue;
            };
            for subtask in &result.subtasks {
                for case in subtask.cases.iter().filter(|it| it.outcome.is_some()) {
                    let key = format!("{}/{}", subtask.name, case.name);
                    let place = *places.entry(key.clone()).or_insert_with(|| {
                        cases.push((escaped(key.as_bytes()), BTreeSet::new()));
                        cases.len() - 1
                    });
                    if is_failing(case.verdict) {
                        cases[place].1.insert(name);
                    }
                }
            }
        }
        let mut alike: BTreeMap<BTreeSet<&str>, Vec<String>> = BTreeMap::new();
        for (name, failed) in cases {
            alike.entry(failed).or_default().push(name);
        }
        let alike = alike.into_iter();
        let alike = alike.filter(|(failed, names)| failed.is_empty() || names.len() > 1);
        let alike = alike.map(|(failed, cases)| Self {
            problem: problem.clone(),
            cases,
            failed_by: failed.len(),
        });
        alike.collect()
    }
}

#[cfg(test)]
mod tests {
    use grader_model::{
        Bytes, CaseName, CaseResult, CpuTime, End, Outcome, ProblemResult, StudentId, SubtaskName,
        SubtaskResult, Verdict, WallTime,
    };

    use super::*;

    /// A student whose program, if there is one, fails these of five cases; the last is run by nobody.
    fn student(id: &str, program: Option<&str>, failed: &[&str]) -> StudentResult {
        let outcome = Outcome {
            end: End::Exited(0),
            breach: None,
            cpu: CpuTime::default(),
            wall: WallTime::default(),
            memory: None,
            stdout: Bytes::default(),
            stderr: Bytes::default(),
        };
        let case = |name: &str| CaseResult {
            name: CaseName::new(name),
            verdict: if failed.contains(&name) {
                Verdict::WrongAnswer
            } else {
                Verdict::Accepted
            },
            outcome: (name != "skipped").then(|| outcome.clone()),
            ..CaseResult::default()
        };
        let problem = ProblemResult {
            id: ProblemId::new("p"),
            submission: program.map(str::to_owned),
            subtasks: vec![SubtaskResult {
                name: SubtaskName::new("all"),
                cases: ["a", "b", "c\n", "d", "skipped"].map(case).into(),
                ..SubtaskResult::default()
            }],
            ..ProblemResult::default()
        };
        StudentResult {
            id: StudentId::new(id),
            problems: vec![problem],
            ..StudentResult::default()
        }
    }

    #[test]
    fn cases_are_alike_if_no_program_or_the_same_programs_fail_them() {
        let students = [
            student("ann", Some("1"), &["b", "c\n"]),
            // A program counts once.
            student("bob", Some("1"), &["b", "c\n"]),
            student("cy", Some("2"), &["b", "c\n", "d"]),
            // Nothing was submitted.
            student("dan", None, &["a"]),
        ];
        let alike = |cases: &[&str], failed_by| AlikeCases {
            problem: ProblemId::new("p"),
            cases: cases.iter().map(|it| (*it).to_owned()).collect(),
            failed_by,
        };
        // Only one program fails `d`, and it fails nothing else alone.
        assert_eq!(
            AlikeCases::of(&students, &ProblemId::new("p")),
            [alike(&["all/a"], 0), alike(&["all/b", "all/c\\n"], 2)]
        );
        assert_eq!(AlikeCases::of(&students, &ProblemId::new("q")), []);
    }
}

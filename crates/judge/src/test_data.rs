//! The inputs and answers of a problem's cases, for judges that need them as files.

use std::sync::Arc;

use grader_problem::{Answer, CaseRef, Problem, TestData};

use crate::Fault;
use crate::judge::Judge;
use crate::scheduler::for_each;

impl Judge {
    /// Input and answer of each case, in the order of subtasks and cases. If the checker needs no answer, it is the
    /// reference's output, or empty without a reference.
    ///
    /// # Errors
    /// If a generator or the reference fails.
    pub fn test_data(&self, problem: &Problem) -> Result<Vec<TestData>, Fault> {
        let cases: Vec<_> = CaseRef::all(problem).collect();
        let data = for_each(self, &cases, 0, |lab, _, at| {
            if at.case.mutant.is_some() {
                return Ok(TestData::default());
            }
            let mut case = at.case.clone();
            let is_asked = case.answer == Answer::None && case.test.is_none();
            let is_asked = is_asked && !case.checker.is_interactive();
            if is_asked && problem.reference.is_some() {
                case.answer = Answer::Reference;
            }
            let at = CaseRef { case: &case, ..*at };
            let input = Arc::clone(&lab.with_input(at)?.input);
            let answer = lab.answer(at)?.unwrap_or_default();
            Ok(TestData { input, answer })
        });
        data.into_iter().collect()
    }
}

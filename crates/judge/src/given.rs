//! Running a submission on an input that somebody gives.

use grader_intake::Submission;
use grader_model::{Outcome, ProblemResult};
use grader_problem::{Case, Entry};

use crate::Fault;
use crate::judge::Judge;
use crate::run::run;

/// What a program did with an input.
#[derive(Debug)]
pub struct GivenRun {
    /// How it ended, and its times.
    pub outcome: Outcome,
    /// Its answer, up to the limit; `None` if it did not write its output file.
    pub output: Option<Vec<u8>>,
    /// The beginning of its standard error.
    pub stderr: Vec<u8>,
}

impl Judge {
    /// Builds a submission and runs it once on the input of a case, with the limits of its problem. Nothing is judged. If
    /// it does not build, returns its result.
    ///
    /// # Errors
    /// Our own failure, and [`Fault::Stopped`].
    pub fn run_given(
        &self,
        entry: &Entry,
        submission: &Submission,
        case: &Case,
    ) -> Result<Result<GivenRun, Box<ProblemResult>>, Fault> {
        let problem = &entry.problem;
        let compared = match self.compare(entry, submission)? {
            Ok(compared) => compared,
            Err(unbuilt) => return Ok(Err(unbuilt)),
        };
        let built = &compared.built;
        let limits = problem.limits.resolve(None, built.language.id, None);
        let program = built.program(limits.memory);
        let limits = built.allowed(limits);
        let ran = run(self.lab(), &program, &problem.run, case, limits, None)?;
        Ok(Ok(GivenRun {
            outcome: ran.run.outcome,
            output: ran.run.answer,
            stderr: built.names.without_folder(&ran.run.stderr),
        }))
    }
}

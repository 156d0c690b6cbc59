//! Running a submission on an input that somebody gives.

use grader_intake::Submission;
use grader_language::SourceText;
use grader_model::{Outcome, ProblemResult, StudentId};
use grader_problem::{Case, Entry};

use crate::Fault;
use crate::context::RunContext;
use crate::included::rename;
use crate::job::Job;
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
        let (worker, student) = (self.worker(0), StudentId::new("you"));
        let job = Job {
            student: &student,
            index: 0,
            entry,
            submission,
            is_wanted: true,
        };
        let sources = submission.sources();
        let sources = sources.map_err(Fault::file("read", submission.shown.join(", ")))?;
        let mut texts = SourceText::all(&sources);
        let language = problem.languages.recognise(&texts);
        let renamed = language.and_then(|it| problem.submission.renamed(it, &sources));
        rename(&mut texts, renamed.as_ref());
        let built = job.build(worker, language, &sources, &texts);
        let built = match built.ok_or(Fault::Stopped)? {
            Ok(built) => built,
            Err(unbuilt) => return Ok(Err(unbuilt)),
        };
        let limits = problem.limits.resolve(None, built.language.id, None);
        let program = built.program(limits.memory);
        let context = RunContext::beside(worker);
        let limits = built.allowed(limits);
        let held = run(context, &program, &problem.run, case, limits, None)?;
        Ok(Ok(GivenRun {
            outcome: held.run.outcome,
            output: held.run.answer,
            stderr: built.names.without_folder(&held.run.stderr),
        }))
    }
}

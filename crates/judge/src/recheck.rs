//! Judging again what programs wrote in an earlier run, where only the judging has changed.
//!
//! A verdict on time stands as it was found then, beside the reference of then: what was kept is a run that needed no
//! other one. Where the judging of now would not have been content with it (its points change near to that time, or
//! a time that did not matter does now), it says nothing, and the case is run.

use std::collections::BTreeMap;
use std::mem;
use std::path::Path;
use std::time::UNIX_EPOCH;

use grader_language::language;
use grader_model::{
    BuildReport, CaseName, CaseResult, LanguageId, ProblemResult, SourceFile, SubtaskName, Text,
};
use grader_problem::{Case, Entry, Subtask};

use crate::Fault;
use crate::built_case::Told;
use crate::checker_program::{Question, check};
use crate::judge::Judge;
use crate::memory::KeptRun;
use crate::names::Names;
use crate::quiet::Beside;
use crate::recall::Known;
use crate::references::References;
use crate::run::Ran;
use crate::steady::doubt::Bounds;
use crate::steady::taken;
use crate::verdict::{self, Rules};

/// What an earlier run of a program wrote.
pub(crate) struct Outputs {
    language: LanguageId,
    result: ProblemResult,
    runs: BTreeMap<(SubtaskName, CaseName), KeptRun>,
    names: Names,
}

impl Outputs {
    /// The outputs of a program in this language, made of these sources.
    ///
    /// # Errors
    /// When the compiler is not here any more.
    pub(crate) fn new(known: Known, id: LanguageId, sources: &[SourceFile]) -> Result<Self, Fault> {
        let Known { result, runs, .. } = known;
        let toolchain = language(id).find()?;
        // Our folder is in none of the texts that were kept: any will do.
        let folder = Path::new("/build");
        let plan = language(id).plan(sources, &toolchain, folder);
        let runs = runs.into_iter();
        Ok(Self {
            language: id,
            result,
            runs: runs
                .map(|run| ((run.subtask.clone(), run.case.clone()), run))
                .collect(),
            names: Names::new(folder, sources, &plan),
        })
    }

    pub(crate) const fn language(&self) -> LanguageId {
        self.language
    }

    /// Advice on the whole submission, and what building it gave.
    pub(crate) fn told(&self) -> (Vec<Text>, Option<BuildReport>) {
        (self.result.hints.clone(), self.result.build.clone())
    }

    /// The run of a case, where one was kept and may be judged again.
    pub(crate) fn take(&mut self, subtask: &Subtask, case: &Case) -> Option<KeptRun> {
        let run = self.runs.remove(&(subtask.name.clone(), case.name.clone()));
        run.filter(|_| subtask.growth.is_none() && subtask.attempts.is_none())
    }

    /// The runs that were not taken: of cases that are not run by the judging of now.
    pub(crate) fn rest(&mut self) -> impl Iterator<Item = KeptRun> + use<> {
        mem::take(&mut self.runs).into_values()
    }

    /// The result of that case. Nothing where the run does not tell.
    pub(crate) fn check(
        &self,
        judge: &Judge,
        references: &References,
        entry: &Entry,
        sources: &[SourceFile],
        (subtask, case): (&Subtask, &Case),
        run: &KeptRun,
    ) -> Result<Option<CaseResult>, Fault> {
        let problem = &entry.problem;
        if problem.limits.needs_yardstick() || !subtask.by_time.is_empty() {
            // The stored output does not say how fast the reference was.
            return Ok(None);
        }
        let bounds = Bounds::of(problem, subtask, self.language, None);
        if bounds.limits != run.limits {
            return Ok(None);
        }
        // Who went over a limit is not judged by the answer: the reference need not be asked for it.
        let is_judged = run.outcome.breach.is_none() && run.outcome.cpu <= run.limits.cpu;
        let answer = if is_judged {
            references.answer(judge, problem, &subtask.name, case)?
        } else {
            None
        };
        let ran = Ran {
            began: UNIX_EPOCH,
            outcome: run.outcome.clone(),
            starved: None,
            answer: run.answer.clone(),
            stderr: run.stderr.clone(),
            left: run.left.clone(),
            _turn: None,
        };
        let check = |output: &[u8]| {
            let question = Question {
                problem,
                case,
                output,
                answer: answer.as_deref(),
            };
            check(judge, Beside::Others, question)
        };
        let rules = Rules {
            language: language(self.language),
            run: &problem.run,
            case,
            limits: run.limits,
            check: &check,
            yardstick: run.yardstick,
        };
        let mut result = verdict::judge(&ran, &rules)?;
        let told = Told {
            names: &self.names,
            language: language(self.language),
            sources,
            hints: &self.result.hints,
        };
        told.finish(&mut result, &ran, problem, case);
        if taken(&result).is_some_and(|time| bounds.is_near(time, bounds.band(1.0))) {
            return Ok(None);
        }
        result.limit_origin = bounds.origin;
        Ok(Some(result))
    }
}

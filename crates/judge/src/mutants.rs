//! Running the mutants of a reference: programs with one mistake each, which some case must fail.

use grader_language::Command;
use grader_model::{
    Breach, End, EventKind, LanguageId, Limits, Mark, Mismatch, MutantCase, MutantResult,
    StudentId, Text, Verdict,
};
use grader_problem::{Case, Problem, Subtask};

use crate::Fault;
use crate::checker_program::{Question, check};
use crate::grade::Dispatcher;
use crate::judge::Judge;
use crate::pool::for_each;
use crate::quiet::Beside;
use crate::references::{MEMORY, PROCESSES, References, carried};
use crate::run::{BAND, Program, run, with_band};
use crate::verify::ProblemSamples;

/// A program that answers like a reference, with one mistake. It takes what the reference takes, and ends well.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// Its name among the mutants of the reference: `one-diagonal-forgotten`.
    pub name: String,
    /// What is wrong about it: `forgets one direction of diagonals`.
    pub mistake: Text,
    /// Runs it, without the case's arguments.
    pub command: Command,
}

/// On which cases a mutant is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// In order, until one fails it.
    FirstFailure,
    /// On each: for the table of the tests.
    EveryCase,
}

/// The exit status by which a mutant says that it does not take such a command line or input.
const NOT_TAKEN: End = End::Exited(2);

impl Judge {
    /// Runs the mutants of a problem's reference. Nothing when asked to stop.
    pub(crate) fn mutants(
        &self,
        references: &References,
        problem: &ProblemSamples<'_>,
        extent: Extent,
        dispatcher: &mut Dispatcher<'_, '_>,
    ) -> Option<Vec<MutantResult>> {
        if problem.mutants.is_empty() {
            return Some(Vec::new());
        }
        let mutants = &problem.mutants;
        let problem = &problem.entry.problem;
        dispatcher.send(EventKind::JobStarted {
            student: StudentId::new("mutants"),
            problem: problem.id.clone(),
        });
        for_each(self, mutants, |mutant| {
            self.mutant(references, problem, mutant, extent)
        })
        .into_iter()
        .collect()
    }

    fn mutant(
        &self,
        references: &References,
        problem: &Problem,
        mutant: &Mutant,
        extent: Extent,
    ) -> Option<MutantResult> {
        let program = carried(self, mutant.command.clone());
        let mut result = MutantResult {
            name: mutant.name.clone(),
            mistake: mutant.mistake.clone(),
            cases: Vec::new(),
        };
        for subtask in &problem.subtasks {
            for case in &subtask.cases {
                if self.stop().is_requested() {
                    return None;
                }
                let (verdict, fault) =
                    if extent == Extent::FirstFailure && result.killed_by().is_some() {
                        (Verdict::Skipped, None)
                    } else {
                        self.mutant_in(references, problem, subtask, case, &program)
                            .map_or_else(
                                |fault| (Verdict::JudgeError, Some(fault.text())),
                                |verdict| (verdict, None),
                            )
                    };
                result.cases.push(MutantCase {
                    name: format!("{}/{}", subtask.name, case.name),
                    verdict,
                    fault,
                });
            }
        }
        Some(result)
    }

    /// The verdict of one run. Time and output are limited as for a submission, so that a mutant whose mistake makes it
    /// slow keeps nobody waiting; the rest as for the reference, because it is our program.
    fn mutant_in(
        &self,
        references: &References,
        problem: &Problem,
        subtask: &Subtask,
        case: &Case,
        program: &Program,
    ) -> Result<Verdict, Fault> {
        let known = references.ask(self, problem, &subtask.name, case)?;
        let times = references.times_for(self, problem, LanguageId::Rust, known.yardstick)?;
        let limits = Limits {
            memory: MEMORY,
            processes: PROCESSES,
            ..problem.limits.resolve(LanguageId::Rust, times.as_ref())
        };
        let ran = run(
            self,
            Beside::Others,
            program,
            &problem.run,
            case,
            with_band(limits, BAND),
        )?;
        match ran.outcome.breach {
            Some(Breach::Cpu | Breach::Wall) => return Ok(Verdict::TimeLimit),
            Some(Breach::Memory) => return Ok(Verdict::MemoryLimit),
            Some(Breach::Output) => return Ok(Verdict::OutputLimit),
            None if ran.outcome.end == NOT_TAKEN => return Ok(Verdict::Skipped),
            None => {}
        }
        if !ran.outcome.end.is_success() {
            let stderr = grader_model::Excerpt::new(ran.stderr.trim_ascii());
            let said = format!("{}: {stderr}", ran.outcome.end);
            return Err(Fault::MutantRun(said.trim_end_matches(": ").to_owned()));
        }
        let Some(answer) = &ran.answer else {
            return Err(Fault::MutantRun("it wrote no output file".to_owned()));
        };
        let judgement = check(
            self,
            Beside::Others,
            Question {
                problem,
                case,
                output: answer,
                answer: known.answer.as_deref(),
            },
        )?;
        Ok(match judgement.mark {
            Mark::Right => Verdict::Accepted,
            Mark::Partial(_) => Verdict::PartiallyCorrect,
            Mark::Layout => Verdict::PresentationError,
            Mark::Wrong => Verdict::WrongAnswer,
        })
    }
}

/// What a mutant shows to be wrong with the problem, or with us.
pub(crate) fn complaint(mutant: &MutantResult) -> Option<Mismatch> {
    let faulty = mutant.cases.iter().find_map(|case| {
        let message = case.fault.clone()?;
        Some(Mismatch {
            place: format!("mutants/{}, case {}", mutant.name, case.name),
            message,
            fault: true,
        })
    });
    faulty.or_else(|| {
        mutant.survives().then(|| Mismatch {
            place: format!("mutants/{}", mutant.name),
            message: survival(mutant),
            fault: false,
        })
    })
}

fn survival(mutant: &MutantResult) -> Text {
    let Text { en, zh } = &mutant.mistake;
    let stopped = mutant.cases.iter().filter(|case| {
        matches!(
            case.verdict,
            Verdict::TimeLimit | Verdict::MemoryLimit | Verdict::OutputLimit
        )
    });
    match stopped.count() {
        0 => Text::new(
            format!("survives: no case fails a program that {en}"),
            format!("存活：没有测试点能发现这样的程序：{zh}"),
        ),
        count => Text::new(
            format!(
                "survives: no case fails a program that {en} (in {count} of them it is stopped at a limit, which does not count)"
            ),
            format!(
                "存活：没有测试点能发现这样的程序：{zh}（在 {count} 个测试点中因超限而停止，不算数）"
            ),
        ),
    }
}

#[cfg(test)]
mod tests;

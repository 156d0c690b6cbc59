//! One case of a program that was built: run once, or again where the machine kept it from the processor.

use std::io::ErrorKind;

use grader_language::Language;
use grader_model::{CaseResult, End, Limits, Outcome, SourceFile, Text, Verdict};
use grader_problem::{Case, Problem};
use grader_sandbox::SandboxError;

use crate::attempts::{Attempt, Print};
use crate::build::{Built, CRASHES};
use crate::crowd::Starved;
use crate::judge::{Judge, Urgency};
use crate::names::Names;
use crate::quiet::Beside;
use crate::references::Known;
use crate::run::{BAND, Program, Ran, run, stderr_excerpt, with_band};
use crate::verdict::{self, Rules};
use crate::workspace::Workspace;
use crate::{Fault, hints};

/// A program that was built, and a case to run it on.
pub(crate) struct BuiltCase<'a> {
    pub(crate) problem: &'a Problem,
    pub(crate) sources: &'a [SourceFile],
    pub(crate) built: &'a Built,
    pub(crate) case: &'a Case,
}

impl BuiltCase<'_> {
    /// Runs the program under these limits and judges what it does.
    pub(crate) fn judge(
        &self,
        judge: &Judge,
        known: &Known,
        limits: Limits,
    ) -> Result<CaseResult, Fault> {
        self.judge_beside(judge, Beside::Others, known, limits, BAND)
    }

    /// The same, beside others or alone; it is stopped so far above the limit as the band reaches.
    pub(crate) fn judge_beside(
        &self,
        judge: &Judge,
        beside: Beside<'_>,
        known: &Known,
        limits: Limits,
        band: f64,
    ) -> Result<CaseResult, Fault> {
        Ok(self
            .made(judge, beside, known, limits, band)?
            .attempt
            .result)
    }

    /// Runs the program beside others and judges what it does, with what it wrote.
    pub(crate) fn with_output(
        &self,
        judge: &Judge,
        known: &Known,
        limits: Limits,
        band: f64,
    ) -> Result<(CaseResult, Option<Output>), Fault> {
        let made = self.made(judge, Beside::Others, known, limits, band)?;
        Ok((made.attempt.result, made.output))
    }

    /// As [`BuiltCase::judge`], with what tells the run from another.
    pub(crate) fn attempt(
        &self,
        judge: &Judge,
        known: &Known,
        limits: Limits,
    ) -> Result<Attempt, Fault> {
        let made = self.made(judge, Beside::Others, known, limits, BAND)?;
        Ok(made.attempt)
    }

    /// Runs the program once; again and alone, with more wall time, as long as the machine kept it from the processor
    /// until its wall time was over.
    fn made(
        &self,
        judge: &Judge,
        beside: Beside<'_>,
        known: &Known,
        limits: Limits,
        band: f64,
    ) -> Result<Made, Fault> {
        let mut made = self.once(judge, beside, known, limits, band)?;
        let again = self.problem.limits.confirm;
        if made.starved.is_none() || again == 0 {
            return Ok(made);
        }
        let ours;
        let alone = match beside {
            Beside::Nobody(alone) => alone,
            Beside::Others => {
                ours = judge.quiet().alone(judge.stop()).ok_or(Fault::Stopped)?;
                &ours
            }
        };
        for _ in 0..again {
            let Some(kept_away) = made.starved else {
                return Ok(made);
            };
            if judge.stop().is_requested() {
                return Err(Fault::Stopped);
            }
            let limits = kept_away.stretched(limits, band);
            let beside = Beside::Nobody(alone);
            made = self.once(judge, beside, known, limits, band)?;
            // It had other limits than the next run would give it.
            made.output = None;
        }
        match (made.starved, &made.attempt.result.outcome) {
            (Some(starved), Some(outcome)) if starved.certain => Err(Fault::Crowded {
                cpu: outcome.cpu,
                wall: outcome.wall,
                runs: again,
            }),
            _ => Ok(made),
        }
    }

    /// One run.
    fn once(
        &self,
        judge: &Judge,
        beside: Beside<'_>,
        known: &Known,
        limits: Limits,
        band: f64,
    ) -> Result<Made, Fault> {
        let not_started = |result| Made {
            attempt: Attempt {
                result,
                print: None,
            },
            starved: None,
            output: None,
        };
        let &Self {
            problem,
            sources,
            built,
            case,
        } = self;
        let language = built.language();
        let mut given = with_band(limits, band);
        given.memory.0 += language.overhead().0;
        given.processes += language.threads();
        let program = Program {
            command: built.command(limits.memory),
            readable: built.readable(),
            system: built.system(),
            reserves_memory: language.reserves_memory(),
            urgency: Urgency::Yields,
        };
        if built.has_changed() {
            return Ok(not_started(changed_itself(case)));
        }
        let ran = run(judge, beside, &program, &problem.run, case, given);
        let mut ran = match ran {
            // What we may not execute at all is our own trouble.
            Err(Fault::Sandbox(SandboxError::Execute { source, .. }))
                if source.kind() != ErrorKind::PermissionDenied && built.has_own_program() =>
            {
                return Ok(not_started(not_executable(case, &source)));
            }
            ran => ran?,
        };
        if judge.stop().is_requested() && is_stopped_with_us(&ran.outcome) {
            return Err(Fault::Stopped);
        }
        let print = Print::of(&ran);
        ran.stderr = built.names().without_folder(&ran.stderr);
        let mut result = verdict::judge(
            &ran,
            &Rules {
                language,
                run: &problem.run,
                case,
                limits,
                answer: known.answer.as_deref(),
                yardstick: known.yardstick,
            },
        )?;
        if is_cut_by_a_full_disk(&result) {
            has_room(judge)?;
        }
        let told = Told {
            names: built.names(),
            language,
            sources,
            hints: &built.hints,
        };
        told.finish(&mut result, &ran, problem, case);
        let starved = ran.starved;
        // Whether it was kept from the processor is not kept, but decides what is said.
        let is_kept = judge.memory().is_some() && starved.is_none();
        Ok(Made {
            attempt: Attempt {
                result,
                print: Some(print),
            },
            starved,
            output: is_kept.then(|| Output::of(ran)).flatten(),
        })
    }
}

/// Whether a program was ended by somebody's signal, and by no limit of ours: who stops a whole group of processes, and
/// so us, stops it too.
fn is_stopped_with_us(outcome: &Outcome) -> bool {
    let is_foreign = |signal: i32| !CRASHES.contains(&signal);
    outcome.breach.is_none() && matches!(outcome.end, End::Signalled(it) if is_foreign(it))
}

/// One run, and all that may be asked of it.
struct Made {
    attempt: Attempt,
    /// Whether the machine kept it from the processor until its wall time was over.
    starved: Option<Starved>,
    /// What it wrote, where that is worth keeping.
    output: Option<Output>,
}

/// What a run wrote: enough to judge it again.
#[derive(Debug)]
pub(crate) struct Output {
    pub(crate) answer: Option<Vec<u8>>,
    /// Standard error without our folder.
    pub(crate) stderr: Vec<u8>,
    pub(crate) left: Vec<String>,
}

/// A longer answer is not kept.
const LONGEST: usize = 1 << 20;

impl Output {
    fn of(ran: Ran<'_>) -> Option<Self> {
        let Ran {
            answer,
            stderr,
            left,
            ..
        } = ran;
        let bytes = answer.as_ref().map_or(0, Vec::len);
        (bytes <= LONGEST).then_some(Self {
            answer,
            stderr,
            left,
        })
    }
}

/// What is known of a submission when the result of a case is told to its student.
pub(crate) struct Told<'a> {
    pub(crate) names: &'a Names,
    pub(crate) language: &'static Language,
    pub(crate) sources: &'a [SourceFile],
    /// What holds for the whole submission.
    pub(crate) hints: &'a [Text],
}

impl Told<'_> {
    /// Adds to a result what does not decide it: how standard error begins, and advice.
    pub(crate) fn finish(
        &self,
        result: &mut CaseResult,
        ran: &Ran<'_>,
        problem: &Problem,
        case: &Case,
    ) {
        // The advice so far has read the message as it was.
        result.stderr = stderr_excerpt(&self.names.as_handed_in(&ran.stderr));
        if result.verdict != Verdict::Accepted {
            let asked = hints::FailedCase {
                language: self.language,
                sources: self.sources,
                rule: &problem.run,
                case,
            };
            let is_silent = ran.answer.as_ref().is_none_or(Vec::is_empty);
            // One that has answered, and not crashed, got on without the file.
            let is_stuck = result.verdict == Verdict::RuntimeError || is_silent;
            let missing = is_stuck.then(|| asked.missing_file(&ran.stderr)).flatten();
            let advice = missing.or_else(|| asked.input_way());
            result.hints.extend(advice);
            if is_silent {
                result.hints.extend(asked.written_elsewhere(&ran.left));
            }
        }
        // What holds for the whole submission is said once, there.
        result.hints.retain(|hint| !self.hints.contains(hint));
    }
}

/// Whether a result may be what it is because nothing could be written any more.
const fn is_cut_by_a_full_disk(result: &CaseResult) -> bool {
    match result.verdict {
        Verdict::WrongAnswer | Verdict::PresentationError | Verdict::RuntimeError => true,
        Verdict::Accepted
        | Verdict::PartiallyCorrect
        | Verdict::TimeLimit
        | Verdict::MemoryLimit
        | Verdict::OutputLimit
        | Verdict::CompileError
        | Verdict::Skipped
        | Verdict::JudgeError => false,
    }
}

/// A program whose answer is wrong while the disk is full may have written another one. Its own files are gone when
/// this is asked, so that it cannot fill the disk to be excused.
fn has_room(judge: &Judge) -> Result<(), Fault> {
    Workspace::new(judge.root(), "room-")?.has_room()
}

/// The result of a case whose program was built and is nothing that this system executes: it asks for a loader that
/// is not here, or for more memory than there is.
fn not_executable(case: &Case, error: &std::io::Error) -> CaseResult {
    CaseResult::unrun(
        case.name.clone(),
        Verdict::RuntimeError,
        Text::new(
            format!("the program that was built cannot be executed: {error}"),
            format!("编译出的程序无法执行：{error}"),
        ),
    )
}

/// The result of a case that cannot be run because the program has changed its own files in an earlier one.
fn changed_itself(case: &Case) -> CaseResult {
    CaseResult::unrun(
        case.name.clone(),
        Verdict::RuntimeError,
        Text::new(
            "not run: the program deleted or changed its own files in an earlier case",
            "未运行：程序在之前的测试点中删除或修改了自己的文件",
        ),
    )
}

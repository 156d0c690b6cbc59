//! One case of a program that was built: run once and judged.

use std::cell::Cell;
use std::io::ErrorKind;
use std::time::SystemTime;

use grader_language::Language;
use grader_model::{
    Breach, CaseResult, CpuTime, End, LanguageId, Limits, Outcome, SourceFile, Text, Verdict,
    WallTime,
};
use grader_sandbox::SandboxError;

use crate::build::{Built, CRASHES};
use crate::checker_program::Question;
use crate::contention::Contention;
use crate::interaction::{CaseProgram, Interaction};
use crate::judge::{Judge, Worker};
use crate::near_limit::with_band;
use crate::passes::Passes;
use crate::reference::References;
use crate::run::{CaseRef, MAX_STDERR_SHOWN, Ran, shown};
use crate::run_lock::Exclusive;
use crate::verdict::{self, Rules};
use crate::workspace::Workspace;
use crate::{Fault, hints};

/// A program that was built, and a case to run it on.
#[derive(Clone, Copy)]
pub(crate) struct CaseJob<'a> {
    pub(crate) worker: Worker<'a>,
    pub(crate) references: &'a References,
    pub(crate) sources: &'a [SourceFile],
    pub(crate) built: &'a Built,
    pub(crate) at: CaseRef<'a>,
    /// What is kept from pass to pass, if there may be several.
    pub(crate) passes: Option<&'a Passes>,
}

/// What a run is judged by.
#[derive(Clone, Copy)]
pub(crate) struct JudgedBy<'a> {
    /// It is stopped at the end of the band above the CPU limit.
    pub(crate) limits: Limits,
    /// Wall time that it is given: more than the limit if it was kept from the processor before.
    pub(crate) wall: WallTime,
    /// The right answer, if there is one.
    pub(crate) answer: Option<&'a [u8]>,
    pub(crate) reference_time: Option<CpuTime>,
}

/// One run, judged.
#[derive(Clone, Debug)]
pub(crate) struct CaseRun {
    pub(crate) result: CaseResult,
    /// `None` if the program was not started.
    pub(crate) printed: Option<Printed>,
    /// Whether the machine kept it from the processor until its wall time ran out.
    pub(crate) contention: Option<Contention>,
}

/// What a run printed, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Printed {
    /// The clock just before the program was started.
    pub(crate) began: SystemTime,
    /// Hash of its answer.
    pub(crate) answer: [u8; 32],
}

impl CaseRun {
    /// A run that failed on our side.
    pub(crate) fn fault(at: CaseRef<'_>, fault: &Fault) -> Self {
        let name = at.case.name.clone();
        Self {
            result: CaseResult::unrun(name, Verdict::JudgeError, fault.text()),
            printed: None,
            contention: None,
        }
    }
}

impl<'a> CaseJob<'a> {
    pub(crate) fn judge(&self) -> &'a Judge {
        self.worker.judge
    }

    pub(crate) fn language(&self) -> LanguageId {
        self.built.language().id
    }

    /// Runs the program once and judges what it does.
    pub(crate) fn run(
        &self,
        exclusive: Option<&Exclusive<'_>>,
        by: JudgedBy<'_>,
    ) -> Result<CaseRun, Fault> {
        let (built, case) = (self.built, self.at.case);
        let language = built.language();
        let mut given = with_band(by.limits);
        given.wall = by.wall;
        given.memory.0 += language.memory.0;
        given.processes += language.threads;
        let program = built.program(by.limits.memory);
        if built.has_changed() {
            return Ok(self.not_started(Text::new(
                "not run: the program deleted or changed its own files in an earlier case",
                "未运行：程序在之前的测试点中删除或修改了自己的文件",
            )));
        }
        let question = Question {
            worker: self.worker,
            exclusive,
            at: self.at,
            output: b"",
            answer: by.answer,
            passes: self.passes,
        };
        let checkers = &self.references.checkers;
        let execution = CaseProgram {
            checkers,
            program: &program,
            limits: given,
            question,
        };
        let is_interactive = case.checker.is_interactive();
        let Interaction {
            mut ran,
            judged,
            rejected,
        } = match execution.run() {
            // If we may not execute it at all, that is our own trouble.
            Err(Fault::Sandbox(SandboxError::Execute { source, .. }))
                if !matches!(
                    source.kind(),
                    ErrorKind::PermissionDenied | ErrorKind::ArgumentListTooLong
                ) && built.has(&program.command.program) =>
            {
                // It needs a missing loader, or more memory than there is.
                return Ok(self.not_started(Text::new(
                    format!("the program that was built cannot be executed: {source}"),
                    format!("编译出的程序无法执行：{source}"),
                )));
            }
            ran => ran?,
        };
        if self.judge().stop().is_requested() && is_stopped_with_us(&ran.outcome) {
            return Err(Fault::Stopped);
        }
        let printed = Printed {
            began: ran.began,
            answer: blake3::hash(ran.answer.as_deref().unwrap_or_default()).into(),
        };
        ran.stderr = built.names.without_folder(&ran.stderr);
        // An interactor that fails after the program has is not asked: it may not expect that.
        let judged = Cell::new(judged);
        let check = |output: &[u8]| {
            let ask = || checkers.check(Question { output, ..question });
            judged.take().unwrap_or_else(ask)
        };
        let mut result = verdict::judge(
            &ran,
            &Rules {
                language,
                has_authors_main: built.plan.has_authors_main,
                run: &self.at.problem.run,
                case,
                limits: by.limits,
                check: &check,
                rejected,
                reference_time: by.reference_time,
            },
        )?;
        // It may have failed because the disk is full.
        if matches!(
            result.verdict,
            Verdict::WrongAnswer | Verdict::PresentationError | Verdict::RuntimeError
        ) {
            // Its own files are gone by now, so it cannot fill the disk on purpose.
            Workspace::new(self.judge().folder(), "room-")?.has_room()?;
        }
        self.explain(&mut result, &ran, language);
        if is_interactive && result.verdict != Verdict::Accepted && ran.contention.is_none() {
            result.evidence.extend(execution.recorded());
        }
        Ok(CaseRun {
            result,
            // What it says to an interactor is not kept.
            printed: (!is_interactive).then_some(printed),
            contention: ran.contention,
        })
    }

    fn not_started(&self, message: Text) -> CaseRun {
        let name = self.at.case.name.clone();
        CaseRun {
            result: CaseResult::unrun(name, Verdict::RuntimeError, message),
            printed: None,
            contention: None,
        }
    }

    /// Adds to a result what does not decide it: how standard error begins, and advice.
    fn explain(&self, result: &mut CaseResult, ran: &Ran<'_>, language: &'static Language) {
        // Only now: advice is matched against the original message.
        let stderr = self.built.names.as_submitted(&ran.stderr);
        result.stderr = shown(&stderr, MAX_STDERR_SHOWN);
        // The author's files read the input and print the answer if they have the entry point.
        if result.verdict != Verdict::Accepted && !self.built.plan.has_authors_main {
            let failed = hints::FailedCase {
                language,
                sources: self.sources,
                rule: &self.at.problem.run,
                case: self.at.case,
            };
            let is_silent = !self.at.case.checker.is_interactive()
                && ran.answer.as_ref().is_none_or(Vec::is_empty);
            // A program that answered and did not crash did not need the file.
            let is_stuck = result.verdict == Verdict::RuntimeError || is_silent;
            let waited = matches!(&result.outcome, Some(it) if it.breach == Some(Breach::Wall));
            if waited && self.at.case.checker.is_interactive() {
                result.hints.push(Text::new(
                    "The program and the interactor may be waiting for each other. End each line with a newline, then flush standard output.",
                    "程序与交互器可能在互相等待：每行末尾都要输出换行符，并立即刷新标准输出（flush）。",
                ));
            }
            let missing = is_stuck.then(|| failed.missing_file(&ran.stderr)).flatten();
            result.hints.extend(missing.or_else(|| failed.input_way()));
            if is_silent {
                result.hints.extend(failed.written_elsewhere(&ran.left));
            }
        }
        // Hints about the whole submission are reported once, there.
        result
            .hints
            .retain(|hint| !self.built.plan.hints.contains(hint));
    }
}

/// Whether a signal from outside ended a program, not a limit: a signal to the whole process group reaches us and the program.
fn is_stopped_with_us(outcome: &Outcome) -> bool {
    let is_foreign = |signal: i32| !CRASHES.contains(&signal);
    outcome.breach.is_none() && matches!(outcome.end, End::Signalled(it) if is_foreign(it))
}

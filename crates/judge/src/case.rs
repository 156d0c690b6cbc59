//! Runs a submission once on a case and judges the run.

use std::io::ErrorKind;

use grader_check::says_another;
use grader_language::AuthorsError;
use grader_model::{Breach, CaseResult, End, Judgement, Outcome, Text, Verdict, text};
use grader_problem::CaseRef;
use grader_sandbox::SandboxError;

use crate::Fault;
use crate::check::pass_feedback::Feedback;
use crate::check::second_run::judge_first;
use crate::check::{CheckedCase, check};
use crate::constants::{CRASHES, MAX_STDERR_SHOWN_BYTES};
use crate::decide::policy::RunPlan;
use crate::decide::run::{JudgedRun, Printed, Run};
use crate::decide::timing::with_band;
use crate::decide::verdict::{Checks, Rules, judged};
use crate::judging::Judging;
use crate::lab::Lab;
use crate::program::{Program, shown};
use crate::recording::record;
use crate::run::{self, Execution};
use crate::workspace::Workspace;

impl Judging<'_> {
    /// Runs the program once, judges the run, and explains a failure. `records` a failed interaction in another run.
    pub(crate) fn run_and_check(
        &self,
        lab: Lab<'_>,
        plan: &RunPlan<'_>,
        feedback: Option<&Feedback>,
        records: bool,
    ) -> Result<JudgedRun, Fault> {
        let answer = lab.answer(plan.at)?;
        let mut case = lab.with_input(plan.at)?;
        if let Some(input) = &plan.input {
            let case = case.to_mut();
            case.input.clone_from(input);
            if let Some(second) = case.second_run.take() {
                case.arguments = second.arguments;
            }
        }
        if let Some(name) = &case.output {
            if !self.prepared.files.iter().any(|it| it.path == *name) {
                let why = text!("`{name}` was not submitted", "没有提交 `{name}`");
                return Ok(JudgedRun::not_started(
                    &case.name,
                    Verdict::WrongAnswer,
                    why,
                ));
            }
            case.to_mut().arguments = vec![name.clone()];
        }
        let (case, rule) = (&*case, &plan.at.problem.run);
        let checked = CheckedCase {
            at: CaseRef { case, ..plan.at },
            answer: answer.as_deref().filter(|_| case.second_run.is_none()),
            feedback,
        };
        if let Some(feedback) = feedback {
            feedback.begin(plan.pass)?;
        }
        let not_started = |why| JudgedRun::not_started(&case.name, Verdict::RuntimeError, why);
        if self.built.has_changed() {
            return Ok(not_started(Text::new(
                "not run: the program deleted or changed its own files in an earlier case",
                "未运行：程序在之前的测试点中删除或修改了自己的文件",
            )));
        }
        lab.build_checker(plan.at)?;
        let mut limits = self.built.allowed(with_band(plan.limits));
        limits.wall = plan.wall;
        let program = self.built.program(plan.limits.memory);
        let interactor = checked.with_interactor();
        let execution = match run::run(lab, &program, rule, case, limits, interactor) {
            Ok(execution) => execution,
            Err(fault) => return self.own_fault(&program, fault).map(not_started),
        };
        if is_stopped_from_outside(&execution.run.outcome) && lab.must_stop_soon() {
            return Err(Fault::Stopped);
        }
        let mut judged = self.judge(lab, plan, checked, execution)?;
        if rule.passes > 1 {
            self.reproduce(plan.at.problem, case, &mut judged.result);
        }
        if interactor.is_some() && records && self.needs_transcript(&judged) {
            judged.has_transcript = true;
            let said = record(lab, &program, checked, limits, &judged.result);
            judged.result.evidence.extend(said);
        }
        Ok(judged)
    }

    /// Whether a transcript explains the result of an interaction. In a sample, a time-out says enough.
    fn needs_transcript(
        &self,
        JudgedRun {
            result, contention, ..
        }: &JudgedRun,
    ) -> bool {
        let is_enough = self.sample.is_some() && result.verdict == Verdict::TimeLimit;
        result.verdict != Verdict::Accepted && contention.is_none() && !is_enough
    }

    /// Why a program that was built cannot be executed: it needs a missing loader, or more memory than available. Other failures
    /// are ours, and if we lack permission to execute it, this is, too.
    fn own_fault(&self, program: &Program, fault: Fault) -> Result<Text, Fault> {
        let is_ours = |it: ErrorKind| {
            matches!(
                it,
                ErrorKind::PermissionDenied | ErrorKind::ArgumentListTooLong
            )
        };
        match fault {
            Fault::Sandbox(SandboxError::Execute { source, .. })
                if !is_ours(source.kind()) && self.built.has(&program.command.program) =>
            {
                Ok(text!(
                    "the program that was built cannot be executed: {source}",
                    "编译出的程序无法执行：{source}"
                ))
            }
            fault => Err(fault),
        }
    }

    /// Judges a run, and explains a failure. The permission for a large answer ends here, before another run asks for one.
    fn judge(
        &self,
        lab: Lab<'_>,
        plan: &RunPlan<'_>,
        case: CheckedCase<'_>,
        execution: Execution<'_>,
    ) -> Result<JudgedRun, Fault> {
        let Execution {
            mut run,
            judged: interactors,
            large: _large,
        } = execution;
        run.stderr = self.built.names.without_folder(&run.stderr);
        let rules = Rules {
            language: &self.built.language,
            has_authors_main: self.built.plan.has_authors_main,
            facts: &self.built.plan.facts,
            sources: self.prepared.files,
            run: &plan.at.problem.run,
            case: case.at.case,
            limits: plan.limits,
        };
        let mut checks = CaseChecks {
            lab,
            at: plan.at,
            case,
            interactors,
        };
        let mut result = judged(&run, &rules, &mut checks)?;
        // A full disk may be the cause.
        if matches!(
            result.verdict,
            Verdict::WrongAnswer | Verdict::PresentationError | Verdict::RuntimeError
        ) {
            // The program's files are already deleted, so it cannot fake a full disk.
            Workspace::new(lab.judge.folder(), "room-")?.check_room()?;
        }
        self.explain(&mut result, plan, &rules, &run);
        let answer = run.answer.as_deref().unwrap_or_default();
        let printed = Printed {
            began: run.began,
            answer: blake3::hash(answer).into(),
        };
        Ok(JudgedRun {
            authors_error: self.authors_error(&result, &run),
            mistakes: rules.mistakes(&result, &run, case.answer),
            words: rules.words(&result, &run),
            result,
            // Output to an interactor is not kept.
            printed: Some(printed).filter(|_| !case.at.case.checker.is_interactive()),
            contention: run.contention,
            next_input: case.feedback.map_or(Ok(None), Feedback::next_input)?,
            report: run.report,
            has_transcript: false,
        })
    }

    /// The error in an included file that ended a run, if one did.
    fn authors_error(&self, result: &CaseResult, run: &Run) -> Option<AuthorsError> {
        let (language, files) = (&self.built.language, self.built.names.files());
        let submission = &self.job.entry.problem.submission;
        let is_own = |module: &str| submission.may_be_module(module);
        let is_error = result.verdict == Verdict::RuntimeError;
        is_error.then(|| language.authors_run_error(&run.stderr, files, is_own))?
    }

    /// Adds the beginning of standard error, and advice.
    fn explain(&self, result: &mut CaseResult, plan: &RunPlan<'_>, rules: &Rules<'_>, run: &Run) {
        if !rules.has_authors_main {
            for hint in &mut result.hints {
                let named = |text: &str| {
                    let named = self.built.names.as_submitted(text.as_bytes());
                    String::from_utf8_lossy(&named).into_owned()
                };
                *hint = Text::new(named(&hint.en), named(&hint.zh));
            }
        }
        // After the advice, which is matched against the original message.
        let names = &self.built.names;
        let language = &self.built.language;
        let stderr = language.without_quoted_lines(&run.stderr, names.files().included);
        let stderr = names.as_submitted(&stderr);
        result.stderr = shown(&stderr, MAX_STDERR_SHOWN_BYTES).map(Box::new);
        // If the author's files have the entry point, they read the input and print the answer.
        if language.is_of_programs()
            && result.verdict != Verdict::Accepted
            && !self.built.plan.has_authors_main
        {
            let is_interactive = rules.case.checker.is_interactive();
            let is_silent = !is_interactive && run.is_silent();
            // A program that answered and did not crash did not need the file.
            let is_stuck = result.verdict == Verdict::RuntimeError || is_silent;
            let waited = matches!(&result.outcome, Some(it) if it.breach == Some(Breach::Wall));
            if waited && is_interactive {
                result.hints.push(Text::new(
                    "The program and the interactor may be waiting for each other. End each line with a newline, then flush standard output.",
                    "程序与交互器可能在互相等待：每行末尾都要输出换行符，并立即刷新标准输出（flush）。",
                ));
            }
            let has_nothing = plan.pass > 1 && rules.case.input.is_empty();
            if has_nothing && plan.at.case.second_run.is_some() {
                let hint = Text::new(
                    "The first run printed nothing, so the second one had no input.",
                    "第一次运行没有输出任何内容，所以第二次运行没有输入。",
                );
                result.hints.insert(0, hint);
            } else {
                let missing = is_stuck.then(|| rules.missing_input(&run.stderr)).flatten();
                result
                    .hints
                    .extend(missing.or_else(|| rules.input_way(result.verdict)));
            }
            let answer = run.answer.as_deref().unwrap_or_default();
            result.hints.extend(rules.source_encoding(answer));
            result.hints.extend(rules.commas());
            if is_silent {
                result.hints.extend(rules.written_elsewhere(&run.left));
            }
        }
        // Hints about the whole submission are reported once, at the submission.
        result
            .hints
            .retain(|hint| !self.built.plan.hints.contains(hint));
    }
}

/// The programs that judge the answer of a case.
struct CaseChecks<'a> {
    lab: Lab<'a>,
    /// The case as its problem has it.
    at: CaseRef<'a>,
    case: CheckedCase<'a>,
    interactors: Option<Result<Judgement, Fault>>,
}

impl Checks for CaseChecks<'_> {
    type Fault = Fault;

    fn interactors(&mut self) -> Result<Option<Judgement>, Fault> {
        self.interactors.take().transpose()
    }

    fn check_stderr(&mut self, written: &[u8]) -> Result<Option<Judgement>, Fault> {
        let rule = self.case.at.case.stderr.as_ref();
        let judgement = rule.map(|rule| grader_check::check_stderr(rule, written));
        Ok(judgement.transpose()?)
    }

    fn check(&mut self, output: &[u8]) -> Result<Judgement, Fault> {
        if let Some(second) = &self.case.at.case.second_run {
            return judge_first(self.lab, second, output, self.case.feedback);
        }
        if self.at.case.second_run.is_none() {
            return check(self.lab, self.case, output);
        }
        // A checker gets the input of the first run.
        let case = &*self.lab.with_input(self.at)?;
        let at = CaseRef { case, ..self.at };
        check(self.lab, CheckedCase { at, ..self.case }, output)
    }

    /// A sweep's larger cases may never be run, and their answers take long, so they are not asked for.
    fn is_answer_of_another(&mut self, output: &[u8]) -> Result<bool, Fault> {
        let (at, Some(expected)) = (self.case.at, self.case.answer) else {
            return Ok(false);
        };
        for other in CaseRef::all(at.problem).filter(|it| it.subtask.growth.is_none()) {
            let answer = self.lab.answer(other)?;
            let says = |other: &[u8]| says_another(&at.case.checker, output, expected, other);
            if answer.is_some_and(|answer| says(&answer)) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Whether a signal from outside ended the program. If that was sent to the process group, it reaches us, too, perhaps a moment
/// later: then it says nothing about the program.
fn is_stopped_from_outside(outcome: &Outcome) -> bool {
    let is_foreign = |signal: i32| !CRASHES.contains(&signal);
    outcome.breach.is_none() && matches!(outcome.end, End::Signalled(it) if is_foreign(it))
}

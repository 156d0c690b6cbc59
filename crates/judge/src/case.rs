//! Runs a submission once on a case and judges the run.

use std::io::ErrorKind;

use grader_check::says_another;
use grader_language::AuthorsError;
use grader_model::{
    Breach, CaseResult, End, Evidence, Judgement, Limits, Mark, Outcome, Text, Verdict, text,
};
use grader_problem::CaseRef;
use grader_sandbox::SandboxError;

use crate::Fault;
use crate::build_failure::CRASHES;
use crate::check::pass_feedback::Feedback;
use crate::check::{self, CheckedCase};
use crate::constants::MAX_STDERR_SHOWN_BYTES;
use crate::decide::junit::Report;
use crate::decide::policy::RunPlan;
use crate::decide::run::{JudgedRun, Printed, Run};
use crate::decide::timing::with_band;
use crate::decide::verdict::{self, Rules};
use crate::interact;
use crate::judging::Judging;
use crate::lab::Lab;
use crate::program::{Program, shown};
use crate::run::Held;
use crate::workspace::Workspace;

/// A judged run, and what else is known of it.
pub(crate) struct CheckedRun {
    pub(crate) judged: JudgedRun,
    /// Its harness's report, if there is a complete one.
    pub(crate) report: Option<Report>,
    /// The error in an included file that ended it, if one did.
    pub(crate) authors_error: Option<AuthorsError>,
    /// Whether it ran once more, for a transcript.
    pub(crate) has_transcript: bool,
}

impl Judging<'_> {
    /// Runs the program once, judges the run, and explains a failure. `records` a failed interaction in another run.
    pub(crate) fn run_and_check(
        &self,
        lab: Lab<'_>,
        plan: &RunPlan<'_>,
        feedback: Option<&Feedback>,
        records: bool,
    ) -> Result<CheckedRun, Fault> {
        let answer = lab.answer(plan.at)?;
        let mut case = lab.with_input(plan.at)?;
        if let Some(input) = &plan.input {
            case.to_mut().input.clone_from(input);
        }
        let case = CheckedCase {
            at: CaseRef {
                case: &case,
                ..plan.at
            },
            answer: answer.as_deref(),
            feedback,
        };
        if let Some(feedback) = feedback {
            feedback.begin(plan.pass)?;
        }
        let mut limits = self.built.allowed(with_band(plan.limits));
        limits.wall = plan.wall;
        let program = self.built.program(plan.limits.memory);
        let mut held = match self.start(lab, &program, case, limits)? {
            Ok(held) => held,
            Err(message) => return Ok(not_started(plan, message)),
        };
        let run = &mut held.run;
        let printed = Printed {
            began: run.began,
            answer: blake3::hash(run.answer.as_deref().unwrap_or_default()).into(),
        };
        run.stderr = self.built.names.without_folder(&run.stderr);
        let mut result = self.judge(lab, plan, case, &mut held)?;
        let Held {
            run, report, large, ..
        } = held;
        // Before another run asks for one.
        drop(large);
        let is_interactive = case.at.case.checker.is_interactive();
        let has_transcript = is_interactive && records && self.needs_transcript(&result, &run);
        if has_transcript {
            let said = interact::record(lab, &program, case, limits, &run.outcome);
            result.evidence.extend(said);
        }
        Ok(CheckedRun {
            authors_error: self.authors_error(&result, &run),
            judged: JudgedRun {
                result,
                // Output to an interactor is not kept.
                printed: (!is_interactive).then_some(printed),
                contention: run.contention,
                next_input: match feedback {
                    Some(feedback) => feedback.next_input()?,
                    None => None,
                },
            },
            report,
            has_transcript,
        })
    }

    /// Whether a transcript explains the result of an interaction. In a sample, a time-out says enough.
    fn needs_transcript(&self, result: &CaseResult, run: &Run) -> bool {
        let is_enough = self.sample.is_some() && result.verdict == Verdict::TimeLimit;
        result.verdict != Verdict::Accepted && run.contention.is_none() && !is_enough
    }

    /// Runs the program; or says why that is impossible, which is its own fault.
    fn start<'l>(
        &self,
        lab: Lab<'l>,
        program: &Program,
        case: CheckedCase<'_>,
        limits: Limits,
    ) -> Result<Result<Held<'l>, Text>, Fault> {
        if self.built.has_changed() {
            return Ok(Err(Text::new(
                "not run: the program deleted or changed its own files in an earlier case",
                "未运行：程序在之前的测试点中删除或修改了自己的文件",
            )));
        }
        let held = match interact::run(lab, program, case, limits) {
            // If we lack permission to execute it, the failure is ours.
            Err(Fault::Sandbox(SandboxError::Execute { source, .. }))
                if !matches!(
                    source.kind(),
                    ErrorKind::PermissionDenied | ErrorKind::ArgumentListTooLong
                ) && self.built.has(&program.command.program) =>
            {
                // It needs a missing loader, or more memory than available.
                return Ok(Err(text!(
                    "the program that was built cannot be executed: {source}",
                    "编译出的程序无法执行：{source}"
                )));
            }
            held => held?,
        };
        if is_stopped_from_outside(&held.run.outcome) && lab.must_stop_soon() {
            return Err(Fault::Stopped);
        }
        Ok(Ok(held))
    }

    /// The verdict of a run, with advice.
    fn judge(
        &self,
        lab: Lab<'_>,
        plan: &RunPlan<'_>,
        case: CheckedCase<'_>,
        held: &mut Held<'_>,
    ) -> Result<CaseResult, Fault> {
        let (run, has_report) = (&held.run, held.report.is_some());
        let rules = Rules {
            language: &self.built.language,
            has_authors_main: self.built.plan.has_authors_main,
            facts: &self.built.plan.facts,
            sources: self.sources,
            run: &plan.at.problem.run,
            case: case.at.case,
            limits: plan.limits,
        };
        let mut result = if has_report || rules.run.report.is_some() {
            reported(run, &rules, has_report)
        } else {
            verdict_of(lab, case, run, &rules, held.judged.take())?
        };
        // A full disk may be the cause.
        if matches!(
            result.verdict,
            Verdict::WrongAnswer | Verdict::PresentationError | Verdict::RuntimeError
        ) {
            // The program's files are already deleted, so it cannot fake a full disk.
            Workspace::new(lab.judge.folder(), "room-")?.check_room()?;
        }
        self.explain(&mut result, &rules, run);
        Ok(result)
    }

    /// The error in an included file that ended a run, if one did.
    fn authors_error(&self, result: &CaseResult, run: &Run) -> Option<AuthorsError> {
        let (language, files) = (&self.built.language, self.built.names.files());
        let submission = &self.entry.problem.submission;
        let is_own = |module: &str| submission.may_be_module(module);
        let is_error = result.verdict == Verdict::RuntimeError;
        is_error.then(|| language.authors_run_error(&run.stderr, files, is_own))?
    }

    /// Adds the beginning of standard error, and advice.
    fn explain(&self, result: &mut CaseResult, rules: &Rules<'_>, run: &Run) {
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
        if result.verdict != Verdict::Accepted && !self.built.plan.has_authors_main {
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
            let missing = is_stuck.then(|| rules.missing_input(&run.stderr)).flatten();
            result.hints.extend(missing.or_else(|| rules.input_way()));
            let answer = run.answer.as_deref().unwrap_or_default();
            result.hints.extend(rules.source_encoding(answer));
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

/// A program that was not started, by its own fault.
fn not_started(plan: &RunPlan<'_>, message: Text) -> CheckedRun {
    let name = &plan.at.case.name;
    CheckedRun {
        judged: JudgedRun::not_started(name, Verdict::RuntimeError, message),
        report: None,
        authors_error: None,
        has_transcript: false,
    }
}

/// The verdict of a harness's run: accepted if its report is complete.
fn reported(run: &Run, rules: &Rules<'_>, has_report: bool) -> CaseResult {
    let mut result = verdict::before_tests(run, rules, has_report);
    if run.has_second_report {
        let text = Text::new("a second report was written", "写出了第二份报告");
        let evidence = Evidence::new("second-report", text);
        result.evidence.push(evidence.for_staff());
    }
    result
}

/// The verdict of a run. Its limits and exit status decide first, then its answer, judged by the checker or an
/// interactor.
fn verdict_of(
    lab: Lab<'_>,
    case: CheckedCase<'_>,
    run: &Run,
    rules: &Rules<'_>,
    judged: Option<Result<Judgement, Fault>>,
) -> Result<CaseResult, Fault> {
    let check = |output: &[u8]| check::check(lab, case, output);
    let checked = || match &run.answer {
        Some(answer) => check(answer),
        None => Ok(Judgement::because(
            Mark::Wrong,
            verdict::missing_file(run, rules),
        )),
    };
    // Do not run a checker program just for a hint.
    let is_built_in = case.at.case.checker.is_built_in();
    if let Some(mut result) = verdict::before_answer(run, rules) {
        // Ignore the interactor if the program failed first: it may not expect that.
        if result.verdict == Verdict::RuntimeError && is_built_in && checked()?.mark == Mark::Right
        {
            let message = verdict::right_end_message(run.outcome.end, rules);
            result.message = Some(Box::new(message));
        }
        return Ok(result);
    }
    let mut judgement = judged.unwrap_or_else(checked)?;
    let says = |code: &str| judgement.evidence.iter().any(|it| it.code == code);
    if is_built_in && judgement.mark == Mark::Layout && says("extra-text") {
        if has_answer_of_another(lab, case, run)? {
            judgement.mark = Mark::Wrong;
        }
    } else if let Some(name) = &rules.run.output_file
        && says("no-output")
    {
        judgement.evidence = vec![verdict::empty_file(run, name)];
    }
    let is_blank = |written: &[u8]| written.trim_ascii().is_empty();
    let is_on_stderr = is_built_in
        && judgement.mark != Mark::Right
        && run.answer.as_deref().is_none_or(is_blank)
        && !is_blank(&run.stderr)
        && check(&run.stderr)?.mark != Mark::Wrong;
    Ok(verdict::by_answer(run, rules, judgement, is_on_stderr))
}

/// Whether an answer with other text is also, or has in that text, the answer of another case: then it says both. A
/// sweep's larger cases may never be run, and their answers take long.
fn has_answer_of_another(lab: Lab<'_>, case: CheckedCase<'_>, run: &Run) -> Result<bool, Fault> {
    let (Some(output), Some(expected)) = (&run.answer, case.answer) else {
        return Ok(false);
    };
    for other in CaseRef::all(case.at.problem).filter(|it| it.subtask.growth.is_none()) {
        let answer = lab.answer(other)?;
        let says = |other: &[u8]| says_another(&case.at.case.checker, output, expected, other);
        if answer.is_some_and(|answer| says(&answer)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether a signal from outside ended the program. If that was sent to the process group, it reaches us, too, perhaps a moment
/// later: then it says nothing about the program.
fn is_stopped_from_outside(outcome: &Outcome) -> bool {
    let is_foreign = |signal: i32| !CRASHES.contains(&signal);
    outcome.breach.is_none() && matches!(outcome.end, End::Signalled(it) if is_foreign(it))
}

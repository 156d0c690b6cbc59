//! One submission for one problem.

use std::borrow::Cow;
use std::io::{self, ErrorKind};

use grader_intake::Submission;
use grader_language::recognise;
use grader_model::{
    CaseResult, EventKind, Flag, LanguageId, Limits, Points, ProblemResult, SourceFile, StudentId,
    SubtaskResult, Text, Verdict,
};
use grader_problem::{Case, Entry, Problem, Subtask};
use grader_sandbox::SandboxError;

use crate::answers::whole_number;
use crate::attempts::{Attempt, Before, Print, same_answer};
use crate::build::{Build, Built, build};
use crate::crowd::Starved;
use crate::judge::Judge;
use crate::quiet::Beside;
use crate::references::{Known, References};
use crate::run::{BAND, Program, run, with_band};
use crate::score::{problem_points, subtask_result};
use crate::source_rules::{read_sources, source_flags};
use crate::time_flags::time_flags;
use crate::verdict::{self, Rules};
use crate::{Fault, attempts, growth, hints, steady};

/// A submission that waits to be judged.
pub(crate) struct Waiting<'a> {
    pub(crate) student: &'a StudentId,
    pub(crate) entry: &'a Entry,
    pub(crate) handed: Handed<'a>,
    pub(crate) shown: &'a [String],
}

/// Where the sources of a submission are.
#[derive(Clone, Copy)]
pub(crate) enum Handed<'a> {
    /// In memory.
    Here(&'a [SourceFile]),
    /// Where the student handed them in.
    In(&'a Submission),
}

impl<'a> Handed<'a> {
    /// The language, as far as it can be told.
    pub(crate) fn language(self) -> Option<LanguageId> {
        match self {
            Self::Here(sources) => recognise(sources),
            Self::In(submission) => submission.language,
        }
    }

    fn sources(self) -> io::Result<Cow<'a, [SourceFile]>> {
        match self {
            Self::Here(sources) => Ok(Cow::Borrowed(sources)),
            Self::In(submission) => submission.sources(),
        }
    }
}

impl Waiting<'_> {
    /// Reads the sources and judges them; `send` hears of each case as it ends. Nothing when asked to stop.
    pub(crate) fn judge(
        &self,
        judge: &Judge,
        references: &References,
        send: &dyn Fn(EventKind),
    ) -> Option<ProblemResult> {
        let sources = match self.handed.sources() {
            Ok(sources) => sources,
            Err(error) => {
                let fault = Fault::file("read", self.shown.join(", "))(error);
                return Some(failed(self, &fault));
            }
        };
        let job = Job {
            student: self.student,
            entry: self.entry,
            sources: &sources,
            shown: self.shown,
        };
        job.judge(judge, references, send)
    }
}

/// A submission that is being judged.
pub(crate) struct Job<'a> {
    pub(crate) student: &'a StudentId,
    pub(crate) entry: &'a Entry,
    pub(crate) sources: &'a [SourceFile],
    pub(crate) shown: &'a [String],
}

/// The result of a problem for which there is nothing to judge.
pub(crate) fn nothing_handed_in(entry: &Entry) -> ProblemResult {
    let message = Text::new("nothing handed in", "没有提交");
    whole(entry, Verdict::Skipped, Some(Points::ZERO), message)
}

/// The result of a submission that is there and cannot be read: our failure, so that its points stay open.
pub(crate) fn unreadable(entry: &Entry, reason: Text) -> ProblemResult {
    whole(entry, Verdict::JudgeError, None, reason)
}

/// The result of a submission that was not judged because the run was stopped: its points stay open.
pub(crate) fn interrupted(entry: &Entry) -> ProblemResult {
    let message = Text::new("not judged: the run was stopped", "未评测：评测被中断");
    whole(entry, Verdict::Skipped, None, message)
}

/// A result that is the same for all cases, none of which was run.
fn whole(entry: &Entry, verdict: Verdict, points: Option<Points>, message: Text) -> ProblemResult {
    let subtasks = entry
        .problem
        .subtasks
        .iter()
        .map(|subtask| SubtaskResult {
            name: subtask.name.clone(),
            points,
            max_points: subtask.points,
            verdict,
            hidden: subtask.hidden,
            message: None,
            growth: None,
            cases: subtask
                .cases
                .iter()
                .map(|case| CaseResult::unrun(case.name.clone(), verdict, message.clone()))
                .collect(),
        })
        .collect();
    ProblemResult {
        origin: None,
        id: entry.problem.id.clone(),
        points,
        max_points: entry.points,
        bonus: entry.bonus,
        verdict,
        message: Some(message),
        hints: Vec::new(),
        language: None,
        files: Vec::new(),
        build: None,
        flags: Vec::new(),
        subtasks,
    }
}

/// The result of a job that failed on our side as a whole.
pub(crate) fn failed(job: &Waiting<'_>, fault: &Fault) -> ProblemResult {
    let mut result = whole(job.entry, Verdict::JudgeError, None, fault.text());
    result.files = job.shown.to_vec();
    result
}

impl Job<'_> {
    /// Judges the submission; `send` hears of each case as it ends. Nothing when asked to stop.
    fn judge(
        &self,
        judge: &Judge,
        references: &References,
        send: &dyn Fn(EventKind),
    ) -> Option<ProblemResult> {
        let problem = &self.entry.problem;
        send(EventKind::JobStarted {
            student: self.student.clone(),
            problem: problem.id.clone(),
        });
        let mut result = self.result(judge, references, send)?;
        result.files = self.shown.to_vec();
        Some(result)
    }

    fn result(
        &self,
        judge: &Judge,
        references: &References,
        send: &dyn Fn(EventKind),
    ) -> Option<ProblemResult> {
        let problem = &self.entry.problem;
        let rejected = |message: Text| {
            Some(whole(
                self.entry,
                Verdict::CompileError,
                Some(Points::ZERO),
                message,
            ))
        };
        let Some(language) = recognise(self.sources) else {
            return rejected(Text::new(
                "the language of the source cannot be told from its name or its text",
                "无法从文件名或内容判断源程序的语言",
            ));
        };
        if !problem.submission.languages.contains(&language) {
            let known: Vec<&str> = problem
                .submission
                .languages
                .iter()
                .map(|l| l.name())
                .collect();
            let known = known.join(", ");
            return rejected(Text::new(
                format!(
                    "{} is not accepted for this problem, which takes {known}",
                    language.name()
                ),
                format!("本题不接受 {}，可用语言：{known}", language.name()),
            ));
        }
        let built = match build(judge, language, self.sources, problem.limits.compile_time) {
            Ok(Build::Done(built)) => *built,
            Ok(Build::Failed {
                message,
                hints,
                report,
            }) => {
                let mut result = whole(
                    self.entry,
                    Verdict::CompileError,
                    Some(Points::ZERO),
                    message,
                );
                result.language = Some(language);
                result.hints = hints;
                result.build = Some(report);
                return Some(result);
            }
            Err(fault) => {
                let mut result = whole(self.entry, Verdict::JudgeError, None, fault.text());
                result.language = Some(language);
                return Some(result);
            }
        };
        let subtasks = self.subtasks(judge, references, &built, send)?;
        let flags = self.flags(judge, references, language, &subtasks);
        let (points, verdict) = problem_points(&subtasks);
        Some(ProblemResult {
            origin: None,
            id: problem.id.clone(),
            points,
            max_points: self.entry.points,
            bonus: self.entry.bonus,
            verdict,
            message: None,
            hints: built.hints.clone(),
            language: Some(language),
            files: Vec::new(),
            build: Some(built.report.clone()),
            flags,
            subtasks,
        })
    }

    fn subtasks(
        &self,
        judge: &Judge,
        references: &References,
        built: &Built,
        send: &dyn Fn(EventKind),
    ) -> Option<Vec<SubtaskResult>> {
        let mut results: Vec<SubtaskResult> = Vec::new();
        for subtask in &self.entry.problem.subtasks {
            let lacking = lacking(subtask, &results);
            let mut cases = Vec::with_capacity(subtask.cases.len());
            for case in &subtask.cases {
                if judge.stop().is_requested() {
                    return None;
                }
                let result = if let Some((verdict, message)) = &lacking {
                    CaseResult::unrun(case.name.clone(), *verdict, message.clone())
                } else {
                    let before = Before {
                        subtasks: &results,
                        cases: &cases,
                    };
                    self.case(judge, references, built, subtask, case, before)?
                };
                send(EventKind::CaseFinished {
                    student: self.student.clone(),
                    problem: self.entry.problem.id.clone(),
                    subtask: subtask.name.clone(),
                    hidden: subtask.hidden,
                    sweep: subtask.growth.is_some(),
                    case: Box::new(result.clone()),
                });
                cases.push(result);
            }
            let result = subtask_result(subtask, cases, &results);
            results.push(result);
        }
        Some(results)
    }

    /// What there is for the instructor to look at in the sources.
    fn flags(
        &self,
        judge: &Judge,
        references: &References,
        language: LanguageId,
        results: &[SubtaskResult],
    ) -> Vec<Flag> {
        let problem = &self.entry.problem;
        let mut answers = Vec::new();
        if problem.source.answers.is_some() {
            for (subtask, result) in problem.subtasks.iter().zip(results) {
                for (case, result) in subtask.cases.iter().zip(&result.cases) {
                    // Where a case was run, the reference has been asked already.
                    let answer = result
                        .outcome
                        .is_some()
                        .then(|| references.answer(judge, problem, &subtask.name, case));
                    if let Some(Ok(Some(answer))) = answer
                        && let Some(answer) = whole_number(&answer)
                    {
                        answers.push((case.name.clone(), answer));
                    }
                }
            }
        }
        let sources = read_sources(self.sources, self.shown);
        let mut flags = source_flags(&problem.source, language, &sources, &answers);
        flags.extend(time_flags(problem, results));
        flags.extend(same_answer(problem, results));
        flags
    }

    /// Judges a case. Nothing when asked to stop before there was a result.
    fn case(
        &self,
        judge: &Judge,
        references: &References,
        built: &Built,
        subtask: &Subtask,
        case: &Case,
        before: Before<'_>,
    ) -> Option<CaseResult> {
        match self.run_case(judge, references, built, subtask, case, before) {
            Ok(result) => Some(result),
            Err(Fault::Stopped) => None,
            Err(fault) => Some(CaseResult::unrun(
                case.name.clone(),
                Verdict::JudgeError,
                fault.text(),
            )),
        }
    }

    fn run_case(
        &self,
        judge: &Judge,
        references: &References,
        built: &Built,
        subtask: &Subtask,
        case: &Case,
        before: Before<'_>,
    ) -> Result<CaseResult, Fault> {
        let run = BuiltCase {
            problem: &self.entry.problem,
            sources: self.sources,
            built,
            case,
        };
        if let Some(rule) = &subtask.growth {
            growth::judge(judge, references, subtask, rule, &run, before.cases)
        } else if let Some(rule) = subtask.attempts {
            attempts::judge(judge, references, subtask, rule, &run, before)
        } else {
            steady::judge(judge, references, subtask, &run)
        }
    }
}

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
        Ok(self.made(judge, beside, known, limits, band)?.result)
    }

    /// As [`BuiltCase::judge`], with what tells the run from another.
    pub(crate) fn attempt(
        &self,
        judge: &Judge,
        known: &Known,
        limits: Limits,
    ) -> Result<Attempt, Fault> {
        self.made(judge, Beside::Others, known, limits, BAND)
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
    ) -> Result<Attempt, Fault> {
        let (mut attempt, mut starved) = self.once(judge, beside, known, limits, band)?;
        let again = self.problem.limits.confirm;
        if starved.is_none() || again == 0 {
            return Ok(attempt);
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
            let Some(kept_away) = starved else {
                return Ok(attempt);
            };
            if judge.stop().is_requested() {
                return Err(Fault::Stopped);
            }
            let limits = kept_away.stretched(limits, band);
            let beside = Beside::Nobody(alone);
            (attempt, starved) = self.once(judge, beside, known, limits, band)?;
        }
        match (starved, &attempt.result.outcome) {
            (Some(starved), Some(outcome)) if starved.certain => Err(Fault::Crowded {
                cpu: outcome.cpu,
                wall: outcome.wall,
                runs: again,
            }),
            _ => Ok(attempt),
        }
    }

    /// One run, and whether the machine kept it from the processor until its wall time was over.
    fn once(
        &self,
        judge: &Judge,
        beside: Beside<'_>,
        known: &Known,
        limits: Limits,
        band: f64,
    ) -> Result<(Attempt, Option<Starved>), Fault> {
        let not_started = |result| {
            let print = None;
            (Attempt { result, print }, None)
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
            reserves_memory: language.reserves_memory(),
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
        // The advice above has read the message as it was.
        ran.stderr = built.names().as_handed_in(&ran.stderr);
        result.stderr = ran.stderr_excerpt();
        if result.verdict != Verdict::Accepted {
            result
                .hints
                .extend(hints::input_way(language, sources, &problem.run, case));
        }
        // What holds for the whole submission is said once, there.
        result.hints.retain(|hint| !built.hints.contains(hint));
        let print = Some(print);
        Ok((Attempt { result, print }, ran.starved))
    }
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

/// Why the cases of a subtask are not run: a required subtask was not passed, or could not be judged.
pub(crate) fn lacking(subtask: &Subtask, done: &[SubtaskResult]) -> Option<(Verdict, Text)> {
    let required = subtask.require.iter().find_map(|required| {
        done.iter()
            .find(|result| result.name == *required && result.verdict != Verdict::Accepted)
    })?;
    let name = &required.name;
    Some(if required.verdict == Verdict::JudgeError {
        let message = Text::new(
            format!("not run: subtask `{name}` is required and could not be judged"),
            format!("未运行：所需的子任务 `{name}` 无法评测"),
        );
        (Verdict::JudgeError, message)
    } else {
        let message = Text::new(
            format!("not run: subtask `{name}` is required and was not passed"),
            format!("未运行：需要先通过子任务 `{name}`"),
        );
        (Verdict::Skipped, message)
    })
}

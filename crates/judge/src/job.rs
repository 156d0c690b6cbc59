//! One submission for one problem.

use std::borrow::Cow;
use std::io;

use grader_intake::{Lost, Submission};
use grader_language::recognise;
use grader_model::{
    CaseResult, Change, EventKind, FaultCause, Flag, LanguageId, Origin, Points, ProblemResult,
    SourceFile, StudentId, SubtaskResult, Text, Verdict, escaped, not_judged,
};
use grader_problem::{Entry, Subtask};

use crate::Fault;
use crate::attempts::{Before, same_answer};
use crate::build::{Build, build};
use crate::flags::{source_flags, time_flags, whole_number};
use crate::judge::{Judge, Urgency};
use crate::memory::{Done, JobKey, JobName, KeptRun, Remembered};
use crate::program::Program;
use crate::recall::{Known, Past, Way};
use crate::recheck::Outputs;
use crate::references::References;
use crate::score::{problem_points, subtask_result};

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
    /// Nowhere any more.
    #[cfg(test)]
    Gone,
}

impl<'a> Handed<'a> {
    /// The language, as far as it can be told.
    pub(crate) fn language(self) -> Option<LanguageId> {
        match self {
            Self::Here(sources) => recognise(sources),
            Self::In(submission) => submission.language,
            #[cfg(test)]
            Self::Gone => None,
        }
    }

    fn sources(self) -> io::Result<Cow<'a, [SourceFile]>> {
        match self {
            Self::Here(sources) => Ok(Cow::Borrowed(sources)),
            Self::In(submission) => submission.sources(),
            #[cfg(test)]
            Self::Gone => Err(io::ErrorKind::NotFound.into()),
        }
    }
}

impl Waiting<'_> {
    /// Finds the result of a submission, from what is remembered or by judging it; `send` hears of each case as it
    /// ends. Nothing when asked to stop.
    ///
    /// What is remembered is looked up in the seat of the worker: so it takes the processor of no program that runs.
    pub(crate) fn judge(
        &self,
        judge: &Judge,
        references: &References,
        past: Option<&Past<'_>>,
        send: &dyn Fn(EventKind),
    ) -> Option<Finished> {
        let sources = match self.handed.sources() {
            Ok(sources) => sources,
            Err(error) => {
                let fault = Fault::file("read", self.shown.join(", "))(error);
                return Some(self.failed(&fault, past.is_some()));
            }
        };
        let job = Job {
            student: self.student,
            entry: self.entry,
            sources: &sources,
            shown: self.shown,
            language: recognise(&sources),
        };
        job.finished(judge, references, past, send)
    }

    /// A job that failed on our side as a whole. It has no key, so that nothing is ever taken from it.
    pub(crate) fn failed(&self, fault: &Fault, is_kept: bool) -> Finished {
        let mut result = faulty(self.entry, FaultCause::Ours, fault.text());
        result.files = self.shown.to_vec();
        result.origin = is_kept.then(|| Origin::Ran {
            because: Vec::new(),
        });
        Finished::new(JobKey::default(), result, Vec::new())
    }
}

/// A job that has its result.
#[derive(Debug)]
pub(crate) struct Finished {
    /// With what is to be kept of it.
    pub(crate) done: Done,
    /// Whether it is not kept as a job of this run yet.
    pub(crate) is_new: bool,
}

impl Finished {
    fn new(key: JobKey, result: ProblemResult, runs: Vec<KeptRun>) -> Self {
        Self {
            done: Done { key, result, runs },
            is_new: true,
        }
    }
}

/// A submission that is being judged.
pub(crate) struct Job<'a> {
    pub(crate) student: &'a StudentId,
    pub(crate) entry: &'a Entry,
    pub(crate) sources: &'a [SourceFile],
    pub(crate) shown: &'a [String],
    pub(crate) language: Option<LanguageId>,
}

/// The result of a problem for which there is nothing to judge.
pub(crate) fn nothing_handed_in(entry: &Entry) -> ProblemResult {
    let message = Text::new("nothing handed in", "没有提交");
    whole(entry, Verdict::Skipped, Some(Points::ZERO), message)
}

/// The result of a submission that is there, or may be, and cannot be read: its points stay open.
pub(crate) fn unreadable(entry: &Entry, lost: &Lost) -> ProblemResult {
    faulty(entry, lost.cause, lost.reason.clone())
}

/// The result of a submission that was not judged because the run was stopped: its points stay open.
pub(crate) fn interrupted(entry: &Entry) -> ProblemResult {
    whole(entry, Verdict::Skipped, None, not_judged())
}

/// The result of a submission that cannot be judged at all.
fn faulty(entry: &Entry, cause: FaultCause, reason: Text) -> ProblemResult {
    ProblemResult {
        fault: Some(cause),
        ..whole(entry, Verdict::JudgeError, None, reason)
    }
}

/// A result that is the same for all cases, none of which was run.
fn whole(entry: &Entry, verdict: Verdict, points: Option<Points>, message: Text) -> ProblemResult {
    let subtasks = entry.problem.subtasks.iter().map(|subtask| {
        SubtaskResult::unrun(
            (subtask.name.clone(), subtask.points, subtask.hidden),
            (verdict, points),
            &message,
            subtask.cases.iter().map(|case| case.name.clone()),
        )
    });
    let subtasks = subtasks.collect();
    ProblemResult::unrun(
        (entry.problem.id.clone(), entry.points, entry.bonus),
        (verdict, points),
        message,
        subtasks,
    )
}

impl Job<'_> {
    /// The result: what is remembered where that holds, else what judging comes to. Nothing when asked to stop.
    fn finished(
        &self,
        judge: &Judge,
        references: &References,
        past: Option<&Past<'_>>,
        send: &dyn Fn(EventKind),
    ) -> Option<Finished> {
        let Some(past) = past else {
            let made = self.judge(judge, references, None, send)?;
            return Some(Finished::new(JobKey::default(), made.result, Vec::new()));
        };
        let key = past.key(self.entry, self.language, self.sources);
        let name = JobName {
            student: self.student,
            problem: &self.entry.problem.id,
        };
        let (known, because) = match past.way(name, &key, &self.entry.problem) {
            Way::Take(known) => return Some(self.taken(key, *known)),
            // Where in the end none of its outputs was of use.
            Way::Check(known) => (Some(*known), vec![Change::Judging, Change::NotKept]),
            Way::Run(because) => (None, because),
        };
        let run = known.as_ref().map(|known| known.run);
        let mut made = self.judge(judge, references, known, send)?;
        made.result.origin = Some(match run {
            Some(run) if made.checked => Origin::Checked {
                run,
                because: made.anew,
            },
            _ => Origin::Ran { because },
        });
        Some(Finished::new(key, made.result, made.runs))
    }

    /// A result that is taken as it is.
    fn taken(&self, key: JobKey, known: Remembered) -> Finished {
        let Remembered {
            run,
            is_this_run,
            mut result,
            ..
        } = known;
        if !is_this_run {
            result.origin = Some(Origin::Reused { run });
        }
        // The same files may lie elsewhere now.
        for flag in &mut result.flags {
            let places = flag.evidence.iter_mut().filter_map(|it| it.place.as_mut());
            for place in places {
                let at = |path: &String| escaped(path.as_bytes()) == place.file;
                if let Some(now) = result.files.iter().position(at)
                    && let Some(now) = self.shown.get(now)
                {
                    place.file = escaped(now.as_bytes());
                }
            }
        }
        result.files = self.shown.to_vec();
        Finished {
            is_new: !is_this_run,
            ..Finished::new(key, result, Vec::new())
        }
    }

    /// Judges the submission, by what is `known` of earlier runs of its program where that is given; `send` hears of
    /// each case as it ends. Nothing when asked to stop.
    fn judge(
        &self,
        judge: &Judge,
        references: &References,
        known: Option<Known>,
        send: &dyn Fn(EventKind),
    ) -> Option<Made> {
        let problem = &self.entry.problem;
        send(EventKind::JobStarted {
            student: self.student.clone(),
            problem: problem.id.clone(),
        });
        let mut made = self.made(judge, references, known, send)?;
        made.result.files = self.shown.to_vec();
        Some(made)
    }

    fn made(
        &self,
        judge: &Judge,
        references: &References,
        known: Option<Known>,
        send: &dyn Fn(EventKind),
    ) -> Option<Made> {
        let problem = &self.entry.problem;
        let rejected = |message: Text| {
            let points = Some(Points::ZERO);
            let result = whole(self.entry, Verdict::CompileError, points, message);
            Some(Made::unrun(result))
        };
        let Some(language) = self.language else {
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
                .map(|&id| grader_language::language(id).name())
                .collect();
            let known = known.join(", ");
            let name = grader_language::language(language).name();
            return rejected(Text::new(
                format!("{name} is not accepted for this problem, which takes {known}"),
                format!("本题不接受 {name}，可用语言：{known}"),
            ));
        }
        let failed = |fault: &Fault| {
            let mut result = faulty(self.entry, FaultCause::Ours, fault.text());
            result.language = Some(language);
            Some(Made::unrun(result))
        };
        let mut program = match known {
            Some(known) => {
                let outputs = Outputs::new(known, language, self.sources);
                match outputs {
                    Ok(outputs) => Program::known(judge, self.entry, self.sources, outputs),
                    Err(fault) => return failed(&fault),
                }
            }
            None => match build(
                judge,
                language,
                self.sources,
                problem.limits.compile_time,
                Urgency::Yields,
            ) {
                Ok(Build::Done(built)) => Program::built(judge, self.entry, self.sources, built),
                Ok(Build::Failed {
                    message,
                    hints,
                    report,
                }) => {
                    let points = Some(Points::ZERO);
                    let mut result = whole(self.entry, Verdict::CompileError, points, message);
                    result.language = Some(language);
                    result.hints = hints;
                    result.build = Some(report);
                    return Some(Made::unrun(result));
                }
                Err(Fault::Stopped) => return None,
                Err(fault) => return failed(&fault),
            },
        };
        let subtasks = self.subtasks(references, &mut program, send)?;
        let flags = self.flags(judge, references, language, &subtasks);
        let (points, verdict) = problem_points(&subtasks);
        let (hints, report) = program.told();
        Some(Made {
            result: ProblemResult {
                origin: None,
                id: problem.id.clone(),
                points,
                max_points: self.entry.points,
                bonus: self.entry.bonus,
                verdict,
                message: None,
                fault: None,
                hints,
                language: Some(language),
                files: Vec::new(),
                build: report,
                flags,
                subtasks,
            },
            checked: program.has_checked(),
            anew: program.anew(),
            runs: program.kept(),
        })
    }

    fn subtasks(
        &self,
        references: &References,
        program: &mut Program<'_>,
        send: &dyn Fn(EventKind),
    ) -> Option<Vec<SubtaskResult>> {
        let mut results: Vec<SubtaskResult> = Vec::new();
        for subtask in &self.entry.problem.subtasks {
            let lacking = lacking(subtask, &results);
            let mut cases = Vec::with_capacity(subtask.cases.len());
            for case in &subtask.cases {
                if program.is_stopped() {
                    return None;
                }
                let result = if let Some((verdict, message)) = &lacking {
                    CaseResult::unrun(case.name.clone(), *verdict, message.clone())
                } else {
                    let before = Before {
                        subtasks: &results,
                        cases: &cases,
                    };
                    program.case(references, subtask, case, before)?
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
        let (sources, shown) = (self.sources, self.shown);
        let mut flags = source_flags(&problem.source, language, sources, shown, &answers);
        flags.extend(time_flags(problem, results));
        flags.extend(same_answer(problem, results));
        flags
    }
}

/// What judging a job came to.
struct Made {
    result: ProblemResult,
    /// Whether anything of an earlier run was taken.
    checked: bool,
    /// Why cases were run beside those whose outputs were taken.
    anew: Vec<Change>,
    runs: Vec<KeptRun>,
}

impl Made {
    /// No program was run for it, because there is none.
    const fn unrun(result: ProblemResult) -> Self {
        Self {
            result,
            checked: false,
            anew: Vec::new(),
            runs: Vec::new(),
        }
    }
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

//! One submission for one problem: looked up in the cache, or built, run and judged.

use std::borrow::Cow;
use std::io;

use grader_intake::{Submission, Unreadable};
use grader_language::recognise;
use grader_model::{
    CaseResult, EventKind, FaultCause, Flag, LanguageId, Origin, Points, ProblemResult, SourceFile,
    Status, StudentId, SubtaskResult, Text, Verdict, escaped, not_judged,
};
use grader_problem::{Entry, Subtask};

use crate::attempts::same_answer;
use crate::build::{Build, Built, build};
use crate::cache::{JobName, JobResult, Lookup, ResultCache, StoredResult, lookup};
use crate::case::CaseJob;
use crate::flags::{source_flags, time_flags, whole_number};
use crate::judge::Worker;
use crate::keys::{JobKey, Keys};
use crate::reference::References;
use crate::run::CaseRef;
use crate::score::{problem_points, subtask_result};
use crate::{Fault, attempts, confirm, growth};

/// A submission that is to be judged.
pub(crate) struct Job<'a> {
    pub(crate) student: &'a StudentId,
    pub(crate) entry: &'a Entry,
    pub(crate) sources: Sources<'a>,
    /// The files' names for people.
    pub(crate) shown: &'a [String],
}

/// Where the sources of a submission are.
#[derive(Clone, Copy)]
pub(crate) enum Sources<'a> {
    InMemory(&'a [SourceFile]),
    Submitted(&'a Submission),
    /// They have vanished.
    #[cfg(test)]
    Gone,
}

impl<'a> Sources<'a> {
    /// The language, as far as it is known without reading them.
    pub(crate) fn language(self) -> Option<LanguageId> {
        match self {
            Self::InMemory(sources) => recognise(sources),
            Self::Submitted(submission) => submission.language,
            #[cfg(test)]
            Self::Gone => None,
        }
    }

    fn read(self) -> io::Result<Cow<'a, [SourceFile]>> {
        match self {
            Self::InMemory(sources) => Ok(Cow::Borrowed(sources)),
            Self::Submitted(submission) => submission.sources(),
            #[cfg(test)]
            Self::Gone => Err(io::ErrorKind::NotFound.into()),
        }
    }
}

/// What all jobs of a run share.
#[derive(Default)]
pub(crate) struct Shared<'a> {
    pub(crate) references: References,
    /// The cache, and what keys of jobs are made of; `None` if results are not stored.
    pub(crate) cache: Option<(&'a dyn ResultCache, Keys)>,
}

/// A job that has its result.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) done: JobResult,
    /// Whether it is not stored as a job of this run yet.
    pub(crate) is_new: bool,
}

impl Job<'_> {
    /// The result: the cached one if that holds, else what judging gives. `send` gets each case as it ends. `None` if
    /// somebody asks to stop.
    pub(crate) fn result(
        &self,
        worker: Worker<'_>,
        shared: &Shared<'_>,
        send: &dyn Fn(EventKind),
    ) -> Option<Finished> {
        let sources = match self.sources.read() {
            Ok(sources) => sources,
            Err(error) => {
                let fault = Fault::file("read", self.shown.join(", "))(error);
                return Some(self.failed(&fault, shared.cache.is_some()));
            }
        };
        let language = recognise(&sources);
        let (mut key, mut origin) = (JobKey::default(), None);
        if let Some((cache, keys)) = &shared.cache {
            key = keys.of(self.entry, language, &sources);
            let problem = &self.entry.problem;
            let name = JobName {
                student: self.student,
                problem: &problem.id,
            };
            match lookup(*cache, name, &key, problem) {
                Lookup::Hit(stored) => return Some(self.reused(key, *stored)),
                Lookup::Miss(because) => origin = Some(Origin::Ran { because }),
            }
        }
        send(EventKind::JobStarted {
            student: self.student.clone(),
            problem: self.entry.problem.id.clone(),
        });
        let judging = Judging {
            job: self,
            worker,
            references: &shared.references,
            sources: &sources,
            send,
        };
        let mut result = judging.result(language)?;
        result.files = self.shown.to_vec();
        result.origin = origin;
        Some(Finished {
            done: JobResult { key, result },
            is_new: true,
        })
    }

    /// A job that failed on our side as a whole. It has no key, so that it is never reused.
    pub(crate) fn failed(&self, fault: &Fault, is_stored: bool) -> Finished {
        let mut result = faulty(self.entry, FaultCause::Grader, fault.text());
        result.files = self.shown.to_vec();
        result.origin = is_stored.then(|| Origin::Ran {
            because: Vec::new(),
        });
        Finished {
            done: JobResult {
                key: JobKey::default(),
                result,
            },
            is_new: true,
        }
    }

    /// A cached result. The same files may lie elsewhere now, and are named as they are now.
    fn reused(&self, key: JobKey, stored: StoredResult) -> Finished {
        let StoredResult {
            run,
            is_this_run,
            mut result,
            ..
        } = stored;
        if !is_this_run {
            result.origin = Some(Origin::Reused { run });
        }
        let flags = result.flags.iter_mut();
        for place in
            flags.flat_map(|flag| flag.evidence.iter_mut().filter_map(|it| it.place.as_mut()))
        {
            let at = |path: &String| escaped(path.as_bytes()) == place.file;
            if let Some(now) = result.files.iter().position(at)
                && let Some(now) = self.shown.get(now)
            {
                place.file = escaped(now.as_bytes());
            }
        }
        result.files = self.shown.to_vec();
        Finished {
            done: JobResult { key, result },
            is_new: !is_this_run,
        }
    }
}

/// A submission that is being judged.
struct Judging<'a> {
    job: &'a Job<'a>,
    worker: Worker<'a>,
    references: &'a References,
    sources: &'a [SourceFile],
    send: &'a dyn Fn(EventKind),
}

impl Judging<'_> {
    /// Builds the submission, runs all its cases and adds up the points. `None` if somebody asks to stop.
    fn result(&self, language: Option<LanguageId>) -> Option<ProblemResult> {
        let entry = self.job.entry;
        let problem = &entry.problem;
        let rejected = |message| {
            Some(whole(
                entry,
                Status::Judged,
                (Verdict::CompileError, Some(Points::ZERO)),
                message,
            ))
        };
        let Some(language) = language else {
            return rejected(Text::new(
                "the language of the source cannot be told from its name or its text",
                "无法从文件名或内容判断源程序的语言",
            ));
        };
        let accepted = &problem.submission.languages;
        if !accepted.contains(&language) {
            let accepted: Vec<&str> = accepted
                .iter()
                .map(|&it| grader_language::language(it).name())
                .collect();
            let accepted = accepted.join(", ");
            let name = grader_language::language(language).name();
            return rejected(Text::new(
                format!("{name} is not accepted for this problem, which takes {accepted}"),
                format!("本题不接受 {name}，可用语言：{accepted}"),
            ));
        }
        let time = problem.limits.compile_time;
        let built = match build(self.worker, language, self.sources, time) {
            Ok(Build::Done(built)) => built,
            Ok(Build::Failed {
                message,
                hints,
                report,
            }) => {
                return Some(ProblemResult {
                    language: Some(language),
                    hints,
                    build: Some(report),
                    ..whole(
                        entry,
                        Status::Judged,
                        (Verdict::CompileError, Some(Points::ZERO)),
                        message,
                    )
                });
            }
            Err(Fault::Stopped) => return None,
            Err(fault) => {
                return Some(ProblemResult {
                    language: Some(language),
                    ..faulty(entry, FaultCause::Grader, fault.text())
                });
            }
        };
        let mut subtasks = Vec::new();
        for subtask in &problem.subtasks {
            subtasks.push(self.subtask(&built, subtask, &subtasks)?);
        }
        let flags = self.flags(language, &subtasks);
        let (points, verdict) = problem_points(&subtasks);
        Some(ProblemResult {
            origin: None,
            id: problem.id.clone(),
            points,
            max_points: entry.points,
            bonus: entry.bonus,
            verdict,
            message: None,
            status: if verdict == Verdict::JudgeError {
                Status::Fault(FaultCause::Grader)
            } else {
                Status::Judged
            },
            hints: built.hints.clone(),
            language: Some(language),
            files: Vec::new(),
            build: Some(built.report.clone()),
            flags,
            subtasks,
        })
    }

    /// Runs the cases of a subtask; `earlier` are the subtasks before it.
    fn subtask(
        &self,
        built: &Built,
        subtask: &Subtask,
        earlier: &[SubtaskResult],
    ) -> Option<SubtaskResult> {
        let lacking = lacking(subtask, earlier);
        let mut cases = Vec::with_capacity(subtask.cases.len());
        for case in &subtask.cases {
            if self.worker.judge.stop().is_requested() {
                return None;
            }
            let job = CaseJob {
                worker: self.worker,
                references: self.references,
                sources: self.sources,
                built,
                at: CaseRef {
                    problem: &self.job.entry.problem,
                    subtask,
                    case,
                },
            };
            let judged = if let Some((verdict, message)) = &lacking {
                Ok(CaseResult::unrun(
                    case.name.clone(),
                    *verdict,
                    message.clone(),
                ))
            } else if let Some(rule) = &subtask.growth {
                growth::judge_case(&job, rule, &cases)
            } else if let Some(rule) = subtask.attempts {
                attempts::judge_case(&job, rule, earlier, &cases)
            } else {
                confirm::judge_case(&job)
            };
            let result = match judged {
                Ok(result) => result,
                Err(Fault::Stopped) => return None,
                Err(fault) => {
                    CaseResult::unrun(case.name.clone(), Verdict::JudgeError, fault.text())
                }
            };
            (self.send)(EventKind::CaseFinished {
                student: self.job.student.clone(),
                problem: self.job.entry.problem.id.clone(),
                subtask: subtask.name.clone(),
                hidden: subtask.hidden,
                sweep: subtask.growth.is_some(),
                case: Box::new(result.clone()),
            });
            cases.push(result);
        }
        Some(subtask_result(subtask, cases, earlier))
    }

    /// What the instructor should look at.
    fn flags(&self, language: LanguageId, results: &[SubtaskResult]) -> Vec<Flag> {
        let problem = &self.job.entry.problem;
        let mut answers = Vec::new();
        if problem.source.answers.is_some() {
            for (subtask, result) in problem.subtasks.iter().zip(results) {
                for (case, result) in subtask.cases.iter().zip(&result.cases) {
                    // If a case was run, the reference has been asked already.
                    let answer = result.outcome.is_some().then(|| {
                        self.references.answer(
                            self.worker,
                            CaseRef {
                                problem,
                                subtask,
                                case,
                            },
                        )
                    });
                    if let Some(Ok(Some(answer))) = answer
                        && let Some(answer) = whole_number(&answer)
                    {
                        answers.push((case.name.clone(), answer));
                    }
                }
            }
        }
        let (sources, shown) = (self.sources, self.job.shown);
        let mut flags = source_flags(&problem.source, language, sources, shown, &answers);
        flags.extend(time_flags(problem, results));
        flags.extend(same_answer(problem, results));
        flags
    }
}

/// The result of a problem without a submission.
pub(crate) fn nothing_submitted(entry: &Entry) -> ProblemResult {
    let message = Text::new("nothing submitted", "没有提交");
    whole(
        entry,
        Status::NotSubmitted,
        (Verdict::Skipped, Some(Points::ZERO)),
        message,
    )
}

/// The result of a submission that is there, or may be, and cannot be read: its points stay open.
pub(crate) fn unreadable(entry: &Entry, what: &Unreadable) -> ProblemResult {
    faulty(entry, what.cause, what.reason.clone())
}

/// The result of a submission that was not judged because the run was stopped: its points stay open.
pub(crate) fn interrupted(entry: &Entry) -> ProblemResult {
    whole(
        entry,
        Status::NotJudged,
        (Verdict::Skipped, None),
        not_judged(),
    )
}

/// The result of a submission that cannot be judged at all.
fn faulty(entry: &Entry, cause: FaultCause, reason: Text) -> ProblemResult {
    whole(
        entry,
        Status::Fault(cause),
        (Verdict::JudgeError, None),
        reason,
    )
}

/// A result that is the same for all cases, none of which was run.
fn whole(
    entry: &Entry,
    status: Status,
    (verdict, points): (Verdict, Option<Points>),
    message: Text,
) -> ProblemResult {
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
        status,
        (verdict, points),
        message,
        subtasks,
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

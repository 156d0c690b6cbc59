//! One submission for one problem: looked up in the cache, or built, run and judged.

use std::sync::Arc;

use grader_intake::Submission;
use grader_language::{AuthorsError, Language, SourceText};
use grader_model::{
    CaseResult, EventKind, Excerpt, FaultCause, Given, Origin, Points, ProblemResult, SourceFile,
    Status, StudentId, SubtaskResult, Text, Verdict, escaped, text,
};
use grader_problem::{Case, Entry, Sample};

use crate::Fault;
use crate::build::{Built, build};
use crate::cache::{JobKey, JobName, JobResult, ResultCache, StoredResult, lookup};
use crate::decide::behaviour::behaviour;
use crate::decide::expectation::Samples;
use crate::decide::flags::source_flags;
use crate::decide::score::by_hand;
use crate::included::{replaced_data, with_included};
use crate::judging::{Ahead, Judging};
use crate::keys::{Keys, name_of};
use crate::lab::{Lab, Trace};
use crate::prepared::Prepared;
use crate::trial::{PartTrial, Trial};

/// Messages from workers to the listening thread.
pub(crate) enum Message {
    /// An event of a job.
    Event(Box<EventKind>),
    /// The result of the job with this index; `None` if it was stopped.
    Done(usize, Option<Box<Finished>>),
}

/// A submission to be judged.
pub(crate) struct Job<'a> {
    pub(crate) student: &'a StudentId,
    /// The student's index in the class.
    pub(crate) index: usize,
    pub(crate) entry: &'a Entry,
    pub(crate) submission: &'a Submission,
    /// Whether to judge it; if false, the last run's result is carried over.
    pub(crate) is_wanted: bool,
}

/// State shared by all jobs of a run.
#[derive(Default)]
pub(crate) struct Shared<'a> {
    /// Whether it is tried if authors' files work here; if not, the submissions themselves show that, as samples do.
    pub(crate) tries_parts: bool,
    /// The cache, and the shared parts of job keys; `None` if results are not stored.
    pub(crate) cache: Option<(&'a dyn ResultCache, Keys)>,
    pub(crate) samples: Samples<'a>,
}

/// A submission that could not be built.
pub(crate) struct Unbuilt {
    pub(crate) result: Box<ProblemResult>,
    /// The first error, if it is in what the author gave.
    pub(crate) error: Option<AuthorsError>,
}

/// A finished job.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) done: JobResult,
    /// The error in what the author gave in which it failed, if nothing is known of that.
    pub(crate) error: Option<AuthorsError>,
    /// Whether it has yet to be stored as a job of this run.
    pub(crate) is_new: bool,
}

impl Finished {
    const fn new(key: JobKey, result: ProblemResult, sources: Vec<SourceFile>) -> Self {
        Self {
            done: JobResult {
                key,
                result,
                sources,
            },
            error: None,
            is_new: true,
        }
    }
}

impl Job<'_> {
    pub(crate) fn name(&self) -> JobName<'_> {
        JobName {
            student: self.student,
            problem: &self.entry.problem.id,
        }
    }

    /// The result: the cached one if it is still valid, else from judging. `send` gets each case as it ends. `None` on
    /// a request to stop.
    pub(crate) fn result(
        &self,
        lab: Lab<'_>,
        shared: &Shared<'_>,
        send: &dyn Fn(EventKind),
    ) -> Option<Finished> {
        let mut finished = self.found(lab, shared, send)?;
        if let Some(why) = self.lacks(&finished.done.result) {
            let result = &mut finished.done.result;
            let status = Status::Fault(FaultCause::Unreadable);
            *result = ProblemResult {
                language: result.language,
                files: std::mem::take(&mut result.files),
                build: result.build.take(),
                origin: result.origin.take(),
                ..unrun(self.entry, status, why)
            };
            finished.error = None;
        }
        Some(finished)
    }

    /// Why a failure may not be the student's fault: what is missing is in a file that was left out.
    fn lacks(&self, result: &ProblemResult) -> Option<Text> {
        let lacks = |it: &Excerpt| self.submission.lacks(&it.text).cloned();
        match result.verdict {
            _ if result.status != Status::Judged => None,
            Verdict::CompileError => lacks(result.build.as_ref()?.messages.as_ref()?),
            _ => {
                let cases = result.subtasks.iter().flat_map(|it| &*it.cases);
                let mut failed = cases.filter(|it| it.verdict == Verdict::RuntimeError);
                failed.find_map(|it| lacks(it.stderr.as_ref()?))
            }
        }
    }

    fn found(
        &self,
        lab: Lab<'_>,
        shared: &Shared<'_>,
        send: &dyn Fn(EventKind),
    ) -> Option<Finished> {
        if !self.is_wanted {
            return Some(self.carried_over(shared));
        }
        let sources = match self.submission.sources() {
            Ok(sources) => sources,
            Err(error) => {
                let fault = Fault::file("read", self.submission.shown.join(", "))(error);
                return Some(self.failed(&fault, shared.cache.is_some()));
            }
        };
        let problem = &self.entry.problem;
        let large = lab.judge.large_source(&sources);
        let prepared = Prepared::new(problem, &sources);
        drop(large);
        let (mut key, mut origin) = (JobKey::default(), None);
        if let Some((cache, keys)) = &shared.cache {
            key = keys.of(self.entry, prepared.language, &sources);
            match lookup(*cache, self.name(), &key, problem) {
                Ok(stored) => return Some(self.reused(key, stored, sources.to_vec())),
                Err(because) => origin = Some(Origin::Ran { because }),
            }
        }
        send(EventKind::JobStarted {
            student: self.student.clone(),
            problem: problem.id.clone(),
        });
        let trace = Trace::default();
        let (mut result, error) = self.judged_now(lab.noting(&trace), shared, &prepared, send)?;
        if let Some((_, keys)) = &shared.cache
            && !keys.tell(
                &problem.id,
                prepared.language.map(|it| it.id),
                &trace.languages(),
            )
        {
            // A key that does not tell all is no key.
            key = JobKey::default();
        }
        result.files.clone_from(&self.submission.shown);
        result.submission = Some(name_of(&sources));
        result.behaviour = behaviour(&result);
        result.origin = origin;
        Some(Finished {
            error,
            ..Finished::new(key, result, sources.to_vec())
        })
    }

    /// Tries the author's part if that is not yet done, then builds and judges the submission. An error in that part counts if
    /// nothing is known of it.
    fn judged_now(
        &self,
        lab: Lab<'_>,
        shared: &Shared<'_>,
        prepared: &Prepared<'_>,
        send: &dyn Fn(EventKind),
    ) -> Option<(ProblemResult, Option<AuthorsError>)> {
        let language = prepared.language;
        let tried = language.filter(|_| shared.tries_parts);
        let part = tried.map(|language| PartTrial {
            entry: self.entry,
            language,
            judged: |lab: Lab<'_>, entry: &Entry, sample: &Sample| {
                judged_sample(lab, entry, language, sample)
            },
        });
        let known = match part.filter(PartTrial::has_part) {
            Some(part) => lab.get(&part),
            None => Ok(Trial::Works),
        };
        match known {
            Ok(known) => {
                let name = (self.student.as_str(), &self.entry.problem.id);
                let sample = shared.samples.get(&name).copied();
                let (result, error) = self.judged(lab, prepared, sample, send)?;
                Some((result, error.filter(|_| known == Trial::Unknown)))
            }
            Err(Fault::Stopped) => None,
            Err(fault) => {
                let status = Status::Fault(FaultCause::Grader);
                let result = ProblemResult {
                    language: language.map(|it| it.id),
                    ..unrun(self.entry, status, fault.text())
                };
                Some((result, None))
            }
        }
    }

    /// Builds and judges a submission; also the error in the author's part in which all of it failed. `None` on a request to
    /// stop.
    pub(crate) fn judged(
        &self,
        lab: Lab<'_>,
        prepared: &Prepared<'_>,
        sample: Option<&Sample>,
        send: &dyn Fn(EventKind),
    ) -> Option<(ProblemResult, Option<AuthorsError>)> {
        let texts = prepared.texts();
        let built = match self.build(lab, prepared, &texts)? {
            Ok(built) => built,
            Err(unbuilt) => return Some((*unbuilt.result, unbuilt.error)),
        };
        let judging = Judging {
            sample,
            student: self.student,
            entry: self.entry,
            submission: self.submission,
            lab,
            sources: prepared.files,
            texts: &texts,
            built: &built,
            send,
        };
        let (mut subtasks, mut ahead) = (Vec::new(), Ahead::default());
        for subtask in &self.entry.problem.subtasks {
            subtasks.push(judging.subtask(subtask, &subtasks, &mut ahead)?);
        }
        let mut result = judging.summed_up(subtasks);
        let has_failed = !matches!(result.verdict, Verdict::Accepted | Verdict::JudgeError);
        if let Some(why) = built.plan.cut.clone().filter(|_| has_failed) {
            let open = ProblemResult {
                language: result.language,
                build: result.build,
                ..unrun(self.entry, Status::Fault(FaultCause::Unreadable), why)
            };
            return Some((open, None));
        }
        // Only an explanation: other failures cost nothing.
        if let Err(Fault::Stopped) = judging.explain_undefined(&mut result) {
            return None;
        }
        Some((result, ahead.common_error()))
    }

    /// The last run's result. The cache reports its own failures.
    fn carried_over(&self, shared: &Shared<'_>) -> Finished {
        let cache = shared.cache.as_ref();
        let found = cache.and_then(|(cache, _)| cache.carry_over(self.name()).ok().flatten());
        let result = found.unwrap_or_else(|| {
            let message = Text::new(
                "not graded yet: this run covered only a part of the class",
                "尚未评测：这次只评测了班级的一部分",
            );
            unrun(self.entry, Status::NotJudged, message)
        });
        Finished {
            is_new: false,
            ..Finished::new(JobKey::default(), result, Vec::new())
        }
    }

    /// A job that failed as a whole, on our side. It has no key, so that it is never reused.
    pub(crate) fn failed(&self, fault: &Fault, is_stored: bool) -> Finished {
        let because = Vec::new();
        let result = ProblemResult {
            files: self.submission.shown.clone(),
            origin: is_stored.then_some(Origin::Ran { because }),
            ..unrun(self.entry, Status::Fault(FaultCause::Grader), fault.text())
        };
        Finished::new(JobKey::default(), result, Vec::new())
    }

    /// A cached result. The files' paths may have changed; the current ones are used.
    fn reused(&self, key: JobKey, stored: StoredResult, sources: Vec<SourceFile>) -> Finished {
        let mut result = stored.result;
        if !stored.is_this_run {
            let run = stored.run;
            result.origin = Some(Origin::Reused { run });
        }
        if result.files != self.submission.shown {
            let subtasks = result.subtasks.iter_mut();
            for case in subtasks.flat_map(SubtaskResult::cases_mut) {
                case.command = None;
            }
        }
        let evidence = result.flags.iter_mut().flat_map(|it| &mut it.evidence);
        for place in evidence.filter_map(|it| it.place.as_mut()) {
            let mut names = result.files.iter().zip(&self.submission.shown);
            let now = names.find(|(before, _)| escaped(before.as_bytes()) == place.file);
            if let Some((_, now)) = now {
                place.file = escaped(now.as_bytes());
            }
        }
        result.files.clone_from(&self.submission.shown);
        result.submission = Some(name_of(&sources));
        Finished {
            is_new: !stored.is_this_run,
            ..Finished::new(key, result, sources)
        }
    }

    /// Builds the submission, or returns the result if that fails. `None` on a request to stop.
    pub(crate) fn build(
        &self,
        lab: Lab<'_>,
        prepared: &Prepared<'_>,
        texts: &[SourceText<'_>],
    ) -> Option<Result<Box<Built>, Unbuilt>> {
        let entry = self.entry;
        // Also held during the build, which scans the files again.
        let _large = lab.judge.large_source(prepared.files);
        let language = match self.accepted(prepared.language, texts) {
            Ok(language) => language,
            Err(message) => {
                let result = Box::new(unrun(entry, Status::Judged, message));
                return Some(Err(Unbuilt {
                    result,
                    error: None,
                }));
            }
        };
        let time = entry.problem.limits.compile_time;
        let included = SourceText::all(&entry.problem.submission.include);
        let languages = &entry.problem.languages;
        let sources = with_included(language, languages, texts, &included);
        let mut error = None;
        let mut unbuilt = match build(lab, language, &sources, time) {
            Ok(Ok(mut built)) => {
                let replaced = replaced_data(&entry.problem, &built.plan.data);
                built.plan.hints.extend(replaced);
                return Some(Ok(built));
            }
            Ok(Err(failed)) => {
                error = failed.authors.filter(|_| failed.doubt.is_none());
                let unbuilt = match failed.doubt {
                    None => unrun(entry, Status::Judged, failed.message),
                    Some(why) => unrun(entry, Status::Fault(FaultCause::Unreadable), why),
                };
                ProblemResult {
                    hints: failed.hints,
                    build: Some(failed.report),
                    ..unbuilt
                }
            }
            Err(Fault::Stopped) => return None,
            Err(fault) => unrun(entry, Status::Fault(FaultCause::Grader), fault.text()),
        };
        unbuilt.language = Some(language.id);
        Some(Err(Unbuilt {
            result: Box::new(unbuilt),
            error,
        }))
    }

    /// The language of a submission; an error if nothing is built: it is not recognised or not accepted, or a source breaks one of
    /// the author's rules.
    fn accepted<'l>(
        &self,
        language: Option<&'l Arc<Language>>,
        texts: &[SourceText<'_>],
    ) -> Result<&'l Arc<Language>, Text> {
        let problem = &self.entry.problem;
        let language = language.ok_or_else(|| {
            Text::new(
                "the language of the source cannot be recognised by its name or its text",
                "无法从文件名或内容判断源程序的语言",
            )
        })?;
        let accepted = &problem.submission.languages;
        if !accepted.contains(&language.id) {
            let accepted = accepted.iter().map(|&id| problem.languages.name(id));
            let accepted: Vec<&str> = accepted.collect();
            let name = &language.definition.name;
            let (en, zh) = (accepted.join(", "), accepted.join("、"));
            return Err(text!(
                "{name} is not accepted for this problem, which takes {en}",
                "本题不接受 {name}；可用的语言：{zh}"
            ));
        }
        let shown = &self.submission.shown;
        let flags = source_flags(&problem.source, language, texts, shown, None);
        let Some(flag) = flags.into_iter().next() else {
            return Ok(language);
        };
        let place = flag.evidence.first().and_then(|it| it.place.as_ref());
        let place = place.map_or_else(String::new, |place| format!(" ({place})"));
        let message = flag.message;
        Err(text!(
            "source rejected: {message}{place}",
            "源程序被拒绝：{message}{place}",
            message
        ))
    }
}

/// The result of a sample, which is judged beside the class.
fn judged_sample(
    lab: Lab<'_>,
    entry: &Entry,
    language: &Arc<Language>,
    sample: &Sample,
) -> Result<ProblemResult, Fault> {
    let sources = &sample.sources;
    let shown = sources.iter().map(|it| it.path.clone()).collect();
    let submission = Submission::in_memory(sources.clone(), shown, Some(language.id));
    let student = StudentId::new("the author");
    let job = Job {
        student: &student,
        index: 0,
        entry,
        submission: &submission,
        is_wanted: true,
    };
    let prepared = Prepared::new(&entry.problem, sources);
    let judged = job.judged(lab, &prepared, Some(sample), &|_| ());
    judged.map(|(result, _)| result).ok_or(Fault::Stopped)
}

/// The result of a problem for which nothing was run; with [`Status::Judged`], because nothing could be built.
pub(crate) fn unrun(entry: &Entry, status: Status, message: Text) -> ProblemResult {
    let (verdict, points) = match status {
        Status::NotSubmitted => (Verdict::Skipped, Some(Points::ZERO)),
        Status::NotJudged => (Verdict::Skipped, None),
        Status::Fault(_) => (Verdict::JudgeError, None),
        Status::Judged => (Verdict::CompileError, Some(Points::ZERO)),
    };
    let unrun = |case: &Case| CaseResult::unrun(case.name.clone(), verdict, message.clone());
    let subtasks = entry.problem.subtasks.iter();
    let subtasks = subtasks.map(|subtask| match &subtask.manual {
        // A person may find something in a program that does not compile.
        Some(_) if status == Status::Judged => by_hand(subtask),
        manual => SubtaskResult {
            name: subtask.name.clone(),
            points,
            max_points: subtask.points,
            verdict,
            hidden: subtask.hidden,
            hidden_until: subtask.hidden_until,
            manual: manual.is_some().then(Given::default),
            cases: subtask.cases.iter().map(unrun).collect(),
            ..SubtaskResult::default()
        },
    });
    let subtasks: Vec<_> = subtasks.collect();
    ProblemResult {
        id: entry.problem.id.clone(),
        points: subtasks.iter().map(|it| it.points).sum(),
        max_points: entry.points,
        bonus: entry.bonus,
        verdict,
        status,
        subtasks,
        message: Some(message),
        ..ProblemResult::default()
    }
}

//! One submission for one problem: looked up in the cache, or built, run and judged.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::{iter, ptr};

use grader_intake::Submission;
use grader_language::recognise;
use grader_model::{
    CaseResult, EventKind, FaultCause, Flag, LanguageId, Origin, Points, ProblemResult, SourceFile,
    Status, StudentId, SubtaskResult, Text, Verdict, escaped,
};
use grader_problem::{AttemptRule, Case, Entry, ScoreRule, Subtask};

use crate::attempts::{Interleaved, same_answer};
use crate::build::{Build, Built, build};
use crate::cache::{JobName, JobResult, ResultCache, StoredResult, lookup};
use crate::case::{CaseJob, CaseRun};
use crate::flags::{source_flags, time_flags, whole_number};
use crate::included::with_included;
use crate::judge::Worker;
use crate::keys::{JobKey, Keys, name_of};
use crate::passes::Passes;
use crate::reference::References;
use crate::run::{CaseKey, CaseRef};
use crate::score::{problem_points, subtask_result};
use crate::{Fault, attempts, confirm, growth, passes, reproduce};

/// A submission that is to be judged.
pub(crate) struct Job<'a> {
    pub(crate) student: &'a StudentId,
    pub(crate) entry: &'a Entry,
    pub(crate) submission: &'a Submission,
    /// Whether it is judged; else the result of the last run is carried over.
    pub(crate) is_wanted: bool,
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

impl Finished {
    const fn new(key: JobKey, result: ProblemResult, sources: Vec<SourceFile>) -> Self {
        Self {
            done: JobResult {
                key,
                result,
                sources,
            },
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

    /// The result: the cached one if that holds, else what judging gives. `send` gets each case as it ends. `None` if
    /// somebody asks to stop.
    pub(crate) fn result(
        &self,
        worker: Worker<'_>,
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
        let large = worker.judge.large_source(&sources);
        let language = recognise(&sources);
        drop(large);
        let (mut key, mut origin) = (JobKey::default(), None);
        if let Some((cache, keys)) = &shared.cache {
            key = keys.of(self.entry, language, &sources);
            match lookup(*cache, self.name(), &key, &self.entry.problem) {
                Ok(stored) => return Some(self.reused(key, stored, sources.to_vec())),
                Err(because) => origin = Some(Origin::Ran { because }),
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
        let mut result = match judging.build(language)? {
            Ok(built) => {
                let (mut subtasks, mut ahead) = (Vec::new(), Ahead::default());
                for subtask in &self.entry.problem.subtasks {
                    subtasks.push(judging.subtask(&built, subtask, &subtasks, &mut ahead)?);
                }
                judging.summed_up(&built, subtasks)
            }
            Err(unbuilt) => *unbuilt,
        };
        result.files.clone_from(&self.submission.shown);
        result.submission = Some(name_of(&sources));
        result.origin = origin;
        Some(Finished::new(key, result, sources.to_vec()))
    }

    /// What the last run found. A cache that fails reports that itself.
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

    /// A job that failed on our side as a whole. It has no key, so that it is never reused.
    pub(crate) fn failed(&self, fault: &Fault, is_stored: bool) -> Finished {
        let because = Vec::new();
        let result = ProblemResult {
            files: self.submission.shown.clone(),
            origin: is_stored.then_some(Origin::Ran { because }),
            ..unrun(self.entry, Status::Fault(FaultCause::Grader), fault.text())
        };
        Finished::new(JobKey::default(), result, Vec::new())
    }

    /// A cached result. The same files may lie elsewhere now, and are named as they are now.
    fn reused(&self, key: JobKey, stored: StoredResult, sources: Vec<SourceFile>) -> Finished {
        let mut result = stored.result;
        if !stored.is_this_run {
            let run = stored.run;
            result.origin = Some(Origin::Reused { run });
        }
        if result.files != self.submission.shown {
            let subtasks = result.subtasks.iter_mut();
            for case in subtasks.flat_map(|it| &mut it.cases) {
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
}

/// Results so far of cases that are still to be judged.
#[derive(Default)]
struct Ahead {
    attempts: Interleaved,
    passes: BTreeMap<CaseKey, Result<CaseResult, Fault>>,
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
    /// Builds the submission; if that fails, gives the result instead. `None` if somebody asks to stop.
    fn build(
        &self,
        language: Option<LanguageId>,
    ) -> Option<Result<Box<Built>, Box<ProblemResult>>> {
        let entry = self.job.entry;
        let rejected = |message| Box::new(unrun(entry, Status::Judged, message));
        let Some(language) = language else {
            return Some(Err(rejected(Text::new(
                "the language of the source cannot be recognised by its name or its text",
                "无法从文件名或内容判断源程序的语言",
            ))));
        };
        let name = |id| grader_language::language(id).name.as_str();
        let accepted = &entry.problem.submission.languages;
        if !accepted.contains(&language) {
            let accepted: Vec<&str> = accepted.iter().map(|&id| name(id)).collect();
            let (name, accepted) = (name(language), accepted.join(", "));
            return Some(Err(rejected(Text::new(
                format!("{name} is not accepted for this problem, which takes {accepted}"),
                format!("本题不接受 {name}，可用语言：{accepted}"),
            ))));
        }
        // Held while it is built, too, for which its files are looked through again.
        let _large = self.worker.judge.large_source(self.sources);
        if let Some(refused) = self.refused(language) {
            return Some(Err(rejected(refused)));
        }
        let time = entry.problem.limits.compile_time;
        let included = &entry.problem.submission.include;
        let known = grader_language::language(language);
        let (sources, of_author) = with_included(known, self.sources, included);
        let mut unbuilt = match build(self.worker, language, (&sources, of_author), time) {
            Ok(Build::Done(built)) => return Some(Ok(built)),
            Ok(Build::Failed {
                message,
                hints,
                report,
            }) => ProblemResult {
                hints,
                build: Some(report),
                ..unrun(entry, Status::Judged, message)
            },
            Err(Fault::Stopped) => return None,
            Err(fault) => unrun(entry, Status::Fault(FaultCause::Grader), fault.text()),
        };
        unbuilt.language = Some(language);
        Some(Err(Box::new(unbuilt)))
    }

    /// Why a source is rejected before it is built: it breaks a rule of the author.
    fn refused(&self, language: LanguageId) -> Option<Text> {
        let rule = &self.job.entry.problem.source;
        let flags = source_flags(
            rule,
            language,
            self.sources,
            &self.job.submission.shown,
            None,
        );
        flags.into_iter().next().map(|flag| {
            let place = flag.evidence.first().and_then(|it| it.place.as_ref());
            let place = place.map_or_else(String::new, |place| format!(" ({place})"));
            Text::new(
                format!("source rejected: {}{place}", flag.message.en),
                format!("源程序被拒绝：{}{place}", flag.message.zh),
            )
        })
    }

    /// The result of all subtasks.
    fn summed_up(&self, built: &Built, subtasks: Vec<SubtaskResult>) -> ProblemResult {
        let entry = self.job.entry;
        let language = built.language().id;
        let (points, verdict) = problem_points(&subtasks);
        ProblemResult {
            id: entry.problem.id.clone(),
            points,
            max_points: entry.points,
            bonus: entry.bonus,
            verdict,
            status: if verdict == Verdict::JudgeError {
                Status::Fault(FaultCause::Grader)
            } else {
                Status::Judged
            },
            hints: built.plan.hints.clone(),
            language: Some(language),
            build: Some(built.report.clone()),
            flags: self.flags(language, &subtasks),
            subtasks,
            ..ProblemResult::default()
        }
    }

    /// Runs the cases of a subtask; `earlier` are the subtasks before it.
    fn subtask(
        &self,
        built: &Built,
        subtask: &Subtask,
        earlier: &[SubtaskResult],
        ahead: &mut Ahead,
    ) -> Option<SubtaskResult> {
        let lacking = lacking(subtask, earlier);
        let mut cases = Vec::with_capacity(subtask.cases.len());
        for case in &subtask.cases {
            if self.worker.judge.stop().is_requested() {
                return None;
            }
            let at = CaseRef {
                problem: &self.job.entry.problem,
                subtask,
                case,
            };
            let unrun = |verdict, message| CaseResult::unrun(case.name.clone(), verdict, message);
            let early = self.early_end(subtask, &cases, earlier);
            let is_early = lacking.is_none() && early.is_some();
            let judged = match (&lacking, early) {
                (Some((verdict, message)), _) => Ok(unrun(*verdict, message.clone())),
                (None, Some(message)) => Ok(unrun(Verdict::Skipped, message)),
                (None, None) => self.case(built, at, earlier, &cases, ahead),
            };
            let result = match judged {
                Ok(result) => result,
                Err(Fault::Stopped) => return None,
                Err(fault) => unrun(Verdict::JudgeError, fault.text()),
            };
            (self.send)(EventKind::CaseFinished {
                student: self.job.student.clone(),
                problem: self.job.entry.problem.id.clone(),
                subtask: subtask.name.clone(),
                hidden: subtask.hidden,
                // It is shown as skipped, but it counts in the points: it might have failed.
                case: Box::new(CaseResult {
                    skipped: result.skipped || is_early,
                    ..result.clone()
                }),
            });
            cases.push(result);
        }
        Some(subtask_result(subtask, cases, earlier))
    }

    /// Runs a case; `cases` are the results before it in its subtask.
    fn case(
        &self,
        built: &Built,
        at: CaseRef<'_>,
        earlier: &[SubtaskResult],
        cases: &[CaseResult],
        ahead: &mut Ahead,
    ) -> Result<CaseResult, Fault> {
        let mut result = if let Some(rule) = at.subtask.attempts {
            self.attempts(built, (at, rule), earlier, &mut ahead.attempts)
        } else if at.problem.run.passes > 1 {
            self.in_passes(built, at, earlier, &mut ahead.passes)
        } else {
            self.with_job(built, at, |job| match &at.subtask.growth {
                Some(rule) => growth::judge_case(job, rule, cases),
                None => confirm::judge_case(job),
            })
        }?;
        if result.outcome.is_some() && result.verdict != Verdict::Accepted {
            let with_input = self.references.with_input(self.worker, at)?;
            let files = &self.job.submission.shown;
            result.input = reproduce::input(&with_input);
            // By itself, a student's file does not start.
            if !built.plan.has_authors_main {
                result.command =
                    reproduce::command(built.language(), files, at.problem, &with_input);
            }
        }
        Ok(result)
    }

    /// Does something with a case and its input.
    fn with_job<R>(
        &self,
        built: &Built,
        at: CaseRef<'_>,
        run: impl FnOnce(&CaseJob<'_>) -> Result<R, Fault>,
    ) -> Result<R, Fault> {
        let with_input = self.references.with_input(self.worker, at)?;
        run(&CaseJob {
            worker: self.worker,
            references: self.references,
            sources: self.sources,
            built,
            at: CaseRef {
                case: &with_input,
                ..at
            },
            passes: None,
        })
    }

    /// The cases after one that may be begun before it is known how it ends.
    fn later<'b>(
        at: CaseRef<'b>,
        earlier: &'b [SubtaskResult],
    ) -> impl Iterator<Item = CaseRef<'b>> {
        let all = CaseRef::all(at.problem).skip_while(move |it| !ptr::eq(it.case, at.case));
        all.skip(1)
            .filter(|it| requirements_are_met(it.subtask, earlier))
    }

    /// Judges a case that may take several passes, and with it later ones.
    fn in_passes(
        &self,
        built: &Built,
        at: CaseRef<'_>,
        earlier: &[SubtaskResult],
        known: &mut BTreeMap<CaseKey, Result<CaseResult, Fault>>,
    ) -> Result<CaseResult, Fault> {
        if !known.contains_key(&at.key()) {
            let later = Self::later(at, earlier).filter(|it| !known.contains_key(&it.key()));
            let cases: Vec<_> = iter::once(at).chain(later).collect();
            let judge = self.worker.judge;
            let skips = |result: &CaseResult| {
                judge.settings.stops_early && result.verdict == Verdict::TimeLimit
            };
            let one = |at: CaseRef<'_>, passes: &Passes, input: Option<&Arc<[u8]>>| {
                if judge.stop().is_requested() {
                    return Err(Fault::Stopped);
                }
                self.with_job(built, at, |job| {
                    let mut case = job.at.case.clone();
                    if let Some(input) = input {
                        case.input = Arc::clone(input);
                    }
                    confirm::judge_case(&CaseJob {
                        at: CaseRef { case: &case, ..at },
                        passes: Some(passes),
                        ..*job
                    })
                })
            };
            let done = passes::judge_all(judge.folder(), self.sources, &cases, skips, one)?;
            known.extend(done.into_iter().map(|(at, result)| (at.key(), result)));
        }
        let lost = || Err(Fault::Other("a case has no result".to_owned()));
        known.remove(&at.key()).unwrap_or_else(lost)
    }

    /// Makes attempts at a case, and at later ones while it waits.
    fn attempts(
        &self,
        built: &Built,
        (at, rule): (CaseRef<'_>, AttemptRule),
        earlier: &[SubtaskResult],
        attempts: &mut Interleaved,
    ) -> Result<CaseResult, Fault> {
        let later = Self::later(at, earlier);
        let later: Vec<_> = later
            .filter_map(|it| Some((it, it.subtask.attempts?)))
            .collect();
        attempts.result((at, rule), &later, &self.worker, &|at| {
            if self.worker.judge.stop().is_requested() {
                return Err(Fault::Stopped);
            }
            match self.with_job(built, at, attempts::attempt) {
                Err(fault) if !matches!(fault, Fault::Stopped) => Ok(CaseRun::fault(at, &fault)),
                made => made,
            }
        })
    }

    /// Why the next case of a subtask is not run although it could be, if the judge stops early.
    fn early_end(
        &self,
        subtask: &Subtask,
        cases: &[CaseResult],
        earlier: &[SubtaskResult],
    ) -> Option<Text> {
        if subtask.ascending && cases.iter().any(|case| case.verdict == Verdict::TimeLimit) {
            return Some(Text::new(
                "not run: a smaller case took too long",
                "未运行：规模更小的测试点已经超时",
            ));
        }
        if !self.worker.judge.settings.stops_early {
            return None;
        }
        let before = earlier.iter().flat_map(|subtask| &subtask.cases);
        let mut before = before.chain(cases);
        if before.any(|case| case.verdict == Verdict::TimeLimit) {
            Some(Text::new(
                "not run after a time-out; `--all` runs every case",
                "超时之后不再运行；用 `--all` 运行全部测试点",
            ))
        } else if subtask.score == ScoreRule::All
            && cases.iter().any(|case| case.verdict != Verdict::Accepted)
        {
            Some(Text::new(
                "not run: this subtask needs all of its cases; `--all` runs every case",
                "未运行：本子任务要求全部通过；用 `--all` 运行全部测试点",
            ))
        } else {
            None
        }
    }

    /// What the instructor should look at.
    fn flags(&self, language: LanguageId, results: &[SubtaskResult]) -> Vec<Flag> {
        let problem = &self.job.entry.problem;
        let all = results.iter().flat_map(|subtask| &subtask.cases);
        let mut answers = Vec::new();
        for (at, result) in CaseRef::all(problem).zip(all) {
            // If a case was run, the reference has been asked already.
            if result.outcome.is_some()
                && problem.source.answers.is_some()
                && let Ok(Some(answer)) = self.references.answer(self.worker, at)
                && let Some(answer) = whole_number(&answer)
            {
                answers.push((at.case.name.clone(), answer));
            }
        }
        let (sources, shown) = (self.sources, &self.job.submission.shown);
        let _large = self.worker.judge.large_source(sources);
        let mut flags = source_flags(&problem.source, language, sources, shown, Some(&answers));
        flags.extend(time_flags(problem, results));
        flags.extend(same_answer(problem, results));
        flags
    }
}

/// The result of a problem for which nothing was run. With [`Status::Judged`], nothing could be built.
pub(crate) fn unrun(entry: &Entry, status: Status, message: Text) -> ProblemResult {
    let (verdict, points) = match status {
        Status::NotSubmitted => (Verdict::Skipped, Some(Points::ZERO)),
        Status::NotJudged => (Verdict::Skipped, None),
        Status::Fault(_) => (Verdict::JudgeError, None),
        Status::Judged => (Verdict::CompileError, Some(Points::ZERO)),
    };
    let unrun = |case: &Case| CaseResult::unrun(case.name.clone(), verdict, message.clone());
    let subtasks = entry.problem.subtasks.iter().map(|subtask| SubtaskResult {
        name: subtask.name.clone(),
        points,
        max_points: subtask.points,
        verdict,
        hidden: subtask.hidden,
        cases: subtask.cases.iter().map(unrun).collect(),
        ..SubtaskResult::default()
    });
    let subtasks = subtasks.collect();
    let named = (entry.problem.id.clone(), entry.points, entry.bonus);
    ProblemResult::unrun(named, status, (verdict, points), message, subtasks)
}

/// Whether all subtasks that one requires were passed.
fn requirements_are_met(subtask: &Subtask, done: &[SubtaskResult]) -> bool {
    subtask.require.iter().all(|required| {
        let mut done = done.iter();
        done.any(|it| it.name == *required && it.verdict == Verdict::Accepted)
    })
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

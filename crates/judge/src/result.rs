//! The result of a job: looked up in the cache, or from building, running and judging the submission.

use std::collections::BTreeMap;
use std::sync::Arc;

use grader_language::{Language, SourceText};
use grader_model::{
    EventKind, Excerpt, FaultCause, Origin, ProblemResult, SourceFile, Status, StudentId,
    SubtaskResult, Text, Verdict, escaped, text,
};
use grader_problem::{CaseRef, Entry, Sample};

use crate::Fault;
use crate::build::{Built, build};
use crate::cache::{JobKey, StoredResult, Unknown, lookup};
use crate::decide::behaviour::{behaviour, former};
use crate::decide::flags::source_flags;
use crate::included::{replaced_data, with_included};
use crate::job::{Finished, Job, Judged, Shared, submission_of, unrun};
use crate::judging::{Ahead, Judging};
use crate::keys::name_of;
use crate::lab::{Lab, Trace};
use crate::prepared::Prepared;
use crate::reference::Measured;
use crate::trial::{PartTrial, Trial};

impl Job<'_> {
    /// The result: the cached one if it is still valid, else from judging. `send` gets each case as it ends. `None` on
    /// a request to stop.
    pub(crate) fn result(
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
        let (mut key, unknown) = match self.known(shared, &prepared) {
            Ok(known) => return Some(known),
            Err(unknown) => unknown,
        };
        send(EventKind::JobStarted {
            student: self.student.clone(),
            problem: problem.id.clone(),
        });
        let trace = Trace::default();
        let lab = lab.noting(&trace);
        let Judged { mut result, error } = match self.trial(lab, shared, prepared.language) {
            Ok(trial) => {
                let name = (self.student.as_str(), &problem.id);
                let sample = shared.samples.get(&name).copied();
                let mut judged = self.judged(lab, &prepared, sample, send)?;
                judged.error.take_if(|_| trial == Trial::Works);
                judged
            }
            Err(Fault::Stopped) => return None,
            Err(fault) => self.at_fault(prepared.language, &fault).into(),
        };
        let own = prepared.language.map(|it| it.id);
        let keys = shared.cache.as_ref().map(|(_, keys)| keys);
        if keys.is_some_and(|it| !it.tell(&problem.id, own, &trace.languages())) {
            // A key that does not tell all is no key.
            key = JobKey::default();
        }
        result.files.clone_from(&self.submission.shown);
        result.submission = Some(name_of(&sources));
        let before = unknown.earlier.as_deref();
        result.former_behaviours = before.map_or_else(Vec::new, |it| former(&result, it));
        result.origin = unknown.origin;
        Some(Finished {
            error,
            ..Finished::new(key, result, sources.to_vec())
        })
    }

    /// The cached result, if it is still valid; else the key of the new one, and why there is one.
    fn known(
        &self,
        shared: &Shared<'_>,
        prepared: &Prepared<'_>,
    ) -> Result<Finished, (JobKey, Unknown)> {
        let Some((cache, keys)) = &shared.cache else {
            return Err((JobKey::default(), Unknown::default()));
        };
        let key = keys.of(self.entry, prepared.language, prepared.files);
        match lookup(*cache, self.name(), &key, &self.entry.problem) {
            Ok(stored) => Ok(self.reused(key, stored, prepared.files.to_vec())),
            Err(unknown) => Err((key, unknown)),
        }
    }

    /// Tries the author's part in this language, if that is not yet done. An error in that part counts only if nothing is known
    /// of it.
    fn trial(
        &self,
        lab: Lab<'_>,
        shared: &Shared<'_>,
        language: Option<&Arc<Language>>,
    ) -> Result<Trial, Fault> {
        let tried = language.filter(|_| shared.tries_parts);
        let part = tried.map(|language| PartTrial {
            entry: self.entry,
            language,
            judged: |lab: Lab<'_>, entry: &Entry, sample: &Sample| {
                judged_sample(lab, entry, language, sample)
            },
        });
        match part.filter(PartTrial::has_part) {
            Some(part) => lab.get(&part),
            None => Ok(Trial::Works),
        }
    }

    /// Leaves a failure open that may not be the student's fault: what is missing is in a file that was left out.
    pub(crate) fn excused(&self, mut finished: Finished) -> Finished {
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
        finished
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

    /// Builds and judges a submission. `None` on a request to stop.
    pub(crate) fn judged(
        &self,
        lab: Lab<'_>,
        prepared: &Prepared<'_>,
        sample: Option<&Sample>,
        send: &dyn Fn(EventKind),
    ) -> Option<Judged> {
        let texts = prepared.texts();
        let built = match self.build(lab, prepared, &texts)? {
            Ok(built) => built,
            Err(mut unbuilt) => {
                unbuilt.result.behaviour = behaviour(&unbuilt.result, &BTreeMap::new());
                return Some(*unbuilt);
            }
        };
        let judging = Judging {
            sample,
            job: self,
            lab,
            prepared,
            texts: &texts,
            built: &built,
        };
        let (mut subtasks, mut ahead) = (Vec::new(), Ahead::default());
        for subtask in &self.entry.problem.subtasks {
            subtasks.push(judging.subtask(subtask, &subtasks, &mut ahead, send)?);
        }
        let mut result = judging.summed_up(subtasks);
        ahead.submitted.tell(&self.entry.problem, &mut result);
        // Hardly anybody else has the same inputs.
        for tests in ahead.submitted.known.iter().flat_map(|(_, it)| it) {
            CaseRef::all(&tests.problem).for_each(|at| lab.forget(&Measured::new(lab, at)));
        }
        let has_failed = !matches!(result.verdict, Verdict::Accepted | Verdict::JudgeError);
        if let Some(why) = built.plan.cut.clone().filter(|_| has_failed) {
            let open = ProblemResult {
                language: result.language,
                build: result.build,
                ..unrun(self.entry, Status::Fault(FaultCause::Unreadable), why)
            };
            return Some(open.into());
        }
        // Only an explanation: other failures cost nothing.
        if let Err(Fault::Stopped) = judging.explain_undefined(&mut result) {
            return None;
        }
        judging.tell_remarks(&mut ahead, &mut result).ok()?;
        ahead.tell_mistakes(&self.entry.problem, &mut result);
        result.behaviour = behaviour(&result, &ahead.words);
        let error = ahead.common_error();
        Some(Judged { result, error })
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
    ) -> Option<Result<Box<Built>, Box<Judged>>> {
        let entry = self.entry;
        // Also held during the build, which scans the files again.
        let _large = lab.judge.large_source(prepared.files);
        let language = match self.accepted(prepared.language, texts) {
            Ok(language) => language,
            Err(message) => {
                let result = unrun(entry, Status::Judged, message);
                return Some(Err(Box::new(result.into())));
            }
        };
        let time = entry.problem.limits.compile_time;
        let included = SourceText::all(&entry.problem.submission.include);
        let languages = &entry.problem.languages;
        let sources = with_included(language, languages, texts, &included);
        let failed = match build(lab, language, &sources, time) {
            Ok(Ok(mut built)) => {
                let replaced = replaced_data(&entry.problem, &built.plan.data);
                built.plan.hints.extend(replaced);
                return Some(Ok(built));
            }
            Ok(Err(failed)) => failed,
            Err(Fault::Stopped) => return None,
            Err(fault) => {
                let result = self.at_fault(Some(language), &fault);
                return Some(Err(Box::new(result.into())));
            }
        };
        let (unbuilt, error) = match failed.doubt {
            None => (unrun(entry, Status::Judged, failed.message), failed.authors),
            Some(why) => {
                let status = Status::Fault(FaultCause::Unreadable);
                (unrun(entry, status, why), None)
            }
        };
        let result = ProblemResult {
            language: Some(language.id),
            hints: failed.hints,
            build: Some(failed.report),
            ..unbuilt
        };
        Some(Err(Box::new(Judged { result, error })))
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
    let submission = submission_of(sample, Some(language.id));
    let student = StudentId::new("the author");
    let job = Job::single(&student, entry, &submission);
    let prepared = Prepared::new(&entry.problem, &sample.sources);
    let judged = job.judged(lab, &prepared, Some(sample), &|_| ());
    judged.map(|it| it.result).ok_or(Fault::Stopped)
}

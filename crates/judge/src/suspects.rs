//! Results that may be the fault of what the author gave.

use std::collections::{BTreeMap, BTreeSet};

use grader_language::AuthorsError;
use grader_model::{Excerpt, FaultCause, ProblemResult, Status, Verdict, text};

use crate::constants::MAX_WORDS_BYTES;
use crate::job::{Finished, Job, Message, unrun};
use crate::trial::PartId;

/// Results that fail in what the author gave, while nothing shows that it works.
#[derive(Default)]
pub(crate) struct Suspects {
    waiting: BTreeMap<PartId, Vec<(usize, Box<Finished>)>>,
    /// What works.
    proven: BTreeSet<PartId>,
}

impl Suspects {
    /// Keeps a result that is suspect. Returns what can be reported now.
    pub(crate) fn sort(&mut self, message: Message) -> Vec<Message> {
        let Message::Done(job, Some(finished)) = message else {
            return vec![message];
        };
        let result = &finished.done.result;
        let Some(language) = result.language else {
            return vec![Message::Done(job, Some(finished))];
        };
        let part = (result.id.clone(), language);
        if finished.error.is_some() && !self.proven.contains(&part) {
            self.waiting.entry(part).or_default().push((job, finished));
            return Vec::new();
        }
        let mut ready = Vec::new();
        if finished.error.is_none() && is_proof(result) {
            let waiting = self.waiting.remove(&part).into_iter().flatten();
            ready.extend(waiting.map(|(job, it)| Message::Done(job, Some(it))));
            self.proven.insert(part);
        }
        ready.push(Message::Done(job, Some(finished)));
        ready
    }

    /// What remains, when all jobs are done. If all submissions of a language fail in the same way, they are not scored.
    pub(crate) fn settle(&mut self, jobs: &[Job<'_>]) -> Vec<Message> {
        let mut settled = Vec::new();
        for (_, mut group) in std::mem::take(&mut self.waiting) {
            let errors: BTreeSet<_> = group
                .iter()
                .filter_map(|(_, it)| it.error.as_ref())
                .map(|it| &it.message)
                .collect();
            let is_certain = group
                .iter()
                .all(|(_, it)| it.error.as_ref().is_some_and(|it| it.is_certain));
            if errors.len() == 1 && (is_certain || group.len() > 1) {
                for (job, finished) in &mut group {
                    leave_open(finished, &jobs[*job]);
                }
            }
            settled.extend(
                group
                    .into_iter()
                    .map(|(job, it)| Message::Done(job, Some(it))),
            );
        }
        settled
    }
}

/// Whether a result shows that what the author gave works: something ran, and did not end in a runtime error.
fn is_proof(result: &ProblemResult) -> bool {
    let mut cases = result.subtasks.iter().flat_map(|it| &*it.cases);
    result.status == Status::Judged
        && cases.any(|it| it.outcome.is_some() && it.verdict != Verdict::RuntimeError)
}

/// Leaves a result open, because the author's part is the likely culprit.
fn leave_open(finished: &mut Finished, job: &Job<'_>) {
    let Some(AuthorsError { message, .. }) = &finished.error else {
        return;
    };
    let words = Excerpt::first(message.as_bytes(), MAX_WORDS_BYTES);
    let old = &finished.done.result;
    let name = old
        .language
        .map_or("", |it| job.entry.problem.languages.name(it));
    let text = text!(
        "the problem's own part seems not to work here in {name}: every submission fails in it, and there is no sample in `submissions/accepted/` to tell: {words}",
        "题目自带的部分在本机上似乎无法用于 {name}：所有提交都在其中出错，而 `submissions/accepted/` 里没有可供对照的样例：{words}"
    );
    finished.done.result = ProblemResult {
        files: old.files.clone(),
        submission: old.submission.clone(),
        origin: old.origin.clone(),
        language: old.language,
        ..unrun(job.entry, Status::Fault(FaultCause::Grader), text)
    };
}

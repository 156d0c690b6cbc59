//! A run whose programs are judged again.

use std::collections::{BTreeMap, BTreeSet};
use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

use grader_intake::{Class, Student, Submission};
use grader_judge::{CacheError, JobKey, JobName, JobResult, ResultCache, StoredResult};
use grader_model::{
    Change, Origin, ProblemId, ProblemResult, Results, RunInfo, RunSummary, StudentId,
};
use grader_problem::Assignment;
use grader_report::{Judgement, Replay, replay};

use crate::error::Result;
use crate::exit::Failure;
use crate::stored::StoredRuns;

/// The problem of a student.
type JobId = (StudentId, ProblemId);

/// A run whose programs are judged again.
pub struct Rejudged {
    /// The class as it was judged, from the files in the ledger.
    pub class: Class,
    /// The number of submissions of which it has no files.
    without_files: usize,
    before: Results,
    /// The version of the grader that judged it.
    grader: String,
    keys: Arc<Keys>,
}

impl Rejudged {
    /// The programs of a run for the problems of an assignment.
    ///
    /// # Errors
    /// If there are none.
    pub fn of(stored: &StoredRuns, run: &RunSummary, assignment: &Assignment) -> Result<Self> {
        let before = stored.results(run)?;
        let (class, without_files) = class(stored, &before, assignment)?;
        if jobs(&class).next().is_none() {
            let id = &assignment.info().id;
            let message = format!("run {} has no submission for a problem of `{id}`", run.id);
            return Err(Failure::usage(message).into());
        }
        let keys = Keys {
            before: stored.keys(run.id)?,
            now: Mutex::default(),
        };
        Ok(Self {
            class,
            without_files,
            before,
            grader: run.grader.clone(),
            keys: Arc::new(keys),
        })
    }

    /// A cache without results, which learns what the new ones depend on.
    pub fn cache(&self) -> Arc<dyn ResultCache> {
        Arc::clone(&self.keys) as Arc<dyn ResultCache>
    }

    /// What differs now that they were judged by this version of the grader.
    pub fn compare(mut self, mut after: Results, grader: &str) -> Replay {
        let jobs: BTreeSet<JobId> = jobs(&self.class).collect();
        let now = &self.keys.now;
        let now = mem::take(&mut *now.lock().unwrap_or_else(PoisonError::into_inner));
        for results in [&mut self.before, &mut after] {
            keep(results, &jobs);
        }
        for (student, problem) in each_job(&mut after) {
            let job = (student, problem.id.clone());
            let because = self.keys.before.get(&job).zip(now.get(&job));
            problem.origin = because.map(|(before, now)| Origin::Ran {
                because: before.changes(now),
            });
        }
        let judgement = |results, version: &str, keys: &BTreeMap<JobId, JobKey>| Judgement {
            results,
            grader: format!("{version} ({})", builds(keys, &jobs)),
        };
        let was = judgement(&self.before, &self.grader, &self.keys.before);
        let is = judgement(&after, grader, &now);
        replay(&was, &is, self.without_files)
    }
}

/// The class as it was judged, from the files in the ledger; and the number of submissions of which it has none.
fn class(
    stored: &StoredRuns,
    results: &Results,
    assignment: &Assignment,
) -> Result<(Class, usize)> {
    let mut class = Class::default();
    let mut without_files = 0;
    for student in &results.students {
        let mut submissions = BTreeMap::new();
        for entry in &assignment.problems {
            let id = &entry.problem.id;
            let judged = student.problem(id);
            let Some(judged) = judged.filter(|it| it.submission.is_some()) else {
                continue;
            };
            let sources = stored.sources(results, student, id)?;
            if sources.is_empty() {
                without_files += 1;
                continue;
            }
            let files = judged.files.clone();
            let submission = Submission::in_memory(sources, files, judged.language);
            submissions.insert(id.clone(), submission);
        }
        class.students.push(Student {
            id: student.id.clone(),
            team: student.team.clone(),
            submissions,
            ..Student::default()
        });
    }
    Ok((class, without_files))
}

fn jobs(class: &Class) -> impl Iterator<Item = JobId> {
    class.students.iter().flat_map(|student| {
        let problems = student.submissions.keys();
        problems.map(|problem| (student.id.clone(), problem.clone()))
    })
}

/// Leaves only these submissions.
fn keep(results: &mut Results, jobs: &BTreeSet<JobId>) {
    for student in &mut results.students {
        let id = student.id.clone();
        let is_kept = |it: &ProblemResult| jobs.contains(&(id.clone(), it.id.clone()));
        student.problems.retain(is_kept);
    }
    results.students.retain(|it| !it.problems.is_empty());
}

fn each_job(results: &mut Results) -> impl Iterator<Item = (StudentId, &mut ProblemResult)> {
    results.students.iter_mut().flat_map(|student| {
        let id = student.id.clone();
        let problems = student.problems.iter_mut();
        problems.map(move |problem| (id.clone(), problem))
    })
}

/// The builds of the grader that judged these, by the first digits of their hashes.
fn builds(keys: &BTreeMap<JobId, JobKey>, jobs: &BTreeSet<JobId>) -> String {
    let keys = keys.iter().filter(|(job, _)| jobs.contains(job));
    let builds = keys.filter_map(|(_, key)| key.0.get(&Change::Grader)?.get(..12));
    let builds: BTreeSet<&str> = builds.collect();
    builds.into_iter().collect::<Vec<_>>().join(", ")
}

/// What the stored results depend on, and what those of this process do. It has no results, so that everything is judged.
struct Keys {
    before: BTreeMap<JobId, JobKey>,
    now: Mutex<BTreeMap<JobId, JobKey>>,
}

impl ResultCache for Keys {
    fn run(&self) -> Option<RunInfo> {
        None
    }

    fn find(&self, _: JobName<'_>, _: &JobKey) -> Result<Option<StoredResult>, CacheError> {
        Ok(None)
    }

    fn store(&self, job: JobName<'_>, done: &JobResult) -> Result<(), CacheError> {
        let mut now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        now.insert((job.student.clone(), job.problem.clone()), done.key.clone());
        Ok(())
    }

    fn carry_over(&self, _: JobName<'_>) -> Result<Option<ProblemResult>, CacheError> {
        Ok(None)
    }
}

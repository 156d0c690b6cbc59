//! `grader replay`.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::sync::{Arc, Mutex, PoisonError};

use clap::Args;
use grader_intake::{Class, Student, Submission};
use grader_judge::{CacheError, JobKey, JobName, JobResult, ResultCache, Stop, StoredResult};
use grader_model::{Change, Origin, ProblemId, ProblemResult, Results, RunInfo, Sink, StudentId};
use grader_problem::Assignment;
use grader_report::{Fold, Judgement, Progress, replay};
use grader_session::{Exit, Failure, IfSeveral, StoredRuns};

use crate::args::ClassArgs;
use crate::assignment;
use crate::documents::JsonArgs;
use crate::isolation::{self, IsolationArgs, Programs};
use crate::judge::{self, WorkerArgs};
use crate::terminal::Terminal;

#[derive(Debug, Args)]
#[command(after_long_help = "\
The programs in the ledger are judged again here, and nothing is stored. The comparison is of what was judged, without corrections. Beside \
a verdict that differs stands what may explain it: times near a limit, random numbers, another compiler, grader, machine or version of \
the problem. Two receipts with the same hash of results have the same verdicts and points.

Exit status: 0 if all verdicts and points are the same, 1 if not.

Examples:
  grader replay
  grader replay --ledger class.db --run 3")]
pub(crate) struct ReplayArgs {
    #[command(flatten)]
    source: ClassArgs,
    /// Run, by its number in `grader history` [default: the last].
    #[arg(long, value_name = "N")]
    run: Option<u64>,
    #[arg(long, short, value_name = "ID|PATH", help = assignment::help("nearest to the class"), long_help = assignment::long_help("the one nearest to the class"))]
    assignment: Option<String>,
    #[command(flatten)]
    json: JsonArgs,
    #[command(flatten)]
    workers: WorkerArgs,
    #[command(flatten)]
    isolation: IsolationArgs,
}

/// The problem of a student.
type JobId = (StudentId, ProblemId);

pub(crate) fn run(args: &ReplayArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let terminal = &args.json.prepare("bitcraft-replay/1", terminal)?;
    let stored = StoredRuns::find(&args.source.asked())?;
    let run = stored.choose(args.run, IfSeveral::TakeLast)?;
    stored.say_choice(&run, terminal)?;
    let mut before = stored.results(&run)?;
    let last = || Some(before.assignment.clone());
    let location =
        assignment::assignments().of_class(args.assignment.as_deref(), &run.class, last)?;
    let assignment = location.load(terminal)?;
    let (class, without_files) = class(&stored, &before, &assignment)?;
    let jobs: BTreeSet<JobId> = jobs(&class).collect();
    if jobs.is_empty() {
        let id = &assignment.info().id;
        let message = format!("run {} has no submission for a problem of `{id}`", run.id);
        return Err(Failure::usage(message).into());
    }
    let keys = Arc::new(Keys {
        before: stored.keys(run.id)?,
        now: Mutex::default(),
    });
    let Some(mut after) = judged(args, &assignment, &class, &keys, terminal)? else {
        return Ok(Exit::Interrupted);
    };
    let now = std::mem::take(&mut *keys.now.lock().unwrap_or_else(PoisonError::into_inner));
    for results in [&mut before, &mut after] {
        keep(results, &jobs);
    }
    for (student, problem) in each_job(&mut after) {
        let job = (student, problem.id.clone());
        let because = keys.before.get(&job).zip(now.get(&job));
        problem.origin = because.map(|(before, now)| Origin::Ran {
            because: before.changes(now),
        });
    }
    let builds = [&keys.before, &now].map(|it| builds(it.iter().filter(|it| jobs.contains(it.0))));
    let versions = [run.grader.as_str(), env!("CARGO_PKG_VERSION")];
    let [was, is] = [0, 1].map(|at| Judgement {
        results: [&before, &after][at],
        grader: format!("{} ({})", versions[at], builds[at]),
    });
    let replayed = replay(&was, &is, without_files);
    write!(terminal.stdout(), "{}", replayed.text(&terminal.style()))?;
    args.json.write(&replayed, terminal)?;
    Ok(if after.has_faults() {
        Exit::Fault
    } else if replayed.is_same() {
        Exit::Done
    } else {
        Exit::Unmet
    })
}

/// The class as it was judged, from the files in the ledger; and the number of submissions of which it has none.
fn class(
    stored: &StoredRuns,
    results: &Results,
    assignment: &Assignment,
) -> anyhow::Result<(Class, usize)> {
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

/// Judges the class and stores nothing. `None` if somebody stopped it.
fn judged(
    args: &ReplayArgs,
    assignment: &Assignment,
    class: &Class,
    keys: &Arc<Keys>,
    terminal: &Terminal,
) -> anyhow::Result<Option<Results>> {
    let stop = Stop::new();
    let mut progress = Progress::new(&terminal.error_style(), terminal.has_progress());
    let above = Some(progress.above());
    let runner = isolation::runner(&args.isolation, Programs::Others, terminal)?;
    let mut settings = judge::settings(runner, args.workers.jobs, &stop, terminal)?;
    judge::use_cache(&mut settings, Arc::clone(keys) as Arc<dyn ResultCache>)?;
    let judge = judge::stoppable(settings, above, terminal)?;
    let mut fold = Fold::new();
    let sinks: &mut [&mut dyn Sink] = &mut [&mut fold, &mut progress];
    // A progress bar that cannot be drawn must not cost the comparison.
    let _ = judge.grade(assignment, class, sinks).sink_errors;
    let results = fold.results();
    Ok(results.filter(|it| !it.interrupted))
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
fn builds<'a>(keys: impl Iterator<Item = (&'a JobId, &'a JobKey)>) -> String {
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

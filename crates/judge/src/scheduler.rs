//! Threads that take jobs from one queue.
//!
//! Each worker has several threads, each with a job of its own. While one job's program runs, alone on its core, the
//! others compile, check outputs, or have the sandbox prepare the next run, which takes more time than CPU time. With a
//! single job per worker, programs had 70% of the core's time at a mean run of 76 ms (docs/lab-classes.md).
//!
//! Each of a worker's active jobs has one of its [`Places`](crate::places::Places). A job that waits for another second
//! of the clock gives its place to the next one, so there are more threads than places.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{OnceLock, mpsc};
use std::thread;

use grader_model::EventKind;
use grader_problem::CaseRef;

use crate::Fault;
use crate::constants::{ACTIVE_JOBS_PER_WORKER, MAX_WAITING_MESSAGES, WAITING_JOBS_PER_WORKER};
use crate::job::{Finished, Job, Message, Shared};
use crate::judge::Judge;
use crate::lab::Lab;
use crate::threads::start;

/// Calls `work` with each item and its index, in parallel on all workers. Returns the results in the order of the
/// items. Up to `away` additional items per worker may wait for the clock.
pub(crate) fn for_each<T: Sync, R: Send>(
    judge: &Judge,
    items: &[T],
    away: usize,
    work: impl Fn(Lab<'_>, usize, &T) -> R + Sync,
) -> Vec<R> {
    let threads = judge.workers() * (ACTIVE_JOBS_PER_WORKER + away);
    let threads = threads.min(items.len());
    if threads == 0 {
        return Vec::new();
    }
    let next = AtomicUsize::new(0);
    // How many threads work, and that they may begin.
    let (working, begin) = (OnceLock::new(), OnceLock::new());
    let take_all = |number| {
        let (lab, mut done) = (Lab::new(judge, number), Vec::new());
        if number >= *working.wait() {
            return done;
        }
        begin.wait();
        loop {
            let _place = lab.places().take();
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else {
                return done;
            };
            done.push((index, work(lab, index, item)));
        }
    };
    let mut done: Vec<(usize, R)> = thread::scope(|scope| {
        let take_all = &take_all;
        // This thread is the first.
        let others = (1..threads).map_while(|number| start(scope, move || take_all(number)).ok());
        let mut others: Vec<_> = others.collect();
        let started = others.len() + 1;
        let are_all = started == threads;
        let count = if are_all {
            threads
        } else {
            started.div_ceil(4)
        };
        working.get_or_init(|| count);
        // If no more can be started, most of them end before the others begin: programs need room, too.
        for surplus in others.split_off(count - 1) {
            drop(surplus.join());
        }
        begin.get_or_init(|| ());
        let mut done = take_all(0);
        for other in others {
            done.extend(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        done
    });
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Judges all jobs. Calls `listen` on this thread with batches of messages; those of one job come in order.
pub(crate) fn judge_all(
    judge: &Judge,
    shared: &Shared<'_>,
    jobs: &[Job<'_>],
    mut listen: impl FnMut(Vec<Message>),
) {
    let may_wait = |job: &Job<'_>| {
        let subtasks = &job.entry.problem.subtasks;
        subtasks.iter().any(|it| it.attempts.is_some())
    };
    let away = if jobs.iter().any(may_wait) {
        WAITING_JOBS_PER_WORKER
    } else {
        0
    };
    let (sender, receiver) = mpsc::sync_channel(MAX_WAITING_MESSAGES);
    thread::scope(|scope| {
        let started = start(scope, move || {
            for_each(judge, jobs, away, |lab, index, job| {
                let is_stopped = judge.stop().is_requested();
                let result = (!is_stopped).then(|| finish(job, lab, shared, &sender));
                let done = Message::Done(index, result.flatten().map(Box::new));
                // The receiver is dropped only if its thread panicked.
                if sender.send(done).is_err() {
                    judge.stop().request();
                }
            })
        });
        if let Err(fault) = started {
            let failed = |(index, job): (usize, &Job<'_>)| {
                let failed = job.failed(&fault, shared.cache.is_some());
                Message::Done(index, Some(Box::new(failed)))
            };
            return listen(jobs.iter().enumerate().map(failed).collect());
        }
        // Moved in, so that no worker waits for a listener that panicked.
        let receiver = receiver;
        while let Ok(first) = receiver.recv() {
            let waiting = receiver.try_iter().take(MAX_WAITING_MESSAGES);
            listen([first].into_iter().chain(waiting).collect());
        }
    });
}

/// Judges one job. A panic is our bug and becomes a judge error of that job only.
fn finish(
    job: &Job<'_>,
    lab: Lab<'_>,
    shared: &Shared<'_>,
    sender: &mpsc::SyncSender<Message>,
) -> Option<Finished> {
    let send = |kind| {
        let measured = lab.judge.take_measured().into_iter();
        let measured =
            measured.map(|reference_time| EventKind::ReferenceMeasured { reference_time });
        for kind in measured.chain([kind]) {
            // As above.
            let _ = sender.send(Message::Event(Box::new(kind)));
        }
    };
    // `verify` judges samples with the example's values.
    let owner = job.owner.filter(|_| shared.tries_parts);
    let own = owner.map(|it| job.entry.for_student(it));
    let job = &Job {
        entry: own.as_ref().unwrap_or(job.entry),
        ..job.clone()
    };
    let judged = || job.result(lab, shared, &send).map(|it| job.excused(it));
    let finished = catch_unwind(AssertUnwindSafe(judged)).unwrap_or_else(|panic| {
        let what = panic
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned())
            .or_else(|| panic.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "a panic without a message".to_owned());
        Some(job.failed(
            &Fault::Other(format!("the judge has a bug: {what}")),
            shared.cache.is_some(),
        ))
    });
    if owner.is_some() {
        CaseRef::all(&job.entry.problem).for_each(|at| lab.forget_own(at));
    }
    finished
}

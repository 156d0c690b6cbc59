//! Workers that take jobs from one queue.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use grader_model::EventKind;

use crate::Fault;
use crate::job::{Finished, Waiting};
use crate::judge::Judge;
use crate::recall::Past;
use crate::references::References;

/// For each submission that may be in hand so many jobs may be begun: while one waits for a second of the clock to
/// pass, another has its seat.
const JOBS_A_SEAT: usize = 4;

/// What workers send to the one thread that listens.
pub(crate) enum Message {
    /// Something happened in a job.
    Event(Box<EventKind>),
    /// The job of this index has its result; nothing when it was stopped.
    Done(usize, Option<Box<Finished>>),
}

/// So many messages wait at most: a listener that is slow makes workers wait, and no memory grow.
const BACKLOG: usize = 32;

/// Does something with each item, as many at a time as there are workers; results in the order of the items.
pub(crate) fn for_each<T: Sync, R: Send>(
    judge: &Judge,
    items: &[T],
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let mut done: Vec<(usize, R)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..judge.seats().count().min(items.len()))
            .map(|_| {
                let (next, work) = (&next, &work);
                scope.spawn(move || {
                    let _seat = judge.seats().take();
                    let mut done = Vec::new();
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(item) = items.get(index) else {
                            return done;
                        };
                        done.push((index, work(item)));
                    }
                })
            })
            .collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic)))
            .collect()
    });
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Judges all jobs and calls `listen` on this thread with everything that happens, each job's events in
/// order, as many messages at a time as wait.
///
/// A panic in a worker is a bug of ours and makes a judge error of that job alone.
pub(crate) fn judge_all(
    judge: &Judge,
    references: &References,
    past: Option<&Past<'_>>,
    jobs: &[Waiting<'_>],
    mut listen: impl FnMut(Vec<Message>),
) {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::sync_channel(BACKLOG);
    thread::scope(|scope| {
        for _ in 0..(judge.seats().count() * JOBS_A_SEAT).min(jobs.len()) {
            let sender = sender.clone();
            let next = &next;
            scope.spawn(move || {
                loop {
                    // First the seat, then the job: so jobs begin in their order.
                    let _seat = judge.seats().take();
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(job) = jobs.get(index) else { return };
                    let result = if judge.stop().is_requested() {
                        None
                    } else {
                        one(judge, references, past, job, &sender)
                    };
                    // Nobody listens any more only when the listening thread panicked.
                    if sender
                        .send(Message::Done(index, result.map(Box::new)))
                        .is_err()
                    {
                        return;
                    }
                }
            });
        }
        drop(sender);
        // Moved in, so that no worker waits for a listener that panicked.
        let receiver = receiver;
        while let Ok(first) = receiver.recv() {
            listen(
                [first]
                    .into_iter()
                    .chain(receiver.try_iter().take(BACKLOG))
                    .collect(),
            );
        }
    });
}

fn one(
    judge: &Judge,
    references: &References,
    past: Option<&Past<'_>>,
    job: &Waiting<'_>,
    sender: &mpsc::SyncSender<Message>,
) -> Option<Finished> {
    let send = |kind| {
        let news = references.news().into_iter();
        let measured = news.map(|yardstick| EventKind::Calibrated { yardstick });
        for kind in measured.chain([kind]) {
            // As above.
            let _ = sender.send(Message::Event(Box::new(kind)));
        }
    };
    let judged = || job.judge(judge, references, past, &send);
    catch_unwind(AssertUnwindSafe(judged)).unwrap_or_else(|panic| {
        let what = panic
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned())
            .or_else(|| panic.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "a panic without a message".to_owned());
        Some(job.failed(&Fault::Panic(what), past.is_some()))
    })
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};
    use std::sync::{Arc, Barrier};

    use grader_language::Command;
    use grader_model::{Isolation, IsolationLevel, Outcome};
    use grader_sandbox::{Core, MountPoint, Request, Runner, SandboxError};

    use super::*;
    use crate::{Settings, Stop};

    /// Runs nothing.
    struct Idle;

    impl Runner for Idle {
        fn run(&self, _request: &Request) -> Result<Outcome, SandboxError> {
            Err(SandboxError::Protocol("nothing is to be run".to_owned()))
        }

        fn inside(&self, _place: MountPoint, host: &Path) -> PathBuf {
            host.to_owned()
        }

        fn isolation(&self) -> Isolation {
            Isolation {
                level: IsolationLevel::Basic,
                layers: Vec::new(),
                missing: Vec::new(),
            }
        }
    }

    /// The cores of the workers, each of which is kept busy until all are, and that of this thread.
    fn cores(workers: usize, cores: &[u32]) -> (Vec<Option<Core>>, Option<Core>) {
        let judge = Judge::new(Settings {
            runner: Arc::new(Idle),
            builtin: Arc::new(|_| Command {
                program: PathBuf::new(),
                arguments: Vec::new(),
                environment: Vec::new(),
            }),
            workers,
            overlaps: false,
            cores: cores.iter().copied().map(Core).collect(),
            stop: Stop::new(),
            calibrations: None,
            memory: None,
            grader: String::new(),
        })
        .unwrap();
        let all = Barrier::new(workers);
        let mut found = for_each(&judge, &vec![(); workers], |()| {
            all.wait();
            judge.core()
        });
        found.sort_unstable();
        (found, judge.core())
    }

    #[test]
    fn each_worker_has_a_core_and_the_first_is_also_that_of_the_main_thread() {
        let some = |cores: &[u32]| cores.iter().map(|&core| Some(Core(core))).collect();
        assert_eq!(cores(1, &[4, 6, 5]), (some(&[4]), Some(Core(4))));
        assert_eq!(cores(3, &[4, 6, 5]), (some(&[4, 5, 6]), Some(Core(4))));
    }

    #[test]
    fn more_workers_than_cores_have_none() {
        assert_eq!(cores(3, &[4, 6]), (vec![None; 3], None));
        assert_eq!(cores(1, &[]), (vec![None], None));
    }
}

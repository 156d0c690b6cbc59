//! Grading a class.

use std::collections::BTreeMap;
use std::time::Instant;
use std::{io, mem};

use grader_intake::{Class, Student};
use grader_model::{Event, EventKind, LanguageId, ProblemResult, Sink, StudentResult};
use grader_problem::Assignment;

use crate::cache::{JobName, JobResult, ResultCache};
use crate::host;
use crate::job::{Job, Shared, Sources, interrupted, nothing_submitted, unreadable};
use crate::judge::Judge;
use crate::keys::Keys;
use crate::reference::References;
use crate::scheduler::{Message, judge_all};

/// How grading a class ended.
#[derive(Debug)]
pub struct Summary {
    /// Whether it was stopped before every student was graded.
    pub interrupted: bool,
    /// Failures of sinks; a sink that failed got no more events.
    pub sink_errors: Vec<io::Error>,
}

/// Stamps events and gives each to every sink that still works, in order.
pub(crate) struct Dispatcher<'a, 'b> {
    began: Instant,
    sinks: &'a mut [&'b mut dyn Sink],
    broken: Vec<Option<io::Error>>,
}

impl<'a, 'b> Dispatcher<'a, 'b> {
    pub(crate) fn new(sinks: &'a mut [&'b mut dyn Sink]) -> Self {
        let broken = sinks.iter().map(|_| None).collect();
        Self {
            began: Instant::now(),
            sinks,
            broken,
        }
    }

    pub(crate) fn send(&mut self, kind: EventKind) {
        let event = Event {
            at_ms: self.began.elapsed().as_millis() as u64,
            kind,
        };
        for (sink, broken) in self.sinks.iter_mut().zip(&mut self.broken) {
            if broken.is_none() {
                *broken = sink.event(&event).err();
            }
        }
    }
}

impl Dispatcher<'_, '_> {
    /// Sends what was measured and no job has reported.
    pub(crate) fn send_measured(&mut self, references: &References) {
        for reference_time in references.take_measured() {
            self.send(EventKind::ReferenceMeasured { reference_time });
        }
    }
}

impl Judge {
    /// Grades a class: judges every submission for every problem of the assignment.
    ///
    /// Everything it finds out goes to the sinks, in one order, from the calling thread. With a cache, stored results
    /// are reused as far as they hold, and each job that is done is stored before any sink gets it. A cache that fails
    /// reports that itself; the run goes on.
    pub fn grade(
        &self,
        assignment: &Assignment,
        class: &Class,
        sinks: &mut [&mut dyn Sink],
    ) -> Summary {
        let mut dispatcher = Dispatcher::new(sinks);
        let (jobs, owners) = plan(assignment, class);
        dispatcher.send(EventKind::RunStarted {
            run: self.cache().and_then(ResultCache::run),
            assignment: assignment.info(),
            host: Box::new(host::describe(languages(&jobs))),
            isolation: self.runner().isolation(),
            students: class
                .students
                .iter()
                .map(|student| student.id.clone())
                .collect(),
            jobs: jobs.len(),
            cases: jobs.iter().map(|job| job.entry.problem.case_count()).sum(),
            unused: class.unused.clone(),
        });

        let isolation = self.runner().isolation();
        let keys = |cache| (cache, Keys::new(&isolation, self.grader(), assignment));
        let shared = Shared {
            references: References::default(),
            cache: self.cache().map(keys),
        };
        let mut grading = Grading {
            assignment,
            class,
            owners,
            dispatcher,
            open: class.students.iter().map(Open::of).collect(),
            stopped: false,
            cache: self.cache(),
        };
        for index in 0..class.students.len() {
            grading.finish_if_done(index);
        }
        judge_all(self, &shared, &jobs, |messages| grading.receive(messages));
        grading.dispatcher.send_measured(&shared.references);
        grading.end()
    }
}

/// A class that is being graded, as the one thread sees it that reports events.
struct Grading<'a, 'b, 'c> {
    assignment: &'a Assignment,
    class: &'a Class,
    /// Of each job the index of the student and of the problem.
    owners: Vec<(usize, usize)>,
    dispatcher: Dispatcher<'b, 'c>,
    open: Vec<Open>,
    stopped: bool,
    cache: Option<&'a dyn ResultCache>,
}

impl Grading<'_, '_, '_> {
    /// Stores what is done, and then reports everything, in order.
    fn receive(&mut self, messages: Vec<Message>) {
        if let Some(cache) = self.cache {
            self.store(cache, &messages);
        }
        for message in messages {
            match message {
                Message::Event(kind) => self.dispatcher.send(*kind),
                Message::Done(_, None) => self.stopped = true,
                Message::Done(job, Some(finished)) => {
                    self.job_finished(job, finished.done.result);
                }
            }
        }
    }

    /// Stores those jobs among the messages that are not stored yet, at once if possible.
    fn store(&self, cache: &dyn ResultCache, messages: &[Message]) {
        let jobs: Vec<(JobName<'_>, &JobResult)> = messages
            .iter()
            .filter_map(|message| match message {
                Message::Done(job, Some(finished)) if finished.is_new => {
                    let (student, problem) = self.owners[*job];
                    let name = JobName {
                        student: &self.class.students[student].id,
                        problem: &self.assignment.problems[problem].problem.id,
                    };
                    Some((name, &finished.done))
                }
                Message::Done(..) | Message::Event(_) => None,
            })
            .collect();
        if jobs.is_empty() || cache.store_all(&jobs).is_ok() {
            return;
        }
        // One that cannot be stored must not take others with it. The cache reports what failed.
        for (name, done) in jobs {
            let _ = cache.store(name, done);
        }
    }

    fn job_finished(&mut self, job: usize, result: ProblemResult) {
        let (student, problem) = self.owners[job];
        self.dispatcher.send(EventKind::JobFinished {
            student: self.class.students[student].id.clone(),
            result: Box::new(result.clone()),
        });
        self.open[student].results.insert(problem, result);
        self.finish_if_done(student);
    }

    fn finish_if_done(&mut self, student: usize) {
        let open = &self.open[student];
        if !open.is_reported && open.results.len() == open.waiting {
            self.finish(student);
        }
    }

    fn finish(&mut self, student: usize) {
        let open = &mut self.open[student];
        open.is_reported = true;
        // From here on the sinks have them.
        let results = mem::take(&mut open.results);
        let event = finished(self.assignment, self.class, student, results);
        self.dispatcher.send(event);
    }

    /// Reports the students who are not finished.
    fn end(mut self) -> Summary {
        for index in 0..self.open.len() {
            if !self.open[index].is_reported {
                self.finish(index);
            }
        }
        self.dispatcher.send(EventKind::RunFinished {
            interrupted: self.stopped,
        });
        Summary {
            interrupted: self.stopped,
            sink_errors: self.dispatcher.broken.into_iter().flatten().collect(),
        }
    }
}

/// A student, and the results of those jobs that are done while others are not.
struct Open {
    /// Number of jobs.
    waiting: usize,
    results: BTreeMap<usize, ProblemResult>,
    /// Whether the result was reported, and is held here no longer.
    is_reported: bool,
}

impl Open {
    fn of(student: &Student) -> Self {
        Self {
            waiting: student.submissions.len(),
            results: BTreeMap::new(),
            is_reported: false,
        }
    }
}

/// All jobs, with the index of the student and of the problem of each.
fn plan<'a>(assignment: &'a Assignment, class: &'a Class) -> (Vec<Job<'a>>, Vec<(usize, usize)>) {
    let mut jobs = Vec::new();
    let mut owners = Vec::new();
    for (student_index, student) in class.students.iter().enumerate() {
        for (problem_index, entry) in assignment.problems.iter().enumerate() {
            if let Some(submission) = student.submissions.get(&entry.problem.id) {
                jobs.push(Job {
                    student: &student.id,
                    entry,
                    sources: Sources::Submitted(submission),
                    shown: &submission.shown,
                });
                owners.push((student_index, problem_index));
            }
        }
    }
    (jobs, owners)
}

pub(crate) fn languages(jobs: &[Job<'_>]) -> Vec<LanguageId> {
    let mut languages: Vec<LanguageId> = jobs
        .iter()
        .filter_map(|job| job.sources.language())
        .collect();
    languages.sort_unstable();
    languages.dedup();
    languages
}

fn finished(
    assignment: &Assignment,
    class: &Class,
    student: usize,
    mut results: BTreeMap<usize, ProblemResult>,
) -> EventKind {
    let student = &class.students[student];
    let problems = assignment
        .problems
        .iter()
        .enumerate()
        .map(|(index, entry)| {
            let id = &entry.problem.id;
            if let Some(result) = results.remove(&index) {
                result
            } else if let Some(what) = student.faults.get(id) {
                unreadable(entry, what)
            } else if student.submissions.contains_key(id) {
                interrupted(entry)
            } else {
                nothing_submitted(entry)
            }
        })
        .collect();
    EventKind::StudentFinished {
        result: Box::new(StudentResult {
            person: student.person.clone(),
            notes: student.notes.clone(),
            remarks: student.remarks.clone(),
            id: student.id.clone(),
            nothing_submitted: student.submissions.is_empty() && student.faults.is_empty(),
            problems,
            unused: student.unused.clone(),
        }),
    }
}

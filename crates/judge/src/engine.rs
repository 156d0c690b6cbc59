//! Grading a class.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::time::Instant;

use grader_intake::Class;
use grader_model::{
    Event, EventKind, Host, ProblemId, ProblemResult, Sink, SourceFile, Status, StudentResult,
    Text, not_judged,
};
use grader_problem::Assignment;

use crate::cache::{JobName, JobResult, ResultCache};
use crate::decide::expectation::Samples;
use crate::host;
use crate::job::{Job, Message, Shared, unrun};
use crate::judge::Judge;
use crate::keys::Keys;
use crate::part::Part;
use crate::scheduler::judge_all;
use crate::suspects::Suspects;

/// How grading a class ended.
#[derive(Debug)]
pub struct Summary {
    /// Whether it was stopped before every student was graded.
    pub interrupted: bool,
    /// Failures of sinks. A failed sink gets no further events.
    pub sink_errors: Vec<io::Error>,
}

/// Stamps events and sends each to every working sink, in order.
pub(crate) struct Dispatcher<'a, 'b> {
    began: Instant,
    sinks: &'a mut [&'b mut dyn Sink],
    broken: Vec<Option<io::Error>>,
}

impl<'a, 'b> Dispatcher<'a, 'b> {
    fn new(sinks: &'a mut [&'b mut dyn Sink]) -> Self {
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

    /// Sends the measurements that have not been reported yet.
    fn send_measured(&mut self, judge: &Judge) {
        for reference_time in judge.take_measured() {
            self.send(EventKind::ReferenceMeasured { reference_time });
        }
    }
}

impl Judge {
    /// Grades a class: judges every submission for every problem of the assignment.
    ///
    /// All events go to the sinks in the same order, from the calling thread. With a cache, stored results are reused
    /// if still valid, and each finished job is stored before any sink gets it. A cache reports its own failures; the
    /// run continues.
    pub fn grade(
        &self,
        assignment: &Assignment,
        class: &Class,
        sinks: &mut [&mut dyn Sink],
    ) -> Summary {
        self.grade_after(assignment, class, None, sinks, |_| ())
    }

    /// Grades a class after calling `first`, which may run references. If it consists of samples, these show whether the
    /// author's files work; `samples` has those that are stopped once they are certain.
    pub(crate) fn grade_after(
        &self,
        assignment: &Assignment,
        class: &Class,
        samples: Option<Samples<'_>>,
        sinks: &mut [&mut dyn Sink],
        first: impl FnOnce(&mut Dispatcher<'_, '_>),
    ) -> Summary {
        // Since an earlier class, languages and compilers may have changed.
        self.memo.forget_all();
        let mut dispatcher = Dispatcher::new(sinks);
        let isolation = self.isolation();
        let cache = self.settings.cache.as_deref();
        let part = &self.settings.part;
        let jobs = shared(plan(assignment, class, part), class);
        dispatcher.send(EventKind::RunStarted {
            run: cache.and_then(ResultCache::run),
            assignment: Box::new(assignment.info()),
            host: Box::new(describe_host(assignment, class)),
            isolation: Box::new(isolation.clone()),
            students: class.students.iter().map(|it| it.id.clone()).collect(),
            jobs: jobs.iter().map(|job| 1 + job.sharers.len()).sum(),
            cases: jobs.iter().map(|job| job.entry.problem.case_count()).sum(),
            unused: class.unused.clone(),
            similar: class.similar.clone(),
            included: included(assignment),
        });
        let (grader, processor) = (&self.settings.grader, host::processor());
        let keys = || Keys::new(&isolation, grader, &processor, assignment);
        let shared = Shared {
            tries_parts: samples.is_none(),
            cache: cache.map(|cache| (cache, keys())),
            samples: samples.unwrap_or_default(),
        };
        first(&mut dispatcher);
        dispatcher.send_measured(self);
        let mut grading = Grading {
            assignment,
            class,
            jobs: &jobs,
            dispatcher,
            open: vec![Some(BTreeMap::new()); class.students.len()],
            stopped: false,
            suspects: Suspects::default(),
            cache,
        };
        for index in 0..class.students.len() {
            grading.finish_if_done(index);
        }
        judge_all(self, &shared, &jobs, |messages| grading.sort(messages));
        grading.settle();
        grading.dispatcher.send_measured(self);
        grading.end()
    }
}

/// The author's files that are built with every submission, by problem.
fn included(assignment: &Assignment) -> BTreeMap<ProblemId, Vec<SourceFile>> {
    let problems = assignment.problems.iter().map(|entry| &entry.problem);
    let included = problems.filter(|problem| !problem.submission.include.is_empty());
    included
        .map(|problem| (problem.id.clone(), problem.submission.include.clone()))
        .collect()
}

/// Describes this machine, with the toolchains that a class needs.
pub(crate) fn describe_host(assignment: &Assignment, class: &Class) -> Host {
    let submissions = class.students.iter().flat_map(|it| it.submissions.values());
    let ids: BTreeSet<_> = submissions.filter_map(|it| it.language).collect();
    let languages = ids
        .into_iter()
        .filter_map(|id| assignment.languages.get(id));
    host::describe(languages)
}

/// All jobs.
fn plan<'a>(
    assignment: &'a Assignment,
    class: &'a Class,
    part: &'a Part,
) -> impl Iterator<Item = Job<'a>> {
    let students = class.students.iter().enumerate();
    students.flat_map(move |(index, student)| {
        assignment.problems.iter().filter_map(move |entry| {
            let id = &entry.problem.id;
            Some(Job {
                student: &student.id,
                owner: Some(student.owner()),
                index,
                entry,
                submission: student.submissions.get(id)?,
                is_wanted: part.has_student(&student.id) && part.has_problem(id),
                sharers: Vec::new(),
            })
        })
    })
}

/// The jobs without those of students who submitted the same files together with another one, whose job counts for them
/// too.
fn shared<'a>(all: impl Iterator<Item = Job<'a>>, class: &Class) -> Vec<Job<'a>> {
    let mut jobs: Vec<Job<'a>> = Vec::new();
    let mut of_teams: BTreeMap<(&str, &ProblemId), Vec<usize>> = BTreeMap::new();
    for job in all {
        if let Some(team) = class.students[job.index].team.as_deref() {
            let known = of_teams.entry((team, &job.entry.problem.id)).or_default();
            let is_same = |other: &Job<'_>| {
                job.is_wanted == other.is_wanted
                    && job.is_wanted
                    && job.submission.shown == other.submission.shown
                    && job.submission.lacking == other.submission.lacking
                    && job.submission.is_copy_of(other.submission)
            };
            if let Some(&place) = known.iter().find(|place| is_same(&jobs[**place])) {
                jobs[place].sharers.push(job.index);
                continue;
            }
            known.push(jobs.len());
        }
        jobs.push(job);
    }
    jobs
}

/// The state of grading, on the thread that reports events.
struct Grading<'a, 'b, 'c> {
    assignment: &'a Assignment,
    class: &'a Class,
    jobs: &'a [Job<'a>],
    dispatcher: Dispatcher<'b, 'c>,
    /// Each student's results so far; `None` once they are reported.
    open: Vec<Option<BTreeMap<ProblemId, ProblemResult>>>,
    stopped: bool,
    /// Results that wait for others.
    suspects: Suspects,
    cache: Option<&'a dyn ResultCache>,
}

impl Grading<'_, '_, '_> {
    /// Receives messages, except results that are suspect.
    fn sort(&mut self, messages: Vec<Message>) {
        let messages = messages.into_iter();
        let messages = messages.flat_map(|it| self.suspects.sort(it)).collect();
        self.receive(messages);
    }

    /// Receives the results that are still suspect. If the run was stopped, nothing can be said of them.
    fn settle(&mut self) {
        if !self.stopped {
            let settled = self.suspects.settle(self.jobs);
            self.receive(settled);
        }
    }

    /// Stores finished jobs, then reports all messages in order.
    fn receive(&mut self, messages: Vec<Message>) {
        if let Some(cache) = self.cache {
            self.store(cache, &messages);
        }
        for message in messages {
            match message {
                Message::Event(kind) => self.dispatcher.send(*kind),
                Message::Done(_, None) => self.stopped = true,
                Message::Done(job, Some(finished)) => {
                    self.job_finished(job, &finished.done.result);
                }
            }
        }
    }

    /// Stores the new jobs among the messages, in one write if possible.
    fn store(&self, cache: &dyn ResultCache, messages: &[Message]) {
        let jobs: Vec<(JobName<'_>, &JobResult)> = messages
            .iter()
            .filter_map(|message| match message {
                Message::Done(job, Some(finished)) if finished.is_new => {
                    Some((*job, &finished.done))
                }
                Message::Done(..) | Message::Event(_) => None,
            })
            .flat_map(|(job, done)| {
                let name = move |student: usize| JobName {
                    student: &self.class.students[student].id,
                    ..self.jobs[job].name()
                };
                self.students(job).map(move |it| (name(it), done))
            })
            .collect();
        if jobs.is_empty() || cache.store_all(&jobs).is_ok() {
            return;
        }
        // A job that cannot be stored must not affect others. The cache reports the failure.
        for (name, done) in jobs {
            let _ = cache.store(name, done);
        }
    }

    /// The students for whom a job counts.
    fn students(&self, job: usize) -> impl Iterator<Item = usize> + use<'_> {
        let Job { index, sharers, .. } = &self.jobs[job];
        [index].into_iter().chain(sharers).copied()
    }

    fn job_finished(&mut self, job: usize, result: &ProblemResult) {
        for student in self.students(job).collect::<Vec<_>>() {
            self.dispatcher.send(EventKind::JobFinished {
                student: self.class.students[student].id.clone(),
                result: Box::new(result.clone()),
            });
            if let Some(results) = &mut self.open[student] {
                results.insert(result.id.clone(), result.clone());
            }
            self.finish_if_done(student);
        }
    }

    fn finish_if_done(&mut self, index: usize) {
        let jobs = self.class.students[index].submissions.len();
        let results = self.open[index].as_ref();
        if results.is_some_and(|results| results.len() == jobs) {
            self.finish(index);
        }
    }

    /// Reports a student once.
    fn finish(&mut self, index: usize) {
        let Some(mut results) = self.open[index].take() else {
            return;
        };
        let student = &self.class.students[index];
        let problems = self.assignment.problems.iter().map(|entry| {
            let id = &entry.problem.id;
            if let Some(result) = results.remove(id) {
                let submission = student.submissions.get(id);
                // A result that was carried over has its own time of submission.
                let submitted = result.submitted.or(submission.and_then(|it| it.submitted));
                return ProblemResult {
                    submitted,
                    ..result
                };
            }
            let (status, message) = if let Some(unreadable) = student.faults.get(id) {
                (Status::Fault(unreadable.cause), unreadable.reason.clone())
            } else if student.submissions.contains_key(id) {
                (Status::NotJudged, not_judged())
            } else {
                let message = Text::new("nothing submitted", "没有提交");
                (Status::NotSubmitted, message)
            };
            unrun(entry, status, message)
        });
        let result = Box::new(StudentResult {
            problems: problems.collect(),
            id: student.id.clone(),
            person: student.person.clone(),
            team: student.team.clone(),
            notes: student.notes.clone(),
            remarks: student.remarks.clone(),
            nothing_submitted: student.submissions.is_empty() && student.faults.is_empty(),
            unused: student.unused.clone(),
            ..StudentResult::default()
        });
        self.dispatcher.send(EventKind::StudentFinished { result });
    }

    /// Reports the unfinished students.
    fn end(mut self) -> Summary {
        for index in 0..self.open.len() {
            self.finish(index);
        }
        let interrupted = self.stopped;
        self.dispatcher.send(EventKind::RunFinished { interrupted });
        Summary {
            interrupted,
            sink_errors: self.dispatcher.broken.into_iter().flatten().collect(),
        }
    }
}

//! Grading a class.

use std::collections::BTreeMap;
use std::io;
use std::time::Instant;

use grader_intake::Class;
use grader_model::{Event, EventKind, LanguageId, ProblemResult, Sink, StudentResult};
use grader_problem::Assignment;

use crate::host;
use crate::job::{Handed, Waiting, interrupted, nothing_handed_in, unreadable};
use crate::judge::Judge;
use crate::memory::Memory;
use crate::pool::{Message, judge_all};
use crate::references::References;

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
    /// Sends what was measured and no job has told.
    pub(crate) fn told(&mut self, references: &References) {
        for yardstick in references.news() {
            self.send(EventKind::Calibrated { yardstick });
        }
    }
}

impl Judge {
    /// Grades a class: judges every submission for every problem of the assignment.
    ///
    /// Everything it finds out goes to the sinks, in one order, from the calling thread.
    pub fn grade(
        &self,
        assignment: &Assignment,
        class: &Class,
        sinks: &mut [&mut dyn Sink],
    ) -> Summary {
        let mut dispatcher = Dispatcher::new(sinks);
        let (jobs, owners) = plan(assignment, class);
        dispatcher.send(EventKind::RunStarted {
            run: self.memory().and_then(Memory::run),
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

        let mut open: Vec<Open> = class
            .students
            .iter()
            .map(|student| Open {
                waiting: student.submissions.len(),
                results: BTreeMap::new(),
            })
            .collect();
        for (index, open) in open.iter().enumerate() {
            if open.waiting == 0 {
                dispatcher.send(finished(assignment, class, index, &open.results));
            }
        }
        let mut stopped = false;
        let references = References::steady();
        judge_all(self, &references, &jobs, |message| match message {
            Message::Event(kind) => dispatcher.send(*kind),
            Message::Done(_, None) => stopped = true,
            Message::Done(job, Some(result)) => {
                let (student, problem) = owners[job];
                dispatcher.send(EventKind::JobFinished {
                    student: class.students[student].id.clone(),
                    result: result.clone(),
                });
                let open = &mut open[student];
                open.results.insert(problem, *result);
                if open.results.len() == open.waiting {
                    dispatcher.send(finished(assignment, class, student, &open.results));
                }
            }
        });
        dispatcher.told(&references);
        references.keep(self, assignment);
        // What is done is kept, and what is not is said, student by student.
        for (index, open) in open.iter().enumerate() {
            if open.results.len() < open.waiting {
                dispatcher.send(finished(assignment, class, index, &open.results));
            }
        }
        dispatcher.send(EventKind::RunFinished {
            interrupted: stopped,
        });
        Summary {
            interrupted: stopped,
            sink_errors: dispatcher.broken.into_iter().flatten().collect(),
        }
    }
}

/// A student some of whose jobs are not done yet.
struct Open {
    waiting: usize,
    results: BTreeMap<usize, ProblemResult>,
}

/// All jobs, with the index of the student and of the problem of each.
fn plan<'a>(
    assignment: &'a Assignment,
    class: &'a Class,
) -> (Vec<Waiting<'a>>, Vec<(usize, usize)>) {
    let mut jobs = Vec::new();
    let mut owners = Vec::new();
    for (student_index, student) in class.students.iter().enumerate() {
        for (problem_index, entry) in assignment.problems.iter().enumerate() {
            if let Some(submission) = student.submissions.get(&entry.problem.id) {
                jobs.push(Waiting {
                    student: &student.id,
                    entry,
                    handed: Handed::In(submission),
                    shown: &submission.shown,
                });
                owners.push((student_index, problem_index));
            }
        }
    }
    (jobs, owners)
}

pub(crate) fn languages(jobs: &[Waiting<'_>]) -> Vec<LanguageId> {
    let mut languages: Vec<LanguageId> = jobs
        .iter()
        .filter_map(|job| job.handed.language())
        .collect();
    languages.sort_unstable();
    languages.dedup();
    languages
}

fn finished(
    assignment: &Assignment,
    class: &Class,
    student: usize,
    results: &BTreeMap<usize, ProblemResult>,
) -> EventKind {
    let student = &class.students[student];
    let problems = assignment
        .problems
        .iter()
        .enumerate()
        .map(|(index, entry)| {
            let id = &entry.problem.id;
            if let Some(result) = results.get(&index) {
                result.clone()
            } else if let Some(reason) = student.faults.get(id) {
                unreadable(entry, reason.clone())
            } else if student.submissions.contains_key(id) {
                interrupted(entry)
            } else {
                nothing_handed_in(entry)
            }
        })
        .collect();
    EventKind::StudentFinished {
        result: Box::new(StudentResult {
            person: student.person.clone(),
            notes: student.notes.clone(),
            id: student.id.clone(),
            nothing_handed_in: student.submissions.is_empty() && student.faults.is_empty(),
            problems,
            unused: student.unused.clone(),
        }),
    }
}

//! From the stream of events to the results of a class.

use std::io;

use grader_model::{
    AssignmentInfo, Event, EventKind, Host, Isolation, ReferenceTime, Results, ResultsFormat,
    RunInfo, Sink, StudentId, StudentResult, UnusedFile,
};

/// A sink that folds the events of a run into [`Results`].
///
/// Students stand in the order in which the run announced them, whichever thread finished first. A student
/// whose result comes twice has the later one.
#[derive(Debug, Default)]
pub struct Fold {
    started: Option<Started>,
    students: Vec<Option<StudentResult>>,
    reference_times: Vec<ReferenceTime>,
    complete: bool,
}

/// What is known when a run starts.
#[derive(Debug)]
struct Started {
    run: Option<RunInfo>,
    assignment: AssignmentInfo,
    host: Host,
    isolation: Isolation,
    students: Vec<StudentId>,
    unused: Vec<UnusedFile>,
}

impl Fold {
    /// A fold of no events.
    pub const fn new() -> Self {
        Self {
            started: None,
            students: Vec::new(),
            reference_times: Vec::new(),
            complete: false,
        }
    }

    /// The results so far; nothing before the run has started.
    ///
    /// They count as interrupted until the run is known to have finished.
    pub fn results(self) -> Option<Results> {
        let started = self.started?;
        let mut results = Results {
            format: ResultsFormat::V2,
            run: started.run,
            assignment: started.assignment,
            host: started.host,
            isolation: started.isolation,
            students: self.students.into_iter().flatten().collect(),
            unused: started.unused,
            reference_times: self.reference_times,
            interrupted: !self.complete,
        };
        results.order_reference_times();
        Some(results)
    }
}

impl Sink for Fold {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        match &event.kind {
            EventKind::RunStarted {
                run,
                assignment,
                host,
                isolation,
                students,
                unused,
                jobs: _,
                cases: _,
            } => {
                self.students = students.iter().map(|_| None).collect();
                self.started = Some(Started {
                    run: run.clone(),
                    assignment: assignment.clone(),
                    host: host.as_ref().clone(),
                    isolation: isolation.clone(),
                    students: students.clone(),
                    unused: unused.clone(),
                });
                self.reference_times.clear();
                self.complete = false;
            }
            EventKind::ReferenceMeasured { reference_time } => {
                let same = |known: &&mut ReferenceTime| {
                    known.problem == reference_time.problem
                        && known.subtask == reference_time.subtask
                        && known.case == reference_time.case
                };
                match self.reference_times.iter_mut().find(same) {
                    Some(known) => *known = reference_time.clone(),
                    None => self.reference_times.push(reference_time.clone()),
                }
            }
            EventKind::JobStarted { .. }
            | EventKind::CaseFinished { .. }
            | EventKind::JobFinished { .. } => {}
            EventKind::StudentFinished { result } => {
                let known = self.started.iter().flat_map(|started| &started.students);
                let place = known
                    .zip(&mut self.students)
                    .find(|(id, _)| **id == result.id);
                match place {
                    Some((_, place)) => *place = Some(result.as_ref().clone()),
                    // One who was not announced is not lost for that.
                    None => self.students.push(Some(result.as_ref().clone())),
                }
            }
            EventKind::RunFinished { interrupted } => self.complete = !interrupted,
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    fn finished(result: &StudentResult) -> Event {
        sample::event(EventKind::StudentFinished {
            result: Box::new(result.clone()),
        })
    }

    #[test]
    fn the_order_in_which_students_finish_and_references_are_measured_does_not_matter() {
        let results = sample::results();
        let measured = sample::calibrated(&results);
        let events: Vec<Event> = results
            .students
            .iter()
            .map(finished)
            .chain(measured)
            .collect();
        let fold = |order: Vec<&Event>| {
            let mut fold = Fold::new();
            fold.event(&sample::run_started(&results)).unwrap();
            for event in order {
                fold.event(event).unwrap();
            }
            fold.event(&sample::event(EventKind::RunFinished {
                interrupted: false,
            }))
            .unwrap();
            fold.results().unwrap()
        };
        assert_eq!(fold(events.iter().collect()), results);
        assert_eq!(fold(events.iter().rev().collect()), results);
    }

    #[test]
    fn of_a_case_that_was_measured_again_the_last_reference_time_stays() {
        let results = sample::results();
        let mut fold = Fold::new();
        fold.event(&sample::run_started(&results)).unwrap();
        for samples in [1, 2] {
            let mut reference_time = results.reference_times[0].clone();
            reference_time.samples = samples;
            let kind = EventKind::ReferenceMeasured { reference_time };
            fold.event(&sample::event(kind)).unwrap();
        }
        let measured = fold.results().unwrap().reference_times;
        let samples: Vec<u32> = measured.iter().map(|y| y.samples).collect();
        assert_eq!(samples, [2]);
    }

    #[test]
    fn a_stream_that_breaks_off_counts_as_interrupted() {
        let results = sample::results();
        let mut fold = Fold::new();
        assert!(Fold::new().results().is_none());
        fold.event(&sample::run_started(&results)).unwrap();
        fold.event(&finished(&results.students[0])).unwrap();
        let folded = fold.results().unwrap();
        assert_eq!((folded.students.len(), folded.interrupted), (1, true));
    }
}

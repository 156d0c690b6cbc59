//! From the stream of events to the results of a class.

use std::collections::BTreeMap;
use std::io;

use grader_model::{
    Event, EventKind, ReferenceTime, Results, ResultsFormat, Sink, StudentId, StudentResult,
};

/// A sink that folds the events of a run into [`Results`].
///
/// Students keep the order in which the run announced them. If a student's result comes twice, the later one counts.
#[derive(Debug, Default)]
pub struct Fold {
    /// `None` before the run has started.
    results: Option<Results>,
    /// The students in the order of the run.
    order: Vec<StudentId>,
    /// Those who are finished.
    finished: BTreeMap<StudentId, StudentResult>,
}

impl Fold {
    /// A fold of no events.
    pub fn new() -> Self {
        Self::default()
    }

    /// The results so far, interrupted unless the run has finished. `None` before it has started.
    pub fn results(self) -> Option<Results> {
        let (mut results, mut finished) = (self.results?, self.finished);
        let announced = self.order.iter();
        results.students = announced.filter_map(|id| finished.remove(id)).collect();
        results.students.extend(finished.into_values());
        results.order_reference_times();
        Some(results)
    }
}

impl Sink for Fold {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        if let EventKind::RunStarted {
            run,
            assignment,
            host,
            isolation,
            students,
            unused,
            similar,
            jobs: _,
            cases: _,
            included: _,
        } = &event.kind
        {
            self.order.clone_from(students);
            self.results = Some(Results {
                format: ResultsFormat::V3,
                run: run.clone(),
                class: None,
                assignment: assignment.as_ref().clone(),
                host: host.as_ref().clone(),
                shards: Vec::new(),
                isolation: isolation.as_ref().clone(),
                students: Vec::new(),
                unused: unused.clone(),
                similar: similar.clone(),
                reference_times: Vec::new(),
                interrupted: true,
            });
        }
        let Some(results) = &mut self.results else {
            return Ok(());
        };
        match &event.kind {
            EventKind::ReferenceMeasured { reference_time } => {
                let new = reference_time;
                let is_same = |old: &ReferenceTime| {
                    (&old.problem, &old.subtask, &old.case)
                        == (&new.problem, &new.subtask, &new.case)
                };
                results.reference_times.retain(|old| !is_same(old));
                results.reference_times.push(new.clone());
            }
            EventKind::StudentFinished { result } => {
                let mut result = result.as_ref().clone();
                if let Some((_, other)) = self.finished.range(..&result.id).next_back() {
                    let problems = result.problems.iter_mut().zip(&other.problems);
                    problems.for_each(|(problem, other)| problem.share_with(other));
                }
                self.finished.insert(result.id.clone(), result);
            }
            EventKind::RunFinished { interrupted } => results.interrupted = *interrupted,
            EventKind::RunStarted { .. }
            | EventKind::JobStarted { .. }
            | EventKind::CaseFinished { .. }
            | EventKind::JobFinished { .. } => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn the_order_of_events_does_not_matter_and_a_stream_that_breaks_off_is_interrupted() {
        assert!(Fold::new().results().is_none());
        let results = sample::results();
        let students = results.students.iter().cloned().map(Box::new);
        let students = students.map(|result| EventKind::StudentFinished { result });
        let mut measured = results.reference_times.clone();
        measured[0].samples += 1;
        let times = measured.iter().chain(&results.reference_times).cloned();
        let times = times.map(|reference_time| EventKind::ReferenceMeasured { reference_time });
        let mut fold = Fold::new();
        fold.event(&sample::run_started(&results)).unwrap();
        for kind in times.chain(students.rev()) {
            fold.event(&sample::event(kind)).unwrap();
        }
        let interrupted = Results {
            interrupted: true,
            ..results.clone()
        };
        assert_eq!(fold.results(), Some(interrupted));

        let mut fold = Fold::new();
        for event in sample::events(&results) {
            fold.event(&event).unwrap();
        }
        assert_eq!(fold.results(), Some(results));
    }
}

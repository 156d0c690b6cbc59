//! From the stream of events to the results of a class.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::io;

use grader_model::{
    AssignmentInfo, Event, EventKind, Host, Isolation, Results, Sink, StudentId, StudentResult,
};

/// A sink that folds the events of a run into [`Results`].
///
/// Students stand in the natural order of their ids (`s2` before `s10`), whichever thread finished first. A
/// student whose result comes twice has the later one.
#[derive(Debug, Default)]
pub struct Fold {
    started: Option<(AssignmentInfo, Host, Isolation)>,
    students: BTreeMap<NaturalId, StudentResult>,
    complete: bool,
}

impl Fold {
    /// A fold of no events.
    pub fn new() -> Self {
        Self::default()
    }

    /// The results so far; nothing before the run has started.
    ///
    /// They count as interrupted until the run is known to have finished.
    pub fn results(self) -> Option<Results> {
        let (assignment, host, isolation) = self.started?;
        Some(Results {
            assignment,
            host,
            isolation,
            students: self.students.into_values().collect(),
            interrupted: !self.complete,
        })
    }
}

impl Sink for Fold {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        match &event.kind {
            EventKind::RunStarted {
                assignment,
                host,
                isolation,
                students: _,
                jobs: _,
                cases: _,
            } => {
                self.started = Some((assignment.clone(), host.clone(), isolation.clone()));
                self.complete = false;
            }
            EventKind::JobStarted { .. }
            | EventKind::CaseFinished { .. }
            | EventKind::JobFinished { .. } => {}
            EventKind::StudentFinished { result } => {
                let id = NaturalId(result.id.clone());
                self.students.insert(id, result.as_ref().clone());
            }
            EventKind::RunFinished { interrupted } => self.complete = !interrupted,
        }
        Ok(())
    }
}

/// An id that is ordered as people do: runs of digits by their value.
#[derive(Debug, PartialEq, Eq)]
struct NaturalId(StudentId);

impl Ord for NaturalId {
    fn cmp(&self, other: &Self) -> Ordering {
        let (a, b) = (self.0.as_str(), other.0.as_str());
        pieces(a).cmp(pieces(b)).then_with(|| a.cmp(b))
    }
}

impl PartialOrd for NaturalId {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A number, by its length without leading zeros and its digits; or one other character.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Piece<'a> {
    Number(usize, &'a str),
    Other(char),
}

fn pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        if !first.is_ascii_digit() {
            rest = &rest[first.len_utf8()..];
            return Some(Piece::Other(first));
        }
        let end = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        let (digits, after) = rest.split_at(end);
        rest = after;
        let digits = digits.trim_start_matches('0');
        Some(Piece::Number(digits.len(), digits))
    })
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
    fn the_order_in_which_students_finish_does_not_matter() {
        let results = sample::results();
        let events: Vec<Event> = results.students.iter().map(finished).collect();
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
    fn ids_are_ordered_as_people_order_them() {
        let mut ids: Vec<NaturalId> = ["s10", "s2", "李雷", "s02", "a", "2", "s2b", "10"]
            .map(|id| NaturalId(StudentId::new(id)))
            .into();
        ids.sort();
        let ids: Vec<&str> = ids.iter().map(|id| id.0.as_str()).collect();
        assert_eq!(ids, ["2", "10", "a", "s02", "s2", "s2b", "s10", "李雷"]);
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

//! The results of the run that is being made, for the report at its end.

use std::collections::BTreeMap;
use std::io;

use anyhow::Context as _;
use grader_model::{Event, EventKind, ReferenceTime, Results, Sink, StudentId, StudentResult};
use grader_report::Fold;
use grader_store::Run;

use crate::ledger::Alarm;

/// A sink from which the results come at the end.
///
/// Where a ledger keeps everything they are read from it: they are then what `grader report` will show, and do not grow
/// in memory while a class is graded. From the first thing that cannot be kept, students are held here.
pub(crate) struct Gathered {
    fold: Fold,
    /// In the order of the report.
    students: Vec<StudentId>,
    ledger: Option<(Run, Alarm)>,
}

impl Gathered {
    /// Of a run in this ledger, whose sink hears each event first; or in none.
    pub(crate) const fn new(ledger: Option<(Run, Alarm)>) -> Self {
        Self {
            fold: Fold::new(),
            students: Vec::new(),
            ledger,
        }
    }

    /// The results of the run, which has ended.
    ///
    /// # Errors
    /// When they lie in the ledger and cannot be read. They are not lost then.
    pub(crate) fn results(self) -> anyhow::Result<Results> {
        let here = self.fold.results();
        let Some((run, alarm)) = self.ledger else {
            return here.context("the judge ended without a word");
        };
        if !alarm.is_unkept() {
            return Ok(run.results()?);
        }
        let here = here.context("the judge ended without a word")?;
        let is_whole = here.students.len() == self.students.len();
        if is_whole {
            return Ok(here);
        }
        // Whoever was graded before the ledger failed is in it.
        Ok(joined(run.results()?, here, &self.students))
    }
}

/// What was kept, and what came after that could not be.
fn joined(kept: Results, here: Results, students: &[StudentId]) -> Results {
    let all = kept.students.into_iter().chain(here.students);
    // Of a student who is in both, the later one stays.
    let mut known: BTreeMap<StudentId, StudentResult> =
        all.map(|student| (student.id.clone(), student)).collect();
    let name = |it: &ReferenceTime| (it.problem.clone(), it.subtask.clone(), it.case.clone());
    let measured: Vec<_> = here.reference_times.iter().map(name).collect();
    let mut reference_times = kept.reference_times;
    reference_times.retain(|it| !measured.contains(&name(it)));
    reference_times.extend(here.reference_times);
    let mut results = Results {
        format: grader_model::ResultsFormat::V2,
        students: students.iter().filter_map(|id| known.remove(id)).collect(),
        reference_times,
        ..here
    };
    results.order_reference_times();
    results
}

impl Sink for Gathered {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        if let EventKind::RunStarted { students, .. } = &event.kind {
            self.students.clone_from(students);
        }
        let is_kept = self
            .ledger
            .as_ref()
            .is_some_and(|(_, alarm)| !alarm.is_unkept());
        if is_kept && matches!(event.kind, EventKind::StudentFinished { .. }) {
            return Ok(());
        }
        self.fold.event(event)
    }
}

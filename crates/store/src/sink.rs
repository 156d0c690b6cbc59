//! What the events of a run report that no job does: the class, and students.

use std::collections::BTreeMap;
use std::io;

use grader_model::{
    Event, EventKind, ProblemId, Sink, SourceFile, Status, StudentId, StudentResult,
};
use rusqlite::{Transaction, params};

use crate::database::now;
use crate::error::{LedgerError, LedgerFault};
use crate::ledger::{Run, Trouble, delete_result, put_result};
use crate::reader::{Files, Start};
use crate::{content, row_hash};

impl Run {
    fn record(&self, event: &EventKind) -> Result<(), LedgerError> {
        match event {
            EventKind::RunStarted {
                host,
                isolation,
                students,
                unused,
                similar,
                included,
                ..
            } => {
                let mut start = Start {
                    host: host.as_ref().clone(),
                    isolation: isolation.as_ref().clone(),
                    unused: unused.clone(),
                    shards: Vec::new(),
                    one_student: self.is_of_one_student(),
                    similar: similar.clone(),
                    included: Files::new(),
                    statements: Files::new(),
                    whole: self.whole.clone(),
                };
                self.write(true, |it| {
                    start.included = put_files(it, included)?;
                    start.statements = put_files(it, &self.statements)?;
                    self.started(it, &start, students)
                })
            }
            // After a power failure the run is resumed, and the student is reported again.
            EventKind::StudentFinished { result } => {
                self.write(false, |it| self.student_finished(it, result))
            }
            EventKind::ReferenceMeasured {
                reference_time: time,
            } => self.write(false, |it| {
                let (problem, subtask) = (time.problem.as_str(), time.subtask.as_str());
                let case = time.case.as_str();
                it.execute(
                    "INSERT INTO reference_time (run, problem, subtask, name, time) \
                     VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO UPDATE SET time = excluded.time",
                    params![self.id(), problem, subtask, case, content::json(time)?],
                )?;
                Ok(())
            }),
            // A run that lacks something is resumed.
            EventKind::RunFinished { .. } if self.has_failed(Trouble::Unwritten) => Ok(()),
            EventKind::RunFinished { interrupted } => self.write(true, |it| {
                it.execute(
                    "UPDATE run SET state = iif(?2, 'interrupted', 'finished'), ended = ?3 WHERE id = ?1",
                    params![self.id(), interrupted, now()],
                )?;
                Ok(())
            }),
            EventKind::JobStarted { .. }
            | EventKind::CaseFinished { .. }
            | EventKind::JobFinished { .. } => Ok(()),
        }
    }

    fn started(
        &self,
        transaction: &Transaction<'_>,
        start: &Start,
        students: &[StudentId],
    ) -> Result<(), LedgerFault> {
        let run = self.id();
        // Since a run was stopped, students may have come and gone.
        transaction.execute("DELETE FROM student WHERE run = ?1", [run])?;
        let mut insert = transaction
            .prepare("INSERT OR IGNORE INTO student (run, id, place) VALUES (?1, ?2, ?3)")?;
        for (place, student) in students.iter().enumerate() {
            insert.execute(params![run, student.as_str(), place as i64])?;
        }
        transaction.execute(
            "UPDATE run SET start = ?2 WHERE id = ?1",
            params![run, content::json(start)?],
        )?;
        row_hash::set_of_run(transaction, run)
    }

    fn student_finished(
        &self,
        transaction: &Transaction<'_>,
        student: &StudentResult,
    ) -> Result<(), LedgerFault> {
        let run = self.id();
        for result in &student.problems {
            let (id, problem) = (&student.id, result.id.as_str());
            if result.status == Status::NotJudged {
                // It may have been judged before this run was stopped and resumed.
                let mut known = transaction.prepare(
                    "SELECT 1 FROM result WHERE run = ?1 AND student = ?2 AND problem = ?3",
                )?;
                if known.exists(params![run, id.as_str(), problem])? {
                    continue;
                }
            } else if result.origin.is_none() {
                // What was judged before the run was resumed is no longer submitted.
                delete_result(transaction, run, id, problem)?;
            }
            put_result(transaction, run, id, None, result)?;
        }
        let about = StudentResult {
            problems: Vec::new(),
            ..student.clone()
        };
        let about = content::put_json(transaction, &about)?;
        let id = student.id.as_str();
        let announced = transaction.execute(
            "UPDATE student SET about = ?3 WHERE run = ?1 AND id = ?2",
            params![run, id, about],
        )?;
        if announced == 0 {
            // Comes last. All students of the run are read, which is too slow to do for each.
            transaction.execute(
                "INSERT INTO student (run, id, place, about) \
                 SELECT ?1, ?2, coalesce(max(place) + 1, 0), ?3 FROM student WHERE run = ?1",
                params![run, id, about],
            )?;
        }
        Ok(())
    }
}

/// Stores files of problems.
fn put_files(
    transaction: &Transaction<'_>,
    files: &BTreeMap<ProblemId, Vec<SourceFile>>,
) -> Result<Files, LedgerFault> {
    let put = |file: &SourceFile| Ok((file.path.clone(), content::put(transaction, &file.bytes)?));
    let files = files.iter().map(|(problem, files)| {
        let files = files.iter().map(put).collect::<Result<_, LedgerFault>>()?;
        Ok((problem.clone(), files))
    });
    files.collect()
}

impl Sink for &Run {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        // The run has reported a failure, and what comes later may be stored.
        let _ = self.record(&event.kind);
        Ok(())
    }
}

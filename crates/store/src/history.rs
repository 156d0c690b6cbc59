//! The runs of a ledger, in numbers.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;

use grader_model::{AssignmentId, RunState, RunSummary};
use rusqlite::{Connection, Row, params};

use crate::error::LedgerFault;

/// All runs; `running` is the one that a process is making now.
pub(crate) fn history(
    connection: &Connection,
    running: Option<u64>,
) -> Result<Vec<RunSummary>, LedgerFault> {
    let transaction = connection.unchecked_transaction()?;
    let mut statement = transaction.prepare(
        "SELECT id, began, ended, state, class, assignment, grader, \
         (SELECT count(*) FROM student WHERE student.run = run.id), \
         (SELECT total(faults) FROM student WHERE student.run = run.id) FROM run ORDER BY id",
    )?;
    let mut runs = statement
        .query_map([], |row| summary(row, running))?
        .collect::<Result<Vec<_>, _>>()?;
    // Jobs of students who have gone since the run was stopped are not results of it.
    let mut jobs = transaction.prepare(
        "SELECT taken, count(*), total(fault) FROM job WHERE run = ?1 AND EXISTS \
         (SELECT 1 FROM student WHERE student.run = job.run AND student.name = job.student) GROUP BY taken",
    )?;
    for run in &mut runs {
        let mut rows = jobs.query(params![run.id as i64])?;
        while let Some(row) = rows.next()? {
            let taken: String = row.get(0)?;
            let count: i64 = row.get(1)?;
            let faults: f64 = row.get(2)?;
            run.faults += faults as usize;
            match taken.as_str() {
                "reused" => run.reused = count as usize,
                _ => run.judged = count as usize,
            }
        }
    }
    Ok(runs)
}

fn summary(row: &Row<'_>, running: Option<u64>) -> rusqlite::Result<RunSummary> {
    let id = row.get::<_, i64>(0)? as u64;
    let state: String = row.get(3)?;
    let class: Vec<u8> = row.get(4)?;
    let assignment: String = row.get(5)?;
    let faults: f64 = row.get(8)?;
    Ok(RunSummary {
        id,
        began: row.get(1)?,
        ended: row.get(2)?,
        state: match state.as_str() {
            "finished" => RunState::Finished,
            "interrupted" => RunState::Interrupted,
            _ if running == Some(id) => RunState::Running,
            _ => RunState::Killed,
        },
        class: PathBuf::from(OsStr::from_bytes(&class)),
        assignment: AssignmentId::new(assignment),
        grader: row.get(6)?,
        students: row.get::<_, i64>(7)? as usize,
        judged: 0,
        reused: 0,
        faults: faults as usize,
    })
}

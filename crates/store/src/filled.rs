//! The grades that were filled into gradebooks: the next time they can be told from those that people entered.

use std::collections::BTreeMap;

use grader_model::{AssignmentId, Points, StudentId};
use rusqlite::params;

use crate::error::LedgerError;
use crate::ledger::Ledger;
use crate::reader::Reader;

/// Not in `schema.sql`: a ledger that has no such table yet is one all the same.
const TABLE: &str = "CREATE TABLE IF NOT EXISTS filled (
    assignment TEXT NOT NULL,
    system TEXT NOT NULL,    -- the course system of the gradebook
    student TEXT NOT NULL,
    grade INTEGER NOT NULL,  -- in thousandths, as the gradebook counts
    PRIMARY KEY (assignment, system, student)
) STRICT, WITHOUT ROWID";

impl Reader {
    /// The grade that each student got last in gradebooks of this system.
    ///
    /// # Errors
    /// If the ledger cannot be read.
    pub fn filled(
        &self,
        assignment: &AssignmentId,
        system: &str,
    ) -> Result<BTreeMap<StudentId, Points>, LedgerError> {
        let read = || {
            let known = "SELECT 1 FROM sqlite_schema WHERE name = 'filled'";
            if !self.connection.prepare(known)?.exists([])? {
                return Ok(BTreeMap::new());
            }
            let sql = "SELECT student, grade FROM filled WHERE assignment = ?1 AND system = ?2";
            let mut statement = self.connection.prepare(sql)?;
            let grades = statement.query_map(params![assignment.as_str(), system], |row| {
                let (student, grade): (String, i64) = (row.get(0)?, row.get(1)?);
                let grade = Points::from_thousandths(grade as u64);
                Ok((StudentId::new(student), grade))
            })?;
            Ok(grades.collect::<Result<_, _>>()?)
        };
        self.read(read())
    }
}

impl Ledger {
    /// Stores the grades that were filled into a gradebook of this system, in place of earlier ones.
    ///
    /// # Errors
    /// If the ledger cannot be written.
    pub fn remember_filled(
        &self,
        assignment: &AssignmentId,
        system: &str,
        grades: &BTreeMap<StudentId, Points>,
    ) -> Result<(), LedgerError> {
        let written = self.store.write(true, |transaction| {
            transaction.execute_batch(TABLE)?;
            let mut insert =
                transaction.prepare("INSERT OR REPLACE INTO filled VALUES (?1, ?2, ?3, ?4)")?;
            for (student, grade) in grades {
                let grade = grade.thousandths() as i64;
                insert.execute(params![
                    assignment.as_str(),
                    system,
                    student.as_str(),
                    grade
                ])?;
            }
            Ok(())
        });
        written.map_err(|why| self.store.error(why))
    }
}

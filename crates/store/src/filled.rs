//! The grades that were filled into gradebooks: the next time they can be told from those that people entered.

use std::collections::{BTreeMap, BTreeSet};

use grader_model::{AssignmentId, Points, StudentId};
use rusqlite::params;

use crate::error::LedgerError;
use crate::ledger::Ledger;
use crate::reader::Reader;

/// Not in `schema.sql`: a ledger that has no such table yet is one all the same. Every grade is kept, not only the last: the
/// file of an earlier run may be the one that was uploaded.
const TABLE: &str = "CREATE TABLE IF NOT EXISTS filled_grades (
    assignment TEXT NOT NULL,
    system TEXT NOT NULL,    -- the course system of the gradebook
    student TEXT NOT NULL,
    grade INTEGER NOT NULL,  -- in thousandths, as the gradebook counts
    PRIMARY KEY (assignment, system, student, grade)
) STRICT, WITHOUT ROWID";

/// The tables that may hold them. Earlier versions had the first, with one grade of a student.
const TABLES: [&str; 2] = ["filled", "filled_grades"];

/// The grades that each student got in gradebooks.
pub type FilledGrades = BTreeMap<StudentId, BTreeSet<Points>>;

impl Reader {
    /// The grades that each student got in gradebooks of this system.
    ///
    /// # Errors
    /// If the ledger cannot be read.
    pub fn filled(
        &self,
        assignment: &AssignmentId,
        system: &str,
    ) -> Result<FilledGrades, LedgerError> {
        let read = || {
            let mut found = FilledGrades::new();
            for table in TABLES {
                let known = "SELECT 1 FROM sqlite_schema WHERE name = ?1";
                if !self.connection.prepare(known)?.exists([table])? {
                    continue;
                }
                let sql = format!(
                    "SELECT student, grade FROM {table} WHERE assignment = ?1 AND system = ?2"
                );
                let mut statement = self.connection.prepare(&sql)?;
                let mut rows = statement.query(params![assignment.as_str(), system])?;
                while let Some(row) = rows.next()? {
                    let (student, grade): (String, i64) = (row.get(0)?, row.get(1)?);
                    let grades = found.entry(StudentId::new(student)).or_default();
                    grades.insert(Points::from_thousandths(grade as u64));
                }
            }
            Ok(found)
        };
        self.read(read())
    }
}

impl Ledger {
    /// Stores the grades that were filled into a gradebook of this system, beside earlier ones.
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
            let mut insert = transaction
                .prepare("INSERT OR IGNORE INTO filled_grades VALUES (?1, ?2, ?3, ?4)")?;
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

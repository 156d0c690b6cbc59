//! The grades that were filled into gradebooks: the next time they can be told from those that people entered.

use std::collections::{BTreeMap, BTreeSet};

use grader_model::{AssignmentId, Points, StudentId};
use rusqlite::params;

use crate::error::LedgerError;
use crate::ledger::Ledger;
use crate::reader::Reader;

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
            let mut statement = self.connection.prepare(
                "SELECT student, grade FROM filled_grades WHERE assignment = ?1 AND system = ?2",
            )?;
            let mut rows = statement.query(params![assignment.as_str(), system])?;
            while let Some(row) = rows.next()? {
                let (student, grade): (String, i64) = (row.get(0)?, row.get(1)?);
                let grades = found.entry(StudentId::new(student)).or_default();
                grades.insert(Points::from_thousandths(grade as u64));
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

//! Inputs on which programs fail and that no case has.

use std::collections::BTreeMap;

use grader_model::{AssignmentInfo, CaseResult, ProblemInfo, StudentResult};
use rusqlite::{Connection, params};

use crate::content;
use crate::error::{LedgerError, LedgerFault};
use crate::store::Store;

/// How a submission fails, by its name.
pub type Counterexamples = BTreeMap<String, CaseResult>;

/// Stores how submissions for a problem fail.
pub(crate) fn add(
    store: &Store,
    problem: &ProblemInfo,
    found: &Counterexamples,
) -> Result<(), LedgerError> {
    let written = store.write(true, |transaction| {
        let mut insert =
            transaction.prepare("INSERT OR REPLACE INTO counterexample VALUES (?1, ?2, ?3, ?4)")?;
        for (submission, result) in found {
            let (problem, version) = (problem.id.as_str(), &problem.version);
            insert.execute(params![
                problem,
                version,
                submission,
                content::json(result)?
            ])?;
        }
        Ok(())
    });
    written.map_err(|why| store.error(why))
}

/// Adds what is known to the results of students.
pub(crate) fn fill(
    connection: &Connection,
    assignment: &AssignmentInfo,
    students: &mut [StudentResult],
) -> Result<(), LedgerFault> {
    let sql = "SELECT submission, result FROM counterexample WHERE problem = ?1 AND version = ?2";
    let mut statement = connection.prepare(sql)?;
    for info in &assignment.problems {
        let rows = statement.query_and_then(params![info.id.as_str(), info.version], |row| {
            let (submission, result): (String, String) = (row.get(0)?, row.get(1)?);
            Ok::<_, LedgerFault>((submission, serde_json::from_str(&result)?))
        })?;
        let found: Counterexamples = rows.collect::<Result<_, _>>()?;
        let problems = students.iter_mut().flat_map(|it| &mut it.problems);
        for problem in problems.filter(|it| it.id == info.id) {
            let name = problem.submission.as_ref();
            let found = name.and_then(|name| found.get(name));
            problem.counterexample = found.map(|it| Box::new(it.clone()));
        }
    }
    Ok(())
}

//! Hashes of rows. Content is addressed by its hash; what a row says beside it has a hash of its own, so that a bit that
//! a disk or somebody else changed is found before it changes points. A step of `upgrade.rs` that changes these columns
//! checks the hash of each row before it sets a new one: a row that does not match it stays as it is.

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row, params};

use crate::content::Hash;
use crate::error::LedgerFault;

/// The columns of `run` that its hash covers.
const RUN: [&str; 7] = [
    "class",
    "assignment",
    "info",
    "fresh",
    "began",
    "shard",
    "start",
];

/// The columns of `result` that its hash covers. A copy in another run has the same hash.
const RESULT: [&str; 7] = [
    "student",
    "problem",
    "verdict",
    "points",
    "content",
    "submission",
    "submitted",
];

/// Sets the hash of a run that was written.
pub(crate) fn set_of_run(connection: &Connection, run: i64) -> Result<(), LedgerFault> {
    let sql = "SELECT * FROM run WHERE id = ?1";
    let hash = connection.query_row(sql, [run], |row| hash(row, &RUN))?;
    connection.execute("UPDATE run SET hash = ?2 WHERE id = ?1", params![run, hash])?;
    Ok(())
}

/// Sets the hash of a result that was written.
pub(crate) fn set_of_result(
    connection: &Connection,
    run: i64,
    student: &str,
    problem: &str,
) -> Result<(), LedgerFault> {
    let row = "run = ?1 AND student = ?2 AND problem = ?3";
    let select = format!("SELECT * FROM result WHERE {row}");
    let key = params![run, student, problem];
    let hash = connection.query_row(&select, key, |row| hash(row, &RESULT))?;
    connection.execute(
        &format!("UPDATE result SET hash = ?4 WHERE {row}"),
        params![run, student, problem, hash],
    )?;
    Ok(())
}

/// Checks a row with all columns of `run`.
pub(crate) fn check_run(row: &Row<'_>) -> Result<(), LedgerFault> {
    check(row, &RUN, "a run")
}

/// Checks a row with all columns of `result`.
pub(crate) fn check_result(row: &Row<'_>) -> Result<(), LedgerFault> {
    check(row, &RESULT, "a result")
}

fn check(row: &Row<'_>, columns: &[&str], what: &str) -> Result<(), LedgerFault> {
    if row.get_ref("hash")? == ValueRef::Blob(&hash(row, columns)?) {
        return Ok(());
    }
    Err(LedgerFault::Damaged(format!(
        "{what} does not match its hash"
    )))
}

/// BLAKE3 of the types, lengths and values of these columns.
fn hash(row: &Row<'_>, columns: &[&str]) -> rusqlite::Result<Hash> {
    let mut hasher = blake3::Hasher::new();
    for column in columns {
        let number;
        let (kind, bytes) = match row.get_ref(*column)? {
            ValueRef::Null => (b'n', &[][..]),
            ValueRef::Integer(value) => {
                number = value.to_le_bytes();
                (b'i', &number[..])
            }
            ValueRef::Real(value) => {
                number = value.to_le_bytes();
                (b'r', &number[..])
            }
            ValueRef::Text(text) => (b't', text),
            ValueRef::Blob(bytes) => (b'b', bytes),
        };
        hasher.update(&[kind]);
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    }
    Ok(*hasher.finalize().as_bytes())
}

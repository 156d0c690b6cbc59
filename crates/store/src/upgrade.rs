//! Ledgers of earlier formats: a step for each format leads from the one before to it.

mod format_7;

use std::fs::{self, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use grader_model::{LedgerUpgrade, escaped};
use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior, params};

use crate::database::{connect, format_of, make_whole, now};
use crate::error::LedgerFault;
use crate::format::{FORMAT, GRADER, OLDEST};
use crate::sharing::create;

/// From one format to the next.
type Step = fn(&Transaction<'_>) -> Result<(), LedgerFault>;

/// The steps from [`OLDEST`] on.
const STEPS: [Step; (FORMAT - OLDEST) as usize] = [
    |transaction| Ok(transaction.execute_batch(include_str!("upgrade/6.sql"))?),
    format_7::step,
];

/// Upgrades a ledger that is locked, after it was copied beside its place.
pub(crate) fn in_place(
    connection: &mut Connection,
    ledger: &Path,
    from: i64,
) -> Result<LedgerUpgrade, LedgerFault> {
    let mut upgrade = || {
        let copy = copy_beside(connection, ledger)?;
        let name = copy.file_name().unwrap_or_default().as_encoded_bytes();
        let upgrade = LedgerUpgrade {
            from,
            to: FORMAT,
            at: now(),
            grader: GRADER.to_owned(),
            copy: escaped(name),
        };
        run_steps(connection, from, Some(&upgrade)).inspect_err(|_| {
            // The ledger is still what it is a copy of.
            let _ = fs::remove_file(&copy);
        })?;
        Ok(upgrade)
    };
    not_upgraded(upgrade(), from)
}

/// An upgraded copy of a ledger that is only read. Nobody else sees it, and it is gone once it is closed.
pub(crate) fn for_reading(ledger: &Connection) -> Result<Connection, LedgerFault> {
    // What does not fit into the cache goes to a file without a name.
    let mut copy = connect(Path::new(""), OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    copy_all(ledger, &mut copy)?;
    // Since it was opened, it may have been upgraded.
    match format_of(&copy)? {
        Some(from) if from < FORMAT => not_upgraded(run_steps(&mut copy, from, None), from)?,
        Some(_) => {}
        None => return Err(LedgerFault::Empty),
    }
    Ok(copy)
}

fn not_upgraded<T>(result: Result<T, LedgerFault>, from: i64) -> Result<T, LedgerFault> {
    result.map_err(|why| LedgerFault::NotUpgraded {
        from,
        why: Box::new(why),
    })
}

/// All steps, or none of them if one fails or this process dies.
fn run_steps(
    connection: &mut Connection,
    from: i64,
    upgrade: Option<&LedgerUpgrade>,
) -> Result<(), LedgerFault> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for (to, step) in (OLDEST + 1..).zip(STEPS) {
        if from < to {
            step(&transaction)?;
        }
    }
    set_format(&transaction, upgrade)?;
    transaction.commit()?;
    Ok(())
}

/// Writes that a ledger has this format from now on. The upgrade is `None` if it is created, or if only this process sees it.
pub(crate) fn set_format(
    transaction: &Transaction<'_>,
    upgrade: Option<&LedgerUpgrade>,
) -> Result<(), LedgerFault> {
    transaction.execute(
        "INSERT INTO format (number, grader, earlier, since, copy) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![
            FORMAT,
            GRADER,
            upgrade.map(|it| it.from),
            upgrade.map(|it| &it.at),
            upgrade.map(|it| &it.copy),
        ],
    )?;
    transaction.pragma_update(None, "user_version", FORMAT)?;
    Ok(())
}

/// Copies a ledger, beside it and with its permissions, to a name that is free.
fn copy_beside(connection: &Connection, ledger: &Path) -> Result<PathBuf, LedgerFault> {
    let mode = fs::metadata(ledger)?.mode() & 0o777;
    let place = free_name(ledger)?;
    let make = |temporary: &Path| -> Result<(), LedgerFault> {
        create(temporary, OpenOptions::new().write(true).create_new(true))?
            .set_permissions(Permissions::from_mode(mode))?;
        let mut copy = connect(temporary, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        copy_all(connection, &mut copy)?;
        // As it was while the ledger was open, it could not be read where nothing can be written.
        copy.pragma_update(None, "journal_mode", "DELETE")?;
        copy.close().map_err(|(_, error)| error)?;
        Ok(())
    };
    make_whole(&place, make, std::convert::identity)?;
    Ok(place)
}

/// `ledger.db.before-format-7`, or with a number if there is such a file: that of an upgrade that did not come to its end, or
/// of another ledger that was here.
fn free_name(ledger: &Path) -> io::Result<PathBuf> {
    let mut number = 1;
    loop {
        let mut name = ledger.as_os_str().to_owned();
        name.push(format!(".before-format-{FORMAT}"));
        if number > 1 {
            name.push(format!(".{number}"));
        }
        match fs::symlink_metadata(&name) {
            Ok(_) => number += 1,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(name.into()),
            Err(error) => return Err(error),
        }
    }
}

/// Copies a database as it is at one moment, with what its log holds.
fn copy_all(from: &Connection, to: &mut Connection) -> Result<(), LedgerFault> {
    match Backup::new(from, to)?.step(-1)? {
        StepResult::Done => Ok(()),
        _ => Err(LedgerFault::Database("it is in use".to_owned())),
    }
}

//! The file: creating and opening it.

use std::fs::{self, OpenOptions};
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};

use grader_model::LedgerUpgrade;

use crate::database::{APPLICATION, connect, format_of};
use crate::error::LedgerFault;
use crate::format::FORMAT;
use crate::sharing::{Sharing, create, create_private_folder, is_private};
use crate::upgrade;

/// The folder that is created for a ledger. Any other may rightly belong to somebody else.
const FOLDER: &str = ".grader";

/// The path that the database will use. A link leads to the file that is locked, but in a folder that a group shares anybody
/// of it could have made one, to a file of the user who follows it.
pub(crate) fn real_path(path: &Path) -> Result<PathBuf, LedgerFault> {
    let path = std::path::absolute(path)?;
    let own_folder = path.parent().filter(|it| it.ends_with(FOLDER));
    for it in own_folder.into_iter().chain([&*path]) {
        let is_link = fs::symlink_metadata(it).is_ok_and(|found| found.is_symlink());
        if is_link
            && it
                .parent()
                .is_some_and(|above| Sharing::of(above).is_some())
        {
            return Err(LedgerFault::NotPrivate(it.to_owned()));
        }
    }
    Ok(fs::canonicalize(&path).unwrap_or(path))
}

/// Creates the folder of a ledger, for this user alone or for the group that shares the folder above it, and checks that
/// nobody else can write what is there: points are taken from it.
pub(crate) fn prepare(path: &Path) -> Result<(), LedgerFault> {
    create_private_folder(path.parent().unwrap_or(path))?;
    is_there(path)?;
    check_private(path)
}

/// Checks that nobody can write a ledger, nor the folder that was created for it, but this user and, in the folder of a class
/// that a group shares, that group.
fn check_private(path: &Path) -> Result<(), LedgerFault> {
    let folder = path.parent().unwrap_or(path);
    let own_folder = folder.ends_with(FOLDER).then_some(folder);
    let sharing = Sharing::of(own_folder.and_then(Path::parent).unwrap_or(folder));
    for path in own_folder.into_iter().chain([path]) {
        if let Ok(found) = fs::metadata(path)
            && !is_private(&found)
            && !sharing.is_some_and(|sharing| sharing.has(&found))
        {
            let above = own_folder.and_then(Path::parent).unwrap_or(folder);
            let blamed = if is_open(above) { above } else { path };
            return Err(LedgerFault::NotPrivate(blamed.to_owned()));
        }
    }
    Ok(())
}

/// Whether a group would share a folder if not everybody could write it.
fn is_open(folder: &Path) -> bool {
    fs::metadata(folder).is_ok_and(|found| found.mode() & 0o2022 == 0o2022)
}

/// Whether there is a file; opening a pipe would wait for a writer.
fn is_there(path: &Path) -> Result<bool, LedgerFault> {
    match fs::metadata(path) {
        Ok(found) if found.is_file() => Ok(true),
        Ok(_) => Err(LedgerFault::NotALedger),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// A ledger that is open for writing.
pub(crate) struct Opened {
    pub(crate) connection: Connection,
    /// Its upgrade, if it had an earlier format.
    pub(crate) upgrade: Option<LedgerUpgrade>,
}

/// Opens a ledger for writing, and creates it if there is none. One of an earlier format is upgraded. The caller holds the
/// lock.
pub(crate) fn open_to_write(path: &Path) -> Result<Opened, LedgerFault> {
    let mut connection = create_or_connect(path)?;
    let format = format_of(&connection)?;
    let check: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if check != "ok" {
        return Err(LedgerFault::Damaged(check));
    }
    let earlier = format.filter(|format| *format < FORMAT);
    let upgrade = earlier.map(|from| upgrade::in_place(&mut connection, path, from));
    let upgrade = upgrade.transpose()?;
    // On a file system that cannot do it, another journal is used and readers wait.
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    if format.is_none() {
        let transaction = connection.transaction()?;
        transaction.execute_batch(include_str!("schema.sql"))?;
        transaction.pragma_update(None, "application_id", APPLICATION)?;
        upgrade::set_format(&transaction, None)?;
        transaction.commit()?;
    }
    Ok(Opened {
        connection,
        upgrade,
    })
}

/// Opens a ledger for reading. One of an earlier format stays as it is: an upgraded copy is read.
pub(crate) fn open_to_read(path: &Path) -> Result<Connection, LedgerFault> {
    if !is_there(path)? {
        return Err(LedgerFault::Missing);
    }
    check_private(path)?;
    // What a writer that was killed has half changed must be taken back before it can be read. A file that this user may
    // not write is opened for reading only.
    let mut connection = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    let format = format_of(&connection)?.ok_or(LedgerFault::Empty)?;
    if format < FORMAT {
        connection = upgrade::for_reading(&connection)?;
    }
    connection.pragma_update(None, "query_only", true)?;
    Ok(connection)
}

fn create_or_connect(path: &Path) -> Result<Connection, LedgerFault> {
    // The database would create a file that everybody may read. The files that it makes beside this one are as this one.
    match create(path, OpenOptions::new().write(true).create_new(true)) {
        // A file that is there is not opened: closing it would drop the locks that this process holds on it.
        Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error.into()),
        _ => {}
    }
    connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)
}

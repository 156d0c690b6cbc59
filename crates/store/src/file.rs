//! The file: creating, recognising and opening it.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::ErrorKind;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use crate::error::LedgerFault;

/// Marks a database as a ledger: `BtCr`.
const APPLICATION: u32 = u32::from_be_bytes(*b"BtCr");

/// The version of `schema.sql`. Ledgers of versions 1 and 2 are set aside.
const VERSION: i64 = 3;

/// How long a connection waits for another one, which holds its locks for milliseconds.
const BUSY_TIMEOUT: Duration = Duration::from_secs(30);

/// The folder that is created for a ledger. Any other may rightly belong to somebody else.
const FOLDER: &str = ".grader";

/// The path that the database will use. A link leads to the file whose lock counts.
pub(crate) fn real_path(path: &Path) -> Result<PathBuf, LedgerFault> {
    let path = std::path::absolute(path)?;
    Ok(fs::canonicalize(&path).unwrap_or(path))
}

/// Creates the folder of a ledger for this user alone, and checks that nobody else can write what is there: points are
/// taken from it.
pub(crate) fn prepare(path: &Path) -> Result<(), LedgerFault> {
    let folder = path.parent().unwrap_or(path);
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)?;
    is_there(path)?;
    let own_folder = folder.ends_with(FOLDER).then_some(folder);
    for path in own_folder.into_iter().chain([path]) {
        let Ok(found) = fs::metadata(path) else {
            continue;
        };
        if found.uid() != rustix::process::geteuid().as_raw() || found.mode() & 0o022 != 0 {
            return Err(LedgerFault::NotPrivate(path.to_owned()));
        }
    }
    Ok(())
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

/// Opens a ledger for writing, and creates it if there is none. The caller holds the lock. A ledger of an earlier version
/// is renamed first; its new path is returned.
pub(crate) fn open_to_write(path: &Path) -> Result<(Connection, Option<PathBuf>), LedgerFault> {
    let mut connection = create_or_connect(path)?;
    let mut set_aside = None;
    let version = match version(&connection)? {
        Some(version) if version < VERSION => {
            set_aside = Some(rename_older(path, connection)?);
            connection = create_or_connect(path)?;
            None
        }
        version => version,
    };
    if version.is_some_and(|version| version > VERSION) {
        return Err(LedgerFault::Newer);
    }
    let check: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if check != "ok" {
        return Err(LedgerFault::Damaged(check));
    }
    // On a file system that cannot do it, another journal is used and readers wait.
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    if version.is_none() {
        let transaction = connection.transaction()?;
        transaction.execute_batch(include_str!("schema.sql"))?;
        transaction.pragma_update(None, "application_id", APPLICATION)?;
        transaction.pragma_update(None, "user_version", VERSION)?;
        transaction.commit()?;
    }
    Ok((connection, set_aside))
}

/// Opens a ledger for reading.
pub(crate) fn open_to_read(path: &Path) -> Result<Connection, LedgerFault> {
    if !is_there(path)? {
        return Err(LedgerFault::Missing);
    }
    let connection = connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    match version(&connection)? {
        None => Err(LedgerFault::Missing),
        Some(version) if version < VERSION => Err(LedgerFault::Older),
        Some(version) if version > VERSION => Err(LedgerFault::Newer),
        Some(_) => Ok(connection),
    }
}

fn create_or_connect(path: &Path) -> Result<Connection, LedgerFault> {
    // The database would create a file that everybody may read.
    let created = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path);
    match created {
        // Closing a file that is there drops the locks that this process holds on it.
        Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error.into()),
        Ok(_) | Err(_) => {}
    }
    connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)
}

fn connect(path: &Path, mode: OpenFlags) -> Result<Connection, LedgerFault> {
    let connection = Connection::open_with_flags(path, mode | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    // The file may come from elsewhere: none of its views and triggers may call functions that change anything.
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    Ok(connection)
}

/// The version of a ledger; `None` if the database is empty.
fn version(connection: &Connection) -> Result<Option<i64>, LedgerFault> {
    let number = |pragma| -> rusqlite::Result<i64> {
        connection.pragma_query_value(None, pragma, |row| row.get(0))
    };
    if number("application_id")? == i64::from(APPLICATION) {
        return Ok(Some(number("user_version")?));
    }
    let tables: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if tables == 0 {
        Ok(None)
    } else {
        Err(LedgerFault::NotALedger)
    }
}

/// Renames a ledger of an earlier version to a name that is not taken.
fn rename_older(path: &Path, connection: Connection) -> Result<PathBuf, LedgerFault> {
    // This also writes its log into it.
    connection.close().map_err(|(_, error)| error)?;
    let with = |path: &Path, end: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(end);
        PathBuf::from(name)
    };
    let mut number = 1;
    let new = loop {
        let name = with(path, &format!(".old{number}"));
        if !name.exists() {
            break name;
        }
        number += 1;
    };
    // A log that somebody reads is still there, and belongs to it.
    for end in ["-wal", "-shm", ""] {
        match fs::rename(with(path, end), with(&new, end)) {
            Err(error) if end.is_empty() || error.kind() != ErrorKind::NotFound => {
                return Err(error.into());
            }
            Ok(()) | Err(_) => {}
        }
    }
    Ok(new)
}

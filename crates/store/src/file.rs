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

/// The version of `schema.sql`. Ledgers of other versions are refused.
const VERSION: i64 = 5;

/// How long a connection waits for another one, which holds its locks for milliseconds.
const BUSY_TIMEOUT: Duration = Duration::from_secs(30);

/// The folder that is created for a ledger. Any other may rightly belong to somebody else.
const FOLDER: &str = ".grader";

/// The path that the database will use. A link leads to the file that is locked.
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
    check_private(path)
}

/// Checks that nobody but this user can write a ledger, nor the folder that was created for it.
fn check_private(path: &Path) -> Result<(), LedgerFault> {
    let folder = path.parent().unwrap_or(path);
    let own_folder = folder.ends_with(FOLDER).then_some(folder);
    for path in own_folder.into_iter().chain([path]) {
        if let Ok(found) = fs::metadata(path)
            && (found.uid() != rustix::process::geteuid().as_raw() || found.mode() & 0o022 != 0)
        {
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

/// Opens a ledger for writing, and creates it if there is none. The caller holds the lock.
pub(crate) fn open_to_write(path: &Path) -> Result<Connection, LedgerFault> {
    let mut connection = create_or_connect(path)?;
    let is_empty = is_empty(&connection)?;
    let check: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if check != "ok" {
        return Err(LedgerFault::Damaged(check));
    }
    // On a file system that cannot do it, another journal is used and readers wait.
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    if is_empty {
        let transaction = connection.transaction()?;
        transaction.execute_batch(include_str!("schema.sql"))?;
        transaction.pragma_update(None, "application_id", APPLICATION)?;
        transaction.pragma_update(None, "user_version", VERSION)?;
        transaction.commit()?;
    }
    Ok(connection)
}

/// Opens a ledger for reading.
pub(crate) fn open_to_read(path: &Path) -> Result<Connection, LedgerFault> {
    if !is_there(path)? {
        return Err(LedgerFault::Missing);
    }
    check_private(path)?;
    // What a writer that was killed has half changed must be taken back before it can be read. A file that this user may
    // not write is opened for reading only.
    let connection = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    connection.pragma_update(None, "query_only", true)?;
    if is_empty(&connection)? {
        return Err(LedgerFault::Empty);
    }
    Ok(connection)
}

fn create_or_connect(path: &Path) -> Result<Connection, LedgerFault> {
    // The database would create a file that everybody may read.
    let created = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path);
    // A file that is there is not opened: closing it would drop the locks that this process holds on it.
    if let Err(error) = created
        && error.kind() != ErrorKind::AlreadyExists
    {
        return Err(error.into());
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

/// Whether the database is empty; if it is not, it is a ledger of this version.
fn is_empty(connection: &Connection) -> Result<bool, LedgerFault> {
    // All of it from one state: somebody may be creating the ledger.
    let connection = connection.unchecked_transaction()?;
    let number = |sql| connection.query_row(sql, [], |row| row.get::<_, i64>(0));
    if number("PRAGMA application_id")? != i64::from(APPLICATION) {
        return match number("SELECT count(*) FROM sqlite_schema")? {
            0 => Ok(true),
            _ => Err(LedgerFault::NotALedger),
        };
    }
    match number("PRAGMA user_version")? {
        VERSION if number(OTHER_THAN_TABLES)? == 0 => Ok(false),
        VERSION => Err(LedgerFault::NotALedger),
        _ => Err(LedgerFault::OtherVersion),
    }
}

/// What a ledger never has and a forged one may: views and virtual tables in the place of tables, which may have no end;
/// triggers; columns that are computed.
const OTHER_THAN_TABLES: &str = "SELECT count(*) FROM sqlite_schema AS entry \
     WHERE type NOT IN ('table', 'index') OR sql LIKE 'CREATE VIRTUAL%' \
     OR type = 'table' AND EXISTS (SELECT * FROM pragma_table_xinfo(entry.name) WHERE hidden <> 0)";

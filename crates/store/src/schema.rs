//! The tables, and how a file comes to have them.

use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::ErrorKind;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use crate::error::{LedgerFault, may_not_write};

/// What says that a database is a ledger: `BtCr`.
const APPLICATION: u32 = u32::from_be_bytes(*b"BtCr");

/// What leads from each version of the schema to the next.
const MIGRATIONS: [&str; 2] = [include_str!("schema/1.sql"), include_str!("schema/2.sql")];

/// The version of the schema that is known here.
const VERSION: i64 = MIGRATIONS.len() as i64;

/// The time for which a connection waits for another one: what holds it is short.
const PATIENCE: Duration = Duration::from_secs(30);

/// How the names of the files end that the database keeps beside its own.
const BESIDE: [&str; 3] = ["-wal", "-shm", "-journal"];

/// The file beside a ledger whose name ends so.
fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}

/// Makes a ledger if there is none. The caller holds the lock.
///
/// It is made under another name and renamed, so that a file of this name is whole, and an empty file has no other
/// contents to lose.
pub(crate) fn create(path: &Path) -> Result<(), LedgerFault> {
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => return Err(LedgerFault::Folder),
        // Renaming would put a file in the place of a device or a pipe, for all who use it.
        Ok(found) if !found.is_file() => return Err(LedgerFault::NotALedger),
        Ok(found) if found.len() > 0 => return Ok(()),
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(error.into()),
    }
    let new = beside(path, ".new");
    // One that died while it made a ledger has left it half made.
    match fs::remove_file(&new) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error.into()),
        Ok(()) | Err(_) => {}
    }
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&new)?;
    let mut connection = Connection::open_with_flags(
        &new,
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )?;
    connection.pragma_update(None, "journal_mode", "OFF")?;
    connection.pragma_update(None, "application_id", APPLICATION)?;
    migrate(&mut connection)?;
    connection
        .close()
        .map_err(|(_, error)| LedgerFault::from(error))?;
    File::open(&new)?.sync_all()?;
    // Of a ledger that was removed by itself these may still be there, and would be taken for the new one's.
    for end in BESIDE {
        match fs::remove_file(beside(path, end)) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error.into()),
            Ok(()) | Err(_) => {}
        }
    }
    fs::rename(&new, path)?;
    if let Some(folder) = path.parent() {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

/// Opens a ledger for writing. The caller holds the lock.
pub(crate) fn writer(path: &Path) -> Result<Connection, LedgerFault> {
    // Whoever closed it in order has left nothing beside it.
    let was_killed = BESIDE.iter().any(|end| beside(path, end).exists());
    // What is no ledger is not opened in a way in which the database might repair or change it.
    drop(reader(path)?);
    let mut connection = Connection::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )?;
    prepare(&connection)?;
    // All of it is read for that: not for nothing at every run.
    if was_killed {
        check(&connection)?;
    }
    // Where the file system cannot do it, another journal serves, and readers wait.
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    migrate(&mut connection)?;
    Ok(connection)
}

/// Opens a ledger for reading.
///
/// The file is never opened but by the database: when this process closes a file it loses all its locks on it, those
/// of the database's other connections too.
pub(crate) fn reader(path: &Path) -> Result<Connection, LedgerFault> {
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => return Err(LedgerFault::Folder),
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => return Err(LedgerFault::Missing),
        Err(error) => return Err(error.into()),
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let open = |name: &Path, flags| -> Result<Connection, LedgerFault> {
        let connection = Connection::open_with_flags(name, flags)?;
        prepare(&connection)?;
        recognise(&connection)?;
        Ok(connection)
    };
    match open(path, flags) {
        // Where nothing can be written the files that readers share cannot be made; nobody else can write either.
        Err(LedgerFault::Database(error)) if may_not_write(error.as_ref()) && is_whole(path) => {
            open(&immutable(path), flags | OpenFlags::SQLITE_OPEN_URI)
        }
        other => other,
    }
}

/// Whether a database is a ledger of a version that is known.
fn recognise(connection: &Connection) -> Result<(), LedgerFault> {
    let application: i64 =
        connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    if application != i64::from(APPLICATION) {
        return Err(LedgerFault::NotALedger);
    }
    let found = version(connection)?;
    if found > VERSION {
        return Err(LedgerFault::Newer {
            found,
            known: VERSION,
        });
    }
    Ok(())
}

/// Whether all of a ledger is in the file itself.
fn is_whole(path: &Path) -> bool {
    fs::metadata(beside(path, "-wal")).map_or(true, |log| log.len() == 0)
}

/// The name of a file of which the database may take for granted that nobody writes it.
fn immutable(path: &Path) -> PathBuf {
    let mut name = String::from("file:");
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'/' | b'.' | b'-' | b'_' => name.push(char::from(*byte)),
            byte if byte.is_ascii_alphanumeric() => name.push(char::from(*byte)),
            byte => {
                // Writing to a String cannot fail.
                let _ = write!(name, "%{byte:02x}");
            }
        }
    }
    name.push_str("?immutable=1");
    PathBuf::from(name)
}

fn prepare(connection: &Connection) -> Result<(), LedgerFault> {
    connection.busy_timeout(PATIENCE)?;
    // Nothing in a file from elsewhere is run.
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    Ok(())
}

fn version(connection: &Connection) -> Result<i64, LedgerFault> {
    Ok(connection.pragma_query_value(None, "user_version", |row| row.get(0))?)
}

/// Whether the pages of the file hang together. Nothing is written to one where they do not.
fn check(connection: &Connection) -> Result<(), LedgerFault> {
    let said: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if said == "ok" {
        Ok(())
    } else {
        Err(LedgerFault::Damaged(said))
    }
}

fn migrate(connection: &mut Connection) -> Result<(), LedgerFault> {
    let found = version(connection)?;
    if found >= VERSION {
        return Ok(());
    }
    let transaction = connection.transaction()?;
    for migration in &MIGRATIONS[found.max(0) as usize..] {
        transaction.execute_batch(migration)?;
    }
    transaction.pragma_update(None, "user_version", VERSION)?;
    transaction.commit()?;
    Ok(())
}

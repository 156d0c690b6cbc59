//! The file: creating, recognising and opening it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use grader_model::LedgerUpgrade;

use crate::error::LedgerFault;
use crate::sharing::{Sharing, create, create_folder, create_private_folder, is_private};
use crate::upgrade::{self, FORMAT};

/// Marks a database as a ledger: `BtCr`.
const APPLICATION: u32 = u32::from_be_bytes(*b"BtCr");

/// How long a connection waits for another one, which holds its locks for milliseconds.
const BUSY_TIMEOUT: Duration = Duration::from_secs(30);

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
    let format = format(&connection)?;
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
    let format = format(&connection)?.ok_or(LedgerFault::Empty)?;
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

pub(crate) fn connect(path: &Path, mode: OpenFlags) -> Result<Connection, LedgerFault> {
    let connection = Connection::open_with_flags(path, mode | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    // The file may come from elsewhere: none of its views and triggers may call functions that change anything.
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    Ok(connection)
}

/// The format of a ledger that this grader can read; `None` if the database is empty.
pub(crate) fn format(connection: &Connection) -> Result<Option<i64>, LedgerFault> {
    // All of it from one state: somebody may be creating the ledger.
    let connection = connection.unchecked_transaction()?;
    let number = |sql| connection.query_row(sql, [], |row| row.get::<_, i64>(0));
    if number("PRAGMA application_id")? != i64::from(APPLICATION) {
        return match number("SELECT count(*) FROM sqlite_schema")? {
            0 => Ok(None),
            _ => Err(LedgerFault::NotALedger),
        };
    }
    let format = number("PRAGMA user_version")?;
    let has_only_tables = number(OTHER_THAN_TABLES)? == 0;
    if format < upgrade::OLDEST {
        return Err(LedgerFault::TooOld { format });
    }
    if format > FORMAT {
        // A view may have no end.
        let sql = "SELECT grader FROM format WHERE number = ?1";
        let grader = has_only_tables.then(|| connection.query_row(sql, [format], |row| row.get(0)));
        let grader = grader.and_then(Result::ok);
        return Err(LedgerFault::TooNew { format, grader });
    }
    if !has_only_tables {
        return Err(LedgerFault::NotALedger);
    }
    Ok(Some(format))
}

/// What a ledger never has and a forged one may: views and virtual tables in the place of tables, which may have no end;
/// triggers; columns that are computed.
const OTHER_THAN_TABLES: &str = "SELECT count(*) FROM sqlite_schema AS entry \
     WHERE type NOT IN ('table', 'index') OR sql LIKE 'CREATE VIRTUAL%' \
     OR type = 'table' AND EXISTS (SELECT * FROM pragma_table_xinfo(entry.name) WHERE hidden <> 0)";

/// Makes a file in a folder of its own beside its place, and moves it there: it appears whole or not at all.
/// `failed` makes the error of that.
pub(crate) fn make_whole<T, F, E: From<F>>(
    place: &Path,
    make: impl FnOnce(&Path) -> Result<T, E>,
    failed: impl Fn(LedgerFault) -> F,
) -> Result<T, E> {
    let failed = |error: io::Error| failed(error.into());
    let mut folder = place.as_os_str().to_owned();
    folder.push(".part");
    let folder = Path::new(&folder);
    // A grader that was killed may have left it.
    let _ = fs::remove_dir_all(folder);
    create_folder(folder).map_err(failed)?;
    let temporary = folder.join("ledger.db");
    let whole = make(&temporary).and_then(|made| {
        move_to(&temporary, place).map_err(failed)?;
        Ok(made)
    });
    let _ = fs::remove_dir_all(folder);
    whole
}

/// Moves a file, so that it is there after a power failure too, where the file system can do that for a folder.
fn move_to(temporary: &Path, place: &Path) -> io::Result<()> {
    File::open(temporary)?.sync_all()?;
    fs::rename(temporary, place)?;
    let folder = place.parent().and_then(|folder| File::open(folder).ok());
    let _ = folder.map(|folder| folder.sync_all());
    Ok(())
}

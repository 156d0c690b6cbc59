//! The database below a ledger: connecting, recognising its format, and making its file whole.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::time::Duration;

use jiff::Timestamp;
use rusqlite::{Connection, OpenFlags};

use crate::error::LedgerFault;
use crate::format::{FORMAT, OLDEST};
use crate::sharing::create_folder;

/// Marks a database as a ledger: `BtCr`.
pub(crate) const APPLICATION: u32 = u32::from_be_bytes(*b"BtCr");

/// How long a connection waits for another one, which holds its locks for milliseconds.
const BUSY_TIMEOUT: Duration = Duration::from_secs(30);

/// The moment, as ledgers write it.
pub(crate) fn now() -> String {
    let now = Timestamp::now();
    now.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
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
pub(crate) fn format_of(connection: &Connection) -> Result<Option<i64>, LedgerFault> {
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
    if format < OLDEST {
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

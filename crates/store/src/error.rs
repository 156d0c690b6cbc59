//! Why a ledger cannot be used.

use std::io;
use std::path::PathBuf;

use grader_model::escaped;
use serde::{Deserialize, Serialize};

use crate::format::{FORMAT, GRADER, OLDEST};

/// Why a ledger cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("cannot use the ledger `{}`: {why}", path.display())]
pub struct LedgerError {
    /// The ledger.
    pub path: PathBuf,
    /// What is wrong.
    pub why: LedgerFault,
}

impl LedgerError {
    /// Whether the user can correct it with another command line (exit status 2); else it is a fault of the machine or of
    /// the grader (exit status 3).
    pub const fn is_mistake(&self) -> bool {
        self.why.is_mistake()
    }
}

impl LedgerFault {
    const fn is_mistake(&self) -> bool {
        match self {
            Self::NotUpgraded { why, .. } => why.is_mistake(),
            Self::Damaged(_) | Self::Full | Self::Database(_) => false,
            _ => true,
        }
    }
}

/// What is wrong with a ledger.
#[derive(Debug, thiserror::Error)]
pub enum LedgerFault {
    /// Another process writes it.
    #[error("{}; wait until it ends, or use another ledger (`--ledger FILE`)", held(.0.as_deref()))]
    Held(Option<Box<Holder>>),
    /// There is no ledger.
    #[error("there is no such file; `grader grade` creates it")]
    Missing,
    /// The file has nothing in it.
    #[error("the file is empty; expected a ledger that `grader grade` created")]
    Empty,
    /// It is something else, such as a folder or a text file.
    #[error(
        "it is not a ledger, and was not changed; expected a file that `grader grade` created, or a new name"
    )]
    NotALedger,
    /// Another user may have written it, and with it any points.
    #[error(
        "`{}` belongs to another user, or others may write to it, so its points cannot be trusted; take that permission \
         away (`chmod go-w`), share the folder of the class with a group (see `docs/files.md`), or use another ledger \
         (`--ledger FILE`)",
        .0.display()
    )]
    NotPrivate(PathBuf),
    /// A grader of before the first format that can be read wrote it.
    #[error(
        "it has format {format}, which no release of the grader wrote, and grader {GRADER} reads formats {OLDEST} to \
         {FORMAT}; move it away, or use another ledger (`--ledger FILE`), and grade the class again"
    )]
    TooOld {
        /// Its format.
        format: i64,
    },
    /// A newer grader wrote it.
    #[error("it has format {format}, and grader {GRADER} reads formats {OLDEST} to {FORMAT}; {}", newer(.grader.as_deref()))]
    TooNew {
        /// Its format.
        format: i64,
        /// The version that wrote it, if that is known.
        grader: Option<String>,
    },
    /// It has an earlier format, and something failed on the way to the present one.
    #[error(
        "it has format {from}, and cannot be upgraded to format {FORMAT} ({why}); it was not changed"
    )]
    NotUpgraded {
        /// Its format.
        from: i64,
        /// What failed.
        why: Box<Self>,
    },
    /// It does not hold what was written.
    #[error(
        "it is damaged ({0}), and was not changed; move it away, or use another ledger (`--ledger FILE`)"
    )]
    Damaged(String),
    /// It has no such run.
    #[error("it has no run {0}")]
    NoRun(u64),
    /// The run ended before its students were known.
    #[error("run {0} ended before it had any result")]
    NotStarted(u64),
    /// Another version of the grader wrote these results.
    #[error(
        "another version of the grader wrote these results, and this one cannot read them: {0}"
    )]
    Format(serde_json::Error),
    /// The disk, or the user's share of it, is full.
    #[error("no space left on the disk, or in your quota")]
    Full,
    /// It cannot be opened, read or written.
    #[error("{0}")]
    Inaccessible(String),
    /// It cannot be created or opened for writing.
    #[error("{0}; name another file with `--ledger FILE`, or store nothing with `--no-ledger`")]
    Unwritable(String),
    /// The database reports another failure.
    #[error("{0}")]
    Database(String),
}

/// The process that writes a ledger, as it describes itself in the lock file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    /// Its id.
    pub pid: u32,
    /// When it took the lock: RFC 3339, UTC, to the second.
    pub since: String,
    /// The class that it grades, escaped.
    pub class: String,
    /// Its run; `None` before that begins.
    pub run: Option<u64>,
}

/// A longer version was not written by a grader.
const MAX_VERSION_CHARS: usize = 40;

fn newer(grader: Option<&str>) -> String {
    let Some(grader) = grader.filter(|it| it.chars().count() <= MAX_VERSION_CHARS) else {
        return "install the newer grader that wrote it, or use another ledger (`--ledger FILE`)"
            .to_owned();
    };
    let grader = escaped(grader.as_bytes());
    format!(
        "grader {grader} wrote it: install that version or a newer one, or use another ledger (`--ledger FILE`)"
    )
}

fn held(holder: Option<&Holder>) -> String {
    holder.map_or_else(
        || "another process is using it".to_owned(),
        |Holder {
             pid, since, class, ..
         }| format!("process {pid} has been grading `{class}` with it since {since}"),
    )
}

impl From<io::Error> for LedgerFault {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::Full,
            _ => Self::Inaccessible(error.to_string()),
        }
    }
}

impl From<serde_json::Error> for LedgerFault {
    fn from(error: serde_json::Error) -> Self {
        // Every version writes JSON.
        if error.is_data() {
            Self::Format(error)
        } else {
            Self::Damaged(error.to_string())
        }
    }
}

impl From<rusqlite::Error> for LedgerFault {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode;
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => Self::NotALedger,
            Some(ErrorCode::DatabaseCorrupt) => Self::Damaged(error.to_string()),
            Some(ErrorCode::DiskFull) => Self::Full,
            Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => {
                Self::Inaccessible(error.to_string())
            }
            _ => Self::Database(match error {
                // Without the statement, which may have many lines.
                rusqlite::Error::SqlInputError { msg, .. } => msg,
                error => error.to_string(),
            }),
        }
    }
}

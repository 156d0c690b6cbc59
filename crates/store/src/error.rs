//! Why a ledger cannot be used.

use std::io;
use std::path::{Path, PathBuf};

use grader_model::{Text, escaped};

use crate::lock::Holder;

/// What a database says of itself; its type is no part of this crate's promises.
type Source = Box<dyn std::error::Error + Send + Sync>;

/// Why a ledger cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("cannot use the ledger `{}`: {why}", path.display())]
pub struct LedgerError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong.
    #[source]
    pub why: LedgerFault,
}

/// What is wrong with a ledger, or with what was asked of it.
#[derive(Debug, thiserror::Error)]
pub enum LedgerFault {
    /// Another process writes it.
    #[error("another process uses it")]
    Held(Option<Box<Holder>>),
    /// There is no such file.
    #[error("there is no such file")]
    Missing,
    /// It is a folder.
    #[error("it is a folder")]
    Folder,
    /// Somebody else may have written into it.
    #[error("{}", match by_owner { true => "it belongs to another user", false => "others may write it" })]
    NotOurs {
        /// The ledger, or the folder `.grader` that it lies in.
        path: PathBuf,
        /// Whether it belongs to another user; else others may write it too.
        by_owner: bool,
    },
    /// It is a file of another kind.
    #[error("it is not a ledger")]
    NotALedger,
    /// A later version of the grader made it.
    #[error("its version is {found}, and this version of the grader reads up to {known}")]
    Newer {
        /// The version of its schema.
        found: i64,
        /// The latest version that is known here.
        known: i64,
    },
    /// What is in it is not what was written.
    #[error("it is damaged: {0}")]
    Damaged(String),
    /// It has no such run.
    #[error("it has no run {run}")]
    NoRun {
        /// The run that was asked for.
        run: u64,
        /// The last run there is; nothing where there is none.
        last: Option<u64>,
    },
    /// The run ended before it was known who is in the class.
    #[error("run {run} ended before it had any result")]
    NotStarted {
        /// The run.
        run: u64,
    },
    /// The results of the run are in a form that this version does not know.
    #[error(
        "run {run} was made by version {grader} of the grader, whose results this version cannot read: {why}"
    )]
    Foreign {
        /// The run.
        run: u64,
        /// The version that made it.
        grader: String,
        /// What was not understood.
        why: String,
    },
    /// The disk, or the user's share of it, is full.
    #[error("no space left")]
    Full,
    /// The file or its folder cannot be made, opened, read or written.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The database cannot do what it should.
    #[error("{0}")]
    Database(#[source] Source),
}

impl LedgerError {
    /// Whether the one who called the program can put it right by calling it otherwise (exit status 2); else it is a
    /// fault of the machine or of ours (exit status 3).
    pub fn is_mistake(&self) -> bool {
        match &self.why {
            LedgerFault::Held(_)
            | LedgerFault::Missing
            | LedgerFault::Folder
            | LedgerFault::NotOurs { .. }
            | LedgerFault::NotALedger
            | LedgerFault::Newer { .. }
            | LedgerFault::NoRun { .. }
            | LedgerFault::NotStarted { .. }
            | LedgerFault::Foreign { .. } => true,
            LedgerFault::Io(error) => matches!(
                error.kind(),
                io::ErrorKind::NotFound
                    | io::ErrorKind::PermissionDenied
                    | io::ErrorKind::NotADirectory
                    | io::ErrorKind::IsADirectory
                    | io::ErrorKind::ReadOnlyFilesystem
                    | io::ErrorKind::InvalidFilename
            ),
            LedgerFault::Database(error) => may_not_write(error.as_ref()),
            LedgerFault::Damaged(_) | LedgerFault::Full => false,
        }
    }

    /// The failure for people, with what to do.
    pub fn text(&self) -> Text {
        let path = escaped(self.path.as_os_str().as_encoded_bytes());
        let Text { en, zh } = self.why.text();
        Text::new(
            format!("cannot use the ledger `{path}`: {en}"),
            format!("无法使用评测账本 `{path}`：{zh}"),
        )
    }
}

impl LedgerFault {
    pub(crate) fn at(self, path: &Path) -> LedgerError {
        LedgerError {
            path: path.to_owned(),
            why: self,
        }
    }

    fn text(&self) -> Text {
        match self {
            Self::Held(holder) => held(holder.as_deref()),
            Self::Missing => Text::new(
                "there is no such file; `grader grade` makes it",
                "没有这个文件；`grader grade` 会建立它",
            ),
            Self::Folder => Text::new(
                "it is a folder; expected a file that `grader grade` made",
                "这是文件夹；应为 `grader grade` 建立的文件",
            ),
            Self::NotOurs { path, by_owner } => {
                let path = escaped(path.as_os_str().as_encoded_bytes());
                if *by_owner {
                    Text::new(
                        format!(
                            "`{path}` belongs to another user, who may have written any points into it; use another \
                             ledger (`--ledger FILE`)"
                        ),
                        format!(
                            "`{path}` 属于其他用户，其中的得分可能被改写；请另选账本（`--ledger FILE`）"
                        ),
                    )
                } else {
                    Text::new(
                        format!(
                            "others may write `{path}`, and so any points; take that from them (`chmod go-w`), or use \
                             another ledger (`--ledger FILE`)"
                        ),
                        format!(
                            "其他用户可以写入 `{path}`，得分可能被改写；请取消其写权限（`chmod go-w`），或另选账本\
                             （`--ledger FILE`）"
                        ),
                    )
                }
            }
            Self::NotALedger => Text::new(
                "it is not a ledger; nothing in it was changed. Expected a file that `grader grade` made, or a name \
                 that is not taken yet",
                "它不是评测账本；文件未被改动。应为 `grader grade` 建立的文件，或尚不存在的文件名",
            ),
            Self::Newer { found, known } => Text::new(
                format!(
                    "its version is {found}, and this version of the grader knows up to {known}; a later version of \
                     the grader made it. Use that one, or another ledger (`--ledger FILE`)"
                ),
                format!(
                    "其版本为 {found}，而本程序只支持到 {known}；它由更新版本的 grader 建立。请使用该版本，或另选账本\
                     （`--ledger FILE`）"
                ),
            ),
            Self::Damaged(what) => {
                let what = escaped(what.as_bytes());
                Text::new(
                    format!(
                        "it is damaged: {what}. Nothing in it was changed; move it away, or use another ledger \
                         (`--ledger FILE`)"
                    ),
                    format!(
                        "文件已损坏：{what}。文件未被改动；请将它移走，或另选账本（`--ledger FILE`）"
                    ),
                )
            }
            Self::NoRun { run, last } => match last {
                Some(last) => Text::new(
                    format!("it has no run {run}; the last one is {last}"),
                    format!("其中没有第 {run} 次评测；最后一次是第 {last} 次"),
                ),
                None => Text::new("it has no run yet", "其中还没有评测"),
            },
            Self::NotStarted { run } => Text::new(
                format!("run {run} ended before it had any result"),
                format!("第 {run} 次评测在产生结果之前就结束了"),
            ),
            Self::Foreign { run, grader, why } => {
                let (grader, why) = (escaped(grader.as_bytes()), escaped(why.as_bytes()));
                Text::new(
                    format!(
                        "run {run} was made by version {grader} of the grader, whose results this version cannot \
                         read: {why}"
                    ),
                    format!(
                        "第 {run} 次评测由 grader {grader} 版完成，本版本无法读取其结果：{why}"
                    ),
                )
            }
            Self::Full => Text::new(
                "no space left on the disk, or in your share of it",
                "磁盘空间不足，或已达到配额",
            ),
            Self::Io(error) => Text::plain(error.to_string()),
            Self::Database(error) => Text::plain(escaped(error.to_string().as_bytes())),
        }
    }
}

fn held(holder: Option<&Holder>) -> Text {
    let Some(holder) = holder else {
        return Text::new(
            "another process uses it, and does not say which",
            "另一个进程正在使用它，但未说明是哪一个",
        );
    };
    let Holder {
        pid, host, since, ..
    } = holder;
    let since = since.replace('T', " ").replace('Z', " UTC");
    let (host, since) = (escaped(host.as_bytes()), escaped(since.as_bytes()));
    let class = escaped(holder.class.as_bytes());
    Text::new(
        format!(
            "process {pid} on `{host}` has been using it since {since}, to grade `{class}`; wait until that has ended, \
             or use another ledger (`--ledger FILE`)"
        ),
        format!(
            "主机 `{host}` 上的进程 {pid} 自 {since} 起正在使用它评测 `{class}`；请等它结束，或另选账本\
             （`--ledger FILE`）"
        ),
    )
}

/// Whether the database says that this user may not write the file, or what must lie beside it.
pub(crate) fn may_not_write(error: &(dyn std::error::Error + Send + Sync + 'static)) -> bool {
    use rusqlite::ErrorCode;
    let error = error.downcast_ref::<rusqlite::Error>();
    matches!(
        error.and_then(rusqlite::Error::sqlite_error_code),
        Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied)
    )
}

impl From<rusqlite::Error> for LedgerFault {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode;
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => Self::NotALedger,
            Some(ErrorCode::DatabaseCorrupt) => Self::Damaged(error.to_string()),
            Some(ErrorCode::DiskFull) => Self::Full,
            _ => Self::Database(Box::new(error)),
        }
    }
}

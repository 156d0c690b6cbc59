//! Several ledgers, each with a shard of a class, as one.

use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use grader_judge::Shard;
use grader_model::{RunState, RunSummary, natural_order};
use rusqlite::{Connection, params};

use crate::error::{LedgerError, LedgerFault};
use crate::lock::Lock;
use crate::reader::{Reader, Start};
use crate::store::now;
use crate::{content, file};

/// Why ledgers cannot be merged. Nothing is written then.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// One of them cannot be read, or the new one cannot be written.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// They are not one class.
    #[error("{0}")]
    NoClass(String),
}

/// What was merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Merged {
    /// Number of shards.
    pub shards: usize,
    /// Number of students.
    pub students: usize,
    /// Number of results.
    pub results: usize,
}

/// The last run of a ledger, which is of a shard.
struct ShardRun<'a> {
    path: &'a Path,
    shard: Shard,
    run: RunSummary,
    info: String,
    start: Start,
}

/// Joins the last runs of these ledgers, each of one shard of a class, into one run of a new ledger. They must be all shards of
/// one class, finished, with one assignment and by one version of the grader; their machines may differ.
///
/// The new ledger appears whole or not at all. Merging the same ledgers again replaces it by an equal one. Later runs find the
/// results by the path of the `class`, by default that of the first shard.
///
/// # Errors
/// If the ledgers do not fit together, or one cannot be read or written; if `output` holds anything but a merged run.
pub fn merge(
    ledgers: &[PathBuf],
    output: &Path,
    class: Option<&Path>,
) -> Result<Merged, MergeError> {
    let shards = ledgers.iter().map(|path| read(path));
    let mut shards: Vec<ShardRun<'_>> = shards.collect::<Result<_, _>>()?;
    shards.sort_by_key(|it| it.shard);
    check(&shards).map_err(MergeError::NoClass)?;
    let class = class.unwrap_or(&shards[0].run.class);
    let written = write(&shards, output, class).map_err(|why| LedgerError {
        path: output.to_owned(),
        why,
    })?;
    written.ok_or_else(|| {
        let output = output.display();
        MergeError::NoClass(format!(
            "`{output}` has runs of its own, which would be lost: name a new file"
        ))
    })
}

fn read(path: &Path) -> Result<ShardRun<'_>, MergeError> {
    let refused = |why| MergeError::NoClass(format!("`{}` {why}", path.display()));
    let reader = Reader::open(path)?;
    let run = reader.history()?.pop();
    let run = run.ok_or_else(|| refused("has no run".to_owned()))?;
    let shard = run.shard.as_ref().and_then(|shard| shard.parse().ok());
    let shard: Shard =
        shard.ok_or_else(|| refused("is not of a shard: grade it with `--shard`".to_owned()))?;
    if run.state != RunState::Finished {
        return Err(refused(format!(
            "is not finished: to resume, run the command of shard {shard} again"
        )));
    }
    let (info, start) = reader.begun(run.id)?;
    Ok(ShardRun {
        path,
        shard,
        run,
        info,
        start,
    })
}

/// Checks that shards, in their order, are one class.
fn check(shards: &[ShardRun<'_>]) -> Result<(), String> {
    let Some(first) = shards.first() else {
        return Err("there is nothing to merge".to_owned());
    };
    let of = first.shard.of;
    for other in shards {
        let what = if other.shard.of != of {
            "numbers of shards"
        } else if other.run.assignment != first.run.assignment || other.info != first.info {
            "assignments, or versions of it"
        } else if other.run.grader != first.run.grader {
            "versions of the grader"
        } else {
            continue;
        };
        let (first, other) = (first.path.display(), other.path.display());
        return Err(format!("`{first}` and `{other}` have different {what}"));
    }
    let mut pairs = shards.windows(2);
    if let Some([one, other]) = pairs.find(|pair| pair[0].shard == pair[1].shard) {
        let (shard, one, other) = (one.shard, one.path.display(), other.path.display());
        return Err(format!("`{one}` and `{other}` are both shard {shard}"));
    }
    let missing = (1..=of).filter(|number| shards.iter().all(|it| it.shard.number != *number));
    let missing: Vec<String> = missing.map(|number| format!("{number}/{of}")).collect();
    if missing.is_empty() {
        Ok(())
    } else {
        Err(format!("missing shards: {}", missing.join(", ")))
    }
}

/// Writes the merged ledger into a folder beside its place, and moves it there. `None` if other runs are in its place.
fn write(
    shards: &[ShardRun<'_>],
    output: &Path,
    class: &Path,
) -> Result<Option<Merged>, LedgerFault> {
    let output = &file::real_path(output)?;
    file::prepare(output)?;
    let _lock = Lock::take(output, Path::new(""), now())?;
    if output.exists() && !is_merged(output)? {
        return Ok(None);
    }
    let mut folder = output.as_os_str().to_owned();
    folder.push(".merging");
    let folder = Path::new(&folder);
    // A merge that was killed may have left it.
    let _ = fs::remove_dir_all(folder);
    fs::create_dir(folder)?;
    let temporary = folder.join("ledger.db");
    let merged = fill(shards, &temporary, class).and_then(|merged| {
        File::open(&temporary)?.sync_all()?;
        fs::rename(&temporary, output)?;
        Ok(Some(merged))
    });
    let _ = fs::remove_dir_all(folder);
    merged
}

/// Whether a ledger has one run, and that was merged: all of it is in the ledgers of its shards.
fn is_merged(path: &Path) -> Result<bool, LedgerFault> {
    let connection = file::open_to_read(path)?;
    let sql = "SELECT count(*) = 1 AND min(shard) IS 'merged' FROM run";
    Ok(connection.query_row(sql, [], |row| row.get(0))?)
}

fn fill(shards: &[ShardRun<'_>], path: &Path, class: &Path) -> Result<Merged, LedgerFault> {
    let connection = file::open_to_write(path)?;
    connection.pragma_update(None, "journal_mode", "DELETE")?;
    // It is flushed as a whole before it gets its name.
    connection.pragma_update(None, "synchronous", "OFF")?;
    begin(&connection, shards, class)?;
    for shard in shards {
        copy(&connection, shard)?;
    }
    let mut statement = connection.prepare("SELECT id FROM student")?;
    let students = statement.query_map([], |row| row.get(0))?;
    let mut students: Vec<String> = students.collect::<Result<_, _>>()?;
    drop(statement);
    students.sort_by(|a, b| natural_order(a, b));
    let transaction = connection.unchecked_transaction()?;
    let sql = "UPDATE student SET place = ?2 WHERE run = 1 AND id = ?1";
    let mut update = transaction.prepare(sql)?;
    for (place, student) in students.iter().enumerate() {
        update.execute(params![student, place as i64])?;
    }
    drop(update);
    transaction.commit()?;
    let sql = "SELECT count(*) FROM result";
    let results: i64 = connection.query_row(sql, [], |row| row.get(0))?;
    connection.close().map_err(|(_, error)| error)?;
    Ok(Merged {
        shards: shards.len(),
        students: students.len(),
        results: results as usize,
    })
}

/// Writes the run of the whole class.
fn begin(
    connection: &Connection,
    shards: &[ShardRun<'_>],
    class: &Path,
) -> Result<(), LedgerFault> {
    let first = &shards[0];
    let hosts = shards.iter().map(|shard| shard.start.host.clone());
    let mut start = Start {
        shards: hosts.collect(),
        // Each shard knows the rest for the whole class.
        ..first.start.clone()
    };
    // The languages of all shards. If machines have different compilers, `shards` has the details.
    for host in &start.shards {
        for (language, toolchain) in &host.toolchains {
            let known = start.host.toolchains.entry(*language);
            known.or_insert_with(|| toolchain.clone());
        }
    }
    connection.execute(
        "INSERT INTO run (id, class, assignment, info, grader, fresh, began, ended, state, start, shard) \
         VALUES (1, ?1, ?2, ?3, ?4, 0, ?5, ?6, 'finished', ?7, 'merged')",
        params![
            class.as_os_str().as_bytes(),
            first.run.assignment.as_str(),
            first.info,
            first.run.grader,
            shards.iter().map(|it| &it.run.began).min(),
            shards.iter().filter_map(|it| it.run.ended.as_ref()).max(),
            content::json(&start)?,
        ],
    )?;
    Ok(())
}

/// Copies the run of a shard.
fn copy(connection: &Connection, shard: &ShardRun<'_>) -> Result<(), LedgerFault> {
    let path = shard.path.as_os_str().as_bytes();
    connection.execute("ATTACH ?1 AS part", [path])?;
    let transaction = connection.unchecked_transaction()?;
    let run = shard.run.id as i64;
    transaction.execute(
        "INSERT OR IGNORE INTO content SELECT * FROM part.content",
        [],
    )?;
    for sql in [
        "INSERT INTO student (run, id, place, about) SELECT 1, id, place, about FROM part.student WHERE run = ?1",
        "INSERT INTO result (run, student, problem, verdict, points, origin, key, content, submission, submitted) \
         SELECT 1, student, problem, verdict, points, origin, key, content, submission, submitted \
         FROM part.result WHERE run = ?1",
        "INSERT INTO source (run, student, problem, place, path, content) \
         SELECT 1, student, problem, place, path, content FROM part.source WHERE run = ?1",
    ] {
        transaction.execute(sql, [run])?;
    }
    transaction.execute(
        "INSERT INTO reference_time (run, problem, subtask, name, time, shard) \
         SELECT 1, problem, subtask, name, json_set(time, '$.shard', ?2), ?2 FROM part.reference_time WHERE run = ?1",
        params![run, shard.shard.number],
    )?;
    transaction.commit()?;
    connection.execute("DETACH part", [])?;
    Ok(())
}

//! Several ledgers, each with a share of a class, as one.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use grader_judge::Shard;
use grader_model::{Host, natural_order};
use rusqlite::{Connection, OptionalExtension as _, params};

use crate::error::{LedgerError, LedgerFault};
use crate::lock::Lock;
use crate::reader::Start;
use crate::store::now;
use crate::{content, file};

/// Why ledgers cannot be merged. Nothing is written then.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// One of them cannot be read, or the new one cannot be written.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// They do not make a class.
    #[error("{0}")]
    NoClass(String),
}

/// What was merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Merged {
    /// Number of shares.
    pub shards: usize,
    /// Number of students.
    pub students: usize,
    /// Number of results.
    pub results: usize,
}

/// The last run of a share.
struct Part {
    path: PathBuf,
    shard: Shard,
    run: i64,
    class: Vec<u8>,
    assignment: String,
    info: String,
    grader: String,
    began: String,
    ended: Option<String>,
    start: Start,
    /// Its students, by id.
    students: Vec<String>,
}

/// Joins the last runs of these ledgers, each of one share of a class, into one run of a new ledger. They must be all shares of
/// one class, finished, with one assignment and by one version of the grader; their machines may differ.
///
/// The new ledger appears whole or not at all. Merging the same ledgers again replaces it by an equal one. `class` is the
/// class for which later runs find the results; the one of the first share if it is not given.
///
/// # Errors
/// If the ledgers do not fit together, or one cannot be read or written; if `output` holds anything but a merged run.
pub fn merge(parts: &[PathBuf], output: &Path, class: Option<&Path>) -> Result<Merged, MergeError> {
    let mut read = Vec::new();
    for path in parts {
        let part = read_part(path).map_err(|why| at(path, why))?;
        read.push(part.map_err(|why| MergeError::NoClass(format!("`{}` {why}", path.display())))?);
    }
    read.sort_by_key(|part| part.shard);
    check(&read).map_err(MergeError::NoClass)?;
    let class = class.map(|class| class.as_os_str().as_bytes());
    write(&read, output, class)
        .map_err(|why| at(output, why))?
        .map_err(MergeError::NoClass)
}

fn at(path: &Path, why: LedgerFault) -> MergeError {
    MergeError::Ledger(LedgerError {
        path: path.to_owned(),
        why,
    })
}

/// The last run of a ledger, or why it is no share.
fn read_part(path: &Path) -> Result<Result<Part, String>, LedgerFault> {
    let connection = file::open_to_read(path)?;
    let sql = "SELECT id, class, assignment, info, grader, began, ended, start, state, shard \
               FROM run ORDER BY id DESC LIMIT 1";
    let found = connection.query_row(sql, [], |row| {
        let start: Option<String> = row.get(7)?;
        let (state, shard): (String, Option<String>) = (row.get(8)?, row.get(9)?);
        let part = |start, shard| -> rusqlite::Result<Part> {
            Ok(Part {
                path: path.to_owned(),
                shard,
                run: row.get(0)?,
                class: row.get(1)?,
                assignment: row.get(2)?,
                info: row.get(3)?,
                grader: row.get(4)?,
                began: row.get(5)?,
                ended: row.get(6)?,
                start,
                students: Vec::new(),
            })
        };
        let start = start.map(|start| serde_json::from_str::<Start>(&start));
        Ok(match (start, shard.and_then(|it| it.parse::<Shard>().ok())) {
            (_, None) => Ok(Err("is not of a share: grade it with `--shard`".to_owned())),
            (Some(Ok(start)), Some(shard)) if state == "finished" => Ok(Ok(part(start, shard)?)),
            (Some(Err(error)), _) => Err(LedgerFault::Format(error)),
            (_, Some(shard)) => Ok(Err(format!(
                "is not finished: run the command of share {shard} again, which goes on where it stopped"
            ))),
        })
    });
    let Some(found) = found.optional()? else {
        return Ok(Err("has no run".to_owned()));
    };
    let mut part = match found? {
        Ok(part) => part,
        Err(why) => return Ok(Err(why)),
    };
    let mut students =
        connection.prepare("SELECT id FROM student WHERE run = ?1 ORDER BY place")?;
    let students = students.query_map([part.run], |row| row.get(0))?;
    part.students = students.collect::<Result<_, _>>()?;
    Ok(Ok(part))
}

/// Checks that parts, in the order of their shares, are one class.
fn check(parts: &[Part]) -> Result<(), String> {
    let Some(first) = parts.first() else {
        return Err("there is nothing to merge".to_owned());
    };
    let shown = |part: &Part| part.path.display().to_string();
    let of = first.shard.of;
    for part in parts {
        let differs = |what| {
            Err(format!(
                "`{}` and `{}` have different {what}",
                shown(first),
                shown(part)
            ))
        };
        if part.shard.of != of {
            return differs("numbers of shares");
        } else if part.assignment != first.assignment || part.info != first.info {
            return differs("assignments, or versions of one");
        } else if part.grader != first.grader {
            return differs("versions of the grader");
        }
    }
    let mut pairs = parts.windows(2);
    if let Some([one, other]) = pairs.find(|pair| pair[0].shard == pair[1].shard) {
        let (one, other, shard) = (shown(one), shown(other), one.shard);
        return Err(format!("`{one}` and `{other}` are both share {shard}"));
    }
    let missing = (1..=of).filter(|number| parts.iter().all(|part| part.shard.number != *number));
    let missing: Vec<String> = missing.map(|number| format!("{number}/{of}")).collect();
    if !missing.is_empty() {
        let (s, are) = if missing.len() == 1 {
            ("", "is")
        } else {
            ("s", "are")
        };
        return Err(format!("share{s} {} {are} missing", missing.join(", ")));
    }
    let mut owners = BTreeMap::new();
    for part in parts {
        for student in &part.students {
            if let Some(other) = owners.insert(student, part) {
                let student = grader_model::escaped(student.as_bytes());
                return Err(format!(
                    "`{student}` is in `{}` and in `{}`",
                    shown(other),
                    shown(part)
                ));
            }
        }
    }
    Ok(())
}

/// Writes the merged ledger beside its place, and moves it there.
fn write(
    parts: &[Part],
    output: &Path,
    class: Option<&[u8]>,
) -> Result<Result<Merged, String>, LedgerFault> {
    let named = output.display();
    let output = &file::real_path(output)?;
    file::prepare(output)?;
    let _lock = Lock::take(output, Path::new(""), now())?;
    if output.exists() && !is_merged(output)? {
        return Ok(Err(format!(
            "`{named}` has other runs than a merged one: name a new file"
        )));
    }
    let temporary = beside(output, ".merging");
    let remove = || {
        for suffix in ["", "-wal", "-shm", "-journal"] {
            // What a merge that was killed has left.
            let _ = fs::remove_file(beside(&temporary, suffix));
        }
    };
    remove();
    let merged = fill(parts, &temporary, class).and_then(|merged| {
        File::open(&temporary)?.sync_all()?;
        fs::rename(&temporary, output)?;
        Ok(merged)
    });
    remove();
    merged.map(Ok)
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Whether a ledger has nothing but one run that was merged, which is in its parts.
fn is_merged(path: &Path) -> Result<bool, LedgerFault> {
    let connection = file::open_to_read(path)?;
    let sql = "SELECT count(*) = 1 AND min(shard) = 'merged' FROM run";
    Ok(connection
        .query_row(sql, [], |row| row.get::<_, Option<bool>>(0))?
        .unwrap_or(false))
}

fn fill(parts: &[Part], path: &Path, class: Option<&[u8]>) -> Result<Merged, LedgerFault> {
    let connection = file::open_to_write(path)?;
    connection.pragma_update(None, "journal_mode", "DELETE")?;
    // It is flushed as a whole before it gets its name.
    connection.pragma_update(None, "synchronous", "OFF")?;
    begin(&connection, parts, class)?;
    for part in parts {
        copy(&connection, part)?;
    }
    let mut students: Vec<&String> = parts.iter().flat_map(|part| &part.students).collect();
    students.sort_by(|a, b| natural_order(a, b));
    let mut place =
        connection.prepare("UPDATE student SET place = ?2 WHERE run = 1 AND id = ?1")?;
    connection.execute_batch("BEGIN")?;
    for (at, student) in students.iter().enumerate() {
        place.execute(params![student, at as i64])?;
    }
    connection.execute_batch("COMMIT")?;
    drop(place);
    let results = connection.query_row("SELECT count(*) FROM result", [], |row| {
        row.get::<_, i64>(0)
    })?;
    connection.close().map_err(|(_, error)| error)?;
    Ok(Merged {
        shards: parts.len(),
        students: students.len(),
        results: results as usize,
    })
}

/// Writes the run of the whole class.
fn begin(connection: &Connection, parts: &[Part], class: Option<&[u8]>) -> Result<(), LedgerFault> {
    let first = &parts[0];
    let shards: Vec<Host> = parts.iter().map(|part| part.start.host.clone()).collect();
    // The languages of all shares; where machines have different compilers, `shards` says so.
    let mut host = first.start.host.clone();
    for shard in &shards {
        for (language, toolchain) in &shard.toolchains {
            let known = host.toolchains.entry(*language);
            known.or_insert_with(|| toolchain.clone());
        }
    }
    let start = Start {
        host,
        isolation: first.start.isolation.clone(),
        // Each share lists what lies beside the students.
        unused: first.start.unused.clone(),
        // Each share knows them of the whole class.
        similar: first.start.similar.clone(),
        included: first.start.included.clone(),
        shards,
    };
    connection.execute(
        "INSERT INTO run (id, class, assignment, info, grader, fresh, began, ended, state, start, shard) \
         VALUES (1, ?1, ?2, ?3, ?4, 0, ?5, ?6, 'finished', ?7, 'merged')",
        params![
            class.unwrap_or(&first.class),
            first.assignment,
            first.info,
            first.grader,
            parts.iter().map(|part| &part.began).min(),
            parts.iter().filter_map(|part| part.ended.as_ref()).max(),
            content::json(&start)?,
        ],
    )?;
    Ok(())
}

/// Copies everything of the run of a part.
fn copy(connection: &Connection, part: &Part) -> Result<(), LedgerFault> {
    let path = part.path.to_str().ok_or_else(|| {
        let reason = "its path is not UTF-8";
        LedgerFault::from(io::Error::other(reason))
    })?;
    connection.execute("ATTACH ?1 AS part", [path])?;
    let copied = || -> Result<(), LedgerFault> {
        let transaction = connection.unchecked_transaction()?;
        for sql in [
            "INSERT OR IGNORE INTO content SELECT * FROM part.content WHERE hash IN ( \
               SELECT about FROM part.student WHERE run = ?1 \
               UNION SELECT key FROM part.result WHERE run = ?1 \
               UNION SELECT content FROM part.result WHERE run = ?1 \
               UNION SELECT content FROM part.source WHERE run = ?1)",
            "INSERT INTO student (run, id, place, about) SELECT 1, id, place, about FROM part.student WHERE run = ?1",
            "INSERT INTO result (run, student, problem, verdict, points, origin, key, content, submission, submitted) \
             SELECT 1, student, problem, verdict, points, origin, key, content, submission, submitted \
             FROM part.result WHERE run = ?1",
            "INSERT INTO source (run, student, problem, place, path, content) \
             SELECT 1, student, problem, place, path, content FROM part.source WHERE run = ?1",
        ] {
            transaction.execute(sql, [part.run])?;
        }
        for (_, hash) in part.start.included.values().flatten() {
            let sql = "INSERT OR IGNORE INTO content SELECT * FROM part.content WHERE hash = ?1";
            transaction.execute(sql, [hash])?;
        }
        transaction.execute(
            "INSERT INTO reference_time (run, problem, subtask, name, time, shard) \
             SELECT 1, problem, subtask, name, json_set(time, '$.shard', ?2), ?2 FROM part.reference_time WHERE run = ?1",
            params![part.run, part.shard.number],
        )?;
        transaction.commit()?;
        Ok(())
    };
    let copied = copied();
    connection.execute("DETACH part", [])?;
    copied
}

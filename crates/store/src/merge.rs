//! Several ledgers, each with a shard of a class, as one.

use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use grader_judge::Shard;
use grader_model::{
    ProblemResult, RunState, RunSummary, Standing, WhyOpen, counted, natural_order,
};
use rusqlite::types::Value;
use rusqlite::{Connection, ErrorCode, params, params_from_iter};

use crate::content::Hash;
use crate::database::{self, now};
use crate::error::{LedgerError, LedgerFault};
use crate::file::{self, Opened};
use crate::lock::Lock;
use crate::reader::{Reader, Start};
use crate::{content, row_hash};

/// Missing shards that a message names.
const MAX_NAMED_SHARDS: usize = 16;

/// Why ledgers cannot be merged. Nothing is written then.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// The new one cannot be written.
    #[error(transparent)]
    Output(#[from] LedgerError),
    /// One of them cannot be used, or they are not one class: a sentence that names it.
    #[error("{0}")]
    Parts(String),
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

/// Joins the last runs of these ledgers, each of one shard of a class, into one run of a new ledger. They must be the finished runs
/// of all shards of one class, with the same assignment and the same version of the grader; their machines may differ.
///
/// The new ledger appears whole or not at all. Merging the same ledgers again replaces it with an equal one. Later runs find the
/// results by the path of the `class`, by default that of the first shard.
///
/// # Errors
/// If the ledgers do not fit together, or one is damaged, lacks submissions, or cannot be read or written; if `output` holds
/// anything but a merged run.
pub fn merge(
    ledgers: &[PathBuf],
    output: &Path,
    class: Option<&Path>,
) -> Result<Merged, MergeError> {
    let shards = ledgers.iter().map(|path| read(path));
    let mut shards: Vec<ShardRun<'_>> = shards.collect::<Result<_, _>>()?;
    shards.sort_by_key(|it| it.shard);
    check(&shards).map_err(MergeError::Parts)?;
    check_class(&shards).map_err(MergeError::Parts)?;
    let class = class.unwrap_or(&shards[0].run.class);
    write(&shards, output, class)
}

/// The message about a ledger that cannot be merged.
fn unusable(path: &Path, why: LedgerFault) -> MergeError {
    let path = path.to_owned();
    MergeError::Parts(match why {
        LedgerFault::Damaged(reason) => format!(
            "`{}` is damaged ({reason}): copy it again, or grade its shard again",
            path.display()
        ),
        LedgerFault::Database(reason) => format!(
            "cannot read `{}` ({reason}): if nothing is writing it, copy it again, or grade its shard again",
            path.display()
        ),
        why => LedgerError { path, why }.to_string(),
    })
}

fn read(path: &Path) -> Result<ShardRun<'_>, MergeError> {
    let refused = |why| MergeError::Parts(format!("`{}` {why}", path.display()));
    let of_part = |error: LedgerError| unusable(path, error.why);
    let reader = Reader::open(path).map_err(of_part)?;
    check_file(&reader.connection).map_err(|why| unusable(path, why))?;
    let run = reader.history().map_err(of_part)?.pop();
    let run = run.ok_or_else(|| refused("has no run".to_owned()))?;
    let shard = run.shard.as_ref().and_then(|shard| shard.parse().ok());
    let shard: Shard =
        shard.ok_or_else(|| refused("is not of a shard: grade it with `--shard`".to_owned()))?;
    if run.state != RunState::Finished {
        return Err(refused(format!(
            "is not finished: to resume, run the command of shard {shard} again"
        )));
    }
    let (info, start) = reader.begun(run.id).map_err(of_part)?;
    check_contents(&reader.connection, run.id, &start).map_err(|why| unusable(path, why))?;
    if reader.outdated(run.id).map_err(of_part)? > 0 {
        return Err(refused(format!(
            "has results from an earlier version of a problem: run the command of shard {shard} again, without `--student` and `--problem`"
        )));
    }
    let results = reader.results(run.id).map_err(of_part)?;
    let problems = results.students.iter().flat_map(|it| &it.problems);
    let is_not_judged = |it: &&ProblemResult| it.standing() == Standing::Open(WhyOpen::NotJudged);
    let open = problems.filter(is_not_judged).count();
    if open > 0 {
        let open = counted(open, "submission", "submissions");
        return Err(refused(format!(
            "has no result for {open}: run the command of shard {shard} again, without `--student` and `--problem`"
        )));
    }
    Ok(ShardRun {
        path,
        shard,
        run,
        info,
        start,
    })
}

/// Checks that a file is what the database wrote. It has no checksums, but most damage breaks an index or a reference.
fn check_file(connection: &Connection) -> Result<(), LedgerFault> {
    let report: String = connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    if report != "ok" {
        return Err(LedgerFault::Damaged(report));
    }
    if connection.prepare("PRAGMA foreign_key_check")?.exists([])? {
        let reason = "a row refers to one that is missing";
        return Err(LedgerFault::Damaged(reason.to_owned()));
    }
    Ok(())
}

/// The contents of run `?1`, except the files that are built with every submission.
const CONTENTS: &str = "SELECT hash, zlib FROM content WHERE hash IN ( \
     SELECT about FROM student WHERE run = ?1 UNION SELECT key FROM result WHERE run = ?1 UNION \
     SELECT content FROM result WHERE run = ?1 UNION SELECT content FROM source WHERE run = ?1)";

/// Checks the contents of a run against their hashes.
fn check_contents(connection: &Connection, run: u64, start: &Start) -> Result<(), LedgerFault> {
    let mut statement = connection.prepare(CONTENTS)?;
    let hashes = statement.query_map([run as i64], |row| row.get("hash"))?;
    let mut hashes: Vec<Hash> = hashes.collect::<Result<_, _>>()?;
    hashes.extend(start.contents());
    for hash in hashes {
        content::get(connection, &hash)?;
    }
    Ok(())
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
            "assignments, or versions of the assignment"
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
    // They are different ones of `of`.
    let count = (of as usize).saturating_sub(shards.len());
    if count == 0 {
        return Ok(());
    }
    let missing = (1..=of).filter(|number| shards.iter().all(|it| it.shard.number != *number));
    let named: Vec<String> = missing
        .take(MAX_NAMED_SHARDS)
        .map(|number| format!("{number}/{of}"))
        .collect();
    let more = match count.saturating_sub(named.len()) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Err(format!("missing shards: {}{more}", named.join(", ")))
}

/// Checks that nobody came or went between the shards: the last one that was graded knows the class.
fn check_class(shards: &[ShardRun<'_>]) -> Result<(), String> {
    let known = shards.iter().filter(|it| it.start.whole.is_some());
    let Some(last) = known.max_by(|a, b| a.run.ended.cmp(&b.run.ended)) else {
        return Ok(());
    };
    let count = |it: &ShardRun<'_>| {
        let students = it.start.whole.as_ref().map_or(0, |it| it.students);
        counted(students, "student", "students")
    };
    let is_other = |it: &&ShardRun<'_>| it.start.whole != last.start.whole;
    let others = shards.iter().filter(is_other);
    let others = others.map(|it| format!("{} (`{}`, {})", it.shard, it.path.display(), count(it)));
    let others: Vec<String> = others.collect();
    if others.is_empty() {
        return Ok(());
    }
    Err(format!(
        "the class has changed between the shards: {} (`{}`), which was graded last, is of {}; grade the others again: {}",
        last.shard,
        last.path.display(),
        count(last),
        others.join(", ")
    ))
}

/// Writes the merged ledger.
fn write(shards: &[ShardRun<'_>], output: &Path, class: &Path) -> Result<Merged, MergeError> {
    let failed = |why| LedgerError {
        path: output.to_owned(),
        why,
    };
    let (place, _lock) = prepare(output).map_err(failed)?;
    if place.exists() && !is_merged(&place).map_err(failed)? {
        let output = output.display();
        return Err(MergeError::Parts(format!(
            "`{output}` has runs of its own, which would be lost: name a new file"
        )));
    }
    let merge = |temporary: &Path| fill(shards, temporary, class, &failed);
    database::make_whole(&place, merge, failed)
}

/// Where the new ledger will be, locked.
fn prepare(output: &Path) -> Result<(PathBuf, Lock), LedgerFault> {
    let place = file::real_path(output)?;
    file::prepare(&place)?;
    let lock = Lock::take(&place, Path::new(""), now())?;
    Ok((place, lock))
}

/// Whether a ledger has one run, and that was merged: all of it is in the ledgers of its shards.
fn is_merged(path: &Path) -> Result<bool, LedgerFault> {
    let connection = file::open_to_read(path)?;
    let sql = "SELECT count(*) = 1 AND min(shard) IS 'merged' FROM run";
    Ok(connection.query_row(sql, [], |row| row.get(0))?)
}

/// Writes the merged ledger. `failed` makes the error of the new ledger.
fn fill(
    shards: &[ShardRun<'_>],
    path: &Path,
    class: &Path,
    failed: &dyn Fn(LedgerFault) -> LedgerError,
) -> Result<Merged, MergeError> {
    let output = create(shards, path, class).map_err(failed)?;
    for shard in shards {
        copy(&output, shard, failed)?;
    }
    Ok(finish(output, shards.len()).map_err(failed)?)
}

/// Creates the merged ledger with its run.
fn create(shards: &[ShardRun<'_>], path: &Path, class: &Path) -> Result<Connection, LedgerFault> {
    let Opened { connection, .. } = file::open_to_write(path)?;
    connection.pragma_update(None, "journal_mode", "DELETE")?;
    // It is flushed as a whole before it gets its name.
    connection.pragma_update(None, "synchronous", "OFF")?;
    begin(&connection, shards, class)?;
    Ok(connection)
}

/// Puts the students into order, and closes the ledger.
fn finish(connection: Connection, shards: usize) -> Result<Merged, LedgerFault> {
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
        shards,
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
    row_hash::set_of_run(connection, 1)
}

/// Copies the run of a shard.
fn copy(
    output: &Connection,
    shard: &ShardRun<'_>,
    failed: &dyn Fn(LedgerFault) -> LedgerError,
) -> Result<(), MergeError> {
    let of_part = |why: LedgerFault| unusable(shard.path, why);
    let of_output = |error: rusqlite::Error| match error.sqlite_error_code() {
        // A row that does not fit, such as that of a student whom another shard has too.
        Some(ErrorCode::ConstraintViolation) => of_part(error.into()),
        _ => MergeError::Output(failed(error.into())),
    };
    let open = || file::open_to_read(&file::real_path(shard.path)?);
    let part = open().map_err(of_part)?;
    let transaction = output.unchecked_transaction().map_err(of_output)?;
    for hash in shard.start.contents() {
        let bytes = content::get(&part, hash).map_err(of_part)?;
        content::put(output, &bytes).map_err(failed)?;
    }
    let number = shard.shard.number;
    let times = format!(
        "SELECT 1, problem, subtask, name, json_set(time, '$.shard', {number}), {number} FROM reference_time WHERE run = ?1"
    );
    let copied = [
        (
            CONTENTS,
            "INSERT OR IGNORE INTO content (hash, zlib) VALUES (?1, ?2)",
        ),
        (
            "SELECT 1, id, place, about FROM student WHERE run = ?1",
            "INSERT INTO student (run, id, place, about) VALUES (?1, ?2, ?3, ?4)",
        ),
        (
            // What a shard reused, a run of that shard judged.
            "SELECT 1, student, problem, verdict, points, \
             iif(origin ->> 'kind' = 'reused', '{\"kind\":\"ran\",\"because\":[]}', origin), \
             key, content, submission, submitted, hash FROM result WHERE run = ?1",
            "INSERT INTO result (run, student, problem, verdict, points, origin, key, content, submission, submitted, hash) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        ),
        (
            "SELECT 1, student, problem, place, path, content FROM source WHERE run = ?1",
            "INSERT INTO source (run, student, problem, place, path, content) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        ),
        (
            &times,
            "INSERT INTO reference_time (run, problem, subtask, name, time, shard) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        ),
        (
            "SELECT problem, version, submission, result FROM counterexample \
             WHERE submission IN (SELECT submission FROM result WHERE run = ?1)",
            // Students of several shards may have the same program.
            "INSERT OR IGNORE INTO counterexample VALUES (?1, ?2, ?3, ?4)",
        ),
    ];
    for (select, insert) in copied {
        let of_part = |error: rusqlite::Error| of_part(error.into());
        let mut select = part.prepare(select).map_err(of_part)?;
        let columns = select.column_count();
        let mut rows = select.query([shard.run.id as i64]).map_err(of_part)?;
        let mut insert = output.prepare(insert).map_err(of_output)?;
        while let Some(row) = rows.next().map_err(of_part)? {
            let values = (0..columns).map(|column| row.get(column));
            let values: Vec<Value> = values.collect::<Result<_, _>>().map_err(of_part)?;
            insert
                .execute(params_from_iter(values))
                .map_err(of_output)?;
        }
    }
    transaction.commit().map_err(of_output)
}

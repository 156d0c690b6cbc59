//! Reading a ledger: its runs, their results, the sources that were judged.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use grader_judge::{JobKey, WholeClass};
use grader_model::{
    AllAttempts, AssignmentId, AssignmentInfo, Attempt, Host, Isolation, LedgerUpgrade, ProblemId,
    ProblemInfo, ProblemResult, ReferenceTime, Results, ResultsFormat, RunInfo, RunState,
    RunSummary, SimilarGroup, SourceFile, Status, StudentId, StudentResult, UnusedFile, Verdict,
    not_judged,
};
use jiff::Timestamp;
use rusqlite::{Connection, Row, params};
use serde::{Deserialize, Serialize};

use crate::error::{LedgerError, LedgerFault};
use crate::{content, counterexamples, file, lock, row_hash};

/// What is known of a run when it starts, beside the assignment and the students.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Start {
    pub(crate) host: Host,
    pub(crate) isolation: Isolation,
    pub(crate) unused: Vec<UnusedFile>,
    /// The machine of each shard, if the run was merged.
    pub(crate) shards: Vec<Host>,
    /// As in [`crate::BeginRun`].
    pub(crate) one_student: bool,
    pub(crate) similar: Vec<SimilarGroup>,
    /// Files that are built with every submission for a problem.
    pub(crate) included: Files,
    /// As in [`crate::BeginRun`].
    #[serde(default)]
    pub(crate) statements: Files,
    /// As in [`crate::BeginRun`].
    #[serde(default)]
    pub(crate) whole: Option<WholeClass>,
}

/// Files of problems: path and content.
pub(crate) type Files = BTreeMap<ProblemId, Vec<(String, content::Hash)>>;

impl Start {
    /// The contents of all files of problems.
    pub(crate) fn contents(&self) -> impl Iterator<Item = &content::Hash> {
        let files = self.included.values().chain(self.statements.values());
        files.flatten().map(|(_, hash)| hash)
    }
}

/// What a run knew of its students, beside their results.
#[derive(Debug, Default)]
pub struct KnownStudents {
    /// Without problems.
    pub students: Vec<StudentResult>,
    /// The work that has a time of submission.
    pub timed: BTreeSet<(StudentId, ProblemId)>,
}

/// A ledger that is open for reading. Another process may write it meanwhile.
pub struct Reader {
    path: PathBuf,
    pub(crate) connection: Connection,
}

impl Reader {
    /// Opens a ledger for reading. It takes no lock.
    ///
    /// # Errors
    /// If there is no ledger, or it is of another version, damaged or not readable, or if somebody else may have written it.
    pub fn open(path: &Path) -> Result<Self, LedgerError> {
        let open = || -> Result<Self, LedgerFault> {
            let path = file::real_path(path)?;
            let connection = file::open_to_read(&path)?;
            Ok(Self { path, connection })
        };
        open().map_err(|why| LedgerError {
            path: path.to_owned(),
            why,
        })
    }

    /// The file of the ledger.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The upgrades of the ledger, the earliest first.
    ///
    /// # Errors
    /// If the ledger cannot be read.
    pub fn upgrades(&self) -> Result<Vec<LedgerUpgrade>, LedgerError> {
        let read = || {
            let mut statement = self.connection.prepare(
                "SELECT earlier, number, since, grader, copy FROM format \
                 WHERE earlier IS NOT NULL ORDER BY number",
            )?;
            let upgrades = statement.query_map([], |row| {
                Ok(LedgerUpgrade {
                    from: row.get(0)?,
                    to: row.get(1)?,
                    at: row.get(2)?,
                    grader: row.get(3)?,
                    copy: row.get(4)?,
                })
            })?;
            Ok(upgrades.collect::<Result<_, _>>()?)
        };
        self.read(read())
    }

    /// All runs, the earliest first.
    ///
    /// # Errors
    /// If the ledger cannot be read.
    pub fn history(&self) -> Result<Vec<RunSummary>, LedgerError> {
        let running = lock::holder(&self.path).and_then(|holder| holder.run);
        self.read(history(&self.connection, running))
    }

    /// The results of a run, as its events fold to them.
    ///
    /// If the run is not finished, they are what is known: jobs that were judged have their results, the others are
    /// not judged and have no points.
    ///
    /// # Errors
    /// If there is no such run, it ended before its students were known, another version of the grader wrote its
    /// results, or the ledger cannot be read.
    pub fn results(&self, run: u64) -> Result<Results, LedgerError> {
        self.read(results(&self.connection, run))
    }

    /// The students of a run, without their results: those of a large class take much memory.
    ///
    /// # Errors
    /// If the ledger cannot be read.
    pub fn known_students(&self, run: u64) -> Result<KnownStudents, LedgerError> {
        self.read(known_students(&self.connection, run))
    }

    /// The files that were judged for a problem of a student in a run; empty if there are none.
    ///
    /// # Errors
    /// If the ledger cannot be read.
    pub fn sources(
        &self,
        run: u64,
        student: &StudentId,
        problem: &ProblemId,
    ) -> Result<Vec<SourceFile>, LedgerError> {
        self.read(sources(&self.connection, run, student, problem))
    }

    /// What the results of a run depend on, as far as that is known.
    ///
    /// # Errors
    /// If the ledger cannot be read.
    pub fn keys(&self, run: u64) -> Result<BTreeMap<(StudentId, ProblemId), JobKey>, LedgerError> {
        self.read(keys(&self.connection, run))
    }

    /// Every submission that was judged in this run or an earlier one of its class, each with its latest result and the time
    /// at which it was first submitted.
    ///
    /// # Errors
    /// If the ledger cannot be read.
    pub fn attempts(&self, run: u64) -> Result<AllAttempts, LedgerError> {
        self.read(attempts(&self.connection, run))
    }

    /// How many results of a run were judged with another version of their problem: those that were carried over from
    /// earlier runs, because this run covered only a part of the class.
    ///
    /// # Errors
    /// If the ledger cannot be read.
    pub fn outdated(&self, run: u64) -> Result<usize, LedgerError> {
        self.read(outdated(&self.connection, run))
    }

    /// Whether a run graded the work of one student, as [`crate::BeginRun`] said.
    ///
    /// # Errors
    /// If there is no such run, it ended before its students were known, or the ledger cannot be read.
    pub fn is_of_one_student(&self, run: u64) -> Result<bool, LedgerError> {
        Ok(self.begun(run)?.1.one_student)
    }

    /// The files that were built with every submission for a problem in a run; empty if there are none.
    ///
    /// # Errors
    /// If there is no such run, or the ledger cannot be read.
    pub fn included(&self, run: u64, problem: &ProblemId) -> Result<Vec<SourceFile>, LedgerError> {
        let start = self.begun(run)?.1;
        self.read(files(&self.connection, &start.included, problem))
    }

    /// The statements of a problem as HTML in a run, by their names; empty if there are none.
    ///
    /// # Errors
    /// If there is no such run, or the ledger cannot be read.
    pub fn statements(
        &self,
        run: u64,
        problem: &ProblemId,
    ) -> Result<Vec<SourceFile>, LedgerError> {
        let start = self.begun(run)?.1;
        self.read(files(&self.connection, &start.statements, problem))
    }

    /// The assignment of a run as JSON, and what is known since it started.
    pub(crate) fn begun(&self, run: u64) -> Result<(String, Start), LedgerError> {
        self.read(begun(&self.connection, run))
    }

    pub(crate) fn read<T>(&self, result: Result<T, LedgerFault>) -> Result<T, LedgerError> {
        result.map_err(|why| LedgerError {
            path: self.path.clone(),
            why,
        })
    }
}

/// All runs; `running` is the one that a process is making now.
fn history(connection: &Connection, running: Option<u64>) -> Result<Vec<RunSummary>, LedgerFault> {
    // The join leaves out students who were gone when the run was resumed.
    let mut statement = connection.prepare(
        "SELECT run.id, began, ended, state, class, assignment, grader, count(DISTINCT student.id), \
         count(*) FILTER (WHERE origin ->> 'kind' = 'ran'), \
         count(*) FILTER (WHERE origin ->> 'kind' = 'reused'), count(*) FILTER (WHERE verdict = ?1), shard \
         FROM run LEFT JOIN student ON student.run = run.id \
         LEFT JOIN result ON result.run = student.run AND result.student = student.id \
         GROUP BY run.id ORDER BY run.id",
    )?;
    let code = Verdict::JudgeError.code();
    let runs = statement.query_map([code], |row| summary(row, running))?;
    Ok(runs.collect::<Result<_, _>>()?)
}

fn summary(row: &Row<'_>, running: Option<u64>) -> rusqlite::Result<RunSummary> {
    let id = row.get::<_, i64>(0)? as u64;
    let state: String = row.get(3)?;
    let class: Vec<u8> = row.get(4)?;
    let count = |column| -> rusqlite::Result<usize> { Ok(row.get::<_, i64>(column)? as usize) };
    Ok(RunSummary {
        id,
        began: row.get(1)?,
        ended: row.get(2)?,
        state: match state.as_str() {
            "finished" => RunState::Finished,
            "interrupted" => RunState::Interrupted,
            _ if running == Some(id) => RunState::Running,
            _ => RunState::Killed,
        },
        class: PathBuf::from(OsStr::from_bytes(&class)),
        assignment: AssignmentId::new(row.get::<_, String>(5)?),
        grader: row.get(6)?,
        students: count(7)?,
        judged: count(8)?,
        reused: count(9)?,
        faults: count(10)?,
        shard: row.get(11)?,
    })
}

/// The results of a run.
pub(crate) fn results(connection: &Connection, run: u64) -> Result<Results, LedgerFault> {
    // All of it as it is at one moment.
    let transaction = connection.unchecked_transaction()?;
    let connection = &*transaction;
    let (info, start) = begun(connection, run)?;
    let sql = "SELECT began, state <> 'finished' FROM run WHERE id = ?1";
    let (began, interrupted) =
        connection.query_row(sql, [run as i64], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let assignment: AssignmentInfo = serde_json::from_str(&info)?;
    let mut results = Results {
        format: ResultsFormat::V3,
        run: Some(RunInfo { id: run, began }),
        class: None,
        students: graded_students(connection, run, &assignment)?,
        assignment,
        host: start.host,
        shards: start.shards,
        isolation: start.isolation,
        unused: start.unused,
        similar: start.similar,
        reference_times: reference_times(connection, run)?,
        interrupted,
    };
    counterexamples::fill(connection, &results.assignment, &mut results.students)?;
    results.order_reference_times();
    Ok(results)
}

/// Checks that [`results`] can read a run, with one result in memory at a time.
pub(crate) fn check_results(connection: &Connection, run: u64) -> Result<(), LedgerFault> {
    let assignment: AssignmentInfo = serde_json::from_str(&begun(connection, run)?.0)?;
    reference_times(connection, run)?;
    counterexamples::fill(connection, &assignment, &mut [])?;
    let mut statement = connection.prepare("SELECT * FROM result WHERE run = ?1")?;
    let mut rows = statement.query([run as i64])?;
    while let Some(row) = rows.next()? {
        problem_result(connection, row)?;
    }
    let sql = "SELECT about FROM student WHERE run = ?1 AND about IS NOT NULL";
    let mut statement = connection.prepare(sql)?;
    let mut rows = statement.query([run as i64])?;
    while let Some(row) = rows.next()? {
        content::get_json::<StudentResult>(connection, &row.get(0)?)?;
    }
    Ok(())
}

/// The assignment of a run as JSON, and what is known since it started.
fn begun(connection: &Connection, run: u64) -> Result<(String, Start), LedgerFault> {
    let mut statement = connection.prepare("SELECT * FROM run WHERE id = ?1")?;
    let mut rows = statement.query([run as i64])?;
    let row = rows.next()?.ok_or(LedgerFault::NoRun(run))?;
    row_hash::check_run(row)?;
    let start: Option<String> = row.get("start")?;
    let start = start.ok_or(LedgerFault::NotStarted(run))?;
    Ok((row.get("info")?, serde_json::from_str(&start)?))
}

fn files(
    connection: &Connection,
    files: &Files,
    problem: &ProblemId,
) -> Result<Vec<SourceFile>, LedgerFault> {
    let files = files.get(problem).into_iter().flatten();
    let files = files.map(|(path, hash)| {
        let bytes = content::get(connection, hash)?;
        Ok(SourceFile::new(path.as_str(), bytes))
    });
    files.collect()
}

fn graded_students(
    connection: &Connection,
    run: u64,
    assignment: &AssignmentInfo,
) -> Result<Vec<StudentResult>, LedgerFault> {
    let mut known = problem_results(connection, run)?;
    students(connection, run, |id| {
        let problems = assignment.problems.iter().map(|info| {
            let result = known.get_mut(info.id.as_str());
            let result = result.and_then(|it| it.remove(id));
            result.unwrap_or_else(|| not_judged_yet(info))
        });
        problems.collect()
    })
}

/// The students of a run with these results.
fn students(
    connection: &Connection,
    run: u64,
    mut problems: impl FnMut(&str) -> Vec<ProblemResult>,
) -> Result<Vec<StudentResult>, LedgerFault> {
    let mut statement =
        connection.prepare("SELECT id, about FROM student WHERE run = ?1 ORDER BY place")?;
    let students = statement.query_and_then([run as i64], |row| {
        let id: String = row.get(0)?;
        let about: Option<content::Hash> = row.get(1)?;
        let mut student = match about {
            Some(about) => content::get_json(connection, &about)?,
            None => unfinished(StudentId::new(&id)),
        };
        if student.id.as_str() != id {
            let reason = "a student has the content of another";
            return Err(LedgerFault::Damaged(reason.to_owned()));
        }
        student.problems = problems(&id);
        Ok(student)
    })?;
    students.collect()
}

fn known_students(connection: &Connection, run: u64) -> Result<KnownStudents, LedgerFault> {
    let transaction = connection.unchecked_transaction()?;
    let mut statement = transaction
        .prepare("SELECT student, problem FROM result WHERE run = ?1 AND submitted IS NOT NULL")?;
    let timed = statement.query_map([run as i64], |row| {
        let (student, problem): (String, String) = (row.get(0)?, row.get(1)?);
        Ok((StudentId::new(student), ProblemId::new(problem)))
    })?;
    Ok(KnownStudents {
        timed: timed.collect::<Result<_, _>>()?,
        students: students(&transaction, run, |_| Vec::new())?,
    })
}

/// All results of a run, by problem and student.
fn problem_results(
    connection: &Connection,
    run: u64,
) -> Result<BTreeMap<String, BTreeMap<String, ProblemResult>>, LedgerFault> {
    let mut statement =
        connection.prepare("SELECT * FROM result WHERE run = ?1 ORDER BY student")?;
    let mut results: BTreeMap<String, BTreeMap<String, ProblemResult>> = BTreeMap::new();
    let mut rows = statement.query([run as i64])?;
    while let Some(row) = rows.next()? {
        let known = results.entry(row.get("problem")?).or_default();
        let mut result = problem_result(connection, row)?;
        if let Some(other) = known.values().next_back() {
            result.share_with(other);
        }
        // A copy takes half the memory: vectors that were read have spare capacity.
        known.insert(row.get("student")?, result.clone());
    }
    Ok(results)
}

/// The result in a row with all columns of `result`.
pub(crate) fn problem_result(
    connection: &Connection,
    row: &Row<'_>,
) -> Result<ProblemResult, LedgerFault> {
    row_hash::check_result(row)?;
    let origin: Option<String> = row.get("origin")?;
    Ok(ProblemResult {
        origin: origin.map(|it| serde_json::from_str(&it)).transpose()?,
        submitted: submission_time(row)?,
        ..content::get_json(connection, &row.get("content")?)?
    })
}

/// When something was submitted. A time that cannot be read is damage: without it, late work would count as on time.
fn submission_time(row: &Row<'_>) -> Result<Option<Timestamp>, LedgerFault> {
    let submitted: Option<String> = row.get("submitted")?;
    let time = submitted.map(|text| text.parse::<Timestamp>());
    time.transpose()
        .map_err(|error| LedgerFault::Damaged(format!("a time of submission: {error}")))
}

fn attempts(connection: &Connection, run: u64) -> Result<AllAttempts, LedgerFault> {
    let versions = versions(connection)?;
    let mut statement = connection.prepare(
        "SELECT result.*, origin ->> 'run' AS judged_in FROM result JOIN run ON run.id = result.run \
         JOIN run this ON this.id = ?1 \
         WHERE run.class = this.class AND run.assignment = this.assignment AND run.id <= this.id \
         AND result.submission IS NOT NULL ORDER BY result.run",
    )?;
    // The names of the submissions, beside their attempts.
    let mut attempts: BTreeMap<_, Vec<(String, Attempt)>> = BTreeMap::new();
    let mut rows = statement.query([run as i64])?;
    while let Some(row) = rows.next()? {
        row_hash::check_result(row)?;
        let student = StudentId::new(row.get::<_, String>("student")?);
        let problem = ProblemId::new(row.get::<_, String>("problem")?);
        let submission: String = row.get("submission")?;
        let stored_in = row.get::<_, i64>("run")? as u64;
        let judged_in: Option<i64> = row.get("judged_in")?;
        let judged_in = judged_in.map(|run| run as u64);
        let judged_in = judged_in.filter(|run| versions.contains_key(run));
        let version = |run| versions.get(&run).and_then(|it| it.get(problem.as_str()));
        let latest = Attempt {
            run: stored_in,
            submitted: submission_time(row)?,
            is_outdated: version(judged_in.unwrap_or(stored_in)) != version(run),
            result: (stored_in != run)
                .then(|| problem_result(connection, row))
                .transpose()?,
        };
        let known = attempts.entry((student, problem)).or_default();
        if let Some((_, earlier)) = known.iter_mut().find(|(name, _)| *name == submission) {
            let first = earlier.submitted.into_iter().chain(latest.submitted).min();
            *earlier = Attempt {
                submitted: first,
                ..latest
            };
        } else {
            known.push((submission, latest));
        }
    }
    let attempts = attempts.into_iter().map(|(whose, known)| {
        let known = known.into_iter().map(|(_, attempt)| attempt);
        (whose, known.collect())
    });
    Ok(attempts.collect())
}

fn outdated(connection: &Connection, run: u64) -> Result<usize, LedgerFault> {
    let versions = versions(connection)?;
    let mut statement = connection.prepare(
        "SELECT problem, origin ->> 'run' FROM result \
         JOIN student ON student.run = result.run AND student.id = result.student \
         WHERE result.run = ?1 AND origin ->> 'run' IS NOT NULL",
    )?;
    let mut count = 0;
    let mut rows = statement.query([run as i64])?;
    while let Some(row) = rows.next()? {
        let (problem, judged_in): (String, i64) = (row.get(0)?, row.get(1)?);
        let version = |run| versions.get(&run).and_then(|it| it.get(problem.as_str()));
        let (then, now) = (version(judged_in as u64), version(run));
        count += usize::from(then.is_some() && now.is_some() && then != now);
    }
    Ok(count)
}

/// The problems of each run, with their versions.
fn versions(
    connection: &Connection,
) -> Result<BTreeMap<u64, BTreeMap<String, Option<String>>>, LedgerFault> {
    /// What every version of the grader writes of an assignment.
    #[derive(Deserialize)]
    struct Info {
        problems: Vec<Problem>,
    }
    #[derive(Deserialize)]
    struct Problem {
        id: String,
        version: Option<String>,
    }
    let mut statement = connection.prepare("SELECT * FROM run")?;
    let runs = statement.query_and_then([], |row| {
        row_hash::check_run(row)?;
        let info: Info = serde_json::from_str(&row.get::<_, String>("info")?)?;
        let problems = info.problems.into_iter().map(|it| (it.id, it.version));
        Ok((row.get::<_, i64>("id")? as u64, problems.collect()))
    })?;
    runs.collect()
}

/// A student who is not finished.
fn unfinished(id: StudentId) -> StudentResult {
    StudentResult {
        id,
        ..StudentResult::default()
    }
}

fn not_judged_yet(info: &ProblemInfo) -> ProblemResult {
    ProblemResult {
        id: info.id.clone(),
        max_points: info.points,
        bonus: info.bonus,
        verdict: Verdict::Skipped,
        status: Status::NotJudged,
        message: Some(not_judged()),
        ..ProblemResult::default()
    }
}

fn reference_times(connection: &Connection, run: u64) -> Result<Vec<ReferenceTime>, LedgerFault> {
    let mut statement =
        connection.prepare("SELECT time FROM reference_time WHERE run = ?1 ORDER BY rowid")?;
    let times = statement.query_and_then([run as i64], |row| {
        Ok(serde_json::from_str(&row.get::<_, String>(0)?)?)
    })?;
    times.collect()
}

fn keys(
    connection: &Connection,
    run: u64,
) -> Result<BTreeMap<(StudentId, ProblemId), JobKey>, LedgerFault> {
    let mut statement = connection
        .prepare("SELECT student, problem, key FROM result WHERE run = ?1 AND key IS NOT NULL")?;
    let keys = statement.query_and_then([run as i64], |row| {
        let (student, problem) = (row.get::<_, String>(0)?, row.get::<_, String>(1)?);
        let job = (StudentId::new(&student), ProblemId::new(&problem));
        Ok((job, content::get_json(connection, &row.get(2)?)?))
    })?;
    keys.collect()
}

fn sources(
    connection: &Connection,
    run: u64,
    student: &StudentId,
    problem: &ProblemId,
) -> Result<Vec<SourceFile>, LedgerFault> {
    let mut statement = connection.prepare(
        "SELECT path, content FROM source WHERE run = ?1 AND student = ?2 AND problem = ?3 \
         ORDER BY place",
    )?;
    let wanted = params![run as i64, student.as_str(), problem.as_str()];
    let sources = statement.query_and_then(wanted, |row| {
        let bytes = content::get(connection, &row.get(1)?)?;
        Ok(SourceFile::new(row.get::<_, String>(0)?, bytes))
    })?;
    sources.collect()
}

//! What the events of a run say that no job says.

use std::io;

use grader_model::{
    AssignmentInfo, Event, EventKind, Host, Isolation, Person, ProblemId, ProblemInfo,
    ProblemResult, ReferenceTime, Sink, Status, StudentId, StudentResult, Text, UnusedFile,
};
use rusqlite::{OptionalExtension as _, Transaction, params};
use serde::{Deserialize, Serialize};

use crate::content;
use crate::error::LedgerFault;
use crate::run::{Run, is_fault, without_origin};

/// Keeps what the events of a run say of it, of its students and of the references. Results of jobs are kept by
/// [`grader_judge::ResultCache::store`]; one that was not is kept with its student.
pub struct RunSink {
    run: Run,
}

/// What is said when a run begins.
#[derive(Serialize, Deserialize)]
pub(crate) struct Started {
    pub(crate) assignment: AssignmentInfo,
    pub(crate) host: Host,
    pub(crate) isolation: Isolation,
    pub(crate) unused: Vec<UnusedFile>,
}

/// What is said of a student, without the results of jobs.
#[derive(Serialize, Deserialize)]
pub(crate) struct About {
    pub(crate) person: Option<Person>,
    pub(crate) notes: Vec<Text>,
    #[serde(default)]
    pub(crate) remarks: Vec<Text>,
    pub(crate) nothing_submitted: bool,
    pub(crate) unused: Vec<UnusedFile>,
    pub(crate) problems: Vec<Row>,
}

/// The result of one problem of a student.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Row {
    /// It is that of the job for this problem.
    Job(ProblemId),
    /// It is this: there was no job, or it was not kept.
    Here(Box<ProblemResult>),
}

impl RunSink {
    pub(crate) const fn new(run: Run) -> Self {
        Self { run }
    }

    fn heard(&self, event: &EventKind) -> Result<(), LedgerFault> {
        match event {
            EventKind::RunStarted {
                run: _,
                assignment,
                host,
                isolation,
                students,
                jobs: _,
                cases: _,
                unused,
            } => {
                let started = Started {
                    assignment: assignment.clone(),
                    host: host.as_ref().clone(),
                    isolation: isolation.clone(),
                    unused: unused.clone(),
                };
                self.started(&started, students)
            }
            EventKind::StudentFinished { result } => self.student(result),
            EventKind::ReferenceMeasured { reference_time } => self.calibrated(reference_time),
            EventKind::RunFinished { interrupted } => self.finished(*interrupted),
            EventKind::JobStarted { .. }
            | EventKind::CaseFinished { .. }
            | EventKind::JobFinished { .. } => Ok(()),
        }
    }

    fn started(&self, started: &Started, students: &[StudentId]) -> Result<(), LedgerFault> {
        let run = self.run.id();
        self.run.store().write(true, |transaction| {
            doubt(transaction, run, started)?;
            transaction.execute("DELETE FROM student WHERE run = ?1", params![run])?;
            let mut insert = transaction.prepare(
                "INSERT OR IGNORE INTO student (run, place, name, faults) VALUES (?1, ?2, ?3, 0)",
            )?;
            for (place, student) in students.iter().enumerate() {
                insert.execute(params![run, place as i64, student.as_str()])?;
            }
            let started = content::put_json(transaction, started)?;
            transaction.execute(
                "UPDATE run SET started = ?2 WHERE id = ?1",
                params![run, started],
            )?;
            Ok(())
        })
    }

    fn student(&self, result: &StudentResult) -> Result<(), LedgerFault> {
        let run = self.run.id();
        // Should the machine die now, the run is gone on with, and the student said again.
        self.run.store().write(false, |transaction| {
            let mut problems = Vec::with_capacity(result.problems.len());
            for problem in &result.problems {
                problems.push(row(transaction, run, &result.id, problem)?);
            }
            let faults = problems.iter().filter(|row| match row {
                Row::Here(result) => is_fault(result),
                Row::Job(_) => false,
            });
            let faults = faults.count() as i64;
            let about = About {
                person: result.person.clone(),
                notes: result.notes.clone(),
                remarks: result.remarks.clone(),
                nothing_submitted: result.nothing_submitted,
                unused: result.unused.clone(),
                problems,
            };
            let about = content::put_json(transaction, &about)?;
            // One who was not announced comes last.
            transaction.execute(
                "INSERT INTO student (run, place, name, about, faults) \
                 VALUES (?1, (SELECT coalesce(max(place) + 1, 0) FROM student WHERE run = ?1), ?2, ?3, ?4) \
                 ON CONFLICT (run, name) DO UPDATE SET about = excluded.about, faults = excluded.faults",
                params![run, result.id.as_str(), about, faults],
            )?;
            Ok(())
        })
    }

    fn calibrated(&self, reference_time: &ReferenceTime) -> Result<(), LedgerFault> {
        let said = content::json(reference_time)?;
        self.run.store().write(false, |transaction| {
            transaction.execute(
                "INSERT INTO reference_time (run, problem, subtask, name, time) VALUES (?1, ?2, ?3, ?4, ?5) \
                 ON CONFLICT (run, problem, subtask, name) DO UPDATE SET time = excluded.time",
                params![
                    self.run.id(),
                    reference_time.problem.as_str(),
                    reference_time.subtask.as_str(),
                    reference_time.case.as_str(),
                    String::from_utf8_lossy(&said),
                ],
            )?;
            Ok(())
        })
    }

    fn finished(&self, interrupted: bool) -> Result<(), LedgerFault> {
        let state = if interrupted {
            "interrupted"
        } else {
            "finished"
        };
        let now = (self.run.store().clock)();
        self.run.store().write(true, |transaction| {
            transaction.execute(
                "UPDATE run SET state = ?2, ended = ?3 WHERE id = ?1",
                params![self.run.id(), state, now],
            )?;
            Ok(())
        })
    }
}

/// How a result is kept with its student: by its job where that is just this result.
fn row(
    transaction: &Transaction<'_>,
    run: i64,
    student: &StudentId,
    result: &ProblemResult,
) -> Result<Row, LedgerFault> {
    let of_job = transaction
        .query_row(
            "SELECT content.hash, job.origin, job.id, job.stale FROM job JOIN content ON content.id = job.result \
             WHERE job.student = ?1 AND job.problem = ?2 AND job.run = ?3",
            params![student.as_str(), result.id.as_str(), run],
            |row| {
                let of_job: (Vec<u8>, String, i64, bool) =
                    (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?);
                Ok(of_job)
            },
        )
        .optional()?;
    if let Some((hash, origin, job, stale)) = of_job {
        let same_result =
            blake3::hash(&content::json(&without_origin(result))?).as_bytes() == &hash[..];
        if same_result && content::json(&result.origin)? == origin.as_bytes() {
            if stale {
                transaction.execute("UPDATE job SET stale = 0 WHERE id = ?1", params![job])?;
            }
            return Ok(Row::Job(result.id.clone()));
        }
        // A result without an origin is of no job: the job was of before the run was stopped, of files that are gone
        // now. If the student is only not judged yet, it may still serve. A result with one is of this job: that of
        // files that lie elsewhere now, which names them otherwise, or one that could not be kept.
        let is_of_no_job = result.origin.is_none();
        if is_of_no_job && result.status != Status::NotJudged {
            transaction.execute(
                "DELETE FROM job WHERE student = ?1 AND problem = ?2 AND run = ?3",
                params![student.as_str(), result.id.as_str(), run],
            )?;
        }
    }
    Ok(Row::Here(Box::new(result.clone())))
}

/// In a run that goes on, what was measured of the references before it was stopped is of use only for problems that
/// are still the same, on the same machine. Of the others the jobs of before are no results until they are told again.
fn doubt(transaction: &Transaction<'_>, run: i64, now: &Started) -> Result<(), LedgerFault> {
    let before: Option<Option<i64>> = transaction
        .query_row(
            "SELECT started FROM run WHERE id = ?1",
            params![run],
            |row| row.get(0),
        )
        .optional()?;
    let before: Option<Started> = match before.flatten() {
        Some(id) => content::get(transaction, id)?.json()?.ok(),
        None => None,
    };
    let before = before.filter(|before| before.host.cpu == now.host.cpu);
    let known = before.map_or_else(Vec::new, |before| before.assignment.problems);
    let find = |all: &[ProblemInfo], problem: &str| {
        let found = all.iter().find(|info| info.id.as_str() == problem);
        found.map(|info| (info.version.clone(), info.points, info.bonus))
    };
    let same = |problem: &str| {
        let before = find(&known, problem);
        before.is_some() && before == find(&now.assignment.problems, problem)
    };
    let mut statement = transaction.prepare(
        "SELECT problem FROM reference_time WHERE run = ?1 UNION SELECT problem FROM job WHERE run = ?1",
    )?;
    let problems = statement
        .query_map(params![run], |row| row.get(0))?
        .collect::<Result<Vec<String>, _>>()?;
    for problem in problems.iter().filter(|problem| !same(problem)) {
        transaction.execute(
            "DELETE FROM reference_time WHERE run = ?1 AND problem = ?2",
            params![run, problem],
        )?;
        transaction.execute(
            "UPDATE job SET stale = 1 WHERE run = ?1 AND problem = ?2",
            params![run, problem],
        )?;
    }
    Ok(())
}

impl Sink for RunSink {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        self.heard(&event.kind)
            .map_err(|why| io::Error::other(self.run.store().at(why)))
    }
}

//! From what a run has kept to the results of a class.

use std::collections::BTreeMap;

use grader_model::{
    AssignmentInfo, Origin, ProblemId, ProblemInfo, ProblemResult, ReferenceTime, Results,
    ResultsFormat, RunInfo, Status, StudentId, StudentResult, SubtaskResult, Verdict, not_judged,
};
use rusqlite::{Connection, OptionalExtension as _, params};
use serde::de::DeserializeOwned;

use crate::content;
use crate::error::LedgerFault;
use crate::sink::{About, Row, Started};

/// A run whose parts are being read.
struct Reading<'a> {
    connection: &'a Connection,
    run: u64,
    grader: String,
}

/// All jobs of a run, by student and problem.
type Jobs = BTreeMap<(String, String), KnownJob>;

struct KnownJob {
    result: ProblemResult,
    /// Whether it was judged by rules that are no longer those of the run.
    stale: bool,
}

/// The result of a job that holds by the rules of now, if there is one.
fn holding(name: &str, problem: &ProblemId, jobs: &mut Jobs) -> Option<ProblemResult> {
    let place = (name.to_owned(), problem.as_str().to_owned());
    let job = jobs.remove(&place).filter(|job| !job.stale)?;
    Some(job.result)
}

pub(crate) fn results(connection: &Connection, run: u64) -> Result<Results, LedgerFault> {
    let found = connection
        .query_row(
            "SELECT began, state, grader, started FROM run WHERE id = ?1",
            params![run as i64],
            |row| {
                let (began, state, grader) = (row.get(0)?, row.get(1)?, row.get(2)?);
                Ok((began, state, grader, row.get(3)?))
            },
        )
        .optional()?;
    let Some((began, state, grader, started)): Option<(_, String, _, Option<i64>)> = found else {
        let last: Option<i64> =
            connection.query_row("SELECT max(id) FROM run", [], |row| row.get(0))?;
        let last = last.map(|id| id as u64);
        return Err(LedgerFault::NoRun { run, last });
    };
    let Some(started) = started else {
        return Err(LedgerFault::NotStarted { run });
    };
    let reading = Reading {
        connection,
        run,
        grader,
    };
    let started: Started = reading.content(started)?;
    let mut results = Results {
        format: ResultsFormat::V2,
        run: Some(RunInfo { id: run, began }),
        students: reading.students(&started.assignment)?,
        assignment: started.assignment,
        host: started.host,
        isolation: started.isolation,
        unused: started.unused,
        reference_times: reading.reference_times()?,
        interrupted: state != "finished",
    };
    results.order_reference_times();
    Ok(results)
}

impl Reading<'_> {
    fn content<T: DeserializeOwned>(&self, id: i64) -> Result<T, LedgerFault> {
        let value = content::get(self.connection, id)?.json()?;
        value.map_err(|error| self.foreign(&error))
    }

    fn text<T: DeserializeOwned>(&self, text: &str) -> Result<T, LedgerFault> {
        serde_json::from_str(text).map_err(|error| self.foreign(&error))
    }

    fn foreign(&self, error: &serde_json::Error) -> LedgerFault {
        LedgerFault::Foreign {
            run: self.run,
            grader: self.grader.clone(),
            why: error.to_string(),
        }
    }

    fn jobs(&self) -> Result<Jobs, LedgerFault> {
        let mut statement = self
            .connection
            .prepare("SELECT student, problem, result, origin, stale FROM job WHERE run = ?1")?;
        let mut rows = statement.query(params![self.run as i64])?;
        let mut jobs = Jobs::new();
        while let Some(row) = rows.next()? {
            let mut result: ProblemResult = self.content(row.get(2)?)?;
            let origin: String = row.get(3)?;
            result.origin = self.text::<Option<Origin>>(&origin)?;
            let job = KnownJob {
                result,
                stale: row.get(4)?,
            };
            jobs.insert((row.get(0)?, row.get(1)?), job);
        }
        Ok(jobs)
    }

    fn students(&self, assignment: &AssignmentInfo) -> Result<Vec<StudentResult>, LedgerFault> {
        let mut jobs = self.jobs()?;
        let shapes = shapes(assignment, &jobs);
        let mut statement = self
            .connection
            .prepare("SELECT name, about FROM student WHERE run = ?1 ORDER BY place")?;
        let students = statement
            .query_map(params![self.run as i64], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })?
            .collect::<Result<Vec<(String, Option<i64>)>, _>>()?;
        let mut results = Vec::with_capacity(students.len());
        for (name, about) in students {
            results.push(match about {
                Some(about) => {
                    let about: About = self.content(about)?;
                    finished(name, about, &mut jobs)?
                }
                None => unfinished(name, assignment, &shapes, &mut jobs),
            });
        }
        Ok(results)
    }

    fn reference_times(&self) -> Result<Vec<ReferenceTime>, LedgerFault> {
        let mut statement = self
            .connection
            .prepare("SELECT time FROM reference_time WHERE run = ?1 ORDER BY id")?;
        let said = statement
            .query_map(params![self.run as i64], |row| row.get(0))?
            .collect::<Result<Vec<String>, _>>()?;
        said.iter().map(|said| self.text(said)).collect()
    }
}

/// A student all of whose results are known.
fn finished(name: String, about: About, jobs: &mut Jobs) -> Result<StudentResult, LedgerFault> {
    let mut problems = Vec::with_capacity(about.problems.len());
    for row in about.problems {
        problems.push(match row {
            // Who stopped the run before it looked at a job that it had finished before has not lost it.
            Row::Here(result) if result.status == Status::NotJudged => {
                holding(&name, &result.id, jobs).unwrap_or(*result)
            }
            Row::Here(result) => *result,
            Row::Job(problem) => {
                let place = (name.clone(), problem.as_str().to_owned());
                let job = jobs.remove(&place).ok_or_else(|| {
                    LedgerFault::Damaged(format!(
                        "the result of `{name}` for `{problem}` is missing"
                    ))
                })?;
                job.result
            }
        });
    }
    Ok(StudentResult {
        id: StudentId::new(name),
        person: about.person,
        notes: about.notes,
        remarks: about.remarks,
        nothing_submitted: about.nothing_submitted,
        problems,
        unused: about.unused,
    })
}

/// A student with whom the run had not finished when it was killed, or has not yet.
fn unfinished(
    name: String,
    assignment: &AssignmentInfo,
    shapes: &[Vec<SubtaskResult>],
    jobs: &mut Jobs,
) -> StudentResult {
    let problems = assignment
        .problems
        .iter()
        .zip(shapes)
        .map(|(info, shape)| {
            holding(&name, &info.id, jobs).unwrap_or_else(|| open_problem(info, shape))
        })
        .collect();
    StudentResult {
        id: StudentId::new(name),
        person: None,
        notes: Vec::new(),
        remarks: Vec::new(),
        nothing_submitted: false,
        problems,
        unused: Vec::new(),
    }
}

/// The subtasks of each problem with nothing judged, as any result of it shows them.
fn shapes(assignment: &AssignmentInfo, jobs: &Jobs) -> Vec<Vec<SubtaskResult>> {
    let shape = |info: &ProblemInfo| {
        let mut held = jobs.values().filter(|job| !job.stale);
        let any = held.find(|job| job.result.id == info.id);
        any.map_or_else(Vec::new, |job| {
            job.result.subtasks.iter().map(open_subtask).collect()
        })
    };
    assignment.problems.iter().map(shape).collect()
}

fn open_subtask(of: &SubtaskResult) -> SubtaskResult {
    let cases = of.cases.iter().map(|case| case.name.clone());
    SubtaskResult::unrun(
        (of.name.clone(), of.max_points, of.hidden),
        (Verdict::Skipped, None),
        &not_judged(),
        cases,
    )
}

fn open_problem(info: &ProblemInfo, shape: &[SubtaskResult]) -> ProblemResult {
    ProblemResult::unrun(
        (info.id.clone(), info.points, info.bonus),
        Status::NotJudged,
        (Verdict::Skipped, None),
        not_judged(),
        shape.to_vec(),
    )
}

//! `grader correct`.

use std::collections::BTreeMap;
use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use grader_adjust::{CorrectionsText, NewCorrection};
use grader_model::{Points, Results, StudentResult, escaped};
use grader_problem::{MemoryLibrary, load_corrections};
use grader_report::{atomic_write, terminal as draw};
use toml_edit::{Datetime, Value};

use crate::assignment::{did_you_mean, drawn};
use crate::corrections::{Corrections, CorrectionsArgs};
use crate::exit::{Exit, Failure};
use crate::part::named;
use crate::stored::StoredRuns;
use crate::terminal::Terminal;

#[derive(Debug, Args)]
#[command(after_help = "\
The correction goes into `corrections.toml` beside the class, which you may also edit by hand. Every report and
gradebook applies it, with its comment; what was judged stays in the ledger.

Examples:
  grader correct s07 count --points 12 --comment \"right idea, wrong diagonal\"
  grader correct s03 --deadline 2026-11-25T23:59 --comment ill
  grader correct s04 annealing --excused")]
pub(crate) struct CorrectArgs {
    /// The student, by id, name or address.
    student: String,
    /// The problem [default: all].
    problem: Option<String>,
    /// The points, whatever was judged.
    #[arg(long, value_name = "N", conflicts_with = "add", value_parser = points)]
    points: Option<Value>,
    /// Points on top of those that were judged; negative to take some away.
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = points)]
    add: Option<Value>,
    /// The reason. The student reads it.
    #[arg(long, value_name = "TEXT")]
    comment: Option<String>,
    /// Leave the problem out: it counts with the same share as the others.
    #[arg(long)]
    excused: bool,
    /// The student's own deadline: a date and a time, in the time zone of the assignment.
    #[arg(long, value_name = "TIME", value_parser = moment)]
    deadline: Option<Value>,
    /// The attempt that counts, from 1.
    #[arg(long, value_name = "N")]
    attempt: Option<u32>,
    /// The class that was graded, or its ledger [env: `GRADER_LEDGER`] [default: `.grader/ledger.db`].
    #[arg(long, value_name = "SOURCE")]
    class: Option<PathBuf>,
    #[command(flatten)]
    corrections: CorrectionsArgs,
}

fn points(text: &str) -> Result<Value, String> {
    let number: f64 = text.parse().map_err(|_| "expected a number".to_owned())?;
    Points::try_from(number.abs())?;
    let whole = text.parse::<i64>();
    Ok(whole.map_or_else(|_| Value::from(number), Value::from))
}

fn moment(text: &str) -> Result<Value, String> {
    let moment: Datetime = text
        .parse()
        .map_err(|_| "expected a date and a time such as 2026-11-25T23:59".to_owned())?;
    Ok(Value::from(moment))
}

pub(crate) fn run(args: &CorrectArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let stored = StoredRuns::find(args.class.as_deref())?;
    let judged = stored.results(None)?;
    let class = stored.class_of(&judged)?;
    let before = args
        .corrections
        .load(&class, &judged.assignment, terminal)?;
    let student = student(args, &judged, &stored.path)?;
    let problem = problem(args, &judged)?;
    // The submission that counts may be an earlier one.
    let mut results = judged.clone();
    before.apply(&mut results, Some(&stored), terminal)?;
    let text = new_text(args, &before.path, of(&results, &student), problem)?;
    let name = before
        .path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy();
    let folder = before.path.parent().unwrap_or(Path::new(""));
    let mut library = MemoryLibrary::new(folder.to_string_lossy(), BTreeMap::new());
    library.insert(&*name, text.as_bytes());
    // Nothing is written that a report would refuse.
    let list = load_corrections(&library, &name, &judged.assignment)
        .map_err(|mistakes| drawn(&mistakes, terminal))?;
    atomic_write(&before.path, |out| out.write_all(text.as_bytes()))?;
    let after = Corrections {
        path: before.path,
        list,
    };
    let mut results = judged;
    after.apply(&mut results, Some(&stored), terminal)?;
    if let Some(student) = of(&results, &student) {
        let line = draw::corrected(student, problem, &terminal.style());
        write!(terminal.stdout(), "{line}")?;
    }
    let path = escaped(after.path.as_os_str().as_encoded_bytes());
    terminal.note(format!("written to {path}"), format!("已写入 {path}"));
    Ok(Exit::Done)
}

fn of<'a>(results: &'a Results, id: &str) -> Option<&'a StudentResult> {
    results.students.iter().find(|it| it.id.as_str() == id)
}

fn student(args: &CorrectArgs, results: &Results, source: &Path) -> Result<String, Failure> {
    let students = results.students.iter();
    let students: Vec<_> = students.map(|it| (&it.id, it.person.as_ref())).collect();
    let named = named(std::slice::from_ref(&args.student), &students, source)?;
    Ok(named.into_iter().next().unwrap_or_default())
}

fn problem<'a>(args: &'a CorrectArgs, results: &Results) -> Result<Option<&'a str>, Failure> {
    let Some(problem) = &args.problem else {
        return Ok(None);
    };
    let known = results.assignment.problems.iter().map(|it| it.id.as_str());
    if known.clone().any(|known| known == problem) {
        return Ok(Some(problem));
    }
    let near = did_you_mean(problem, known).en;
    Err(Failure::usage(format!(
        "there is no problem `{problem}`{near}"
    )))
}

/// The text of the file with the correction.
fn new_text(
    args: &CorrectArgs,
    path: &Path,
    student: Option<&StudentResult>,
    problem: Option<&str>,
) -> anyhow::Result<String> {
    let text = match fs::read_to_string(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        read => read.with_context(|| format!("cannot read `{}`", path.display()))?,
    };
    let mut keys: NewCorrection = Vec::new();
    keys.extend(args.points.clone().map(|points| ("points", points)));
    keys.extend(args.add.clone().map(|add| ("add", add)));
    if !keys.is_empty() {
        let problem = student.and_then(|it| {
            it.problems
                .iter()
                .find(|it| Some(it.id.as_str()) == problem)
        });
        let submission = problem.and_then(|problem| problem.submission.as_deref());
        keys.extend(submission.map(|name| ("submission", Value::from(name))));
    }
    keys.extend(args.excused.then(|| ("excused", Value::from(true))));
    keys.extend(args.deadline.clone().map(|deadline| ("deadline", deadline)));
    keys.extend(
        args.attempt
            .map(|attempt| ("attempt", Value::from(i64::from(attempt)))),
    );
    keys.extend(
        args.comment
            .as_ref()
            .map(|comment| ("comment", Value::from(comment.as_str()))),
    );
    if keys.is_empty() {
        let message = "nothing to correct: give `--points`, `--add`, `--comment`, `--excused`, `--deadline` or `--attempt`";
        return Err(Failure::usage(message).into());
    }
    let mut file = CorrectionsText::new(&text)?;
    let id = student.map_or(args.student.as_str(), |student| student.id.as_str());
    file.set(id, problem, keys)?;
    Ok(file.text())
}

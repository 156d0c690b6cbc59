//! `grader correct`.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use grader_model::{AssignmentId, Points, ProblemId, StudentId, escaped};
use grader_report::{atomic_write, terminal as draw};
use toml_edit::{ArrayOfTables, Datetime, DocumentMut, Item, Key, Table, Value, value};

use crate::class_report::{pages_beside, write_pages_beside};
use crate::corrections::{Corrections, CorrectionsArgs};
use crate::exit::{Exit, Failure};
use crate::ledger::shortened;
use crate::part::{People, known_problem};
use crate::stored::{StoredRuns, has_results, is_whole_class};
use crate::terminal::Terminal;

/// The text of a new file.
const NEW_FILE: &str = "# Corrections by hand: see `grader correct --help`.\nformat = 1\n";

#[derive(Debug, Args)]
#[command(after_help = "\
The correction goes into `corrections.toml` beside the class, which you may also edit by hand. Every report and
gradebook applies it, with its comment; what was judged stays in the ledger.

Examples:
  grader correct s07 count --points 12 --comment \"right idea, wrong diagonal\"
  grader correct s03 --deadline 2026-11-25T23:59 --comment ill
  grader correct s04 annealing --excused")]
pub(crate) struct CorrectArgs {
    /// The student, by id, name or email address.
    student: String,
    /// The problem [default: all].
    problem: Option<String>,
    /// The points, whatever was judged and however late it is.
    #[arg(long, value_name = "N", conflicts_with = "add", allow_hyphen_values = true, value_parser = points)]
    points: Option<Value>,
    /// Points to add after any late penalty; negative to take some away.
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = difference)]
    add: Option<Value>,
    /// The reason. The student reads it.
    #[arg(long, value_name = "TEXT")]
    comment: Option<String>,
    /// Leave the problem out: it earns the same percentage as the others.
    #[arg(long, conflicts_with_all = ["points", "add"])]
    excused: bool,
    /// The student's own deadline: a date and a time, in the time zone of the assignment.
    #[arg(long, value_name = "TIME", value_parser = moment)]
    deadline: Option<Value>,
    /// The attempt that counts, from 1.
    #[arg(long, value_name = "N")]
    attempt: Option<u32>,
    /// The class that was graded, or its ledger [env: `GRADER_LEDGER`] [default: `.grader/ledger.db` in this folder or above it].
    #[arg(long, value_name = "SOURCE")]
    class: Option<PathBuf>,
    #[command(flatten)]
    corrections: CorrectionsArgs,
}

fn points(text: &str) -> Result<Value, String> {
    if text.starts_with('-') {
        return Err("points must not be negative; to take points away, use `--add`".to_owned());
    }
    difference(text)
}

fn difference(text: &str) -> Result<Value, String> {
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
    refuse_several_classes(&stored)?;
    let run = stored.run(None)?;
    let mut results = stored.results(&run)?;
    let one_student = stored.is_of_one_student(&run)?;
    let path = args.corrections.path(&run.class, one_student);
    let path = path.ok_or_else(|| {
        let class = escaped(run.class.as_os_str().as_encoded_bytes());
        Failure::usage(format!(
            "`{class}` is the work of one student, who may have written what lies beside it: name a file with `--corrections`"
        ))
    })?;
    // Another `correct` waits until this one has written.
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let lock = File::open(folder).with_context(|| format!("cannot open `{}`", folder.display()))?;
    lock.lock()
        .with_context(|| format!("cannot lock `{}`", folder.display()))?;
    let before = Corrections::read(path, &results.assignment, terminal)?;
    let people = People::of_results(&results, &stored.path);
    let student = people.find(&args.student)?;
    let problem = args.problem.as_deref();
    if let Some(id) = problem {
        known_problem(id, &results.assignment)?;
    }
    let keys = [
        ("points", args.points.clone()),
        ("add", args.add.clone()),
        ("excused", args.excused.then(|| Value::from(true))),
        ("deadline", args.deadline.clone()),
        ("attempt", args.attempt.map(|it| Value::from(i64::from(it)))),
        ("comment", args.comment.as_deref().map(Value::from)),
    ];
    if keys.iter().all(|(_, value)| value.is_none()) {
        let message = "nothing to correct: give `--points`, `--add`, `--comment`, `--excused`, `--deadline` or `--attempt`";
        return Err(Failure::usage(message).into());
    }
    if let (Some(attempt), Some(id)) = (args.attempt, problem) {
        let attempts = stored.attempts(run.id)?;
        let whom = (StudentId::new(&*student), ProblemId::new(id));
        let all = attempts.get(&whom).map_or(0, Vec::len);
        if attempt as usize > all {
            let message = format!(
                "there is no attempt {attempt}: the ledger has only {all} by this student for `{id}`"
            );
            return Err(Failure::usage(message).into());
        }
    }
    let text = if before.text.trim().is_empty() {
        NEW_FILE
    } else {
        &before.text
    };
    let mut file: DocumentMut = text.parse()?;
    let whom = Whom {
        assignment: results.assignment.id.clone(),
        student,
        problem,
    };
    set(whom.table(&mut file, &before.path)?, keys);
    // Nothing is written that a report would refuse.
    let text = file.to_string().into_bytes();
    let after = Corrections::parse(before.path, text, &results.assignment, terminal)?;
    after.apply(&mut results, Some(&stored), terminal)?;
    let mut students = results.students.iter();
    let corrected = students.find(|it| it.id.as_str() == whom.student);
    let corrected = corrected.context("the student is not in the results")?;
    if args.points.is_some() || args.add.is_some() {
        // The points are for the submission that counts now: they do not apply to another one.
        let mut problems = corrected.problems.iter();
        let submission = problems
            .find(|it| Some(it.id.as_str()) == problem)
            .and_then(|it| it.submission.as_deref());
        let table = whom.table(&mut file, &after.path)?;
        set(table, [("submission", submission.map(Value::from))]);
    }
    let mut text = file.to_string();
    if before.text.contains("\r\n") {
        text = text.replace("\r\n", "\n").replace('\n', "\r\n");
    }
    atomic_write(&after.path, |out| out.write_all(text.as_bytes()))?;
    let shown = draw::corrected(corrected, problem, &terminal.style());
    write!(terminal.stdout(), "{shown}")?;
    let path = escaped(after.path.as_os_str().as_encoded_bytes());
    let class = escaped(shortened(run.class.clone()).as_os_str().as_encoded_bytes());
    terminal.note(
        format!("written to {path}, for the class `{class}`"),
        format!("已写入 {path}（班级 `{class}`）"),
    );
    let pages = pages_beside(&stored.ledger(), &run.class, &whom.assignment);
    // As `grade`: neither of an unfinished run nor of one shard.
    if is_whole_class(&run) && !results.interrupted && pages.is_dir() {
        write_pages_beside(&pages, &results, Some(&stored), terminal);
    }
    Ok(Exit::Done)
}

/// Refuses to choose one of several classes: a correction for the wrong one changes somebody's points.
fn refuse_several_classes(stored: &StoredRuns) -> anyhow::Result<()> {
    let runs = stored.runs()?.into_iter().filter(has_results);
    let classes: BTreeSet<PathBuf> = runs.map(|run| shortened(run.class)).collect();
    if classes.len() < 2 {
        return Ok(());
    }
    let classes = classes
        .iter()
        .map(|class| escaped(class.as_os_str().as_encoded_bytes()));
    let (classes, ledger) = (classes.collect::<Vec<_>>().join("`, `"), stored.ledger());
    Err(Failure::usage(format!(
        "`{}` has several classes: name one with `--class`: `{classes}`",
        escaped(ledger.as_os_str().as_encoded_bytes())
    ))
    .into())
}

/// Whose points a correction changes.
struct Whom<'a> {
    assignment: AssignmentId,
    student: String,
    problem: Option<&'a str>,
}

impl Whom<'_> {
    /// The correction in the file at this path, which is added if there is none.
    fn table<'a>(&self, file: &'a mut DocumentMut, path: &Path) -> Result<&'a mut Table, Failure> {
        let corrections = file
            .entry("correction")
            .or_insert(Item::ArrayOfTables(ArrayOfTables::new()))
            .as_array_of_tables_mut()
            .ok_or_else(|| {
                let path = path.display();
                Failure::usage(format!("cannot add to `correction = […]` in `{path}`: write each correction below a heading `[[correction]]`"))
            })?;
        let text = |table: &Table, key| table.get(key).and_then(Item::as_str).map(str::to_owned);
        let fits = |table: &Table| {
            text(table, "assignment").is_none_or(|id| id == self.assignment.as_str())
                && text(table, "student").as_deref() == Some(&self.student)
                && text(table, "problem").as_deref() == self.problem
        };
        let has_points = |it: &Table| it.contains_key("points") || it.contains_key("add");
        let with_points = corrections.iter().position(|it| fits(it) && has_points(it));
        let place = with_points.or_else(|| corrections.iter().position(fits));
        if place.is_none() {
            let mut table = Table::new();
            table["assignment"] = value(self.assignment.as_str());
            table["student"] = value(&self.student);
            if let Some(problem) = self.problem {
                table["problem"] = value(problem);
            }
            corrections.push(table);
        }
        let place = place.unwrap_or(corrections.len() - 1);
        corrections
            .get_mut(place)
            .ok_or_else(|| Failure::usage("there is no correction"))
    }
}

/// Sets the keys that have a value. Comments and layout stay.
fn set<const N: usize>(table: &mut Table, keys: [(&str, Option<Value>); N]) {
    let keys = keys.into_iter().filter_map(|(key, new)| Some((key, new?)));
    for (key, mut new) in keys {
        let mut name = Key::new(key);
        // New points replace older ones and an excuse, whatever submission they were for; an excuse replaces points.
        if ["points", "add"].contains(&key) {
            table.remove("submission");
            table.remove("excused");
            for other in ["points", "add"].into_iter().filter(|it| *it != key) {
                if let Some((old, Item::Value(old_value))) = table.remove_entry(other) {
                    *name.leaf_decor_mut() = old.leaf_decor().clone();
                    *new.decor_mut() = old_value.decor().clone();
                }
            }
        }
        if key == "excused" {
            for other in ["points", "add", "submission"] {
                table.remove(other);
            }
        }
        match table.get_mut(key).and_then(Item::as_value_mut) {
            Some(old) => {
                let decor = old.decor().clone();
                *old = new;
                *old.decor_mut() = decor;
            }
            None => _ = table.insert_formatted(&name, Item::Value(new)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_layout_stay() {
        let before = "# Week 3\nformat = 1\n\n[[correction]]\nstudent = \"s1\" # Ann\nproblem = \"count\"\n# Late\nadd = 2   # for style\n";
        let mut file: DocumentMut = before.parse().unwrap();
        for (student, problem, key, new) in [
            ("s1", Some("count"), "points", Value::from(12)),
            ("s2", None, "excused", Value::from(true)),
            ("s1", Some("count"), "points", Value::from(13)),
        ] {
            let whom = Whom {
                assignment: AssignmentId::new("week-3"),
                student: student.to_owned(),
                problem,
            };
            let table = whom.table(&mut file, Path::new("")).unwrap();
            set(table, [(key, Some(new))]);
        }
        let after = "# Week 3\nformat = 1\n\n[[correction]]\nstudent = \"s1\" # Ann\nproblem = \"count\"\n# Late\npoints = 13   # for style\n\n\
            [[correction]]\nassignment = \"week-3\"\nstudent = \"s2\"\nexcused = true\n";
        assert_eq!(file.to_string(), after);
    }
}

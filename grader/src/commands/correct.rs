//! `grader correct`.

mod edit;
mod list;
mod table;

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use grader_model::{
    ProblemId, ProblemResult, Results, RunSummary, StudentId, StudentResult, counted,
};
use grader_publish::atomic_write;
use grader_report::terminal as draw;
use grader_view::StudentView;
use toml_edit::{Datetime, DocumentMut, Value};

use self::edit::{GIVES_POINTS, Keys, Target, difference, points, set};
use self::list::list;
use self::table::{Context, read_table};
use crate::assignment::did_you_mean;
use crate::corrections::{Corrections, CorrectionsArgs};
use crate::exit::{Exit, Failure};
use crate::ledger::shortened;
use crate::pages::{pages_beside, say_pages, write_pages_beside};
use crate::part::{People, known_problem};
use crate::stored::{ClassArgs, StoredRuns, is_whole_class, refuse_several_classes};
use crate::terminal::{Terminal, shown};

/// The text of a new file.
const NEW_FILE: &str = "# Corrections by hand: see `grader correct --help`.\nformat = 1\n";

#[derive(Debug, Args)]
#[command(after_long_help = "\
The correction goes into `corrections.toml` beside the class, which you may also edit by hand. Every report and gradebook \
applies it, with its comment; what was judged stays in the ledger.

Examples:
  grader correct --student s07 --problem count --points 12 --comment close
  grader correct --student s03 --deadline 2026-11-25T23:59 --comment ill
  grader correct --student Ada --problem annealing --excused
  grader correct --student Bo --problem sum --file \"Sum.old/Main.java\"
  grader correct --student Bo --problem sum --item names --item comments
  grader correct --from style.csv --problem sum --subtask style")]
#[expect(clippy::struct_excessive_bools, reason = "options")]
pub(crate) struct CorrectArgs {
    #[command(flatten)]
    source: ClassArgs,
    /// Student, by id, name or email address.
    #[arg(long, value_name = "ID", required_unless_present_any = ["from", "list"])]
    student: Option<String>,
    /// Problem [default: all].
    #[arg(long, value_name = "ID")]
    problem: Option<String>,
    /// Subtask that is graded by hand.
    #[arg(long, value_name = "NAME", requires = "problem")]
    subtask: Option<String>,
    /// Rubric item that the student earned (repeatable).
    #[arg(long, value_name = "ID", requires = "problem", conflicts_with_all = ["points", "add"])]
    item: Vec<String>,
    /// Table of corrections: CSV with a column `student`.
    ///
    /// Other columns: `problem`, `subtask`, `points`, `items` (separated by blanks), `comment`. `--problem` and `--subtask`
    /// replace a missing column. Rows without points, items and comment are skipped.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["student", "points", "item", "add", "excused", "deadline", "attempt", "file", "at", "comment", "remove"])]
    from: Option<PathBuf>,
    /// List all corrections, and what is left to grade.
    #[arg(long, conflicts_with_all = ["from", "points", "item", "add", "excused", "deadline", "attempt", "file", "comment", "remove"])]
    list: bool,
    /// Points, instead of those that were judged.
    ///
    /// No late penalty applies to them, except with `--subtask`.
    #[arg(long, value_name = "N", conflicts_with = "add", allow_hyphen_values = true, value_parser = points)]
    points: Option<Value>,
    /// Points to add; a negative number takes points away.
    ///
    /// They are added after any late penalty.
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = difference)]
    add: Option<Value>,
    /// Excuse the student.
    ///
    /// The problem earns the same percentage as the others.
    #[arg(long, conflicts_with_all = ["points", "add"])]
    excused: bool,
    /// New deadline, in the assignment's time zone.
    ///
    /// A date and a time: `2026-11-25T23:59`.
    #[arg(long, value_name = "TIME", value_parser = moment)]
    deadline: Option<Value>,
    /// Attempt that counts, from 1.
    #[arg(long, value_name = "N")]
    attempt: Option<u32>,
    /// File or folder to grade as this problem.
    ///
    /// Give the path as reports show it; a folder ends in `/`. The next `grade` judges it.
    #[arg(long, value_name = "PATH", requires = "problem")]
    file: Option<String>,
    /// Line of the source that the comment is about, as in `count.c:12`.
    ///
    /// The student's page shows the comment there.
    #[arg(long, value_name = "FILE:LINE", requires = "problem", conflicts_with_all = ["subtask", "item"], hide_short_help = true)]
    at: Option<String>,
    /// Reason. The student reads it.
    #[arg(long, value_name = "TEXT")]
    comment: Option<String>,
    /// Remove the corrections of this problem.
    ///
    /// Without `--problem`, remove those that apply to all problems together.
    #[arg(long, conflicts_with_all = ["points", "item", "add", "excused", "deadline", "attempt", "file", "comment"])]
    remove: bool,
    /// Print the result, and write nothing.
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    corrections: CorrectionsArgs,
}

fn moment(text: &str) -> Result<Value, String> {
    let moment: Datetime = text
        .parse()
        .map_err(|_| "expected a date and a time such as 2026-11-25T23:59".to_owned())?;
    Ok(Value::from(moment))
}

pub(crate) fn run(args: &CorrectArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let stored = StoredRuns::find(&args.source)?;
    refuse_several_classes(&stored)?;
    let run = stored.run(None)?;
    let mut results = stored.results(&run)?;
    let path = args.file(&stored, &run)?;
    // Another `correct` waits until this one has written.
    let _lock = lock(&path)?;
    let before = Corrections::read(path, &results.assignment, terminal)?;
    let is_new = before.text.trim().is_empty();
    let mut file: DocumentMut = if is_new { NEW_FILE } else { &before.text }.parse()?;
    if args.list {
        for student in &mut results.students {
            student.remarks.clear();
        }
        before.apply(&mut results, Some(&stored), terminal)?;
        let joined = before.joined.iter().map(|text| text.parse::<DocumentMut>());
        let files: Vec<DocumentMut> = joined.chain([Ok(file)]).collect::<Result<_, _>>()?;
        write!(terminal.stdout(), "{}", list(&files, &results, terminal))?;
        return Ok(Exit::Done);
    }
    let context = Context {
        people: &People::of_results(&results, &stored.path),
        info: &results.assignment,
        problem: args.problem.as_deref(),
        subtask: args.subtask.as_deref(),
    };
    let changes = match &args.from {
        Some(table) => read_table(table, &context)?,
        None => vec![args.change(&context)?],
    };
    for (target, keys) in &changes {
        args.check_attempt(&stored, &run, &target.student)?;
        args.check_file(&results, &target.student)?;
        if args.remove {
            target.remove(&mut file)?;
        } else {
            set(target.table(&mut file, &before.path)?, keys.clone());
        }
    }
    // Nothing is written that a report would refuse.
    let text = file.to_string().into_bytes();
    let after = Corrections::parse(before.path, Some(text), &results.assignment, terminal)?;
    after.apply(&mut results, Some(&stored), terminal)?;
    for change in &changes {
        let corrected = bind(change, &results, &mut file, &after.path)?;
        if args.from.is_none() {
            let view = StudentView::of(corrected, &results.assignment.problems);
            let problem = change.0.problem.as_deref();
            let text = draw::corrected(&view, problem, &terminal.style());
            write!(terminal.stdout(), "{text}")?;
        }
        if gives_points(&change.1) {
            warn_above_maximum(corrected, change.0.problem.as_deref(), terminal);
        }
    }
    let path = shown(&after.path);
    let class = shown(&shortened(run.class.clone()));
    if args.from.is_some() {
        let count = changes.len();
        terminal.note(
            format!(
                "{} in the table",
                counted(count, "correction", "corrections")
            ),
            format!("表格中有 {count} 项修正"),
        );
    }
    if args.dry_run {
        terminal.note(
            format!("not written to {path} (`--dry-run`), for the class `{class}`"),
            format!("未写入 {path}（`--dry-run`，班级 `{class}`）"),
        );
        return Ok(Exit::Done);
    }
    write_file(&file, &after.path, before.text.contains("\r\n"))?;
    terminal.note(
        format!("written to {path}, for the class `{class}`"),
        format!("已写入 {path}（班级 `{class}`）"),
    );
    update_pages(&stored, &run, &results, terminal);
    Ok(Exit::Done)
}

/// Writes the file, with the line ends that it had.
fn write_file(file: &DocumentMut, path: &Path, has_crlf: bool) -> anyhow::Result<()> {
    let mut text = file.to_string();
    if has_crlf {
        text = text.replace("\r\n", "\n").replace('\n', "\r\n");
    }
    atomic_write(path, |out| out.write_all(text.as_bytes()))?;
    Ok(())
}

/// Binds the points of a correction, and a remark on a line, to the submission that counts now: they do not apply to another one. Returns the student
/// who is corrected.
fn bind<'a>(
    (target, keys): &(Target, Keys),
    results: &'a Results,
    file: &mut DocumentMut,
    path: &Path,
) -> anyhow::Result<&'a StudentResult> {
    let mut students = results.students.iter();
    let corrected = students.find(|it| it.id.as_str() == target.student);
    let corrected = corrected.context("the student is not in the results")?;
    let mut problems = corrected.problems.iter();
    let problem = problems.find(|it| Some(it.id.as_str()) == target.problem.as_deref());
    let submission = problem.and_then(|it| it.submission.as_deref());
    let is_bound = gives_points(keys) || target.at.is_some();
    if let Some(submission) = submission.filter(|_| is_bound) {
        let table = target.table(file, path)?;
        set(table, vec![("submission", Value::from(submission))]);
    }
    Ok(corrected)
}

fn gives_points(keys: &Keys) -> bool {
    keys.iter().any(|(key, _)| GIVES_POINTS.contains(key))
}

/// Warns of points above the maximum: they may be a slip.
fn warn_above_maximum(student: &StudentResult, problem: Option<&str>, terminal: &Terminal) {
    let mut problems = student.problems.iter();
    let problem = problems.find(|it| Some(it.id.as_str()) == problem);
    let Some(ProblemResult {
        id,
        points: Some(points),
        max_points,
        ..
    }) = problem
    else {
        return;
    };
    if points > max_points {
        terminal.warn(
            format!("{points} points are more than `{id}` is worth, which is {max_points}"),
            format!("{points} 分超过了题目 `{id}` 的满分 {max_points} 分"),
        );
    }
}

/// Locks the folder of a file until the lock is dropped.
fn lock(path: &Path) -> anyhow::Result<File> {
    let folder = path.parent();
    let folder = folder.filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let lock = File::open(folder).with_context(|| format!("cannot open `{}`", shown(folder)))?;
    lock.lock()
        .with_context(|| format!("cannot lock `{}`", shown(folder)))?;
    Ok(lock)
}

/// Writes the pages beside the ledger again, if there are any.
fn update_pages(stored: &StoredRuns, run: &RunSummary, results: &Results, terminal: &Terminal) {
    let folder = pages_beside(&stored.ledger(), &run.class, &results.assignment.id);
    // As `grade`: neither of an unfinished run nor of one shard.
    if is_whole_class(run) && !results.interrupted && folder.is_dir() {
        let written = write_pages_beside(&folder, results, Some(stored), terminal);
        say_pages(&folder, written, terminal);
    }
}

impl CorrectArgs {
    /// The file of corrections.
    fn file(&self, stored: &StoredRuns, run: &RunSummary) -> anyhow::Result<PathBuf> {
        let one_student = stored.is_of_one_student(run)?;
        let path = self.corrections.path(&run.class, one_student);
        Ok(path.ok_or_else(|| {
            Failure::usage(format!(
                "`{}` is the work of one student, who may have written what lies beside it: name a file with `--corrections`",
                shown(&run.class)
            ))
        })?)
    }

    /// Whose points the command line changes, and how.
    fn change(
        &self,
        Context { people, info, .. }: &Context<'_>,
    ) -> Result<(Target, Keys), Failure> {
        let name = self.student.as_deref().unwrap_or_default();
        if let Some(id) = &self.problem {
            known_problem(id, info)?;
        }
        let target = Target {
            assignment: info.id.clone(),
            student: people.find(name)?,
            problem: self.problem.clone(),
            subtask: self.subtask.clone(),
            at: self.at.clone(),
        };
        let target = target.with_subtask_of(&self.item, info)?;
        let items = (!self.item.is_empty()).then(|| Value::from_iter(&self.item));
        let keys = [
            ("points", self.points.clone()),
            ("items", items),
            ("add", self.add.clone()),
            ("excused", self.excused.then(|| Value::from(true))),
            ("deadline", self.deadline.clone()),
            ("attempt", self.attempt.map(|it| Value::from(i64::from(it)))),
            ("file", self.file.as_deref().map(Value::from)),
            ("comment", self.comment.as_deref().map(Value::from)),
        ];
        let keys = keys.into_iter().filter_map(|(key, new)| Some((key, new?)));
        let keys: Keys = keys.collect();
        if keys.is_empty() && !self.remove {
            let message = "nothing to correct: give `--points`, `--item`, `--add`, `--excused`, `--deadline`, `--attempt`, `--file` or `--comment`";
            return Err(Failure::usage(message));
        }
        Ok((target, keys))
    }

    /// Refuses a file that the student did not submit alone.
    fn check_file(&self, results: &Results, student: &str) -> Result<(), Failure> {
        let Some(file) = &self.file else {
            return Ok(());
        };
        let students = results.students.iter();
        let own = students.filter(|it| it.id.as_str() == student);
        let known = own.flat_map(|student| {
            let judged = student.problems.iter().filter(|it| it.files.len() == 1);
            let judged = judged.flat_map(|it| &it.files);
            let unused = student.unused.iter().map(|it| &it.path);
            unused.chain(judged).map(String::as_str)
        });
        if known.clone().any(|known| known == file) {
            return Ok(());
        }
        let (near, known) = (
            did_you_mean(file, known.clone()).en,
            known.collect::<Vec<_>>(),
        );
        let known = known.join("`, `");
        let message = format!("`{student}` has no file `{file}`{near}\nthe files are `{known}`");
        Err(Failure::usage(message))
    }

    /// Refuses an attempt that the ledger does not have.
    fn check_attempt(
        &self,
        stored: &StoredRuns,
        run: &RunSummary,
        student: &str,
    ) -> anyhow::Result<()> {
        let (Some(attempt), Some(id)) = (self.attempt, &self.problem) else {
            return Ok(());
        };
        let target = (StudentId::new(student), ProblemId::new(id));
        let all = stored.attempts(run.id)?.get(&target).map_or(0, Vec::len);
        if attempt as usize <= all {
            return Ok(());
        }
        let message = format!(
            "there is no attempt {attempt}: the ledger has only {all} by this student for `{id}`"
        );
        Err(Failure::usage(message).into())
    }
}

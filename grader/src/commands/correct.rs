//! `grader correct`.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use grader_model::counted;
use grader_publish::atomic_write;
use grader_report::document as draw;
use grader_session::correct::{
    AskedCorrection, Changed, Correcting, Sheet, Way, difference, points,
};
use grader_session::owned::{is_stdout, refuse_existing};
use grader_session::{AskedRun, Exit, IfSeveral, is_whole_class, shortened, shown};
use grader_view::StudentView;
use toml_edit::{Datetime, Value};

use crate::args::{ClassArgs, CorrectionsArgs};
use crate::pages::{pages_beside, say_pages, write_pages_beside};
use crate::terminal::Terminal;

#[derive(Debug, Args)]
#[command(after_long_help = "\
The correction goes into `corrections.toml` beside the class, which you may also edit by hand. Every report and gradebook \
applies it, with its comment; what was judged stays in the ledger. A second correction is added to the first.

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
    /// Run of the class and assignment, by its number in `grader history`.
    ///
    /// It is needed if a class was graded by several assignments.
    #[arg(long, value_name = "N", hide_short_help = true)]
    run: Option<u64>,
    /// Student, by id, name or email address; or team.
    #[arg(long, value_name = "ID", required_unless_present_any = ["from", "list", "sheet"])]
    student: Option<String>,
    /// Problem [default: the only one, or all].
    #[arg(long, short, value_name = "ID")]
    problem: Option<String>,
    /// Subtask that is graded by hand.
    #[arg(long, value_name = "NAME")]
    subtask: Option<String>,
    /// Rubric item that the student earned (repeatable).
    #[arg(long, value_name = "ID", conflicts_with_all = ["points", "add"])]
    item: Vec<String>,
    /// Table of corrections, as CSV.
    ///
    /// A column names the student: `student`, `id`, `name` or `email`.
    ///
    /// A sheet that was filled in, or a table with the columns `problem`, `subtask`, `points`, `items` (separated by spaces),
    /// `comment`. `--problem` and `--subtask` replace a missing column. Rows without points, items and comment are skipped.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["student", "points", "item", "add", "excused", "deadline", "attempt", "file", "at", "comment", "remove"])]
    from: Option<PathBuf>,
    /// Write a table to fill in points by hand.
    ///
    /// It has a row for each submission (one for a team), and a column for each item of a rubric. Fill in 1 or 0 there, or points
    /// where there are no items. An empty cell changes nothing. `--from` reads the table.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["student", "subtask", "from", "list", "points", "item", "add", "excused", "deadline", "attempt", "file", "at", "comment", "bonus", "replace", "remove", "dry_run"])]
    sheet: Option<PathBuf>,
    /// List all corrections, and what is left to grade by hand.
    #[arg(long, conflicts_with_all = ["from", "points", "item", "add", "excused", "deadline", "attempt", "file", "comment", "remove"])]
    list: bool,
    /// Set the points of this problem.
    ///
    /// They replace what was judged. No late penalty applies to them, except with `--subtask`.
    #[arg(long, value_name = "N", conflicts_with = "add", allow_hyphen_values = true, value_parser = points)]
    points: Option<Value>,
    /// Points to add; a negative number takes points away.
    ///
    /// They are added after any late penalty.
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = difference)]
    add: Option<Value>,
    /// Excuse the student.
    ///
    /// The problem earns the same percentage as the student's other problems.
    #[arg(long, alias = "excuse", conflicts_with_all = ["points", "add"])]
    excused: bool,
    /// New deadline, in the assignment's time zone.
    ///
    /// A date and a time: `2026-11-25T23:59`.
    #[arg(long, value_name = "TIME", value_parser = moment)]
    deadline: Option<Value>,
    /// Number of the attempt that counts; 1 is the first that was graded.
    #[arg(long, value_name = "N", hide_short_help = true)]
    attempt: Option<u32>,
    /// File or folder to grade as this problem.
    ///
    /// Give the path as reports show it; a folder ends in `/`. The next `grade` judges it.
    #[arg(long, value_name = "PATH")]
    file: Option<String>,
    /// Line of the source that the comment is about, as in `count.c:12`.
    ///
    /// The student's page shows the comment there.
    #[arg(long, value_name = "FILE:LINE", conflicts_with_all = ["subtask", "item"], hide_short_help = true)]
    at: Option<String>,
    /// Reason. The student reads it.
    ///
    /// Without anything else, it is a remark of its own beside earlier reasons.
    #[arg(long, value_name = "TEXT", alias = "reason")]
    comment: Option<String>,
    /// Let the points be more than the problem is worth.
    #[arg(long, conflicts_with_all = ["excused", "remove", "list"], hide_short_help = true)]
    bonus: bool,
    /// Replace earlier corrections of the same thing.
    ///
    /// Their reasons go, too. Without it, points to add are added up, items are added to earlier ones, and `--points` counts from there on.
    #[arg(long, conflicts_with_all = ["remove", "list"], hide_short_help = true)]
    replace: bool,
    /// Remove the corrections of this problem.
    ///
    /// Without `--problem`, remove those that apply to all problems together; where there is only one problem, all of the student's.
    #[arg(long, alias = "undo", conflicts_with_all = ["points", "item", "add", "excused", "deadline", "attempt", "file", "comment"])]
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
    let asked = AskedRun {
        class: args.source.asked(),
        run: args.run,
        corrections: args.corrections.corrections.clone(),
    };
    if let Some(path) = args.sheet.as_deref().filter(|it| !is_stdout(it)) {
        refuse_existing(path)?;
    }
    let if_several = if args.list {
        IfSeveral::TakeLast
    } else {
        IfSeveral::Ask
    };
    let class = Correcting::open(&asked, if_several, terminal)?;
    if args.list {
        let list = class.list(terminal.lang, terminal)?;
        write!(terminal.stdout(), "{list}")?;
        return Ok(Exit::Done);
    }
    if let Some(path) = &args.sheet {
        let sheet = class.sheet(args.problem.as_deref())?;
        return write_sheet(path, &sheet, terminal);
    }
    let changed = class.change(&args.asked(), terminal)?;
    args.show(&changed, terminal)?;
    let (path, class) = (&changed.class.path, &changed.class.run.class);
    let (path, class) = (shown(path), shown(&shortened(class.clone())));
    if args.dry_run {
        terminal.note(
            format!("not written to {path} (`--dry-run`), for the class `{class}`"),
            format!("未写入 {path}（`--dry-run`，班级 `{class}`）"),
        );
        return Ok(Exit::Done);
    }
    changed.write()?;
    terminal.note(
        format!("written to {path}, for the class `{class}`"),
        format!("已写入 {path}（班级 `{class}`）"),
    );
    update_pages(&changed.class, terminal);
    Ok(Exit::Done)
}

fn write_sheet(path: &Path, sheet: &Sheet, terminal: &Terminal) -> anyhow::Result<Exit> {
    let (rows, open) = (counted(sheet.rows(), "row", "rows"), sheet.open);
    if is_stdout(path) {
        sheet.write(&mut Terminal::pipe())?;
    } else {
        atomic_write(path, |out| sheet.write(out))?;
        let path = shown(path);
        terminal.note(
            format!("{rows} written to `{path}`, {open} still to grade: fill in the cells, then `grader correct --from {path}`"),
            format!("已将 {} 行写入 `{path}`，其中 {open} 行等待评分：填写后运行 `grader correct --from {path}`", sheet.rows()),
        );
    }
    Ok(Exit::Done)
}

/// Writes the pages beside the ledger again, if there are any.
fn update_pages(class: &Correcting, terminal: &Terminal) {
    let (stored, run, results) = (&class.stored, &class.run, &class.results);
    let folder = pages_beside(&stored.ledger(), &run.class, &results.assignment.id);
    // As `grade`: neither of an unfinished run nor of one shard.
    if is_whole_class(run) && !results.interrupted && folder.is_dir() {
        let written = write_pages_beside(&folder, results, Some(stored), terminal);
        say_pages(&folder, written, terminal);
    }
}

impl CorrectArgs {
    fn asked(&self) -> AskedCorrection {
        let items = (!self.item.is_empty()).then(|| Value::from_iter(&self.item));
        let keys = [
            ("points", self.points.clone()),
            ("items", items),
            ("add", self.add.clone()),
            ("bonus", self.bonus.then(|| Value::from(true))),
            ("excused", self.excused.then(|| Value::from(true))),
            ("deadline", self.deadline.clone()),
            ("attempt", self.attempt.map(|it| Value::from(i64::from(it)))),
            ("file", self.file.as_deref().map(Value::from)),
            ("comment", self.comment.as_deref().map(Value::from)),
        ];
        let keys = keys.into_iter().filter_map(|(key, new)| Some((key, new?)));
        AskedCorrection {
            from: self.from.clone(),
            student: self.student.clone().unwrap_or_default(),
            problem: self.problem.clone(),
            subtask: self.subtask.clone(),
            items: self.item.clone(),
            at: self.at.clone(),
            keys: keys.collect(),
            bonus: self.bonus,
            way: match (self.remove, self.replace) {
                (true, _) => Way::Remove,
                (false, true) => Way::Replace,
                (false, false) => Way::Add,
            },
        }
    }

    /// Prints what the changes make of the points.
    fn show(&self, changed: &Changed, terminal: &Terminal) -> anyhow::Result<()> {
        let (targets, results) = (&changed.targets, &changed.class.results);
        if self.from.is_some() {
            let count = targets.len();
            let corrections = counted(count, "new correction", "new corrections");
            terminal.note(
                format!("{corrections} in the table"),
                format!("表格中有 {count} 项新的修正"),
            );
            return Ok(());
        }
        for target in targets {
            let mut students = results.students.iter();
            let student = students.find(|it| it.id.as_str() == target.student);
            let student = student.context("the student is not in the results")?;
            let view = StudentView::of(student, &results.assignment.problems);
            let text = draw::corrected(&view, target.problem.as_deref(), &terminal.style());
            write!(terminal.stdout(), "{text}")?;
        }
        Ok(())
    }
}

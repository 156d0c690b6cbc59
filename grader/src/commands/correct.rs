//! `grader correct`.

mod edit;
mod list;
mod table;

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use grader_language::source_text;
use grader_model::{
    AssignmentInfo, Points, ProblemId, Results, RunSummary, SourceFile, StudentId, counted, escaped,
};
use grader_publish::atomic_write;
use grader_report::terminal as draw;
use grader_session::corrections::{self, Corrections, USUAL, bytes_of};
use grader_session::{
    Exit, Failure, IfSeveral, Named, People, Sections, StoredRuns, did_you_mean, is_whole_class,
    known_problem, moved_deadline, shortened, shown,
};
use grader_view::StudentView;
use toml_edit::{Datetime, DocumentMut, Item, Table, Value};

use self::edit::{Change, Corrected, GIVES_POINTS, Keys, Target, difference, points};
use self::list::list;
use self::table::{Context, read_table};
use crate::args::{ClassArgs, CorrectionsArgs};
use crate::pages::{pages_beside, say_pages, write_pages_beside};
use crate::terminal::Terminal;

/// The text of a new file.
const NEW_FILE: &str = "# Corrections by hand: see `grader correct --help`.\nformat = 1\n";

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
    /// Student, by id, name or email address.
    #[arg(long, value_name = "ID", required_unless_present_any = ["from", "list"])]
    student: Option<String>,
    /// Problem [default: all].
    #[arg(long, short, value_name = "ID")]
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
    #[arg(long, alias = "excuse", conflicts_with_all = ["points", "add"])]
    excused: bool,
    /// New deadline, in the assignment's time zone.
    ///
    /// A date and a time: `2026-11-25T23:59`.
    #[arg(long, value_name = "TIME", value_parser = moment)]
    deadline: Option<Value>,
    /// Attempt that counts, from 1.
    #[arg(long, value_name = "N", hide_short_help = true)]
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
    #[arg(long, conflicts_with_all = ["remove", "list"])]
    replace: bool,
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
    let stored = StoredRuns::find(&args.source.asked())?;
    let if_several = if args.list {
        IfSeveral::TakeLast
    } else {
        IfSeveral::Ask
    };
    let run = stored.last_of(stored.choose(args.run, if_several)?)?;
    if args.list {
        stored.say_choice(&run, terminal)?;
    }
    let mut results = moved_deadline::results(&stored, &run, terminal)?;
    let path = args.file(&stored, &run)?;
    // What others wrote counts, too.
    let all = joined_with(&path, &run.class);
    // Another `correct` waits until this one has written.
    let _lock = lock(&all)?;
    let info = results.assignment.clone();
    let mut before = Corrections::read(all.clone(), &run.class, &info)?;
    let sections = Sections::of(&run.class, &info.id, Some(&stored))?;
    before.scope_to(&sections, &stored, &results)?;
    let is_ours = |class: Option<&str>, student: &str| match class {
        Some(class) => matches!(sections.named(class), Named::Own | Named::Both),
        None => before.has_without_class(student),
    };
    if args.list {
        for student in &mut results.students {
            student.remarks.clear();
        }
        let files = before.texts().map(str::parse::<DocumentMut>);
        let files: Vec<DocumentMut> = files.collect::<Result<_, _>>()?;
        let mut corrected = before.clone();
        corrected.apply(&mut results, Some(&stored), terminal)?;
        let text = list(&files, &results, &is_ours, terminal);
        write!(terminal.stdout(), "{text}")?;
        return Ok(Exit::Done);
    }
    let text = bytes_of(&path)?.unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let is_new = text.trim().is_empty();
    let mut file: DocumentMut = if is_new { NEW_FILE } else { &text }.parse()?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut corrected = Corrected {
        file: &mut file,
        path: &path,
        class: &sections.name(folder),
        is_ours: &is_ours,
    };
    let mut changes = args.changes(&results, &stored, terminal)?;
    changes.retain(|it| args.is_remove() || !is_there(it, &corrected, &results));
    for change in &changes {
        args.check_attempt(&stored, &run, &change.target.student)?;
        args.check_file(&results, &change.target.student)?;
        args.make(change, &mut corrected, &results)?;
    }
    // Nothing is written that a report would refuse.
    let new = Some((path.as_path(), file.to_string().into_bytes()));
    let mut after = Corrections::with(all, &run.class, new, &info)?;
    after.apply(&mut results, Some(&stored), terminal)?;
    args.check_line(&stored, &results, changes.first().map(|it| &it.target))?;
    args.show(&changes, &results, terminal)?;
    let (path_shown, class) = (shown(&path), shown(&shortened(run.class.clone())));
    if args.dry_run {
        terminal.note(
            format!("not written to {path_shown} (`--dry-run`), for the class `{class}`"),
            format!("未写入 {path_shown}（`--dry-run`，班级 `{class}`）"),
        );
        return Ok(Exit::Done);
    }
    write_file(&file, &path, text.contains("\r\n"))?;
    terminal.note(
        format!("written to {path_shown}, for the class `{class}`"),
        format!("已写入 {path_shown}（班级 `{class}`）"),
    );
    update_pages(&stored, &run, &results, terminal);
    Ok(Exit::Done)
}

/// The file that reports read together with this one: `corrections.toml`, for `corrections/ann.toml`.
fn joined_with(path: &Path, class: &Path) -> PathBuf {
    let folder = path.parent().filter(|it| it.file_name().is_some());
    let main = folder.map(|folder| folder.with_extension("toml"));
    let is_usual = |main: &PathBuf| {
        let beside = main.parent().filter(|it| !it.as_os_str().is_empty());
        let beside = beside.unwrap_or(Path::new(".")).canonicalize().ok();
        main.ends_with(USUAL) && beside.as_deref() == class.parent()
    };
    let main = main.filter(|main| main.is_file() || is_usual(main));
    main.unwrap_or_else(|| path.to_owned())
}

/// Whether a row of a table is in the file as it is, for the submission that counts now.
fn is_there(change: &Change, corrected: &Corrected<'_>, results: &Results) -> bool {
    let same = |table: &Table| {
        change.keys.iter().all(|(key, new)| {
            let old = table.get(key).and_then(Item::as_value);
            old.is_some_and(|old| plain(old) == plain(new))
        })
    };
    let mut live = corrected.of(&change.target);
    change.place.is_some() && live.any(|it| is_live(it, &change.target, results) && same(it))
}

fn plain(value: &Value) -> String {
    value.clone().decorated("", "").to_string()
}

/// Whether a correction is for the submission that counts now, or for any.
fn is_live(table: &Table, target: &Target, results: &Results) -> bool {
    let of = table.get("submission").and_then(Item::as_str);
    of.is_none() || of == submission(target, results)
}

/// The submission of a target.
fn submission<'a>(target: &Target, results: &'a Results) -> Option<&'a str> {
    let mut students = results.students.iter();
    let student = students.find(|it| it.id.as_str() == target.student)?;
    let mut problems = student.problems.iter();
    let problem = problems.find(|it| Some(it.id.as_str()) == target.problem.as_deref())?;
    problem.submission.as_deref()
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

fn gives_points(keys: &Keys) -> bool {
    keys.iter().any(|(key, _)| GIVES_POINTS.contains(key))
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

/// Refuses points that would replace others without a word: rows of a table, and items in the place of a number.
fn refuse_second_points(
    change: &Change,
    corrected: &Corrected<'_>,
    results: &Results,
) -> Result<(), Failure> {
    let Change {
        target,
        keys,
        place,
    } = change;
    let gives = |key| keys.iter().any(|(it, _)| *it == key);
    let clashing: &[&str] = match place {
        Some(_) if gives_points(keys) => &GIVES_POINTS,
        None if gives("items") => &["points"],
        Some(_) | None => return Ok(()),
    };
    let mut live = corrected
        .of(target)
        .filter(|it| is_live(it, target, results));
    let old = live.find_map(|table| {
        let mut keys = clashing.iter();
        keys.find_map(|key| Some(format!("{key} = {}", plain(table.get(key)?.as_value()?))))
    });
    let Some(old) = old else {
        return Ok(());
    };
    let place = place
        .as_ref()
        .map_or_else(String::new, |it| format!("{it}: "));
    let (whose, old) = (target.text(), escaped(old.as_bytes()));
    let whose = escaped(whose.as_bytes());
    Err(Failure::usage(format!(
        "{place}`{whose}` has points by hand already (`{old}`): replace them with `--replace`"
    )))
}

impl CorrectArgs {
    /// The file of corrections.
    fn file(&self, stored: &StoredRuns, run: &RunSummary) -> anyhow::Result<PathBuf> {
        let one_student = stored.is_of_one_student(run)?;
        let path = corrections::path(
            self.corrections.corrections.as_deref(),
            &run.class,
            one_student,
        );
        Ok(path.ok_or_else(|| {
            Failure::usage(format!(
                "`{}` is the work of one student, who may have written what lies beside it: name a file with `--corrections`",
                shown(&run.class)
            ))
        })?)
    }

    /// Whose points the command line changes, and how.
    fn changes(
        &self,
        results: &Results,
        stored: &StoredRuns,
        terminal: &Terminal,
    ) -> Result<Vec<Change>, Failure> {
        let context = Context {
            terminal,
            people: &People::of_results(results, &stored.path),
            info: &results.assignment,
            problem: self.problem.as_deref(),
            subtask: self.subtask.as_deref(),
        };
        match &self.from {
            Some(table) => read_table(table, &context),
            None => Ok(vec![self.change(&context)?]),
        }
    }

    const fn is_remove(&self) -> bool {
        self.remove
    }

    fn change(&self, Context { people, info, .. }: &Context<'_>) -> Result<Change, Failure> {
        let name = self.student.as_deref().unwrap_or_default();
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
        let keys: Keys = keys.collect();
        if keys.is_empty() && !self.remove {
            let message = "nothing to correct: give `--points`, `--item`, `--add`, `--excused`, `--deadline`, `--attempt`, `--file` or `--comment`";
            return Err(Failure::usage(message));
        }
        let is_comment = keys.iter().all(|(key, _)| *key == "comment");
        let target = Target {
            assignment: info.id.clone(),
            student: people.find(name)?,
            problem: self.problem(&keys, info)?,
            // A comment alone is about the problem.
            subtask: self.subtask.clone().filter(|_| self.remove || !is_comment),
            at: self.at.clone(),
        };
        Ok(Change {
            target: target.with_subtask_of(&self.item, info)?,
            keys,
            place: None,
        })
    }

    /// The problem that is named; for points without one, the only problem there is.
    fn problem(&self, keys: &Keys, info: &AssignmentInfo) -> Result<Option<String>, Failure> {
        if let Some(id) = &self.problem {
            return Ok(Some(known_problem(id, info)?.to_owned()));
        }
        let of_problem = ["points", "items", "add"];
        if !keys.iter().any(|(key, _)| of_problem.contains(key)) {
            return Ok(None);
        }
        if let [only] = &info.problems[..] {
            return Ok(Some(only.id.to_string()));
        }
        let ids = info.problems.iter().map(|it| format!("`{}`", it.id));
        let ids = ids.collect::<Vec<_>>().join(", ");
        let message = format!("which problem? Name it with `--problem`: {ids}");
        Err(Failure::usage(message))
    }

    /// Makes a change in the file.
    fn make(
        &self,
        change: &Change,
        corrected: &mut Corrected<'_>,
        results: &Results,
    ) -> anyhow::Result<()> {
        let Change { target, keys, .. } = change;
        if self.remove {
            return Ok(corrected.remove(target)?);
        }
        if self.replace {
            corrected.make_room(target, keys)?;
        } else {
            refuse_second_points(change, corrected, results)?;
        }
        self.refuse_above_maximum(change, results)?;
        corrected.add(target, keys)?;
        // Points, and a remark on a line, are for the submission that was looked at.
        let is_bound = gives_points(keys) || target.at.is_some();
        if let Some(submission) = submission(target, results).filter(|_| is_bound) {
            corrected.bind(submission)?;
        }
        Ok(())
    }

    /// Refuses more points than a problem is worth, which may be a slip.
    fn refuse_above_maximum(&self, change: &Change, results: &Results) -> Result<(), Failure> {
        let target = &change.target;
        let points = change.keys.iter().find(|(key, _)| *key == "points");
        let points =
            points.and_then(|(_, it)| it.as_float().or(it.as_integer().map(|it| it as f64)));
        let points = points.and_then(|it| Points::try_from(it).ok());
        let mut problems = results.assignment.problems.iter();
        let problem = problems.find(|it| Some(it.id.as_str()) == target.problem.as_deref());
        let (Some(points), Some(problem), None) = (points, problem, &target.subtask) else {
            return Ok(());
        };
        if points <= problem.points || self.bonus {
            return Ok(());
        }
        let place = change
            .place
            .as_ref()
            .map_or_else(String::new, |it| format!("{it}: "));
        let (id, most) = (&problem.id, problem.points);
        Err(Failure::usage(format!(
            "{place}{points} points are more than `{id}` is worth, which is {most}: add `--bonus` if more is meant"
        )))
    }

    /// Prints what the changes make of the points.
    fn show(
        &self,
        changes: &[Change],
        results: &Results,
        terminal: &Terminal,
    ) -> anyhow::Result<()> {
        if self.from.is_some() {
            let count = changes.len();
            let corrections = counted(count, "new correction", "new corrections");
            terminal.note(
                format!("{corrections} in the table"),
                format!("表格中有 {count} 项新的修正"),
            );
            return Ok(());
        }
        for Change { target, .. } in changes {
            let mut students = results.students.iter();
            let student = students.find(|it| it.id.as_str() == target.student);
            let student = student.context("the student is not in the results")?;
            let view = StudentView::of(student, &results.assignment.problems);
            let text = draw::corrected(&view, target.problem.as_deref(), &terminal.style());
            write!(terminal.stdout(), "{text}")?;
        }
        Ok(())
    }

    /// Refuses a file that the student did not submit alone.
    fn check_file(&self, results: &Results, student: &str) -> Result<(), Failure> {
        let Some(file) = &self.file else {
            return Ok(());
        };
        let students = results.students.iter();
        let own = students.filter(|it| it.id.as_str() == student);
        let known = own.flat_map(|student| {
            let judged = student.problems.iter().flat_map(|it| &it.files);
            let unused = student.unused.iter().map(|it| &it.path);
            unused.chain(judged).map(String::as_str)
        });
        let is_folder_of = |known: &str| file.ends_with('/') && known.starts_with(file.as_str());
        if known
            .clone()
            .any(|known| known == file || is_folder_of(known))
        {
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

    /// Refuses a line that the submission does not have.
    fn check_line(
        &self,
        stored: &StoredRuns,
        results: &Results,
        target: Option<&Target>,
    ) -> anyhow::Result<()> {
        let (
            Some(at),
            Some(Target {
                student,
                problem: Some(id),
                ..
            }),
        ) = (&self.at, target)
        else {
            return Ok(());
        };
        // What is no file with a line is refused as in a file of corrections.
        let parts = at.rsplit_once(':');
        let Some((file, Ok(line))) = parts.map(|(file, line)| (file, line.parse::<usize>())) else {
            return Ok(());
        };
        let (student, id) = (StudentId::new(student), ProblemId::new(id));
        let found = results.students.iter().find(|it| it.id == student);
        let sources = found.map(|it| stored.sources(results, it, &id));
        let sources = sources.transpose()?.unwrap_or_default();
        // An earlier correction of a line that is gone can still be removed.
        if self.is_remove() || sources.is_empty() {
            return Ok(());
        }
        let named = |it: &&SourceFile| it.path == file || it.name() == file;
        let Some(source) = sources.iter().find(named) else {
            let known = sources.iter().map(|it| it.path.as_str());
            let near = did_you_mean(file, known.clone()).en;
            let known = known.map(|it| escaped(it.as_bytes())).collect::<Vec<_>>();
            let (file, known) = (escaped(file.as_bytes()), known.join("`, `"));
            let message = format!(
                "the submission for `{id}` has no file `{file}`{near}\nthe files are `{known}`"
            );
            return Err(Failure::usage(message).into());
        };
        let lines = source_text(source).lines().count();
        if (1..=lines).contains(&line) {
            return Ok(());
        }
        let (name, has) = (
            escaped(source.path.as_bytes()),
            counted(lines, "line", "lines"),
        );
        let message = format!("there is no line {line}: `{name}` has {has}");
        Err(Failure::usage(message).into())
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

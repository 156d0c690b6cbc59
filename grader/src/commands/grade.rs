//! `grader grade`.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueEnum};
use grader_intake::{Class, ClassSource, read_class};
use grader_judge::{ResultCache, Scratch, Stop};
use grader_lms::Roster;
use grader_model::{Results, Sink, StudentId, Text};
use grader_problem::Assignment;
use grader_report::{Fold, Progress};
use grader_store::{Run, Trouble};

use crate::class_report::ClassReportArgs;
use crate::exit::{self, Exit, Mistake, Withheld};
use crate::interrupt;
use crate::isolation::{self, IsolationArgs, Programs};
use crate::judge::{self, Tools, WorkerArgs};
use crate::ledger::{self, LedgerArgs};
use crate::terminal::Terminal;
use crate::{assignment, class_report, command_line, explain};

#[derive(Debug, Args)]
#[command(after_help = "\
Every finished submission is in the ledger before the next is begun. If a run is stopped or killed,
the same command resumes it; a later run reuses what has not changed.

Examples:
  grader grade submissions/ --explain s07
  grader grade submissions.zip --roster students.csv --format csv -o points.csv
  grader grade submissions/ --format moodle --worksheet grades.csv -o filled.csv
  grader grade submissions/ --allow-missing memory-cgroup")]
pub(crate) struct GradeArgs {
    /// The class's submissions: a folder, or one archive such as course systems let you download.
    class: PathBuf,
    #[arg(long, short, value_name = "ID|PATH", help = assignment::help(assignment::USUAL))]
    assignment: Option<String>,
    #[command(flatten)]
    workers: WorkerArgs,
    #[command(flatten)]
    intake: IntakeArgs,
    #[command(flatten)]
    report: ClassReportArgs,
    #[command(flatten)]
    ledger: LedgerArgs,
    #[command(flatten)]
    isolation: IsolationArgs,
}

/// How the class is read.
#[derive(Debug, Args)]
#[command(next_help_heading = "The class")]
struct IntakeArgs {
    /// How the class lies in its folder [default: recognised, and printed].
    #[arg(long, value_enum, value_name = "LAYOUT")]
    layout: Option<Layout>,
    /// A comma-separated table of all students, with a line of titles: gives their names, and shows who is missing and
    /// who is unknown.
    #[arg(long, value_name = "FILE")]
    roster: Option<PathBuf>,
}

/// How a class lies in its folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Layout {
    /// One folder for each student.
    Folders,
    /// One archive for each student.
    Archives,
    /// Moodle's "Download all submissions", in folders or flat.
    Moodle,
    /// Canvas' "Download submissions".
    Canvas,
    /// Gradescope's "Export submissions".
    Gradescope,
    /// One repository for each student, as GitHub Classroom clones them.
    Github,
    /// Blackboard's "Assignment File Download".
    Blackboard,
    /// Brightspace's download of submissions.
    Brightspace,
    /// The work of one student, such as in Gradescope's container.
    One,
}

impl From<Layout> for grader_lms::Layout {
    fn from(layout: Layout) -> Self {
        match layout {
            Layout::Folders => Self::Folders,
            Layout::Archives => Self::Archives,
            Layout::Moodle => Self::Moodle,
            Layout::Canvas => Self::Canvas,
            Layout::Gradescope => Self::Gradescope,
            Layout::Github => Self::Github,
            Layout::Blackboard => Self::Blackboard,
            Layout::Brightspace => Self::Brightspace,
            Layout::One => Self::One,
        }
    }
}

pub(crate) fn run(mut args: GradeArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let name = args.assignment.as_deref().unwrap_or(assignment::USUAL);
    let assignment = assignment::find(name)?.load_whole(terminal)?;
    args.report.check()?;
    let scratch = Scratch::new()?;
    let stop = Stop::new();
    let mut progress = Progress::new(&terminal.error_style(), Terminal::is_interactive());
    let above = progress.above();
    let listener = interrupt::listen(&stop, scratch.path(), Some(above.clone()), terminal.lang())?;

    let mut class = read(&args, &assignment, scratch.path(), terminal)?;
    let students = class.students.iter();
    let students = students.map(|student| (&student.id, student.person.as_ref()));
    args.report.explain = explain::resolve(&args.report.explain, students, &args.class)?;
    let ids: Vec<&StudentId> = class.students.iter().map(|student| &student.id).collect();
    args.report.check_students(&ids)?;
    let all = class.students.len();
    // Nobody else enters the results, nor the time that they take.
    class
        .students
        .retain(|known| args.report.includes(&known.id));
    let is_whole = class.students.len() == all;
    let report = args.report.prepare(&assignment.info())?;
    // A run of the ledger is one of the whole class: one of a single student would stand in its place.
    let opened = if is_whole {
        ledger::open(&args.ledger, &args.class, assignment.info(), terminal)?
    } else {
        not_for_one(&args, terminal)?;
        None
    };
    let runner = isolation::runner(&args.isolation, Programs::Others, terminal)?;
    // What is refused is no run.
    let begin = |opened: ledger::Opened| opened.begin(above.clone(), terminal.lang());
    let stored = opened.map(begin).transpose()?;
    if let Some(run) = stored.as_ref().filter(|run| run.is_resumed()) {
        going_on(run, terminal)?;
    }

    let cache = stored.clone().map(|run| run as Arc<dyn ResultCache>);
    let tools = Tools {
        workers: args.workers.jobs,
        above: Some(above),
        ..Tools::new(runner, &stop)
    };
    let judge = judge::judge_in(scratch, tools, cache, terminal)?;
    let kept_so_far = stored.as_ref().map(|_| kept_so_far(terminal));
    listener.programs_run(kept_so_far);

    let mut fold = Fold::new();
    let mut run = stored.as_deref();
    let mut sinks: Vec<&mut dyn Sink> = Vec::new();
    sinks.extend(run.as_mut().map(|run| run as &mut dyn Sink));
    sinks.push(&mut fold);
    sinks.push(&mut progress);
    let summary = judge.grade(&assignment, &class, &mut sinks);
    for error in &summary.sink_errors {
        // The bar is not worth the grades: report it if possible, and go on.
        let _ = writeln!(terminal.stderr(), "cannot show progress: {error}");
    }
    let run = stored.as_deref();
    let results = ledger::results(fold, run)?;

    let given = report.give(&results, terminal);
    if results.interrupted {
        how_to_go_on(run, terminal)?;
    }
    match given {
        // Whoever stopped it knows why points are open.
        Err(error) if results.interrupted && error.is::<Withheld>() => {
            writeln!(
                terminal.stderr(),
                "{}",
                exit::message(&error, terminal.lang())
            )?;
        }
        given => given?,
    }
    Ok(exit(&results, ledger::has_failed(run)))
}

/// Reads the class, and prints its layout unless that is the usual one.
fn read(
    args: &GradeArgs,
    assignment: &Assignment,
    scratch: &Path,
    terminal: &Terminal,
) -> anyhow::Result<Class> {
    let roster = args
        .intake
        .roster
        .as_deref()
        .map(Roster::read)
        .transpose()
        .map_err(|error| Mistake(Text::plain(error.to_string())))?;
    let class = read_class(&ClassSource {
        folder: &args.class,
        assignment,
        recognise: &grader_language::recognise,
        layout: args.intake.layout.map(Into::into),
        roster: roster.as_ref(),
        scratch,
    })?;
    if args.intake.layout.is_none() && class.layout != grader_lms::Layout::Folders {
        let found = class.layout.text();
        let word = class.layout.word();
        let words = terminal.lang().pick(
            format!("the class is {} (`--layout {word}`)", found.en),
            format!("班级是{}（`--layout {word}`）", found.zh),
        );
        writeln!(terminal.stderr(), "{words}")?;
    }
    Ok(class)
}

/// Reports that a run that was stopped or killed is resumed.
fn going_on(run: &Run, terminal: &Terminal) -> anyhow::Result<()> {
    let id = run.info().id;
    let began = run.info().began.replace('T', " ").replace('Z', " UTC");
    let words = terminal.lang().pick(
        format!("going on with run {id}, begun {began}, which was not finished"),
        format!("继续第 {id} 次评测（开始于 {began}，未完成）"),
    );
    writeln!(terminal.stderr(), "{words}")?;
    Ok(())
}

/// Warns that options about the ledger have no effect if one student of several is graded.
fn not_for_one(args: &GradeArgs, terminal: &Terminal) -> anyhow::Result<()> {
    let option = match (&args.ledger.ledger, args.ledger.fresh) {
        (Some(_), _) => "--ledger",
        (None, true) => "--fresh",
        (None, false) => return Ok(()),
    };
    let words = terminal.lang().pick(
        format!(
            "`{option}` has no effect: a run for one student is not kept; `grader report` takes the same options and \
             shows what is"
        ),
        format!(
            "`{option}` 不起作用：只评测一名学生时不保存；`grader report` 可用同样的选项显示已保存的结果"
        ),
    );
    writeln!(terminal.stderr(), "{words}")?;
    Ok(())
}

/// The message about a run that was stopped, with the command that resumes it.
fn kept_so_far(terminal: &Terminal) -> String {
    let again = command_line::to_go_on();
    terminal.lang().pick(
        format!("stopped; what is done is kept. To go on: {again}"),
        format!("已停止，完成的部分已保存。继续评测：{again}"),
    )
}

/// Reports what a stopped run leaves to be done.
fn how_to_go_on(run: Option<&Run>, terminal: &Terminal) -> anyhow::Result<()> {
    let words = if run.is_some_and(|run| run.has_failed(Trouble::Unwritten)) {
        let again = command_line::to_go_on();
        terminal.lang().pick(
            format!("stopped; what could not be kept will be judged again. To go on: {again}"),
            format!("已停止，未能保存的部分将重新评测。继续评测：{again}"),
        )
    } else if run.is_some() {
        kept_so_far(terminal)
    } else {
        terminal.lang().pick(
            "stopped; nothing is kept in a ledger, so the next run begins anew".to_owned(),
            "已停止；没有保存到评测账本，下次将重新开始".to_owned(),
        )
    };
    writeln!(terminal.stderr(), "{words}")?;
    Ok(())
}

/// Done, unless some points are open, or not all could be kept.
fn exit(results: &Results, is_unkept: bool) -> Exit {
    match (results.interrupted, class_report::has_faults(results)) {
        (true, _) => Exit::Interrupted,
        (false, faults) if faults || is_unkept => Exit::Fault,
        (false, _) => Exit::Done,
    }
}

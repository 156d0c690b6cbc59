//! `grader grade`.

use std::env;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use grader_intake::{Class, ClassSource, read_class};
use grader_judge::{Judge, ResultCache, Scratch, Stop};
use grader_lms::{Layout, Roster};
use grader_model::{Sink, Text, escaped};
use grader_problem::Assignment;
use grader_report::{Fold, Progress};
use grader_store::{Run, Trouble};

use crate::class_report::{self, ClassReportArgs};
use crate::exit::{Exit, Failure};
use crate::interrupt;
use crate::isolation::{self, IsolationArgs, Programs};
use crate::judge::{self, WorkerArgs};
use crate::ledger::{self, LedgerArgs};
use crate::terminal::Terminal;
use crate::{assignment, command_line};

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
    #[arg(long, value_name = "LAYOUT", value_parser = layouts())]
    layout: Option<Layout>,
    /// A comma-separated table of all students, with a line of titles: gives their names, and shows who is missing and
    /// who is unknown.
    #[arg(long, value_name = "FILE")]
    roster: Option<PathBuf>,
}

fn layouts() -> impl TypedValueParser<Value = Layout> {
    let value = |layout: Layout| PossibleValue::new(layout.word()).help(layout.text().en);
    PossibleValuesParser::new(Layout::ALL.map(value)).map(|word| {
        let mut layouts = Layout::ALL.into_iter();
        let layout = layouts.find(|layout| layout.word() == word);
        layout.unwrap_or_default()
    })
}

pub(crate) fn run(mut args: GradeArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let name = args.assignment.as_deref().unwrap_or(assignment::USUAL);
    let assignment = assignment::find(name)?.load(terminal)?;
    args.report.check()?;
    let scratch = Scratch::new()?;
    let stop = Stop::new();
    let mut progress = Progress::new(&terminal.error_style(), Terminal::is_interactive());
    let above = progress.above();
    let listener = interrupt::listen(&stop, scratch.path(), Some(above.clone()), terminal.lang())?;

    let mut class = read(&args, &assignment, scratch.path(), terminal)?;
    let students = class.students.iter();
    let students = students.map(|student| (&student.id, student.person.as_ref()));
    args.report.resolve(students, &args.class)?;
    let all = class.students.len();
    // Nobody else enters the results, nor the time that they take.
    class
        .students
        .retain(|known| args.report.includes(&known.id));
    // A run in the ledger is one of the whole class: one of a single student would replace it.
    if class.students.len() < all {
        not_for_one(&args.ledger, terminal);
        args.ledger.no_ledger = true;
    }
    let report = args.report.prepare(&assignment.info())?;
    let runner = isolation::runner(&args.isolation, Programs::Others, terminal)?;
    let run = ledger::begin(
        &args.ledger,
        &args.class,
        assignment.info(),
        above,
        terminal,
    )?;
    if let Some(run) = run.as_ref().filter(|run| run.is_resumed()) {
        let id = run.info().id;
        let began = run.info().began.replace('T', " ").replace('Z', " UTC");
        terminal.note(
            format!("resuming run {id}, begun {began}"),
            format!("继续第 {id} 次评测（开始于 {began}）"),
        );
    }
    let mut settings = judge::settings(runner, args.workers.jobs, &stop, terminal)?;
    if let Some(run) = &run {
        judge::use_cache(&mut settings, Arc::clone(run) as Arc<dyn ResultCache>)?;
    }
    let judge = Judge::with_scratch(settings, scratch);
    let run = run.as_deref();
    listener.programs_run(run.map(|_| stopped(run).get(terminal.lang()).to_owned()));

    let mut fold = Fold::new();
    let mut stored = run;
    let mut sinks: Vec<&mut dyn Sink> = Vec::new();
    sinks.extend(stored.as_mut().map(|run| run as &mut dyn Sink));
    sinks.push(&mut fold);
    sinks.push(&mut progress);
    let summary = judge.grade(&assignment, &class, &mut sinks);
    for error in &summary.sink_errors {
        // The bar is not worth the grades.
        terminal.note(
            format!("cannot show progress: {error}"),
            format!("无法显示进度：{error}"),
        );
    }
    let results = ledger::results(fold, run)?;

    let given = report.give(&results, terminal);
    if !results.interrupted {
        given?;
        let is_whole = !class_report::has_faults(&results) && !ledger::has_failed(run);
        return Ok(if is_whole { Exit::Done } else { Exit::Fault });
    }
    let Text { en, zh } = stopped(run);
    terminal.note(en, zh);
    match given.map_err(Failure::of) {
        // The user stopped it, and knows why points are missing.
        Err(withheld) if withheld.exit == Exit::Fault => {
            terminal.note(&withheld.text.en, &withheld.text.zh);
        }
        given => given?,
    }
    Ok(Exit::Interrupted)
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
        .map_err(|error| Failure::mistake(error.text()))?;
    let class = read_class(&ClassSource {
        folder: &args.class,
        assignment,
        recognise: &grader_language::recognise,
        layout: args.intake.layout,
        roster: roster.as_ref(),
        scratch,
    })?;
    if args.intake.layout.is_none() && class.layout != Layout::Folders {
        let (found, word) = (class.layout.text(), class.layout.word());
        terminal.note(
            format!("the class is {} (`--layout {word}`)", found.en),
            format!("班级是{}（`--layout {word}`）", found.zh),
        );
    }
    Ok(class)
}

/// Warns that options about the ledger have no effect if one student of several is graded.
fn not_for_one(args: &LedgerArgs, terminal: &Terminal) {
    let option = match (&args.ledger, args.fresh) {
        (Some(_), _) => "--ledger",
        (None, true) => "--fresh",
        (None, false) => return,
    };
    terminal.note(
        format!("`{option}` has no effect: a run for one student is not stored"),
        format!("`{option}` 不起作用：只评测一名学生时不保存结果"),
    );
}

/// The message about a run that was stopped, with the command that resumes it.
fn stopped(run: Option<&Run>) -> Text {
    let words = env::args_os().filter(|word| word != "--fresh");
    let words = words.map(|word| word.to_string_lossy().into_owned());
    let again = escaped(command_line::typed(words).as_bytes());
    match run.map(|run| run.has_failed(Trouble::Unwritten)) {
        Some(false) => Text::new(
            format!("stopped; finished submissions are stored. To resume: {again}"),
            format!("已停止，完成的部分已保存。继续评测：{again}"),
        ),
        Some(true) => Text::new(
            format!(
                "stopped; results that could not be stored will be judged again. To resume: {again}"
            ),
            format!("已停止，未能保存的部分将重新评测。继续评测：{again}"),
        ),
        None => Text::new(
            "stopped; nothing is stored, so the next run starts over",
            "已停止；没有保存结果，下次将重新开始",
        ),
    }
}

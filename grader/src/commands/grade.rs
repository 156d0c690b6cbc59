//! `grader grade`.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, fs};

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use grader_intake::{Class, ClassSource, IntakeError, Student, read_class};
use grader_judge::{Judge, Part, ResultCache, Scratch, Shard, Stop, similar, typed};
use grader_lms::{Layout, Roster};
use grader_model::{Sink, StudentId, Text, escaped};
use grader_problem::{Assignment, Sample};
use grader_report::{Fold, Progress};
use grader_store::{BeginRun, Run};

use crate::assignment;
use crate::class_report::{ClassReportArgs, pages_beside, write_pages_beside};
use crate::corrections::CorrectionsArgs;
use crate::exit::{Exit, Failure};
use crate::interrupt;
use crate::isolation::{self, IsolationArgs, Programs};
use crate::judge::{self, WorkerArgs};
use crate::ledger::{self, LedgerArgs};
use crate::part::{PartArgs, People, keep_cases};
use crate::stored::StoredRuns;
use crate::terminal::Terminal;

#[derive(Debug, Args)]
#[command(after_help = "\
Every finished submission is in the ledger before the next one starts. If a run is stopped or killed,
the same command resumes it; a later run reuses what has not changed.

Examples:
  grader grade submissions/ --explain s07
  grader grade submissions.zip --roster students.csv --format csv -o points.csv
  grader grade submissions/ --format moodle --worksheet grades.csv -o filled.csv
  grader grade submissions/ --allow-missing memory-cgroup")]
pub(crate) struct GradeArgs {
    /// The class's submissions: a folder, or an archive downloaded from a course system.
    class: PathBuf,
    #[arg(long, short, value_name = "ID|PATH", help = assignment::help("the `assignment.toml` nearest above the class, or else above this folder"))]
    assignment: Option<String>,
    #[command(flatten)]
    workers: WorkerArgs,
    /// How the class is laid out in its folder [default: recognised, and printed].
    #[arg(long, value_name = "LAYOUT", value_parser = layouts(), help_heading = "The class")]
    layout: Option<Layout>,
    /// A comma-separated table of all students, with a header row. It gives their names, and shows who is missing or
    /// unknown.
    #[arg(long, value_name = "FILE", help_heading = "The class")]
    roster: Option<PathBuf>,
    #[command(flatten)]
    part: PartArgs,
    /// Grade one shard of the class, such as `3/16`, into a ledger of its own: `grader merge` joins them.
    #[arg(
        long,
        value_name = "K/N",
        conflicts_with = "no_ledger",
        help_heading = "A part of the class"
    )]
    shard: Option<Shard>,
    #[command(flatten)]
    corrections: CorrectionsArgs,
    #[command(flatten)]
    report: ClassReportArgs,
    #[command(flatten)]
    ledger: LedgerArgs,
    /// Write no pages beside the ledger.
    #[arg(long, help_heading = "The ledger")]
    no_page: bool,
    #[command(flatten)]
    isolation: IsolationArgs,
}

fn layouts() -> impl TypedValueParser<Value = Layout> {
    let value = |(layout, word): (Layout, _)| PossibleValue::new(word).help(layout.text().en);
    PossibleValuesParser::new(Layout::WORDS.map(value)).map(|asked| {
        let mut layouts = Layout::WORDS.into_iter();
        let found = layouts.find(|(_, word)| *word == asked);
        found.unwrap_or_default().0
    })
}

pub(crate) fn run(mut args: GradeArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let place = fs::canonicalize(&args.class);
    let place = place.map_err(|error| IntakeError::of(&args.class, &error))?;
    let (mut assignment, samples) = load(&mut args, terminal)?;
    let has_all_cases = !args.part.is_of_cases();
    args.report.check(&args.part, !args.ledger.no_ledger)?;
    let scratch = Scratch::new()?;
    let stop = Stop::new();
    let mut progress = Progress::new(&terminal.error_style(), Terminal::is_interactive());
    let above = progress.above();
    let listener = interrupt::listen(&stop, scratch.path(), Some(above.clone()), terminal.lang)?;

    let mut class = read(&mut args, &assignment, scratch.path(), terminal)?;
    let one_student = class.layout == Layout::One;
    // In the whole class, even if only a shard or a part of it is graded.
    class.similar = similar(&assignment, &samples, &class);
    let people = People::of_class(&class, &args.class);
    args.report.resolve(&people)?;
    let mut part = args.part.resolve(&people, &assignment.info())?;
    // A report about one student needs nobody else.
    if part.students.is_empty() {
        part.students = args.report.only();
    }
    if let Some(shard) = args.shard {
        say_elsewhere(shard, &part, terminal);
        class.students.retain(|student| shard.has(&student.id));
        if !part.students.is_empty() && !part.students.iter().any(|id| shard.has(id)) {
            return Ok(Exit::Done);
        }
    }
    let corrections = args
        .corrections
        .load(&place, one_student, &assignment.info(), terminal)?;
    if !has_all_cases {
        keep_cases(&mut assignment, &args.part.case, true)?;
        terminal.note(
            "only some cases run, so nothing is stored",
            "只运行部分测试点，因此不保存结果",
        );
        args.ledger.no_ledger = true;
    }
    let info = assignment.info();
    let report = args.report.prepare(&info, &args.part)?;
    let runner = isolation::runner(&args.isolation, Programs::Others, terminal)?;
    let wanted = BeginRun {
        class: place.clone(),
        assignment: info,
        grader: env!("CARGO_PKG_VERSION").to_owned(),
        shard: args.shard,
        one_student,
        fresh: args.ledger.fresh,
    };
    let run = ledger::begin(&args.ledger, &wanted, above)?;
    say_if_resumed(run.as_deref(), terminal);
    let mut settings = judge::settings(runner, args.workers.jobs, &stop, terminal)?;
    settings.part = part.clone();
    if let Some(run) = &run {
        judge::use_cache(&mut settings, Arc::clone(run) as Arc<dyn ResultCache>)?;
    }
    let judge = Judge::with_scratch(settings, scratch);
    let run = run.as_deref();
    listener.programs_run(run.map(|_| stopped(run).get(terminal.lang).to_owned()));

    let mut fold = Fold::new();
    let mut stored = run;
    let mut sinks: Vec<&mut dyn Sink> = vec![&mut fold, &mut progress];
    if let Some(run) = &mut stored {
        sinks.insert(0, run);
    }
    // A progress bar that cannot be drawn must not cost the grades.
    let _ = judge.grade(&assignment, &class, &mut sinks).sink_errors;
    let mut results = ledger::results(fold, run)?;

    let ledger = ledger::path(&args.ledger, &place);
    let stored = run.map(|_| StoredRuns::open(ledger.clone())).transpose();
    let has_failed = ledger::has_failed(run) || stored.is_err();
    let stored = stored.unwrap_or_else(|error| {
        terminal.error(&Failure::of(error));
        None
    });
    let stored = stored.as_ref();
    // Only a run of a part carries old results over. If they cannot be counted, the note is left out.
    if let Some((stored, run)) = stored.zip(run).filter(|_| part != Part::default()) {
        say_outdated(stored.outdated(run.info().id).unwrap_or(0), terminal);
    }
    // Without points there is nothing to correct.
    if has_all_cases {
        // Somebody may have corrected points meanwhile.
        let corrections = corrections.reread(&results.assignment, terminal);
        corrections.apply(&mut results, stored, terminal)?;
    }
    let mut shown = results.clone();
    args.part.keep(&part, &mut shown);
    let given = report.give(&shown, stored, None, terminal);
    // All shards would write to the same folder.
    let has_pages = !args.no_page && args.shard.is_none();
    if run.is_some() && has_pages && !results.interrupted {
        let folder = pages_beside(&ledger, &place, &results.assignment.id);
        write_pages_beside(&folder, &results, stored, terminal);
    }
    if !results.interrupted {
        given?;
        // What is open elsewhere in the class is no matter of this report.
        let is_whole = !shown.is_open() && !has_failed;
        return Ok(if is_whole { Exit::Done } else { Exit::Fault });
    }
    let Text { en, zh } = stopped(run);
    terminal.note(en, zh);
    if let Err(error) = given {
        terminal.error(&Failure::of(error));
    }
    Ok(Exit::Interrupted)
}

/// Reads the assignment, and the sample submissions of its problems, which submissions are compared with, unless the command
/// line lacks something.
fn load(
    args: &mut GradeArgs,
    terminal: &Terminal,
) -> anyhow::Result<(Assignment, Vec<Vec<Sample>>)> {
    if args.shard.is_some() && ledger::named(args.ledger.ledger.as_deref()).is_none() {
        let message =
            "`--shard` needs a ledger of its own: name it with `--ledger FILE` or `GRADER_LEDGER`";
        return Err(Failure::usage(message).into());
    }
    if args.layout == Some(Layout::One) {
        keep_to_what_is_named(args, terminal)?;
    }
    let location = assignment::find_or_nearest(args.assignment.as_deref(), Some(&args.class))?;
    let assignment = location.load(terminal)?;
    let samples = location.samples(&assignment).unwrap_or_else(|_| {
        terminal.note(
            "sample submissions cannot be read, so submissions are not compared with them; `grader check` shows why",
            "样例提交无法读取，不与它们比较；原因见 `grader check`",
        );
        Vec::new()
    });
    Ok((assignment, samples))
}

/// What lies around the work of one student may be the student's too, as in a repository: only files that are named count.
fn keep_to_what_is_named(args: &mut GradeArgs, terminal: &Terminal) -> Result<(), Failure> {
    if args.assignment.is_none() {
        let class = escaped(args.class.as_os_str().as_encoded_bytes());
        let message = format!(
            "`{class}` is the work of one student, who may have written what lies around it"
        );
        return Err(Failure::usage(assignment::name_one(&message)));
    }
    if !args.ledger.no_ledger && ledger::named(args.ledger.ledger.as_deref()).is_none() {
        args.ledger.no_ledger = true;
        terminal.note(
            "nothing is stored: to store one student's work, name a ledger with `--ledger`",
            "不保存结果：要保存一名学生的结果，请用 `--ledger` 指定账本",
        );
    }
    Ok(())
}

/// Refuses a class without any submission: it belongs to another assignment, or is no class, and nobody should get 0 for it.
fn refuse_if_nothing_matches(
    class: &Class,
    path: &Path,
    assignment: &Assignment,
) -> Result<(), Failure> {
    let students = &class.students;
    let has_work = |it: &Student| !it.submissions.is_empty() || !it.faults.is_empty();
    if students.iter().any(has_work) {
        return Ok(());
    }
    let problems = assignment.problems.iter();
    let problems: Vec<&str> = problems.map(|entry| entry.problem.id.as_str()).collect();
    let (problems, id) = (problems.join("`, `"), &assignment.id);
    let path = escaped(path.as_os_str().as_encoded_bytes());
    Err(Failure::mistake(Text::new(
        format!(
            "no file in `{path}` is for a problem of the assignment `{id}` (`{problems}`), so nobody is graded: is it another \
             assignment's class? Name the assignment with `--assignment`"
        ),
        format!(
            "`{path}` 中没有文件对应作业 `{id}` 的题目（`{problems}`），因此没有评测任何人。是不是另一次作业的提交？请用 `--assignment` 指定作业"
        ),
    )))
}

/// Prints which run is resumed, if one is.
fn say_if_resumed(run: Option<&Run>, terminal: &Terminal) {
    let Some(run) = run.filter(|run| run.is_resumed()) else {
        return;
    };
    let id = run.info().id;
    let began = run.info().began.replace('T', " ").replace('Z', " UTC");
    terminal.note(
        format!("resuming run {id}, started {began}"),
        format!("继续第 {id} 次评测（开始于 {began}）"),
    );
}

/// Prints how many results are of another version of their problem, if some are: a part of a class leaves them.
fn say_outdated(count: usize, terminal: &Terminal) {
    let results = if count == 1 {
        "result is"
    } else {
        "results are"
    };
    if count > 0 {
        terminal.note(
            format!(
                "{count} {results} from an earlier version of the problem, carried over and not graded in this run; to grade \
                 again, leave out `--student` and `--problem`"
            ),
            format!(
                "{count} 个结果来自题目的旧版本，这次没有评测：去掉 `--student` 和 `--problem` 即可重新评测"
            ),
        );
    }
}

/// Prints which of the students that were asked for are in other shards: so one command line does for all.
fn say_elsewhere(shard: Shard, part: &Part, terminal: &Terminal) {
    let elsewhere = part.students.iter().filter(|id| !shard.has(id));
    let elsewhere: Vec<&str> = elsewhere.map(StudentId::as_str).collect();
    if !elsewhere.is_empty() {
        let ids = escaped(elsewhere.join(", ").as_bytes());
        terminal.note(
            format!("not in shard {shard}, so not graded here: {ids}"),
            format!("不在分片 {shard} 中，此处不评测：{ids}"),
        );
    }
}

/// Reads the class, and prints its layout unless that is the usual one.
fn read(
    args: &mut GradeArgs,
    assignment: &Assignment,
    scratch: &Path,
    terminal: &Terminal,
) -> anyhow::Result<Class> {
    let roster = args.roster.as_deref().map(Roster::read).transpose();
    let roster = roster.map_err(|error| Failure::usage(error.to_string()))?;
    let class = read_class(&ClassSource {
        folder: &args.class,
        assignment,
        layout: args.layout,
        roster: roster.as_ref(),
        scratch,
    })?;
    if args.layout.is_none() && class.layout != Layout::Folders {
        let (found, word) = (class.layout.text(), class.layout.word());
        terminal.note(
            format!("the class is {} (`--layout {word}`)", found.en),
            format!("班级是{}（`--layout {word}`）", found.zh),
        );
    }
    if class.layout == Layout::One {
        keep_to_what_is_named(args, terminal)?;
    } else {
        refuse_if_nothing_matches(&class, &args.class, assignment)?;
    }
    Ok(class)
}

/// The message about a run that was stopped, with the command that resumes it.
fn stopped(run: Option<&Run>) -> Text {
    let words = env::args_os().filter(|word| word != "--fresh");
    let words = words.map(|word| word.to_string_lossy().into_owned());
    let again = escaped(typed(words).as_bytes());
    match run {
        Some(_) => Text::new(
            format!("stopped; what is stored is not judged again. To resume: {again}"),
            format!("已停止，已保存的结果不会重新评测。继续评测：{again}"),
        ),
        None => Text::new(
            "stopped; nothing is stored, so the next run starts over",
            "已停止；没有保存结果，下次将重新开始",
        ),
    }
}

//! `grader grade`.

mod checks;
mod dry_run;
mod why;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use grader_intake::{Class, ClassSource, IntakeError, read_class};
use grader_judge::{Judge, Part, ResultCache, Scratch, Shard, Stop, WholeClass, similar};
use grader_kit::statements::for_pages;
use grader_lms::{Layout, Roster, Teams};
use grader_model::{ProblemId, Results, Sink, SourceFile, Text};
use grader_problem::{Assignment, Sample};
use grader_report::{AboveBar, Fold, Progress};
use grader_session::corrections::{Corrections, Member};
use grader_session::{
    Ended, Exit, Failure, Location, People, Sections, StoredRuns, keep_cases, last_assignment,
    ledger, shortened, shown,
};
use grader_store::{BeginRun, Run};

use self::checks::{
    refuse_if_nothing_matches, refuse_kit_of_one, say_elsewhere, say_if_resumed, say_outdated,
    stopped, warn_of_lost_roster,
};
use crate::args::{CorrectionsArgs, PartArgs, StoreArgs};
use crate::assignment;
use crate::interrupt;
use crate::isolation::{self, IsolationArgs, Programs};
use crate::judge::{self, WorkerArgs};
use crate::outputs::{OutputArgs, Report};
use crate::pages::{page_scope, pages_beside, say_pages, write_pages_beside};
use crate::search::WhyArgs;
use crate::terminal::Terminal;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Every finished submission is in the ledger before the next one starts. If a run is stopped or killed, the same command \
resumes it; a later run reuses what has not changed.

Examples:
  grader grade submissions/
  grader grade submissions.zip -a week-1 --roster students.csv
  grader grade submissions/ --student s07 --explain s07
  grader grade submissions/ --problem gcd --fresh
  grader grade submissions/ --junit junit.xml --csv points.csv")]
pub(crate) struct GradeArgs {
    /// Submissions: a folder, or an archive from a course system.
    class: PathBuf,
    #[arg(long, short, value_name = "ID|PATH", help = assignment::help("above the class, or here"), long_help = assignment::long_help("the `assignment.toml` nearest above the class, or else above this folder; else the bundled one with which the class was last graded"))]
    assignment: Option<String>,
    /// Table of all students, with a header row (CSV).
    ///
    /// It gives their names, and shows who is missing or unknown.
    #[arg(long, value_name = "FILE")]
    roster: Option<PathBuf>,
    /// Table of teams, a row for each member [default: `groups.csv` beside the class, if it exists].
    ///
    /// It has a column `team` or `group`, and columns as in a roster. A team's submission counts for each member.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    groups: Option<PathBuf>,
    /// How the submissions are arranged [default: detected, and printed].
    #[arg(long, value_name = "LAYOUT", value_parser = layouts(), hide_short_help = true)]
    layout: Option<Layout>,
    #[command(flatten)]
    part: PartArgs,
    /// Judge nothing: show which files belong to each submission, and why others do not.
    #[arg(long, conflicts_with = "OutputArgs", hide_short_help = true)]
    dry_run: bool,
    /// Reuse nothing: judge every submission again.
    ///
    /// Earlier runs stay in the ledger. Needed after you install a system library, which the ledger does not track.
    #[arg(long)]
    fresh: bool,
    /// Grade one shard of the class, such as `3/16`, into a ledger of its own; `grader merge` joins them.
    #[arg(
        long,
        value_name = "K/N",
        conflicts_with = "no_ledger",
        hide_short_help = true
    )]
    shard: Option<Shard>,
    #[command(flatten)]
    why: WhyArgs,
    #[command(flatten)]
    corrections: CorrectionsArgs,
    #[command(flatten)]
    workers: WorkerArgs,
    #[command(flatten)]
    outputs: OutputArgs,
    #[command(flatten)]
    store: StoreArgs,
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
    let (assignment, samples, statements, location) = load(&mut args, terminal)?;
    args.outputs.check(&args.part.asked())?;
    let scratch = Scratch::new()?;
    let stop = Stop::new();
    let mut progress = Progress::new(&terminal.error_style(), terminal.has_progress());
    let above = progress.above();
    let listener = interrupt::listen(&stop, scratch.path(), Some(above.clone()), terminal.lang)?;

    let (mut class, corrections) = read(&mut args, &place, &assignment, scratch.path(), terminal)?;
    if let Some(id) = location.hides
        && (class.layout == Layout::One || fs::canonicalize(id)?.starts_with(&place))
    {
        let message = format!(
            "`{id}` is a bundled assignment and a folder here, which the student may have written: name the folder as `./{id}`, or \
             grade from another folder"
        );
        return Err(Failure::usage(message).into());
    }
    // In the whole class, even if only a shard or a part of it is graded.
    class.similar = similar(&assignment, &samples, &class);
    let mut task = Task {
        place,
        assignment,
        class,
        part: Part::default(),
        corrections,
    };
    let ids = task.class.students.iter().map(|student| &student.id);
    let whole = args.shard.map(|_| WholeClass::of(ids));
    if !choose(&mut args, &mut task, terminal)? {
        return Ok(Exit::Done);
    }
    if args.dry_run {
        dry_run::show(&task.class, &task.assignment, &task.part, terminal)?;
        return Ok(Exit::Done);
    }
    let count = match task.part.students.len() {
        0 => task.class.students.len(),
        named => named,
    };
    args.outputs.check_students(count)?;
    let sections = sections(&args, &task.place, &task.assignment, &task.class)?.1;
    let is_one = task.class.layout == Layout::One;
    let folder = Some(&*task.place).filter(|_| !is_one);
    args.outputs.prepare(&sections.id(), folder)?;
    let runner = isolation::runner(&args.isolation, Programs::Others, terminal)?;
    judge::say_without_pypy(&task.assignment, terminal);
    let wanted = BeginRun {
        class: task.place.clone(),
        assignment: task.assignment.info(),
        grader: env!("CARGO_PKG_VERSION").to_owned(),
        shard: args.shard,
        whole,
        one_student: is_one,
        statements,
        fresh: args.fresh,
    };
    let run = args.begin(&wanted, &task.class, above, terminal)?;
    say_if_resumed(run.as_deref(), terminal);
    let mut settings = judge::settings(runner, args.workers.jobs, &stop, terminal)?;
    settings.part = task.part.clone();
    settings.explains_undefined = true;
    if let Some(run) = &run {
        judge::use_cache(&mut settings, Arc::clone(run) as Arc<dyn ResultCache>)?;
        settings.kept_builds = judge::kept_builds(&settings)?;
    }
    let judge = Judge::with_scratch(settings, scratch);
    let run = run.as_deref();
    listener.programs_run(run.map(|_| stopped(run).get(terminal.lang).to_owned()));
    let mut results = judged(&judge, &task, run, &mut progress)?;
    if let Some(time) = args.why.time().filter(|_| !results.interrupted) {
        let results = (run, &mut results);
        why::explain(&judge, &task, &location, results, time, terminal)?;
    }
    results.class = Some(sections.id());
    // Reports need only what was judged: of a hundred thousand names, the rest is a lot.
    task.class.students = Vec::new();
    publish(&args, task, run, results, &sections, terminal)
}

/// What is graded.
struct Task {
    /// The class's canonical path.
    place: PathBuf,
    assignment: Assignment,
    class: Class,
    part: Part,
    corrections: Corrections,
}

/// Leaves the part of the class that was asked for. Returns whether anybody in it belongs to this shard.
fn choose(args: &mut GradeArgs, task: &mut Task, terminal: &Terminal) -> anyhow::Result<bool> {
    let people = People::of_class(&task.class, &args.class);
    let asked = args.part.asked();
    args.outputs.resolve(&people, &asked)?;
    let mut part = asked.resolve(&people, &task.assignment.info())?;
    // A report about one student needs nobody else.
    if part.students.is_empty() {
        part.students = args.outputs.only();
    }
    if let Some(shard) = args.shard {
        say_elsewhere(shard, &part, terminal);
        let students = &mut task.class.students;
        students.retain(|student| shard.has(&student.id));
        if !part.students.is_empty() && !part.students.iter().any(|id| shard.has(id)) {
            return Ok(false);
        }
    }
    task.part = part;
    if asked.is_of_cases() {
        keep_cases(&mut task.assignment, &asked.cases, true)?;
        terminal.note(
            "only some cases run, so nothing is stored",
            "只运行部分测试点，因此不保存结果",
        );
        args.store.no_ledger = true;
    }
    Ok(true)
}

/// Judges the class, and stores results as they come.
fn judged(
    judge: &Judge,
    task: &Task,
    run: Option<&Run>,
    progress: &mut Progress,
) -> anyhow::Result<Results> {
    let mut fold = Fold::new();
    let mut stored = run;
    let mut sinks: Vec<&mut dyn Sink> = vec![&mut fold, progress];
    if let Some(run) = &mut stored {
        sinks.insert(0, run);
    }
    // A progress bar that cannot be drawn must not cost the grades.
    let _ = judge
        .grade(&task.assignment, &task.class, &mut sinks)
        .sink_errors;
    Ok(ledger::results(fold, run)?)
}

/// Corrects the results, and writes reports and pages.
fn publish(
    args: &GradeArgs,
    task: Task,
    run: Option<&Run>,
    mut results: Results,
    sections: &Sections,
    terminal: &Terminal,
) -> anyhow::Result<Exit> {
    let ledger = args.ledger(&task.place);
    let asked = args.part.asked();
    let stored = run.map(|_| StoredRuns::open(ledger.clone())).transpose();
    let has_failed = ledger::has_failed(run) || stored.is_err();
    let stored = stored.unwrap_or_else(|error| {
        terminal.error(&error.into());
        None
    });
    let stored = stored.as_ref();
    // Only a run of a part carries old results over. If they cannot be counted, the note is left out.
    if let Some((stored, run)) = stored.zip(run).filter(|_| task.part != Part::default()) {
        say_outdated(stored.outdated(run.info().id).unwrap_or(0), terminal);
    }
    if let Some((stored, run)) = stored.zip(run).filter(|_| args.roster.is_none()) {
        warn_of_lost_roster(stored, run.info().id, &results, terminal);
    }
    // Without points there is nothing to correct.
    if !asked.is_of_cases() {
        // Somebody may have corrected points meanwhile.
        let mut corrections = task.corrections.reread(&results.assignment, terminal);
        let known = stored.is_none().then(|| StoredRuns::known(&ledger));
        let known = known.flatten();
        corrections.apply(&mut results, stored.or(known.as_ref()), terminal)?;
    }
    // Pages are of the whole class. All shards would write to the same folder.
    let has_pages = !args.store.no_pages && args.shard.is_none() && !results.interrupted;
    let pages = run.filter(|_| has_pages).map(|_| {
        let folder = pages_beside(&ledger, &task.place, &results.assignment.id);
        let written = write_pages_beside(&folder, &results, stored, terminal);
        (folder, written)
    });
    asked.keep(&task.part, &mut results);
    let report = Report {
        results: &results,
        stored,
        sections,
        against: None,
        scope: page_scope(
            &asked,
            args.shard.is_some() || results.interrupted,
            results.students.len(),
        ),
        is_of_cases: asked.is_of_cases(),
    };
    let reported = args.outputs.write(&report, terminal);
    if let Some((folder, written)) = pages {
        say_pages(&folder, written, terminal);
    }
    if results.interrupted {
        let message = stopped(run);
        terminal.warn(message.en, message.zh);
        if let Err(error) = reported {
            terminal.error(&error);
        }
    } else {
        reported?;
    }
    let ended = Ended {
        is_interrupted: results.interrupted,
        // What is open elsewhere in the class is no matter of this report.
        has_faults: results.has_faults() || has_failed,
        is_unmet: false,
    };
    Ok(ended.exit())
}

/// An assignment, the sample submissions of its problems, which submissions are compared with, statements for pages, and where it is.
type Loaded = (
    Assignment,
    Vec<Vec<Sample>>,
    BTreeMap<ProblemId, Vec<SourceFile>>,
    Location,
);

/// Reads the assignment, unless the command line lacks something.
fn load(args: &mut GradeArgs, terminal: &Terminal) -> anyhow::Result<Loaded> {
    if args.shard.is_some() && args.store.ledger.named().is_none() {
        let message =
            "`--shard` needs a ledger of its own: name it with `--ledger FILE` or `GRADER_LEDGER`";
        return Err(Failure::usage(message).into());
    }
    if args.shard.is_some() && args.outputs.publishes() {
        let message = "`--web` publishes the pages of a whole class: use it with `grader report`, once the shards are merged";
        return Err(Failure::usage(message).into());
    }
    if let Some(option) = args.outputs.needs_ledger().filter(|_| args.store.no_ledger) {
        let message = format!("`{option}` needs what the ledger keeps: leave out `--no-ledger`");
        return Err(Failure::usage(message).into());
    }
    if args.layout == Some(Layout::One) {
        keep_to_what_is_named(args, terminal)?;
    }
    let last = || last_assignment(&args.class, args.store.ledger.named());
    let location =
        assignment::assignments().of_class(args.assignment.as_deref(), &args.class, last)?;
    let assignment = location.load(terminal)?;
    let samples = location.samples(&assignment).unwrap_or_else(|_| {
        terminal.warn(
            "sample submissions cannot be read, so submissions are not compared with them; `grader check` shows why",
            "样例程序无法读取，因此没有与它们比较；原因见 `grader check`",
        );
        Vec::new()
    });
    let statements = for_pages(location.library.as_ref(), &assignment);
    Ok((assignment, samples, statements, location))
}

/// What lies around the work of one student may be the student's too, as in a repository: only files that are named count.
fn keep_to_what_is_named(args: &mut GradeArgs, terminal: &Terminal) -> Result<(), Failure> {
    if args.assignment.is_none() {
        let class = shown(&args.class);
        let message = format!(
            "`{class}` is the work of one student, who may have written what lies around it"
        );
        return Err(Failure::usage(assignment::assignments().name_one(&message)));
    }
    if !args.store.no_ledger && args.store.ledger.named().is_none() {
        args.store.no_ledger = true;
        terminal.note(
            "nothing is stored: to store one student's work, name a ledger with `--ledger`",
            "不保存结果：要保存一名学生的结果，请用 `--ledger` 指定结果库",
        );
    }
    Ok(())
}

/// Reads the class and its corrections, and prints its layout unless that is the usual one.
fn read(
    args: &mut GradeArgs,
    place: &Path,
    assignment: &Assignment,
    scratch: &Path,
    terminal: &Terminal,
) -> anyhow::Result<(Class, Corrections)> {
    let roster = args.roster.as_deref().map(Roster::read).transpose();
    let roster = roster.map_err(|error| Failure::usage(error.to_string()))?;
    say_how_read(roster.as_ref().and_then(|it| it.note.as_ref()), terminal);
    let named = args.part.asked().students;
    let mut source = ClassSource {
        folder: &args.class.clone(),
        assignment,
        layout: args.layout,
        roster: roster.as_ref(),
        teams: None,
        student: named.first().map(String::as_str),
        corrections: &[],
        scratch,
    };
    let mut class = read_class(&source)?;
    if args.layout.is_none() && class.layout != Layout::Folders {
        let (found, word) = (class.layout.text(), class.layout.word());
        terminal.note(
            format!("the class is {} (`--layout {word}`)", found.en),
            format!("识别出的提交形式：{}（`--layout {word}`）", found.zh),
        );
    }
    let one_student = class.layout == Layout::One;
    let named = args.corrections.corrections.as_deref();
    let mut corrections = Corrections::load(named, place, one_student, &assignment.info())?;
    scope(&mut corrections, args, place, assignment, &class)?;
    // Where corrections and groups are depends on the layout. Reading a class twice is cheap beside grading it.
    let of_files = corrections.of_files();
    let teams = args.teams(place, one_student, roster.as_ref())?;
    say_how_read(teams.as_ref().and_then(|it| it.note.as_ref()), terminal);
    if !of_files.is_empty() || teams.is_some() {
        source.corrections = &of_files;
        source.teams = teams.as_ref();
        class = read_class(&source)?;
    }
    if one_student {
        keep_to_what_is_named(args, terminal)?;
    } else {
        refuse_if_nothing_matches(&class, &args.class, assignment)?;
        refuse_kit_of_one(&class, assignment)?;
    }
    Ok((class, corrections))
}

/// Keeps the corrections for this class, as far as that matters before it is judged: files may be assigned by hand.
fn scope(
    corrections: &mut Corrections,
    args: &GradeArgs,
    place: &Path,
    assignment: &Assignment,
    class: &Class,
) -> anyhow::Result<()> {
    if !corrections.assign_files() {
        return Ok(());
    }
    let (stored, sections) = sections(args, place, assignment, class)?;
    let students: Vec<_> = class.students.iter().map(|it| Member::of(&it.id)).collect();
    corrections.scope(&sections, stored.as_ref(), &students)?;
    Ok(())
}

/// The ledger that knows which classes there are, and this one among them as it will be once it is graded.
fn sections(
    args: &GradeArgs,
    place: &Path,
    assignment: &Assignment,
    class: &Class,
) -> anyhow::Result<(Option<StoredRuns>, Sections)> {
    let stored = StoredRuns::known(&args.ledger(place));
    let info = assignment.info();
    let sections = if args.store.no_ledger {
        Sections::of(place, &info.id, stored.as_ref())?
    } else {
        Sections::to_grade(place, info, args.shard, class, stored.as_ref())?
    };
    Ok((stored, sections))
}

/// Prints how a table was read that does not say it.
fn say_how_read(note: Option<&Text>, terminal: &Terminal) {
    if let Some(Text { en, zh }) = note {
        terminal.note(en, zh);
    }
}

impl GradeArgs {
    /// Where the results are stored, if they are.
    fn ledger(&self, class: &Path) -> PathBuf {
        ledger::path(self.store.ledger.named(), class)
    }

    /// Begins a run, or resumes one; `None` if nothing is to be stored.
    fn begin(
        &self,
        wanted: &BeginRun,
        class: &Class,
        above: AboveBar,
        terminal: &Terminal,
    ) -> anyhow::Result<Option<Arc<Run>>> {
        if self.store.no_ledger {
            return Ok(None);
        }
        let ledger = self.ledger(&wanted.class);
        Ok(Some(ledger::begin(
            &ledger, wanted, class, above, terminal,
        )?))
    }

    /// The teams. A file beside the work of one student may be the student's: that one must be named.
    fn teams(
        &self,
        class: &Path,
        is_of_one_student: bool,
        roster: Option<&Roster>,
    ) -> Result<Option<Teams>, Failure> {
        let beside = shortened(class.with_file_name("groups.csv"));
        let beside = Some(beside).filter(|path| !is_of_one_student && path.exists());
        let path = self.groups.clone().or(beside);
        let teams = path.map(|path| Teams::read(&path, roster)).transpose();
        teams.map_err(|error| Failure::usage(error.to_string()))
    }
}

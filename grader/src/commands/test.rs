//! `grader test`.

mod cases;
pub(super) mod choose;
mod given;
mod watch;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context as _;
use clap::Args;
use grader_intake::{Class, Student, Submission};
use grader_judge::{Judge, Scratch, Settings, Stop};
use grader_model::{
    CaseResult, Points, ProblemId, ProblemResult, Results, Sink, Status, StudentId,
};
use grader_problem::{Assignment, Entry};
use grader_report::{Fold, TestView, document as draw, write_json, write_junit};
use grader_search::{Explainer, innocent};
use grader_session::{Ended, Exit, Location, keep_cases};
use grader_view::{Own, Visible, is_right};

use self::choose::ProgramArgs;
use self::watch::Seen;
use crate::documents::{Documents, FindingArgs, Kind};
use crate::interrupt::{self, Listener};
use crate::isolation::{self, IsolationArgs, Programs};
use crate::judge;
use crate::outputs::write_github;
use crate::search::{WhyArgs, failure, space};
use crate::terminal::Terminal;

/// Clears a terminal.
const CLEAR: &str = "\x1b[2J\x1b[H";

#[derive(Debug, Args)]
#[command(after_long_help = "\
Cases that cannot change the points are skipped: in a subtask that needs all of its cases, those after the first \
failure.

Examples:
  grader test count.c
  grader test count.c --case n=6
  grader test mine.c -p count --all
  grader test sum.c --input numbers.txt
  grader test sum.c --why
  grader test count.c --watch")]
pub(crate) struct TestArgs {
    #[command(flatten)]
    program: ProgramArgs,
    /// Only this case, with its limits and its share of the points (repeatable).
    #[arg(long, value_name = "NAME")]
    case: Vec<String>,
    /// Run all cases, even those that cannot change the points.
    #[arg(long)]
    all: bool,
    /// Run the program on this input only, and show what it prints (`-`: standard input).
    #[arg(long, value_name = "FILE", conflicts_with_all = ["case", "all", "watch", "why", "json", "junit", "github"])]
    input: Option<PathBuf>,
    #[command(flatten)]
    why: WhyArgs,
    /// Test again whenever a file changes.
    #[arg(long, conflicts_with_all = ["json", "junit", "github"])]
    watch: bool,
    #[command(flatten)]
    documents: FindingArgs,
    #[command(flatten)]
    isolation: IsolationArgs,
}

pub(crate) fn run(args: &TestArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    if !args.watch {
        // Mistakes in the command line come before what is wrong with this machine.
        let chosen = chosen(args, terminal).inspect_err(|_| {
            // Earlier documents are not those of this run.
            let kind = Kind::without_class("bitcraft-results/3", None);
            let _ = args.documents.prepare(&kind, terminal);
        })?;
        let assignment = Some(chosen.0.id.as_str());
        let kind = Kind::without_class("bitcraft-results/3", assignment);
        let terminal = &args.documents.prepare(&kind, terminal)?;
        if let Some(input) = &args.input {
            return given::run(input, &chosen, || Ok(judge(args, terminal)?.0), terminal);
        }
        let (judge, listener) = judge(args, terminal)?;
        return test(args, &judge, chosen, Some(&listener), terminal);
    }
    let (judge, _) = judge(args, terminal)?;
    loop {
        let mut paths = args.program.files.clone();
        let mut seen = Seen::of(&paths);
        let tested = chosen(args, terminal);
        // The files of the project, too.
        let submissions = tested.iter().flat_map(|(_, all, _)| all.values());
        let taken = submissions.flat_map(|it| it.shown.iter().map(PathBuf::from));
        let taken: Vec<PathBuf> = taken.filter(|it| !paths.contains(it)).collect();
        seen.add(&taken);
        paths.extend(taken);
        let tested = tested.and_then(|it| test(args, &judge, it, None, terminal));
        // What is wrong now may be right after the next change.
        if let Err(error) = tested {
            terminal.error(&error);
        }
        terminal.note(
            "waiting for changes; press Ctrl-C to stop",
            "等待文件改动；按 Ctrl-C 退出",
        );
        seen.wait_for_change(&paths);
        if terminal.is_live() {
            terminal.stdout().write_all(CLEAR.as_bytes())?;
        }
    }
}

/// The problems that are tested, what is submitted for them, and where they are.
type Chosen = (Assignment, BTreeMap<ProblemId, Submission>, Location);

/// What the files are for, with the cases that were asked for.
fn chosen(args: &TestArgs, terminal: &Terminal) -> anyhow::Result<Chosen> {
    let (mut assignment, submissions, location) = choose::choose(&args.program, terminal)?;
    let problems = &mut assignment.problems;
    // The only problem of an assignment takes a program of any name.
    let is_only = problems.len() == 1 && problems[0].problem.submission.project != Some(false);
    problems.retain(|entry| submissions.contains_key(&entry.problem.id));
    if !is_only {
        choose::warn_unrecognised(&args.program, &assignment, &submissions, terminal);
    }
    keep_cases(&mut assignment, &args.case, false)?;
    Ok((assignment, submissions, location))
}

/// A judge of the student's own programs.
fn judge(args: &TestArgs, terminal: &Terminal) -> anyhow::Result<(Judge, Listener)> {
    let runner = isolation::runner(&args.isolation, Programs::Own, terminal)?;
    let stop = Stop::new();
    // One program at a time: cases are shown as they end, in order.
    let settings = Settings {
        overlaps: false,
        stops_early: !args.all,
        explains_undefined: true,
        ..judge::settings(runner, NonZeroUsize::new(1), &stop, terminal)?
    };
    let scratch = Scratch::new()?;
    // Without `programs_run` the first Ctrl-C ends this process at once. The cases that ended are on the screen.
    let listener = interrupt::listen(&stop, scratch.path(), None, terminal.lang)?;
    Ok((Judge::with_scratch(settings, scratch), listener))
}

/// Tests the programs. With a listener, Ctrl-C during a search shows what was found.
fn test(
    args: &TestArgs,
    judge: &Judge,
    (assignment, submissions, location): Chosen,
    listener: Option<&Listener>,
    terminal: &Terminal,
) -> anyhow::Result<Exit> {
    let cases = cases::of(&assignment);
    let class = Class {
        students: vec![Student {
            id: StudentId::new("you"),
            person: None,
            team: None,
            notes: Vec::new(),
            remarks: Vec::new(),
            submissions: submissions.clone(),
            faults: BTreeMap::new(),
            unused: Vec::new(),
        }],
        ..Class::default()
    };
    let mut fold = Fold::new();
    let summary = {
        let is_live = terminal.is_live();
        let mut view = TestView::new(&terminal.style(), cases, is_live, terminal.stdout());
        let mut sinks: Vec<&mut dyn Sink> = vec![&mut fold, &mut view];
        judge.grade(&assignment, &class, &mut sinks)
    };
    summary.sink_errors.into_iter().try_for_each(Err)?;
    for entry in assignment
        .problems
        .iter()
        .filter(|it| it.hidden > Points::ZERO)
    {
        let (id, hidden) = (&entry.problem.id, entry.hidden);
        let all = entry.points + hidden;
        let line = terminal.lang.pick(
            format!("{id}: {hidden} of {all} points are in hidden cases"),
            format!("{id}：{all} 分中有 {hidden} 分在隐藏的测试点中"),
        );
        writeln!(terminal.stdout(), "{line}")?;
    }
    let mut results = fold.results().context("the judge reported no run")?;
    let mut searched = Ok(());
    if let Some(time) = args.why.time().filter(|_| !results.interrupted) {
        if let Some(listener) = listener {
            listener.programs_run(None);
        }
        let students = results.students.iter_mut();
        let problems = students.flat_map(|student| &mut student.problems);
        let failed = problems.filter(|it| it.status == Status::Judged);
        let mut failed = failed.filter(|it| !is_right(it));
        searched = failed.try_for_each(|problem| {
            let mut entries = assignment.problems.iter();
            let entry = entries.find(|it| it.problem.id == problem.id);
            if let (Some(entry), Some(own)) = (entry, submissions.get(&problem.id)) {
                let found = explain(judge, entry, own, &location, time, terminal)?;
                problem.counterexample = found.map(Box::new);
            }
            Ok(())
        });
    }
    // What was judged is written even if somebody stopped the search.
    let own = Own::judged_here(&results).map_err(io::Error::from)?;
    args.documents
        .write(&Tested(Visible::Student(own)), terminal)?;
    searched.map(|()| exit(&results))
}

fn exit(results: &Results) -> Exit {
    let students = results.students.iter();
    let mut problems = students.flat_map(|student| &student.problems);
    let ended = Ended {
        is_interrupted: results.interrupted,
        has_faults: results.has_faults(),
        is_unmet: !problems.all(is_right),
    };
    ended.exit()
}

/// The results, as the text shows them.
struct Tested<'a>(Visible<'a>);

impl Documents for Tested<'_> {
    fn json(&self, out: &mut dyn Write) -> io::Result<()> {
        write_json(&self.0, out)
    }

    fn junit(&self, out: &mut dyn Write) -> io::Result<()> {
        write_junit(&self.0.view(), out)
    }

    fn annotations(&self, terminal: &Terminal) -> io::Result<()> {
        write_github(&self.0.view(), terminal)
    }
}

/// Prints why a program does not build.
pub(crate) fn say_unbuilt(unbuilt: ProblemResult, terminal: &Terminal) -> anyhow::Result<Exit> {
    if let Some(messages) = unbuilt.build.and_then(|build| build.messages) {
        writeln!(io::stderr(), "{}", messages.text)?;
    }
    let message = unbuilt.message.unwrap_or_default();
    writeln!(terminal.stdout(), "{}", message.get(terminal.lang))?;
    Ok(Exit::Unmet)
}

/// Prints an input on which the program fails, and returns how.
fn explain(
    judge: &Judge,
    entry: &Entry,
    submission: &Submission,
    location: &Location,
    time: Duration,
    terminal: &Terminal,
) -> anyhow::Result<Option<CaseResult>> {
    let space = space(&entry.problem, location)?;
    let explainer = Explainer {
        judge,
        entry,
        space: &space,
        library: location.library.as_ref(),
        time,
    };
    let outcome = explainer.explain(submission);
    let Some(outcome) = outcome.map_err(failure)? else {
        return Ok(None);
    };
    let (en, zh) = match (&outcome.found, &outcome.unconfirmed) {
        (Some(_), _) => (
            "On an input outside the test cases:",
            "在测试点之外的输入上：",
        ),
        (None, Some(_)) => (
            "It failed on an input outside the test cases, but there was not enough time to confirm that: try a longer `--time`",
            "在测试点之外的输入上出过错，但时间不够，未能确认：请延长 `--time`",
        ),
        (None, None) if outcome.is_untried => (
            "No other input was tried: try a longer `--time`",
            "没有试到其他输入：请延长 `--time`",
        ),
        (None, None) => (
            "No other input found on which it fails",
            "没有找到其他出错的输入",
        ),
    };
    let found = outcome.found.as_ref();
    let shown = found.map(|it| draw::case(it, &terminal.style()));
    let (heading, shown) = (terminal.lang.pick(en, zh), shown.unwrap_or_default());
    write!(terminal.stdout(), "\n{heading}\n{shown}")?;
    if let Some(fault) = outcome.problem_fault.map(innocent) {
        writeln!(terminal.stdout(), "{}", fault.get(terminal.lang))?;
    }
    Ok(outcome.found)
}

//! `grader stress`.

use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use grader_intake::{Submission, read_files};
use grader_model::{Lang, Text};
use grader_problem::{Assignment, Entry, Problem, Reference, ReferenceProgram};
use grader_report::{StressDocument, document as draw};
use grader_search::{Search, SearchTime, add_cases, innocent};
use grader_session::{Ended, Exit, Failure, Location, shown};

use super::test::choose::{ProgramArgs, choose};
use super::test::say_unbuilt;
use crate::documents::JsonArgs;
use crate::isolation::IsolationArgs;
use crate::judge::{self, WorkerArgs};
use crate::search::{DEFAULT_SECONDS, failure, seconds, space};
use crate::terminal::Terminal;

#[derive(Debug, Args)]
#[command(after_long_help = "\
The program is compared with the reference on inputs outside the cases: all values of the cases' variables, from the \
smallest to the largest, or the inputs of the problem's `[search]` if it has one. An input on which the program fails is \
shrunk as long as the program still fails.

Exit status: 0 if no input was found, 1 if one was, 3 if the problem is faulty, or there was not enough time to confirm \
what was seen.

Examples:
  grader stress count.c
  grader stress mine.py -p sum --time 60
  grader stress fast.c -p sum --against slow.py
  grader stress count.c --save")]
pub(crate) struct StressArgs {
    #[command(flatten)]
    program: ProgramArgs,
    /// Compare with this program instead of the reference (repeatable: its source files).
    #[arg(long, value_name = "FILE")]
    against: Vec<PathBuf>,
    /// Add the input that is found to `problem.toml`, as a case.
    #[arg(long)]
    save: bool,
    /// Seconds to search.
    #[arg(long, value_name = "SECONDS", default_value_t = DEFAULT_SECONDS, value_parser = seconds)]
    time: u64,
    /// Seed for the order of the inputs, if they are drawn at random.
    #[arg(long, value_name = "N", default_value_t = 1, hide_short_help = true)]
    seed: u64,
    #[command(flatten)]
    json: JsonArgs,
    #[command(flatten)]
    workers: WorkerArgs,
    #[command(flatten)]
    isolation: IsolationArgs,
}

pub(crate) fn run(args: &StressArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let terminal = &args.json.prepare(StressDocument::FORMAT, terminal)?;
    let (assignment, submissions, location) = choose(&args.program, terminal)?;
    let mut entries = assignment.problems.iter();
    let found = entries.find_map(|it| Some((it, submissions.get(&it.problem.id)?)));
    let (Some((entry, submission)), 1) = (found, submissions.len()) else {
        let message = "the files are for several problems: specify one with `--problem`";
        return Err(Failure::usage(message).into());
    };
    let mut entry = entry.clone();
    if !args.against.is_empty() {
        let other = other_program(&args.against, &assignment, &entry)?;
        Arc::make_mut(&mut entry.problem).reference = Some(other);
    }
    let problem = &entry.problem;
    let space = space(problem, &location)?;
    let jobs = args.workers.jobs;
    let (judge, stop) = judge::of_author(&args.isolation, jobs, false, None, terminal)?;
    let inputs = space.counts().fold(1, u128::saturating_mul);
    let document = nothing_found(args, problem, submission, inputs);
    let compared = match judge.compare(&entry, submission)? {
        Ok(compared) => compared,
        Err(unbuilt) => {
            let document = StressDocument {
                unbuilt: Some(unbuilt.clone().in_language(Lang::En)),
                ..document
            };
            args.json.write(&document, terminal)?;
            return say_unbuilt(*unbuilt, terminal);
        }
    };
    let time = SearchTime::of(Duration::from_secs(args.time));
    let library = location.library.as_ref();
    let mut search = Search::new(&space, args.seed, &compared, library, time);
    if let Some(other) = args.against.first() {
        search.reference = Text::new(shown(other), format!(" {} ", shown(other)));
    }
    while match search.step() {
        Err(error) if error.is_stop() => false,
        ended => ended.map_err(failure)?,
    } {}
    let document = StressDocument {
        tried: search.count(),
        interrupted: stop.is_requested(),
        found: search.found_input(),
        unconfirmed: search.unconfirmed.clone(),
        problem_fault: search.problem_fault().map(|it| it.en),
        ..document
    };
    args.json.write(&document, terminal)?;
    if document.tried == 0 && document.interrupted {
        return Ok(Exit::Interrupted);
    }
    say(&search, terminal)?;
    if document.found.is_some() && args.save {
        save(&search, problem, &location, terminal)?;
    }
    let ended = Ended {
        is_interrupted: document.interrupted,
        has_faults: document.problem_fault.is_some() || document.unconfirmed.is_some(),
        is_unmet: document.found.is_some(),
    };
    Ok(ended.of_search().exit())
}

/// What is known before the search.
fn nothing_found(
    args: &StressArgs,
    problem: &Problem,
    submission: &Submission,
    inputs: u128,
) -> StressDocument {
    StressDocument {
        format: StressDocument::FORMAT,
        problem: problem.id.clone(),
        files: submission.shown.clone(),
        against: args.against.first().map(|it| shown(it)),
        unbuilt: None,
        tried: 0,
        inputs,
        interrupted: false,
        found: None,
        unconfirmed: None,
        problem_fault: None,
    }
}

/// The program that these files are, as the reference of the problem.
fn other_program(
    files: &[PathBuf],
    assignment: &Assignment,
    entry: &Entry,
) -> anyhow::Result<Reference> {
    let id = &entry.problem.id;
    let read = read_files(files, assignment, Some(id))?
        .submissions
        .remove(id);
    let sources = read.map(|it| it.sources().map(|it| it.to_vec()));
    Ok(Reference {
        program: ReferenceProgram::Sources(sources.transpose()?.unwrap_or_default()),
        calibrate: Vec::new(),
        timed: Vec::new(),
    })
}

/// Prints what was found.
fn say(search: &Search<'_>, terminal: &Terminal) -> anyhow::Result<()> {
    if search.has_found() {
        say_found(search, terminal)?;
    } else {
        say_none(search, terminal)?;
    }
    if let Some(fault) = search.problem_fault().map(innocent) {
        writeln!(terminal.stdout(), "{}", fault.get(terminal.lang))?;
    }
    Ok(())
}

fn say_none(search: &Search<'_>, terminal: &Terminal) -> anyhow::Result<()> {
    let tried = search.tried(terminal.lang).map_err(Failure::mistake)?;
    let Text { en, zh } = &search.reference;
    let line = match &search.unconfirmed {
        None => terminal.lang.pick(
            format!("no difference from {en} in {tried}"),
            format!("试过{tried}，都与{zh}一致"),
        ),
        Some(input) => terminal.lang.pick(
            format!(
                "a difference from {en} was seen on {input}, but there was not enough time to confirm it: try a longer `--time`; {tried} tried"
            ),
            format!("在 {input} 上出现过与{zh}不一致的结果，但时间不够，未能确认：请延长 `--time`；试过{tried}"),
        ),
    };
    writeln!(terminal.stdout(), "{line}")?;
    Ok(())
}

fn say_found(search: &Search<'_>, terminal: &Terminal) -> anyhow::Result<()> {
    let Some(result) = search.result() else {
        return Ok(());
    };
    let shown = draw::case(&result, &terminal.style());
    let tried = search.tried(terminal.lang).map_err(Failure::mistake)?;
    let made = search.made_from().map_or_else(String::new, |input| {
        terminal.lang.pick(
            format!(", made from {input}"),
            format!("（由 {input} 缩小而来）"),
        )
    });
    let line = terminal.lang.pick(
        format!("the smallest input found on which the program fails{made}; {tried} tried"),
        format!("这是找到的最小出错输入{made}；试过{tried}"),
    );
    writeln!(terminal.stdout(), "{shown}{line}")?;
    Ok(())
}

fn save(
    search: &Search<'_>,
    problem: &Problem,
    location: &Location,
    terminal: &Terminal,
) -> anyhow::Result<()> {
    let kept: Vec<_> = search.kept().into_iter().collect();
    let added = add_cases(&kept, problem, || location.check());
    let (subtask, path) = added.map_err(failure)?;
    let (name, path) = (&subtask.name, shown(&path));
    let line = terminal.lang.pick(
        format!("saved as a case of subtask `{name}` in `{path}`"),
        format!("已作为子任务 `{name}` 的测试点存入 `{path}`"),
    );
    writeln!(terminal.stdout(), "{line}")?;
    Ok(())
}

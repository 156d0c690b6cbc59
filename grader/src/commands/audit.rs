//! `grader audit`.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::time::{Duration, Instant};

use clap::Args;
use grader_intake::Submission;
use grader_judge::{Fault, Judge, KnownAnswers, Scratch, Stop};
use grader_model::{Standing, Verdict, counted, escaped};
use grader_problem::{Entry, SearchSpace};

use crate::assignment::{self, Location};
use crate::exit::{Exit, Failure};
use crate::graded::{Graded, RunArgs};
use crate::isolation::{self, IsolationArgs, Programs};
use crate::judge::WorkerArgs;
use crate::search::{Search, space};
use crate::terminal::Terminal;
use crate::{interrupt, judge};

/// Inputs of a turn: starting the sandbox for a turn takes as long as some runs.
const BATCH: usize = 16;
/// How long an input is made smaller: the other programs wait.
const PATIENCE: Duration = Duration::from_secs(2);

#[derive(Debug, Args)]
#[command(after_long_help = "\
Every program that was accepted is compared with the reference on inputs that no case has, as by `grader stress`. The programs take \
turns, so each is tried on about as many inputs. Nothing is changed.

Exit status: 0 if no program was found wrong, 1 if one was.

Examples:
  grader audit
  grader audit submissions/ --problem count --time 300")]
pub(crate) struct AuditArgs {
    #[command(flatten)]
    source: RunArgs,
    /// Only this problem (repeatable).
    #[arg(long, value_name = "ID")]
    problem: Vec<String>,
    /// Seconds to search.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    time: u64,
    /// Number from which the order of the inputs follows, if they are drawn.
    #[arg(long, value_name = "N", default_value_t = 1, hide_short_help = true)]
    seed: u64,
    #[arg(long, short, value_name = "ID|PATH", help = assignment::help("nearest to the class"), long_help = assignment::long_help("the one nearest to the class"))]
    assignment: Option<String>,
    #[command(flatten)]
    workers: WorkerArgs,
    #[command(flatten)]
    isolation: IsolationArgs,
}

/// An accepted program, with everybody who submitted it.
struct Program<'a> {
    students: Vec<String>,
    entry: &'a Entry,
    space: &'a SearchSpace,
    submission: Submission,
}

pub(crate) fn run(args: &AuditArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let graded = Graded::read(&args.source, terminal)?;
    graded.say_source(terminal);
    let info = &graded.results.assignment;
    let last = || Some(info.clone());
    let location = assignment::of_class(args.assignment.as_deref(), &graded.run.class, last)?;
    let assignment = location.load(terminal)?;
    for id in &args.problem {
        if !info.problems.iter().any(|it| it.id.as_str() == id) {
            let id = escaped(id.as_bytes());
            return Err(Failure::usage(format!("there is no problem `{id}`")).into());
        }
    }
    let is_wanted = |entry: &&Entry| {
        let id = entry.problem.id.as_str();
        args.problem.is_empty() || args.problem.iter().any(|it| it == id)
    };
    let mut searched = Vec::new();
    for entry in assignment.problems.iter().filter(is_wanted) {
        match space(&entry.problem, &location, terminal) {
            Ok(space) => searched.push((entry, space)),
            Err(error) => {
                terminal.note(format!("not searched: {error}"), format!("未搜索：{error}"));
            }
        }
    }
    let programs = programs(&graded, &searched)?;
    let stop = Stop::new();
    let runner = isolation::runner(&args.isolation, Programs::Others, terminal)?;
    let settings = judge::settings(runner, args.workers.jobs, &stop, terminal)?;
    let scratch = Scratch::new()?;
    let listener = interrupt::listen(&stop, scratch.path(), None, terminal.lang)?;
    listener.programs_run(None);
    let judge = Judge::with_scratch(settings, scratch);
    let end = Instant::now() + Duration::from_secs(args.time);
    let mut audit = Audit {
        location: &location,
        terminal,
        seed: args.seed,
        end,
        wrong: 0,
        least: None,
    };
    match audit.run(&judge, &programs) {
        // What was found before is shown.
        Err(error) if matches!(error.downcast_ref(), Some(Fault::Stopped)) => {}
        ended => ended?,
    }
    let (wrong, all) = (audit.wrong, programs.len());
    let others = audit.least.map_or_else(String::new, |least| {
        let inputs = counted(least, "input", "inputs");
        terminal.lang.pick(
            format!("; each of the others is right on at least {inputs}"),
            format!("；其余程序每个至少试过 {least} 个输入，都正确"),
        )
    });
    let line = terminal.lang.pick(
        format!(
            "{wrong} of {} found wrong{others}",
            counted(all, "accepted program", "accepted programs")
        ),
        format!("{all} 个通过的程序中发现 {wrong} 个有错{others}"),
    );
    writeln!(terminal.stdout(), "{line}")?;
    Ok(match wrong {
        0 if stop.is_requested() => Exit::Interrupted,
        0 => Exit::Done,
        _ => Exit::Unmet,
    })
}

/// The accepted programs of a class, each once.
fn programs<'a>(
    graded: &Graded,
    searched: &'a [(&'a Entry, SearchSpace)],
) -> anyhow::Result<Vec<Program<'a>>> {
    let mut programs: Vec<Program<'a>> = Vec::new();
    for (entry, space) in searched {
        let id = &entry.problem.id;
        let mut known = BTreeMap::new();
        for student in &graded.results.students {
            let found = student.problem(id);
            let accepted = found.filter(|it| {
                it.verdict == Verdict::Accepted && matches!(it.standing(), Standing::Scored(_))
            });
            let Some((result, name)) = accepted.and_then(|it| Some((it, it.submission.as_ref()?)))
            else {
                continue;
            };
            let shown = escaped(student.id.as_str().as_bytes());
            if let Some(at) = known.get(name) {
                let same: &mut Program<'_> = &mut programs[*at];
                same.students.push(shown);
                continue;
            }
            let sources = graded.stored.sources(&graded.results, &student.id, id)?;
            if sources.is_empty() {
                continue;
            }
            known.insert(name.clone(), programs.len());
            programs.push(Program {
                students: vec![shown],
                entry,
                space,
                submission: Submission::in_memory(sources, result.files.clone(), result.language),
            });
        }
    }
    Ok(programs)
}

struct Audit<'a> {
    location: &'a Location,
    terminal: &'a Terminal,
    seed: u64,
    end: Instant,
    /// Number of programs that were found wrong.
    wrong: usize,
    /// The fewest inputs on which another program was tried, once the search has ended.
    least: Option<usize>,
}

impl Audit<'_> {
    /// Lets the programs take turns, until none has anything left to try or the time is over.
    fn run(&mut self, judge: &Judge, programs: &[Program<'_>]) -> anyhow::Result<()> {
        let answers = KnownAnswers::default();
        let submissions = programs.iter().map(|it| (it.entry, &it.submission));
        let compared = judge.compare_all(&submissions.collect::<Vec<_>>(), &answers)?;
        let compared = programs.iter().zip(compared);
        let compared: Vec<_> = compared
            .filter_map(|(program, built)| Some((program, built?)))
            .collect();
        let (location, terminal) = (self.location, self.terminal);
        let mut left: Vec<_> = compared
            .iter()
            .map(|(program, compared)| {
                let (space, seed, end) = (program.space, self.seed, self.end);
                let until = (end, PATIENCE);
                let mut search = Search::new(space, seed, compared, location, terminal, until);
                search.batch = BATCH;
                (*program, search)
            })
            .collect();
        while !left.is_empty() {
            let mut next = Vec::new();
            for (program, mut search) in left {
                if search.step()? {
                    next.push((program, search));
                } else if let Some((shown, _)) = search.shown() {
                    self.wrong += 1;
                    let (students, id) = (program.students.join(", "), &program.entry.problem.id);
                    let files = program.submission.shown.join(", ");
                    writeln!(terminal.stdout(), "{students} · {id} · {files}\n{shown}")?;
                } else {
                    let least = self.least.unwrap_or(usize::MAX);
                    self.least = Some(least.min(search.count()));
                }
            }
            left = next;
        }
        Ok(())
    }
}

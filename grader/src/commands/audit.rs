//! `grader audit`.

mod cases;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::time::{Duration, Instant};

use clap::Args;
use grader_intake::Submission;
use grader_judge::{Judge, KnownAnswers, Stop};
use grader_model::{CaseResult, ProblemId, Standing, Verdict, counted, escaped};
use grader_problem::{Assignment, Entry, SearchSpace};
use grader_report::terminal as draw;
use grader_store::{Ledger, LedgerError};

use crate::assignment::{self, Location};
use crate::exit::{Exit, Failure};
use crate::graded::{Graded, RunArgs};
use crate::isolation::{self, IsolationArgs, Programs};
use crate::judge::{self, WorkerArgs};
use crate::search::keep::{self, Kept};
use crate::search::{Search, is_stop, seconds, space_or_note};
use crate::terminal::{Terminal, shown};

/// Inputs of a turn: so many answers of the reference are made together.
const BATCH: usize = 16;
/// How long an input is made smaller: the other programs wait.
const PATIENCE: Duration = Duration::from_secs(2);

#[derive(Debug, Args)]
#[command(after_long_help = "\
Every accepted program is compared with the reference on inputs outside the cases, as in `grader stress`. Each program gets \
about the same share of the time. No points change: reports show staff what was found. With `--write`, the inputs become cases, \
and wrong programs lose points in the next `grader grade`. The last lines say which cases no program of the class fails, and \
which always fail together.

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
    /// Add the inputs that are found to the problem files, as cases.
    #[arg(long)]
    write: bool,
    /// Seconds to search.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = seconds)]
    time: u64,
    /// Seed for the order of the inputs, if they are drawn at random.
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
    /// The name of the submission.
    name: String,
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
        let space = space_or_note(&entry.problem, &location, terminal);
        searched.extend(space.map(|space| (entry, space)));
    }
    let programs = programs(&graded, &searched)?;
    let stop = Stop::new();
    let runner = isolation::runner(&args.isolation, Programs::Others, terminal)?;
    let settings = judge::settings(runner, args.workers.jobs, &stop, terminal)?;
    let judge = judge::stoppable(settings, None, terminal)?;
    let end = Instant::now() + Duration::from_secs(args.time);
    let mut audit = Audit {
        graded: &graded,
        assignment: &assignment,
        location: &location,
        terminal,
        seed: args.seed,
        end,
        found: Vec::new(),
        least: None,
    };
    match audit.run(&judge, &programs) {
        // What was found before is shown.
        Err(error) if is_stop(&error) => {}
        ended => ended?,
    }
    if let Err(error) = audit.remember() {
        terminal.warn(
            format!("reports will not show what was found: {error}"),
            format!("报告中不会显示这些结果：{error}"),
        );
    }
    if args.write {
        audit.write(&searched)?;
    }
    let (wrong, all) = (audit.found.len(), programs.len());
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
    for entry in assignment.problems.iter().filter(is_wanted) {
        for line in cases::lines(&graded.results, &entry.problem.id, terminal) {
            writeln!(terminal.stdout(), "{line}")?;
        }
    }
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
                name: name.clone(),
                entry,
                space,
                submission: Submission::in_memory(sources, result.files.clone(), result.language),
            });
        }
    }
    Ok(programs)
}

/// An accepted program that is wrong.
struct Wrong {
    problem: ProblemId,
    submission: String,
    case: CaseResult,
    kept: Kept,
}

struct Audit<'a> {
    graded: &'a Graded,
    assignment: &'a Assignment,
    location: &'a Location,
    terminal: &'a Terminal,
    seed: u64,
    end: Instant,
    /// The programs that were found wrong.
    found: Vec<Wrong>,
    /// The fewest inputs on which another program was tried, once the search has ended.
    least: Option<usize>,
}

impl Audit<'_> {
    /// Lets the programs take turns, until none has anything left to try or the time is over. The next is always the one that
    /// had the least time so far: quick programs are tried on more inputs, and slow ones keep nobody waiting.
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
                (*program, search, Duration::ZERO)
            })
            .collect();
        while let Some(at) = (0..left.len()).min_by_key(|at| left[*at].2) {
            let (began, (_, search, spent)) = (Instant::now(), &mut left[at]);
            if search.step()? {
                *spent += began.elapsed();
                continue;
            }
            let (program, search, _) = left.remove(at);
            if let Some((case, kept)) = search.result().zip(search.kept()) {
                let shown = draw::case(&case, &terminal.style());
                let (students, id) = (program.students.join(", "), &program.entry.problem.id);
                let files = program.submission.shown.join(", ");
                writeln!(terminal.stdout(), "{students} · {id} · {files}\n{shown}")?;
                self.found.push(Wrong {
                    problem: id.clone(),
                    submission: program.name.clone(),
                    case,
                    kept,
                });
                // So that nothing is lost if we are killed. If it fails, it is tried again at the end.
                let _ = self.remember();
            } else {
                let least = self.least.unwrap_or(usize::MAX);
                self.least = Some(least.min(search.count()));
            }
        }
        Ok(())
    }

    /// Stores what was found, for reports.
    fn remember(&self) -> Result<(), LedgerError> {
        if self.found.is_empty() {
            return Ok(());
        }
        let ledger = Ledger::open(&self.graded.stored.ledger(), &self.graded.run.class)?;
        let mut problems = self.assignment.info().problems.into_iter();
        problems.try_for_each(|info| {
            let own = self.found.iter().filter(|it| it.problem == info.id);
            let own = own.map(|it| (it.submission.clone(), it.case.clone()));
            ledger.add_counterexamples(&info, &own.collect())
        })
    }

    /// Adds the inputs to the problem files, each once.
    fn write(&self, searched: &[(&Entry, SearchSpace)]) -> anyhow::Result<()> {
        for (entry, _) in searched {
            let problem = &entry.problem;
            let own = self.found.iter().filter(|it| it.problem == problem.id);
            let own: BTreeSet<&Kept> = own.map(|it| &it.kept).collect();
            if own.is_empty() {
                continue;
            }
            let own: Vec<Kept> = own.into_iter().cloned().collect();
            let (subtask, path) = keep::add(&own, problem, self.location, self.terminal)?;
            let (name, path) = (&subtask.name, shown(&path));
            let count = own.len();
            let cases = counted(count, "case", "cases");
            let line = self.terminal.lang.pick(
                format!("{cases} added to subtask `{name}` in `{path}`"),
                format!("已在 `{path}` 的子任务 `{name}` 中加入 {count} 个测试点"),
            );
            writeln!(self.terminal.stdout(), "{line}")?;
        }
        Ok(())
    }
}

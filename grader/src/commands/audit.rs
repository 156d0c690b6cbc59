//! `grader audit`.

mod cases;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::time::{Duration, Instant};

use clap::Args;
use grader_intake::Submission;
use grader_judge::{Judge, Stop};
use grader_model::{CaseResult, ProblemId, Standing, Text, WhyOpen, counted, escaped};
use grader_problem::{Assignment, Entry, SearchSpace};
use grader_report::terminal as draw;
use grader_search::{Kept, Search, SearchTime, add_cases};
use grader_store::LedgerError;
use grader_view::is_right;

use crate::assignment::{self, Location};
use crate::exit::Exit;
use crate::graded::{Graded, RunArgs};
use crate::isolation::{self, IsolationArgs, Programs};
use crate::judge::{self, WorkerArgs};
use crate::ledger;
use crate::part::known_problem;
use crate::search::{DEFAULT_SECONDS, failure, is_stop, seconds, space_or_note};
use crate::terminal::{Terminal, shown};

/// Inputs of a turn: so many answers of the reference are made together.
const BATCH: usize = 16;
/// How long an input is made smaller: the other programs wait.
const PATIENCE: Duration = Duration::from_secs(2);

#[derive(Debug, Args)]
#[command(after_long_help = "\
Every accepted program is compared with the reference on inputs outside the cases, as in `grader stress`. The problems share \
the time, and so do the programs of each; builds do not count. No points change: reports show staff what was found. With \
`--save`, the inputs become cases, and wrong programs lose points in the next `grader grade`. The last lines say which cases \
no program of the class fails, and which always fail together.

Exit status: 0 if no program was found wrong, 1 if one was, 3 if none was but some could not be tried, or a problem has a fault.

Examples:
  grader audit
  grader audit submissions/ --problem count --time 300")]
pub(crate) struct AuditArgs {
    #[command(flatten)]
    source: RunArgs,
    /// Only this problem (repeatable).
    #[arg(long, short, value_name = "ID")]
    problem: Vec<String>,
    /// Add the inputs that are found to the problem files, as cases.
    #[arg(long)]
    save: bool,
    /// Seconds to search for each problem.
    #[arg(long, value_name = "SECONDS", default_value_t = DEFAULT_SECONDS, value_parser = seconds)]
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

impl Program<'_> {
    fn id(&self) -> &ProblemId {
        &self.entry.problem.id
    }

    /// Whose it is, for which problem, and its files.
    fn shown(&self) -> String {
        let (students, files) = (self.students.join(", "), self.submission.shown.join(", "));
        format!("{students} · {} · {files}", self.id())
    }
}

pub(crate) fn run(args: &AuditArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let graded = Graded::read(&args.source, terminal)?;
    graded.say_source(terminal);
    let info = &graded.results.assignment;
    let last = || Some(info.clone());
    let location = assignment::of_class(args.assignment.as_deref(), &graded.run.class, last)?;
    let assignment = location.load(terminal)?;
    for id in &args.problem {
        known_problem(id, info)?;
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
    let mut audit = Audit {
        graded: &graded,
        assignment: &assignment,
        location: &location,
        terminal,
        seed: args.seed,
        time: Duration::from_secs(args.time).saturating_mul(u32::try_from(searched.len().max(1))?),
        found: Vec::new(),
        right: Vec::new(),
        unconfirmed: Vec::new(),
        untried: Vec::new(),
        is_late: false,
        faults: BTreeMap::new(),
    };
    match audit.run(&judge, &programs) {
        // What was found before is shown.
        Err(error) if is_stop(&error) => {}
        ended => ended?,
    }
    if let Err(error) = audit.remember(terminal) {
        terminal.warn(
            format!("reports will not show what was found: {error}"),
            format!("报告中不会显示这些结果：{error}"),
        );
    }
    if args.save {
        audit.write(&searched)?;
    }
    for line in audit.remarks().chain([audit.summary(programs.len())]) {
        writeln!(terminal.stdout(), "{line}")?;
    }
    for entry in assignment.problems.iter().filter(is_wanted) {
        for line in cases::lines(&graded.results, &entry.problem.id, terminal) {
            writeln!(terminal.stdout(), "{line}")?;
        }
    }
    Ok(if !audit.found.is_empty() {
        Exit::Unmet
    } else if stop.is_requested() {
        Exit::Interrupted
    } else if audit.is_whole() {
        Exit::Done
    } else {
        Exit::Fault
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
                let is_judged = match it.standing() {
                    Standing::Scored(_) | Standing::Open(WhyOpen::ByHand(_)) => true,
                    Standing::Open(_) | Standing::Excused => false,
                };
                is_right(it) && is_judged
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
            let sources = graded.stored.sources(&graded.results, student, id)?;
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
    /// How long it searches.
    time: Duration,
    /// The programs that were found wrong.
    found: Vec<Wrong>,
    /// On how many inputs each of the programs is right that were not found wrong.
    right: Vec<usize>,
    /// Programs that failed on an input, without enough time to repeat that: a line for each.
    unconfirmed: Vec<String>,
    /// Programs that were tried on no input.
    untried: Vec<String>,
    /// Whether more time would have told more.
    is_late: bool,
    /// What is wrong with a problem itself.
    faults: BTreeMap<ProblemId, Text>,
}

/// A program that waits for its turn.
struct Turn<'a, 'b> {
    program: &'b Program<'a>,
    search: Search<'b>,
    /// The time that it had.
    spent: Duration,
}

impl Audit<'_> {
    /// Lets the programs take turns, until none has anything left to try or the time is over. The next is always the one that
    /// had the least time so far, of the problem that had the least: quick programs are tried on more inputs, and slow ones keep
    /// nobody waiting.
    fn run(&mut self, judge: &Judge, programs: &[Program<'_>]) -> anyhow::Result<()> {
        let submissions = programs.iter().map(|it| (it.entry, &it.submission));
        let compared = judge.compare_all(&submissions.collect::<Vec<_>>())?;
        // Builds may take long, and until now no input was tried.
        let time = SearchTime {
            until: Instant::now() + self.time,
            patience: PATIENCE,
        };
        let library = self.location.library.as_ref();
        let mut left = Vec::new();
        for (program, compared) in programs.iter().zip(&compared) {
            let Some(compared) = compared else {
                self.untried.push(program.shown());
                continue;
            };
            let mut search = Search::new(program.space, self.seed, compared, library, time);
            search.batch = BATCH;
            left.push(Turn {
                program,
                search,
                spent: Duration::ZERO,
            });
        }
        let mut spent: BTreeMap<&ProblemId, Duration> = BTreeMap::new();
        loop {
            let of_problem = |it: &Turn<'_, '_>| spent.get(it.program.id()).copied();
            let waiting = left.iter().enumerate();
            let next = waiting.min_by_key(|(_, it)| (of_problem(it).unwrap_or_default(), it.spent));
            let Some((at, _)) = next else {
                return Ok(());
            };
            let (began, turn) = (Instant::now(), &mut left[at]);
            let has_more = turn.search.step();
            let has_more = has_more.map_err(|error| failure(error, self.terminal))?;
            turn.spent += began.elapsed();
            *spent.entry(turn.program.id()).or_default() += began.elapsed();
            if !has_more {
                let turn = left.remove(at);
                self.end_of(turn.program, &turn.search)?;
            }
        }
    }

    /// Says and keeps what the search of a program found.
    fn end_of(&mut self, program: &Program<'_>, search: &Search<'_>) -> anyhow::Result<()> {
        let (terminal, id) = (self.terminal, program.id());
        if let Some(fault) = search.problem_fault() {
            self.faults.entry(id.clone()).or_insert(fault);
        }
        if let Some((case, kept)) = search.result().zip(search.kept()) {
            let shown = draw::case(&case, &terminal.style());
            writeln!(terminal.stdout(), "{}\n{shown}", program.shown())?;
            self.found.push(Wrong {
                problem: id.clone(),
                submission: program.name.clone(),
                case,
                kept,
            });
            // So that nothing is lost if we are killed. If it fails, it is tried again at the end.
            let _ = self.remember(terminal);
        } else if let Some(input) = &search.unconfirmed {
            let shown = program.shown();
            self.is_late = true;
            self.unconfirmed.push(terminal.lang.pick(
                format!("{shown}: failed on {input}, but there was not enough time to confirm it"),
                format!("{shown}：在 {input} 上出过错，但时间不够，未能确认"),
            ));
        } else if search.count() == 0 {
            self.untried.push(program.shown());
            self.is_late |= search.is_untried();
        } else {
            self.right.push(search.count());
        }
        Ok(())
    }

    /// Whether every program was tried, and nothing is in doubt.
    fn is_whole(&self) -> bool {
        self.untried.is_empty() && self.unconfirmed.is_empty() && self.faults.is_empty()
    }

    /// What was not found out, a line each.
    fn remarks(&self) -> impl Iterator<Item = String> {
        let lang = self.terminal.lang;
        let untried = self.untried.iter();
        let untried =
            untried.map(move |it| lang.pick(format!("{it}: not tried"), format!("{it}：没有试过")));
        let faults = self.faults.iter();
        let faults = faults
            .map(move |(id, it)| lang.pick(format!("{id}: {}", it.en), format!("{id}：{}", it.zh)));
        let unconfirmed = self.unconfirmed.iter().cloned();
        unconfirmed.chain(untried).chain(faults)
    }

    /// How many of all programs are wrong, and how much is known of the others.
    fn summary(&self, all: usize) -> String {
        let lang = self.terminal.lang;
        let wrong = self.found.len();
        let mut line = lang.pick(
            format!(
                "{wrong} of {} found wrong",
                counted(all, "accepted program", "accepted programs")
            ),
            format!("{all} 个通过的程序中发现 {wrong} 个有错"),
        );
        let right = self.right.len();
        if let Some(least) = self.right.iter().min() {
            let inputs = counted(*least, "input", "inputs");
            line += &if wrong + right == all {
                lang.pick(
                    format!("; each of the others is right on at least {inputs}"),
                    format!("；其余程序每个至少试过 {least} 个输入，都正确"),
                )
            } else {
                lang.pick(
                    format!("; {right} right on at least {inputs} each"),
                    format!("；{right} 个程序每个至少试过 {least} 个输入，都正确"),
                )
            };
        }
        for (count, en, zh) in [
            (self.unconfirmed.len(), "in doubt", "个存疑"),
            (self.untried.len(), "not tried", "个没有试过"),
        ] {
            if count > 0 {
                line += &lang.pick(format!("; {count} {en}"), format!("；{count} {zh}"));
            }
        }
        if self.is_late {
            line += lang.pick(": try a longer `--time`", "：请延长 `--time`");
        }
        line
    }

    /// Stores what was found, for reports.
    fn remember(&self, terminal: &Terminal) -> Result<(), LedgerError> {
        if self.found.is_empty() {
            return Ok(());
        }
        let stored = &self.graded.stored;
        let ledger = ledger::open(&stored.ledger(), &self.graded.run.class, terminal)?;
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
            let added = add_cases(&own, problem, || self.location.check());
            let (subtask, path) = added.map_err(|error| failure(error, self.terminal))?;
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

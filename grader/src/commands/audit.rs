//! `grader audit`.

mod cases;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::time::{Duration, Instant};

use clap::Args;
use grader_intake::Submission;
use grader_judge::{Judge, Stop};
use grader_model::{CaseResult, ProblemId, Standing, StudentId, Text, WhyOpen, counted, escaped};
use grader_problem::{Assignment, Entry, SearchSpace};
use grader_report::{
    AlikeCases, AuditDocument, AuditOutcome, AuditedProblem, AuditedProgram, document as draw,
};
use grader_search::{Kept, Search, SearchTime, add_cases};
use grader_session::{Ended, Exit, Graded, IfSeveral, Location, known_problem, ledger, shown};
use grader_store::LedgerError;
use grader_view::is_right;

use crate::args::RunArgs;
use crate::assignment;
use crate::documents::{FindingArgs, FindingDocuments, Kind};
use crate::isolation::{self, IsolationArgs, Programs};
use crate::judge::{self, WorkerArgs};
use crate::search::{DEFAULT_SECONDS, failure, found_input, is_stop, seconds, space_noted};
use crate::terminal::Terminal;

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
    documents: FindingArgs,
    #[command(flatten)]
    workers: WorkerArgs,
    #[command(flatten)]
    isolation: IsolationArgs,
}

/// An accepted program, with everybody who submitted it.
struct Program<'a> {
    students: Vec<StudentId>,
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
        let students = self.students.iter();
        let students: Vec<String> = students.map(|it| escaped(it.as_str().as_bytes())).collect();
        let (students, files) = (students.join(", "), self.submission.shown.join(", "));
        format!("{students} · {} · {files}", self.id())
    }

    /// What is known about it before the search.
    fn document(&self) -> AuditedProgram {
        AuditedProgram {
            problem: self.id().clone(),
            students: self.students.clone(),
            files: self.submission.shown.clone(),
            outcome: AuditOutcome::NotFinished,
            inputs: None,
            found: None,
            unconfirmed: None,
        }
    }
}

pub(crate) fn run(args: &AuditArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let kind = Kind::of(AuditDocument::FORMAT, "audit");
    let terminal = &args.documents.prepare(&kind, terminal)?;
    let if_several = if args.save {
        IfSeveral::Ask
    } else {
        IfSeveral::TakeLast
    };
    let graded = Graded::read(&args.source.asked(), if_several, terminal)?;
    graded.say_source(terminal)?;
    let info = &graded.results.assignment;
    let last = || Some(info.clone());
    let location =
        assignment::assignments().of_class(args.assignment.as_deref(), &graded.run.class, last)?;
    let assignment = location.load(terminal)?;
    for id in &args.problem {
        known_problem(id, info)?;
    }
    let is_wanted = |entry: &&Entry| {
        let id = entry.problem.id.as_str();
        args.problem.is_empty() || args.problem.iter().any(|it| it == id)
    };
    let (mut searched, mut not_searched) = (Vec::new(), Vec::new());
    for entry in assignment.problems.iter().filter(is_wanted) {
        match space_noted(&entry.problem, &location, terminal) {
            Ok(space) => searched.push((entry, space)),
            Err(why) => not_searched.push(AuditedProblem {
                problem: entry.problem.id.clone(),
                message: why.to_string(),
            }),
        }
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
        ended: BTreeMap::new(),
        is_late: false,
        faults: BTreeMap::new(),
        not_searched,
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
    let wanted = assignment.problems.iter().filter(is_wanted);
    let cases = wanted.flat_map(|entry| cases::alike(&graded.results, &entry.problem.id));
    let document = audit.document(&programs, cases.collect(), stop.is_requested());
    audit.end(args, &programs, &searched, &document)
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
            if let Some(at) = known.get(name) {
                let same: &mut Program<'_> = &mut programs[*at];
                same.students.push(student.id.clone());
                continue;
            }
            let sources = graded.stored.sources(&graded.results, student, id)?;
            if sources.is_empty() {
                continue;
            }
            known.insert(name.clone(), programs.len());
            programs.push(Program {
                students: vec![student.id.clone()],
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

/// What was found out about a program.
enum Outcome {
    Wrong(Box<Wrong>),
    /// It is right on so many inputs.
    Right(usize),
    /// It failed on this input, without enough time to repeat that.
    InDoubt(String),
    NotTried,
}

struct Audit<'a> {
    graded: &'a Graded,
    assignment: &'a Assignment,
    location: &'a Location,
    terminal: &'a Terminal,
    seed: u64,
    /// How long it searches.
    time: Duration,
    /// What was found out about programs, by their places in the list.
    ended: BTreeMap<usize, Outcome>,
    /// Whether more time would have told more.
    is_late: bool,
    /// What is wrong with a problem itself.
    faults: BTreeMap<ProblemId, Text>,
    not_searched: Vec<AuditedProblem>,
}

/// A program that waits for its turn.
struct Turn<'a, 'b> {
    /// Its place in the list.
    at: usize,
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
        for (at, (program, compared)) in programs.iter().zip(&compared).enumerate() {
            let Some(compared) = compared else {
                self.ended.insert(at, Outcome::NotTried);
                continue;
            };
            let mut search = Search::new(program.space, self.seed, compared, library, time);
            search.batch = BATCH;
            left.push(Turn {
                at,
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
            let has_more = has_more.map_err(failure)?;
            turn.spent += began.elapsed();
            *spent.entry(turn.program.id()).or_default() += began.elapsed();
            if !has_more {
                let turn = left.remove(at);
                self.end_of(&turn)?;
            }
        }
    }

    /// Says and keeps what the search of a program found.
    fn end_of(&mut self, turn: &Turn<'_, '_>) -> anyhow::Result<()> {
        let (terminal, program, search) = (self.terminal, turn.program, &turn.search);
        let id = program.id();
        if let Some(fault) = search.problem_fault() {
            self.faults.entry(id.clone()).or_insert(fault);
        }
        let outcome = if let Some((case, kept)) = search.result().zip(search.kept()) {
            let shown = draw::case(&case, &terminal.style());
            writeln!(terminal.stdout(), "{}\n{shown}", program.shown())?;
            Outcome::Wrong(Box::new(Wrong {
                problem: id.clone(),
                submission: program.name.clone(),
                case,
                kept,
            }))
        } else if let Some(input) = &search.unconfirmed {
            self.is_late = true;
            Outcome::InDoubt(input.clone())
        } else if search.count() == 0 {
            self.is_late |= search.is_untried();
            Outcome::NotTried
        } else {
            Outcome::Right(search.count())
        };
        let is_wrong = matches!(outcome, Outcome::Wrong(_));
        self.ended.insert(turn.at, outcome);
        if is_wrong {
            // So that nothing is lost if we are killed. If it fails, it is tried again at the end.
            let _ = self.remember(terminal);
        }
        Ok(())
    }

    /// The programs that were found wrong.
    fn wrong(&self) -> impl Iterator<Item = &Wrong> {
        self.ended.values().filter_map(|it| match it {
            Outcome::Wrong(wrong) => Some(&**wrong),
            Outcome::Right(_) | Outcome::InDoubt(_) | Outcome::NotTried => None,
        })
    }

    /// Whether every program was tried, and nothing is in doubt.
    fn is_whole(&self) -> bool {
        let mut ended = self.ended.values();
        let is_known = ended.all(|it| !matches!(it, Outcome::InDoubt(_) | Outcome::NotTried));
        is_known && self.faults.is_empty()
    }

    /// Prints and writes what was found, and adds the inputs to the problem files if that was asked for.
    fn end(
        &self,
        args: &AuditArgs,
        programs: &[Program<'_>],
        searched: &[(&Entry, SearchSpace)],
        document: &AuditDocument,
    ) -> anyhow::Result<Exit> {
        let terminal = self.terminal;
        let saved = if args.save {
            self.write(searched)
        } else {
            Ok(())
        };
        let lines = self.remarks(programs).into_iter();
        let lines = lines.chain([self.summary(programs.len())]);
        for line in lines.chain(document.cases.iter().map(|it| cases::line(it, terminal))) {
            writeln!(terminal.stdout(), "{line}")?;
        }
        let found = FindingDocuments {
            command: "audit",
            document,
            findings: document.findings(),
        };
        args.documents.write(&found, terminal)?;
        saved?;
        let ended = Ended {
            is_interrupted: document.interrupted,
            has_faults: !self.is_whole(),
            is_unmet: self.wrong().next().is_some(),
        };
        Ok(ended.of_search().exit())
    }

    /// What was not found out, a line each.
    fn remarks(&self, programs: &[Program<'_>]) -> Vec<String> {
        let lang = self.terminal.lang;
        let (mut in_doubt, mut not_tried) = (Vec::new(), Vec::new());
        for (at, outcome) in &self.ended {
            let shown = programs[*at].shown();
            match outcome {
                Outcome::InDoubt(input) => in_doubt.push(lang.pick(
                    format!(
                        "{shown}: failed on {input}, but there was not enough time to confirm it"
                    ),
                    format!("{shown}：在 {input} 上出过错，但时间不够，未能确认"),
                )),
                Outcome::NotTried => not_tried
                    .push(lang.pick(format!("{shown}: not tried"), format!("{shown}：没有试过"))),
                Outcome::Wrong(_) | Outcome::Right(_) => {}
            }
        }
        let faults = self.faults.iter();
        let faults = faults
            .map(|(id, it)| lang.pick(format!("{id}: {}", it.en), format!("{id}：{}", it.zh)));
        in_doubt
            .into_iter()
            .chain(not_tried)
            .chain(faults)
            .collect()
    }

    /// All of it, for programs.
    fn document(
        &self,
        programs: &[Program<'_>],
        cases: Vec<AlikeCases>,
        interrupted: bool,
    ) -> AuditDocument {
        let programs = programs.iter().enumerate().map(|(at, program)| {
            let known = program.document();
            match self.ended.get(&at) {
                None => known,
                Some(Outcome::NotTried) => AuditedProgram {
                    outcome: AuditOutcome::NotTried,
                    ..known
                },
                Some(Outcome::Right(inputs)) => AuditedProgram {
                    outcome: AuditOutcome::Right,
                    inputs: Some(*inputs),
                    ..known
                },
                Some(Outcome::InDoubt(input)) => AuditedProgram {
                    outcome: AuditOutcome::InDoubt,
                    unconfirmed: Some(input.clone()),
                    ..known
                },
                Some(Outcome::Wrong(wrong)) => AuditedProgram {
                    outcome: AuditOutcome::Wrong,
                    found: Some(found_input(&wrong.case, &wrong.kept)),
                    ..known
                },
            }
        });
        let faults = self.faults.iter().map(|(id, fault)| AuditedProblem {
            problem: id.clone(),
            message: fault.en.clone(),
        });
        AuditDocument {
            format: AuditDocument::FORMAT,
            assignment: self.graded.results.assignment.id.clone(),
            class: self.graded.results.class.clone(),
            run: self.graded.run.id,
            interrupted,
            programs: programs.collect(),
            faults: faults.collect(),
            not_searched: self.not_searched.clone(),
            cases,
        }
    }

    /// How many of all programs are wrong, and how much is known of the others.
    fn summary(&self, all: usize) -> String {
        let lang = self.terminal.lang;
        let wrong = self.wrong().count();
        let mut line = lang.pick(
            format!(
                "{wrong} of {} found wrong",
                counted(all, "accepted program", "accepted programs")
            ),
            format!("{all} 个通过的程序中发现 {wrong} 个有错"),
        );
        let right = self.ended.values().filter_map(|it| match it {
            Outcome::Right(inputs) => Some(*inputs),
            Outcome::Wrong(_) | Outcome::InDoubt(_) | Outcome::NotTried => None,
        });
        let right: Vec<usize> = right.collect();
        if let Some(least) = right.iter().min() {
            let right = right.len();
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
        let count =
            |is_it: fn(&Outcome) -> bool| self.ended.values().filter(|it| is_it(it)).count();
        let in_doubt = count(|it| matches!(it, Outcome::InDoubt(_)));
        let not_tried = count(|it| matches!(it, Outcome::NotTried));
        for (count, en, zh) in [
            (in_doubt, "in doubt", "个存疑"),
            (not_tried, "not tried", "个没有试过"),
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
        if self.wrong().next().is_none() {
            return Ok(());
        }
        let stored = &self.graded.stored;
        let ledger = ledger::open(&stored.ledger(), &self.graded.run.class, terminal)?;
        let mut problems = self.assignment.info().problems.into_iter();
        problems.try_for_each(|info| {
            let own = self.wrong().filter(|it| it.problem == info.id);
            let own = own.map(|it| (it.submission.clone(), it.case.clone()));
            ledger.add_counterexamples(&info, &own.collect())
        })
    }

    /// Adds the inputs to the problem files, each once.
    fn write(&self, searched: &[(&Entry, SearchSpace)]) -> anyhow::Result<()> {
        for (entry, _) in searched {
            let problem = &entry.problem;
            let own = self.wrong().filter(|it| it.problem == problem.id);
            let own: BTreeSet<&Kept> = own.map(|it| &it.kept).collect();
            if own.is_empty() {
                continue;
            }
            let own: Vec<Kept> = own.into_iter().cloned().collect();
            let added = add_cases(&own, problem, || self.location.check());
            let (subtask, path) = added.map_err(failure)?;
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

//! `grader audit`.

use std::io::Write as _;
use std::time::Duration;

use clap::Args;
use grader_judge::Stop;
use grader_model::{Text, counted};
use grader_problem::{Assignment, Entry};
use grader_report::{AuditDocument, wrong_program};
use grader_search::{ClassAudit, ClassPlan, Kept, SearchedProblem, accepted, add_cases};
use grader_session::{Ended, Exit, Graded, IfSeveral, Location, known_problem, ledger, shown};
use grader_store::LedgerError;
use grader_view::{AlikeCases, AuditOutcome, AuditedProblem, AuditedProgram};

use crate::args::RunArgs;
use crate::assignment;
use crate::documents::{FindingArgs, FindingDocuments, Kind};
use crate::isolation::{self, IsolationArgs, Programs};
use crate::judge::{self, WorkerArgs};
use crate::search::{DEFAULT_SECONDS, failure, seconds, space_noted};
use crate::terminal::Terminal;

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
    let (info, students) = (&graded.results.assignment, &graded.results.students);
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
    let wanted: Vec<&Entry> = assignment.problems.iter().filter(is_wanted).collect();
    let (searched, not_searched) = inputs(&wanted, &location, terminal);
    let programs = accepted(students, &searched, |student, id| {
        graded.stored.sources(&graded.results, student, id)
    })?;
    let stop = Stop::new();
    let runner = isolation::runner(&args.isolation, Programs::Others, terminal)?;
    let settings = judge::settings(runner, args.workers.jobs, &stop, terminal)?;
    let judge = judge::stoppable(settings, None, terminal)?;
    let plan = ClassPlan {
        seed: args.seed,
        time: Duration::from_secs(args.time).saturating_mul(u32::try_from(searched.len().max(1))?),
        library: location.library.as_ref(),
    };
    let mut show = |program: &AuditedProgram, all: &[AuditedProgram]| {
        let text = wrong_program(program, &terminal.style());
        terminal.stdout().write_all(text.as_bytes())?;
        // So that nothing is lost if we are killed. If it fails, it is tried again at the end.
        let _ = remember(all, &graded, &assignment, terminal);
        Ok(())
    };
    let mut audit = ClassAudit::new(&programs);
    match audit.run(&judge, plan, &mut show) {
        // What was found before is shown.
        Err(error) if error.is_stop() => {}
        ended => ended.map_err(failure)?,
    }
    let cases = wanted.iter();
    let cases = cases.flat_map(|it| AlikeCases::of(students, &it.problem.id));
    let document = AuditDocument {
        format: AuditDocument::FORMAT,
        assignment: info.id.clone(),
        class: graded.results.class.clone(),
        run: graded.run.id,
        interrupted: stop.is_requested(),
        programs: audit.found,
        faults: audit.faults,
        not_searched,
        cases: cases.collect(),
        is_late: audit.is_late,
    };
    if let Err(error) = remember(&document.programs, &graded, &assignment, terminal) {
        terminal.warn(
            format!("reports will not show what was found: {error}"),
            format!("报告中不会显示这些结果：{error}"),
        );
    }
    end(args, &document, &searched, &location, terminal)
}

/// Where the inputs of these problems come from, and which problems have none.
fn inputs<'a>(
    wanted: &[&'a Entry],
    location: &Location,
    terminal: &Terminal,
) -> (Vec<SearchedProblem<'a>>, Vec<AuditedProblem>) {
    let (mut searched, mut not_searched) = (Vec::new(), Vec::new());
    for entry in wanted {
        match space_noted(&entry.problem, location, terminal) {
            Ok(space) => searched.push(SearchedProblem { entry, space }),
            Err(why) => not_searched.push(AuditedProblem {
                problem: entry.problem.id.clone(),
                message: Text::plain(why.to_string()),
            }),
        }
    }
    (searched, not_searched)
}

/// Prints and writes what was found, and adds the inputs to the problem files if that was asked for.
fn end(
    args: &AuditArgs,
    document: &AuditDocument,
    searched: &[SearchedProblem<'_>],
    location: &Location,
    terminal: &Terminal,
) -> anyhow::Result<Exit> {
    let saved = if args.save {
        save(&document.programs, searched, location, terminal)
    } else {
        Ok(())
    };
    let text = document.text(&terminal.style());
    terminal.stdout().write_all(text.as_bytes())?;
    let found = FindingDocuments {
        command: "audit",
        document,
        findings: document.findings(),
    };
    args.documents.write(&found, terminal)?;
    saved?;
    let ended = Ended {
        is_interrupted: document.interrupted,
        has_faults: document.has_faults(),
        is_unmet: document.programs_with(AuditOutcome::Wrong).next().is_some(),
    };
    Ok(ended.of_search().exit())
}

/// Stores what was found, for reports.
fn remember(
    programs: &[AuditedProgram],
    graded: &Graded,
    assignment: &Assignment,
    terminal: &Terminal,
) -> Result<(), LedgerError> {
    if programs.iter().all(|it| it.found.is_none()) {
        return Ok(());
    }
    let ledger = ledger::open(&graded.stored.ledger(), &graded.run.class, terminal)?;
    let mut problems = assignment.info().problems.into_iter();
    problems.try_for_each(|info| {
        let own = programs.iter().filter(|it| it.problem == info.id);
        let own =
            own.filter_map(|it| Some((it.submission.clone(), it.found.as_ref()?.case.clone())));
        ledger.add_counterexamples(&info, &own.collect())
    })
}

/// Adds the inputs to the problem files, each once.
fn save(
    programs: &[AuditedProgram],
    searched: &[SearchedProblem<'_>],
    location: &Location,
    terminal: &Terminal,
) -> anyhow::Result<()> {
    for SearchedProblem { entry, .. } in searched {
        let own = Kept::all(programs, &entry.problem.id);
        if own.is_empty() {
            continue;
        }
        let added = add_cases(&own, &entry.problem, || location.check());
        let (subtask, path) = added.map_err(failure)?;
        let (name, path, count) = (&subtask.name, shown(&path), own.len());
        let cases = counted(count, "case", "cases");
        let line = terminal.lang.pick(
            format!("{cases} added to subtask `{name}` in `{path}`"),
            format!("已在 `{path}` 的子任务 `{name}` 中加入 {count} 个测试点"),
        );
        writeln!(terminal.stdout(), "{line}")?;
    }
    Ok(())
}

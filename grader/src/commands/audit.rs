//! `grader audit`.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use grader_judge::{Judge, Stop};
use grader_model::{AssignmentInfo, ProblemId, ProblemInfo, Text, counted};
use grader_problem::{Assignment, Entry, Problem};
use grader_report::{AuditDocument, wrong_program};
use grader_search::{
    AcceptedProgram, ClassAudit, ClassPlan, EarlierAudits, Kept, SearchedProblem, accepted,
    add_cases,
};
use grader_session::{Ended, Exit, Graded, IfSeveral, Location, known_problem, ledger, shown};
use grader_store::LedgerError;
use grader_view::{AlikeCases, AuditOutcome, AuditedProblem, AuditedProgram, FoundInput};

use crate::args::RunArgs;
use crate::assignment;
use crate::commands::package_folder::write_package;
use crate::documents::{FindingArgs, FindingDocuments, Kind};
use crate::isolation::{self, IsolationArgs, Programs};
use crate::judge::{self, WorkerArgs};
use crate::search::{failure, seconds, space};
use crate::targets::check_new_folder;
use crate::terminal::Terminal;

/// How long an audit takes unless `--time` says it.
const AUDIT_SECONDS: u64 = 60;
/// The longest time in seconds that is suggested.
const MAX_LONGER: u64 = 3600;
/// Problems that are named in a note.
const MAX_NAMED: usize = 6;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Every accepted program is compared with the reference on inputs outside the cases, as in `grader stress`. Every program is tried once before \
any is tried again, and after `--time` the last lines say what was not tried; another audit begins with that. No points change: reports show staff what was found. With \
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
    /// Copy the programs that are found wrong into this new folder, under numbers: wrong programs for students' own tests.
    #[arg(long, value_name = "FOLDER")]
    mutants: Option<PathBuf>,
    /// Seconds for all problems together, builds included.
    #[arg(long, value_name = "SECONDS", default_value_t = AUDIT_SECONDS, value_parser = seconds)]
    time: u64,
    /// Seed for the order of the inputs, if they are drawn at random [default: another for each audit].
    #[arg(long, value_name = "N", hide_short_help = true)]
    seed: Option<u64>,
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
    if let Some(folder) = &args.mutants {
        check_new_folder(folder)?;
    }
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
    let (searched, not_searched) = inputs(&wanted, info, &location, terminal);
    let programs = accepted(
        students,
        &graded.results.similar,
        &searched,
        |student, id| graded.stored.sources(&graded.results, student, id),
    )?;
    let stop = Stop::new();
    let runner = isolation::runner(&args.isolation, Programs::Others, terminal)?;
    let mut settings = judge::settings(runner, args.workers.jobs, &stop, terminal)?;
    settings.author_cache = judge::kept_builds(&settings)?;
    // They decide which inputs become cases.
    settings.fresh_authors = args.save;
    let judge = judge::stoppable(settings, None, terminal)?;
    let class = &*graded.run.class.to_string_lossy();
    let earlier = searched.iter().map(|it| &it.entry.problem);
    let earlier = earlier
        .map(|it| (it.id.clone(), earlier_audits(&judge, class, it)))
        .collect();
    let plan = ClassPlan {
        seed: args.seed,
        time: Duration::from_secs(args.time),
        library: location.library.as_ref(),
        // A case needs the values of its variables.
        again: args.save,
        earlier: &earlier,
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
    note_tried(&judge, class, &searched, earlier, &audit);
    let longer = longer(args.time, audit.found.len(), audit.late.len());
    let longer = longer.filter(|_| !stop.is_requested());
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
        longer,
    };
    if let Err(error) = remember(&document.programs, &graded, &assignment, terminal) {
        terminal.warn(
            format!("reports will not show what was found: {error}"),
            format!("报告中不会显示这些结果：{error}"),
        );
    }
    let exit = end(args, &document, &searched, &location, terminal)?;
    if let Some(folder) = &args.mutants {
        write_mutants(folder, document.programs.iter().zip(&programs), terminal)?;
    }
    Ok(exit)
}

/// Copies the programs that were found wrong. The name of a single file may tell its author, so it gets a number.
fn write_mutants<'a>(
    folder: &Path,
    programs: impl Iterator<Item = (&'a AuditedProgram, &'a AcceptedProgram<'a>)>,
    terminal: &Terminal,
) -> anyhow::Result<()> {
    let wrong = programs.filter(|(it, _)| it.outcome == AuditOutcome::Wrong);
    let mut files = BTreeMap::new();
    for (number, (program, of)) in (1..).zip(wrong) {
        let sources = of.sources()?;
        for file in &*sources {
            let path = match &*sources {
                [file] => format!("{}/{number}.{}", program.problem, file.extension()),
                _ => format!("{}/{number}/{}", program.problem, file.path),
            };
            files.insert(path, file.bytes.to_vec());
        }
    }
    if files.is_empty() {
        return Ok(());
    }
    let files = files
        .iter()
        .map(|(path, bytes)| Ok((path.as_str(), bytes.clone())));
    let note = "ask their authors, and take out names that stand in them".to_owned();
    write_package(
        folder,
        files,
        "Before students meet these programs",
        [&note],
        terminal,
    )?;
    Ok(())
}

/// Where the inputs of these problems come from, and which problems have none.
fn inputs<'a>(
    wanted: &[&'a Entry],
    graded: &AssignmentInfo,
    location: &Location,
    terminal: &Terminal,
) -> (Vec<SearchedProblem<'a>>, Vec<AuditedProblem>) {
    let (mut searched, mut not_searched) = (Vec::new(), Vec::new());
    for entry in wanted {
        match space(&entry.problem, location) {
            Ok(space) => {
                let Problem { id, version, .. } = &*entry.problem;
                let is_same = |it: &ProblemInfo| it.id == *id && it.version == *version;
                searched.push(SearchedProblem {
                    entry,
                    space,
                    is_as_graded: graded.problems.iter().any(is_same),
                });
            }
            Err(why) => not_searched.push(AuditedProblem {
                problem: entry.problem.id.clone(),
                message: Text::plain(why.to_string()),
            }),
        }
    }
    say_not_searched(&not_searched, terminal);
    (searched, not_searched)
}

/// Says once for each reason which problems are not searched.
fn say_not_searched(problems: &[AuditedProblem], terminal: &Terminal) {
    let mut reasons: BTreeMap<String, Vec<&AuditedProblem>> = BTreeMap::new();
    for it in problems {
        let reason = it.message.en.replace(&format!("`{}`", it.problem), "");
        reasons.entry(reason).or_default().push(it);
    }
    for same in reasons.values() {
        let [first, others @ ..] = &same[..] else {
            continue;
        };
        let listed = others.iter().take(MAX_NAMED);
        let mut names: Vec<_> = listed.map(|it| format!("`{}`", it.problem)).collect();
        let more = others.len().saturating_sub(MAX_NAMED);
        if more > 0 {
            let more = (format!("{more} more"), format!("另外 {more} 题"));
            names.push(terminal.lang.pick(more.0, more.1));
        }
        let Text { en, zh } = &first.message;
        let (mut also_en, mut also_zh) = Default::default();
        if !names.is_empty() {
            also_en = format!("; the same for {}", names.join(", "));
            also_zh = format!("；{} 也是如此", names.join("、"));
        }
        terminal.note(
            format!("not searched: {en}{also_en}"),
            format!("未搜索：{zh}{also_zh}"),
        );
    }
}

/// The words under which it is noted what audits of a class did for a problem.
fn noted<'a>(class: &'a str, problem: &'a Problem) -> [&'a str; 4] {
    ["audits", class, problem.id.as_str(), &problem.version]
}

/// What earlier audits of a class did for a problem.
fn earlier_audits(judge: &Judge, class: &str, problem: &Problem) -> EarlierAudits {
    let earlier = judge.noted(&noted(class, problem));
    let earlier = earlier.and_then(|it| serde_json::from_slice(&it).ok());
    let (count, tried) = earlier.unwrap_or_default();
    EarlierAudits { count, tried }
}

/// Notes which programs were tried, so that the next audit begins with the others. After all of them, it begins again.
fn note_tried(
    judge: &Judge,
    class: &str,
    searched: &[SearchedProblem<'_>],
    mut earlier: BTreeMap<ProblemId, EarlierAudits>,
    audit: &ClassAudit<'_>,
) {
    for SearchedProblem { entry, .. } in searched {
        let own = audit.found.iter().enumerate();
        let own = own.filter(|(_, it)| it.problem == entry.problem.id);
        let EarlierAudits { count, mut tried } =
            earlier.remove(&entry.problem.id).unwrap_or_default();
        let right = own.clone().map(|it| it.1);
        let right = right.filter(|it| it.outcome == AuditOutcome::Right);
        tried.extend(right.map(|it| it.submission.clone()));
        // Those that do not build, or for which no input is valid, are not.
        let is_left = |(at, it): (usize, &AuditedProgram)| {
            let is_late = audit.late.contains(&at) || it.outcome == AuditOutcome::NotFinished;
            is_late && it.found.is_none() && !tried.contains(&it.submission)
        };
        if !own.clone().any(is_left) {
            tried.clear();
        }
        if let Ok(content) = serde_json::to_vec(&(count.wrapping_add(1), tried)) {
            judge.note(&noted(class, &entry.problem), &content);
        }
    }
}

/// So many seconds may be enough for all programs, if so many were late in this time. `None` if that is not said.
fn longer(time: u64, all: usize, late: usize) -> Option<u64> {
    let in_time = all.saturating_sub(late).max(1) as u64;
    let needed = time.saturating_mul(all as u64) / in_time;
    let longer = needed.max(time + 1).next_multiple_of(60).min(MAX_LONGER);
    (late > 0 && longer > time).then_some(longer)
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

/// Stores what this audit found, for reports.
fn remember(
    programs: &[AuditedProgram],
    graded: &Graded,
    assignment: &Assignment,
    terminal: &Terminal,
) -> Result<(), LedgerError> {
    let new = |it: &AuditedProgram| it.found.as_ref().is_some_and(FoundInput::is_new);
    // What is found with a student's own values says nothing about others with the same files.
    let own = assignment
        .problems
        .iter()
        .filter(|it| it.problem.needs_student());
    let own: Vec<_> = own.map(|it| &it.problem.id).collect();
    let programs = programs.iter();
    let programs: Vec<_> = programs
        .filter(|it| new(it) && !own.contains(&&it.problem))
        .collect();
    if programs.is_empty() {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_longer_time_is_suggested_only_if_it_may_help() {
        assert_eq!(longer(60, 10, 0), None);
        assert_eq!(longer(60, 10, 8), Some(300));
        assert_eq!(longer(60, 1, 1), Some(120));
        assert_eq!(longer(600, 100, 99), Some(3600));
        assert_eq!(longer(3600, 100, 99), None);
    }
}

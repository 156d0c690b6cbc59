//! `grader report`.

use std::io::Write as _;

use grader_model::StudentId;

use crate::class_report;
use crate::cli::ReportArgs;
use crate::exit::Exit;
use crate::explain;
use crate::kept::Kept;
use crate::terminal::Terminal;

pub(crate) fn run(mut args: ReportArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    args.report.check()?;
    let kept = Kept::find(args.source.as_deref())?;
    let mut results = kept.results(args.run)?;
    let students = results.students.iter();
    let students = students.map(|student| (&student.id, student.person.as_ref()));
    args.report.explain = explain::resolve(&args.report.explain, students, kept.path())?;
    let ids: Vec<&StudentId> = results.students.iter().map(|student| &student.id).collect();
    args.report.check_students(&ids)?;
    // Nobody else enters the report, nor its summary.
    results
        .students
        .retain(|known| args.report.includes(&known.id));
    let report = args.report.prepare(&results.assignment)?;
    if results.interrupted && kept.is_running(results.run.as_ref().map(|run| run.id)) {
        let words = terminal.lang().pick(
            "this run is being graded now: what follows is what is known so far",
            "这次评测正在进行：以下是目前已知的结果",
        );
        writeln!(terminal.stderr(), "{words}")?;
    }
    report.give(&results, terminal)?;
    Ok(
        if results.interrupted || class_report::has_faults(&results) {
            Exit::Fault
        } else {
            Exit::Done
        },
    )
}

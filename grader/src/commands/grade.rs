//! `grader grade`.

use std::io::Write as _;
use std::path::Path;

use anyhow::Context as _;
use grader_intake::{ClassSource, read_class};
use grader_judge::{Scratch, Stop};
use grader_model::{Results, Sink, StudentId};
use grader_report::{Fold, Progress, write_record};

use crate::cli::GradeArgs;
use crate::exit::{Exit, Mistake};
use crate::isolation::{self, Usual};
use crate::judge;
use crate::terminal::Terminal;
use crate::{assignment, class_report};

pub(crate) fn run(args: &GradeArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let name = args.assignment.as_deref().unwrap_or(assignment::USUAL);
    let assignment = assignment::find(name)?.load_whole(terminal)?;
    args.report.check()?;
    let scratch = Scratch::new()?;
    let mut class = read_class(&ClassSource {
        folder: &args.class,
        assignment: &assignment,
        recognise: &grader_language::recognise,
        layout: None,
        roster: None,
        scratch: scratch.path(),
    })?;
    let ids: Vec<&StudentId> = class.students.iter().map(|student| &student.id).collect();
    args.report.check_students(&ids, &args.class)?;
    // Nobody else enters the results, nor the time that they take.
    class
        .students
        .retain(|known| args.report.includes(&known.id));
    args.report.probe()?;
    if let Some(path) = &args.record {
        if args.report.output.as_ref() == Some(path) {
            return Err(Mistake::new(
                "the report and the record cannot be one file: `--output` and `--record` name the same",
                "报告和评测记录不能是同一个文件：`--output` 与 `--record` 相同",
            )
            .into());
        }
        class_report::probe(path)?;
    }

    let runner = isolation::runner(&args.isolation, Usual::Strict, terminal)?;
    let stop = Stop::new();
    let mut progress = Progress::new(&terminal.error_style(), Terminal::is_interactive());
    let judge = judge::judge(
        runner,
        args.workers.jobs,
        &stop,
        Some(args.calibration),
        Some(progress.above()),
        terminal,
    )?;
    let mut fold = Fold::new();
    let mut sinks: Vec<&mut dyn Sink> = vec![&mut fold, &mut progress];
    let summary = judge.grade(&assignment, &class, &mut sinks);
    for error in summary.sink_errors {
        // The bar is not worth the grades: say it where that is still possible, and go on.
        let _ = writeln!(terminal.stderr(), "cannot show progress: {error}");
    }
    let results = fold.results().context("the judge ended without a word")?;

    // Neither is lost because the other cannot be written.
    let recorded = args
        .record
        .as_deref()
        .map_or(Ok(()), |path| record(path, &results, terminal));
    args.report.give(&results, terminal)?;
    recorded?;
    Ok(exit(&results))
}

fn record(path: &Path, results: &Results, terminal: &Terminal) -> anyhow::Result<()> {
    write_record(path, results)?;
    let path = grader_model::escaped(path.as_os_str().as_encoded_bytes());
    let words = terminal.lang().pick(
        format!("record written to `{path}`"),
        format!("评测记录已写入 `{path}`"),
    );
    writeln!(terminal.stderr(), "{words}")?;
    Ok(())
}

/// Done, unless some points are open.
fn exit(results: &Results) -> Exit {
    match (results.interrupted, class_report::has_faults(results)) {
        (true, _) => Exit::Interrupted,
        (false, true) => Exit::Fault,
        (false, false) => Exit::Done,
    }
}

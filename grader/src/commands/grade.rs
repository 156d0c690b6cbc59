//! `grader grade`.

use std::io::Write as _;
use std::path::Path;

use anyhow::Context as _;
use grader_intake::read_class;
use grader_judge::Stop;
use grader_model::{Results, Sink, Verdict};
use grader_report::{Audience, Fold, Progress, atomic_write, terminal as draw, write_json};

use crate::assignment;
use crate::cli::{self, Format, GradeArgs};
use crate::exit::{Exit, Mistake};
use crate::judge;
use crate::terminal::Terminal;

/// The assignment that is meant when none is named.
const USUAL: &str = "n-queens";

pub(crate) fn run(args: &GradeArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let name = args.assignment.assignment.as_deref().unwrap_or(USUAL);
    let assignment = assignment::find(name)?.load_whole(terminal)?;
    let class = read_class(&args.class, &assignment, &grader_language::recognise)?;
    for student in &args.explain {
        if !class
            .students
            .iter()
            .any(|known| known.id.as_str() == student)
        {
            return Err(Mistake(format!(
                "there is no student `{student}` in `{}`",
                args.class.display()
            ))
            .into());
        }
    }
    if let Some(path) = &args.output {
        try_output(path)?;
    }

    let stop = Stop::new();
    let judge = judge::judge(args.workers.jobs, &stop, terminal)?;
    let mut fold = Fold::new();
    let mut progress = Progress::new(&terminal.error_style(), Terminal::is_interactive());
    let mut sinks: Vec<&mut dyn Sink> = vec![&mut fold, &mut progress];
    let summary = judge.grade(&assignment, &class, &mut sinks);
    for error in summary.sink_errors {
        // The bar is not worth the grades: say it where that is still possible, and go on.
        let _ = writeln!(terminal.stderr(), "cannot show progress: {error}");
    }
    let results = fold.results().context("the judge ended without a word")?;

    let report = |out: &mut dyn std::io::Write, to_file: bool| -> std::io::Result<()> {
        let audience = audience(args.audience);
        match args.format {
            Format::Json => write_json(&results, audience, out),
            Format::Text => {
                let style = if to_file {
                    terminal.paper()
                } else {
                    terminal.style()
                };
                let shown = audience.view(&results);
                out.write_all(draw::class(&shown, &style).as_bytes())?;
                for student in shown
                    .students
                    .iter()
                    .filter(|s| args.explain.iter().any(|id| id == s.id.as_str()))
                {
                    writeln!(out)?;
                    out.write_all(draw::student(student, &shown.assignment, &style).as_bytes())?;
                }
                Ok(())
            }
        }
    };
    match &args.output {
        Some(path) => {
            atomic_write(path, |out| report(out, true))?;
            writeln!(terminal.stderr(), "{}", written(path, terminal))?;
        }
        None => report(&mut terminal.stdout(), false)?,
    }
    Ok(exit(&results))
}

/// Done, unless some points are open.
fn exit(results: &Results) -> Exit {
    let open = results
        .students
        .iter()
        .flat_map(|student| &student.problems)
        .any(|problem| problem.verdict == Verdict::JudgeError);
    match (results.interrupted, open) {
        (true, _) => Exit::Interrupted,
        (false, true) => Exit::Fault,
        (false, false) => Exit::Done,
    }
}

fn audience(audience: cli::Audience) -> Audience {
    match audience {
        cli::Audience::Student => Audience::Student,
        cli::Audience::Staff => Audience::Staff,
    }
}

/// Tries the place of the report before hours of grading.
fn try_output(path: &Path) -> anyhow::Result<()> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    if path.is_dir() {
        return Err(Mistake(format!(
            "cannot write the report: `{}` is a folder",
            path.display()
        ))
        .into());
    }
    tempfile::tempfile_in(folder).map(drop).map_err(|error| {
        Mistake(format!(
            "cannot write the report to `{}`: {error}",
            path.display()
        ))
        .into()
    })
}

fn written(path: &Path, terminal: &Terminal) -> String {
    let path = grader_model::escaped(path.as_os_str().as_encoded_bytes());
    terminal.lang().pick(
        format!("report written to `{path}`"),
        format!("报告已写入 `{path}`"),
    )
}

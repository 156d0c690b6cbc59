//! `grader grade`.

use std::io::Write as _;
use std::path::Path;

use anyhow::Context as _;
use grader_intake::read_class;
use grader_judge::Stop;
use grader_model::{Results, Sink, Verdict};
use grader_report::{
    Audience, Fold, Progress, atomic_write, probe_write, terminal as draw, write_json,
};

use crate::assignment;
use crate::cli::{self, Format, GradeArgs};
use crate::exit::{Exit, Mistake};
use crate::isolation::{self, Usual};
use crate::judge;
use crate::terminal::Terminal;

pub(crate) fn run(args: &GradeArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let name = args.assignment.as_deref().unwrap_or(assignment::USUAL);
    let assignment = assignment::find(name)?.load_whole(terminal)?;
    let audience = audience(args.audience);
    if audience == Audience::Student && args.explain.len() != 1 {
        return Err(Mistake::new(
            "a report for a student is about one student: name the one with `--explain ID`",
            "给学生的报告只能关于一名学生：请用 `--explain ID` 指定",
        )
        .into());
    }
    let mut class = read_class(&args.class, &assignment, &grader_language::recognise)?;
    for id in &args.explain {
        if !class.students.iter().any(|known| known.id.as_str() == id) {
            let class = args.class.display();
            return Err(Mistake::new(
                format!("there is no student `{id}` in `{class}`"),
                format!("`{class}` 中没有学生 `{id}`"),
            )
            .into());
        }
    }
    if audience == Audience::Student {
        // Nobody else enters the results, nor the time that they take.
        class
            .students
            .retain(|known| args.explain.iter().any(|id| id == known.id.as_str()));
    }
    if let Some(path) = &args.output {
        // Before hours of grading.
        probe_write(path).map_err(|error| Mistake(error.text()))?;
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

    let report = |out: &mut dyn std::io::Write, to_file: bool| -> std::io::Result<()> {
        match args.format {
            Format::Json => write_json(&results, audience, out),
            Format::Text => {
                let style = if to_file {
                    terminal.paper()
                } else {
                    terminal.style()
                };
                let shown = audience.view(&results);
                if audience == Audience::Student {
                    return out.write_all(draw::personal(&shown, &style).as_bytes());
                }
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
            if let Err(error) = atomic_write(path, |out| report(out, true)) {
                // What was graded must not be lost with the place for it.
                report(&mut terminal.stdout(), false)?;
                let words = terminal.lang().pick(
                    "the report went to standard output instead",
                    "报告改为写到标准输出",
                );
                writeln!(terminal.stderr(), "{words}")?;
                return Err(error.into());
            }
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

fn written(path: &Path, terminal: &Terminal) -> String {
    let path = grader_model::escaped(path.as_os_str().as_encoded_bytes());
    terminal.lang().pick(
        format!("report written to `{path}`"),
        format!("报告已写入 `{path}`"),
    )
}

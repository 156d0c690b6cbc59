//! `grader verify`.

use std::io::Write as _;

use grader_judge::Stop;
use grader_model::Verification;
use grader_report::{Progress, verification, verification_json};

use crate::assignment;
use crate::cli::{VerifyArgs, VerifyFormat};
use crate::exit::{Diagnosed, Exit};
use crate::isolation::{self, Programs};
use crate::judge::{self, Tools};
use crate::terminal::Terminal;

pub(crate) fn run(args: &VerifyArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let mut places = Vec::new();
    for path in &args.paths {
        places.extend(assignment::on_disk(path)?);
    }
    if args.paths.is_empty() {
        places = assignment::usual()?;
    }
    // All mistakes of all files before anything runs.
    let mut mistakes = Vec::new();
    let mut loaded = Vec::new();
    for place in &places {
        match place.load_with_samples() {
            Ok(assignment) => loaded.push(assignment),
            Err(found) => mistakes.extend(found),
        }
    }
    if !mistakes.is_empty() {
        return Err(Diagnosed(assignment::shown(&mistakes, terminal)).into());
    }

    let runner = isolation::runner(&args.isolation, Programs::Own, terminal)?;
    let stop = Stop::new();
    let mut progress = Progress::new(&terminal.error_style(), Terminal::is_interactive());
    let judge = judge::judge(
        Tools {
            runner,
            workers: args.workers.jobs,
            overlaps: true,
            stop: &stop,
            above: Some(progress.above()),
        },
        terminal,
    )?;
    let mut all = Vec::new();
    for (assignment, samples) in &loaded {
        let Some(found) = judge.verify(assignment, samples, &mut progress) else {
            return Ok(Exit::Interrupted);
        };
        if args.format == VerifyFormat::Text {
            let text = verification(&found, &terminal.style(), args.verbose);
            terminal.stdout().write_all(text.as_bytes())?;
        }
        all.push(found);
    }
    if args.format == VerifyFormat::Json {
        verification_json(&all, &mut terminal.pipe())?;
    }
    let holds = all.iter().all(Verification::holds);
    Ok(match (holds, all.iter().any(Verification::has_faults)) {
        (true, _) => Exit::Done,
        (false, false) => Exit::Unmet,
        (false, true) => Exit::Fault,
    })
}

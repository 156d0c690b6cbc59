//! Running a program on an input of one's own.

use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::Path;

use anyhow::Context as _;
use grader_judge::{GivenRun, Judge};
use grader_model::{Breach, Excerpt, Verdict};
use grader_problem::{Case, CaseRef};
use grader_session::{Exit, Failure, shown};

use super::{Chosen, say_unbuilt};
use crate::terminal::Terminal;

/// Most bytes of an output that are shown.
const MAX_SHOWN_BYTES: usize = 1 << 20;

/// Runs the program, and shows its output, how it ended and how long it took.
pub(super) fn run(
    path: &Path,
    (assignment, submissions, _): &Chosen,
    judge: impl FnOnce() -> anyhow::Result<Judge>,
    terminal: &Terminal,
) -> anyhow::Result<Exit> {
    let [entry] = &assignment.problems[..] else {
        let message = "`--input` is for one problem: specify it with `--problem`";
        return Err(Failure::usage(message).into());
    };
    let (problem, id) = (&entry.problem, &entry.problem.id);
    let (Some(submission), Some(first)) = (submissions.get(id), CaseRef::all(problem).next())
    else {
        return Ok(Exit::Done);
    };
    if let Some(files) = problem.submission.kind.instead() {
        let message = format!("for `{id}`, students submit {files}: no program reads an input");
        return Err(Failure::usage(message).into());
    }
    let first = first.case;
    let is_fed = first.generator.is_some() || !first.input.is_empty();
    if first.checker.is_interactive() || !is_fed && !first.arguments.is_empty() {
        let message = format!("programs for `{id}` do not read an input from a file");
        return Err(Failure::usage(message).into());
    }
    let mut input = Vec::new();
    if path == Path::new("-") {
        io::stdin().read_to_end(&mut input)?;
    } else {
        let read = fs::read(path);
        input = read.with_context(|| format!("cannot read `{}`", shown(path)))?;
    }
    let case = Case {
        input: input.into(),
        ..first.clone()
    };
    match judge()?.run_given(entry, submission, &case)? {
        Ok(ran) => show(&ran, terminal),
        Err(unbuilt) => say_unbuilt(*unbuilt, terminal),
    }
}

fn show(ran: &GivenRun, terminal: &Terminal) -> anyhow::Result<Exit> {
    let outcome = &ran.outcome;
    let (output, errors) = (
        Excerpt::block(ran.output.as_deref().unwrap_or_default(), MAX_SHOWN_BYTES),
        Excerpt::block(&ran.stderr, MAX_SHOWN_BYTES),
    );
    let mut out = terminal.stdout();
    for part in [&output, &errors].into_iter().filter(|it| !it.is_empty()) {
        writeln!(out, "{}", part.text)?;
        if part.after > 0 {
            writeln!(out, "… {} B", part.after)?;
        }
    }
    let limit = outcome.breach.map(|breach| match breach {
        Breach::Cpu | Breach::Wall => Verdict::TimeLimit,
        Breach::Memory => Verdict::MemoryLimit,
        Breach::Output => Verdict::OutputLimit,
    });
    let end = limit.map_or_else(
        || outcome.end.to_string(),
        |verdict| verdict.name().get(terminal.lang).to_owned(),
    );
    writeln!(out, "{end}, {}", outcome.cpu)?;
    Ok(if limit.is_none() && outcome.end.is_success() {
        Exit::Done
    } else {
        Exit::Unmet
    })
}

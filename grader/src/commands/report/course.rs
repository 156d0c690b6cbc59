//! The table of a term: `grader report course.toml`.

use std::io::Write as _;
use std::path::Path;

use grader_publish::{atomic_write, probe_write};
use grader_report::{term, write_term_csv};
use grader_session::owned::{Owner, head, is_stdout, refuse_foreign, refuse_others, say_written};
use grader_session::{AskedClass, Exit, Failure, Term, withhold_open_points};
use grader_view::{TermPart, TermView};

use crate::outputs::OutputArgs;
use crate::targets::Targets;
use crate::terminal::Terminal;

pub(super) fn run(
    path: &Path,
    source: &AskedClass,
    outputs: &OutputArgs,
    terminal: &Terminal,
) -> anyhow::Result<Exit> {
    let csv = outputs.csv.as_deref();
    let mut targets = Targets::default();
    if let Some(csv) = csv.filter(|it| !is_stdout(it)) {
        targets.add(csv, false)?;
        refuse_foreign(csv, is_table)?;
        probe_write(csv).map_err(|error| Failure::mistake(error.text()))?;
    }
    let read = Term::read(path, source, terminal)?;
    let (course, classes) = (&read.course, &read.classes);
    let mut folders = classes.iter().map(|it| &it.run.class);
    folders.try_for_each(|it| targets.refuse_in_class(it))?;
    let mut results = classes.iter().map(|it| &it.results);
    let parts = course.parts.iter().map(|part| TermPart {
        name: &part.name,
        weight: part.weight,
        drop_lowest: part.drop_lowest,
        classes: results.by_ref().take(part.classes.len()).collect(),
    });
    let view = TermView::of(&parts.collect::<Vec<_>>(), &read.used, course.late_days);
    if csv.is_none_or(|it| !is_stdout(it)) && !terminal.is_quiet {
        write!(terminal.stdout(), "{}", term(&view, &terminal.style()))?;
    }
    if let Some(csv) = csv {
        if !outputs.allow_unscored {
            let mut classes = classes.iter();
            classes.try_for_each(|it| withhold_open_points(&it.results, true, terminal))?;
        }
        if is_stdout(csv) {
            write_term_csv(&view, &mut Terminal::pipe())?;
        } else {
            let mut bytes = Vec::new();
            write_term_csv(&view, &mut bytes)?;
            refuse_another(csv, &bytes)?;
            atomic_write(csv, |out| out.write_all(&bytes))?;
            say_written(csv, terminal);
        }
    }
    Ok(read.exit())
}

fn is_table(head: &[u8]) -> bool {
    head.starts_with("\u{feff}id,name,email,".as_bytes())
}

/// Refuses to replace a table with other columns: that of a class, or of another course.
fn refuse_another(path: &Path, new: &[u8]) -> Result<(), Failure> {
    let old = head(path);
    let heads = |table: &[u8]| {
        table
            .split(|byte| *byte == b'\n')
            .next()
            .map(<[u8]>::to_vec)
    };
    let owner = if old.is_empty() || heads(&old) == heads(new) {
        Owner::Class
    } else {
        Owner::Another
    };
    refuse_others(path, owner, "file")
}

//! The table of a term: `grader report course.toml`.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;

use grader_adjust::{Conditions, LateWork};
use grader_model::{Results, StudentId, escaped};
use grader_problem::{Course, DiskLibrary, load_course};
use grader_publish::{atomic_write, probe_write};
use grader_report::{term, write_term_csv};
use grader_session::corrections::now;
use grader_session::owned::{Owner, head, is_stdout, refuse_foreign, refuse_others, say_written};
use grader_session::{
    AskedClass, Ended, Exit, Failure, Graded, SessionError, StoredRuns, shortened, shown,
    withhold_open_points,
};
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
    if let Some(csv) = csv.filter(|it| !is_stdout(it)) {
        Targets::default().add(csv, false)?;
        refuse_foreign(csv, is_table)?;
        probe_write(csv).map_err(|error| Failure::mistake(error.text()))?;
    }
    let (course, classes) = read(path, source, terminal)?;
    let (used, classes) = with_late_days(&course, classes)?;
    let mut results = classes.iter().map(|it| &it.results);
    let parts = course.parts.iter().map(|part| TermPart {
        name: &part.name,
        weight: part.weight,
        drop_lowest: part.drop_lowest,
        classes: results.by_ref().take(part.classes.len()).collect(),
    });
    let view = TermView::of(&parts.collect::<Vec<_>>(), &used, course.late_days);
    if csv.is_none_or(|it| !is_stdout(it)) && !terminal.is_quiet {
        write!(terminal.stdout(), "{}", term(&view, &terminal.style()))?;
    }
    if let Some(csv) = csv {
        if !outputs.allow_unscored {
            let mut classes = classes.iter();
            classes.try_for_each(|it| withhold_open_points(&it.results, terminal))?;
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
    let ended = Ended {
        has_faults: classes.iter().any(|it| it.exit() == Exit::Fault),
        ..Ended::default()
    };
    Ok(ended.exit())
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

/// The course, and its classes in the order of the parts.
fn read(
    path: &Path,
    asked: &AskedClass,
    terminal: &Terminal,
) -> anyhow::Result<(Course, Vec<Graded>)> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let library = DiskLibrary::new(Path::new(".").join(folder));
    let course = load_course(&library, &name).map_err(SessionError::Mistakes)?;
    let paths = course.parts.iter().flat_map(|part| &part.classes);
    let classes = paths.map(|class| {
        let stored = StoredRuns::of_course(folder.join(class), asked)?;
        let run = stored.run(None)?;
        refuse_several(&stored, &run.class)?;
        stored.say_choice(&run, terminal)?;
        Ok(Graded::of(stored, run, None, terminal)?)
    });
    let classes = classes.collect::<anyhow::Result<_>>()?;
    Ok((course, classes))
}

/// Refuses a class that was graded by several assignments: which of them the course means, it does not say.
fn refuse_several(stored: &StoredRuns, class: &Path) -> anyhow::Result<()> {
    let classes = stored.classes()?.into_iter();
    let own = classes.filter(|it| it.path == class);
    let ids: Vec<String> = own
        .map(|it| escaped(it.assignment.as_str().as_bytes()))
        .collect();
    if ids.len() < 2 {
        return Ok(());
    }
    let (class, ids) = (shown(&shortened(class.to_owned())), ids.join("`, `"));
    let message = format!(
        "`{class}` was graded by several assignments, and a course does not say which it means: `{ids}`; grade it by each of them with a \
         ledger of its own (`grade --ledger FILE`), and name the ledgers in the course"
    );
    Err(Failure::usage(message).into())
}

/// Uses late days where work is late, the earliest deadline first. Returns those that each student used.
fn with_late_days(
    course: &Course,
    mut classes: Vec<Graded>,
) -> anyhow::Result<(BTreeMap<StudentId, u32>, Vec<Graded>)> {
    let mut used: BTreeMap<StudentId, u32> = BTreeMap::new();
    let due = |results: &Results| results.assignment.deadline.as_ref().map(|it| it.due);
    let mut by_due: Vec<&mut Graded> = classes.iter_mut().collect();
    by_due.sort_by_key(|it| due(&it.results));
    for class in by_due {
        let Some(deadline) = class.results.assignment.deadline.clone() else {
            continue;
        };
        let mut judged = class.stored.results(&class.run)?;
        judged.assignment.deadline = Some(deadline.clone());
        let attempts = class.corrections.attempts(&judged, Some(&class.stored))?;
        let mut extensions = Vec::new();
        for student in &judged.students {
            let before = used.entry(student.id.clone()).or_default();
            let work = LateWork {
                student,
                corrections: class.corrections.list(),
                conditions: Conditions {
                    problems: &judged.assignment.problems,
                    deadline: Some(&deadline),
                    now: now(),
                },
                deadline: &deadline,
                attempts: &attempts,
            };
            let (days, own) = work.late_days(course.late_days - *before);
            *before += days;
            extensions.extend(own);
        }
        if !extensions.is_empty() {
            class.corrections.extend(extensions);
            class.results = judged;
            class
                .corrections
                .apply_scoped(&mut class.results, Some(&class.stored))?;
        }
    }
    Ok((used, classes))
}

//! The kit for students.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;

use grader_model::counted;
use grader_problem::{MemoryLibrary, Problem, load_assignment};

use super::kit::Kit;
use crate::assignment::{drawn, find_or_nearest};
use crate::commands::package_folder::write_package;
use crate::commands::reference;
use crate::corrections::now;
use crate::exit::{Exit, Failure};
use crate::isolation::IsolationArgs;
use crate::judge;
use crate::owned::refuse_existing;
use crate::terminal::Terminal;

/// Writes the kit.
pub(super) fn write(
    output: &Path,
    assignment: Option<&str>,
    isolation: &IsolationArgs,
    terminal: &Terminal,
) -> anyhow::Result<Exit> {
    refuse_existing(output)?;
    let place = find_or_nearest(assignment)?;
    let assignment = place.load(terminal)?;
    let (judge, stop) = judge::of_author(isolation, None, false, None, terminal)?;
    let mut kit = Kit {
        library: place.library.as_ref(),
        files: BTreeMap::new(),
        notes: Vec::new(),
        problems: Vec::new(),
        hidden: Vec::new(),
    };
    let (now, deadline) = (now(), assignment.deadline.as_ref());
    let mut counts = Vec::new();
    for entry in &assignment.problems {
        let mut public = Problem::clone(&entry.problem);
        public.subtasks.retain(|subtask| {
            let until = subtask.hidden_until;
            !subtask.hidden || until.is_some_and(|it| it.is_past(now, deadline, None))
        });
        let data = judge.test_data(&public);
        if stop.is_requested() {
            return Ok(Exit::Interrupted);
        }
        let cases = if kit.add(&public, entry, data?)? {
            public.case_count()
        } else {
            0
        };
        let all = counted(entry.problem.case_count(), "case", "cases");
        let is = if cases == 1 { "is" } else { "are" };
        counts.push(format!("{}: {cases} of {all} {is} public\n", public.id));
    }
    if kit.problems.is_empty() {
        let message = "all cases are hidden: there is nothing that students could test";
        return Err(Failure::usage(message).into());
    }
    let path = format!("{}/assignment.toml", place.folder);
    let mut table = kit.parsed(path.trim_start_matches('/'))?;
    table.remove("deadline");
    let settings = table.remove("kit");
    let grader = settings.as_ref().and_then(|it| it.get("grader")?.as_str());
    let readme = kit.readme(grader);
    table.insert("problem".to_owned(), kit.problems.into());
    for (path, text) in [
        ("README.md", readme),
        ("assignment.toml", toml::to_string(&table)?),
    ] {
        kit.files.insert(path.to_owned(), text.into_bytes());
    }
    // A kit that does not load is no use to students.
    let written = MemoryLibrary::new("the kit", kit.files.clone());
    let loaded = load_assignment(&written, "", &reference::names());
    loaded.map_err(|mistakes| drawn(&mistakes, terminal))?;
    let files = kit.files.iter();
    let files = files.map(|(path, bytes)| Ok((path.as_str(), bytes.clone())));
    let heading = "Differences from the assignment";
    let exit = write_package(output, files, heading, &kit.notes, terminal)?;
    write!(terminal.stdout(), "\n{}", counts.concat())?;
    Ok(exit)
}

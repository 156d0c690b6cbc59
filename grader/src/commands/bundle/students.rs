//! The kit for students.

use std::io::Write as _;
use std::path::Path;

use grader_kit::{KitError, StudentKit};
use grader_model::counted;
use grader_problem::SubmissionKind;
use grader_session::corrections::now;
use grader_session::{Exit, Failure, SessionError};

use super::trial::try_harness;
use crate::assignment::{assignments, of_student};
use crate::commands::package_folder::write_package;
use crate::commands::reference;
use crate::isolation::IsolationArgs;
use crate::judge;
use crate::targets::check_new_folder;
use crate::terminal::Terminal;

/// Writes the kit.
pub(super) fn write(
    output: &Path,
    assignment: Option<&str>,
    student: Option<&str>,
    isolation: &IsolationArgs,
    terminal: &Terminal,
) -> anyhow::Result<Exit> {
    check_new_folder(output)?;
    let place = assignments().find_or_nearest(assignment)?;
    let mut assignment = place.load(terminal)?;
    for entry in &mut assignment.problems {
        *entry = of_student(entry, student)?;
    }
    let (judge, stop) = judge::of_author(isolation, None, false, None, terminal)?;
    let mut kit = StudentKit::new(place.library.as_ref());
    let mut counts = Vec::new();
    for entry in &assignment.problems {
        let public = StudentKit::public(&entry.problem, assignment.deadline.as_ref(), now());
        let data = judge.test_data(&public);
        if stop.is_requested() {
            return Ok(Exit::Interrupted);
        }
        let data = data?;
        try_harness(&kit, entry, &public, (&judge, &stop), &place, terminal)?;
        if stop.is_requested() {
            return Ok(Exit::Interrupted);
        }
        if entry.problem.submission.kind == SubmissionKind::Outputs {
            let inputs = judge.test_data(&entry.problem);
            if stop.is_requested() {
                return Ok(Exit::Interrupted);
            }
            kit.add_inputs(&entry.problem, &inputs?);
        }
        let cases = if kit.add(&public, entry, data)? {
            public.case_count()
        } else {
            0
        };
        let all = counted(entry.problem.case_count(), "case", "cases");
        let is = if cases == 1 { "is" } else { "are" };
        counts.push(format!("{}: {cases} of {all} {is} public\n", public.id));
    }
    let kit = kit.finish(&place.folder, &reference::names());
    let kit = kit.map_err(|error| match error {
        KitError::Mistakes(mistakes) => SessionError::Mistakes(mistakes).into(),
        KitError::AllHidden => Failure::usage(error.to_string()).into(),
        error => anyhow::Error::from(error),
    })?;
    let files = kit.files.iter();
    let files = files.map(|(path, bytes)| Ok((path.as_str(), bytes.clone())));
    let heading = "Differences from the assignment";
    let exit = write_package(output, files, heading, &kit.notes, terminal)?;
    write!(terminal.stdout(), "\n{}", counts.concat())?;
    Ok(exit)
}

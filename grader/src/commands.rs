//! One file for each command: its arguments and what it does.

use grader_problem::Diagnostic;
use grader_report::Mistake;

pub(crate) mod audit;
pub(crate) mod bundle;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod correct;
pub(crate) mod diff;
pub(crate) mod doctor;
pub(crate) mod explore;
pub(crate) mod grade;
pub(crate) mod gradebook;
pub(crate) mod history;
pub(crate) mod import;
pub(crate) mod init;
pub(crate) mod man;
pub(crate) mod merge;
mod package_folder;
pub(crate) mod reference;
pub(crate) mod replay;
pub(crate) mod report;
pub(crate) mod review;
pub(crate) mod schema;
pub(crate) mod stress;
pub(crate) mod test;
pub(crate) mod verify;

/// A mistake in a problem file, for programs.
fn mistake(mistake: &Diagnostic) -> Mistake {
    let (line, column) = mistake.line_and_column().unzip();
    Mistake {
        file: mistake.file.path.clone(),
        line,
        column,
        message: mistake.message.clone(),
        help: mistake.help.clone(),
    }
}

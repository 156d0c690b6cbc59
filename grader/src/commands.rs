//! One file for each command: its arguments and what it does.

use std::io;

use grader_problem::Diagnostic;
use grader_report::{Finding, write_finding_annotations, write_finding_junit};
use serde_json::{Value, json};

use crate::terminal::Terminal;

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

/// Formats of a command whose results continuous integration reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum FindingFormat {
    /// For people.
    #[default]
    Text,
    /// One document for programs.
    Json,
    /// Annotations of GitHub Actions.
    Github,
    /// JUnit XML.
    Junit,
}

/// Writes findings in a format of continuous integration; the other formats show them in ways of their own.
fn write_findings(format: FindingFormat, command: &str, findings: &[Finding]) -> io::Result<()> {
    match format {
        FindingFormat::Github => write_finding_annotations(findings, &mut Terminal::pipe()),
        FindingFormat::Junit => write_finding_junit(command, findings, &mut Terminal::pipe()),
        FindingFormat::Text | FindingFormat::Json => Ok(()),
    }
}

/// A mistake in a problem file.
fn finding(mistake: &Diagnostic) -> Finding {
    let lines = [&mistake.message].into_iter().chain(&mistake.help);
    Finding {
        group: "problem files".to_owned(),
        name: mistake.file.path.clone(),
        file: Some(mistake.file.path.clone()),
        place: mistake.line_and_column(),
        messages: lines.cloned().collect(),
        is_fault: false,
    }
}

/// A mistake in a problem file, for programs.
fn mistake_json(mistake: &Diagnostic) -> Value {
    let (line, column) = mistake.line_and_column().unzip();
    json!({
        "file": mistake.file.path,
        "line": line,
        "column": column,
        "message": mistake.message,
        "help": mistake.help,
    })
}

/// Formats of a command that has two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum OutputFormat {
    /// For people.
    #[default]
    Text,
    /// One document for programs.
    Json,
}

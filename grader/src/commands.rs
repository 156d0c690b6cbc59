//! One file for each command: its arguments and what it does.

use grader_report::{Finding, write_finding_annotations, write_finding_junit};

use crate::terminal::Terminal;

pub(crate) mod bundle;
pub(crate) mod check;
pub(crate) mod correct;
pub(crate) mod diff;
pub(crate) mod doctor;
pub(crate) mod explore;
pub(crate) mod export;
pub(crate) mod generate;
pub(crate) mod grade;
pub(crate) mod gradescope_bundle;
pub(crate) mod history;
pub(crate) mod import;
pub(crate) mod init;
pub(crate) mod merge;
mod package_folder;
pub(crate) mod reference;
pub(crate) mod report;
pub(crate) mod schema;
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

/// Writes what is wrong with problem files in a format of continuous integration.
fn write_mistakes(
    format: FindingFormat,
    mistakes: &[grader_problem::Diagnostic],
) -> std::io::Result<()> {
    let findings: Vec<Finding> = mistakes
        .iter()
        .map(|mistake| Finding {
            group: "problem files".to_owned(),
            name: mistake.file.path.clone(),
            file: Some(mistake.file.path.clone()),
            place: mistake.line_and_column(),
            messages: std::iter::once(&mistake.message)
                .chain(&mistake.help)
                .cloned()
                .collect(),
            is_fault: false,
        })
        .collect();
    match format {
        FindingFormat::Junit => write_finding_junit("check", &findings, &mut Terminal::pipe()),
        _ => write_finding_annotations(&findings, &mut Terminal::pipe()),
    }
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

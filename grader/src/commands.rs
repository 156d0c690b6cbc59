//! One file for each command: its arguments and what it does.

pub(crate) mod bundle;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod correct;
pub(crate) mod diff;
pub(crate) mod doctor;
pub(crate) mod explore;
pub(crate) mod export;
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

/// Formats of a command that has two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum OutputFormat {
    /// For people.
    #[default]
    Text,
    /// One document for programs.
    Json,
}

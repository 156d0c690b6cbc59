//! The command line of `gradescope-bundle`.

use std::path::PathBuf;

use clap::Args;

use super::assignment_help;
use crate::assignment::USUAL;

#[derive(Debug, Args)]
pub(crate) struct GradescopeBundleArgs {
    #[arg(long, short, value_name = "ID|PATH", help = assignment_help(USUAL))]
    pub(crate) assignment: Option<String>,
    /// Write the zip to this file, whole or not at all.
    #[arg(long, short, value_name = "FILE", default_value = "autograder.zip")]
    pub(crate) output: PathBuf,
}

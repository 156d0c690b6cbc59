//! The command line, as clap reads it. The arguments of a command are in its file below `commands`.

use clap::{Parser, Subcommand};

use crate::commands::{
    bundle, check, correct, diff, doctor, explore, export, generate, grade, gradescope_bundle,
    history, import, init, merge, reference, report, schema, test, verify,
};
use crate::terminal::Global;

/// Bitcraft (比特匠心): grades folders of student programs.
#[derive(Debug, Parser)]
#[command(name = "grader", version, max_term_width = 100, after_help = EXIT_STATUS)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXIT_STATUS: &str = "\
Exit status:
  0    done; for `grade`, every student was graded, whatever their scores
  1    a verdict is not the wanted one (`test`, `verify`)
  2    a mistake in the command line or in a problem file
  3    a fault of the grader or of this machine: some points are open, or strict isolation is not available
  130  stopped by Ctrl-C or by the system (SIGTERM)

Examples:
  grader test count.c              a student: is my program right?
  grader grade submissions/        an instructor: grade the class";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Grade a class: a folder of students' folders, or a download of a course system.
    Grade(Box<grade::GradeArgs>),
    /// Show a graded class again in any format; runs nothing.
    Report(report::ReportArgs),
    /// Correct points by hand, excuse a student, move a deadline.
    Correct(Box<correct::CorrectArgs>),
    /// List the runs in a ledger.
    History(history::HistoryArgs),
    /// Join the ledgers of several machines, each with a shard of the class.
    Merge(merge::MergeArgs),
    /// Show which points differ between two runs, by how much, and because of which case.
    Diff(diff::DiffArgs),
    /// Test a program as the instructor's grader will.
    Test(test::TestArgs),
    /// Check that sample submissions get the verdicts that they must get.
    Verify(verify::VerifyArgs),
    /// Look for mistakes in problem files; runs nothing.
    Check(check::CheckArgs),
    /// Write a new assignment from a template, or a bundled one to edit.
    Init(init::InitArgs),
    /// Write what students need to test their programs: statements and public cases, no secrets.
    Bundle(bundle::BundleArgs),
    /// Import a problem package of Kattis, ICPC, DOMjudge, DMOJ or Polygon.
    Import(import::ImportArgs),
    /// Export a problem as a package of ICPC and Kattis.
    Export(export::ExportArgs),
    /// Try every layer of isolation and every toolchain, and print how to fix what is missing.
    Doctor(doctor::DoctorArgs),
    /// Write the zip that grades an assignment at Gradescope.
    GradescopeBundle(gradescope_bundle::GradescopeBundleArgs),
    /// Print the JSON Schema of a file format.
    Schema(schema::SchemaArgs),
    /// Write a page that shows how the algorithms think, step by step.
    Explore(explore::ExploreArgs),
    /// Run a reference solution that the grader carries.
    Reference(reference::ReferenceArgs),
    /// Write manual pages and completion scripts into a folder.
    #[command(hide = true)]
    Generate(generate::GenerateArgs),
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}

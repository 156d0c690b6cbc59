//! A gradebook of a course system that is filled in.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use clap::Args;
use grader_lms::{FillOptions, Filled, Gradebook, TableError, fill};
use grader_model::{AssignmentInfo, Lang, Results, StudentResult};
use grader_report::{Style, student_report};

use super::format::Format;
use crate::exit::Failure;

/// A gradebook that is filled in.
#[derive(Debug, Args)]
#[command(next_help_heading = "A gradebook that is filled in")]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an option of the command line"
)]
pub(super) struct GradebookArgs {
    /// The gradebook that Canvas, Blackboard or Brightspace exports, or the grading worksheet that Moodle lets you
    /// download, for `--format` of that name.
    #[arg(long, visible_alias = "worksheet", value_name = "FILE")]
    #[arg(required_if_eq_any(["moodle", "canvas", "blackboard", "brightspace"].map(|it| ("format", it))))]
    pub(super) gradebook: Option<PathBuf>,
    /// In a worksheet, a column whose heading is not recognised, as `grade=Mark` (may be given more than once); in a
    /// gradebook, the assignment, by number, column or title [default: the assignment's title].
    #[arg(long, value_name = "COLUMN", requires = "gradebook")]
    column: Vec<String>,
    /// Scale points if the gradebook's maximum differs from the assignment's.
    #[arg(long, requires = "gradebook")]
    scale: bool,
    /// Do not count bonus points.
    #[arg(long, requires = "gradebook")]
    leave_bonus: bool,
    /// Replace grades that are there already and differ from ours: a person may have entered them.
    #[arg(long, requires = "gradebook")]
    overwrite: bool,
    /// Write the points into the gradebook itself.
    #[arg(long, requires = "gradebook", conflicts_with = "output")]
    in_place: bool,
}

/// A gradebook that was read.
pub(super) type File = (Gradebook, Vec<u8>);

impl GradebookArgs {
    /// The gradebook, if it is written to.
    pub(super) fn in_place(&self) -> Option<&Path> {
        self.gradebook.as_deref().filter(|_| self.in_place)
    }

    /// Refuses to replace the gradebook by its copy: it may be the only one.
    pub(super) fn refuse_as_output(&self, output: Option<&Path>) -> Result<(), Failure> {
        let (Some(gradebook), Some(output)) = (&self.gradebook, output) else {
            return Ok(());
        };
        let file = |path: &Path| fs::metadata(path).ok().map(|it| (it.dev(), it.ino()));
        if file(gradebook).is_none() || file(gradebook) != file(output) {
            return Ok(());
        }
        Err(Failure::usage(format!(
            "`{}` is the gradebook itself: write another file, or replace its content with `--in-place` instead of `--output`",
            output.display()
        )))
    }

    /// Reads the gradebook that the format fills in, and tries to fill it with nobody's points.
    pub(super) fn read(
        &self,
        format: Format,
        assignment: &AssignmentInfo,
    ) -> Result<Option<File>, Failure> {
        let (Some(kind), Some(path)) = (format.gradebook(), &self.gradebook) else {
            return Ok(None);
        };
        let name = path.display();
        let bytes = fs::read(path)
            .map_err(|error| Failure::usage(format!("cannot read `{name}`: {error}")))?;
        let trial = fill(kind, &bytes, assignment, &[], self.options(), &mut |_| {
            String::new()
        });
        match trial {
            Ok(_) => Ok(Some((kind, bytes))),
            Err(error) => Err(Failure::usage(format!("`{name}`: {error}"))),
        }
    }

    /// The gradebook with the points of these results in it.
    pub(super) fn fill(
        &self,
        (kind, bytes): &File,
        results: &Results,
        style: &Style,
    ) -> Result<Filled, TableError> {
        let options = FillOptions {
            lang: style.lang,
            ..self.options()
        };
        let report = &mut |student: &StudentResult| student_report(results, student, style);
        let (assignment, students) = (&results.assignment, &results.students);
        fill(*kind, bytes, assignment, students, options, report)
    }

    fn options(&self) -> FillOptions<'_> {
        FillOptions {
            columns: &self.column,
            leave_bonus: self.leave_bonus,
            scale: self.scale,
            overwrite: self.overwrite,
            lang: Lang::En,
        }
    }
}

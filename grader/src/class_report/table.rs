//! A gradebook of a course system that is filled in.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use grader_lms::{FillError, FillOptions, Filled, Gradebook, fill};
use grader_model::{AssignmentInfo, Lang, Results, StudentResult};
use grader_report::{Style, student_report};

use super::{Format, mistake, shown};
use crate::exit::Mistake;

/// A gradebook that is filled in.
#[derive(Debug, Args)]
#[command(next_help_heading = "A gradebook that is filled in")]
pub(crate) struct TableArgs {
    /// The grading worksheet that Moodle lets you download, for `--format moodle`.
    #[arg(long, value_name = "FILE")]
    worksheet: Option<PathBuf>,
    /// The gradebook that Canvas, Blackboard or Brightspace exports, for `--format` of that name.
    #[arg(long, value_name = "FILE")]
    gradebook: Option<PathBuf>,
    /// Of a worksheet a column whose heading is not known, `grade=Mark` (may be given more than once); of a gradebook the
    /// assignment, by its number, its column or its title [default: the assignment's title].
    #[arg(long, value_name = "COLUMN")]
    column: Vec<String>,
    /// Scale points where the gradebook counts up to another number than the assignment.
    #[arg(long)]
    scale: bool,
    /// Do not count bonus points.
    #[arg(long)]
    leave_bonus: bool,
    /// Replace grades that are there already and differ from ours: a person may have entered them.
    #[arg(long)]
    overwrite: bool,
}

/// A gradebook that was read and whose columns were recognised.
pub(super) struct Table<'a> {
    args: &'a TableArgs,
    path: &'a Path,
    bytes: Vec<u8>,
    gradebook: Gradebook,
}

impl Format {
    /// The system whose gradebook it fills in.
    const fn gradebook(self) -> Option<Gradebook> {
        match self {
            Self::Moodle => Some(Gradebook::Moodle),
            Self::Canvas => Some(Gradebook::Canvas),
            Self::Blackboard => Some(Gradebook::Blackboard),
            Self::Brightspace => Some(Gradebook::Brightspace),
            _ => None,
        }
    }
}

impl TableArgs {
    /// Refuses a format without the file that it fills in, and options that the format does not have.
    pub(super) fn check(&self, format: Format) -> Result<(), Mistake> {
        let word = format.word();
        let gradebook = format.gradebook();
        let takes_worksheet = gradebook == Some(Gradebook::Moodle);
        let takes_gradebook = gradebook.is_some() && !takes_worksheet;
        let files = [
            (
                "--worksheet",
                self.worksheet.is_some(),
                takes_worksheet,
                "the grading worksheet that Moodle lets you download",
            ),
            (
                "--gradebook",
                self.gradebook.is_some(),
                takes_gradebook,
                "the gradebook that the course system exports",
            ),
        ];
        for (option, is_given, is_needed, what) in files {
            if is_needed && !is_given {
                return Err(mistake(format!(
                    "`--format {word}` fills in {what}: name it with `{option} FILE`"
                )));
            }
            if is_given && !is_needed {
                return Err(not_for(option, &word));
            }
        }
        let options = [
            ("--column", !self.column.is_empty()),
            ("--scale", self.scale),
            ("--leave-bonus", self.leave_bonus),
            ("--overwrite", self.overwrite),
        ];
        match options.iter().find(|(_, is_given)| *is_given) {
            Some((option, _)) if gradebook.is_none() => Err(not_for(option, &word)),
            _ => Ok(()),
        }
    }

    /// Reads the gradebook that the format fills in, and tries to fill it with nobody's points.
    pub(super) fn read(
        &self,
        format: Format,
        assignment: &AssignmentInfo,
    ) -> Result<Option<Table<'_>>, Mistake> {
        let Some(gradebook) = format.gradebook() else {
            return Ok(None);
        };
        let Some(path) = self.worksheet.as_ref().or(self.gradebook.as_ref()) else {
            return Ok(None);
        };
        let bytes = fs::read(path)
            .map_err(|error| mistake(format!("cannot read {}: {error}", shown(path))))?;
        let table = Table {
            args: self,
            path,
            bytes,
            gradebook,
        };
        let no_report = &mut |_: &StudentResult| String::new();
        let trial = table.fill_with(assignment, &[], Lang::En, no_report);
        trial.map_err(|error| table.mistake(&error))?;
        Ok(Some(table))
    }
}

fn not_for(option: &str, word: &str) -> Mistake {
    mistake(format!("`{option}` is not for `--format {word}`"))
}

impl Table<'_> {
    /// The gradebook with the points of these results in it.
    pub(super) fn fill(&self, results: &Results, style: &Style) -> Result<Filled, FillError> {
        let report = &mut |student: &StudentResult| student_report(results, student, style);
        self.fill_with(&results.assignment, &results.students, style.lang, report)
    }

    fn fill_with(
        &self,
        assignment: &AssignmentInfo,
        students: &[StudentResult],
        lang: Lang,
        report: &mut dyn FnMut(&StudentResult) -> String,
    ) -> Result<Filled, FillError> {
        let options = FillOptions {
            columns: &self.args.column,
            leave_bonus: self.args.leave_bonus,
            scale: self.args.scale,
            overwrite: self.args.overwrite,
            lang,
        };
        fill(
            self.gradebook,
            &self.bytes,
            assignment,
            students,
            options,
            report,
        )
    }

    /// Why it cannot be filled.
    fn mistake(&self, error: &FillError) -> Mistake {
        mistake(format!("{}: {error}", shown(self.path)))
    }
}

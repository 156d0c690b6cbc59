//! Options of the report.

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use grader_model::{Person, StudentId};
use grader_report::Audience;

use super::format::Format;
use super::gradebook::GradebookArgs;
use crate::exit::Failure;
use crate::part::{PartArgs, named};

/// The report on a class.
#[derive(Debug, Args)]
#[command(next_help_heading = "The report")]
pub(crate) struct ClassReportArgs {
    /// What the report looks like, and for whom or what it is.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(super) format: Format,
    /// Write the report to this file, whole or not at all, instead of standard output; of `students`,
    /// `html`, `dolos` and `jplag` the folder.
    #[arg(long, short, value_name = "PATH")]
    #[arg(required_if_eq_any([("format", "students"), ("format", "moodle-feedback"), ("format", "html"), ("format", "dolos"), ("format", "jplag")]))]
    pub(super) output: Option<PathBuf>,
    /// Who will read the report: a student sees no hidden cases, no flags and nobody else; name the student with
    /// `--explain`.
    #[arg(long, default_value = "staff", value_name = "WHO", value_parser = audiences())]
    pub(super) audience: Audience,
    /// Explain every score of this student after the table (may be given more than once).
    #[arg(long, value_name = "ID")]
    explain: Vec<String>,
    /// Also write points for another system while some are not scored yet: their cells stay empty.
    #[arg(long)]
    pub(super) allow_faults: bool,
    #[command(flatten)]
    pub(super) gradebook: GradebookArgs,
}

fn audiences() -> impl clap::builder::TypedValueParser<Value = Audience> {
    PossibleValuesParser::new(["student", "staff"]).map(|word| match word.as_str() {
        "student" => Audience::Student,
        _ => Audience::Staff,
    })
}

const NOT_ONE: &str = "this report is about one student: name the student with `--explain ID`";

impl ClassReportArgs {
    /// Whether the report is about exactly one student.
    fn is_about_one(&self) -> bool {
        self.audience == Audience::Student || self.format.is_about_one()
    }

    /// Whether a student enters the report: one about one student is about the one of `--explain`.
    pub(crate) fn includes(&self, student: &StudentId) -> bool {
        !self.is_about_one() || self.explain.is_empty() || self.explains(student)
    }

    pub(super) fn explains(&self, student: &StudentId) -> bool {
        self.explain.iter().any(|id| id == student.as_str())
    }

    /// Finds mistakes that can be seen before a class is read.
    pub(crate) fn check(&self, part: &PartArgs) -> Result<(), Failure> {
        if self.format.carries_points() && !part.has_totals() {
            let word = self.format.word();
            let message =
                format!("`--format {word}` needs whole totals: leave out `--problem` and `--case`");
            return Err(Failure::usage(message));
        }
        if self.is_about_one() && self.explain.len() > 1 {
            return Err(Failure::usage(NOT_ONE));
        }
        if self.format == Format::Html && self.audience == Audience::Student {
            let message =
                "`--format html` is for staff; its folder `students` has the pages for students";
            return Err(Failure::usage(message));
        }
        if self.format.similarity_tool().is_some() && self.audience == Audience::Student {
            let word = self.format.word();
            let message =
                format!("`--format {word}` is for staff: it holds the sources of the whole class");
            return Err(Failure::usage(message));
        }
        if self.format.gradebook().is_none() && self.gradebook.gradebook.is_some() {
            let word = self.format.word();
            let message = format!("`--gradebook` is not for `--format {word}`");
            return Err(Failure::usage(message));
        }
        Ok(())
    }

    /// Whether it is made of the sources in the ledger.
    pub(crate) fn needs_ledger(&self) -> bool {
        self.format.similarity_tool().is_some()
    }

    /// Replaces the names in `--explain` by ids, and checks that a report about one student names the one.
    pub(crate) fn resolve<'a>(
        &mut self,
        students: impl Iterator<Item = (&'a StudentId, Option<&'a Person>)>,
        source: &Path,
    ) -> Result<(), Failure> {
        let students: Vec<_> = students.collect();
        self.explain = named(&self.explain, &students, source)?;
        if self.is_about_one() && self.explain.len() != 1 && students.len() != 1 {
            return Err(Failure::usage(NOT_ONE));
        }
        Ok(())
    }
}

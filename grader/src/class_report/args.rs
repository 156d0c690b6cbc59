//! Options of the report.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use grader_model::StudentId;
use grader_report::Audience;

use super::format::Format;
use super::gradebook::GradebookArgs;
use crate::exit::Failure;
use crate::part::{PartArgs, People};

/// The report on a class.
#[derive(Debug, Args)]
#[command(next_help_heading = "The report")]
pub(crate) struct ClassReportArgs {
    /// What the report looks like, and for whom or what it is.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(super) format: Format,
    /// Write the report to this file, whole or not at all, instead of standard output. For
    /// `students`, `html`, `dolos` and `jplag`, it is a folder.
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
    /// Write points for another system even if some are not scored yet: their cells stay empty.
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
    /// The file or folder to write; `None` for standard output.
    pub(super) fn target(&self) -> Option<&Path> {
        self.gradebook.in_place().or(self.output.as_deref())
    }

    /// Whether the report is about exactly one student.
    fn is_about_one(&self) -> bool {
        self.audience == Audience::Student || self.format.is_about_one()
    }

    /// Whether a student enters the report: one about one student is about the one of `--explain`.
    pub(crate) fn includes(&self, student: &StudentId) -> bool {
        !self.is_about_one() || self.explain.is_empty() || self.explains(student)
    }

    /// The student whom the report is about; empty if it is about all.
    pub(crate) fn only(&self) -> BTreeSet<StudentId> {
        let named = self.explain.iter().filter(|_| self.is_about_one());
        named.map(StudentId::new).collect()
    }

    pub(super) fn explains(&self, student: &StudentId) -> bool {
        self.explain.iter().any(|id| id == student.as_str())
    }

    /// Finds mistakes that can be seen before a class is read.
    pub(crate) fn check(&self, part: &PartArgs, is_stored: bool) -> Result<(), Failure> {
        let word = self.format.word();
        let is_for_student = self.audience == Audience::Student;
        let has_sources = self.format.similarity_tool().is_some();
        let shows_cases = self.format.shows_cases() && !is_for_student;
        let message = if part.is_of_cases() && !shows_cases {
            let found = if is_for_student {
                "--audience student".to_owned()
            } else {
                format!("--format {word}")
            };
            format!(
                "`--case` shows staff the verdicts of cases, without points: expected `--format text`, `json` or `junit`, \
                 found `{found}`"
            )
        } else if self.format.carries_points() && !part.has_totals() {
            format!("`--format {word}` needs whole totals: leave out `--problem`")
        } else if self.is_about_one() && self.explain.len() > 1 {
            NOT_ONE.to_owned()
        } else if self.format == Format::Html && is_for_student {
            "`--format html` is for staff; its folder `students` has the pages for students"
                .to_owned()
        } else if has_sources && is_for_student {
            format!("`--format {word}` is for staff: it holds the sources of the whole class")
        } else if has_sources && !is_stored {
            format!("`--format {word}` reads sources from the ledger: leave out `--no-ledger`")
        } else if self.format.gradebook().is_none() && self.gradebook.gradebook.is_some() {
            format!("`--gradebook` is not for `--format {word}`")
        } else {
            return Ok(());
        };
        Err(Failure::usage(message))
    }

    /// Replaces the names in `--explain` by ids, and checks that a report about one student names the one.
    pub(crate) fn resolve(&mut self, people: &People<'_>) -> Result<(), Failure> {
        let ids = self.explain.iter().map(|name| people.find(name));
        self.explain = ids.collect::<Result<_, _>>()?;
        if self.is_about_one() && self.explain.len() != 1 && people.students.len() != 1 {
            return Err(Failure::usage(NOT_ONE));
        }
        Ok(())
    }
}

//! The report on a class: what `grade` and `report` write, and their options for it.
//!
//! Mistakes that can be seen before there are results are found first ([`ClassReportArgs::prepare`]): grading may take
//! hours. What is written is made of the results alone ([`Prepared::give`]).

mod explain;
mod gradebook;
mod withheld;
mod write;

use std::fs;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use clap::{Args, ValueEnum};
use grader_lms::Gradebook;
use grader_model::{AssignmentInfo, Person, Results, StudentId, Verdict};
use grader_report::{Audience, probe_write};

use crate::exit::Failure;
use gradebook::GradebookArgs;
pub(crate) use write::Prepared;

/// The report on a class.
#[derive(Debug, Args)]
#[command(next_help_heading = "The report")]
pub(crate) struct ClassReportArgs {
    /// What the report looks like, and for whom or what it is.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,
    /// Write the report to this file, whole or not at all, instead of standard output; of `students` the folder.
    #[arg(long, short, value_name = "PATH")]
    output: Option<PathBuf>,
    /// Who will read the report: a student sees no hidden cases, no flags and nobody else; name the student with
    /// `--explain`.
    #[arg(long, default_value = "staff", value_name = "WHO", value_parser = audiences())]
    audience: Audience,
    /// Explain every score of this student after the table (may be given more than once).
    #[arg(long, value_name = "ID")]
    explain: Vec<String>,
    /// Also write points for another system while some are not scored yet: their cells stay empty.
    #[arg(long)]
    allow_faults: bool,
    #[command(flatten)]
    gradebook: GradebookArgs,
}

fn audiences() -> impl clap::builder::TypedValueParser<Value = Audience> {
    PossibleValuesParser::new(["student", "staff"]).map(|word| match word.as_str() {
        "student" => Audience::Student,
        _ => Audience::Staff,
    })
}

/// Formats of the report of `grade` and `report`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// A table for people.
    #[default]
    Text,
    /// Everything, for programs; `grader schema results` describes it.
    Json,
    /// A gradebook for spreadsheets.
    Csv,
    /// JUnit's XML, for the test reports of CI systems.
    Junit,
    /// A page for wikis, merge requests and GitHub's step summary.
    Markdown,
    /// Annotations of GitHub Actions: what is wrong, beside the source.
    Github,
    /// The two notices from which GitHub Classroom takes the points of one student.
    Classroom,
    /// Gradescope's `results.json` of one student.
    Gradescope,
    /// Moodle's grading worksheet, filled in; needs `--gradebook`.
    Moodle,
    /// A zip of one feedback text for each student, for Moodle's "Upload multiple feedback files".
    MoodleFeedback,
    /// Canvas' gradebook, filled in; needs `--gradebook`.
    Canvas,
    /// Blackboard's grade centre, filled in; needs `--gradebook`.
    Blackboard,
    /// Brightspace's grades, filled in; needs `--gradebook`.
    Brightspace,
    /// A folder with one text for each student.
    Students,
}

impl Format {
    /// Its word on the command line.
    fn word(self) -> String {
        let value = self.to_possible_value();
        value.map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// The gradebook that it fills in.
    const fn gradebook(self) -> Option<Gradebook> {
        match self {
            Self::Moodle => Some(Gradebook::Moodle),
            Self::Canvas => Some(Gradebook::Canvas),
            Self::Blackboard => Some(Gradebook::Blackboard),
            Self::Brightspace => Some(Gradebook::Brightspace),
            _ => None,
        }
    }

    /// Whether it carries points into another system, where a missing one would look like a grade of 0.
    const fn carries_points(self) -> bool {
        let is_table = matches!(self, Self::Csv | Self::MoodleFeedback);
        is_table || self.gradebook().is_some() || self.is_about_one()
    }

    /// Whether it always has exactly one student.
    const fn is_about_one(self) -> bool {
        matches!(self, Self::Classroom | Self::Gradescope)
    }
}

impl ClassReportArgs {
    /// Whether the report is about exactly one student.
    fn is_about_one(&self) -> bool {
        self.audience == Audience::Student || self.format.is_about_one()
    }

    /// Whether a student enters the report: one about one student is about the one of `--explain`.
    pub(crate) fn includes(&self, student: &StudentId) -> bool {
        !self.is_about_one() || self.explain.is_empty() || self.explains(student)
    }

    fn explains(&self, student: &StudentId) -> bool {
        self.explain.iter().any(|id| id == student.as_str())
    }

    /// Finds mistakes that can be seen before a class is read.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        let word = self.format.word();
        if self.is_about_one() && self.explain.len() > 1 {
            return Err(self.not_one());
        }
        let place = match self.format {
            Format::Students => Some("a folder"),
            Format::MoodleFeedback => Some("a zip"),
            _ => None,
        };
        let message = match (place, &self.output) {
            (Some(place), None) => {
                format!("`--format {word}` is {place}: name it with `--output PATH`")
            }
            _ => match (self.format.gradebook(), &self.gradebook.gradebook) {
                (Some(_), None) => format!(
                    "`--format {word}` fills in a gradebook that you downloaded: name it with `--gradebook FILE`"
                ),
                (None, Some(_)) => format!("`--gradebook` is not for `--format {word}`"),
                _ => return Ok(()),
            },
        };
        Err(Failure::usage(message))
    }

    /// Replaces the names in `--explain` by ids, and checks that a report about one student names the one.
    pub(crate) fn resolve<'a>(
        &mut self,
        students: impl Iterator<Item = (&'a StudentId, Option<&'a Person>)>,
        source: &Path,
    ) -> Result<(), Failure> {
        let students: Vec<_> = students.collect();
        self.explain = explain::resolve(&self.explain, &students, source)?;
        if self.is_about_one() && self.explain.len() != 1 && students.len() != 1 {
            return Err(self.not_one());
        }
        Ok(())
    }

    fn not_one(&self) -> Failure {
        let report = if self.format.is_about_one() {
            format!("`--format {}`", self.format.word())
        } else {
            "a report for a student".to_owned()
        };
        Failure::usage(format!(
            "{report} is about one student: name the one with `--explain ID`"
        ))
    }

    /// Checks that the report can be written, and reads the gradebook that is filled in.
    pub(crate) fn prepare(&self, assignment: &AssignmentInfo) -> Result<Prepared<'_>, Failure> {
        if let Some(path) = &self.output {
            let file = if self.format == Format::Students {
                fs::create_dir_all(path).map_err(|error| {
                    let path = path.display();
                    Failure::usage(format!("cannot create the folder `{path}`: {error}"))
                })?;
                &path.join("report.txt")
            } else {
                path
            };
            probe_write(file).map_err(|error| Failure::mistake(error.text()))?;
        }
        Ok(Prepared {
            args: self,
            gradebook: self.gradebook.read(self.format, assignment)?,
        })
    }
}

/// Whether some results are faults, so that their points are not known.
pub(crate) fn has_faults(results: &Results) -> bool {
    let problems = results
        .students
        .iter()
        .flat_map(|student| &student.problems);
    problems
        .into_iter()
        .any(|problem| problem.verdict == Verdict::JudgeError)
}

//! The report on a class: what `grade` and `report` write, and their options for it.
//!
//! Mistakes that can be seen before there are results are found first ([`ClassReportArgs::prepare`]): grading may take
//! hours. What is written is made of the results alone ([`Prepared::give`]).

mod table;
mod withheld;
mod write;

use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use clap::{Args, ValueEnum};
use grader_model::{AssignmentInfo, Results, StudentId, Text, Verdict, escaped};
use grader_report::{Audience, probe_write};

use crate::exit::Mistake;
use table::TableArgs;
pub(crate) use write::Prepared;

/// The report on a class.
#[derive(Debug, Args)]
#[command(next_help_heading = "The report")]
pub(crate) struct ClassReportArgs {
    /// What the report looks like, and for whom or what it is.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: Format,
    /// Write the report to this file, whole or not at all, instead of standard output; of `students` the folder.
    #[arg(long, short, value_name = "PATH")]
    pub(crate) output: Option<PathBuf>,
    /// Who will read the report: a student sees no hidden cases, no flags and nobody else; name the student with
    /// `--explain`.
    #[arg(long, default_value = "staff", value_name = "WHO", value_parser = audiences())]
    pub(crate) audience: Audience,
    /// Explain every score of this student after the table (may be given more than once).
    #[arg(long, value_name = "ID")]
    pub(crate) explain: Vec<String>,
    /// Also write points for another system while some are not scored yet: their cells stay empty.
    #[arg(long)]
    pub(crate) allow_faults: bool,
    #[command(flatten)]
    pub(crate) table: TableArgs,
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
    /// Moodle's grading worksheet, filled in; needs `--worksheet`.
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

    /// Whether it carries points into another system, where a missing one would look like a grade of 0.
    const fn carries_points(self) -> bool {
        match self {
            Self::Csv
            | Self::Classroom
            | Self::Gradescope
            | Self::Moodle
            | Self::MoodleFeedback
            | Self::Canvas
            | Self::Blackboard
            | Self::Brightspace => true,
            Self::Text
            | Self::Json
            | Self::Junit
            | Self::Markdown
            | Self::Github
            | Self::Students => false,
        }
    }
}

impl ClassReportArgs {
    /// Whether the report is about exactly one student.
    fn is_about_one(&self) -> bool {
        self.audience == Audience::Student
            || matches!(self.format, Format::Classroom | Format::Gradescope)
    }

    /// Whether a student enters the report: one about one student is about the one of `--explain`.
    pub(crate) fn includes(&self, student: &StudentId) -> bool {
        !self.is_about_one() || self.explain.is_empty() || self.explains(student)
    }

    fn explains(&self, student: &StudentId) -> bool {
        self.explain.iter().any(|id| id == student.as_str())
    }

    /// Finds mistakes that can be seen before a class is read.
    pub(crate) fn check(&self) -> Result<(), Mistake> {
        if self.is_about_one() && self.explain.len() > 1 {
            return Err(self.not_one());
        }
        let place = match self.format {
            Format::Students => Some("a folder"),
            Format::MoodleFeedback => Some("a zip"),
            _ => None,
        };
        if let (Some(place), None) = (place, &self.output) {
            let word = self.format.word();
            return Err(mistake(format!(
                "`--format {word}` is {place}: say where with `--output PATH`"
            )));
        }
        self.table.check(self.format)
    }

    /// Whether a report about one student names the one.
    pub(crate) fn check_students(&self, known: &[&StudentId]) -> Result<(), Mistake> {
        if self.is_about_one() && self.explain.len() != 1 && known.len() != 1 {
            return Err(self.not_one());
        }
        Ok(())
    }

    fn not_one(&self) -> Mistake {
        let report = match self.format {
            Format::Classroom | Format::Gradescope => format!("`--format {}`", self.format.word()),
            _ => "a report for a student".to_owned(),
        };
        mistake(format!(
            "{report} is about one student: name the one with `--explain ID`"
        ))
    }

    /// Checks that the report can be written where it is to go, and reads the table that is filled in.
    pub(crate) fn prepare(&self, assignment: &AssignmentInfo) -> Result<Prepared<'_>, Mistake> {
        let probe = |path: &Path| probe_write(path).map_err(|error| Mistake(error.text()));
        match &self.output {
            Some(path) if self.format == Format::Students => {
                if path.exists() && !path.is_dir() {
                    let path = shown(path);
                    return Err(mistake(format!(
                        "cannot write the folder {path}: there is a file of that name"
                    )));
                }
                // The nearest folder that is there decides.
                let nearest = path.ancestors().find(|it| it.is_dir());
                probe(&nearest.unwrap_or(Path::new(".")).join("report.txt"))?;
            }
            Some(path) => probe(path)?,
            None => {}
        }
        Ok(Prepared {
            args: self,
            table: self.table.read(self.format, assignment)?,
        })
    }
}

/// Whether some results are faults, so that their points are not known.
pub(crate) fn has_faults(results: &Results) -> bool {
    let mut problems = results
        .students
        .iter()
        .flat_map(|student| &student.problems);
    problems.any(|problem| problem.verdict == Verdict::JudgeError)
}

/// A mistake on the command line, in English.
fn mistake(text: impl Into<String>) -> Mistake {
    Mistake(Text::plain(text))
}

/// A path in a message.
fn shown(path: &Path) -> String {
    format!("`{}`", escaped(path.as_os_str().as_encoded_bytes()))
}

//! What the report on a class looks like: options that `grade` and `report` share.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

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
    /// Who will read the report: a student sees no hidden cases and no flags, and nobody else. Then all
    /// is about the student of `--explain` only.
    #[arg(long, value_enum, default_value_t, value_name = "WHO")]
    pub(crate) audience: Audience,
    /// Explain every score of this student, by id, name or address, after the table (may be given more than once).
    #[arg(long, value_name = "STUDENT")]
    pub(crate) explain: Vec<String>,
    /// Also write points for another system while some are open: their cells stay empty.
    #[arg(long)]
    pub(crate) allow_faults: bool,
    #[command(flatten)]
    pub(crate) table: TableArgs,
}

/// A table of another system that is filled in.
#[derive(Debug, Args)]
#[command(next_help_heading = "A table that is filled in")]
pub(crate) struct TableArgs {
    /// The grading worksheet that Moodle lets you download, for `--format moodle`.
    #[arg(long, value_name = "FILE")]
    pub(crate) worksheet: Option<PathBuf>,
    /// The gradebook that Canvas exports, for `--format canvas`.
    #[arg(long, value_name = "FILE")]
    pub(crate) gradebook: Option<PathBuf>,
    /// Of a worksheet a column whose head is not known, `grade=Mark` (may be given more than once); of a gradebook the
    /// assignment, by its number, its column or its title [default: the assignment's title].
    #[arg(long, value_name = "COLUMN")]
    pub(crate) column: Vec<String>,
    /// Scale points where the table counts up to another number than the assignment.
    #[arg(long)]
    pub(crate) scale: bool,
    /// Do not count bonus points.
    #[arg(long)]
    pub(crate) leave_bonus: bool,
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
    /// A folder with one text for each student.
    Students,
}

impl Format {
    /// Its word on the command line.
    pub(crate) fn word(self) -> String {
        let value = self.to_possible_value();
        value.map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// Whether it carries points into another system, where an open one would look like none.
    pub(crate) const fn carries_points(self) -> bool {
        match self {
            Self::Csv
            | Self::Classroom
            | Self::Gradescope
            | Self::Moodle
            | Self::MoodleFeedback
            | Self::Canvas => true,
            Self::Text
            | Self::Json
            | Self::Junit
            | Self::Markdown
            | Self::Github
            | Self::Students => false,
        }
    }

    /// Whether it is about exactly one student.
    pub(crate) const fn is_about_one(self) -> bool {
        matches!(self, Self::Classroom | Self::Gradescope)
    }

    /// Whether it is several files in a folder.
    pub(crate) const fn is_folder(self) -> bool {
        matches!(self, Self::Students)
    }

    /// Whether it is nothing that a terminal could show.
    pub(crate) const fn is_binary(self) -> bool {
        matches!(self, Self::MoodleFeedback)
    }
}

/// Who reads a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Audience {
    /// The student it is about.
    Student,
    /// Instructors.
    #[default]
    Staff,
}

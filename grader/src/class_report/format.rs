//! Formats of the report.

use clap::ValueEnum;
use grader_lms::Gradebook;
use grader_report::SimilarityTool;

/// Formats of the report of `grade` and `report`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
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
    /// A folder with the sources as Dolos reads them, which measures how similar they are; prints the commands to run.
    Dolos,
    /// A folder with the sources as JPlag reads them, which measures how similar they are; prints the commands to run.
    Jplag,
    /// A folder of web pages: the class and each student for staff, and `students/` to hand out; or, if the path ends
    /// in `.html`, one file for staff.
    Html,
}

impl Format {
    /// Its word on the command line.
    pub(super) fn word(self) -> String {
        let value = self.to_possible_value();
        value.map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// The gradebook that it fills in.
    pub(super) const fn gradebook(self) -> Option<Gradebook> {
        match self {
            Self::Moodle => Some(Gradebook::Moodle),
            Self::Canvas => Some(Gradebook::Canvas),
            Self::Blackboard => Some(Gradebook::Blackboard),
            Self::Brightspace => Some(Gradebook::Brightspace),
            _ => None,
        }
    }

    /// The tool that reads the sources of the class.
    pub(super) const fn similarity_tool(self) -> Option<SimilarityTool> {
        match self {
            Self::Dolos => Some(SimilarityTool::Dolos),
            Self::Jplag => Some(SimilarityTool::Jplag),
            _ => None,
        }
    }

    /// Whether it carries points into another system, where a missing one would look like a grade of 0.
    pub(super) const fn carries_points(self) -> bool {
        let is_table = matches!(self, Self::Csv | Self::MoodleFeedback);
        is_table || self.gradebook().is_some() || self.is_about_one()
    }

    /// Whether it can show the verdicts of some cases without points.
    pub(super) const fn shows_cases(self) -> bool {
        matches!(self, Self::Text | Self::Json | Self::Junit)
    }

    /// Whether it always has exactly one student.
    pub(super) const fn is_about_one(self) -> bool {
        matches!(self, Self::Classroom | Self::Gradescope)
    }
}

//! The formats of reports: which option asks for one, what lies at its path, and what it needs.

use std::path::Path;

use grader_model::ClassId;
use grader_publish::Owner;
use grader_report::{CLASSROOM50_SCHEMA, markdown_text};
use grader_session::owned::{contains, owner_named, tail};

use super::feedback;
use crate::pages::is_one_page;

/// The format of a report that goes to a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Json,
    Csv,
    Junit,
    Markdown,
    Html,
    Gradescope,
    Classroom50,
    Feedback,
    Moodle,
    Dolos,
    Jplag,
}

/// What a report cannot do without.
pub(super) enum Needs {
    /// Nothing: it can show the verdicts of some cases, which have no points.
    Nothing,
    /// Points of problems.
    Points,
    /// Points of all problems: its totals are those of students.
    Totals,
}

impl Format {
    /// The option that names its path.
    pub(super) const fn option(self) -> &'static str {
        match self {
            Self::Json => "--json",
            Self::Csv => "--csv",
            Self::Junit => "--junit",
            Self::Markdown => "--markdown",
            Self::Html => "--html",
            Self::Gradescope => "--gradescope",
            Self::Classroom50 => "--classroom50",
            Self::Feedback => "--feedback",
            Self::Moodle => "--moodle-feedback",
            Self::Dolos => "--dolos",
            Self::Jplag => "--jplag",
        }
    }

    /// Whether it is a folder of files at this path.
    pub(super) fn is_folder(self, path: &Path) -> bool {
        match self {
            Self::Html => !is_one_page(path),
            Self::Feedback | Self::Dolos | Self::Jplag => true,
            Self::Json
            | Self::Csv
            | Self::Junit
            | Self::Markdown
            | Self::Gradescope
            | Self::Classroom50
            | Self::Moodle => false,
        }
    }

    /// What it expects instead of standard output, if it cannot go there.
    pub(super) const fn expected_path(self) -> Option<&'static str> {
        match self {
            Self::Html => Some("a folder, or a file `*.html`"),
            Self::Feedback | Self::Dolos | Self::Jplag => Some("a folder"),
            Self::Moodle => Some("a file `*.zip`"),
            Self::Json
            | Self::Csv
            | Self::Junit
            | Self::Markdown
            | Self::Gradescope
            | Self::Classroom50 => None,
        }
    }

    pub(super) const fn needs(self) -> Needs {
        match self {
            Self::Json | Self::Junit => Needs::Nothing,
            Self::Markdown | Self::Html | Self::Dolos | Self::Jplag => Needs::Points,
            Self::Csv | Self::Gradescope | Self::Classroom50 | Self::Feedback | Self::Moodle => {
                Needs::Totals
            }
        }
    }

    /// Whether it is for staff only, and why a student cannot have it.
    pub(super) const fn refusal_for_student(self) -> Option<&'static str> {
        match self {
            Self::Html => Some("is for staff; its folder `students` has the pages for students"),
            Self::Dolos | Self::Jplag => Some("is for staff: it holds everybody's programs"),
            Self::Json
            | Self::Csv
            | Self::Junit
            | Self::Markdown
            | Self::Gradescope
            | Self::Classroom50
            | Self::Feedback
            | Self::Moodle => None,
        }
    }

    /// Whether another system takes points from it: cells of those that could not be judged must not look like a grade.
    pub(super) fn carries_points(self) -> bool {
        matches!(self, Self::Csv | Self::Classroom50 | Self::Moodle)
    }

    /// Whether students get it, and no staff looks at it before.
    pub(super) fn is_for_students(self) -> bool {
        matches!(
            self,
            Self::Gradescope | Self::Classroom50 | Self::Feedback | Self::Moodle
        )
    }

    /// Whether it is made of the sources that were judged.
    pub(super) const fn needs_sources(self) -> bool {
        matches!(self, Self::Dolos | Self::Jplag)
    }

    /// Whose the file is that lies there.
    pub(super) fn owner(self, path: &Path, head: &[u8], class: &ClassId) -> Owner {
        let section = &class.section;
        let comment = format!("<!-- class {section} -->");
        match self {
            Self::Json if contains(head, "\"format\": \"bitcraft-results/") => {
                let own = format!(
                    "\"assignment\": \"{}\",\n    \"section\": \"{section}\"",
                    class.assignment
                );
                owner_named(head, "\"section\": ", &own)
            }
            Self::Csv if head.starts_with("\u{feff}id,name,email,".as_bytes()) => {
                let heads = head.split(|byte| *byte == b'\n').next().unwrap_or(head);
                let is_empty = heads.len() + 1 >= head.len();
                match contains(heads, ",class\r") {
                    true if is_empty => Owner::Class,
                    true => owner_named(&tail(path), "\r\n", &format!(",{class}\r\n")),
                    false if contains(heads, ",notes\r") => Owner::Unknown,
                    false => Owner::Another,
                }
            }
            Self::Junit if contains(head, "<testsuites name=\"") => {
                let name = format!("<testsuites name=\"{}\"", class.assignment);
                match owner_named(head, "<!-- class ", &comment) {
                    Owner::Class if !contains(head, &name) => Owner::Another,
                    owner => owner,
                }
            }
            Self::Markdown if head.starts_with(b"## ") && contains(head, "\n| :-- |") => {
                let title = head.split(|byte| *byte == b'\n').next().unwrap_or(head);
                let id = markdown_text(class.assignment.as_str());
                match owner_named(head, "<!-- class ", &comment) {
                    Owner::Class if !title.ends_with(format!("({id})").as_bytes()) => {
                        Owner::Another
                    }
                    owner => owner,
                }
            }
            Self::Gradescope if contains(head, "\"format\": \"bitcraft-gradescope/") => {
                let own = format!("\"assignment\": \"{}\"", class.assignment);
                owner_named(head, "\"assignment\": ", &own)
            }
            // The folder is one student's, whose result this is.
            Self::Classroom50 if contains(head, CLASSROOM50_SCHEMA) => Owner::Class,
            Self::Html => Owner::of(head, class),
            Self::Feedback => feedback::owner(head, &class.to_string()),
            Self::Moodle => feedback::zip_owner(path, &class.to_string()),
            Self::Json
            | Self::Csv
            | Self::Junit
            | Self::Markdown
            | Self::Gradescope
            | Self::Classroom50
            | Self::Dolos
            | Self::Jplag => Owner::Foreign,
        }
    }
}

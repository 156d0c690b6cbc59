//! `course.toml`: the classes of a term, and what each counts.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::diagnostic::{Loaded, loaded};
use crate::library::Library;
use crate::parse::parse;
use crate::value::{At, Count, Prose};

/// A course: several graded classes, for one table of the term. `grader report course.toml` reads it.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(title = "course.toml")]
pub(crate) struct CourseFile {
    /// Version of this format: 1.
    #[serde(rename = "format")]
    _format: Count<1, 1>,
    /// Late days that each student may use during the term: each moves a deadline to the same time a day later. They apply
    /// automatically, to the earliest deadlines first. Default: none.
    late_days: Option<Count<0, 1000>>,
    /// The parts of the grade, such as homework and exam.
    part: At<Vec<PartFile>>,
}

/// A part of the grade. Its assignments count equally, each with the percentage of points that it earned.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct PartFile {
    /// The name: the column of its mean, if it has several assignments.
    name: Prose,
    /// What the part counts, compared with the other parts.
    weight: Count<1, 1000>,
    /// How many of each student's lowest assignments do not count. Default: none.
    drop_lowest: Option<At<Count<0, 1000>>>,
    /// The graded classes, one for each assignment: folders of submissions, or ledgers. Paths begin at this file's folder.
    classes: At<Vec<At<Prose>>>,
}

/// The classes of a term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Course {
    /// Late days that each student may use.
    pub late_days: u32,
    /// The parts of the grade; at least one.
    pub parts: Vec<CoursePart>,
}

/// A part of the grade.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoursePart {
    /// The name: the column of its mean, if it has several assignments.
    pub name: String,
    /// What it counts, compared with the other parts; at least 1.
    pub weight: u32,
    /// How many of each student's lowest assignments do not count; fewer than there are.
    pub drop_lowest: usize,
    /// The classes, by their paths from the file's folder; at least one.
    pub classes: Vec<String>,
}

/// Reads a course.
///
/// # Errors
/// The mistakes in the file, or that it does not exist.
pub fn load_course(library: &dyn Library, path: &str) -> Loaded<Course> {
    let (mut log, file) = parse::<CourseFile>(library, path)?;
    if file.part.value.is_empty() {
        log.report(&file.part.span, "a course needs at least one part");
    }
    let mut seen = BTreeSet::new();
    let mut parts = Vec::new();
    for part in file.part.value {
        if part.classes.value.is_empty() {
            log.report(&part.classes.span, "a part needs at least one class");
        }
        let drop = part.drop_lowest.as_ref();
        let drop_lowest = drop.map_or(0, |it| it.value.get() as usize);
        if let Some(drop) = drop.filter(|_| drop_lowest >= part.classes.value.len()) {
            let message = "a part must keep at least one assignment";
            log.report(&drop.span, message);
        }
        for class in &part.classes.value {
            if !seen.insert(class.value.0.clone()) {
                log.report(&class.span, "this class is named twice");
            }
        }
        parts.push(CoursePart {
            name: part.name.0,
            weight: part.weight.get(),
            drop_lowest,
            classes: part
                .classes
                .value
                .into_iter()
                .map(|it| it.value.0)
                .collect(),
        });
    }
    let course = Course {
        late_days: file.late_days.map_or(0, Count::get),
        parts,
    };
    loaded(Some(course), log.mistakes)
}

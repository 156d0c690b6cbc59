//! A wrong program beside the accepted one that differs least from it.

use std::collections::HashMap;
use std::io;

use grader_language::source_text;
use grader_model::{Excerpt, LanguageId, ProblemId, SourceFile, StudentId};
use grader_view::{ClassView, GroupView};
use similar::TextDiff;

use crate::style::safe;

/// The sources that were judged for a problem of a student.
pub type Sources<'a> = dyn Fn(&StudentId, &ProblemId) -> io::Result<Vec<SourceFile>> + 'a;

/// Accepted programs that a wrong one is compared with.
const MAX_COMPARED: usize = 100;
/// Most bytes and lines of a program that is compared: more would take long.
const MAX_BYTES: usize = 64 << 10;
const MAX_COMPARED_LINES: usize = 2000;
/// Lines of a difference that are shown.
const MAX_LINES: usize = 24;

/// The accepted programs for a problem.
pub struct Accepted<'a> {
    class: &'a ClassView<'a>,
    sources: &'a Sources<'a>,
    programs: Vec<(&'a StudentId, Option<LanguageId>, String)>,
}

impl<'a> Accepted<'a> {
    /// Reads them.
    ///
    /// # Errors
    /// If the sources cannot be read.
    pub fn read(
        class: &'a ClassView<'a>,
        problem: &ProblemId,
        sources: &'a Sources<'a>,
    ) -> io::Result<Self> {
        let mut programs = Vec::new();
        let views = class
            .students
            .iter()
            .filter_map(|it| it.problem(problem).map(|of| (it.id, of)));
        let accepted = views.filter(|(_, of)| of.is_right());
        for (student, of) in accepted.take(MAX_COMPARED) {
            if let Some(text) = program(&sources(student, problem)?) {
                programs.push((student, of.language, text));
            }
        }
        Ok(Self {
            class,
            sources,
            programs,
        })
    }

    /// The lines in which the program of the first student of a group differs from the accepted one with most lines in
    /// common; none if one of them is not a single file.
    ///
    /// # Errors
    /// If the source cannot be read.
    pub fn beside(&self, group: &GroupView<'_>) -> io::Result<Vec<String>> {
        let mut students = self.class.students.iter();
        let first = students.find(|it| group.students.first() == Some(&it.id));
        let Some((first, of)) = first.and_then(|it| Some((it.id, it.problem(group.problem)?)))
        else {
            return Ok(Vec::new());
        };
        let Some(own) = program(&(self.sources)(first, group.problem)?) else {
            return Ok(Vec::new());
        };
        let mut nearest: Option<(f32, &StudentId, &str)> = None;
        let same = self
            .programs
            .iter()
            .filter(|(_, language, _)| *language == of.language);
        for (student, _, text) in same {
            let share = share_of_lines(&own, text);
            if nearest.is_none_or(|(best, ..)| share > best) {
                nearest = Some((share, student, text));
            }
        }
        let Some((_, student, other)) = nearest else {
            return Ok(Vec::new());
        };
        let diff = TextDiff::from_lines(own.as_str(), other);
        let diff = diff
            .unified_diff()
            .context_radius(1)
            .missing_newline_hint(false)
            .header(
                &safe(first.as_str()),
                &format!("{}, accepted", safe(student.as_str())),
            )
            .to_string();
        let lines = diff.lines().take(MAX_LINES);
        Ok(lines
            .map(|line| Excerpt::new(line.as_bytes()).to_string())
            .collect())
    }
}

/// The share of lines, from 0 to 1, that two texts have in common, in whatever order.
fn share_of_lines(one: &str, other: &str) -> f32 {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for line in one.lines() {
        *counts.entry(line).or_default() += 1;
    }
    let mut common = 0;
    for line in other.lines() {
        if let Some(count) = counts.get_mut(line).filter(|count| **count > 0) {
            *count -= 1;
            common += 1;
        }
    }
    2.0 * common as f32 / (one.lines().count() + other.lines().count()).max(1) as f32
}

/// The text of a program in one file, unless it is too long to compare.
fn program(sources: &[SourceFile]) -> Option<String> {
    let [source] = sources else {
        return None;
    };
    let text = source_text(source);
    let is_short = text.len() <= MAX_BYTES && text.lines().count() <= MAX_COMPARED_LINES;
    is_short.then(|| text.into_owned())
}

//! The report on a class: what `grade` and `report` write, and their options for it.
//!
//! Mistakes that can be seen before there are results are found first ([`ClassReportArgs::prepare`]): grading may take
//! hours. What is written is made of the results alone ([`write::Prepared::give`]).

mod args;
mod format;
mod gradebook;
mod write;

pub(crate) use args::ClassReportArgs;
use grader_model::{Points, Results, Standing, StudentResult, Text, escaped};
pub(crate) use write::{pages_beside, write_pages_beside};

use self::format::Format;
use crate::exit::{Exit, Failure};

impl ClassReportArgs {
    /// Refuses to carry the points of a class in which everybody has nothing into another system: it was graded with another
    /// assignment's problems.
    pub(crate) fn refuse_if_nobody_has_anything(&self, results: &Results) -> Result<(), Failure> {
        let has_nothing = |it: &StudentResult| {
            it.nothing_submitted && it.standing() == Standing::Scored(Points::ZERO)
        };
        let is_export = self.format.carries_points() && !self.format.is_about_one();
        if !is_export || !results.students.iter().all(has_nothing) {
            return Ok(());
        }
        let (word, id) = (self.format.word(), &results.assignment.id);
        Err(Failure::mistake(Text::new(
            format!(
                "no points are written (`--format {word}`): nobody has submitted anything for the assignment `{id}`; was the class \
                 graded with another assignment?"
            ),
            format!(
                "没有写出分数（`--format {word}`）：没有人提交过作业 `{id}` 的任何题目。是不是用错了作业？"
            ),
        )))
    }
}

/// Submissions without points that the message names; the first ones.
const MAX_NAMED: usize = 5;

/// Refuses to carry points into another system while some are not known.
fn withhold_open_points(results: &Results, format: Format) -> Result<(), Failure> {
    let open = results.open();
    let open = open.map(|(student, problem)| format!("{} {}", student.id, problem.id));
    let mut open: Vec<String> = open.collect();
    if open.is_empty() {
        return Ok(());
    }
    let (word, count) = (format.word(), open.len());
    open.truncate(MAX_NAMED);
    let more = if count > MAX_NAMED { ", …" } else { "" };
    let named = escaped(open.join(", ").as_bytes()) + more;
    let s = if count == 1 { " is" } else { "s are" };
    let text = Text::new(
        format!(
            "no points are written (`--format {word}`): {count} submission{s} not scored yet: {named}\n\
             grade again to score them, or leave their cells empty with `--allow-faults`"
        ),
        format!(
            "没有写出分数（`--format {word}`）：{count} 份提交尚未评分：{named}\n\
             重新评测即可评分，或用 `--allow-faults` 让这些格子空着"
        ),
    );
    Err(Failure::new(Exit::Fault, text))
}

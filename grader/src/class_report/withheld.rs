//! Points that are not exported, because some are not known.

use grader_model::{Results, Text, Verdict, escaped};

use super::format::Format;
use crate::exit::{Exit, Failure};

/// Submissions named in the message; more are counted.
const MAX_NAMED: usize = 5;

/// Refuses to carry points into another system while some are not known.
pub(super) fn check(results: &Results, format: Format) -> Result<(), Failure> {
    let students = results.students.iter();
    let all = students.flat_map(|student| student.problems.iter().map(move |it| (student, it)));
    let open: Vec<_> = all.filter(|(_, it)| it.points.is_none()).collect();
    if open.is_empty() {
        return Ok(());
    }
    let (word, count) = (format.word(), open.len());
    let submissions = match count {
        1 => "1 submission is".to_owned(),
        _ => format!("{count} submissions are"),
    };
    let mut text = Text::new(
        format!("no points are written (`--format {word}`): {submissions} not scored yet"),
        format!("没有写出分数（`--format {word}`）：{count} 份提交尚未评分"),
    );
    // Faults have causes; submissions that were not reached have none.
    let is_fault = |verdict| verdict == Verdict::JudgeError;
    let faults = || open.iter().filter(|(_, it)| is_fault(it.verdict));
    for (student, problem) in faults().take(MAX_NAMED) {
        let cases = problem.subtasks.iter().flat_map(|subtask| &subtask.cases);
        let mut failed = cases.filter(|case| is_fault(case.verdict));
        let message = problem.message.as_ref();
        let message = message.or_else(|| failed.find_map(|case| case.message.as_ref()));
        let why = message.cloned().unwrap_or_default();
        let id = escaped(student.id.as_str().as_bytes());
        let about = format!("\n  {id}  {}", problem.id);
        text.en += &format!("{about}: {}", why.en);
        text.zh += &format!("{about}：{}", why.zh);
    }
    let more = faults().count().saturating_sub(MAX_NAMED);
    if more > 0 {
        text.en += &format!("\n  … and {more} more");
        text.zh += &format!("\n  …… 还有 {more} 份");
    }
    text.en += "\ngrade again to score them, or leave their cells empty with `--allow-faults`";
    text.zh += "\n重新评测即可评分，或用 `--allow-faults` 让这些格子空着";
    Err(Failure::new(Exit::Fault, text))
}

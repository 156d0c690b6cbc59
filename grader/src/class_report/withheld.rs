//! Points that are not exported, because some are not known.

use grader_model::{Results, Text, Verdict, escaped};

use super::format::Format;
use crate::exit::{Exit, Failure};

/// Faults that the message explains; the first ones.
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
    let mut en = vec![format!(
        "no points are written (`--format {word}`): {submissions} not scored yet"
    )];
    let mut zh = vec![format!(
        "没有写出分数（`--format {word}`）：{count} 份提交尚未评分"
    )];
    // Faults have causes; submissions that were not reached have none.
    let is_fault = |verdict| verdict == Verdict::JudgeError;
    let faults = open.iter().filter(|(_, it)| is_fault(it.verdict));
    for (student, problem) in faults.take(MAX_NAMED) {
        let cases = problem.subtasks.iter().flat_map(|subtask| &subtask.cases);
        let mut failed = cases.filter(|case| is_fault(case.verdict));
        let message = problem.message.as_ref();
        let message = message.or_else(|| failed.find_map(|case| case.message.as_ref()));
        let why = message.cloned().unwrap_or_default();
        let id = escaped(student.id.as_str().as_bytes());
        let about = format!("  {id}  {}", problem.id);
        en.push(format!("{about}: {}", why.en));
        zh.push(format!("{about}：{}", why.zh));
    }
    en.push(
        "grade again to score them, or leave their cells empty with `--allow-faults`".to_owned(),
    );
    zh.push("重新评测即可评分，或用 `--allow-faults` 让这些格子空着".to_owned());
    let text = Text::new(en.join("\n"), zh.join("\n"));
    Err(Failure::new(Exit::Fault, text))
}

//! Points that are not exported, because some are not known.

use grader_model::{ProblemResult, Results, StudentResult, Text, Verdict, escaped};

use super::Format;
use crate::exit::Withheld;

/// Submissions named in the message; more are counted.
const MAX_NAMED: usize = 5;

/// Refuses to carry points into another system while some are not known.
pub(super) fn check(results: &Results, format: Format) -> Result<(), Withheld> {
    let students = results.students.iter();
    let all = students.flat_map(|student| student.problems.iter().map(move |it| (student, it)));
    let open: Vec<_> = all.filter(|(_, it)| it.points.is_none()).collect();
    if open.is_empty() && !results.interrupted {
        return Ok(());
    }
    let (word, count) = (format.word(), open.len());
    let submissions = match count {
        1 => "1 submission is".to_owned(),
        _ => format!("{count} submissions are"),
    };
    let (stopped, stopped_zh) = if results.interrupted {
        ("grading was interrupted, ", "评测被中断，")
    } else {
        ("", "")
    };
    let mut lines = vec![Text::new(
        format!("no points are written (`--format {word}`): {stopped}{submissions} not scored yet"),
        format!("没有写出分数（`--format {word}`）：{stopped_zh}{count} 份提交尚未评分"),
    )];
    // Faults have causes; submissions that were not reached have none.
    let faults = open
        .iter()
        .filter(|(_, it)| it.verdict == Verdict::JudgeError);
    lines.extend(
        faults
            .clone()
            .take(MAX_NAMED)
            .map(|(student, it)| line(student, it)),
    );
    let more = faults.count().saturating_sub(MAX_NAMED);
    if more > 0 {
        lines.push(Text::new(
            format!("  … and {more} more"),
            format!("  …… 还有 {more} 份"),
        ));
    }
    lines.push(if lines.len() == 1 {
        Text::new(
            "the same `grade` again continues; `--allow-faults` leaves their cells empty",
            "再次执行同样的 `grade` 会继续评测；`--allow-faults` 会让这些格子空着",
        )
    } else {
        Text::new(
            "grade again when the cause is fixed, or leave their cells empty with `--allow-faults`",
            "请在排除原因后重新评测，或用 `--allow-faults` 让这些格子空着",
        )
    });
    let join = |pick: fn(&Text) -> &str| lines.iter().map(pick).collect::<Vec<_>>().join("\n");
    Err(Withheld(Text::new(
        join(|text| &text.en),
        join(|text| &text.zh),
    )))
}

/// Whose submission, for what, and why.
fn line(student: &StudentResult, problem: &ProblemResult) -> Text {
    let cases = problem.subtasks.iter().flat_map(|subtask| &subtask.cases);
    let mut failed = cases.filter(|case| case.verdict == Verdict::JudgeError);
    let message = problem.message.as_ref();
    let message = message.or_else(|| failed.find_map(|case| case.message.as_ref()));
    let about = format!(
        "  {}  {}",
        escaped(student.id.as_str().as_bytes()),
        problem.id
    );
    match message {
        Some(message) => Text::new(
            format!("{about}: {}", escaped(message.en.as_bytes())),
            format!("{about}：{}", escaped(message.zh.as_bytes())),
        ),
        None => Text::plain(about),
    }
}

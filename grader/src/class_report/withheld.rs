//! Points that stay here because some are open.

use grader_model::{ProblemResult, Results, StudentResult, Text, Verdict, escaped};

use crate::cli::Format;
use crate::exit::Withheld;

/// So many submissions are named; the others are counted.
const NAMED: usize = 5;

/// Why points are not carried into another system; nothing where all are settled.
pub(super) fn of(results: &Results, format: Format) -> Option<Withheld> {
    let all = results.students.iter().flat_map(|student| {
        let problems = student.problems.iter();
        problems.map(move |problem| (student, problem))
    });
    let open: Vec<_> = all
        .filter(|(_, problem)| problem.points.is_none())
        .collect();
    if open.is_empty() && !results.interrupted {
        return None;
    }
    let word = format.word();
    let count = open.len();
    let submissions = if count == 1 {
        "1 submission is".to_owned()
    } else {
        format!("{count} submissions are")
    };
    let mut lines = vec![if results.interrupted {
        Text::new(
            format!(
                "no points are written (`--format {word}`): grading was stopped before every student was graded, \
                 {submissions} open"
            ),
            format!(
                "没有写出分数（`--format {word}`）：评测在完成之前被中断，{count} 份提交尚无分数"
            ),
        )
    } else {
        Text::new(
            format!("no points are written (`--format {word}`): {submissions} not graded"),
            format!("没有写出分数（`--format {word}`）：{count} 份提交尚无分数"),
        )
    }];
    // Faults have causes; what was not reached has none.
    let faults = open
        .iter()
        .filter(|(_, problem)| problem.verdict == Verdict::JudgeError);
    let faults: Vec<Text> = faults
        .map(|(student, problem)| line(student, problem))
        .collect();
    lines.extend(faults.iter().take(NAMED).cloned());
    if faults.len() > NAMED {
        let more = faults.len() - NAMED;
        lines.push(Text::new(
            format!("  … and {more} more"),
            format!("  …… 还有 {more} 份"),
        ));
    }
    lines.push(if faults.is_empty() {
        Text::new(
            "the same `grade` again goes on with it; `--allow-faults` leaves their cells empty",
            "再次执行同样的 `grade` 会继续评测；`--allow-faults` 会让这些格子空着",
        )
    } else {
        Text::new(
            "grade again when the cause is mended, or leave their cells empty with `--allow-faults`",
            "请在排除原因后重新评测，或用 `--allow-faults` 让这些格子空着",
        )
    });
    let join = |pick: fn(&Text) -> &str| lines.iter().map(pick).collect::<Vec<_>>().join("\n");
    Some(Withheld(Text::new(
        join(|text| &text.en),
        join(|text| &text.zh),
    )))
}

/// Who, for what, and why.
fn line(student: &StudentResult, problem: &ProblemResult) -> Text {
    let cases = problem.subtasks.iter().flat_map(|subtask| &subtask.cases);
    let mut messages = cases
        .filter(|case| case.verdict == Verdict::JudgeError)
        .filter_map(|case| case.message.as_ref());
    let why = problem.message.as_ref().or_else(|| messages.next());
    let id = escaped(student.id.as_str().as_bytes());
    let about = format!("  {id}  {}", problem.id);
    match why {
        Some(why) => Text::new(
            format!("{about}: {}", escaped(why.en.as_bytes())),
            format!("{about}：{}", escaped(why.zh.as_bytes())),
        ),
        None => Text::plain(about),
    }
}

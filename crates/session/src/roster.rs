//! What a class loses if it is graded again without its roster.

use std::collections::HashMap;

use grader_model::{ProblemResult, Status, StudentResult, Text};

/// What is to be said of a run without a roster, after one that had names or times of submission of the same work: nobody
/// gets points for late work without a word.
pub fn lost_with_the_roster(before: &[StudentResult], now: &[StudentResult]) -> Option<Text> {
    let earlier: HashMap<_, _> = before.iter().map(|it| (&it.id, it)).collect();
    let pairs = || {
        now.iter()
            .filter_map(|it| Some((*earlier.get(&it.id)?, it)))
    };
    let has_names = |students: &[StudentResult]| students.iter().any(|it| it.person.is_some());
    if pairs().any(|(before, now)| lost_time(before, now)) {
        Some(Text::new(
            "the run before knew when this work was submitted, and this one does not: late work counts as on time. If the times are in a \
             roster, grade again with `--roster FILE`",
            "上一次评测有提交时间，这一次没有：迟交的作业按时处理。如果时间在名单里，请加上 `--roster FILE` 重新评测",
        ))
    } else if has_names(before) && !has_names(now) {
        Some(Text::new(
            "the run before had names, and this one has none: students may have other ids, so corrections no longer find them, and who \
             submitted nothing is missing. If there was a roster, grade again with `--roster FILE`",
            "上一次评测有姓名，这一次没有：学生的编号可能不同，人工修正因此找不到他们，没有提交的学生也不在其中。如果有名单，请加上 \
             `--roster FILE` 重新评测",
        ))
    } else {
        None
    }
}

/// Whether a student's work had a time of submission and has none now.
fn lost_time(before: &StudentResult, now: &StudentResult) -> bool {
    let is_lost = |(before, now): (&ProblemResult, &ProblemResult)| {
        before.id == now.id
            && before.submitted.is_some()
            && now.submitted.is_none()
            && now.status != Status::NotSubmitted
    };
    before.problems.iter().zip(&now.problems).any(is_lost)
}

#[cfg(test)]
mod tests {
    use grader_model::{Person, ProblemId, StudentId};

    use super::*;

    /// A class of one, who may have a name and a time of submission.
    fn class(has_name: bool, has_time: bool) -> [StudentResult; 1] {
        let problem = ProblemResult {
            id: ProblemId::new("sum"),
            status: Status::Judged,
            submitted: has_time.then(|| "2026-11-20T18:00:00Z".parse().unwrap()),
            ..ProblemResult::default()
        };
        [StudentResult {
            id: StudentId::new("ada"),
            person: has_name.then(Person::default),
            problems: vec![problem],
            ..StudentResult::default()
        }]
    }

    #[test]
    fn names_and_times_that_were_known_before_are_missed() {
        let said = |before: [StudentResult; 1], now: [StudentResult; 1]| {
            let text = lost_with_the_roster(&before, &now)?;
            Some(text.en.split(',').next().unwrap().to_owned())
        };
        let whole = || class(true, true);
        assert_eq!(said(whole(), whole()), None);
        assert_eq!(said(class(false, false), whole()), None);
        // Without the roster, a student is called as the folder is.
        let [mut renamed] = class(false, false);
        renamed.id = StudentId::new("folder");
        let lost = Some("the run before had names".to_owned());
        assert_eq!(said(whole(), [renamed]), lost);
        assert_eq!(
            [
                said(whole(), class(false, true)),
                said(whole(), class(true, false))
            ],
            [
                lost,
                Some("the run before knew when this work was submitted".to_owned()),
            ]
        );
    }
}

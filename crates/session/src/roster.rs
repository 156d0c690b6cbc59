//! What a class loses if it is graded again without its roster.

use std::collections::HashSet;

use grader_model::{ProblemResult, Status, StudentResult, Text};
use grader_store::KnownStudents;

/// What is to be said of a run without a roster, after one that had more: names, times of submission of the same work, or
/// students who submitted nothing. Nobody gets points for late work, or leaves the class, without a word.
pub fn lost_with_the_roster(before: &KnownStudents, now: &[StudentResult]) -> Option<Text> {
    let has_names = |students: &[StudentResult]| students.iter().any(|it| it.person.is_some());
    let ids: HashSet<_> = now.iter().map(|it| &it.id).collect();
    let is_there = |student: &StudentResult| ids.contains(&student.id);
    if now.iter().any(|it| lost_time(before, it)) {
        Some(Text::new(
            "the run before knew when this work was submitted, and this one does not: late work counts as on time. If the times are in a \
             roster, grade again with `--roster FILE`",
            "上一次评测有提交时间，这一次没有：迟交的作业按时处理。如果时间在名单里，请加上 `--roster FILE` 重新评测",
        ))
    } else if has_names(&before.students) && !has_names(now) {
        Some(Text::new(
            "the run before had names, and this one has none: students may have other ids, so corrections no longer find them, and who \
             submitted nothing is missing. If there was a roster, grade again with `--roster FILE`",
            "上一次评测有姓名，这一次没有：学生的编号可能不同，人工修正因此找不到他们，没有提交的学生也不在其中。如果有名单，请加上 \
             `--roster FILE` 重新评测",
        ))
    } else if before
        .students
        .iter()
        .any(|it| it.nothing_submitted && !is_there(it))
    {
        Some(Text::new(
            "students who submitted nothing in the run before are not in this one. If they are in a roster, grade again with `--roster FILE`",
            "上一次评测中没有提交的学生不在这一次里。如果他们在名单里，请加上 `--roster FILE` 重新评测",
        ))
    } else {
        None
    }
}

/// Whether a student's work had a time of submission and has none now.
fn lost_time(before: &KnownStudents, now: &StudentResult) -> bool {
    let is_lost = |it: &ProblemResult| {
        it.submitted.is_none()
            && it.status != Status::NotSubmitted
            && before.timed.contains(&(now.id.clone(), it.id.clone()))
    };
    now.problems.iter().any(is_lost)
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
            let [student] = &before;
            let timed = student.problems.iter().filter(|it| it.submitted.is_some());
            let timed = timed
                .map(|it| (student.id.clone(), it.id.clone()))
                .collect();
            let before = KnownStudents {
                students: before.to_vec(),
                timed,
            };
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
        let [mut idle] = class(false, false);
        idle.nothing_submitted = true;
        idle.id = StudentId::new("idle");
        assert_eq!(said([idle.clone()], [idle.clone()]), None);
        assert_eq!(
            said([idle], class(true, false)),
            Some("students who submitted nothing in the run before are not in this one. If they are in a roster".to_owned())
        );
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

use grader_model::{Results, StudentResult};
use grader_view::{Audience, Visible};

use super::*;
use crate::sample;
use crate::snapshots::{assert_kept, each, written};

fn report(results: &Results, audience: Audience) -> Vec<u8> {
    let visible = Visible::of(results, audience).unwrap();
    written(|out| write_junit(&visible.view(), out))
}

#[test]
fn the_reports_are_the_kept_ones_and_readers_find_the_same_in_them() {
    let results = sample::with_hostile();
    let staff = report(&results, Audience::Staff);
    assert_kept("junit.staff.xml", &staff);
    let own: Vec<_> = each(&results)
        .map(|own| report(&own, Audience::Student))
        .collect();
    assert_kept("junit.student.xml", &own.concat());
    for xml in own.iter().chain([&staff]) {
        let read = Report::deserialize(xml.as_slice()).unwrap();
        assert_eq!(read.to_string().unwrap().as_bytes(), xml);
        // XML 1.0 has no place for others.
        let text = std::str::from_utf8(xml).unwrap();
        let is_xml =
            |c: char| c == '\n' || (!c.is_control() && !('\u{fffe}'..='\u{ffff}').contains(&c));
        assert!(text.chars().all(is_xml));
    }
}

#[test]
fn a_class_of_500_in_which_everything_fails_stays_below_what_gitlab_takes() {
    let sample = sample::results();
    let mut problem = sample.students[4].problems[0].clone();
    let mut failed = problem.subtasks[1].cases[2].clone();
    assert_eq!(failed.verdict, Verdict::TimeLimit);
    failed.stderr = Some(Box::new(grader_model::Excerpt {
        text: "a line of standard error, as programs write\n".repeat(6),
        before: 0,
        after: 0,
    }));
    problem.subtasks.truncate(3);
    for subtask in &mut problem.subtasks {
        subtask.cases = vec![failed.clone(); 4].into();
    }
    let student = StudentResult {
        id: grader_model::StudentId::new("2023000000"),
        problems: vec![problem; 5],
        ..sample.students[4].clone()
    };
    let class = Results {
        students: vec![student; 10],
        ..sample
    };
    // Fifty times as many students take fifty times the room.
    let size = 50 * report(&class, Audience::Staff).len();
    assert!(size < 30_000_000, "{size}");
}

//! Every report says the same of who is graded and what is open, for random results and corrections.

use std::collections::BTreeSet;

use grader_adjust::adjust;
use grader_lms::{FillOptions, Gradebook, fill};
use grader_model::{
    AllAttempts, FaultCause, Given, Points, ProblemId, ProblemResult, Results, Standing, Status,
    StudentId, SubtaskResult, Verdict,
};
use grader_problem::Correction;
use grader_view::{About, Need, NeedKind, Own, Visible};
use proptest::prelude::*;
use serde_json::Value;

use crate::snapshots::written;
use crate::style::Style;
use crate::{class_page, sample, terminal, write_csv, write_gradescope, write_json, write_junit};

/// What may have become of a submission.
#[derive(Clone, Copy, Debug)]
enum Fate {
    AsIs,
    Fault,
    Unreadable,
    NotJudged,
    ByHand,
}

impl Fate {
    fn befall(self, problem: &mut ProblemResult) {
        let (status, verdict) = match self {
            Self::AsIs => return,
            Self::ByHand => {
                problem.subtasks.push(SubtaskResult {
                    max_points: Points::whole(5),
                    manual: Some(Given::default()),
                    ..SubtaskResult::default()
                });
                (Status::Judged, Verdict::Accepted)
            }
            Self::Fault => (Status::Fault(FaultCause::Grader), Verdict::JudgeError),
            Self::Unreadable => (Status::Fault(FaultCause::Unreadable), Verdict::JudgeError),
            Self::NotJudged => (Status::NotJudged, Verdict::Skipped),
        };
        (problem.status, problem.verdict, problem.points) = (status, verdict, None);
    }
}

fn fates() -> impl Strategy<Value = Vec<Fate>> {
    let fate = prop_oneof![
        20 => Just(Fate::AsIs),
        1 => Just(Fate::Fault),
        1 => Just(Fate::Unreadable),
        1 => Just(Fate::NotJudged),
        1 => Just(Fate::ByHand),
    ];
    prop::collection::vec(fate, 30)
}

fn corrections() -> impl Strategy<Value = Vec<Correction>> {
    let class = sample::class();
    let ids: Vec<StudentId> = class.students.iter().map(|it| it.id.clone()).collect();
    let problems: Vec<ProblemId> = class
        .assignment
        .problems
        .into_iter()
        .map(|it| it.id)
        .collect();
    let problem = prop::option::weighted(0.8, prop::sample::select(problems));
    let correction = (prop::sample::select(ids), problem, 0..3u32, 0..12u32);
    let correction = correction.prop_map(|(student, problem, kind, points)| Correction {
        student: student.to_string(),
        points: (kind == 0).then_some(Points::whole(points)),
        add: (kind == 1).then_some(i64::from(points) * 1000),
        excused: kind == 2,
        problem,
        ..Correction::default()
    });
    prop::collection::vec(correction, 0..6)
}

/// The cells of each student's row on the page of the class, without their elements.
fn rows_of_page(results: &Results) -> Vec<Vec<String>> {
    let visible = Visible::Staff(results);
    let page = class_page(
        &visible.view(),
        None,
        &|_, _| Ok(Vec::new()),
        grader_model::Lang::En,
    )
    .unwrap();
    let (_, table) = page.split_once("<tbody>").unwrap();
    let (table, _) = table.split_once("</tbody>").unwrap();
    let text = |cell: &str| {
        let pieces = cell.split('<').filter_map(|piece| piece.split_once('>'));
        let text: Vec<&str> = pieces.map(|(_, text)| text.trim()).collect();
        text.join(" ").trim().to_owned()
    };
    let rows = table.split("</tr>").filter(|row| row.contains("<td"));
    rows.map(|row| {
        row.split("<td")
            .skip(1)
            .map(|cell| text(&format!("<td{cell}")))
            .collect()
    })
    .collect()
}

/// Whether a cell is this text, alone or with others after it.
fn begins_with(cell: &str, text: &str) -> bool {
    let rest = cell.strip_prefix(text);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

/// The rows of the table as CSV.
fn records(results: &Results) -> Vec<csv::StringRecord> {
    let visible = Visible::Staff(results);
    let lang = grader_model::Lang::En;
    let text = written(|out| write_csv(&visible.view(), lang, out));
    let mut reader = csv::Reader::from_reader(text.as_slice());
    reader.records().map(Result::unwrap).collect()
}

/// The number of students whose points are filled into a gradebook of the first five.
fn filled_rows(results: &Results) -> usize {
    let rows = (101..=105).map(|id| format!("Participant {id},,100.00\n"));
    let sheet = "Identifier,Grade,Maximum Grade\n".to_owned() + &rows.collect::<String>();
    let (students, info) = (&results.students[..5], &results.assignment);
    let options = FillOptions::default();
    let report = &mut |_: &_| String::new();
    let filled = fill(
        Gradebook::Moodle,
        sheet.as_bytes(),
        info,
        students,
        options,
        report,
    );
    filled.unwrap().grades.len()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_report_has_the_same_points_and_the_same_open_submissions(fates in fates(), corrections in corrections()) {
        let mut results = sample::class();
        let problems = results.students.iter_mut().flat_map(|it| &mut it.problems);
        problems.zip(&fates).for_each(|(problem, fate)| fate.befall(problem));
        adjust(&mut results, &corrections, AllAttempts::default(), jiff::Timestamp::UNIX_EPOCH);

        let open: Vec<(&StudentId, &ProblemId)> =
            results.open().map(|(student, problem, _)| (&student.id, &problem.id)).collect();
        let ungraded: BTreeSet<&StudentId> = open.iter().map(|(student, _)| *student).collect();

        let visible = Visible::Staff(&results);
        let class = visible.view();
        let open_kinds =
            [NeedKind::OurFailure, NeedKind::Unreadable, NeedKind::NotJudged, NeedKind::ByHand];
        let needs = class.needs.iter().filter(|need| open_kinds.contains(&need.kind));
        let problems = |need: &Need<'_>| match &need.about {
            About::Problems(problems) => problems.len(),
            About::File(_) | About::Everything => 0,
        };
        prop_assert_eq!(needs.clone().map(problems).sum::<usize>(), open.len());
        // The exit status is of what the grader could not do.
        let by_hand = needs.filter(|need| need.kind == NeedKind::ByHand);
        prop_assert_eq!(results.has_faults(), open.len() > by_hand.map(problems).sum());
        prop_assert_eq!(class.statistics.graded, results.students.len() - ungraded.len());

        let style = Style::default();
        let columns = terminal::columns(&class, &style);
        let (rows, records) = (rows_of_page(&results), records(&results));
        let json: Value = serde_json::from_slice(&written(|out| write_json(&visible, out))).unwrap();
        let junit = String::from_utf8(written(|out| write_junit(&class, out))).unwrap();
        for (index, student) in results.students.iter().enumerate() {
            let is_open = ungraded.contains(&student.id);
            prop_assert_eq!(student.standing().is_open(), is_open);
            prop_assert_eq!(&records[index][11], if is_open { "no" } else { "yes" });
            let own = Own::of(&results, student);
            let own = written(|out| write_gradescope(&own, style.lang, out));
            let own: Value = serde_json::from_slice(&own).unwrap();
            prop_assert_eq!(&own["extra_data"]["graded"], !is_open);
            // The points without the bonus, and the bonus: in CSV, on the page, on the terminal, in JSON.
            let sums = [student.standing_without_bonus(), student.standing_of_bonus()];
            prop_assert_eq!(sums.iter().any(|sum| sum.is_open()), is_open);
            for (place, (sum, key)) in sums.into_iter().zip(["points", "bonus"]).enumerate() {
                let points = sum.points().map(|points| points.to_string()).unwrap_or_default();
                prop_assert_eq!(&records[index][8 + place], &points);
                prop_assert_eq!(&rows[index][6 + place], &sum.to_string());
                let cell = style.paint(&columns[5 + place][index + 2]);
                prop_assert_eq!(cell.trim(), sum.to_string());
                let found = &json["students"][index][key];
                prop_assert_eq!(found.as_f64(), sum.points().map(Points::to_f64));
            }
            for (place, problem) in student.problems.iter().enumerate() {
                let standing = problem.standing();
                let is_open = open.contains(&(&student.id, &problem.id));
                prop_assert_eq!(standing.is_open(), is_open);
                let points = standing.points().map(|points| points.to_string());
                prop_assert_eq!(&records[index][3 + place], points.as_deref().unwrap_or_default());
                let found = &json["students"][index]["problems"][place]["points"];
                prop_assert_eq!(found.as_f64(), standing.points().map(Points::to_f64));
                let cell = style.paint(&columns[place][index + 2]);
                let shown = &class.students[index].problems[place];
                let is_shown = shown.code.is_some();
                // On the page after the verdict, else before it; what could not be judged has only that one on the terminal.
                let expected = match standing {
                    _ if !is_shown => "—".to_owned(),
                    Standing::Excused => Standing::EXCUSED.to_owned(),
                    Standing::Open(_) | Standing::Scored(_) => standing.to_string(),
                };
                let found = &rows[index][1 + place];
                let after_code = found.strip_prefix(shown.code.unwrap_or_default()).unwrap_or(found);
                let is_said = [found, after_code.trim_start()].iter().any(|it| begins_with(it, &expected));
                prop_assert!(is_said, "{found} {expected}");
                let on_terminal = match standing {
                    Standing::Open(_) if is_shown && !standing.is_by_hand() => shown.verdict.code(),
                    _ => &expected,
                };
                let found = cell.trim();
                prop_assert_eq!(begins_with(found, on_terminal), true);
                let suite = format!("<testsuite name=\"{}.{}.{}\"", class.assignment.id, problem.id, student.id);
                let (_, suite) = junit.split_once(&suite).unwrap();
                let (suite, _) = suite.split_once("</testsuite>").unwrap();
                let property = points.map(|points| format!("<property name=\"points\" value=\"{points}\"/>"));
                prop_assert_eq!(suite.contains("name=\"points\""), property.is_some());
                prop_assert!(suite.contains(&property.unwrap_or_default()));
            }
        }

        // A gradebook gets the points of those who have some.
        let scored = results.students[..5].iter().filter(|it| it.standing().points().is_some());
        prop_assert_eq!(filled_rows(&results), scored.count());
    }
}

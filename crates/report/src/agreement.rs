//! Every report says the same of whether work is good, of who is graded and of what is open, for random results and corrections.

use std::collections::{BTreeMap, BTreeSet};

use grader_adjust::adjust;
use grader_lms::{FillOptions, Gradebook, fill};
use grader_model::{
    Adjustment, AdjustmentKind, AllAttempts, FaultCause, Given, Lang, Points, ProblemId,
    ProblemResult, Results, Status as Progress, StudentId, StudentResult, SubtaskResult, Text,
    Verdict, WhyOpen,
};
use grader_problem::Correction;
use grader_view::{About, Lost, Need, NeedKind, Own, ProblemView, Status, Visible};
use proptest::prelude::*;
use quick_junit::{NonSuccessKind, Report, TestCaseStatus};
use serde_json::Value;

use crate::snapshots::{only, written};
use crate::style::{Style, painted};
use crate::words::Words;
use crate::{
    class_page, document, own_page, sample, student_report, write_annotations, write_csv,
    write_gradescope, write_json, write_junit, write_markdown,
};

/// What may have become of a submission.
#[derive(Clone, Copy, Debug)]
enum Fate {
    AsIs,
    Fault,
    Unreadable,
    NotJudged,
    /// A person gives so many of 5 points, or none yet.
    ByHand(Option<u32>),
    /// Remarks leave so many of 5 points, or the check failed.
    Checked(Option<u32>),
    /// It was late.
    Late,
    /// A subtask without points failed.
    WithSample,
}

impl Fate {
    fn befall(self, problem: &mut ProblemResult) {
        let is_judged = problem.status == Progress::Judged;
        let (status, verdict) = match self {
            Self::Fault => (Progress::Fault(FaultCause::Grader), Verdict::JudgeError),
            Self::Unreadable => (Progress::Fault(FaultCause::Unreadable), Verdict::JudgeError),
            Self::NotJudged => (Progress::NotJudged, Verdict::Skipped),
            Self::ByHand(given) if is_judged => return by_hand(problem, given),
            Self::Checked(left) if is_judged => return checked(problem, left),
            Self::Late if is_judged => return late(problem),
            Self::WithSample if is_judged => return with_sample(problem),
            Self::AsIs | Self::ByHand(_) | Self::Checked(_) | Self::Late | Self::WithSample => {
                return;
            }
        };
        for subtask in &mut problem.subtasks {
            (subtask.points, subtask.verdict) = (None, verdict);
            for case in subtask.cases_mut() {
                (case.verdict, case.outcome) = (verdict, None);
            }
        }
        (problem.status, problem.verdict, problem.points) = (status, verdict, None);
    }
}

fn by_hand(problem: &mut ProblemResult, given: Option<u32>) {
    let subtask = SubtaskResult {
        verdict: Verdict::Accepted,
        manual: Some(Given::default()),
        ..SubtaskResult::default()
    };
    without_cases(problem, subtask, given);
}

fn checked(problem: &mut ProblemResult, left: Option<u32>) {
    let subtask = SubtaskResult {
        verdict: left.map_or(Verdict::JudgeError, |_| Verdict::Accepted),
        message: Some(Text::plain("as the check `lint` says")),
        check: Some("lint".to_owned()),
        ..SubtaskResult::default()
    };
    without_cases(problem, subtask, left);
}

fn without_cases(problem: &mut ProblemResult, subtask: SubtaskResult, given: Option<u32>) {
    let given = given.map(Points::whole);
    problem.subtasks.push(SubtaskResult {
        points: given,
        max_points: Points::whole(5),
        ..subtask
    });
    problem.max_points = problem.max_points + Points::whole(5);
    problem.points = problem
        .points
        .zip(given)
        .map(|(judged, given)| judged + given);
}

fn late(problem: &mut ProblemResult) {
    problem.points = problem.points.map(|points| points.portion(90, 100));
    problem.adjustments.push(Adjustment {
        kind: AdjustmentKind::Late,
        points: problem.points,
        message: Text::plain("late: 10 % lost"),
        percent: Some(10),
        at: None,
    });
}

fn with_sample(problem: &mut ProblemResult) {
    let mut failed = problem.subtasks[0].clone();
    (failed.points, failed.max_points) = (Some(Points::ZERO), Points::ZERO);
    failed.verdict = Verdict::WrongAnswer;
    for case in failed.cases_mut() {
        case.verdict = Verdict::WrongAnswer;
    }
    problem.subtasks.insert(0, failed);
    if problem.verdict == Verdict::Accepted {
        problem.verdict = Verdict::PartiallyCorrect;
    }
}

fn fates() -> impl Strategy<Value = Vec<Fate>> {
    let fate = prop_oneof![
        16 => Just(Fate::AsIs),
        1 => Just(Fate::Fault),
        1 => Just(Fate::Unreadable),
        1 => Just(Fate::NotJudged),
        3 => prop::option::of(prop::sample::select(vec![0, 2, 5])).prop_map(Fate::ByHand),
        3 => prop::option::of(prop::sample::select(vec![0, 2, 5])).prop_map(Fate::Checked),
        2 => Just(Fate::Late),
        2 => Just(Fate::WithSample),
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
    let correction = (prop::sample::select(ids), problem, 0..3u32, 0..40u32);
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
        true,
        Lang::En,
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

/// The cells of each student's row in Markdown.
fn rows_of_markdown(markdown: &str) -> Vec<Vec<String>> {
    let plain = |cell: &str| {
        let mut parts = cell.trim().split("&#");
        let mut text = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (code, rest) = part.split_once(';').unwrap();
            text.push(char::from_u32(code.parse().unwrap()).unwrap());
            text += rest;
        }
        text
    };
    let lines = markdown.lines().filter(|it| it.starts_with("| ")).skip(2);
    lines
        .map(|line| line.split('|').skip(1).map(plain).collect())
        .collect()
}

/// The words of a cell, sorted: on the page the verdict stands first.
fn words(cell: &str) -> Vec<&str> {
    let mut words: Vec<&str> = cell.split_whitespace().collect();
    words.sort_unstable();
    words
}

/// A report of this student alone.
struct Alone {
    annotations: String,
    gradescope: Value,
    feedback: String,
    page: String,
    nothing_submitted: bool,
}

impl Alone {
    fn of(results: &Results, student: &StudentResult) -> Self {
        let one = only(results, &student.id);
        let visible = Visible::Staff(&one);
        let annotations = written(|out| write_annotations(&visible.view(), Lang::En, out));
        let own = Own::of(results, student);
        let gradescope = written(|out| write_gradescope(&own, Lang::En, out));
        let style = Style {
            width: 1000,
            ..Style::default()
        };
        Self {
            annotations: String::from_utf8(annotations).unwrap(),
            gradescope: serde_json::from_slice(&gradescope).unwrap(),
            nothing_submitted: student.nothing_submitted,
            feedback: student_report(results, student, &style),
            page: own_page(&own, &[], None, &BTreeMap::default(), Lang::En).unwrap(),
        }
    }

    /// The command of the annotation of a problem.
    fn command(&self, problem: &ProblemId) -> Option<&str> {
        let title = format!("title={problem}%3A ");
        let line = self.annotations.lines().find(|it| it.contains(&title))?;
        line.split([':', ' ']).find(|it| !it.is_empty())
    }

    /// What Gradescope's rows of a problem say.
    fn rows(&self, problem: &ProblemId) -> BTreeSet<&str> {
        let rows = self.gradescope["tests"].as_array().unwrap().iter();
        let own = rows.filter(|row| {
            let name = row["name"].as_str().unwrap();
            name.split([':', ' ']).next() == Some(problem.as_str())
        });
        own.map(|row| row["status"].as_str().unwrap_or("none"))
            .collect()
    }

    /// Whether a problem is among those to fix.
    fn is_to_fix(&self, problem: &ProblemId) -> bool {
        let (_, rest) = self.feedback.split_once("\nTo fix\n").unwrap_or_default();
        let (list, _) = rest.split_once("\n\n").unwrap_or((rest, ""));
        list.lines()
            .any(|it| it.split_whitespace().next() == Some(problem.as_str()))
    }

    /// The class in the style of the badge of a problem, in the list of all problems.
    fn badge(&self, problem: &ProblemView<'_>) -> Option<&str> {
        let (_, list) = self.page.split_once("class=\"overview\"")?;
        let title = problem.title.map_or(problem.id.as_str(), |it| &it.en);
        let title = crate::style::safe_on_page(title);
        let mut rows = list.split("</tr>");
        let row = rows.find(|it| it.contains(&format!(">{title}</a></th>")))?;
        row.split_once("class=\"badge ")?.1.split('"').next()
    }
}

/// How many tests of a suite failed, are in error and are skipped.
fn tests(report: &Report, suite: &str) -> [usize; 3] {
    let mut suites = report.test_suites.iter();
    let suite = suites.find(|it| it.name.as_str() == suite).unwrap();
    let count = |is: fn(&TestCaseStatus) -> bool| {
        let tests = suite.test_cases.iter();
        tests.filter(|it| is(&it.status)).count()
    };
    let is_failure = |it: &TestCaseStatus| {
        matches!(
            it,
            TestCaseStatus::NonSuccess {
                kind: NonSuccessKind::Failure,
                ..
            }
        )
    };
    let is_error = |it: &TestCaseStatus| {
        matches!(
            it,
            TestCaseStatus::NonSuccess {
                kind: NonSuccessKind::Error,
                ..
            }
        )
    };
    let is_skipped = |it: &TestCaseStatus| matches!(it, TestCaseStatus::Skipped { .. });
    [count(is_failure), count(is_error), count(is_skipped)]
}

/// Holds what is shown of a problem against its status.
fn holds(
    problem: &ProblemView<'_>,
    alone: &Alone,
    [failures, errors, skipped]: [usize; 3],
    csv: &str,
) -> Result<(), TestCaseError> {
    let (id, status) = (problem.id, problem.status);
    let mut subtasks = problem.subtasks.iter();
    let is_to_fix = match status {
        // Of who submitted nothing at all, that is said once.
        _ if alone.nothing_submitted => false,
        Status::Short { .. } | Status::Failed(_) | Status::Absent => true,
        Status::Waiting(WhyOpen::ByHand(_)) => subtasks.any(|it| it.status.is_short()),
        Status::Full | Status::Waiting(_) | Status::Excused => false,
    };
    let is_right = problem.failing_verdict().is_none();
    let points = match status {
        Status::Full | Status::Excused => problem.standing.points(),
        Status::Short { lost, .. } => Some(problem.max_points.saturating_sub(lost)),
        Status::Failed(_) | Status::Absent => Some(Points::ZERO),
        Status::Waiting(_) => None,
    };
    prop_assert_eq!(csv, points.map(|it| it.to_string()).unwrap_or_default());
    let command = match status {
        Status::Full | Status::Excused => None,
        Status::Short {
            why: Lost::Judged(_),
            ..
        }
        | Status::Failed(_) => Some("error"),
        Status::Short { .. } => Some("notice"),
        Status::Waiting(WhyOpen::ByHand(_)) if is_right => Some("notice"),
        Status::Waiting(_) => Some("error"),
        Status::Absent => Some("warning"),
    };
    prop_assert_eq!(alone.command(id), command, "{:?}", status);
    let junit = match status {
        Status::Full | Status::Excused => failures + errors == 0,
        Status::Short { .. } | Status::Failed(_) => failures > 0 && errors == 0,
        Status::Waiting(WhyOpen::ByHand(_)) => {
            (failures == 0) == is_right && errors == 0 && skipped > 0
        }
        Status::Waiting(WhyOpen::Fault(_)) => errors > 0,
        Status::Waiting(_) | Status::Absent => failures + errors == 0 && skipped > 0,
    };
    prop_assert!(
        junit,
        "{:?}: {} failures, {} errors, {} skipped",
        status,
        failures,
        errors,
        skipped
    );
    let rows = alone.rows(id);
    let gradescope = match status {
        Status::Full | Status::Excused => !rows.contains("failed"),
        Status::Short { .. } | Status::Failed(_) | Status::Absent => rows.contains("failed"),
        Status::Waiting(WhyOpen::ByHand(_)) => {
            rows.contains("failed") != is_right && rows.contains("none")
        }
        Status::Waiting(_) => rows.contains("none"),
    };
    prop_assert!(gradescope, "{:?}: {:?}", status, rows);
    prop_assert_eq!(alone.is_to_fix(id), is_to_fix, "{:?}", status);
    let badge = alone.badge(problem);
    let colour = match status {
        _ if alone.nothing_submitted => badge.is_none(),
        Status::Full => badge == Some("ok"),
        Status::Excused => badge == Some("none"),
        Status::Absent => badge.is_none_or(|it| it == "none"),
        Status::Waiting(WhyOpen::Fault(_)) => badge == Some("fault"),
        Status::Waiting(WhyOpen::ByHand(_)) => badge == Some("part"),
        Status::Waiting(_) => badge.is_none_or(|it| it == "none"),
        Status::Short { .. } | Status::Failed(_) => {
            badge.is_some_and(|it| ["part", "bad", "limit"].contains(&it))
        }
    };
    prop_assert!(colour, "{:?}: {:?}", status, badge);
    Ok(())
}

/// The rows of the table as CSV.
fn records(results: &Results) -> Vec<csv::StringRecord> {
    let visible = Visible::Staff(results);
    let lang = Lang::En;
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

        let columns = document::columns(&class, Words::of(Lang::En));
        let (rows, records) = (rows_of_page(&results), records(&results));
        let markdown = written(|out| write_markdown(&class, Lang::En, out));
        let in_markdown = rows_of_markdown(std::str::from_utf8(&markdown).unwrap());
        let json: Value = serde_json::from_slice(&written(|out| write_json(&visible, out))).unwrap();
        let again: Results = serde_json::from_value(json.clone()).unwrap();
        let junit = Report::deserialize(written(|out| write_junit(&class, out)).as_slice()).unwrap();
        for (index, student) in results.students.iter().enumerate() {
            let is_open = ungraded.contains(&student.id);
            prop_assert_eq!(student.standing().is_open(), is_open);
            prop_assert_eq!(&records[index][11], if is_open { "no" } else { "yes" });
            let alone = Alone::of(&results, student);
            prop_assert_eq!(&alone.gradescope["extra_data"]["graded"], !is_open);
            // The points without the bonus, and the bonus: in CSV, on the page, on the document, in JSON.
            let sums = [student.standing_without_bonus(), student.standing_of_bonus()];
            prop_assert_eq!(sums.iter().any(|sum| sum.is_open()), is_open);
            for (place, (sum, key)) in sums.into_iter().zip(["points", "bonus"]).enumerate() {
                let points = sum.points().map(|points| points.to_string()).unwrap_or_default();
                prop_assert_eq!(&records[index][8 + place], &points);
                prop_assert_eq!(&rows[index][6 + place], &sum.to_string());
                let cell = painted(&columns[5 + place].cells[index].text(), false);
                prop_assert_eq!(cell, sum.to_string());
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
                // The same cell on the page, on the terminal and in Markdown.
                let cell = painted(&columns[place].cells[index].text(), false);
                prop_assert_eq!(words(&rows[index][1 + place]), words(&cell));
                prop_assert_eq!(words(&in_markdown[index][1 + place]), words(&cell));
                let shown = &class.students[index].problems[place];
                let suite = format!("{}.{}.{}", class.assignment.id, problem.id, student.id);
                holds(shown, &alone, tests(&junit, &suite), &records[index][3 + place])?;
                let of_json = &again.students[index].problems[place];
                prop_assert_eq!(ProblemView::of(of_json, None).status, shown.status);
            }
        }

        // A gradebook gets the points of those who have some.
        let scored = results.students[..5].iter().filter(|it| it.standing().points().is_some());
        prop_assert_eq!(filled_rows(&results), scored.count());
    }
}

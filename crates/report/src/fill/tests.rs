//! The class that the tests of all tables use.

use grader_model::{Person, Results, System, Text};

use super::*;
use crate::sample;

/// The sample, with people whose names are hostile to every format.
pub(crate) fn class() -> Results {
    let mut results = sample::results();
    let people = [
        Some(("Ann Lee", "ann@example.edu", "101", "9001")),
        Some((
            "=HYPERLINK(\"http://x\",\"y\")",
            "+1@example.edu",
            "102",
            "9002",
        )),
        Some(("../O'Neil_<b>|`a` @all", "bo;=1@example.edu", "103", "9003")),
        Some(("Open\r\nRow", "open@example.edu", "104", "9004")),
        Some(("Close Call", "close@example.edu", "105", "9005")),
        None,
    ];
    for (student, known) in results.students.iter_mut().zip(people) {
        student.notes.clear();
        student.person = known.map(|(name, email, moodle, canvas)| Person {
            name: Some(name.to_owned()),
            email: Some(email.to_owned()),
            ids: [(System::Moodle, moodle), (System::Canvas, canvas)]
                .map(|(system, id)| (system, id.to_owned()))
                .into(),
        });
    }
    results.students[1].notes = vec![
        Text::new("late by 2 h", "迟交 2 小时"),
        Text::new("@the second attempt", "@第二次"),
    ];
    results
}

/// The remarks as people read them.
pub(crate) fn said(remarks: &[FillRemark]) -> Vec<String> {
    remarks.iter().map(|remark| remark.text().en).collect()
}

fn rule(bonus: Bonus, scale: bool, cap: bool) -> GradeRule {
    GradeRule { bonus, scale, cap }
}

#[test]
fn a_grade_counts_the_bonus_scales_and_caps_as_it_is_told() {
    let results = class();
    let (perfect, open) = (&results.students[0], &results.students[3]);
    let grade = |rule: GradeRule, maximum| {
        let grade = rule.grade(perfect, &results.assignment, Points::whole(maximum));
        let grade = grade.unwrap();
        (grade.value.to_string(), grade.capped.map(|p| p.to_string()))
    };
    let capped = |value: &str, of: &str| (value.to_owned(), Some(of.to_owned()));
    let plain = |value: &str| (value.to_owned(), None);
    assert_eq!(
        grade(rule(Bonus::Count, false, true), 100),
        capped("100", "110")
    );
    assert_eq!(grade(rule(Bonus::Count, false, true), 110), plain("110"));
    assert_eq!(grade(rule(Bonus::Count, false, false), 100), plain("110"));
    assert_eq!(grade(rule(Bonus::Leave, false, true), 100), plain("100"));
    assert_eq!(grade(rule(Bonus::Leave, true, true), 110), plain("110"));
    assert_eq!(grade(rule(Bonus::Count, true, true), 7), capped("7", "7.7"));
    let count = rule(Bonus::Count, false, false);
    assert_eq!(
        count.grade(open, &results.assignment, Points::whole(100)),
        None
    );
}

#[test]
fn a_maximum_is_the_points_or_the_points_with_the_bonus_or_anything_that_is_scaled_to() {
    let results = class();
    let serves = |rule: GradeRule| {
        [100, 110, 20].map(|maximum| rule.serves(&results.assignment, Points::whole(maximum)))
    };
    assert_eq!(serves(rule(Bonus::Count, false, true)), [true, true, false]);
    assert_eq!(
        serves(rule(Bonus::Leave, false, true)),
        [true, false, false]
    );
    assert_eq!(serves(rule(Bonus::Leave, true, true)), [true; 3]);
}

#[test]
fn numbers_are_read_with_a_point_or_a_comma() {
    let read = |text| number(text).map(|points| points.to_string());
    assert_eq!(read("12.5"), Some("12.5".to_owned()));
    assert_eq!(read(" 100,00 "), Some("100".to_owned()));
    for no in ["", "-", "1e3", "-1", "1.000,5", "B+", "inf"] {
        assert_eq!(read(no), None, "{no}");
    }
    assert!(has_decimal_comma(["", "EX", "100", "7,5", "7.5"]));
    assert!(!has_decimal_comma(["", "Lee, Ann", "100", "7.5", "7,5"]));
    assert_eq!(written("7.5".parse().unwrap(), true), "7,5");
}

#[test]
fn a_scaled_grade_is_rounded_half_up_to_a_hundredth() {
    let third = scaled(Points::whole(1), Points::whole(10), Points::whole(3));
    assert_eq!(third.to_string(), "3.33");
    let half = scaled(Points::whole(1), Points::whole(1), Points::whole(8));
    assert_eq!(half.to_string(), "0.13");
}

//! The class that the tests of all tables use.

use grader_model::{Person, Results, StudentId, System, Text};

use super::*;
use crate::style::Style;
use crate::{
    Audience, MarkdownOptions, MoodleOptions, sample, student_report, write_csv, write_markdown,
    write_moodle_feedback,
};

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
    results.students[4].remarks = vec![Text::new("`s12` fits too", "`s12` 也相符")];
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
    assert_eq!(written(Points::from_thousandths(7500), true), "7,5");
}

#[test]
fn a_scaled_grade_is_rounded_half_up_to_a_hundredth() {
    let third = scaled(Points::whole(1), Points::whole(10), Points::whole(3));
    assert_eq!(third.to_string(), "3.33");
    let half = scaled(Points::whole(1), Points::whole(1), Points::whole(8));
    assert_eq!(half.to_string(), "0.13");
}

#[test]
fn every_remark_is_a_line_in_both_languages() {
    let student = || StudentId::new("s01");
    let points = Points::whole;
    let remarks = [
        FillRemark::NoFeedbackColumn,
        FillRemark::NoMaximumColumn,
        FillRemark::NoRow { student: student() },
        FillRemark::SeveralRows {
            student: student(),
            lines: vec![2, 3],
        },
        FillRemark::SharedRow {
            student: student(),
            line: 2,
            others: 1,
        },
        FillRemark::OtherName {
            student: student(),
            line: 2,
            name: "Team\n".to_owned(),
            known: "Bo".to_owned(),
        },
        FillRemark::NoStudent {
            line: 2,
            who: "Bo\n".to_owned(),
        },
        FillRemark::Locked {
            student: student(),
            line: 2,
        },
        FillRemark::Excused {
            student: student(),
            line: 2,
        },
        FillRemark::Open { student: student() },
        FillRemark::ShortRow {
            student: student(),
            line: 2,
        },
        FillRemark::Replaced {
            student: student(),
            old: points(1),
            new: points(2),
        },
        FillRemark::Capped {
            student: student(),
            earned: points(110),
            maximum: points(100),
        },
        FillRemark::FeedbackCut { student: student() },
        FillRemark::NoNumber { student: student() },
        FillRemark::SharedNumber {
            student: student(),
            number: "7".to_owned(),
        },
    ];
    let zh: Vec<String> = remarks.iter().map(|remark| remark.text().zh).collect();
    assert_eq!(
        zh,
        [
            "工作表没有评语列：请在 Moodle 开启评语反馈，或用 `--column feedback=表头` 指定",
            "工作表没有满分列：请核对满分与作业总分一致，或用 `--column maximum=表头` 指定",
            "s01：没有对应的行",
            "s01：可能是第 2、3 行中的任何一行",
            "s01：第 2 行也可能属于另外 1 名学生",
            "s01：编号与第 2 行相同，但该行姓名是 `Team\\n`，不是 `Bo`",
            "第 2 行（Bo\\n）：不是我们的学生",
            "s01：第 2 行的成绩已锁定",
            "s01：第 2 行为免交",
            "s01：尚未评分",
            "s01：第 2 行不到成绩列就结束了",
            "s01：原为 1 分，现为 2 分",
            "s01：得 110 分，按满分 100 登记",
            "s01：说明超过单元格的长度，已截断",
            "s01：没有该系统的编号",
            "s01：编号 7 属于不止一名学生",
        ]
    );
    let told: Vec<&FillRemark> = remarks.iter().filter(|remark| remark.is_filled()).collect();
    assert_eq!(told.len(), 4);
}

const HOSTILE: &str = " \u{1b}[2J\u{7}\u{202e}\u{2060}\u{9b}31m\r\n\t\u{200b}\0";

#[test]
fn nothing_that_is_not_seen_gets_into_any_table() {
    let mut results = class();
    for student in &mut results.students {
        student.id = StudentId::new(format!("{}{HOSTILE}", student.id));
        student.notes = vec![Text::plain(HOSTILE)];
        if let Some(person) = &mut student.person {
            person.name = Some(format!("x{HOSTILE}"));
            person.email = Some(HOSTILE.to_owned());
            person.ids.insert(System::Sis, HOSTILE.to_owned());
            person.ids.insert(System::Login, HOSTILE.to_owned());
        }
    }
    results.assignment.title = Text::plain(HOSTILE);
    let style = Style::default();
    let mut pages: Vec<Vec<u8>> = vec![Vec::new(); 3];
    write_csv(&results, Audience::Staff, style.lang, &mut pages[0]).unwrap();
    pages[0].drain(..3);
    let markdown = MarkdownOptions::default();
    write_markdown(&results, Audience::Staff, &markdown, &mut pages[1]).unwrap();
    let worksheet = b"Identifier,Grade,Maximum grade,Feedback comments\nParticipant 101,,100,\n";
    let options = MoodleOptions::default();
    let filled = crate::fill_moodle_worksheet(worksheet, &results, &options).unwrap();
    pages[2] = filled.bytes;
    for student in &results.students {
        pages.push(student_report(&results, student, &style).into_bytes());
    }
    let mut zip = Vec::new();
    write_moodle_feedback(&results, &style, &mut zip).unwrap();
    let mut zip = zip::ZipArchive::new(std::io::Cursor::new(zip)).unwrap();
    for index in 0..zip.len() {
        let mut file = zip.by_index(index).unwrap();
        let name = file.name().unwrap().into_owned();
        assert_eq!(safe(&name), name);
        let mut page = Vec::new();
        std::io::Read::read_to_end(&mut file, &mut page).unwrap();
        pages.push(page);
    }
    assert_eq!(pages.len(), 3 + 6 + 5);
    pages.extend(said(&filled.remarks).into_iter().map(String::into_bytes));
    for page in pages {
        let page = String::from_utf8(page).unwrap();
        for line in page.lines() {
            assert_eq!(safe(line), line);
        }
    }
}

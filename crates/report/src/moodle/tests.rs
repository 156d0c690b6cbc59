use grader_model::Lang;

use super::*;
use crate::fill::tests::{class, said};

/// A worksheet as Moodle 4 writes it, with a column of the site, line ends of two kinds and a blank end.
const WORKSHEET: &str = "\u{feff}Identifier,\"Full name\",\"Email address\",Status,Cohort,Grade,\"Maximum grade\",\"Grade can be changed\",\"Last modified (submission)\",\"Last modified (grade)\",\"Feedback comments\"\r\n\
\"Participant 105\",\"Close Call\",close@example.edu,\"Submitted for grading\",\"A,B\",\"12.00\",100.00,Yes,\"Friday, 20 November 2026, 9:57 AM\",-,\"Well \"\"done\"\"\"\r\n\
\"Participant 101\",\"Ann Lee\",ann@example.edu,\"Submitted\n(late)\",,,100.00,Yes,\"Friday, 20 November 2026, 9:58 AM\",-,\n\
\"Participant 102\",HYPERLINK,,,,16.00,100.00,Yes,,\"Friday, 20 November 2026, 9:59 AM\",\r\n\
Participant 103,\"O'Neil\",,,,,100.00,No,,-,\r\n\
Participant 104,\"Open\",,,,,100.00,Yes,,-,\r\n\
Participant 106,\"李雷\",,,,,100.00,Yes,,-,\r\n\
Participant 1070,=1+1,,,,,100.00,Yes,,-,\r\n\
\r\n,,,,,,,,,,\r\n\r\n";

fn plain() -> MoodleOptions {
    MoodleOptions {
        feedback: None,
        ..MoodleOptions::default()
    }
}

fn fill(worksheet: &str, options: &MoodleOptions) -> Result<Filled, FillError> {
    fill_moodle_worksheet(worksheet.as_bytes(), &class(), options)
}

fn text(filled: &Filled) -> &str {
    std::str::from_utf8(&filled.bytes).unwrap()
}

#[test]
fn only_grades_of_our_students_change_and_the_rest_is_told() {
    let filled = fill(WORKSHEET, &plain()).unwrap();
    let expected = WORKSHEET
        .replace("\"12.00\",100.00", "\"51\",100.00")
        .replace("(late)\",,,100.00", "(late)\",,100,100.00")
        .replace("\"李雷\",,,,,100.00", "\"李雷\",,,,0,100.00");
    assert_eq!(text(&filled), expected);
    assert_eq!(filled.written, 4);
    assert_eq!(
        said(&filled.remarks),
        [
            "s01: earned 110, entered as 100, the maximum",
            "s03: the grade on line 6 is locked",
            "s10: not graded",
            "s11: was 12, is 51 now",
            "line 9 (Participant 1070, =1+1): no student of ours",
        ]
    );
}

#[test]
fn filling_twice_changes_nothing_more() {
    let options = MoodleOptions::default();
    let once = fill(WORKSHEET, &options).unwrap();
    let twice = fill(text(&once), &options).unwrap();
    assert_eq!(text(&twice), text(&once));
}

#[test]
fn a_comment_is_the_students_own_report_after_what_the_teacher_wrote() {
    let results = class();
    let options = MoodleOptions {
        style: Style {
            lang: Lang::Zh,
            ..Style::default()
        },
        ..MoodleOptions::default()
    };
    let filled = fill(WORKSHEET, &options).unwrap();
    let comment = |student: usize| {
        let report = student_report(&results, &results.students[student], &options.style);
        let (html, cut) = preformatted(&report, MoodleOptions::FEEDBACK, &options.style);
        assert!(!cut);
        html.replace('"', "\"\"")
    };
    let expected = WORKSHEET
        .replace("\"12.00\",100.00", "\"51\",100.00")
        .replace("(late)\",,,100.00", "(late)\",,100,100.00")
        .replace("\"李雷\",,,,,100.00", "\"李雷\",,,,0,100.00")
        .replace("\"\"done\"\"\"", &format!("\"\"done\"\"{}\"", comment(4)))
        .replace("9:58 AM\",-,", &format!("9:58 AM\",-,\"{}\"", comment(0)))
        .replace("9:59 AM\",", &format!("9:59 AM\",\"{}\"", comment(1)))
        .replace(
            "0,100.00,Yes,,-,\r\nParticipant 1070",
            &format!("0,100.00,Yes,,-,\"{}\"\r\nParticipant 1070", comment(5)),
        );
    assert_eq!(text(&filled), expected);
    // What a hidden case asked for, and what is flagged, is for staff only.
    assert!(!text(&filled).contains("14200"));
    assert!(!text(&filled).contains("可疑"));
}

#[test]
fn a_comment_that_is_too_long_is_cut_and_told() {
    let options = MoodleOptions {
        feedback: Some(600),
        ..MoodleOptions::default()
    };
    let filled = fill(WORKSHEET, &options).unwrap();
    let cut = said(&filled.remarks)
        .into_iter()
        .filter(|said| said.contains("the explanation is cut"))
        .count();
    // There is little to say of the one who handed in nothing.
    assert_eq!(cut, 3);
    let sheet = Sheet::read(&filled.bytes, |head| head == "Grade").unwrap();
    let comment = sheet.cell(2, 10).unwrap();
    assert!(comment.len() <= 600 && comment.ends_with("more lines are left out</pre>"));
}

/// Delimiter, heads of identifier, name, mail, grade, maximum, changeable and comments, an identifier, yes, no.
type Localised = (char, [&'static str; 7], &'static str, [&'static str; 2]);

const LANGUAGES: [Localised; 9] = [
    (
        ',',
        [
            "Identifier",
            "Full name",
            "Email address",
            "Grade",
            "Maximum Grade",
            "Grade can be changed",
            "Feedback comments",
        ],
        "Participant ",
        ["Yes", "No"],
    ),
    (
        ';',
        [
            "ID",
            "Vollständiger Name",
            "E-Mail-Adresse",
            "Bewertung",
            "Maximale Bewertung",
            "Bewertung kann geändert werden",
            "Feedback als Kommentar",
        ],
        "Teilnehmer/in",
        ["Ja", "Nein"],
    ),
    (
        ';',
        [
            "Identifiant",
            "Nom complet",
            "Adresse de courriel",
            "Note",
            "Note maximale",
            "La note peut être modifiée",
            "Feedback par commentaires",
        ],
        "Participant ",
        ["Oui", "Non"],
    ),
    (
        ';',
        [
            "Identificador",
            "Nombre completo",
            "Dirección de correo",
            "Calificación",
            "Calificación máxima",
            "La calificación puede ser cambiada",
            "Comentarios de retroalimentación",
        ],
        "Participante ",
        ["Sí", "No"],
    ),
    (
        ',',
        [
            "Identificador",
            "Nome completo",
            "Endereço de email",
            "Nota",
            "Nota máxima",
            "A nota pode ser alterada.",
            "Comentários de feedback",
        ],
        "Participante ",
        ["Sim", "Não"],
    ),
    (
        ',',
        [
            "标识符",
            "全名",
            "电子邮件地址",
            "成绩",
            "最高分",
            "允许更改成绩",
            "反馈意见",
        ],
        "参与人",
        ["是", "否"],
    ),
    (
        '\t',
        [
            "識別碼",
            "全名",
            "電子郵件信箱",
            "成績",
            "最高成績",
            "成績可以更改",
            "評語回饋",
        ],
        "參與者 ",
        ["是", "否"],
    ),
    (
        ',',
        [
            "ID",
            "氏名",
            "メールアドレス",
            "評点",
            "最高評点",
            "評点は変更可能です",
            "フィードバックコメント",
        ],
        "参加者",
        ["はい", "いいえ"],
    ),
    (
        ',',
        [
            "Identificatie",
            "Volledige naam",
            "E-mailadres",
            "Cijfer",
            "Maximumcijfer",
            "Cijfer kan gewijzigd worden",
            "Feedback opmerkingen",
        ],
        "Deelnemer ",
        ["Ja", "Nee"],
    ),
];

#[test]
fn the_columns_are_known_in_many_languages_and_the_decimal_sign_stays() {
    let mut results = class();
    results.students[4].problems[1].points = Some(Points::from_thousandths(500));
    let options = MoodleOptions::default();
    let report = student_report(&results, &results.students[4], &options.style);
    let (comment, _) = preformatted(&report, MoodleOptions::FEEDBACK, &options.style);
    let comment = format!("\"{}\"", comment.replace('"', "\"\""));
    for (delimiter, heads, participant, [yes, no]) in LANGUAGES {
        let (maximum, ours) = match delimiter {
            ';' => ("100,00", "51,5"),
            _ => ("100.00", "51.5"),
        };
        let sheet = |grade: &str, comment: &str| {
            let ids = [105, 101].map(|number| format!("{participant}{number}"));
            let rows = [
                heads,
                [&ids[0], "CLOSE CALL", "x@y", grade, maximum, yes, comment],
                [&ids[1], "Ann Lee", "y@z", "", maximum, no, ""],
            ];
            rows.map(|row| row.join(&delimiter.to_string()))
                .join("\r\n")
        };
        let teachers = sheet("", "");
        let filled = fill_moodle_worksheet(teachers.as_bytes(), &results, &options).unwrap();
        assert_eq!(text(&filled), sheet(ours, &comment));
        let told = said(&filled.remarks);
        assert_eq!(told[0], "s01: the grade on line 3 is locked");
    }
}

#[test]
fn an_unknown_head_is_named_by_the_teacher_or_told_with_those_that_are_there() {
    let sheet = "Αναγνωριστικό,Βαθμός,Grade?\nΣυμμετέχων 101,,\n";
    let error = fill(sheet, &plain()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "no column is known to be `grade`; found `Αναγνωριστικό`, `Βαθμός`, `Grade?`; name it with `--column grade=HEADER`"
    );
    let named = |columns: &[(&str, &str)]| {
        let columns = columns.iter();
        let of = |word: &str| {
            let mut all = MoodleColumn::ALL.into_iter();
            all.find(|column| column.word() == word).unwrap()
        };
        let columns = columns.map(|(column, head)| (of(column), (*head).to_owned()));
        let options = MoodleOptions {
            columns: columns.collect(),
            ..plain()
        };
        fill(sheet, &options)
    };
    assert_eq!(
        named(&[("grade", "Βαθμός")]).unwrap_err().to_string(),
        "no column tells whose row it is; found `Αναγνωριστικό`, `Βαθμός`, `Grade?`; name one with `--column identifier=HEADER`"
    );
    assert_eq!(
        named(&[("grade", "Βαθμος")]).unwrap_err().to_string(),
        "there is no column `Βαθμος`; found `Αναγνωριστικό`, `Βαθμός`, `Grade?`"
    );
    let filled = named(&[("grade", "Βαθμός"), ("identifier", "Αναγνωριστικό")]).unwrap();
    assert_eq!(text(&filled), sheet.replace("101,", "101,100"));
    assert!(filled.remarks.contains(&FillRemark::NoMaximumColumn));
}

#[test]
fn two_columns_of_grades_are_not_chosen_between() {
    let error = fill("Identifier,Grade,Note\n", &plain()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "several columns could be `grade`: `Grade`, `Note`"
    );
}

#[test]
fn another_maximum_is_refused_with_both_numbers_or_scaled_to() {
    let sheet = WORKSHEET.replace("100.00", "20");
    let error = fill(&sheet, &plain()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 2: the maximum grade is 20, but the assignment has 100 points and 10 bonus points; set the maximum to 100, or scale the points to 20 with `--scale`"
    );
    let options = MoodleOptions {
        scale: true,
        ..plain()
    };
    let filled = fill(&sheet, &options).unwrap();
    assert!(text(&filled).contains("\"10.2\",20,"));
    assert!(
        said(&filled.remarks).contains(&"s01: earned 22, entered as 20, the maximum".to_owned())
    );
    let error = fill(&WORKSHEET.replace("100.00", "Scale"), &plain()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 2: the maximum grade `Scale` is not a number"
    );
}

#[test]
fn another_maximum_is_refused_before_there_is_anybody_to_grade() {
    let mut results = class();
    results.students.clear();
    let sheet = "Identifier,Grade,Maximum grade\nParticipant 1,,100\n,,sum\nParticipant 2,,90\n";
    let error = fill_moodle_worksheet(sheet.as_bytes(), &results, &plain()).unwrap_err();
    assert_eq!(
        error,
        FillError::Maximum {
            table: Points::whole(90),
            line: 4,
            points: Points::whole(100),
            bonus: Points::whole(10),
        }
    );
}

#[test]
fn names_and_addresses_are_only_believed_where_they_are_exact_and_of_one() {
    let sheet = "Full name,Email address,Grade\n\
        ann lee,,\n\
        Close Call,,\n\
        Close Call,,\n\
        ,OPEN@EXAMPLE.EDU,\n\
        李雷 ,,\n";
    let mut results = class();
    results.students.truncate(5);
    results.students.drain(1..3);
    let open = &mut results.students[1];
    open.problems[0].points = Some(Points::whole(1));
    let mut twin = open.clone();
    twin.id = StudentId::new("twin");
    results.students.push(twin);
    let filled = fill_moodle_worksheet(sheet.as_bytes(), &results, &plain()).unwrap();
    assert_eq!(text(&filled), sheet);
    assert_eq!(
        said(&filled.remarks),
        [
            "the worksheet does not tell the maximum grade: see that it is the assignment's points, or name the column with `--column maximum=HEADER`",
            "s01: has no row",
            "s10: line 5 may be of 1 more of our students",
            "s11: may be on any of the lines 3, 4",
            "twin: line 5 may be of 1 more of our students",
            "line 2 (ann lee): no student of ours",
            "line 6 (李雷): no student of ours",
        ]
    );
}

#[test]
fn a_number_of_moodle_that_is_in_no_row_is_not_made_up_for_by_a_name() {
    let sheet =
        "Identifier,Full name,Grade\nParticipant 555,Ann Lee,\nParticipant 101 2,Ann Lee,\n";
    let filled = fill(sheet, &plain()).unwrap();
    assert_eq!(text(&filled), sheet);
    assert_eq!(filled.written, 0);
}

#[test]
fn a_number_in_a_row_of_another_name_is_not_believed() {
    let sheet = "Identifier,Full name,Email address,Grade,Maximum grade\n\
        Participant 101,\"LEE, Ann B.\",,,100\n\
        Participant 105,Team 7,,,100\n\
        Participant 106,Ann Lee,close@example.edu,,100\n";
    let mut results = class();
    results.students.truncate(5);
    results.students.drain(1..4);
    let filled = fill(sheet, &plain()).unwrap();
    assert_eq!(text(&filled), sheet.replace("B.\",,,100", "B.\",,100,100"));
    let told = said(&filled.remarks);
    assert!(
        told.contains(
            &"s11: the number is that of line 3, but the name there is `Team 7`, not `Close Call`"
                .to_owned()
        ),
        "{told:?}"
    );
    // An address is of one person, whatever the name beside it.
    results.students[1].person.as_mut().unwrap().ids.clear();
    let filled = fill_moodle_worksheet(sheet.as_bytes(), &results, &plain()).unwrap();
    assert_eq!(filled.written, 2);
    // Without a name there is nothing to compare.
    let bare = "Identifier,Grade,Maximum grade\nParticipant 101,,100\n";
    assert_eq!(fill(bare, &plain()).unwrap().written, 1);
}

#[test]
fn a_row_that_ends_too_early_and_a_missing_column_of_comments_are_told() {
    let sheet = "Identifier,Maximum grade,Grade\nParticipant 101,100\n";
    let filled = fill(sheet, &MoodleOptions::default()).unwrap();
    assert_eq!(text(&filled), sheet);
    let told = said(&filled.remarks);
    assert_eq!(
        told[..2],
        [
            "the worksheet has no column for comments: switch on feedback comments in Moodle, or name the column with `--column feedback=HEADER`",
            "s01: line 2 ends before the grade",
        ]
    );
}

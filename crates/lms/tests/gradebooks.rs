//! Gradebooks of each system, with points of a class written into them.
#![expect(clippy::unwrap_used, reason = "a panic is the report")]

use std::collections::{BTreeMap, BTreeSet};

use grader_lms::{FillOptions, Filled, Gradebook, TableError, fill, write_moodle_feedback};
use grader_model::{
    AssignmentId, AssignmentInfo, ClassId, Lang, Person, Points, ProblemId, ProblemResult,
    SectionId, Status, StudentId, StudentResult, System, Text, Verdict,
};

fn assignment() -> AssignmentInfo {
    AssignmentInfo {
        deadline: None,
        id: AssignmentId::new("queens"),
        title: Text::plain("Queens"),
        points: Points::whole(100),
        bonus: Points::whole(10),
        problems: Vec::new(),
    }
}

fn problem(points: Option<u64>, bonus: bool) -> ProblemResult {
    ProblemResult {
        adjustments: Vec::new(),
        submission: None,
        submitted: None,
        behaviour: None,
        former_behaviours: Vec::new(),
        counterexample: None,
        id: ProblemId::new("count"),
        points: points.map(Points::from_thousandths),
        max_points: Points::whole(100),
        bonus,
        verdict: Verdict::Accepted,
        message: None,
        status: Status::NotJudged,
        hints: Vec::new(),
        language: None,
        files: Vec::new(),
        build: None,
        flags: Vec::new(),
        remarks: Vec::new(),
        origin: None,
        subtasks: Vec::new(),
    }
}

/// Points in thousandths.
fn student(
    id: &str,
    name: &str,
    ids: &[(System, &str)],
    points: Option<u64>,
    bonus: u64,
) -> StudentResult {
    let ids = ids.iter().map(|(system, id)| (*system, (*id).to_owned()));
    StudentResult {
        id: StudentId::new(id),
        person: Some(Person {
            name: (!name.is_empty()).then(|| name.to_owned()),
            email: Some(format!("{id}@example.edu")),
            ids: ids.collect(),
        }),
        problems: vec![problem(points, false), problem(Some(bonus), true)],
        ..StudentResult::default()
    }
}

/// Five students, with a number of one system each.
fn class(system: System) -> Vec<StudentResult> {
    let student =
        |id, name, number, points, bonus| student(id, name, &[(system, number)], points, bonus);
    vec![
        student("s01", "Ann Lee", "101", Some(100_000), 10_000),
        student("s02", "=HYPERLINK(\"x\")", "102", Some(16_000), 0),
        student("s03", "O'Neil", "103", Some(0), 0),
        student("s04", "Open\r\nRow", "104", None, 0),
        student("s05", "Close Call", "105", Some(51_500), 0),
    ]
}

const PLAIN: FillOptions<'_> = FillOptions {
    columns: &[],
    leave_bonus: false,
    scale: false,
    overwrite: false,
    earlier: None,
    lang: Lang::En,
};

const OVERWRITE: FillOptions<'_> = FillOptions {
    overwrite: true,
    ..PLAIN
};

fn try_fill(
    gradebook: Gradebook,
    text: &str,
    students: &[StudentResult],
    options: FillOptions<'_>,
) -> Result<Filled, TableError> {
    let report = &mut |student: &StudentResult| format!("report of {} <b>", student.id);
    fill(
        gradebook,
        text.as_bytes(),
        &assignment(),
        students,
        options,
        report,
    )
}

/// The filled file, then the remarks.
fn filled(
    gradebook: Gradebook,
    text: &str,
    students: &[StudentResult],
    options: FillOptions<'_>,
) -> (String, Vec<String>) {
    let filled = try_fill(gradebook, text, students, options).unwrap();
    assert_eq!(Gradebook::of(text.as_bytes()), Ok(gradebook), "{text}");
    let remarks = filled.remarks.into_iter().map(|remark| {
        assert!(!remark.zh.is_empty());
        remark.en
    });
    (String::from_utf8(filled.bytes).unwrap(), remarks.collect())
}

fn error(gradebook: Gradebook, text: &str, options: FillOptions<'_>) -> String {
    let error = try_fill(gradebook, text, &[], options).unwrap_err();
    error.to_string()
}

const WORKSHEET: &str = "\u{feff}Identifier,Full name,Email address,Cohort,Grade,Maximum grade,Grade can be changed,Feedback comments\r\n\
Participant 105,Close Call,,\"A,B\",12.00,100.00,Yes,\"Well \"\"done\"\"\"\r\n\
Participant 101,Ann Lee,,\"two\nlines\",,100.00,Yes,\r\n\
Participant 102,HYPERLINK x,,,16.00,100.00,Yes,\r\n\
Participant 103,O'Neil,,,,100.00,No,\r\n\
Participant 104,Open,,,,100.00,Yes,\r\n\
Participant 1070,=1+1,,,,100.00,Yes,\r\n";

fn comment(id: &str) -> String {
    format!("\"<pre class=\"\"bitcraft\"\">report of {id} &lt;b&gt;</pre>\"")
}

#[test]
fn a_worksheet_gets_our_grades_and_comments_and_keeps_those_of_a_person() {
    let (text, remarks) = filled(Gradebook::Moodle, WORKSHEET, &class(System::Moodle), PLAIN);
    let expected = WORKSHEET
        .replace(
            "lines\",,100.00,Yes,",
            &format!("lines\",100,100.00,Yes,{}", comment("s01")),
        )
        .replace(
            "16.00,100.00,Yes,",
            &format!("16.00,100.00,Yes,{}", comment("s02")),
        );
    assert_eq!(text, expected);
    assert_eq!(
        remarks,
        [
            "s01 (Ann Lee): earned 110, entered as 100, the maximum",
            "s03 (O'Neil): the grade is locked on line 6",
            "s04 (Open\\r\\nRow): not scored yet",
            "s05 (Close Call): line 2 has 12.00, which stays; ours is 51.5 (`--overwrite` replaces it)",
            "line 8 (Participant 1070): not in this class",
        ]
    );
    let (text, remarks) = filled(
        Gradebook::Moodle,
        WORKSHEET,
        &class(System::Moodle),
        OVERWRITE,
    );
    let ours = comment("s05").replacen('"', "", 1);
    let expected = expected
        .replace("12.00,100.00", "51.5,100.00")
        .replace("\"\"done\"\"\"", &format!("\"\"done\"\"{ours}"));
    assert_eq!(text, expected);
    assert_eq!(remarks[3], "s05 (Close Call): was 12.00, is 51.5 now");
    // Filling twice changes nothing more.
    let again = filled(Gradebook::Moodle, &text, &class(System::Moodle), OVERWRITE);
    assert_eq!(again.0, text);
}

#[test]
fn our_own_earlier_grade_is_replaced_and_two_decimals_are_no_conflict() {
    let earlier = [("s01", 70_589), ("s02", 16_000), ("s03", 8_000)];
    let earlier = earlier.map(|(id, grade)| (StudentId::new(id), Points::from_thousandths(grade)));
    let earlier =
        earlier.map(|(id, grade)| (id, BTreeSet::from([grade, Points::from_thousandths(1)])));
    let earlier = BTreeMap::from(earlier);
    let options = FillOptions {
        earlier: Some(&earlier),
        ..PLAIN
    };
    let students = [
        student("s01", "Ann Lee", &[], Some(71_333), 0),
        student("s02", "Bo Li", &[], Some(12_335), 0),
        student("s03", "Cy Wu", &[], Some(9_000), 0),
        student("s04", "Di Xu", &[], Some(66_667), 0),
    ];
    let sheet = |grades: [&str; 4]| {
        let [ann, bo, cy, di] = grades;
        format!(
            "Full name,Grade,Feedback comments\nAnn Lee,{ann},\nBo Li,{bo},\nCy Wu,{cy},\nDi Xu,{di},\n"
        )
    };
    let fill = |grades| {
        let filled = try_fill(Gradebook::Moodle, &sheet(grades), &students, options).unwrap();
        let text = String::from_utf8(filled.bytes).unwrap();
        let grade = |line: &str| line.split(',').nth(1).unwrap().to_owned();
        let grades: Vec<String> = text.lines().skip(1).map(grade).collect();
        (grades, filled.grades.len(), filled.remarks)
    };
    let (grades, ours, remarks) = fill(["70.59", "16.01", "8.5", "66.67"]);
    assert_eq!(grades, ["71.333", "16.01", "8.5", "66.67"]);
    let kept = [
        "the gradebook does not say the maximum grade: make sure that it is the assignment's points",
        "s02 (Bo Li): line 3 has 16.01, which stays; ours is 12.335 (`--overwrite` replaces it)",
        "s03 (Cy Wu): line 4 has 8.5, which stays; ours is 9 (`--overwrite` replaces it)",
    ];
    assert_eq!(remarks.iter().map(|it| &it.en).collect::<Vec<_>>(), kept);
    assert_eq!(ours, 2);
    let (grades, ours, _) = fill(["70.58", "16.00", "", "66.66"]);
    assert_eq!(grades, ["70.58", "12.335", "9", "66.66"]);
    assert_eq!(ours, 2);
}

#[test]
fn columns_of_a_worksheet_are_known_in_many_languages_and_the_decimal_sign_stays() {
    let languages = [
        (
            ",",
            "Identifier|Full name|Email address|Grade|Maximum Grade|Grade can be changed",
            "Participant ",
            "No",
        ),
        (
            ";",
            "ID|Vollständiger Name|E-Mail-Adresse|Bewertung|Maximale Bewertung|Bewertung kann geändert werden",
            "Teilnehmer/in",
            "Nein",
        ),
        (
            ";",
            "Identifiant|Nom complet|Adresse de courriel|Note|Note maximale|La note peut être modifiée",
            "Participant ",
            "Non",
        ),
        (
            ";",
            "Identificador|Nombre completo|Dirección de correo|Calificación|Calificación máxima|La calificación puede ser cambiada",
            "Participante ",
            "No",
        ),
        (
            ",",
            "Identificador|Nome completo|Endereço de email|Nota|Nota máxima|A nota pode ser alterada.",
            "Participante ",
            "Não",
        ),
        (
            ",",
            "标识符|全名|电子邮件地址|成绩|最高分|允许更改成绩",
            "参与人",
            "否",
        ),
        (
            "\t",
            "識別碼|全名|電子郵件信箱|成績|最高成績|成績可以更改",
            "參與者 ",
            "否",
        ),
        (
            ",",
            "ID|氏名|メールアドレス|評点|最高評点|評点は変更可能です",
            "参加者",
            "いいえ",
        ),
        (
            ",",
            "Identificatie|Volledige naam|E-mailadres|Cijfer|Maximumcijfer|Cijfer kan gewijzigd worden",
            "Deelnemer ",
            "Nee",
        ),
    ];
    for (delimiter, heads, participant, no) in languages {
        let (maximum, ours) = match delimiter {
            ";" => ("100,00", "51,5"),
            "," => ("100.00", "51.5"),
            _ => ("100", "51.5"),
        };
        let sheet = |grade: &str| {
            let rows = [
                heads.to_owned(),
                format!("{participant}105|CLOSE CALL|x@y|{grade}|{maximum}|+"),
                format!("{participant}101|Ann Lee|y@z||{maximum}|{no}"),
            ];
            rows.map(|row| row.replace('|', delimiter) + "\n").concat()
        };
        let (text, remarks) = filled(Gradebook::Moodle, &sheet(""), &class(System::Moodle), PLAIN);
        assert_eq!(text, sheet(ours));
        assert_eq!(remarks[1], "s01 (Ann Lee): the grade is locked on line 3");
    }
}

#[test]
fn a_table_that_is_no_worksheet_needs_no_column_for_comments() {
    let sheet = "id,grade\n101,\n";
    let (text, remarks) = filled(Gradebook::Moodle, sheet, &class(System::Moodle)[..1], PLAIN);
    assert_eq!(text, "id,grade\n101,100\n");
    assert_eq!(
        remarks,
        [
            "the gradebook does not say the maximum grade: make sure that it is the assignment's points",
            "s01 (Ann Lee): earned 110, entered as 100, the maximum",
        ]
    );
}

#[test]
fn an_unknown_heading_is_named_by_the_teacher() {
    let sheet = "Αναγνωριστικό,Βαθμός,Grade?\nΣυμμετέχων 101,,\n";
    let named = |columns: &[&str]| {
        let columns: Vec<String> = columns.iter().map(|it| (*it).to_owned()).collect();
        let options = FillOptions {
            columns: &columns,
            ..PLAIN
        };
        let filled = try_fill(Gradebook::Moodle, sheet, &class(System::Moodle), options);
        filled
            .map(|it| String::from_utf8(it.bytes).unwrap())
            .map_err(|it| it.to_string())
    };
    let found = "found `Αναγνωριστικό`, `Βαθμός`, `Grade?`";
    let hint = "name it with `--column`, in a worksheet with `--column grade=HEADING`";
    for (columns, expected) in [
        (
            &[][..],
            format!("no single column is `grade`; {found}; {hint}"),
        ),
        (
            &["grade=Βαθμός"],
            format!("no column says who is on each row; {found}"),
        ),
        (
            &["grade=Βαθμος"],
            format!("no single column is `Βαθμος`; {found}; {hint}"),
        ),
        (
            &["mark=x"],
            format!("no single column is `mark=x`; {found}; {hint}"),
        ),
    ] {
        assert_eq!(named(columns).unwrap_err(), expected);
    }
    let columns = ["grade=Βαθμός", "identifier=Αναγνωριστικό"];
    assert_eq!(named(&columns).unwrap(), sheet.replace("101,", "101,100"));
}

const GRADEBOOK: &str = "Student,ID,SIS User ID,SIS Login ID,Section,Homework (77),Queens (78),\"Queens, again (79)\",Queens (80),Current Score\r\n\
,,,,,,Manual Posting,,,\r\n\
    Points Possible,,,,,10.00,100.00,100.00,5,(read only)\r\n\
\"Lee, Ann\",101,,ann,\"A, B\",9.00,,EX,,91.00\r\n\
HYPERLINK X,102,,,A,,16.0,,,\r\n\
O'Neil,103,,,A,,7.50,,,\r\n\
Open,104,,,A,,,,,\r\n\
\"Call, Close\",105,,,A,,ex,,,\r\n\
\"Student, Test\",9999,,,A,,,,,\r\n";

#[test]
fn a_gradebook_of_canvas_gets_the_grades_of_one_assignment() {
    let columns = ["78".to_owned()];
    let options = FillOptions {
        columns: &columns,
        ..PLAIN
    };
    let (text, remarks) = filled(
        Gradebook::Canvas,
        GRADEBOOK,
        &class(System::Canvas),
        options,
    );
    // The first cell of a row keeps its blanks, and Canvas takes more points than are possible.
    assert_eq!(text, GRADEBOOK.replace("9.00,,EX", "9.00,110,EX"));
    assert_eq!(
        remarks,
        [
            "s03 (O'Neil): line 6 has 7.50, which stays; ours is 0 (`--overwrite` replaces it)",
            "s04 (Open\\r\\nRow): not scored yet",
            "s05 (Close Call): excused on line 8",
            "line 9 (Student, Test): not in this class",
        ]
    );
}

#[test]
fn a_column_is_found_by_its_number_its_heading_or_a_title_that_only_it_has() {
    let try_column = |asked: &str| {
        let columns = [asked.to_owned()];
        let options = FillOptions {
            columns: &columns,
            ..PLAIN
        };
        try_fill(Gradebook::Canvas, GRADEBOOK, &[], options)
            .map(drop)
            .map_err(|it| it.to_string())
    };
    assert_eq!(try_column("79"), Ok(()));
    assert_eq!(try_column("Queens, again"), Ok(()));
    let maximum = "the maximum grade is 5, but the assignment has 100 points and 10 bonus points; set the maximum to 100, or \
                   scale the points to 5 with `--scale`";
    for (asked, expected) in [
        ("Queens (80)", maximum),
        (
            "Queens",
            "no single column is `Queens`; found `Student`, `ID`, `SIS User ID`, `SIS Login ID`, `Section`, \
             `Homework (77)`, `Queens (78)`, `Queens, again (79)`, `Queens (80)`, `Current Score`; name it with `--column`, \
             in a worksheet with `--column grade=HEADING`",
        ),
        (
            "Section",
            "no single column is `Section`; found `Student`, `ID`, `SIS User ID`, `SIS Login ID`, `Section`, `Homework (77)`, \
             `Queens (78)`, `Queens, again (79)`, `Queens (80)`, `Current Score`; name it with `--column`, in a worksheet with \
             `--column grade=HEADING`",
        ),
    ] {
        assert_eq!(try_column(asked).unwrap_err(), expected);
    }
}

#[test]
fn a_grade_centre_of_blackboard_is_filled_by_username() {
    let text = "Last Name\tFirst Name\tUsername\tStudent ID\tQueens [Total Pts: 100 Score] |403340\tQuiz [Total Pts: 10 Percentage] |7\n\
                Lee\tAnn\t101\t2023001\tNeeds Grading\t\nCall\tClose\t105\t\t12.5\t\nDoe\tJane\tjdoe\t\t\t\n";
    let utf16: Vec<u8> = format!("\u{feff}{text}")
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let students = class(System::Login);
    let report = &mut |_: &StudentResult| String::new();
    let filled = fill(
        Gradebook::Blackboard,
        &utf16,
        &assignment(),
        &students,
        PLAIN,
        report,
    )
    .unwrap();
    assert_eq!(
        String::from_utf8(filled.bytes).unwrap(),
        text.replace("Needs Grading", "110")
    );
    assert_eq!(filled.remarks.len(), 5);
    let columns = ["7".to_owned()];
    let options = FillOptions {
        columns: &columns,
        ..PLAIN
    };
    assert_eq!(
        error(Gradebook::Blackboard, text, options),
        "the column `Quiz [Total Pts: 10 Percentage] |7` cannot take points: its maximum is `10 Percentage`"
    );
}

#[test]
fn grades_of_brightspace_are_filled_by_id_or_username() {
    let text = "OrgDefinedId,Username,Last Name,First Name,Queens Points Grade <Numeric MaxPoints:100 Weight:10>,End-of-Line Indicator\n\
                #s01,#ann,Lee,Ann,,#\n#9,#105,Call,Close,,#\n";
    let (filled, remarks) = filled(Gradebook::Brightspace, text, &class(System::Login), PLAIN);
    assert_eq!(
        filled,
        text.replace("Ann,,", "Ann,110,")
            .replace("Close,,", "Close,51.5,")
    );
    assert_eq!(
        remarks,
        [
            "s02 (=HYPERLINK(\"x\")): has no row",
            "s03 (O'Neil): has no row",
            "s04 (Open\\r\\nRow): has no row"
        ]
    );
}

#[test]
fn another_maximum_is_refused_or_scaled_to() {
    let sheet = "Identifier,Full name,Grade,Maximum grade\nParticipant 101,Ann Lee,,20\n,sum,,sum\nParticipant 105,Close Call,,20\n";
    let maximum = "the maximum grade is 20, but the assignment has 100 points and 10 bonus points; set the maximum to 100, or \
                   scale the points to 20 with `--scale`";
    assert_eq!(error(Gradebook::Moodle, sheet, PLAIN), maximum);
    let scale = FillOptions {
        scale: true,
        ..PLAIN
    };
    let (text, remarks) = filled(Gradebook::Moodle, sheet, &class(System::Moodle), scale);
    assert_eq!(
        text,
        sheet
            .replace("Ann Lee,,", "Ann Lee,20,")
            .replace("Call,,", "Call,10.3,")
    );
    assert!(remarks.contains(&"s01 (Ann Lee): earned 22, entered as 20, the maximum".to_owned()));
    let leave = FillOptions {
        leave_bonus: true,
        ..scale
    };
    let (_, remarks) = filled(Gradebook::Moodle, sheet, &class(System::Moodle), leave);
    assert!(
        !remarks.iter().any(|remark| remark.contains("earned")),
        "{remarks:?}"
    );
    assert_eq!(
        error(
            Gradebook::Moodle,
            "Identifier,Grade,Maximum grade\nParticipant 1,,Scale\n",
            PLAIN
        ),
        "the column `Maximum grade` cannot take points: its maximum is `Scale`"
    );
}

#[test]
fn a_row_is_a_students_only_if_nobody_else_can_be_meant() {
    // A number with another name is a team's, and a name does not make up for a number that is in no row.
    let sheet = "Identifier,Full name,Email address,Grade,Maximum grade\n\
        Participant 101,\"LEE, Ann B.\",,,100\nParticipant 105,Team 7,,,100\nParticipant 555,Close Call,,,100\n";
    let students = class(System::Moodle);
    let two = [students[0].clone(), students[4].clone()];
    let (text, remarks) = filled(Gradebook::Moodle, sheet, &two, PLAIN);
    assert_eq!(text, sheet.replace("Ann B.\",,,", "Ann B.\",,100,"));
    assert!(
        remarks.contains(
            &"s05 (Close Call): has no row; line 3 has the same id `105`, but the name is `Team 7`: if they are one person, write \
              `Close Call` there and fill the gradebook again"
                .to_owned()
        ),
        "{remarks:?}"
    );
    // Without numbers: e-mail, then the name in any order, if it is of one row and one student.
    let sheet =
        "Full name,Email address,Grade\nlee ann,,\nClose Call,,\nclose call,,\n,S03@EXAMPLE.EDU,\n";
    let mut students = class(System::Gradescope);
    let mut twin = students[2].clone();
    twin.id = StudentId::new("twin");
    students.push(twin);
    let (text, remarks) = filled(Gradebook::Moodle, sheet, &students, PLAIN);
    assert_eq!(text, sheet.replace("ann,,", "ann,,100"));
    for remark in [
        "s03 (O'Neil): could be on line 5, but not for certain",
        "twin (O'Neil): could be on line 5, but not for certain",
        "s05 (Close Call): could be on line 3, 4, but not for certain",
    ] {
        assert!(
            remarks.contains(&remark.to_owned()),
            "{remark}: {remarks:?}"
        );
    }
}

#[test]
fn a_table_of_ones_own_has_our_ids_below_id() {
    for system in [System::Moodle, System::Gradescope] {
        let sheet = "id,grade\ns01,\ns05,\n";
        let students = class(system);
        let two = [students[0].clone(), students[4].clone()];
        let (text, _) = filled(Gradebook::Moodle, sheet, &two, PLAIN);
        assert_eq!(text, "id,grade\ns01,100\ns05,51.5\n");
    }
}

/// The remarks on students without a row, and on rows without a student.
fn unmatched(gradebook: Gradebook, sheet: &str, students: &[StudentResult]) -> Vec<String> {
    let (text, remarks) = filled(gradebook, sheet, students, PLAIN);
    assert_eq!(text, sheet, "nothing is guessed");
    let says_who = |it: &String| it.contains("row") || it.contains("line");
    remarks.into_iter().filter(says_who).collect()
}

#[test]
fn a_row_with_a_students_id_and_another_name_says_so() {
    let canvas = |rows: &str| {
        format!(
            "Student,ID,SIS User ID,SIS Login ID,Section,Queens (7)\n    Points Possible,,,,,100\n{rows}"
        )
    };
    let alice = |ids: &[(System, &str)]| [student("s01", "Alice Adams", ids, Some(9000), 0)];
    let other = "but the name is `Brown, Ali`: if they are one person, write `Alice Adams` there and fill the gradebook again";
    // By the student id, the number of the system, or the login.
    for (row, ids, key) in [
        ("\"Brown, Ali\",,s01,,A,\n", &[][..], "s01"),
        (
            "\"Brown, Ali\",77,x9,,A,\n",
            &[(System::Canvas, "77")],
            "77",
        ),
        ("\"Brown, Ali\",,,al,A,\n", &[(System::Login, "al")], "al"),
    ] {
        assert_eq!(
            unmatched(Gradebook::Canvas, &canvas(row), &alice(ids)),
            [format!(
                "s01 (Alice Adams): has no row; line 3 has the same id `{key}`, {other}"
            )]
        );
    }
    // A row that is somebody else's for certain is none of hers; nor does an id count beside another number of the system.
    let brown = student("s02", "Ali Brown", &[(System::Canvas, "77")], Some(9000), 0);
    let [alice_77] = alice(&[(System::Canvas, "78")]);
    let rows = canvas("\"Brown, Ali\",77,s01,,A,\n");
    let (_, remarks) = filled(Gradebook::Canvas, &rows, &[alice_77.clone(), brown], PLAIN);
    assert_eq!(remarks, ["s01 (Alice Adams): has no row"]);
    assert_eq!(
        unmatched(Gradebook::Canvas, &rows, &[alice_77]),
        [
            "s01 (Alice Adams): has no row",
            "line 3 (Brown, Ali): not in this class"
        ]
    );
}

#[test]
fn an_id_that_lost_its_zeros_says_so() {
    let sheet = "Last Name,First Name,Username,Student ID,Queens [Total Pts: 100 Score] |1\n,,,12,\nB,Al,,7,\n";
    let mut students = [
        student("0012", "Alice Adams", &[], Some(9000), 0),
        student("007", "Bo Li", &[], Some(9000), 0),
    ];
    for student in &mut students {
        student.person.as_mut().unwrap().email = None;
    }
    assert_eq!(
        unmatched(Gradebook::Blackboard, sheet, &students),
        [
            "0012 (Alice Adams): has no row; line 2 has the id `12`: if zeros in front were lost, write `0012` there and fill the \
             gradebook again",
            // Another name, too: that is somebody else.
            "007 (Bo Li): has no row",
            "line 3 (B): not in this class",
        ]
    );
}

#[test]
fn feedback_lies_in_the_folders_that_moodle_knows() {
    let mut students = class(System::Moodle);
    students.push(students[4].clone());
    students[2].person = None;
    let of = ClassId {
        assignment: AssignmentId::new("week-1"),
        section: SectionId::new("class-1"),
    };
    let write = || {
        let mut zip = Vec::new();
        let page = |student: &StudentResult| Ok(format!("<h1>{}</h1>", student.id));
        let remarks = write_moodle_feedback(&of, &students, &page, &mut zip).unwrap();
        (zip, remarks)
    };
    let (bytes, remarks) = write();
    assert_eq!(write().0, bytes);
    let remarks: Vec<&str> = remarks.iter().map(|remark| remark.en.as_str()).collect();
    let shared = "s05 (Close Call): several students have the Moodle participant ID 105";
    assert_eq!(
        remarks,
        ["s03: has no Moodle participant ID", shared, shared]
    );
    let mut zip = zip::ZipArchive::new(std::io::Cursor::new(bytes)).unwrap();
    let mut pages = Vec::new();
    for index in 0..zip.len() {
        let mut file = zip.by_index(index).unwrap();
        let mut page = String::new();
        std::io::Read::read_to_string(&mut file, &mut page).unwrap();
        pages.push(format!("{}: {page}", file.name().unwrap()));
    }
    assert_eq!(
        pages,
        [
            "Ann Lee_101_assignsubmission_file_/feedback.html: <h1>s01</h1>",
            "HYPERLINK x_102_assignsubmission_file_/feedback.html: <h1>s02</h1>",
            "Open Row_104_assignsubmission_file_/feedback.html: <h1>s04</h1>",
        ]
    );
}

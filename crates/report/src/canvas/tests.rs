use grader_model::StudentId;

use super::*;
use crate::fill::tests::{class, said};

const GRADEBOOK: &str = "Student,ID,SIS User ID,SIS Login ID,Section,Homework (77),Queens (78),\"Queens, again (79)\",Queens (80),Current Score\r\n\
,,,,,,Manual Posting,,,\r\n\
\"    Points Possible\",,,,,10.00,100.00,100.00,5,(read only)\r\n\
\"Lee, Ann\",9001,,ann,\"A, B\",9.00,,EX,,91.00\r\n\
\"Hyperlink\",9002,,,A,,16.0,,,\n\
O'Neil,9003,,,A,,7.50,,,\r\n\
Open,9004,,,A,,,,,\r\n\
李雷,777,,,A,,ex,,,\r\n\
\"Student, Test\",9999,,,A,,,,,\r\n";

fn fill(column: &str) -> Result<Filled, FillError> {
    let options = CanvasOptions::default();
    fill_canvas_gradebook(GRADEBOOK.as_bytes(), column, &class(), options)
}

#[test]
fn only_the_grades_of_one_assignment_change() {
    let filled = fill("78").unwrap();
    let expected = GRADEBOOK
        .replace("9.00,,EX", "9.00,110,EX")
        .replace("7.50", "0");
    assert_eq!(String::from_utf8(filled.bytes).unwrap(), expected);
    assert_eq!(filled.written, 3);
    assert_eq!(
        said(&filled.remarks),
        [
            "s03: was 7.5, is 0 now",
            "s10: not graded",
            "李雷: excused on line 8",
            "s11: has no row",
            "line 9 (Student, Test, 9999): no student of ours",
        ]
    );
}

#[test]
fn a_column_is_found_by_its_number_its_head_or_a_title_that_only_it_has() {
    let column = |asked| {
        let heads = Sheet::read(GRADEBOOK.as_bytes(), |_| false)
            .unwrap()
            .heads();
        assignment_column(&heads, asked).map_err(|error| error.to_string())
    };
    assert_eq!(column("79"), Ok(7));
    assert_eq!(column("Queens (80)"), Ok(8));
    assert_eq!(column("Queens, again"), Ok(7));
    assert_eq!(
        column("Queens").unwrap_err(),
        "several columns could be `Queens`: `Queens (78)`, `Queens (80)`"
    );
    assert_eq!(
        column("Quens").unwrap_err(),
        "there is no column `Quens`; found `Homework (77)`, `Queens (78)`, `Queens, again (79)`, `Queens (80)`, `Current Score`"
    );
    // Not even by its whole head is a column of students an assignment.
    assert!(column("Section").is_err());
}

#[test]
fn a_column_that_cannot_take_our_points_is_refused() {
    assert_eq!(
        fill("Current Score").unwrap_err().to_string(),
        "the column `Current Score` is read-only"
    );
    assert_eq!(
        fill("80").unwrap_err().to_string(),
        "line 3: the maximum grade is 5, but the assignment has 100 points and 10 bonus points; set the maximum to 100, or scale the points to 5 with `--scale`"
    );
    let without = GRADEBOOK.replace("Points Possible", "");
    let options = CanvasOptions::default();
    let error = fill_canvas_gradebook(without.as_bytes(), "78", &class(), options).unwrap_err();
    assert_eq!(error, FillError::NoPointsPossible);
}

#[test]
fn an_excused_student_stays_excused_and_a_comma_stays_a_comma() {
    let german = "Student;ID;SIS Login ID;Section;Queens (78)\n    Points Possible;;;;5,00\n\"Lee, Ann\";9001;;A;EX\nClose Call;9005;;A;\n";
    let options = CanvasOptions {
        bonus: Bonus::Leave,
        scale: true,
    };
    let filled = fill_canvas_gradebook(german.as_bytes(), "78", &class(), options).unwrap();
    let expected = german.replace("9005;;A;", "9005;;A;2,55");
    assert_eq!(String::from_utf8(filled.bytes).unwrap(), expected);
    assert_eq!(
        filled.remarks[0],
        FillRemark::Excused {
            student: StudentId::new("s01"),
            line: 3
        }
    );
}

#[test]
fn without_a_number_a_student_is_found_by_the_other_names_of_canvas() {
    let mut results = class();
    results.students.truncate(4);
    for (student, (system, name)) in results
        .students
        .iter_mut()
        .zip([(System::Sis, "2023001"), (System::Login, "li")])
    {
        let person = student.person.as_mut().unwrap();
        person.ids = [(system, name.to_owned())].into();
    }
    // The third by the address of electronic mail, the fourth by the name.
    for student in &mut results.students[2..] {
        student.person.as_mut().unwrap().ids.clear();
    }
    let open = &mut results.students[3];
    open.problems[0].points = Some(Points::whole(1));
    open.person.as_mut().unwrap().name = Some("Open Row".to_owned());
    let gradebook = "Student,ID,SIS User ID,SIS Login ID,Section,Q (1)\nPoints Possible,,,,,100\n\
        Ann,1,2023001,x,S,\nHyperlink,2,,li,S,\nO'Neil,3,,bo;=1@example.edu,S,\n\"Row, Open\",4,,,S,\n";
    let options = CanvasOptions::default();
    let filled = fill_canvas_gradebook(gradebook.as_bytes(), "1", &results, options).unwrap();
    let expected = gradebook
        .replace("x,S,", "x,S,110")
        .replace("li,S,", "li,S,16")
        .replace("edu,S,", "edu,S,0")
        .replace("4,,,S,", "4,,,S,1");
    assert_eq!(String::from_utf8(filled.bytes).unwrap(), expected);
    assert_eq!(filled.remarks, []);
}

#[test]
fn a_number_in_a_row_of_another_name_is_not_believed() {
    let rows = [
        "Student,ID,Section,Q (1)\nPoints Possible,,,100\n\"Gray, Bo\",9001,S,\n\"Call, Close\",9005,S,\n",
        "LastName,FirstName,ID,Section,Q (1)\nPoints Possible,,,,100\nGray,Bo,9001,S,\nCall,Close,9005,S,\n",
    ];
    let mut results = class();
    // As a download calls her.
    results.students[4].person.as_mut().unwrap().name = Some("callclose".to_owned());
    for gradebook in rows {
        let options = CanvasOptions::default();
        let filled = fill_canvas_gradebook(gradebook.as_bytes(), "1", &results, options).unwrap();
        let expected = gradebook.replace("9005,S,", "9005,S,51");
        assert_eq!(String::from_utf8(filled.bytes).unwrap(), expected);
        assert_eq!(
            said(&filled.remarks)[0],
            "s01: the number is that of line 3, but the name there is `Gray, Bo`, not `Ann Lee`"
        );
    }
}

#[test]
fn names_in_two_columns_are_put_together() {
    let gradebook = "LastName,FirstName,ID,Section,Q (1)\nPoints Possible,,,,100\nLee,Ann,1,S,\nCall,Close,9005,S,\n";
    let mut results = class();
    let person = results.students[0].person.as_mut().unwrap();
    person.ids.clear();
    let options = CanvasOptions::default();
    let filled = fill_canvas_gradebook(gradebook.as_bytes(), "1", &results, options).unwrap();
    let expected = gradebook
        .replace("1,S,", "1,S,110")
        .replace("5,S,", "5,S,51");
    assert_eq!(String::from_utf8(filled.bytes).unwrap(), expected);
}

use proptest::prelude::*;

use super::*;
use crate::sample::class;

fn written(options: CsvOptions) -> String {
    let mut bytes = Vec::new();
    write_csv(&class(), Audience::Staff, &options, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn a_gradebook_has_a_row_for_each_student_and_leaves_open_points_empty() {
    let lines = [
        "\u{feff}id,name,email,count,board,polynomial,annealing,first-three,points,bonus,total,graded,flags,notes",
        "s01,Ann Lee,ann@example.edu,35,15,20,30,10,100,10,110,yes,1,",
        "s02,\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\",'+1@example.edu,16,0,0,0,0,16,0,16,yes,0,late by 2 h; '@the second attempt",
        "s03,../O'Neil_<b>|`a` @all,bo;'=1@example.edu,0,0,0,0,0,0,0,0,yes,0,",
        "s10,Open\\r\\nRow,open@example.edu,,0,0,0,0,,0,,no,0,",
        "s11,Close Call,close@example.edu,19.75,0,14,17.25,0,51,0,51,yes,0,`s12` fits too",
        "李雷,,,0,0,0,0,0,0,0,0,yes,0,",
        "",
    ];
    let text = written(CsvOptions::default());
    assert_eq!(text, lines.join("\r\n"));
}

#[test]
fn a_student_reads_nothing_of_flags_and_notes_in_their_language() {
    let options = CsvOptions {
        lang: Lang::Zh,
        bom: false,
    };
    let mut results = class();
    results.students = vec![results.students.swap_remove(1)];
    results.students[0].remarks = vec![grader_model::Text::plain("`s12` fits too")];
    let mut bytes = Vec::new();
    write_csv(&results, Audience::Student, &options, &mut bytes).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    let lines: Vec<&str> = text.split("\r\n").collect();
    assert_eq!(
        lines[0],
        "id,name,email,count,board,polynomial,annealing,first-three,points,bonus,total,graded,notes"
    );
    assert_eq!(
        lines[1],
        "s02,\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\",'+1@example.edu,16,0,0,0,0,16,0,16,yes,迟交 2 小时; '@第二次"
    );
    assert_eq!(lines[2..], [""]);
}

#[test]
fn a_problem_with_the_name_of_another_column_says_that_it_is_a_problem() {
    let mut results = class();
    results.students.clear();
    results.assignment.problems[1].id = grader_model::ProblemId::new("points");
    let mut bytes = Vec::new();
    let options = CsvOptions {
        bom: false,
        ..CsvOptions::default()
    };
    write_csv(&results, Audience::Staff, &options, &mut bytes).unwrap();
    assert_eq!(
        String::from_utf8(bytes).unwrap(),
        "id,name,email,count,points (problem),polynomial,annealing,first-three,points,bonus,total,graded,flags,notes\r\n"
    );
}

#[test]
fn no_cell_from_outside_is_a_formula() {
    let guarded_cells = [
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("＝1", "'＝1"),
        ("＋1", "'＋1"),
        ("－1", "'－1"),
        ("＠a", "'＠a"),
        ("\t=1", "\\t=1"),
        ("\r=1", "\\r=1"),
        ("\n=1", "\\n=1"),
        ("  =1", "  '=1"),
        ("\u{3000}=1", "\u{3000}'=1"),
        ("\u{200b}=1", "\\u{200b}=1"),
        ("a;=1", "a;'=1"),
        ("a, \"-1\"", "a, \"'-1\""),
        ("Anne-Marie", "Anne-Marie"),
        ("ann+x@example.edu", "ann+x@example.edu"),
    ];
    for (text, cell) in guarded_cells {
        assert_eq!(guarded(text), cell);
    }
}

proptest! {
    #[test]
    fn whatever_a_name_is_no_program_finds_a_formula_in_any_cell(
        name in "[=+@＝a\",;\t\r\n \\PC-]{0,12}", id in "[=+a\",; -]{1,6}",
    ) {
        let mut results = class();
        results.students.truncate(2);
        results.students[0].person.as_mut().unwrap().name = Some(name.clone());
        results.students[0].id = grader_model::StudentId::new(id);
        let mut bytes = Vec::new();
        write_csv(&results, Audience::Staff, &CsvOptions::default(), &mut bytes).unwrap();
        // As programs cut it whose list separator is another.
        for delimiter in [b',', b';'] {
            let cells = ::csv::ReaderBuilder::new()
                .has_headers(false)
                .flexible(true)
                .delimiter(delimiter)
                .from_reader(bytes.as_slice())
                .records()
                .flat_map(|row| row.unwrap().iter().map(str::to_owned).collect::<Vec<_>>())
                .collect::<Vec<_>>();
            for cell in &cells {
                let first = cell.trim().trim_start_matches('"').trim_start();
                prop_assert!(!first.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']), "{}", cell);
            }
            if delimiter == b',' {
                prop_assert_eq!(cells.len(), 14 * 3);
                prop_assert_eq!(cells[15].replace('\'', ""), safe(&name).replace('\'', ""));
            }
        }
    }
}

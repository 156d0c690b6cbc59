use grader_model::Results;
use grader_view::Visible;
use proptest::prelude::*;

use super::*;
use crate::sample::class;
use crate::snapshots::written;

fn csv(results: &Results, audience: Audience, lang: Lang) -> String {
    let visible = Visible::of(results, audience).unwrap();
    String::from_utf8(written(|out| write_csv(&visible.view(), lang, out))).unwrap()
}

#[test]
fn a_gradebook_has_a_row_for_each_student_and_leaves_unknown_points_empty() {
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
    let text = csv(&class(), Audience::Staff, Lang::En);
    assert_eq!(text, lines.join("\r\n"));
}

#[test]
fn a_student_reads_no_flags_and_no_remarks() {
    let mut results = class();
    results.students = vec![results.students.swap_remove(1)];
    results.students[0].remarks = vec![grader_model::Text::plain("`s12` fits too")];
    results.assignment.problems[1].id = grader_model::ProblemId::new("points");
    results.students[0].problems[1].id = grader_model::ProblemId::new("points");
    assert_eq!(
        csv(&results, Audience::Student, Lang::Zh),
        "\u{feff}id,name,email,count,points (problem),polynomial,annealing,first-three,points,bonus,total,graded,notes\r\n\
         s02,\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\",'+1@example.edu,16,0,0,0,0,16,0,16,yes,迟交 2 小时; '@第二次\r\n"
    );
}

#[test]
fn no_cell_from_outside_is_a_formula() {
    for (text, cell) in [
        ("=1+1", "'=1+1"),
        ("＠a", "'＠a"),
        ("\t=1", "\\t=1"),
        ("  =1", "  '=1"),
        ("\u{3000}=1", "\u{3000}'=1"),
        ("\u{200b}=1", "\\u{200b}=1"),
        ("a;=1", "a;'=1"),
        ("a, \"-1\"", "a, \"'-1\""),
        ("Anne-Marie", "Anne-Marie"),
        ("ann+x@example.edu", "ann+x@example.edu"),
    ] {
        assert_eq!(guarded(text), cell);
    }
}

proptest! {
    #[test]
    fn no_name_makes_a_formula_of_any_cell(
        name in "[=+@＝a\",;\t\r\n \\PC-]{0,12}", id in "[=+a\",; -]{1,6}",
    ) {
        let mut results = class();
        results.students.truncate(2);
        results.students[0].person.as_mut().unwrap().name = Some(name.clone());
        results.students[0].id = grader_model::StudentId::new(id);
        let text = csv(&results, Audience::Staff, Lang::En);
        // As programs with another list separator cut it.
        for delimiter in [b',', b';'] {
            let mut reader = ::csv::ReaderBuilder::new()
                .has_headers(false)
                .flexible(true)
                .delimiter(delimiter)
                .from_reader(text.as_bytes());
            for row in reader.records() {
                for cell in &row.unwrap() {
                    let first = cell.trim().trim_start_matches('"').trim_start();
                    prop_assert!(!first.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']), "{}", cell);
                }
            }
        }
    }
}

use std::io::Read as _;

use zip::ZipArchive;

use super::*;
use crate::fill::tests::{class, said};

fn written() -> (Vec<u8>, Vec<FillRemark>) {
    let mut results = class();
    let twin = results.students[4].clone();
    results.students.push(twin);
    let mut bytes = Vec::new();
    let style = Style::default();
    let remarks = write_moodle_feedback(&results, &style, &mut bytes).unwrap();
    (bytes, remarks)
}

#[test]
fn each_student_gets_the_own_report_in_the_folder_that_moodle_knows() {
    let (bytes, remarks) = written();
    assert_eq!(
        said(&remarks),
        [
            "s11: the number 105 is of several students",
            "李雷: has no number in that system",
            "s11: the number 105 is of several students",
        ]
    );
    let mut zip = ZipArchive::new(Cursor::new(bytes)).unwrap();
    let results = class();
    let mut reports = OwnReports::new(&results, &Style::default());
    let expected = [
        ("Ann Lee_101_assignsubmission_file_", 0),
        ("HYPERLINK http x , y_102_assignsubmission_file_", 1),
        ("O'Neil b a all_103_assignsubmission_file_", 2),
        ("Open Row_104_assignsubmission_file_", 3),
    ];
    assert_eq!(zip.len(), expected.len());
    for (index, (folder, student)) in expected.into_iter().enumerate() {
        let mut file = zip.by_index(index).unwrap();
        assert_eq!(file.name().unwrap(), format!("{folder}/feedback.html"));
        assert_eq!(file.last_modified(), Some(DateTime::default()));
        let mut text = String::new();
        file.read_to_string(&mut text).unwrap();
        let student = &results.students[student];
        let report = reports.of(student);
        assert_eq!(text, page(&report, student, &Style::default()));
        assert!(!text.contains("14200"));
    }
}

#[test]
fn the_same_results_give_the_same_bytes() {
    assert_eq!(written(), written());
}

#[test]
fn a_page_shows_the_report_as_it_is_and_nothing_in_it_is_html() {
    let results = class();
    let mut student = results.students[0].clone();
    student.id = grader_model::StudentId::new("</title><script>");
    let page = page(
        "a < b & \"c\"\n</pre>$$ {x} [[y]] @@z@@ \\(\n",
        &student,
        &Style::default(),
    );
    assert_eq!(
        page,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>&lt;/title&gt;&lt;script&gt;</title>\n</head>\n<body>\n\
         <pre>a &lt; b &amp; &quot;c&quot;\n&lt;/pre&gt;&#36;&#36; &#123;x&#125; &#91;&#91;y&#93;&#93; &#64;&#64;z&#64;&#64; &#92;(</pre>\n</body>\n</html>\n"
    );
}

#[test]
fn our_part_of_a_comment_is_replaced_and_the_teachers_stays() {
    let style = Style::default();
    let (first, second) = (
        preformatted("1 < 2\n3", 999, &style).0,
        preformatted("4", 999, &style).0,
    );
    assert_eq!(first, "<pre class=\"bitcraft\">1 &lt; 2\n3</pre>");
    let once = merged("Dear Ann <pre>x</pre>", &first);
    assert_eq!(once, format!("Dear Ann <pre>x</pre>{first}"));
    let spoken = format!("{once} bye");
    assert_eq!(
        merged(&spoken, &second),
        format!("Dear Ann <pre>x</pre>{second} bye")
    );
}

#[test]
fn a_report_is_cut_between_lines() {
    let text = "0123456789\n".repeat(100);
    let (html, cut) = preformatted(&text, 200, &Style::default());
    assert!(cut && html.len() <= 200);
    assert_eq!(
        html,
        format!(
            "<pre class=\"bitcraft\">{}\n… 91 more lines are left out</pre>",
            ["0123456789"; 9].join("\n")
        )
    );
}

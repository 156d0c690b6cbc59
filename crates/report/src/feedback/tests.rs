use std::io::Read as _;

use grader_model::StudentId;
use zip::ZipArchive;

use super::*;
use crate::students::tests::class;

#[test]
fn each_student_gets_a_page_in_the_folder_that_moodle_knows() {
    let mut results = class();
    results.students[0].id = StudentId::new("</title><script>");
    results.students.push(results.students[4].clone());
    let style = Style::default();
    let mut bytes = Vec::new();
    let remarks = write_moodle_feedback(&results, &style, &mut bytes).unwrap();
    let shared = || FillRemark::SharedNumber {
        student: StudentId::new("s11"),
        number: "105".to_owned(),
    };
    let student = StudentId::new("李雷");
    assert_eq!(
        remarks,
        [FillRemark::NoNumber { student }, shared(), shared()]
    );
    let mut zip = ZipArchive::new(Cursor::new(bytes.as_slice())).unwrap();
    let folders = [
        "Ann Lee_101_assignsubmission_file_",
        "HYPERLINK http x , y_102_assignsubmission_file_",
        "O'Neil b a all_103_assignsubmission_file_",
        "Open Row_104_assignsubmission_file_",
    ];
    assert_eq!(zip.len(), folders.len());
    for (index, (folder, student)) in folders.iter().zip(&results.students).enumerate() {
        let mut file = zip.by_index(index).unwrap();
        assert_eq!(file.name().unwrap(), format!("{folder}/feedback.html"));
        let mut text = String::new();
        file.read_to_string(&mut text).unwrap();
        let report = student_report(&results, student, &style);
        assert!(text.contains(&escape_html(report.trim_end())));
        assert!(
            !text.contains("<script>") && !text.contains("14200"),
            "{text}"
        );
    }
    let mut again = Vec::new();
    write_moodle_feedback(&results, &style, &mut again).unwrap();
    assert!(again == bytes);
}

#[test]
fn our_part_of_a_comment_is_replaced_and_the_teachers_stays() {
    let style = Style::default();
    let ours = |text| preformatted(text, 999, &style).0;
    let first = ours("1 < 2 \"$$\"\n3");
    assert_eq!(
        first,
        "<pre class=\"bitcraft\">1 &#60; 2 &#34;&#36;&#36;&#34;\n3</pre>"
    );
    let once = merged("Dear Ann <pre>x</pre>", &first);
    assert_eq!(once, format!("Dear Ann <pre>x</pre>{first}"));
    let second = ours("4");
    assert_eq!(
        merged(&format!("{once} bye"), &second),
        format!("Dear Ann <pre>x</pre>{second} bye")
    );
}

#[test]
fn a_comment_is_cut_between_lines() {
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

use grader_model::Results;
use grader_view::{Own, Visible};
use proptest::prelude::*;

use super::*;
use crate::sample::class;
use crate::snapshots::assert_kept;

fn staff(results: &Results) -> String {
    capped(results, usize::MAX)
}

fn capped(results: &Results, max_bytes: usize) -> String {
    markdown(&Visible::Staff(results).view(), Lang::En, max_bytes)
}

#[test]
fn a_class_is_a_table_with_folded_explanations() {
    let mut results = class();
    results.students.drain(4..);
    results.students.remove(0);
    results.interrupted = true;
    assert_kept("markdown.staff.md", staff(&results).as_bytes());
}

#[test]
fn a_student_reads_one_row_without_what_is_hidden_or_names_others() {
    let mut results = class();
    results.students = vec![results.students.swap_remove(4)];
    assert!(staff(&results).contains("`s12` fits too"));
    let own = Own::of(&results, &results.students[0]);
    let own = markdown(&own.view(), Lang::Zh, usize::MAX);
    assert!(!own.contains("s12"), "{own}");
    assert_kept("markdown.student.zh.md", own.as_bytes());
}

#[test]
fn a_fence_is_longer_than_any_in_what_a_program_printed() {
    let mut results = class();
    results.students = vec![results.students.swap_remove(2)];
    results.students[0].id = grader_model::StudentId::new("```");
    let text = staff(&results);
    let fences: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("```"))
        .collect();
    assert_eq!((fences[0], *fences.last().unwrap()), ("````text", "````"));
}

#[test]
fn a_page_is_cut_between_rows_and_explanations_and_says_how_many_are_left_out() {
    let results = class();
    let whole = staff(&results);
    assert_eq!(capped(&results, whole.len() + NOTE_BYTES), whole);
    for size in [700, 1100, 4000, whole.len() - 1] {
        let text = capped(&results, size);
        assert!(text.len() <= size, "{size}");
        let opened = text.matches("<details>").count();
        assert_eq!(opened, text.matches("</details>").count());
        let rows = text.matches("\n| ").count() - 2;
        let left_out = 2 * results.students.len() - rows - opened;
        let note = format!("{left_out} rows and explanations._\n");
        assert!(text.ends_with(&note), "{text}");
    }
}

proptest! {
    #[test]
    fn no_name_has_punctuation_that_markdown_or_html_reads(text in "[`|\\\\<a@#&\n \\PC]{0,12}") {
        let plain = markdown_text(&text).replace("<!-- -->", "");
        let mut parts = plain.split('&');
        let first = parts.next().unwrap().to_owned();
        let outside = parts.map(|part| part.split_once(';').unwrap().1);
        let outside = first + &outside.collect::<String>();
        let is_plain = |c: char| !c.is_ascii_punctuation() || "-(),".contains(c);
        prop_assert!(outside.chars().all(is_plain), "{}", plain);
    }
}

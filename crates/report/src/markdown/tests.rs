use grader_model::StudentId;
use proptest::prelude::*;

use super::*;
use crate::fill::tests::class;

fn written(results: &Results, audience: Audience, options: &MarkdownOptions) -> String {
    let mut bytes = Vec::new();
    write_markdown(results, audience, options, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn staff(results: &Results) -> String {
    written(results, Audience::Staff, &MarkdownOptions::default())
}

fn explained(results: &Results, student: usize) -> String {
    let style = Style {
        width: 100,
        ..Style::default()
    };
    terminal::student(&results.students[student], &results.assignment, &style)
}

#[test]
fn what_may_name_other_students_is_for_staff_only() {
    let mut results = class();
    results.students = vec![results.students.swap_remove(4)];
    let item = "\n\n- \\`s12\\` fits too\n\n| problem";
    assert!(staff(&results).contains(item), "{}", staff(&results));
    let own = written(&results, Audience::Student, &MarkdownOptions::default());
    assert!(!own.contains("s12"), "{own}");
}

#[test]
fn a_class_is_a_table_and_a_section_for_each_student() {
    let mut results = class();
    results.students.drain(4..);
    results.students.drain(..1);
    results.interrupted = true;
    let mut expected = "## Bit craft and simulated annealing (n\\-queens)

3 students · 100 points and 10 bonus points

> **interrupted before the end: the results are incomplete**

| student | `count`<br>of 35 | `board`<br>of 15 | `polynomial`<br>of 20 | `annealing`<br>of 30 | `first-three`<br>+10 | total<br>of 100 | bonus<br>+10 |
| :-- | --: | --: | --: | --: | --: | --: | --: |
| `s02` `=HYPERLINK(\"http://x\",\"y\")` | 16 PC | 0 WA | 0 SK | 0 SK | 0 PE | 16 | 0 |
| `s03` ``../O'Neil_<b>｜`a` @all`` | 0 CE | 0 SK | 0 RE | 0 SK | 0 SK | 0 | 0 |
| `s10` `Open\\r\\nRow` | ? JE | 0 SK | 0 SK | 0 SK | 0 SK | ? | 0 |

### `s02` `=HYPERLINK(\"http://x\",\"y\")`

16 of 100 points, 0 of 10 bonus points

- late by 2 h
- \\@<!-- -->the second attempt

| problem | points | verdict |
| :-- | --: | :-- |
| `count` | 16 of 35 | PC partially correct |
| `board` | 0 of 15 | WA wrong answer |
| `polynomial` | 0 of 20 | SK skipped |
| `annealing` | 0 of 30 | SK skipped |
| `first-three` | 0 of 10 | PE presentation error |
"
    .to_owned();
    let details = |student| {
        format!(
            "\n<details><summary>explanation</summary>\n\n```text\n{}\n```\n\n</details>\n\n",
            explained(&results, student).trim_end()
        )
    };
    expected.push_str(&details(0));
    expected.push_str(
        "### `s03` ``../O'Neil_<b>｜`a` @all``

0 of 100 points, 0 of 10 bonus points

| problem | points | verdict |
| :-- | --: | :-- |
| `count` | 0 of 35 | CE compile error |
| `board` | 0 of 15 | SK skipped |
| `polynomial` | 0 of 20 | RE runtime error |
| `annealing` | 0 of 30 | SK skipped |
| `first-three` | 0 of 10 | SK skipped |
",
    );
    expected.push_str(&details(1));
    expected.push_str(
        "### `s10` `Open\\r\\nRow`

not graded, of 100 points, 0 of 10 bonus points

| problem | points | verdict |
| :-- | --: | :-- |
| `count` | ? of 35 | JE judge error |
| `board` | 0 of 15 | SK skipped |
| `polynomial` | 0 of 20 | SK skipped |
| `annealing` | 0 of 30 | SK skipped |
| `first-three` | 0 of 10 | SK skipped |
",
    );
    expected.push_str(&details(2));
    assert_eq!(staff(&results), expected);
}

#[test]
fn a_student_reads_one_section_without_what_is_hidden() {
    let mut results = class();
    results.students = vec![results.students[1].clone()];
    let options = MarkdownOptions {
        lang: Lang::Zh,
        most: None,
    };
    let text = written(&results, Audience::Student, &options);
    assert!(text.starts_with(
        "## 比特匠心与模拟退火 (n\\-queens)\n\n1 名学生 · 100 分，附加 10 分\n\n### `s02`"
    ));
    assert!(text.contains("| 题目 | 得分 | 结果 |"));
    assert!(!text.contains("14200") && !text.contains("| 学生 |"));
}

#[test]
fn nothing_from_outside_is_markdown_html_or_a_mention() {
    assert_eq!(code("a``b`"), "``` a``b` ```");
    assert_eq!(code("  "), "` `");
    assert_eq!(code("x|y\n<b>"), "`x｜y\\n<b>`");
    assert_eq!(
        plain("@all #1 [a](http://x) <b>&amp; *x* `y` www.z.de | 皇后"),
        "\\@<!-- -->all \\#<!-- -->1 \\[a\\]\\(http\\:\\/\\/x\\) &lt;b&gt;&amp;amp\\; \\*x\\* \\`y\\` www\\.z\\.de \\| 皇后"
    );
    assert_eq!(fenced("a\n````\nb\n"), "`````text\na\n````\nb\n`````\n");
}

#[test]
fn a_fence_is_longer_than_any_in_what_a_program_printed() {
    let mut results = class();
    results.students = vec![results.students[2].clone()];
    results.students[0].id = StudentId::new("```");
    let text = staff(&results);
    let fences: Vec<&str> = text
        .lines()
        .filter(|line| line.trim_start().starts_with("```"))
        .collect();
    assert_eq!(fences[0], "````text");
    assert_eq!(fences.last(), Some(&"````"));
}

#[test]
fn a_page_is_cut_between_sections_and_rows_and_says_how_many_are_left_out() {
    let results = class();
    let whole = staff(&results);
    let most = |most| MarkdownOptions {
        lang: Lang::En,
        most: Some(most),
    };
    let capped = |size| written(&results, Audience::Staff, &most(size));
    assert_eq!(capped(whole.len() + NOTE), whole);
    for size in [900, 1100, 2000, 4000, whole.len() - 1] {
        let text = capped(size);
        assert!(text.len() <= size, "{size}");
        assert!(
            text.ends_with(&format!(": the limit is {size} bytes._\n")),
            "{text}"
        );
        let opened = text.matches("<details>").count();
        assert_eq!(opened, text.matches("</details>").count());
        let left = results.students.len() - opened;
        assert!(text.contains(&format!("_{} left out", Words(Lang::En).students(left))));
    }
    let rows = capped(700);
    assert!(rows.contains("6 students left out, and "), "{rows}");
}

proptest! {
    #[test]
    fn a_name_is_one_code_span_in_one_cell_whatever_it_is(name in "[`|\\\\<a\n \\PC]{0,12}") {
        let span = code(&name);
        let ticks = span.len() - span.trim_start_matches('`').len();
        let inner = &span[ticks..span.len() - ticks];
        prop_assert!(ticks > 0 && span.ends_with(&"`".repeat(ticks)));
        // No run of the same length inside, by which the span would end, and nothing that ends the cell or the line.
        prop_assert!(inner.split(|c| c != '`').all(|run| run.len() != ticks));
        prop_assert!(!inner.starts_with('`') && !inner.ends_with('`'));
        prop_assert!(!span.contains(['|', '\n', '\r']));
    }

    #[test]
    fn prose_has_no_punctuation_of_its_own(text in "[`|\\\\<a@#\n \\PC]{0,12}") {
        let bare = plain(&text).replace("<!-- -->", "");
        let mut chars = bare.chars().peekable();
        while let Some(c) = chars.next() {
            match c {
                '\\' => prop_assert!(chars.next().is_some_and(|c| c.is_ascii_punctuation())),
                '&' => prop_assert!(chars.by_ref().take_while(|c| *c != ';').all(|c| c.is_ascii_lowercase())),
                c => prop_assert!(!c.is_ascii_punctuation(), "{}", bare),
            }
        }
    }
}

//! Pages of the class of all tests, and of one that is hostile.

use grader_model::{Lang, Points, Results};
use grader_view::Visible;

use super::*;
use crate::diff;
use crate::hostile::poisoned;
use crate::sample;
use crate::style::safe;

/// All pages of a class by their names.
fn pages(results: &Results, lang: Lang) -> Vec<(String, String)> {
    let visible = Visible::Staff(results);
    let class = visible.view();
    let page = class_page(&class, Some(&class), lang).unwrap();
    let statements = results.assignment.problems.iter();
    let statements = statements.map(|it| (it.id.clone(), "<h3>Task</h3>".to_owned()));
    let statements = statements.collect();
    let mut pages = vec![("index.html".to_owned(), page)];
    for (index, student) in results.students.iter().enumerate() {
        let sources = student.problems.iter().map(|problem| {
            let id = &problem.id;
            let text = format!("// {id}\n<script>alert(1)</script>\tint main() {{}}\n");
            vec![SourceFile::new("count.c", text.into_bytes())]
        });
        let (sources, explorer) = (sources.collect(), Some("explore/index.html"));
        let page = staff_page(&class, index, sources, explorer, lang).unwrap();
        pages.push((format!("staff/{}.html", student.id), page));
        let page = own_page(&Own::of(results, student), explorer, &statements, lang).unwrap();
        pages.push((format!("students/{}.html", student.id), page));
    }
    pages
}

/// A12 of the acceptance list.
#[test]
fn expected_and_found_are_labelled_and_the_first_difference_is_marked() {
    let pages = pages(&sample::results(), Lang::En);
    let all: String = pages.into_iter().map(|(_, page)| page).collect();
    for part in [
        "<dt>expected</dt><dd><code class=\"good\">",
        "<dt>found</dt>",
        "<span class=\"wrong\">",
    ] {
        assert!(all.contains(part), "{part}");
    }
}

/// A15 of the acceptance list.
#[test]
fn sources_are_coloured() {
    let pages = pages(&sample::results(), Lang::En);
    let (_, page) = pages
        .iter()
        .find(|(name, _)| name == "staff/s11.html")
        .unwrap();
    for part in [
        "<span class=\"c\">// count</span>",
        "&#60;script&#62;alert(<span class=\"n\">1</span>)",
        "    <span class=\"k\">int</span> main() {}",
    ] {
        assert!(page.contains(part), "{part}");
    }
}

/// A11 of the acceptance list.
#[test]
fn the_class_says_what_has_changed_as_the_comparison_of_runs_does() {
    let after = sample::results();
    let mut before = after.clone();
    before.students.remove(0);
    let problem = &mut before.students[3].problems[0];
    problem.points = Some(Points::whole(1));
    let [old, new] = [&before, &after].map(Visible::Staff);
    let page = class_page(&new.view(), Some(&old.view()), Lang::En).unwrap();
    let rows = page.split("<tr data-row=").skip(1);
    let rows = rows.filter_map(|row| row.split("</tr>").next());
    let changed = rows.filter(|row| row.contains("changed"));
    let shown: Vec<String> = changed
        .map(|row| {
            let (_, rest) = row.split_once(".html\">").unwrap();
            rest.split_once("</a>").unwrap().0.to_owned()
        })
        .collect();
    let mut json = Vec::new();
    diff(&before, &after).write_json(&mut json).unwrap();
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    let expected = json["students"].as_array().unwrap().iter();
    let expected: Vec<&str> = expected.map(|it| it["id"].as_str().unwrap()).collect();
    assert_eq!(shown.len(), 2);
    for (shown, expected) in shown.iter().zip(&expected) {
        assert!(shown.starts_with(expected), "{shown} {expected}");
    }
    assert!(page.contains("; was 1 "), "{page}");
}

/// A2 of the acceptance list.
#[test]
fn nothing_from_outside_is_markup_and_students_pages_have_no_script() {
    for results in [sample::with_hostile(), poisoned(&sample::results())] {
        for lang in [Lang::En, Lang::Zh] {
            for (name, page) in pages(&results, lang) {
                let scripts = usize::from(!name.starts_with("students/"));
                assert_eq!(page.matches("<script").count(), scripts, "{name}");
                assert!(
                    !page.contains("<b>") && !page.contains("alert(1)</script"),
                    "{name}"
                );
                for line in page.lines() {
                    assert_eq!(safe(line), line, "{name}");
                }
            }
        }
    }
}

//! Pages of the class of all tests, and of one that is hostile.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use grader_model::{Lang, Points, ProblemId, SourceFile, StudentId};

use super::*;
use crate::diff;
use crate::hostile::poisoned;
use crate::sample;
use crate::style::safe;

fn written(results: &Results, lang: Lang, folder: &Path) -> Vec<(String, String)> {
    let sources = |_: &StudentId, problem: &ProblemId| {
        let text = format!("// {problem}\n<script>alert(1)</script>\tint main() {{}}\n");
        Ok(vec![SourceFile::new("count.c", text.into_bytes())])
    };
    let input = PageInput {
        results,
        against: Some(results),
        sources: &sources,
        explorer: Some("<p>explorer</p>"),
        lang,
    };
    write_pages(folder, &input).unwrap();
    let mut pages = Vec::new();
    for inner in ["", "staff", "students"] {
        for entry in fs::read_dir(folder.join(inner)).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                let name = path
                    .strip_prefix(folder)
                    .unwrap()
                    .to_str()
                    .unwrap()
                    .to_owned();
                pages.push((name, fs::read_to_string(path).unwrap()));
            }
        }
    }
    pages.sort();
    pages
}

#[test]
fn there_is_a_page_of_the_class_and_two_of_each_student() {
    let folder = tempfile::tempdir().unwrap();
    let results = sample::results();
    let pages = written(&results, Lang::En, folder.path());
    assert_eq!(pages.len(), 1 + 2 * results.students.len());
    let names: Vec<&str> = pages.iter().map(|(name, _)| name.as_str()).collect();
    assert!(
        names.contains(&"index.html") && names.contains(&"students/s11.html"),
        "{names:?}"
    );
    // Nothing has changed: no page is written again. The page of a student who is gone is removed, and no file of others.
    let inode = |name: &str| fs::metadata(folder.path().join(name)).unwrap().ino();
    let before = inode("students/s11.html");
    let mut fewer = results.clone();
    fewer
        .students
        .retain(|student| student.id.as_str() == "s11");
    fs::write(folder.path().join("staff/notes.html"), "of a person").unwrap();
    let pages = written(&fewer, Lang::En, folder.path());
    assert_eq!((pages.len(), inode("students/s11.html")), (4, before));
}

/// A12 of the acceptance list.
#[test]
fn expected_and_found_are_labelled_and_the_first_difference_is_marked() {
    let folder = tempfile::tempdir().unwrap();
    let pages = written(&sample::results(), Lang::En, folder.path());
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
    let folder = tempfile::tempdir().unwrap();
    let pages = written(&sample::results(), Lang::En, folder.path());
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
    let sources = |_: &StudentId, _: &ProblemId| Ok(Vec::new());
    let input = PageInput {
        results: &after,
        against: Some(&before),
        sources: &sources,
        explorer: None,
        lang: Lang::En,
    };
    let folder = tempfile::tempdir().unwrap();
    write_pages(folder.path(), &input).unwrap();
    let page = fs::read_to_string(folder.path().join("index.html")).unwrap();
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
fn nothing_from_outside_is_markup_and_only_the_class_has_a_script() {
    for results in [sample::with_hostile(), poisoned(&sample::results())] {
        for lang in [Lang::En, Lang::Zh] {
            let folder = tempfile::tempdir().unwrap();
            for (name, page) in written(&results, lang, folder.path()) {
                let scripts = usize::from(name == "index.html");
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

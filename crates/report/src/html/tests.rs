//! Pages of the class of all tests, and of one that is hostile.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use grader_model::{Lang, ProblemId, SourceFile, StudentId};

use super::*;
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
    let before = inode("staff/s11.html");
    let mut fewer = results.clone();
    fewer
        .students
        .retain(|student| student.id.as_str() == "s11");
    fs::write(folder.path().join("staff/notes.html"), "of a person").unwrap();
    let pages = written(&fewer, Lang::En, folder.path());
    assert_eq!((pages.len(), inode("staff/s11.html")), (4, before));
}

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

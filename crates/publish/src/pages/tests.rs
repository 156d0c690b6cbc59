//! The folder of the pages of the class of all tests.

use std::os::unix::fs::MetadataExt as _;

use grader_view::{Compared, Visible};

use super::*;

/// The class of the tests of reports.
pub(crate) fn sample() -> Results {
    serde_json::from_str(include_str!("../../../report/src/sample/class.json")).unwrap()
}

/// Writes the pages, and gives their names.
fn written(results: &Results, folder: &Path) -> Vec<String> {
    let input = PageInput {
        results,
        against: Some(&Comparison::of(results, results, Compared::Corrected)),
        sources: &|_, _| Ok(Vec::new()),
        statements: &BTreeMap::new(),
        explorer: Some("<p>explorer</p>"),
        lang: Lang::En,
    };
    write_pages(folder, &Visible::Staff(results).view(), &input).unwrap();
    let mut pages = Vec::new();
    for inner in ["", "staff", "students"] {
        for entry in fs::read_dir(folder.join(inner)).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                let name = path.strip_prefix(folder).unwrap();
                pages.push(name.to_str().unwrap().to_owned());
            }
        }
    }
    pages.sort();
    pages
}

#[test]
fn of_pages_that_cannot_all_be_written_none_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let results = sample();
    let last = &results.students.last().unwrap().id;
    let input = PageInput {
        results: &results,
        against: None,
        sources: &|student, _| {
            if student == last {
                return Err(io::ErrorKind::StorageFull.into());
            }
            Ok(Vec::new())
        },
        statements: &BTreeMap::new(),
        explorer: Some("<p>explorer</p>"),
        lang: Lang::En,
    };
    let class = Visible::Staff(&results);
    fs::write(folder.path().join("notes.txt"), "of a person").unwrap();
    for folder in [folder.path(), &folder.path().join("inner/pages")] {
        write_pages(folder, &class.view(), &input).unwrap_err();
    }
    let left = fs::read_dir(folder.path()).unwrap();
    let left: Vec<_> = left.map(|it| it.unwrap().file_name()).collect();
    assert_eq!(left, ["notes.txt"]);
}

#[test]
fn there_are_pages_of_the_class_and_two_of_each_student() {
    let folder = tempfile::tempdir().unwrap();
    let results = sample();
    let pages = written(&results, folder.path());
    assert_eq!(pages.len(), 2 + 2 * results.students.len());
    let has = |name: &str| pages.iter().any(|page| page == name);
    assert!(has("index.html") && has("students/s11.html"), "{pages:?}");
    // Nothing has changed: no page is written again. The page of a student who is gone is removed, and no file of others.
    let inode = |name: &str| fs::metadata(folder.path().join(name)).unwrap().ino();
    let before = inode("students/s11.html");
    let mut fewer = results.clone();
    fewer
        .students
        .retain(|student| student.id.as_str() == "s11");
    fs::write(folder.path().join("staff/notes.html"), "of a person").unwrap();
    let pages = written(&fewer, folder.path());
    assert_eq!((pages.len(), inode("students/s11.html")), (5, before));
}

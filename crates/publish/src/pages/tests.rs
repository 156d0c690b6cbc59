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
    written_of(PageScope::Class, results, folder)
}

fn written_of(scope: PageScope, results: &Results, folder: &Path) -> Vec<String> {
    let input = PageInput {
        results,
        against: Some(&Comparison::of(results, results, Compared::Corrected)),
        sources: &|_, _| Ok(Vec::new()),
        statements: &BTreeMap::new(),
        explorer: Some("<p>explorer</p>"),
        scope,
        lang: Lang::En,
    };
    write_pages(folder, &Visible::Staff(results).view(), &input).unwrap();
    let mut pages = Vec::new();
    for inner in ["", "staff", "students"] {
        for entry in fs::read_dir(folder.join(inner)).into_iter().flatten() {
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
        scope: PageScope::Class,
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

#[test]
fn pages_of_a_part_are_for_staff_and_remove_nothing() {
    let results = sample();
    let mut few = results.clone();
    few.students.truncate(2);
    let mut one = results.clone();
    one.students.truncate(1);
    let id = &one.students[0].id;
    for (scope, part, expected) in [
        (PageScope::Part, &few, 1 + 2),
        (PageScope::Student, &one, 1 + 1 + 1),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let pages = written_of(scope, part, folder.path());
        assert_eq!(pages.len(), expected, "{pages:?}");
        let own = format!("students/{id}.html");
        let has_own = pages.contains(&own);
        assert_eq!(has_own, scope == PageScope::Student, "{pages:?}");
        let index = fs::read_to_string(folder.path().join("index.html")).unwrap();
        assert!(!index.contains("print.html"), "{index}");

        // Pages of the class stay as they are, but for its index.
        let whole = written(&results, folder.path());
        let inode = |name: &str| fs::metadata(folder.path().join(name)).unwrap().ino();
        let before = inode("print.html");
        assert_eq!(written_of(scope, part, folder.path()), whole);
        assert_eq!(inode("print.html"), before);
    }
}

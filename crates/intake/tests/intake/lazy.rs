//! Sources that are read when they are judged.

use std::fs;
use std::os::unix::fs::symlink;

use grader_intake::Submission;
use grader_model::ProblemId;

use crate::harness::{Reading, folder, write, zip};

#[test]
fn what_is_judged_is_what_was_submitted() {
    let class = folder(&["s/count.c", "s/board/board.c", "s/board/queens.h"]);
    let read = Reading::default()
        .class(class.path(), class.path())
        .unwrap();
    let submission =
        |id: &str| -> &Submission { &read.students[0].submissions[&ProblemId::new(id)] };
    let error = |id: &str| submission(id).sources().unwrap_err().to_string();
    let sources = submission("board").sources().unwrap();
    assert_eq!(
        sources
            .iter()
            .map(|source| &*source.bytes)
            .collect::<Vec<_>>(),
        [&b"s/board/board.c"[..], b"s/board/queens.h"]
    );

    // Of the same size, longer, a link to the same, and gone.
    write(class.path().join("s/board/queens.h"), b"s/board/QUEENS.h");
    assert_eq!(error("board"), "it has changed since the class was read");
    let path = class.path().join("s/count.c");
    write(&path, b"s/count.c and more");
    assert_eq!(error("count"), "it has changed since the class was read");
    write(&path, b"s/count.c");
    assert!(submission("count").sources().is_ok());
    fs::rename(&path, class.path().join("elsewhere")).unwrap();
    symlink(class.path().join("elsewhere"), &path).unwrap();
    assert_eq!(error("count"), "it has changed since the class was read");
    fs::remove_file(&path).unwrap();
    assert_eq!(error("count"), "No such file or directory (os error 2)");
}

#[test]
fn what_was_unpacked_is_read_from_where_it_was_put() {
    let class = folder(&[]);
    let scratch = folder(&["unpacked-1/not ours"]);
    let packed = zip(&["count.c", "big/data.txt", "count_old.c"]);
    write(class.path().join("s.zip"), &packed);
    write(class.path().join("t.zip"), &zip(&["notes.txt"]));
    let read = Reading::default()
        .class(class.path(), scratch.path())
        .unwrap();
    let submission = &read.students[0].submissions[&ProblemId::new("count")];
    assert_eq!(&*submission.sources().unwrap()[0].bytes, b"count.c");
    let files = |path: &str| -> Vec<_> {
        let entries = fs::read_dir(scratch.path().join(path)).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    assert_eq!(files(""), ["unpacked-1", "unpacked-2", "unpacked-3"]);
    assert_eq!(files("unpacked-1"), ["not ours"]);
}

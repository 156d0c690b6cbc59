//! What students submit that is not read.

use std::fs;

use crate::harness::{folder, read};

#[test]
fn folders_without_end_are_cut() {
    let class = folder(&[&format!("s/{}count.c", "d/".repeat(20))]);
    let cut = ["d"; 17].join("/");
    assert_eq!(
        read(class.path()),
        [
            "[s]".to_owned(),
            format!("fault: board: `{cut}` lies more than 16 folders deep"),
            format!("fault: count: `{cut}` lies more than 16 folders deep"),
            format!("!{cut}: lies more than 16 folders deep")
        ]
    );
}

#[test]
fn of_too_many_files_the_first_are_looked_at() {
    let class = folder(&["s/a/board.c"]);
    let fill = class.path().join("s/files");
    fs::create_dir(&fill).unwrap();
    for number in 0..10_000 {
        fs::write(fill.join(format!("{number:05}.txt")), "").unwrap();
    }
    fs::write(fill.join("zz-count.c"), "").unwrap();
    let lines = read(class.path());
    assert_eq!(
        lines[..3],
        [
            "[s]",
            "board: board.c=a/board.c",
            "fault: count: `files` holds more than 10000 files; the rest was not looked at",
        ]
    );
    assert_eq!(
        lines[3],
        "!files: holds more than 10000 files; the rest was not looked at"
    );
    // The folders and the file before took three.
    assert_eq!(lines.last().unwrap(), "files/09996.txt: not a source file");
    assert_eq!(lines.len(), 4 + 9997);
}

//! What students submit that is not read.

use std::fs;

use crate::harness::{folder, read, write};

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

/// Without a look at all of them nobody knows that the program lacks none.
#[test]
fn of_too_many_files_with_one_name_nobody_guesses() {
    let class = folder(&[]);
    let own = "class Count { public static void main(String[] args) { p65.Util.f(); } }";
    write(class.path().join("s/Count.java"), own.as_bytes());
    write(
        class.path().join("t/Count.java"),
        own.replace("p65", "p64").as_bytes(),
    );
    for number in 1..=65 {
        let util = format!("package p{number:02}; public class Util {{ }}");
        let path = format!("s/p{number:02}/Util.java");
        write(class.path().join(&path), util.as_bytes());
        let path = path.replacen('s', "t", 1);
        write(class.path().join(path), util.as_bytes());
    }
    let read = read(class.path());
    let fault = "fault: count: `Count.java` uses `Util.java`, and more than 64 files have that name: submit only the files of one program";
    let taken = "count: Count.java=Count.java, p64/Util.java=p64/Util.java";
    let is_about = |it: &&String| !it.starts_with('!');
    let found: Vec<&String> = read.iter().filter(is_about).collect();
    assert_eq!(found, ["[s]", fault, "[t]", taken]);
}

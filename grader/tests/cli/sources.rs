//! Two sources for one student: nobody's work takes the place of another's, and somebody decides. The crate `intake` tests
//! every system.

use std::process::Command;

use serde_json::Value;

use crate::class::{GRADE, SQUARE, WRONG, squares};
use crate::harness::{Room, have, problem, student, zip};

/// The points of `square` of everyone in the results; `open` if somebody must look at what was submitted.
fn points(room: &Room) -> Vec<String> {
    let (_, results) = room.json(&[&GRADE[..], &["--json", "-"]].concat());
    let students = results["students"].as_array().unwrap();
    let points = students.iter().map(|student| {
        let id = student["id"].as_str().unwrap();
        let square = problem(student, "square");
        match &square["points"] {
            Value::Null => {
                assert_eq!(square["status"]["fault"], "unreadable", "{square}");
                format!("{id} open")
            }
            points => format!("{id} {points}"),
        }
    });
    points.collect()
}

#[test]
fn two_sources_of_one_student_are_left_open() {
    // The full name of a participant who would be Alice.
    let hostile = "Alice_111_assignsubmission_file_x_222_assignsubmission_file_";
    let moodle = squares()
        .file("class/Alice_111_assignsubmission_file_/square.c", WRONG)
        .file("class/Bob_333_assignsubmission_file_/square.c", SQUARE)
        .file(&format!("class/{hostile}/square.c"), SQUARE);
    let folders = squares()
        .file("class/ann/square.c", WRONG)
        .file("class/ann.zip", zip(&[("square.c", SQUARE)]))
        .file("class/bob/square.c", SQUARE);
    let open = format!("{hostile} open");
    for (room, expected, words) in [
        (
            moodle,
            &["Alice 3.33", &open, "Bob 10"][..],
            &[hostile, "could belong to more than one student"][..],
        ),
        (folders, &["ann open", "bob 10"], &["`ann`", "`ann.zip`"]),
    ] {
        assert_eq!(points(&room), expected);
        let ran = room.run(&GRADE);
        assert_eq!(ran.status, 3);
        let (_, listed) = ran
            .stdout
            .split_once("Not scored yet: the submission needs a look")
            .unwrap();
        // Lines are broken anywhere.
        let listed: String = listed.split_whitespace().collect();
        for word in words {
            let word: String = word.split_whitespace().collect();
            assert!(listed.contains(&word), "{word}: {}", ran.stdout);
        }
    }
}

#[test]
fn several_parts_of_one_submission_are_one() {
    let moodle = squares()
        .file("class/Alice_111_assignsubmission_file_/square.c", SQUARE)
        .file(
            "class/Alice_111_assignsubmission_onlinetext_/onlinetext.html",
            "<p>done</p>",
        )
        .file("class/Bob_333_assignsubmission_file_/square.c", WRONG);
    assert_eq!(points(&moodle), ["Alice 10", "Bob 3.33"]);
    let canvas = squares()
        .file("class/alice_111_5001_square.c", WRONG)
        .file("class/alice_111_5004_square-1.c", SQUARE)
        .file("class/bob_333_5002_square.c", WRONG);
    assert_eq!(points(&canvas), ["alice 10", "bob 3.33"]);
}

#[test]
fn compressed_archives_are_read_and_others_are_left_open_with_what_unpacks_them() {
    if !have(&["tar", "xz", "bzip2"]) {
        return;
    }
    let room = squares()
        .file("square.c", SQUARE)
        .file("class/rar/work.rar", b"Rar!\x1a\x07\x01\0");
    for (student, option, name) in [
        ("xz", "-cJf", "work.tar.xz"),
        ("bz2", "-cjf", "work.tbz"),
        // By its beginning.
        ("unnamed", "-cJf", "work"),
    ] {
        let room = room.path(&format!("class/{student}"));
        std::fs::create_dir_all(&room).unwrap();
        let mut tar = Command::new("tar");
        let archive = room.join(name);
        tar.arg(option)
            .arg(archive)
            .args(["-C", "../..", "square.c"]);
        assert!(tar.current_dir(&room).status().unwrap().success());
    }
    assert_eq!(points(&room), ["bz2 10", "rar open", "unnamed 10", "xz 10"]);
    let ran = room.run(&[&GRADE[..], &["--lang", "zh"]].concat());
    let said = "不支持 RAR：请提交 zip 压缩包，或直接提交文件（可用 `bsdtar -xf FILE` 解压）";
    let text: String = ran.stdout.split_whitespace().collect();
    let said: String = said.split_whitespace().collect();
    assert!(text.contains(&said), "{}", ran.stdout);
}

#[test]
fn a_bad_entry_of_an_archive_leaves_only_its_problem_open() {
    let work = zip(&[("square.c", SQUARE), ("../one.c", WRONG)]);
    let room = squares()
        .file("class/ann/work.zip", work)
        .file("class/bob/square.c", SQUARE);
    let (status, results) = room.json(&[&GRADE[..], &["--json", "-"]].concat());
    let ann = student(&results, "ann");
    assert_eq!((status, &problem(ann, "square")["points"]), (3, &10.into()));
    let one = problem(ann, "one");
    assert_eq!(one["status"]["fault"], "unreadable");
    assert_eq!(
        one["message"],
        "`work.zip/../one.c` is not unpacked: its path contains `..`"
    );
}

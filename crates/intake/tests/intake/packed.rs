//! Students' archives.

use crate::build::{deflated, stored};
use crate::harness::{Reading, folder, shown, write, zip, zip_of};

#[test]
fn a_packed_class_is_unpacked_and_so_are_archives_in_it() {
    let folder = folder(&[]);
    let path = folder.path().join("hw3.zip");
    let (inner, deep) = (zip(&["board.c"]), zip(&["count.c"]));
    let deeper = zip_of(&[("count.c", b""), ("old.zip", &deep)]);
    let deepest = zip_of(&[("hw.zip", &zip_of(&[("x.zip", &deep)]))]);
    write(
        &path,
        &zip_of(&[
            ("hw3/s1/count.c", b"1"),
            ("hw3/s1/board.zip", &inner),
            ("hw3/s2.zip", &deeper),
            ("hw3/s3.zip", &deepest),
            ("__MACOSX/hw3/._s1", b""),
        ]),
    );
    assert_eq!(
        Reading::default().text(&path),
        [
            "layout: archives",
            "[s1]",
            "board: board.c=board.zip/board.c",
            "count: count.c=count.c",
            "[s2]",
            "count: count.c=count.c",
            "!old.zip/count.c: not used: `count.c` was graded",
            "[s3]",
            "fault: board: `hw.zip/x.zip` is not unpacked: it is nested in too many archives",
            "fault: count: `hw.zip/x.zip` is not unpacked: it is nested in too many archives",
            "!hw.zip/x.zip: not unpacked: it is nested in too many archives",
            "class: __MACOSX: left by macOS",
        ]
    );
}

#[test]
fn a_class_that_cannot_be_unpacked_is_a_mistake() {
    let folder = folder(&[]);
    let path = folder.path().join("hw3.zip");
    write(&path, b"<html>log in first</html>");
    assert_eq!(
        Reading::default().text(&path),
        ["the class `CLASS` is not unpacked: it is neither a zip nor a tar archive"]
    );
    write(&path, &zip(&["notes.txt"]));
    assert_eq!(
        Reading::default().text(&path),
        [format!(
            "no students in `CLASS`: expected {}",
            grader_lms::Layout::known().en
        )]
    );
}

#[test]
fn what_is_wrong_with_one_student_of_a_packed_class_costs_nobody_else() {
    let place = folder(&[]);
    let path = place.path().join("hw3.zip");
    let zeros = vec![0; 2 << 20];
    let long = format!("hw3/ivy/count{}.c", "文".repeat(90));
    let bomb = "not unpacked: it is more than 200 times as large as it is packed";
    let too_long = "not unpacked: its name is too long or contains a null byte";
    let entries = [
        stored("hw3/Li/count.c", b"1"),
        stored("hw3/ann/count.c", b"1"),
        stored("hw3/ann/count.c", b"2"),
        stored("hw3/bob/board.c", b"3"),
        stored("hw3/bob/count/main.c", b"3"),
        stored("hw3/bob/count/queens.h", b"3").flags(1),
        deflated("hw3/eve.zip", &zeros),
        stored(&long, b"4"),
        stored("hw3/joe/", b""),
        stored("hw3/li/count.c", b"5"),
    ];
    write(&path, &crate::build::zip(&entries));
    assert_eq!(
        Reading::default().text(&path),
        [
            "layout: folders",
            "[ann]",
            "fault: count: `hw3/ann/count.c` is not unpacked: another entry has the same name",
            "!count.c: not used: `hw3/ann/count.c` comes first, but cannot be judged",
            "!hw3/ann/count.c: not unpacked: another entry has the same name",
            "[bob]",
            "board: board.c=board.c",
            "fault: count: `hw3/bob/count/queens.h` is not unpacked: it is encrypted; submit it without a password",
            "!hw3/bob/count/queens.h: not unpacked: it is encrypted; submit it without a password",
            "[eve]",
            &format!("fault: board: `hw3/eve.zip` is {bomb}"),
            &format!("fault: count: `hw3/eve.zip` is {bomb}"),
            &format!("!.: {bomb}"),
            "[ivy]",
            &format!("fault: count: `{long}` is {too_long}"),
            &format!("!{long}: {too_long}"),
            "[joe]",
            "[Li]",
            "count: count.c=count.c",
            "[li]",
            "count: count.c=count.c",
        ]
    );
}

#[test]
fn what_is_not_unpacked_has_the_name_that_was_meant() {
    let place = folder(&[]);
    let path = place.path().join("hw3.zip");
    let inner = crate::build::zip(&[
        stored("%C3%BC/board.c", b"1"),
        stored("%C3%BC/b%C3%B6.h", b"1").flags(1),
        stored("b%C3%B6.h", b"1").flags(1),
    ]);
    let entries = [
        stored("hw3/Jos#U00e9/count/count.c", b"1"),
        stored("hw3/Jos#U00e9/count/#U00fcber.h", b"1").flags(1),
        stored("hw3/Zo#U00eb/%C3%BC.zip", &inner),
        stored("hw3/L#U00e9a.zip", &zip(&["count.c"])).flags(1),
    ];
    write(&path, &crate::build::zip(&entries));
    let encrypted = "not unpacked: it is encrypted; submit it without a password";
    assert_eq!(
        Reading::default().text(&path),
        [
            "layout: folders".to_owned(),
            "[José]".to_owned(),
            format!("fault: count: `hw3/José/count/über.h` is {encrypted}"),
            format!("!hw3/José/count/über.h: {encrypted}"),
            "[Léa]".to_owned(),
            format!("fault: board: `hw3/Léa.zip` is {encrypted}"),
            format!("fault: count: `hw3/Léa.zip` is {encrypted}"),
            format!("!.: {encrypted}"),
            "[Zoë]".to_owned(),
            "board: board.c=ü.zip/ü/board.c".to_owned(),
            format!("!ü.zip/bö.h: {encrypted}"),
            format!("!ü.zip/ü/bö.h: {encrypted}"),
        ]
    );
}

#[test]
fn more_archives_than_anyone_needs_are_not_opened() {
    let class = folder(&[]);
    for number in 1..=17 {
        write(
            class.path().join(format!("s/{number}.zip")),
            &zip(&["a.txt"]),
        );
    }
    assert_eq!(
        Reading::default().text(class.path())[..4],
        [
            "layout: folders",
            "[s]",
            "fault: board: `17.zip` is not unpacked: there are more than 16 archives",
            "fault: count: `17.zip` is not unpacked: there are more than 16 archives",
        ]
    );
}

#[test]
fn an_archive_that_this_machine_cannot_unpack_is_no_fault_of_what_was_submitted() {
    let class = folder(&["ada/board.c"]);
    write(class.path().join("ada/work.zip"), &zip(&["count.c"]));
    let nowhere = class.path().join("none/scratch");
    let cannot =
        "`work.zip` cannot be unpacked on this machine: No such file or directory (os error 2)";
    assert_eq!(
        shown(&Reading::default().class(class.path(), &nowhere).unwrap()),
        [
            "[ada]",
            "board: board.c=board.c",
            &format!("our fault: count: {cannot}"),
            "!work.zip: cannot be unpacked on this machine: No such file or directory (os error 2)",
        ]
    );
}

//! Folders of students.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};

use grader_intake::{Class, Student};
use grader_lms::Layout;
use grader_model::{LanguageId, ProblemId, SourceFile, StudentId, Text, UnusedFile};

use tempfile::TempDir;

use crate::harness::{MOST, Reading, folder, read, write};

#[test]
fn a_class_is_read_whole() {
    let class = folder(&["s1/count.c", "s1/notes.txt", "roster.csv"]);
    let unused = |path: &str, en: &str, zh: &str, notable| UnusedFile {
        path: path.into(),
        reason: Text::new(en, zh),
        notable,
    };
    let reading = Reading::default();
    let mut read = reading.class(class.path(), class.path()).unwrap();
    let submissions = std::mem::take(&mut read.students[0].submissions);
    let expected = Class {
        students: vec![Student {
            id: StudentId::new("s1"),
            person: None,
            team: None,
            notes: Vec::new(),
            remarks: Vec::new(),
            submissions: BTreeMap::new(),
            faults: BTreeMap::new(),
            unused: vec![unused(
                "notes.txt",
                "not a source file",
                "不是源文件",
                false,
            )],
        }],
        unused: vec![unused(
            "roster.csv",
            "not in any student's folder",
            "不在任何学生的文件夹内",
            true,
        )],
        layout: Layout::Folders,
        similar: Vec::new(),
    };
    assert_eq!(read, expected);
    let submission = &submissions[&ProblemId::new("count")];
    let sources = [SourceFile::new("count.c", *b"s1/count.c")];
    assert_eq!(*submission.sources().unwrap(), sources);
    assert_eq!(submission.shown, ["count.c"]);
    assert_eq!(submission.language, Some(LanguageId::C));
}

#[test]
fn links_are_not_followed() {
    let class = folder(&["s/board.c", "secret/count.c"]);
    let outside = folder(&["count.c"]);
    symlink(
        outside.path().join("count.c"),
        class.path().join("s/count.c"),
    )
    .unwrap();
    symlink(outside.path(), class.path().join("s/count")).unwrap();
    symlink(class.path().join("secret"), class.path().join("t")).unwrap();
    symlink("/no/such/place", class.path().join("s/count2.c")).unwrap();
    assert_eq!(
        read(class.path()),
        [
            "[s]",
            "board: board.c=board.c",
            "fault: count: `count.c` is a link, which is not followed: submit the file itself",
            "!count: a link, which is not followed",
            "!count2.c: a link, which is not followed",
            "!count.c: a link, which is not followed",
            "[secret]",
            "count: count.c=count.c",
            "class: !t: a link, which is not followed",
        ]
    );
}

#[test]
fn names_that_are_not_text_are_escaped() {
    let class = folder(&[]);
    let student = class.path().join(OsStr::from_bytes(b"\xd5"));
    write(student.join(OsStr::from_bytes(b"count\xd5.c")), b"gbk");
    assert_eq!(
        read(class.path()),
        ["[\\xd5]", "count: count\\xd5.c=count\\xd5.c"]
    );
}

#[test]
fn names_that_look_alike_once_escaped_leave_the_points_open() {
    let class = folder(&["\\xd5/count.c"]);
    let other = class.path().join(OsStr::from_bytes(b"\xd5"));
    write(other.join("count.c"), b"gbk");
    let why = "several submissions appear to be this student's: `\\xd5`, `\\xd5`; keep the one that counts and remove the others";
    assert_eq!(
        read(class.path()),
        [
            "[\\xd5]".to_owned(),
            format!("fault: board: {why}"),
            format!("fault: count: {why}")
        ]
    );
}

#[test]
fn whatever_a_source_may_include_goes_with_it() {
    let class = folder(&[
        "pascal/count/count.pas",
        "pascal/count/queens.inc",
        "rust/count/Cargo.toml",
        "rust/count/src/main.rs",
        "cpp/board/board.cpp",
        "cpp/board/a.inl",
        "cpp/board/a.ipp",
        "cpp/board/a.tpp",
        "cpp/board/table.dat",
        "cpp/board/old.zip",
        "cpp/board/shot.png",
    ]);
    write(class.path().join("cpp/board/board"), b"\x7fELF\0\0");
    write(class.path().join("cpp/board/large.dat"), &vec![b'1'; MOST]);
    assert_eq!(
        read(class.path()),
        [
            "[cpp]",
            "board: a.inl=board/a.inl, a.ipp=board/a.ipp, a.tpp=board/a.tpp, board.cpp=board/board.cpp, table.dat=board/table.dat",
            "fault: count: `board/old.zip` is not unpacked: it is neither a zip nor a tar archive",
            "!board/board: not a source file",
            "board/large.dat: not a source file",
            "!board/old.zip: not unpacked: it is neither a zip nor a tar archive",
            "board/shot.png: an image",
            "[pascal]",
            "count: count.pas=count/count.pas, queens.inc=count/queens.inc",
            "[rust]",
            "count: Cargo.toml=count/Cargo.toml, src/main.rs=count/src/main.rs",
        ]
    );
}

#[test]
fn recognises_a_program_by_its_contents() {
    let class = folder(&["c/count.txt", "d/count_readme.txt", "e/readme"]);
    let write = |path: &str, text: &[u8]| write(class.path().join(path), text);
    write("a/count.txt", b"#include <stdio.h>");
    write("a/Board", b"#include <stdio.h>");
    write("b/board.txt", b"import sys");
    write("b/count", b"\x7fELF\0\0#include");
    write(
        "b/count.c.txt",
        &[b"#include ".as_slice(), &[b' '; MOST]].concat(),
    );
    write("c/old/count.c", b"");
    write("c/count.txt", b"#include <stdio.h>");
    assert_eq!(
        read(class.path()),
        [
            "[a]",
            "board: Board=Board",
            "count: count.txt=count.txt",
            "[b]",
            "!board.txt: `board` does not take Python; accepted are C, C++",
            "!count: not a source file",
            "!count.c.txt: not a source file",
            "[c]",
            "count: count.c=old/count.c",
            "!count.txt: not used: `old/count.c` was graded",
            "[d]",
            "!count_readme.txt: not a source file",
            "[e]",
            "readme: not a source file",
        ]
    );
}

/// Takes all permissions away; whether we may read everything all the same.
fn close(class: &TempDir, paths: &[&str]) -> bool {
    for path in paths {
        let path = class.path().join(path);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    }
    fs::File::open(class.path().join(paths[0])).is_ok()
}

/// Lets the folders be removed.
fn open(class: &TempDir, paths: &[&str]) {
    for path in paths {
        let path = class.path().join(path);
        fs::set_permissions(path, fs::Permissions::from_mode(0o700)).unwrap();
    }
}

#[test]
fn what_cannot_be_read_is_a_fault_of_its_problem() {
    let class = folder(&[
        "a/count.c",
        "a/my_count.c",
        "a/board.c",
        "b/count.c",
        "b/count_old.c",
        "c/board/board.c",
        "c/count.c",
        "d/count.txt",
        "e/count/main.c",
        "e/count/queens.h",
        "f/count/main.c",
        "f/count/include/queens.h",
        "t/count.c",
    ]);
    let folders = ["c/board", "f/count/include"];
    let files = [
        "a/count.c",
        "b/count_old.c",
        "d/count.txt",
        "e/count/queens.h",
    ];
    let may_read = close(&class, &[folders.as_slice(), &files].concat());
    if may_read {
        eprintln!("skipped: this user may read everything");
    } else {
        assert_eq!(
            read(class.path()),
            [
                "[a]",
                "board: board.c=board.c",
                "our fault: count: `count.c` cannot be read: Permission denied (os error 13)",
                "!count.c: cannot be read: Permission denied (os error 13)",
                "!my_count.c: not used: `count.c` comes first, but cannot be judged",
                "[b]",
                "count: count.c=count.c",
                "!count_old.c: not used: `count.c` was graded",
                "[c]",
                "count: count.c=count.c",
                "our fault: board: `board` cannot be read: Permission denied (os error 13)",
                "!board: cannot be read: Permission denied (os error 13)",
                "[d]",
                "our fault: count: `count.txt` cannot be read: Permission denied (os error 13)",
                "!count.txt: cannot be read: Permission denied (os error 13)",
                "[e]",
                "our fault: count: `count/queens.h` cannot be read: Permission denied (os error 13)",
                "!count/queens.h: cannot be read: Permission denied (os error 13)",
                "[f]",
                "our fault: count: `count/include` cannot be read: Permission denied (os error 13)",
                "!count/include: cannot be read: Permission denied (os error 13)",
                "[t]",
                "count: count.c=count.c",
            ]
        );
    }
    open(&class, &folders);
}

#[test]
fn a_folder_that_cannot_be_read_is_a_fault_of_all_that_it_may_hold() {
    let class = folder(&["a/count.c", "b/count.c", "b/src/board.c"]);
    let folders = ["a", "b/src"];
    if close(&class, &folders) {
        eprintln!("skipped: this user may read everything");
    } else {
        assert_eq!(
            read(class.path()),
            [
                "[a]",
                "our fault: board: the student's folder cannot be read: Permission denied (os error 13)",
                "our fault: count: the student's folder cannot be read: Permission denied (os error 13)",
                "!.: cannot be read: Permission denied (os error 13)",
                "[b]",
                "count: count.c=count.c",
                "our fault: board: `src` cannot be read: Permission denied (os error 13)",
                "!src: cannot be read: Permission denied (os error 13)",
            ]
        );
    }
    open(&class, &folders);
}

#[test]
fn rejects_what_is_no_class() {
    let class = folder(&["file.c"]);
    let error = |path: &str| {
        Reading::default()
            .class(&class.path().join(path), class.path())
            .unwrap_err()
            .to_string()
    };
    let at = |path: &str| class.path().join(path).display().to_string();
    assert_eq!(
        error("missing"),
        format!("`{}` does not exist", at("missing"))
    );
    assert_eq!(
        error("file.c"),
        format!(
            "expected a folder of student folders (with `--layout one`, of one student), or an archive of it, but `{}` is neither",
            at("file.c")
        )
    );
    assert_eq!(
        error(""),
        format!(
            "no students in `{}`: expected {}",
            at(""),
            grader_lms::Layout::known().en
        )
    );
}

#[test]
fn projects_of_any_size_and_shape_are_read() {
    let class = folder(&[]);
    let write = |path: &str, text: &str| write(class.path().join(path), text.as_bytes());
    let link = |to: &str, path: &str| symlink(to, class.path().join(path)).unwrap();
    // Thousands of files beside a program, each with a function that nobody calls.
    write("crowd/count.c", "int main(void) { return 0; }");
    for number in 0..9_000 {
        write(
            &format!("crowd/lib/f{number}.c"),
            &format!("int f{number}(void) {{ return 1; }}"),
        );
    }
    // More than are looked at.
    write("flood/count.c", "#include \"f1.h\"");
    for number in 0..10_001 {
        write(&format!("flood/f{number}.h"), "");
    }
    // Includes in a circle, of itself, and upwards.
    write(
        "circle/count.c",
        "#include \"a.h\"\n#include \"count.c\"\n#include \"../../../a.h\"",
    );
    write("circle/a.h", "#include \"b.h\"");
    write("circle/b.h", "#include \"a.h\"");
    // Links: one that is needed, one that is not, and one in a circle.
    write("needed/count.c", "#include \"util.h\"");
    link("/etc/hostname", "needed/util.h");
    write("unneeded/count.c", "int main(void) { return 0; }");
    link("/etc/hostname", "unneeded/util.c");
    link(".", "unneeded/loop");
    // The longest name that a file system allows.
    let long = "x".repeat(253);
    write(
        "long/count.c",
        "int half(int); int main(void) { return half(2); }",
    );
    write(
        &format!("long/{long}.c"),
        "int half(int n) { return n / 2; }",
    );
    let read = read(class.path());
    let notable = read
        .iter()
        .filter(|line| !line.starts_with("!lib/") && !line.starts_with("!f"));
    let notable: Vec<String> = notable.map(|line| line.replace(&long, "LONG")).collect();
    assert_eq!(
        notable,
        [
            "[circle]",
            "count: a.h=a.h, b.h=b.h, count.c=count.c",
            "[crowd]",
            "count: count.c=count.c",
            "[flood]",
            "fault: board: the student's folder holds more than 10000 files; the rest was not looked at",
            "fault: count: the student's folder holds more than 10000 files; the rest was not looked at",
            "!.: holds more than 10000 files; the rest was not looked at",
            "[long]",
            "count: count.c=count.c, LONG.c=LONG.c",
            "[needed]",
            "fault: count: `util.h` is a link, which is not followed: submit the file itself",
            "!util.h: a link, which is not followed",
            "!util.h: a link, which is not followed: submit the file itself",
            "[unneeded]",
            "count: count.c=count.c",
            "fault: board: `util.c` is a link, which is not followed: submit the file itself",
            "!loop: a link, which is not followed",
            "!util.c: a link, which is not followed",
        ]
    );
}

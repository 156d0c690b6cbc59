//! Characters that nobody sees: carriage returns in an instructor's test data, and look-alikes in outputs.

use crate::harness::{Room, have};

/// An assignment with one problem, whose cases are files.
fn lengths() -> Room {
    Room::new()
        .file(
            "week/assignment.toml",
            "format = 1\nid = \"week\"\ntitle = \"Week\"\n[[problem]]\npath = \"length\"\npoints = 10\n",
        )
        .file(
            "week/length/problem.toml",
            "format = 1\nid = \"length\"\ntitle = \"Length\"\n[submission]\nfiles = [\"length.*\"]\n[checker.tokens]\n\
             [[subtask]]\nname = \"all\"\npoints = 10\nfolder = \"data\"\n\
             [[subtask.case]]\nname = \"named\"\nstdin-file = \"more/one.txt\"\nanswer-file = \"more/two.txt\"\n",
        )
        .file("week/length/data/1.in", "abc\n")
        .file("week/length/data/1.ans", "3\n")
        .file("week/length/more/one.txt", "abcd\n")
        .file("week/length/more/two.txt", "4\n")
}

const NO_MISTAKES: &str = "week: 1 problem, 2 cases, 10 points and 0 bonus points: no mistakes\n";

#[test]
fn test_data_from_windows_and_empty_files_are_named() {
    const RETURNS: &str = "has carriage returns: its lines end as on Windows (CR LF), and programs may read the `\\r`; `dos2unix` removes them";
    const MARK: &str = "begins with a byte order mark (BOM), which programs read as a part of the first word; save it without";
    const UTF16: &str = "is in UTF-16, which programs cannot read as text; save it as UTF-8";
    const EMPTY: &str = "is empty";
    const SCRIPT: &str =
        "is a script with carriage returns (CR LF), so it does not start; `dos2unix` removes them";
    let check = |room: &Room| {
        let ran = room.run(&["check", "week"]);
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
        ran.stdout
    };
    assert_eq!(check(&lengths()), NO_MISTAKES);
    for (path, bytes, remark) in [
        ("data/1.in", &b"abc\r\n"[..], RETURNS),
        ("data/1.ans", b"3\r\n", RETURNS),
        ("data/1.in", b"abc\rdef\r", RETURNS),
        ("more/one.txt", b"a\r\n", RETURNS),
        ("more/two.txt", b"\xef\xbb\xbf4\n", MARK),
        ("data/1.in", b"\xff\xfe1\0\r\0\n\0", UTF16),
        ("data/1.in", b"1\0\r\0\n\0", UTF16),
        ("data/1.in", b"", EMPTY),
        ("data/1.ans", b"", EMPTY),
        ("gen/run", b"#!/bin/sh\r\necho 1\r\n", SCRIPT),
    ] {
        let path = format!("week/length/{path}");
        let expected = format!("{NO_MISTAKES}  {path}: {remark}\n");
        assert_eq!(check(&lengths().file(&path, bytes)), expected);
    }
    // One line for many files; bytes that are no text, other files and students' work do not matter.
    let mut room = lengths().file("week/length/data/5.in", b"\0\x01\r\n\xff");
    for path in [
        "data/2.in",
        "data/3.in",
        "data/4.in",
        "data/4.txt",
        "submissions/accepted/run",
    ] {
        room = room.file(&format!("week/length/{path}"), "1\r\n");
    }
    for path in ["data/2.ans", "data/3.ans", "data/4.ans", "data/5.ans"] {
        room = room.file(&format!("week/length/{path}"), "1\n");
    }
    let summary = NO_MISTAKES.replace("2 cases", "6 cases");
    let expected = format!("{summary}  week/length/data/2.in: {RETURNS} (and 2 more files)\n");
    assert_eq!(check(&room), expected);
}

#[test]
fn the_input_of_a_failed_case_shows_its_carriage_returns() {
    if !have(&["python3"]) {
        return;
    }
    let room = lengths()
        .file("week/length/data/1.in", "abc\r\nd\r\n")
        .file(
            "length.py",
            "import sys\nprint(len(sys.stdin.buffer.readline().rstrip(b'\\n')))\n",
        );
    let ran = room.run(&["test", "length.py", "-a", "./week", "--case", "all/1"]);
    let (_, input) = ran.stdout.split_once("        input\n").unwrap();
    let lines: Vec<&str> = input.lines().take(2).collect();
    assert_eq!(lines, ["        │ abc\\r", "        │ d\\r"]);
}

#[test]
fn characters_that_look_alike_are_shown_with_their_code_points() {
    if !have(&["python3"]) {
        return;
    }
    for (checker, answer, found, added) in [
        (
            "tokens",
            "-1 x",
            "\\u22121 x",
            "they look alike: expected U+002D, found U+2212",
        ),
        (
            "tokens",
            "-1 x",
            "-1 \\u0445",
            "they look alike: expected U+0078, found U+0445",
        ),
        (
            "tokens",
            "-1 x",
            "-1\\u00a0x",
            "they look alike: expected U+0020, found U+00A0",
        ),
        (
            "lines",
            "a-b",
            "a\\u2013b",
            "they look alike: expected U+002D, found U+2013",
        ),
        (
            "numbers]\nabsolute = 0.1\n#",
            "-1",
            "\\uff0d1",
            "they look alike: expected U+002D, found U+FF0D",
        ),
        (
            "tokens",
            "-1 x",
            "-1 y",
            "expected `-1 x`, found `-1 y` try it",
        ),
    ] {
        let case = format!("[[subtask.case]]\nname = \"1\"\nanswer = \"{answer}\\n\"\n");
        let problem = format!(
            "format = 1\nid = \"length\"\ntitle = \"Length\"\n[submission]\nfiles = [\"length.*\"]\n[checker.{checker}]\n\
             [[subtask]]\nname = \"all\"\npoints = 10\n{case}"
        );
        let room = lengths()
            .file("week/length/problem.toml", problem)
            .file("length.py", format!("print('{found}')\n"));
        let ran = room.run(&["test", "length.py", "-a", "./week"]);
        let words: Vec<&str> = ran.stdout.split_whitespace().collect();
        assert!(words.join(" ").contains(added), "{added}: {}", ran.stdout);
    }
}

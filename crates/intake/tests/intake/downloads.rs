//! Classes as other systems give them.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;

use grader_lms::Layout;

use crate::harness::{Reading, folder, write, zip, zip_of};

fn read(files: &[&str]) -> Vec<String> {
    Reading::default().text(folder(files).path())
}

fn read_as(layout: Layout, files: &[&str]) -> Vec<String> {
    let reading = Reading {
        layout: Some(layout),
        ..Reading::default()
    };
    reading.text(folder(files).path())
}

#[test]
fn the_download_itself_is_a_class() {
    let folder = folder(&[]);
    let path = folder.path().join("课程-作业1-12.zip");
    let hw = zip(&["count.c"]);
    write(
        &path,
        &zip_of(&[
            ("Ada L_1_assignsubmission_file/count.c", b"ada"),
            ("Ada L_1_assignsubmission_file/.DS_Store", b""),
            ("张三_2_assignsubmission_file/hw.zip", &hw),
        ]),
    );
    assert_eq!(
        Reading::default().text(&path),
        [
            "layout: moodle",
            "[Ada L]",
            "is: Ada L, Moodle 1",
            "count: count.c=count.c",
            ".DS_Store: hidden",
            "[张三]",
            "is: 张三, Moodle 2",
            "count: count.c=hw.zip/count.c",
        ]
    );
}

#[test]
fn github_classroom() {
    let class = folder(&[
        "hw1-submissions/hw1-li-na/.git/HEAD",
        "hw1-submissions/hw1-li-na/count.c",
        "hw1-submissions/hw1-li-wei/.git/HEAD",
        "hw1-submissions/hw1-li-wei/src/board.c",
        "hw1-submissions/grades.csv",
    ]);
    let expected = [
        "layout: github",
        "[li-na]",
        "is: Github li-na",
        "count: count.c=count.c",
        ".git: history of versions",
        "[li-wei]",
        "is: Github li-wei",
        "board: board.c=src/board.c",
        ".git: history of versions",
        "class: !grades.csv: not in any student's folder",
    ];
    assert_eq!(
        Reading::default().text(&class.path().join("hw1-submissions")),
        expected
    );
    // A folder of one clone is a student's, since nothing tells where the user's name begins.
    assert_eq!(
        read(&["hw1-ada/.git/HEAD", "hw1-ada/count.c"]),
        [
            "layout: folders",
            "[hw1-ada]",
            "count: count.c=count.c",
            ".git: history of versions",
        ]
    );
    assert_eq!(
        read_as(Layout::Github, &["hw1-ada/count.c"]),
        ["layout: github", "[hw1-ada]", "count: count.c=count.c",]
    );
}

#[test]
fn one_student() {
    let container = folder(&["submission/hw/count.c", "submission/board.c"]);
    write(
        container.path().join("submission_metadata.json"),
        r#"{"id": 77, "users": [{"email": "a@example.org", "id": 5, "name": "Ada \u202e L"}, {"name": "张三"}]}"#
            .as_bytes(),
    );
    let path = container.path().join("submission");
    assert_eq!(
        Reading::default().text(&path),
        [
            "layout: one",
            "[Ada \\u{202e} L]",
            "is: Ada \\u{202e} L, a@example.org, Gradescope 77",
            "team: submission 77",
            "note: submitted together: Ada \\u{202e} L, 张三",
            "board: board.c=board.c",
            "count: count.c=hw/count.c",
        ]
    );
    write(container.path().join("submission_metadata.json"), b"{");
    assert_eq!(
        Reading::default().text(&path)[..2],
        ["layout: one", "[submission]"]
    );
    assert_eq!(
        read(&["count.c", "board.c", "readme.txt", ".DS_Store"]),
        [
            "layout: one",
            "[submission]",
            "board: board.c=board.c",
            "count: count.c=count.c",
            ".DS_Store: hidden",
            "readme.txt: not a source file",
        ]
    );
    // Whose of two programs for one problem would be judged?
    assert_eq!(
        read(&["s1_count.c", "s2_count.c"]),
        [format!(
            "no students in `CLASS`: expected {}",
            grader_lms::Layout::known().en
        )]
    );
}

#[test]
fn blackboard() {
    let name = |user: &str, date: &str, file: &str| {
        format!("HW_1_{user}_attempt_2026-01-{date}-10-30-00{file}")
    };
    let index = |who: &str, text: &str, files: &[&str]| {
        let files: Vec<String> = files
            .iter()
            .map(|file| {
                format!(
                    "\tOriginal filename: {}\n\tFilename: {file}\n\n",
                    file.rsplit('_').next().unwrap()
                )
            })
            .collect();
        format!(
            "Name: {who}\nAssignment: HW 1\nDate Submitted: Monday\n\nSubmission Field:\n{text}\n\nComments:\nThere are no \
             student comments for this assignment.\n\nFiles:\n{}",
            files.concat()
        )
    };
    let no_text = "There is no student submission text data for this assignment.";
    let forged = name("eve", "05", "_x_bob_attempt_2026-01-06-10-30-00_count.c");
    let class = folder(&[
        &name("ada", "05", "_count.c"),
        &name("ada", "06", "_my_count.c"),
        &name("ada", "06", "_board.c"),
        &name("bob", "05", "_count.c"),
        &forged,
    ]);
    for (user, date, text) in [
        (
            "ada",
            "06",
            index(
                "Ada Lovelace (ada)",
                no_text,
                &[&name("ada", "06", "_my_count.c")],
            ),
        ),
        ("bob", "05", index("Bob (bob)", no_text, &[])),
        ("cy", "05", index("Cy (cy)", "int main(void) {}", &[])),
    ] {
        write(class.path().join(name(user, date, ".txt")), text.as_bytes());
    }
    let typed = name("cy", "05", ".txt");
    let owners = format!(
        "`{forged}` could belong to more than one student: decide whose it is and rename it"
    );
    let only =
        format!("only text typed into the page was submitted, which is not judged: see `{typed}`");
    assert_eq!(
        Reading::default().text(class.path()),
        [
            "layout: blackboard",
            "[Ada Lovelace]",
            "is: Ada Lovelace, Login ada",
            "note: of several attempts at `HW_1_ada`, the latest was graded: `2026-01-06-10-30-00`",
            "board: board.c=board.c",
            "count: my_count.c=my_count.c",
            &format!(
                "!{}: an earlier attempt: `2026-01-06-10-30-00` was submitted later",
                name("ada", "05", "_count.c")
            ),
            "[Bob]",
            "is: Bob, Login bob",
            "count: count.c=count.c",
            "[Cy]",
            "is: Cy, Login cy",
            &format!("fault: board: {only}"),
            &format!("fault: count: {only}"),
            &format!(
                "!{typed}: typed into the page instead of submitted as a file: not judged; save any program in it as a file"
            ),
            &format!("[{forged}]"),
            &format!("fault: board: {owners}"),
            &format!("fault: count: {owners}"),
        ]
    );
}

#[test]
fn brightspace() {
    let ada = "11-99 - Ada Lovelace - Jan 5, 2026 1030 PM";
    let later = "11-99 - Ada Lovelace - Jan 12, 2026 930 AM";
    let [bob, also_bob] =
        ["5 januari 2026 1030", "6 januari 2026 1030"].map(|date| format!("12-99 - Bob - {date}"));
    let sources = format!(
        "several submissions appear to be this student's: `{bob}`, `{also_bob}`; keep the one that counts and remove the others"
    );
    assert_eq!(
        read(&[
            &format!("{ada}/count.c"),
            &format!("{later}/board.c"),
            &format!("{bob}/count.c"),
            &format!("{also_bob}/count.c"),
            "index.html",
        ]),
        [
            "layout: brightspace",
            "[Ada Lovelace]",
            "is: Ada Lovelace",
            "note: of several attempts at `Ada Lovelace`, the latest was graded: `Jan 12, 2026 930 AM`",
            "board: board.c=board.c",
            &format!("!{ada}: an earlier attempt: `Jan 12, 2026 930 AM` was submitted later"),
            "[Bob]",
            "is: Bob",
            &format!("fault: board: {sources}"),
            &format!("fault: count: {sources}"),
            "class: index.html: a document",
        ]
    );
    assert_eq!(
        read(&[&format!("{ada} - count.c"), &format!("{ada} - board.c")]),
        [
            "layout: brightspace",
            "[Ada Lovelace]",
            "is: Ada Lovelace",
            "board: board.c=board.c",
            "count: count.c=count.c",
        ]
    );
}

#[test]
fn names_of_a_download_that_are_not_text_stay_apart() {
    let class = folder(&["\\xd5_1_assignsubmission_file/count.c"]);
    let name = OsStr::from_bytes(b"\xd5_2_assignsubmission_file");
    write(class.path().join(name).join("board.c"), b"");
    assert_eq!(
        Reading::default().text(class.path()),
        [
            "layout: moodle",
            "[\\xd5 (1)]",
            "is: \\xd5, Moodle 1",
            "count: count.c=count.c",
            "[\\xd5 (2)]",
            "is: \\xd5, Moodle 2",
            "board: board.c=board.c",
        ]
    );
}

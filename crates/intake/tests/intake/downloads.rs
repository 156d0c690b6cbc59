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
fn moodle_in_folders() {
    assert_eq!(
        read(&[
            "Ada Lovelace_12345_assignsubmission_file/count.c",
            "Ada Lovelace_12345_assignsubmission_file/board.c",
            "O'Brien \"Zoe\"_12346_assignsubmission_file_/count.c",
            "张 三_12347_assignsubmission_file/作业/cuont.c",
            "张 三_12347_assignsubmission_onlinetext/onlinetext.html",
            "grades.csv",
        ]),
        [
            "layout: moodle",
            "[Ada Lovelace]",
            "is: Ada Lovelace, Moodle 12345",
            "board: board.c=board.c",
            "count: count.c=count.c",
            "[O'Brien \"Zoe\"]",
            "is: O'Brien \"Zoe\", Moodle 12346",
            "count: count.c=count.c",
            "[张 三]",
            "is: 张 三, Moodle 12347",
            "fault: board: only text typed into the page was submitted, which is not judged: see `张 三_12347_assignsubmission_onlinetext`",
            "fault: count: only text typed into the page was submitted, which is not judged: see `张 三_12347_assignsubmission_onlinetext`",
            "!作业/cuont.c: `cuont.c` matches no problem; did you mean `count.c`?",
            "!张 三_12347_assignsubmission_onlinetext: typed into the page instead of submitted as a file: not judged; save any program in it as a file",
            "class: !grades.csv: its name does not say which student it belongs to",
        ]
    );
}

#[test]
fn moodle_flat() {
    assert_eq!(
        read(&[
            "Ada Lovelace_12345_assignsubmission_file_count.c",
            "Ada Lovelace_12345_assignsubmission_file_my_board.c",
            "Ada Lovelace_12345_assignsubmission_file_report.pdf",
            "张三_12347_assignsubmission_onlinetext_onlinetext.html",
        ]),
        [
            "layout: moodle",
            "[Ada Lovelace]",
            "is: Ada Lovelace, Moodle 12345",
            "board: my_board.c=my_board.c",
            "count: count.c=count.c",
            "report.pdf: a document",
            "[张三]",
            "is: 张三, Moodle 12347",
            "fault: board: only text typed into the page was submitted, which is not judged: see `张三_12347_assignsubmission_onlinetext_onlinetext.html`",
            "fault: count: only text typed into the page was submitted, which is not judged: see `张三_12347_assignsubmission_onlinetext_onlinetext.html`",
            "!张三_12347_assignsubmission_onlinetext_onlinetext.html: typed into the page instead of submitted as a file: not judged; save any program in it as a file",
        ]
    );
}

#[test]
fn moodle_where_names_are_hidden_or_shared() {
    assert_eq!(
        read(&[
            "Participant_7_assignsubmission_file_/count.c",
            "参与者 8_assignsubmission_file_/count.c",
            "王芳_10_assignsubmission_file/count.c",
            "王芳_9_assignsubmission_file/board.c",
        ]),
        [
            "layout: moodle",
            "[Participant 7]",
            "is: Moodle 7",
            "count: count.c=count.c",
            "[参与者 8]",
            "is: Moodle 8",
            "count: count.c=count.c",
            "[王芳 (9)]",
            "is: 王芳, Moodle 9",
            "board: board.c=board.c",
            "[王芳 (10)]",
            "is: 王芳, Moodle 10",
            "count: count.c=count.c",
        ]
    );
}

#[test]
fn moodle_with_archives() {
    let class = folder(&["张三_3_assignsubmission_file/note.txt"]);
    let write = |path: &str, bytes: &[u8]| write(class.path().join(path), bytes);
    write(
        "张三_3_assignsubmission_file/HW 1.ZIP",
        &zip(&["作业/count/count.c", "作业/board.c", "作业/report.pdf"]),
    );
    write(
        "李四_4_assignsubmission_file_hw.zip",
        &zip(&["count.c", "board.c"]),
    );
    write("王五_5_assignsubmission_file/hw.zip", b"PK\x03\x04damaged");
    write("王五_5_assignsubmission_file/count.c", b"");
    assert_eq!(
        Reading::default().text(class.path()),
        [
            "layout: moodle",
            "[张三]",
            "is: 张三, Moodle 3",
            "board: board.c=HW 1.ZIP/作业/board.c",
            "count: count.c=HW 1.ZIP/作业/count/count.c",
            "HW 1.ZIP/作业/report.pdf: a document",
            "note.txt: not a source file",
            "[李四]",
            "is: 李四, Moodle 4",
            "board: board.c=hw.zip/board.c",
            "count: count.c=hw.zip/count.c",
            "[王五]",
            "is: 王五, Moodle 5",
            "count: count.c=count.c",
            "fault: board: `hw.zip` is not unpacked: it is damaged or cut off",
            "!hw.zip: not unpacked: it is damaged or cut off",
        ]
    );
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
fn canvas() {
    assert_eq!(
        read(&[
            "doejane_1001_50_count.c",
            "doejane_1001_51_board-2.c",
            "doejane_1001_52_report.pdf",
            "liming_LATE_1002_60_my_count.py",
            "张三_1003_70_cuont.c",
            "o_brien_1004_80_count-1.c",
            "o_brien_1004_79_count.c",
            "wang_1005_text.html",
            "wang_1005_90_gray-1.c",
        ]),
        [
            "layout: canvas",
            "[doejane]",
            "is: doejane, Canvas 1001",
            "note: `board-2.c` was read as `board.c`: Canvas numbers attempts",
            "board: board.c=board-2.c",
            "count: count.c=count.c",
            "report.pdf: a document",
            "[liming]",
            "is: liming, Canvas 1002",
            "note: submitted late",
            "count: my_count.py=my_count.py",
            "[o_brien]",
            "is: o_brien, Canvas 1004",
            "note: of several attempts at `count.c`, the latest was graded: `count-1.c`",
            "count: count.c=count-1.c",
            "!o_brien_1004_79_count.c: an earlier attempt: `count-1.c` was submitted later",
            "[wang]",
            "is: wang, Canvas 1005",
            "fault: board: only text typed into the page was submitted, which is not judged: see `wang_1005_text.html`",
            "fault: count: only text typed into the page was submitted, which is not judged: see `wang_1005_text.html`",
            "!gray-1.c: `gray-1.c` matches no problem; expected a name like `count.c`, `board.c`",
            "!wang_1005_text.html: typed into the page instead of submitted as a file: not judged; save any program in it as a file",
            "[张三]",
            "is: 张三, Canvas 1003",
            "!cuont.c: `cuont.c` matches no problem; did you mean `count.c`?",
        ]
    );
}

#[test]
fn canvas_where_names_are_hidden_and_with_archives() {
    let class = folder(&[
        "anon_aB3xY_50_count.c",
        "LATE_anon_qqq11_51_count.c",
        "x.csv",
    ]);
    let write = |path: &str, bytes: &[u8]| write(class.path().join(path), bytes);
    write("doe_1002_60_hw.zip", &zip(&["count.c"]));
    write("doe_1002_61_hw-1.zip", &zip(&["board.c"]));
    write("roe_1003_62_lab-1.zip", &zip(&["count.c"]));
    write("roe_1003_63_lab-2.zip", &zip(&["board.c"]));
    assert_eq!(
        Reading::default().text(class.path()),
        [
            "layout: canvas",
            "[anon_aB3xY]",
            "count: count.c=count.c",
            "[anon_qqq11]",
            "note: submitted late",
            "count: count.c=count.c",
            "[doe]",
            "is: doe, Canvas 1002",
            "note: of several attempts at `hw.zip`, the latest was graded: `hw-1.zip`",
            "board: board.c=hw-1.zip/board.c",
            "!doe_1002_60_hw.zip: an earlier attempt: `hw-1.zip` was submitted later",
            "[roe]",
            "is: roe, Canvas 1003",
            "board: board.c=lab-2.zip/board.c",
            "count: count.c=lab-1.zip/count.c",
            "class: !x.csv: its name does not say which student it belongs to",
        ]
    );
}

#[test]
fn gradescope() {
    let class = folder(&[
        "assignment_5_export/submission_101/count.c",
        "assignment_5_export/submission_102/src/board.c",
        "assignment_5_export/submission_103/count.c",
        "assignment_5_export/submission_104/count.c",
    ]);
    write(
        class.path().join("assignment_5_export/submission_metadata.yml"),
        "---\nsubmission_101:\n  :submitters:\n  - :name: 张三\n    :sid: '007'\n    :email: z@example.org\n  :score: 2.0\n\
         submission_102:\n  :submitters:\n  - :name: Ada\n    :email: a@example.org\n  - :name: Bob\n\
         submission_103:\n  :submitters:\n  - :name: Ada\n"
            .as_bytes(),
    );
    assert_eq!(
        Reading::default().text(class.path()),
        [
            "layout: gradescope",
            "[Ada (102)]",
            "is: Ada, a@example.org, Gradescope 102",
            "note: submitted together with Bob",
            "board: board.c=src/board.c",
            "[Ada (103)]",
            "is: Ada, Gradescope 103",
            "count: count.c=count.c",
            "[Bob]",
            "is: Bob, Gradescope 102",
            "note: submitted together with Ada",
            "board: board.c=src/board.c",
            "[submission_104]",
            "is: Gradescope 104",
            "note: `submission_metadata.yml` does not name the student",
            "count: count.c=count.c",
            "[张三]",
            "is: 张三, z@example.org, Sis 007, Gradescope 101",
            "count: count.c=count.c",
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
        [
            "layout: github",
            "[hw1-ada]",
            "note: the name of the folder does not contain a GitHub username",
            "count: count.c=count.c",
        ]
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
            "note: submitted together with 张三",
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
            grader_lms::Layout::known()
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
    let forged = name(
        "eve",
        "05",
        &format!("_x_bob_attempt_2026-01-06-10-30-00_count.c"),
    );
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
            "count: count.c=count.c",
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
fn a_few_names_of_a_form_make_no_download() {
    assert_eq!(
        read(&[
            "Ada_1_assignsubmission_file/count.c",
            "s1/count.c",
            "s2/board.c",
        ]),
        [
            "layout: folders",
            "[Ada_1_assignsubmission_file]",
            "count: count.c=count.c",
            "[s1]",
            "count: count.c=count.c",
            "[s2]",
            "board: board.c=board.c",
        ]
    );
    assert_eq!(
        read_as(
            Layout::Moodle,
            &[
                "Ada_1_assignsubmission_file/count.c",
                "s1/count.c",
                "s2/board.c"
            ]
        ),
        [
            "layout: moodle",
            "[Ada]",
            "is: Ada, Moodle 1",
            "count: count.c=count.c",
            "class: !s1: its name does not say which student it belongs to",
            "class: !s2: its name does not say which student it belongs to",
        ]
    );
    assert_eq!(
        read_as(Layout::Canvas, &["s1/count.c"]),
        ["expected a download from Canvas, but nothing in `CLASS` looks like it"]
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

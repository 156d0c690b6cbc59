//! Classes that look like something else at first sight: nobody's work may become somebody else's.

use grader_lms::Roster;

use tempfile::TempDir;

use crate::harness::{Reading, folder, tar, write, zip, zip_of};

fn packed(files: &[(&str, &[u8])]) -> Vec<String> {
    let folder = folder(&[]);
    let path = folder.path().join("hw3.zip");
    write(&path, &zip_of(files));
    Reading::default().text(&path)
}

/// Why points are open where these are one student's.
fn several(entries: &[&str]) -> String {
    let entries: Vec<String> = entries.iter().map(|entry| format!("`{entry}`")).collect();
    format!(
        "several submissions appear to be this student's: {}; keep the one that counts and remove the others",
        entries.join(", ")
    )
}

/// A student with all points open.
fn open(id: &str, is: Option<&str>, why: &str) -> Vec<String> {
    let mut lines = vec![format!("[{id}]")];
    lines.extend(is.map(|is| format!("is: {is}")));
    lines.extend(["board", "count"].map(|problem| format!("fault: {problem}: {why}")));
    lines
}

fn class(layout: &str, students: &[Vec<String>]) -> Vec<String> {
    [&[vec![format!("layout: {layout}")]], students]
        .concat()
        .concat()
}

fn graded(id: &str, is: &str, works: &[&str]) -> Vec<String> {
    let mut lines = vec![format!("[{id}]"), format!("is: {is}")];
    lines.extend(works.iter().map(|work| (*work).to_owned()));
    lines
}

fn read(files: &[&str]) -> Vec<String> {
    Reading::default().text(folder(files).path())
}

#[test]
fn a_full_name_that_holds_anothers_name_at_moodle_replaces_nobody() {
    let unclear = |entry: &str| {
        format!("`{entry}` could belong to more than one student: decide whose it is and rename it")
    };
    let alice = graded("Alice", "Alice, Moodle 111", &["count: count.c=count.c"]);
    let bob = graded("Bob", "Bob, Moodle 333", &["board: board.c=board.c"]);
    for hostile in [
        // The full name of participant 222.
        "Alice_111_assignsubmission_file_x_222_assignsubmission_file_",
        "Alice_111_assignsubmission_file_222_assignsubmission_file",
        "Alice_111_assignsubmission_onlinetext_222_assignsubmission_file_",
    ] {
        assert_eq!(
            read(&[
                "Alice_111_assignsubmission_file_/count.c",
                "Bob_333_assignsubmission_file_/board.c",
                &format!("{hostile}/count.c"),
                &format!("{hostile}/board.c"),
            ]),
            class(
                "moodle",
                &[
                    alice.clone(),
                    open(hostile, None, &unclear(hostile)),
                    bob.clone()
                ]
            )
        );
    }
    // The full name of one, and the name of another's file: which, nobody can tell.
    for hostile in [
        "Alice_111_assignsubmission_file_x_222_assignsubmission_file_count.c",
        "Mallory_222_assignsubmission_file_x_111_assignsubmission_file_count.c",
    ] {
        let mallory = open(hostile, None, &unclear(hostile));
        let mut students = [alice.clone(), bob.clone(), mallory];
        students.sort();
        assert_eq!(
            read(&[
                "Alice_111_assignsubmission_file_count.c",
                "Bob_333_assignsubmission_file_board.c",
                hostile,
            ]),
            class("moodle", &students)
        );
    }
}

#[test]
fn a_name_that_may_be_anothers_is_nobodys_of_the_roster() {
    let place = folder(&[]);
    let path = place.path().join("roster.csv");
    write(&path, b"id,name\nalice,Alice\nmallory,Mallory\n");
    let reading = Reading {
        roster: Some(Roster::read(&path).unwrap()),
        ..Reading::default()
    };
    let hostile = "Alice_111_assignsubmission_file_x_222_assignsubmission_file_";
    let class = folder(&[
        "Alice_111_assignsubmission_file_/count.c",
        &format!("{hostile}/count.c"),
    ]);
    let text = reading.text(class.path());
    let alice = [
        "layout: moodle",
        "[alice]",
        "is: Alice, Moodle 111",
        "count: count.c=count.c",
    ];
    assert_eq!(text[..4], alice);
    // What she submitted may be there.
    let mallory = text.iter().position(|line| line == "[mallory]").unwrap();
    assert_eq!(
        text[mallory + 3],
        format!(
            "fault: board: perhaps submitted under another name: `{hostile}`; correct the roster or the name, or remove what is nobody's"
        )
    );
}

#[test]
fn two_sources_of_one_participant_of_moodle_are_left_open() {
    for [one, other] in [
        [
            "Ada_1_assignsubmission_file/count.c",
            "Ada_1_assignsubmission_file_/count.c",
        ],
        [
            "Ada_1_assignsubmission_file_/count.c",
            "Ada_1_assignsubmission_file_count.c",
        ],
    ] {
        let entry = |path: &str| path.split('/').next().unwrap().to_owned();
        let why = several(&[&entry(one), &entry(other)]);
        let bob = graded("Bob", "Bob, Moodle 2", &["count: count.c=count.c"]);
        assert_eq!(
            read(&[one, other, "Bob_2_assignsubmission_file_/count.c"]),
            class("moodle", &[open("Ada", Some("Ada, Moodle 1"), &why), bob])
        );
    }
    // Two names, one number.
    let [ada, eve] = [
        "Ada_1_assignsubmission_file_",
        "Eve_1_assignsubmission_file_",
    ];
    let why = several(&[ada, eve]);
    assert_eq!(
        read(&[&format!("{ada}/count.c"), &format!("{eve}/count.c")]),
        class(
            "moodle",
            &[
                open("Ada", Some("Ada, Moodle 1"), &why),
                open("Eve", Some("Eve, Moodle 1"), &why),
            ]
        )
    );
    // A text in the page and a file beside it are one submission.
    assert_eq!(
        read(&[
            "Ada_1_assignsubmission_file_/count.c",
            "Ada_1_assignsubmission_onlinetext_/onlinetext.html",
        ])[..4],
        [
            "layout: moodle",
            "[Ada]",
            "is: Ada, Moodle 1",
            "count: count.c=count.c"
        ]
    );
}

#[test]
fn a_name_that_holds_anothers_number_at_canvas_replaces_nobody() {
    // The sortable names of user 1002 are `alice_1001_` and `alice_1001_77`.
    for hostile in [
        "alice_1001__1002_345_count.c",
        "alice_1001_777_1002_345_count.c",
        "alice_1001__1002_345_work.zip",
    ] {
        let why = several(&["alice_1001_340_count.c", hostile]);
        assert_eq!(
            read(&["alice_1001_340_count.c", "bob_1003_346_board.c", hostile]),
            class(
                "canvas",
                &[
                    open("alice", Some("alice, Canvas 1001"), &why),
                    graded("bob", "bob, Canvas 1003", &["board: board.c=board.c"]),
                ]
            )
        );
    }
    // Files that students number themselves are theirs.
    assert_eq!(
        read(&[
            "alice_1001_340_hw_3_1_count.c",
            "alice_1001_341_board.c",
            "bob_1003_346_20261234_count.c",
        ]),
        class(
            "canvas",
            &[
                graded(
                    "alice",
                    "alice, Canvas 1001",
                    &[
                        "board: board.c=board.c",
                        "count: hw_3_1_count.c=hw_3_1_count.c"
                    ]
                ),
                graded(
                    "bob",
                    "bob, Canvas 1003",
                    &["count: 20261234_count.c=20261234_count.c"]
                ),
            ]
        )
    );
}

#[test]
fn two_sources_of_one_student_elsewhere_are_left_open() {
    let zipped = |class: &TempDir, name: &str| write(class.path().join(name), &zip(&["count.c"]));
    let archives = folder(&[]);
    for name in ["ada.zip", "bob.zip"] {
        zipped(&archives, name);
    }
    write(archives.path().join("ada.tar"), &tar(&["count.c"]));
    let bob = ["[bob]", "count: count.c=count.c"]
        .map(str::to_owned)
        .to_vec();
    assert_eq!(
        Reading::default().text(archives.path()),
        class(
            "archives",
            &[
                open("ada", None, &several(&["ada.tar", "ada.zip"])),
                bob.clone()
            ]
        )
    );

    let names = ["Jose\u{301}", "José"];
    let folders = folder(
        &names
            .map(|name| format!("{name}/count.c"))
            .each_ref()
            .map(String::as_str),
    );
    assert_eq!(
        Reading::default().text(folders.path()),
        class("folders", &[open("José", None, &several(&names))])
    );

    let clones = folder(&["hw1-ada/.git/HEAD", "hw1-bob/.git/HEAD", "hw1-ada/count.c"]);
    zipped(&clones, "hw1-ada.zip");
    let text = Reading::default().text(clones.path());
    let ada = open(
        "ada",
        Some("Github ada"),
        &several(&["hw1-ada", "hw1-ada.zip"]),
    );
    assert_eq!(text[..5], class("github", &[ada]));
    assert_eq!(text[5], "[bob]");

    let export = folder(&[
        "submission_1/count.c",
        "submission_2/count.c",
        "submission_3/count.c",
        "submission_4/count.c",
    ]);
    zipped(&export, "submission_4.zip");
    write(
        export.path().join("submission_metadata.yml"),
        b"submission_1:\n  :submitters:\n  - :name: Ada\n    :email: a@example.org\n\
          submission_2:\n  :submitters:\n  - :name: Ada L\n    :email: A@example.org\n\
          submission_3:\n  :submitters:\n  - :name: Bob\n    :email: b@example.org\n",
    );
    let both = several(&["submission_1", "submission_2"]);
    assert_eq!(
        Reading::default().text(export.path()),
        class(
            "gradescope",
            &[
                open("Ada", Some("Ada, a@example.org, Gradescope 1"), &both),
                open("Ada L", Some("Ada L, A@example.org, Gradescope 2"), &both),
                graded(
                    "Bob",
                    "Bob, b@example.org, Gradescope 3",
                    &["count: count.c=count.c"]
                ),
                vec![
                    "[submission_4]".to_owned(),
                    "is: Gradescope 4".to_owned(),
                    "note: `submission_metadata.yml` does not name the student".to_owned(),
                ],
                open("", None, &several(&["submission_4", "submission_4.zip"]))[1..].to_vec(),
            ]
        )
    );
}

#[test]
fn a_stray_file_does_not_make_a_packed_class_one_student() {
    let expected = |stray: &str| {
        [
            "layout: folders",
            "[s1]",
            "count: count.c=count.c",
            "[s2]",
            "board: board.c=board.c",
            &format!("class: !{stray}: not in any student's folder"),
        ]
        .map(str::to_owned)
    };
    let students: [(&str, &[u8]); 2] = [("hw3/s1/count.c", b"1"), ("hw3/s2/board.c", b"2")];
    let within = [students.as_slice(), &[("hw3/README", b"")]].concat();
    assert_eq!(packed(&within), expected("README"));
    let beside = [students.as_slice(), &[("roster.csv", b"")]].concat();
    assert_eq!(packed(&beside), expected("roster.csv"));
}

#[test]
fn archives_named_as_one_problem_are_several_students() {
    let [ada, bob] = ["count.c", "count.c"].map(|name| zip(&[name]));
    assert_eq!(
        packed(&[("hw3/ada-count.zip", &ada), ("hw3/bob-count.zip", &bob)]),
        [
            "layout: archives",
            "[ada-count]",
            "count: count.c=count.c",
            "[bob-count]",
            "count: count.c=count.c",
        ]
    );
    // One for each problem, beside a source: that is how a student packs.
    assert_eq!(
        packed(&[
            ("ada/count.zip", &ada),
            ("ada/board.c", b""),
            ("ada/old/x", b"")
        ]),
        [
            "layout: folders",
            "[ada]",
            "board: board.c=board.c",
            "count: count.c=count.zip/count.c",
            "old/x: not a source file",
        ]
    );
}

//! Classes that look like something else at first sight: nobody's work may become somebody else's.

use grader_intake::Roster;

use crate::harness::{Reading, folder, write, zip, zip_of};

fn packed(files: &[(&str, &[u8])]) -> Vec<String> {
    let folder = folder(&[]);
    let path = folder.path().join("hw3.zip");
    write(&path, &zip_of(files));
    Reading::default().text(&path)
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
            &format!("class: !{stray}: lies beside the students' folders, in none of them"),
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

#[test]
fn numbers_of_classes_are_not_users_of_canvas() {
    let read = |names: &[&str]| {
        let class = folder(&[]);
        for name in names {
            write(class.path().join(name), &zip(&["count.c"]));
        }
        Reading::default().text(class.path())
    };
    assert_eq!(
        read(&[
            "hw_101_01_ada.zip",
            "hw_101_02_bob.zip",
            "hw_102_01_张三.zip"
        ]),
        [
            "layout: archives",
            "[hw_101_01_ada]",
            "count: count.c=count.c",
            "[hw_101_02_bob]",
            "count: count.c=count.c",
            "[hw_102_01_张三]",
            "count: count.c=count.c",
        ]
    );
    assert_eq!(
        read(&["ada_101_01_hw.zip", "bob_101_02_hw.zip"]),
        [
            "layout: archives",
            "[ada_101_01_hw]",
            "count: count.c=count.c",
            "[bob_101_02_hw]",
            "count: count.c=count.c",
        ]
    );
}

#[test]
fn users_of_canvas_with_one_number_stay_apart_when_it_is_asked_for() {
    let class = folder(&["ada_101_1_count.c", "bob_101_2_count.c"]);
    let reading = Reading {
        layout: Some(grader_intake::Layout::Canvas),
        ..Reading::default()
    };
    assert_eq!(
        reading.text(class.path()),
        [
            "layout: canvas",
            "[ada]",
            "is: ada, Canvas 101",
            "count: count.c=count.c",
            "[bob]",
            "is: bob, Canvas 101",
            "count: count.c=count.c",
        ]
    );
}

#[test]
fn clones_are_found_by_the_whole_of_their_names_too() {
    let place = folder(&[]);
    let path = place.path().join("roster.csv");
    write(&path, b"id,name,sis\n2023-0001,Ada,7\n2023-0002,Bob,8\n");
    let reading = Reading {
        roster: Some(Roster::read(&path).unwrap()),
        ..Reading::default()
    };
    let class = folder(&[
        "2023-0001/.git/HEAD",
        "2023-0001/count.c",
        "2023-0002/.git/HEAD",
        "2023-0002/board.c",
    ]);
    assert_eq!(
        reading.text(class.path()),
        [
            "layout: github",
            "[2023-0001]",
            "is: Ada, Sis 7",
            "count: count.c=count.c",
            ".git: history of versions",
            "[2023-0002]",
            "is: Bob, Sis 8",
            "board: board.c=board.c",
            ".git: history of versions",
        ]
    );
}

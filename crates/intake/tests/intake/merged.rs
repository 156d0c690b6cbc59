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

#[test]
fn what_refuses_one_student_below_a_top_folder_refuses_nobody_else() {
    let bob = "in `hw3.zip`: `hw3/bob` is not unpacked: `hw3/bob/Count.c` and `hw3/bob/count.c` are one name on many computers";
    assert_eq!(
        packed(&[
            ("hw3/ada/count.c", b""),
            ("hw3/bob/Count.c", b""),
            ("hw3/bob/count.c", b""),
            ("hw3/LI/count.c", b""),
            ("hw3/Li/count.c", b""),
        ]),
        [
            "layout: folders",
            "[ada]",
            "count: count.c=count.c",
            "[bob]",
            &format!("fault: board: {bob}"),
            &format!("fault: count: {bob}"),
            &format!("!.: {bob}"),
            "[LI]",
            "count: count.c=count.c",
            "[Li]",
            "count: count.c=count.c",
        ]
    );
    // Of one student's archive parts are refused, and the student is not.
    let count = "in `hw3.zip`: `ada/count` is not unpacked: `ada/count/A.c` and `ada/count/a.c` are one name on many computers";
    assert_eq!(
        packed(&[
            ("ada/board.c", b""),
            ("ada/count/A.c", b""),
            ("ada/count/a.c", b""),
        ]),
        [
            "layout: folders",
            "[ada]",
            "board: board.c=board.c",
            &format!("fault: count: {count}"),
            &format!("!.: {count}"),
        ]
    );
    // All of it lay in what was refused.
    let path = format!("hw3/{}x.c", "d/".repeat(20));
    assert_eq!(
        packed(&[(&path, b"")]),
        [format!(
            "cannot read the class `CLASS`: in `hw3.zip`: `{path}` is not unpacked: `{path}` lies more than 16 folders deep"
        )]
    );
}

#[test]
fn an_archive_that_is_refused_is_the_students_of_its_name() {
    let bomb = vec![0; 2 << 20];
    let archive = {
        let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        let deflated = zip::write::SimpleFileOptions::default();
        zip.start_file("s1.zip", deflated).unwrap();
        std::io::Write::write_all(&mut zip, &bomb).unwrap();
        zip.start_file("s2/count.c", deflated).unwrap();
        zip.finish().unwrap().into_inner()
    };
    let place = folder(&[]);
    let roster = place.path().join("roster.csv");
    write(&roster, b"id\ns1\ns2\n");
    let reading = Reading {
        roster: Some(Roster::read(&roster).unwrap()),
        ..Reading::default()
    };
    let path = place.path().join("class.zip");
    write(&path, &archive);
    let bomb = "in `class.zip`: `s1.zip` is not unpacked: `s1.zip` is more than 200 times as large as it is packed: a bomb";
    assert_eq!(
        reading.text(&path),
        [
            "layout: folders",
            "[s1]",
            "is: ",
            &format!("fault: board: {bomb}"),
            &format!("fault: count: {bomb}"),
            &format!("!.: {bomb}"),
            "[s2]",
            "is: ",
            "count: count.c=count.c",
        ]
    );
}

#[test]
fn a_name_too_long_for_this_system_costs_nobody_elses_work() {
    let long = |end: &str| format!("张三_1_assignsubmission_file_{}{end}.c", "文".repeat(90));
    let fault = |end| {
        let shown: String = long(end).chars().take(120).collect();
        let shown = if long(end).chars().count() > 120 {
            format!("{shown}…")
        } else {
            shown
        };
        let bytes = long(end).len();
        format!(
            "in `hw3.zip`: `{shown}` is not unpacked: `{shown}` is too long a name: {bytes} bytes, at most 255"
        )
    };
    let (one, two) = (long("1"), long("2"));
    assert_eq!(
        packed(&[
            (&one, b""),
            (&two, b""),
            ("李四_2_assignsubmission_file_count.c", b"")
        ]),
        [
            "layout: moodle",
            "[张三]",
            "is: 张三, Moodle 1",
            &format!("fault: board: {}", fault("1")),
            &format!("fault: count: {}", fault("1")),
            &format!("!.: {}", fault("1")),
            &format!("!.: {}", fault("2")),
            "[李四]",
            "is: 李四, Moodle 2",
            "count: count.c=count.c",
        ]
    );
}

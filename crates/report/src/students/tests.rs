use std::collections::BTreeSet;

use super::*;
use crate::sample::class;

#[test]
fn every_id_has_a_file_of_its_own_in_the_folder() {
    let long = "x".repeat(300);
    let names = [
        ("s01", "s01.txt"),
        ("李雷", "李雷.txt"),
        ("ann.lee@example.edu", "ann.lee@example.edu.txt"),
        ("a_b-c", "a_b-c.txt"),
        ("..", "%2E..txt"),
        ("a/b", "a%2Fb.txt"),
        ("a\\b", "a%5Cb.txt"),
        ("a%2Fb", "a%252Fb.txt"),
        ("", "%%e3b0c44298fc1c14.txt"),
        ("-rf", "%2Drf.txt"),
        ("\u{202e}txt", "%E2%80%AEtxt.txt"),
        (&long, "xxxxxxxxxxxxxxxxxxxxxxxxx%%0d4e2ca9e9cbced7.txt"),
    ];
    for (id, name) in &names {
        assert_eq!(file_stem(id) + ".txt", *name);
    }
    let names = names.map(|(_, name)| name);
    assert_eq!(BTreeSet::from(names).len(), names.len());
}

#[test]
fn a_folder_gets_a_file_for_each_student_and_keeps_what_was_in_it() {
    let results = class();
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("reports");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("notes.txt"), "mine").unwrap();
    fs::write(folder.join("s01.txt"), "old").unwrap();
    let style = Style {
        color: true,
        ..Style::default()
    };
    write_student_files(&folder, &results, &style).unwrap();
    let mut names: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let expected = [
        "notes.txt",
        "s01.txt",
        "s02.txt",
        "s03.txt",
        "s10.txt",
        "s11.txt",
        "李雷.txt",
    ];
    assert_eq!(names, expected);
    assert_eq!(fs::read(folder.join("notes.txt")).unwrap(), b"mine");
    for student in &results.students {
        let text = fs::read_to_string(folder.join(format!("{}.txt", student.id))).unwrap();
        assert_eq!(text, student_report(&results, student, &style));
        assert!(
            !text.contains("14200") && !text.contains("suspiciously") && !text.contains('\x1b')
        );
    }
    write_student_files(&folder.join("notes.txt"), &results, &style).unwrap_err();
}

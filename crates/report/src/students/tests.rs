use super::*;
use crate::fill::tests::class;

fn named(ids: &[&str]) -> Vec<String> {
    names(ids.iter().copied())
}

#[test]
fn a_plain_id_is_the_name_of_its_file() {
    assert_eq!(
        named(&["s01", "李雷", "ann.lee@example.edu", "a_b-c"]),
        [
            "s01.txt",
            "李雷.txt",
            "ann.lee@example.edu.txt",
            "a_b-c.txt"
        ]
    );
}

#[test]
fn hostile_ids_are_files_of_the_folder_and_of_nobody_else() {
    let long = "x".repeat(300);
    let ids = [
        "..",
        "../../etc/passwd",
        "a/b",
        "a_b",
        "a\\b",
        "Bob",
        "bob",
        "CON",
        "lpt1.x",
        "",
        ".hidden",
        "-rf",
        "a b",
        "\u{202e}txt",
        "s\u{301}",
        long.as_str(),
    ];
    let names = named(&ids);
    let lower: BTreeSet<String> = names.iter().map(|name| name.to_lowercase()).collect();
    assert_eq!(lower.len(), ids.len());
    for name in &names {
        let inner = Path::new(name).components().count() == 1;
        assert!(
            inner && !name.starts_with(['.', '-']) && name.len() < 160,
            "{name}"
        );
        assert!(
            name.chars()
                .all(|c| c.is_alphanumeric() || "._-".contains(c)),
            "{name}"
        );
    }
    assert_eq!(names[3], "a_b.txt");
    assert_eq!(names[2], "a_b-e620c3190468cf61.txt");
    // A name is of the id alone: whoever else is in the class, it stays.
    assert_eq!(named(&["a/b"]), names[2..3]);
}

#[test]
fn an_id_that_looks_like_a_name_of_ours_gets_another() {
    let hashed = named(&["a/b"]).remove(0);
    let stem = hashed.trim_end_matches(".txt").to_owned();
    assert_eq!(named(&["a/b", &stem]), [hashed, format!("{stem}-2.txt")]);
}

#[test]
fn each_student_has_what_they_may_see() {
    let results = class();
    let style = Style {
        color: true,
        ..Style::default()
    };
    let files: Vec<StudentFile> = student_files(&results, &style).collect();
    let mut reports = OwnReports::new(&results, &Style::default());
    assert_eq!(files.len(), results.students.len());
    for (file, student) in files.iter().zip(&results.students) {
        assert_eq!(file.student, student.id);
        assert_eq!(file.name, format!("{}.txt", student.id));
        let text = String::from_utf8(file.bytes.clone()).unwrap();
        assert_eq!(text, reports.of(student));
        assert!(text.starts_with(student.id.as_str()));
        assert!(
            !text.contains("14200") && !text.contains("suspiciously") && !text.contains('\x1b')
        );
        for other in results
            .students
            .iter()
            .filter(|other| other.id != student.id)
        {
            assert!(!text.contains(&format!("{}: ", other.id)));
        }
    }
}

#[test]
fn a_folder_keeps_what_was_in_it() {
    let results = class();
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("reports");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("notes.txt"), "mine").unwrap();
    fs::write(folder.join("s01.txt"), "old").unwrap();
    let style = Style::default();
    assert_eq!(write_student_files(&folder, &results, &style).unwrap(), 6);
    let mut names: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(
        names,
        [
            "notes.txt",
            "s01.txt",
            "s02.txt",
            "s03.txt",
            "s10.txt",
            "s11.txt",
            "李雷.txt"
        ]
    );
    assert_eq!(fs::read(folder.join("notes.txt")).unwrap(), b"mine");
    let first = student_files(&results, &style).next().unwrap();
    assert_eq!(fs::read(folder.join("s01.txt")).unwrap(), first.bytes);
    let error = write_student_files(&folder.join("notes.txt"), &results, &style).unwrap_err();
    assert_eq!(error.step, WriteStep::Create);
}

use grader_model::{Lang, StudentId, System, Text};

use super::*;
use crate::sample::class;
use crate::style::safe;
use crate::{MarkdownOptions, write_csv, write_markdown};

#[test]
fn an_id_that_every_file_system_takes_is_the_name_of_its_file() {
    for id in ["s01", "PB2023", "李雷", "ann.lee@example.edu", "a_b-c"] {
        assert_eq!(file_name(id, true), format!("{id}.txt"));
    }
    assert_eq!(file_name("a/b", true), "a_b_e620c3190468cf61.txt");
}

#[test]
fn hostile_ids_are_different_files_in_the_folder() {
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
        "con",
        "lpt1.x",
        "",
        ".hidden",
        "-rf",
        "a b",
        "\u{202e}txt",
        "s\u{301}",
        &long,
    ];
    let mut seen = BTreeSet::new();
    let names = ids
        .iter()
        .map(|id| file_name(id, seen.insert(id.to_lowercase())).to_lowercase());
    let names: BTreeSet<String> = names.collect();
    assert_eq!(names.len(), ids.len());
    for name in &names {
        assert!(!name.starts_with(['.', '-']) && name.len() < 160, "{name}");
        let is_plain = |c: char| c.is_alphanumeric() || "._-".contains(c);
        assert!(name.chars().all(is_plain), "{name}");
        assert!(!is_device(name.trim_end_matches(".txt")), "{name}");
    }
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
    let error = write_student_files(&folder.join("notes.txt"), &results, &style).unwrap_err();
    assert_eq!(error.step, WriteStep::Create);
}

const HOSTILE: &str = " \u{1b}[2J\u{7}\u{202e}\u{2060}\u{9b}31m\r\n\t\u{200b}\0";

#[test]
fn nothing_that_is_not_seen_gets_into_any_table() {
    let mut results = class();
    for student in &mut results.students {
        student.id = StudentId::new(format!("{}{HOSTILE}", student.id));
        student.notes = vec![Text::plain(HOSTILE)];
        if let Some(person) = &mut student.person {
            person.name = Some(format!("x{HOSTILE}"));
            person.email = Some(HOSTILE.to_owned());
            person.ids.insert(System::Sis, HOSTILE.to_owned());
            person.ids.insert(System::Login, HOSTILE.to_owned());
        }
    }
    results.assignment.title = Text::plain(HOSTILE);
    let style = Style::default();
    let mut pages: Vec<Vec<u8>> = vec![Vec::new(); 2];
    write_csv(&results, Audience::Staff, Lang::En, &mut pages[0]).unwrap();
    let markdown = MarkdownOptions::default();
    write_markdown(&results, Audience::Staff, &markdown, &mut pages[1]).unwrap();
    for student in &results.students {
        let name = file_name(student.id.as_str(), true);
        assert_eq!(safe(&name), name);
        pages.push(student_report(&results, student, &style).into_bytes());
    }
    assert_eq!(pages.len(), 2 + 6);
    for page in pages {
        let page = String::from_utf8(page).unwrap();
        for line in page.trim_start_matches('\u{feff}').lines() {
            assert_eq!(safe(line), line);
        }
    }
}

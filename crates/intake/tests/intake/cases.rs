//! Classes as text: the files of each, and what is read.

use grader_lms::{Layout, Roster, Teams};
use grader_model::ProblemId;
use grader_problem::{Assignment, Correction};

use crate::harness::{
    Reading, assignment, folder, gzip, tar, with_outputs, with_tests, write, zip,
};

/// One class.
///
/// ```text
/// == title
/// -- layout            if it is asked for
/// -- roster            a CSV file, if there is one
/// -- groups            another, if there are teams
/// -- assigned          files that a person assigned: student, problem, path
/// -- files             each holds its own path, or what stands after ` <= `
/// -- read              the class as text
/// ```
fn check(case: &str, assignment: Assignment) {
    let (title, rest) = case.split_once('\n').unwrap();
    let part = |name: &str| {
        let (_, part) = rest.split_once(&format!("-- {name}\n"))?;
        Some(part.split("\n-- ").next().unwrap().trim_end())
    };
    let class = folder(&[]);
    for line in part("files").unwrap().lines() {
        let (path, content) = line.split_once(" <= ").unwrap_or((line, line));
        write(class.path().join(path), &bytes(content));
    }
    let place = folder(&[]);
    let table = |name: &str| {
        let path = place.path().join(name);
        write(&path, part(name)?.as_bytes());
        Some(path)
    };
    let roster = table("roster").map(|path| Roster::read(&path).unwrap());
    let teams = table("groups").map(|path| Teams::read(&path, roster.as_ref()));
    let teams = match teams.transpose() {
        Ok(teams) => teams,
        Err(error) => {
            let folder = format!("{}/", place.path().display());
            let error = error.to_string().replace(&folder, "");
            assert_eq!(error, part("read").unwrap(), "{title}");
            return;
        }
    };
    let layouts = [Layout::Canvas, Layout::Github, Layout::Moodle];
    let asked = |layout: &Layout| part("layout") == Some(layout.word());
    let layout = layouts.into_iter().find(asked);
    assert_eq!(layout.is_some(), part("layout").is_some(), "{title}");
    let corrections = part("assigned").into_iter().flat_map(str::lines);
    let corrections = corrections.map(|line| {
        let words: Vec<&str> = line.splitn(3, ' ').collect();
        Correction {
            student: words[0].to_owned(),
            problem: Some(ProblemId::new(words[1])),
            file: Some(words[2].to_owned()),
            ..Correction::default()
        }
    });
    let reading = Reading {
        layout,
        roster,
        teams,
        corrections: corrections.collect(),
        assignment: Some(assignment),
    };
    let read = reading.text(class.path()).join("\n");
    let read = read.replace(&format!("{}/", place.path().display()), "");
    let known = format!("expected {}", Layout::known().en);
    assert_eq!(
        read.replace(&known, "KNOWN"),
        part("read").unwrap(),
        "{title}"
    );
}

/// `zip a b`, `tar a b` and `tar.gz a b` are archives of such files, `rar` begins as one, `9 bytes` are blanks; other text is itself.
fn bytes(content: &str) -> Vec<u8> {
    let (format, files) = content.split_once(' ').unwrap_or((content, ""));
    let files: Vec<&str> = files.split(' ').collect();
    match format {
        "zip" => zip(&files),
        "tar" => tar(&files),
        "tar.gz" => gzip(&tar(&files)),
        "rar" => b"Rar!\x1a\x07\x01\0".to_vec(),
        count if files == ["bytes"] => vec![b' '; count.parse().unwrap()],
        _ => content.replace("\\n", "\n").into_bytes(),
    }
}

fn check_all(cases: &str) {
    check_each(cases, assignment);
}

fn check_each(cases: &str, assignment: fn() -> Assignment) {
    let cases = cases.strip_prefix("== ").unwrap();
    for case in cases.split("\n== ") {
        check(case, assignment());
    }
}

#[test]
fn reads_output_files() {
    check_each(include_str!("outputs.txt"), with_outputs);
}

#[test]
fn reads_tests() {
    check_each(include_str!("tests.txt"), with_tests);
}

#[test]
fn reads_folders_of_students() {
    check_all(include_str!("folders.txt"));
}

#[test]
fn reads_downloads_of_course_systems() {
    check_all(include_str!("downloads.txt"));
}

#[test]
fn reads_classes_with_a_roster() {
    check_all(include_str!("rosters.txt"));
}

#[test]
fn reads_classes_with_teams() {
    check_all(include_str!("teams.txt"));
}

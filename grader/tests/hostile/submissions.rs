//! The table, graded.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::room::{Room, problem, student};
use crate::row::{Row, Speech, Task, Work};
use crate::station::Station;
use crate::table::{rows, rows_of_limits, untried};
use crate::{alone, rounds, skipped};

/// So long is the input of [`Task::Input`]: more than its limit of memory.
const INPUT: usize = 96 << 20;

/// Where the sources are.
fn programs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile/programs")
}

/// The text of a program, with the folder that it reaches for in place.
fn text(room: &Room<'_>, file: &str) -> String {
    let path = programs().join(file);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("`{file}`: {error}"));
    text.replace("@HOST@", room.path("outside").to_str().unwrap())
}

/// Writes the problem file of a task.
pub(crate) fn add(room: &Room<'_>, task: Task) {
    let id = task.id();
    let [mark, folder, tcp, udp] = room.outside.arguments();
    let more = if task == Task::File {
        "output-file = \"answer.txt\"\n"
    } else {
        ""
    };
    let compiler = if task == Task::Build { "1 s" } else { "20 s" };
    let limits = match task {
        Task::Jvm => {
            "time = \"3 s\"\nwall = \"60 s\"\nprocesses = 64\nmemory = \"192 MiB\"\n[limits.languages.java]\ntime-factor = 1\n"
        }
        Task::Sleep => "time = \"500 ms\"\nwall = \"1 s\"\n",
        Task::Plain | Task::Build | Task::File | Task::Input => {
            "time = \"500 ms\"\nwall = \"30 s\"\nprocesses = 16\nmemory = \"64 MiB\"\n[limits.languages.python]\ntime-factor = 1\n"
        }
    };
    let input = if task == Task::Input {
        room.write(&format!("assignment/{id}/big.in"), vec![b'a'; INPUT]);
        "stdin-file = \"big.in\"\n"
    } else {
        ""
    };
    room.problem(
        id,
        &format!(
            "[submission]\nfiles = [\"{id}.*\", \"{id}\"]\n[run]\narguments = [\"{mark}\", \"{folder}\", \"{tcp}\", \"{udp}\"]\n{more}[limits]\ncompile-time = \"{compiler}\"\noutput = \"64 KiB\"\n{limits}"
        ),
        &format!("[[subtask.case]]\nname = \"only\"\nanswer = \"42\\n\"\n{input}"),
    );
}

/// Puts what a row hands in into the class.
pub(crate) fn hand_in(room: &Room<'_>, row: &Row) {
    let (student, task) = (row.student(), row.task.id());
    let folder = format!("class/{student}/{task}");
    let extension = row.speech.extension();
    match row.work {
        Work::Source => {
            room.write(&format!("{folder}.{extension}"), text(room, &row.file()));
        }
        Work::Folder(files) => {
            for (name, file) in files {
                room.write(&format!("{folder}/{name}"), text(room, file));
            }
        }
        Work::WithObject(file) => {
            room.write(
                &format!("{folder}/main.{extension}"),
                text(room, &row.file()),
            );
            let object = room.path(&format!("{folder}/part.o"));
            let compiled = Command::new("gcc")
                .args(["-c", "-o"])
                .arg(object)
                .arg(programs().join(file))
                .status()
                .unwrap();
            assert!(compiled.success());
        }
        Work::Link => {
            room.write(&format!("class/{student}/note.txt"), "");
            symlink(
                room.path("outside/secret.txt"),
                room.path(&format!("{folder}.{extension}")),
            )
            .unwrap();
        }
    }
}

/// The rows that can be graded here; says aloud which cannot, and why.
fn chosen(mut chosen: Vec<Row>, station: &Station) -> Vec<Row> {
    let wanted = std::env::var("BITCRAFT_HOSTILE_ROWS").ok();
    let wanted: Option<Vec<u8>> = wanted
        .as_deref()
        .map(|list| list.split(',').map(|row| row.parse().unwrap()).collect());
    let is_wanted = |number: u8| {
        let listed = |list: &Vec<u8>| number == 0 || list.contains(&number);
        wanted.as_ref().is_none_or(listed)
    };
    for (number, name, why) in untried() {
        if is_wanted(number) {
            skipped(&format!("row {number}: {name}"), why);
        }
    }
    chosen.retain(|row| {
        if !is_wanted(row.number) {
            return false;
        }
        let obstacle = row.obstacle(station);
        if let Some(why) = &obstacle {
            let what = format!("row {}: {} ({})", row.number, row.name, row.file());
            skipped(&what, why);
        }
        obstacle.is_none()
    });
    chosen
}

/// Grades all rows at once, and tells everything that is not as it must be.
fn grade(rows: Vec<Row>, station: &Station) {
    let _alone = alone();
    let rows = chosen(rows, station);
    let shows = std::env::var_os("BITCRAFT_HOSTILE_SHOW").is_some();
    for round in 1..=rounds() {
        let room = Room::new(station);
        for task in Task::ALL {
            add(&room, task);
        }
        for row in &rows {
            hand_in(&room, row);
        }
        let (report, mut complaints) = room.grade();
        for row in &rows {
            let result = problem(student(&report, &row.student()), row.task.id());
            complaints.extend(row.complaints(result, station));
            if shows {
                let case = &result["subtasks"][0]["cases"][0];
                eprintln!("{} {} {case}", row.student(), result["verdict"]);
            }
        }
        assert!(
            complaints.is_empty(),
            "round {round}:\n{}\n{}",
            complaints.join("\n"),
            isolation(&report)
        );
    }
}

fn isolation(report: &Value) -> &Value {
    &report["isolation"]
}

#[test]
fn every_row_gets_its_verdict_and_leaves_nothing() {
    if let Some(station) = Station::own() {
        grade(rows(), &station);
    }
}

#[test]
fn every_row_gets_its_verdict_from_an_ordinary_user() {
    if let Some(station) = Station::user() {
        grade(rows(), &station);
    }
}

#[test]
fn every_row_of_limits_gets_its_verdict_from_a_user_with_control_groups() {
    if let Some(station) = Station::delegated() {
        grade(rows_of_limits(), &station);
    }
}

#[test]
fn every_source_belongs_to_a_row_and_says_what_it_tries() {
    let mut files: Vec<String> = fs::read_dir(programs())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    let mut used: Vec<String> = crate::deaths::SOURCES.map(str::to_owned).to_vec();
    used.push(crate::killed::SOURCE.to_owned());
    for row in rows() {
        match row.work {
            Work::Source => used.push(row.file()),
            Work::Folder(parts) => used.extend(parts.iter().map(|(_, file)| (*file).to_owned())),
            Work::WithObject(file) => used.extend([row.file(), file.to_owned()]),
            Work::Link => {}
        }
    }
    used.sort();
    used.dedup();
    assert_eq!(files, used);
    for file in files {
        let text = fs::read_to_string(programs().join(&file)).unwrap();
        let mark = match file.rsplit_once('.').map(|(_, extension)| extension) {
            Some("py" | "toml" | "txt") => "# ",
            _ => "// ",
        };
        assert!(
            text.starts_with(mark),
            "`{file}` does not begin with a comment"
        );
    }
}

#[test]
fn all_rows_of_the_checklist_are_listed() {
    let mut numbers: Vec<u8> = rows().iter().map(|row| row.number).collect();
    numbers.extend(untried().map(|(number, ..)| number));
    numbers.extend([crate::deaths::ROW, crate::killed::ROW]);
    numbers.sort_unstable();
    numbers.dedup();
    let all: Vec<u8> = (0..=59).collect();
    assert_eq!(numbers, all);
}

#[test]
fn the_students_of_the_rows_are_told_apart() {
    let mut students: Vec<String> = rows().iter().map(Row::student).collect();
    students.sort();
    let count = students.len();
    students.dedup();
    assert_eq!(students.len(), count);
}

#[test]
fn honest_programs_are_graded_among_the_others_in_every_language() {
    let honest: Vec<Speech> = rows()
        .iter()
        .filter(|row| row.number == 0)
        .map(|row| row.speech)
        .collect();
    let all = [
        Speech::C,
        Speech::Cpp,
        Speech::Rust,
        Speech::Java,
        Speech::Pascal,
        Speech::Python,
    ];
    assert_eq!(honest, all);
}

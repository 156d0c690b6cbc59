//! The table, graded.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

use crate::room::{Room, problem, student};
use crate::rows::{Row, program, programs, rows, tools};
use crate::station::Station;
use crate::{alone, at_night, is_nightly, skipped};

/// Bytes of an argument and of a variable that an author gives to programs.
const LARGE: usize = 60_000;
/// The number of the rows in pairs: one leaves something, the other looks for it.
const NOTES: u8 = 53;

/// Writes the problem file of a task. All have the same limits but for `sleep` (3 s of wall time), `source` (200 ms for the
/// compiler, which has seconds to get them on a busy machine) and `jvm`; the answer of `file` is to be written to `answer.txt`, and `input` has 96 MiB of standard input.
pub(crate) fn add(room: &Room<'_>, task: &str) {
    let [mark, folder, tcp, udp] = room.outside.arguments();
    let more = match task {
        "file" => "output-file = \"answer.txt\"\n",
        _ => "",
    };
    let more = if task == "arguments" {
        format!("arguments = [\"{}\"]\n", "x".repeat(LARGE))
    } else {
        format!("arguments = [\"{mark}\", \"{folder}\", \"{tcp}\", \"{udp}\"]\n{more}")
    };
    if task == "environment" {
        room.language(&format!(
            "[languages.noted]\nname = \"Noted\"\nextensions = [\"noted\"]\nrun = [\"python3\", \"{{main}}\"]\nprobe = \"python\"\nsyntax = \"python\"\nenvironment = {{ NOTE = \"{}\" }}\n",
            "x".repeat(LARGE)
        ));
    }
    let compiler = if task == "source" { "200 ms" } else { "20 s" };
    let limits = match task {
        "jvm" => {
            "time = \"3 s\"\nwall = \"120 s\"\nprocesses = 64\nmemory = \"192 MiB\"\n[limits.languages.java]\ntime-factor = 1\n"
        }
        "sleep" => "time = \"500 ms\"\nwall = \"3 s\"\n",
        _ => {
            "time = \"1 s\"\nwall = \"60 s\"\nprocesses = 16\nmemory = \"64 MiB\"\n[limits.languages.python]\ntime-factor = 1\n"
        }
    };
    let mut case = "[[subtask.case]]\nname = \"only\"\nanswer = \"42\\n\"\n".to_owned();
    if task == "input" {
        room.write(&format!("assignment/{task}/big.in"), vec![b'a'; 96 << 20]);
        case.push_str("stdin-file = \"big.in\"\n");
    }
    room.problem(
        task,
        &format!(
            "[submission]\nfiles = [\"{task}.*\", \"{task}\"]\n[run]\n{more}[limits]\ncompile-time = \"{compiler}\"\noutput = \"64 KiB\"\n{limits}"
        ),
        &case,
    );
}

/// Puts what a row submits into the class.
pub(crate) fn submit(room: &Room<'_>, row: &Row) {
    // The folder that it reaches for.
    let outside = room.path("outside");
    let text = |file: &str| program(file).replace("@HOST@", outside.to_str().unwrap());
    let student = format!("class/{}", row.student());
    let path = format!("{student}/{}", row.task);
    let (extension, _) = tools(&row.language);
    for (name, file) in &row.files {
        room.write(&format!("{path}/{name}"), text(file));
    }
    if row.link {
        room.write(&format!("{student}/note.txt"), "");
        let link = room.path(&format!("{path}.{extension}"));
        symlink(outside.join("secret.txt"), link).unwrap();
    } else if let Some(object) = &row.object {
        room.write(&format!("{path}/main.{extension}"), text(&row.file()));
        let mut gcc = Command::new("gcc");
        gcc.args(["-c", "-o"])
            .arg(room.path(&format!("{path}/part.o")))
            .arg(programs().join(object));
        assert!(gcc.status().unwrap().success());
    } else if let Some(padding) = &row.padding {
        let source = text(&row.file());
        room.write(&format!("{path}/main.{extension}"), source);
        for number in 0..padding.files {
            let folders = format!("{number}/").repeat(padding.folders);
            let name = format!(
                "P{number:0width$}",
                width = padding.bytes - padding.extension.len() - 2
            );
            let code = match padding.extension.as_str() {
                "java" => format!("class {name} {{}}\n"),
                _ => String::new(),
            };
            room.write(
                &format!("{path}/{folders}{name}.{}", padding.extension),
                code,
            );
        }
    } else if row.files.is_empty() {
        room.write(&format!("{path}.{extension}"), text(&row.file()));
    }
}

/// The rows that can be graded here; prints which cannot, and why.
fn chosen(station: &Station) -> Vec<Row> {
    let wanted = std::env::var("BITCRAFT_HOSTILE_ROWS").ok();
    let mut rows = rows();
    if let Some(wanted) = &wanted {
        rows.retain(|row| {
            row.number == 0 || wanted.split(',').any(|it| it == row.number.to_string())
        });
    } else if !is_nightly() {
        // What is left for another submission needs one that looks for it.
        rows.dedup_by(|row, before| row.number == before.number && row.number != NOTES);
    }
    // Other ways into the kernel, which only x86-64 has.
    rows.retain(|row| row.number != 24 || cfg!(target_arch = "x86_64"));
    rows.retain(|row| {
        let (_, program) = tools(&row.language);
        let has = station.has(program);
        if !has {
            skipped(&row.file(), &format!("`{program}` is not installed"));
        }
        has
    });
    rows
}

/// Grades some rows and asserts that everything is as it must be.
fn grade(rows: &[Row], station: &Station) {
    let _alone = alone();
    let rounds =
        std::env::var("BITCRAFT_HOSTILE_ROUNDS").map_or(1, |rounds| rounds.parse().unwrap());
    for round in 1..=rounds {
        let room = Room::new(station);
        for task in rows.iter().map(|row| &row.task).collect::<BTreeSet<_>>() {
            add(&room, task);
        }
        for row in rows {
            submit(&room, row);
        }
        let (report, mut complaints) = room.grade();
        for row in rows {
            let result = problem(student(&report, &row.student()), &row.task);
            complaints.extend(row.complaints(result, station));
        }
        assert!(
            complaints.is_empty(),
            "round {round}:\n{}\n{}",
            complaints.join("\n"),
            report["isolation"]
        );
    }
}

#[test]
fn every_row_gets_its_verdict_and_leaves_nothing() {
    if let Some(station) = Station::own() {
        grade(&chosen(&station), &station);
    }
}

#[test]
fn every_row_gets_its_verdict_from_an_ordinary_user() {
    if let Some(station) = at_night(Station::user) {
        grade(&chosen(&station), &station);
    }
}

#[test]
fn every_row_gets_its_verdict_from_a_user_without_a_clock() {
    if let Some(station) = at_night(Station::user_without_clock) {
        grade(&chosen(&station), &station);
    }
}

#[test]
fn every_row_of_limits_gets_its_verdict_from_a_user_with_control_groups() {
    if let Some(station) = at_night(Station::delegated) {
        let mut rows = chosen(&station);
        rows.retain(|row| row.number == 0 || (15..=44).contains(&row.number) || row.number == 60);
        grade(&rows, &station);
    }
}

#[test]
fn every_source_and_every_number_of_the_checklist_has_a_row() {
    let rows = rows();
    let entries = fs::read_dir(programs()).unwrap();
    let mut files: BTreeSet<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.retain(|file| !file.starts_with("55-") && !file.starts_with("59-"));
    let mut used = BTreeSet::new();
    for row in &rows {
        if row.files.is_empty() && !row.link {
            used.insert(row.file());
        }
        used.extend(row.files.values().chain(&row.object).cloned());
    }
    assert_eq!(files, used);
    // 55 and 59 have tests of their own; 57, the abuse of an interactive judge, is not tried.
    let numbers: BTreeSet<u8> = rows
        .iter()
        .map(|row| row.number)
        .chain([55, 57, 59])
        .collect();
    assert_eq!(numbers, (0..=60).collect());
    let students: BTreeSet<String> = rows.iter().map(Row::student).collect();
    assert_eq!(students.len(), rows.len());
}

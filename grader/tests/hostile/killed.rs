//! Row 59: a grader that is killed takes its programs with it.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use crate::outside::mounts;
use crate::processes::{marked, until};
use crate::room::Room;
use crate::station::Station;
use crate::{alone, rounds};

/// The number on the checklist.
pub(crate) const ROW: u8 = 59;

/// A program that leaves a sleeper in another session and burns.
pub(crate) const SOURCE: &str = "59-burn-and-sleep.c";

/// Of each program so many processes stand on the command line of the machine.
const PROCESSES: usize = 3;

fn kill(station: &Station) {
    let _alone = alone();
    for _ in 0..rounds() {
        kill_once(station);
    }
}

fn kill_once(station: &Station) {
    let room = Room::new(station);
    let mark = &room.outside.mark;
    room.problem(
        "burn",
        &format!(
            "[submission]\nfiles = [\"burn.*\"]\n[run]\narguments = [\"{mark}\"]\n[limits]\ntime = \"60 s\"\nwall = \"100 s\"\nprocesses = 16\n"
        ),
        "[[subtask.case]]\nname = \"only\"\nanswer = \"42\\n\"\n",
    );
    let source = fs::read(
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/hostile/programs")
            .join(SOURCE),
    )
    .unwrap();
    for student in ["s1", "s2", "s3"] {
        room.write(&format!("class/{student}/burn.c"), &source);
    }
    let before = mounts();
    let mut grader = room
        .grader()
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // Two programs run at a time.
    let running = until(|| marked(mark).len() >= 2 * PROCESSES);
    // Not sent by name: the shell that became the grader kept its process id.
    grader.kill().unwrap();
    grader.wait().unwrap();
    assert!(running, "only {:?}", marked(mark));
    until(|| marked(mark).is_empty());
    assert_eq!(marked(mark), Vec::<String>::new());
    let new = || {
        let mut mounts = mounts();
        mounts.retain(|mount| !before.contains(mount));
        mounts
    };
    until(|| new().is_empty());
    assert_eq!(new(), Vec::<String>::new());
    // The next start clears away what the killed one could not: boxes at once, control groups when they are empty.
    fs::remove_dir_all(room.path("class")).unwrap();
    fs::create_dir(room.path("class")).unwrap();
    room.write("class/s1/burn.txt", "");
    let (_, complaints) = room.grade();
    assert_eq!(complaints, Vec::<String>::new());
}

#[test]
fn a_killed_grader_takes_its_programs_with_it() {
    if let Some(station) = Station::own() {
        kill(&station);
    }
}

#[test]
fn the_killed_grader_of_an_ordinary_user_takes_its_programs_with_it() {
    if let Some(station) = Station::user() {
        kill(&station);
    }
}

#[test]
fn the_killed_grader_of_a_user_with_control_groups_takes_its_programs_with_it() {
    if let Some(station) = Station::delegated() {
        kill(&station);
    }
}

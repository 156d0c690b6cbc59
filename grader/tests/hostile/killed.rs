//! Row 59: a grader that is killed takes its programs with it.

use std::fs;
use std::process::Stdio;

use crate::alone;
use crate::outside::{marked, mounts, until};
use crate::room::Room;
use crate::rows::program;
use crate::station::Station;

/// So many processes of each program have the mark on their command lines.
const PROCESSES: usize = 3;

fn kill(station: &Station) {
    let _alone = alone();
    let room = Room::new(station);
    let mark = &room.outside.mark;
    room.problem(
        "burn",
        &format!(
            "[submission]\nfiles = [\"burn.*\"]\n[run]\narguments = [\"{mark}\"]\n[limits]\ntime = \"600 s\"\nwall = \"900 s\"\nprocesses = 16\n"
        ),
        "[[subtask.case]]\nname = \"only\"\nanswer = \"42\\n\"\n",
    );
    // It leaves a sleeper in another session and burns.
    let source = program("59-burn-and-sleep.c");
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
    let is_old = |mount: &String| before.contains(mount);
    assert!(until(|| mounts().iter().all(is_old)), "{:?}", mounts());
    // The next start clears away what the killed one could not: folders at once, control groups when they are empty.
    fs::remove_dir_all(room.path("class")).unwrap();
    room.write("class/s1/burn.c", "int main( {");
    let (_, complaints) = room.grade();
    assert_eq!(complaints, Vec::<String>::new());
}

#[test]
fn a_killed_grader_takes_its_programs_with_it() {
    [Station::own(), Station::user(), Station::delegated()]
        .iter()
        .flatten()
        .for_each(kill);
}

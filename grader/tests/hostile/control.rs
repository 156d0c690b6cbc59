//! The control: what the sandbox holds is truly tried.
//!
//! A program that tries nothing would pass every row. At level `basic`, as an ordinary user, some of those that reach
//! for what is not theirs must get it; only such are run as do no harm. (The network, other processes, abstract sockets and
//! what files hold are out of reach at `basic` too, if the kernel has Landlock and filters of system calls.)

use crate::alone;
use crate::room::{Room, problem, student};
use crate::station::Station;
use crate::submissions::{add, hand_in};
use crate::table::rows;

/// Rows whose programs reach what they reach for without namespaces.
const REACHING: [(u8, &str); 3] = [
    (28, "process-limit"),
    (49, "write-outside"),
    (51, "unix-sockets"),
];

#[test]
fn what_the_sandbox_holds_is_reached_without_it() {
    let Some(station) = Station::loose() else {
        return;
    };
    let _alone = alone();
    let mut rows = rows();
    rows.retain(|row| {
        REACHING.contains(&(row.number, row.name)) && station.has(row.speech.program())
    });
    let room = Room::new(&station);
    add(&room, crate::row::Task::Plain);
    for row in &rows {
        hand_in(&room, row);
    }
    let (report, complaints) = room.grade();
    let verdicts: Vec<_> = rows
        .iter()
        .map(|row| {
            let result = problem(student(&report, &row.student()), row.task.id());
            (row.name, result["verdict"].clone())
        })
        .collect();
    let reached: Vec<_> = rows.iter().map(|row| (row.name, "WA".into())).collect();
    assert_eq!(verdicts, reached);
    let outside = room.path("outside").display().to_string();
    let seen: Vec<String> = complaints
        .iter()
        .map(|complaint| complaint.replace(&outside, "outside"))
        .collect();
    // Before Linux 6.12 also by its abstract name.
    let seen: Vec<&str> = seen
        .iter()
        .map(String::as_str)
        .filter(|seen| !seen.ends_with("abstract name"))
        .collect();
    assert_eq!(
        seen,
        [
            "`outside/keep.txt` was made or changed",
            "somebody connected to a socket by its path",
        ]
    );
}

//! The control: what the sandbox holds is truly tried.
//!
//! A program that tries nothing would pass every row. At level `basic`, as an ordinary user, some of those that reach
//! for what is not theirs must get it; only such are run as do no harm. (The network, other processes, abstract sockets and
//! what files hold are out of reach at `basic` too, if the kernel has Landlock and filters of system calls.)

use crate::alone;
use crate::room::{Room, problem, student};
use crate::rows::rows;
use crate::station::Station;
use crate::submissions::{add, submit};

#[test]
fn what_the_sandbox_holds_is_reached_without_it() {
    let Some(station) = Station::loose() else {
        return;
    };
    let _alone = alone();
    let reaching = ["process-limit", "write-outside", "unix-sockets"];
    let mut rows = rows();
    rows.retain(|row| reaching.contains(&row.name.as_str()));
    let room = Room::new(&station);
    add(&room, "plain");
    for row in &rows {
        submit(&room, row);
    }
    let (report, complaints) = room.grade();
    for row in &rows {
        let result = problem(student(&report, &row.student()), "plain");
        assert_eq!(result["verdict"], "WA", "{}", row.name);
    }
    let outside = room.path("outside").display().to_string();
    let mut seen: Vec<String> = complaints
        .iter()
        .map(|complaint| complaint.replace(&outside, "outside"))
        .collect();
    // Before Linux 6.12 also by its abstract name.
    seen.retain(|seen| !seen.ends_with("abstract name"));
    assert_eq!(
        seen,
        [
            "`outside/keep.txt` was made or changed",
            "somebody connected to a socket by its path",
        ]
    );
}

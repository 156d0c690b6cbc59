//! Kills the members of a group, and removes its folder.

use std::fs;
use std::io;
use std::path::Path;
use std::thread;
use std::time::Duration;

use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process};

use super::file::{self, at};
use crate::constants::MAX_GROUP_REMOVAL;
use crate::error::StepError;

/// The process ids in a group; 0 stands for a process outside our pid namespace.
///
/// Reopens the file: in version 1 a descriptor may return the same list for a second.
pub(super) fn members(folder: &Path) -> Result<Vec<i32>, StepError> {
    let path = folder.join("cgroup.procs");
    let text = fs::read_to_string(&path).map_err(at("read", &path))?;
    Ok(text.lines().filter_map(|line| line.parse().ok()).collect())
}

/// Kills the members of a group, by `cgroup.kill` if there is one (version 2 since Linux 5.14).
///
/// Without it, processes that fork faster than they are killed may remain; the caller tries again.
pub(super) fn kill(folder: &Path) -> Result<(), StepError> {
    let path = folder.join("cgroup.kill");
    match file::write(&path, "1") {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        other => return other.map_err(at("write", &path)),
    }
    for pid in members(folder)?.into_iter().filter_map(Pid::from_raw) {
        match kill_process(pid, Signal::KILL) {
            // It ended by itself.
            Ok(()) | Err(Errno::SRCH) => {}
            Err(error) => return Err(at("kill a process of", folder)(error.into())),
        }
    }
    Ok(())
}

/// Removes a group, and kills its members.
///
/// Killed processes take a while to end: 10 ms for 200 of them. Gives up after about a second.
pub(super) fn remove(folder: &Path) -> Result<(), StepError> {
    let mut pause = Duration::from_millis(1);
    let mut waited = Duration::ZERO;
    loop {
        let error = match fs::remove_dir(folder) {
            Ok(()) => return Ok(()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => error,
        };
        if error.kind() != io::ErrorKind::ResourceBusy || waited > MAX_GROUP_REMOVAL {
            return Err(at("remove", folder)(error));
        }
        kill(folder)?;
        thread::sleep(pause);
        waited += pause;
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}

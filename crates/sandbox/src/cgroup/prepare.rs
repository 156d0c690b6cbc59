//! Delegates controllers to launchers' groups, in version 2.

use std::fs;
use std::io;
use std::path::Path;

use super::file::{self, at};
use super::find::{Hierarchy, ProcTables, SUPERVISOR, above_leaf, check_writable, lists};
use super::folder;
use crate::error::StepError;

/// Controllers that groups need. CPU time is measured without `cpu`, which only controls scheduling.
const WANTED: [&str; 2] = ["memory", "pids"];

/// Enables memory limits for version 2 groups. The grader calls this once, before it starts a launcher.
///
/// Enables controllers for the children of our own group. If necessary, first moves that group's processes, including
/// us, to a leaf in it. Launchers started later begin in the leaf and create their groups next to it. Nothing is undone
/// at the end: the leaf contains the processes that started us, and is removed with the scope or container.
///
/// # Errors
/// If that is impossible. Then nothing has changed.
pub(crate) fn prepare() -> Result<(), String> {
    let system = ProcTables::read()?;
    let Some(path) = system.path(Hierarchy::Unified) else {
        return Ok(());
    };
    let own = system.own(Hierarchy::Unified)?;
    let parent = above_leaf(own.clone());
    let mut orders = Vec::new();
    for controller in WANTED {
        // A controller in use by version 1 is not offered.
        let is_offered = lists(&parent, "cgroup.controllers", controller)?;
        if is_offered && !lists(&parent, "cgroup.subtree_control", controller)? {
            orders.push(format!("+{controller}"));
        }
    }
    if orders.is_empty() {
        return Ok(());
    }
    // All or nothing: the kernel applies each write as a whole.
    let orders = orders.join(" ");
    // Only the true root lacks this file; it may have both processes and children with controllers.
    let is_true_root = !parent.join("cgroup.type").exists();
    if is_true_root || parent != own {
        return delegate(&parent, &orders).map_err(|it| it.to_string());
    }
    may_move(&parent, path == "/")?;
    move_to_leaf(&parent, &orders).map_err(|it| it.to_string())
}

fn delegate(parent: &Path, orders: &str) -> Result<(), StepError> {
    let path = parent.join("cgroup.subtree_control");
    file::write(&path, orders).map_err(at("write", &path))
}

fn move_to_leaf(parent: &Path, orders: &str) -> Result<(), StepError> {
    let leaf = parent.join(SUPERVISOR);
    match fs::create_dir(&leaf) {
        // Another grader is doing the same, or was killed while doing it.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        made => made.map_err(at("make", &leaf))?,
    }
    let moved = move_all(parent, &leaf).and_then(|()| delegate(parent, orders));
    // Processes that cannot be moved back stay in the leaf, under the same limits.
    if moved.is_err() && move_all(&leaf, parent).is_ok() {
        let _ = fs::remove_dir(&leaf);
    }
    moved
}

/// Whether we may move the processes of our own group.
///
/// We may if the group is a container's root, if systemd marks it as delegated, or if it belongs to an ordinary user:
/// then it is in the subtree that systemd has delegated to that user. In other sessions and services we may not: those
/// groups are systemd's, which may disable our controllers at any time.
fn may_move(parent: &Path, is_top: bool) -> Result<(), String> {
    for file in ["cgroup.procs", "cgroup.subtree_control", "."] {
        check_writable(&parent.join(file))?;
    }
    // The first mark is visible to everyone (in newer versions), the second to root.
    let is_delegated = ["user.delegate", "trusted.delegate"].iter().any(|mark| {
        let mut value = [0; 8];
        rustix::fs::getxattr(parent, *mark, &mut value[..])
            .is_ok_and(|length| &value[..length] == b"1")
    });
    if is_top || is_delegated || !rustix::process::geteuid().is_root() {
        return Ok(());
    }
    Err(format!(
        "the control group `{}` is not delegated to us",
        parent.display()
    ))
}

/// Moves all processes; new ones may be started meanwhile.
fn move_all(from: &Path, to: &Path) -> Result<(), StepError> {
    let procs = to.join("cgroup.procs");
    // Each round finds only processes started during the previous one.
    for _ in 0..100 {
        let members = folder::members(from)?;
        if members.is_empty() {
            break;
        }
        for pid in members {
            match file::write(&procs, &pid.to_string()) {
                // It ended by itself.
                Err(error) if error.raw_os_error() == Some(libc::ESRCH) => {}
                other => other.map_err(at("move a process to", to))?,
            }
        }
    }
    Ok(())
}

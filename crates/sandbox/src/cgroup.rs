//! Control groups: they limit memory and measure CPU time for all processes of a run.
//!
//! A launcher makes one [`Cgroup`] and uses it for all its runs. The program joins by writing `0` to
//! [`cgroup.procs`](Cgroup::cgroup_procs) just before it is executed. The kernel checks the rights of the process
//! that opened this file, so the program may have lost its own by then. It never leaves the group: for that it would
//! need a file system with control groups.
//!
//! `CLONE_INTO_CGROUP` is not used: after `cgroup.kill` was written once, Linux 6.18 kills every process that
//! is cloned into that group, while joining by `cgroup.procs` keeps working.
//!
//! # Where groups are made
//!
//! Always below the launcher's own control group as `/proc/self/cgroup` names it, never elsewhere in the
//! hierarchy: a program must not escape from the limits that the grader itself is under. Files of control
//! groups come in two versions, and both may be there at once:
//!
//! | host | memory | CPU time and killing |
//! |---|---|---|
//! | version 1, or both ("hybrid") | version 1 `memory` | a version 2 folder, else version 1 `cpuacct` and signals |
//! | version 2 | `memory`, once [`prepare()`] has delegated it | the same folder |
//!
//! In version 2 a folder measures CPU time and kills without any controller, but a group that delegates
//! controllers to its children may have no processes of its own. [`prepare()`] arranges that:
//!
//! - Root in the true root, without systemd: that group is exempt, the controllers are just switched on.
//! - `systemd-run --user --scope -p Delegate=yes`, or the same as root without `--user`: the scope is ours.
//!   Its processes move to a leaf beside the groups.
//! - A terminal of a desktop (`user@….service/app.slice/….scope`): the folder belongs to the user, so the
//!   same works. The scope is still managed by systemd, which may take the controllers away at a reload; every use
//!   of the group fails then.
//! - A login over SSH or a service (`session-….scope`, `….service`): for root, memory cannot be limited
//!   (other processes are in it) and CPU time is measured. For an ordinary user the folder belongs to root, and
//!   no group can be made.
//! - A container with a writable file system of control groups and its own namespace of them: the root that
//!   it sees is not the true one but belongs to the container alone; all its processes move to a leaf.
//! - A container where that file system is read-only or missing: no group can be made.
//! - Version 1: folders of an ordinary user work as soon as root has given them to the user and has put the
//!   user's shell in them.

mod file;
mod find;
mod folder;
mod group;
mod memory;
mod owner;
mod prepare;
#[cfg(test)]
mod tests;

pub(crate) use group::Cgroup;
pub(crate) use prepare::prepare;

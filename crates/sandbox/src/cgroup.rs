//! Control groups: they limit memory and measure CPU time for all processes of a run.
//!
//! A launcher creates one [`Cgroup`] and uses it for all its runs. The program joins by writing `0` to
//! [`cgroup.procs`](Cgroup::cgroup_procs) just before it is executed. The kernel checks the permissions of the process
//! that opened this file, so the program may have lost its own by then. It cannot leave the group: that would need a
//! mounted cgroup file system.
//!
//! `CLONE_INTO_CGROUP` is not used: after one write to `cgroup.kill`, Linux 6.18 kills every process that is cloned
//! into that group, whereas joining by `cgroup.procs` still works.
//!
//! # Where groups are created
//!
//! Always below the launcher's own control group as given by `/proc/self/cgroup`, never elsewhere in the hierarchy: a
//! program must not escape the grader's own limits. There are two versions of control groups, and a host may have both:
//!
//! | host | memory | CPU time and killing |
//! |---|---|---|
//! | version 1, or both ("hybrid") | version 1 `memory` | a version 2 folder, else version 1 `cpuacct` and signals |
//! | version 2 | `memory`, once [`prepare()`] has delegated it | the same folder |
//!
//! In version 2, a group measures CPU time and kills without any controller, but a group that delegates controllers to
//! its children may have no processes of its own. [`prepare()`] arranges that:
//!
//! - Root in the true root group, without systemd: that group is exempt, so the controllers are simply enabled.
//! - `systemd-run --user --scope -p Delegate=yes`, or the same as root without `--user`: the scope is ours. Its
//!   processes move to a leaf next to the groups.
//! - A desktop terminal (`user@….service/app.slice/….scope`): the folder belongs to the user, so the same works.
//!   systemd still manages the scope and may remove the controllers at a reload; then every use of the group fails.
//! - A login over SSH or a service (`session-….scope`, `….service`): for root, memory cannot be limited (other
//!   processes are in it) and CPU time is measured. For an ordinary user, the folder belongs to root and no group can
//!   be created.
//! - A container with a writable cgroup file system and its own cgroup namespace: the root that it sees is not the true
//!   one but belongs only to the container; all its processes move to a leaf.
//! - A container where that file system is read-only or missing: no group can be created.
//! - Version 1: an ordinary user's folders work once root has given them to the user and moved the user's shell into
//!   them.

mod above;
mod file;
mod find;
mod folder;
mod group;
mod memory;
mod owner;
mod prepare;
#[cfg(test)]
mod tests;

pub(crate) use above::GroupsAbove;
pub(crate) use group::Cgroup;
pub(crate) use prepare::prepare;

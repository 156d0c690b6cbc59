//! Our own control group, from `/proc/self/cgroup` and `/proc/self/mountinfo`, and the folders in which we may create
//! groups.

use std::fs;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};

use super::{folder, owner};

/// The leaf to which the processes of our own group move, so that the group may delegate controllers.
pub(super) const SUPERVISOR: &str = "bitcraft-supervisor";

/// A tree of control groups.
#[derive(Clone, Copy)]
pub(super) enum Hierarchy {
    /// Version 2.
    Unified,
    /// The version 1 hierarchy with this controller.
    Controller(&'static str),
}

impl std::fmt::Display for Hierarchy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unified => write!(f, "cgroup version 2"),
            Self::Controller(name) => write!(f, "cgroup version 1 `{name}`"),
        }
    }
}

/// Folders in which a launcher may create its groups.
#[derive(Clone)]
pub(super) struct Parents {
    /// A version 2 folder, with controllers or without.
    pub(super) unified: Result<PathBuf, String>,
    pub(super) memory: Result<GroupLocation, String>,
    pub(super) cpu: Result<GroupLocation, String>,
    pub(super) processes: Result<GroupLocation, String>,
}

/// A folder in which groups with a certain controller may be created.
#[derive(Clone)]
pub(super) struct GroupLocation {
    pub(super) folder: PathBuf,
    pub(super) version: Version,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Version {
    V1,
    V2,
}

impl Parents {
    pub(super) fn find() -> Result<Self, String> {
        let system = ProcTables::read()?;
        let unified = system.unified();
        let cpu = match &unified {
            // Version 2 measures CPU time without any controller.
            Ok(folder) => Ok(GroupLocation {
                folder: folder.clone(),
                version: Version::V2,
            }),
            Err(reason) => system
                .separate("cpuacct")
                .map_err(|separate| format!("{reason}; {separate}")),
        };
        Ok(Self {
            memory: system.controller("memory", &unified),
            processes: system.controller("pids", &unified),
            unified,
            cpu,
        })
    }

    /// Removes groups of launchers that have ended, and kills their members. Several launchers may do this
    /// concurrently. A group that cannot be removed is left to the next one.
    pub(super) fn sweep(&self) {
        let locations = [&self.memory, &self.cpu, &self.processes];
        let folders = locations.into_iter().flatten().map(|it| &it.folder);
        for folder in folders.chain(&self.unified) {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                if owner::is_abandoned(&entry.file_name().to_string_lossy()) {
                    let _ = folder::remove(&entry.path());
                }
            }
        }
    }
}

/// The control groups that `/proc` lists.
pub(super) struct ProcTables {
    groups: String,
    mounts: String,
}

impl ProcTables {
    pub(super) fn read() -> Result<Self, String> {
        let read = |path: &str| {
            let bytes = fs::read(path).map_err(|error| format!("cannot read `{path}`: {error}"))?;
            // Only unrelated mounts have names that are not UTF-8.
            Ok::<_, String>(String::from_utf8_lossy(&bytes).into_owned())
        };
        Ok(Self {
            groups: read("/proc/self/cgroup")?,
            mounts: read("/proc/self/mountinfo")?,
        })
    }

    /// Our path in a hierarchy, if there is one. Lines read `4:memory:/path`, in version 2 `0::/path`; paths may
    /// contain colons.
    pub(super) fn path(&self, hierarchy: Hierarchy) -> Option<&str> {
        self.groups.lines().find_map(|line| {
            let mut parts = line.splitn(3, ':');
            let (id, controllers, path) = (parts.next()?, parts.next()?, parts.next()?);
            let is_it = match hierarchy {
                Hierarchy::Unified => id == "0" && controllers.is_empty(),
                Hierarchy::Controller(name) => controllers.split(',').any(|one| one == name),
            };
            is_it.then_some(path)
        })
    }

    /// The folder of our own group in a hierarchy, on a writable mount if there is one.
    pub(super) fn own(&self, hierarchy: Hierarchy) -> Result<PathBuf, String> {
        let path = self
            .path(hierarchy)
            .ok_or_else(|| format!("this system has no {hierarchy}"))?;
        let mounts = self
            .mounts
            .lines()
            .filter_map(|line| mount(line, hierarchy));
        let folders = mounts.filter_map(|(is_read_only, root, point)| {
            let below = Path::new(path).strip_prefix(root).ok()?;
            // `join` of an empty path would append a slash.
            let folder = Path::new(&point).components().chain(below.components());
            Some((is_read_only, folder.collect()))
        });
        folders
            // `/../x`: our group lies outside of our namespace of control groups.
            .filter(|_| !path.starts_with("/.."))
            .min_by_key(|(is_read_only, _)| *is_read_only)
            .map(|(_, folder)| folder)
            .ok_or_else(|| {
                format!("no file system is mounted that has our own control group `{path}` of {hierarchy}")
            })
    }

    /// The version 2 folder for groups: our own, or the parent of the supervisor's leaf.
    fn unified(&self) -> Result<PathBuf, String> {
        let parent = above_leaf(self.own(Hierarchy::Unified)?);
        check_writable(&parent)?;
        // Moving a process requires this permission in the nearest common ancestor.
        check_writable(&parent.join("cgroup.procs"))?;
        Ok(parent)
    }

    /// The version 1 folder for groups with a controller.
    fn separate(&self, controller: &'static str) -> Result<GroupLocation, String> {
        let folder = self.own(Hierarchy::Controller(controller))?;
        check_writable(&folder)?;
        let version = Version::V1;
        Ok(GroupLocation { folder, version })
    }

    /// The folder for groups with a controller, in the version that offers it.
    fn controller(
        &self,
        controller: &'static str,
        unified: &Result<PathBuf, String>,
    ) -> Result<GroupLocation, String> {
        if self.path(Hierarchy::Controller(controller)).is_some() {
            return self.separate(controller);
        }
        let folder = unified.clone()?;
        if !lists(&folder, "cgroup.subtree_control", controller)? {
            return Err(format!(
                "the control group `{}` does not delegate the controller `{controller}`",
                folder.display()
            ));
        }
        let version = Version::V2;
        Ok(GroupLocation { folder, version })
    }
}

/// Parses a line of `/proc/self/mountinfo` about a hierarchy: whether the mount is read-only, which folder of the file
/// system is mounted, and where. `None` if it is about another file system.
///
/// `31 25 0:35 / /sys/fs/cgroup/memory rw,relatime shared:9 - cgroup cgroup rw,memory`; before the dash there may be
/// any number of optional fields. In version 1, the file system's own options name its controllers.
fn mount(line: &str, hierarchy: Hierarchy) -> Option<(bool, String, String)> {
    // Other characters that the kernel escapes do not occur in cgroup paths.
    let unescape = |path: &str| path.replace("\\040", " ").replace("\\134", "\\");
    let (mount, system) = line.split_once(" - ")?;
    let mut fields = mount.split(' ').skip(3);
    let (root, point, flags) = (fields.next()?, fields.next()?, fields.next()?);
    let mut fields = system.split(' ');
    let (kind, options) = (fields.next()?, fields.nth(1)?);
    let has = |options: &str, option| options.split(',').any(|one| one == option);
    let is_it = match hierarchy {
        Hierarchy::Unified => kind == "cgroup2",
        Hierarchy::Controller(name) => kind == "cgroup" && has(options, name),
    };
    let is_read_only = has(flags, "ro") || has(options, "ro");
    is_it.then(|| (is_read_only, unescape(root), unescape(point)))
}

/// The parent of the supervisor's leaf, or the folder itself if it is not that leaf.
pub(super) fn above_leaf(own: PathBuf) -> PathBuf {
    match own.parent() {
        Some(above) if own.ends_with(SUPERVISOR) => above.to_owned(),
        _ => own,
    }
}

/// Whether a group's file lists a controller.
pub(super) fn lists(folder: &Path, file: &str, controller: &str) -> Result<bool, String> {
    let path = folder.join(file);
    let text = fs::read_to_string(&path)
        .map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
    Ok(text.split_ascii_whitespace().any(|one| one == controller))
}

pub(super) fn check_writable(path: &Path) -> Result<(), String> {
    access(path, Access::WRITE_OK)
        .map_err(|error| format!("cannot write to `{}`: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[rustfmt::skip]
    fn our_own_group_is_found_by_the_mounts() {
        // As in a version 1 container, on a desktop with both, in version 2 containers, and without control groups.
        let separate = "31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
            35 31 0:32 / /sys/fs/cgroup/memory rw,relatime shared:15 master:2 - cgroup cgroup rw,memory
            36 31 0:30 / /sys/fs/cgroup/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct
            41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw";
        let part = "900 890 0:33 /docker/f00 /sys/fs/cgroup/memory ro,nosuid master:18 - cgroup cgroup rw,memory";
        let several = "40 24 0:25 / /ro/flag ro,nosuid - cgroup2 cgroup2 rw
            41 24 0:25 / /ro/system rw,nosuid - cgroup2 cgroup2 ro
            42 24 0:25 / /rw rw,nosuid - cgroup2 cgroup2 rw,errors=remount-ro";
        let odd = "40 24 0:25 / /my\\040own\\134cg rw - cgroup2 cgroup2 rw";
        let groups = "4:memory:/agent/1a\n2:cpu,cpuacct:/user.slice\n0::/";
        let (unified, memory, cpuacct) =
            (Hierarchy::Unified, Hierarchy::Controller("memory"), Hierarchy::Controller("cpuacct"));
        for (hierarchy, groups, mounts, expected) in [
            (memory, groups, separate, Ok("/sys/fs/cgroup/memory/agent/1a")),
            (cpuacct, groups, separate, Ok("/sys/fs/cgroup/cpu,cpuacct/user.slice")),
            (unified, groups, separate, Ok("/sys/fs/cgroup/unified")),
            (unified, "0::/a", several, Ok("/rw/a")),
            (unified, "0::/a:b c", odd, Ok("/my own\\cg/a:b c")),
            (memory, "4:memory:/docker/f00/inner", part, Ok("/sys/fs/cgroup/memory/inner")),
            (memory, "4:memory:/docker/f0", part, Err("no file system is mounted that has our own control group \
                `/docker/f0` of cgroup version 1 `memory`")),
            (unified, "0::/../other", several, Err("no file system is mounted that has our own control group \
                `/../other` of cgroup version 2")),
            (unified, "", "garbage", Err("this system has no cgroup version 2")),
        ] {
            let lines = mounts.lines().map(str::trim_start);
            let mounts = lines.collect::<Vec<_>>().join("\n");
            let found = ProcTables { groups: groups.to_owned(), mounts }.own(hierarchy);
            assert_eq!(found, expected.map(PathBuf::from).map_err(str::to_owned), "{groups}");
        }
    }
}

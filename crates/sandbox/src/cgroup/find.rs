//! Our own control group: from `/proc/self/cgroup` and `/proc/self/mountinfo` to folders.

use std::path::{Component, Path, PathBuf};

/// One tree of control groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hierarchy {
    /// Version 2.
    Unified,
    /// The one of version 1 that has this controller.
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

/// A folder that should be our own control group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) folder: PathBuf,
    /// Whether it is the uppermost group that our namespace of control groups shows.
    pub(super) is_top: bool,
    /// The device of the mounted file system, major and minor: the folder has another one when something
    /// else is mounted over it.
    pub(super) device: (u32, u32),
}

/// The folders that should be our own control group in `hierarchy`, those mounted writable first.
///
/// `groups` is the text of `/proc/self/cgroup`, `mounts` that of `/proc/self/mountinfo`.
pub(super) fn own_folders(
    hierarchy: Hierarchy,
    groups: &str,
    mounts: &str,
) -> Result<Vec<Candidate>, String> {
    let own =
        own_path(hierarchy, groups).ok_or_else(|| format!("this system has no {hierarchy}"))?;
    let mounts: Vec<Mount> = mounts
        .lines()
        .filter_map(Mount::read)
        .filter(|mount| mount.shows(hierarchy))
        .collect();
    if mounts.is_empty() {
        return Err(format!("no file system of {hierarchy} is mounted"));
    }
    let outside =
        || format!("our own control group `{own}` of {hierarchy} lies outside of what is mounted");
    // `/../x`: our group lies outside of our namespace of control groups.
    let own_path = Path::new(own);
    if own_path
        .components()
        .any(|part| part == Component::ParentDir)
    {
        return Err(outside());
    }
    let mut found: Vec<(bool, Candidate)> = mounts
        .into_iter()
        .filter_map(|mount| {
            let below = own_path.strip_prefix(&mount.root).ok()?;
            // Without the slash at the end that joining nothing would leave.
            let folder = mount.point.components().chain(below.components()).collect();
            let candidate = Candidate {
                folder,
                is_top: own == "/",
                device: mount.device,
            };
            Some((mount.is_read_only, candidate))
        })
        .collect();
    if found.is_empty() {
        return Err(outside());
    }
    found.sort_by_key(|(is_read_only, _)| *is_read_only);
    Ok(found.into_iter().map(|(_, candidate)| candidate).collect())
}

/// Whether `/proc/self/cgroup` has the hierarchy at all.
pub(super) fn exists(hierarchy: Hierarchy, groups: &str) -> bool {
    own_path(hierarchy, groups).is_some()
}

/// Our path in a hierarchy. Lines read `4:memory:/path`, in version 2 `0::/path`; paths may hold colons.
fn own_path(hierarchy: Hierarchy, groups: &str) -> Option<&str> {
    groups.lines().find_map(|line| {
        let mut parts = line.splitn(3, ':');
        let (id, controllers, path) = (parts.next()?, parts.next()?, parts.next()?);
        let is_it = match hierarchy {
            Hierarchy::Unified => id == "0" && controllers.is_empty(),
            Hierarchy::Controller(name) => controllers.split(',').any(|one| one == name),
        };
        is_it.then_some(path)
    })
}

/// A line of `/proc/self/mountinfo`.
struct Mount<'a> {
    device: (u32, u32),
    /// The folder inside the file system that is mounted.
    root: PathBuf,
    /// Where it is mounted.
    point: PathBuf,
    is_read_only: bool,
    kind: &'a str,
    /// The file system's own options; in version 1 these name its controllers.
    options: &'a str,
}

impl<'a> Mount<'a> {
    /// `31 25 0:35 / /sys/fs/cgroup/memory rw,relatime shared:9 - cgroup cgroup rw,memory`; before the dash
    /// there may be any number of optional fields.
    fn read(line: &'a str) -> Option<Self> {
        let (mount, system) = line.split_once(" - ")?;
        let mut mount = mount.split(' ').skip(2);
        let (major, minor) = mount.next()?.split_once(':')?;
        let root = unescape(mount.next()?);
        let point = unescape(mount.next()?);
        let flags = mount.next()?;
        let mut system = system.split(' ');
        let kind = system.next()?;
        let options = system.nth(1)?;
        let is_ro = |options: &str| options.split(',').any(|option| option == "ro");
        Some(Self {
            device: (major.parse().ok()?, minor.parse().ok()?),
            root,
            point,
            is_read_only: is_ro(flags) || is_ro(options),
            kind,
            options,
        })
    }

    fn shows(&self, hierarchy: Hierarchy) -> bool {
        match hierarchy {
            Hierarchy::Unified => self.kind == "cgroup2",
            Hierarchy::Controller(name) => {
                self.kind == "cgroup" && self.options.split(',').any(|option| option == name)
            }
        }
    }
}

/// A path in which spaces and the like stand as three octal digits after a backslash.
fn unescape(text: &str) -> PathBuf {
    let mut path = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        path.push_str(before);
        let code = after
            .get(..3)
            .and_then(|digits| u8::from_str_radix(digits, 8).ok());
        if let Some(code) = code {
            path.push(char::from(code));
            rest = &after[3..];
        } else {
            path.push('\\');
            rest = after;
        }
    }
    path.push_str(rest);
    path.into()
}

#[cfg(test)]
mod tests;

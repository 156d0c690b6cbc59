//! The groups in which ours may be made.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};

use super::file::at;
use super::find::{self, Candidate, Hierarchy, own_folders};
use super::folder;
use super::owner::{Named, Owner, read_name};
use crate::error::Failure;

/// Where a launcher may make its groups; found once.
pub(crate) struct Parents {
    pub(super) owner: Owner,
    /// A version 2 folder, with controllers or without.
    pub(super) unified: Result<PathBuf, String>,
    pub(super) memory: Result<Location, String>,
    pub(super) cpu: Result<Location, String>,
    pub(super) processes: Result<Location, String>,
}

/// A folder in which groups with some controller may be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Location {
    pub(super) folder: PathBuf,
    pub(super) version: Version,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    V1,
    V2,
}

impl Parents {
    /// Looks for our own control groups.
    ///
    /// # Errors
    /// When `/proc` does not say which they are.
    pub(crate) fn find() -> Result<Self, Failure> {
        let owner = Owner::this()?;
        let system = System::read()?;
        Ok(Self {
            owner,
            unified: system.unified(),
            memory: system.controller("memory"),
            cpu: system.cpu(),
            processes: system.controller("pids"),
        })
    }

    /// Whether memory can be held, or why not.
    pub(crate) fn memory(&self) -> Result<(), &str> {
        self.memory.as_ref().map(|_| ()).map_err(String::as_str)
    }

    /// Removes the groups of launchers that are gone, and kills whoever is in them.
    ///
    /// Returns what could not be removed. Several launchers may do this at once.
    pub(crate) fn sweep(&self) -> Vec<Failure> {
        let locations = [&self.memory, &self.cpu, &self.processes];
        let locations = locations.into_iter().flatten().map(|it| &it.folder);
        let mut folders: Vec<&PathBuf> = self.unified.iter().chain(locations).collect();
        folders.sort();
        folders.dedup();
        let swept = folders.into_iter().map(|folder| self.sweep_folder(folder));
        swept.flatten().collect()
    }

    fn sweep_folder(&self, parent: &Path) -> Vec<Failure> {
        let entries = match fs::read_dir(parent) {
            Ok(entries) => entries,
            Err(error) => return vec![at("list", parent)(error)],
        };
        let mut failures = Vec::new();
        // An entry that cannot be read went away meanwhile.
        for entry in entries.flatten() {
            let path = entry.path();
            match read_name(&entry.file_name().to_string_lossy()) {
                Named::Group(owner) if owner.is_gone(&self.owner) => {
                    failures.extend(folder::remove(&path).err());
                }
                // Whoever is in it was in our group before the grader came: a shell. It may stay there.
                Named::Supervisor(owner) if owner.is_gone(&self.owner) => {
                    let _ = fs::remove_dir(&path);
                }
                Named::Group(_) | Named::Supervisor(_) | Named::Other => {}
            }
        }
        failures
    }
}

/// What `/proc` says of control groups.
pub(super) struct System {
    groups: String,
    mounts: String,
}

impl System {
    pub(super) fn read() -> Result<Self, Failure> {
        let read = |path: &str| {
            let path = Path::new(path);
            let bytes = fs::read(path).map_err(at("read", path))?;
            // Names that are not UTF-8 are those of other mounts.
            Ok(String::from_utf8_lossy(&bytes).into_owned())
        };
        Ok(Self {
            groups: read("/proc/self/cgroup")?,
            mounts: read("/proc/self/mountinfo")?,
        })
    }

    /// Our own group in a hierarchy.
    pub(super) fn own(&self, hierarchy: Hierarchy) -> Result<Candidate, String> {
        let mut last = String::new();
        for candidate in own_folders(hierarchy, &self.groups, &self.mounts)? {
            let path = candidate.folder.display();
            match fs::metadata(&candidate.folder) {
                Ok(found) if device(&found) == candidate.device => return Ok(candidate),
                Ok(_) => last = format!("`{path}` is hidden by another file system"),
                Err(error) => last = format!("cannot look at `{path}`: {error}"),
            }
        }
        Err(last)
    }

    /// Whether there is a hierarchy.
    pub(super) fn has(&self, hierarchy: Hierarchy) -> bool {
        find::exists(hierarchy, &self.groups)
    }

    /// The version 2 folder for groups.
    fn unified(&self) -> Result<PathBuf, String> {
        let parent = above_leaf(self.own(Hierarchy::Unified)?.folder);
        check_writable(&parent)?;
        // Who moves a process needs the right to do so in the nearest group above both ends.
        check_writable(&parent.join("cgroup.procs"))?;
        Ok(parent)
    }

    /// The version 1 folder for groups with a controller.
    fn separate(&self, controller: &'static str) -> Result<PathBuf, String> {
        let own = self.own(Hierarchy::Controller(controller))?.folder;
        check_writable(&own)?;
        Ok(own)
    }

    /// The folder for groups with a controller, in the version that has it.
    fn controller(&self, controller: &'static str) -> Result<Location, String> {
        if self.has(Hierarchy::Controller(controller)) {
            let folder = self.separate(controller)?;
            let version = Version::V1;
            return Ok(Location { folder, version });
        }
        let folder = self.unified()?;
        let path = folder.display();
        if lists(&folder, "cgroup.subtree_control", controller)? {
            let version = Version::V2;
            Ok(Location { folder, version })
        } else if lists(&folder, "cgroup.controllers", controller)? {
            Err(format!(
                "the control group `{path}` does not delegate `{controller}` to its children"
            ))
        } else {
            Err(format!(
                "the control group `{path}` does not have the controller `{controller}`"
            ))
        }
    }

    /// The folder for groups that measure CPU time: version 2 does so without any controller.
    fn cpu(&self) -> Result<Location, String> {
        let unified = match self.unified() {
            Ok(folder) => {
                let version = Version::V2;
                return Ok(Location { folder, version });
            }
            Err(reason) => reason,
        };
        let folder = self
            .separate("cpuacct")
            .map_err(|reason| format!("{unified}; {reason}"))?;
        let version = Version::V1;
        Ok(Location { folder, version })
    }
}

/// The group that a supervisor's leaf is in, or the folder itself when it is none.
pub(super) fn above_leaf(own: PathBuf) -> PathBuf {
    let name = own.file_name().unwrap_or_default().to_string_lossy();
    match (read_name(&name), own.parent()) {
        (Named::Supervisor(_), Some(above)) => above.to_owned(),
        _ => own,
    }
}

/// Whether a file of a group lists a controller.
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

fn device(metadata: &fs::Metadata) -> (u32, u32) {
    let device = metadata.dev();
    (rustix::fs::major(device), rustix::fs::minor(device))
}

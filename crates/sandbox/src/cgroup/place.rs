//! Where groups may be made.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};
use rustix::io::Errno;

use super::find::{Candidate, Hierarchy, own_folders};
use super::owner::{Named, Owner, read_name};
use super::{Failure, folder};

/// Where a launcher may make its groups; found once.
pub(crate) struct Place {
    pub(super) owner: Owner,
    /// A version 2 folder, with controllers or without.
    pub(super) unified: Result<PathBuf, NoPlace>,
    pub(super) memory: Result<Seat, NoPlace>,
    pub(super) cpu: Result<Seat, NoPlace>,
    pub(super) processes: Result<Seat, NoPlace>,
}

/// A folder in which groups with some controller may be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Seat {
    pub(super) folder: PathBuf,
    pub(super) version: Version,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    V1,
    V2,
}

/// Why no group can be had, or none with some controller.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoPlace {
    /// The kernel lacks it, or the controller belongs to the other version.
    #[error("this system has no {hierarchy}")]
    NotThere {
        /// What is missing.
        hierarchy: Hierarchy,
    },
    /// As in many containers.
    #[error("no file system of {hierarchy} is mounted")]
    NotMounted {
        /// What is missing.
        hierarchy: Hierarchy,
    },
    /// The mounted part of the tree does not contain our own group.
    #[error("our own control group `{path}` of {hierarchy} lies outside of what is mounted")]
    Outside {
        /// Where it was looked for.
        hierarchy: Hierarchy,
        /// Its path as `/proc/self/cgroup` has it.
        path: PathBuf,
    },
    /// Something else is mounted over the folder.
    #[error("`{path}` is hidden by another file system")]
    Hidden {
        /// The folder.
        path: PathBuf,
    },
    /// The groups above do not hand the controller on.
    #[error("the control group `{path}` does not have the controller `{controller}`")]
    NotOffered {
        /// Our own group.
        path: PathBuf,
        /// The controller.
        controller: &'static str,
    },
    /// Our own group has the controller, but its children do not: [`super::settle()`] was not called or failed.
    #[error("the control group `{path}` does not hand `{controller}` on to its children")]
    NotHandedOn {
        /// Our own group.
        path: PathBuf,
        /// The controller.
        controller: &'static str,
    },
    /// Our own group also holds processes that are not ours to move.
    #[error(
        "the control group `{path}` cannot hand controllers on while other processes are in it \
         (process {process} for one); it is not delegated to us"
    )]
    Shared {
        /// Our own group.
        path: PathBuf,
        /// One of them; 0 when it is outside of our process namespace.
        process: i32,
    },
    /// Neither version will do.
    #[error("{0}; {1}")]
    Neither(Box<NoPlace>, Box<NoPlace>),
    /// A folder or file cannot be used: most often, it belongs to another user.
    #[error(transparent)]
    Failed(#[from] Failure),
}

impl Place {
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
    pub(crate) fn memory(&self) -> Result<(), &NoPlace> {
        self.memory.as_ref().map(|_| ())
    }

    /// Whether CPU time can be measured, or why not.
    pub(crate) fn cpu(&self) -> Result<(), &NoPlace> {
        self.cpu.as_ref().map(|_| ())
    }

    /// Removes the groups of launchers that are gone, and kills whoever is in them.
    ///
    /// Returns what could not be removed. Several launchers may do this at once.
    pub(crate) fn sweep(&self) -> Vec<Failure> {
        let seats = [&self.memory, &self.cpu, &self.processes];
        let seats = seats.into_iter().flatten().map(|seat| &seat.folder);
        let mut folders: Vec<&PathBuf> = self.unified.iter().chain(seats).collect();
        folders.sort();
        folders.dedup();
        let swept = folders.into_iter().map(|folder| self.sweep_folder(folder));
        swept.flatten().collect()
    }

    fn sweep_folder(&self, place: &Path) -> Vec<Failure> {
        let entries = match fs::read_dir(place) {
            Ok(entries) => entries,
            Err(error) => return vec![Failure::at("list", place)(error)],
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
            let bytes = fs::read(path).map_err(Failure::at("read", path))?;
            // Names that are not UTF-8 are those of other mounts.
            Ok(String::from_utf8_lossy(&bytes).into_owned())
        };
        Ok(Self {
            groups: read("/proc/self/cgroup")?,
            mounts: read("/proc/self/mountinfo")?,
        })
    }

    /// Our own group in a hierarchy.
    pub(super) fn own(&self, hierarchy: Hierarchy) -> Result<Candidate, NoPlace> {
        let mut last = NoPlace::NotMounted { hierarchy };
        for candidate in own_folders(hierarchy, &self.groups, &self.mounts)? {
            match fs::metadata(&candidate.folder) {
                Ok(found) if device(&found) == candidate.device => return Ok(candidate),
                Ok(_) => {
                    last = NoPlace::Hidden {
                        path: candidate.folder,
                    }
                }
                Err(error) => last = Failure::at("look at", &candidate.folder)(error).into(),
            }
        }
        Err(last)
    }

    /// The version 2 folder for groups.
    fn unified(&self) -> Result<PathBuf, NoPlace> {
        let place = above_leaf(self.own(Hierarchy::Unified)?.folder);
        check_writable(&place)?;
        // Who moves a process needs the right to do so in the nearest group above both ends.
        check_writable(&place.join("cgroup.procs"))?;
        Ok(place)
    }

    /// The version 1 folder for groups with a controller.
    fn separate(&self, controller: &'static str) -> Result<PathBuf, NoPlace> {
        let own = self.own(Hierarchy::Controller(controller))?.folder;
        check_writable(&own)?;
        Ok(own)
    }

    /// The folder for groups with a controller, in the version that has it.
    fn controller(&self, controller: &'static str) -> Result<Seat, NoPlace> {
        match self.separate(controller) {
            Ok(folder) => Ok(Seat {
                folder,
                version: Version::V1,
            }),
            Err(NoPlace::NotThere { .. }) => {
                let folder = self.unified()?;
                let lists = |name| lists(&folder, name, controller);
                if lists("cgroup.subtree_control")? {
                    let version = Version::V2;
                    return Ok(Seat { folder, version });
                }
                let is_offered = lists("cgroup.controllers")?;
                let path = folder;
                Err(if is_offered {
                    NoPlace::NotHandedOn { path, controller }
                } else {
                    NoPlace::NotOffered { path, controller }
                })
            }
            Err(other) => Err(other),
        }
    }

    /// The folder for groups that measure CPU time.
    fn cpu(&self) -> Result<Seat, NoPlace> {
        let unified = match self.unified() {
            Ok(folder) => {
                let version = Version::V2;
                return Ok(Seat { folder, version });
            }
            Err(error) => error,
        };
        match self.separate("cpuacct") {
            Ok(folder) => Ok(Seat {
                folder,
                version: Version::V1,
            }),
            Err(error) => Err(NoPlace::Neither(unified.into(), error.into())),
        }
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
pub(super) fn lists(folder: &Path, file: &str, controller: &str) -> Result<bool, Failure> {
    let path = folder.join(file);
    let text = fs::read_to_string(&path).map_err(Failure::at("read", &path))?;
    Ok(text.split_ascii_whitespace().any(|one| one == controller))
}

pub(super) fn check_writable(path: &Path) -> Result<(), Failure> {
    let checked: Result<(), Errno> = access(path, Access::WRITE_OK);
    checked
        .map_err(io::Error::from)
        .map_err(Failure::at("write to", path))
}

fn device(metadata: &fs::Metadata) -> (u32, u32) {
    let device = metadata.dev();
    (rustix::fs::major(device), rustix::fs::minor(device))
}

//! The group of a launcher.

use std::fs;
use std::io;
use std::os::fd::BorrowedFd;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::file::{CgroupFile, at, if_there};
use super::folder;
use super::memory::Memory;
use super::owner::Owner;
use super::parents::{Location, Parents, Version};
use crate::error::Failure;

/// A control group for the runs of one launcher, one after the other.
///
/// Dropping it kills whoever is in it and removes its folders. What cannot be removed within a second is left
/// to [`Parents::sweep`].
pub(crate) struct Group {
    owner: Owner,
    parents: Locations,
    files: Files,
    /// Nothing has run in it yet.
    is_new: bool,
    /// The counters when the run began.
    cpu: Duration,
    oom_kills: u64,
}

/// What a group holds.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Controllers {
    /// Limits memory.
    pub(crate) memory: bool,
    /// Measures CPU time.
    pub(crate) cpu: bool,
    /// Limits the number of processes.
    pub(crate) processes: bool,
}

/// In which folders a group is made.
struct Locations {
    unified: Option<PathBuf>,
    memory: Option<Location>,
    cpu: Option<Location>,
    processes: Option<Location>,
}

/// The folders of a group, and the files in them that every run needs.
#[derive(Default)]
struct Files {
    folders: Vec<Folder>,
    memory: Option<Memory>,
    cpu: Option<(Version, CgroupFile)>,
    /// `pids.max`, and the limit in force.
    processes: Option<(CgroupFile, Option<u32>)>,
    /// `cgroup.kill`, since Linux 5.14.
    kill: Option<CgroupFile>,
    /// `cgroup.events` of version 2.
    events: Option<CgroupFile>,
}

struct Folder {
    parent: PathBuf,
    path: PathBuf,
    procs: CgroupFile,
}

impl Group {
    /// Makes a group with what is available here, or says why there is none; [`super::prepare()`] comes first.
    pub(crate) fn here() -> Result<Self, String> {
        let parents = Parents::find().map_err(|failure| failure.to_string())?;
        let _ = parents.sweep();
        Self::new(&parents, true)
    }

    /// The same at these places.
    ///
    /// `with_pids_v1` also joins the version 1 hierarchy that limits processes; it costs time, and is not
    /// needed if `RLIMIT_NPROC` counts within a user namespace of the run's own.
    pub(crate) fn new(parents: &Parents, with_pids_v1: bool) -> Result<Self, String> {
        if let (Err(memory), Err(cpu)) = (&parents.memory, &parents.cpu) {
            return Err(format!(
                "no control group can hold memory: {memory}; none can measure CPU time: {cpu}"
            ));
        }
        let processes = parents.processes.clone().ok();
        let locations = Locations {
            unified: parents.unified.clone().ok(),
            memory: parents.memory.clone().ok(),
            cpu: parents.cpu.clone().ok(),
            processes: processes.filter(|it| with_pids_v1 || it.version == Version::V2),
        };
        let files = Files::new(&locations, parents.owner).map_err(|failure| failure.to_string())?;
        Ok(Self {
            owner: parents.owner,
            parents: locations,
            files,
            is_new: true,
            cpu: Duration::ZERO,
            oom_kills: 0,
        })
    }

    /// What it holds.
    pub(crate) const fn controllers(&self) -> Controllers {
        Controllers {
            memory: self.files.memory.is_some(),
            cpu: self.files.cpu.is_some(),
            processes: self.files.processes.is_some(),
        }
    }

    /// Prepares a run: an empty group under these limits, with all counters at zero.
    ///
    /// `memory` is in bytes. Ends whoever the last run left.
    pub(crate) fn begin(&mut self, memory: u64, processes: u32) -> Result<(), Failure> {
        if !self.is_new && self.must_be_made_anew()? {
            self.make_anew()?;
        }
        match self.files.limit(memory, processes) {
            // More is in use than the new limit allows, and cannot be freed.
            Err(failure) if failure.errno == libc::EBUSY && !self.is_new => {
                self.make_anew()?;
                self.files.limit(memory, processes)?;
            }
            other => other?,
        }
        if let Some(memory) = self.files.memory.as_ref().filter(|_| !self.is_new) {
            memory.reset_peak()?;
        }
        self.is_new = false;
        self.cpu = self.files.cpu()?.unwrap_or_default();
        self.oom_kills = self.files.oom_kills()?.unwrap_or_default();
        Ok(())
    }

    fn must_be_made_anew(&self) -> Result<bool, Failure> {
        match &self.files.memory {
            _ if !self.is_empty()? => Ok(true),
            Some(memory) => memory.must_be_made_anew(),
            None => Ok(false),
        }
    }

    fn make_anew(&mut self) -> Result<(), Failure> {
        let files = Files::new(&self.parents, self.owner)?;
        let mut old = std::mem::replace(&mut self.files, files);
        self.is_new = true;
        old.remove()
    }

    /// The `cgroup.procs` files, open for writing, until the next [`begin`](Self::begin).
    ///
    /// Who writes `0` to all of them is a member.
    pub(crate) fn cgroup_procs(&self) -> impl Iterator<Item = BorrowedFd<'_>> {
        self.files.folders.iter().map(|folder| folder.procs.as_fd())
    }

    /// CPU time of all members since [`begin`](Self::begin), living or not; `None` if it is not measured.
    pub(crate) fn cpu(&self) -> Result<Option<Duration>, Failure> {
        let cpu = self.files.cpu()?;
        Ok(cpu.map(|cpu| cpu.saturating_sub(self.cpu)))
    }

    /// Memory in use now, in bytes, page cache included.
    #[cfg(test)]
    pub(super) fn usage(&self) -> Result<Option<u64>, Failure> {
        self.files.memory.as_ref().map(Memory::usage).transpose()
    }

    /// The most memory in use since [`begin`](Self::begin), in bytes, page cache included.
    ///
    /// `None` if it is not held, and in version 2 before Linux 5.19.
    pub(crate) fn peak(&self) -> Result<Option<u64>, Failure> {
        self.files.memory.as_ref().map_or(Ok(None), Memory::peak)
    }

    /// Processes killed for want of memory since [`begin`](Self::begin); `None` if memory is not held.
    pub(crate) fn oom_kills(&self) -> Result<Option<u64>, Failure> {
        let kills = self.files.oom_kills()?;
        Ok(kills.map(|kills| kills.saturating_sub(self.oom_kills)))
    }

    /// Ends every member. They take their time to be gone.
    pub(crate) fn kill(&self) -> Result<(), Failure> {
        self.files.kill()
    }

    /// Whether no member is alive.
    pub(crate) fn is_empty(&self) -> Result<bool, Failure> {
        if let Some(events) = &self.files.events {
            return Ok(events.field("populated")? == 0);
        }
        for folder in &self.files.folders {
            if !folder::members(&folder.path)?.is_empty() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    #[cfg(test)]
    pub(super) fn folders(&self) -> impl Iterator<Item = &Path> {
        self.files
            .folders
            .iter()
            .map(|folder| folder.path.as_path())
    }
}

impl Files {
    fn new(parents: &Locations, owner: Owner) -> Result<Self, Failure> {
        // From here on, dropping it removes what was made so far.
        let mut files = Self::default();
        let name = owner.group();
        // The first folder is the one with memory.
        if let Some(Location { folder, version }) = &parents.memory {
            let folder = files.folder(folder, &name)?;
            files.memory = Some(Memory::open(&folder, *version)?);
        }
        if let Some(Location { folder, version }) = &parents.cpu {
            let folder = files.folder(folder, &name)?;
            let file = match version {
                Version::V1 => "cpuacct.usage",
                Version::V2 => "cpu.stat",
            };
            files.cpu = Some((*version, CgroupFile::read(&folder, file)?));
        }
        if let Some(Location { folder, .. }) = &parents.processes {
            let folder = files.folder(folder, &name)?;
            files.processes = Some((CgroupFile::write(&folder, "pids.max")?, None));
        }
        if let Some(unified) = &parents.unified {
            let folder = files.folder(unified, &name)?;
            // If the groups above are "threaded", only the program would be told that it cannot enter.
            let path = folder.join("cgroup.type");
            let kind = fs::read_to_string(&path).map_err(at("read", &path))?;
            if kind.trim_end() != "domain" {
                let error = io::Error::from_raw_os_error(libc::EOPNOTSUPP);
                return Err(at("put processes in", &folder)(error));
            }
            files.kill = if_there(CgroupFile::write(&folder, "cgroup.kill"))?;
            files.events = Some(CgroupFile::read(&folder, "cgroup.events")?);
        }
        Ok(files)
    }

    /// The folder of this name in a parent, which several controllers may share.
    fn folder(&mut self, parent: &Path, name: &str) -> Result<PathBuf, Failure> {
        if let Some(folder) = self.folders.iter().find(|folder| folder.parent == parent) {
            return Ok(folder.path.clone());
        }
        let path = parent.join(name);
        fs::create_dir(&path).map_err(at("make", &path))?;
        let procs = match CgroupFile::write(&path, "cgroup.procs") {
            Ok(procs) => procs,
            Err(failure) => {
                folder::remove(&path)?;
                return Err(failure);
            }
        };
        self.folders.push(Folder {
            parent: parent.to_owned(),
            path: path.clone(),
            procs,
        });
        Ok(path)
    }

    /// Sets what is not yet so.
    fn limit(&mut self, memory: u64, processes: u32) -> Result<(), Failure> {
        if let Some(file) = &mut self.memory {
            file.limit(memory)?;
        }
        if let Some((file, in_force)) = &mut self.processes
            && *in_force != Some(processes)
        {
            file.set(&processes.to_string())?;
            *in_force = Some(processes);
        }
        Ok(())
    }

    /// CPU time used since the group was made.
    fn cpu(&self) -> Result<Option<Duration>, Failure> {
        Ok(match &self.cpu {
            Some((Version::V1, usage)) => Some(Duration::from_nanos(usage.number()?)),
            Some((Version::V2, stat)) => Some(Duration::from_micros(stat.field("usage_usec")?)),
            None => None,
        })
    }

    fn oom_kills(&self) -> Result<Option<u64>, Failure> {
        self.memory.as_ref().map(Memory::oom_kills).transpose()
    }

    fn kill(&self) -> Result<(), Failure> {
        if let Some(kill) = &self.kill {
            return kill.set("1");
        }
        // All members are in every folder, unless one was on its way in.
        let mut each = self.folders.iter();
        each.try_for_each(|folder| folder::kill_one_by_one(&folder.path))
    }

    /// Removes its folders and ends whoever is in them.
    fn remove(&mut self) -> Result<(), Failure> {
        if self.folders.is_empty() {
            return Ok(());
        }
        let killed = self.kill();
        if let (Some(memory), Some(folder)) = (&self.memory, self.folders.first()) {
            memory.drop_caches(&folder.path);
        }
        let each = self.folders.drain(..);
        let removed: Vec<_> = each.map(|folder| folder::remove(&folder.path)).collect();
        killed.and(removed.into_iter().collect())
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        // Nobody could be told; the next launcher sweeps.
        let _ = self.remove();
    }
}

//! A launcher's control group.

use std::fs;
use std::io;
use std::os::fd::BorrowedFd;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::OFlags;

use super::file::{CgroupFile, at, if_there};
use super::find::{GroupLocation, Parents, Version};
use super::memory::Memory;
use super::{above, folder, owner};
use crate::error::StepError;
use crate::pressure;

/// A control group for one launcher's consecutive runs.
///
/// Dropping it kills its members and removes its folders. If that takes longer than a second, it is left to the next
/// launcher.
pub(crate) struct Cgroup {
    parents: Parents,
    folders: Vec<GroupFolder>,
    memory: Option<Memory>,
    cpu: Option<(Version, CgroupFile)>,
    /// `pids.max`.
    processes: Option<CgroupFile>,
    /// Where the kernel counts the members' refused forks, if it counts here those that a group above refuses.
    refusals: Option<CgroupFile>,
    /// `cgroup.events` of version 2.
    events: Option<CgroupFile>,
    /// `cpu.pressure` of version 2, if the kernel has it.
    pressure: Option<CgroupFile>,
    /// The counters at the start of the run.
    waited_before: Duration,
    cpu_before: Duration,
    oom_kills_before: u64,
    refused_before: u64,
}

/// Controllers of a group.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Controllers {
    /// Limits memory.
    pub(crate) memory: bool,
    /// Measures CPU time.
    pub(crate) cpu: bool,
    /// Limits the number of processes.
    pub(crate) processes: bool,
}

struct GroupFolder {
    path: PathBuf,
    procs: CgroupFile,
}

impl Cgroup {
    /// Creates a group with the controllers available here, or returns why there is none. Call [`super::prepare()`]
    /// first. Removes groups of launchers that have ended.
    ///
    /// `with_pids_v1` also joins the version 1 hierarchy that limits processes; that costs time, and is not needed if
    /// `RLIMIT_NPROC` counts within the run's own user namespace.
    pub(crate) fn here(with_pids_v1: bool) -> Result<Self, String> {
        let mut parents = Parents::find()?;
        parents.sweep();
        if let (Err(memory), Err(cpu)) = (&parents.memory, &parents.cpu) {
            return Err(format!(
                "no control group can limit memory: {memory}; none can measure CPU time: {cpu}"
            ));
        }
        let is_v1 = |it: &GroupLocation| it.version == Version::V1;
        if !with_pids_v1 && parents.processes.as_ref().is_ok_and(is_v1) {
            parents.processes = Err("limits of processes are those of user namespaces".to_owned());
        }
        Self::below(&parents).map_err(|failure| failure.to_string())
    }

    fn below(parents: &Parents) -> Result<Self, StepError> {
        // From here on, dropping it removes the folders created so far.
        let mut group = Self {
            parents: parents.clone(),
            folders: Vec::new(),
            memory: None,
            cpu: None,
            processes: None,
            refusals: None,
            events: None,
            pressure: None,
            waited_before: Duration::ZERO,
            cpu_before: Duration::ZERO,
            oom_kills_before: 0,
            refused_before: 0,
        };
        let name = owner::group_name().map_err(at("name a group in", Path::new("/proc")))?;
        // The first folder has the memory controller.
        if let Ok(GroupLocation { folder, version }) = &parents.memory {
            let folder = group.folder(folder, &name)?;
            group.memory = Some(Memory::open(&folder, *version)?);
        }
        if let Ok(GroupLocation { folder, version }) = &parents.cpu {
            let folder = group.folder(folder, &name)?;
            let file = match version {
                Version::V1 => "cpuacct.usage",
                Version::V2 => "cpu.stat",
            };
            let file = CgroupFile::open(&folder, file, OFlags::RDONLY)?;
            group.cpu = Some((*version, file));
        }
        if let Ok(GroupLocation { folder, .. }) = &parents.processes {
            let folder = group.folder(folder, &name)?;
            group.processes = Some(CgroupFile::open(&folder, "pids.max", OFlags::WRONLY)?);
            let [at_limit, at_member] = above::EVENTS;
            if !folder.join(at_limit).exists() {
                group.refusals = if_there(CgroupFile::open(&folder, at_member, OFlags::RDONLY))?;
            }
        }
        if let Ok(unified) = &parents.unified {
            let folder = group.folder(unified, &name)?;
            // If the groups above are "threaded", joining would fail only later, in the program.
            let path = folder.join("cgroup.type");
            let kind = fs::read_to_string(&path).map_err(at("read", &path))?;
            if kind.trim_end() != "domain" {
                let error = io::Error::from_raw_os_error(libc::EOPNOTSUPP);
                return Err(at("put processes in", &folder)(error));
            }
            group.events = Some(CgroupFile::open(&folder, "cgroup.events", OFlags::RDONLY)?);
            // Missing or unreadable if the kernel was started with `psi=0`.
            let pressure = CgroupFile::open(&folder, "cpu.pressure", OFlags::RDONLY);
            group.pressure = pressure
                .ok()
                .filter(|file| file.parse(pressure::full_total).is_ok());
        }
        Ok(group)
    }

    /// The folder with this name in a parent, which several controllers may share.
    fn folder(&mut self, parent: &Path, name: &str) -> Result<PathBuf, StepError> {
        let path = parent.join(name);
        if !self.folders.iter().any(|folder| folder.path == path) {
            fs::create_dir(&path).map_err(at("make", &path))?;
            let procs = CgroupFile::open(&path, "cgroup.procs", OFlags::WRONLY)
                .inspect_err(|_| drop(folder::remove(&path)))?;
            self.folders.push(GroupFolder {
                path: path.clone(),
                procs,
            });
        }
        Ok(path)
    }

    /// Its controllers.
    pub(crate) const fn controllers(&self) -> Controllers {
        Controllers {
            memory: self.memory.is_some(),
            cpu: self.cpu.is_some(),
            processes: self.processes.is_some(),
        }
    }

    /// Why it cannot limit memory; `None` if it can.
    pub(crate) fn lacks_memory(&self) -> Option<&str> {
        self.parents.memory.as_ref().err().map(String::as_str)
    }

    /// Prepares a run: an empty group with these limits and all counters at zero.
    ///
    /// `memory` is in bytes. Kills processes left by the last run.
    pub(crate) fn begin(&mut self, memory: u64, processes: u32) -> Result<(), StepError> {
        let must_be_recreated = !self.is_empty()?
            || self.memory.as_ref().map_or(Ok(false), Memory::must_be_recreated)?
            // Usage may be above the new limit and impossible to reclaim.
            || self.limit(memory, processes).is_err();
        if must_be_recreated {
            let group = Self::below(&self.parents)?;
            std::mem::replace(self, group).remove()?;
            self.limit(memory, processes)?;
        }
        if let Some(memory) = &self.memory {
            memory.reset_peak()?;
        }
        (self.cpu_before, self.oom_kills_before) = (Duration::ZERO, 0);
        self.waited_before = Duration::ZERO;
        self.waited_before = self.waited()?.unwrap_or_default();
        self.cpu_before = self.cpu()?.unwrap_or_default();
        self.oom_kills_before = self.oom_kills()?.unwrap_or_default();
        self.refused_before = 0;
        self.refused_before = self.refused_forks();
        Ok(())
    }

    fn limit(&mut self, memory: u64, processes: u32) -> Result<(), StepError> {
        if let Some(file) = &mut self.memory {
            file.limit(memory)?;
        }
        match &self.processes {
            Some(file) => file.set(&processes.to_string()),
            None => Ok(()),
        }
    }

    /// The `cgroup.procs` files, open for writing, until the next [`begin`](Self::begin).
    ///
    /// A process joins by writing `0` to all of them.
    pub(crate) fn cgroup_procs(&self) -> impl Iterator<Item = BorrowedFd<'_>> {
        self.folders.iter().map(|folder| folder.procs.as_fd())
    }

    /// CPU time of all members since [`begin`](Self::begin), living or not; `None` if it is not measured.
    pub(crate) fn cpu(&self) -> Result<Option<Duration>, StepError> {
        let cpu = match &self.cpu {
            Some((Version::V1, usage)) => Duration::from_nanos(usage.number()?),
            Some((Version::V2, stat)) => Duration::from_micros(stat.field("usage_usec")?),
            None => return Ok(None),
        };
        Ok(Some(cpu.saturating_sub(self.cpu_before)))
    }

    /// The time since [`begin`](Self::begin) in which members were ready to run but none had a processor; `None` if
    /// that is not counted.
    pub(crate) fn waited(&self) -> Result<Option<Duration>, StepError> {
        let Some(pressure) = &self.pressure else {
            return Ok(None);
        };
        let total = pressure.parse(pressure::full_total)?;
        Ok(Some(total.saturating_sub(self.waited_before)))
    }

    /// Peak memory use since [`begin`](Self::begin), in bytes, page cache included.
    ///
    /// `None` without a memory controller, and in version 2 before Linux 5.19.
    pub(crate) fn peak(&self) -> Result<Option<u64>, StepError> {
        self.memory.as_ref().map_or(Ok(None), Memory::peak)
    }

    /// Processes killed for lack of memory since [`begin`](Self::begin); `None` without a memory controller.
    pub(crate) fn oom_kills(&self) -> Result<Option<u64>, StepError> {
        let kills = self.memory.as_ref().map(Memory::oom_kills).transpose()?;
        Ok(kills.map(|kills| kills.saturating_sub(self.oom_kills_before)))
    }

    /// Forks of members that were refused since [`begin`](Self::begin), because of this group's limit or one above.
    pub(crate) fn refused_forks(&self) -> u64 {
        let refused = self.refusals.as_ref().map(|it| it.field("max"));
        let refused = refused.and_then(Result::ok).unwrap_or(0);
        refused.saturating_sub(self.refused_before)
    }

    /// Kills every member, without waiting for their end.
    pub(crate) fn kill(&self) -> Result<(), StepError> {
        // All members are in every folder, except a process that is just joining. In the last folder, the kernel may
        // kill all at once.
        let mut folders = self.folders.iter().rev();
        folders.try_for_each(|folder| folder::kill(&folder.path))
    }

    /// Whether it has no living members.
    pub(crate) fn is_empty(&self) -> Result<bool, StepError> {
        if let Some(events) = &self.events {
            return Ok(events.field("populated")? == 0);
        }
        for folder in &self.folders {
            if !folder::members(&folder.path)?.is_empty() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Removes its folders and kills their members.
    fn remove(&mut self) -> Result<(), StepError> {
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

    #[cfg(test)]
    pub(super) fn folders(&self) -> impl Iterator<Item = &Path> {
        let folders = self.folders.iter();
        folders.map(|folder| folder.path.as_path())
    }
}

impl Drop for Cgroup {
    fn drop(&mut self) {
        // An error cannot be reported here; the next launcher cleans up.
        let _ = self.remove();
    }
}

//! The group of a launcher.

use std::fs;
use std::os::fd::BorrowedFd;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::io::Errno;

use super::knob::{Knob, if_there};
use super::owner::Owner;
use super::place::{Place, Seat, Version};
use super::{Failure, folder, v1, v2};

/// Pages that may be charged to a group before a run, in bytes.
///
/// More than this, page cache or a file system in memory that is about to go, would show up in the next peak.
const STALE: u64 = 512 << 10;

/// A control group for the runs of one launcher, one after the other.
///
/// Dropping it kills whoever is in it and removes its folders. What cannot be removed within a second is left
/// to [`Place::sweep`].
pub(crate) struct Group {
    plan: Plan,
    made: Made,
    /// Nothing has run in it yet.
    is_new: bool,
    /// The counters when the run began.
    cpu: Duration,
    oom_kills: u64,
}

/// Why a group could not be made.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoGroup {
    /// There is no place for it.
    #[error("no control group can hold memory: {memory}; none can measure CPU time: {cpu}")]
    NoPlace {
        /// Why it could not hold memory.
        memory: String,
        /// Why it could not measure CPU time.
        cpu: String,
    },
    /// There is a place, but a step failed.
    #[error(transparent)]
    Failed(#[from] Failure),
}

/// Which folders a group consists of.
struct Plan {
    owner: Owner,
    unified: Option<PathBuf>,
    memory: Option<Seat>,
    cpu: Option<Seat>,
    processes: Option<Seat>,
}

/// The folders of a group, and the files in them that every run needs.
struct Made {
    folders: Vec<Folder>,
    memory: Option<Memory>,
    cpu: Option<(Version, Knob)>,
    processes: Option<Processes>,
    /// `cgroup.kill`, since Linux 5.14.
    kill: Option<Knob>,
    /// `cgroup.events` of version 2.
    events: Option<Knob>,
}

struct Folder {
    /// The folder that it was made in.
    place: PathBuf,
    path: PathBuf,
    procs: Knob,
}

enum Memory {
    V1(v1::Memory),
    V2(v2::Memory),
}

struct Processes {
    limit: Knob,
    in_force: Option<u32>,
}

impl Group {
    /// Makes a group with what can be had.
    ///
    /// `with_pids_v1` also joins the version 1 hierarchy that limits processes; it costs time, and is not
    /// needed where `RLIMIT_NPROC` counts within a user namespace of the run's own.
    pub(crate) fn new(place: &Place, with_pids_v1: bool) -> Result<Self, NoGroup> {
        if let (Err(memory), Err(cpu)) = (&place.memory, &place.cpu) {
            return Err(NoGroup::NoPlace {
                memory: memory.to_string(),
                cpu: cpu.to_string(),
            });
        }
        let seat = |found: &Result<Seat, _>| found.as_ref().ok().cloned();
        let plan = Plan {
            owner: place.owner,
            unified: place.unified.as_ref().ok().cloned(),
            memory: seat(&place.memory),
            cpu: seat(&place.cpu),
            processes: seat(&place.processes)
                .filter(|seat| with_pids_v1 || seat.version == Version::V2),
        };
        let made = Made::new(&plan)?;
        Ok(Self {
            plan,
            made,
            is_new: true,
            cpu: Duration::ZERO,
            oom_kills: 0,
        })
    }

    /// Whether it limits memory.
    pub(crate) fn holds_memory(&self) -> bool {
        self.made.memory.is_some()
    }

    /// Whether it measures CPU time.
    pub(crate) fn measures_cpu(&self) -> bool {
        self.made.cpu.is_some()
    }

    /// Whether it limits the number of processes.
    pub(crate) fn limits_processes(&self) -> bool {
        self.made.processes.is_some()
    }

    /// Prepares a run: an empty group under these limits, with all counters at zero.
    ///
    /// `memory` is in bytes. Ends whoever the last run left.
    pub(crate) fn begin(&mut self, memory: u64, processes: u32) -> Result<(), Failure> {
        if !self.is_new && self.must_be_made_anew()? {
            self.make_anew()?;
        }
        match self.made.limit(memory, processes) {
            // More is in use than the new limit allows, and cannot be freed.
            Err(failure) if is_busy(&failure) && !self.is_new => {
                self.make_anew()?;
                self.made.limit(memory, processes)?;
            }
            other => other?,
        }
        if !self.is_new {
            self.made.reset_peak()?;
        }
        self.is_new = false;
        self.cpu = self.made.cpu()?.unwrap_or_default();
        self.oom_kills = self.made.oom_kills()?.unwrap_or_default();
        Ok(())
    }

    /// Whether traces of the last run would show up in the next.
    fn must_be_made_anew(&self) -> Result<bool, Failure> {
        if !self.is_empty()? {
            return Ok(true);
        }
        Ok(match &self.made.memory {
            Some(memory) => memory.keeps_its_peak() || memory.is_stale()?,
            None => false,
        })
    }

    fn make_anew(&mut self) -> Result<(), Failure> {
        let made = Made::new(&self.plan)?;
        let mut old = std::mem::replace(&mut self.made, made);
        self.is_new = true;
        old.remove()
    }

    /// The `cgroup.procs` files, open for writing, until the next [`begin`](Self::begin).
    ///
    /// Who writes `0` to all of them is a member.
    pub(crate) fn cgroup_procs(&self) -> impl Iterator<Item = BorrowedFd<'_>> {
        self.made.folders.iter().map(|folder| folder.procs.as_fd())
    }

    /// CPU time of all members since [`begin`](Self::begin), living or not; nothing where it is not measured.
    pub(crate) fn cpu(&self) -> Result<Option<Duration>, Failure> {
        let cpu = self.made.cpu()?;
        Ok(cpu.map(|cpu| cpu.saturating_sub(self.cpu)))
    }

    /// Memory in use now, in bytes, page cache included; nothing where it is not held.
    #[cfg(test)]
    pub(crate) fn usage(&self) -> Result<Option<u64>, Failure> {
        self.made.memory.as_ref().map(Memory::usage).transpose()
    }

    /// The most memory in use since [`begin`](Self::begin), in bytes, page cache included.
    ///
    /// Nothing where it is not held, and in version 2 before Linux 5.19.
    pub(crate) fn peak(&self) -> Result<Option<u64>, Failure> {
        match &self.made.memory {
            Some(memory) => memory.peak(),
            None => Ok(None),
        }
    }

    /// Processes killed for want of memory since [`begin`](Self::begin); nothing where it is not held.
    pub(crate) fn oom_kills(&self) -> Result<Option<u64>, Failure> {
        let kills = self.made.oom_kills()?;
        Ok(kills.map(|kills| kills.saturating_sub(self.oom_kills)))
    }

    /// Ends every member. They take their time to be gone.
    pub(crate) fn kill(&self) -> Result<(), Failure> {
        self.made.kill()
    }

    /// Whether no member is alive.
    pub(crate) fn is_empty(&self) -> Result<bool, Failure> {
        if let Some(events) = &self.made.events {
            return Ok(events.field("populated")? == 0);
        }
        for folder in &self.made.folders {
            if !folder::members(&folder.path)?.is_empty() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Its folders.
    #[cfg(test)]
    pub(super) fn folders(&self) -> impl Iterator<Item = &Path> {
        self.made.folders.iter().map(|folder| folder.path.as_path())
    }
}

fn is_busy(failure: &Failure) -> bool {
    failure.source.raw_os_error() == Some(Errno::BUSY.raw_os_error())
}

impl Made {
    fn new(plan: &Plan) -> Result<Self, Failure> {
        // From here on, dropping it removes what was made so far.
        let mut made = Self {
            folders: Vec::new(),
            memory: None,
            cpu: None,
            processes: None,
            kill: None,
            events: None,
        };
        let name = plan.owner.group();
        if let Some(seat) = &plan.memory {
            let folder = made.folder(&seat.folder, &name)?;
            made.memory = Some(match seat.version {
                Version::V1 => Memory::V1(v1::Memory::open(&folder)?),
                Version::V2 => Memory::V2(v2::Memory::open(&folder)?),
            });
        }
        if let Some(seat) = &plan.cpu {
            let folder = made.folder(&seat.folder, &name)?;
            let file = match seat.version {
                Version::V1 => "cpuacct.usage",
                Version::V2 => "cpu.stat",
            };
            made.cpu = Some((seat.version, Knob::read(&folder, file)?));
        }
        if let Some(seat) = &plan.processes {
            let folder = made.folder(&seat.folder, &name)?;
            made.processes = Some(Processes {
                limit: Knob::write(&folder, "pids.max")?,
                in_force: None,
            });
        }
        if let Some(unified) = &plan.unified {
            let folder = made.folder(unified, &name)?;
            v2::check_type(&folder)?;
            made.kill = if_there(Knob::write(&folder, "cgroup.kill"))?;
            made.events = Some(Knob::read(&folder, "cgroup.events")?);
        }
        Ok(made)
    }

    /// The folder of this name at a place, which several controllers may share.
    fn folder(&mut self, place: &Path, name: &str) -> Result<PathBuf, Failure> {
        if let Some(folder) = self.folders.iter().find(|folder| folder.place == place) {
            return Ok(folder.path.clone());
        }
        let path = place.join(name);
        fs::create_dir(&path).map_err(Failure::at("make", &path))?;
        let procs = match Knob::write(&path, "cgroup.procs") {
            Ok(procs) => procs,
            Err(failure) => {
                folder::remove(&path)?;
                return Err(failure);
            }
        };
        self.folders.push(Folder {
            place: place.to_owned(),
            path: path.clone(),
            procs,
        });
        Ok(path)
    }

    /// Sets what is not yet so.
    fn limit(&mut self, memory: u64, processes: u32) -> Result<(), Failure> {
        match &mut self.memory {
            Some(Memory::V1(group)) => group.limit(memory)?,
            Some(Memory::V2(group)) => group.limit(memory)?,
            None => {}
        }
        if let Some(group) = &mut self.processes
            && group.in_force != Some(processes)
        {
            group.limit.set(&processes.to_string())?;
            group.in_force = Some(processes);
        }
        Ok(())
    }

    fn reset_peak(&self) -> Result<(), Failure> {
        match &self.memory {
            Some(Memory::V1(group)) => group.reset_peak(),
            Some(Memory::V2(group)) => group.reset_peak(),
            None => Ok(()),
        }
    }

    fn cpu(&self) -> Result<Option<Duration>, Failure> {
        match &self.cpu {
            Some((Version::V1, usage)) => v1::cpu(usage).map(Some),
            Some((Version::V2, stat)) => v2::cpu(stat).map(Some),
            None => Ok(None),
        }
    }

    fn oom_kills(&self) -> Result<Option<u64>, Failure> {
        match &self.memory {
            Some(Memory::V1(group)) => group.oom_kills().map(Some),
            Some(Memory::V2(group)) => group.oom_kills().map(Some),
            None => Ok(None),
        }
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
        // The first folder is the one with memory.
        if let (Some(memory), Some(folder)) = (&self.memory, self.folders.first())
            && matches!(memory.is_stale(), Ok(true))
        {
            match memory {
                Memory::V1(_) => v1::drop_caches(&folder.path),
                Memory::V2(group) => group.drop_caches(&folder.path),
            }
        }
        let each = self.folders.drain(..);
        let removed: Vec<_> = each.map(|folder| folder::remove(&folder.path)).collect();
        killed.and(removed.into_iter().collect())
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        // Nobody could be told; the next launcher sweeps.
        let _ = self.remove();
    }
}

impl Memory {
    fn keeps_its_peak(&self) -> bool {
        match self {
            Self::V1(_) => false,
            Self::V2(group) => group.keeps_its_peak(),
        }
    }

    fn usage(&self) -> Result<u64, Failure> {
        match self {
            Self::V1(group) => group.usage(),
            Self::V2(group) => group.usage(),
        }
    }

    fn is_stale(&self) -> Result<bool, Failure> {
        // The cheaper question first. Usage alone proves nothing: the kernel charges 256 KiB a processor in
        // advance, and takes its time to free what it kept for the dead.
        if self.usage()? <= STALE {
            return Ok(false);
        }
        let pages = match self {
            Self::V1(group) => group.pages(),
            Self::V2(group) => group.pages(),
        };
        Ok(pages? > STALE)
    }

    fn peak(&self) -> Result<Option<u64>, Failure> {
        match self {
            Self::V1(group) => group.peak().map(Some),
            Self::V2(group) => group.peak(),
        }
    }
}

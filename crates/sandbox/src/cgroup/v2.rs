//! Version 2: one tree for all controllers.

use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use rustix::io::Errno;

use super::Failure;
use super::knob::{self, Knob, if_there};

/// The memory of a group.
pub(super) struct Memory {
    limit: Knob,
    usage: Knob,
    /// Since Linux 5.19.
    peak: Option<Knob>,
    /// Whether writing to the peak resets it for this descriptor: since Linux 6.12.
    resets: bool,
    events: Knob,
    /// `memory.stat`.
    statistics: Knob,
    /// The limit in force in bytes; a new group has none.
    in_force: u64,
}

impl Memory {
    pub(super) fn open(folder: &Path) -> Result<Self, Failure> {
        // Missing where the kernel does not account swap.
        if let Some(swap) = if_there(Knob::write(folder, "memory.swap.max"))? {
            swap.set("0")?;
        }
        // One for all, so that nothing of a run goes on without the rest. Since Linux 4.19.
        if let Some(group) = if_there(Knob::write(folder, "memory.oom.group"))? {
            group.set("1")?;
        }
        // Older kernels refuse one or the other.
        let resettable = Knob::read_write(folder, "memory.peak")
            .ok()
            .filter(|peak| peak.set("0").is_ok());
        let resets = resettable.is_some();
        let peak = match resettable {
            Some(peak) => Some(peak),
            None => if_there(Knob::read(folder, "memory.peak"))?,
        };
        Ok(Self {
            limit: Knob::write(folder, "memory.max")?,
            usage: Knob::read(folder, "memory.current")?,
            peak,
            resets,
            events: Knob::read(folder, "memory.events")?,
            statistics: Knob::read(folder, "memory.stat")?,
            in_force: u64::MAX,
        })
    }

    /// Limits memory to this many bytes, rounded down to pages; there is no swap besides.
    pub(super) fn limit(&mut self, bytes: u64) -> Result<(), Failure> {
        if bytes != self.in_force {
            self.limit.set(&bytes.to_string())?;
            self.in_force = bytes;
        }
        Ok(())
    }

    /// What is charged now, in bytes.
    pub(super) fn usage(&self) -> Result<u64, Failure> {
        self.usage.number()
    }

    /// What is charged now for pages of programs and files, files in memory among them, and for what the kernel
    /// remembers of names and files, in bytes.
    pub(super) fn pages(&self) -> Result<u64, Failure> {
        let field = |name| self.statistics.field(name);
        Ok(field("anon")? + field("file")? + field("slab_reclaimable")?)
    }

    /// The most that was charged, in bytes: since the peak was reset, or else since the group was made.
    pub(super) fn peak(&self) -> Result<Option<u64>, Failure> {
        self.peak.as_ref().map(Knob::number).transpose()
    }

    /// Whether only a new group forgets the peak of the last run.
    pub(super) fn keeps_its_peak(&self) -> bool {
        self.peak.is_some() && !self.resets
    }

    /// Lowers the peak to what is charged now, where the kernel can.
    pub(super) fn reset_peak(&self) -> Result<(), Failure> {
        match &self.peak {
            Some(peak) if self.resets => peak.set("0"),
            _ => Ok(()),
        }
    }

    /// Gives page cache back, which would keep the group in the kernel after its folder has gone.
    ///
    /// What cannot be freed now is freed when the machine needs it, so failures are of no interest; the file
    /// is there since Linux 5.19.
    pub(super) fn drop_caches(&self, folder: &Path) {
        let usage = self.usage().unwrap_or_default();
        let _ = knob::write(&folder.join("memory.reclaim"), &usage.to_string());
    }

    /// Processes that were killed for want of memory since the group was made.
    pub(super) fn oom_kills(&self) -> Result<u64, Failure> {
        self.events.field("oom_kill")
    }
}

/// CPU time used since the group was made.
pub(super) fn cpu(stat: &Knob) -> Result<Duration, Failure> {
    Ok(Duration::from_micros(stat.field("usage_usec")?))
}

/// Makes sure that processes can be put into a new group.
///
/// They cannot where the groups above it are "threaded", and the kernel would only say so to the program.
pub(super) fn check_type(folder: &Path) -> Result<(), Failure> {
    let path = folder.join("cgroup.type");
    let kind = fs::read_to_string(&path).map_err(Failure::at("read", &path))?;
    if kind.trim_end() == "domain" {
        Ok(())
    } else {
        let error = io::Error::from(Errno::OPNOTSUPP);
        Err(Failure::at("put processes in", folder)(error))
    }
}

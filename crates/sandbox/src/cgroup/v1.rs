//! Version 1: one tree a controller.

use std::path::Path;
use std::time::Duration;

use super::Failure;
use super::knob::{self, Knob, if_there};

/// The memory of a group.
pub(super) struct Memory {
    limit: Knob,
    /// Memory and swap together; missing where the kernel does not account swap.
    limit_with_swap: Option<Knob>,
    usage: Knob,
    peak: Knob,
    oom: Knob,
    /// `memory.stat`.
    statistics: Knob,
    /// Memory of the kernel; missing where it is not accounted.
    kernel: Option<Knob>,
    /// The limit in force in bytes; a new group has none.
    in_force: u64,
}

impl Memory {
    pub(super) fn open(folder: &Path) -> Result<Self, Failure> {
        let memory = Self {
            limit: Knob::write(folder, "memory.limit_in_bytes")?,
            limit_with_swap: if_there(Knob::write(folder, "memory.memsw.limit_in_bytes"))?,
            usage: Knob::read(folder, "memory.usage_in_bytes")?,
            peak: Knob::read_write(folder, "memory.max_usage_in_bytes")?,
            oom: Knob::read(folder, "memory.oom_control")?,
            statistics: Knob::read(folder, "memory.stat")?,
            kernel: if_there(Knob::read(folder, "memory.kmem.usage_in_bytes"))?,
            in_force: u64::MAX,
        };
        // Inherited: whoever goes over the limit would sleep for ever instead of being killed.
        if memory.oom.field("oom_kill_disable")? != 0 {
            Knob::write(folder, "memory.oom_control")?.set("0")?;
        }
        if memory.limit_with_swap.is_none() {
            // All that can be done against swapping then.
            if let Some(swappiness) = if_there(Knob::write(folder, "memory.swappiness"))? {
                swappiness.set("0")?;
            }
        }
        Ok(memory)
    }

    /// Limits memory and swap together to this many bytes, rounded down to pages.
    pub(super) fn limit(&mut self, bytes: u64) -> Result<(), Failure> {
        if bytes == self.in_force {
            return Ok(());
        }
        let text = bytes.to_string();
        let with_swap = |memory: &Self| match &memory.limit_with_swap {
            Some(knob) => knob.set(&text),
            None => Ok(()),
        };
        // At no moment may the limit without swap be above the one with it.
        if bytes < self.in_force {
            self.limit.set(&text)?;
            with_swap(self)?;
        } else {
            with_swap(self)?;
            self.limit.set(&text)?;
        }
        self.in_force = bytes;
        Ok(())
    }

    /// What is charged now, in bytes.
    pub(super) fn usage(&self) -> Result<u64, Failure> {
        self.usage.number()
    }

    /// What is charged now for pages of programs and files, files in memory among them, and for what the kernel
    /// remembers of names and files, in bytes.
    pub(super) fn pages(&self) -> Result<u64, Failure> {
        let kernel = self.kernel.as_ref().map_or(Ok(0), Knob::number)?;
        Ok(self.statistics.field("rss")? + self.statistics.field("cache")? + kernel)
    }

    /// The most that was charged since the peak was reset, in bytes.
    pub(super) fn peak(&self) -> Result<u64, Failure> {
        self.peak.number()
    }

    /// Lowers the peak to what is charged now.
    pub(super) fn reset_peak(&self) -> Result<(), Failure> {
        self.peak.set("0")
    }

    /// Processes that were killed for want of memory since the group was made.
    pub(super) fn oom_kills(&self) -> Result<u64, Failure> {
        self.oom.field("oom_kill")
    }
}

/// CPU time used since the group was made.
pub(super) fn cpu(usage: &Knob) -> Result<Duration, Failure> {
    Ok(Duration::from_nanos(usage.number()?))
}

/// Gives page cache back, which would keep the group in the kernel after its folder has gone.
///
/// What cannot be freed now is freed when the machine needs it, so failures are of no interest.
pub(super) fn drop_caches(folder: &Path) {
    let _ = knob::write(&folder.join("memory.force_empty"), "0");
}

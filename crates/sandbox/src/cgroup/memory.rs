//! A group's memory controller, in both versions.

use std::path::Path;

use rustix::fs::OFlags;

use super::file::{self, CgroupFile, if_there};
use super::find::Version;
use crate::constants::MAX_STALE_BYTES;
use crate::error::StepError;

pub(super) struct Memory {
    limit: CgroupFile,
    /// Version 1: limit on memory and swap together. Missing if the kernel does not account swap.
    limit_with_swap: Option<CgroupFile>,
    usage: CgroupFile,
    /// Version 2: since Linux 5.19.
    peak: Option<CgroupFile>,
    /// Whether writing to the peak resets it: in version 2 since Linux 6.12.
    resets_peak: bool,
    /// Contains the line `oom_kill`.
    events: CgroupFile,
    /// `memory.stat`, and its lines with page counts.
    statistics: CgroupFile,
    pages: &'static [&'static str],
    /// Version 1: kernel memory.
    kernel: Option<CgroupFile>,
    /// The file that frees page cache, and the text to write.
    reclaim: (&'static str, &'static str),
    /// The limit in force in bytes; a new group has none.
    in_force: u64,
}

impl Memory {
    pub(super) fn open(folder: &Path, version: Version) -> Result<Self, StepError> {
        let read = |name| CgroupFile::open(folder, name, OFlags::RDONLY);
        let write = |name| CgroupFile::open(folder, name, OFlags::WRONLY);
        let read_write = |name| CgroupFile::open(folder, name, OFlags::RDWR);
        if version == Version::V1 {
            return Ok(Self {
                limit: write("memory.limit_in_bytes")?,
                limit_with_swap: if_there(write("memory.memsw.limit_in_bytes"))?,
                usage: read("memory.usage_in_bytes")?,
                peak: Some(read_write("memory.max_usage_in_bytes")?),
                resets_peak: true,
                events: read("memory.oom_control")?,
                statistics: read("memory.stat")?,
                pages: &["rss", "cache"],
                kernel: if_there(read("memory.kmem.usage_in_bytes"))?,
                reclaim: ("memory.force_empty", "0"),
                in_force: u64::MAX,
            });
        }
        // The first is missing if the kernel does not account swap. The second (since Linux 4.19) makes the OOM killer
        // kill the whole group.
        for (name, value) in [("memory.swap.max", "0"), ("memory.oom.group", "1")] {
            if let Some(file) = if_there(write(name))? {
                file.set(value)?;
            }
        }
        // Older kernels refuse the opening or the write.
        let resettable = read_write("memory.peak").and_then(|peak| peak.set("0").map(|()| peak));
        Ok(Self {
            limit: write("memory.max")?,
            limit_with_swap: None,
            usage: read("memory.current")?,
            resets_peak: resettable.is_ok(),
            peak: if_there(resettable.or_else(|_| read("memory.peak")))?,
            events: read("memory.events")?,
            statistics: read("memory.stat")?,
            pages: &["anon", "file", "slab_reclaimable"],
            kernel: None,
            reclaim: ("memory.reclaim", "1G"),
            in_force: u64::MAX,
        })
    }

    /// Limits memory to this many bytes, rounded down to pages, swap included.
    pub(super) fn limit(&mut self, bytes: u64) -> Result<(), StepError> {
        if bytes == self.in_force {
            return Ok(());
        }
        let mut files = vec![&self.limit];
        files.extend(&self.limit_with_swap);
        // The limit without swap must never exceed the one with swap.
        if bytes > self.in_force {
            files.reverse();
        }
        for file in files {
            file.set(&bytes.to_string())?;
        }
        self.in_force = bytes;
        Ok(())
    }

    /// Maximum charge in bytes since the peak was reset, or else since the group was created.
    pub(super) fn peak(&self) -> Result<Option<u64>, StepError> {
        self.peak.as_ref().map(CgroupFile::number).transpose()
    }

    /// Resets the peak to the current charge, if the kernel can.
    pub(super) fn reset_peak(&self) -> Result<(), StepError> {
        match &self.peak {
            Some(peak) if self.resets_peak => peak.set("0"),
            _ => Ok(()),
        }
    }

    /// Processes killed for lack of memory since the group was created.
    pub(super) fn oom_kills(&self) -> Result<u64, StepError> {
        self.events.field("oom_kill")
    }

    /// Whether the last run's memory would appear in the next one's peak.
    pub(super) fn must_be_recreated(&self) -> Result<bool, StepError> {
        let keeps_peak = self.peak.is_some() && !self.resets_peak;
        Ok(keeps_peak || self.is_stale()?)
    }

    fn is_stale(&self) -> Result<bool, StepError> {
        // The cheaper check first. Usage alone is not enough: the kernel charges 256 KiB per processor in advance and
        // frees the memory of ended processes late.
        if self.usage.number()? <= MAX_STALE_BYTES {
            return Ok(false);
        }
        let mut pages = self.kernel.as_ref().map_or(Ok(0), CgroupFile::number)?;
        for name in self.pages {
            pages += self.statistics.field(name)?;
        }
        Ok(pages > MAX_STALE_BYTES)
    }

    /// Frees page cache, which would keep the group alive in the kernel after its folder is removed.
    ///
    /// Failures are ignored: the kernel frees the rest when it needs memory.
    pub(super) fn drop_caches(&self, folder: &Path) {
        if matches!(self.is_stale(), Ok(true)) {
            let (name, text) = self.reclaim;
            let _ = file::write(&folder.join(name), text);
        }
    }
}

//! Limits on processes that others set: for our own control group, and for those above it.
//!
//! A program whose fork was refused by such a limit has done nothing wrong. The kernel counts the refusals in different
//! groups:
//!
//! - in version 2 since Linux 6.11, `pids.events.local` of the group whose limit was reached;
//! - else `pids.events` of the group that the process is in, whichever group above has the limit.

use std::path::{Path, PathBuf};

use rustix::fs::OFlags;

use super::file::CgroupFile;
use super::find::{Hierarchy, ProcTables};
use crate::error::quoted;

/// Files with the number of refused forks, the more exact one first.
pub(super) const EVENTS: [&str; 2] = ["pids.events.local", "pids.events"];

/// Our own group and those above it, as far as they can limit processes and are visible.
pub(crate) struct GroupsAbove(Vec<GroupAbove>);

struct GroupAbove {
    path: PathBuf,
    limit: CgroupFile,
    members: CgroupFile,
    events: CgroupFile,
    refused_before: u64,
}

impl GroupsAbove {
    /// Those of this process.
    pub(crate) fn find() -> Self {
        let hierarchies = [Hierarchy::Controller("pids"), Hierarchy::Unified];
        let system = ProcTables::read().ok();
        let own = hierarchies
            .iter()
            .filter_map(|it| system.as_ref()?.own(*it).ok());
        let own: Vec<PathBuf> = own.collect();
        Self::of(own.iter().flat_map(|it| it.ancestors()))
    }

    /// Those of these folders that limit processes.
    pub(super) fn of<'a>(folders: impl IntoIterator<Item = &'a Path>) -> Self {
        Self(folders.into_iter().filter_map(GroupAbove::open).collect())
    }

    /// From now on, refusals are counted.
    pub(crate) fn begin(&mut self) {
        for group in &mut self.0 {
            group.refused_before = group.refused();
        }
    }

    /// How many more processes there may be now; `None` without a limit.
    pub(crate) fn left(&self) -> Option<u64> {
        self.0.iter().filter_map(GroupAbove::left).min()
    }

    /// Whether a fork was refused since [`begin`](Self::begin), of whatever process in these groups.
    pub(crate) fn have_refused(&self) -> bool {
        self.0.iter().any(|it| it.refused() > it.refused_before)
    }

    /// The limit that was reached, or else the nearest one.
    pub(crate) fn reached(&self) -> String {
        let has_limit = |it: &&GroupAbove| it.limit().is_some();
        let groups = || self.0.iter().filter(has_limit);
        let refusing = groups().find(|it| it.refused() > it.refused_before);
        let nearest = refusing.or_else(|| groups().min_by_key(|it| it.left()));
        match nearest.and_then(|it| Some((it, it.limit()?))) {
            Some((group, limit)) => format!(
                "the control group {} has room for {limit} processes (`pids.max`)",
                quoted(&group.path)
            ),
            None => "a control group above our own has no room for more processes".to_owned(),
        }
    }

    /// The smallest limit.
    pub(crate) fn limit(&self) -> Option<u64> {
        self.0.iter().filter_map(GroupAbove::limit).min()
    }
}

impl GroupAbove {
    /// `None` if the group limits no processes: the root, or one that has no such controller.
    fn open(folder: &Path) -> Option<Self> {
        let open = |name| CgroupFile::open(folder, name, OFlags::RDONLY).ok();
        Some(Self {
            path: folder.to_owned(),
            limit: open("pids.max")?,
            members: open("pids.current")?,
            events: EVENTS.into_iter().find_map(open)?,
            refused_before: 0,
        })
    }

    /// A group that is gone, or a file that cannot be understood, has refused nothing.
    fn refused(&self) -> u64 {
        self.events.field("max").unwrap_or(0)
    }

    fn limit(&self) -> Option<u64> {
        // `max` if there is none.
        self.limit.number().ok()
    }

    fn left(&self) -> Option<u64> {
        let members = self.members.number().unwrap_or(0);
        Some(self.limit()?.saturating_sub(members))
    }
}

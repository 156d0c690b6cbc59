//! The cores that we may run on, and which of them are SMT siblings.

use std::fs::{File, TryLockError};
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, PermissionsExt as _};
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

use rustix::thread::{CpuSet, sched_getaffinity};
use serde::{Deserialize, Serialize};

use crate::Layer;
use crate::error::StepError;

/// A core, by its number in the system (`/sys/devices/system/cpu/cpuN`).
///
/// If a physical core has several hardware threads (SMT), each has its own number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Core(pub u32);

impl fmt::Display for Core {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

impl Core {
    /// The affinity mask of this core alone. A core outside our affinity is an error: the kernel would let us leave the
    /// cores set by `taskset`.
    pub(crate) fn mask(self) -> Result<CpuSet, StepError> {
        if !allowed().contains(&self) {
            let step = format!("run the program on core {self}, which is not allowed to us");
            let layer = Layer::ResourceLimits;
            return Err(StepError::with_errno(layer, step, libc::EINVAL));
        }
        let mut mask = CpuSet::new();
        mask.set(self.0 as usize);
        Ok(mask)
    }
}

/// The cores that this thread may run on: those of its affinity (`taskset`) and its cpuset that are online. Empty on a
/// machine that may have more than 1024.
fn allowed() -> Vec<Core> {
    let mask = sched_getaffinity(None).unwrap_or_default();
    let numbers = (0..CpuSet::MAX_CPU).filter(|&number| mask.is_set(number));
    numbers.map(|number| Core(number as u32)).collect()
}

/// The cores that this process may run on, in the order in which they are claimed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cores {
    order: Vec<Core>,
    workers: usize,
}

impl Cores {
    /// The cores of this process.
    pub fn here() -> Self {
        let at_once = std::thread::available_parallelism().map_or(1, usize::from);
        Self::below(Path::new("/"), &allowed(), at_once)
    }

    /// One thread of each physical core first, then the second thread of each, and so on, in numerical order. `at_once`
    /// is the number of processors that our CPU quota allows, at least 1.
    ///
    /// A core whose siblings `root` does not list counts as a physical one.
    fn below(root: &Path, allowed: &[Core], at_once: usize) -> Self {
        let mut order: Vec<(usize, Core)> = Vec::new();
        let mut seen = Vec::new();
        for &core in allowed {
            let physical = physical(root, core);
            let threads = seen.iter().filter(|&&other| other == physical).count();
            seen.push(physical);
            order.push((threads, core));
        }
        order.sort_unstable();
        let physical = order.iter().filter(|(threads, _)| *threads == 0).count();
        Self {
            workers: if allowed.is_empty() {
                at_once
            } else {
                physical.min(at_once)
            },
            order: order.into_iter().map(|(_, core)| core).collect(),
        }
    }

    /// All cores: one thread of each physical core first, then their SMT siblings.
    pub fn order(&self) -> &[Core] {
        &self.order
    }

    /// Number of programs that run concurrently with little effect on each other: one on each physical core, but no
    /// more than a quota (`cpu.max`, `cpu.cfs_quota_us`) allows. At least 1.
    pub const fn workers(&self) -> usize {
        self.workers
    }

    /// Claims a core for each worker until this process ends, preferably cores that no other grader has claimed. If
    /// there are too few, some are shared. Empty if programs cannot be pinned. Graders exclude each other by locks in
    /// `folder` or, if `None`, by machine-wide locks.
    ///
    /// Without claims, all graders of a shared machine would run their programs on the same core.
    pub fn claim(&self, workers: usize, folder: Option<&Path>) -> ClaimedCores {
        let (machine, prefix) = if folder.is_none() {
            (lock_folder(), Some(PREFIX))
        } else {
            (None, None)
        };
        let folder = folder.or(machine.as_deref());
        let claimed = claim(folder, prefix, &self.order, workers);
        let cores = claimed.iter().map(|claimed| claimed.core).collect();
        let are_shared = claimed.iter().any(|claimed| claimed.is_shared);
        // Claims last until this process ends; their descriptors are close-on-exec.
        std::mem::forget(claimed);
        ClaimedCores { cores, are_shared }
    }
}

/// Prefix of the socket names of cores.
const PREFIX: &str = "bitcraft-core";

/// The workers' cores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimedCores {
    /// One for each worker; cores repeat if there are more workers than cores.
    pub cores: Vec<Core>,
    /// Whether another grader has also claimed some of them, so that its programs compete with ours.
    pub are_shared: bool,
}

/// A claimed core, with the lock and the socket that claim it.
struct Claim {
    core: Core,
    is_shared: bool,
    _lock: Option<File>,
    _name: Option<UnixDatagram>,
}

/// Claims `count` cores: first those that nobody has claimed, then those of other users, then our own user's.
///
/// Graders of one user exclude each other by locked files in a folder that nobody else can enter. Graders of different
/// users detect each other by abstract socket names, which are machine-wide (per network namespace). Anybody can bind
/// such a name, so it only affects the order and the report. The kernel releases both when the process ends.
fn claim(folder: Option<&Path>, prefix: Option<&str>, order: &[Core], count: usize) -> Vec<Claim> {
    let mut all: Vec<(u8, Claim)> = Vec::new();
    for &core in order {
        // Enough cores are exclusively ours.
        if all.iter().filter(|(rank, _)| *rank == 0).count() == count {
            break;
        }
        let lock = folder.map(|folder| lock(&folder.join(core.to_string())));
        let is_ours = !matches!(lock, Some(Err(TryLockError::WouldBlock)));
        let name = prefix.map(|prefix| bind(&format!("{prefix}-{core}")));
        let is_free = !matches!(name, Some(Err(_)));
        let rank = match (is_ours, is_free) {
            (true, true) => 0,
            (true, false) => 1,
            (false, _) => 2,
        };
        let claim = Claim {
            core,
            is_shared: rank > 0,
            _lock: lock.and_then(Result::ok),
            _name: name.and_then(Result::ok),
        };
        all.push((rank, claim));
    }
    all.sort_by_key(|(rank, _)| *rank);
    let mut taken: Vec<Claim> = all.into_iter().map(|(_, claim)| claim).collect();
    taken.truncate(count);
    for number in 0..count.saturating_sub(taken.len()) {
        let Some(again) = taken.get(number) else {
            break;
        };
        taken.push(Claim {
            core: again.core,
            is_shared: again.is_shared,
            _lock: None,
            _name: None,
        });
    }
    taken
}

/// Locks a file until it is closed.
fn lock(path: &Path) -> Result<File, TryLockError> {
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)
        .map_err(TryLockError::Error)?;
    file.try_lock().map(|()| file)
}

/// Binds an abstract socket name until it is closed.
fn bind(name: &str) -> io::Result<UnixDatagram> {
    UnixDatagram::bind_addr(&SocketAddr::from_abstract_name(name)?)
}

/// The folder for this user's locks, independent of how the grader is started; `None` if it cannot be created or
/// belongs to another user.
fn lock_folder() -> Option<PathBuf> {
    let user = rustix::process::geteuid();
    let session = PathBuf::from(format!("/run/user/{}", user.as_raw()));
    let system = PathBuf::from("/run");
    let all = PathBuf::from(format!("/tmp/bitcraft-{}", user.as_raw()));
    let above = if user.is_root() { system } else { session };
    [above.join("bitcraft"), all]
        .into_iter()
        .find_map(|folder| {
            // If it exists, its owner is checked below.
            let _ = fs::DirBuilder::new().mode(0o700).create(&folder);
            let found = fs::symlink_metadata(&folder).ok()?;
            let is_ours = found.is_dir()
                && found.uid() == user.as_raw()
                && found.permissions().mode() & 0o777 == 0o700;
            is_ours.then_some(folder)
        })
}

/// The first SMT sibling of a core: the first number of a list such as `0-1` or `0,4`.
fn physical(root: &Path, core: Core) -> u32 {
    let path = format!("sys/devices/system/cpu/cpu{core}/topology/thread_siblings_list");
    let siblings = fs::read_to_string(root.join(path)).unwrap_or_default();
    let first = siblings.split(|sign: char| !sign.is_ascii_digit()).next();
    first.and_then(|first| first.parse().ok()).unwrap_or(core.0)
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    #[test]
    fn a_core_is_claimed_once_while_others_are_free() {
        // Names unique to this test. A released claim may stay taken for a moment: a program started by another test
        // has its descriptor until `execve`.
        let test = format!("bitcraft-test-{}", std::process::id());
        let order = [0, 2, 1, 3].map(Core);
        let folder = TempDir::new().unwrap();
        let take = |folder: &Path, prefix: &str, count| {
            let claims = claim(Some(folder), Some(prefix), &order, count);
            let shown = |claim: &Claim| {
                let shared = if claim.is_shared { " shared" } else { "" };
                format!("{}{shared}", claim.core)
            };
            let shown: Vec<String> = claims.iter().map(shown).collect();
            (shown.join(", "), claims)
        };
        let first = take(folder.path(), &test, 3);
        assert_eq!(first.0, "0, 2, 1");
        let second = take(folder.path(), &test, 2);
        assert_eq!(second.0, "3, 0 shared");
        assert_eq!(take(folder.path(), &test, 1).0, "0 shared");
        // Another user has claimed the names of the first two, but none of our locks.
        let (ours, theirs) = (TempDir::new().unwrap(), TempDir::new().unwrap());
        let name = format!("{test}-users");
        let other = take(theirs.path(), &name, 2);
        assert_eq!(other.0, "0, 2");
        let third = take(ours.path(), &name, 3);
        assert_eq!(third.0, "1, 3, 0 shared");
        assert_eq!(take(ours.path(), &name, 2).0, "2 shared, 0 shared");
        // More workers than cores, a folder that cannot be used, and no cores at all.
        let name = format!("{test}-many");
        let nowhere = ours.path().join("nowhere");
        assert_eq!(take(&nowhere, &name, 6).0, "0, 2, 1, 3, 0, 2");
        assert!(claim(None, None, &[], 2).is_empty());
    }

    #[test]
    #[rustfmt::skip]
    fn one_thread_of_each_physical_core_comes_first_within_the_quota() {
        // Numbering of Intel's server processors, of AMD's and virtual machines, four threads per core, offline
        // siblings, and nothing known.
        let apart: &[(u32, &str)] = &[(0, "0,4"), (1, "1,5"), (4, "0,4"), (5, "1,5")];
        let beside = &[(0, "0-1"), (1, "0-1"), (2, "2-3"), (3, "2-3")];
        let four = &[(0, "0-3"), (1, "0-3"), (2, "0-3"), (3, "0-3"), (4, "4-5"), (5, "4-5")];
        let halves = &[(0, "0"), (2, "2"), (3, "3,7"), (7, "3,7")];
        let broken = &[(0, ""), (1, "x")];
        for (siblings, allowed, at_once, order, workers) in [
            (apart, &[0, 1, 4, 5][..], 4, &[0, 1, 4, 5][..], 2),
            (apart, &[4], 1, &[4], 1),
            (apart, &[1, 4, 5], 3, &[1, 4, 5], 2),
            (apart, &[], 8, &[], 8),
            (beside, &[0, 1, 2, 3], 4, &[0, 2, 1, 3], 2),
            (beside, &[0, 1, 2, 3], 3, &[0, 2, 1, 3], 2),
            (beside, &[0, 1, 2, 3], 1, &[0, 2, 1, 3], 1),
            (four, &[0, 1, 2, 3, 4, 5], 6, &[0, 4, 1, 5, 2, 3], 2),
            (halves, &[0, 2, 3, 7], 4, &[0, 2, 3, 7], 3),
            (broken, &[0, 1, 2], 3, &[0, 1, 2], 3),
        ] {
            let root = TempDir::new().unwrap();
            for (number, list) in siblings {
                let folder = format!("sys/devices/system/cpu/cpu{number}/topology");
                let folder = root.path().join(folder);
                fs::create_dir_all(&folder).unwrap();
                fs::write(folder.join("thread_siblings_list"), format!("{list}\n")).unwrap();
            }
            let allowed: Vec<Core> = allowed.iter().copied().map(Core).collect();
            let order = order.iter().copied().map(Core).collect();
            assert_eq!(Cores::below(root.path(), &allowed, at_once), Cores { order, workers });
        }
    }
}

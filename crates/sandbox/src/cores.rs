//! The cores that we may run on, and which of them are halves of one.

use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::path::Path;
use std::{fmt, fs};

use rustix::thread::{CpuSet, sched_getaffinity};
use serde::{Deserialize, Serialize};

use crate::Layer;
use crate::error::Failure;

/// A core, by the number that the system gives it (`/sys/devices/system/cpu/cpuN`).
///
/// If a physical core runs several threads at a time (SMT), each of them has such a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Core(pub u32);

impl fmt::Display for Core {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

impl Core {
    /// The mask of this core alone, for a program that is to run there. One on which we may not run ourselves is an
    /// error: the kernel would let us leave the cores that `taskset` gave us.
    pub(crate) fn mask(self) -> Result<CpuSet, Failure> {
        if !allowed().contains(&self) {
            let step = format!("run the program on core {self}, which is not one of ours");
            let layer = Layer::ResourceLimits;
            return Err(Failure::with_errno(layer, step, libc::EINVAL));
        }
        let mut mask = CpuSet::new();
        mask.set(self.0 as usize);
        Ok(mask)
    }
}

/// The cores that this thread may run on: those of its affinity (`taskset`) and its cpuset, as far as they are online.
/// None on a machine that may have more than 1024.
fn allowed() -> Vec<Core> {
    let mask = sched_getaffinity(None).unwrap_or_default();
    let numbers = (0..CpuSet::MAX_CPU).filter(|&number| mask.is_set(number));
    numbers.map(|number| Core(number as u32)).collect()
}

/// The cores that this process may run on, in the order in which programs are given them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cores {
    order: Vec<Core>,
    workers: usize,
}

impl Cores {
    /// Those of this process.
    pub fn here() -> Self {
        let at_once = std::thread::available_parallelism().map_or(1, usize::from);
        Self::below(Path::new("/"), &allowed(), at_once)
    }

    /// One of each physical core first, then the second thread of each, and so on; by their numbers. `at_once` are
    /// the processors' worth of time that we get, at least 1.
    ///
    /// A core of which the system below this root does not say what it shares is taken for a physical one.
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

    /// All of them: one thread of each physical core first, then the threads that share one with those.
    pub fn order(&self) -> &[Core] {
        &self.order
    }

    /// How many programs run at a time without disturbing each other more than they must: one on each physical core,
    /// but no more than a quota (`cpu.max`, `cpu.cfs_quota_us`) has time for. At least 1.
    pub const fn workers(&self) -> usize {
        self.workers
    }

    /// Takes a core for each of so many workers, until this process ends: the first that no other grader has taken.
    /// None at all if fewer are left, or if programs cannot be put on cores.
    ///
    /// Without this all graders of a shared machine would put their programs on the same core.
    pub fn claim(&self, workers: usize) -> Vec<Core> {
        let claimed = claim("bitcraft-core", &self.order, workers).unwrap_or_default();
        // Their descriptors are closed in every process that we start.
        let keep = |(core, name)| {
            std::mem::forget::<UnixDatagram>(name);
            core
        };
        claimed.into_iter().map(keep).collect()
    }
}

/// Takes so many of these cores, the first that are free, with the names that they are taken by; `None` if fewer are.
///
/// A process owns a core if it has bound the abstract socket named after it. The kernel keeps these names for the whole
/// machine (each network namespace), needs no privileges for them, and frees a name when its process ends.
fn claim(prefix: &str, order: &[Core], count: usize) -> Option<Vec<(Core, UnixDatagram)>> {
    let free = order.iter().filter_map(|&core| {
        let name = SocketAddr::from_abstract_name(format!("{prefix}-{core}")).ok()?;
        // Whatever the reason is, the core is not ours.
        Some((core, UnixDatagram::bind_addr(&name).ok()?))
    });
    let taken: Vec<_> = free.take(count).collect();
    (taken.len() == count).then_some(taken)
}

/// The first thread of the physical core that this is a thread of: the first number of a list as `0-1` or `0,4`.
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
    fn a_core_is_taken_by_one_at_a_time() {
        // Names of this test alone. A name that is given up may stay taken for a moment: a program that another test
        // starts has it until it runs.
        let test = format!("bitcraft-test-{}", std::process::id());
        let order = [0, 2, 1, 3].map(Core);
        let take = |prefix: &str, count| claim(prefix, &order, count);
        let cores = |claim: &Option<Vec<(Core, UnixDatagram)>>| {
            let claim = claim.as_deref();
            claim.map(|claim| claim.iter().map(|(core, _)| core.0).collect::<Vec<_>>())
        };
        let first = take(&test, 3);
        assert_eq!(cores(&first), Some(vec![0, 2, 1]));
        let second = take(&test, 1);
        assert_eq!(cores(&second), Some(vec![3]));
        assert_eq!(cores(&take(&test, 1)), None);
        // If there are not enough, none is taken.
        assert_eq!(cores(&take(&format!("{test}-few"), 5)), None);
    }

    #[test]
    #[rustfmt::skip]
    fn one_thread_of_each_physical_core_comes_first_as_far_as_a_quota_has_time() {
        // As Intel's server processors number them, as AMD's and virtual machines' do, four threads a core, siblings
        // that are offline, and nothing known.
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

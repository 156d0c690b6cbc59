//! The cores that we may run on, and which of them are halves of one.

use std::fmt;
use std::fs;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::path::Path;

use crate::affinity::{self, Core, as_list};

/// The cores that this process may run on, in the order in which programs are given them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cores {
    order: Vec<Core>,
    physical: usize,
    at_once: usize,
}

impl Cores {
    /// Those of this process: of its affinity (`taskset`) and its cpuset, as far as they are online.
    pub fn here() -> Self {
        // Without the list nothing is pinned, which costs nobody a run.
        let allowed = affinity::allowed().unwrap_or_default();
        let at_once = std::thread::available_parallelism().map_or(1, usize::from);
        Self::below(Path::new("/"), &allowed, at_once)
    }

    /// One of each physical core first, then the second thread of each, and so on; by their numbers. `at_once` are
    /// the processors' worth of time that we get, at least 1.
    ///
    /// A core of which the system below this root does not say what it shares is taken for a physical one.
    fn below(root: &Path, allowed: &[u32], at_once: usize) -> Self {
        let mut order: Vec<(usize, Core)> = Vec::new();
        let mut seen = Vec::new();
        for &number in allowed {
            let physical = physical(root, number);
            let threads = seen.iter().filter(|&&other| other == physical).count();
            seen.push(physical);
            order.push((threads, Core(number)));
        }
        order.sort_unstable();
        Self {
            physical: order.iter().filter(|(threads, _)| *threads == 0).count(),
            order: order.into_iter().map(|(_, core)| core).collect(),
            at_once,
        }
    }

    /// All of them: one thread of each physical core first, then the threads that share one with those.
    pub fn order(&self) -> &[Core] {
        &self.order
    }

    /// Number of physical cores: so many of [`Self::order`] share nothing with each other.
    pub const fn physical(&self) -> usize {
        self.physical
    }

    /// Number of processors whose time a quota (`cpu.max`, `cpu.cfs_quota_us`) leaves us, rounded down but at least
    /// 1; nothing where no quota leaves fewer than there are.
    pub fn quota(&self) -> Option<usize> {
        (self.at_once < self.order.len()).then_some(self.at_once)
    }

    /// How many programs run at a time without disturbing each other more than they must: one on each physical core,
    /// but no more than a quota has time for. At least 1.
    pub fn workers(&self) -> usize {
        if self.order.is_empty() {
            self.at_once
        } else {
            self.physical.min(self.at_once)
        }
    }

    /// Takes a core for each of so many workers, until this process ends: the first that no other grader has taken.
    /// None at all where fewer are left, and where programs cannot be put on cores.
    ///
    /// Without this all graders of a shared machine would put their programs on the same core.
    pub fn claim(&self, workers: usize) -> Vec<Core> {
        let Some(claimed) = claim("bitcraft-core", &self.order, workers) else {
            return Vec::new();
        };
        let (cores, names): (Vec<Core>, Vec<_>) = claimed.into_iter().unzip();
        // Their descriptors are closed in every process that we start.
        names.into_iter().for_each(std::mem::forget);
        cores
    }
}

/// Whoever binds an abstract socket of a core's name has the core. The kernel keeps these names for the whole machine
/// (for each network namespace), asks for no rights, and forgets a name with its process.
/// Takes so many of these cores, the first that are free, with the names that they are taken by; `None` if fewer are.
fn claim(prefix: &str, order: &[Core], count: usize) -> Option<Vec<(Core, UnixDatagram)>> {
    let free = order.iter().filter_map(|&core| {
        let name = SocketAddr::from_abstract_name(format!("{prefix}-{core}")).ok()?;
        // Whatever the reason is, the core is not ours.
        Some((core, UnixDatagram::bind_addr(&name).ok()?))
    });
    let taken: Vec<_> = free.take(count).collect();
    (taken.len() == count).then_some(taken)
}

/// As the kernel writes them: `0-3,8`.
impl fmt::Display for Cores {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut numbers: Vec<u32> = self.order.iter().map(|core| core.0).collect();
        numbers.sort_unstable();
        as_list(&numbers).fmt(out)
    }
}

/// The first thread of the physical core that this is a thread of.
fn physical(root: &Path, number: u32) -> u32 {
    let path = format!("sys/devices/system/cpu/cpu{number}/topology/thread_siblings_list");
    fs::read_to_string(root.join(path))
        .ok()
        .and_then(|text| from_list(text.trim()))
        .filter(|siblings| siblings.contains(&number))
        .and_then(|siblings| siblings.into_iter().min())
        .unwrap_or(number)
}

/// Reads a list of the kernel's: `0-3,8`. Nothing where it is none.
fn from_list(text: &str) -> Option<Vec<u32>> {
    // No kernel has more; so that a broken list does not take all memory.
    const MAX_CORES: u32 = 8192;
    let mut all = Vec::new();
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
        if last >= MAX_CORES || first > last {
            return None;
        }
        all.extend(first..=last);
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    #[test]
    fn a_core_is_taken_by_one_at_a_time_and_free_again_afterwards() {
        // Of this test alone.
        let prefix = format!("bitcraft-test-{}", std::process::id());
        let order = [0, 2, 1, 3].map(Core);
        let take = |count| claim(&prefix, &order, count);
        let cores = |claim: &Option<Vec<(Core, UnixDatagram)>>| {
            let claim = claim.as_deref();
            claim.map(|claim| claim.iter().map(|(core, _)| core.0).collect::<Vec<_>>())
        };
        let first = take(3);
        assert_eq!(cores(&first), Some(vec![0, 2, 1]));
        // Who cannot have enough takes none.
        assert_eq!(cores(&take(2)), None);
        let second = take(1);
        assert_eq!(cores(&second), Some(vec![3]));
        assert_eq!(cores(&take(1)), None);
        drop(first);
        assert_eq!(cores(&take(2)), Some(vec![0, 2]));
    }

    /// A system in which these processors say this of what they share.
    fn system(siblings: &[(u32, &str)]) -> TempDir {
        let root = TempDir::new().unwrap();
        for (number, list) in siblings {
            let folder = format!("sys/devices/system/cpu/cpu{number}/topology");
            let folder = root.path().join(folder);
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join("thread_siblings_list"), format!("{list}\n")).unwrap();
        }
        root
    }

    fn cores(siblings: &[(u32, &str)], allowed: &[u32]) -> (Vec<u32>, usize) {
        let cores = Cores::below(system(siblings).path(), allowed, allowed.len());
        let order = cores.order().iter().map(|core| core.0).collect();
        (order, cores.physical())
    }

    #[test]
    fn one_thread_of_each_physical_core_comes_first() {
        // As Intel's server processors number them, and as AMD's and virtual machines' do.
        let apart = [(0, "0,4"), (1, "1,5"), (4, "0,4"), (5, "1,5")];
        assert_eq!(cores(&apart, &[0, 1, 4, 5]), (vec![0, 1, 4, 5], 2));
        let beside = [(0, "0-1"), (1, "0-1"), (2, "2-3"), (3, "2-3")];
        assert_eq!(cores(&beside, &[0, 1, 2, 3]), (vec![0, 2, 1, 3], 2));
    }

    #[test]
    fn a_core_of_four_threads_gives_one_at_a_time() {
        let four = [0, 1, 2, 3, 4, 5, 6, 7].map(|at| (at, if at < 4 { "0-3" } else { "4-7" }));
        let all: Vec<u32> = (0..8).collect();
        assert_eq!(cores(&four, &all), (vec![0, 4, 1, 5, 2, 6, 3, 7], 2));
    }

    #[test]
    fn only_what_is_allowed_counts() {
        let pairs = [(0, "0,4"), (1, "1,5"), (4, "0,4"), (5, "1,5")];
        assert_eq!(cores(&pairs, &[4]), (vec![4], 1));
        assert_eq!(cores(&pairs, &[1, 4, 5]), (vec![1, 4, 5], 2));
        assert_eq!(cores(&pairs, &[]), (vec![], 0));
    }

    #[test]
    fn a_thread_whose_siblings_are_offline_is_a_core_of_its_own() {
        let halves = [(0, "0"), (2, "2"), (3, "3,7"), (7, "3,7")];
        assert_eq!(cores(&halves, &[0, 2, 3, 7]), (vec![0, 2, 3, 7], 3));
    }

    #[test]
    fn without_a_word_of_the_system_each_is_a_core_of_its_own() {
        assert_eq!(cores(&[], &[0, 1, 2]), (vec![0, 1, 2], 3));
        let broken = [(0, ""), (1, "x"), (2, "5-3"), (3, "0-4294967295"), (4, "7")];
        assert_eq!(cores(&broken, &[0, 1, 2, 3, 4]), (vec![0, 1, 2, 3, 4], 5));
    }

    #[test]
    fn lists_are_read_and_written_as_the_kernel_does() {
        for (text, numbers) in [
            ("0", vec![0]),
            ("0-3,8", vec![0, 1, 2, 3, 8]),
            ("1,3,5-6", vec![1, 3, 5, 6]),
        ] {
            assert_eq!(from_list(text), Some(numbers.clone()));
            assert_eq!(as_list(&numbers), text);
        }
        assert_eq!(as_list(&[]), "");
        for text in ["", "-", "1-", "0-3,", "a", "3-0", "0-8192", "-1"] {
            assert_eq!(from_list(text), None, "{text}");
        }
    }

    #[test]
    fn there_is_a_worker_for_each_physical_core_that_a_quota_has_time_for() {
        let pairs = [(0, "0-1"), (1, "0-1"), (2, "2-3"), (3, "2-3")];
        let root = system(&pairs);
        let workers = |at_once| {
            let cores = Cores::below(root.path(), &[0, 1, 2, 3], at_once);
            (cores.workers(), cores.quota())
        };
        assert_eq!(workers(4), (2, None));
        assert_eq!(workers(3), (2, Some(3)));
        assert_eq!(workers(1), (1, Some(1)));
        // Where programs cannot be put on cores.
        let none = Cores::below(root.path(), &[], 8);
        assert_eq!((none.workers(), none.quota()), (8, None));
    }

    #[test]
    fn cores_are_shown_as_the_kernel_does() {
        let root = system(&[(0, "0-1"), (1, "0-1"), (2, "2-3"), (3, "2-3")]);
        let cores = Cores::below(root.path(), &[0, 1, 2, 3], 4);
        assert_eq!(cores.to_string(), "0-3");
    }
}

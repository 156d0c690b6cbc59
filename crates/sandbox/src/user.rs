//! At level `basic`, if root runs the grader, each run gets its own unprivileged user. The run's folder is chowned to
//! that user; the parent folder gets a private group and mode 0710. Nothing becomes world-accessible.
#![expect(unsafe_code, reason = "system calls between fork and exec")]

use std::fs::{self, OpenOptions, Permissions};
use std::io;
use std::ops::Range;
use std::os::fd::BorrowedFd;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt, fchown, lchown};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use rustix::fs::FlockOperation;
use rustix::process::Resource;
use rustix::thread::CapabilitySet;

use crate::Layer;
use crate::constants::{MAX_TASKS_OF_USER, MIN_USER_IDS};
use crate::error::{StepError, StepExt, quoted};
use crate::protocol::Order;

/// Unused user and group ids: above those of systemd's containers, below the largest that programs expect.
const UNUSED: Range<u32> = 0x7000_0000..0x7fff_0000;

/// The ids that programs may have as users and as groups in our own user namespace; `None` if there are none.
pub(crate) fn ids() -> Option<Range<u32>> {
    let of = |file: &str| ids_of(&fs::read_to_string(file).ok()?);
    of("/proc/self/uid_map").filter(|ids| of("/proc/self/gid_map").as_ref() == Some(ids))
}

/// Ids in a user namespace with this map: the unused ones, or else the upper half of its ids, but not root.
fn ids_of(map: &str) -> Option<Range<u32>> {
    let spans = map.lines().filter_map(|line| {
        let numbers: Vec<u32> = line.split_whitespace().flat_map(str::parse).collect();
        let &[first, _, count] = numbers.as_slice() else {
            return None;
        };
        Some(first..first.saturating_add(count))
    });
    let longest = spans.max_by_key(Range::len)?;
    if longest.start <= UNUSED.start && UNUSED.end <= longest.end {
        return Some(UNUSED);
    }
    let half = longest.start + (longest.end - longest.start) / 2;
    Some(half.max(1)..longest.end).filter(|ids| !ids.is_empty())
}

/// An id for the launcher or run with this number.
pub(crate) fn pick(ids: &Range<u32>, grader: u32, number: u32) -> u32 {
    // Concurrent graders should not use the same ids, so spread their process ids over the range.
    ids.start + grader.wrapping_mul(0x9e37_79b1).wrapping_add(number) % ids.len() as u32
}

/// Whether programs at level `basic` can run as other users.
pub(crate) fn can_change() -> bool {
    let needed = CapabilitySet::SETUID
        | CapabilitySet::SETGID
        | CapabilitySet::CHOWN
        | CapabilitySet::DAC_OVERRIDE
        | CapabilitySet::FOWNER
        | CapabilitySet::KILL;
    let may = rustix::process::geteuid().is_root()
        && rustix::thread::capabilities(None).is_ok_and(|sets| sets.effective.contains(needed))
        && fs::read_to_string("/proc/self/setgroups").is_ok_and(|word| word.trim() == "allow");
    may && ids().is_some_and(|ids| ids.len() >= MIN_USER_IDS)
}

/// The user of the next run, and its group of the same number.
pub(crate) fn next(ids: &Range<u32>) -> u32 {
    static RUNS: AtomicU32 = AtomicU32::new(0);
    let number = RUNS.fetch_add(1, Ordering::Relaxed);
    pick(ids, std::process::id(), number)
}

/// How many processes and threads our own user may have, if that is few enough to be reached; `None` for root.
pub(crate) fn task_limit() -> Option<u64> {
    let map = fs::read_to_string("/proc/self/uid_map").unwrap_or_default();
    let is_whole = map.split_whitespace().eq(["0", "0", "4294967295"]);
    let is_free = is_whole && rustix::process::geteuid().is_root();
    let limit = rustix::process::getrlimit(Resource::Nproc).current;
    limit.filter(|limit| !is_free && *limit < MAX_TASKS_OF_USER)
}

/// How many processes and threads our own user has, as far as they are visible.
pub(crate) fn tasks() -> u64 {
    let own = rustix::process::getuid().as_raw();
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let tasks = processes.filter_map(|process| {
        let name = process.file_name();
        name.to_str()?.parse::<u32>().ok()?;
        let status = fs::read_to_string(process.path().join("status")).ok()?;
        let field = |name| {
            let line = status.lines().find_map(|line| line.strip_prefix(name))?;
            line.split_whitespace().next()?.parse::<u64>().ok()
        };
        field("Threads:").filter(|_| field("Uid:") == Some(u64::from(own)))
    });
    tasks.sum()
}

/// A run's user.
pub(crate) struct OtherUser {
    user: u32,
    /// Its groups; the first has the user's own number.
    groups: Vec<libc::gid_t>,
    /// Its only capability, if any.
    power: Option<CapabilitySet>,
}

impl OtherUser {
    /// The user of this run; `None` if programs do not change users. A run that needs paths that only root can reach,
    /// such as a compiler in `/root`, keeps the capability to read all files; only if `is_confined`, because then
    /// Landlock restricts what it reads.
    pub(crate) fn new(
        order: &Order,
        scratch: Option<&Path>,
        is_confined: bool,
    ) -> Result<Option<Self>, StepError> {
        let Some(user) = order.user else {
            return Ok(None);
        };
        let request = &order.request;
        let directory = request.directory.host.as_path();
        let mut other = Self {
            user,
            groups: vec![user],
            power: None,
        };
        let readable = request.readable.iter().map(|mount| mount.host.as_path());
        let ours = |path: &&Path| scratch.is_some_and(|scratch| path.starts_with(scratch));
        for path in readable.clone().filter(ours).chain([directory]) {
            other.open(path).step(
                Layer::OuterUid,
                format!("open {} to the program's user", quoted(path)),
            )?;
        }
        let mut needed = readable.chain([request.program.as_path()]);
        let unreachable = needed
            .find(|path| !other.can_reach(path))
            .or_else(|| (!other.can_search(directory)).then_some(directory));
        match unreachable {
            None => {}
            Some(_) if is_confined => other.power = Some(power_to_read()),
            Some(path) => {
                let step = format!("reach {} as another user than root", quoted(path));
                return Err(StepError::with_errno(Layer::OuterUid, step, libc::EACCES));
            }
        }
        Ok(Some(other))
    }

    /// Opens the parent folder of this path to the run's own group, if nobody else may enter it.
    fn open(&mut self, path: &Path) -> io::Result<()> {
        let Some(above) = path.parent().filter(|above| !above.is_symlink()) else {
            return Ok(());
        };
        let folder = OpenOptions::new()
            .read(true)
            .custom_flags(libc::O_DIRECTORY | libc::O_NOFOLLOW)
            .open(above)?;
        // Another run may be doing the same: both must use the same group.
        rustix::fs::flock(&folder, FlockOperation::LockExclusive)?;
        let meta = folder.metadata()?;
        if meta.uid() != 0 || meta.mode() & 0o001 != 0 {
            return Ok(());
        }
        let group = if ids().is_some_and(|ids| ids.contains(&meta.gid())) {
            meta.gid()
        } else {
            fchown(&folder, None, Some(self.user))?;
            self.user
        };
        folder.set_permissions(Permissions::from_mode(0o710))?;
        if !self.groups.contains(&group) {
            self.groups.push(group);
        }
        Ok(())
    }

    /// Whether the user may search every folder above a path.
    fn can_search(&self, path: &Path) -> bool {
        path.ancestors().skip(1).all(|folder| {
            // The empty path is the current folder.
            folder.as_os_str().is_empty() || self.may(folder, 0o1)
        })
    }

    /// Whether the user may read a folder, or read or execute a file.
    fn can_reach(&self, path: &Path) -> bool {
        let Ok(real) = fs::canonicalize(path) else {
            // A missing path is not a matter of permissions.
            return true;
        };
        let is_open = if real.is_dir() {
            self.may(&real, 0o5)
        } else {
            self.may(&real, 0o4) || self.may(&real, 0o1)
        };
        is_open && self.can_search(&real) && self.can_search(path)
    }

    fn may(&self, path: &Path, wanted: u32) -> bool {
        fs::metadata(path).is_ok_and(|meta| {
            let is_member = self.groups.contains(&meta.gid());
            let granted = meta.mode() >> if is_member { 3 } else { 0 };
            granted & wanted == wanted
        })
    }

    /// Makes the user the owner of the run's folders and files.
    pub(crate) fn take(
        &self,
        order: &Order,
        stdin: BorrowedFd<'_>,
        temporary: &Path,
    ) -> Result<(), StepError> {
        const STEP: &str = "change the owner of the run's files";
        let directory = order.request.directory.host.as_path();
        for folder in [directory, temporary] {
            give(folder, self.user).step(Layer::OuterUid, STEP)?;
        }
        let input = order.request.stdin.as_ref();
        if input.is_some_and(|path| path.parent() == directory.parent()) {
            // So that it can be reopened under `/proc/self/fd`.
            fchown(stdin, Some(self.user), Some(self.user)).step(Layer::OuterUid, STEP)?;
        }
        Ok(())
    }

    /// Its user id, which is also its group id.
    pub(crate) fn id(&self) -> u32 {
        self.user
    }

    /// Its only capability, if any.
    pub(crate) const fn power(&self) -> Option<CapabilitySet> {
        self.power
    }

    /// Makes the calling process this user; -1, with `errno`, if that fails. Safe between fork and exec.
    pub(crate) fn become_it(&self) -> libc::c_int {
        let id = self.user;
        // SAFETY: plain numbers, and a list that outlives the call. Raw system calls, because the C library's functions
        // synchronize with other threads.
        unsafe {
            let done = (self.power.is_none()
                || libc::prctl(libc::PR_SET_KEEPCAPS, 1, 0, 0, 0) == 0)
                && libc::syscall(libc::SYS_setgroups, self.groups.len(), self.groups.as_ptr()) == 0
                && libc::syscall(libc::SYS_setresgid, id, id, id) == 0
                && libc::syscall(libc::SYS_setresuid, id, id, id) == 0;
            if done { 0 } else { -1 }
        }
    }
}

/// Changes the owner and group of a file, or of a folder with its contents.
fn give(path: &Path, user: u32) -> io::Result<()> {
    lchown(path, Some(user), Some(user))?;
    if path.is_symlink() || !path.is_dir() {
        return Ok(());
    }
    fs::read_dir(path)?.try_for_each(|entry| give(&entry?.path(), user))
}

/// The weakest capability that allows reading all files. Containers often lack the first.
fn power_to_read() -> CapabilitySet {
    let reads = rustix::thread::capabilities(None)
        .is_ok_and(|sets| sets.permitted.contains(CapabilitySet::DAC_READ_SEARCH));
    if reads {
        CapabilitySet::DAC_READ_SEARCH
    } else {
        CapabilitySet::DAC_OVERRIDE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_unused_users_and_never_root() {
        for (map, expected) in [
            ("         0          0 4294967295\n", Some(UNUSED)),
            // Rootless Docker: its user, and 65536 sub-ids.
            ("0 1000 1\n1 100000 65536\n", Some(32_769..65_537)),
            ("0 100000 65536", Some(32_768..65_536)),
            ("0 1000 2", Some(1..2)),
            ("0 1000 1", None),
            ("", None),
            ("nonsense", None),
        ] {
            assert_eq!(ids_of(map), expected, "{map}");
        }
    }

    #[test]
    fn an_id_is_reused_only_after_all_others() {
        for grader in [0, 1, 4_000_000] {
            let mut all: Vec<u32> = (0..4096)
                .map(|run| pick(&(1000..5096), grader, run))
                .collect();
            all.sort_unstable();
            assert!(all.into_iter().eq(1000..5096), "{grader}");
        }
    }
}

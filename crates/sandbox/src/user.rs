//! At level `basic`, if root runs the grader, each run gets its own unprivileged user. The run's folder is chowned to
//! it; the parent folder gets a private group and mode 0710. Nothing becomes world-accessible.
#![expect(unsafe_code, reason = "system calls between fork and exec")]

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions, Permissions};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt, fchown, lchown};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::fs::FlockOperation;
use rustix::thread::CapabilitySet;

use crate::Layer;
use crate::error::{Failure, Step};
use crate::protocol::Order;

/// Users and groups that nobody else has: above those of systemd's containers, below the largest that programs expect.
const UNUSED: u32 = 0x7000_0000;
const UNUSED_COUNT: u32 = 0x0fff_0000;
/// With fewer ids than this for programs there is no other user: an id must not come back while files of an earlier run
/// with it may be there.
const MIN_IDS: u32 = 4096;
/// So many graders have ids of their own, if there are enough.
const GRADERS: u32 = 256;

/// A range of ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ids {
    first: u32,
    count: u32,
}

impl Ids {
    /// Those that programs may have in our own user namespace, by its map: nobody's, or else the upper half of what
    /// there is. `None` if these are too few.
    fn of(map: &str) -> Option<Self> {
        let spans = map.lines().filter_map(|line| {
            let mut numbers = line.split_whitespace().map(str::parse::<u64>);
            match (numbers.next(), numbers.next(), numbers.next()) {
                (Some(Ok(first)), Some(Ok(_)), Some(Ok(count))) => Some((first, count)),
                _ => None,
            }
        });
        let (first, count) = spans.max_by_key(|&(_, count)| count)?;
        if first <= u64::from(UNUSED) && first + count >= u64::from(UNUSED + UNUSED_COUNT) {
            return Some(Self {
                first: UNUSED,
                count: UNUSED_COUNT,
            });
        }
        let lower = count / 2;
        let (first, count) = (first + lower, count - lower);
        let (first, count) = (first.try_into().ok()?, count.try_into().ok()?);
        (count >= MIN_IDS).then_some(Self { first, count })
    }

    fn here(file: &str) -> Option<Self> {
        Self::of(&fs::read_to_string(file).ok()?)
    }

    /// Those of the grader with this process id: two graders at the same time should not have the same.
    fn share(self, grader: u32) -> Self {
        let count = (self.count / GRADERS).max(MIN_IDS);
        let shares = self.count / count;
        Self {
            first: self.first + grader % shares * count,
            count,
        }
    }

    const fn contain(self, id: u32) -> bool {
        id >= self.first && id - self.first < self.count
    }
}

/// The users and the groups that there are for programs; `None` if we may not make a program another user.
fn ids() -> Option<(Ids, Ids)> {
    let needed = CapabilitySet::SETUID
        | CapabilitySet::SETGID
        | CapabilitySet::CHOWN
        | CapabilitySet::DAC_OVERRIDE
        | CapabilitySet::FOWNER
        | CapabilitySet::KILL;
    let may = rustix::process::geteuid().is_root()
        && rustix::thread::capabilities(None).is_ok_and(|sets| sets.effective.contains(needed))
        // Before Linux 3.19 there is no such file, and no such prohibition.
        && fs::read_to_string("/proc/self/setgroups").map_or(true, |word| word.trim() == "allow");
    if !may {
        return None;
    }
    Some((
        Ids::here("/proc/self/uid_map")?,
        Ids::here("/proc/self/gid_map")?,
    ))
}

/// Whether programs can be other users than we.
pub(crate) fn can_be_another() -> bool {
    ids().is_some()
}

/// The numbers of the runs of this process.
struct Numbers {
    next: u32,
    taken: BTreeSet<u32>,
}

static NUMBERS: Mutex<Numbers> = Mutex::new(Numbers {
    next: 0,
    taken: BTreeSet::new(),
});

impl Numbers {
    /// Poisoning is harmless: each change is one call.
    fn locked() -> MutexGuard<'static, Self> {
        NUMBERS.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A number below `count` that no run has now, nor had for as long as can be: its files may still be there.
    fn take(&mut self, count: u32) -> Option<u32> {
        let numbers = (0..count).map(|step| (self.next + step) % count);
        let number = numbers.into_iter().find(|it| !self.taken.contains(it))?;
        self.next = number + 1;
        self.taken.insert(number);
        Some(number)
    }
}

/// A user, and a group of the same number, that no other run of this process has until this is dropped.
#[derive(Debug)]
pub(crate) struct RunUser {
    number: u32,
    pub(crate) user: u32,
    pub(crate) group: u32,
}

impl RunUser {
    /// `None` if programs cannot change users, or if all users are taken.
    pub(crate) fn take() -> Option<Self> {
        let (users, groups) = ids()?;
        let grader = std::process::id();
        let (users, groups) = (users.share(grader), groups.share(grader));
        let number = Numbers::locked().take(users.count.min(groups.count))?;
        Some(Self {
            number,
            user: users.first + number,
            group: groups.first + number,
        })
    }
}

impl Drop for RunUser {
    fn drop(&mut self) {
        Numbers::locked().taken.remove(&self.number);
    }
}

/// The user of one run.
pub(crate) struct OtherUser {
    user: u32,
    /// The first is its own.
    groups: Vec<libc::gid_t>,
    /// The only power that it has, if any.
    power: Option<CapabilitySet>,
}

impl OtherUser {
    /// The user of this run. `None` if programs cannot change users. A run that needs what only root can reach, such as
    /// a compiler in `/root`, keeps the power to read everybody's files, if `is_confined` says that something else keeps
    /// it from them.
    pub(crate) fn new(
        order: &Order,
        scratch: Option<&Path>,
        is_confined: bool,
    ) -> Result<Option<Self>, Failure> {
        let Some((_, groups)) = ids() else {
            return Ok(None);
        };
        let Some((user, group)) = order.user else {
            let step = "find a user that no other run has";
            return Err(Failure::with_errno(Layer::OuterUid, step, libc::EAGAIN));
        };
        let directory = &order.request.directory.host;
        let mut other = Self {
            user,
            groups: vec![group],
            power: None,
        };
        other.open(directory, groups)?;
        let readable = order
            .request
            .readable
            .iter()
            .map(|mount| mount.host.as_path());
        if let Some(scratch) = scratch {
            for path in readable.clone().filter(|path| path.starts_with(scratch)) {
                other.open(path, groups)?;
            }
        }
        let program = order.request.program.as_path();
        let unreachable = readable
            .chain([program])
            .find(|path| !other.can_reach(path))
            .or_else(|| (!other.can_search(directory)).then_some(directory));
        match unreachable {
            None => {}
            Some(_) if is_confined => other.power = Some(power_to_read()),
            Some(path) => {
                let path = grader_model::escaped(path.as_os_str().as_encoded_bytes());
                let step = format!("reach `{path}` as another user than root");
                return Err(Failure::with_errno(Layer::OuterUid, step, libc::EACCES));
            }
        }
        Ok(Some(other))
    }

    /// Opens the folder above this path by the run's own group, if it is ours alone.
    fn open(&mut self, path: &Path, groups: Ids) -> Result<(), Failure> {
        let Some(above) = path.parent() else {
            return Ok(());
        };
        let step = || {
            let above = grader_model::escaped(above.as_os_str().as_encoded_bytes());
            format!("open `{above}` to the program's user")
        };
        if !fs::symlink_metadata(above)
            .step(Layer::OuterUid, step())?
            .is_dir()
        {
            return Ok(());
        }
        let folder = OpenOptions::new()
            .read(true)
            .custom_flags(libc::O_DIRECTORY | libc::O_NOFOLLOW)
            .open(above)
            .step(Layer::OuterUid, step())?;
        // Another run may be about to open it: both must be of the same group.
        rustix::fs::flock(&folder, FlockOperation::LockExclusive).step(Layer::OuterUid, step())?;
        let meta = folder.metadata().step(Layer::OuterUid, step())?;
        if meta.uid() != 0 || meta.mode() & 0o001 != 0 {
            return Ok(());
        }
        let group = if groups.contain(meta.gid()) {
            meta.gid()
        } else {
            let own = self.groups[0];
            fchown(&folder, None, Some(own)).step(Layer::OuterUid, step())?;
            own
        };
        folder
            .set_permissions(Permissions::from_mode(0o710))
            .step(Layer::OuterUid, step())?;
        if !self.groups.contains(&group) {
            self.groups.push(group);
        }
        Ok(())
    }

    /// Whether every folder above a path lets the user through.
    fn can_search(&self, path: &Path) -> bool {
        path.ancestors().skip(1).all(|folder| {
            // What is above a path without folders is where we are.
            folder.as_os_str().is_empty() || self.may(folder, 0o1)
        })
    }

    /// Whether the user may read a folder, or read or execute a file.
    fn can_reach(&self, path: &Path) -> bool {
        let Ok(real) = fs::canonicalize(path) else {
            // What is not there is no matter of users.
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
            let mode = meta.mode();
            let granted = if self.groups.contains(&meta.gid()) {
                mode >> 3
            } else {
                mode
            };
            granted & wanted == wanted
        })
    }

    /// Makes the run's folders and files the user's.
    pub(crate) fn take(
        &self,
        order: &Order,
        stdin: &fs::File,
        temporary: &Path,
    ) -> Result<(), Failure> {
        let (user, group) = (Some(self.user), self.groups.first().copied());
        let step = "make the run's files the program's user's";
        let directory = &order.request.directory.host;
        let mut waiting: Vec<PathBuf> = vec![directory.to_owned(), temporary.to_owned()];
        while let Some(path) = waiting.pop() {
            let meta = fs::symlink_metadata(&path).step(Layer::OuterUid, step)?;
            lchown(&path, user, group).step(Layer::OuterUid, step)?;
            if meta.is_dir() {
                for entry in fs::read_dir(&path).step(Layer::OuterUid, step)? {
                    waiting.push(entry.step(Layer::OuterUid, step)?.path());
                }
            }
        }
        // So that it can be opened again under `/proc/self/fd`.
        let input = &order.request.stdin;
        if input
            .as_ref()
            .is_some_and(|path| path.parent() == directory.parent())
        {
            fchown(stdin, user, group).step(Layer::OuterUid, step)?;
        }
        Ok(())
    }

    /// User and group.
    pub(crate) fn ids(&self) -> (u32, u32) {
        (self.user, self.groups[0])
    }

    /// The only power that it has, if any.
    pub(crate) const fn power(&self) -> Option<CapabilitySet> {
        self.power
    }

    /// Makes the calling process this user; -1, with `errno`, when that failed. Safe between fork and exec.
    pub(crate) fn become_it(&self) -> libc::c_int {
        let group = self.groups[0];
        // SAFETY: plain numbers, and a list that outlives the call. The calls themselves, for the functions of the C
        // library want to tell other threads.
        unsafe {
            let done = (self.power.is_none()
                || libc::prctl(libc::PR_SET_KEEPCAPS, 1, 0, 0, 0) == 0)
                && libc::syscall(libc::SYS_setgroups, self.groups.len(), self.groups.as_ptr()) == 0
                && libc::syscall(libc::SYS_setresgid, group, group, group) == 0
                && libc::syscall(libc::SYS_setresuid, self.user, self.user, self.user) == 0;
            if done { 0 } else { -1 }
        }
    }
}

/// The least power by which we ourselves can read files of others. Containers often lack the first.
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
    fn programs_are_users_that_nobody_is_and_never_root() {
        let ids = |map| Ids::of(map).map(|ids| (ids.first, ids.count));
        let unused = Some((UNUSED, UNUSED_COUNT));
        assert_eq!(ids("         0          0 4294967295\n"), unused);
        assert_eq!(ids("0 0 4294967295"), unused);
        // Rootless Docker: its user, and 65536 of the sub-ids.
        assert_eq!(ids("0 1000 1\n1 100000 65536\n"), Some((32769, 32768)));
        assert_eq!(ids("0 100000 65536"), Some((32768, 32768)));
        assert_eq!(ids("0 100000 8192"), Some((4096, 4096)));
        assert_eq!(ids("0 100000 8190"), None);
        assert_eq!(ids("0 1000 2"), None);
        assert_eq!(ids("0 1000 1"), None);
        assert_eq!(ids(""), None);
        assert_eq!(ids("nonsense"), None);
    }

    #[test]
    fn graders_have_ids_of_their_own_as_far_as_there_are_enough() {
        for count in [MIN_IDS, 2 * MIN_IDS - 1, 32_768, UNUSED_COUNT] {
            let all = Ids { first: 1000, count };
            let [one, next] = [7, 8].map(|grader| all.share(grader));
            assert!(one.count >= MIN_IDS);
            for share in [one, next] {
                assert!(all.contain(share.first) && all.contain(share.first + share.count - 1));
            }
            let are_enough = count >= 2 * MIN_IDS;
            assert_eq!(one.first != next.first, are_enough, "{count}");
            assert!(one == next || !one.contain(next.first), "{count}");
        }
    }

    #[test]
    fn a_number_comes_back_only_when_its_run_is_over_and_all_others_had_their_turn() {
        let mut numbers = Numbers {
            next: 0,
            taken: BTreeSet::new(),
        };
        let mut take = |over: &[u32]| {
            for number in over {
                assert!(numbers.taken.remove(number));
            }
            numbers.take(4)
        };
        assert_eq!(
            [take(&[]), take(&[]), take(&[1])],
            [Some(0), Some(1), Some(2)]
        );
        assert_eq!([take(&[]), take(&[]), take(&[])], [Some(3), Some(1), None]);
        assert_eq!(take(&[2]), Some(2));
    }
}

//! The other user that a program is at level `basic` when root runs the grader, and its files are closed to programs.
//!
//! Each run has a user of its own, by the number of its folder: two runs at the same time are never the same user. The
//! folder and what is in it becomes the user's; the folder above it, which is root's alone, is opened to the user by a
//! group of its own, and so is the one above a build that the run may read. Nothing is opened to everybody.
#![expect(unsafe_code, reason = "system calls between fork and exec")]

use std::fs::{self, Metadata, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown, lchown};
use std::path::{Path, PathBuf};

use rustix::thread::CapabilitySet;

use super::{Failed, Files, Step};
use crate::protocol::{Closed, Order};

/// Users and groups that nobody else has: above those of systemd's containers, below the largest that programs expect.
const NOBODYS: u32 = 0x7000_0000;
const MANY: u32 = 0x0fff_0000;

/// A range of ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ids {
    first: u32,
    count: u32,
}

impl Ids {
    /// Those that programs may have in our own user namespace, by its map: nobody's, or else the upper half of what
    /// there is. Nothing where it has no id but root's.
    fn of(map: &str) -> Option<Self> {
        let spans = map.lines().filter_map(|line| {
            let mut numbers = line.split_whitespace().map(str::parse::<u64>);
            match (numbers.next(), numbers.next(), numbers.next()) {
                (Some(Ok(first)), Some(Ok(_)), Some(Ok(count))) => Some((first, count)),
                _ => None,
            }
        });
        let (first, count) = spans.max_by_key(|&(_, count)| count)?;
        if first <= u64::from(NOBODYS) && first + count >= u64::from(NOBODYS + MANY) {
            return Some(Self {
                first: NOBODYS,
                count: MANY,
            });
        }
        let lower = (count / 2).max(u64::from(first == 0));
        let (first, count) = (first + lower, count.checked_sub(lower)?);
        let (first, count) = (first.try_into().ok()?, count.try_into().ok()?);
        (count > 0).then_some(Self { first, count })
    }

    fn here(file: &str) -> Option<Self> {
        Self::of(&fs::read_to_string(file).ok()?)
    }

    /// The id that goes with a folder.
    fn of_folder(self, folder: &Metadata) -> u32 {
        self.first + (folder.ino() % u64::from(self.count)) as u32
    }

    const fn contain(self, id: u32) -> bool {
        id >= self.first && id - self.first < self.count
    }
}

/// The users and the groups that there are for programs; nothing where we may not make a program another user.
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

/// The user of one run.
pub(super) struct OtherUser {
    user: u32,
    /// The first is its own.
    groups: Vec<libc::gid_t>,
}

impl OtherUser {
    /// The user of this run; nothing where there can be none. A run that needs what another user cannot reach, such as
    /// a compiler in the home of root, has none either, where `is_confined` says that it cannot read other files all the
    /// same.
    pub(super) fn new(
        order: &Order,
        closed: &Closed,
        is_confined: bool,
    ) -> Result<Option<Self>, Failed> {
        let Some((users, groups)) = ids() else {
            return Ok(None);
        };
        let directory = Path::new(&order.directory);
        let meta = fs::metadata(directory).step("look at the run's folder")?;
        let mut other = Self {
            user: users.of_folder(&meta),
            groups: Vec::new(),
        };
        other.open(directory, groups)?;
        if other.groups.is_empty() {
            other.groups.push(groups.of_folder(&meta));
        }
        let readable = order.readable.iter().map(|(host, _)| Path::new(host));
        if let Some(scratch) = &closed.scratch {
            for path in readable.clone().filter(|path| path.starts_with(scratch)) {
                other.open(path, groups)?;
            }
        }
        let program = Path::new(&order.program);
        let unreachable = readable
            .chain([program])
            .find(|path| !other.can_reach(path))
            .or_else(|| (!other.can_search(directory)).then_some(directory));
        match unreachable {
            None => Ok(Some(other)),
            Some(_) if is_confined => Ok(None),
            Some(path) => {
                let path = grader_model::escaped(path.as_os_str().as_encoded_bytes());
                Err(Failed {
                    step: format!("reach `{path}` as another user than root"),
                    source: io::Error::from_raw_os_error(libc::EACCES),
                })
            }
        }
    }

    /// Opens the folder above this path by a group of its own, if it is ours alone.
    fn open(&mut self, path: &Path, groups: Ids) -> Result<(), Failed> {
        let Some(above) = path.parent() else {
            return Ok(());
        };
        let step = || {
            let above = grader_model::escaped(above.as_os_str().as_encoded_bytes());
            format!("open `{above}` to the program's user")
        };
        let meta = fs::symlink_metadata(above).step(step())?;
        if !meta.is_dir() || meta.uid() != 0 || meta.mode() & 0o001 != 0 {
            return Ok(());
        }
        // Another run may have opened it before.
        let group = if groups.contain(meta.gid()) {
            meta.gid()
        } else {
            groups.of_folder(&meta)
        };
        lchown(above, None, Some(group)).step(step())?;
        fs::set_permissions(above, Permissions::from_mode(0o710)).step(step())?;
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
    pub(super) fn take(
        &self,
        order: &Order,
        files: &Files,
        temporary: &Path,
    ) -> Result<(), Failed> {
        let (user, group) = (Some(self.user), self.groups.first().copied());
        let step = "make the run's files the program's user's";
        let directory = Path::new(&order.directory);
        let mut waiting: Vec<PathBuf> = vec![directory.to_owned(), temporary.to_owned()];
        while let Some(path) = waiting.pop() {
            let meta = fs::symlink_metadata(&path).step(step)?;
            // Left by an earlier run of this folder.
            if meta.uid() == self.user {
                continue;
            }
            lchown(&path, user, group).step(step)?;
            if meta.is_dir() {
                for entry in fs::read_dir(&path).step(step)? {
                    waiting.push(entry.step(step)?.path());
                }
            }
        }
        // So that they can be opened again under `/proc/self/fd`.
        let input = order.stdin.as_ref().map(Path::new);
        let is_ours = input.is_some_and(|path| path.parent() == directory.parent());
        for file in [&files.stdout, &files.stderr]
            .into_iter()
            .chain(is_ours.then_some(&files.stdin))
        {
            fchown(file, user, group).step(step)?;
        }
        Ok(())
    }

    /// Makes the calling process this user; -1, with `errno`, when that failed. Safe between fork and exec.
    pub(super) fn become_it(&self) -> libc::c_int {
        let group = self.groups.first().copied().unwrap_or(self.user);
        // SAFETY: plain numbers, and a list that outlives the call. The calls themselves, for the functions of the C
        // library want to tell other threads.
        unsafe {
            let done = libc::syscall(libc::SYS_setgroups, self.groups.len(), self.groups.as_ptr())
                == 0
                && libc::syscall(libc::SYS_setresgid, group, group, group) == 0
                && libc::syscall(libc::SYS_setresuid, self.user, self.user, self.user) == 0;
            if done { 0 } else { -1 }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_users_that_nobody_is_and_never_root() {
        let ids = |map| Ids::of(map).map(|ids| (ids.first, ids.count));
        let nobodys = Some((NOBODYS, MANY));
        assert_eq!(ids("         0          0 4294967295\n"), nobodys);
        assert_eq!(ids("0 0 4294967295"), nobodys);
        // Rootless Docker: its user, and 65536 of the sub-ids.
        assert_eq!(ids("0 1000 1\n1 100000 65536\n"), Some((32769, 32768)));
        assert_eq!(ids("0 100000 65536"), Some((32768, 32768)));
        assert_eq!(ids("0 1000 2"), Some((1, 1)));
        assert_eq!(ids("0 1000 1"), None);
        assert_eq!(ids(""), None);
        assert_eq!(ids("nonsense"), None);
    }
}

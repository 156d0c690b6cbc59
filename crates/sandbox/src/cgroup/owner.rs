//! Names of groups: they say whose they are, so that what a killed launcher left can be told.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use super::file::at;
use crate::error::Failure;

const PREFIX: &str = "bitcraft-";
const SUPERVISOR: &str = "bitcraft-supervisor-";

/// A process, named for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Owner {
    pub(super) pid: u32,
    /// Its start time since boot, in ticks: process ids are used again.
    pub(super) start: u64,
    /// The namespace that its process id belongs to: containers may share control groups but not process
    /// ids, and each would take the others' launchers for dead.
    pub(super) namespace: u64,
}

impl Owner {
    /// This process.
    pub(super) fn this() -> Result<Self, Failure> {
        let pid = std::process::id();
        let file = Path::new("/proc/self/stat");
        let text = fs::read_to_string(file).map_err(at("read", file))?;
        let (_, start) = state_and_start(&text)
            .ok_or_else(|| io::Error::from(io::ErrorKind::InvalidData))
            .map_err(at("understand", file))?;
        let namespace = Path::new("/proc/self/ns/pid");
        let metadata = fs::metadata(namespace).map_err(at("look at", namespace))?;
        Ok(Self {
            pid,
            start,
            namespace: metadata.ino(),
        })
    }

    /// A name for a group that no other has, nor had.
    pub(super) fn group(&self) -> String {
        static SERIAL: AtomicU64 = AtomicU64::new(0);
        let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
        format!("{PREFIX}{}-{serial}", self.text())
    }

    /// The name of the leaf that the processes of our own group move to.
    pub(super) fn supervisor(&self) -> String {
        format!("{SUPERVISOR}{}", self.text())
    }

    fn text(&self) -> String {
        format!("{}-{}-{}", self.pid, self.start, self.namespace)
    }

    /// Whether that process has ended; `this` is ourselves. In doubt it has not.
    pub(super) fn is_gone(&self, this: &Self) -> bool {
        if self.namespace != this.namespace {
            return false;
        }
        match fs::read_to_string(format!("/proc/{}/stat", self.pid)) {
            Ok(text) => state_and_start(&text).is_some_and(|(state, start)| {
                // A zombie has closed its descriptors and starts nothing any more.
                start != self.start || matches!(state, 'Z' | 'X')
            }),
            // ESRCH: it ended while we read.
            Err(error) => {
                error.kind() == io::ErrorKind::NotFound || error.raw_os_error() == Some(ESRCH)
            }
        }
    }
}

const ESRCH: i32 = rustix::io::Errno::SRCH.raw_os_error();

/// What a folder's name says.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Named {
    /// The group of a launcher.
    Group(Owner),
    /// The leaf of a grader and of whatever was in the same group.
    Supervisor(Owner),
    /// Not one of ours.
    Other,
}

/// Reads the name of a folder.
pub(super) fn read_name(name: &str) -> Named {
    let numbers = |text: &str| -> Option<Vec<u64>> {
        text.split('-').map(|number| number.parse().ok()).collect()
    };
    let owner = |pid: u64, start, namespace| {
        Some(Owner {
            pid: u32::try_from(pid).ok()?,
            start,
            namespace,
        })
    };
    let read = || {
        if let Some(rest) = name.strip_prefix(SUPERVISOR) {
            let [pid, start, namespace] = numbers(rest)?[..] else {
                return None;
            };
            return Some(Named::Supervisor(owner(pid, start, namespace)?));
        }
        let [pid, start, namespace, _] = numbers(name.strip_prefix(PREFIX)?)?[..] else {
            return None;
        };
        Some(Named::Group(owner(pid, start, namespace)?))
    };
    read().unwrap_or(Named::Other)
}

/// Fields 3 and 22 of `/proc/<pid>/stat`. The name before them may contain anything, also parentheses.
fn state_and_start(stat: &str) -> Option<(char, u64)> {
    let mut fields = stat.rsplit_once(')')?.1.split_ascii_whitespace();
    let state = fields.next()?.chars().next()?;
    Some((state, fields.nth(18)?.parse().ok()?))
}

/// The process ids of this process and of all above it that our process namespace shows.
pub(super) fn this_and_ancestors() -> Vec<i32> {
    let mut line = vec![std::process::id() as i32];
    while let Some(parent) = line.last().and_then(|pid| parent(*pid)) {
        line.push(parent);
    }
    line
}

fn parent(pid: i32) -> Option<i32> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let mut fields = stat.rsplit_once(')')?.1.split_ascii_whitespace();
    fields.nth(1)?.parse().ok().filter(|parent| *parent > 0)
}

#[cfg(test)]
mod tests {
    use super::{Named, Owner, read_name, state_and_start, this_and_ancestors};

    #[test]
    fn our_ancestors_begin_with_our_parent() {
        let line = this_and_ancestors();
        let parent = std::os::unix::process::parent_id() as i32;
        assert_eq!(line[..2], [std::process::id() as i32, parent]);
    }

    const OWNER: Owner = Owner {
        pid: 12,
        start: 345,
        namespace: 678,
    };

    #[test]
    fn a_name_says_whose_it_is() {
        let name = OWNER.group();
        assert!(name.starts_with("bitcraft-12-345-678-"), "{name}");
        assert_eq!(read_name(&name), Named::Group(OWNER));
        assert_eq!(OWNER.supervisor(), "bitcraft-supervisor-12-345-678");
        assert_eq!(read_name(&OWNER.supervisor()), Named::Supervisor(OWNER));
    }

    #[test]
    fn no_two_groups_have_the_same_name() {
        assert_ne!(OWNER.group(), OWNER.group());
    }

    #[test]
    fn names_of_others_are_left_alone() {
        for name in [
            "user.slice",
            "bitcraft-",
            "bitcraft-12-345-678",
            "bitcraft-12-345-678-x",
            "bitcraft-12-345-678-9-1",
            "bitcraft-99999999999-345-678-1",
            "bitcraft-supervisor-12-345",
        ] {
            assert_eq!(read_name(name), Named::Other, "{name}");
        }
    }

    #[test]
    fn a_process_may_be_called_anything() {
        let stat = "7 (a) Z 1 (b) S 1 7 7 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 4711 100 1 2\n";
        assert_eq!(state_and_start(stat), Some(('S', 4711)));
    }

    #[test]
    fn a_process_of_another_namespace_counts_as_alive() {
        let dead = Owner {
            pid: u32::MAX,
            ..OWNER
        };
        let here = |namespace| Owner { namespace, ..OWNER };
        assert!(dead.is_gone(&here(678)));
        assert!(!dead.is_gone(&here(679)));
    }
}

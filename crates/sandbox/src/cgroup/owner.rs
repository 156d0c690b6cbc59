//! Names of groups. They identify the process that created the group, so that groups of killed launchers are
//! recognised.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::io::Errno;

const PREFIX: &str = "bitcraft-";

/// A unique name for a group of this process.
pub(super) fn group_name() -> io::Result<String> {
    group_name_of(std::process::id())
}

/// A unique name for a group of a process.
pub(super) fn group_name_of(pid: u32) -> io::Result<String> {
    static SERIAL: AtomicU64 = AtomicU64::new(0);
    let (start, namespace) = (start(u64::from(pid))?, namespace()?);
    let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
    Ok(format!("{PREFIX}{pid}-{start}-{namespace}-{serial}"))
}

/// Whether this is the name of a group whose creator has ended; false if unknown.
pub(super) fn is_abandoned(name: &str) -> bool {
    let numbers = name.strip_prefix(PREFIX).unwrap_or_default().split('-');
    let numbers: Vec<u64> = numbers.map_while(|number| number.parse().ok()).collect();
    let [pid, started, of, _serial] = numbers[..] else {
        return false;
    };
    if namespace().ok() != Some(of) {
        return false;
    }
    match start(pid) {
        Ok(start) => start != started,
        // `ESRCH`: it ended while we were reading.
        Err(error) => {
            error.kind() == io::ErrorKind::NotFound
                || error.raw_os_error() == Some(Errno::SRCH.raw_os_error())
        }
    }
}

/// A process's start time in ticks since boot, which tells reused process ids apart.
fn start(pid: u64) -> io::Result<u64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat"))?;
    // Field 22. The name, field 2, may contain anything, also parentheses.
    let fields = stat.rsplit_once(')').map(|(_, fields)| fields);
    fields
        .and_then(|fields| fields.split_ascii_whitespace().nth(19)?.parse().ok())
        .ok_or_else(|| io::ErrorKind::InvalidData.into())
}

/// Our pid namespace: containers that share control groups but not process ids would consider each other's launchers
/// dead.
fn namespace() -> io::Result<u64> {
    fs::metadata("/proc/self/ns/pid").map(|metadata| metadata.ino())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_groups_of_processes_that_have_ended_are_abandoned() {
        let name = group_name().unwrap();
        assert_ne!(name, group_name().unwrap());
        let pid = std::process::id();
        let (start, namespace) = (start(u64::from(pid)).unwrap(), namespace().unwrap());
        assert!(name.starts_with(&format!("bitcraft-{pid}-{start}-{namespace}-")));
        let none = u32::MAX;
        for (name, expected) in [
            (name, false),
            (format!("bitcraft-{none}-{start}-{namespace}-0"), true),
            // Its process id was reused.
            (format!("bitcraft-{pid}-{}-{namespace}-0", start + 1), true),
            (
                format!("bitcraft-{none}-{start}-{}-0", namespace + 1),
                false,
            ),
            (format!("bitcraft-{none}-{start}-{namespace}"), false),
            (format!("bitcraft-{none}-{start}-{namespace}-0-1"), false),
            ("bitcraft-supervisor".to_owned(), false),
            ("user.slice".to_owned(), false),
        ] {
            assert_eq!(is_abandoned(&name), expected, "{name}");
        }
    }
}

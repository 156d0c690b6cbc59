//! What came of an attempt.

use std::io;

/// How an attempt ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// It was denied; how.
    Denied(String),
    /// It came through; to what.
    Reached(String),
}

/// The errors that an attempt commonly ends with.
const NAMES: [(i32, &str); 34] = [
    (libc::EPERM, "EPERM"),
    (libc::ENOENT, "ENOENT"),
    (libc::ESRCH, "ESRCH"),
    (libc::EIO, "EIO"),
    (libc::ENXIO, "ENXIO"),
    (libc::ENOEXEC, "ENOEXEC"),
    (libc::EBADF, "EBADF"),
    (libc::ECHILD, "ECHILD"),
    (libc::EAGAIN, "EAGAIN"),
    (libc::ENOMEM, "ENOMEM"),
    (libc::EACCES, "EACCES"),
    (libc::EFAULT, "EFAULT"),
    (libc::ENOTBLK, "ENOTBLK"),
    (libc::EBUSY, "EBUSY"),
    (libc::EEXIST, "EEXIST"),
    (libc::ENODEV, "ENODEV"),
    (libc::ENOTDIR, "ENOTDIR"),
    (libc::EISDIR, "EISDIR"),
    (libc::EINVAL, "EINVAL"),
    (libc::ENOTTY, "ENOTTY"),
    (libc::ETXTBSY, "ETXTBSY"),
    (libc::ENOSPC, "ENOSPC"),
    (libc::EROFS, "EROFS"),
    (libc::ENOSYS, "ENOSYS"),
    (libc::ENOPROTOOPT, "ENOPROTOOPT"),
    (libc::EPROTONOSUPPORT, "EPROTONOSUPPORT"),
    (libc::EOPNOTSUPP, "EOPNOTSUPP"),
    (libc::EAFNOSUPPORT, "EAFNOSUPPORT"),
    (libc::EADDRNOTAVAIL, "EADDRNOTAVAIL"),
    (libc::ENETUNREACH, "ENETUNREACH"),
    (libc::ECONNREFUSED, "ECONNREFUSED"),
    (libc::EHOSTUNREACH, "EHOSTUNREACH"),
    (libc::EINPROGRESS, "EINPROGRESS"),
    (libc::ESTALE, "ESTALE"),
];

/// The name of an error.
pub(super) fn name(errno: i32) -> String {
    NAMES
        .iter()
        .find(|(number, _)| *number == errno)
        .map_or_else(|| format!("error {errno}"), |(_, name)| (*name).to_owned())
}

/// The number of the last error of this thread.
pub(super) fn last_error() -> i32 {
    io::Error::last_os_error().raw_os_error().unwrap_or(0)
}

/// Denied by this error.
pub(super) fn denied_by(error: &io::Error) -> Found {
    Found::Denied(error.raw_os_error().map_or_else(|| error.to_string(), name))
}

/// Reached unless it failed.
pub(super) fn unless_failed<T>(result: io::Result<T>, reached: &str) -> Found {
    match result {
        Ok(_) => Found::Reached(reached.to_owned()),
        Err(error) => denied_by(&error),
    }
}

/// The same, for what a system call returned: -1 is a failure.
pub(super) fn unless_negative(result: impl Into<i64>, reached: &str) -> Found {
    if result.into() == -1 {
        Found::Denied(name(last_error()))
    } else {
        Found::Reached(reached.to_owned())
    }
}

/// The first of several attempts that came through, or how the last was denied.
pub(super) fn first_reached(attempts: impl IntoIterator<Item = Found>) -> Found {
    let mut last = Found::Denied("nothing to try".to_owned());
    for found in attempts {
        if matches!(found, Found::Reached(_)) {
            return found;
        }
        last = found;
    }
    last
}

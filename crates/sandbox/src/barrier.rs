//! The start barrier: a program is prepared first, and begins when it is its turn.
//!
//! To prepare a run takes some milliseconds of work, and up to twenty of waiting until the kernel has moved a process to
//! a control group. That is done while the program before it still runs. A byte one way says that the program is ready,
//! a byte the other way lets it begin.

use std::os::fd::BorrowedFd;

/// The program's side: says that it is ready, and waits. Only system calls; the error is an `errno`.
pub(crate) fn pass(barrier: BorrowedFd<'_>) -> Result<(), i32> {
    let mut byte = [0];
    let passed = rustix::io::write(barrier, b"r")
        .and_then(|_| rustix::io::retry_on_intr(|| rustix::io::read(barrier, &mut byte)));
    match passed {
        Ok(1) => Ok(()),
        // The launcher is gone, or has cancelled the run.
        Ok(_) => Err(libc::EPIPE),
        Err(error) => Err(error.raw_os_error()),
    }
}

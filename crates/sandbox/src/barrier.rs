//! The start barrier: a run is prepared while the one before it still runs, and waits here for its turn.
//!
//! Preparing takes a few milliseconds of work, and up to 20 ms until the kernel has moved the process into a control
//! group. The program sends one byte when it is ready, and begins when it receives one.

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

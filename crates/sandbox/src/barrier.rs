//! The start barrier: a prepared program waits here while the previous one still runs.
//!
//! Preparation takes a few milliseconds of work, and up to 20 ms until the kernel has moved the process into a control
//! group. The process sends one byte when it is ready, and executes the program when it receives one.

use std::os::fd::BorrowedFd;

/// The program's side: reports that it is ready and waits. Makes only system calls; the error is an `errno`.
pub(crate) fn pass(barrier: BorrowedFd<'_>) -> Result<(), i32> {
    let mut byte = [0];
    let passed = rustix::io::write(barrier, b"r")
        .and_then(|_| rustix::io::retry_on_intr(|| rustix::io::read(barrier, &mut byte)));
    match passed {
        Ok(1) => Ok(()),
        // The launcher has ended, or has cancelled the run.
        Ok(_) => Err(libc::EPIPE),
        Err(error) => Err(error.raw_os_error()),
    }
}

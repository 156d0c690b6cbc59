//! The start barrier: a program is prepared first, and begins when it is its turn.
//!
//! To prepare a run takes some milliseconds of work, and up to twenty of waiting until the kernel has moved a process to
//! a control group. That is done while the program before it still runs. A byte one way says that the program is ready,
//! a byte the other way lets it begin.

use std::os::fd::BorrowedFd;

use rustix::io::Errno;

/// The program's side: says that it is ready, and waits. Only system calls.
pub(crate) fn pass(barrier: BorrowedFd<'_>) -> Result<(), i32> {
    let mut byte = [0];
    let passed = rustix::io::write(barrier, b"r").and_then(|_| {
        loop {
            match rustix::io::read(barrier, &mut byte) {
                Err(Errno::INTR) => {}
                received => return received,
            }
        }
    });
    match passed {
        Ok(1) => Ok(()),
        // The launcher is gone, or has cancelled the run.
        Ok(_) => Err(Errno::PIPE.raw_os_error()),
        Err(error) => Err(error.raw_os_error()),
    }
}

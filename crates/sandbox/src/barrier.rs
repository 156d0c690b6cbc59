//! The start barrier: a program is prepared first, and begins when it is its turn.
//!
//! To prepare a run takes some milliseconds of work, and up to twenty of waiting until the kernel has moved a process to
//! a control group. That is done while the program before it still runs. A byte one way says that the program is ready,
//! a byte the other way lets it begin.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType};

/// The launcher's side.
pub(crate) struct Barrier(OwnedFd);

/// Who came first while a program was prepared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arrival {
    /// The program waits at the barrier.
    Ready,
    /// The run is over: a step before that failed.
    Ended,
    /// The grader is gone.
    Abandoned,
}

impl Barrier {
    /// A shut barrier, and the program's side of it.
    pub(crate) fn new() -> io::Result<(Self, OwnedFd)> {
        let (ours, theirs) = rustix::net::socketpair(
            AddressFamily::UNIX,
            SocketType::STREAM,
            SocketFlags::CLOEXEC,
            None,
        )?;
        Ok((Self(ours), theirs))
    }

    /// Waits until the program is ready, the process that stands for its run has ended, or the grader is gone.
    pub(crate) fn arrival(&self, process: BorrowedFd<'_>) -> io::Result<Arrival> {
        let grader = io::stdin();
        loop {
            let mut polled = [
                PollFd::new(&grader, PollFlags::IN),
                PollFd::from_borrowed_fd(process, PollFlags::IN),
                PollFd::new(&self.0, PollFlags::IN),
            ];
            match poll(&mut polled, None) {
                Ok(_) => {}
                Err(Errno::INTR) => continue,
                Err(error) => return Err(error.into()),
            }
            let [grader, process, program] = polled.map(|one| !one.revents().is_empty());
            // Nothing follows the order before we have said that the program is ready.
            if grader {
                return Ok(Arrival::Abandoned);
            }
            if process {
                return Ok(Arrival::Ended);
            }
            if program {
                // The other end has other owners than the program, so that it is not shut before the run is over.
                let (_, count) = rustix::net::recv(&self.0, &mut [0], RecvFlags::empty())?;
                return Ok(if count == 1 {
                    Arrival::Ready
                } else {
                    Arrival::Ended
                });
            }
        }
    }

    /// Lets the program begin.
    pub(crate) fn open(self) -> io::Result<()> {
        match rustix::net::send(self.0.as_fd(), b"g", SendFlags::NOSIGNAL) {
            // It was killed meanwhile, as the watch will see.
            Ok(_) | Err(Errno::PIPE | Errno::CONNRESET) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

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

//! The gate before a program: it is made ready first, and begins when it is its turn.
//!
//! To prepare a run takes some milliseconds of work, and up to twenty of waiting until the kernel has moved a process to
//! a control group. That is done while the program before it still runs; a byte one way tells that the program is
//! ready, and a byte the other way lets it begin.
#![expect(unsafe_code, reason = "what comes between clone and execve")]

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd, RawFd};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType};

/// The launcher's side.
pub(super) struct Gate(OwnedFd);

/// Who came first while a program was made ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arrival {
    /// The program stands before the gate.
    Ready,
    /// The run is over: a step before that failed.
    Ended,
    /// The grader is gone.
    Abandoned,
}

impl Gate {
    /// A gate that is shut, and the program's side of it.
    pub(super) fn new() -> io::Result<(Self, OwnedFd)> {
        let (ours, theirs) = rustix::net::socketpair(
            AddressFamily::UNIX,
            SocketType::STREAM,
            SocketFlags::CLOEXEC,
            None,
        )?;
        Ok((Self(ours), theirs))
    }

    /// Waits until the program is ready, its run, of which this is the init, is over, or the grader is gone.
    pub(super) fn arrival(&self, init: BorrowedFd<'_>) -> io::Result<Arrival> {
        let grader = io::stdin();
        loop {
            let mut polled = [
                PollFd::new(&grader, PollFlags::IN),
                PollFd::from_borrowed_fd(init, PollFlags::IN),
                PollFd::new(&self.0, PollFlags::IN),
            ];
            match poll(&mut polled, None) {
                Ok(_) => {}
                Err(Errno::INTR) => continue,
                Err(error) => return Err(error.into()),
            }
            let [grader, init, program] = polled.map(|one| !one.revents().is_empty());
            // Nothing follows the order before we have said that the program is ready.
            if grader {
                return Ok(Arrival::Abandoned);
            }
            if init {
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
    pub(super) fn open(self) -> io::Result<()> {
        match rustix::net::send(self.0.as_fd(), b"g", SendFlags::NOSIGNAL) {
            // It was killed meanwhile, as the watch will see.
            Ok(_) | Err(Errno::PIPE | Errno::CONNRESET) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

/// The program's side: tells that it is ready, and waits until the gate opens. Only system calls.
pub(super) fn pass(gate: RawFd) -> Result<(), i32> {
    // SAFETY: the keeper holds the descriptor open as long as the program waits.
    let gate = unsafe { BorrowedFd::borrow_raw(gate) };
    let mut byte = [0];
    let passed = rustix::io::write(gate, b"r").and_then(|_| {
        loop {
            match rustix::io::read(gate, &mut byte) {
                Err(Errno::INTR) => {}
                received => return received,
            }
        }
    });
    match passed {
        Ok(1) => Ok(()),
        // The launcher is gone, or does not want it.
        Ok(_) => Err(Errno::PIPE.raw_os_error()),
        Err(error) => Err(error.raw_os_error()),
    }
}

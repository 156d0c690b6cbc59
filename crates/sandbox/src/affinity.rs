//! Puts a process on one core: the system calls behind [`Core`].
#![cfg_attr(
    target_os = "linux",
    expect(unsafe_code, reason = "system calls without a safe interface in std")
)]

#[cfg(target_os = "linux")]
pub(crate) use here::{Seat, allowed};
#[cfg(not(target_os = "linux"))]
pub(crate) use nowhere::{Seat, allowed};

#[cfg(target_os = "linux")]
mod here {
    use std::io;

    use crate::cores::{Core, as_list};
    use crate::launcher::Failed;

    /// A word of the kernel's masks of processors.
    type Word = libc::c_ulong;
    /// Kernels are built for 8192 processors at most.
    const WORDS: usize = 8192 / Word::BITS as usize;

    /// The processors that this thread may run on, in their order: those of its affinity (`taskset`) and of its
    /// cpuset that are online.
    pub(crate) fn allowed() -> io::Result<Vec<u32>> {
        let mut mask: [Word; WORDS] = [0; WORDS];
        // SAFETY: the kernel writes at most the size that it is told, which is that of `mask`. (The C library's
        // function takes a structure for 1024 processors.)
        let written = unsafe {
            libc::syscall(
                libc::SYS_sched_getaffinity,
                0,
                size_of_val(&mask),
                mask.as_mut_ptr(),
            )
        };
        if written == -1 {
            return Err(io::Error::last_os_error());
        }
        Ok((0..WORDS as u32 * Word::BITS)
            .filter(|processor| mask[(processor / Word::BITS) as usize] & bit(*processor) != 0)
            .collect())
    }

    const fn bit(processor: u32) -> Word {
        1 << (processor % Word::BITS)
    }

    /// A place on one core, for a process that is to run there and nowhere else.
    pub(crate) struct Seat(Vec<Word>);

    impl Seat {
        /// The place on this core. One on which we may not run ourselves is an error: the kernel would let us
        /// leave the cores that `taskset` gave us.
        pub(crate) fn on(core: Core) -> Result<Self, Failed> {
            let failed = |source, allowed: &str| Failed {
                step: format!("run the program on core {core}{allowed}"),
                source,
            };
            let allowed = allowed().map_err(|source| failed(source, ""))?;
            if !allowed.contains(&core.0) {
                let allowed = format!(" (only on {})", as_list(&allowed));
                return Err(failed(io::Error::from_raw_os_error(libc::EINVAL), &allowed));
            }
            let mut mask = vec![0; (core.0 / Word::BITS) as usize + 1];
            mask[(core.0 / Word::BITS) as usize] = bit(core.0);
            Ok(Self(mask))
        }

        /// Puts the calling thread, and all that it will start, there; -1, with `errno`, when that failed.
        /// Allocates nothing: for use between fork and exec.
        pub(crate) fn take(&self) -> libc::c_int {
            // SAFETY: the mask outlives the call, which reads no more than its size.
            unsafe {
                libc::syscall(
                    libc::SYS_sched_setaffinity,
                    0,
                    size_of_val(&self.0[..]),
                    self.0.as_ptr(),
                ) as libc::c_int
            }
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod nowhere {
    use std::io;

    use crate::cores::Core;
    use crate::launcher::Failed;

    /// None that a process could be put on.
    pub(crate) fn allowed() -> io::Result<Vec<u32>> {
        Ok(Vec::new())
    }

    /// A place on one core, of which there are none here.
    pub(crate) enum Seat {}

    impl Seat {
        /// An error: this system puts no process on one core.
        pub(crate) fn on(core: Core) -> Result<Self, Failed> {
            Err(Failed {
                step: format!("run the program on core {core}"),
                source: io::Error::from_raw_os_error(libc::ENOSYS),
            })
        }

        /// Nothing has such a place.
        pub(crate) fn take(&self) -> libc::c_int {
            match *self {}
        }
    }
}

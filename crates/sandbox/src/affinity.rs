//! Puts a process on one core.
#![expect(unsafe_code, reason = "system calls without a safe interface in std")]

use std::{fmt, io};

use serde::{Deserialize, Serialize};

use crate::Layer;
use crate::error::Failure;

/// A core, by the number that the system gives it (`/sys/devices/system/cpu/cpuN`).
///
/// Where a physical core runs several threads at a time (SMT), each of them has such a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Core(pub u32);

impl fmt::Display for Core {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

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

/// The mask of one core, for a process that is to run there and nowhere else.
pub(crate) struct CoreMask(Vec<Word>);

impl CoreMask {
    /// The mask of this core. One on which we may not run ourselves is an error: the kernel would let us leave the
    /// cores that `taskset` gave us.
    pub(crate) fn of(core: Core) -> Result<Self, Failure> {
        let step = format!("run the program on core {core}");
        let allowed =
            allowed().map_err(|error| Failure::new(Layer::ResourceLimits, &step, &error))?;
        if !allowed.contains(&core.0) {
            let step = format!("{step} (only on {})", as_list(&allowed));
            return Err(Failure::with_errno(
                Layer::ResourceLimits,
                step,
                libc::EINVAL,
            ));
        }
        let mut mask = vec![0; (core.0 / Word::BITS) as usize + 1];
        mask[(core.0 / Word::BITS) as usize] = bit(core.0);
        Ok(Self(mask))
    }

    /// Puts the calling thread, and all that it will start, there; -1, with `errno`, if that failed.
    /// Allocates nothing: for use between fork and exec.
    pub(crate) fn apply(&self) -> libc::c_int {
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

/// Writes numbers that grow as the kernel does: `0-3,8`.
pub(crate) fn as_list(numbers: &[u32]) -> String {
    let runs = numbers.chunk_by(|one, next| *next == *one + 1);
    let runs = runs.map(|run| match run {
        [first, .., last] => format!("{first}-{last}"),
        _ => run.iter().map(u32::to_string).collect(),
    });
    runs.collect::<Vec<_>>().join(",")
}

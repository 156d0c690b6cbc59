//! Where there is no `/proc`: only what was charged at the end is known.

use std::io;
use std::time::Duration;

use crate::system;

/// What is known of the launcher's descendants.
pub(in crate::launcher) struct Tree {
    cpu: Duration,
}

impl Tree {
    pub(in crate::launcher) fn new() -> Self {
        Self {
            cpu: Duration::ZERO,
        }
    }

    /// CPU time of those that were reaped.
    pub(in crate::launcher) fn cpu(&self) -> Duration {
        self.cpu
    }

    /// Not seen here: the peak comes from `ru_maxrss` alone.
    pub(in crate::launcher) fn memory(&self) -> u64 {
        0
    }

    pub(in crate::launcher) fn look(&mut self) -> io::Result<()> {
        self.settle()
    }

    pub(in crate::launcher) fn settle(&mut self) -> io::Result<()> {
        self.cpu = system::usage_of_children()?.cpu;
        Ok(())
    }

    /// Only the process group can be killed here, and has been.
    pub(in crate::launcher) fn kill(&mut self) -> io::Result<()> {
        Ok(())
    }
}

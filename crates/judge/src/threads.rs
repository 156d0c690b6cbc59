//! Threads, as many as the machine grants.

use std::thread::{Builder, Scope, ScopedJoinHandle};

use crate::Fault;

/// Starts a thread.
///
/// # Errors
/// The machine, the user or the container may have no more.
pub(crate) fn start<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Result<ScopedJoinHandle<'scope, T>, Fault> {
    Builder::new()
        .spawn_scoped(scope, work)
        .map_err(Fault::Thread)
}

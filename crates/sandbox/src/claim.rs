//! Which cores are taken by graders that run at the same time.
//!
//! Whoever has bound an abstract socket of a core's name has the core. The kernel knows these names for the whole machine
//! (for each network namespace: containers do not see each other's), asks for no rights and no folder, and forgets a
//! name with its process, however that ends. The worst that somebody can do who takes all names is that programs run
//! on any core.

use crate::Core;

/// Takes so many of these cores, the first that are free, until this process ends; none where fewer are.
#[cfg(target_os = "linux")]
pub(crate) fn until_the_end(prefix: &str, order: &[Core], count: usize) -> Vec<Core> {
    let Some(claim) = names::take(prefix, order, count) else {
        return Vec::new();
    };
    let (cores, names): (Vec<Core>, Vec<_>) = claim.into_iter().unzip();
    // Their descriptors are closed in every process that we start.
    names.into_iter().for_each(std::mem::forget);
    cores
}

/// There are no such names here, and no cores to put programs on.
#[cfg(not(target_os = "linux"))]
pub(crate) fn until_the_end(_prefix: &str, _order: &[Core], _count: usize) -> Vec<Core> {
    Vec::new()
}

#[cfg(target_os = "linux")]
mod names {
    use std::os::linux::net::SocketAddrExt as _;
    use std::os::unix::net::{SocketAddr, UnixDatagram};

    use crate::Core;

    /// So many of these cores, the first that are free, with the names that they are taken by; nothing where fewer are.
    pub(super) fn take(
        prefix: &str,
        order: &[Core],
        count: usize,
    ) -> Option<Vec<(Core, UnixDatagram)>> {
        let free = order.iter().filter_map(|&core| {
            let name = SocketAddr::from_abstract_name(format!("{prefix}-{core}")).ok()?;
            // Whatever the reason is, the core is not ours.
            Some((core, UnixDatagram::bind_addr(&name).ok()?))
        });
        let taken: Vec<_> = free.take(count).collect();
        (taken.len() == count).then_some(taken)
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn a_core_is_taken_by_one_at_a_time_and_free_again_afterwards() {
            // Of this test alone.
            let prefix = format!("bitcraft-test-{}", std::process::id());
            let order = [0, 2, 1, 3].map(Core);
            let take = |count| take(&prefix, &order, count);
            let cores = |claim: &Option<Vec<(Core, UnixDatagram)>>| {
                let claim = claim.as_deref();
                claim.map(|claim| claim.iter().map(|(core, _)| core.0).collect::<Vec<_>>())
            };
            let first = take(3);
            assert_eq!(cores(&first), Some(vec![0, 2, 1]));
            // Who cannot have enough takes none.
            assert_eq!(cores(&take(2)), None);
            let second = take(1);
            assert_eq!(cores(&second), Some(vec![3]));
            assert_eq!(cores(&take(1)), None);
            drop(first);
            assert_eq!(cores(&take(2)), Some(vec![0, 2]));
        }
    }
}

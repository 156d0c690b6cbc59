//! The control group of a run at level `basic`, where one can be had.

use super::Failed;
use crate::cgroup::{self, Group, Place};
use crate::protocol::Order;

/// What groups of runs hold here.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Found {
    pub(crate) memory: bool,
    pub(crate) cpu: bool,
    pub(crate) processes: bool,
}

impl Found {
    /// Makes one, to see; [`cgroup::settle`] must have been tried before.
    pub(crate) fn here() -> Self {
        let Ok(place) = Place::find() else {
            return Self::default();
        };
        // What another grader left behind and cannot be removed does not stop this one.
        let _ = place.sweep();
        Group::new(&place, true).map_or_else(
            |_| Self::default(),
            |group| Self {
                memory: group.holds_memory(),
                cpu: group.measures_cpu(),
                processes: group.limits_processes(),
            },
        )
    }

    /// Whether there are any.
    pub(crate) const fn is_any(self) -> bool {
        self.memory || self.cpu
    }
}

/// The group of this run, empty and under its limits.
pub(super) fn of_run(order: &Order) -> Result<Option<Group>, Failed> {
    if !order.closed.as_ref().is_some_and(|closed| closed.grouped) {
        return Ok(None);
    }
    let place = Place::find().map_err(failed)?;
    let mut group = Group::new(&place, true).map_err(|error| Failed {
        step: "make a control group".to_owned(),
        source: std::io::Error::other(error.to_string()),
    })?;
    group
        .begin(order.limits.memory.0, order.limits.processes)
        .map_err(failed)?;
    Ok(Some(group))
}

/// A step on a control group that failed.
pub(super) fn failed(failure: cgroup::Failure) -> Failed {
    let path = grader_model::escaped(failure.path.as_os_str().as_encoded_bytes());
    Failed {
        step: format!("{} `{path}`", failure.step),
        source: failure.source,
    }
}

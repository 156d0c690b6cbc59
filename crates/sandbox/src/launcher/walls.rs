//! What of Landlock and seccomp stands around a program at level `basic`.

use std::io;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

use crate::domain::{Domain, DomainError, Grants, Held, open_path};
use crate::protocol::Order;
use crate::seccomp::Filter;

use super::{Failed, Files, Step};

/// Built once a run, before the fork.
///
/// What is there is decided by the same questions to the kernel by which [`crate::BasicRunner`] reports it
/// ([`Held::here`], [`Filter::accepted`]). What the kernel then refuses all the same is an error, so that no run has
/// less than was reported.
pub(super) struct Walls {
    domain: Option<Domain>,
    filter: Option<Filter>,
}

impl Walls {
    pub(super) fn new(
        order: &Order,
        files: &Files,
        temporary: Option<&Path>,
    ) -> Result<Self, Failed> {
        let domain = match Held::here() {
            Some(_) => Some(domain(order, files, temporary)?),
            None => None,
        };
        Ok(Self {
            domain,
            filter: Filter::accepted(),
        })
    }

    /// Whether files are out of reach.
    pub(super) const fn hold_files(&self) -> bool {
        self.domain.is_some()
    }

    /// Puts the calling process into the domain; -1, with `errno`, when that failed. Safe between fork and exec, as
    /// [`Self::install_filter`] is; new privileges must be forbidden before.
    pub(super) fn enter_domain(&self) -> libc::c_int {
        self.domain.as_ref().map_or(0, Domain::enter)
    }

    /// Puts the calling process under the filter; -1, with `errno`, when that failed.
    pub(super) fn install_filter(&self) -> libc::c_int {
        self.filter.as_ref().map_or(0, Filter::install)
    }
}

fn domain(order: &Order, files: &Files, temporary: Option<&Path>) -> Result<Domain, Failed> {
    let directory = open_path(Path::new(&order.directory)).step("enter the run's folder")?;
    let outputs = [files.stdout.as_fd(), files.stderr.as_fd()];
    let made = match (&order.closed, temporary) {
        (Some(closed), Some(temporary)) => {
            let temporary = open_path(temporary).step("enter the run's temporary folder")?;
            let hidden: Vec<PathBuf> = closed.hidden.iter().map(PathBuf::from).collect();
            Domain::closed(&Grants {
                folders: vec![directory.as_fd(), temporary.as_fd()],
                // An empty one of ours has no place in the tree, and can always be opened again.
                input: order.stdin.as_ref().map(|_| files.stdin.as_fd()),
                outputs,
                readable: order
                    .readable
                    .iter()
                    .map(|(host, _)| Path::new(host))
                    .collect(),
                hidden: &hidden,
            })
        }
        _ => Domain::among_files(directory.as_fd(), outputs),
    };
    made.map_err(|error| {
        let (step, source) = match error {
            DomainError::Closed { path, source } => {
                (format!("open `{path}` for a Landlock rule"), source)
            }
            DomainError::Missing(source) => ("build a Landlock domain".to_owned(), source),
            DomainError::Refused(error) => (
                "build a Landlock domain".to_owned(),
                io::Error::other(error),
            ),
        };
        Failed { step, source }
    })
}

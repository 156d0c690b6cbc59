//! A program that can be run.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use grader_language::Command;
use grader_model::{Excerpt, Limits};
use grader_sandbox::{BindMount, Request, Returns, SystemFolders};

use crate::constants::RUN_SPARE_SCRATCH;
use crate::fault::Fault;
use crate::judge::Worker;
use crate::workspace::{Workspace, write};

/// A program with what it may read.
#[derive(Clone)]
pub(crate) struct Program {
    pub(crate) command: Command,
    /// Files and folders that it may read.
    pub(crate) readable: Vec<BindMount>,
    pub(crate) system: SystemFolders,
    /// Whether it reserves far more address space than it uses.
    pub(crate) reserves_memory: bool,
    /// Files for the folder in which it starts.
    pub(crate) data: Arc<Vec<(String, Vec<u8>)>>,
}

impl Program {
    /// Writes its data into a folder, except where something else is or will be. Returns how many bytes these are.
    pub(crate) fn place_data(&self, folder: &Path, others: &[&str]) -> Result<u64, Fault> {
        let mut size = 0;
        for (path, bytes) in &*self.data {
            let is_inside = |outer: &str, inner: &str| {
                inner
                    .strip_prefix(outer)
                    .is_some_and(|it| it.is_empty() || it.starts_with('/'))
            };
            let mut others = others.iter();
            if !others.any(|it| is_inside(it, path) || is_inside(path, it)) {
                write(&folder.join(path), bytes)?;
                size += bytes.len() as u64;
            }
        }
        Ok(size)
    }

    /// The request to run it in a folder, with its outputs next to that folder. Files left in the folder are not copied
    /// back.
    pub(crate) fn request(
        self,
        worker: Worker<'_>,
        workspace: &Workspace,
        directory: BindMount,
        limits: Limits,
    ) -> Request {
        Request {
            program: self.command.program,
            arguments: self.command.arguments,
            environment: environment(&self.command.environment),
            directory,
            returns: Returns::Nothing,
            readable: self.readable,
            system: self.system,
            scratch: RUN_SPARE_SCRATCH,
            reserves_memory: self.reserves_memory,
            stdin: None,
            stdout: workspace.path().join("stdout"),
            stderr: workspace.path().join("stderr"),
            files: limits.output,
            limits,
            core: worker.core(),
        }
    }
}

/// The environment of every program: nothing of ours, a search path, a locale in which every language reads and writes
/// UTF-8, and one thread for the libraries behind numpy. By default, these start a thread per processor, which is
/// useless on one core and may exceed the problem's process limit.
fn environment(more: &[(OsString, OsString)]) -> Vec<(OsString, OsString)> {
    let ours = [
        ("PATH", "/usr/local/bin:/usr/bin:/bin"),
        ("LC_ALL", "C.UTF-8"),
        ("LANG", "C.UTF-8"),
        ("BLIS_NUM_THREADS", "1"),
        ("MKL_NUM_THREADS", "1"),
        ("NUMEXPR_NUM_THREADS", "1"),
        ("OMP_NUM_THREADS", "1"),
        ("OPENBLAS_NUM_THREADS", "1"),
        ("VECLIB_MAXIMUM_THREADS", "1"),
    ];
    let ours = ours.map(|(name, value)| (name.into(), value.into()));
    let mut all = BTreeMap::from(ours);
    all.extend(more.iter().cloned());
    all.into_iter().collect()
}

/// The beginning of a program's or compiler's output; `None` if it is blank.
pub(crate) fn shown(written: &[u8], max_bytes: usize) -> Option<Excerpt> {
    let excerpt = Excerpt::block(written, max_bytes);
    (!excerpt.is_empty()).then_some(excerpt)
}

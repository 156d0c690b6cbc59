//! A program that can be run.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::sync::Arc;

use grader_language::Command;
use grader_model::{Excerpt, Limits, SourceFile};
use grader_sandbox::{BindMount, Request, Returns, SystemFolders};

use crate::constants::RUN_SPARE_SCRATCH;
use crate::lab::Lab;
use crate::workspace::Workspace;

/// A program with what it may read.
#[derive(Clone)]
pub(crate) struct Program {
    pub(crate) command: Command,
    /// Files and folders that it may read.
    pub(crate) readable: Vec<BindMount>,
    pub(crate) system: SystemFolders,
    /// Its files that lie in the folder in which it is started.
    pub(crate) data: Arc<[SourceFile]>,
    /// Whether it reserves far more address space than it uses.
    pub(crate) reserves_memory: bool,
}

impl Program {
    /// The request to run it in a folder, with its outputs next to that folder. Files left in the folder are not copied
    /// back.
    pub(crate) fn request(
        self,
        lab: Lab<'_>,
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
            core: lab.core(),
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

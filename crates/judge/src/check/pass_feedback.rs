//! Files that a checker keeps for itself between the passes of a case.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::{fs, io};

use grader_problem::{CaseKey, CaseRef, Problem};
use grader_sandbox::if_there;

use crate::Fault;
use crate::constants::MAX_NEXT_INPUT_BYTES;
use crate::workspace::{Workspace, read_start, write};

/// The file with the next input.
const NEXT: &str = "nextpass.in";
/// The file with what the first of two runs printed.
const PRINTED: &str = "first-run.out";
/// Feedback files that apply to one pass only.
const OF_ONE_PASS: [&str; 5] = [
    NEXT,
    "score.txt",
    "score_multiplier.txt",
    "teammessage.txt",
    "judgemessage.txt",
];

/// The feedback folder of a case from pass to pass.
pub(crate) struct Feedback {
    workspace: Workspace,
    /// The current pass, from 1.
    pass: AtomicU32,
}

impl Feedback {
    pub(crate) fn new(folder: &Path) -> Result<Self, Fault> {
        let workspace = Workspace::new(folder, "passes-")?;
        workspace.folder("before")?;
        Ok(Self {
            workspace,
            pass: AtomicU32::new(1),
        })
    }

    /// The feedback folder for one run, which is a first pass; `None` if the problem has one pass.
    pub(crate) fn of_one_run(problem: &Problem, folder: &Path) -> Result<Option<Self>, Fault> {
        (problem.run.passes > 1)
            .then(|| Self::new(folder))
            .transpose()
    }

    /// The feedback folder of a case, taken from those of the submission; `None` if the problem has one pass.
    pub(crate) fn of<'a>(
        at: CaseRef<'_>,
        all: &'a mut BTreeMap<CaseKey, Self>,
        folder: &Path,
    ) -> Result<Option<&'a Self>, Fault> {
        if at.problem.run.passes == 1 {
            return Ok(None);
        }
        Ok(Some(match all.entry(at.key()) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(Self::new(folder)?),
        }))
    }

    /// Feedback from the passes before this one.
    fn before(&self) -> PathBuf {
        self.workspace.path().join("before")
    }

    /// Feedback from this pass.
    fn after(&self) -> PathBuf {
        self.workspace.path().join("after")
    }

    /// Whether a checker asks for another pass.
    pub(crate) fn is_asked_for(feedback: &Path) -> bool {
        fs::symlink_metadata(feedback.join(NEXT)).is_ok_and(|found| found.is_file())
    }

    /// Begins a run of a pass. The last run of the previous pass that requested this one counts.
    pub(crate) fn begin(&self, pass: u32) -> Result<(), Fault> {
        let (before, after) = (self.before(), self.after());
        if self.pass.swap(pass, Ordering::Relaxed) == pass {
            return Ok(());
        }
        for name in OF_ONE_PASS {
            let path = after.join(name);
            if_there(fs::remove_file(&path)).map_err(Fault::file("remove", path))?;
        }
        fs::remove_dir_all(&before)
            .and_then(|()| fs::rename(after, &before))
            .map_err(Fault::file("move to", before))
    }

    /// Keeps the feedback of a checker that asks for another pass.
    pub(crate) fn keep(&self, feedback: &Path) -> Result<(), Fault> {
        let after = self.after();
        if_there(fs::remove_dir_all(&after)).map_err(Fault::file("empty", &after))?;
        fs::rename(feedback, after).map_err(Fault::file("move", feedback))
    }

    /// Keeps the input of a second run, and what the first one printed, which a checker may look at.
    pub(crate) fn hand_over(&self, printed: &[u8], input: &[u8]) -> Result<(), Fault> {
        let folder = self.workspace.folder("handed-over")?;
        write(&folder.join(PRINTED), printed)?;
        write(&folder.join(NEXT), input)?;
        self.keep(&folder)
    }

    /// Copies the feedback of earlier passes into an empty folder.
    pub(crate) fn restore(&self, feedback: &Path) -> Result<(), Fault> {
        copy(&self.before(), feedback).map_err(Fault::file("fill", feedback))
    }

    /// The input of the next pass, if a run of this one asked for it.
    pub(crate) fn next_input(&self) -> Result<Option<Arc<[u8]>>, Fault> {
        let after = self.after();
        if !Self::is_asked_for(&after) {
            return Ok(None);
        }
        Ok(Some(
            read_start(&after.join(NEXT), MAX_NEXT_INPUT_BYTES)?.into(),
        ))
    }
}

/// Copies files and folders, without following links.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (kind, to) = (entry.file_type()?, to.join(entry.file_name()));
        if kind.is_dir() {
            fs::create_dir(&to)?;
            copy(&entry.path(), &to)?;
        } else if kind.is_file() {
            fs::copy(entry.path(), to)?;
        }
    }
    Ok(())
}

//! Tasks in several passes: a checker that accepts may write `nextpass.in`, the input on which the program is run again.
//! What else it leaves in its folder for feedback is there when it is asked again.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::Fault;
use crate::workspace::{Workspace, read_start};

/// The file with the next input.
const NEXT: &str = "nextpass.in";
/// Largest input.
const MAX_INPUT: u64 = 64 << 20;
/// What a checker says of one pass only.
const OF_ONE_PASS: [&str; 5] = [
    NEXT,
    "score.txt",
    "score_multiplier.txt",
    "teammessage.txt",
    "judgemessage.txt",
];

/// What is kept from one pass to the next.
pub(crate) struct Passes(Workspace);

impl Passes {
    pub(crate) fn new(folder: &Path) -> Result<Self, Fault> {
        Ok(Self(Workspace::new(folder, "passes-")?))
    }

    fn kept(&self) -> PathBuf {
        self.0.path().join("feedback")
    }

    /// Whether a checker asks for another pass.
    pub(crate) fn is_asked_for(feedback: &Path) -> bool {
        fs::symlink_metadata(feedback.join(NEXT)).is_ok_and(|found| found.is_file())
    }

    /// Keeps what a checker left.
    pub(crate) fn keep(&self, feedback: &Path) -> Result<(), Fault> {
        fs::rename(feedback, self.kept()).map_err(Fault::file("move", feedback))
    }

    /// Gives it back, in place of an empty folder.
    pub(crate) fn restore(&self, feedback: &Path) -> Result<(), Fault> {
        match fs::rename(self.kept(), feedback) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            moved => moved.map_err(Fault::file("make", feedback)),
        }
    }

    /// The input of the next pass; `None` if the last one did not ask for one.
    pub(crate) fn next(&self) -> Result<Option<Arc<[u8]>>, Fault> {
        if !Self::is_asked_for(&self.kept()) {
            return Ok(None);
        }
        let input = read_start(&self.kept().join(NEXT), MAX_INPUT)?;
        for name in OF_ONE_PASS {
            let path = self.kept().join(name);
            match fs::remove_file(&path) {
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                removed => removed.map_err(Fault::file("remove", path))?,
            }
        }
        Ok(Some(input.into()))
    }
}

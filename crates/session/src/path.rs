//! Paths as people read them.

use std::path::{Path, PathBuf};
use std::{env, fs};

use grader_model::escaped;

/// A path for a message, escaped: a name may hold anything.
pub fn shown(path: &Path) -> String {
    escaped(path.as_os_str().as_encoded_bytes())
}

/// The path from the current folder if that is it or is above it: it is shorter to read.
pub fn shortened(path: PathBuf) -> PathBuf {
    let here = env::current_dir().and_then(fs::canonicalize);
    let below = here.ok().and_then(|here| path.strip_prefix(here).ok());
    match below {
        Some(below) if below.as_os_str().is_empty() => PathBuf::from("."),
        Some(below) => below.to_owned(),
        None => path,
    }
}

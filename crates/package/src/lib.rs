//! Reads problem packages of other judges, and gives the files of a problem of ours.
//!
//! What cannot be expressed is listed, one sentence for each item; nothing is dropped silently.

mod dmoj;
mod draft;
mod error;
mod expected;
mod export;
mod fields;
mod groups;
mod kattis;
mod output;
mod parts;
mod polygon;
mod xml;

use grader_problem::{DiskLibrary, Library as _};

pub use error::PackageError;
pub use export::{Exported, export};
pub use output::{Content, Imported};

/// Most files of a package.
const MAX_FILES: usize = 30_000;

/// Reads a package. `id` becomes the id of the problem, as far as its characters are allowed.
///
/// # Errors
/// If it is of no known format, has a mistake, leads out of its folder, or needs what the grader cannot do.
pub fn import(package: &DiskLibrary, id: &str) -> Result<Imported, PackageError> {
    let is_there = |name: &str| {
        let entries = package.list("").unwrap_or_default();
        entries.iter().any(|entry| entry.name == name)
    };
    let id = plain_id(id);
    let imported = if is_there("problem.yaml") {
        kattis::import(package, &id)?
    } else if is_there("init.yml") {
        dmoj::import(package, &id)?
    } else if is_there("problem.xml") {
        polygon::import(package, &id)?
    } else {
        return Err(PackageError::Unknown);
    };
    if imported.files.len() > MAX_FILES {
        let count = imported.files.len();
        return Err(PackageError::Unsupported(format!(
            "the package has {count} files; at most {MAX_FILES} are imported"
        )));
    }
    Ok(imported)
}

/// The name with small letters, digits and `-` only.
fn plain_id(name: &str) -> String {
    let name = name.to_lowercase();
    let words = name.split(|c: char| !c.is_ascii_lowercase() && !c.is_ascii_digit());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    if words.is_empty() {
        "problem".to_owned()
    } else {
        words.join("-")
    }
}

//! A folder that is one student's.
//!
//! Gradescope's autograder finds the files in `submission/`, and beside that `submission_metadata.json` tells whose
//! they are (<https://gradescope-autograders.readthedocs.io/en/latest/submission_metadata/>).

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use grader_model::{Person, System, escaped};
use serde_json::Value;

use super::gradescope::together;
use crate::entrant::Entrant;
use crate::tree::{Part, read_at_most};

/// Whose the files are.
const METADATA: &str = "submission_metadata.json";
/// The folder of the files.
const FOLDER: &str = "submission";
/// The earlier results in it can be long.
const MOST: u64 = 64 << 20;

/// Whether Gradescope's harness has put this folder there.
pub(super) fn is_container(location: &Path) -> bool {
    metadata_of(location).is_some_and(|(folder, metadata)| {
        folder.file_name().is_some_and(|name| name == FOLDER) && metadata.is_file()
    })
}

/// The folder by its real name, and where the metadata would be.
fn metadata_of(location: &Path) -> Option<(PathBuf, PathBuf)> {
    let folder = fs::canonicalize(location).ok()?;
    let metadata = folder.parent()?.join(METADATA);
    Some((folder, metadata))
}

pub(super) fn entrant(location: &Path) -> Entrant {
    let mut entrant = metadata_of(location)
        .and_then(|(_, metadata)| read_at_most(&metadata, MOST).ok()?)
        .and_then(|bytes| serde_json::from_slice(&bytes).ok())
        .map_or_else(|| Entrant::new(FOLDER), |metadata| told(&metadata));
    entrant.parts.push(Part::Folder {
        location: location.to_owned(),
        path: String::new(),
    });
    entrant
}

/// What the metadata tell.
fn told(metadata: &Value) -> Entrant {
    let text = |value: &Value, key: &str| match value.get(key) {
        Some(Value::String(text)) if !text.is_empty() => Some(escaped(text.as_bytes())),
        Some(Value::Number(number)) => Some(number.to_string()),
        _ => None,
    };
    let users = metadata.get("users").and_then(Value::as_array);
    let people: Vec<Person> = users
        .into_iter()
        .flatten()
        .map(|user| Person {
            name: text(user, "name"),
            email: text(user, "email"),
            ids: BTreeMap::new(),
        })
        .collect();
    let name = people.iter().find_map(|person| {
        let name = person.name.as_ref().or(person.email.as_ref());
        name.cloned()
    });
    let mut entrant = Entrant::new(name.unwrap_or_else(|| FOLDER.to_owned()));
    entrant.notes.extend(together(&people, 0));
    entrant.person = people.into_iter().next();
    if let Some(id) = text(metadata, "id") {
        entrant.id_at(System::Gradescope, id);
    }
    entrant
}

//! A folder that is one student's.
//!
//! Gradescope's autograder finds the files in `submission/`, and beside that `submission_metadata.json` tells whose
//! they are (<https://gradescope-autograders.readthedocs.io/en/latest/submission_metadata/>).

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufReader, Read as _};
use std::path::{Path, PathBuf};

use grader_model::{Person, System, escaped};
use serde::Deserialize;
use serde_json::Value;

use super::gradescope::together;
use crate::entrant::Entrant;
use crate::tree::Part;

/// Whose the files are.
const METADATA: &str = "submission_metadata.json";
/// The folder of the files.
const FOLDER: &str = "submission";
/// The earlier results in it can be long; they are passed over as they are read.
const MOST: u64 = 64 << 20;

/// What of it is held.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Metadata {
    id: Value,
    users: Vec<User>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct User {
    name: Value,
    email: Value,
}

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
        .and_then(|(_, metadata)| File::open(metadata).ok())
        .and_then(|file| serde_json::from_reader(BufReader::new(file).take(MOST)).ok())
        .map_or_else(|| Entrant::new(FOLDER), |metadata| told(&metadata));
    entrant.parts.push(Part::Folder {
        location: location.to_owned(),
        path: String::new(),
    });
    entrant
}

/// What the metadata tell.
fn told(metadata: &Metadata) -> Entrant {
    let text = |value: &Value| match value {
        Value::String(text) if !text.is_empty() => Some(escaped(text.as_bytes())),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let people: Vec<Person> = (metadata.users.iter())
        .map(|user| Person {
            name: text(&user.name),
            email: text(&user.email),
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
    if let Some(id) = text(&metadata.id) {
        entrant.id_at(System::Gradescope, id);
    }
    entrant
}

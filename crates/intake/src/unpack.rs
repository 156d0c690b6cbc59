//! An author's archive.

use std::path::{Path, PathBuf};
use std::{fs, io};

use grader_model::{Text, text};

use crate::archive::{Caps, Skipped, Unpacker};
use crate::error::IntakeError;
use crate::name::{shown, without_ending};
use crate::reason;

/// Unpacks the package of a problem into `scratch`: its folder, which is the only one in the archive if nothing lies beside it,
/// and its name, which is the archive's, without extension.
///
/// # Errors
/// If the file is no archive that can be read, or anything in it cannot be unpacked: the problem would lack a part.
pub fn unpack_package(archive: &Path, scratch: &Path) -> Result<(PathBuf, String), IntakeError> {
    let path = shown(archive.as_os_str());
    let failed = |Text { en, zh }| IntakeError::from(text!("`{path}` {en}", "`{path}` {zh}"));
    let unpacked = Unpacker::new(scratch).open(archive, &Caps::PACKAGE);
    let (folder, found) = unpacked.map_err(|error| failed(reason::not_unpacked_here(&error)))?;
    let skipped = found.skipped.into_iter().next();
    let skipped = skipped.map(|Skipped { shown, reason, .. }| {
        text!("`{shown}`: {reason}", "`{shown}`：{reason}", reason)
    });
    if let Some(why) = found.stopped.or(skipped) {
        return Err(failed(reason::not_unpacked(&why)));
    }
    let name = archive.file_name().unwrap_or_default().to_string_lossy();
    let inner = only_folder(&folder).map_err(|error| IntakeError::of(&folder, &error))?;
    Ok((inner.unwrap_or(folder), without_ending(&name).to_owned()))
}

/// The only folder in a folder, if nothing lies beside it but what systems add.
fn only_folder(folder: &Path) -> io::Result<Option<PathBuf>> {
    let mut only = None;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        if name == "__MACOSX" || name.as_encoded_bytes().starts_with(b".") {
            continue;
        }
        if only.is_some() || !entry.file_type()?.is_dir() {
            return Ok(None);
        }
        only = Some(entry.path());
    }
    Ok(only)
}

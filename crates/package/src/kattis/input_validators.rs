//! Programs that validate the inputs of a package.

use grader_model::file_name;
use grader_problem::LibraryEntry;

use crate::constants::VALIDATOR_PROCESSES;
use crate::draft::{Draft, is_source};
use crate::error::PackageError;
use crate::output::TomlProgram;

/// Copies the input validators in languages that the grader knows.
pub(super) fn copy_input_validators(
    draft: &mut Draft<'_>,
) -> Result<Vec<TomlProgram>, PackageError> {
    let mut validators: Vec<TomlProgram> = Vec::new();
    let folders = ["input_validators", "input_format_validators"];
    let entries = folders.map(|folder| {
        let entries = draft.library.list(folder).unwrap_or_default();
        entries
            .into_iter()
            .map(move |it| format!("{folder}/{}", it.name))
    });
    for mut path in entries.into_iter().flatten() {
        let inner = draft.library.list(&path).unwrap_or_default();
        if let [only] = &inner[..]
            && is_checktestdata(&only.name)
        {
            path = format!("{path}/{}", only.name);
        }
        let is_checktestdata = is_checktestdata(&path);
        let is_part = |it: &LibraryEntry| {
            it.folder || is_source(&it.name) || ["build", "run"].contains(&&*it.name)
        };
        if !is_checktestdata && !is_source(&path) && !inner.iter().any(is_part) {
            draft.note(format!("`{path}` is not used"));
            continue;
        }
        let folder = match validators.len() {
            0 => "input-validator".to_owned(),
            others => format!("input-validator-{}", others + 1),
        };
        let source = format!("{folder}/{}", file_name(&path));
        draft.copy(&path, &source)?;
        validators.push(TomlProgram {
            processes: (!is_checktestdata).then_some(VALIDATOR_PROCESSES),
            ..TomlProgram::new(source)
        });
    }
    Ok(validators)
}

pub(super) fn is_checktestdata(path: &str) -> bool {
    path.rsplit('.').next() == Some("ctd")
}

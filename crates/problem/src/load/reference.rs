//! `[reference]`.

use grader_model::SourceFile;

use super::file::{Files, sources_below};
use crate::diagnostic::{Code, Log};
use crate::library::LibraryError;
use crate::problem::{Reference, ReferenceProgram};
use crate::raw::RawReference;
use crate::reader::{At, Slot};
use crate::suggest::{did_you_mean, quoted};

pub(crate) fn build(
    raw: &At<RawReference>,
    builtins: &[&str],
    files: &mut Files<'_>,
    log: &mut Log,
) -> Option<Reference> {
    let RawReference {
        builtin,
        path,
        calibrate,
    } = &raw.value;
    let program = match (builtin, path) {
        (Slot::Absent, Slot::Absent) => {
            let message = "`reference` needs `builtin` or `path`";
            log.report(&raw.span, Code::MissingKey, message);
            None
        }
        (Slot::Given(name), Slot::Absent) => known(name, builtins, log),
        (Slot::Absent, Slot::Given(path)) => {
            sources("reference.path", path, files, log).map(ReferenceProgram::Sources)
        }
        (Slot::Given(_), Slot::Given(path)) => {
            log.report(
                &path.span,
                Code::Conflict,
                "`builtin` and `path` of `reference` exclude each other",
            );
            None
        }
        (Slot::Broken, _) | (_, Slot::Broken) => None,
    };
    Some(Reference {
        program: program?,
        calibrate: calibrate
            .get()
            .iter()
            .flat_map(|arguments| arguments.iter())
            .map(|at| at.value.clone())
            .collect(),
    })
}

fn known(name: &At<String>, builtins: &[&str], log: &mut Log) -> Option<ReferenceProgram> {
    if builtins.contains(&name.value.as_str()) {
        return Some(ReferenceProgram::Builtin(name.value.clone()));
    }
    log.report_with(
        &name.span,
        Code::UnknownBuiltin,
        format!("unknown builtin reference {}", quoted(&name.value)),
        did_you_mean(&name.value, builtins, "builtin"),
    );
    None
}

/// The source files at a path in the problem's folder: one file, or all files below a folder.
pub(super) fn sources(
    name: &str,
    at: &At<String>,
    files: &mut Files<'_>,
    log: &mut Log,
) -> Option<Vec<SourceFile>> {
    let path = files.path(name, at, log)?;
    let found = match files.library.read(&path) {
        Ok(bytes) => {
            files.remember(&path, &bytes);
            let file = path.rsplit('/').next().unwrap_or(&path);
            Ok(vec![SourceFile::new(file, bytes)])
        }
        Err(LibraryError::NotAFile) => sources_below(files.library, &path).inspect(|sources| {
            for source in sources {
                files.remember(&format!("{path}/{}", source.path), &source.bytes);
            }
        }),
        Err(error) => Err(error),
    };
    match found {
        Ok(sources) if sources.is_empty() => {
            let message = format!("`{name}`: the folder has no files");
            log.report(&at.span, Code::Empty, message);
            None
        }
        Ok(sources) => Some(sources),
        Err(error) => {
            files.report(name, &path, &error, at, log);
            None
        }
    }
}
